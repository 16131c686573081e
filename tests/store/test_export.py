"""Exports of a run of deterministic players against golden files, and of a run full of hostile text."""

from __future__ import annotations

import asyncio
import csv
import json
import re
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from ludometer.core import ConfigurationError, MachineError
from ludometer.store import MatchPlan, RunStore, schema
from ludometer.store.export import csv_columns, export, safe_cell
from ludometer.store.types import storable
from ludometer.tournaments import load_config, start

GOLDEN = Path(__file__).parent / "golden"
"""To write them anew after a wanted change, delete them and run this file twice."""

_CLOCKS = re.compile(
    r'((?<![a-z])"?(?:created|started|finished|seconds|at|ludometer)"?:? )("[^"]*"|[\d.e-]+)(?=[,}\n])'
)
_TIME = re.compile(r"\d{4}-\d\d-\d\dT[\d:.]+\+00:00")


def masked(text: str) -> str:
    """The text with everything that comes from a clock, or is the program's version, masked."""
    return _TIME.sub("TIME", _CLOCKS.sub(r"\1MASKED", text))


@pytest.fixture(scope="module")
def store(place: Callable[[str], str]) -> Iterator[RunStore]:
    config = {"game": "tictactoe", "players": ["perfect", "random"], "schedule": {"repeats": 2}, "seed": 7}
    run = place("export")
    asyncio.run(start(load_config({**config, "factors": {"attempts": [1, 2]}}), run))
    with RunStore.open(run) as opened:
        yield opened


@pytest.mark.parametrize(("form", "name"), [("json", "matches.jsonl"), ("csv", "matches.csv"), ("txt", "matches.txt")])
def test_golden(store: RunStore, tmp_path: Path, form: Any, name: str) -> None:
    written = export(store, tmp_path, form)
    assert sorted(tmp_path.iterdir()) == sorted(written)  # nothing half-written is left
    text = masked((tmp_path / name).read_text(encoding="utf-8"))
    if form == "csv":
        text = re.sub(r"(TIME,TIME,)[\d.e-]+", r"\1MASKED", text)
    golden = GOLDEN / name
    if not golden.exists():
        golden.write_text(text, encoding="utf-8")
        pytest.fail(f"{name} did not exist and was written: read it, then run the test again")
    assert text == golden.read_text(encoding="utf-8")


def test_json_says_what_was_run(store: RunStore, tmp_path: Path) -> None:
    about = json.loads(export(store, tmp_path, "json")[0].read_text(encoding="utf-8"))
    assert about["config"] == store.config
    assert about["config"]["seed"] == 7
    assert [entrant["name"] for entrant in about["entrants"]] == ["perfect", "random"]
    assert about["matches_by_status"] == {"finished": 8}
    assert about["created"].endswith("+00:00")


def test_the_boards_of_the_text_are_those_of_the_moves(store: RunStore, tmp_path: Path) -> None:
    """Independently of the game's own rules: marks put on a board one by one."""
    (path,) = export(store, tmp_path, "txt")
    pieces = path.read_text(encoding="utf-8").split("=" * 72)[1:]
    assert len(pieces) == 8
    for row, piece in zip(store.matches(), pieces, strict=True):
        board = [["."] * 3 for _ in range(3)]
        expected = []
        for i, move in enumerate((row.notation or "").splitlines()):
            r, c = (int(part) - 1 for part in move.split(","))
            board[r][c] = "XO"[i % 2]
            expected.append("\n".join("   " + "".join(line) for line in board))
        found = re.findall(r"(?:^   [XO.]{3}\n?){3}", piece, re.MULTILINE)
        assert [block.rstrip("\n") for block in found] == expected


def test_csv_has_its_documented_columns(store: RunStore, tmp_path: Path) -> None:
    (path,) = export(store, tmp_path, "csv")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == csv_columns(["attempts"], 2)
    assert [row["condition.attempts"] for row in rows[:2]] == ["1", "2"]
    for row, match in zip(rows, store.matches(), strict=True):
        assert row["notation"].split() == (match.notation or "").splitlines()
        assert row["cost_usd"] == ""  # nobody was asked: not known is not 0
    described = csv_columns.__doc__ or ""
    documented = (Path(__file__).parents[2] / "docs" / "exports.md").read_text(encoding="utf-8")
    for column in rows[0]:
        name = "condition.KEY" if column.startswith("condition.") else re.sub(r"_[12]$", "_i", column)
        assert f"``{name}``" in described
        shown = "condition.KEY" if column.startswith("condition.") else re.sub(r"_2$", "_1", column)
        assert f"`{shown}`" in documented


# ------------------------------------------------------------- hostile content

FORMULA = '=HYPERLINK("http://evil.example")'
ESCAPES = "\x1b[2J\x07red\u202egnp.exe\u2028next\x00"


@pytest.fixture
def hostile(place: Callable[[str], str]) -> Iterator[RunStore]:
    """One unfinished match with a rejected and an accepted answer of a model, with messages and a picture."""
    with RunStore.create(place("hostile"), {"name": "hostile"}) as store:
        store.add_entrants([{"name": FORMULA, "player": "lab/x", "options": {}}, {"name": "o", "player": "random"}])
        store.add_matches([MatchPlan("k", "tictactoe", {}, {"@x": "+1"}, "g", "l", "s", {"X": FORMULA, "O": "o"})])
        same = {"match": "m000001", "step": 0, "seat": "X"}
        verdicts = [("illegal", "already_taken", None, ESCAPES), ("legal", "legal", "2,2", "fine")]
        attempts = [
            {**same, "attempt": i, "ordinal": i, "status": status, "kind": kind, "reason": "row 1\x1b[31m",
             "notation": notation, "action": None, "text": text, "rationale": "", "resign": False,
             "seconds": 1.0, "at": 0.0}
            for i, (status, kind, notation, text) in enumerate(verdicts)
        ]  # fmt: skip
        call = {
            **same, "attempt": 0, "n": "0", "fingerprint": "f", "answer": ESCAPES, "finish_reason": "stop",
            "request": json.dumps({"messages": [["system", "t"], ["user", ["t", "p"]]], "schema": "j"}),
            "input_tokens": 3, "output_tokens": 4, "cost": None, "latency": 0.5, "at": 0.0,
        }  # fmt: skip
        contents = [
            {"hash": "t", "media_type": "text/plain", "body": b"Play!"},
            {"hash": "p", "media_type": "image/png", "body": b"\x89PNG"},
            {"hash": "j", "media_type": "application/json", "body": b'{"type": "object"}'},
        ]
        with store.engine.begin() as connection:
            connection.execute(sa.insert(schema.attempts), attempts)
            connection.execute(sa.insert(schema.exchanges), [call])
            connection.execute(sa.insert(schema.contents), contents)
        yield store


def test_json_has_the_exact_messages_and_answers(hostile: RunStore, tmp_path: Path) -> None:
    lines = export(hostile, tmp_path / "out", "json")[1].read_text(encoding="utf-8").splitlines()
    assert len(lines) == 1  # no character of an answer ends a line
    match = json.loads(lines[0])
    assert (match["status"], match["result"], match["notation"]) == ("scheduled", None, None)
    first, second = match["log"]
    assert (first["legal"], first["verdict"]["kind"], second["legal"]) == (False, "already_taken", True)
    (call,) = first["calls"]
    assert call["request"]["messages"] == [
        {"role": "system", "content": "Play!"},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "Play!"},
                {"type": "image", "media_type": "image/png", "base64": "iVBORw=="},
            ],
        },
    ]
    assert call["request"]["schema"] == {"type": "object"}
    assert call["response"]["text"] == storable(ESCAPES)
    assert (call["tokens"]["output"], call["cost_usd"]) == (4, None)


def test_no_cell_is_a_formula(hostile: RunStore, tmp_path: Path) -> None:
    (path,) = export(hostile, tmp_path / "out", "csv")
    with path.open(encoding="utf-8", newline="") as file:
        heads, cells = csv.reader(file)
    row = dict(zip(heads, cells, strict=True))
    assert row["player_1"] == "'" + FORMULA
    assert row["condition.@x"] == "'+1"
    assert (row["calls"], row["unpriced_calls"], row["output_tokens"], row["cost_usd"]) == ("1", "1", "4", "")
    assert not any(cell[:1] in "=+-@" for cell in (*heads, *cells) if cell)


@pytest.mark.parametrize("text", ["=1+1", "+1", "-1", "@SUM(1)", " =1", "\t=1", "\n=1", "＝1", "'=1", "'", "\u200b=1"])
def test_formulas_are_escaped_and_can_be_read_back(text: str) -> None:
    cell = safe_cell(text)
    assert isinstance(cell, str)
    assert cell.startswith("'")
    assert cell[1:] == text.replace("\u200b", "")


@pytest.mark.parametrize(("value", "cell"), [(-1, -1), (-0.5, -0.5), (None, ""), (True, "true"), ("a=b", "a=b")])
def test_other_cells_stay(value: object, cell: object) -> None:
    assert safe_cell(value) == cell


def test_text_cannot_control_a_terminal(hostile: RunStore, tmp_path: Path) -> None:
    (path,) = export(hostile, tmp_path / "out", "txt")
    text = path.read_text(encoding="utf-8")
    assert "refused (already_taken)" in text and "gnp.exe" in text
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028\u202e]", text)
    assert "   ...\n   .X.\n   ...\n" in text  # the accepted move of the unfinished match is drawn
    assert "not finished (scheduled)" in text


# ----------------------------------------------------------------- the machine


def test_an_unknown_format(store: RunStore, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="json"):
        export(store, tmp_path, "jsn")  # type: ignore[arg-type]


def test_a_folder_that_cannot_be_written(store: RunStore, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(MachineError, match="cannot be written"):
        export(store, tmp_path / "file" / "out", "csv")


def test_memory_does_not_grow_with_the_moves(tmp_path: Path) -> None:
    """4000 matches with 2 kB of notation each are 8 MB; an export must hold a part of that at a time."""
    with RunStore.create(tmp_path / "run", {}) as store:
        store.add_matches(
            MatchPlan(str(i), "tictactoe", {}, {}, "g", "l", "s", {"X": "a", "O": "b"}) for i in range(4000)
        )
        with store.engine.begin() as connection:
            connection.execute(sa.update(schema.matches).values(notation="1,1 " * 500))
        export(store, tmp_path / "warm", "csv")
        tracemalloc.start()
        export(store, tmp_path / "out", "csv")
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
    assert (tmp_path / "out" / "matches.csv").stat().st_size > 8_000_000
    assert peak < 6_000_000


def test_openings_are_shown_and_played_from(tmp_path: Path) -> None:
    plan = MatchPlan("k", "tictactoe", {}, {}, "g", "l", "s", {"X": "a", "O": "b"}, ("1,1", "3,3"))
    with RunStore.create(tmp_path / "run", {}) as store:
        store.add_matches([plan])
        with store.engine.begin() as connection:
            connection.execute(sa.update(schema.matches).values(notation="2,2", status="finished", ending="canceled"))
        (text,) = export(store, tmp_path, "txt")
        assert "after the opening 1,1 3,3" in text.read_text()
        assert "3. X: 2,2\n   X..\n   .X.\n   ..O\n" in text.read_text()
        (table,) = export(store, tmp_path, "csv")
        with table.open(newline="") as file:
            assert next(csv.DictReader(file))["opening"] == "1,1 3,3"
        assert json.loads(export(store, tmp_path, "json")[1].read_text())["opening"] == ["1,1", "3,3"]
