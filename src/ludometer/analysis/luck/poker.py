"""Poker: the luck of the deal, of cards on the board, and of boards that are run out, hand by hand.

All in chips as shares of the stack at the start, and with all hole cards known, folded ones among them: those are not
in the deck, and who folds what is no accident.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final

from ludometer.analysis.poker_hands import expected_net, ran_out
from ludometer.core import AnyGame, Chance
from ludometer.games._poker_hand import Hand, dealt_order, followed, posted
from ludometer.games.poker import Poker, PokerState
from ludometer.solvers.poker_equity import equities

__all__ = ["BoardLuck", "board_luck", "deal_luck"]

_ON_BOARD: Final = (0, 3, 4, 5)
_SAMPLES: Final = 200
_RUN_OUT: Final = 1_000


class BoardLuck:
    """Of every hand: the equity of the hole cards at the deal, less an equal share; what each card of the board, turned
    while players still decided, changed of the equity in the pot as it was; and what a board that was run out gave
    beyond the mean of all boards."""

    name: ClassVar[str] = "poker"
    titles: Sequence[str] = ("deal", "board", "all-ins run out")

    def refuses(self, game: AnyGame) -> str | None:
        return None if isinstance(game, Poker) else ""

    def terms(self, game: Poker, states: Sequence[PokerState], luck: Chance) -> Sequence[Sequence[float]]:
        last = states[-1]
        hands = [*last.past, *([last.hand] if last.hand else [])]
        found = [[0.0, 0.0, 0.0] for _ in hands[0].stacks]
        for hand in hands:
            chance = luck.named("hand", hand.number)
            for seat, gain in enumerate(deal_luck(hand, chance.named("deal"))):
                found[seat][0] += gain / game.starting_chips
            for seat, gain in enumerate(board_luck(hand, chance.named("board"))):
                found[seat][1] += gain / game.starting_chips
            if hand.after and ran_out(hand):
                mean = expected_net(hand, chance.named("run out"), _RUN_OUT)
                for seat, (after, stack) in enumerate(zip(hand.after, hand.stacks, strict=True)):
                    found[seat][2] += (after - stack - mean[seat]) / game.starting_chips
        return found


def deal_luck(hand: Hand, chance: Chance) -> list[float]:
    """By seat, in chips: the share of boards that its cards win against all others, less an equal share, times the big
    blind. Every seat's cards are as likely as every other's, so that the mean is zero."""
    seats = dealt_order(hand)
    pots = [(hand.blinds[1], range(len(seats)))]
    worth = equities([hand.holes[i] for i in seats], (), pots, chance=chance, samples=_SAMPLES)
    found = [0.0] * len(hand.stacks)
    for seat, chips in zip(seats, worth, strict=True):
        found[seat] = float(chips) - hand.blinds[1] / len(seats)
    return found


def board_luck(hand: Hand, chance: Chance) -> list[float]:
    """By seat, in chips: what the cards changed of its equity in the pot that they came to. A board that is run out
    after the last decision is counted elsewhere."""
    found = [0.0] * len(hand.stacks)
    known: dict[tuple[int, tuple[int, ...]], list[float]] = {}
    for street, pot, live in _streets(hand):
        for turned, sign in ((_ON_BOARD[street - 1], -1), (_ON_BOARD[street], 1)):
            key = (turned, live)
            if key not in known:
                dead = [hand.holes[i] for i in range(len(hand.holes)) if hand.holes[i] and i not in live]
                worth = equities(
                    [hand.holes[i] for i in live],
                    hand.board[:turned],
                    [(1, range(len(live)))],
                    chance=chance,
                    samples=_SAMPLES,
                    dead=[card for cards in dead for card in cards],
                )
                known[key] = [float(share) for share in worth]
            for seat, share in zip(live, known[key], strict=True):
                found[seat] += sign * pot * share
    return found


def _streets(hand: Hand) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """Every later street on which somebody acted: its number, the pot it began with, and the seats still in."""
    antes, bets = posted(hand)
    pot, street = sum(antes) + sum(bets), 0
    live = dealt_order(hand)
    for done in followed(hand):
        while street < done.act.street:
            street += 1
            yield street, pot, tuple(live)
        pot += done.put
        if done.act.kind == "fold":
            live.remove(done.act.seat)
    # Cards that came, in a hand that is not over, before anybody acted on them.
    while not hand.after and street < hand.street:
        street += 1
        yield street, pot, tuple(live)
