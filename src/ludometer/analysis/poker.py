"""Poker: chips, big blinds per 100 hands, luck at all-ins, and styles of play.

Counted are all hands played to the end in finished matches, forfeited ones included, that are not self-play. Intervals
are clustered on the duplicate group: there the same cards go round the seats, so that what the cards gave one player
they gave the others too, and the mean over a group has it taken out.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pandas as pd

from ludometer.analysis.frames import matches_frame
from ludometer.analysis.measures import estimate, with_missing
from ludometer.analysis.poker_hands import equity_timeline, expected_net, ran_out, replayed_hands
from ludometer.core import Chance
from ludometer.games._poker_hand import STREETS, Hand, in_at_the_end, positions
from ludometer.store import MatchRow, RunStore

__all__ = [
    "complete_hands",
    "luck_of",
    "poker_decisions",
    "poker_hands",
    "poker_pairs",
    "poker_players",
    "poker_tables",
]

_HAND_COLUMNS = [
    *("match", "game", "condition", "group", "hand", "entrant", "seat", "position", "big_blind", "net", "bb"),
    *("adjusted", "adjusted_bb", "all_in", "vpip", "pfr", "raises", "calls", "saw_flop", "showdown", "won_showdown"),
]
_DECISION_COLUMNS = [
    *("match", "game", "condition", "group", "hand", "decision", "entrant", "seat", "street", "action", "amount"),
    *("pot", "to_call", "pot_odds", "equity"),
]
_PLAYER_COLUMNS = [
    *("game", "condition", "player", "matches", "groups", "hands", "chips", "bb_100", "bb_100_low", "bb_100_high"),
    *("adjusted_bb_100", "adjusted_low", "adjusted_high", "all_ins", "vpip", "vpip_low", "vpip_high", "pfr", "pfr_low"),
    *("pfr_high", "aggression", "flops", "showdown", "showdown_low", "showdown_high", "showdowns", "won_showdown"),
]
_PAIR_COLUMNS = [
    *("game", "condition", "player", "opponent", "groups", "hands", "difference_bb_100", "low", "high"),
    *("adjusted_difference_bb_100", "adjusted_low", "adjusted_high"),
]


def poker_tables(store: RunStore, *, samples: int = 5_000, level: float = 0.95) -> dict[str, pd.DataFrame]:
    """``players``, ``pairs``, ``hands`` and ``decisions`` of the run's poker; empty for a run without any.

    Args:
        samples: random boards where an all-in before the flop is valued (from the flop on all boards are counted).
        level: of the intervals.
    """
    hands = poker_hands(store, samples=samples)
    if hands.empty:
        return {}
    return {
        "players": poker_players(hands, level=level),
        "pairs": poker_pairs(hands, level=level),
        "hands": hands,
        "decisions": poker_decisions(store),
    }


def poker_hands(store: RunStore, *, samples: int = 5_000) -> pd.DataFrame:
    """One row per hand and player dealt in.

    Columns:
        match, game, condition, group, hand (from 1), entrant, seat, position, big_blind (chips).
        net, bb: chips won or lost, and the same in big blinds. adjusted, adjusted_bb: the same with every board that
            was run out after an all-in replaced by the expectation over all boards. all_in: whether it was run out,
            with this player in.
        vpip: put chips in before the flop of its own will. pfr: raised before the flop. raises: bets and raises in the
            hand. calls: in the hand. saw_flop: was in when the flop came. showdown: was in at the end, with others.
        won_showdown: won chips there; missing without a showdown.
    """
    rows = [
        place | {"entrant": row.seats[str(seat + 1)]} | one
        for row, place, hand in complete_hands(store)
        for seat, one in _of_hand(hand, luck_of(row, hand), samples)
    ]
    return pd.DataFrame(rows, columns=_HAND_COLUMNS)


def complete_hands(store: RunStore) -> Iterator[tuple[MatchRow, dict[str, Any], Hand]]:
    """Every complete hand of the finished matches, with its place in the run."""
    rows = [
        row
        for row in store.matches(status=("finished",))
        if row.game.partition(":")[0] == "poker" and len(set(row.seats.values())) > 1
    ]
    if not rows:
        return
    frame = matches_frame(store)
    kept = frame[["match", "game", "condition", "group"]].itertuples(index=False)
    places = {match: {"game": game, "condition": condition, "group": group} for match, game, condition, group in kept}
    for row in rows:
        for hand in replayed_hands(row) or ():
            yield row, {"match": row.id, **places[row.id], "hand": hand.number + 1}, hand


def luck_of(row: MatchRow, hand: Hand) -> Chance:
    """Where random boards are drawn from when a hand is valued: the same every time."""
    return Chance.from_seed("equity").named(row.id, hand.number)


def _of_hand(hand: Hand, chance: Chance, samples: int) -> Iterator[tuple[int, dict[str, Any]]]:
    """The measures of a hand by seat."""
    adjusted = expected_net(hand, chance, samples)
    live = in_at_the_end(hand)
    shown = len(live) > 1
    for seat, place in positions(hand).items():
        own = [act for act in hand.acts if act.seat == seat]
        before = [act.kind for act in own if act.street == 0]
        raises = sum(act.kind in ("bet", "raise") for act in own)
        net, big = hand.after[seat] - hand.stacks[seat], hand.blinds[1]
        stays = seat in live
        yield (
            seat,
            {
                "seat": seat + 1,
                "position": place,
                "big_blind": big,
                "net": net,
                "bb": net / big,
                "adjusted": adjusted[seat],
                "adjusted_bb": adjusted[seat] / big,
                "all_in": stays and shown and ran_out(hand),
                "vpip": any(kind in ("call", "bet", "raise") for kind in before),
                "pfr": any(kind in ("bet", "raise") for kind in before),
                "raises": raises,
                "calls": sum(act.kind == "call" for act in own),
                "saw_flop": len(hand.board) >= 3 and "fold" not in before,
                "showdown": stays and shown,
                "won_showdown": hand.won[seat] > 0 if stays and shown else None,
            },
        )


def poker_players(hands: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Chips and styles by game, condition and player, best first.

    Columns: ``bb_100`` and ``adjusted_bb_100`` (big blinds won per 100 hands, as played and luck-adjusted) with
    intervals; ``chips``; ``all_ins`` (hands run out); ``vpip`` and ``pfr`` (shares of hands); ``aggression`` (bets and
    raises per call, missing without calls); ``flops`` (hands in which it saw one) and ``showdown`` (the share of those
    that went to showdown); ``showdowns`` and ``won_showdown`` (the share of them in which it won chips).

    Args:
        hands: see `poker_hands`.
    """
    rows = []
    for (game, condition, player), part in hands.groupby(["game", "condition", "entrant"], sort=False):
        calls = int(part["calls"].sum())
        flops, ends = part[part["saw_flop"]], part[part["showdown"]]
        row: dict[str, Any] = {
            "game": game,
            "condition": condition,
            "player": player,
            "matches": part["match"].nunique(),
            "groups": part["group"].nunique(),
            "hands": len(part),
            "chips": int(part["net"].sum()),
            "all_ins": int(part["all_in"].sum()),
            "aggression": int(part["raises"].sum()) / calls if calls else None,
            "flops": len(flops),
            "showdowns": len(ends),
            "won_showdown": float(ends["won_showdown"].astype("float64").mean()) if len(ends) else None,
        }
        row |= _per_100(part["bb"], part, "bb_100", "bb_100_low", "bb_100_high", level)
        row |= _per_100(part["adjusted_bb"], part, "adjusted_bb_100", "adjusted_low", "adjusted_high", level)
        for name, among in (("vpip", part), ("pfr", part), ("showdown", flops)):
            found = estimate(among[name].astype("float64"), among["group"], share=True, level=level)
            row |= {name: found["value"], f"{name}_low": found["low"], f"{name}_high": found["high"]}
        rows.append(row)
    numbers = [name for name in _PLAYER_COLUMNS if name.endswith(("low", "high", "aggression", "showdown", "bb_100"))]
    frame = with_missing(pd.DataFrame(rows, columns=_PLAYER_COLUMNS), *numbers)
    order = ["game", "condition", "bb_100"]
    return frame.sort_values(order, ascending=[True, True, False], kind="stable", ignore_index=True)


def _per_100(
    values: pd.Series[Any], part: pd.DataFrame, mean: str, low: str, high: str, level: float
) -> dict[str, float | None]:
    found = estimate(values * 100.0, part["group"], share=False, level=level, least=-math.inf)
    return {mean: found["value"], low: found["low"], high: found["high"]}


def poker_pairs(hands: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """For every two players that were dealt into the same hands, how many big blinds per 100 hands the one won more
    than the other, paired by hand, with intervals clustered on the duplicate group.

    Args:
        hands: see `poker_hands`.
    """
    rows = []
    for (game, condition), part in hands.groupby(["game", "condition"], sort=False):
        # A player with two seats counts once a hand, with the mean of both.
        keys = ["group", "match", "hand"]
        plain, lucky = (
            part.pivot_table(index=keys, columns="entrant", values=name, sort=False) for name in ("bb", "adjusted_bb")
        )
        for one, other in combinations(dict.fromkeys(part["entrant"]), 2):
            gained = (plain[one] - plain[other]).dropna()
            adjusted = (lucky[one] - lucky[other]).dropna()
            if gained.empty:
                continue
            groups = gained.index.to_frame(index=False)[["group"]]
            row: dict[str, Any] = {"game": game, "condition": condition, "player": one, "opponent": other}
            row |= {"groups": groups["group"].nunique(), "hands": len(gained)}
            row |= _per_100(gained, groups, "difference_bb_100", "low", "high", level)
            row |= _per_100(adjusted, groups, "adjusted_difference_bb_100", "adjusted_low", "adjusted_high", level)
            rows.append(row)
    return with_missing(pd.DataFrame(rows, columns=_PAIR_COLUMNS), *_PAIR_COLUMNS[6:])


def poker_decisions(store: RunStore, *, samples: int = 1_000) -> pd.DataFrame:
    """One row per decision, in order: the timeline of equities.

    Columns: match, game, condition, group, hand, ``decision`` (from 1 in the hand), entrant, seat, street, action,
    amount (see `ludometer.games._poker_hand.Act`), ``pot`` and ``to_call`` before it, ``pot_odds`` (what share of the
    pot a call had to win to break even; missing without a bet to call) and ``equity`` (the actor's share of the pot
    before it, all cards known: exact from the flop on).

    Args:
        samples: random boards for decisions before the flop.
    """
    rows = []
    for row, place, hand in complete_hands(store):
        for number, point in enumerate(equity_timeline(hand, luck_of(row, hand), samples), start=1):
            act = point.done.act
            rows.append(
                {
                    **place,
                    "decision": number,
                    "entrant": row.seats[str(act.seat + 1)],
                    "seat": act.seat + 1,
                    "street": STREETS[act.street],
                    "action": act.kind,
                    "amount": act.amount,
                    "pot": point.pot,
                    "to_call": point.to_call,
                    "pot_odds": point.to_call / (point.pot + point.to_call) if point.to_call else None,
                    "equity": point.equity[act.seat],
                }
            )
    return with_missing(pd.DataFrame(rows, columns=_DECISION_COLUMNS), "pot_odds", "equity")
