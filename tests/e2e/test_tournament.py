"""The whole way, as a user goes it: a file, a provider, the command line, and what is left in the run."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludometer.store import RunStore, schema
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config, start
from ludometer.tournaments.launch import verify

LUDOMETER = [sys.executable, "-c", "from ludometer.cli.main import main; main()"]

ROWS = [{(r, c) for c in (1, 2, 3)} for r in (1, 2, 3)]
COLUMNS = [{(r, c) for r in (1, 2, 3)} for c in (1, 2, 3)]
LINES = [*ROWS, *COLUMNS, {(1, 1), (2, 2), (3, 3)}, {(1, 3), (2, 2), (3, 1)}]


def ludometer(*arguments: str, **options) -> subprocess.CompletedProcess:
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "120"}
    return subprocess.run(
        [*LUDOMETER, *arguments], capture_output=True, text=True, timeout=120, check=False, env=environment, **options
    )


def write_config(path: Path, url: str, repeats: int = 2, concurrency: int = 8) -> Path:
    path.write_text(
        f"""
name = "e2e"
game = "tictactoe"
players = ["fake/first", {{player = "fake/second", name = "zweite ✨", view = "numbered"}}, "random", "perfect"]
concurrency = {concurrency}

[schedule]
repeats = {repeats}

[models.fake]
base_url = "{url}"
""",
        encoding="utf-8",
    )
    return path


def winner(cells):
    """Who completed a line, found without the program's own rules."""
    for played in range(len(cells) + 1):
        for seat, mine in (("X", cells[:played][0::2]), ("O", cells[:played][1::2])):
            if any(line <= set(mine) for line in LINES):
                assert played == len(cells), "nobody moves after the end"
                return seat
    assert len(cells) == 9
    return None


def check_games(folder):
    """Every finished game of a run against independent rules."""
    with RunStore.open(folder) as store:
        for row in store.matches():
            cells = [tuple(int(number) for number in move.split(",")) for move in row.notation.splitlines()]
            assert len(set(cells)) == len(cells)
            won = winner(cells)
            expected = {"X": 0.5, "O": 0.5} if won is None else {seat: float(seat == won) for seat in "XO"}
            assert row.scores == expected
            assert row.ending == "completed"
            for attempt in store.rows(schema.attempts, row.id):
                if attempt["text"]:
                    stated = json.loads(attempt["text"])
                    cell = (
                        divmod(stated["cell"] - 1, 3) if "cell" in stated else (stated["row"] - 1, stated["column"] - 1)
                    )
                    assert (cell[0] + 1, cell[1] + 1) == cells[attempt["step"]], "what was said is what was played"


def test_from_a_file_to_a_verified_run(tmp_path):
    with in_thread(FakeProvider("tictactoe")) as provider:
        config = write_config(tmp_path / "run.toml", provider.url)
        done = ludometer("run", str(config), "--dir", str(tmp_path / "run"), "--json")
        assert done.returncode == 0, done.stderr
        assert "Traceback" not in done.stderr
        with RunStore.open(tmp_path / "run") as store:
            assert store.status_counts() == {"finished": 4 * 3 * 2}
            assert len(store.rows(schema.exchanges)) == provider.stats.calls
        again = ludometer("resume", str(tmp_path / "run"))
        assert again.returncode == 0, again.stderr
        asked = provider.stats.calls
    check_games(tmp_path / "run")
    judged = ludometer("verify", str(tmp_path / "run"))
    assert judged.returncode == 0, judged.stdout + judged.stderr
    table = ludometer("leaderboard", str(tmp_path / "run"))
    assert table.returncode == 0, table.stderr
    names = ["fake/first", "zweite ✨", "random", "perfect"]
    order = sorted(names, key=table.stdout.index)
    assert order[0] == "perfect"
    assert provider.stats.calls == asked, "none of that asks a model"


@pytest.mark.slow
def test_a_changed_log_is_found(tmp_path):
    with in_thread(FakeProvider("tictactoe")) as provider:
        config = write_config(tmp_path / "run.toml", provider.url, repeats=1)
        assert ludometer("run", str(config), "--dir", str(tmp_path / "run")).returncode == 0
    with RunStore.open(tmp_path / "run", write=True) as store, store.engine.begin() as connection:
        table = schema.exchanges
        first = connection.execute(table.select().where(table.c.step == 2).limit(1)).mappings().one()
        here = (table.c.match == first["match"]) & (table.c.step == 2) & (table.c.seat == first["seat"])
        changed = '{"cell": 77}' if "cell" in first["answer"] else '{"row": 7, "column": 7}'
        connection.execute(table.update().where(here).values(answer=changed))
    judged = ludometer("verify", str(tmp_path / "run"))
    assert judged.returncode != 0
    assert first["match"] in judged.stdout + judged.stderr or "step 2" in judged.stdout + judged.stderr


@pytest.mark.slow
def test_an_interrupt_keeps_everything(tmp_path):
    with in_thread(FakeProvider("tictactoe", latency=0.03)) as provider:
        config = write_config(tmp_path / "run.toml", provider.url, repeats=8, concurrency=4)
        command = [*LUDOMETER, "run", str(config), "--dir", str(tmp_path / "run")]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        while provider.stats.answered < 20:
            assert process.poll() is None
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert process.returncode == 130
        assert "Traceback" not in err
        with RunStore.open(tmp_path / "run") as store:
            kept = len(store.rows(schema.exchanges))
        assert kept == provider.stats.calls, "the answers on their way were waited for"
        done = ludometer("resume", str(tmp_path / "run"))
        assert done.returncode == 0, done.stderr
        with RunStore.open(tmp_path / "run") as store:
            assert store.status_counts() == {"finished": 4 * 3 * 8}
            assert len(store.rows(schema.exchanges)) == provider.stats.calls
    check_games(tmp_path / "run")


GRID = {
    "view": ["list", "illustration", "numbered", "image"],
    "answer": ["text", "json", "json_schema", "tool"],
    "context": ["fresh", "conversation"],
    "strategy": ["plain", "vote:k=3", "chain_of_thought"],
}


def thinking_aloud(request):
    """A model that gets about a third of its answers wrong, in several ways, and always the same for one request."""
    honest = FakeProvider("tictactoe").answer(request)
    chance = sum(map(ord, json.dumps(request))) % 12
    wrong = {0: "", 1: "I would rather not.", 2: honest.replace("1", "9"), 3: '{"row": 1, "row": 2, "column": 1}'}
    said = wrong.get(chance, honest)
    return said if request.get("tools") else f"<think>1,1 or {{}}?</think>{said}"


@pytest.mark.slow
def test_every_way_of_asking_can_be_judged_again(tmp_path):
    """All combinations of view, answer format, context and strategy, with bad answers among the good ones."""
    with in_thread(FakeProvider(thinking_aloud, keep_requests=False)) as provider:
        table = {
            "game": "tictactoe",
            "players": ["fake/a", "random"],
            "models": {"fake": {"base_url": provider.url}},
            "factors": {**GRID, "feedback": ["none", "explain"]},
            "policy": {"on_exhausted": "random", "attempts": 2},
            "prompt": {"max_retry_wait": 0.02},
        }
        summary = asyncio.run(start(load_config(table), tmp_path / "run"))
    conditions = list(itertools.product(*GRID.values(), ["none", "explain"]))
    assert summary.complete, summary
    assert summary.total == 2 * len(conditions)
    with RunStore.open(tmp_path / "run") as store:
        verdicts = {row["status"] for row in store.rows(schema.attempts)}
    assert verdicts >= {"legal", "illegal", "empty", "invalid_format", "ambiguous"}
    judged = asyncio.run(verify(tmp_path / "run"))
    assert judged.problems == []
    assert judged.matches == summary.total
    assert judged.calls == summary.totals.calls
