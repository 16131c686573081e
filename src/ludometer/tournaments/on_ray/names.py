"""The names of executors, as the command line and ``ludometer.run`` take them: asyncio, ray and ray:ADDRESS."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING

from ludometer.tournaments.executor import LocalExecutor
from ludometer.tournaments.on_ray.cluster import check_cluster, check_installed, parse_executor

if TYPE_CHECKING:
    from ludometer.tournaments.on_ray.compute import ClusterComputer
    from ludometer.tournaments.runner import ExecutorMaker

__all__ = ["HERE", "computer_of", "maker_of"]

HERE = "asyncio"
"""The executor that plays in this process."""


def maker_of(executor: str) -> ExecutorMaker:
    """What makes a runner's executor. A cluster at an address is asked first, so that no run is begun in vain.

    Raises:
        ConfigurationError: there is none of that name, Ray is not installed, or the cluster does not let us in.
        MachineError: the cluster cannot be reached.
    """
    if executor == HERE:
        return LocalExecutor
    address = parse_executor(executor)
    check_installed()
    if address is not None:
        check_cluster(address)
    from ludometer.tournaments.on_ray.executor import on_ray

    return on_ray(address)


def computer_of(executor: str) -> AbstractContextManager[ClusterComputer | None]:
    """Where positions are judged: joins a cluster until the block ends; None for this machine's processes.

    Raises:
        ConfigurationError: there is none of that name, or Ray is not installed.
        MachineError: the cluster cannot be started or reached.
    """
    if executor == HERE:
        return nullcontext()
    address = parse_executor(executor)
    check_installed()
    from ludometer.tournaments.on_ray.compute import computing_on_ray

    return computing_on_ray(address)
