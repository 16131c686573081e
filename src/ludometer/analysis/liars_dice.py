"""Liar's dice, decision by decision: how likely bids were to hold for who made them, and what calling was worth.

The model is stated once here. Unseen dice are fair and independent of what was bid; and a bid is called at once by the
next player. Then a bid is worth the probability that it holds, and a call the probability that the last bid does not:
both are the chance of not losing the round. Bids that say something about their makers' dice, and answers other than a
call, are left out: a regret here is one against the odds, not against an equilibrium.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from ludometer.analysis.frames import matches_frame
from ludometer.analysis.sections import Column, Section, Table, Whiskers, whiskers_of
from ludometer.core import Illegal, Seat
from ludometer.games.liars_dice import CALL, LiarsDice, Move, bid_probability, bid_rank, matching
from ludometer.games.liars_dice import Table as Position
from ludometer.matches import MatchPolicy
from ludometer.ratings import score_interval
from ludometer.store import MatchRow, RunStore, schema
from ludometer.store.replay import new_match

__all__ = [
    "BLUFF",
    "decision_values",
    "liars_dice_decisions",
    "liars_dice_players",
    "liars_dice_tables",
    "own_moves",
    "sections",
]

BLUFF: Final = 0.5
"""A bid that holds with a lower probability, for who makes it, is counted as a bluff."""

_DECISION_COLUMNS = [
    *("match", "group", "game", "condition", "entrant", "seat", "step", "round", "dice_in_play", "action", "quantity"),
    *("face", "rank", "own_matching", "probability", "held", "called", "call_value", "best_bid", "best_bid_value"),
    *("value", "regret"),
]
_RATES = ("probability", "held_rate", "bluff_rate", "call_success", "regret")
_PLAYER_COLUMNS = [
    *("game", "condition", "entrant", "matches", "bids", "calls", "choices"),
    *(f"{name}{end}" for name in _RATES for end in ("", "_low", "_high")),
]


def liars_dice_tables(store: RunStore) -> dict[str, pd.DataFrame]:
    """Keys ``players`` (`liars_dice_players`) and ``decisions`` (`liars_dice_decisions`).

    Both are empty where the run has no liar's dice.
    """
    decisions = liars_dice_decisions(store)
    return {"players": liars_dice_players(decisions), "decisions": decisions}


def sections(store: RunStore) -> Sequence[Section]:
    """Bids and calls of a run with liar's dice; nothing for other runs."""
    players = liars_dice_players(liars_dice_decisions(store))
    if players.empty:
        return ()
    several = [name for name in ("game", "condition") if players[name].nunique() > 1]
    regret = Column("regret", "Regret per decision", "number", "regret_low", "regret_high", "choices")
    columns = (
        Column("entrant", "Entrant"),
        *(Column(name, name.capitalize()) for name in several),
        Column("probability", "Bids: probability to hold", "share", "probability_low", "probability_high", "bids"),
        Column("held_rate", "Bids that held", "share", "held_rate_low", "held_rate_high", "bids"),
        Column("bluff_rate", "Bluffs", "share", "bluff_rate_low", "bluff_rate_high", "bids"),
        Column("call_success", "Calls that were right", "share", "call_success_low", "call_success_high", "calls"),
        regret,
    )
    return (
        Section(
            "liars-dice",
            "Liar's dice",
            "What every bid and call was worth for who made it, from its own dice alone: unseen dice are taken as "
            "fair, and a bid as called at once. A bluff is a bid that holds with less than one half.",
            (Table("Bids and calls", players, columns, "Intervals (95%) are clustered on duplicate groups."),),
            (
                Whiskers(
                    "Regret per decision",
                    "Chance of not losing the round, given away per decision, by the model above; 95% intervals.",
                    "regret",
                    whiskers_of(players, "entrant", regret, unit="decisions"),
                    zero=0.0,
                ),
            ),
        ),
    )


def liars_dice_decisions(store: RunStore) -> pd.DataFrame:
    """One row per bid and call of finished matches, moves that the policy substituted left out.

    Columns: match, group, game, condition, entrant, seat, step, round (from 1), dice_in_play, ``action``; for bids
    quantity, face, ``rank`` in the order of bids, ``own_matching`` dice, ``probability`` that the bid holds for who
    made it, ``held`` (what the dice said) and ``called``; for calls ``held`` is whether the bid that was called held;
    ``call_value``, ``best_bid`` and its value (missing where there is none), ``value`` of the action and ``regret``
    against the best of all actions, by the model of this module.
    """
    rows = [row for row in store.matches(status=("finished",)) if row.game == LiarsDice.name and row.notation]
    if not rows:
        return pd.DataFrame(columns=_DECISION_COLUMNS)
    own = own_moves(store)
    found = [decision for row in rows for decision in _decisions(row, own.get(row.id, set()))]
    places = matches_frame(store)[["match", "group", "game", "condition"]]
    frame = pd.DataFrame(found).merge(places, on="match", how="left", validate="many_to_one")
    return frame.reindex(columns=_DECISION_COLUMNS)


def own_moves(store: RunStore) -> dict[str, set[tuple[int, Seat]]]:
    """Where the player's own move took effect, by match."""
    found: dict[str, set[tuple[int, Seat]]] = {}
    for row in store.rows(schema.attempts):
        if row["status"] == "legal" and row["action"] is not None:
            found.setdefault(row["match"], set()).add((row["step"], row["seat"]))
    return found


def _decisions(row: MatchRow, own: set[tuple[int, Seat]]) -> Iterator[dict[str, Any]]:
    match = new_match(row, MatchPolicy())
    game, state = match.game, match.state
    assert isinstance(game, LiarsDice)
    written = (row.notation or "").splitlines()
    for step, text in enumerate(written, match.step):
        (seat,) = game.to_act(state)
        try:
            move = game.parse(state, seat, text)
        except Illegal:  # recorded with other rules than those of today
            return
        after = game.apply(state, {seat: move})
        if (step, seat) in own:
            called = step + 1 < match.step + len(written) and written[step + 1 - match.step] == "call"
            place = {"match": row.id, "entrant": row.seats[seat], "seat": seat, "step": step}
            yield place | _decision(game, state, move, called=called)
        state = after


def _decision(game: LiarsDice, state: Position, move: Move, *, called: bool) -> dict[str, Any]:
    """The row of one decision, all but its place."""
    values = decision_values(game, state)
    bids = {action: value for action, value in values.items() if action != CALL}
    best = max(bids, key=bids.__getitem__, default=None)
    claim = Move("bid", *state.bids[-1][1:]) if move == CALL else move
    facts: dict[str, Any] = {
        "round": len(state.past) + 1,
        "dice_in_play": sum(state.dice),
        "action": move.action,
        "held": sum(matching(hand, claim.face, game.ones_wild) for hand in state.hands) >= claim.quantity,
        "call_value": values.get(CALL, np.nan),
        "best_bid": None if best is None else f"{best.quantity}x{best.face}",
        "best_bid_value": np.nan if best is None else bids[best],
        "value": values[move],
        "regret": max(values.values()) - values[move],
    }
    if move != CALL:
        own = matching(state.hands[state.turn], move.face, game.ones_wild)
        facts |= {"quantity": move.quantity, "face": move.face, "rank": bid_rank(move.quantity, move.face)}
        facts |= {"own_matching": own, "probability": values[move], "called": called}
    return facts


def decision_values(game: LiarsDice, state: Position) -> dict[Move, float]:
    """For every legal action the chance of not losing the round, by the model of this module and from the dice that the
    player to act sees."""
    own = state.hands[state.turn]
    unseen = sum(state.dice) - len(own)

    def holds(quantity: int, face: int) -> float:
        return bid_probability(own, unseen, quantity, face, game.ones_wild)

    seat = str(state.turn + 1)
    return {
        move: 1.0 - holds(*state.bids[-1][1:]) if move == CALL else holds(move.quantity, move.face)
        for move in game.legal(state, seat)
    }


def liars_dice_players(decisions: pd.DataFrame) -> pd.DataFrame:
    """One row per game, condition and entrant, from `liars_dice_decisions`.

    Columns: matches, bids, calls, and ``choices`` (all decisions); then, each with ``_low`` and ``_high`` (95%,
    clustered on duplicate groups): mean ``probability`` of the entrant's bids, ``held_rate`` (share that held),
    ``bluff_rate`` (share below `BLUFF`), ``call_success`` (share of calls of bids that did not hold), mean ``regret``.
    """
    rows = []
    for place, part in decisions.groupby(["game", "condition", "entrant"], sort=True):
        bids, calls = part[part["action"] == "bid"], part[part["action"] == "call"]
        row = dict(zip(("game", "condition", "entrant"), place, strict=True))
        row |= {"matches": part["match"].nunique(), "bids": len(bids), "calls": len(calls), "choices": len(part)}
        row |= _mean("probability", bids["probability"], bids["group"])
        row |= _mean("held_rate", bids["held"], bids["group"])
        row |= _mean("bluff_rate", bids["probability"] < BLUFF, bids["group"])
        row |= _mean("call_success", ~calls["held"].astype("bool"), calls["group"])
        row |= _mean("regret", part["regret"], part["group"])
        rows.append(row)
    return pd.DataFrame(rows, columns=_PLAYER_COLUMNS)


def _mean(name: str, values: Sequence[Any] | pd.Series[Any], groups: pd.Series[Any]) -> dict[str, float]:
    """A mean of values in [0, 1] with its interval; missing where there are none."""
    numbers = np.asarray(values, dtype=np.float64)
    if not numbers.size:
        return dict.fromkeys((name, f"{name}_low", f"{name}_high"), float("nan"))
    found = score_interval(numbers, groups.to_numpy())
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
