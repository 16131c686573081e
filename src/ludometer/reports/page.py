"""The page: one self-contained HTML document from `report_data`, without scripts and without anything loaded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ludometer.core import Json
from ludometer.reports import figures, tables
from ludometer.reports.comparisons import comparisons
from ludometer.reports.decision import decision_sections
from ludometer.reports.drawn_game import drawn_game
from ludometer.reports.game_sections import section_pieces
from ludometer.reports.markup import Child, Markup, element
from ludometer.reports.part_content import part_content
from ludometer.reports.pieces import Section, figure, note
from ludometer.reports.quality import quality_sections
from ludometer.reports.style import STYLE

__all__ = ["page", "page_sections", "page_summary"]

Data = Mapping[str, Any]

_VOID = "Void matches (a provider failed) never count."
_UNFOLDED = 12
"""More conditions than this are folded."""

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
    entrants = f"{len(run['entrants'])} {'entrant' if len(run['entrants']) == 1 else 'entrants'}"
    tiles = [("matches", counts["total"]), ("completed", counts["completed"]), ("forfeits", counts["forfeit"])]
    tiles += [("canceled", counts["canceled"]), ("void", counts["void"]), ("unfinished", counts["unfinished"])]
    return [
        element("p", config.get("description"), class_="lead") if config.get("description") else None,
        element("p", f"{games}; {entrants}{when}.", class_="lead"),
        element("div", [_tile(words, value) for words, value in tiles], class_="tiles"),
        [note(sentence) for sentence in data["notes"]],
        note(f"Decided, {data['decision']['why']}; {counts.get('not needed', 0)} matches are not needed.")
        if data.get("decision")
        else None,
        note("Not all matches are finished: the tables show what there is so far.") if counts["unfinished"] else None,
        note(_VOID if data.get("decision") else f"{_VOID[:-1]}; a resume takes them up again.")
        if counts["void"]
        else None,
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
    parts, has_moves = data["parts"], data["run"]["has_moves"]
    games = {part["game"] for part in parts if part["game"] is not None}
    conditions = [part for part in parts if part["condition"] is not None]
    folded = conditions if len(games) > 1 or len(conditions) > _UNFOLDED else []
    sections: list[Section] = []
    for i, part in enumerate(parts):
        if part not in folded:
            title = "All matches together" if part["pooled"] and part["game"] is None else part["title"]
            content = part_content(part, has_moves=has_moves)
            sections.append((f"part{i}", title if len(parts) > 1 else "Results", content))
    if folded:
        pieces = [
            element("details", element("summary", part["title"]), part_content(part, has_moves=has_moves))
            for part in folded
        ]
        sections.append(("conditions", "By game and condition" if len(games) > 1 else "By condition", pieces))
    return sections


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
        "clustered on duplicate groups (or pooled or Laplace, as marked), and so are all of settings, effort and "
        "openings; other proportions are Wilson's.",
        class_="foot",
    )
