"""The report: games are played again from records, and what cannot be right raises an alarm."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
from tic_tac_toe import game as played
from tic_tac_toe import report
from tic_tac_toe.game import play_row
from tic_tac_toe.rows import Row, Rules, first_message, make_rows
from tic_tac_toe.scoring import Scale

from ludometer.players.random import RandomPlayer


def episode(row: Row, choose: Callable[[list[str]], str], *, reward: float | None = None) -> dict[str, Any]:
    """A game as `vf-eval` records it."""
    nodes: list[dict[str, Any]] = [{"message": {"role": "system", "content": "..."}}]

    async def say(message: str | None) -> str:
        text = first_message(row) if message is None else message
        answer = choose(re.findall(r"\d", text.split("\n\n")[-2]))
        nodes.extend(
            [{"message": {"role": "user", "content": text}}, {"message": {"role": "assistant", "content": answer}}]
        )
        return answer

    result = asyncio.run(play_row(row, say))
    score = Scale().reward(result) if reward is None else reward
    task = {"data": {"id": row.seed, "row": row.model_dump(exclude_none=True)}}
    info = {key: value for key, value in asdict(result).items() if value is not None}
    rewards = {"reward": {"score": score, "weight": 1.0}}
    trace = {
        "task": task,
        "agent": {"config": {"model": "m"}},
        "nodes": nodes,
        "info": info,
        "rewards": rewards,
        "ok": True,
    }
    return {"task": task, "traces": [trace], "ok": True}


def written(place: Path, episodes: list[dict[str, Any]]) -> str:
    place.mkdir(exist_ok=True)
    (place / "traces.jsonl").write_text("".join(json.dumps(one) + "\n" for one in episodes), encoding="utf-8")
    return str(place)


def cells(line: str) -> list[str]:
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_the_table_counts_what_was_played(tmp_path, capsys):
    luck = random.Random(1)
    episodes = [episode(row, luck.choice) for row in make_rows(30, Rules())]
    failed = episode(Row(seed="x", symbol="X"), luck.choice)
    failed["traces"][0]["ok"] = False
    assert report.main([written(tmp_path, [*episodes, failed])]) == 0
    name, games, draws, losses, illegal, errors, mean, wins, *_ = cells(capsys.readouterr().out.splitlines()[2])
    expected = [one["traces"][0]["info"]["outcome"] for one in episodes]
    assert (name, games, errors, illegal, wins) == ("m vs. minimax", "31", "1", "0", "0")
    assert (int(draws), int(losses)) == (expected.count("draw"), expected.count("loss"))
    assert mean == f"{expected.count('draw') / 60:.3f}"


@pytest.mark.parametrize("opponent", ["minimax", "perfect", "mixture(1)"])
def test_wins_over_a_perfect_opponent_are_alarms(tmp_path, capsys, monkeypatch, opponent):
    monkeypatch.setattr(played, "make_opponent", lambda opponent, game: RandomPlayer())
    luck = random.Random(2)
    episodes = [episode(row, luck.choice) for row in make_rows(30, Rules(opponent=opponent))]
    assert report.main([written(tmp_path, episodes)]) == 1
    said = capsys.readouterr().err.splitlines()
    wins = sum(one["traces"][0]["info"]["outcome"] == "win" for one in episodes)
    assert wins >= 5
    assert sum(f"a score of 1 against {opponent}, where 0.5 is the best" in line for line in said) == wins
    mean = sum(one["traces"][0]["info"]["score"] for one in episodes) / 30
    assert any(f"a mean score of {mean:.3f} against {opponent}" in line for line in said) == (mean > 0.5)


@pytest.mark.parametrize(
    ("scores", "alarmed"), [([0.5, 0.5, 0.5], False), ([0.5, 1.0, 0.0], False), ([1.0, 0.5], True)]
)
def test_a_mean_above_what_best_play_brings_is_an_alarm(scores, alarmed):
    for perfect, expected in ((True, alarmed), (False, False)):
        one = report.Tally(perfect=perfect, scores=scores, best=[0.5] * len(scores))
        one.check_mean("somebody")
        assert bool(one.alarms) == expected


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda one: one["traces"][0]["rewards"]["reward"].update(score=0.75), "the reward is"),
        (lambda one: one["traces"][0]["info"].update(score=1.0), "recorded is"),
        (lambda one: one["traces"][0]["nodes"][3]["message"].update(content="I play 1."), "not the one that belongs"),
        (lambda one: one["traces"][0]["nodes"].extend(one["traces"][0]["nodes"][-2:]), "goes on after the end"),
    ],
)
def test_a_record_that_was_changed_is_noticed(tmp_path, capsys, change, says):
    luck = random.Random(4)
    one = episode(Row(seed="s", symbol="O", opened=5), luck.choice)
    assert report.main([written(tmp_path, [one])]) == 0
    change(one)
    assert report.main([written(tmp_path, [one])]) == 1
    assert says in capsys.readouterr().err


def test_a_folder_without_results_is_named(tmp_path, capsys):
    assert report.main([str(tmp_path)]) == 1
    assert "holds no traces.jsonl" in capsys.readouterr().err
