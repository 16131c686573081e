"""The argument RUN: a run's folder, or its address in a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludometer.core.errors import ConfigurationError

if TYPE_CHECKING:
    from ludometer.store import Address

__all__ = ["FOLDER", "RUN", "command_word"]


class _Run(click.ParamType):  # type: ignore[type-arg,unused-ignore]
    name = "run"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Address:
        text = str(value)
        if "://" not in text:
            return Path(text)
        from ludometer.store import parse_address

        return parse_address(text)


class _Folder(click.Path):
    """A folder that a run is made in. An address of a database would otherwise become folders of odd names."""

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        if "://" in str(value):
            raise ConfigurationError("--dir is for a folder; give the address of a database with --store")
        return Path(str(value))


RUN = _Run()
FOLDER = _Folder()


def command_word(run: Address) -> str:
    """The run as it can be given to a command in a shell."""
    import shlex

    return shlex.quote(str(run))
