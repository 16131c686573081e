"""A small game with luck and hidden information passes `check_game`, and leaks planted in it are found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import pytest

from ludometer.core import Chance, Event, Game, Json, Observation, Outcome, Role, Seat, View, Viewer, Watcher
from ludometer.testing import check_game

CARDS = "123456"


class Deal(NamedTuple):
    hands: str
    calls: tuple[str, ...] = ()


class HighCard(Game[Deal, str]):
    """Everybody gets a card and says high or low in turn. Of those who say high the highest card wins."""

    name: ClassVar[str] = "high_card"
    title: ClassVar[str] = "High card"
    players: ClassVar[tuple[int, int]] = (2, 4)
    perfect_information: ClassVar[bool] = False
    has_luck: ClassVar[bool] = True

    def roles(self, n: int) -> tuple[Role, ...]:
        return tuple(Role(f"P{i + 1}") for i in range(n))

    def new(self, n: int, chance: Chance) -> Deal:
        return Deal("".join(chance.named("deal").shuffled(CARDS)[0][:n]))

    def to_act(self, state: Deal) -> tuple[Seat, ...]:
        turn = len(state.calls)
        return (f"P{turn + 1}",) if turn < len(state.hands) else ()

    def legal(self, state: Deal, seat: Seat) -> Sequence[str]:
        return ["high", "low"]

    def apply(self, state: Deal, moves: Mapping[Seat, str]) -> Deal:
        return Deal(state.hands, (*state.calls, *moves.values()))

    def outcome(self, state: Deal) -> Outcome | None:
        if self.to_act(state):
            return None
        brave = [card for card, call in zip(state.hands, state.calls, strict=True) if call == "high"]
        best = max(brave, default=None)
        n = len(state.hands)
        if best is None:
            return Outcome({f"P{i + 1}": 1 / n for i in range(n)}, "nobody said high")
        return Outcome({f"P{i + 1}": float(card == best) for i, card in enumerate(state.hands)}, "the highest card")

    def max_steps(self) -> int:
        return self.players[1]

    def determinize(self, state: Deal, seat: Seat, chance: Chance) -> Deal:
        own = int(seat[1:]) - 1
        others = [card for card in CARDS if card != state.hands[own]]
        drawn = list(chance.shuffled(others)[0][: len(state.hands) - 1])
        drawn.insert(own, state.hands[own])
        return Deal("".join(drawn), state.calls)

    def format(self, state: Deal, action: str) -> str:
        return action

    def rules(self) -> str:
        return "Say high or low. Of those who say high, the highest card wins."

    def observe(self, state: Deal, viewer: Viewer) -> Observation:
        hands = [
            card if viewer is Watcher.FULL or viewer == f"P{i + 1}" else None for i, card in enumerate(state.hands)
        ]
        events = tuple(Event(f"P{i + 1}", call) for i, call in enumerate(state.calls))
        return Observation(viewer, {"hands": hands, "calls": list(state.calls)}, events, self.to_act(state))

    def views(self) -> Mapping[str, View]:
        return {"list": View("list", lambda o: "Cards and calls:", lambda o: f"{o.data['hands']} {o.data['calls']}")}

    def swap_hidden(self) -> Sequence[tuple[Deal, Deal, Seat]]:
        return [(Deal("345", ("high",)), Deal("645", ("high",)), "P2"), (Deal("34"), Deal("36"), "P1")]

    def dump(self, state: Deal) -> Json:
        return {"hands": state.hands, "calls": list(state.calls)}

    def load(self, data: Json) -> Deal:
        return Deal(data["hands"], tuple(data["calls"]))


def test_a_sound_game_with_hidden_information_passes() -> None:
    check_game(HighCard(), matches=12)


class ShowsAll(HighCard):
    def observe(self, state: Deal, viewer: Viewer) -> Observation:
        return super().observe(state, Watcher.FULL)._replace(viewer=viewer)


class HintsInTheList(HighCard):
    def legal(self, state: Deal, seat: Seat) -> Sequence[str]:
        return ["high", "low"] if max(state.hands) == state.hands[0] else ["low", "high"]


class HintsInTheSchema(HighCard):
    def schema(self, state: Deal, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        return {**super().schema(state, seat, notation), "description": f"not {state.hands[0]}"}


class ImaginesTheTruth(HighCard):
    def determinize(self, state: Deal, seat: Seat, chance: Chance) -> Deal:
        return state


class ImaginesFromTheTruth(HighCard):
    """Draws anew, but the order it draws from depends on what is hidden."""

    def determinize(self, state: Deal, seat: Seat, chance: Chance) -> Deal:
        own = int(seat[1:]) - 1
        others = sorted(CARDS.replace(state.hands[own], ""), key=lambda card: card in state.hands)
        drawn = list(chance.shuffled(others)[0][: len(state.hands) - 1])
        drawn.insert(own, state.hands[own])
        return Deal("".join(drawn), state.calls)


class ImaginesAnotherHand(HighCard):
    def determinize(self, state: Deal, seat: Seat, chance: Chance) -> Deal:
        return self.new(len(state.hands), chance)._replace(calls=state.calls)


class EqualPair(HighCard):
    def swap_hidden(self) -> Sequence[tuple[Deal, Deal, Seat]]:
        return [(Deal("34"), Deal("34"), "P1")]


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (ShowsAll, "reaches P2 through observe"),
        (HintsInTheList, "reaches P2 through legal"),
        (HintsInTheSchema, "reaches P2 through schema None"),
        (ImaginesTheTruth, "determinize tells P2"),
        (ImaginesFromTheTruth, "determinize tells P"),
        (ImaginesAnotherHand, "can tell the imagined state"),
        (EqualPair, "a pair of swap_hidden is equal"),
    ],
)
def test_a_leak_is_found(cls: Any, message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        check_game(cls(), matches=6)
