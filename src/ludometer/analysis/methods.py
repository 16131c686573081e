"""What was done, in words: a paragraph for a paper, made from a run's configuration and from nothing else."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ludometer.analysis.performance import pool_of
from ludometer.analysis.run import RunTables, load_tables
from ludometer.core.text import UNSEEN
from ludometer.store import RunStore

__all__ = ["methods_text"]

Data = Mapping[str, Any]

_SEATINGS: Final = {
    "rotated": "in every rotation of the seats",
    "permuted": "in every permutation of the seats",
    "fixed": "in one fixed order of the seats",
}
_FEEDBACK: Final = {
    "none": "the turn was asked for again as if for the first time",
    "repeat": "the same prompt was sent again",
    "explain": "the prompt was sent again with a sentence naming the error",
}
_EXHAUSTED: Final = {
    "forfeit": "the seat forfeited the match",
    "cancel": "the match was canceled",
    "random": "a random legal move was played for it",
    "pass": "the seat passed",
}
_ANSWERS: Final = {
    "text": "in plain text",
    "json": "as a JSON object, asked for in words",
    "json_schema": "as a JSON object whose schema the provider enforced",
    "tool": "as the arguments of a function call",
}
_DEFAULTS: Final = {"attempts": 3, "feedback": "explain", "on_exhausted": "forfeit"}


def methods_text(store: RunStore) -> str:
    """How a run was made: games, entrants, schedule, conditions of play, prompts, judges, ratings and software.

    One paragraph of plain text. What a run does not say is not in it, and texts of the configuration are taken as they
    are, but for characters that cannot be seen.
    """
    source = store.imported("source")
    tables = load_tables(store)
    sentences = [*_played(tables)] if source is None else [f"The results were not played here but imported ({source})."]
    sentences += _rated(tables)
    version = store.meta("ludometer")
    seed = f" from the seed {_shown(tables.config.get('seed', 0))}" if source is None else ""
    sentences.append(f"The run was made{seed} with Ludometer {_shown(version or 'of an unknown version')}.")
    return UNSEEN.sub("", " ".join(" ".join(sentences).split()))


def _played(tables: RunTables) -> Iterator[str]:
    config = tables.config
    games = [game for game in config.get("games") or () if isinstance(game, Mapping)]
    names = [_entrant(entrant) for entrant in tables.entrants]
    entrants = "One entrant" if len(names) == 1 else f"{len(names):,} entrants"
    yield f"{entrants} played {_listed([_game(game) for game in games])}: {_listed(names)}."
    yield from _schedule(config.get("schedule") or {}, tables)
    yield from _conditions(config, games)
    yield from _prompts(tables)
    officials = config.get("officials") or {}
    if officials:
        held = [f"{_shown(name)} was {_player(official)}" for name, official in officials.items()]
        yield f"Officials were not rated: {_listed(held)}."
    for order in config.get("expected_order") or ():
        yield f"We expected strength to rise in the order {', '.join(map(_shown, order))}."


def _entrant(entrant: Data) -> str:
    asked = "/" in str(entrant["player"])
    known = str(entrant["name"]) == str(entrant["player"])
    options = {key: value for key, value in (entrant.get("options") or {}).items() if key != "price"}
    inside = [] if known else [f"{'model' if asked else 'player'} {_shown(entrant['player'])}"]
    inside += [f"{_shown(key)} {_shown(value)}" for key, value in options.items()]
    return f"{_shown(entrant['name'])} ({', '.join(inside)})" if inside else _shown(entrant["name"])


def _game(game: Data) -> str:
    options = ", ".join(f"{_shown(key)} {_shown(value)}" for key, value in (game.get("options") or {}).items())
    return f"{_shown(game.get('name', 'a game'))} ({options})" if options else _shown(game.get("name", "a game"))


def _schedule(schedule: Data, tables: RunTables) -> Iterator[str]:
    seating = _SEATINGS.get(str(schedule.get("seating", "rotated")), _shown(schedule.get("seating")))
    repeats, kind = schedule.get("repeats", 1), schedule.get("kind", "round_robin")
    seats = tables.matches["seats"]
    table = "pair" if len(seats) and bool((seats == 2).all()) else "choice of entrants for a table"
    times = "once" if repeats == 1 else f"{_shown(repeats)} times"
    if kind == "series":
        yield f"The same entrants played {_shown(repeats)} matches of every game and changed seats after each."
    elif kind == "gauntlet":
        pool = _listed([_shown(name) for name in pool_of(tables)])
        challengers = _listed([_shown(name) for name in schedule.get("challengers") or ()]) or "Every other entrant"
        yield f"{challengers} met the fixed pool of {pool} {seating}, {times} per game."
    elif kind in ("swiss", "adaptive"):
        yield from _grown(schedule, tables)
    else:
        yield f"In a round robin every {table} met {seating}, {times} per game."
    shared = "all tables" if schedule.get("shared_luck") else "the seatings of a table"
    yield f"Within a repeat {shared} had the luck of the game (deck, dice, topic) in common."
    factors = tables.config.get("factors") or {}
    if factors:
        varied = [f"{_shown(key)} ({', '.join(map(_shown, levels))})" for key, levels in factors.items()]
        yield f"Every combination of {_listed(varied)} was played."
    finished = Counter(tables.matches["status"])["finished"]
    yield f"Of the matches that were scheduled ({len(tables.matches):,}), {finished:,} were finished."
    yield from _stopped(tables)


def _stopped(tables: RunTables) -> Iterator[str]:
    """When the run was to end before its schedule did, and whether it did."""
    rule = tables.config.get("stop_when")
    if rule is None:
        return
    margin = _shown(tables.config.get("stop_margin", 50.0))
    tested = "" if "interval" in str(rule) else f" for a margin of {margin} Elo, by tests that hold at any time (5%)"
    yield f'It was to end as soon as the rule "{_shown(rule)}" was met{tested}.'
    if tables.decided is not None:
        after, why = tables.decided.get("matches"), tables.decided.get("why")
        yield f"That was so after {_shown(after)} matches of the schedule ({_shown(why)}); the rest was not needed."


def _grown(schedule: Data, tables: RunTables) -> Iterator[str]:
    repeats = schedule.get("repeats", 1)
    if schedule.get("kind") == "swiss":
        of_each = "game" if schedule.get("seating") == "balanced" else "pair of games with the seats exchanged"
        often = f"one {of_each}" if repeats == 1 else f"{_shown(repeats)} times a {of_each}"
        yield (
            f"In every round of a Swiss tournament entrants with about the same points met, for {often}; nobody met "
            "anybody again while it could be avoided."
        )
        return
    first = "a round robin" if repeats == 1 else f"{_shown(repeats)} round robins"
    yield (
        f"After {first}, in pairs of games with the seats exchanged, half of the pairs went where the order of two "
        "entrants was most in doubt, and half where they took down the sum of all variances most."
    )


def _conditions(config: Data, games: Sequence[Data]) -> Iterator[str]:
    run = {**_DEFAULTS, **(config.get("policy") or {})}
    own = [(_shown(game.get("name")), {**run, **(game.get("policy") or {})}) for game in games]
    factors = config.get("factors") or {}
    if "attempts" not in factors:
        yield f"A seat had {_by_game(own, 'attempts', lambda n: _number(n, 'attempt'))} per turn."
    if "feedback" not in factors:
        yield f"After a bad attempt {_by_game(own, 'feedback', lambda mode: _FEEDBACK.get(mode, mode))}."
    if "on_exhausted" not in factors:
        yield f"When no attempt was left {_by_game(own, 'on_exhausted', lambda mode: _EXHAUSTED.get(mode, mode))}."
    rest = sorted({key for _, policy in own for key in policy if policy[key] is not None} - {*_DEFAULTS, *factors})
    if rest:
        yield f"Further conditions of play were {_listed([f'{_shown(k)}: {_by_game(own, k, str)}' for k in rest])}."


def _by_game(own: Sequence[tuple[str, Data]], key: str, words: Any) -> str:
    """A setting in words; where games differ, with the games that have it."""
    found: dict[str, list[str]] = {}
    for name, policy in own:
        value = policy.get(key)
        found.setdefault("not set" if value is None else _shown(words(_plain(value))), []).append(name)
    if len(found) <= 1:
        return next(iter(found), "not set")
    return _listed([f"{value} in {_listed(names)}" for value, names in found.items()])


def _prompts(tables: RunTables) -> Iterator[str]:
    prompt, factors = tables.config.get("prompt") or {}, tables.config.get("factors") or {}
    if not any("/" in str(entrant["player"]) for entrant in tables.entrants):
        return
    if "answer" not in factors:
        answer = str(prompt.get("answer", "json"))
        reason = ", with a short reason before the move" if prompt.get("rationale") is True else ""
        own = " where an entrant did not set it otherwise" if _sets(tables, "answer") else ""
        yield f"Language models answered {_ANSWERS.get(answer, _shown(answer))}{reason}{own}."
    rest = {key: value for key, value in prompt.items() if key not in ("answer", "rationale")}
    if rest:
        settings = [f"{_shown(key)} {_shown(value)}" for key, value in rest.items()]
        yield f"For all of them {_listed(settings)} was set; settings that are not named were left to the provider."
    else:
        yield "Settings of models that are not named were left to the provider."


def _sets(tables: RunTables, key: str) -> bool:
    return any(key in (entrant.get("options") or {}) for entrant in tables.entrants)


def _rated(tables: RunTables) -> Iterator[str]:
    several = tables.matches["game"].nunique() > 1
    yield (
        "Ratings are Bradley-Terry with Davidson's ties, a first-mover term per game and a Gaussian prior of 200 "
        "points, 400 points being a factor of ten in the odds. Who forfeited a match, or caused its cancelation, lost "
        "it; matches that failed for other reasons were played again or left out. Intervals have a level of 95% and "
        "are cluster-robust over matches with common luck; with too few games to take a spread of, pooled or Laplace."
    )
    if several:
        yield (
            "Games were combined by adding up the ratings of each, and by one fit in which the matches of every game "
            "had the same weight in sum."
        )


# ----------------------------------------------------------------------- words


def _player(official: Any) -> str:
    if isinstance(official, str):
        return _shown(official)
    options = {key: value for key, value in official.items() if key not in ("player", "name", "family")}
    inside = ", ".join(f"{_shown(key)} {_shown(value)}" for key, value in options.items())
    return f"{_shown(official.get('player', 'unknown'))} ({inside})" if inside else _shown(official.get("player"))


def _plain(value: Any) -> Any:
    return value if isinstance(value, str | int | float) else json.dumps(value)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


def _number(count: Any, one: str) -> str:
    if count == 1:
        return f"one {one}"
    return f"{count:,} {one}s" if isinstance(count, int) else f"{_shown(count)} {one}s"


def _listed(items: Sequence[str]) -> str:
    if len(items) < 2:
        return "".join(items) or "nothing"
    return f"{', '.join(items[:-1])} and {items[-1]}"
