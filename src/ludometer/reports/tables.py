"""Tables of the report: cells that carry a value with its interval and sample size, and the tables made of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ludometer.reports.figures import setting_words
from ludometer.reports.markup import Child, Markup, element
from ludometer.reports.seat_words import seat_words

__all__ = [
    "answers_table",
    "better_table",
    "duplicates_table",
    "endings_table",
    "invalid_table",
    "leaderboard_table",
    "matrix_table",
    "played_table",
    "repair_table",
    "results_table",
    "table",
    "usage_table",
]

Row = Mapping[str, Any]


def table(heads: Sequence[Child], rows: Iterable[Sequence[Child]], *, texts: Sequence[int] = ()) -> Markup:
    """A table that scrolls sideways on a narrow screen. The first cell of a row is its head.

    Args:
        texts: numbers of further columns that hold text and are set flush left.
    """
    left = {0, *texts}
    head = [element("th", cell, scope="col", class_="t" if i in left else None) for i, cell in enumerate(heads)]
    body = []
    for row in rows:
        first, *others = row
        cells = [element("td", c, class_="t w" if i in left else None) for i, c in enumerate(others, start=1)]
        body.append(element("tr", element("th", first, scope="row"), cells))
    return element(
        "div", element("table", element("thead", element("tr", head)), element("tbody", body)), class_="scroll"
    )


# ----------------------------------------------------------------------- cells


def percent(value: float) -> str:
    return f"{100 * value:.1f}%"


def share(value: float | None, low: float | None, high: float | None, n: object) -> Child:
    """A share with its interval and n; a dash where there is nothing to measure."""
    if value is None or low is None or high is None:
        return ["–", element("small", "n = 0")]
    return [percent(value), element("small", f"{percent(low)} to {percent(high)}"), element("small", f"n = {n}")]


def count(value: float | None) -> Child:
    """A count; zeros stand back, unknown ones are a dash."""
    if value is None:
        return "–"
    return element("span", f"{value:,.0f}", class_="zero") if value == 0 else f"{value:,.0f}"


def points(value: float | None) -> str:
    return "–" if value is None else f"{value:.0f}"


def money(value: float | None) -> str:
    return "not known" if value is None else f"{value:,.4f}" if 0 < value < 1 else f"{value:,.2f}"


# ---------------------------------------------------------------- leaderboards


def leaderboard_table(rows: Sequence[Row]) -> Markup:
    """Everything about an entrant in one row. What the run has nothing of, for any entrant, has no column."""
    heads = ["Entrant", "Rank", "Rating", "95% interval", "Rated games", "Score"]
    rates = {
        "Legal answers": ("valid", "attempts"),
        "Bad answers mended": ("repair", "asked_again"),
    }
    present = {head: keys for head, keys in rates.items() if any(row[keys[0]] is not None for row in rows)}
    shown = []
    for row in rows:
        cells = _rated_cells(row)
        score = share(row["score"], row["score_low"], row["score_high"], count_text(row["score_games"]))
        cells.append([score, _were_all_equal(row)])
        for key, n in present.values():
            cells.append(share(row[key], row[f"{key}_low"], row[f"{key}_high"], count_text(row[n])))
        shown.append(cells)
    return table([*heads, *present], shown)


def _were_all_equal(row: Row) -> Child:
    """The score of equals, where it is not the one half that everybody expects."""
    if row["score_expected"] in (None, 0.5):
        return None
    return element("small", f"were all equal: {percent(row['score_expected'])}")


def _rated_cells(row: Row) -> list[Child]:
    rank = "–" if row["rank_best"] is None else _range(row["rank_best"], row["rank_worst"])
    return [row["entrant"], rank, element("b", points(row["rating"])), _interval(row), count(row["games"])]


def played_table(rows: Sequence[Row]) -> Markup:
    """Ratings from completed games alone."""
    heads = ["Entrant", "Rank", "Rating", "95% interval", "Rated games"]
    return table(heads, [_rated_cells(row) for row in rows])


def _interval(row: Row) -> Child:
    if row["rating"] is None:
        return "not rated"
    return [f"{points(row['low'])} to {points(row['high'])}", element("small", row["interval"])]


def _range(best: float, worst: float) -> str:
    return f"{best:.0f}" if best == worst else f"{best:.0f}–{worst:.0f}"


def count_text(value: float | None) -> str:
    return "0" if value is None else f"{value:,.0f}"


def better_table(names: Sequence[str], matrix: Sequence[Sequence[float | None]]) -> Markup:
    """The numbers of the heat map, for those who cannot see it."""
    rows = [
        [name, *("–" if i == j or value is None else _probability(value) for j, value in enumerate(matrix[i]))]
        for i, name in enumerate(names)
    ]
    return table(["", *names], rows)


def _probability(value: float) -> str:
    """Three digits, and never 0 or 1, which no amount of data shows."""
    return "<0.001" if value < 0.001 else ">0.999" if value > 0.999 else f"{value:.3f}"


# --------------------------------------------------------------------- results


def matrix_table(rows: Sequence[Row], titles: Sequence[str] = ()) -> Markup:
    """The game matrix, the first seat down and the second across; only letters that occur are shown. ``titles`` are
    those of `seat_words`, here and below."""
    letters = [letter for letter in ("X", "O", "D", "C", "F", "void", "unfinished") if any(r[letter] for r in rows)]
    firsts = list(dict.fromkeys(row["player_1"] for row in rows))
    seconds = list(dict.fromkeys([*firsts, *(row["player_2"] for row in rows)]))
    cells = {(row["player_1"], row["player_2"]): row for row in rows}
    present = [name for name in seconds if any((first, name) in cells for first in firsts)]
    body = [[first, *(_cell(cells.get((first, second)), letters) for second in present)] for first in firsts]
    return table([f"{seat_words(1, titles)} ↓   {seat_words(2, titles)} →", *present], body)


def _cell(row: Row | None, letters: Sequence[str]) -> Child:
    if row is None:
        return element("span", "·", class_="zero")
    shown = [f"{letter} {row[letter]}" for letter in letters if row[letter]]
    return [" ".join(shown), element("small", f"n = {row['games']}")]


_RESULTS = {
    "self_play": "of them self-play",
    "wins": "Won",
    "draws": "Drawn",
    "losses": "Lost",
    "forfeits": "Forfeited",
    "forfeited_to": "Forfeited by another",
    "canceled": "Canceled",
    "void": "Void",
    "unfinished": "Unfinished",
}


def results_table(rows: Sequence[Row], titles: Sequence[str] = ()) -> Markup:
    """Results of every entrant in every seat; kinds of results that do not occur have no column."""
    keys = [key for key in _RESULTS if any(row[key] for row in rows)]
    return table(
        ["Entrant", "Seat", "Won of those played", "Matches", *(_RESULTS[key] for key in keys)],
        [
            [
                row["entrant"],
                seat_words(row["seat_number"], titles),
                share(row["win_rate"], row["low"], row["high"], row["played"]),
                count(row["matches"]),
                *(count(row[key]) for key in keys),
            ]
            for row in rows
        ],
    )


def endings_table(rows: Sequence[Row]) -> Markup:
    """Why matches ended."""
    return table(
        ["Ending", "Why", "At fault", "Matches"],
        [[row["outcome"], row["why"] or "–", row["offender"] or "–", count(row["matches"])] for row in rows],
        texts=(1, 2),
    )


# --------------------------------------------------------------------- answers


def invalid_table(rows: Sequence[Row], titles: Sequence[str] = ()) -> Markup:
    """Invalid responses by entrant, seat and kind, with totals (tables 4 and 5 of the study)."""
    kinds = list(dict.fromkeys(row["kind"] for row in rows))
    seats = sorted({row["seat_number"] for row in rows if row["seat_number"] is not None})
    names = list(dict.fromkeys(row["entrant"] for row in rows))
    counts = {(row["entrant"], row["seat_number"], row["kind"]): row["count"] for row in rows}
    heads: list[Child] = ["Entrant", "Total"]
    for place in ["in all", *(f"as {seat_words(seat, titles)}" for seat in seats)]:
        heads += [[_words(kind), element("small", place)] for kind in kinds]
    body = []
    for name in names:
        total = sum(counts[name, None, kind] for kind in kinds)
        cells = [count(counts[name, seat, kind]) for seat in (None, *seats) for kind in kinds]
        body.append([name, element("b", count(total)), *cells])
    return table(heads, body)


def _words(kind: str) -> str:
    return kind.replace("_", " ")


def answers_table(rows: Sequence[Row]) -> Markup:
    """Validity of language models by answer setting."""
    return table(
        ["Entrant", "Model", "Answer setting", "Legal answers", "Invalid", "Kinds of invalid answers"],
        [
            [
                row["entrant"],
                row["model"],
                setting_words(row),
                share(row["rate"], row["low"], row["high"], row["attempts"]),
                count(row["attempts"] - row["legal"]),
                ", ".join(f"{_words(kind)}: {n}" for kind, n in row["kinds"].items()) or "none",
            ]
            for row in rows
        ],
        texts=(1, 2, 5),
    )


def repair_table(rows: Sequence[Row]) -> Markup:
    """How often the answer after a bad one is legal."""
    return table(
        [
            "Entrant",
            "Feedback",
            "Bad answers",
            "Not asked again",
            "Asked again",
            "Mended",
            "Mended of those asked again",
        ],
        [
            [
                row["entrant"],
                row["feedback"],
                *(count(row[key]) for key in ("bad", "not_asked", "asked_again", "repaired")),
                share(row["rate"], row["low"], row["high"], row["asked_again"]),
            ]
            for row in rows
        ],
        texts=(1,),
    )


def usage_table(rows: Sequence[Row]) -> Markup:
    """Tokens, cost and latency."""
    heads = ["Entrant", "Calls", "Tokens in", "Tokens out", "Reasoning tokens", "Calls without token counts"]
    return table(
        [*heads, "Cost in US dollars", "Calls without a price", "Latency, median", "Latency, 95th percentile"],
        [
            [
                row["entrant"],
                *(count(row[k]) for k in ("calls", "input_tokens", "output_tokens", "reasoning_tokens", "no_usage")),
                money(row["cost"]),
                count(row["unpriced"]),
                f"{row['latency_median']:.2f} s",
                f"{row['latency_p95']:.2f} s",
            ]
            for row in rows
        ],
    )


def duplicates_table(rows: Sequence[Row]) -> Markup:
    return table(
        ["Players by seat", "Self-play", "Completed games", "Distinct games"],
        [
            [row["players"], "yes" if row["self_play"] else "no", count(row["games"]), count(row["distinct"])]
            for row in rows
        ],
    )
