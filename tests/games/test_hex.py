"""Hex against a search for connected stones."""

from __future__ import annotations

import pytest

from ludometer.core import Chance, Illegal
from ludometer.games.hex import Hex

NEIGHBOURS = [(0, -1), (0, 1), (-1, 0), (-1, 1), (1, 0), (1, -1)]


def joined(stones: set[tuple[int, int]], size: int, axis: int) -> bool:
    """Whether stones connect the sides where the row (axis 0) or the column (axis 1) is first and last."""
    edge = [stone for stone in stones if stone[axis] == 0]
    seen = set(edge)
    while edge:
        row, column = edge.pop()
        for dr, dc in NEIGHBOURS:
            near = (row + dr, column + dc)
            if near in stones and near not in seen:
                seen.add(near)
                edge.append(near)
    return any(stone[axis] == size - 1 for stone in seen)


@pytest.mark.parametrize(("size", "matches"), [(2, 100), (3, 200), (5, 150), (11, 12)])
def test_random_games_agree_with_a_search(size: int, matches: int) -> None:
    game = Hex(size)
    wins = set()
    for i in range(matches):
        chance = Chance.from_seed("hex").named(size, i)
        state = game.new(2, chance)
        stones: tuple[set[tuple[int, int]], set[tuple[int, int]]] = (set(), set())
        turn = 0
        while True:
            won = [joined(stones[0], size, 0), joined(stones[1], size, 1)]
            if any(won):
                break
            (seat,) = game.to_act(state)
            assert seat == ("Black", "White")[turn]
            empty = [(r, c) for r in range(size) for c in range(size) if (r, c) not in stones[0] | stones[1]]
            names = [f"{chr(97 + c)}{r + 1}" for r, c in empty]
            assert [game.format(state, move) for move in game.legal(state, seat)] == names
            cell, chance = chance.choice(empty)
            state = game.apply(state, {seat: game.parse(state, seat, names[empty.index(cell)])})
            stones[turn].add(cell)
            turn = 1 - turn
        outcome = game.outcome(state)
        assert outcome is not None and game.to_act(state) == ()
        assert list(outcome.scores.values()) == [float(side) for side in won]
        wins.add(outcome.reason)
        board = game.observe(state, "Black").data["board"]
        assert {(r, c) for r in range(size) for c in range(size) if board[r][c] == "X"} == stones[0]
    assert wins == {"Black has joined top and bottom", "White has joined left and right"}


def test_the_neighbours_that_the_rules_name() -> None:
    assert "b2 touches a2, c2, b1, c1, b3 and a3" in Hex().rules()
    named = {f"{chr(97 + 1 + dc)}{1 + dr + 1}" for dr, dc in NEIGHBOURS}
    assert named == {"a2", "c2", "b1", "c1", "b3", "a3"}


def test_views() -> None:
    game = Hex(3)
    state = game.new(2, Chance(0))
    for seat, text in (("Black", "b1"), ("White", "c3")):
        state = game.apply(state, {seat: game.parse(state, seat, text)})
    board = game.views()["board"].render(game.observe(state, "Black"))
    assert board == "  a b c\n1 . X .\n 2 . . .\n  3 . . O"


@pytest.mark.parametrize(
    ("text", "kind"),
    [("a1", "already_taken"), ("l1", "out_of_bounds"), ("a12", "out_of_bounds"), ("1,1", "invalid_format")],
)
def test_refused(text: str, kind: str) -> None:
    game = Hex()
    state = game.new(2, Chance(0))
    state = game.apply(state, {"Black": game.parse(state, "Black", "A1")})
    with pytest.raises(Illegal) as caught:
        game.parse(state, "White", text)
    assert caught.value.kind == kind


@pytest.mark.parametrize("size", [1, 27, -1])
def test_impossible_boards_are_refused(size: int) -> None:
    with pytest.raises(ValueError, match="size"):
        Hex(size)
