"""Data sets from recorded matches: only from logs that verify, and every row as the log has it."""

from __future__ import annotations

import asyncio
import itertools
import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import ludometer
from ludometer.analysis.quality_values import analyze_moves
from ludometer.cli.main import cli
from ludometer.core import ConfigurationError, MachineError
from ludometer.envs.offline_files import export_dataset
from ludometer.store import RunStore, schema
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config, start


class Clumsy:
    """Wrong about every other time, and different from call to call, so that equal prompts get several answers."""

    def __init__(self) -> None:
        self.calls = itertools.count()

    def __call__(self, request: dict[str, Any]) -> str:
        luck = next(self.calls)
        return json.dumps({"row": luck * 7 % 4, "column": luck * 5 % 3 + 1, "reason": f"because of {luck % 5}"})


def played(folder: Path, **policy: Any) -> Path:
    """In misere play the first move of all but the centre loses: values at the one prompt that every match has."""
    with in_thread(FakeProvider(Clumsy())) as provider:
        table = {
            "game": {"name": "tictactoe", "misere": True},
            "players": ["random", {"player": "fake/m", "name": "m"}],
            "schedule": {"repeats": 6},
            "policy": {"attempts": 4, "on_exhausted": "random", **policy},
            "models": {"fake": {"base_url": provider.url}},
            "concurrency": 1,
        }
        assert asyncio.run(start(load_config(table), folder)).complete
    return folder


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run with good and bad attempts at equal prompts, analyzed."""
    folder = played(tmp_path_factory.mktemp("offline") / "run", feedback="repeat")
    with RunStore.open(folder, write=True) as store:
        asyncio.run(analyze_moves(store, workers=1))
    return folder


@pytest.fixture
def run(recorded: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(recorded, tmp_path / "run"))


def exported(run: Path, form: Any, **options: Any) -> list[dict[str, Any]]:
    with RunStore.open(run) as store:
        path, about = export_dataset(store, run / "out", form, **options)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert json.loads(about.read_text(encoding="utf-8"))["rows"] == len(rows)
    return rows


def logged(run: Path) -> list[dict[str, Any]]:
    with RunStore.open(run) as store:
        return [row for row in store.rows(schema.attempts) if row["text"]]


def test_sft_has_every_legal_answer_once(run: Path) -> None:
    rows = exported(run, "sft")
    legal = [(a["match"], a["step"], a["attempt"], a["text"]) for a in logged(run) if a["status"] == "legal"]
    assert [(r["match"], r["step"], r["attempt"], r["messages"][-1]["content"]) for r in rows] == legal
    for row in rows:
        assert row["messages"][-1]["role"] == "assistant" and row["messages"][-2]["role"] == "user"
        assert "tic-tac-toe" in row["messages"][0]["content"]
        assert row["player"] == "m" and row["score"] in (0.0, 0.5, 1.0)
        assert 0 <= row["regret"] <= 1 and row["optimal"] == (row["regret"] < 1e-9)


def test_pairs_are_of_one_prompt_and_the_better_answer_is_chosen(run: Path) -> None:
    rows = exported(run, "dpo")
    attempts = {(a["match"], a["step"], a["attempt"]): a for a in logged(run)}
    chats = {
        (r["match"], r["step"], r["attempt"]): r["messages"][:-1] for r in exported(run, "sft")
    }  # the prompts of legal answers, by another road
    assert {row["kind"] for row in rows} >= {"legality", "regret"}
    seen = set()
    for row in rows:
        chosen, rejected = (
            attempts[row[f"{side}_match"], row[f"{side}_step"], row[f"{side}_attempt"]]
            for side in ("chosen", "rejected")
        )
        assert chosen["status"] == "legal" and row["chosen"][0]["content"] == chosen["text"]
        assert row["rejected"][0]["content"] == rejected["text"] != chosen["text"]
        prompt = json.dumps(row["prompt"])
        assert (prompt, rejected["text"]) not in seen, "one pair for every worse answer"
        seen.add((prompt, rejected["text"]))
        if row["same_prompt"]:
            assert chats[row["chosen_match"], row["chosen_step"], row["chosen_attempt"]] == row["prompt"]
        if row["kind"] == "regret":
            assert rejected["status"] == "legal" and row["chosen_regret"] < row["rejected_regret"]
        else:
            assert rejected["status"] in ("illegal", "invalid_format")


def test_where_feedback_changes_the_prompt_a_pair_says_so(tmp_path: Path) -> None:
    rows = exported(played(tmp_path / "run", feedback="explain"), "dpo")
    retries = [row for row in rows if row["kind"] == "retry"]
    assert retries and not any(row["same_prompt"] for row in retries)
    for row in retries:
        assert (row["chosen_match"], row["chosen_step"]) == (row["rejected_match"], row["rejected_step"])
        assert row["chosen_attempt"] > row["rejected_attempt"]


def test_trajectories_have_every_attempt_and_rewards_that_add_up_to_the_score(run: Path) -> None:
    rows = exported(run, "trajectories")
    with RunStore.open(run) as store:
        matches = {match.id: match for match in store.matches()}
        attempts = store.rows(schema.attempts)
    assert len(rows) == 2 * len(matches)
    assert sum(len(row["turns"]) for row in rows) == len(attempts)
    for row in rows:
        match = matches[row["match"]]
        assert row["score"] == match.scores[row["seat"]] == sum(turn["reward"] for turn in row["turns"])
        assert row["player"] == match.seats[row["seat"]]
        for turn in row["turns"]:
            assert bool(turn["messages"]) == (row["player"] == "m") == bool(turn["calls"])
            assert turn["legal"] == (turn["status"] == "legal") and (turn["regret"] is None) != turn["legal"]


def test_a_match_whose_log_was_changed_is_left_out(run: Path) -> None:
    before = {row["match"] for row in exported(run, "sft")}
    changed = min(before)
    connection = sqlite3.connect(run / "run.sqlite")
    with connection:
        statement = "update attempts set text = 'I never said that' where text != '' and match = ?"
        assert connection.execute(statement, (changed,)).rowcount > 0
    connection.close()
    for form in ("sft", "dpo", "trajectories"):
        assert changed not in {row.get("match", row.get("rejected_match")) for row in exported(run, form)}
    about = json.loads((run / "out" / "sft.about.json").read_text(encoding="utf-8"))
    assert about["left_out"]["not_one_answer"] == 0 < about["left_out"]["without_calls"]
    assert about["left_out"]["not_verified"] == 1 and changed in about["left_out"]["problems"][0]
    assert {row["match"] for row in exported(run, "sft")} == before - {changed}


def test_a_run_that_left_its_schedule_is_refused(run: Path) -> None:
    connection = sqlite3.connect(run / "run.sqlite")
    with connection:
        connection.execute("delete from matches where number = 1")
    connection.close()
    with pytest.raises(ConfigurationError, match="not those of its schedule"):
        exported(run, "sft")
    assert not (run / "out").exists()


def test_a_run_without_text_answers_has_no_chats(tmp_path: Path) -> None:
    config = load_config({"game": "nim", "players": ["random", "perfect"]})
    asyncio.run(start(config, tmp_path / "run"))
    with RunStore.open(tmp_path / "run") as store:
        for form in ("sft", "dpo"):
            with pytest.raises(ConfigurationError, match="nothing was written"):
                export_dataset(store, tmp_path / "out", form)  # type: ignore[arg-type]
        (tmp_path / "file").write_text("")
        with pytest.raises(MachineError, match="cannot be written"):
            export_dataset(store, tmp_path / "file", "trajectories")


@pytest.mark.parametrize("form", ["sft", "dpo", "trajectories"])
def test_parquet_has_the_same_rows(run: Path, form: Any) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", reason="Parquet needs pyarrow: pip install 'ludometer[parquet]'")
    lines = exported(run, form)
    with RunStore.open(run) as store:
        path, _ = export_dataset(store, run / "out", form, parquet=True)
    table = parquet.read_table(path)
    assert table.column_names == list(lines[0])
    assert table.to_pylist() == lines


def test_the_command(run: Path, tmp_path: Path) -> None:
    out = str(tmp_path / "o")
    done = CliRunner().invoke(cli, ["export", str(run), "--format", "sft", "--out", out])
    assert done.exit_code == 0 and "sft.about.json says what was left out" in done.output
    assert (tmp_path / "o" / "sft.jsonl").exists()
    failed = CliRunner().invoke(cli, ["export", str(run), "--format", "csv", "--parquet", "--out", out])
    assert isinstance(failed.exception, ConfigurationError) and "not csv" in str(failed.exception)


def test_from_python_also_inside_a_running_loop(run: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow", reason="Parquet needs pyarrow: pip install 'ludometer[parquet]'")
    rows, _ = ludometer.load(run).export(tmp_path / "data", "sft")
    assert [json.loads(line) for line in rows.read_text(encoding="utf-8").splitlines()] == exported(run, "sft")

    async def notebook() -> list[Path]:
        return ludometer.load(run).export(tmp_path / "data", "dpo", parquet=True)

    assert [path.name for path in asyncio.run(notebook())] == ["dpo.parquet", "dpo.about.json"]
    with pytest.raises(ConfigurationError, match="can be written as Parquet, not csv"):
        ludometer.load(run).export(tmp_path / "data", "csv", parquet=True)


def test_a_decision_of_several_calls_has_the_chat_of_the_one_that_counted(tmp_path: Path) -> None:
    """Thoughts come before the answer in its messages; of votes, a call that gave the answer that was chosen."""
    for strategy in ("chain_of_thought", "vote:k=3"):
        folder = tmp_path / strategy.partition(":")[0]
        with in_thread(FakeProvider(Clumsy())) as provider:
            table = {
                "game": "tictactoe",
                "players": ["random", {"player": "fake/m", "name": "m", "strategy": strategy}],
                "models": {"fake": {"base_url": provider.url}},
                "policy": {"attempts": 4, "on_exhausted": "random"},
                "concurrency": 1,
            }
            asyncio.run(start(load_config(table), folder))
        rows = exported(folder, "sft")
        legal = [a["text"] for a in logged(folder) if a["status"] == "legal"]
        assert [row["messages"][-1]["content"] for row in rows] == legal != []
        assert {len(row["messages"]) for row in rows} == ({4} if strategy == "chain_of_thought" else {2})
        turns = [turn for row in exported(folder, "trajectories") if row["player"] == "m" for turn in row["turns"]]
        assert {turn["calls"] for turn in turns} == ({2} if strategy == "chain_of_thought" else {3})
