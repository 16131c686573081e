"""The page: one self-contained HTML document from `report_data`, without scripts and without anything loaded."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ludometer.core import Json
from ludometer.reports import figures, tables
from ludometer.reports.comparisons import comparisons
from ludometer.reports.decision import decision_sections
from ludometer.reports.drawn_game import drawn_game
from ludometer.reports.game_sections import section_pieces
from ludometer.reports.many_seats import ahead_section, payoffs_section, seats_section
from ludometer.reports.markup import Child, Markup, element
from ludometer.reports.pieces import Section, figure, note
from ludometer.reports.quality import quality_sections
from ludometer.reports.style import STYLE

__all__ = ["page", "page_sections", "page_summary"]

Data = Mapping[str, Any]

_FEW_ROWS = 16
"""Longer tables of details are folded."""

_UNFOLDED = 12
"""More conditions than this are folded."""

_EVERY_ANSWER = "Every answer that was not a legal move, in unfinished and void matches too."

_LOST = "Who forfeits a match, or causes its cancelation, has lost it."
_LOST_TO_ALL = (
    "Who forfeits a match, or causes its cancelation, has lost it to all others, who are then not compared with one "
    "another."
)

_WON = "Completed matches won, self-play included."
_WON_ALONE = "Completed matches won in any seat: the best score, and alone. Below, who shares the best score has drawn."

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"


def page(data: Data) -> str:
    """The whole document."""
    name = data["run"]["config"].get("name") or "run"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="referrer", content="no-referrer"),
        element("title", f"{name} - Ludometer report"),
        element("style", Markup(STYLE)),
    )
    sections = page_sections(data)
    links = [element("a", title, href=f"#{anchor}") for anchor, title, _ in sections]
    body = element(
        "body",
        element("header", _heading(data, name), element("nav", links)),
        element(
            "main",
            [element("section", element("h2", title), content, id=anchor) for anchor, title, content in sections],
        ),
        element("footer", _footer(data)),
    )
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def page_sections(data: Data) -> list[Section]:
    """The sections of the page, for this page and any other that shows them."""
    return [
        *_parts(data),
        *decision_sections(data),
        *section_pieces(data["sections"]),
        *comparisons(data),
        *quality_sections(data["quality"]),
        *_answers(data),
        *_duplicates(data),
        *_examples(data),
        *_configuration(data),
    ]


# --------------------------------------------------------------------- heading


def _heading(data: Data, name: str) -> Child:
    return [element("h1", name), page_summary(data)]


def page_summary(data: Data) -> Child:
    """What the run is and what became of its matches, in a few lines."""
    run, config, counts = data["run"], data["run"]["config"], data["counts"]
    played = [_day(run["first_started"]), _day(run["last_finished"])]
    when = "" if None in played else f", played {played[0]}" + ("" if played[0] == played[1] else f" to {played[1]}")
    games = ", ".join(_game(game) for game in config.get("games", []))
    tiles = [("matches", counts["total"]), ("completed", counts["completed"]), ("forfeits", counts["forfeit"])]
    tiles += [("canceled", counts["canceled"]), ("void", counts["void"]), ("unfinished", counts["unfinished"])]
    return [
        element("p", config.get("description"), class_="lead") if config.get("description") else None,
        element("p", f"{games}; {len(run['entrants'])} entrants{when}.", class_="lead"),
        element("div", [_tile(words, value) for words, value in tiles], class_="tiles"),
        [note(sentence) for sentence in data["notes"]],
        note(f"Decided, {data['decision']['why']}; {counts.get('not needed', 0)} matches are not needed.")
        if data.get("decision")
        else None,
        note("Not all matches are finished: the tables show what there is so far.") if counts["unfinished"] else None,
        note("Void matches (a provider failed) never count; a resume takes them up again.") if counts["void"] else None,
    ]


def _day(time: str | None) -> str | None:
    return None if time is None else time[:10]


def _tile(words: str, value: int) -> Markup:
    return element("div", element("b", f"{value:,}"), element("span", words), class_="tile")


def _game(game: Data) -> str:
    given = {**(game.get("options") or {}), **(game.get("policy") or {})}
    options = ", ".join(f"{key} = {value}" for key, value in given.items())
    return f"{game['name']} ({options})" if options else str(game["name"])


# ----------------------------------------------------------------------- parts


def _parts(data: Data) -> list[Section]:
    """A section per part; conditions of several games, or very many, are folded into one, or the page would never end
    and what compares them would stand behind all of them."""
    parts = data["parts"]
    games = {part["game"] for part in parts if part["game"] is not None}
    conditions = [part for part in parts if part["condition"] is not None]
    folded = conditions if len(games) > 1 or len(conditions) > _UNFOLDED else []
    sections: list[Section] = []
    for i, part in enumerate(parts):
        if part not in folded:
            title = "All matches together" if part["pooled"] and part["game"] is None else part["title"]
            sections.append((f"part{i}", title if len(parts) > 1 else "Results", _part(part, data)))
    if folded:
        pieces = [element("details", element("summary", part["title"]), _part(part, data)) for part in folded]
        sections.append(("conditions", "By game and condition" if len(games) > 1 else "By condition", pieces))
    return sections


def _part(part: Data, data: Data) -> Child:
    return [
        _rating_section(part),
        payoffs_section(part["payoffs"], part["payoff_differences"]),
        _matrix_section(part),
        ahead_section(part["opponents"]),
        _wins_section(part),
        seats_section(part["seats"]),
        _lengths_section(part, data["run"]["has_moves"]),
        _invalid_section(part, data["run"]["has_moves"]),
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
        return note(f"No ratings: {ratings['missing']}.")
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
    name = f" ({seat['seat']})" if seat["seat"] else ""
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
    return [
        element("h3", "Game matrix" if part["most_seats"] <= 2 else "Game matrix of the matches for two"),
        element(
            "p",
            "X: won by player 1 (the row). O: won by player 2 (the column). D: drawn. C: canceled. F: forfeited, by "
            "either. Letters that do not occur are left out.",
            class_="small",
        ),
        tables.matrix_table(part["matrix"]),
    ]


def _wins_section(part: Data) -> Child:
    return [
        element("h3", "Results by seat"),
        element("p", "Player 1 is {}, player 2 is {}.".format(*part["seat_names"])) if part["seat_names"] else None,
        figure(figures.wins_figure(part["results"]), _WON if part["most_seats"] <= 2 else _WON_ALONE),
        element(
            "details",
            element("summary", "all results by seat"),
            tables.results_table(part["results"]),
            open=len(part["results"]) <= _FEW_ROWS,
        ),
    ]


def _lengths_section(part: Data, has_moves: bool) -> Child:
    if part["published_lengths"]:
        rows = [[row["entrant"], row["result"], f"{row['mean']:g}", row["claim"]] for row in part["published_lengths"]]
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
    drawn = figure(figures.lengths_figure(part["lengths"]), caption)
    return None if drawn is None else [element("h3", "Moves per result"), drawn]


def _invalid_section(part: Data, has_moves: bool) -> Child:
    rows = part["invalid"]
    if not rows:
        return [element("h3", "Invalid responses"), element("p", "None.")]
    return [
        element("h3", "Invalid responses by kind and seat"),
        tables.invalid_table(rows),
        element("p", _EVERY_ANSWER if has_moves else "As published.", class_="small"),
    ]


# --------------------------------------------------------------------- answers


def _answers(data: Data) -> list[Section]:
    if not data["answers"] and not data["usage"]:
        return []
    content: list[Child] = []
    if data["answers"]:
        content += [
            element("h3", "Invalid answers by answer setting"),
            figure(
                figures.validity_figure(data["answers"]),
                "An enforced schema rules out unreadable answers; a schema of the legal moves rules out illegal ones.",
            ),
            tables.answers_table(data["answers"]),
        ]
    if data["repair"]:
        content += [
            element("h3", "Bad answers mended, by feedback"),
            tables.repair_table(data["repair"]),
            element("p", "Mended: the answer right after a bad one, in the same turn, is legal.", class_="small"),
        ]
    if data["usage"]:
        content += [element("h3", "Tokens, cost and latency"), tables.usage_table(data["usage"])]
    return [("answers", "How the models answered", content)]


def _duplicates(data: Data) -> list[Section]:
    rows = data["duplicates"]
    if not rows:
        return []
    sums = [row for row in rows if row["players"] == "all"]
    words = [
        f"{'Self-play' if row['self_play'] else 'Between different entrants'}: {row['games']} games, "
        f"{row['distinct']} distinct."
        for row in sums
    ]
    content = [
        element("p", " ".join(words)),
        element("p", "The same game played again adds no information about strength.", class_="small"),
        element("details", element("summary", "by pairing"), tables.duplicates_table(rows)),
    ]
    return [("distinct", "Distinct games", content)]


def _examples(data: Data) -> list[Section]:
    if not data["examples"]:
        return []
    return [("games", "Example games", [drawn_game(game) for game in data["examples"]])]


# --------------------------------------------------------------- configuration


def _configuration(data: Data) -> list[Section]:
    run, config = data["run"], data["run"]["config"]
    facts = [
        ("Games", "; ".join(_game(game) for game in config.get("games", []))),
        ("Schedule", _settings(config.get("schedule"))),
        ("Openings", _openings(config)),
        ("Factors", _settings(config.get("factors"))),
        ("Conditions of play", _settings(config.get("policy"))),
        ("Prompt", _settings(config.get("prompt"))),
        ("Seed", str(config.get("seed", "none"))),
        ("Ludometer", str(run["ludometer"])),
        ("Prices", str(run["prices_version"] or "not recorded")),
        ("Created", str(run["created"] or "not known")),
    ]
    entrants = [
        [entrant["name"], entrant["player"], _settings(entrant["options"]), entrant["thinking"] or "–"]
        for entrant in run["entrants"]
    ]
    whole = json.dumps(config, indent=1, ensure_ascii=False)
    content = [
        element("p", data["methods"]),
        element("dl", [[element("dt", name), element("dd", value)] for name, value in facts]),
        element("h3", "Entrants"),
        tables.table(["Name", "Player", "Settings", "Thinking"], entrants, texts=(1, 2, 3)),
        _rules(data["rules"]),
        element("h3", "Why matches ended"),
        tables.endings_table(data["endings"]),
        element("details", element("summary", "the whole configuration"), element("pre", whole)),
    ]
    return [("setup", "What was run", content)]


def _openings(config: Data) -> str:
    asked = {key: value for key, value in (config.get("openings") or {}).items() if value}
    played_from = {"moves", "fens", "pgn", "random_plies"} & asked.keys()
    return _settings(asked) if played_from else "none"


def _rules(rules: Sequence[Data]) -> Child:
    lines = [[element("dt", game["title"]), element("dd", " ".join(game["notes"]))] for game in rules]
    return [element("h3", "On the rules"), element("dl", lines)] if lines else None


def _settings(values: Json) -> str:
    if not values:
        return "defaults"
    return ", ".join(
        f"{key} = {value if isinstance(value, str) else json.dumps(value)}" for key, value in values.items()
    )


def _footer(data: Data) -> Child:
    return element(
        "p",
        f"Made by Ludometer {data['run']['ludometer']}. Intervals are at the 95% level: ratings and score rates are "
        "clustered on duplicate groups (or Laplace, as marked), and so are all of settings, effort and openings; other "
        "proportions are Wilson's.",
        class_="foot",
    )
