"""`check_game` finds what it is there to find: each game here breaks one promise."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, ClassVar

import pytest

from ludometer.core import Chance, Event, Illegal, Observation, Outcome, Role, View
from ludometer.games.tictactoe import Cell, Position, TicTacToe
from ludometer.testing import check_game
from ludometer.testing.conformance import check_game as same_function
from ludometer.testing.showing import svg_problem

BROKEN: list[tuple[str, type[TicTacToe]]] = []


def breaks(message: str) -> Callable[[type[TicTacToe]], type[TicTacToe]]:
    def register(cls: type[TicTacToe]) -> type[TicTacToe]:
        BROKEN.append((message, cls))
        return cls

    return register


@breaks("listed or sampled, but check says already_taken")
class ListsTakenCells(TicTacToe):
    def legal(self, state, seat):
        return [Cell(i // 3 + 1, i % 3 + 1) for i in range(9)]


@breaks("disagree")
class ChecksTooLittle(TicTacToe):
    def check(self, state, seat, action):
        if not (1 <= action.row <= 3 and 1 <= action.column <= 3):
            raise Illegal("out_of_bounds", "outside")


@breaks("snake_case")
class OddKind(TicTacToe):
    def check(self, state, seat, action):
        try:
            super().check(state, seat, action)
        except Illegal as error:
            raise Illegal("Already Taken!", error.reason) from None


@breaks("no reason")
class NoReason(TicTacToe):
    def check(self, state, seat, action):
        try:
            super().check(state, seat, action)
        except Illegal as error:
            raise Illegal(error.kind, "") from None


@breaks("not Illegal")
class RaisesOtherErrors(TicTacToe):
    def decode(self, state, seat, answer):
        return super().decode(state, seat, answer) if answer else Cell(answer["row"], answer["column"])


@breaks("apply changed its argument")
class ChangesItsArgument(TicTacToe):
    def apply(self, state, moves):
        result = super().apply(state, moves)
        self.last = result
        return result

    def dump(self, state):
        data = super().dump(state)
        return {**data, "seen": len(getattr(self, "last", state).moves)}


@breaks("the same seed|for the same luck")
class UsesAnotherGenerator(TicTacToe):
    def sample(self, state, seat, chance):
        return random.Random(id(object()) ^ random.getrandbits(32)).choice(self.legal(state, seat))


@breaks("load.dump")
class ForgetsMoves(TicTacToe):
    def load(self, data):
        return Position(data["board"], ())


@breaks("decoded as")
class DecodesTransposed(TicTacToe):
    def decode(self, state, seat, answer):
        cell = super().decode(state, seat, answer)
        return cell if cell.row == 1 else Cell(cell.column, cell.row)


@breaks("schema refuses")
class SchemaTooSmall(TicTacToe):
    def schema(self, state, seat, notation=None):
        schema = super().schema(state, seat, notation)
        if notation is None:
            schema["properties"]["row"] = {"type": "integer", "enum": [1, 2]}
        return schema


@breaks("unknown keyword")
class SchemaMisspelt(TicTacToe):
    def schema(self, state, seat, notation=None):
        return {**super().schema(state, seat, notation), "require": []}


@breaks("read as")
class ParsesWrongly(TicTacToe):
    def parse(self, state, seat, text):
        cell = super().parse(state, seat, text)
        return cell if cell.row == 1 else Cell(cell.row, 1)


@breaks("running text")
class MentionsNothing(TicTacToe):
    def mentions(self, text, notation=None):
        return []


@breaks("read as")
class FormatsAlike(TicTacToe):
    def format(self, state, action):
        return super().format(state, action) if action.row == 1 else f"{action.row},1"


@breaks("append-only")
class RewritesHistory(TicTacToe):
    def observe(self, state, viewer):
        return super().observe(state, viewer)._replace(events=(Event(None, f"{len(state.moves)} moves"),))


@breaks("not JSON: .*set is not JSON serializable")
class ObservesNoJson(TicTacToe):
    def observe(self, state, viewer):
        observation = super().observe(state, viewer)
        return observation._replace(data={**observation.data, "cells": {1, 2}})


@breaks("explanation of view list changes")
class ExplainsAnew(TicTacToe):
    def views(self):
        view = super().views()["list"]
        return {"list": view._replace(explain=lambda o: f"{len(o.events)} moves were made")}


@breaks("view list renders two things")
class RendersAtRandom(TicTacToe):
    def views(self):
        view = super().views()["list"]
        return {"list": view._replace(render=lambda o: str(random.random()))}


@breaks("view pic is unsafe or broken: it has the element script")
class PictureWithScript(TicTacToe):
    def views(self):
        picture = '<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'
        return {"pic": View("pic", lambda o: "A picture.", lambda o: picture, kind="image")}


@breaks("not well-formed")
class PictureUnclosed(TicTacToe):
    def svg(self, observation):
        return "<svg>"


@breaks("add up")
class GivesTooMuch(TicTacToe):
    def outcome(self, state):
        outcome = super().outcome(state)
        return outcome and Outcome(dict.fromkeys(("X", "O"), 1.0), "everybody wins")


@breaks("scores of")
class ForgetsASeat(TicTacToe):
    def outcome(self, state):
        outcome = super().outcome(state)
        return outcome and Outcome({"X": 1.0}, "X")


@breaks("outside 0 to 1")
class GivesNegatives(TicTacToe):
    def outcome(self, state):
        outcome = super().outcome(state)
        return outcome and Outcome({"X": 2.0, "O": -1.0}, "X")


@breaks("not over")
class StopsAsking(TicTacToe):
    def to_act(self, state):
        return () if len(state.moves) == 4 else super().to_act(state)


@breaks("share a name")
class TwinSeats(TicTacToe):
    def roles(self, n):
        return (Role("X"), Role("X"))


@breaks("has not ended")
class NeverEnds(TicTacToe):
    def observe(self, state, viewer):
        return super().observe(state, viewer)._replace(events=())

    def apply(self, state, moves):
        return super().new(2, Chance(0)) if len(state.moves) == 4 else super().apply(state, moves)


@breaks("no pair of states")
class HidesWithoutPairs(TicTacToe):
    perfect_information = False


class Sealed(TicTacToe):
    """The first move is hidden from O."""

    perfect_information = False
    leak = "no"

    def swap_hidden(self):
        return [(Position("X........", (Cell(1, 1),)), Position(".X.......", (Cell(1, 2),)), "O")]

    def legal(self, state, seat):
        return super().legal(state, seat) if self.leak == "legal" else self._whole_board()

    def _whole_board(self):
        return [Cell(i // 3 + 1, i % 3 + 1) for i in range(9)]

    def determinize(self, state, seat, chance):
        return state if self.leak == "determinize" else Position(".........", state.moves[:0])

    def observe(self, state, viewer):
        seen = super().observe(state if self.leak == "observe" else super().new(2, Chance(0)), viewer)
        return seen._replace(to_act=self.to_act(state))


@breaks("reaches O through observe")
class LeaksByObserving(Sealed):
    leak = "observe"


@breaks("reaches O through legal")
class LeaksByLegalActions(Sealed):
    leak = "legal"


@breaks("determinize tells O")
class LeaksByImagining(Sealed):
    leak = "determinize"


@breaks("example answers|is unreadable")
class BadExample(TicTacToe):
    def example(self, notation=None):
        return {"row": 1, "column": 1}, "somewhere"


@breaks("rules is empty")
class NoRules(TicTacToe):
    def rules(self):
        return " "


@breaks("list of legal actions is shared")
class SharesItsList(TicTacToe):
    kept: ClassVar[dict[str, Any]] = {}

    def legal(self, state, seat):
        return self.kept.setdefault(state.board, super().legal(state, seat))


@breaks("an observation is shared")
class SharesItsObservation(TicTacToe):
    kept: ClassVar[dict[str, Any]] = {}

    def observe(self, state, viewer):
        seen = super().observe(state, viewer)
        return seen._replace(data=self.kept.setdefault(state.board + str(state.moves), dict(seen.data)))


@breaks("the schema is shared")
class SharesItsSchema(TicTacToe):
    kept: ClassVar[dict[Any, Any]] = {}

    def schema(self, state, seat, notation=None):
        return self.kept.setdefault(notation, super().schema(state, seat, notation))


@breaks("no view")
class NoViews(TicTacToe):
    def views(self):
        return {}


@pytest.mark.parametrize(("message", "cls"), BROKEN, ids=[cls.__name__ for _, cls in BROKEN])
def test_a_broken_promise_is_found(message: str, cls: type[TicTacToe]) -> None:
    with pytest.raises(AssertionError, match=message):
        check_game(cls(), matches=6)


def test_a_sound_game_passes() -> None:
    check_game(TicTacToe(), matches=2)
    assert same_function is check_game


def test_observation_named_for_another_viewer() -> None:
    class Swapped(TicTacToe):
        def observe(self, state: Position, viewer: Any) -> Observation:
            return super().observe(state, viewer)._replace(viewer="X")

    with pytest.raises(AssertionError, match="names another viewer"):
        check_game(Swapped(), matches=1)


SVG = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:x="http://www.w3.org/1999/xlink">'


@pytest.mark.parametrize(
    "inner",
    [
        "<script/>",
        "<g onclick='x()'/>",
        "<a href='javascript:x()'/>",
        "<use x:href='#a'/>",
        "<image href='http://example.org/a.png'/>",
        "<rect fill='url(http://example.org/a)'/>",
        "<foreignObject/>",
        "<SCRIPT/>",
        "<!-- x -->",
        "&nbsp;",
    ],
)
def test_pictures_that_run_or_load_something(inner: str) -> None:
    assert svg_problem(f"{SVG}{inner}</svg>") is not None


def test_pictures_that_are_fine() -> None:
    assert svg_problem(f"{SVG}<rect fill='url(#shade)' stroke='#fff'/><text>a &lt; b</text></svg>") is None
    assert svg_problem('<!DOCTYPE svg [<!ENTITY a "aaa">]><svg>&a;</svg>') is not None
    assert svg_problem("<html/>") == "its root is html"
