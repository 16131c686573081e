from __future__ import annotations

from ludometer.ratings import distinct_games


def test_repeats_are_counted_per_seating() -> None:
    games = [(("a", "b"), (1, 5, 2))] * 4 + [(("a", "b"), (1, 5, 3)), (("b", "a"), (1, 5, 2))]
    total, first, second = distinct_games(games)
    assert (total.players, str(total)) == ((), "6 games, 3 distinct")
    assert (first.players, str(first)) == (("a", "b"), "5 games, 2 distinct")
    assert (second.players, str(second)) == (("b", "a"), "1 game, 1 distinct")


def test_no_games() -> None:
    (total,) = distinct_games([])
    assert str(total) == "0 games, 0 distinct"
