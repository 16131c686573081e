"""What the page shows of a run or of one game or condition of it: ratings, results by seat, and invalid answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ludometer.reports import figures, tables
from ludometer.reports.many_seats import ahead_section, payoffs_section, seats_section
from ludometer.reports.markup import Child, element
from ludometer.reports.pieces import figure, note
from ludometer.reports.seat_words import result_words, seat_words

__all__ = ["part_content"]

Data = Mapping[str, Any]

_FEW_ROWS = 16
"""Longer tables of details are folded."""

_EVERY_ANSWER = "Every answer that was not a legal move, in unfinished and void matches too."

_LOST = "Who forfeits a match, or causes its cancelation, has lost it."
_LOST_TO_ALL = (
    "Who forfeits a match, or causes its cancelation, has lost it to all others, who are then not compared with one "
    "another."
)

_WON = "Completed matches won, self-play included."
_WON_ALONE = "Completed matches won in any seat: the best score, and alone. Below, who shares the best score has drawn."


def part_content(part: Data, *, has_moves: bool) -> Child:
    """What the part ``part`` of `report_data` shows. Runs without moves of their own show what was published."""
    return [
        _rating_section(part),
        payoffs_section(part["payoffs"], part["payoff_differences"]),
        _matrix_section(part),
        ahead_section(part["opponents"]),
        _wins_section(part),
        seats_section(part["seats"]),
        _lengths_section(part, has_moves),
        _invalid_section(part, has_moves),
    ]


def _rating_section(part: Data) -> Child:
    headline, played = part["ratings"]["headline"], part["ratings"]["played"]
    counts = part["counts"]
    stopped = counts["forfeit"] + counts["canceled"]
    boards = part["leaderboard"]
    main = [
        element("h3", "Leaderboard"),
        tables.leaderboard_table(boards["headline"]),
        _method(headline, _LOST if part["most_seats"] <= 2 else _LOST_TO_ALL),
    ]
    beside = [
        element("h3", "Without canceled and forfeited games"),
        tables.played_table(boards["played"]),
        _method(played, "Completed games only."),
    ]
    better = part["better"]
    return [
        main,
        figure(
            figures.rating_figure(boards["headline"]),
            "Ratings of the leaderboard. Whiskers are 95% intervals of each rating by itself; whether one entrant is "
            "better than another is told by the rank range and the map below, which know what the two have in common.",
        ),
        element("div", element("div", beside), element("div", _extras(headline)), class_="pair")
        if stopped
        else [element("p", "No game was canceled or forfeited.", class_="small"), _extras(headline)],
        None if better is None else _better(better),
    ]


def _method(ratings: Data, rule: str) -> Child:
    if ratings["missing"] is not None:
        return note(f"No ratings: {ratings['missing'].rstrip('.')}.")
    left_out = ", ".join(f"{n} ({reason})" for reason, n in ratings["left_out"].items())
    out = f" Left out: {left_out}." if left_out else " No game is left out."
    apart = ""
    if len(ratings["components"]) > 1:
        apart = " Sets of entrants that never met: " + "; ".join(", ".join(c) for c in ratings["components"]) + "."
    return [
        element("p", f"{rule} {ratings['rated']} games rated.{out}{apart}", class_="small"),
        element("p", f"{ratings['method']}.", class_="small"),
        [element("p", sentence, class_="small") for sentence in ratings["notes"]],
    ]


def _extras(ratings: Data) -> Child:
    """What the first seat is worth, and how often equals draw."""
    if ratings["missing"] is not None:
        return None
    rows = [_estimate(_seat_words(seat), _points, seat["points"], seat) for seat in ratings["seats"]]
    if (tie := ratings["tie"]) is not None:
        rows.append(_estimate("Draws between equals", tables.percent, tie["draw_rate"], tie))
    if not rows:
        return None
    return [element("h3", "Seat advantage and draws"), tables.table(["", "Estimate", "95% interval", "Games"], rows)]


def _seat_words(seat: Data) -> str:
    if seat["seats"] > 2:
        return f"The earlier of two seats in {seat['game']}, in points"
    name = f" ({seat['title']})" if seat["title"] else ""
    return f"Seat 1{name} in {seat['game']}, in points"


def _estimate(name: str, written: Callable[[float], str], value: float, row: Data) -> Sequence[Child]:
    interval = [f"{written(row['low'])} to {written(row['high'])}", element("small", row["interval"])]
    return [name, element("b", written(value)), interval, f"{row['games']:g}"]


def _points(value: float) -> str:
    return f"{round(value):+d}"  # and not :+.0f, which writes -0


def _better(better: Data) -> Child:
    names, matrix = better["entrants"], better["matrix"]
    numbers = element("details", element("summary", "as numbers"), tables.better_table(names, matrix))
    return [
        element("h3", "Who is better than whom"),
        figure(figures.better_figure(names, matrix), "From the differences of ratings and their joint covariance."),
        numbers if len(names) > 1 else None,
    ]


def _matrix_section(part: Data) -> Child:
    if not part["matrix"]:
        return None
    titles = part["seat_titles"]
    return [
        element("h3", "Game matrix" if part["most_seats"] <= 2 else "Game matrix of the matches for two"),
        element(
            "p",
            "X: won by {} (the row). O: won by {} (the column). D: drawn. C: canceled. F: forfeited, by "
            "either. Letters that do not occur are left out.".format(*(seat_words(i, titles) for i in (1, 2))),
            class_="small",
        ),
        tables.matrix_table(part["matrix"], titles),
    ]


def _wins_section(part: Data) -> Child:
    return [
        element("h3", "Results by seat"),
        figure(
            figures.wins_figure(part["results"], part["seat_titles"]), _WON if part["most_seats"] <= 2 else _WON_ALONE
        ),
        element(
            "details",
            element("summary", "all results by seat"),
            tables.results_table(part["results"], part["seat_titles"]),
            open=len(part["results"]) <= _FEW_ROWS,
        ),
    ]


def _lengths_section(part: Data, has_moves: bool) -> Child:
    if part["published_lengths"]:
        rows = [
            [row["entrant"], result_words(row["result"], part["seat_titles"]), f"{row['mean']:g}", row["claim"]]
            for row in part["published_lengths"]
        ]
        return [
            element("h3", "Moves per result, as published"),
            element(
                "p", "Only means without sample sizes or intervals were published; the moves are not.", class_="small"
            ),
            tables.table(["Entrant", "Result", "Mean moves", ""], rows, texts=(3,)),
        ]
    if not has_moves:
        return None
    whose = "both" if part["most_seats"] <= 2 else "all"
    caption = f"Attempts of {whose} seats in completed matches, bad ones counted. Whiskers at the edge go on."
    drawn = figure(figures.lengths_figure(part["lengths"], part["seat_titles"]), caption)
    return None if drawn is None else [element("h3", "Moves per result"), drawn]


def _invalid_section(part: Data, has_moves: bool) -> Child:
    rows = part["invalid"]
    if not rows:
        return [element("h3", "Invalid responses"), element("p", "None.")]
    return [
        element("h3", "Invalid responses by kind and seat"),
        tables.invalid_table(rows, part["seat_titles"]),
        element("p", _EVERY_ANSWER if has_moves else "As published.", class_="small"),
    ]
