"""What poker adds to reports: chips with and without the luck of all-ins, styles, pairs, and the equities of the hand
with the largest pot."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ludometer.analysis.poker import complete_hands, luck_of, poker_hands, poker_pairs, poker_players
from ludometer.analysis.poker_hands import contributions, equity_timeline
from ludometer.analysis.sections import Column, Figure, Lines, Section, Table, Whiskers, whiskers_of
from ludometer.games._poker_hand import Hand, in_at_the_end
from ludometer.store import MatchRow, RunStore

__all__ = ["sections"]

_AS_PLAYED = Column("bb_100", "Big blinds per 100 hands", "signed", "bb_100_low", "bb_100_high", "hands", 1)
_ADJUSTED = Column("adjusted_bb_100", "Luck-adjusted", "signed", "adjusted_low", "adjusted_high", "hands", 1)
_CLUSTERS = (
    "Intervals (95%) are clustered on duplicate groups, in which every player has held the same cards; with a single "
    "group there is none."
)


def sections(store: RunStore) -> Sequence[Section]:
    """Chips and styles of a run with poker; nothing for other runs."""
    hands = poker_hands(store)
    if hands.empty:
        return ()
    players, pairs = poker_players(hands), poker_pairs(hands)
    return (
        Section(
            "poker",
            "Poker",
            "Chips are counted in big blinds won per 100 hands. The luck-adjusted number gives every player its "
            "expected share of the pots where cards came after the last decision, instead of what it happened to win.",
            (_chips(players), _styles(players), _pairs(pairs)),
            (*_whiskers(players), *_largest_pot(store)),
            ("All hands played to the end in finished matches count, forfeited ones included; self-play does not.",),
        ),
    )


def _named(frame: pd.DataFrame) -> tuple[Column, ...]:
    """The player, with game and condition where there are several."""
    several = [name for name in ("game", "condition") if frame[name].nunique() > 1]
    return (Column("player", "Player"), *(Column(name, name.capitalize()) for name in several))


def _chips(players: pd.DataFrame) -> Table:
    columns = (
        *_named(players),
        _AS_PLAYED,
        _ADJUSTED,
        Column("chips", "Chips won", "count"),
        Column("all_ins", "All-ins run out", "count"),
        Column("matches", "Matches", "count"),
        Column("groups", "Duplicate groups", "count"),
    )
    return Table("Chips", players, columns, _CLUSTERS)


def _styles(players: pd.DataFrame) -> Table:
    columns = (
        *_named(players),
        Column("vpip", "Put chips in before the flop", "share", "vpip_low", "vpip_high", "hands"),
        Column("pfr", "Raised before the flop", "share", "pfr_low", "pfr_high", "hands"),
        Column("aggression", "Bets and raises per call", "number"),
        Column("showdown", "Flops seen that went to showdown", "share", "showdown_low", "showdown_high", "flops"),
        Column("won_showdown", "Showdowns won", "share", n="showdowns"),
    )
    explain = "Chips put in before the flop are those of the player's own will (VPIP); raises before it are PFR."
    return Table("Style of play", players, columns, explain)


def _pairs(pairs: pd.DataFrame) -> Table:
    columns = (
        *_named(pairs),
        Column("opponent", "Opponent"),
        Column("difference_bb_100", "Won more, big blinds per 100 hands", "signed", "low", "high", "hands", 1),
        Column("adjusted_difference_bb_100", "Luck-adjusted", "signed", "adjusted_low", "adjusted_high", "hands", 1),
    )
    return Table("Two players in the same hands", pairs, columns, f"Paired hand by hand. {_CLUSTERS}", folded=True)


def _whiskers(players: pd.DataFrame) -> list[Figure]:
    if players["game"].nunique() > 1 or players["condition"].nunique() > 1:
        return []  # rows would need their game and condition beside the name
    rows = whiskers_of(players, "player", _ADJUSTED, "hands")
    title = "Big blinds per 100 hands, luck-adjusted"
    return [Whiskers(title, _CLUSTERS, "big blinds per 100 hands", rows)]


def _largest_pot(store: RunStore) -> list[Figure]:
    """The equities in the hand with the largest pot of those that went to showdown."""
    best: tuple[int, MatchRow, Hand] | None = None
    for row, _, hand in complete_hands(store):
        pot = sum(contributions(hand)) // hand.blinds[1]
        if len(in_at_the_end(hand)) > 1 and hand.acts and (best is None or pot > best[0]):
            best = (pot, row, hand)
    if best is None:
        return []
    pot, row, hand = best
    points = equity_timeline(hand, luck_of(row, hand))
    series: dict[str, list[tuple[float, float]]] = {}
    total = sum(hand.won)
    for seat, cards in enumerate(hand.holes):
        if cards:
            shares = [point.equity.get(seat, 0.0) for point in points]
            shares.append(hand.won[seat] / total)
            name = f"{row.seats[str(seat + 1)]}, seat {seat + 1} ({' '.join(cards)})"
            series[name] = [(float(k), share) for k, share in enumerate(shares, start=1)]
    caption = (
        f"Match {row.number}, hand {hand.number + 1}: a pot of {pot} big blinds on the board {' '.join(hand.board)}. "
        "Before each decision the share of the pot that a player would win on average if nobody acted any more, all "
        "cards known; the last point is the result."
    )
    return [Lines("The hand with the largest pot", caption, "decision", "share of the pot", series, 0.0, 1.0)]
