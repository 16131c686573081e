"""Hands set up by hand: stacks, cards and board as a test wants them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from ludometer.core import Chance, Illegal
from ludometer.games._poker_hand import BOARD_AT, CARDS, Hand, dumped, holes_of
from ludometer.games.poker import Poker, PokerState


class Dealt:
    """One hand at a table, played by text. Seats are numbered from 0; the match ends with the hand."""

    def __init__(
        self,
        stacks: Sequence[int],
        holes: Sequence[str] = (),
        board: str = "",
        *,
        button: int = 0,
        blinds: tuple[int, int] = (10, 20),
        ante: int = 0,
        **options: Any,
    ) -> None:
        options = {"hands": 1, **options}
        self.game = Poker(small_blind=blinds[0], big_blind=blinds[1], ante=ante, **options)
        self.stacks = tuple(stacks)
        deck = self.deck = deck_of(holes, board)
        hand = Hand(0, button, blinds, ante, self.stacks, holes_of(deck, self.stacks))
        written = {"chance": list(Chance(1)), "deck": "".join(deck), "hand": dumped(hand), "past": []}
        self.state: PokerState = self.game.load(json.loads(json.dumps(written)))

    @property
    def actor(self) -> int | None:
        seats = self.game.to_act(self.state)
        return int(seats[0]) - 1 if seats else None

    @property
    def table(self) -> Any:
        assert self.state.table is not None
        return self.state.table

    @property
    def hand(self) -> Hand:
        return self.state.hand or self.state.past[-1]

    def play(self, *texts: str) -> Dealt:
        """Each text is what the seat to act says."""
        for text in texts:
            (seat,) = self.game.to_act(self.state)
            action = self.game.parse(self.state, seat, text)
            self.game.check(self.state, seat, action)
            self.state = self.game.apply(self.state, {seat: action})
        return self

    def refusal(self, text: str) -> str:
        """The kind of `Illegal` that a text meets."""
        return self.error(text).kind

    def error(self, text: str) -> Illegal:
        (seat,) = self.game.to_act(self.state)
        try:
            self.game.check(self.state, seat, self.game.parse(self.state, seat, text))
        except Illegal as error:
            return error
        raise AssertionError(f"{text!r} is legal")


def deck_of(holes: Sequence[str], board: str) -> tuple[str, ...]:
    """A deck with these cards in their places; a seat without named cards gets any."""
    places = {2 * i + k: cards[2 * k : 2 * k + 2] for i, cards in enumerate(holes) for k in range(2) if cards}
    places |= {BOARD_AT + k: board[2 * k : 2 * k + 2] for k in range(len(board) // 2)}
    assert len(set(places.values())) == len(places), "a card is there twice"
    rest = iter(card for card in CARDS if card not in places.values())
    return tuple(places[k] if k in places else next(rest) for k in range(len(CARDS)))
