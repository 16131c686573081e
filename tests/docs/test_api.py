"""The Python face beside what the pages show: mistakes, notebooks, and reading a run that is at play."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

import ludometer
from ludometer.core import ConfigurationError
from ludometer.players.random import RandomPlayer


@pytest.mark.parametrize(
    ("game", "players", "said"),
    [
        ("tictacto", ["random", "random"], "did you mean 'tictactoe'"),
        ("tictactoe", ["random", "randm"], "did you mean 'random'"),
        ("tictactoe", ["random"], "for 2 players, not 1"),
        ("tictactoe", "random", "one entry per seat"),
    ],
)
def test_mistakes(game: str, players: list[str], said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        ludometer.play(game, players)


def test_no_run_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="no run in"):
        ludometer.load(tmp_path)
    with pytest.raises(ConfigurationError, match="no file"):
        ludometer.run(tmp_path / "nothing.toml")


def test_executors_have_the_names_of_the_command_line(tmp_path: Path) -> None:
    config = {"game": "tictactoe", "players": ["random", "perfect"]}
    with pytest.raises(ConfigurationError, match="no executor 'rya': write asyncio, ray, or ray:ADDRESS"):
        ludometer.run(config, dir=tmp_path / "run", executor="rya")
    assert not (tmp_path / "run").exists()
    run = ludometer.run(config, dir=tmp_path / "run", executor="asyncio")
    with pytest.raises(ConfigurationError, match="no executor 'rya'"):
        run.resume(executor="rya")
    with pytest.raises(ConfigurationError, match="not the address of a Ray cluster"):
        run.extend(repeats=2, executor="ray:head")


def test_it_works_where_an_event_loop_is_running(tmp_path: Path) -> None:
    async def cell_of_a_notebook() -> float:
        match = ludometer.play("tictactoe", ["perfect", "perfect"])
        run = ludometer.run({"game": "tictactoe", "players": ["random", "perfect"]}, dir=tmp_path / "run")
        assert run.verify().passed
        scores = match.scores()
        assert scores is not None
        return scores["X"]

    assert asyncio.run(cell_of_a_notebook()) == 0.5


def test_a_match_can_be_adjudicated_here_too() -> None:
    policy = ludometer.MatchPolicy(max_moves=5, on_max_moves="adjudicate")
    match = ludometer.play("tictactoe", ["perfect", "perfect"], policy=policy)
    assert match.ending is not None
    assert match.ending.why.startswith("adjudicated at")
    with pytest.raises(ConfigurationError, match="nobody"):
        ludometer.play("tictactoe", ["perfect", "perfect"], policy=replace(policy, adjudicator="nobody"))


def test_players_give_back_what_they_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    closed: list[str] = []

    async def close(player: RandomPlayer) -> None:
        closed.append(player.name)

    monkeypatch.setattr(RandomPlayer, "close", close, raising=False)
    ludometer.play("tictactoe", ["random", "perfect"])
    assert closed == ["random"]


def test_the_same_seed_gives_the_same_match() -> None:
    one, again, other = (ludometer.play("tictactoe", ["random", "random"], seed=seed) for seed in (1, 1, 2))
    assert one.notation == again.notation != other.notation


def test_everything_it_promises_is_there() -> None:
    for name in ludometer.__all__:
        assert getattr(ludometer, name) is not None
    with pytest.raises(AttributeError, match="has no attribute 'paly'"):
        ludometer.paly  # noqa: B018
