"""Matches, positions, calls, values and equal positions against the referee itself."""

from __future__ import annotations

import re

import pytest

from ludometer.core import Watcher, make_game
from ludometer.matches import MatchPolicy
from ludometer.store import RunStore, schema
from ludometer.store.replay import load_log, new_match, replayed
from ludometer.web import walks
from ludometer.web.runs import OpenRun
from ludometer.web.walks import walk

PLACES = re.compile(r'^<svg data-places="[^"]*" ')
"""Where a picture can be pointed at: the page draws marks there."""


def first(client, run, **query):
    return client.get(f"/runs/{run}/matches", size=1, **query)["matches"][0]["id"]


@pytest.mark.parametrize("run", ["study", "two", "uno"])
def test_positions_are_those_that_the_referee_saw(client, folder, run):
    match_id = first(client, run)
    detail = client.get(f"/runs/{run}/matches/{match_id}")
    with RunStore.open(folder / run) as store:
        row = store.match(match_id)
        match = new_match(row, MatchPolicy())
        states = [match.state]
        for _ in replayed(match, load_log(store, match_id)):
            states.append(match.state)
        states = [*states[1:], match.state]  # the state after each attempt; all of them were legal here
    assert detail["plies"] == len(states) - 1 == len(row.notation.splitlines())
    assert detail["opening"] == list(row.opening or ())
    assert detail["steps"][0]["step"] == len(row.opening or ()) and detail["steps"][0]["ply"] == 1
    game = make_game(row.game, row.options)
    for ply in (0, 1, detail["plies"]):
        for viewer in detail["viewers"]:
            shown = client.get(f"/runs/{run}/matches/{match_id}/positions/{ply}", viewer=viewer)
            watcher = {"public": Watcher.PUBLIC, "full": Watcher.FULL}.get(viewer, viewer)
            assert PLACES.sub("<svg ", shown["svg"]) == game.svg(game.observe(states[ply], watcher))
            assert shown["to_act"] == list(game.to_act(states[ply]))
            assert shown["last"] == ({} if ply == 0 else detail["steps"][ply - 1]["moves"])


def test_hidden_hands_are_seen_by_their_seat_and_by_nobody_else(client):
    match_id = first(client, "uno")

    def text(viewer):
        return client.get(f"/runs/uno/matches/{match_id}/positions/0", viewer=viewer)["text"]

    assert len({text(viewer) for viewer in ("public", "full", "1", "2", "3", "4")}) == 6
    assert len(text("full")) > len(text("1")) > len(text("public"))


def test_a_match_says_who_won_and_why_and_has_neighbours(client):
    listed = client.get("/runs/study/matches", size=200)["matches"]
    for i, entry in enumerate(listed):
        detail = client.get(f"/runs/study/matches/{entry['id']}")
        assert detail["entry"] == entry and entry["why"] in detail["headline"]
        winners = [seat["entrant"] for seat in entry["seats"] if seat["score"] == 1.0]
        assert detail["headline"].startswith(f"{winners[0]} (" if winners else "Drawn")
        before, after = (listed[j]["id"] if 0 <= j < len(listed) else None for j in (i - 1, i + 1))
        assert detail["links"] == {"previous": before, "next": after}
        assert detail["policy"]["attempts"] == 3 and "in a row" in detail["rules"]


def test_rejected_answers_and_substituted_moves_stand_in_their_step(client, folder, hostile):
    match_id = first(client, "hostile")
    detail = client.get(f"/runs/hostile/matches/{match_id}")
    seat = next(s["seat"] for s in detail["entry"]["seats"] if s["entrant"] != "random")
    steps = [step for step in detail["steps"] if seat in step["moves"]]
    assert steps and all(step["substituted"] == [seat] for step in steps)
    attempt = steps[0]["attempts"][0]
    assert attempt["status"] == "invalid_format" and attempt["reason"] and attempt["notation"] is None
    assert attempt["text"].startswith(hostile) and attempt["calls"] == 1 and attempt["output_tokens"] > 0
    others = [step for step in detail["steps"] if seat not in step["moves"]]
    assert all(step["substituted"] == [] for step in others)
    assert detail["plies"] == len(detail["steps"])


def test_calls_hold_what_was_sent_and_what_came_back(client, folder, hostile):
    match_id = first(client, "hostile")
    with RunStore.open(folder / "hostile") as store:
        log = load_log(store, match_id)
        [key, exchange] = next(iter(log.exchanges.items()))
    [call] = client.get(f"/runs/hostile/matches/{match_id}/calls/{key.step}/{key.seat}/{key.attempt}")
    assert [(m["role"], m["text"]) for m in call["messages"]] == [(m.role, m.text) for m in exchange.request.messages]
    assert call["answer"] == exchange.completion.text and call["answer"].startswith(hostile)
    assert call["latency"] == exchange.completion.latency and call["n"] == "0" and call["failures"] == []
    assert '"choices"' in call["raw"]
    assert client.get(f"/runs/hostile/matches/{match_id}/calls/{key.step}/{key.seat}/5") == []


def test_values_of_a_judged_match(client, folder):
    match_id = first(client, "study")
    analysis = client.get(f"/runs/study/matches/{match_id}/values")
    with RunStore.open(folder / "study") as store:
        rows = {(r["step"], r["seat"]): r for r in store.rows(schema.move_values, match_id)}
    assert analysis["evaluators"] == ["mnk"] and len(analysis["values"]) == len(rows) > 0
    for value in analysis["values"]:
        row = rows[value["step"], value["seat"]]
        assert value["regret"] == pytest.approx(row["best"] - row["value"]) and value["exact"]
        assert value["ply"] == value["step"] + 1 and value["values"][value["action"]] == row["value"]
        assert len(value["best_actions"]) == row["best_actions"] and len(value["values"]) == row["actions"]
        assert {value["values"][action] for action in value["best_actions"]} == {row["best"]}
    assert client.get(f"/runs/two/matches/{first(client, 'two')}/values") == {"evaluators": [], "values": []}


def test_the_same_position_in_other_matches(client, folder):
    match_id = first(client, "study")
    found = client.get(f"/runs/study/matches/{match_id}/same/0/X")
    with RunStore.open(folder / "study") as store:
        assert {one["match"] for one in found} == {row.id for row in store.matches()}
        own = store.match(match_id)
        two = own.notation.splitlines()[:2]
        same = {row.id for row in store.matches() if row.notation.splitlines()[:2] == two}
    assert found[0]["match"] == match_id and {one["entrant"] for one in found} == {"random", "perfect", "greedy"}
    later = client.get(f"/runs/study/matches/{match_id}/same/2/X")
    assert {one["match"] for one in later} == same and all(one["attempts"] for one in later)
    assert client.refused(f"/runs/study/matches/{match_id}/same/0/O")[0] == 404


def test_with_luck_only_the_same_luck_is_the_same_position(client, folder):
    match_id = first(client, "uno")
    with RunStore.open(folder / "uno") as store:
        own = store.match(match_id)
        same = {row.id for row in store.matches() if row.luck == own.luck}
    found = client.get(f"/runs/uno/matches/{match_id}/same/0/1")
    assert {one["match"] for one in found} == same and len(same) > 1


def test_an_imported_match_has_no_moves(client):
    match_id = first(client, "topsakal")
    detail = client.get(f"/runs/topsakal/matches/{match_id}")
    assert detail["steps"] == [] and detail["plies"] == 0 and detail["headline"]
    assert client.get(f"/runs/topsakal/matches/{match_id}/positions/0")["svg"].startswith("<svg")
    assert client.refused(f"/runs/topsakal/matches/{match_id}/positions/1")[0] == 404


def test_an_unfinished_match_is_shown_as_far_as_it_is(client):
    match_id = first(client, "interrupted", status="unfinished")
    detail = client.get(f"/runs/interrupted/matches/{match_id}")
    assert detail["plies"] == 3 == len(detail["steps"]) and not detail["public_only"]
    assert detail["headline"] == "At play, or interrupted: it is not finished."
    assert client.get(f"/runs/interrupted/matches/{match_id}/positions/3")["last"] == detail["steps"][2]["moves"]
    scheduled = client.get("/runs/interrupted/matches", order="desc", size=1)["matches"][0]["id"]
    assert client.get(f"/runs/interrupted/matches/{scheduled}")["headline"] == "Not begun yet."


def test_a_substituted_move_of_an_unfinished_match_is_made_again(folder):
    with RunStore.open(folder / "hostile") as store:
        run = OpenRun("hostile", store)
        row = next(iter(store.matches()))
        finished = walk(run, row)
        along_log = walks._along_log(run, row)
    assert along_log.whole and finished.whole
    assert [dict(made) for made in along_log.moves] == [dict(made) for made in finished.moves]
    assert along_log.states[-1] == finished.states[-1]


def test_a_game_that_is_not_installed_here_is_listed_all_the_same(tmp_path, folder):
    with RunStore.open(folder / "study") as source:
        rows = [dict(row) for row in source.rows(schema.matches)]
        entrants = source.entrants()
    for row in rows:
        row["game"] = "no-such-game"
    with RunStore.create(tmp_path / "run", {"name": "foreign", "games": []}) as store:
        store.add_entrants(entrants)
        store.insert_finished(rows)
    from starlette.testclient import TestClient

    from ludometer.web.app import create_app
    from ludometer.web.runs import RunsFolder

    with TestClient(create_app(RunsFolder([tmp_path])), base_url="http://localhost") as http:
        match_id = http.get("/api/runs/run/matches").json()["matches"][0]["id"]
        detail = http.get(f"/api/runs/run/matches/{match_id}").json()
        assert detail["viewers"] == [] and detail["plies"] == 0 and detail["headline"]
        answer = http.get(f"/api/runs/run/matches/{match_id}/positions/0")
        assert answer.status_code == 404 and "not installed" in answer.json()["detail"]
        assert len(http.get("/api/runs/run/leaderboard").json()["rows"]) == 3


@pytest.mark.parametrize("path", ["nobody", "m000001/positions/99", "m000001/positions/0"])
def test_what_there_is_not_is_404(client, path):
    assert client.refused(f"/runs/study/matches/{path}", viewer="Z")[0] == 404


def test_boards_of_libraries():
    from ludometer.core import Chance
    from ludometer.web.boards import board_of

    chess = make_game("chess")
    state = chess.new(2, Chance(0))
    shown = board_of(chess, chess.observe(state, Watcher.PUBLIC))
    assert shown == {"kind": "chess", "fen": chess.fen, "last": None, "check": None}
    go = make_game("go")
    state = go.new(2, Chance(0))
    state = go.apply(state, {"Black": go.parse(state, "Black", "D4")})
    shown = board_of(go, go.observe(state, Watcher.PUBLIC))
    assert shown["rows"][9 - 4] == "...X....." and shown["last"] == "D4" and shown["size"] == 9
    tictactoe = make_game("tictactoe")
    assert board_of(tictactoe, tictactoe.observe(tictactoe.new(2, Chance(0)), Watcher.PUBLIC)) is None
