"""``ludometer analyze``: how good the moves of a run were."""

from __future__ import annotations

import asyncio
import sys
from typing import TYPE_CHECKING, Any

import click

from ludometer.cli.executors import computer_of, executor_option
from ludometer.cli.run_address import RUN

if TYPE_CHECKING:
    import pandas as pd

    from ludometer.analysis.quality_values import AnalysisProgress
    from ludometer.store import Address, RunStore
    from ludometer.tournaments.on_ray.compute import ClusterComputer

_EVERY = 10.0
"""Seconds between lines of progress."""


@click.command("analyze")
@click.argument("run", type=RUN)
@click.option(
    "--evaluator",
    "evaluators",
    multiple=True,
    metavar="NAME[:OPTIONS]",
    help="who judges the moves, such as mcts:simulations=1000; may be given several times; by default the best for "
    "each game",
)
@click.option("--workers", type=click.IntRange(min=1), help="processors to use; by default all")
@executor_option("judge the moves")
@click.option("--json", "as_json", is_flag=True, help="print the tables as JSON")
@click.option("--quiet", is_flag=True, help="no progress")
def command(
    run: Address, evaluators: tuple[str, ...], workers: int | None, executor: str, as_json: bool, quiet: bool
) -> None:
    """Judge every move of RUN's finished matches, and keep that in the run.

    Exact values are used where a game is solved; otherwise a Connect Four solver, Stockfish for chess where it is
    installed, random continuations for UNO, or estimates by Monte Carlo search. What was judged before is not judged
    again.
    """
    from ludometer.analysis.quality import quality_tables
    from ludometer.store import RunStore

    with computer_of(executor) as computer, RunStore.open(run, write=True) as store:
        progress = asyncio.run(_analyze(store, evaluators, workers, quiet, computer))
        tables = quality_tables(store) | _uno_tables(store)
    if as_json:
        _print_json(progress, tables)
    else:
        _print(progress, tables)


def _uno_tables(store: RunStore) -> dict[str, pd.DataFrame]:
    """The metrics of the UNO study and the regrets, for a run that has such games."""
    from ludometer.analysis.uno import plays_uno, uno_tables

    if not plays_uno(store):
        return {}
    tables = uno_tables(store)
    return {"uno_players": tables["players"], "uno_regrets": tables["regrets"]}


async def _analyze(
    store: RunStore, evaluators: tuple[str, ...], workers: int | None, quiet: bool, computer: ClusterComputer | None
) -> AnalysisProgress:
    from ludometer.analysis.quality_values import analyze_moves

    seen: list[AnalysisProgress] = []
    work = analyze_moves(store, evaluator=evaluators or None, workers=workers, computer=computer, on_start=seen.append)
    task = asyncio.ensure_future(work)
    try:
        while not task.done():
            await asyncio.wait({task}, timeout=_EVERY)
            if seen and not quiet and not task.done():
                click.echo(_line(seen[0]), err=True)
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
    return task.result()


def _line(progress: AnalysisProgress) -> str:
    line = f"{progress.before + progress.judged}/{progress.total} moves judged"
    left = progress.seconds_left
    if left is None:
        return line
    return f"{line}, {left:.0f} s left" if left < 90 else f"{line}, {left / 60:.0f} min left"


def _print(progress: AnalysisProgress, tables: dict[str, pd.DataFrame]) -> None:
    from ludometer.cli.output import clean, print_table

    notes = _notes(progress)
    for sentence in notes:
        click.echo(clean(sentence), err=True)
    players = tables["players"]
    if players.empty:
        return
    shown = [
        [row.game, row.entrant, row.choices, _rate(row), _regret(row), row.blunders, _share(row)]
        for row in players.itertuples()
    ]
    columns = ["game", "entrant", "choices", "best move", "mean regret", "blunders", "gave a result away"]
    print_table("Move quality", columns, shown, [_EXPLAINED])
    ratings = tables["ratings"]
    rated = [
        [row.game, row.entrant, f"{row.points:.0f} [{row.low:.0f}, {row.high:.0f}]", _results(row)]
        for row in ratings.itertuples()
    ]
    print_table("Ratings from moves and from results", ["game", "entrant", "moves", "results"], rated, [_TWO_SCALES])
    if "uno_players" in tables:
        _print_uno(tables["uno_players"])


def _print_uno(players: pd.DataFrame) -> None:
    from ludometer.analysis.uno import METRICS
    from ludometer.cli.output import print_table

    varied = [name for name in ("game", "condition") if players[name].nunique() > 1]
    names = [*varied, "entrant", "evaluator"]
    rows = [
        [*(row[name] for name in names), *(_metric(row, name) for name in METRICS)]
        for row in players.to_dict("records")
    ]
    print_table("Critical decisions in UNO, p = 0.15", [*names, *METRICS], rows, [_UNO_EXPLAINED])


def _metric(row: dict[Any, Any], name: str) -> str | None:
    if row[name] != row[name]:
        return None
    value = f"{row[name]:.3f}" if name.startswith("ADR") else f"{row[name]:.1%}"
    return f"{value} (n={row[f'{name}_n']:.0f})"


_EXPLAINED = (
    "choices: moves where not every action was as good; best move: share of them that was optimal; regret: expected "
    "score given away; blunder: regret of at least 0.5."
)
_UNO_EXPLAINED = (
    "WR: winning rate; ODHR@K: share of decisions between K actions that were the best; ADR@K: their mean rank; "
    "intervals are in the report (docs/uno-arena.md)."
)
_TWO_SCALES = "Two different scales: order and certainty can be compared, the numbers cannot (docs/move-quality.md)."


def _rate(row: Any) -> str | None:
    return None if row.choices == 0 else f"{row.optimal_rate:.1%} [{row.low:.1%}, {row.high:.1%}]"


def _regret(row: Any) -> str | None:
    return None if row.choices == 0 else f"{row.mean_regret:.3f} [{row.regret_low:.3f}, {row.regret_high:.3f}]"


def _share(row: Any) -> str:
    return f"{row.given_away_rate:.0%} of games"


def _results(row: Any) -> str | None:
    if row.result_rating != row.result_rating:
        return None
    return f"{row.result_rating:.0f} [{row.result_low:.0f}, {row.result_high:.0f}]"


def _notes(progress: AnalysisProgress) -> list[str]:
    notes = [
        f"{progress.judged} moves judged now, {progress.before} before",
        *(f"{game}: values from {name}" for game, name in progress.evaluators.items()),
        *(f"{game}: {why}" for game, why in progress.missing.items()),
    ]
    if progress.open:
        notes.append(f"{progress.open} matches are not finished and were left out")
    if progress.without_moves:
        notes.append(f"{progress.without_moves} matches were imported without moves and cannot be judged")
    return notes


def _print_json(progress: AnalysisProgress, tables: dict[str, pd.DataFrame]) -> None:
    import json

    from ludometer.cli.output import print_json

    for sentence in _notes(progress):
        print(sentence, file=sys.stderr)
    shown = ("players", "first_given_away", "ratings", "pairs", *(name for name in tables if name.startswith("uno_")))
    print_json(
        {
            "judged": progress.judged,
            "before": progress.before,
            "total": progress.total,
            "evaluators": progress.evaluators,
            "missing": progress.missing,
            "open": progress.open,
            "without_moves": progress.without_moves,
            **{name: json.loads(tables[name].to_json(orient="records")) for name in shown},
        }
    )
