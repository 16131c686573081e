"""The argument RUN: a run's folder, or its address in a PostgreSQL database; and where many runs are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludometer.core.errors import ConfigurationError

if TYPE_CHECKING:
    from ludometer.store import Address
    from ludometer.store.address import Database

__all__ = ["FOLDER", "RUN", "RUNS", "command_word", "run_place"]


class _Run(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    name = "run"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Address:
        text = str(value)
        if "://" not in text:
            return Path(text)
        from ludometer.store import parse_address

        return parse_address(text)


class _Runs(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    """A run as in RUN, a folder of runs, or a database without the name of a run."""

    name = "runs"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Address | Database:
        text = str(value)
        if "://" not in text:
            return Path(text)
        from ludometer.store.address import parse_place

        return parse_place(text)


class _Folder(click.Path):
    """A folder that a run is made in. An address of a database would otherwise become folders of odd names."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if "://" in str(value):
            raise ConfigurationError("--dir is for a folder; give the address of a database with --store")
        return Path(str(value))


RUN = _Run()
RUNS = _Runs()
FOLDER = _Folder()


def command_word(run: Address) -> str:
    """The run as it can be given to a command in a shell."""
    import shlex

    return shlex.quote(str(run))


def run_place(default: Path, folder: Path | None, store: str | None) -> Address:
    """Where a new run goes: ``--dir``, or ``--store`` under the name of the default folder where it has no ``run=``.

    Raises:
        ConfigurationError: both are given, or the address is none.
    """
    if store is None:
        return folder or default
    if folder is not None:
        raise ConfigurationError("a run is in a folder or in a database: give --dir or --store, not both")
    from ludometer.store.address import database_run

    return database_run(store, default.name)
