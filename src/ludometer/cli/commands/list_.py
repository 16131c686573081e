"""``ludometer list``: what there is."""

from __future__ import annotations

import inspect
import re
import warnings
from typing import Any

import click


@click.command("list")
@click.argument("what", type=click.Choice(["games", "players", "models", "presets", "strategies"]))
@click.option("--json", "as_json", is_flag=True, help="print as JSON")
def command(what: str, as_json: bool) -> None:
    """List games, players, models, presets or strategies."""
    from ludometer.cli.output import print_json, print_table

    rows = {"games": _games, "players": _players, "models": _models, "presets": _presets, "strategies": _strategies}[
        what
    ]()
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo(f"there are no {what}")
        return
    columns = list(rows[0])
    print_table("", columns, [[_text(row[c]) for c in columns] for row in rows])


def _text(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(_option(key, text) for key, text in value.items()) or "-"
    return ", ".join(value) if isinstance(value, list) else str(value)


def _option(key: str, described: str) -> str:
    """An option as it would be written, with its default: ``rows=3``, ``overline=win (or no_win)``."""
    kind, _, default = described.partition(" = ")
    choices = re.match(r"Literal\[(.*)\]", kind)
    others = [word for word in re.findall(r"'([^']*)'", choices[1]) if repr(word) != default] if choices else []
    written = default.strip("'") if default not in ("", "None") else "..."
    return f"{key}={written.lower() if written in ('True', 'False') else written}" + (
        f" (or {', '.join(others)})" if others else ""
    )


def _games() -> list[dict[str, Any]]:
    from ludometer.core import GAMES, make_game
    from ludometer.core.registry import describe_options

    rows = []
    for name, cls in GAMES.all().items():
        low, high = cls.players
        rows.append(
            {
                "name": name,
                "title": cls.title,
                "players": str(low) if low == high else f"{low}-{high}",
                "views": list(make_game(name).views()),
                "options": describe_options(cls),
            }
        )
    return rows


def _players() -> list[dict[str, Any]]:
    from ludometer.core.registry import describe_options
    from ludometer.players import PLAYERS

    return [
        {
            "name": name,
            "description": getattr(cls, "description", ""),
            "options": {key: text for key, text in describe_options(cls).items() if key != "model"},
        }
        for name, cls in PLAYERS.all().items()
    ]


def _models() -> list[dict[str, Any]]:
    from ludometer.models import known_providers, local_models

    local = [f"local/{model.name}" for model in local_models()]
    return [
        {"provider": name, "written as": f"{name}/MODEL", "on this machine": local if name == "local" else []}
        for name in known_providers()
    ]


def _presets() -> list[dict[str, Any]]:
    from ludometer.tournaments.config import load_config, presets

    return [{"name": name, "description": load_config(path).description.strip()} for name, path in presets().items()]


def _strategies() -> list[dict[str, Any]]:
    from ludometer.core import ConfigurationError
    from ludometer.strategies.registry import program_of, strategies

    rows = []
    for name in strategies():
        try:
            program = program_of(name)
        except ConfigurationError as error:
            warnings.warn(f"plug-in skipped: {error}", stacklevel=1)
            continue
        about = (inspect.getdoc(inspect.getmodule(program)) or "").split("\n\n")[0]
        options = list(inspect.signature(program).parameters.values())[2:]
        rows.append(
            {
                "name": name,
                "description": " ".join(about.split()),
                "options": {p.name: f"{p.annotation} = {p.default!r}" for p in options},
            }
        )
    return rows
