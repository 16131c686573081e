"""Go against an independent implementation, written out below, and against GNU Go's idea of what is legal."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import Chance, ConfigurationError, make_game
from ludometer.games.go import Go, area
from ludometer.testing import check_game

LETTERS = "ABCDEFGHJKLMNOPQRST"


class Reference:
    """Captures, suicide, ko and area, on a dict from (column, row) to colour, by flood fill and nothing clever."""

    def __init__(self, size: int) -> None:
        self.size = size
        self.stones: dict[tuple[int, int], str] = {}
        self.ko: tuple[int, int] | None = None
        self.seen = {self.key()}
        self.turn = "Black"

    def key(self) -> frozenset[Any]:
        return frozenset(self.stones.items())

    def near(self, point: tuple[int, int]) -> list[tuple[int, int]]:
        x, y = point
        around = [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)]
        return [(a, b) for a, b in around if 0 <= a < self.size and 0 <= b < self.size]

    def group(self, start: tuple[int, int], stones: dict[tuple[int, int], str]) -> tuple[set[Any], int]:
        group, liberties, todo = {start}, set(), [start]
        for point in todo:
            for other in self.near(point):
                if other not in stones:
                    liberties.add(other)
                elif stones[other] == stones[start] and other not in group:
                    group.add(other)
                    todo.append(other)
        return group, len(liberties)

    def tried(self, point: tuple[int, int]) -> tuple[dict[tuple[int, int], str], set[Any]] | None:
        """The stones after a move and those it captures; None where the point is taken or the move is suicide."""
        if point in self.stones:
            return None
        stones = {**self.stones, point: self.turn}
        captured: set[Any] = set()
        for other in self.near(point):
            if stones.get(other, self.turn) != self.turn:
                group, liberties = self.group(other, stones)
                captured |= group if liberties == 0 else set()
        stones = {p: c for p, c in stones.items() if p not in captured}
        return (stones, captured) if self.group(point, stones)[1] else None

    def legal(self) -> set[tuple[int, int]]:
        points = [(x, y) for x in range(self.size) for y in range(self.size)]
        return {point for point in points if point != self.ko and self.tried(point) is not None}

    def play(self, point: tuple[int, int] | None) -> bool:
        """Makes a move (None: a pass) and tells whether it repeats a position."""
        self.ko, repeated = None, False
        if point is not None:
            tried = self.tried(point)
            assert tried is not None
            before = self.key()
            self.stones, captured = tried
            if len(captured) == 1:
                # Ko: would retaking the stone at once restore the position before?
                (taken,) = captured
                other = Reference(self.size)
                other.stones, other.turn = dict(self.stones), "White" if self.turn == "Black" else "Black"
                again = other.tried(taken)
                if again is not None and frozenset(again[0].items()) == before:
                    self.ko = taken
            repeated = self.key() in self.seen
            self.seen.add(self.key())
        self.turn = "White" if self.turn == "Black" else "Black"
        return repeated

    def area(self) -> tuple[int, int]:
        points = Counter(self.stones.values())
        empty = {(x, y) for x in range(self.size) for y in range(self.size)} - set(self.stones)
        while empty:
            region, todo, border = set(), [next(iter(empty))], set()
            while todo:
                point = todo.pop()
                if point in region:
                    continue
                region.add(point)
                for other in self.near(point):
                    if other in self.stones:
                        border.add(self.stones[other])
                    else:
                        todo.append(other)
            empty -= region
            if len(border) == 1:
                points[border.pop()] += len(region)
        return points["Black"], points["White"]


def named(point: tuple[int, int]) -> str:
    return f"{LETTERS[point[0]]}{point[1] + 1}"


def rows(reference: Reference) -> list[str]:
    marks = {"Black": "X", "White": "O", None: "."}
    size = reference.size
    return ["".join(marks[reference.stones.get((x, y))] for x in range(size)) for y in reversed(range(size))]


def compared(game: Go, seed: str, seen: Counter[str]) -> None:
    """One random game, which passes seldom, played on both."""
    chance = Chance.from_seed(seed)
    state, reference = game.new(2, chance), Reference(game.size)
    passes = number = 0
    repeated = False
    while seats := game.to_act(state):
        assert not repeated and passes < 2 and number < 2 * game.size**2
        assert seats == (reference.turn,)
        legal = sorted(map(named, reference.legal()))
        assert sorted(game.format(state, move) for move in game.legal(state, seats[0])) == sorted([*legal, "pass"])
        data = game.observe(state, seats[0]).data
        assert data["board"] == rows(reference)
        shown_ko = None if reference.ko is None else named(reference.ko)
        # A ko point that is suicide anyway needs no ko rule.
        suicide = reference.ko is not None and reference.tried(reference.ko) is None
        assert data["ko"] == (None if suicide else shown_ko)
        seen["ko"] += reference.ko is not None
        empty = game.size**2 - len(reference.stones)
        seen["suicide"] += empty - len(legal) - (reference.ko is not None) > 0
        moves = game.legal(state, seats[0])
        luck = chance.named("move", number)
        move = luck.choice(moves[:-1])[0] if len(moves) > 1 and luck.named("pass").below(12)[0] else moves[-1]
        text = game.format(state, move)
        point = None if text == "pass" else (LETTERS.index(text[0]), int(text[1:]) - 1)
        before = len(reference.stones)
        repeated = reference.play(point)
        seen["capture"] += point is not None and len(reference.stones) <= before
        passes = passes + 1 if point is None else 0
        number += 1
        state = game.apply(state, {seats[0]: move})
    check_end(game, state, reference, repeated=repeated, passes=passes, seen=seen)


def check_end(game: Go, state: Any, reference: Reference, *, repeated: bool, passes: int, seen: Counter[str]) -> None:
    outcome = game.outcome(state)
    assert outcome is not None
    black, white = reference.area()[0], reference.area()[1] + game.komi
    if repeated:
        seen["repeated"] += 1
        assert outcome.scores == {"Black": 0.5, "White": 0.5}
        assert outcome.reason == "an earlier position was repeated" and outcome.payoffs is None
        return
    how = "both passed" if passes == 2 else f"{2 * game.size**2} moves played"
    seen[how] += 1
    assert outcome.reason == f"{how}: black {black:g}, white {white:g}"
    assert outcome.payoffs == {"Black": black, "White": white}
    assert outcome.scores["Black"] == (0.5 if black == white else float(black > white))


def test_random_games_agree_with_the_reference() -> None:
    seen: Counter[str] = Counter()
    for size, games in {5: 50, 6: 8, 7: 4}.items():
        for number in range(games):
            compared(Go(size, 0.5), f"{size}/{number}", seen)
    for event in ("ko", "suicide", "capture", "both passed", "repeated", "50 moves played"):
        assert seen[event], event


@pytest.mark.slow
def test_longer_random_games_agree_with_the_reference() -> None:
    seen: Counter[str] = Counter()
    for number in range(20):
        compared(Go(), f"9/{number}", seen)
    compared(Go(13), "13", seen)
    compared(Go(19), "19", seen)


def after(game: Go, *texts: str) -> Any:
    """The state after these moves."""
    state = game.new(2, Chance(0))
    for text in texts:
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: game.parse(state, seat, text)})
    return state


def test_two_passes_end_the_game_and_komi_decides() -> None:
    outcome = Go().outcome(after(Go(), "pass", "pass"))
    assert outcome is not None
    assert outcome.scores == {"Black": 0, "White": 1} and outcome.reason == "both passed: black 0, white 7.5"
    assert Go().outcome(after(Go(), "E5", "pass", "pass")).scores["Black"] == 1  # type: ignore[union-attr]
    even = Go(komi=0.0).outcome(after(Go(komi=0.0), "pass", "pass"))
    assert even is not None and even.scores == {"Black": 0.5, "White": 0.5} and even.payoffs == {"Black": 0, "White": 0}


def test_area_counts_stones_as_they_stand() -> None:
    # White's stone in the corner is dead, but it stands: Black's region touches both colours and counts for nobody.
    assert area([".X...", "XX...", ".....", ".....", "O...."]) == (4, 1)
    assert area([".X...", "XX...", ".....", ".....", "....."]) == (25, 0)
    assert area(["....."] * 5) == (0, 0)


def test_the_first_repeated_position_ends_the_game() -> None:
    game, found = Go(5), 0
    for number in range(60):
        chance = Chance.from_seed(number)
        state = game.new(2, chance)
        boards = [tuple(game.observe(state, "Black").data["board"])]
        while seats := game.to_act(state):
            moves = game.legal(state, seats[0])
            move = chance.named(len(state.history)).choice(moves[:-1] or moves)[0]
            state = game.apply(state, {seats[0]: move})
            if game.format(state, move) != "pass":  # a pass leaves the position, and repeats nothing
                boards.append(tuple(game.observe(state, "Black").data["board"]))
        outcome = game.outcome(state)
        assert outcome is not None
        repeated = "repeated" in outcome.reason
        found += repeated
        assert len(set(boards)) == len(boards) - repeated
    assert found


def test_options() -> None:
    for options in ({"size": 4}, {"size": 20}, {"komi": 0.3}, {"komi": 500}, {"komi": float("nan")}, {"size": "x"}):
        with pytest.raises(ConfigurationError):
            make_game("go", options)
    assert make_game("go", {"komi": -3}).rules().count("-3 points") == 1
    assert make_game("go", {"size": 19}).max_steps() == 722


def test_views() -> None:
    game = Go(5)
    state = after(game, "C3", "B2", "pass", "E1")
    views = game.views()
    assert list(views) == ["board", "moves", "json", "image"]
    observation = game.observe(state, "Black")
    assert views["board"].render(observation) == (
        "   A B C D E\n 5 . . . . . 5\n 4 . . . . . 4\n 3 . . X . . 3\n 2 . O . . . 2\n 1 . . . . O 1\n   A B C D E\n\n"
        "The last move was E1. This is move 5 of at most 50."
    )
    assert views["moves"].render(observation) == "1. Black C3\n2. White B2\n3. Black pass\n4. White E1"
    passed = game.observe(after(game, "C3", "pass"), "Black")
    assert "If you pass too, the game ends." in views["board"].render(passed)
    assert views["board"].render(game.observe(game.new(2, Chance(0)), "Black")).count("No move has been played") == 1


def test_a_ko_is_shown_and_forbidden() -> None:
    game = Go(5)
    state = after(game, "B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2")
    assert game.observe(state, "Black").data["ko"] == "C2"
    assert "Forbidden by ko: C2." in game.views()["board"].render(game.observe(state, "Black"))
    for text in ("E5", "pass"):
        freed = after(game, "B3", "C3", "A2", "D2", "B1", "C1", "C2", "B2", text, "E4")
        assert game.format(freed, game.parse(freed, "Black", "C2")) == "C2"


def test_sgf() -> None:
    game = Go()
    texts = ["E5", "C3", "pass", "pass"]
    start = game.new(2, Chance(0))
    state, made = start, []
    for text in texts:
        (seat,) = game.to_act(state)
        move = game.parse(state, seat, text)
        made.append((seat, move))
        state = game.apply(state, {seat: move})
    names = {"Black": "a]b\\c", "White": "two\nlines"}
    tags = {"event": "Test", "date": "2026-01-02", "termination": "left out"}
    kind, text = game.record(start, made, names, scores={"Black": 0, "White": 1}, tags=tags)
    assert kind == "sgf"
    assert text == (
        "(;GM[1]FF[4]CA[UTF-8]AP[Ludometer]SZ[9]KM[7.5]RU[Chinese]PB[a\\]b\\\\c]PW[two lines]EV[Test]DT[2026-01-02]"
        "RE[W+7.5]\n;B[ee];W[cg];B[];W[])\n"
    )
    assert "RE[B+F]" in game.record(start, made[:2], names, scores={"Black": 1, "White": 0})[1]
    assert "RE[Void]" in game.record(start, made, names)[1]
    assert "RE[0]" in game.record(start, made[:2], names, scores={"Black": 0.5, "White": 0.5})[1]
    later = after(game, "E5")
    assert "PL[W]AB[ee]\n;W[cg])" in game.record(later, made[1:2], names)[1]


PROGRAM = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games:/opt/homebrew/bin")


@pytest.mark.skipif(PROGRAM is None, reason="needs GNU Go (Debian and Ubuntu: apt-get install gnugo)")
@pytest.mark.parametrize("size", [5, 9, 13])
def test_gnu_go_finds_the_same_moves_legal(size: int) -> None:
    game = Go(size)
    chance = Chance.from_seed(size)
    state = game.new(2, chance)
    script, expected = [f"boardsize {size}", "clear_board"], []
    number = 0
    while seats := game.to_act(state):
        (seat,) = seats
        moves = game.legal(state, seat)
        expected.append(sorted(game.format(state, move) for move in moves[:-1]))
        move = chance.named(number).choice(moves[:-1] or moves)[0]
        script += [f"100 all_legal {seat}", f"play {seat} {game.format(state, move)}"]
        state = game.apply(state, {seat: move})
        number += 1
    assert PROGRAM is not None
    done = subprocess.run(
        [PROGRAM, "--mode", "gtp", "--forbid-suicide", "--simple-ko"],
        input="\n".join([*script, "quit\n"]),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert "?" not in done.stdout
    answers = [line.split()[1:] for line in done.stdout.splitlines() if line.startswith("=100")]
    assert [sorted(answer) for answer in answers] == expected
    assert len(expected) > size * size // 2


@pytest.mark.parametrize(("size", "komi"), [(5, 0.0), (6, -2.5)])
def test_other_sizes_hold_to_the_contract(size: int, komi: float) -> None:
    check_game(Go(size, komi), matches=2)


@pytest.mark.skipif(PROGRAM is None, reason="needs GNU Go (Debian and Ubuntu: apt-get install gnugo)")
def test_gnu_go_reads_the_sgf(tmp_path: Path) -> None:
    game = Go(7)
    chance = Chance.from_seed("sgf")
    start = state = game.new(2, chance)
    made = []
    while seats := game.to_act(state):
        moves = game.legal(state, seats[0])
        move = chance.named(len(made)).choice(moves[:-1] or moves)[0]
        made.append((seats[0], move))
        state = game.apply(state, {seats[0]: move})
    names = {"Black": "tricky ] name \\", "White": "[W]"}
    (tmp_path / "game.sgf").write_text(game.record(start, made, names, scores={"Black": 1, "White": 0})[1])
    assert PROGRAM is not None
    done = subprocess.run(
        [PROGRAM, "--mode", "gtp"],
        input=f"loadsgf {tmp_path / 'game.sgf'}\nlist_stones black\nlist_stones white\nget_komi\nquit\n",
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    answers = [line[1:].split() for line in done.stdout.splitlines() if line.startswith("=")]
    black, white, komi = answers[1:4]
    board = game.observe(state, "Black").data["board"]
    points = [(r, c, found) for r, row in enumerate(board) for c, found in enumerate(row)]
    expected = {mark: sorted(f"{LETTERS[c]}{7 - r}" for r, c, found in points if found == mark) for mark in "XO"}
    assert (sorted(black), sorted(white)) == (expected["X"], expected["O"]) and komi == ["7.5"]
