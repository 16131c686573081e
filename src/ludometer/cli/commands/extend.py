"""``ludometer extend``: more players or more games in the same run."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("extend")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--add-player", "players", multiple=True, metavar="P", help="a further player")
@click.option("--repeats", type=click.IntRange(1), help="games per ordered pair, in all")
@click.option("--json", "as_json", is_flag=True, help="print the summary as JSON")
def command(run: Path, players: tuple[str, ...], repeats: int | None, as_json: bool) -> int:
    """Add players or games to the run in folder RUN, and play what is new."""
    from ludometer.cli.session import finish, play_run
    from ludometer.core import ConfigurationError
    from ludometer.tournaments import extend

    if not players and repeats is None:
        raise ConfigurationError("nothing to extend: give --add-player P or --repeats N")
    summary = play_run(lambda on_start: extend(run, players=players, repeats=repeats, on_start=on_start), quiet=as_json)
    return finish(summary, run, as_json=as_json)
