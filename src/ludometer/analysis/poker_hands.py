"""The hands of poker matches, replayed from a run's log, and what every decision in them was worth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ludometer.core import Chance, Illegal, LudometerError
from ludometer.games._poker_hand import Done, Hand, followed, in_at_the_end, posted, pots_of, put_in
from ludometer.games.poker import Poker
from ludometer.matches import MatchPolicy
from ludometer.solvers.poker_equity import equities
from ludometer.store import MatchRow
from ludometer.store.replay import new_match

__all__ = [
    "Point",
    "contributions",
    "equity_timeline",
    "expected_net",
    "ran_out",
    "replayed_hands",
]

_ON_BOARD = (0, 3, 4, 5)


def replayed_hands(row: MatchRow) -> list[Hand] | None:
    """The hands of a match that were played to the end; None where it has no moves, or the game as it is installed now
    does not take them. A hand that a forfeit broke off is left out."""
    if row.notation is None:
        return None
    try:
        match = new_match(row, MatchPolicy())
    except LudometerError:
        return None
    game, state = match.game, match.state
    if not isinstance(game, Poker):
        return None
    for text in row.notation.splitlines():
        seats = game.to_act(state)
        if not seats:
            return None
        try:
            action = game.parse(state, seats[0], text)
            game.check(state, seats[0], action)
        except Illegal:
            return None
        state = game.apply(state, {seats[0]: action})
    return list(state.past)


# ------------------------------------------------------------------- all-in luck


def ran_out(hand: Hand) -> bool:
    """Whether board cards came after the last decision: then luck alone decided between the hands still in."""
    last = hand.acts[-1].street if hand.acts else 0
    return len(hand.board) == 5 and last < 3


def contributions(hand: Hand) -> list[int]:
    """Chips that each seat put into the pots, without bets that nobody called."""
    return [chips - back for chips, back in zip(*put_in(hand), strict=True)]


def expected_net(hand: Hand, chance: Chance, samples: int) -> list[float]:
    """Chips won or lost by each seat, with a board that was run out replaced by all boards that could have come."""
    if not ran_out(hand):
        return [float(after - stack) for after, stack in zip(hand.after, hand.stacks, strict=True)]
    put = contributions(hand)
    live = in_at_the_end(hand)
    pots = [(pot.amount, [live.index(seat) for seat in pot.seats]) for pot in pots_of(put, live)]
    turned = hand.board[: _ON_BOARD[hand.acts[-1].street if hand.acts else 0]]
    # Folded cards cannot come either, and who folds what is no accident: without them the mean of the luck is not zero.
    dead = [card for seat, cards in enumerate(hand.holes) if seat not in live for card in cards]
    held = [hand.holes[seat] for seat in live]
    worth = equities(held, turned, pots, chance=chance, samples=samples, dead=dead)
    net = [-float(chips) for chips in put]
    for seat, chips in zip(live, worth, strict=True):
        net[seat] += float(chips)
    return net


# --------------------------------------------------------------------- timeline


class Point(NamedTuple):
    """A decision and how things stood before it.

    Attributes:
        done: what was decided.
        pot: chips in the middle.
        to_call: what a call cost.
        equity: share of the pot of every seat still in, as somebody who sees all cards knows it: what it would win on
            average if nobody acted any more.
    """

    done: Done
    pot: int
    to_call: int
    equity: dict[int, float]


def equity_timeline(hand: Hand, chance: Chance, samples: int = 2_000) -> list[Point]:
    """All decisions of a hand with the equities before each: exact from the flop on, else of ``samples`` boards."""
    known: dict[tuple[int, tuple[int, ...]], dict[int, float]] = {}
    points = []
    for done, pot, to_call, live in _situations(hand):
        key = (done.act.street, live)
        if key not in known:
            turned = hand.board[: _ON_BOARD[done.act.street]]
            pots = [(1, range(len(live)))]
            worth = equities([hand.holes[i] for i in live], turned, pots, chance=chance, samples=samples)
            known[key] = dict(zip(live, map(float, worth), strict=True))
        points.append(Point(done, pot, to_call, known[key]))
    return points


def _situations(hand: Hand) -> Iterator[tuple[Done, int, int, tuple[int, ...]]]:
    """Every act with the pot, the cost of a call and the seats still in before it."""
    antes, bets = posted(hand)
    pot = sum(antes) + sum(bets)
    behind = [stack - a - b for stack, a, b in zip(hand.stacks, antes, bets, strict=True)]
    live = [seat for seat, cards in enumerate(hand.holes) if cards]
    street = 0
    for done in followed(hand):
        seat = done.act.seat
        if done.act.street != street:
            street, bets = done.act.street, [0] * len(bets)
        yield done, pot, min(behind[seat], max(bets) - bets[seat]), tuple(live)
        pot, bets[seat], behind[seat] = pot + done.put, bets[seat] + done.put, behind[seat] - done.put
        if done.act.kind == "fold":
            live.remove(seat)
