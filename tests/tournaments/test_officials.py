"""A language model as the judge of a run: bound by the configuration, logged, asked anew after it failed, verified."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import pytest

from ludometer.core import (
    GAMES,
    Chance,
    ConfigurationError,
    Game,
    Illegal,
    Json,
    Observation,
    Outcome,
    Role,
    Seat,
    View,
)
from ludometer.core.observation import Viewer
from ludometer.store import RunStore
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config
from ludometer.tournaments.estimate import estimate
from ludometer.tournaments.launch import prepare, resume, start, verify

from .conftest import table_for

SEATS = ("left", "right")
ORDER = ("left", "right", "judge.forth", "judge.back")


class Dispute(Game[tuple[str, ...], str]):
    """Both say a word; a judge names one of them, twice."""

    name: ClassVar[str] = "dispute"
    title: ClassVar[str] = "Dispute"

    def roles(self, n: int) -> tuple[Role, ...]:
        judges = (Role(seat, kind="official", title="the judge") for seat in ORDER[2:])
        return (*map(Role, SEATS), *judges)

    def new(self, n: int, chance: Chance) -> tuple[str, ...]:
        return ()

    def to_act(self, state: tuple[str, ...]) -> tuple[Seat, ...]:
        return ORDER[len(state) : len(state) + 1]

    def check(self, state: tuple[str, ...], seat: Seat, action: str) -> None:
        if seat not in SEATS and action not in SEATS:
            raise Illegal("no_contestant", "name left or right")

    def sample(self, state: tuple[str, ...], seat: Seat, chance: Chance) -> str:
        return chance.choice(SEATS)[0]

    def apply(self, state: tuple[str, ...], moves: Mapping[Seat, str]) -> tuple[str, ...]:
        return (*state, *moves.values())

    def outcome(self, state: tuple[str, ...]) -> Outcome | None:
        if len(state) < len(ORDER):
            return None
        votes = {seat: state[2:].count(seat) / 2 for seat in SEATS}
        return Outcome(votes, "judged")

    def format(self, state: tuple[str, ...], action: str) -> str:
        return action

    def parse(self, state: tuple[str, ...], seat: Seat, text: str) -> str:
        return text.strip()

    def rules(self) -> str:
        return "Both say a word, and a judge names one of them."

    def observe(self, state: tuple[str, ...], viewer: Viewer) -> Observation:
        return Observation(viewer, {"words": list(state[:2])}, (), self.to_act(state))

    def views(self) -> Mapping[str, View]:
        return {"list": View("list", lambda o: "Said so far:", lambda o: ", ".join(o.data["words"]) or "nothing")}

    def dump(self, state: tuple[str, ...]) -> Json:
        return list(state)

    def load(self, data: Json) -> tuple[str, ...]:
        return tuple(data)


@pytest.fixture(autouse=True)
def the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAMES, "_found", {**GAMES.all(), "dispute": Dispute})


def table(url: str, **settings: Any) -> dict[str, Any]:
    officials = {"judge": {"player": "fake/judge", "max_retry_wait": 0.02, "retries": 0}}
    players = ["random", {"player": "random", "name": "other"}]
    return {**table_for(url, game="dispute", players=players, officials=officials, policy={"attempts": 2}), **settings}


def test_a_judge_is_asked_logged_and_verified(tmp_path: Path) -> None:
    with in_thread(FakeProvider(lambda request: json.dumps({"move": "right"}))) as provider:
        summary = asyncio.run(start(load_config(table(provider.url)), tmp_path / "run"))
        assert summary.complete
        assert provider.stats.calls == 2 * 2, "two matches, two seats of one judge"
    with RunStore.open(tmp_path / "run") as store:
        rows = list(store.matches())
        assert [row.scores for row in rows] == [{"left": 0.0, "right": 1.0}] * 2
        assert {name for row in rows for name in row.seats.values()} == {"random", "other"}, "judges are not rated"
    result = asyncio.run(verify(tmp_path / "run"))
    assert (result.problems, result.matches, result.calls) == ([], 2, 4)


def test_a_judge_that_fails_is_asked_anew_when_the_run_goes_on(tmp_path: Path) -> None:
    said = {"move": "me"}
    with in_thread(FakeProvider(lambda request: json.dumps(said))) as provider:
        summary = asyncio.run(start(load_config(table(provider.url)), tmp_path / "run"))
        assert not summary.complete
        asked = provider.stats.calls
        with RunStore.open(tmp_path / "run") as store:
            assert {row.status for row in store.matches()} == {"void"}
            assert {row.why for row in store.matches()} == {"judge.forth failed: no_contestant"}
            assert {row.scores for row in store.matches()} == {None}
        said["move"] = "left"
        assert asyncio.run(resume(tmp_path / "run")).complete
        assert provider.stats.calls == asked + 4, "nothing that was answered is asked again"
    result = asyncio.run(verify(tmp_path / "run"))
    assert (result.problems, result.matches) == ([], 2)
    assert result.calls == provider.stats.calls, "failed answers are on record too"


def test_who_judges_must_be_said(monkeypatch: pytest.MonkeyPatch) -> None:
    url = "http://127.0.0.1:9/v1"
    with pytest.raises(ConfigurationError, match='nobody is the judge: name a player under officials, judge = "'):
        prepare(load_config(table(url, officials={})))
    with pytest.raises(ConfigurationError, match="no game of the run has an official 'jugde'; did you mean 'judge'"):
        prepare(load_config(table(url, officials={"judge": "random", "jugde": "random"})))


def test_what_judges_cost_is_estimated() -> None:
    expected = estimate(load_config(table("http://127.0.0.1:9/v1")))
    (model,) = expected.models
    assert (model.name, model.matches, expected.model_matches) == ("official judge", 2, 2)
    assert model.calls == (4, 8), "two seats in two matches, each with up to two attempts"
