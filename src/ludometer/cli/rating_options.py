"""Options that ``rate`` and ``leaderboard`` share: how ratings are computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from ludometer.core.errors import ConfigurationError

__all__ = ["parse_anchor", "parse_prior", "rating_options"]

F = TypeVar("F", bound=Callable[..., Any])


def rating_options(command: F) -> F:
    """Adds ``--ties``, ``--prior``, ``--no-seat`` and ``--anchor``."""
    for option in reversed(
        (
            click.option("--ties", type=click.Choice(["davidson", "half"]), default="davidson", show_default=True),
            click.option("--prior", default="200", show_default=True, help="sd of the prior in points, or none"),
            click.option("--no-seat", is_flag=True, help="no first-mover term"),
            click.option("--anchor", metavar="NAME=POINTS", help="fix an entrant, e.g. random=0"),
        )
    ):
        command = option(command)
    return command


def parse_prior(text: str) -> float | None:
    """Reads a number of points, or ``none``. Raises `ConfigurationError`."""
    if text.casefold() == "none":
        return None
    try:
        points = float(text)
    except ValueError:
        points = 0.0
    if not points > 0:
        raise ConfigurationError(f"--prior {text!r}: write a positive number of points, or none")
    return points


def parse_anchor(text: str | None) -> tuple[str, float] | None:
    """Reads ``NAME=POINTS``. Raises `ConfigurationError`."""
    if text is None:
        return None
    name, _, points = text.rpartition("=")
    try:
        value = float(points)
    except ValueError:
        name = ""
    if not name:
        raise ConfigurationError(f"--anchor {text!r}: write NAME=POINTS, for example random=0")
    return name, value
