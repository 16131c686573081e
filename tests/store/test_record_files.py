"""Game records, read back by other programs' readers: python-chess for PGN, and a reading of SGF by hand."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import chess.pgn
import pytest
import sqlalchemy as sa

from ludometer.core import ConfigurationError
from ludometer.store import MatchPlan, RunStore, schema
from ludometer.store.export import export
from ludometer.tournaments import load_config, start

HOSTILE = 'a "quoted]\\ name\n[Result "1-0"]\n;W[aa]'


@pytest.fixture(scope="module")
def store(place: Callable[[str], str]) -> Iterator[RunStore]:
    config = {
        "name": "recorded",
        "games": ["chess", {"name": "go", "size": 5}, "checkers", "tictactoe"],
        "players": ["random", {"player": "random", "name": HOSTILE}],
        "openings": {"random_plies": 2, "count": 2},
        "policy": {"max_moves": 40},
    }
    run = place("records")
    asyncio.run(start(load_config(config), run))
    with RunStore.open(run) as opened:
        yield opened


@pytest.fixture(scope="module")
def files(store: RunStore, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("written")
    written = export(store, folder, "record")
    assert sorted(folder.iterdir()) == sorted(written)  # nothing half-written is left
    return {path.name: path for path in written}


def test_one_file_for_all_games_or_one_a_game(files: dict[str, Path]) -> None:
    assert sorted(files) == ["checkers.pdn", "chess.pgn", *(f"go-{number:06d}.sgf" for number in range(5, 9))]


def test_chess_is_read_by_another_program(store: RunStore, files: dict[str, Path]) -> None:
    rows = [row for row in store.matches() if row.game == "chess"]
    assert len(rows) == 4
    with files["chess.pgn"].open(encoding="utf-8") as file:
        for row in rows:
            game = chess.pgn.read_game(file)
            assert game is not None and not game.errors
            board, played = game.board(), []
            for move in game.mainline_moves():
                played.append(board.san(move))
                board.push(move)
            assert played == [*(row.opening or ()), *(row.notation or "").splitlines()]
            assert len(row.opening or ()) == 2
            assert (game.headers["Event"], game.headers["Round"]) == ("recorded", str(row.number))
            words = {None: "*", 1.0: "1-0", 0.0: "0-1", 0.5: "1/2-1/2"}
            score = None if row.scores is None else row.scores["white"]
            assert game.headers["Result"] == words[score]
            assert re.fullmatch(r"\d{4}\.\d\d\.\d\d", game.headers["Date"])
            assert "random" in (game.headers["White"], game.headers["Black"])
        assert chess.pgn.read_game(file) is None


def test_go_moves_are_those_of_the_match(store: RunStore, files: dict[str, Path]) -> None:
    for row in (row for row in store.matches() if row.game == "go"):
        text = files[f"go-{row.number:06d}.sgf"].read_text(encoding="utf-8")
        points = re.findall(r"(?<!\\);[BW]\[([a-e]{2}|)\]", re.sub(r"P[BW]\[(?:\\.|[^\]\\])*\]", "", text))
        written = [*(row.opening or ()), *(row.notation or "").splitlines()]
        # SGF counts columns and rows from the upper left corner in letters; people count rows from below.
        expected = [
            "" if move == "pass" else "abcde"["ABCDE".index(move[0])] + "edcba"[int(move[1]) - 1] for move in written
        ]
        assert points == expected


def test_checkers_has_every_match(store: RunStore, files: dict[str, Path]) -> None:
    text = files["checkers.pdn"].read_text(encoding="utf-8")
    assert text.count('[Event "recorded"]') == 4
    assert text.count("\n\n[Event") == 3  # a blank line between the games


def test_unfinished_matches_and_those_that_no_longer_fit(tmp_path: Path) -> None:
    def plan(key: str) -> MatchPlan:
        return MatchPlan(key, "chess", {}, {}, "g", "l", "s", {"white": "a", "black": "b"}, ("e4",))

    with RunStore.create(tmp_path / "run", {"name": "unfinished"}) as store:
        store.add_matches([plan(key) for key in "abc"])
        with store.engine.begin() as connection:
            m = schema.matches
            connection.execute(sa.update(m).where(m.c.number == 1).values(status="void", notation="e5\nNf3"))
            connection.execute(sa.update(m).where(m.c.number == 2).values(notation="e4"))  # Black has no such move
            stopped = {"status": "finished", "ending": "canceled", "why": "asked too often", "notation": "e5"}
            connection.execute(sa.update(m).where(m.c.number == 3).values(**stopped))
        (path,) = export(store, tmp_path / "out", "record")
    text = path.read_text(encoding="utf-8")
    assert re.findall(r'\[Round "(\d)"\]', text) == ["1", "3"]
    assert re.findall(r'\[Termination "(.*)"\]', text) == ["abandoned", "canceled: asked too often"]
    assert text.count("1. e4 e5 2. Nf3 *") == 1 and text.count("1. e4 e5 *") == 1


def test_a_run_without_records_says_so(tmp_path: Path) -> None:
    plan = MatchPlan("k", "tictactoe", {}, {}, "g", "l", "s", {"X": "a", "O": "b"}, ("1,1",))
    with RunStore.create(tmp_path / "run", {}) as store:
        store.add_matches([plan])
        with pytest.raises(ConfigurationError, match="use json, csv or txt"):
            export(store, tmp_path / "out", "record")
