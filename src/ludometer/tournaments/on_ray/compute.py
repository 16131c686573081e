"""Computations as tasks of a Ray cluster, in place of the processes of this machine."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from ludometer.core import MachineError
from ludometer.models.redact import redact
from ludometer.solvers.workers import limit_workers
from ludometer.tournaments.on_ray.cluster import Cluster
from ludometer.tournaments.on_ray.replies import connection_errors, reply, what_lacks

__all__ = ["ClusterComputer", "computing_on_ray"]

R = TypeVar("R")

_QUEUED = 2
"""Calls at a time for each processor: the next one is there when one ends."""


class ClusterComputer:
    """Computes in the cluster what `ludometer.solvers.workers.run_in_worker` computes here.

    A call whose process or machine dies is made again elsewhere, by Ray, three times at most.
    """

    def __init__(self, cluster: Cluster) -> None:
        self._ray = cluster.ray
        self._task = cluster.ray.remote(_called).options(num_cpus=1, max_retries=3)
        self.width = _QUEUED * cluster.processors

    async def run(self, function: Callable[..., R], *args: object) -> R:
        """``function(*args)``; what it raises is raised here.

        Raises:
            MachineError: the cluster lost the call again and again, or cannot be reached.
        """
        from ray.exceptions import RayError, RayTaskError

        reference = self._begun(function, args)
        try:
            result: R = await reply(reference)
        except asyncio.CancelledError:
            self._ray.cancel(reference, force=True)
            raise
        except RayTaskError as error:
            if isinstance(error.cause, RayError):
                raise MachineError(f"a worker of the Ray cluster cannot compute this: {_last_line(error)}") from None
            raise error.cause from None
        except connection_errors() as error:
            raise MachineError(f"the Ray cluster lost a computation: {type(error).__name__}") from None
        return result

    def _begun(self, function: Callable[..., Any], args: tuple[object, ...]) -> Any:
        try:
            return self._task.remote(function, args)
        except ImportError as error:
            raise MachineError(f"a worker of the Ray cluster cannot compute this: {what_lacks(error)}") from None
        except ConnectionError as error:
            raise MachineError(f"the Ray cluster cannot be reached any more: {_last_line(error)}") from None


@contextmanager
def computing_on_ray(address: str | None) -> Iterator[ClusterComputer]:
    """Joins a cluster, see `Cluster`, until the block ends."""
    cluster = Cluster(address)
    try:
        yield ClusterComputer(cluster)
    finally:
        cluster.close()


def _last_line(error: Exception) -> str:
    """What a traceback comes down to."""
    return redact(str(error).strip().splitlines()[-1])[:300]


def _called(function: Callable[..., Any], args: tuple[Any, ...]) -> Any:
    limit_workers(1)  # Ray has given it one processor
    return function(*args)
