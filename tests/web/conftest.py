"""Runs of every kind in one folder, made once, and the application over them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

import ludometer
from ludometer.core import Decision
from ludometer.matches import Match, MatchPolicy
from ludometer.store import RunJournal, RunStore
from ludometer.store.importing import import_topsakal
from ludometer.store.replay import new_match
from ludometer.testing.fake_provider import FakeProvider
from ludometer.tournaments import load_config, start
from ludometer.tournaments.schedule import schedule
from ludometer.web.app import create_app
from ludometer.web.runs import RunsFolder

HOSTILE = (
    "</script><script>alert(1)</script><svg onload=alert(2)><img src=x onerror=alert(3)>"
    "<a href='javascript:alert(4)'>x</a>\x1b[31mred\x1b[0m \u202eabc\u202c \u2066def\u2069 \U000e0041 --> ]]> &amp; "
)
"""What a model may answer."""


def planned(folder: Path, table: dict[str, Any], moves: int) -> Path:
    """A run of one game that stands after some random moves, as an interruption leaves it."""
    config = load_config(table)
    with RunStore.create(folder, config.resolved()) as store:
        store.plan([entrant.to_dict() for entrant in config.entrants()], schedule(config))
        asyncio.run(_begin(store, moves))
    return folder


async def _begin(store: RunStore, moves: int) -> None:
    row = next(iter(store.matches()))
    match: Match = new_match(row, MatchPolicy())
    journal = RunJournal(store)
    journal.remember(row.id, {}, 0)
    for _ in range(moves):
        turn = match.turns()[0]
        action = turn.sample(turn.chance)
        decision = Decision(action, text=f"I hold secrets and play {turn.format(action)}")
        await journal.attempt(row.id, match.submit(turn.seat, decision), turn.format(action), turn.encode(action))
    await store.update_match(row.id, status="running", started=1.0)


async def _with_models(folder: Path) -> None:
    async with FakeProvider(lambda _: HOSTILE + "x" * 2000, keep_requests=False) as provider:
        table = {
            "name": "hostile <b>run</b>",
            "description": HOSTILE,
            "game": "tictactoe",
            "players": [{"player": "fake/a", "name": "<img src=x onerror=alert(5)>"}, "random"],
            "models": {"fake": {"base_url": provider.url}},
            "policy": {"attempts": 1, "on_exhausted": "random"},
            "prompt": {"answer": "text"},
        }
        await start(load_config(table), folder)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``study`` (three players, analyzed), ``two`` (two games under a factor, openings), ``uno`` (four seats, hidden
    hands), ``topsakal`` (imported without moves), ``empty``, ``damaged``, ``hostile``, ``interrupted`` (not finished),
    ``people`` (a person is at play, hidden hands)."""
    root = tmp_path_factory.mktemp("view") / "runs"
    study = {"name": "A study", "game": "tictactoe", "players": ["random", "perfect", "greedy"], "seed": 1}
    ludometer.run({**study, "schedule": {"repeats": 2}}, dir=root / "study")
    two = {"games": ["tictactoe", "connect4"], "players": ["random", "greedy"], "seed": 2}
    opened = {"factors": {"feedback": ["none", "explain"]}, "openings": {"random_plies": 2, "count": 2}}
    ludometer.run({**two, **opened}, dir=root / "two")
    four = [{"player": "random", "name": f"r{i}"} for i in range(4)]
    ludometer.run({"game": "uno", "players": four, "schedule": {"seats": 4}, "seed": 3}, dir=root / "uno")
    import_topsakal(root / "topsakal")
    RunStore.create(root / "empty", {"name": "empty", "games": [{"name": "tictactoe", "options": {}}]}).close()
    (root / "damaged").mkdir()
    (root / "damaged" / "run.sqlite").write_bytes(b"no database " * 100)
    asyncio.run(_with_models(root / "hostile"))
    pair = {"game": "tictactoe", "players": ["random", "greedy"], "seed": 5}
    planned(root / "interrupted", {**pair, "schedule": {"repeats": 1}}, 3)
    person = {"game": "uno", "players": [{"player": "human", "name": "Ada"}, "random"], "seed": "s3cret-seed"}
    planned(root / "people", {**person, "schedule": {"kind": "series", "seating": "fixed"}}, 6)
    return root


@pytest.fixture(scope="session")
def analyzed(folder: Path) -> Path:
    """The study with values of its moves."""
    from ludometer.analysis.quality_values import analyze_moves

    async def judged() -> None:
        with RunStore.open(folder / "study", write=True) as store:
            await analyze_moves(store, evaluator="mnk", workers=1)

    asyncio.run(judged())
    return folder


class Client:
    """Asks the application, and reads JSON."""

    def __init__(self, client: TestClient) -> None:
        self.http = client

    def get(self, path: str, **query: Any) -> Any:
        answer = self.http.get(f"/api{path}", params=query)
        assert answer.status_code == 200, (path, query, answer.text)
        return answer.json()

    def refused(self, path: str, **query: Any) -> tuple[int, str]:
        """Status and sentence of a request that cannot be answered."""
        answer = self.http.get(f"/api{path}", params=query)
        assert answer.status_code >= 400, (path, query, answer.text[:200])
        body = answer.json()
        assert list(body) == ["detail"] and "Traceback" not in body["detail"]
        return answer.status_code, body["detail"]


@pytest.fixture(scope="session")
def client(analyzed: Path) -> Iterator[Client]:
    app = create_app(RunsFolder([analyzed]))
    with TestClient(app, base_url="http://127.0.0.1") as http:
        yield Client(http)


@pytest.fixture
def hostile() -> str:
    """What the model of the run ``hostile`` answers."""
    return HOSTILE
