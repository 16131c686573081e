"""People at play: whole games through the routes, links, hidden information, and servers that die in between."""

from __future__ import annotations

import asyncio
import json
import logging
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import Decision, ProviderError, Turn
from ludometer.players.random import RandomPlayer
from ludometer.store import RunStore, schema
from ludometer.store.export import export
from ludometer.tournaments import verify
from ludometer.web.play_folders import links_of, seat_of_key
from ludometer.web.play_routes import admits

from .acting_server import Events, Server, eventually, serving

LINE = ["1,1", "1,2", "1,3", "2,1", "2,2", "2,3", "3,1", "3,2", "3,3"]


class Table:
    """A game and its links."""

    def __init__(self, server: Server, game: str, seats: list[str], **more: Any) -> None:
        self.server = server
        answer = server.client.post("/api/play", json={"game": game, "seats": seats, **more})
        assert answer.status_code == 200, answer.text
        self.started = answer.json()
        self.id, self.links = self.started["id"], self.started["links"]

    def look(self, seat: str, server: Server | None = None) -> Any:
        answer = (server or self.server).client.get(f"/api/play/{self.id}", params={"key": self.links[seat]})
        assert answer.status_code == 200, answer.text
        return answer.json()

    def move(self, seat: str, server: Server | None = None, **body: Any) -> Any:
        path = f"/api/play/{self.id}/move"
        answer = (server or self.server).client.post(path, params={"key": self.links[seat]}, json=body)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def on_turn(self, seat: str, server: Server | None = None) -> Any:
        """The game once the seat is asked, or it is over."""

        def asked() -> Any:
            seen = self.look(seat, server)
            return seen if seen["your_turn"] or seen["over"] else None

        return eventually(asked)


def agrees(folder: Path) -> None:
    result = asyncio.run(verify(folder))
    assert result.passed, result.problems
    assert result.open == 0


def test_a_whole_game_against_the_perfect_player(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = Table(server, "tictactoe", ["human", "perfect"], names={"X": "Ada"})
        assert any("kept" in said for said in table.started["recorded"])
        first = table.on_turn("X")
        assert len(first["legal"]) == 9
        assert first["svg"].count("data-action=") == 9
        assert 'aria-label="1,1, empty"' in first["svg"]
        assert [seat["entrant"] for seat in first["seats"]] == ["Ada", "perfect"]

        refused = table.move("X", text="9,9")
        assert "9,9" in refused["refused"] or "row" in refused["refused"]
        assert table.move("X", text="  ")["refused"]
        taken = table.move("X", action="2,2")
        assert taken["refused"] is None
        assert {"seat": "X", "notation": "2,2"} in taken["moves"]
        seen = table.on_turn("X")
        assert len(seen["moves"]) == 2
        again = table.move("X", action="2,2")
        assert "taken" in again["refused"]
        while not (seen := table.on_turn("X"))["over"]:
            table.move("X", action=seen["legal"][0]["action"])
        assert seen["headline"].startswith(("perfect", "Drawn"))
        assert seen["svg"].count("data-action=") == 0
        assert not seen["your_turn"]
        eventually(lambda: server.client.get(f"/api/runs/{table.id}").json()["entry"]["counts"]["completed"] == 1)
    with RunStore.open(tmp_path / table.id) as store:
        (row,) = store.matches()
        attempts = store.rows(schema.attempts)
    assert row.bad_attempts == 0  # refused answers are not counted against anybody
    assert {a["status"] for a in attempts} == {"legal"}
    assert row.seats == {"X": "Ada", "O": "perfect"}
    agrees(tmp_path / table.id)


def test_two_people_on_two_devices(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = Table(server, "tictactoe", ["human", "human"])
        assert set(table.links) == {"X", "O"}
        assert table.links["X"] != table.links["O"]
        assert all(len(secret) >= 32 for secret in table.links.values())
        assert "not your turn" in table.move("O", text="1,1")["refused"]
        with Events(server, f"/api/play/{table.id}/events", params={"key": table.links["O"]}) as events:
            eventually(lambda: events.seen)
            assert table.look("X")["people"] == {"X": False, "O": True}
            table.on_turn("X")
            table.move("X", text="1,1")
            eventually(lambda: any(json.loads(data)["your_turn"] for _, data, _ in events.seen))
            last = json.loads(events.seen[-1][1])
            assert last["moves"] == [{"seat": "X", "notation": "1,1"}]
            assert last["seat"] == "O"
        eventually(lambda: table.look("X")["people"] == {"X": False, "O": False})
        for seat, move in (("O", "2,1"), ("X", "1,2"), ("O", "2,2"), ("X", "1,3")):
            table.on_turn(seat)
            table.move(seat, text=move)
        assert table.look("O")["over"]
        assert "X" in table.look("O")["headline"]
    agrees(tmp_path / table.id)


def test_draws_and_resigning(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = Table(server, "chess", ["human", "human"], names={"white": "Ada", "black": "Ada"})
        assert table.on_turn("white")["can_draw"]
        assert table.move("white", draw="accept")["refused"]
        table.move("white", text="e4", draw="offer")
        offered = table.on_turn("black")
        assert offered["draw_offered"]
        assert "draw is offered" in offered["headline"]
        over = table.move("black", draw="accept")
        assert over["over"]
        assert "draw agreed" in over["headline"]
        assert [seat["entrant"] for seat in over["seats"]] == ["Ada", "Ada (2)"]

        other = Table(server, "chess", ["human", "random"])
        assert not other.on_turn("white")["can_draw"]
        assert "may not be offered" in other.move("white", text="e4", draw="offer")["refused"]
        assert other.move("white", resign=True)["over"]
        strict = Table(server, "chess", ["human", "random"], policy={"resignation": False})
        assert not strict.on_turn("white")["can_resign"]
        assert "not allowed" in strict.move("white", resign=True)["refused"]
    agrees(tmp_path / table.id)
    agrees(tmp_path / other.id)


def test_a_chess_move_is_narrowed_by_squares(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = Table(server, "chess", ["human", "random"], options={"fen": "8/P6k/8/8/8/8/8/K7 w - - 0 1"})
        seen = table.on_turn("white")
    parts = {choice["action"]: choice["parts"] for choice in seen["legal"]}
    assert parts["a8=Q"] == ["a7", "a8", "q"]
    assert parts["Kb2"] == ["a1", "b2"]
    assert 'data-square="a7"' in seen["svg"]
    assert 'data-square="h7"' not in seen["svg"]
    assert seen["board"]["kind"] == "chess"


@pytest.mark.parametrize(
    ("game", "others"),
    [("uno", ["random", "random"]), ("poker", ["tight", "always_call"]), ("liars_dice", ["probability"])],
)
def test_games_for_more_and_hidden_hands(tmp_path: Path, game: str, others: list[str]) -> None:
    options = {"hands": 1} if game == "poker" else {}
    with serving(tmp_path) as server:
        table = Table(server, game, ["human", "human", *others], options=options)
        steps = 0
        while not any(table.look(seat)["over"] for seat in ("1", "2")):
            for seat in ("1", "2"):
                seen = table.look(seat)
                if seen["your_turn"]:
                    assert seen["legal"], "something is always offered"
                    assert table.move(seat, action=seen["legal"][0]["action"])["refused"] is None
                    steps += 1
            assert steps < 500
            time.sleep(0.01)
            if game == "uno" and steps > 12:
                seat = "1" if table.look("1")["your_turn"] else "2"
                table.on_turn(seat)
                table.move(seat, resign=True)
        assert steps
    agrees(tmp_path / table.id)


def test_only_what_is_public_is_shown_while_a_person_plays(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = Table(server, "poker", ["human", "always_call"], options={"hands": 1})
        run = f"/api/runs/{table.id}"
        table.on_turn("1")
        table.move("1", text="call")
        seen = table.look("1")
        cards = next(event for event in seen["events"] if event.startswith("1: is dealt")).split("dealt ")[1]
        wall = server.client.get(f"{run}/live").json()
        assert wall["public_only"]
        assert wall["matches"][0]["position"]["viewer"] == "public"
        assert wall["matches"][0]["last"]["hidden"]
        assert wall["matches"][0]["last"]["text"] == ""
        with Events(server, f"{run}/events", headers={"Last-Event-ID": "0"}) as events:
            eventually(lambda: "match" in events.names())
            told = "".join(data for _, data, _ in events.seen)
        match = server.client.get(f"{run}/matches/{table.started['match']}").json()
        assert match["public_only"]
        assert server.client.get(f"{run}/matches/{table.started['match']}/positions/0?viewer=full").status_code == 403
        for shown in (json.dumps(wall), told, json.dumps(match), server.client.get(run).text):
            assert cards not in shown
            assert all(secret not in shown for secret in table.links.values())


def test_free_text_with_several_lines(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        table = Table(server, "debate", ["human", "human"], officials={"judge1": "random"}, options={"rebuttals": 0})
        seen = table.on_turn("for")
        assert seen["free_text"] and seen["multiline"] and seen["legal"] is None
        assert seen["hint"].startswith("Write ")
        hostile = "First </script><img src=x onerror=alert(1)>\nSecond \u202e line"
        assert table.move("for", text=hostile)["refused"] is None
        assert table.move("against", text="x" * 60_000)["refused"]
        told = table.on_turn("against")
        assert "Second" in told["text"]


@pytest.mark.slow
def test_a_server_that_is_killed_in_between(tmp_path: Path) -> None:
    code = (
        "import sys, uvicorn\n"
        "from ludometer.web.app import create_app\n"
        "from ludometer.web.runs import RunsFolder\n"
        "app = create_app(RunsFolder([sys.argv[1]]))\n"
        "uvicorn.run(app, port=int(sys.argv[2]), log_level='error')\n"
    )
    import socket

    import httpx

    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    process = subprocess.Popen([sys.executable, "-c", code, str(tmp_path), str(port)])
    client = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=30)

    def up() -> bool:
        try:
            return client.get("/api/session").status_code == 200
        except httpx.HTTPError:
            return False

    eventually(up, 60)
    answer = client.post("/api/play", json={"game": "connect4", "seats": ["human", "alphabeta:depth=2"]}).json()
    key = {"key": answer["links"]["Red"]}
    path = f"/api/play/{answer['id']}"
    eventually(lambda: client.get(path, params=key).json()["your_turn"])
    client.post(f"{path}/move", params=key, json={"text": "4"})
    eventually(lambda: len(client.get(path, params=key).json()["moves"]) == 2)
    process.kill()
    process.wait()
    client.close()

    with serving(tmp_path) as server:
        entry = server.client.get(f"/api/runs/{answer['id']}").json()["entry"]
        assert entry["counts"]["unfinished"] == 1
        # A run with a person in it is not resumed like any other.
        refused = server.client.post(f"/api/runs/{answer['id']}/control", json={"action": "resume"})
        assert refused.status_code == 409
        assert len(server.client.get(path, params=key).json()["moves"]) == 2
        eventually(lambda: server.client.get(path, params=key).json()["your_turn"])
        assert server.client.get(f"/api/runs/{answer['id']}").json()["entry"]["started_here"]
        assert server.client.post(f"/api/runs/{answer['id']}/control", json={"action": "stop"}).status_code == 409
        server.client.post(f"{path}/move", params=key, json={"text": "3"})
        eventually(lambda: len(server.client.get(path, params=key).json()["moves"]) == 4)
        assert server.client.post(f"{path}/move", params=key, json={"resign": True}).json()["over"]
    with serving(tmp_path) as server:  # a finished game can be looked at again from its link
        assert server.client.get(path, params=key).json()["over"]
    agrees(tmp_path / answer["id"])


def test_a_game_that_stands_still_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = threading.Event()
    broken.set()
    act = RandomPlayer.act

    async def sometimes(player: RandomPlayer, turn: Turn) -> Decision:
        if broken.is_set():
            raise ProviderError("nobody answers", transient=False)
        return await act(player, turn)

    monkeypatch.setattr(RandomPlayer, "act", sometimes)
    with serving(tmp_path) as server:
        table = Table(server, "tictactoe", ["human", "random"])
        table.on_turn("X")
        table.move("X", text="1,1")
        stopped = eventually(lambda: (s := table.look("X"))["headline"].startswith("The game stands still") and s)
        assert "nobody answers" in stopped["headline"]
        assert not stopped["over"]
        assert table.move("X", text="2,2")["refused"]
        broken.clear()
        resumed = server.client.post(f"/api/play/{table.id}/resume", params={"key": table.links["X"]}, json={})
        assert resumed.status_code == 200
        assert len(table.on_turn("X")["moves"]) == 2


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"game": "tictactoe", "seats": ["random", "perfect"]}, "person"),
        ({"game": "tictactoe", "seats": ["human"]}, "2 players"),
        ({"game": "nothing", "seats": ["human", "random"]}, "there is no game"),
        ({"game": "tictactoe", "seats": ["human", "rndom"]}, "random"),
        ({"game": "tictactoe", "seats": ["human", "greedy"], "options": {"rows": 0}}, "board must be"),
        ({"game": "chess", "seats": ["human", "uci:path=/bin/sh"]}, "path"),
        ({"game": "tictactoe", "seats": ["human", "random"], "names": {"Z": "Ada"}}, "no seat"),
        ({"game": "tictactoe", "seats": ["human", "random"], "policy": {"attempts": 0}}, "attempts"),
        ({"game": "debate", "seats": ["human", "human"]}, "judge1"),
        ({"seats": []}, "game"),
        ({"game": "../../etc", "seats": ["human", "random"]}, "there is no game"),
    ],
)
def test_what_cannot_be_played_is_one_sentence(tmp_path: Path, body: dict[str, Any], said: str) -> None:
    with serving(tmp_path) as server:
        answer = server.client.post("/api/play", json=body)
        assert answer.status_code == 422
        assert said in answer.json()["detail"]
    assert list(tmp_path.iterdir()) == []


def test_secrets_open_their_seat_only_and_are_nowhere_to_be_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO), serving(tmp_path) as server:
        one = Table(server, "tictactoe", ["human", "human"])
        two = Table(server, "tictactoe", ["human", "human"])
        for path, key in (
            (one.id, two.links["X"]),
            (one.id, ""),
            (one.id, "x" * 32),
            (one.id, "é\ud800".encode("utf-8", "surrogatepass").decode("latin-1")),
            ("nothing", one.links["X"]),
            ("..%2F..%2Fetc", one.links["X"]),
        ):
            for ask in (
                lambda p, k: server.client.get(f"/api/play/{p}", params={"key": k}),
                lambda p, k: server.client.get(f"/api/play/{p}/events", params={"key": k}),
                lambda p, k: server.client.post(f"/api/play/{p}/move", params={"key": k}, json={"text": "1,1"}),
                lambda p, k: server.client.post(f"/api/play/{p}/resume", params={"key": k}, json={}),
            ):
                assert ask(path, key).status_code in (403, 404)
        assert server.client.get(f"/api/play/{one.id}").status_code == 422
        assert one.look("X")["seat"] == "X"
        assert two.look("O")["seat"] == "O"
        folder = tmp_path / one.id
        assert (folder / "play.json").stat().st_mode & 0o077 == 0
        for path in folder.iterdir():
            body = path.read_bytes()
            assert not any(secret.encode() in body for secret in one.links.values())
        # A run that is no game with people has no links.
        assert links_of(tmp_path / "elsewhere") == {}
        assert seat_of_key(links_of(folder), one.links["O"]) == "O"
    said = [record.getMessage() for record in caplog.records if record.name != "httpx"]  # the test's own client
    assert not any(secret in line for line in said for secret in one.links.values())


def test_the_access_log_says_nothing_of_links(tmp_path: Path) -> None:
    said: list[str] = []

    class Keeping(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said.append(record.getMessage())

    log = logging.getLogger("uvicorn.access")
    handler, level = Keeping(), log.level
    with serving(tmp_path) as server:
        log.addHandler(handler)
        log.setLevel(logging.INFO)
        try:
            table = Table(server, "tictactoe", ["human", "random"])
            table.look("X")
            server.client.get("/api/session")
            eventually(lambda: any("/api/session" in line for line in said))
        finally:
            log.removeHandler(handler)
            log.setLevel(level)
    assert not any(secret in line for line in said for secret in table.links.values())


def test_who_may_come_without_the_servers_token() -> None:
    assert admits("/", "")
    assert admits("/api/play/play-chess", "secret")
    assert admits("/api/play/play-chess/events", "secret")
    assert not admits("/api/play/play-chess", "")
    for path in ("/api/play", "/api/play/", "/api/runs", "/api/play/x/other", "/api/play/../runs", "/api/session"):
        assert not admits(path, "secret")


def test_a_link_works_where_the_server_wants_a_token(tmp_path: Path) -> None:
    with serving(tmp_path, token="t" * 40) as server:
        assert server.client.post("/api/play", json={"game": "nim", "seats": ["human", "random"]}).status_code == 401
        server.client.headers["Authorization"] = "Bearer " + "t" * 40
        table = Table(server, "nim", ["human", "random"])
        del server.client.headers["Authorization"]
        assert table.on_turn("first")["your_turn"]
        assert server.client.get(f"/api/runs/{table.id}").status_code == 401
        assert server.client.get(f"/api/play/{table.id}", params={"key": "wrong"}).status_code == 403


def test_a_slow_player_blocks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = threading.Event()

    async def stuck(player: RandomPlayer, turn: Turn) -> Decision:
        free.wait(60)  # blocks its whole loop, as a bad plug-in would
        return Decision(turn.sample(turn.chance))

    monkeypatch.setattr(RandomPlayer, "act", stuck)
    with serving(tmp_path) as server:
        table = Table(server, "tictactoe", ["human", "random"])
        table.on_turn("X")
        table.move("X", text="1,1")
        begun = time.monotonic()
        waiting = table.look("X")
        other = Table(server, "nim", ["human", "perfect"])
        other.on_turn("first")
        assert not free.is_set()
        assert time.monotonic() - begun < 60, "a page waited for the player"
        assert not waiting["your_turn"]
        assert waiting["moves"] == [{"seat": "X", "notation": "1,1"}]
        free.set()
        assert len(table.on_turn("X")["moves"]) == 2


def test_names_are_left_out_of_exports_where_that_is_asked(tmp_path: Path) -> None:
    with serving(tmp_path / "runs") as server:
        names = {"white": "Ada Lovelace", "black": "Ada\u202e\nByron"}
        table = Table(server, "chess", ["human", "human"], names=names)
        assert [s["entrant"] for s in table.on_turn("white")["seats"]] == ["Ada Lovelace", "Ada Byron"]
        table.move("white", text="e4")
        table.on_turn("black")
        table.move("black", resign=True)
    with RunStore.open(tmp_path / "runs" / table.id) as store:
        for form in ("json", "csv", "txt", "record"):
            export(store, tmp_path / "open" / form, form)  # type: ignore[arg-type]
            export(store, tmp_path / "closed" / form, form, anonymous=True)  # type: ignore[arg-type]
    opened = {p.name: p.read_text(encoding="utf-8") for p in (tmp_path / "open").glob("*/*")}
    closed = {p.name: p.read_text(encoding="utf-8") for p in (tmp_path / "closed").glob("*/*")}
    assert opened.keys() == closed.keys() == {"run.json", "matches.jsonl", "matches.csv", "matches.txt", "chess.pgn"}
    for name, text in opened.items():
        assert "Ada" in text, name
        assert "Ada" not in closed[name] and "Byron" not in closed[name], name
        assert "person 1" in closed[name] and "person 2" in closed[name], name
