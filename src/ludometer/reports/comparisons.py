"""The sections that compare: performance by game, what the settings change, effort, openings, and Elo over time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ludometer.reports import figures, setting_figures, tables
from ludometer.reports.markup import Child, element
from ludometer.reports.pieces import Section, figure, note
from ludometer.reports.seat_words import seat_words
from ludometer.reports.setting_figures import signed

__all__ = ["comparisons"]

Data = Mapping[str, Any]

_FEW_OPENINGS = 24
"""A longer table of openings is folded."""


def comparisons(data: Data) -> list[Section]:
    """The sections that the run has something for."""
    found = [
        ("performance", "Performance by game", _performance(data["performance"])),
        ("settings", "What the settings change", _settings(data)),
        ("effort", "Effort and performance", _effort(data)),
        ("openings", "Results by opening", _openings(data["openings"], data["parts"][0]["seat_titles"])),
        ("elo", "Elo over time", _elo(data["elo"])),
    ]
    return [section for section in found if section[2] is not None]


# ----------------------------------------------------------------- performance


def _opponents(pool: Sequence[str]) -> str:
    if pool:
        return f"against the fixed pool of {', '.join(pool)}"
    return "against all other entrants, who are not the same for everybody: there is no fixed pool in this schedule"


def _performance(data: Data) -> Child:
    rows = data["rows"]
    drawn = setting_figures.performance_figure(rows)
    if drawn is None:
        return None
    for_two = all(row["expected"] in (None, 0.5) for row in rows)
    numbers = tables.table(
        ["Entrant", "Game", "Performance", *([] if for_two else ["Were all equal"]), "Opponents met"],
        [
            [
                row["entrant"],
                row["game"],
                tables.share(row["score"], row["low"], row["high"], row["games"]),
                *([] if for_two else ["–" if row["expected"] is None else tables.percent(row["expected"])]),
                ", ".join(row["opponents"]) or "none",
            ]
            for row in rows
        ],
        texts=(1, 3 if for_two else 4),
    )
    caption = (
        f"Performance is the score rate {_opponents(data['pool'])}. A draw is half a point; who forfeits a match, or "
        "causes its cancelation, has lost it. All conditions together."
    )
    if not for_two:
        caption += " The scores of all seats of a match add up to one; the dark line is where they were all equal."
    return [figure(drawn, caption), element("details", element("summary", "as numbers"), numbers)]


# -------------------------------------------------------------------- settings


def _settings(data: Data) -> Child:
    levels, effects = data["levels"], data["effects"]
    if not levels:
        return None
    factors = dict.fromkeys(row["factor"] for row in levels)
    method = (
        "A level is compared with the first level of its factor in pairs: the same duplicate group (game, opening, "
        "opponent and luck), entrant and seat, with all other settings equal. The effect is the mean difference within "
        "pairs, with a 95% interval that is robust to what the games of a group have in common. Finished matches only. "
        "A move is a turn with all its attempts. The row “all” takes the language models together; its score is "
        "against players that are none."
    )
    return [
        element("p", method, class_="small"),
        [
            _factor(
                factor,
                [row for row in levels if row["factor"] == factor],
                [row for row in effects if row["factor"] == factor],
            )
            for factor in factors
        ],
    ]


def _factor(factor: str, levels: Sequence[Data], effects: Sequence[Data]) -> Child:
    names = list(dict.fromkeys(row["level"] for row in levels))
    measures = list(dict.fromkeys(row["measure"] for row in levels))
    drawn = [
        setting_figures.effect_figure([row for row in effects if row["measure"] == measure]) for measure in measures
    ]
    shown = [element("figure", element("div", svg, class_="scroll")) for svg in drawn if svg is not None]
    paired = any(row["pairs"] for row in effects)
    return [
        element("h3", f"{factor}: {', '.join(names)}"),
        None if len(names) > 1 else note("The matches of this run have one level only: there is nothing to compare."),
        note("No two matches of different levels make a pair: the levels can only be read side by side.")
        if len(names) > 1 and not paired
        else None,
        [element("p", f"Change against {names[0]}:"), element("div", shown, class_="figures")] if shown else None,
        [element("details", element("summary", "the changes as numbers"), _effects_table(effects))] if paired else None,
        _levels_table(levels),
    ]


def _levels_table(rows: Sequence[Data]) -> Child:
    titles = {row["measure"]: row["title"] for row in rows}
    places = list(dict.fromkeys((row["entrant"], row["level"]) for row in rows))
    found = {(row["entrant"], row["level"], row["measure"]): row for row in rows}
    body: list[list[Child]] = []
    for entrant, level in places:
        mine = [found[entrant, level, measure] for measure in titles]
        left_out = f"{mine[0]['left_out']} left out" if mine[0]["left_out"] else None
        matches = [tables.count(mine[0]["matches"]), None if left_out is None else element("small", left_out)]
        body.append([[entrant, element("small", level)], matches, *(_level_cell(row) for row in mine)])
    return tables.table(["Entrant and level", "Matches", *(_head(title) for title in titles.values())], body)


def _head(title: str) -> str:
    return title[:1].upper() + title[1:]


def _level_cell(row: Data) -> Child:
    n = element("small", f"n = {row['n']:,} ({_plural(row['one'])})")
    if row["value"] is None:
        return ["–", n]
    ends = "no interval" if row["low"] is None else f"{_number(row, row['low'])} to {_number(row, row['high'])}"
    return [_number(row, row["value"]), element("small", ends), n]


def _plural(one: str) -> str:
    return f"{one}es" if one.endswith("ch") else f"{one}s"


def _number(row: Data, value: float) -> str:
    if row["share"]:
        return tables.percent(value)
    digits = next((n for n, size in enumerate((100, 10, 1)) if abs(value) >= size), None)
    return f"{value:.3g}" if digits is None else f"{value:,.{digits}f}"


def _effects_table(rows: Sequence[Data]) -> Child:
    titles = {row["measure"]: row["title"] for row in rows}
    places = list(dict.fromkeys((row["entrant"], row["level"]) for row in rows))
    found = {(row["entrant"], row["level"], row["measure"]): row for row in rows}
    baseline = rows[0]["baseline"]
    heads = [f"{_head(title)}{' (points)' if _share(rows, measure) else ''}" for measure, title in titles.items()]
    body = [
        [
            [entrant, element("small", f"{level} against {baseline}")],
            *(_effect_cell(found[entrant, level, measure]) for measure in titles),
        ]
        for entrant, level in places
    ]
    return tables.table(["Entrant and level", *heads], body)


def _share(rows: Sequence[Data], measure: str) -> bool:
    return any(row["share"] for row in rows if row["measure"] == measure)


def _effect_cell(row: Data) -> Child:
    pairs = element("small", f"{row['pairs']} pairs, {row['unpaired']} left over")
    if row["difference"] is None:
        return ["–", pairs]
    ends = "no interval" if row["low"] is None else f"{signed(row, row['low'])} to {signed(row, row['high'])}"
    return [signed(row, row["difference"]), element("small", ends), pairs]


# ---------------------------------------------------------------------- effort


def _effort(data: Data) -> Child:
    drawn = setting_figures.effort_figure(data["effort"])
    if drawn is None:
        return None
    rows = data["effort"]
    kinds = {row["kind"] for row in rows}
    marks = "Filled circles: reasoning tokens." if "reasoning" in kinds else ""
    if "output" in kinds:
        marks += (
            " Open squares: the provider reports no reasoning tokens, and all output tokens are shown instead; the "
        )
        marks += "two do not compare."
    caption = (
        f"Mean tokens per move, all attempts of the move together, and the score rate "
        f"{_opponents(data['performance']['pool'])}; 95% intervals of both. {marks}"
    )
    body = [
        [
            row["entrant"],
            row["setting"] or "–",
            tables.share(row["score"], row["score_low"], row["score_high"], row["games"]),
            _tokens(row),
            f"{row['kind']} tokens" if row["kind"] else "not reported",
        ]
        for row in rows
    ]
    heads = ["Entrant", "Effort", "Score rate", "Tokens per move", "Which tokens"]
    numbers = tables.table(heads, body, texts=(1, 4))
    return [figure(drawn, caption), element("details", element("summary", "as numbers"), numbers)]


def _tokens(row: Data) -> Child:
    if row["tokens"] is None:
        return "–"
    ends = "no interval" if row["tokens_low"] is None else f"{row['tokens_low']:,.0f} to {row['tokens_high']:,.0f}"
    return [f"{row['tokens']:,.0f}", element("small", ends), element("small", f"n = {row['moves']:,} (moves)")]


# ---------------------------------------------------------- openings, and order


def _openings(rows: Sequence[Data], titles: Sequence[str]) -> Child:
    if not rows:
        return None
    body = [
        [
            row["opening"] or "(the game's own beginning)",
            row["game"],
            tables.share(row["score"], row["low"], row["high"], row["games"]),
            tables.count(row["drawn"]),
            tables.count(row["matches"]),
        ]
        for row in rows
    ]
    shown = tables.table(["Opening", "Game", f"Score of {seat_words(1, titles)}", "Drawn", "Matches"], body, texts=(1,))
    folded = element("details", element("summary", f"{len(rows)} openings"), shown, open=len(rows) <= _FEW_OPENINGS)
    return [element("p", "Every opening is played with the seats both ways. Self-play counts.", class_="small"), folded]


def _elo(panels: Sequence[Data]) -> Child:
    drawn = figures.elo_figure(panels)
    if drawn is None:
        return None
    caption = (
        f"{panels[0]['method']}. Beside the lines: the order-free rating of the same games with its 95% interval, "
        "which is the one to trust for entrants that do not learn between games. Self-play is not rated."
    )
    rows = [[row["entrant"], panel["game"], *_both(row)] for panel in panels for row in panel["series"]]
    heads = ["Entrant", "Game", "Elo at the end (depends on the order)", "Order-free rating", "Games"]
    numbers = tables.table(heads, rows, texts=(1,))
    return [figure(drawn, caption), element("details", element("summary", "as numbers"), numbers)]


def _both(row: Data) -> list[Child]:
    if row["rating"] is None:
        return [tables.points(row["final"]), "not rated", tables.count(row["played"])]
    interval = element("small", f"{tables.points(row['low'])} to {tables.points(row['high'])}")
    return [tables.points(row["final"]), [tables.points(row["rating"]), interval], tables.count(row["played"])]
