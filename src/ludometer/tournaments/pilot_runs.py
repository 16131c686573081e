"""Runs of which only a pilot was played so far."""

from __future__ import annotations

import os
from pathlib import Path

from ludometer.store import RunStore, Where
from ludometer.store.database import DATABASE
from ludometer.tournaments.config import RunConfig, load_config

__all__ = ["is_pilot_of"]


def is_pilot_of(config: RunConfig, where: Where) -> bool:
    """Whether a folder holds the pilot of exactly this configuration, so that starting the run goes on with it."""
    if not isinstance(where, str | os.PathLike) or not (Path(where) / DATABASE).is_file():
        return False
    with RunStore.open(where) as store:
        return bool(store.meta("pilot")) and load_config(store.config) == config
