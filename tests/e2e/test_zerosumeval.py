"""The tournament of seven games, played by a scripted model from its preset to its report."""

from __future__ import annotations

import asyncio
import json
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path
from typing import Any

import chess
import pytest

from ludometer import sandbox
from ludometer.reports import report_data
from ludometer.store import RunStore, schema
from ludometer.testing.behaviours import behaviour
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config, resume, start
from ludometer.tournaments.config import presets
from ludometer.tournaments.launch import verify
from ludometer.tournaments.schedule import schedule

PRESET = "zerosumeval-2025"
GAMES = ["chess", "poker", "liars_dice", "gandalf", "mathquiz", "pyjail", "debate"]
OFFICIALS = {"judge1": "fake/judge", "judge2": "fake/other-judge"}


def need_sandbox() -> None:
    why = sandbox.unavailable()
    if why is not None:
        pytest.skip(f"PyJail needs a sandbox: {why}")


def table(url: str, **changes: Any) -> dict[str, Any]:
    """The preset with players of the fake provider's."""
    preset = tomllib.loads(presets()[PRESET].read_text(encoding="utf-8"))
    schedule = {**preset["schedule"], "repeats": 1}
    models = {"fake": {"base_url": url}}
    fake = {"players": ["fake/small", "fake/large"], "officials": OFFICIALS, "models": models, "expected_order": []}
    return {**preset, **fake, "schedule": schedule, **changes}


def one_game(url: str, game: str, **changes: Any) -> dict[str, Any]:
    whole = table(url, **changes)
    games = [one for one in whole["games"] if one["name"] == game]
    return {**whole, "games": games, "officials": whole["officials"] if game == "debate" else {}}


# ------------------------------------------------------------------- the preset


def test_the_preset_is_the_study():
    config = load_config(PRESET)
    assert [game.name for game in config.games] == GAMES
    assert len(config.entrants()) == 13
    config.check_expected_order()
    plans = list(schedule(config))
    assert len(plans) == 7 * 7 * 13 * 12 > 7000
    attempts = {plan.game: config.policy_of(plan.condition, plan.game, plan.options).attempts for plan in plans}
    three = dict.fromkeys(("debate", "gandalf", "liars_dice"), 3)
    assert attempts == {**dict.fromkeys(GAMES, 5), **three}
    assert {config.policy_of({}, game).feedback for game in GAMES} == {"explain"}
    # Every permutation of roles: every ordered pair, equally often.
    pairs = Counter((plan.game, *plan.seats.values()) for plan in plans)
    assert len(pairs) == 7 * 13 * 12 and set(pairs.values()) == {7}
    thinking = {entrant.name for entrant in config.entrants() if entrant.thinking}
    assert thinking == {"o3-mini-high", "claude-3.7-sonnet-thinking", "deepseek-r1", "qwq-32b"}
    assert len({entrant.family for entrant in config.entrants()}) == 6


def test_seatings_of_a_pair_share_their_luck():
    plans = [plan for plan in schedule(load_config(PRESET)) if plan.game == "debate"]
    groups = Counter(plan.group for plan in plans)
    assert set(groups.values()) == {2}, "a topic is debated from both sides"


# ------------------------------------------------------- the scripted model


@pytest.mark.parametrize("answer", ["json", "json_schema", "tool", "text"])
@pytest.mark.parametrize("game", ["poker", "liars_dice", "gandalf", "mathquiz", "debate"])
def test_every_role_is_played_correctly(tmp_path: Path, game: str, answer: str):
    play_correctly(tmp_path, game, answer)


@pytest.mark.slow
@pytest.mark.parametrize("answer", ["json", "json_schema", "tool", "text"])
@pytest.mark.parametrize("game", ["chess", "pyjail"])
def test_every_role_is_played_correctly_in_long_games(tmp_path: Path, game: str, answer: str):
    if game == "pyjail":
        need_sandbox()
    play_correctly(tmp_path, game, answer)


def play_correctly(tmp_path: Path, game: str, answer: str) -> None:
    with in_thread(FakeProvider("scripted")) as provider:
        prompt = {"answer": answer, "rationale": answer != "text", "context": "conversation"}
        summary = asyncio.run(start(load_config(one_game(provider.url, game, prompt=prompt)), tmp_path / "run"))
    assert summary.complete
    with RunStore.open(tmp_path / "run") as store:
        attempts = store.rows(schema.attempts)
        assert {attempt["status"] for attempt in attempts} == {"legal"}
        rows = list(store.matches())
        assert [row.ending for row in rows] == ["completed"] * 2
        reasons = {row.why for row in rows}
    known = {"mathquiz": "student right", "gandalf": "phrase kept", "pyjail": "attacker got out"}
    assert game not in known or reasons == {known[game]}


def test_no_proof_is_asked_for_with_the_number_in_sight(tmp_path: Path):
    """What prover and student are sent never has the number in it, nor what the teacher thought of it."""
    good = behaviour("scripted")

    def answer(request: dict[str, Any]) -> str:
        text = request["messages"][-1]["content"]
        said = json.loads(str(good(request)))
        return json.dumps({**said, "rationale": "the teacher's thoughts" if "You are the teacher" in text else "none"})

    with in_thread(FakeProvider(answer)) as provider:
        asyncio.run(start(load_config(one_game(provider.url, "mathquiz")), tmp_path / "run"))
        requests = provider.requests
    texts = [json.dumps(one["messages"]) for one in requests]
    told = [text for text in texts if "You are the teacher" not in text]
    assert len(told) == 4 and len(texts) == 6
    for text in told:
        assert "the teacher's thoughts" not in text
        assert re.findall(r"The number is [^.]*", text) == ["The number is from 1 to 1000"]


# ------------------------------------------------------------ the whole tournament


@pytest.fixture(scope="module")
def tournament(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All seven games, three models (one of which answers nonsense now and then), two rounds, broken off once."""
    need_sandbox()
    folder = tmp_path_factory.mktemp("tournament") / "run"
    good = behaviour("scripted")

    def answer(request: dict[str, Any]) -> str | dict[str, Any]:
        # The first digit of what it is asked with decides, so that an answer given again is the same.
        asked = json.dumps(request["messages"])
        careless = request["model"] == "careless" and sum(asked.encode()) % 7 == 0
        return "I would rather not say." if careless else good(request)

    with in_thread(FakeProvider(answer)) as provider:
        players = ["fake/small", "fake/large", {"player": "fake/careless", "name": "careless"}]
        settings = table(provider.url, players=players, expected_order=[["careless", "fake/small"]])
        settings["schedule"]["repeats"] = 2
        first = asyncio.run(start(load_config({**settings, "budget_tokens": 300_000}), folder))
        assert not first.complete and first.finished < 84
        assert asyncio.run(resume(folder, budget_tokens="unlimited")).complete
        with RunStore.open(folder) as store:
            assert len(store.rows(schema.exchanges)) == provider.stats.calls, "nothing was asked twice"
    return folder


@pytest.mark.slow
def test_it_is_complete_and_verifies_without_a_model_a_judge_or_a_sandbox(tournament: Path, monkeypatch):
    for name in ("run", "run_jail", "describe"):
        monkeypatch.setattr(sandbox, name, None)
    result = asyncio.run(verify(tournament))
    assert (result.problems, result.matches, result.open) == ([], 7 * 6 * 2, 0)
    with RunStore.open(tournament) as store:
        assert Counter(row.game for row in store.matches()) == dict.fromkeys(GAMES, 12)
        attempts = {attempt["attempt"] for attempt in store.rows(schema.attempts)}
        assert max(attempts) > 0, "bad answers were asked for again"
        for row in store.matches():
            most = 3 if row.game in ("debate", "gandalf", "liars_dice") else 5
            if row.ending == "forfeit":
                assert f"in {most} attempts" in (row.why or "")


@pytest.mark.slow
def test_chess_by_other_rules(tournament: Path):
    with RunStore.open(tournament) as store:
        rows = [row for row in store.matches() if row.game == "chess"]
    assert len(rows) == 12
    for row in rows:
        board = chess.Board()
        for move in (row.notation or "").splitlines():
            board.push_san(move)
        if row.why == "checkmate":
            assert board.is_checkmate()


@pytest.mark.slow
def test_the_report_has_the_studys_tables_and_figures(tournament: Path):
    with RunStore.open(tournament) as store:
        data = report_data(store)
    sections = {section["name"]: section for section in data["sections"]}
    assert {"combined-games", "expected-order", "stability", "outcomes", "chess-moves"} <= sections.keys()
    stack, _ = sections["combined-games"]["figures"]
    assert stack["kind"] == "stacks" and [len(bar["parts"]) for bar in stack["rows"]] == [7] * 3
    assert len(sections["outcomes"]["figures"]) == 7
    teachers = next(figure for figure in sections["outcomes"]["figures"] if "mathquiz" in figure["title"])
    assert any("student right" in part for bar in teachers["rows"] for part in bar["parts"])
    (order,) = [row for row in sections["expected-order"]["tables"][0]["rows"] if row[1]["value"] == "all games"]
    assert 0 <= order[3]["value"] <= 1 and order[3]["n"] == 56
    assert "attempts in chess, poker, mathquiz and pyjail and 3 attempts in liars_dice" in data["methods"]
    assert {part["game"] for part in data["parts"]} == {None, *GAMES}


@pytest.mark.slow
def test_everything_a_paper_needs_is_written(tournament: Path, tmp_path: Path):
    scores = tmp_path / "scores.csv"
    scores.write_text("entrant,arena\nfake/small,1200\nfake/large,1300\ncareless,900\n", encoding="utf-8")
    files = {"--out": "report.html", "--figures": "figures", "--latex": "tables", "--methods": "methods.txt"}
    arguments = [part for option, name in files.items() for part in (option, str(tmp_path / name))]
    command = [sys.executable, "-c", "from ludometer.cli.main import main; main()", "report", str(tournament)]
    command += [*arguments, "--plain", "--benchmark", str(scores)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    titles = ("Games combined", "Stability of the ranking", "Expected orders", "Other benchmarks", "Outcomes by role")
    assert [title for title in titles if title not in page] == []
    assert (tmp_path / "methods.txt").read_text(encoding="utf-8").startswith("3 entrants played chess, poker")
    assert (tmp_path / "tables" / "combined-games-combined-ratings.tex").is_file()
    assert (tmp_path / "tables" / "benchmarks-correlation-with-other-benchmarks.tex").is_file()
    assert (tmp_path / "figures" / "chess-moves-moves-per-chess-game.svg").is_file()
    assert (tmp_path / "figures" / "combined-games-stacked-ratings.svg").is_file()


def test_options_that_need_each_other(tmp_path: Path):
    command = [sys.executable, "-c", "from ludometer.cli.main import main; main()", "report", "nowhere", "--pdf"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False, cwd=tmp_path)
    assert done.returncode != 0 and "--figures FOLDER" in done.stderr
