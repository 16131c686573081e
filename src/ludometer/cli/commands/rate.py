"""``ludometer rate``: ratings of games played elsewhere."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludometer.cli.rating_options import parse_anchor, parse_prior, rating_options

if TYPE_CHECKING:
    from ludometer.ratings.bradley_terry import Ties
    from ludometer.ratings.counting import Rule


@click.command("rate")
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--counting", type=click.Choice(["headline", "played"]), default="headline", show_default=True)
@rating_options
@click.option("--json", "as_json", is_flag=True, help="print as JSON")
def command(
    file: Path, counting: Rule, ties: Ties, prior: str, no_seat: bool, anchor: str | None, as_json: bool
) -> None:
    """Rate the games in a CSV FILE.

    Columns: player_1, player_2, and result (1-0, 0-1, 1/2-1/2, first, second, draw) or score_1 (0 to 1).
    Optional: game, group (games with the same luck), ending (completed, forfeit, canceled, void), offender, order or
    date.

    For more than two players: player_1, player_2, player_3, ..., and place_1, ... (1 is the best) or score_1, ... (more
    is better); equals may be unordered where equal scores are no tie.
    """
    from ludometer.cli.leaderboards import print_rating_table, rating_json
    from ludometer.cli.output import print_json
    from ludometer.ratings import count_results, rate, read_results

    games, counts = count_results(read_results(file), counting)
    table = rate(
        games,
        counts=counts,
        ties=ties,
        seat=not no_seat,
        prior=parse_prior(prior),
        anchor=parse_anchor(anchor),
    )
    if as_json:
        print_json(rating_json(table))
    else:
        print_rating_table(table)
