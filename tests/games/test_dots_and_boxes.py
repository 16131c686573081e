"""Dots and boxes against boxes counted from sets of lines, and the value of small boards."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from ludometer.core import Chance, Illegal
from ludometer.games._openspiel import SpielState
from ludometer.games.dots_and_boxes import DotsAndBoxes

Line = tuple[str, int, int]


def all_lines(rows: int, columns: int) -> list[Line]:
    across = [("h", r, c) for r in range(rows + 1) for c in range(columns)]
    return across + [("v", r, c) for r in range(rows) for c in range(columns + 1)]


def closed(drawn: frozenset[Line] | set[Line], rows: int, columns: int) -> set[tuple[int, int]]:
    boxes = {
        (r, c): {("h", r, c), ("h", r + 1, c), ("v", r, c), ("v", r, c + 1)}
        for r in range(rows)
        for c in range(columns)
    }
    return {box for box, sides in boxes.items() if sides <= drawn}


@pytest.mark.parametrize(
    ("rows", "columns", "matches"), [(2, 2, 100), (1, 1, 20), (3, 2, 60), (2, 5, 40), (4, 4, 20), (1, 9, 20)]
)
def test_random_games_agree_with_boxes_counted_from_lines(rows: int, columns: int, matches: int) -> None:
    game = DotsAndBoxes(rows, columns)
    assert game.max_steps() == len(all_lines(rows, columns))
    for i in range(matches):
        chance = Chance.from_seed("dots").named(rows, columns, i)
        state = game.new(2, chance)
        drawn: set[Line] = set()
        owner: dict[tuple[int, int], int] = {}
        turn = 0
        while left := [line for line in all_lines(rows, columns) if line not in drawn]:
            (seat,) = game.to_act(state)
            assert seat == ("first", "second")[turn]
            legal = {game.format(state, move): move for move in game.legal(state, seat)}
            assert set(legal) == {f"{d},{r},{c}" for d, r, c in left}
            line, chance = chance.choice(left)
            state = game.apply(state, {seat: legal["{},{},{}".format(*line)]})
            drawn.add(line)
            new = closed(drawn, rows, columns) - set(owner)
            owner |= dict.fromkeys(new, turn)
            turn = turn if new else 1 - turn
            data = game.observe(state, "first").data
            assert data["owners"] == [
                "".join({0: "1", 1: "2", None: "."}[owner.get((r, c))] for c in range(columns)) for r in range(rows)
            ]
            shown = {
                ("h", r, c) for r, text in enumerate(data["horizontal"]) for c, one in enumerate(text) if one == "1"
            }
            shown |= {
                ("v", r, c) for r, text in enumerate(data["vertical"]) for c, one in enumerate(text) if one == "1"
            }
            assert shown == drawn
        boxes = [list(owner.values()).count(player) for player in (0, 1)]
        outcome = game.outcome(state)
        assert outcome is not None and game.to_act(state) == ()
        assert outcome.scores["first"] == (boxes[0] > boxes[1]) + 0.5 * (boxes[0] == boxes[1])
        assert f"first player {boxes[0]}, second player {boxes[1]}" in outcome.reason


def value(rows: int, columns: int) -> int:
    """Boxes by which the first player wins with best play (negative: loses), by search over sets of lines."""
    lines = all_lines(rows, columns)

    @cache
    def best(drawn: frozenset[Line]) -> int:
        done = len(closed(drawn, rows, columns))
        values = []
        for line in lines:
            if line not in drawn:
                after = drawn | {line}
                gain = len(closed(after, rows, columns)) - done
                values.append(gain + best(after) if gain else -best(after))
        return max(values, default=0)

    return best(frozenset())


@pytest.mark.parametrize(("rows", "columns", "expected"), [(1, 1, -1), (1, 2, 0), (2, 2, 2)])
def test_the_value_of_small_boards(rows: int, columns: int, expected: int) -> None:
    game = DotsAndBoxes(rows, columns)
    known: dict[tuple[int, ...], int] = {}

    def best(state: SpielState) -> int:
        """Boxes still to be won by the first player, less those of the second."""
        drawn = (*sorted(state.history), len(state.history), state.engine.current_player())
        if drawn not in known:
            seats = game.to_act(state)
            if not seats:
                return 0
            values = []
            for move in game.legal(state, seats[0]):
                after = game.apply(state, {seats[0]: move})
                gain = lead(after) - lead(state)
                values.append(gain + best(after))
            known[drawn] = max(values) if seats[0] == "first" else min(values)
        return known[drawn]

    def lead(state: SpielState) -> int:
        text = str(state.engine)
        return text.count("1") - text.count("2")

    assert best(game.new(2, Chance(0))) == expected == value(rows, columns)


GAME = DotsAndBoxes()
STATE = GAME.new(2, Chance(0))


@pytest.mark.parametrize(
    "text",
    [
        "h,0,1",
        "P1(h,0,1)",
        "P2(h,0,1)",
        "(h,0,1)",
        "H, 0, 1",
        "h 0 1",
        "h:0,1",
        "horizontal 0,1",
        "h(0,1)",
        "h,0,1.",
        "3. h,0,1",
    ],
)
def test_readable(text: str) -> None:
    assert GAME.format(STATE, GAME.parse(STATE, "first", text)) == "h,0,1"
    assert len(GAME.mentions(f"I draw {text}")) == 1


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("h,0,0", "already_drawn"),
        ("h,3,0", "out_of_bounds"),
        ("h,0,2", "out_of_bounds"),
        ("v,2,0", "out_of_bounds"),
        ("x,0,0", "invalid_format"),
        ("0,0", "invalid_format"),
        ("h,0", "invalid_format"),
    ],
)
def test_refused(text: str, kind: str) -> None:
    state = GAME.apply(STATE, {"first": GAME.parse(STATE, "first", "h,0,0")})
    with pytest.raises(Illegal) as caught:
        GAME.parse(state, "second", text)
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    "answer",
    [
        {"direction": "v", "row": 1, "column": 2},
        {"Direction": "Vertical", "row": "1", "column": 2.0},
        {"move": "v,1,2"},
    ],
)
def test_structured_answers(answer: Any) -> None:
    assert GAME.format(STATE, GAME.decode(STATE, "first", answer)) == "v,1,2"


def test_board_view() -> None:
    state = STATE
    for text in ("h,0,0", "v,0,1", "v,0,0", "h,1,0"):
        (seat,) = GAME.to_act(state)
        state = GAME.apply(state, {seat: GAME.parse(state, seat, text)})
    shown = GAME.views()["board"].render(GAME.observe(state, "first"))
    assert shown == "+---+   +\n| 2 |\n+---+   +\n\n+   +   +\nboxes: 1 owns 0, 2 owns 1"
    assert GAME.to_act(state) == ("second",)


@pytest.mark.parametrize(("rows", "columns"), [(0, 2), (10, 2), (2, 0)])
def test_impossible_boards_are_refused(rows: int, columns: int) -> None:
    with pytest.raises(ValueError, match="board"):
        DotsAndBoxes(rows, columns)
