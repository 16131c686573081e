"""The adapter for every game under `vf-eval`, end to end: opponents, self-play, and another model."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from ludometer_games import report

from ludometer.testing.fake_provider import Fault, in_thread

pytest.importorskip("verifiers.v1", reason="needs verifiers: pip install 'ludometer[verifiers]'")
pytestmark = pytest.mark.slow


def test_the_packages_have_the_same_harness(packages):
    """They are installed apart, so each has a copy of its own."""
    texts = {(path / path.name / "harness.py").read_text(encoding="utf-8") for path in packages}
    assert len(texts) == 1


def set_options(**values: Any) -> list[str]:
    return [word for key, value in values.items() for word in (f"--env.taskset.{key.replace('_', '-')}", str(value))]


def check(found: Any) -> list[dict[str, Any]]:
    """Every match is played again from its transcripts, and every reward is the one that brings."""
    episodes, penalty = report.read_run(found.place)
    report.tally(episodes, penalty)
    assert all(episode["ok"] for episode in found.episodes)
    for trace in found.traces:
        assert [node.get("parent") for node in trace["nodes"]] == [None, *range(len(trace["nodes"]) - 1)]
    return found.episodes


def assert_append_only(requests: list[dict[str, Any]]) -> None:
    """Every request is one that was sent before with the answer to it and one message more."""
    chats = [request["messages"] for request in requests]
    for chat in chats:
        assert chat[-1]["role"] == "user"
        assert len(chat) <= 2 or chat[:-2] in chats


def test_self_play_has_a_trace_per_seat(vf_eval, provider):
    with in_thread(provider("tictactoe")) as fake:
        options = set_options(game="tictactoe", view="numbered", seats="self", system="Be quick.")
        found = vf_eval("ludometer-games", fake.url, *options, games=5)
        assert_append_only(fake.requests)
        assert all(request["messages"][0] == {"role": "system", "content": "Be quick."} for request in fake.requests)
    for episode in check(found):
        assert sorted(trace["info"]["seat"] for trace in episode["traces"]) == ["O", "X"]
        assert sum(trace["rewards"]["reward"]["score"] for trace in episode["traces"]) == 1
        assert all(trace["agent"]["trainable"] for trace in episode["traces"])


def test_a_call_that_fails_is_nobodys_loss(vf_eval, provider, capsys):
    with in_thread(provider("tictactoe", faults={3: Fault("error", status=400)})) as fake:
        options = set_options(game="tictactoe", view="numbered", seats="self")
        found = vf_eval("ludometer-games", fake.url, *options, "-c", "1", games=2)
    first, second = found.episodes
    assert not first["ok"] and second["ok"]
    assert len(first["traces"]) == 2
    for trace in first["traces"]:
        assert not trace["ok"] and not trace["info"]
        assert trace.get("rewards", {}).get("reward") is None
    assert report.main([str(found.place)]) == 0
    row = capsys.readouterr().out.splitlines()[2].split(" | ")
    assert (row[3], row[8]) == ("4", "2")


def test_another_model_has_the_other_seats(vf_eval, provider, capsys):
    with in_thread(provider("tictactoe")) as fake:
        options = set_options(game="tictactoe", view="numbered", seats="agents")
        found = vf_eval("ludometer-games", fake.url, *options, "--env.opponent.model", "rival", games=4)
        assert {request["model"] for request in fake.requests} == {"fake", "rival"}
    seats = [{t["agent"]["name"]: t["info"]["seat"] for t in episode["traces"]} for episode in check(found)]
    assert seats[:2] == [{"player": "X", "opponent": "O"}, {"player": "O", "opponent": "X"}]
    trainable = {(trace["agent"]["name"], trace["agent"]["trainable"]) for trace in found.traces}
    assert trainable == {("player", True), ("opponent", False)}
    assert report.main([str(found.place)]) == 0
    assert "| rival | tictactoe | another model | 4 |" in capsys.readouterr().out


def test_bad_answers_at_a_table_of_four(vf_eval, provider):
    """Thinking, empty and unreadable answers; random moves are made instead, and every bad attempt costs."""
    count = itertools.count()

    def answer(request: dict[str, Any]) -> Any:
        said = ["", "<think>hm</think>", "no idea", '{"move": "draw"}'][next(count) % 4]
        return {"role": "assistant", "content": said, "reasoning_content": "let me see"}

    with in_thread(provider(answer)) as fake:
        options = set_options(game="uno", players=4, answer="json", on_exhausted="random", attempts=2, max_moves=60)
        options += set_options(on_max_moves="draw", opponent="random;random;random")
        penalty = ("--env.taskset.task.bad-attempt-penalty", "0.125")
        found = vf_eval("ludometer-games", fake.url, *options, *penalty, games=4)
        assert_append_only(fake.requests)
    check(found)
    assert [trace["info"]["seat"] for trace in found.traces] == list("1234")
    for trace in found.traces:
        info = trace["info"]
        bad = sum(count for kind, count in info["verdicts"].items() if kind != "legal")
        assert bad == trace["metrics"]["bad_attempts"] > 0
        assert trace["rewards"]["reward"]["score"] == info["score"] - bad / 8


@pytest.mark.parametrize(
    ("environment", "options", "says"),
    [
        ("ludometer-games", ["--env.taskset.game", "tictactoo"], "did you mean 'tictactoe'"),
        ("ludometer-games", ["--env.taskset.game", "chess", "--env.taskset.opponent", "perfect"], "no exact values"),
        ("tic-tac-toe", ["--env.taskset.opponent", "minimix"], "there is no player 'minimix'"),
        ("tic-tac-toe", ["--env.taskset.illegal", "never"], "illegal"),
    ],
)
def test_mistakes_get_a_sentence_and_no_traceback(vf_eval, environment, options, says):
    with pytest.raises(AssertionError) as raised:
        vf_eval(environment, "http://127.0.0.1:9/v1", *options)
    assert says in " ".join(str(raised.value).replace("│", " ").split())
    assert "Traceback" not in str(raised.value)
