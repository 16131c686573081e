"""Rating tables on the terminal."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ludometer.analysis.seat_names import seat_titles
from ludometer.cli.output import fits, print_notes, print_table
from ludometer.ratings import Counts, RatingTable
from ludometer.ratings.games import DEFAULT_GAME

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["print_decision", "print_leaderboard", "print_rating_table", "rating_json"]


def print_leaderboard(title: str, frame: pd.DataFrame, table: RatingTable | None, titles: Sequence[str] = ()) -> None:
    """One row per entrant with everything that is measured; what is unknown is a dash.

    Args:
        titles: of the two seats, where the games have any; see `ludometer.analysis.seat_names.seat_titles`.
    """
    seats = sorted(int(name.removeprefix("wins_")) for name in frame.columns if name.startswith("wins_"))
    named = dict(enumerate(titles, start=1)) or _ORDINAL
    rows = [_board_row(row, seats) for row in frame.to_dict("records")]
    columns = ["rank", "entrant", "rating", "95% interval", "games"]
    columns += [f"as {named[i]} W/D/L" for i in seats] if len(seats) <= 2 else [_RESULTS]
    columns += ["forfeits", "canceled", "void", "score", *(["all equal"] if len(seats) > 2 else [])]
    columns += ["valid answers", "repaired", "calls", "tokens", "US dollars"]
    keep = [i for i, name in enumerate(columns) if i < 5 or any(row[i] not in ("-", "0") for row in rows)]
    split = columns.index("score")
    results = [i for i in keep if i < split]
    rates = [columns.index("entrant"), *(i for i in keep if i >= split)]
    # Where it would be too narrow to read, results and rates are two tables below one another.
    parts = [keep] if fits(*_part(keep, columns, rows)) or len(rates) == 1 else [results, rates]
    for part in parts:
        print_table(title if part is parts[0] else "", *_part(part, columns, rows))
    print_notes([] if table is None else _notes(table, _RESULTS if len(seats) > 2 else "W/D/L"))


def _part(keep: list[int], columns: list[str], rows: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    return [columns[i] for i in keep], [[row[i] for i in keep] for row in rows]


_ORDINAL = {1: "1st", 2: "2nd"}
_RESULTS = "won/shared/other"
"""What `W/D/L` is called where more than two play."""


def _board_row(row: dict[Any, Any], seats: list[int]) -> list[str]:
    def known(name: str) -> bool:
        value = row.get(name)
        return value is not None and value == value

    def total(prefix: str) -> str:
        return f"{sum(int(row[f'{prefix}_{i}']) for i in seats if known(f'{prefix}_{i}'))}"

    def share(name: str, n: str) -> str:
        if not known(name) or not row.get(n):
            return "-"
        low, high = 100 * row[f"{name}_low"], 100 * row[f"{name}_high"]
        return f"{100 * row[name]:.0f}% ({low:.0f} to {high:.0f}, n={row[n]:.0f})"

    def results(seat: int) -> str:
        if not known(f"wins_{seat}"):  # never sat there
            return "-"
        return "/".join(f"{row[f'{what}_{seat}']:g}" for what in ("wins", "draws", "losses"))

    rated, many = known("rating"), len(seats) > 2
    return [
        _range(int(row["rank_best"]), int(row["rank_worst"])) if rated else "-",
        str(row["entrant"]),
        f"{row['rating']:.0f}" if rated else "-",
        f"{row['low']:.0f} to {row['high']:.0f}" if rated else "-",
        f"{row['games']:g}" if rated else "0",
        *(["/".join(total(what) for what in ("wins", "draws", "losses"))] if many else map(results, seats)),
        total("forfeits"),
        total("canceled"),
        f"{int(row['void'])}" if known("void") else "-",
        share("score", "score_games"),
        *([f"{100 * row['score_expected']:.0f}%" if known("score_expected") else "-"] if many else []),
        share("valid", "attempts"),
        share("repair", "asked_again"),
        f"{row['calls']:.0f}" if known("calls") else "-",
        f"{row['input_tokens']:.0f} in, {row['output_tokens']:.0f} out" if known("input_tokens") else "-",
        _cost(row) if known("calls") else "-",
    ]


def _cost(row: dict[Any, Any]) -> str:
    if row.get("cost") is None or row["cost"] != row["cost"]:
        return "unknown"
    unpriced = f" + {row['unpriced']:.0f} calls unpriced" if row.get("unpriced") else ""
    return f"{row['cost']:.4f}{unpriced}"


def print_rating_table(table: RatingTable, title: str = "") -> None:
    """Ratings with intervals, rank ranges and sample sizes, and what a reader must know beside them."""
    rows = [
        [
            _range(*row.rank),
            row.name,
            f"{row.rating:.0f}",
            f"{row.low:.0f} to {row.high:.0f}",
            row.games,
            f"{row.wins:g}/{row.draws:g}/{row.losses:g}",
            row.interval,
        ]
        for row in table.rows
    ]
    level = f"{100 * table.level:g}% interval"
    print_table(title, ["rank", "entrant", "rating", level, "games", "W/D/L", "interval by"], rows, _notes(table))


def _notes(table: RatingTable, results: str = "W/D/L") -> list[str]:
    """What a reader must know beside the table, whose column of results is called ``results``."""
    notes = [table.method]
    for seat in table.seats:
        where = f" in {seat.game}" if seat.game != DEFAULT_GAME else ""
        names = seat_titles([seat.game]) if seat.seats == 2 else ()
        what = f"the seat of {names[0]}" if names else "moving first" if seat.seats == 2 else "sitting before another"
        notes.append(
            f"{what}{where} is worth {round(seat.points)} points ({round(seat.low)} to {round(seat.high)}, "
            f"{seat.games:g} games)"
        )
    if table.fit.most_seats > 2:
        notes.append(f"{results} of whole games: alone the best score, shared it, neither")
    notes += table.notes
    if table.unrated:
        notes.append(f"not rated, for want of a game against another entrant: {', '.join(table.unrated)}")
    if table.counts is not None:
        notes.append(counted(table.counts))
    return notes


def counted(counts: Counts) -> str:
    """What was counted and what was left out, in words."""
    left_out = ", ".join(f"{count} {reason}" for reason, count in counts.left_out.items())
    return f"{counts.rated} of {counts.total} games rated ({counts.rule})" + (
        f"; left out: {left_out}" if left_out else ""
    )


_PAIRS = 20
"""Pairs that are printed; thirteen entrants have 78."""

_VERDICTS = {"alike": "not told apart", "open": "open"}


def print_decision(decided: Mapping[str, Any] | None, pairs: pd.DataFrame) -> None:
    """What a run with ``stop_when`` has decided, and the intervals of all pairs that hold whenever one looks."""
    if decided is None:
        print_notes(["not decided yet (stop_when)"])
    else:
        print_notes([f"decided after {decided['matches']} matches, {decided['why']}"])
    labels = any(pairs["condition"])
    columns = [
        *(["condition"] if labels else []),
        "pair",
        "pairs of games",
        "score",
        "Elo",
        "95% at all times",
        "better",
    ]
    rows = []
    for row in pairs.head(_PAIRS).to_dict("records"):
        better = {"first": row["one"], "second": row["other"]} | _VERDICTS
        value = "-" if row["points"] != row["points"] else f"{row['points']:+.0f}"
        score = "-" if row["score"] != row["score"] else f"{100 * row['score']:.0f}%"
        between = f"{_bound(row['low'], '-inf')} to {_bound(row['high'], 'inf')}"
        cells = [f"{row['one']} - {row['other']}", row["groups"], score, value, between, better[row["verdict"]]]
        rows.append([*([row["condition"]] if labels else []), *cells])
    more = [f"and {len(pairs) - _PAIRS} pairs more, with --json"] if len(pairs) > _PAIRS else []
    print_table("Pairs", columns, rows, notes=more)


def _bound(value: float, without: str) -> str:
    return without if value != value else f"{value:+.0f}"


def _range(best: int, worst: int) -> str:
    return str(best) if best == worst else f"{best}-{worst}"


def rating_json(table: RatingTable) -> dict[str, Any]:
    """A rating table as JSON."""
    return {
        "method": table.method,
        "level": table.level,
        "rows": [dataclasses.asdict(row) for row in table.rows],
        "seats": [dataclasses.asdict(seat) for seat in table.seats],
        "tie": None if table.tie is None else {**dataclasses.asdict(table.tie), "draw_rate": table.tie.draw_rate},
        "unrated": list(table.unrated),
        "components": [list(names) for names in table.components],
        "notes": list(table.notes),
        "counts": None if table.counts is None else dataclasses.asdict(table.counts),
    }
