"""The wall and the event stream: whatever process plays a run, one poller tells everybody."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import Decision, Turn
from ludometer.players.random import RandomPlayer
from ludometer.store import RunStore
from ludometer.tournaments import extend, load_config, start
from ludometer.web.streams import cursor_of

from .acting_server import Events, eventually, serving

CONFIG: dict[str, Any] = {"game": "tictactoe", "players": ["random", "greedy"], "schedule": {"repeats": 4}}


def played(folder: Path, config: dict[str, Any] | None = None) -> None:
    asyncio.run(start(load_config(config or CONFIG), folder))


class Gate:
    """Lets a random player make its moves one at a time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._free = threading.Semaphore(0)
        act = RandomPlayer.act

        async def waiting(player: RandomPlayer, turn: Turn) -> Decision:
            while not self._free.acquire(blocking=False):
                await asyncio.sleep(0.01)
            return await act(player, turn)

        monkeypatch.setattr(RandomPlayer, "act", waiting)

    def let(self, moves: int) -> None:
        self._free.release(moves)


def test_the_wall_of_a_finished_run(tmp_path: Path) -> None:
    played(tmp_path / "one")
    with serving(tmp_path) as server:
        wall = server.client.get("/api/runs/one/live").json()
    assert wall["entry"]["counts"]["completed"] == 8
    assert len(wall["matches"]) == 8
    board = wall["matches"][0]
    assert board["finished"]
    assert board["headline"]
    assert board["position"]["viewer"] == "full"
    assert board["position"]["svg"].startswith("<svg")
    assert board["ply"] == board["position"]["ply"] >= 5
    assert {seat["entrant"] for seat in board["seats"]} == {"random", "greedy"}


def test_a_run_that_is_not_there(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        for path in ("live", "events"):
            answer = server.client.get(f"/api/runs/nothing/{path}")
            assert answer.status_code == 404
            assert "nothing" in answer.json()["detail"]


def test_a_run_without_matches_has_an_empty_wall(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "empty", load_config(CONFIG).resolved()).close()
    with serving(tmp_path) as server:
        assert server.client.get("/api/runs/empty/live").json()["matches"] == []


def test_a_run_at_play_is_followed_move_by_move(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gate = Gate(monkeypatch)
    config = {"game": "tictactoe", "players": ["random", {"player": "random", "name": "b"}], "concurrency": 1}
    player = threading.Thread(target=played, args=(tmp_path / "slow", config))
    player.start()
    gate.let(2)
    with serving(tmp_path) as server:
        eventually(lambda: server.client.get("/api/runs/slow/live").json().get("matches"))
        with Events(server, "/api/runs/slow/events") as events:
            eventually(lambda: "match" in events.names())
            assert events.names()[:2] == ["counts", "run"]
            first = json.loads(next(data for event, data, _ in events.seen if event == "match"))
            assert not first["finished"]
            assert "to move" in first["headline"]
            before = len(events.seen)
            gate.let(1)
            eventually(lambda: "attempt" in events.names())
            told = json.loads(next(data for event, data, _ in events.seen if event == "attempt"))
            assert told["match"] == first["id"]
            assert told["attempt"]["notation"]
            assert told["step"] == first["ply"]
            eventually(lambda: "match" in events.names()[before:])
            after = json.loads([data for event, data, _ in events.seen if event == "match"][-1])
            assert after["ply"] == first["ply"] + 1
            assert after["position"]["svg"] != first["position"]["svg"]
            gate.let(100)
            player.join(20)
            eventually(lambda: any(json.loads(d)["completed"] == 2 for e, d, _ in events.seen if e == "counts"))
            boards = [json.loads(data) for event, data, _ in events.seen if event == "match"]
            assert {board["id"] for board in boards if board["finished"]} == {"m000001", "m000002"}


def test_last_event_id_resumes_even_with_another_server(tmp_path: Path) -> None:
    played(tmp_path / "one")
    path = "/api/runs/one/events"
    with serving(tmp_path) as server, Events(server, path) as events:
        eventually(lambda: "match" in events.names())
        assert "attempt" not in events.names()
        last = int(events.seen[-1][2])
    came_back = {"Last-Event-ID": str(last - 3)}
    with serving(tmp_path) as server, Events(server, path, headers=came_back) as events:
        eventually(lambda: events.names().count("attempt") == 3)
        assert [int(id_) for event, _, id_ in events.seen if event == "attempt"] == [last - 2, last - 1, last]


@pytest.mark.parametrize("given", [None, "", "x", "-1", "1.5", "9" * 19, "١"])
def test_what_is_no_id_of_ours_is_a_new_page(given: str | None) -> None:
    assert cursor_of(given) is None


def test_many_listeners_cost_one_poller_and_go_away_cleanly(tmp_path: Path) -> None:
    played(tmp_path / "one")
    with serving(tmp_path) as server:
        several = [Events(server, "/api/runs/one/events") for _ in range(6)]
        for events in several:
            eventually(lambda events=events: "match" in events.names())  # type: ignore[misc]
        (watch,) = server.acting.watches._found.values()
        assert watch.listeners == 6
        pollers = [t for t in asyncio.all_tasks(watch._task.get_loop()) if t.get_name() == "ludometer-poller"]
        assert len(pollers) == 1
        for events in several:
            events.close()
        eventually(lambda: watch.listeners == 0)
        eventually(lambda: watch._task is None)
        # The page is still answered afterwards.
        assert server.client.get("/api/runs/one/live").status_code == 200


def test_a_silent_stream_has_a_heartbeat(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludometer.web.streams.HEARTBEAT", 0.2)
    played(tmp_path / "one")
    with serving(tmp_path) as server, Events(server, "/api/runs/one/events") as events:
        eventually(lambda: events.names().count("ping") >= 2)
        pings = {id_ for event, _, id_ in events.seen if event == "ping"}
        assert pings == {next(id_ for event, _, id_ in events.seen if event == "match")}


def test_a_listener_that_is_too_slow_is_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ludometer.web.live import Happening, Listener

    monkeypatch.setattr("ludometer.web.live._WAITING", 2)

    async def session() -> None:
        listener = Listener()
        assert listener.put(Happening("a", "{}", "1"))
        assert listener.put(Happening("b", "{}", "2"))
        assert not listener.put(Happening("c", "{}", "3"))

    asyncio.run(session())


def test_a_run_that_disappears_ends_its_streams(tmp_path: Path) -> None:
    played(tmp_path / "one")
    with serving(tmp_path) as server, Events(server, "/api/runs/one/events") as events:
        eventually(lambda: "match" in events.names())
        (tmp_path / "one").rename(tmp_path.parent / f"{tmp_path.name}-elsewhere")
        (tmp_path.parent / f"{tmp_path.name}-elsewhere" / "run.sqlite").write_bytes(b"")
        assert server.client.get("/api/runs/one/live").status_code == 404


def test_hostile_texts_travel_as_json(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "</script><svg onload=alert(1)>\ud800\x1b[31m\u202e\nevent: counts\ndata: {}\n\n" + "x" * 50_000

    async def act(player: RandomPlayer, turn: Turn) -> Decision:
        return Decision(turn.sample(turn.chance), text=text, rationale=text)

    monkeypatch.setattr(RandomPlayer, "act", act)
    played(tmp_path / "one")
    with serving(tmp_path) as server, Events(server, "/api/runs/one/events", headers={"Last-Event-ID": "0"}) as events:
        eventually(lambda: "match" in events.names())
        said = [json.loads(d)["attempt"]["text"] for e, d, _ in events.seen if e == "attempt"]
        hostile = next(one for one in said if one)
        assert hostile.startswith("</script>")
        assert len(hostile) < 21_000
        assert "more characters" in hostile
        assert events.names().count("counts") == 1


@pytest.mark.slow
def test_a_run_in_a_database_is_followed_too(in_database: Callable[[str], str]) -> None:
    address = in_database("followed")
    asyncio.run(start(load_config(CONFIG), address))
    with serving(address) as server:
        (entry,) = server.client.get("/api/runs").json()["runs"]
        path = f"/api/runs/{entry['id']}"
        wall = server.client.get(f"{path}/live").json()
        assert len(wall["matches"]) == 8
        assert not wall["entry"]["started_here"]
        with Events(server, f"{path}/events") as events:
            eventually(lambda: events.names().count("match") == 8)
            last = int(events.seen[-1][2])
            # What is planned and played meanwhile is told, each attempt once.
            asyncio.run(extend(address, repeats=5))
            eventually(lambda: any(json.loads(d)["completed"] == 10 for e, d, _ in events.seen if e == "counts"))
            told = [json.loads(d) for e, d, _ in events.seen if e == "attempt"]
            places = [(one["match"], one["step"], one["seat"]) for one in told]
            assert len(set(places)) == len(places) >= 10
            assert {place[0] for place in places} == {"m000009", "m000010"}
        with Events(server, f"{path}/events", headers={"Last-Event-ID": str(last)}) as events:
            eventually(lambda: events.names().count("attempt") == len(places))
        assert server.client.post(f"{path}/control", json={"action": "resume"}).status_code == 403
