"""While a person plays, nothing that is hidden in the game can be learned from any page."""

from __future__ import annotations

import json
import re
import shutil

import pytest
import sqlalchemy as sa

from ludometer.core import Watcher
from ludometer.store import RunStore, schema
from ludometer.web.runs import OpenRun
from ludometer.web.walks import walk


@pytest.fixture(scope="module")
def match_id(client):
    return client.get("/runs/people/matches")["matches"][0]["id"]


def test_only_the_public_view_is_there(client, match_id):
    detail = client.get(f"/runs/people/matches/{match_id}")
    assert detail["public_only"] and detail["viewers"] == ["public"] and detail["plies"] == 6
    for viewer in ("full", "1", "2", "nobody"):
        status, sentence = client.refused(f"/runs/people/matches/{match_id}/positions/3", viewer=viewer)
        assert status == 403 and "person" in sentence
    shown = client.get(f"/runs/people/matches/{match_id}/positions/3", viewer="public")
    assert shown["last"] == {}, "a move may name a card that was drawn unseen"


def test_texts_reasons_and_moves_are_left_out(client, match_id):
    detail = client.get(f"/runs/people/matches/{match_id}")
    attempts = [attempt for step in detail["steps"] for attempt in step["attempts"]]
    assert len(attempts) == 6
    for attempt in attempts:
        assert attempt["hidden"] and attempt["notation"] is None
        assert attempt["text"] == attempt["rationale"] == attempt["reason"] == ""
    assert all(set(step["moves"].values()) == {""} for step in detail["steps"])


@pytest.mark.parametrize("what", ["calls/0/1/0", "values", "same/0/1"])
def test_calls_values_and_answers_of_others_are_refused(client, match_id, what):
    status, sentence = client.refused(f"/runs/people/matches/{match_id}/{what}")
    assert status == 403 and "person" in sentence


def test_the_seed_from_which_everything_follows_is_nowhere(client, match_id):
    assert client.refused("/runs/people/report")[0] == 403
    assert client.refused("/runs/people/matches", q="secrets")[0] == 403
    pages = ["/runs", "/runs/people", "/runs/people/leaderboard", "/runs/people/matrix", "/runs/people/matches"]
    pages += [f"/runs/people/matches/{match_id}", "/runs/people/live"]
    for path in pages:
        text = json.dumps(client.get(path))
        assert "s3cret-seed" not in text and "I hold secrets" not in text, path
    assert client.get("/runs/people")["config"] == {} and client.get("/runs/people/matrix")["figures"] == []


def test_hands_are_on_no_page(client, folder, match_id):
    with RunStore.open(folder / "people") as store:
        run = OpenRun("people", store)
        walked = walk(run, store.match(match_id))
        seen = walked.game.observe(walked.states[-1], Watcher.PUBLIC)
        hands = walked.game.observe(walked.states[-1], Watcher.FULL)
        assert seen.data != hands.data, "there is something to hide"
        shown = client.get(f"/runs/people/matches/{match_id}/positions/6")
        assert re.sub(r'^<svg data-places="[^"]*" ', "<svg ", shown["svg"]) == walked.game.svg(seen)


def test_the_static_page_keeps_it_too(folder):
    from ludometer.web.static import static_page

    with RunStore.open(folder / "people") as store:
        page = static_page(store, compress=False)
    assert "s3cret-seed" not in page and "I hold secrets" not in page and "viewer=full" not in page
    assert "viewer=public" in page


def test_other_runs_are_not_touched(client):
    detail = client.get(f"/runs/uno/matches/{client.get('/runs/uno/matches')['matches'][0]['id']}")
    assert not detail["public_only"] and "full" in detail["viewers"]


def test_afterwards_everything_is_shown(tmp_path, folder):
    shutil.copytree(folder / "people", tmp_path / "people")
    with RunStore.open(tmp_path / "people") as store:
        run = OpenRun("people", store)
        assert run.public_only
        with RunStore.open(tmp_path / "people", write=True) as writing, writing.engine.begin() as connection:
            connection.execute(sa.update(schema.matches).values(status="finished", ending="canceled", why="left"))
        assert not run.public_only
