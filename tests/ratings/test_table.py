from __future__ import annotations

import pytest

from ludometer.core.errors import ConfigurationError
from ludometer.ratings import Games, count_results, rate, rating_table


def test_frame_has_a_row_per_entrant(study_games: Games) -> None:
    table = rate(study_games)
    frame = table.to_frame()
    assert frame["name"].tolist() == [row.name for row in table.rows]
    assert frame["rating"].is_monotonic_decreasing
    assert frame.loc[0, "games"] == frame.loc[0, ["wins", "draws", "losses"]].sum()
    assert (frame["rank_best"] <= frame["rank_worst"]).all()
    assert (frame["low"] < frame["rating"]).all()


def test_counts_and_method_travel_with_the_table() -> None:
    rows = [("a", "b", "completed", 1.0), ("b", "a", "completed", 1.0), ("a", "b", "void")]
    games, counts = count_results(rows)
    table = rate(games, counts=counts, ties="davidson", prior=100)
    assert table.counts is counts
    for words in ("Davidson", "100 points", "95%", "2 groups", "mean-centred", "first-mover"):
        assert words in table.method


def test_level(study_games: Games) -> None:
    wide, narrow = rate(study_games, level=0.99), rate(study_games, level=0.5)
    assert wide["GPT-4"].high > narrow["GPT-4"].high
    assert wide.seats[0].high > narrow.seats[0].high
    assert rating_table(wide.fit, level=0.5).rows == narrow.rows
    with pytest.raises(ConfigurationError, match="between 0 and 1"):
        rate(study_games, level=1)


def test_unknown_names(study_games: Games) -> None:
    table = rate(study_games)
    for ask in (lambda: table["GPT-9"], lambda: table.comparable("GPT-4", "GPT-9")):
        with pytest.raises(ConfigurationError, match="'GPT-9'"):
            ask()
