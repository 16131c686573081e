"""What a seat can imagine: the cards it has not seen, dealt anew; and states that it must not be able to tell apart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from ludometer.core import Chance
from ludometer.games.uno.cards import DECK, TYPES, playable_cards
from ludometer.games.uno.state import Options, Record, State, applied, deal, legal_actions, winners

__all__ = ["face_up", "imagined", "twins", "unseen"]

_ALL = (1 << TYPES) - 1


def face_up(state: State) -> list[int]:
    """Every card that lies or lay open: turned over at the start, then played, in order."""
    return [*state.turned, *(record.value for record in state.history if record.kind == "card")]


def unseen(state: State, seat: int) -> list[int]:
    """The cards that a seat sees neither in its hand nor on the discard pile, sorted."""
    left = Counter(DECK) - Counter(face_up(state)) - Counter(state.hands[seat])
    return sorted(left.elements())


def imagined(state: State, seat: int, chance: Chance) -> State:
    """The state with everything that ``seat`` does not know drawn anew.

    The places in other hands about which most is known are dealt first, each a card drawn uniformly from those that
    it may be. With one opponent all deals that agree with ``absent`` are then equally likely, because the sets of a
    hand are nested; with several opponents that is so only nearly. Where no card is left that a place may be, it gets
    any. That a hand held a card of some colour (an illegal Wild Draw Four) is not used.
    """
    pool = unseen(state, seat)
    luck = chance.named("imagined")
    hands = [list(hand) if i == seat else [] for i, hand in enumerate(state.hands)]
    drawn: tuple[int, ...] = ()
    for place in _places(state, seat):
        card, luck = _drawn_from(pool, place[1], luck)
        pool.remove(card)
        hands[place[0]].append(card)
        if place[2]:
            drawn = (card,)
    pile, _ = luck.shuffled(pool)
    return state._replace(
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        pile=pile,
        history=_as_witnessed(state, seat, drawn),
    )


def _places(state: State, seat: int) -> list[tuple[int, int, bool]]:
    """The places in other hands: whose, the set of cards that it is not, and whether it is the card just drawn."""
    places = []
    for other, absent in enumerate(state.absent):
        if other == seat:
            continue
        known = list(absent)
        if state.phase == "drawn" and other == state.player:
            # Everybody sees that the card just drawn may be played: otherwise there would be no decision.
            known.pop()
            places.append((other, _ALL & ~playable_cards(state.top, state.colour), True))
        places += [(other, excluded, False) for excluded in known]
    return sorted(places, key=lambda place: (-place[1].bit_count(), place[0]))


def _drawn_from(pool: Sequence[int], excluded: int, luck: Chance) -> tuple[int, Chance]:
    return luck.choice([card for card in pool if not excluded >> card & 1] or pool)


def _as_witnessed(state: State, seat: int, drawn: tuple[int, ...]) -> tuple[Record, ...]:
    """The history without the cards that others drew; ``drawn`` stands for the last of them where it may be played."""
    history = [record if record.seat == seat else record._replace(cards=()) for record in state.history]
    if drawn:
        history[-1] = history[-1]._replace(cards=drawn)
    return tuple(history)


# ----------------------------------------------------------------------- twins


def twins(options: Options) -> list[tuple[State, State, str]]:
    """Pairs of states that differ only in cards that a seat has not seen.

    A pair is a random game, and the same game from a deck in which hidden cards have changed places: cards of other
    hands with cards of the pile, and cards within the pile.
    """
    pairs = []
    for i, (n, length) in enumerate(((2, 0), (2, 9), (2, 30), (3, 6), (4, 12), (10, 5), (3, 21))):
        chance = Chance.from_seed("twins").named(i)
        state = _played(deal(n, chance, options), length, chance, options)
        for seat in range(n):
            other = _swapped(state, seat, chance.named("swap", seat))
            if other != state:
                pairs.append((state, other, str(seat + 1)))
    return pairs


def _played(state: State, length: int, chance: Chance, options: Options) -> State:
    for step in range(length):
        action, _ = chance.named("step", step).choice(legal_actions(state))
        after = applied(state, action, options)
        if winners(after, options):
            break
        state = after
    return state


def _swapped(state: State, seat: int, chance: Chance) -> State:
    """The state with one hidden card of every other hand exchanged for a card of the pile, and the pile turned round.

    Only cards of which nothing is known change places.
    """
    hands, pile, history = list(state.hands), list(state.pile), list(state.history)
    for other, hand in enumerate(state.hands):
        if other == seat or not hand or not pile or (state.phase == "drawn" and other == state.player):
            continue
        missing = _known_missing(state, other)
        free = [card for card in hand if not missing >> card & 1]
        new = [k for k, card in enumerate(pile) if not missing >> card & 1]
        if not free or not new:
            continue
        old, _ = chance.named("old", other).choice(free)
        k, _ = chance.named("new", other).choice(new)
        hands[other] = tuple(sorted(_replaced(hand, old, pile[k])))
        history = [_redrawn(record, other, old, pile[k]) for record in history]
        pile[k] = old
    return state._replace(hands=tuple(hands), pile=tuple(reversed(pile)), history=tuple(history))


def _known_missing(state: State, other: int) -> int:
    """Cards of which somebody may know that some part of the hand lacks them."""
    known = 0
    for excluded in state.absent[other]:
        known |= excluded
    return known


def _replaced(cards: Iterable[int], old: int, new: int) -> list[int]:
    changed = list(cards)
    changed[changed.index(old)] = new
    return changed


def _redrawn(record: Record, seat: int, old: int, new: int) -> Record:
    if record.seat != seat or old not in record.cards:
        return record
    return record._replace(cards=tuple(_replaced(record.cards, old, new)))
