"""``ludometer extend``: more players or more games in the same run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ludometer.cli.executors import executor_option, maker_of
from ludometer.cli.run_address import RUN

if TYPE_CHECKING:
    from ludometer.store import Address


@click.command("extend")
@click.argument("run", type=RUN)
@click.option("--add-player", "players", multiple=True, metavar="P", help="a further player")
@click.option("--repeats", type=click.IntRange(1), help="games per ordered pair, in all")
@click.option("--games", type=click.IntRange(1), help="matches of an adaptive schedule, in all")
@click.option("--rounds", type=click.IntRange(1), help="rounds of a Swiss tournament, in all")
@executor_option("play the matches")
@click.option("--json", "as_json", is_flag=True, help="print the summary as JSON")
def command(
    run: Address,
    players: tuple[str, ...],
    repeats: int | None,
    games: int | None,
    rounds: int | None,
    executor: str,
    as_json: bool,
) -> int:
    """Add players or games to the run in folder RUN, and play what is new."""
    from ludometer.cli.session import finish, play_run
    from ludometer.core import ConfigurationError
    from ludometer.tournaments import extend

    if not players and (repeats, games, rounds) == (None, None, None):
        raise ConfigurationError("nothing to extend: give --add-player P, --repeats N, --games N or --rounds N")
    numbers = {"repeats": repeats, "games": games, "rounds": rounds}
    maker = maker_of(executor)
    summary = play_run(
        lambda on_start: extend(run, players=players, **numbers, on_start=on_start, executor=maker), quiet=as_json
    )
    return finish(summary, run, as_json=as_json)
