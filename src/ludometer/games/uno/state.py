"""The state of a game of UNO and how it changes: the rules as pure functions."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ludometer.core import Chance
from ludometer.games.uno.cards import (
    COLOUR_CARDS,
    DECK,
    DRAW_TWO,
    REVERSE,
    SKIP,
    WILD,
    WILD_DRAW_FOUR,
    playable_cards,
    rank_of,
)

__all__ = ["Action", "Kind", "Options", "Phase", "Record", "State", "applied", "deal", "legal_actions", "winners"]

Kind: TypeAlias = Literal["card", "draw", "keep", "colour", "challenge"]
Phase: TypeAlias = Literal["card", "drawn", "colour", "challenge"]


class Options(NamedTuple):
    """House rules where the published description is silent (see `ludometer.games.uno.Uno` for each)."""

    two_player_reverse: Literal["again", "pass"] = "again"
    drawn_card: Literal["keep", "may_play"] = "keep"
    last_card_effect: bool = False
    forced_draw: Literal["auto", "ask"] = "auto"


class Action(NamedTuple):
    """A decision.

    Attributes:
        kind: ``card`` (play it), ``draw``, ``keep`` (a card just drawn), ``colour`` (choose it), ``challenge``.
        value: the card type, the colour's index, or 1 to challenge and 0 not to.
    """

    kind: Kind
    value: int = 0


class Record(NamedTuple):
    """One thing that happened. ``cards`` are seen by the seat only, their number by everybody.

    Attributes:
        seat: index of who did it, or whom it happened to.
        kind: an action's kind; ``cannot`` (nothing to play, draws), ``takes`` (draws a penalty), ``guilty`` and
            ``innocent`` (of an illegal Wild Draw Four, found by a challenge), ``skipped``, ``reverse``.
        value: as in `Action`; the number of cards drawn; the index of the colour that was asked for in a challenge.
        cards: drawn, in the order of the pile.
    """

    seat: int
    kind: str
    value: int = 0
    cards: tuple[int, ...] = ()


class State(NamedTuple):
    """
    Attributes:
        hands: by seat, each sorted.
        pile: the draw pile, the next card first.
        turned: cards turned over at the start, the number card that starts the discard pile last.
        top, colour: of the discard pile, and the colour in force.
        player, direction: index of the seat that is to act, and 1 (clockwise) or -1.
        phase: which decision it is.
        before: the colour in force before the wild card that was played last.
        absent: by seat, for every card held the set of types that everybody knows it is not, sorted, the largest set
            first: who draws for want of a card to play shows what is missing from the hand.
        history: everything so far.
    """

    hands: tuple[tuple[int, ...], ...]
    pile: tuple[int, ...]
    turned: tuple[int, ...]
    top: int
    colour: int
    player: int
    direction: int
    phase: Phase
    before: int
    absent: tuple[tuple[int, ...], ...]
    history: tuple[Record, ...]

    @property
    def n(self) -> int:
        return len(self.hands)

    def seat_after(self, seat: int, steps: int = 1) -> int:
        """The seat that many places on in the direction of play."""
        return (seat + steps * self.direction) % len(self.hands)


def deal(n: int, chance: Chance, options: Options) -> State:
    """Seven cards each, clockwise, then cards are turned until a number card starts the discard pile."""
    deck, _ = chance.named("deck").shuffled(DECK)
    hands = tuple(tuple(sorted(deck[seat : 7 * n : n])) for seat in range(n))
    rest = deck[7 * n :]
    first = next(i for i, card in enumerate(rest) if card < WILD and card % 13 < 10)
    top = rest[first]
    state = State(
        hands=hands,
        pile=rest[first + 1 :],
        turned=rest[: first + 1],
        top=top,
        colour=top // 13,
        player=0,
        direction=1,
        phase="card",
        before=top // 13,
        absent=((0,) * 7,) * n,
        history=(),
    )
    return _settled(state, options)


def winners(state: State, options: Options) -> tuple[int, ...]:
    """The seats that have won; none while the game goes on.

    A hand that is empty wins. Where a last card still takes effect, that is so once the effect is over. With the pile
    exhausted the smallest hands win.
    """
    sizes = [len(hand) for hand in state.hands]
    smallest = min(sizes)
    if smallest == 0 and (state.phase == "card" or not options.last_card_effect):
        return tuple(i for i, size in enumerate(sizes) if size == 0)
    if not state.pile:
        return tuple(i for i, size in enumerate(sizes) if size == smallest)
    return ()


def legal_actions(state: State) -> list[Action]:
    """What the seat to act may do; identical cards are one action."""
    if state.phase == "colour":
        return [Action("colour", colour) for colour in range(4)]
    if state.phase == "challenge":
        return [Action("challenge", 1), Action("challenge", 0)]
    if state.phase == "drawn":
        return [Action("card", state.history[-1].cards[0]), Action("keep")]
    fitting = playable_cards(state.top, state.colour)
    hand = state.hands[state.player]
    playable = [card for i, card in enumerate(hand) if fitting >> card & 1 and card not in hand[:i]]
    return [Action("card", card) for card in playable] or [Action("draw")]


def applied(state: State, action: Action, options: Options) -> State:
    """The state after a legal action, with everything that follows from it without a decision."""
    if action.kind == "card":
        after = _play(state, action.value, options)
    elif action.kind == "draw":
        after = _draw_for_want(state, options)
    elif action.kind == "keep":
        after = _turn_to(_noted(state, Record(state.player, "keep")), state.seat_after(state.player))
    elif action.kind == "colour":
        after = _choose(state, action.value)
    else:
        after = _challenge(state, challenged=bool(action.value))
    return _settled(after, options)


def _settled(state: State, options: Options) -> State:
    """Draws for seats that cannot play, where they are not asked to, until somebody has a decision to make."""
    while options.forced_draw == "auto" and state.phase == "card" and not winners(state, options):
        fitting = playable_cards(state.top, state.colour)
        if any(fitting >> card & 1 for card in state.hands[state.player]):
            break
        state = _draw_for_want(state, options)
    return state


# ------------------------------------------------------------------------ steps


def _play(state: State, card: int, options: Options) -> State:
    player = state.player
    hand = state.hands[player]
    place = hand.index(card)
    state = state._replace(
        hands=_with(state.hands, player, hand[:place] + hand[place + 1 :]),
        absent=_with(state.absent, player, _without(state.absent[player], card)),
        top=card,
        phase="card",
        history=(*state.history, Record(player, "card", card)),
    )
    rank = rank_of(card)
    if rank is None:
        state = state._replace(before=state.colour)
    else:
        state = state._replace(colour=card // 13)
    if len(hand) == 1 and not options.last_card_effect:
        return state
    if rank is None:
        return state._replace(phase="colour")
    return _function(state, rank, options)


def _function(state: State, rank: int, options: Options) -> State:
    """What a number or function card does to the next seat."""
    player, n = state.player, state.n
    following = state.seat_after(player)
    if rank == REVERSE and n > 2:
        state = _noted(state._replace(direction=-state.direction), Record(player, "reverse"))
        return _turn_to(state, state.seat_after(player))
    if rank == SKIP or (rank == REVERSE and options.two_player_reverse == "again"):
        return _skip(state, following)
    if rank == DRAW_TWO:
        return _skip(_take(state, following, 2, "takes"), following)
    return _turn_to(state, following)


def _choose(state: State, colour: int) -> State:
    state = _noted(state._replace(colour=colour), Record(state.player, "colour", colour))
    phase: Phase = "challenge" if state.top == WILD_DRAW_FOUR else "card"
    return _turn_to(state, state.seat_after(state.player))._replace(phase=phase)


def _challenge(state: State, *, challenged: bool) -> State:
    player = state.player
    accused = state.seat_after(player, -1)
    state = _noted(state, Record(player, "challenge", int(challenged)))
    if not challenged:
        return _skip(_take(state, player, 4, "takes"), player)
    held = COLOUR_CARDS[state.before]
    if any(held >> card & 1 for card in state.hands[accused]):
        state = _take(_noted(state, Record(accused, "guilty", state.before)), accused, 4, "takes")
        return state._replace(phase="card")
    # Everybody learns that the hand has no card of that colour.
    absent = tuple(known | held for known in state.absent[accused])
    state = _noted(state, Record(accused, "innocent", state.before))
    state = state._replace(absent=_with(state.absent, accused, absent))
    return _skip(_take(state, player, 6, "takes"), player)


def _draw_for_want(state: State, options: Options) -> State:
    """One card for a seat that has nothing to play, which shows everybody what the hand lacks."""
    player = state.player
    fitting = playable_cards(state.top, state.colour)
    absent = tuple(known | fitting for known in state.absent[player])
    state = _take(state._replace(absent=_with(state.absent, player, absent)), player, 1, "cannot")
    drawn = state.history[-1].cards
    if options.drawn_card == "may_play" and state.pile:
        if fitting >> drawn[0] & 1:
            return state._replace(phase="drawn")
        # Nobody was asked whether to play it, so it does not fit either.
        state = state._replace(absent=_with(state.absent, player, (*state.absent[player][:-1], fitting)))
    return _turn_to(state, state.seat_after(player))


def _take(state: State, seat: int, count: int, why: str) -> State:
    """Cards from the pile, as many as there are."""
    drawn = state.pile[:count]
    return state._replace(
        hands=_with(state.hands, seat, tuple(sorted(state.hands[seat] + drawn))),
        absent=_with(state.absent, seat, state.absent[seat] + (0,) * len(drawn)),
        pile=state.pile[count:],
        history=(*state.history, Record(seat, why, len(drawn), drawn)),
    )


def _skip(state: State, seat: int) -> State:
    """``seat``, which is next, misses its turn."""
    return _turn_to(_noted(state, Record(seat, "skipped")), state.seat_after(seat))


def _turn_to(state: State, seat: int) -> State:
    return state._replace(player=seat, phase="card")


def _noted(state: State, record: Record) -> State:
    return state._replace(history=(*state.history, record))


def _with(rows: tuple[tuple[int, ...], ...], seat: int, row: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    return (*rows[:seat], row, *rows[seat + 1 :])


def _without(absent: tuple[int, ...], card: int) -> tuple[int, ...]:
    """What is known of the cards left after ``card`` was played.

    Cards that were held longer are known better, so the sets are nested. Nobody knows which of the cards it was; taking
    it for the best known one that it can have been never excludes what is true of the others. (In a true game there is
    one; in an imagined one there need not be.)
    """
    place = next((i for i, known in enumerate(absent) if not known >> card & 1), len(absent) - 1)
    return absent[:place] + absent[place + 1 :]
