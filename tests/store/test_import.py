"""The published tic-tac-toe tables as a run, and the published figures out of our own code."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from ludometer.analysis import (
    RunTables,
    game_matrix,
    invalid_responses,
    load_tables,
    moves_per_result,
    ratings_of,
    results_by_seat,
    run_counts,
)
from ludometer.core import ConfigurationError
from ludometer.store import RunStore
from ludometer.store.importing import import_topsakal

LIST, ILLUSTRATION = "view = list", "view = illustration"
MODELS = ["GPT-4", "Llama2-70", "Claude 2.1", "GPT-3.5-Turbo", "Mistral-L", "Gemini-Pro", "Jurassic-2"]


@pytest.fixture(scope="module")
def store(place: Callable[[str], str]) -> Iterator[RunStore]:
    with RunStore.open(import_topsakal(place("study"))) as opened:
        yield opened


@pytest.fixture(scope="module")
def study(store: RunStore) -> RunTables:
    return load_tables(store)


def test_the_matches(study: RunTables) -> None:
    assert run_counts(study) == {
        "total": 980,
        "completed": 541,
        "forfeit": 0,
        "canceled": 439,
        "void": 0,
        "unfinished": 0,
    }
    assert study.parts() == [("tictactoe", LIST), ("tictactoe", ILLUSTRATION)]


@pytest.mark.parametrize(
    ("condition", "sums"),
    [
        # The text of the study gives these sums for the list prompt; for the other one 4 draws and 332 canceled games,
        # of which its own table says 338.
        (LIST, {"X": 265, "O": 98, "D": 26, "C": 101}),
        (ILLUSTRATION, {"X": 108, "O": 40, "D": 4, "C": 338}),
    ],
)
def test_the_game_matrix_adds_up(study: RunTables, condition: str, sums: dict[str, int]) -> None:
    matrix = game_matrix(study, condition=condition)
    assert len(matrix) == 49
    assert (matrix["games"] == 10).all()
    assert {letter: int(matrix[letter].sum()) for letter in sums} == sums
    assert int(matrix[["F", "void", "unfinished"]].to_numpy().sum()) == 0


def test_a_cell_of_the_matrix_is_as_published(study: RunTables) -> None:
    cell = game_matrix(study).loc[("tictactoe", LIST, "Mistral-L", "Claude 2.1")]
    assert [int(cell[letter]) for letter in "XODC"] == [2, 7, 1, 0]


def test_who_won_most(study: RunTables) -> None:
    wins = results_by_seat(study.only(condition=LIST)).groupby("entrant")["wins"].sum()
    assert wins.sort_values(ascending=False).head(3).to_dict() == {"GPT-4": 70, "GPT-3.5-Turbo": 59, "Llama2-70": 57}


def test_statements_that_fix_which_seat_is_which(study: RunTables) -> None:
    rows = results_by_seat(study.only(condition=ILLUSTRATION))
    wins = {(row.entrant, row.seat_number): row.wins for row in rows.itertuples()}
    assert [wins[name, seat] for name in ("Claude 2.1", "Llama2-70") for seat in (1, 2)] == [0, 0, 0, 0]
    assert wins["Mistral-L", 2] == 0


def test_invalid_responses_are_table_4(study: RunTables) -> None:
    frame = invalid_responses(study.only(condition=LIST))
    totals = frame[frame["seat_number"].isna()].groupby("entrant")["count"].sum().to_dict()
    assert totals == {
        "Jurassic-2": 701,
        "Claude 2.1": 501,
        "Gemini-Pro": 14,
        "GPT-3.5-Turbo": 68,
        "GPT-4": 171,
        "Llama2-70": 360,
        "Mistral-L": 184,
    }
    jurassic = frame[(frame["entrant"] == "Jurassic-2") & (frame["seat_number"] == 1)]
    assert dict(zip(jurassic["kind"], jurassic["count"], strict=True)) == {
        "already_taken": 472,
        "out_of_bounds": 36,
        "invalid_format": 2,
    }


def test_published_means_are_kept_and_none_are_made_up(study: RunTables) -> None:
    assert moves_per_result(study).empty
    rows = {(r["condition"], r["entrant"], r["result"]): r["mean"] for r in study.lengths or ()}
    assert rows[LIST, "GPT-4", "won as player 1"] == 5.9
    assert rows[LIST, "Llama2-70", "won as player 2"] == 7.5
    assert rows[ILLUSTRATION, "all", "drawn"] == 16.5


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"ties": "half", "seat": False}, (1601.5, 1551.3, 1524.0, 1517.3, 1502.3, 1456.0, 1347.7)),
        ({"ties": "half", "seat": True}, (1618.1, 1576.7, 1548.9, 1516.7, 1463.5, 1423.8, 1352.3)),
        ({"ties": "davidson", "seat": True}, (1627.9, 1582.9, 1553.0, 1518.1, 1460.4, 1417.5, 1340.1)),
    ],
)
def test_ratings_through_the_whole_pipeline(
    study: RunTables, options: dict[str, object], expected: tuple[float, ...]
) -> None:
    table = ratings_of(study, counting="played", condition={"view": "list"}, prior_sd=None, **options)  # type: ignore[arg-type]
    assert [row.name for row in table.rows] == MODELS
    assert [row.rating for row in table.rows] == pytest.approx(expected, abs=0.06)


def test_canceled_games_without_offender_are_left_out_and_counted(study: RunTables) -> None:
    table = ratings_of(study, condition={"view": "list"})
    assert table.counts is not None
    assert table.counts.left_out == {"canceled, offender unknown": 101, "self-play": 40}
    assert table.counts.rated == 349


def test_notes_name_the_swapped_captions_and_the_wrong_sum(store: RunStore) -> None:
    notes = " ".join(store.imported("notes"))
    assert "wrong way round" in notes
    assert "332" in notes and "338" in notes


def test_a_run_is_not_overwritten(store: RunStore) -> None:
    with pytest.raises(ConfigurationError, match=r"already holds a run|is a run already"):
        import_topsakal(store.address)
