from __future__ import annotations

from typing import Literal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.ratings import Games, fit, probability_better, rate

Ties = Literal["half", "davidson"]
ROW = st.tuples(
    st.integers(0, 4), st.integers(0, 4), st.sampled_from([0.0, 0.5, 1.0]), st.integers(0, 9), st.integers(0, 1)
)
ROWS = st.lists(ROW, min_size=1, max_size=60).filter(lambda rows: any(row[0] != row[1] for row in rows))
TIES = st.sampled_from(["half", "davidson"])
PRIORS = st.sampled_from([None, 50.0, 200.0])
quick = settings(max_examples=40, deadline=None)


def games(rows: list[tuple[int, int, float, int, int]], names: str = "abcde", titles: str = "xy") -> Games:
    first, second, score, cluster, game = (np.array(column) for column in zip(*rows, strict=True))
    return Games.from_arrays(list(names), first, second, score, cluster=cluster, titles=list(titles), game=game)


def summary(data: Games, ties: Ties, prior: float | None) -> dict[str, tuple[float, ...]]:
    table = rate(data, ties=ties, prior=prior)
    rows = {row.name: (row.rating, row.low, row.high, *row.rank) for row in table.rows}
    return rows | {f"seat {seat.game}": (seat.points, seat.low, seat.high) for seat in table.seats}


def same(one: dict[str, tuple[float, ...]], other: dict[str, tuple[float, ...]]) -> None:
    assert one.keys() == other.keys()
    for name, values in one.items():
        assert other[name] == pytest.approx(values, abs=1e-4, rel=1e-6)


@quick
@given(ROWS, TIES, st.data())
def test_the_order_of_games_never_matters(
    rows: list[tuple[int, int, float, int, int]], ties: Ties, data: st.DataObject
) -> None:
    mixed = data.draw(st.permutations(rows))
    same(summary(games(rows), ties, 200.0), summary(games(mixed), ties, 200.0))


@quick
@given(ROWS, TIES, st.permutations(range(5)))
def test_names_never_matter(rows: list[tuple[int, int, float, int, int]], ties: Ties, order: list[int]) -> None:
    """Entrant k is called by another letter and listed at another place; its numbers stay."""
    renamed = [(order[a], order[b], score, cluster, game) for a, b, score, cluster, game in rows]
    names = "".join("abcde"[order.index(place)] for place in range(5))
    same(summary(games(rows), ties, 200.0), summary(games(renamed, names), ties, 200.0))


@quick
@given(ROWS, TIES, PRIORS)
def test_swapping_all_seats_flips_the_seat_terms(
    rows: list[tuple[int, int, float, int, int]], ties: Ties, prior: float | None
) -> None:
    swapped = [(b, a, 1.0 - score, cluster, game) for a, b, score, cluster, game in rows]
    one, other = fit(games(rows), ties=ties, prior=prior), fit(games(swapped), ties=ties, prior=prior)
    assert other.points == pytest.approx(one.points, abs=1e-4)
    assert other.seat_points == pytest.approx(-one.seat_points, abs=1e-4)


@quick
@given(ROWS, TIES, PRIORS)
def test_every_rating_is_finite_and_uncertain(
    rows: list[tuple[int, int, float, int, int]], ties: Ties, prior: float | None
) -> None:
    """With an entrant added that won everything and one that lost everything."""
    met = next(row[0] for row in rows if row[0] != row[1])
    extreme = [(5, met, 1.0, 20 + n, 0) for n in range(4)] + [(met, 6, 1.0, 30 + n, 1) for n in range(40)]
    table = rate(games(rows + extreme, "abcdefg"), ties=ties, prior=prior)
    for row in table.rows:
        assert np.isfinite([row.rating, row.low, row.high]).all()
        assert row.high - row.low > 1.0
    for name in "fg":
        assert table[name].interval == "laplace"
    for seat in table.seats:
        assert np.isfinite([seat.points, seat.low, seat.high]).all()
        assert seat.high - seat.low > 1.0
    assert ((table.fit.points - 1500) ** 2).sum() > 0
    assert table["f"].rating > table["g"].rating or not table.comparable("f", "g")


@quick
@given(ROWS, TIES)
def test_aggregated_games_fit_alike(rows: list[tuple[int, int, float, int, int]], ties: Ties) -> None:
    """Weights say the same as repeated rows, where each game has luck of its own."""
    counts: dict[tuple[int, int, float, int], int] = {}
    for a, b, score, _, game in rows:
        counts[a, b, score, game] = counts.get((a, b, score, game), 0) + 1
    first, second, score, game = (np.array(column) for column in zip(*counts, strict=True))
    weight = np.array(list(counts.values()))
    cells = Games.from_arrays(list("abcde"), first, second, score, weight=weight, titles=list("xy"), game=game)
    single = games(rows)
    plain = Games.from_arrays(
        list("abcde"), single.first, single.second, single.score, titles=list("xy"), game=single.game
    )
    same(summary(cells, ties, 200.0), summary(plain, ties, 200.0))


@quick
@given(ROWS)
def test_probabilities_are_complementary(rows: list[tuple[int, int, float, int, int]]) -> None:
    better = probability_better(fit(games(rows)))
    known = ~np.isnan(better)
    assert (known == known.T).all()
    assert (better + better.T)[known] == pytest.approx(np.ones(known.sum()))
