"""pokerkit's rules of a hand of no-limit hold'em.

pokerkit's state follows from a `Hand` and its deck. Every card is dealt by name, because pokerkit would otherwise
shuffle with the process-wide generator.

Where pokerkit differs from the rule that only a full bet or raise reopens the betting (Tournament Directors
Association, rules of 2024: an all-in of less than the minimum bet, with no raise before it, reopens it there), the rule
is kept here: `Table.raises_to` decides, not pokerkit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import eval7
from pokerkit import Automation, Card, NoLimitTexasHoldem, State
from pokerkit.state import HoleCardsShowingOrMucking

from ludometer.core import InternalError
from ludometer.games._poker_hand import (
    BOARD_AT,
    CARDS,
    Act,
    Hand,
    Kind,
    Pot,
    Table,
    dealt_order,
    in_at_the_end,
    posted,
    pots_of,
    put_in,
)

__all__ = ["Engine", "act", "play_out", "rebuilt", "table_of"]

Engine: TypeAlias = State

_AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
_EVAL_CARDS = {card: eval7.Card(card) for card in CARDS}
_PK_CARDS = {card: next(iter(Card.parse(card))) for card in CARDS}


class _Table(State):
    """pokerkit's state without the cards that it would shuffle back into an empty deck: no deck gets empty here, and it
    shuffles them with the process-wide generator whenever it looks how many there are."""

    @property
    def reserved_cards(self) -> Iterator[Card]:
        return iter(())


def _started(hand: Hand, deck: Sequence[str]) -> Engine:
    """pokerkit's state with antes and blinds posted and hole cards dealt. Its players follow `dealt_order`."""
    order = dealt_order(hand)
    stacks = tuple(hand.stacks[seat] for seat in order)
    rules = NoLimitTexasHoldem((), True, hand.ante, hand.blinds, hand.blinds[1])
    # Without a deck, which would be shuffled, and without automations, which would deal from it at once.
    engine = _Table(
        (),
        (),  # type: ignore[arg-type]  # an empty tuple is a deck of no cards
        rules.hand_types,
        rules.streets,
        rules.betting_structure,
        rules.ante_trimming_status,
        rules.raw_antes,
        rules.raw_blinds_or_straddles,
        rules.bring_in,
        stacks,
        len(order),
        mode=rules.mode,
        starting_board_count=rules.starting_board_count,
        divmod=rules.divmod,
        rake=rules.rake,
    )
    engine.deck_cards.extend(_PK_CARDS[card] for card in deck)
    engine.automations = _AUTOMATIONS
    if hand.ante:
        engine.post_ante()
    else:
        engine.post_blind_or_straddle()
    for player, seat in enumerate(order):
        engine.deal_hole((_PK_CARDS[deck[2 * seat]], _PK_CARDS[deck[2 * seat + 1]]), player)
    _turn_board(engine, deck)
    return engine


def _turn_board(engine: Engine, deck: Sequence[str]) -> None:
    """Deals board cards until somebody is to act or the hand is over."""
    while engine.status and not engine.actor_indices:
        if engine.card_burning_status:
            engine.burn_card("??")
            continue
        turned = sum(map(len, engine.board_cards))
        count = engine.board_dealing_count
        if count is None:
            raise InternalError("a hand of poker neither goes on nor ends")
        place = BOARD_AT + turned
        engine.deal_board(tuple(_PK_CARDS[card] for card in deck[place : place + count]))


def _play(engine: Engine, kind: Kind, amount: int, deck: Sequence[str]) -> None:
    if kind == "fold":
        engine.fold()
    elif kind in ("check", "call"):
        engine.check_or_call()
    else:
        # Whether a short all-in reopened the betting was decided by `Table.raises_to`.
        engine.consecutive_short_all_in_amounts.clear()
        engine.complete_bet_or_raise_to(amount)
    _turn_board(engine, deck)


def play_out(hand: Hand, deck: Sequence[str]) -> tuple[Hand, Engine]:
    """A hand at its start, dealt: the hand goes on to the first decision, or to its end where nobody has one."""
    engine = _started(hand, deck)
    return _recorded(hand, engine), engine


def rebuilt(hand: Hand, deck: Sequence[str]) -> Engine:
    """pokerkit's state after everything that happened in a hand."""
    engine = _started(hand, deck)
    for one in hand.acts:
        _play(engine, one.kind, one.amount, deck)
    return engine


def act(hand: Hand, engine: Engine, deck: Sequence[str], kind: Kind, amount: int) -> Hand:
    """The hand after a legal decision of the seat to act. The engine moves on: it is this hand's no more, but the
    result's."""
    player = engine.actor_index
    if player is None:
        raise InternalError("nobody is to act in a hand that is over")
    done = int(engine.checking_or_calling_amount or 0) if kind == "call" else amount
    one = Act(dealt_order(hand)[player], kind, done, hand.street)
    _play(engine, kind, amount, deck)
    return _recorded(hand._replace(acts=(*hand.acts, one)), engine)


def _recorded(hand: Hand, engine: Engine) -> Hand:
    """The hand with the board and, where it is over, its result."""
    hand = hand._replace(board=tuple(repr(card) for cards in engine.board_cards for card in cards))
    if engine.status:
        return hand
    order = dealt_order(hand)
    shown = tuple(
        order[operation.player_index]
        for operation in engine.operations
        if isinstance(operation, HoleCardsShowingOrMucking) and operation.hole_cards
    )
    won = _paid(hand)
    put, back = put_in(hand)
    after = tuple(stack - put[i] + back[i] + won[i] for i, stack in enumerate(hand.stacks))
    return hand._replace(shown=shown, won=tuple(won), after=after)


def _paid(hand: Hand) -> list[int]:
    """What each seat wins: every pot goes to the best hands among those that put in for it.

    Each pot is split by itself, and what cannot be split goes to the first of the winners left of the button. (pokerkit
    pays the same, except that it takes side pots together once the hands between them are mucked, which can move a
    chip.)
    """
    put, back = put_in(hand)
    live = in_at_the_end(hand)
    won = [0] * len(put)
    strength = {seat: _strength(hand, seat) if len(live) > 1 else 0 for seat in live}
    for pot in pots_of([chips - less for chips, less in zip(put, back, strict=True)], live):
        best = max(strength[seat] for seat in pot.seats)
        winners = [seat for seat in pot.seats if strength[seat] == best]
        share, odd = divmod(pot.amount, len(winners))
        for seat in winners:
            won[seat] += share
        won[winners[0]] += odd
    return won


def _strength(hand: Hand, seat: int) -> int:
    """The larger, the better the best five of the seat's and the board's cards."""
    return int(eval7.evaluate([_EVAL_CARDS[card] for card in (*hand.holes[seat], *hand.board)]))


def table_of(hand: Hand, engine: Engine) -> Table:
    """The table as the engine has it."""
    order = dealt_order(hand)
    n = len(hand.stacks)
    actor = None if engine.actor_index is None else order[engine.actor_index]
    bets = _by_seat(order, engine.bets, n)
    full, since = _betting(hand)
    return Table(
        actor=actor,
        stacks=_by_seat(order, engine.stacks, n),
        bets=bets,
        live=tuple(bool(value) for value in _by_seat(order, engine.statuses, n)),
        pots=tuple(Pot(int(pot.amount), tuple(order[i] for i in pot.player_indices)) for pot in engine.pots),
        full_raise=full,
        reopened=actor not in since or max(bets) - bets[actor or 0] >= full,
    )


def _by_seat(order: Sequence[int], values: Sequence[Any], n: int) -> tuple[int, ...]:
    found = [0] * n
    for seat, value in zip(order, values, strict=True):
        found[seat] = int(value)
    return tuple(found)


def _betting(hand: Hand) -> tuple[int, set[int]]:
    """The smallest full raise on this street, and the seats that acted on it.

    A raise is full when it adds at least as much as the full raise before it, and at least the big blind.
    """
    own = [one for one in hand.acts if one.street == hand.street]
    full = hand.blinds[1]
    level = max(posted(hand)[1]) if hand.street == 0 else 0
    for one in own:
        if one.kind in ("bet", "raise"):
            full = max(full, one.amount - level)
            level = one.amount
    return full, {one.seat for one in own}
