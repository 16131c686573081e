"""What was judged, one row per decision: the estimates of all its actions, and what follows from them alone."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pandas as pd
import sqlalchemy as sa

from ludometer.analysis.frames import attempts_frame
from ludometer.games.uno import Uno
from ludometer.games.uno.cards import COLOURS
from ludometer.games.uno.state import Action
from ludometer.solvers.estimates import is_evaluator
from ludometer.store import RunStore, schema

__all__ = ["KINDS", "decisions", "judged", "plays_uno"]

KINDS: Final = ("card", "colour", "challenge")
"""Kinds of decisions: what to play (or to keep), which colour, whether to challenge."""

_EQUAL: Final = 1e-9
_Z: Final = 1.96

_PLACE = ("match", "step", "seat", "attempt")
_JUDGED = ("k", "rank", "hit", "spread", "regret", "regret_error", "gain", "chance_regret", "gap", "unclear", "rates")
_COLUMNS = [
    *("evaluator", "match", "group", "game", "condition", "entrant", "seat_number", "seats", "step", "kind", "action"),
    *_JUDGED,
]


def plays_uno(store: RunStore) -> bool:
    """Whether there is a match of UNO in the run."""
    query = sa.select(sa.exists().where(schema.matches.c.game == Uno.name))
    with store.engine.connect() as connection:
        return bool(connection.execute(query).scalar())


def decisions(store: RunStore, *, evaluator: str | None = None) -> pd.DataFrame:
    """One row per evaluator and judged decision of UNO, in order of play.

    Args:
        evaluator: only values of this one, by name or by name and options.

    Returns:
        Columns evaluator, match, group, game, condition, entrant, seat_number (from 1), seats, step, ``kind`` (see
        `KINDS`), ``action`` (what was decided), and what `judged` gives. Decisions with one action only are rows too.
    """
    if not plays_uno(store):
        return pd.DataFrame(columns=_COLUMNS)
    stored = _stored(store)
    if evaluator is not None:
        stored = stored[[is_evaluator(spec, evaluator) for spec in stored["evaluator"]]]
    if stored.empty:
        return pd.DataFrame(columns=_COLUMNS)
    rows = {row.id: row for row in store.matches() if row.game == Uno.name}
    placed = attempts_frame(store, texts=False)[[*_PLACE, "ordinal", "game", "condition", "entrant", "seat_number"]]
    frame = stored.merge(placed, on=list(_PLACE), how="inner", validate="many_to_one")
    frame = frame.sort_values(["evaluator", "match", "ordinal"], kind="stable").reset_index(drop=True)
    frame["group"] = [rows[match].group for match in frame["match"]]
    frame["seats"] = [len(rows[match].seats) for match in frame["match"]]
    kinds = _kinds()
    frame["kind"] = [kinds.get(action, "card") for action in frame["action"]]
    pairs = zip(frame["values"], frame["action"], strict=True)
    found = pd.DataFrame([judged(json.loads(values), action) for values, action in pairs], columns=list(_JUDGED))
    return pd.concat([frame, found], axis=1)[_COLUMNS]


def _stored(store: RunStore) -> pd.DataFrame:
    v, m = schema.move_values, schema.matches
    names = [*_PLACE, "evaluator", "action", "values"]
    if not sa.inspect(store.engine).has_table(v.name):
        return pd.DataFrame(columns=names)
    query = sa.select(*(v.c[name] for name in names)).join(m, m.c.id == v.c.match).where(m.c.game == Uno.name)
    with store.engine.connect() as connection:
        return pd.DataFrame(connection.execute(query).fetchall(), columns=names)


def _kinds() -> dict[str, str]:
    """Kinds by notation; all others are decisions about cards."""
    game = Uno()
    state: Any = None  # the notation of a decision does not depend on the position
    colours = {game.format(state, Action("colour", i)): "colour" for i in range(len(COLOURS))}
    return colours | {game.format(state, Action("challenge", i)): "challenge" for i in (0, 1)}


def judged(values: Mapping[str, Sequence[Any]], action: str) -> dict[str, Any]:
    """What the estimates of a position say of the action that was chosen.

    Args:
        values: by action, as the table ``move_values`` keeps them: value, whether it is proven, standard error,
            standard error of the difference from the best, and the rates of all seats (these two may be missing).
        action: the chosen one.

    Returns:
        k: number of actions.
        rank: 1 for the best; equal estimates share the mean of their ranks.
        hit: 1 for the best action, 0 for any other. Where several are equally best, playing one of them is the share
            1 / (number of best actions) of a hit. Hit and rank are thus what one expects when ties are broken at
            random: who decides at random has hits 1 / k and rank (k + 1) / 2 on average, whatever the ties; and with
            two actions rank = 2 - hit.
        spread: largest value minus smallest; a decision is critical for a threshold p where it is at least p.
        regret: value of the best action minus that of the chosen one, with ``regret_error``, its standard error. The
            best of several estimates is more likely to be overestimated, so that mean regrets are a little too large.
        gain: value of the chosen action minus the mean of all: against deciding at random, and without that bias.
        chance_regret: mean regret of deciding at random.
        gap: difference of the two best actions, and ``unclear``: whether it is within 1.96 of its standard errors.
            Missing with one action.
        rates: winning rates of all seats after the chosen action; None where the evaluator does not know them.
    """
    numbers = [float(one[0]) for one in values.values()]
    own = float(values[action][0])
    best, mean = max(numbers), sum(numbers) / len(numbers)
    better = sum(value > own + _EQUAL for value in numbers)
    equal = sum(abs(value - own) <= _EQUAL for value in numbers)
    ranked = sorted(values, key=lambda name: -values[name][0])
    gap = best - values[ranked[1]][0] if len(ranked) > 1 else None
    own_values = values[action]
    return {
        "k": len(numbers),
        "rank": better + (equal + 1) / 2,
        "hit": 0.0 if better else 1 / equal,
        "spread": best - min(numbers),
        "regret": best - own,
        "regret_error": 0.0 if action == ranked[0] else _difference_error(own_values, values[ranked[0]]),
        "gain": own - mean,
        "chance_regret": best - mean,
        "gap": gap,
        "unclear": None
        if gap is None
        else gap <= _Z * _difference_error(values[ranked[1]], values[ranked[0]]) + _EQUAL,
        "rates": list(own_values[4]) if len(own_values) > 4 else None,
    }


def _difference_error(one: Sequence[Any], best: Sequence[Any]) -> float:
    """Standard error of the difference from the best: by common luck where it is known, else of two estimates."""
    if len(one) > 3 and one[3] is not None:
        return float(one[3])
    return float(((one[2] or 0.0) ** 2 + (best[2] or 0.0) ** 2) ** 0.5)
