"""Filters, orders and pages of matches against the rows of the database."""

from __future__ import annotations

import pytest

from ludometer.store import RunStore
from ludometer.web import matches as module
from ludometer.web.matches import MatchFilter, match_page
from ludometer.web.problems import Problem
from ludometer.web.runs import OpenRun


@pytest.fixture(scope="module")
def rows(folder):
    with RunStore.open(folder / "two") as store:
        return list(store.matches())


def everything(client, run, size=7, **query):
    """All matches of a query, page by page."""
    found, after, pages = [], None, 0
    while after is not None or pages == 0:
        page = client.get(f"/runs/{run}/matches", size=size, **({"after": after} if after else {}), **query)
        assert len(page["matches"]) == size or page["next"] is None
        found += page["matches"]
        after, pages = page["next"], pages + 1
    return found


@pytest.mark.parametrize("order", ["asc", "desc"])
@pytest.mark.parametrize("sort", ["number", "moves", "bad_attempts", "seconds", "finished"])
def test_pages_hold_every_match_once_and_in_order(client, rows, sort, order):
    found = everything(client, "two", sort=sort, order=order)
    assert sorted(match["number"] for match in found) == [row.number for row in rows]
    values = [match[sort] for match in found]
    assert values == sorted(values, reverse=order == "desc")
    if sort != "number":
        ties = [(-match[sort] if order == "desc" else match[sort], match["number"]) for match in found]
        assert ties == sorted(ties), "matches with the same value are in the order of their numbers"


def test_what_is_not_known_comes_last(client):
    for order in ("asc", "desc"):
        found = everything(client, "topsakal", size=200, sort="moves", order=order)
        assert [match["number"] for match in found] == list(range(1, 981))


@pytest.mark.parametrize("result", ["win", "draw", "loss"])
def test_results_are_those_of_the_player(client, rows, result):
    scores = {"win": 1.0, "draw": 0.5, "loss": 0.0}
    expected = []
    for row in rows:
        mine = next(seat for seat, name in row.seats.items() if name == "random")
        if row.scores and row.scores[mine] == scores[result]:
            expected.append(row.id)
    page = client.get("/runs/two/matches", player="random", result=result, size=200)
    assert [match["id"] for match in page["matches"]] == expected and page["total"] == len(expected)


def test_results_with_more_than_two_seats(client, folder):
    with RunStore.open(folder / "uno") as store:
        matches = list(store.matches())
    for name in ("r0", "r3"):
        won = [
            m.id
            for m in matches
            if m.scores[next(s for s, n in m.seats.items() if n == name)] == max(m.scores.values())
        ]
        page = client.get("/runs/uno/matches", player=name, result="win")
        assert [match["id"] for match in page["matches"]] == won
        assert client.get("/runs/uno/matches", player=name, result="loss")["total"] == len(matches) - len(won)


def test_opponents_and_self_play(client):
    both = client.get("/runs/topsakal/matches", player="GPT-4", opponent="Gemini-Pro", size=200)
    assert both["total"] == 40
    assert {seat["entrant"] for match in both["matches"] for seat in match["seats"]} == {"GPT-4", "Gemini-Pro"}
    assert client.get("/runs/topsakal/matches", player="GPT-4", opponent="GPT-4")["total"] == 20
    assert client.get("/runs/topsakal/matches", opponent="GPT-4")["total"] == 20 + 6 * 40
    assert client.get("/runs/topsakal/matches", player="GPT")["total"] == 0, "names are compared whole"


def test_games_conditions_lengths_and_endings(client, rows):
    def ids(**query):
        return {match["id"] for match in everything(client, "two", **query)}

    assert ids(game="connect4") == {row.id for row in rows if row.game == "connect4"}
    assert ids(**{"factor.feedback": "none"}) == {row.id for row in rows if row.condition["feedback"] == "none"}
    assert ids(min_moves=6, max_moves=9) == {row.id for row in rows if 6 <= row.moves <= 9}
    assert ids(status="completed") == {row.id for row in rows}
    assert ids(status="unfinished") == ids(status="void") == set()
    why = rows[0].why
    assert ids(ending=why) == {row.id for row in rows if row.why == why} != set()
    assert ids(ending="completed") == {row.id for row in rows}
    match = client.get("/runs/two/matches", size=1)["matches"][0]
    assert [seat["title"] for seat in match["seats"]] == ["Player X", "Player O"]


def test_kinds_of_bad_answers(client, folder):
    page = client.get("/runs/hostile/matches", kind="invalid_format")
    assert page["total"] == 2 and page["matches"][0]["bad_attempts"] > 0
    assert client.get("/runs/hostile/matches", kind="already_taken")["total"] == 0
    assert client.get("/runs/hostile/matches", kind="legal")["total"] == 0, "a legal answer is no bad one"


def test_texts_are_searched_literally(client):
    assert len(client.get("/runs/hostile/matches", q="ONLOAD=ALERT(2)")["matches"]) == 2
    assert client.get("/runs/hostile/matches", q="100%_\\")["matches"] == []
    assert client.get("/runs/hostile/matches", q="nothing like this")["matches"] == []
    found = client.get("/runs/two/matches", q="in a row", size=3)
    assert len(found["matches"]) == 3 and found["next"] and found["total"] is None


def test_a_long_search_stops_says_so_and_goes_on(monkeypatch, folder):
    monkeypatch.setattr(module, "_SEARCH_SECONDS", 0.0)
    monkeypatch.setattr(module, "_CHUNK", 3)
    with RunStore.open(folder / "two") as store:
        run = OpenRun("two", store)
        total, pages, after = 0, 0, None
        while after is not None or pages == 0:
            page = match_page(run, MatchFilter(q="in a row", sort="moves", order="desc"), after=after)
            total, pages, after = total + len(page.matches), pages + 1, page.next
            assert (page.note is None) == (after is None)
            assert after is None or "stopped after 3 matches" in page.note
        assert pages > 1 and total == len(match_page(run, MatchFilter(ending="completed")).matches) - sum(
            "in a row" not in row.why for row in store.matches()
        )


def test_counting_gives_up_in_time(monkeypatch, folder):
    monkeypatch.setattr(module, "_COUNT_SECONDS", -1.0)
    monkeypatch.setattr(module, "_STEPS", 1)
    with RunStore.open(folder / "topsakal") as store:
        page = match_page(OpenRun("topsakal", store), MatchFilter(min_moves=0, player="GPT-4"))
        assert page.total is None and page.matches == []
        assert match_page(OpenRun("topsakal", store), MatchFilter(player="GPT-4"), size=5).total is None


@pytest.mark.parametrize(
    "query",
    [
        {"result": "win"},
        {"sort": "why"},
        {"size": 0},
        {"size": 201},
        {"min_moves": -1},
        {"after": "nonsense"},
        {"after": "WyJudW1iZXIiLCJhc2MiLG51bGwsIngiXQ"},
        {"game": "go"},
        {"factor.view": "list"},
    ],
)
def test_what_makes_no_sense_is_refused_with_a_sentence(client, query):
    status, sentence = client.refused("/runs/two/matches", **query)
    assert status == 422 and sentence


def test_a_page_belongs_to_its_order(client):
    after = client.get("/runs/two/matches", size=2)["next"]
    assert client.refused("/runs/two/matches", size=2, after=after, order="desc")[0] == 422
    with pytest.raises(Problem):
        module._place(after, MatchFilter(sort="moves"))
