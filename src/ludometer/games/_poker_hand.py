"""What happened in a hand of hold'em, and what everybody sees of it: plain records.

The cards of seat i in a deck are its places 2i and 2i + 1, and the board begins at `BOARD_AT`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple, TypeAlias

from ludometer.core import InternalError, Json

__all__ = [
    "BOARD_AT",
    "CARDS",
    "STREETS",
    "Act",
    "Done",
    "Hand",
    "Kind",
    "Pot",
    "Table",
    "cards_of",
    "dealt_order",
    "dumped",
    "followed",
    "holes_of",
    "in_at_the_end",
    "loaded",
    "masked",
    "positions",
    "posted",
    "pots_of",
    "put_in",
]

Kind: TypeAlias = Literal["fold", "check", "call", "bet", "raise"]

CARDS = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")
STREETS = ("preflop", "flop", "turn", "river")
BOARD_AT = 20
"""Where the board begins in a deck. Seats have their places whoever sits at the table and wherever the button is, so
that two matches with the same luck deal the same cards to the same seats."""

_ON_BOARD = (0, 3, 4, 5)


class Act(NamedTuple):
    """What a seat (numbered from 0) did on a street (0 to 3).

    ``amount``: for a bet or raise what it goes to, in total on this street; for a call the chips put in; else 0.
    """

    seat: int
    kind: Kind
    amount: int
    street: int


class Hand(NamedTuple):
    """A hand, finished or not. Tuples with one entry per seat have an empty or zero entry for seats that are out.

    Attributes:
        number: from 0.
        button: the seat of the button.
        blinds: small and big.
        stacks: before antes and blinds.
        holes: the two cards of each seat; empty where none were dealt or they are not known.
        acts: in order.
        board: the cards turned so far.
        shown: seats that showed their cards, in order.
        won: chips taken from pots, bets that nobody called aside; empty while the hand goes on.
        after: stacks after the hand; empty while it goes on.
    """

    number: int
    button: int
    blinds: tuple[int, int]
    ante: int
    stacks: tuple[int, ...]
    holes: tuple[tuple[str, ...], ...]
    acts: tuple[Act, ...] = ()
    board: tuple[str, ...] = ()
    shown: tuple[int, ...] = ()
    won: tuple[int, ...] = ()
    after: tuple[int, ...] = ()

    @property
    def street(self) -> int:
        """0 before the flop, 3 on the river."""
        return _ON_BOARD.index(len(self.board))


class Pot(NamedTuple):
    """Chips of earlier streets, and the seats that can win them."""

    amount: int
    seats: tuple[int, ...]


class Table(NamedTuple):
    """What everybody at the table sees of a hand, besides the cards.

    Attributes:
        actor: the seat to act; None when the hand is over.
        stacks: chips behind.
        bets: chips put in on this street.
        live: whether each seat still holds cards.
        pots: main pot and side pots, without the bets of this street.
        full_raise: the smallest full bet or raise on this street.
        reopened: whether the actor has not acted on this street, or faces at least a full raise since it did.
    """

    actor: int | None
    stacks: tuple[int, ...]
    bets: tuple[int, ...]
    live: tuple[bool, ...]
    pots: tuple[Pot, ...]
    full_raise: int
    reopened: bool

    @property
    def highest(self) -> int:
        """The largest bet on this street."""
        return max(self.bets)

    @property
    def pot(self) -> int:
        """All chips in the middle, the bets of this street among them."""
        return sum(pot.amount for pot in self.pots) + sum(self.bets)

    @property
    def to_call(self) -> int:
        """Chips that a call costs the actor: at most its stack."""
        seat = self._seat()
        return min(self.stacks[seat], self.highest - self.bets[seat])

    @property
    def raises_to(self) -> tuple[int, int] | None:
        """Smallest and largest amount the actor may bet or raise to; None where it may not.

        The smallest is a full raise above the highest bet, or all chips where that is less.
        """
        seat = self._seat()
        if not self.reopened or not self.answerable or self.stacks[seat] <= self.highest - self.bets[seat]:
            return None
        most = self.stacks[seat] + self.bets[seat]
        return min(most, self.highest + self.full_raise), most

    @property
    def answerable(self) -> bool:
        """Whether anybody else has chips left to answer a bet or raise with."""
        return any(
            self.live[i] and self.stacks[i] + self.bets[i] > self.highest
            for i in range(len(self.bets))
            if i != self.actor
        )

    def _seat(self) -> int:
        if self.actor is None:
            raise InternalError("nobody is to act in a hand that is over")
        return self.actor


def dealt_order(hand: Hand) -> list[int]:
    """The seats that play, in the order of dealing: from the left of the button round to the button."""
    n = len(hand.stacks)
    return [seat for k in range(n) if hand.stacks[seat := (hand.button + 1 + k) % n] > 0]


_BETWEEN = (
    (),
    ("UTG",),
    ("UTG", "CO"),
    ("UTG", "HJ", "CO"),
    ("UTG", "UTG+1", "HJ", "CO"),
    ("UTG", "UTG+1", "LJ", "HJ", "CO"),
    ("UTG", "UTG+1", "UTG+2", "LJ", "HJ", "CO"),
    ("UTG", "UTG+1", "UTG+2", "UTG+3", "LJ", "HJ", "CO"),
)
"""Names of the positions between the big blind and the button, by their number."""


def positions(hand: Hand) -> dict[int, str]:
    """Position by seat: SB, BB, UTG, ..., BTN. Heads-up the button is the small blind: ``BTN/SB``."""
    order = dealt_order(hand)
    if len(order) == 2:
        return {order[0]: "BB", order[1]: "BTN/SB"}
    return dict(zip(order, ("SB", "BB", *_BETWEEN[len(order) - 3], "BTN"), strict=True))


# ------------------------------------------------------------------ accounting


class Done(NamedTuple):
    """An act with the chips it put in, and whether they were the seat's last."""

    act: Act
    put: int
    all_in: bool


def posted(hand: Hand) -> tuple[list[int], list[int]]:
    """Antes and blinds by seat, as they were posted: a stack that is too short posts what it has."""
    order = dealt_order(hand)
    antes = [min(hand.ante, stack) for stack in hand.stacks]
    blinds = [0] * len(hand.stacks)
    small, big = (order[1], order[0]) if len(order) == 2 else (order[0], order[1])
    for seat, blind in ((small, hand.blinds[0]), (big, hand.blinds[1])):
        blinds[seat] = min(blind, hand.stacks[seat] - antes[seat])
    return antes, blinds


def followed(hand: Hand) -> Iterator[Done]:
    """The acts of a hand with the chips that each put in."""
    antes, bets = posted(hand)
    behind = [hand.stacks[i] - antes[i] - bets[i] for i in range(len(bets))]
    street = 0
    for one in hand.acts:
        if one.street != street:
            street, bets = one.street, [0] * len(bets)
        put = one.amount - bets[one.seat] if one.kind in ("bet", "raise") else one.amount
        bets[one.seat] += put
        behind[one.seat] -= put
        yield Done(one, put, put > 0 and behind[one.seat] == 0)


def put_in(hand: Hand) -> tuple[list[int], list[int]]:
    """Chips that each seat put in, and how many of them came back at the end: those that nobody else matched."""
    antes, blinds = posted(hand)
    put = [ante + blind for ante, blind in zip(antes, blinds, strict=True)]
    for done in followed(hand):
        put[done.act.seat] += done.put
    most, second = sorted(put)[-1], sorted(put)[-2]
    return put, [chips - second if chips == most else 0 for chips in put]


def in_at_the_end(hand: Hand) -> list[int]:
    """The seats that were dealt in and have not folded, in the order of dealing."""
    folded = {one.seat for one in hand.acts if one.kind == "fold"}
    return [seat for seat in dealt_order(hand) if seat not in folded]


def pots_of(put: Sequence[int], live: Sequence[int]) -> list[Pot]:
    """Main pot and side pots.

    Args:
        put: chips in the pots by seat, without those that nobody else matched.
        live: the seats that have not folded.
    """
    pots = []
    below = 0
    for level in sorted({put[seat] for seat in live}):
        amount = sum(min(chips, level) - min(chips, below) for chips in put)
        if amount:
            pots.append(Pot(amount, tuple(seat for seat in live if put[seat] >= level)))
        below = level
    return pots


# ------------------------------------------------------------ cards and secrets


def cards_of(text: str) -> tuple[str, ...]:
    """``AhKd`` as two cards."""
    return tuple(text[i : i + 2] for i in range(0, len(text), 2))


def holes_of(deck: Sequence[str], stacks: Sequence[int]) -> tuple[tuple[str, ...], ...]:
    """The hole cards of every seat that plays."""
    return tuple((deck[2 * i], deck[2 * i + 1]) if stack else () for i, stack in enumerate(stacks))


def masked(hand: Hand, own: int) -> Hand:
    """The hand without the cards that one seat does not know: those of others that were not shown."""
    return hand._replace(holes=tuple(c if i == own or i in hand.shown else () for i, c in enumerate(hand.holes)))


def dumped(hand: Hand) -> Json:
    """The hand as JSON."""
    return {
        **{name: getattr(hand, name) for name in ("number", "button", "ante")},
        **{name: list(getattr(hand, name)) for name in ("blinds", "stacks", "shown", "won", "after")},
        "holes": ["".join(cards) for cards in hand.holes],
        "acts": [list(act) for act in hand.acts],
        "board": "".join(hand.board),
    }


def loaded(data: Json) -> Hand:
    """The hand that `dumped` wrote."""
    small, big = data["blinds"]
    return Hand(
        data["number"],
        data["button"],
        (small, big),
        data["ante"],
        tuple(data["stacks"]),
        tuple(cards_of(cards) for cards in data["holes"]),
        tuple(Act(*act) for act in data["acts"]),
        cards_of(data["board"]),
        tuple(data["shown"]),
        tuple(data["won"]),
        tuple(data["after"]),
    )
