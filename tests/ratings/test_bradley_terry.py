from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from ludometer.core.errors import ConfigurationError
from ludometer.ratings import Games, fit, rate
from ludometer.ratings.intervals import entrant_errors
from ludometer.ratings.scale import POINTS

HALF = {
    "GPT-4": 1601.5,
    "Llama2-70": 1551.3,
    "Claude 2.1": 1524.0,
    "GPT-3.5-Turbo": 1517.3,
    "Mistral-L": 1502.3,
    "Gemini-Pro": 1456.0,
    "Jurassic-2": 1347.7,
}
HALF_SEAT = dict(zip(HALF, (1618.1, 1576.7, 1548.9, 1516.7, 1463.5, 1423.8, 1352.3), strict=True))
DAVIDSON_SEAT = dict(zip(HALF, (1627.9, 1582.9, 1553.0, 1518.1, 1460.4, 1417.5, 1340.1), strict=True))


def pair(wins: int, losses: int, draws: int = 0, one: str = "a", two: str = "b") -> list[dict[str, object]]:
    """Results of ``one`` against ``two``, as evenly as possible over the seats."""
    scores = [1.0] * wins + [0.0] * losses + [0.5] * draws
    return [
        {"player_1": one, "player_2": two, "score_1": score}
        if number % 2
        else {"player_1": two, "player_2": one, "score_1": 1 - score}
        for number, score in enumerate(scores)
    ]


class TestPublishedGames:
    """The list prompt of Topsakal & Harper (2024), canceled games and self-play left out."""

    def test_half_win(self, study_games: Games) -> None:
        table = rate(study_games, prior=None, seat=False)
        assert {row.name: row.rating for row in table.rows} == pytest.approx(HALF, abs=0.5)
        assert sum(row.games for row in table.rows) == 2 * 349
        for row in table.rows:
            assert row.interval == "clustered"
            assert 55 < row.high - row.rating < 76
        assert table.seats == ()

    def test_half_win_with_seat(self, study_games: Games) -> None:
        table = rate(study_games, prior=None)
        assert {row.name: row.rating for row in table.rows} == pytest.approx(HALF_SEAT, abs=0.5)
        (seat,) = table.seats
        assert seat.points == pytest.approx(186.4, abs=0.1)
        assert seat.high - seat.points == pytest.approx(45.2, abs=0.1)

    def test_davidson_with_seat(self, study_games: Games) -> None:
        table = rate(study_games, prior=None, ties="davidson")
        assert {row.name: row.rating for row in table.rows} == pytest.approx(DAVIDSON_SEAT, abs=0.5)
        assert table.seats[0].points == pytest.approx(201.0, abs=0.1)
        assert table.tie is not None and 0.05 < table.tie.draw_rate < 0.08

    def test_self_play_may_inform_the_seat_term_only(self, study_games: Games) -> None:
        without, together = (fit(study_games, self_play=flag) for flag in (False, True))
        assert together.seat_games[0] > without.seat_games[0]
        assert together.seat_points[0] != pytest.approx(without.seat_points[0], abs=1)
        assert together.tally.games.tolist() == without.tally.games.tolist()


@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_undefeated_entrant_under_the_default_prior(ties: str) -> None:
    """Ten to nothing against each of two others: about +307 +- 172 around the mean of the three."""
    games = Games.from_records(pair(10, 0, one="a", two="b") + pair(10, 0, one="a", two="c"))
    table = rate(games, mean=0, ties=ties)  # type: ignore[arg-type]
    row = table["a"]
    assert row.rating == pytest.approx(307, abs=1.5)
    assert row.high - row.rating == pytest.approx(172, abs=1)
    assert row.interval == "laplace"


def test_against_an_independent_optimizer(study_games: Games) -> None:
    """The same posterior written out naively and maximized by scipy without derivatives of ours."""
    games = study_games.select(~study_games.self_play)

    def loss(theta: np.ndarray) -> float:
        d = theta[games.first] - theta[games.second] + theta[-2]
        win, draw, lose = np.exp(d / 2), np.exp(theta[-1]) * np.ones_like(d), np.exp(-d / 2)
        chosen = np.where(games.score == 1, win, np.where(games.score == 0, lose, draw))
        prior = (theta[:-1] @ theta[:-1]) * (POINTS / 200) ** 2 / 2 + theta[-1] ** 2 / 18
        return float(prior - games.weight @ np.log(chosen / (win + draw + lose)))

    best = minimize(loss, np.zeros(9), method="BFGS", options={"gtol": 1e-6}).x
    ours = fit(games, ties="davidson")
    assert ours.points - 1500 == pytest.approx(best[:7] * POINTS, abs=0.05)
    assert ours.seat_points[0] == pytest.approx(best[7] * POINTS, abs=0.05)
    assert ours.log_nu == pytest.approx(best[8], abs=1e-3)


def test_against_choix(study_games: Games) -> None:
    choix = pytest.importorskip("choix", reason="needs choix: pip install 'ludometer[bench]'")
    games = study_games.select(~study_games.self_play & (study_games.score != 0.5))
    data = []
    for first, second, score, weight in zip(games.first, games.second, games.score, games.weight, strict=True):
        data += [(first, second) if score else (second, first)] * int(weight)
    peer = choix.opt_pairwise(7, data) * POINTS
    assert fit(games, prior=None, seat=False).points - 1500 == pytest.approx(peer - peer.mean(), abs=0.05)


def test_clustered_covariance_by_hand() -> None:
    """Two entrants, no prior, no seat: the sandwich has a closed form."""
    scores = np.array([1, 1, 1, 0, 1, 0, 1, 1, 0.5, 0.5] * 4)
    cluster = np.repeat(np.arange(20), 2)
    games = Games.from_arrays(["a", "b"], [0] * 40, [1] * 40, scores, cluster=cluster)
    result = fit(games, prior=None, seat=False)
    p = scores.mean()
    sums = (scores - p).reshape(20, 2).sum(axis=1)
    variance = (sums**2).sum() * 20 / 19 / (40 * p * (1 - p)) ** 2
    variance *= 20 / (20 - 3)  # twenty clusters are few
    # The difference of the two ratings is the log-odds; each rating moves by half of it.
    assert entrant_errors(result)[0] == pytest.approx(np.full(2, np.sqrt(variance) * POINTS / 2))
    assert result.points[0] - result.points[1] == pytest.approx(POINTS * np.log(p / (1 - p)))
    assert result.clusters == 20


def test_clusters_of_one_equal_no_clusters(study_games: Games) -> None:
    rows = np.repeat(np.arange(len(study_games)), study_games.weight.astype(int))
    columns = [getattr(study_games, name)[rows] for name in ("first", "second", "score")]
    single = Games.from_arrays(study_games.entrants, *columns, cluster=10**9 * np.arange(len(rows)))
    assert fit(single).clustered == pytest.approx(fit(study_games).clustered)


def test_one_seat_term_per_game() -> None:
    strong = [{"player_1": p, "player_2": q, "game": "x"} for p, q in ["ab", "ba"] * 50]
    records = [row | {"score_1": float(n % 10 < 8)} for n, row in enumerate(strong)]
    records += [row | {"game": "y", "score_1": float(n % 4 < 2)} for n, row in enumerate(strong)]
    table = rate(Games.from_records(records))
    assert [seat.game for seat in table.seats] == ["x", "y"]
    assert table.seats[0].low > 100
    assert table.seats[1].low < 0 < table.seats[1].high


def test_a_seat_that_cannot_be_told_from_strength_is_left_out_and_said() -> None:
    records = [{"player_1": "a", "player_2": "b", "score_1": s} for s in (1, 1, 0)]
    result = fit(Games.from_records(records))
    assert result.seat_titles == ()
    assert "do not tell the seat from strength" in result.notes[0]
    both = fit(Games.from_records([*records, {"player_1": "b", "player_2": "a", "score_1": 1}]))
    assert both.seat_titles == ("game",)
    assert both.notes == ()


def test_anchor() -> None:
    games = Games.from_records(pair(30, 20) + pair(30, 20, one="b", two="random"))
    table = rate(games, anchor=("random", 0))
    assert (table["random"].rating, table["random"].low, table["random"].interval) == (0, 0, "anchor")
    free = rate(games)
    assert table["a"].rating == pytest.approx(free["a"].rating - free["random"].rating)
    assert table["a"].high - table["a"].low > free["a"].high - free["a"].low
    assert "random fixed at 0" in table.method
    with pytest.raises(ConfigurationError, match="'nobody'"):
        rate(games, anchor=("nobody", 0))


def test_an_anchor_known_little_passes_its_uncertainty_on() -> None:
    games = Games.from_records(pair(30, 20) + pair(20, 0, one="b", two="random"))
    assert rate(games)["a"].interval == "clustered"
    assert rate(games, anchor=("random", 0))["a"].interval == "laplace"


def test_without_finite_ratings_a_weak_prior_steps_in_and_is_said() -> None:
    result = fit(Games.from_records(pair(10, 0)), prior=None)
    assert result.prior == 1000
    assert any("no finite ratings" in note for note in result.notes)
    # One loss is not enough with a seat term: in the other seat the entrant still won everything.
    assert fit(Games.from_records(pair(10, 1)), prior=None).prior == 1000
    fine = fit(Games.from_records(pair(10, 2)), prior=None)
    assert fine.prior is None
    assert fine.notes == ()


def test_components_are_reported() -> None:
    games = Games.from_records(pair(5, 3) + pair(5, 3, one="c", two="d") + pair(1, 1, one="d", two="e"))
    for prior in (200.0, None):
        table = rate(games, prior=prior)
        assert [set(names) for names in table.components] == [{"c", "d", "e"}, {"a", "b"}]
        assert not table.comparable("a", "c")
        assert table.comparable("c", "e")
        assert any("incomparable" in note for note in table.notes)
        # Nothing orders the two sets, so every rank is open to all five.
        assert {row.rank for row in table.rows} == {(1, 5)}
        for names in table.components:
            assert np.mean([table[name].rating for name in names]) == pytest.approx(1500)


def test_an_entrant_with_self_play_only_is_unrated() -> None:
    games = Games.from_records([*pair(5, 3), {"player_1": "z", "player_2": "z", "score_1": 1}])
    for self_play in (False, True):
        table = rate(games, self_play=self_play)
        assert table.unrated == ("z",)
        assert {row.name for row in table.rows} == {"a", "b"}


def test_interval_kinds() -> None:
    games = Games.from_records(
        pair(60, 40) + pair(31, 0, one="a", two="loser") + pair(0, 31, one="b", two="winner") + pair(9, 9, two="new")
    )
    kinds = {row.name: row.interval for row in rate(games).rows}
    assert kinds == {"a": "clustered", "b": "clustered", "loser": "laplace", "winner": "laplace", "new": "laplace"}


def test_results_without_any_spread_take_the_laplace_interval() -> None:
    draws = rate(Games.from_records(pair(0, 0, 50)))
    assert draws["a"].interval == "laplace"
    assert draws["a"].high - draws["a"].low > 20


@pytest.mark.parametrize("wins", [30, 0])
def test_undefeated_or_winless_with_draws_takes_the_laplace_interval(wins: int) -> None:
    games = Games.from_records(pair(60, 50) + pair(wins, 30 - wins, 10, one="c", two="a"))
    kinds = {row.name: row.interval for row in rate(games).rows}
    assert kinds == {"a": "clustered", "b": "clustered", "c": "laplace"}


def test_groups_that_took_no_point_from_each_other_take_the_laplace_interval() -> None:
    """Everybody lost and won, but nothing bounds how far the strong two are above the weak two."""
    strong, weak = pair(30, 20, one="a", two="b"), pair(30, 20, one="c", two="d")
    across = pair(40, 0, one="a", two="c") + pair(40, 0, one="b", two="d")
    table = rate(Games.from_records(strong + weak + across))
    assert {row.interval for row in table.rows} == {"laplace"}
    joined = rate(Games.from_records(strong + weak + across + pair(0, 2, one="a", two="d")))
    assert {row.interval for row in joined.rows} == {"clustered"}


def test_one_cluster_is_said() -> None:
    records = [record | {"group": "only"} for record in pair(50, 40)]
    table = rate(Games.from_records(records))
    assert table["a"].interval == "laplace"
    assert any("one group of luck" in note for note in table.notes)


def test_many_cluster_sums_are_summed_alike(monkeypatch: pytest.MonkeyPatch) -> None:
    games = Games.from_records(record | {"group": n // 3} for n, record in enumerate(pair(50, 40, 10)))
    dense = fit(games, ties="davidson").clustered
    monkeypatch.setattr("ludometer.ratings.covariance._DENSE_SUMS", 0)
    assert fit(games, ties="davidson").clustered == pytest.approx(dense)


@pytest.mark.parametrize("ties", ["half", "davidson"])
def test_extreme_data_still_converge(ties: str) -> None:
    cells = [{"player_1": "a", "player_2": "b", "wins_1": 10**9, "wins_2": 0, "draws": 1}]
    cells += [{"player_1": "b", "player_2": "c", "wins_1": 1, "wins_2": 0}]
    for prior in (0.01, 10.0, 10_000.0, None):
        table = rate(Games.from_cells(cells), prior=prior, ties=ties)  # type: ignore[arg-type]
        assert np.isfinite([(row.rating, row.low, row.high) for row in table.rows]).all()


def test_davidson_on_draws_alone() -> None:
    table = rate(Games.from_records(pair(0, 0, 200)), ties="davidson")
    assert table["a"].rating == pytest.approx(table["b"].rating)
    assert table.tie is not None
    assert (table.tie.interval, table.tie.draw_rate > 0.95) == ("laplace", True)
    assert np.isfinite(table.tie.high)


def test_mirrored_pairs_leave_no_spread_and_take_the_laplace_interval() -> None:
    """In every pair the first mover wins both games: within clusters the strengths cancel exactly."""
    records = [{"player_1": "a", "player_2": "b"}, {"player_1": "b", "player_2": "a"}] * 40
    games = Games.from_records(record | {"score_1": 1, "group": n // 2} for n, record in enumerate(records))
    table = rate(games)
    assert table["a"].interval == "laplace"
    assert table["a"].high - table["a"].low > 20
    assert table.seats[0].interval == "laplace"


def test_a_seat_that_never_lost_takes_the_laplace_interval() -> None:
    records = [{"player_1": "a", "player_2": "b"}, {"player_1": "b", "player_2": "a"}] * 40
    scores = [1.0, 1.0, 0.5, 1.0]
    games = Games.from_records(record | {"score_1": scores[n % 4]} for n, record in enumerate(records))
    assert rate(games).seats[0].interval == "laplace"


def test_cluster_numbers_mean_nothing() -> None:
    plain = Games.from_records(record | {"group": n // 3} for n, record in enumerate(pair(50, 40)))
    assert plain.cluster is not None
    for cluster in (plain.cluster - 7, 10**12 * plain.cluster, -plain.cluster):
        other = Games.from_arrays(plain.entrants, plain.first, plain.second, plain.score, cluster=cluster)
        assert fit(other).clustered == pytest.approx(fit(plain).clustered)
        assert fit(other).clusters == 30


def test_davidson_without_a_draw_is_bradley_terry() -> None:
    games = Games.from_records(pair(20, 12))
    table = rate(games, ties="davidson")
    assert table["a"].rating == pytest.approx(rate(games)["a"].rating)
    assert table.tie is not None
    assert (table.tie.nu, table.tie.low) == (0, 0)
    assert 0 < table.tie.high < 1


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ties": "glicko"}, "'glicko'"),
        ({"prior": 0}, "positive"),
        ({"prior": float("nan")}, "positive"),
        ({"prior": 1e9}, "None"),
    ],
)
def test_bad_options(options: dict[str, object], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        fit(Games.from_records(pair(1, 1)), **options)  # type: ignore[arg-type]


def test_bad_games() -> None:
    with pytest.raises(ConfigurationError, match="nothing to rate"):
        fit(Games.from_records([{"player_1": "a", "player_2": "a", "score_1": 1}]))
    with pytest.raises(ConfigurationError, match="nothing to rate"):
        fit(Games.from_records([]))
    with pytest.raises(ConfigurationError, match="ties='half'"):
        fit(Games.from_records([{"player_1": "a", "player_2": "b", "score_1": 0.7}]), ties="davidson")
    assert np.isfinite(fit(Games.from_records([{"player_1": "a", "player_2": "b", "score_1": 0.7}])).points).all()
