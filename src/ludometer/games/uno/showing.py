"""What a viewer may know of a state, as data and as events."""

from __future__ import annotations

from collections import Counter

from ludometer.core import Event, Json, Observation, Viewer, Watcher
from ludometer.games.uno.cards import COLOUR_CARDS, COLOURS, card_name
from ludometer.games.uno.imagine import face_up
from ludometer.games.uno.state import Options, Record, State, winners
from ludometer.games.uno.words import happened as happened_as

__all__ = ["observation"]


def observation(state: State, viewer: Viewer, options: Options) -> Observation:
    """What ``viewer`` may know. ``data`` has, with cards and colours by name:

    - ``phase`` (card, drawn, colour, challenge), ``player`` (who is to act; None once it is over), ``next`` (who comes
      after), ``previous``, ``direction``, ``winners``;
    - ``top``, ``colour`` (in force), ``before`` (in force before the wild card played last), ``pile`` (cards left),
      ``turned`` (cards turned over at the start), ``seen`` (how often each card lies on the discard pile);
    - ``hands`` by seat (None where hidden), ``hand_sizes``, ``possible`` (by seat and colour, how many of its cards
      can be of that colour for all that everybody knows; wild cards are of none), ``drawn`` (the card just drawn, where
      it may be played);
    - ``history``: all that happened, as [seat, kind, value, cards]; ``cards`` is None where hidden.
    """
    over = winners(state, options)
    own = None if isinstance(viewer, Watcher) else int(viewer) - 1
    player = str(state.player + 1)
    data: dict[str, Json] = {
        "phase": state.phase,
        "seat": None if own is None else str(own + 1),
        "player": None if over else player,
        "next": str(state.seat_after(state.player) + 1),
        "previous": str(state.seat_after(state.player, -1) + 1),
        "direction": "clockwise" if state.direction == 1 else "counterclockwise",
        "winners": [str(i + 1) for i in over],
        "top": card_name(state.top),
        "colour": COLOURS[state.colour],
        "before": COLOURS[state.before],
        "pile": len(state.pile),
        "turned": [card_name(card) for card in state.turned],
        "seen": {card_name(card): count for card, count in sorted(Counter(face_up(state)).items())},
        "hands": {
            str(i + 1): [card_name(card) for card in hand] if _sees(viewer, own, i) else None
            for i, hand in enumerate(state.hands)
        },
        "hand_sizes": {str(i + 1): len(hand) for i, hand in enumerate(state.hands)},
        "possible": {str(i + 1): _possible(absent) for i, absent in enumerate(state.absent)},
        "drawn": card_name(state.history[-1].cards[0])
        if state.phase == "drawn" and _sees(viewer, own, state.player)
        else None,
        "history": [_shown(record, _sees(viewer, own, record.seat)) for record in state.history],
    }
    return Observation(viewer, data, _events(state, viewer, own), () if over else (player,))


def _sees(viewer: Viewer, own: int | None, seat: int) -> bool:
    return viewer is Watcher.FULL or own == seat


def _possible(absent: tuple[int, ...]) -> dict[str, Json]:
    return {
        colour: sum(1 for excluded in absent if cards & ~excluded)
        for colour, cards in zip(COLOURS, COLOUR_CARDS, strict=True)
    }


def _shown(record: Record, seen: bool) -> list[Json]:
    value: Json = record.value
    if record.kind == "card":
        value = card_name(record.value)
    elif record.kind in ("colour", "guilty", "innocent"):
        value = COLOURS[record.value]
    return [str(record.seat + 1), record.kind, value, [card_name(card) for card in record.cards] if seen else None]


def _events(state: State, viewer: Viewer, own: int | None) -> tuple[Event, ...]:
    seats = range(state.n) if viewer is Watcher.FULL else [] if own is None else [own]
    dealt = [Event(str(seat + 1), f"received {', '.join(map(card_name, _dealt(state, seat)))}") for seat in seats]
    turned = ", then ".join(map(card_name, state.turned))
    start = Event(None, f"Turned over to start the discard pile: {turned}.")
    happened = [
        Event(seat, happened_as(kind, value, cards))
        for seat, kind, value, cards in (_shown(r, _sees(viewer, own, r.seat)) for r in state.history)
    ]
    return (*dealt, start, *happened)


def _dealt(state: State, seat: int) -> list[int]:
    """The first hand of a seat: what it holds and has played, without what it drew."""
    own = [record for record in state.history if record.seat == seat]
    cards = Counter(state.hands[seat]) + Counter(record.value for record in own if record.kind == "card")
    return sorted((cards - Counter(card for record in own for card in record.cards)).elements())
