"""A run as tidy frames: one row per match, per attempt and per exchange.

Columns named ``condition.KEY`` hold the factors of a match; numbered columns (``player_1``, ``score_1``, ...) follow
the order of seats. Times are UTC. A value that is not known is missing (NaN or None), never 0.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, Protocol

import pandas as pd
import sqlalchemy as sa

from ludometer.core import Json, LudometerError, MachineError, make_game
from ludometer.store import MatchRow, RunStore, schema

__all__ = [
    "Variant",
    "attempts_frame",
    "condition_label",
    "exchanges_frame",
    "game_labels",
    "level_text",
    "matches_frame",
    "start_options",
    "variant_of",
]

_CONDITION = "condition."


class Variant(Protocol):
    """A game with its options, as a `MatchRow` has them."""

    @property
    def game(self) -> str: ...

    @property
    def options(self) -> dict[str, Json]: ...


def condition_label(condition: Mapping[str, Json]) -> str:
    """A condition in a few words: ``view = list, feedback = none``; empty where nothing is varied."""
    return ", ".join(f"{key} = {level_text(value)}" for key, value in sorted(condition.items()))


def level_text(value: Json) -> str:
    """A level of a factor, or the value of an option, in words."""
    return value if isinstance(value, str) else json.dumps(value)


def matches_frame(store: RunStore) -> pd.DataFrame:
    """One row per match, in schedule order, whatever its status.

    Columns:
        match, number, game, condition, group, status, ending, why: texts (``game`` with its options where the run
            has it with different ones, ``condition`` as `condition_label` writes it; the
            status of a match that is not finished is ``not needed`` where the run is decided without it).
        condition.KEY: one per factor.
        seats: how many contestants sit down. seat_i, player_i: seat and entrant of the i-th (from 1).
        score_i: in [0, 1]; missing for canceled, void and unfinished matches.
        payoff_i: in the game's own units (chips, territories), where a match of the run has them.
        equals_tie: whether equal scores are a tie in the game; only in a run with matches for more than two.
        offender, offender_seat: entrant and number of the seat at fault, where one is.
        moves: actions in effect. attempts: all answers, bad ones counted. bad_attempts, substituted, voids: counts.
        notation: the actions in effect, one per line; missing for runs imported without moves. opening: moves made
            before anybody was asked, separated by spaces, or the start position where the run plays from several.
        started, finished: UTC. seconds: time at play. self_play: one entrant holds all seats.
    """
    rows = list(store.matches())
    decided = store.meta("decision") is not None
    starts = start_options(store)
    label = game_labels(rows, starts)
    width = max((len(row.seats) for row in rows), default=2)
    columns = _columns(rows, width)
    frame = pd.DataFrame([_match(row, label, width, starts) for row in rows], columns=columns)
    for name in ("started", "finished"):
        frame[name] = pd.to_datetime(pd.to_numeric(frame[name]), unit="s", utc=True, errors="coerce")
    for name in ("moves", "attempts", "bad_attempts", "substituted", "offender_seat"):
        frame[name] = _whole(frame[name])
    for name in ("seconds", *(name for name in columns if name.startswith(("score_", "payoff_")))):
        frame[name] = pd.to_numeric(frame[name]).astype("float64")
    if decided:
        frame["status"] = frame["status"].where(frame["status"].isin(["finished", "void"]), "not needed")
    return frame


def _whole(values: pd.Series[Any]) -> pd.Series[Any]:
    """Whole numbers of which some are missing."""
    return pd.to_numeric(values).astype("Int64")


def _columns(rows: Sequence[MatchRow], width: int) -> list[str]:
    factors = dict.fromkeys(_CONDITION + key for row in rows for key in row.condition)
    what = ("seat", "player", "score", *(("payoff",) if any(row.payoffs for row in rows) else ()))
    numbered = [f"{name}_{i + 1}" for name in what for i in range(width)]
    many = ("equals_tie",) if any(len(row.seats) > 2 for row in rows) else ()
    return [
        *("match", "number", "game", "condition", *factors, "group", "seats", *numbered, "self_play", *many),
        *("status", "ending", "why", "offender", "offender_seat", "moves", "attempts", "bad_attempts", "substituted"),
        *("opening", "notation", "started", "finished", "seconds", "voids"),
    ]


def _match(row: MatchRow, label: Mapping[str, str], width: int, starts: Sequence[str]) -> dict[str, Any]:
    seats = list(row.seats)
    holder = _contestant(row, row.offender)
    values: dict[str, Any] = {
        "match": row.id,
        "number": row.number,
        "game": label[variant_of(row)],
        "condition": condition_label(row.condition),
        "group": row.group,
        "seats": len(seats),
        "opening": _opening(row, starts),
        "self_play": len(set(row.seats.values())) == 1,
        "equals_tie": len(seats) <= 2 or _equals_tie(row.game, json.dumps(row.options)),
        "offender": None if holder is None else row.seats[holder],
        "offender_seat": None if holder is None else seats.index(holder) + 1,
    }
    values |= {_CONDITION + key: value for key, value in row.condition.items()}
    for i in range(width):
        seat = seats[i] if i < len(seats) else None
        values[f"seat_{i + 1}"] = seat
        values[f"player_{i + 1}"] = None if seat is None else row.seats[seat]
        values[f"score_{i + 1}"] = None if seat is None or row.scores is None else row.scores.get(seat)
        values[f"payoff_{i + 1}"] = None if seat is None or row.payoffs is None else row.payoffs.get(seat)
    same = ("status", "ending", "why", "moves", "attempts", "bad_attempts", "substituted", "notation", "voids")
    values |= {name: getattr(row, name) for name in (*same, "started", "finished", "seconds")}
    return values


def start_options(store: RunStore) -> tuple[str, ...]:
    """The options that hold a start position: those make openings of one game, and not games of their own."""
    return ("fen",) if (store.config.get("openings") or {}).get("fens") else ()


def _opening(row: MatchRow, starts: Sequence[str]) -> str | None:
    positions = [str(row.options[name]) for name in starts if row.options.get(name)]
    return " ".join([*positions, *(row.opening or ())]) or None


def variant_of(row: Variant) -> str:
    """A game with its options, as `game_labels` names it."""
    return row.game + json.dumps(row.options, sort_keys=True)


def game_labels(rows: Iterable[Variant], starts: Sequence[str]) -> dict[str, str]:
    """Names of the games, by `variant_of`: with the options that tell two variants of one game apart."""
    variants: dict[str, dict[str, dict[str, Json]]] = {}
    for row in rows:
        variants.setdefault(row.game, {})[variant_of(row)] = row.options
    labels = {}
    for name, found in variants.items():
        keys = sorted({key for options in found.values() for key in options} - set(starts))
        told = [k for k in keys if len({json.dumps(options.get(k)) for options in found.values()}) > 1]
        for variant, options in found.items():
            written = ",".join(f"{key}={level_text(options.get(key))}" for key in told)
            labels[variant] = f"{name}:{written}" if written else name
    return labels


@cache
def _equals_tie(game: str, options: str) -> bool:
    try:
        return make_game(game, json.loads(options)).compares_equals
    except LudometerError:
        return True  # a game that is not installed here has results all the same


@cache
def _holders(game: str, options: str, n: int) -> dict[str, str]:
    """Contestant's seat by the seat that its entrant holds besides."""
    return {role.name: role.of for role in make_game(game, json.loads(options)).roles(n) if role.of is not None}


def _contestant(row: MatchRow, seat: str | None) -> str | None:
    """The contestant's seat behind any seat; None for an official's."""
    if seat is None or seat in row.seats:
        return seat
    return _holders(row.game, json.dumps(row.options), len(row.seats)).get(seat)


# --------------------------------------------------------------------- answers


def attempts_frame(store: RunStore, *, texts: bool = True) -> pd.DataFrame:
    """One row per judged attempt of any match, in order of submission.

    Columns: match, game, condition and its factors, ``entrant`` (missing for an official), ``seat``, ``seat_number``,
    ``opponent`` (two seats only), step, attempt (from 0 within the turn), ordinal, status, kind, reason, ``legal``,
    notation, text, rationale (these two with ``texts``: they are most of a run's size), resign, draw (``offer``,
    ``accept`` or missing), seconds, at (UTC).
    """
    a = schema.attempts.c
    columns = [a.match, a.step, a.seat, a.attempt, a.ordinal, a.status, a.kind, a.reason, a.notation]
    columns += [a.text, a.rationale] if texts else []
    columns += [a.resign, a.draw, a.seconds, a.at]
    frame = _read(store, sa.select(*columns).order_by(a.match, a.ordinal))
    frame = _placed(store, frame)
    frame["legal"] = frame["status"] == "legal"
    frame["resign"] = frame["resign"].astype("bool")
    return frame


def exchanges_frame(store: RunStore) -> pd.DataFrame:
    """One row per call to a model, the texts left out (see `ludometer.store.export` for those).

    Columns: match, game, condition and its factors, entrant, seat, seat_number, opponent, step, attempt, n, model,
    finish_reason, input_tokens, cached_input_tokens, output_tokens, reasoning_tokens (missing where the provider
    reports none), cost (US dollars, missing where no price is known), latency (seconds), at (UTC).
    """
    x = schema.exchanges.c
    columns = [x.match, x.step, x.seat, x.attempt, x.n, x.model, x.finish_reason, x.input_tokens]
    columns += [x.cached_input_tokens, x.output_tokens, x.reasoning_tokens, x.cost, x.latency, x.at]
    frame = _placed(store, _read(store, sa.select(*columns).order_by(x.match, x.step, x.seat, x.attempt, x.n)))
    for name in ("input_tokens", "cached_input_tokens", "output_tokens", "reasoning_tokens"):
        frame[name] = _whole(frame[name])
    for name in ("cost", "latency"):
        frame[name] = pd.to_numeric(frame[name]).astype("float64")
    return frame


def _read(store: RunStore, query: sa.Select[Any]) -> pd.DataFrame:
    with store.engine.connect() as connection:
        result = connection.execute(query)
        return pd.DataFrame(result.fetchall(), columns=list(result.keys()))


def _placed(store: RunStore, frame: pd.DataFrame) -> pd.DataFrame:
    """Adds who sat in the seat, and in which match; a seat's entrant is its contestant's."""
    rows = {row.id: row for row in store.matches()}
    label = game_labels(rows.values(), start_options(store))
    pairs = list(zip(frame["match"], frame["seat"], strict=True))
    if strangers := sorted({match for match, _ in pairs} - rows.keys()):
        raise MachineError(f"the run's database has a log of match {strangers[0]}, but not the match: it was changed")
    places = {pair: _place(rows[pair[0]], pair[1], label) for pair in set(pairs)}
    factors = dict.fromkeys(_CONDITION + key for row in rows.values() for key in row.condition)
    names = ["game", "condition", *factors, "entrant", "opponent", "seat_number"]
    placed = pd.DataFrame([places[pair] for pair in pairs], columns=names)
    placed["seat_number"] = _whole(placed["seat_number"])
    frame = pd.concat([frame, placed], axis=1)
    frame["at"] = pd.to_datetime(pd.to_numeric(frame["at"]), unit="s", utc=True, errors="coerce")
    return frame


def _place(row: MatchRow, seat: str, label: Mapping[str, str]) -> dict[str, Any]:
    holder = _contestant(row, seat)
    others = [name for s, name in row.seats.items() if s != holder]
    return {
        "game": label[variant_of(row)],
        "condition": condition_label(row.condition),
        **{_CONDITION + key: value for key, value in row.condition.items()},
        "entrant": None if holder is None else row.seats[holder],
        "opponent": others[0] if holder is not None and len(others) == 1 else None,
        "seat_number": None if holder is None else list(row.seats).index(holder) + 1,
    }
