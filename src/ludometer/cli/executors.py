"""The option ``--executor``: where matches are played and moves are judged."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ludometer.tournaments.on_ray.compute import ClusterComputer
    from ludometer.tournaments.runner import ExecutorMaker

__all__ = ["HERE", "computer_of", "executor_option", "maker_of"]

HERE = "asyncio"


def executor_option(what: str) -> Callable[[Any], Any]:
    """The option, for a command that does ``what``."""
    return click.option(
        "--executor",
        default=HERE,
        metavar="WHERE",
        help=f"where to {what}: asyncio, in this process; ray, on a cluster of its own on this machine; "
        "ray:ADDRESS, on a Ray cluster, e.g. ray:ray://head:10001  [default: asyncio]",
    )


def maker_of(executor: str) -> ExecutorMaker:
    """What makes a runner's executor. Raises `ConfigurationError`."""
    from ludometer.tournaments.on_ray import names

    return names.maker_of(executor)


def computer_of(executor: str) -> AbstractContextManager[ClusterComputer | None]:
    """Where positions are judged, until the block ends. Raises `ConfigurationError` or `MachineError`."""
    from ludometer.tournaments.on_ray import names

    return names.computer_of(executor)
