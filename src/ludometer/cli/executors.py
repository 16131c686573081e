"""The option ``--executor``: where matches are played and moves are judged."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ludometer.tournaments.runner import ExecutorMaker

__all__ = ["HERE", "executor_option", "maker_of"]

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
    from ludometer.tournaments.executor import LocalExecutor

    if executor == HERE:
        return LocalExecutor
    from ludometer.tournaments.on_ray.cluster import check_installed, parse_executor
    from ludometer.tournaments.on_ray.executor import on_ray

    address = parse_executor(executor)
    check_installed()
    return on_ray(address)
