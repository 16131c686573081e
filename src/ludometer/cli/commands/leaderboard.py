"""``ludometer leaderboard``: ratings and everything measured beside them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ludometer.cli.rating_options import parse_anchor, parse_prior, rating_options
from ludometer.cli.run_address import RUN

if TYPE_CHECKING:
    import pandas as pd

    from ludometer.analysis import RunTables
    from ludometer.ratings.counting import Rule
    from ludometer.store import Address, RunStore


@click.command("leaderboard")
@click.argument("run", type=RUN)
@click.option("--game", help="only this game")
@click.option("--condition", help="only this condition, as the table titles name it, e.g. view=list")
@click.option("--luck-adjusted", is_flag=True, help="also results with luck taken out (games of chance; takes longer)")
@click.option(
    "--without-judge",
    "without",
    multiple=True,
    metavar="NAME",
    help="results of debates without this judge, e.g. judge2 (may be repeated); family: without every judge that is of "
    "the family of one of the two sides",
)
@rating_options
@click.option("--json", "as_json", is_flag=True, help="print as JSON")
def command(
    run: Address,
    game: str | None,
    condition: str | None,
    luck_adjusted: bool,
    without: tuple[str, ...],
    as_json: bool,
    **rating: Any,
) -> None:
    """Print the leaderboard of the run in folder RUN, one per condition where the run varies something.

    Beside the headline (who forfeits or causes a canceled match loses it) stands the rating from completed games only.
    """
    from ludometer.analysis import decided_pairs
    from ludometer.analysis.luck import luck_of_run
    from ludometer.cli.leaderboards import print_decision
    from ludometer.cli.luck import luck_json, print_luck
    from ludometer.cli.output import print_json
    from ludometer.core import ConfigurationError
    from ludometer.store import RunStore

    if without and luck_adjusted:
        raise ConfigurationError("--without-judge and --luck-adjusted do not go together; leave one of them out")
    with RunStore.open(run) as store:
        tables = _tables(store, without)
        pairs = decided_pairs(store)
        luck = luck_of_run(store) if luck_adjusted else None
    boards = _boards(tables, game, condition)
    options = {
        "ties": rating["ties"],
        "seat": not rating["no_seat"],
        "prior_sd": parse_prior(rating["prior"]),
        "anchor": parse_anchor(rating["anchor"]),
    }
    if without:
        pairs = pairs.iloc[:0]  # what the run decided, it decided by all of its judges
    if as_json:
        shown: dict[str, Any] = {"without_judges": list(without)} if without else {}
        shown |= {"decided": tables.decided, "pairs": _records(pairs)} if len(pairs) else {}
        found = [_json(label, part, options) for label, part in boards]
        if luck is not None:
            found = [one | luck_json(part, luck) for one, (_, part) in zip(found, boards, strict=True)]
        print_json({"run": str(run), "boards": found, **shown})
        return
    for label, part in boards:
        _print(label, part, options)
        if luck is not None:
            print_luck(label, part, luck)
    if len(pairs):
        print_decision(tables.decided, pairs)
    if without:
        click.echo(f"Note: {_left_out(without)}")
    for note in tables.notes:
        click.echo(f"Note: {note}")


def _tables(store: RunStore, without: tuple[str, ...]) -> RunTables:
    """The run's tables, or those without some judges of its debates. Raises `ConfigurationError`."""
    from ludometer.analysis import load_tables
    from ludometer.analysis.debate_sheets import judges, rejudged
    from ludometer.core import ConfigurationError

    if not without:
        return load_tables(store)
    if not judges(store):
        raise ConfigurationError("--without-judge is for debates, and the run has none")
    if "family" not in without:
        return rejudged(store, without)
    if set(without) != {"family"}:
        raise ConfigurationError("--without-judge family stands for itself; leave out the names of judges")
    return rejudged(store, "family")


def _left_out(without: tuple[str, ...]) -> str:
    left = "judges of a contestant's family" if "family" in without else ", ".join(dict.fromkeys(without))
    return f"debates are summed anew without {left}; one that is left without a judge is void here, not in the run"


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    records: list[dict[str, Any]] = json.loads(frame.to_json(orient="records"))
    return records


def _boards(tables: RunTables, game: str | None, condition: str | None) -> list[tuple[str, RunTables]]:
    """The parts of a run that have a leaderboard each, with their conditions. Raises `ConfigurationError`."""
    from ludometer.core import ConfigurationError

    if condition is not None:
        condition = _condition(condition, {label for _, label in tables.parts()})
    games = {name for name, _ in tables.parts()}
    if game is not None and game not in games:
        raise ConfigurationError(f"the run has no game {game!r}; it has: {', '.join(sorted(games))}")
    labels = [condition] if condition is not None else list(dict.fromkeys(label for _, label in tables.parts()))
    return [(label, tables.only(game=game, condition=label)) for label in labels]


def _condition(written: str, known: set[str]) -> str:
    """The label of a condition, however it is spaced. Raises `ConfigurationError`."""
    from ludometer.core import ConfigurationError

    found = next((label for label in known if "".join(label.split()) == "".join(written.split())), None)
    if found is None:
        has = ", ".join(sorted(filter(None, known))) or "none, since nothing is varied"
        raise ConfigurationError(f"the run has no condition {written!r}; it has: {has}")
    return found


def _board(part: RunTables, counting: Rule, options: dict[str, Any]) -> tuple[Any, Any]:
    """The leaderboard's frame and the rating table, None where nothing can be rated yet."""
    from ludometer.analysis import leaderboard, ratings_of
    from ludometer.core import ConfigurationError

    try:
        table = ratings_of(part, counting=counting, **options)
    except ConfigurationError:
        if options["anchor"] is not None:
            raise
        table = None
    return leaderboard(part, counting=counting, table=table), table


def _json(label: str, part: RunTables, options: dict[str, Any]) -> dict[str, Any]:
    from ludometer.analysis import run_counts
    from ludometer.cli.leaderboards import rating_json

    result: dict[str, Any] = {"condition": label, "matches": run_counts(part)}
    for counting in ("headline", "played"):
        frame, table = _board(part, counting, options)
        result[counting] = {
            "rows": _records(frame),
            "ratings": None if table is None else rating_json(table),
        }
    return result


def _print(label: str, part: RunTables, options: dict[str, Any]) -> None:
    from ludometer.analysis import duplicates, run_counts
    from ludometer.analysis.seat_names import titles_of
    from ludometer.cli.leaderboards import print_leaderboard, print_rating_table
    from ludometer.cli.output import clean

    frame, table = _board(part, "headline", options)
    title = f"Leaderboard, {label}" if label else "Leaderboard"
    print_leaderboard(title, frame, table, titles_of(part))
    counts = run_counts(part)
    click.echo(", ".join(f"{count} {outcome}" for outcome, count in counts.items() if outcome != "total" and count))
    for row in duplicates(part).query("players == 'all' and distinct < games").to_dict("records"):
        kind = "self-play games" if row["self_play"] else "completed games"
        click.echo(f"only {row['distinct']} of {row['games']} {kind} are different; repeats are no new evidence")
    if counts["forfeit"] or counts["canceled"]:
        _, played = _board(part, "played", options)
        click.echo()
        if played is not None and table is not None and played.counts == replace(table.counts, rule="played"):
            click.echo("No canceled or forfeited game has a known offender: leaving them out changes no rating.")
        elif played is None:
            click.echo("Without canceled and forfeited games nothing is left to rate.")
        else:
            print_rating_table(played, "The same without canceled and forfeited games")
            rated = {row.name for row in played.rows}
            if absent := [name for name in frame["entrant"] if name not in rated and name not in played.unrated]:
                click.echo(f"not rated there, for want of a completed game: {', '.join(map(clean, absent))}")
    click.echo()
