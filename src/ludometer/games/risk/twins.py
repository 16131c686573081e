"""Pairs of positions that a seat must not be able to tell apart, made without a look at what seats observe."""

from __future__ import annotations

from ludometer.core import Chance, Seat
from ludometer.games.risk.settings import Settings
from ludometer.games.risk.setup import start
from ludometer.games.risk.state import Log, State
from ludometer.games.risk.turns import begin_turn

__all__ = ["twins"]


def twins(settings: Settings) -> list[tuple[State, State, Seat]]:
    """Positions that differ in the cards of other hands, in the order of the deck, and in the luck to come."""
    base = _begun(settings)
    deal = [base.deck[i : i + 3] for i in (0, 3, 6)]
    rest = base.deck[9:]
    one = _dealt(base, (deal[0], deal[1], deal[2]), rest)
    # For player 1: players 2 and 3 hold each other's cards, and the deck is turned over.
    other = _dealt(base, (deal[0], deal[2], deal[1]), rest[::-1])
    # For player 2, not to act: player 1 drew three cards that are still in the deck in the other position.
    third = _dealt(base, (rest[:3], deal[1], deal[2]), (*deal[0], *rest[3:]))
    luck = one._replace(chance=one.chance.named("another"))
    return [(one, other, "1"), (one, third, "2"), (one, luck, "3"), *_captured(one)]


def _begun(settings: Settings) -> State:
    """The first turn of three players, without a set-up."""
    dealt = start(settings._replace(placement="dealt"), 3, Chance.from_seed("twins"))
    return begin_turn(settings.board, dealt._replace(log=()), 0, 3)


def _dealt(base: State, hands: tuple[tuple[int, ...], ...], deck: tuple[int, ...]) -> State:
    drawn = tuple(Log("drew", player, (card,)) for player, hand in enumerate(hands) for card in hand)
    return base._replace(hands=tuple(tuple(sorted(hand)) for hand in hands), deck=deck, log=(*drawn, *base.log))


def _captured(base: State) -> list[tuple[State, State, Seat]]:
    """Player 2 eliminated player 3 and took a card, which player 1 has not seen."""
    pairs = []
    for card in base.hands[2][:2]:
        owners = tuple(1 if owner == 2 else owner for owner in base.owners)
        hands = (base.hands[0], tuple(sorted((*base.hands[1], card))), ())
        deck = (*(other for other in base.hands[2] if other != card), *base.deck)
        log = (*base.log[3:6], Log("out", 1, (2, 1)), Log("took", 1, (card,)))
        pairs.append(base._replace(owners=owners, hands=hands, deck=deck, out=(2,), log=(*log, *base.log[9:])))
    return [(pairs[0], pairs[1], "1")]
