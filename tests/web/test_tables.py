"""Leaderboard and matrix against the analysis that the command line prints."""

from __future__ import annotations

import pytest

from ludometer.analysis import game_matrix, leaderboard, load_tables
from ludometer.analysis.matrix import opponent_matrix
from ludometer.store import RunStore


def test_the_leaderboard_is_the_one_of_the_command_line(client, folder):
    shown = client.get("/runs/study/leaderboard")
    with RunStore.open(folder / "study") as store:
        frame = leaderboard(store)
    assert [row["entrant"] for row in shown["rows"]] == list(frame["entrant"])
    for row, known in zip(shown["rows"], frame.to_dict("records"), strict=True):
        assert row["rating"] == pytest.approx(known["rating"]) and row["rating_low"] == pytest.approx(known["low"])
        assert (row["rank_best"], row["rank_worst"]) == (known["rank_best"], known["rank_worst"])
        assert (row["score"], row["valid"]) == (known["score"], known["valid"])
        assert sum(seat["wins"] for seat in row["seats"]) == known["wins_1"] + known["wins_2"]
        assert [seat["seat"] for seat in row["seats"]] == ["X", "O"]
    assert shown["missing"] is None and shown["rated"] == 12 and "Bradley-Terry" in shown["method"]
    assert shown["seat_effects"][0]["seat"] == "Player X"


def test_regret_is_there_where_moves_were_judged(client):
    rows = {row["entrant"]: row for row in client.get("/runs/study/leaderboard")["rows"]}
    assert rows["perfect"]["regret"] == 0.0 < rows["random"]["regret"] <= rows["random"]["regret_high"]
    assert rows["random"]["regret_n"] > 0
    assert all(row["regret"] is None for row in client.get("/runs/two/leaderboard")["rows"])


@pytest.mark.parametrize("counting", ["headline", "played"])
def test_parts_by_game_and_level(client, folder, counting):
    whole = client.get("/runs/two/leaderboard", counting=counting)
    part = client.get("/runs/two/leaderboard", counting=counting, game="connect4", **{"factor.feedback": "none"})
    with RunStore.open(folder / "two") as store:
        frame = leaderboard(load_tables(store).only(game="connect4", condition="feedback = none"), counting=counting)
    games = {row["entrant"]: row["score_games"] for row in part["rows"]}
    assert games == dict(zip(frame["entrant"], frame["score_games"], strict=True))
    assert part["rated"] * 4 == whole["rated"] > 0


def test_what_the_run_does_not_have_is_refused(client):
    assert client.refused("/runs/two/leaderboard", game="chess") == (422, "the run has no game 'chess'")
    assert client.refused("/runs/two/matrix", **{"factor.view": "list"}) == (422, "the run varies no 'view'")
    assert client.refused("/runs/two/leaderboard", counting="all")[0] == 422
    assert client.get("/runs/two/leaderboard", **{"factor.feedback": "never"})["missing"]


def test_a_run_without_games_says_why_there_are_no_ratings(client):
    shown = client.get("/runs/empty/leaderboard")
    assert shown["rows"] == [] and shown["rated"] == 0 and shown["missing"]
    assert client.get("/runs/empty/matrix", figures=False)["cells"] == []
    assert client.get("/runs/empty/matches") == {"matches": [], "total": 0, "next": None, "note": None}


def test_the_matrix_counts_what_the_report_counts(client, folder):
    cells = {(c["row"], c["column"]): c for c in client.get("/runs/topsakal/matrix", figures=False)["cells"]}
    with RunStore.open(folder / "topsakal") as store:
        counted = game_matrix(store).groupby(level=["player_1", "player_2"]).sum()
    for (one, two), cell in cells.items():
        if one == two:
            own = counted.loc[one, two]
            assert (cell["games"], cell["wins"], cell["score"]) == (own["games"], own["X"], None)
            continue
        first, second = counted.loc[one, two], counted.loc[two, one]
        assert cell["wins"] == first["X"] + second["O"] and cell["losses"] == first["O"] + second["X"]
        assert cell["draws"] == first["D"] + second["D"] and cell["canceled"] == first["C"] + second["C"]
        assert cell["games"] == first["games"] + second["games"]
        other = cells[two, one]
        assert cell["score"] == pytest.approx(1 - other["score"]) and cell["low"] == pytest.approx(1 - other["high"])
    assert len(cells) == 49


def test_more_than_two_seats_are_compared_in_pairs(client, folder):
    shown = client.get("/runs/uno/matrix", figures=False)
    with RunStore.open(folder / "uno") as store:
        known = {(row["entrant"], row["opponent"]): row for row in opponent_matrix(store).to_dict("records")}
    for cell in shown["cells"]:
        pair = known.get((cell["row"], cell["column"]))
        assert cell["score"] == (None if pair is None else pytest.approx(pair["share"]))
    assert any("more than two" in note for note in shown["notes"])


def test_the_report_is_the_written_one_in_sections(client):
    report = client.get("/runs/uno/report")
    titles = [section["title"] for section in report["sections"]]
    assert titles[0] == "Summary" and "Results" in titles and "What was run" in titles
    assert "<script" not in "".join(section["html"] for section in report["sections"])
    assert "--accent" in report["style"]
    figures = client.get("/runs/uno/matrix")["figures"]
    assert figures[0]["title"] == "Ratings" and all(figure["svg"].startswith("<svg") for figure in figures)
    assert len({figure["title"] for figure in figures}) == len(figures)
