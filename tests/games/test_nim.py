"""Nim against the theory of Bouton (1901): the exclusive or of the piles decides."""

from __future__ import annotations

from functools import reduce
from operator import xor
from typing import Any

import pytest

from ludometer.core import Chance, ConfigurationError, Illegal, make_game
from ludometer.games._openspiel import SpielState
from ludometer.games.nim import Nim


def first_wins(piles: list[int], misere: bool) -> bool:
    """Whether the player to move wins: by the nim-sum, other than in misère play with single objects only."""
    if misere and all(size <= 1 for size in piles):
        return sum(piles) % 2 == 0
    return reduce(xor, piles) != 0


@pytest.mark.parametrize("misere", [True, False])
@pytest.mark.parametrize("piles", [[1, 3, 5], [2, 2], [1, 1, 1], [4, 3, 1, 2], [6, 1], [5, 4]], ids=str)
def test_the_value_of_every_position_is_that_of_the_theory(piles: list[int], misere: bool) -> None:
    game = Nim(piles, misere)
    seen: dict[tuple[int, ...], bool] = {}

    def wins(state: SpielState) -> bool:
        left = tuple(game.observe(state, "first").data["piles"])
        if left not in seen:
            outcome = game.outcome(state)
            if outcome is not None:
                mover = "first" if len(state.movers) % 2 == 0 else "second"
                seen[left] = outcome.scores[mover] == 1.0
            else:
                (seat,) = game.to_act(state)
                assert len(game.legal(state, seat)) == sum(left)
                results = [wins(game.apply(state, {seat: move})) for move in game.legal(state, seat)]
                seen[left] = not all(results)
            assert seen[left] == first_wins(list(left), misere), left
        return seen[left]

    wins(game.new(2, Chance(0)))
    assert len(seen) == reduce(lambda product, size: product * (size + 1), piles, 1)


GAME = Nim()
STATE = GAME.new(2, Chance(0))


@pytest.mark.parametrize(
    "text",
    [
        "pile 3, take 2",
        "Pile 3 take 2",
        "pile:3, take:2;",
        "PILE #3: take 2.",
        "take 2 from pile 3",
        "remove 2 objects from pile 3",
        "5. pile 3, take 2",
        "pile 3 and take 2",
    ],
)
def test_readable(text: str) -> None:
    assert GAME.format(STATE, GAME.parse(STATE, "first", text)) == "pile 3, take 2"
    assert GAME.mentions(f"My move: {text}")


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("pile 5, take 1", "no_such_pile"),
        ("pile 0, take 1", "no_such_pile"),
        ("pile 2, take 0", "take_too_few"),
        ("pile 2, take -1", "take_too_few"),
        ("pile 2, take 4", "take_too_many"),
        ("pile 1, take 1", "pile_empty"),
        ("3 2", "invalid_format"),
        ("take 2", "invalid_format"),
    ],
)
def test_refused(text: str, kind: str) -> None:
    state = GAME.apply(STATE, {"first": GAME.parse(STATE, "first", "pile 1, take 1")})
    with pytest.raises(Illegal) as caught:
        GAME.parse(state, "second", text)
    assert caught.value.kind == kind


@pytest.mark.parametrize("answer", [{"pile": 3, "take": 2}, {"Pile": "3", "TAKE": 2.0}, {"move": "pile 3, take 2"}])
def test_structured_answers(answer: Any) -> None:
    assert GAME.encode(STATE, GAME.decode(STATE, "first", answer)) == {"pile": 3, "take": 2}


def test_moves_in_running_text() -> None:
    text = "Taking 2 from pile 3 leaves 3; pile 4, take 7 is better, so pile 4, take 7."
    assert GAME.mentions(text)[-1] == "pile 4, take 7"


def test_options() -> None:
    assert make_game("nim", {"piles": "2;4", "misere": False}).options == {"piles": "2,4", "misere": False}
    assert make_game("nim", {"piles": [2, 4]}) == make_game("nim", {"piles": "2 4"})
    assert "loses" in GAME.rules() and "takes the last object of all wins" in Nim(misere=False).rules()
    for piles in ("", "0,1", "51", "1,x", "1,2,3,4,5,6,7,8,9,10,11", "-3", "6"):
        with pytest.raises(ConfigurationError, match="piles"):
            make_game("nim", {"piles": piles})
