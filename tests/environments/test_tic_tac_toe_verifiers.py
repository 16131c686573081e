"""The environment under `vf-eval`, end to end: results on disk, rewards recomputed from the transcripts."""

from __future__ import annotations

import importlib.util
import itertools
import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from tic_tac_toe import report

from ludometer.core import LudometerError
from ludometer.testing.fake_provider import Fault, in_thread

pytest.importorskip("verifiers.v1", reason="needs verifiers: pip install 'ludometer[verifiers]'")
pytestmark = pytest.mark.slow

MODEL = "smollm2-135m"


def _missing_model() -> str | None:
    if importlib.util.find_spec("xllamacpp") is None:
        return "xllamacpp is not installed: pip install 'ludometer[local]'"
    from ludometer.models.files import path_of

    try:
        path_of(MODEL)
    except LudometerError as error:
        return str(error)
    return None


def spoken(trace: dict[str, Any], role: str) -> list[str]:
    return [node["message"].get("content") or "" for node in trace["nodes"] if node["message"]["role"] == role]


def shown_score(trace: dict[str, Any]) -> float:
    """The score by the last words of the conversation alone."""
    last = trace["info"]["final_message"].rsplit("\n\n", 1)[-1]
    return {"You win!": 1.0, "Draw!": 0.5, "You lose!": 0.0, "Illegal move. Game over.": 0.0}[last]


def check(found: Any, games: int = 20) -> None:
    """Every game has a reward; it is what the transcript shows, and what refereeing the answers again brings."""
    assert len(found.episodes) == games
    episodes, scale = report.read_run(found.place)
    for trace in found.traces:
        assert trace["ok"], trace["errors"]
        recorded = trace["rewards"]["reward"]["score"]
        assert recorded == shown_score(trace)
        assert report.replayed(trace, scale)[1] == recorded
        outcomes = ("win", "draw", "loss", "illegal", "empty", "unfinished", "error")
        assert sum(trace["metrics"][name] for name in outcomes) == 1
    assert sum(one.games for one in report.tally(episodes, scale).values()) == games


def test_twenty_games_against_a_fake_provider(vf_eval, provider, capsys):
    with in_thread(provider("tictactoe")) as fake:
        found = vf_eval("tic-tac-toe", fake.url, "--sampling.max-tokens", "17")
        requests = fake.requests
    check(found)
    assert {name for trace in found.traces for name, value in trace["metrics"].items() if value} >= {"loss", "regret"}
    assert all(request["max_tokens"] == 17 for request in requests)
    # Every request extends one that was sent before, by the answer to it and a message: transcripts are append-only.
    chats = [request["messages"] for request in requests]
    for chat in chats:
        assert [message["role"] for message in chat] == [
            "system",
            *["user", "assistant"] * (len(chat) // 2 - 1),
            "user",
        ]
        assert len(chat) == 2 or chat[:-2] in chats
    for trace in found.traces:
        assert [node.get("parent") for node in trace["nodes"]] == [None, *range(len(trace["nodes"]) - 1)]
    assert report.main([str(found.place), "--baseline"]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("| Model | Games | Draws | Losses | Illegal | Errors | Avg Reward |")
    assert "| Qwen3-8B (thinking) vs. minimax (published 2026-03) | 20 | 12 | 8 | 0 | 0 | 0.300 |" in printed


def test_the_report_notices_what_was_changed(vf_eval, provider, tmp_path, capsys):
    with in_thread(provider("tictactoe")) as fake:
        found = vf_eval("tic-tac-toe", fake.url, games=3)
    line = (found.place / "traces.jsonl").read_text().splitlines()[0]
    for i, (old, new) in enumerate(
        [
            ('"rewards":{"reward":{"score":0.', '"rewards":{"reward":{"score":0.9'),
            ("You are", "You shall be"),
            ('"outcome":"loss"', '"outcome":"draw"'),
        ]
    ):
        copy = tmp_path / f"copy{i}"
        shutil.copytree(found.place, copy)
        changed = re.sub(r"\s*([:,{}])\s*", r"\1", line) if old not in line else line
        assert old in changed
        (copy / "traces.jsonl").write_text(json.dumps(json.loads(changed.replace(old, new))) + "\n")
        assert report.main([str(copy)]) == 1
        assert "error: row 0:" in capsys.readouterr().err


def test_answers_that_are_empty_and_calls_that_fail_are_counted_apart(vf_eval, provider, capsys):
    counter = itertools.count()

    def thinking(request: dict[str, Any]) -> dict[str, Any]:
        next(counter)
        return {"role": "assistant", "content": "", "reasoning_content": "I could play 5"}

    with in_thread(provider(thinking)) as fake:
        found = vf_eval("tic-tac-toe", fake.url, games=4)
    check(found, 4)
    assert all(trace["metrics"]["empty"] == 1 and trace["metrics"]["illegal"] == 0 for trace in found.traces)
    assert next(counter) == 4

    faults = {index: Fault("error", status=400) for index in range(2)}
    with in_thread(provider("tictactoe", faults=faults)) as fake:
        found = vf_eval("tic-tac-toe", fake.url, "-c", "1", games=3)
    assert [trace["metrics"]["error"] for trace in found.traces] == [1, 1, 0]
    assert report.main([str(found.place)]) == 0
    row = capsys.readouterr().out.splitlines()[2].split(" | ")
    assert (row[1], row[5]) == ("3", "2")


def test_options_reach_the_games(vf_eval, provider):
    options = ("--env.taskset.opponent", "mixture(0.2)", "--env.taskset.illegal", "retry(1)", "--env.taskset.seed", "5")
    shaped = ("--env.taskset.task.legal-bonus", "0.1", "--env.taskset.task.draw", "0.4")
    board = ("--env.taskset.rows", "4", "--env.taskset.columns", "4", "--env.taskset.line", "3")
    with in_thread(provider(lambda request: "no idea" if len(request["messages"]) == 2 else "play 16")) as fake:
        found = vf_eval("tic-tac-toe", fake.url, *options, *shaped, *board, "--env.taskset.num-tasks", "6")
    assert len(found.episodes) == 6
    for trace in found.traces:
        assert trace["task"]["data"]["id"].startswith("5:")
        asked = spoken(trace, "user")
        assert asked[0].count("----") and " 16" in asked[0]
        assert asked[1].startswith("Illegal move. Your answer names no cell; try again.\n\n  1 |")
        legal = trace["info"]["legal_moves"]
        assert legal >= 1 or "X" in asked[0] or "O" in asked[0]
        assert trace["rewards"]["reward"]["score"] == pytest.approx(0.1 * legal)
    episodes, scale = report.read_run(found.place)
    report.tally(episodes, scale)


@pytest.mark.skipif(_missing_model() is not None, reason=_missing_model() or "")
def test_twenty_games_of_a_language_model_on_this_machine(vf_eval):
    from ludometer.models.files import path_of
    from ludometer.models.local import _address

    url = _address(Path(path_of(MODEL)), 2, 2048) + "/v1"
    found = vf_eval("tic-tac-toe", url, "--sampling.max-tokens", "32", "--sampling.temperature", "0", "-c", "2")
    check(found)
    assert any(trace["metrics"]["illegal"] for trace in found.traces)
