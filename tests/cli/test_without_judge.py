"""``leaderboard --without-judge``: debates as the other judges decided them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ludometer
from ludometer.analysis import leaderboard
from ludometer.analysis.debate_sheets import rejudged
from ludometer.store import RunStore

Cli = Callable[..., Any]


@pytest.fixture
def run(tmp_path: Path) -> Path:
    """Judges that decide at random, so that leaving one out changes results."""
    config = {
        "game": {"name": "debate", "judges": 2},
        "players": ["random", {"player": "random", "name": "b"}],
        "officials": {"judge1": "random", "judge2": "random"},
        "schedule": {"repeats": 4},
    }
    ludometer.run(config, dir=tmp_path / "run")
    return tmp_path / "run"


def scores(board: Any) -> dict[str, float]:
    return {row["entrant"]: row["score"] for row in board["boards"][0]["headline"]["rows"]}


def test_a_judge_is_left_out_for_people_and_for_programs(cli: Cli, run: Path) -> None:
    found = cli("leaderboard", run, "--without-judge", "judge2", "--json").json
    assert found["without_judges"] == ["judge2"]
    with RunStore.open(run) as store:
        expected = leaderboard(rejudged(store, ["judge2"])).set_index("entrant")["score"]
    assert scores(found) == pytest.approx(dict(expected))
    plain = cli("leaderboard", run, "--json").json
    assert scores(plain) != scores(found) and "without_judges" not in plain
    shown = cli("leaderboard", run, "--without-judge", "judge2").out
    assert "Note: debates are summed anew without judge2" in shown
    assert cli("leaderboard", run, "--json").json == plain, "the run stays as it is"


def test_without_any_judge_no_debate_counts(cli: Cli, run: Path) -> None:
    found = cli("leaderboard", run, "--without-judge", "judge1", "--without-judge", "judge2", "--json").json
    (board,) = found["boards"]
    assert board["matches"]["void"] == board["matches"]["total"] == 8
    assert cli("leaderboard", run, "--without-judge", "family").code == 0


def test_what_cannot_be_left_out_is_said_in_one_sentence(cli: Cli, run: Path) -> None:
    assert "no judge 'jugde2'; did you mean 'judge2'" in cli("leaderboard", run, "--without-judge", "jugde2").sentence
    both = cli("leaderboard", run, "--without-judge", "family", "--without-judge", "judge1")
    assert "family stands for itself" in both.sentence
    assert "do not go together" in cli("leaderboard", run, "--without-judge", "judge1", "--luck-adjusted").sentence
    cli("play", "tictactoe", "-p", "random", "-p", "perfect", "--dir", "other")
    assert cli("leaderboard", "other", "--without-judge", "judge1").sentence == (
        "--without-judge is for debates, and the run has none"
    )
