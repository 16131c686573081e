"""``ludometer new game NAME``: a working skeleton in one file."""

from __future__ import annotations

import keyword
from importlib import resources
from pathlib import Path

import click


@click.group("new")
def command() -> None:
    """Start a game or a player of your own from a working skeleton."""


def _write(kind: str, name: str, folder: Path) -> None:
    from ludometer.core import ConfigurationError

    if not name.isidentifier() or keyword.iskeyword(name) or name != name.lower():
        raise ConfigurationError(f"{name!r} is no module name; write it in lower case letters, digits and underscores")
    path = folder / f"{name}.py"
    if path.exists():
        raise ConfigurationError(f"{path} exists already; choose another name or folder")
    template = resources.files("ludometer.cli").joinpath("templates", f"{kind}.py.txt").read_text(encoding="utf-8")
    class_name = "".join(part.capitalize() for part in name.split("_"))
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(template.replace("__NAME__", name).replace("__CLASS__", class_name), encoding="utf-8")
    click.echo(f"wrote {path}; the comment at its top says how to try it and how to register it")


@command.command("game")
@click.argument("name")
@click.option("--dir", "folder", type=click.Path(path_type=Path), default=Path(), help="where to write it")
def game_command(name: str, folder: Path) -> None:
    """Write NAME.py, a small game that passes every conformance check."""
    _write("game", name, folder)


@command.command("player")
@click.argument("name")
@click.option("--dir", "folder", type=click.Path(path_type=Path), default=Path(), help="where to write it")
def player_command(name: str, folder: Path) -> None:
    """Write NAME.py, a small player."""
    _write("player", name, folder)
