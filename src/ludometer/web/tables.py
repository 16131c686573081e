"""The leaderboard and who met whom, filtered by game and by the levels of factors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal

import pandas as pd
from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from ludometer.analysis import RunTables, leaderboard, load_tables, ratings_of
from ludometer.analysis.frames import condition_label, level_text
from ludometer.analysis.luck import FEWEST_GROUPS, adjusted_results, luck_of_run, luck_ratios
from ludometer.analysis.measures import is_model
from ludometer.analysis.quality import move_quality
from ludometer.analysis.seat_names import named_roles
from ludometer.core import ConfigurationError
from ludometer.ratings import RatingTable, mean_interval
from ludometer.ratings.counting import Rule
from ludometer.web.facets import facets, factors_of
from ludometer.web.head_to_head import head_cells
from ludometer.web.problems import Problem, answer
from ludometer.web.report_page import run_figures
from ludometer.web.runs import Opened, OpenRun
from ludometer.web.seats import titled
from ludometer.web.shapes import Board, BoardRow, HeadToHead, SeatCounts

__all__ = ["board", "head_to_head", "router"]

router = APIRouter(prefix="/api", tags=["tables"])

Counting = Literal["headline", "played"]
Text = Annotated[str | None, Query(max_length=500)]


@router.get("/runs/{run}/leaderboard", response_model=Board)
def get_leaderboard(request: Request, run: Opened, game: Text = None, counting: Counting = "headline") -> Response:
    """The leaderboard of a run or of a part of it. ``factor.NAME=LEVEL`` filters by condition."""
    return answer(board(run, game or None, factors_of(request), counting))


@router.get("/runs/{run}/matrix", response_model=HeadToHead)
def get_matrix(
    request: Request,
    run: Opened,
    game: Text = None,
    counting: Counting = "headline",
    figures: Annotated[bool, Query(description="the figures too, which may take a moment to draw")] = True,
) -> Response:
    """Who met whom with which result. ``factor.NAME=LEVEL`` filters by condition."""
    return answer(head_to_head(run, game or None, factors_of(request), counting, figures=figures))


# ----------------------------------------------------------------------- parts


def tables_of(run: OpenRun) -> RunTables:
    """The frames of a run, read once."""
    return run.cached("tables", lambda: load_tables(run.store), patient=True)


def part_of(run: OpenRun, game: str | None, factors: Mapping[str, str]) -> RunTables:
    """The part of a run with one game and these levels. Raises `Problem` 422 for what the run does not have."""
    tables = tables_of(run)
    known = facets(run)
    if game is not None and game not in known.games:
        raise Problem(422, f"the run has no game {game[:100]!r}")
    for name in factors:
        if name not in known.factors:
            raise Problem(422, f"the run varies no {name[:100]!r}")
    part = tables if game is None else tables.only(game=game)
    return _with_levels(part, factors) if factors else part


def _with_levels(tables: RunTables, factors: Mapping[str, str]) -> RunTables:
    def fits(frame: pd.DataFrame) -> pd.DataFrame:
        keep = pd.Series(True, index=frame.index)
        for name, level in factors.items():
            column = frame.get(f"condition.{name}")
            keep &= False if column is None else column.map(level_text).eq(level)
        return frame[keep].reset_index(drop=True)

    matches = fits(tables.matches)
    labels = set(matches["condition"])
    return replace(
        tables,
        matches=matches,
        attempts=fits(tables.attempts),
        exchanges=fits(tables.exchanges),
        invalid=None if tables.invalid is None else tuple(row for row in tables.invalid if _label(row) in labels),
        lengths=None if tables.lengths is None else tuple(row for row in tables.lengths if _label(row) in labels),
    )


def _label(row: Mapping[str, Any]) -> str:
    condition = row["condition"]
    return condition if isinstance(condition, str) else condition_label(condition)


# ----------------------------------------------------------------- leaderboard


def board(run: OpenRun, game: str | None, factors: Mapping[str, str], counting: Rule) -> Board:
    """The leaderboard of a part of a run."""
    key = ("board", game, tuple(sorted(factors.items())), counting)
    return run.cached(key, lambda: _board(run, game, factors, counting), patient=True)


def _board(run: OpenRun, game: str | None, factors: Mapping[str, str], counting: Rule) -> Board:
    tables = part_of(run, game, factors)
    table, missing = _rated(tables, counting)
    frame = leaderboard(tables, counting=counting, table=table)
    regrets = _regrets(run, tables)
    adjusted = _adjusted(run, tables)
    used = _per_call(tables)
    seats = _seat_titles(tables)
    known = {str(entrant["name"]): entrant for entrant in tables.entrants}
    rows = []
    for row in frame.to_dict("records"):
        name = str(row["entrant"])
        rows.append(
            BoardRow(
                entrant=name,
                family=known[name].get("family"),
                model=is_model(known[name]),
                **_measured({str(key): value for key, value in row.items()}, seats),
                **used.get(name, _NO_CALLS),
                **regrets.get(name, _NO_REGRET),
                **adjusted.get(name, _NOT_ADJUSTED),
            )
        )
    counts = None if table is None else table.counts
    return Board(
        rows=rows,
        rated=0 if counts is None else counts.rated,
        method="" if table is None else table.method,
        notes=[*(() if table is None else table.notes), *tables.notes, *(_luck_notes(run, tables) if adjusted else ())],
        left_out={} if counts is None else dict(counts.left_out),
        missing=missing,
        adjusted_in="bb_100" if _counts_blinds(tables) else "score",
        seat_effects=[] if table is None else _seat_effects(table),
    )


def _rated(tables: RunTables, counting: Rule) -> tuple[RatingTable | None, str | None]:
    try:
        return ratings_of(tables, counting=counting), None
    except ConfigurationError as error:
        return None, str(error)


def _measured(row: Mapping[str, Any], seats: Mapping[int, str]) -> dict[str, Any]:
    rated = number(row.get("rating")) is not None
    return {
        "rating": number(row.get("rating")),
        "rating_low": number(row.get("low")),
        "rating_high": number(row.get("high")),
        "rank_best": _whole(row.get("rank_best")) if rated else None,
        "rank_worst": _whole(row.get("rank_worst")) if rated else None,
        "games": _whole(row.get("games")) or 0,
        "score": number(row.get("score")),
        "score_low": number(row.get("score_low")),
        "score_high": number(row.get("score_high")),
        "score_games": _whole(row.get("score_games")) or 0,
        "seats": [found for i, title in seats.items() if (found := _seat_counts(row, i, title)) is not None],
        "valid": number(row.get("valid")),
        "valid_low": number(row.get("valid_low")),
        "valid_high": number(row.get("valid_high")),
        "attempts": _whole(row.get("attempts")) or 0,
        "cost": number(row.get("cost")),
        "latency": number(row.get("latency_median")),
        "calls": _whole(row.get("calls")) or 0,
    }


def _seat_counts(row: Mapping[str, Any], i: int, title: str) -> SeatCounts | None:
    if number(row.get(f"wins_{i}")) is None:  # never sat there
        return None
    names = ("wins", "draws", "losses", "forfeits", "forfeited_to", "canceled")
    return SeatCounts(seat=title, **{name: _whole(row.get(f"{name}_{i}")) or 0 for name in names})


def _seat_titles(tables: RunTables) -> dict[int, str]:
    """What seats are called, by number: by their names where all matches are of one game that names them."""
    matches = tables.matches
    most = int(matches["seats"].max()) if len(matches) else 0
    titles = {}
    for i in range(1, most + 1):
        names = set(matches[f"seat_{i}"].dropna())
        name = names.pop() if len(names) == 1 else None
        titles[i] = f"Seat {i}" if name is None or str(name).isdecimal() else str(name)
    return titles


def _seat_effects(table: RatingTable) -> list[dict[str, Any]]:
    return [
        {
            "seat": _first_seat(seat.game) if seat.seats == 2 else "The earlier of two seats",
            "game": seat.game,
            "points": number(seat.points),
            "low": number(seat.low),
            "high": number(seat.high),
            "games": number(seat.games),
            "interval": seat.interval,
        }
        for seat in table.seats
    ]


def _first_seat(game: str) -> str:
    """What a page calls the seat that a term is for."""
    return next(map(titled, named_roles(game)), "Seat 1")


# ------------------------------------------------------------- further columns


_NO_CALLS = {"input_tokens": None, "output_tokens": None, "reasoning_tokens": None}
_NO_REGRET = {"regret": None, "regret_low": None, "regret_high": None, "regret_n": 0}
_NOT_ADJUSTED = {"adjusted": None, "adjusted_low": None, "adjusted_high": None, "adjusted_n": 0}


def _per_call(tables: RunTables) -> dict[str, dict[str, Any]]:
    """Mean tokens of the calls that report them."""
    if tables.exchanges.empty:
        return {}
    means = tables.exchanges.groupby("entrant")[list(_NO_CALLS)].mean()
    return {
        str(name): {str(key): number(value) for key, value in row.items()}
        for name, row in means.to_dict("index").items()
    }


def _regrets(run: OpenRun, tables: RunTables) -> dict[str, dict[str, Any]]:
    """Mean regret per choice of every entrant, over all games of the part."""
    moves = run.cached("move_quality", lambda: move_quality(run.store), patient=True)
    if moves.empty:
        return {}
    choices = moves[moves["match"].isin(set(tables.matches["match"])) & ~moves["trivial"].astype("bool")]
    found = {}
    for name, own in choices.groupby("entrant", sort=False):
        interval = mean_interval(own["regret"].astype("float64"), own["group"])
        low, high = number(interval.low), number(interval.high)
        found[str(name)] = {
            "regret": number(interval.value),
            "regret_low": None if low is None else max(0.0, low),
            "regret_high": None if high is None else min(1.0, high),
            "regret_n": len(own),
        }
    return found


def _adjusted(run: OpenRun, tables: RunTables) -> dict[str, dict[str, Any]]:
    """Luck-adjusted results, where all matches of the part are of one game and setting that has them: big blinds per
    100 hands in poker, mean scores elsewhere."""
    parts = tables.parts()
    if len(parts) != 1:
        return {}
    if not _counts_blinds(tables):
        return _adjusted_scores(run, tables)
    from ludometer.analysis.poker import poker_tables

    players = run.cached("poker", lambda: poker_tables(run.store)["players"], patient=True)
    game, condition = parts[0]
    rows = players[(players["game"] == game) & (players["condition"] == condition)]
    return {
        str(row["player"]): {
            "adjusted": number(row["adjusted_bb_100"]),
            "adjusted_low": number(row["adjusted_low"]),
            "adjusted_high": number(row["adjusted_high"]),
            "adjusted_n": _whole(row["hands"]) or 0,
        }
        for row in rows.to_dict("records")
    }


def _counts_blinds(tables: RunTables) -> bool:
    """Whether luck-adjusted results are big blinds per 100 hands, and no scores."""
    parts = tables.parts()
    return bool(parts) and all(game.partition(":")[0] == "poker" for game, _ in parts)


def _luck_notes(run: OpenRun, tables: RunTables) -> list[str]:
    """How much there was to take out."""
    if _counts_blinds(tables):
        return []
    ratios = luck_ratios(tables, run.cached("luck", lambda: luck_of_run(run.store), patient=True))
    notes = []
    for row in ratios[ratios["what"] == "score"].to_dict("records"):
        left = number(row["ratio"])
        said = [] if left is None else [f"luck taken out leaves {left:.2f} of the variance of scores"]
        notes.append("; ".join([*said, *filter(None, [str(row["note"] or "")])]))
    return [f"{note[:1].upper()}{note[1:]}." for note in notes if note]


def _adjusted_scores(run: OpenRun, tables: RunTables) -> dict[str, dict[str, Any]]:
    if not tables.matches["group"].nunique() >= FEWEST_GROUPS:
        return {}
    luck = run.cached("luck", lambda: luck_of_run(run.store), patient=True)
    results = adjusted_results(tables, luck)
    return {
        str(row["entrant"]): {
            "adjusted": number(row["adjusted"]),
            "adjusted_low": number(row["adjusted_low"]),
            "adjusted_high": number(row["adjusted_high"]),
            "adjusted_n": _whole(row["groups"]) or 0,
        }
        for row in results[results["what"] == "score"].to_dict("records")
    }


def number(value: Any) -> float | None:
    """A finite number, or None."""
    if value is None or value is pd.NA or value is pd.NaT:
        return None
    found = float(value)
    return found if math.isfinite(found) else None


def _whole(value: Any) -> int | None:
    found = number(value)
    return None if found is None else round(found)


# ---------------------------------------------------------------- head to head


def head_to_head(
    run: OpenRun, game: str | None, factors: Mapping[str, str], counting: Rule, *, figures: bool = True
) -> HeadToHead:
    """Who met whom in a part of a run; the figures of the report where it is the whole run."""
    key = ("matrix", game, tuple(sorted(factors.items())), counting)
    cells, notes = run.cached(key, lambda: _cells(run, game, factors, counting), patient=True)
    whole = game is None and not factors
    drawn = run_figures(run) if figures and whole and not run.public_only else []
    return HeadToHead(entrants=tables_of(run).names, cells=list(cells), figures=drawn, notes=notes)


def _cells(
    run: OpenRun, game: str | None, factors: Mapping[str, str], counting: Rule
) -> tuple[Sequence[Any], list[str]]:
    tables = part_of(run, game, factors)
    notes = list(tables.notes)
    if len(tables.matches) and int(tables.matches["seats"].max()) > 2:
        notes.append(
            "In matches for more than two a score is the share of comparisons won: ahead of the other one at the end, "
            "ties half."
        )
    return head_cells(tables, counting), notes
