"""Matches of more than two seats: what is compared, what is counted, and what the intervals rest on."""

from __future__ import annotations

import math
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from ludometer.core import ConfigurationError
from ludometer.ratings import Games, MatchResult, ResultRow, SeatedMatch, count_results, elo_ratings, fit, rate
from ludometer.ratings.intervals import entrant_errors
from ludometer.ratings.likelihood import davidson, davidson_where, half_win
from ludometer.ratings.scale import POINTS

NAMES = "abcd"

matches = st.lists(
    st.integers(2, 5).flatmap(
        lambda n: st.tuples(
            st.tuples(*[st.sampled_from(NAMES)] * n),
            st.tuples(*[st.sampled_from([0.0, 0.5, 1.0])] * n).map(lambda s: s if n > 2 else (s[0], 1.0 - s[0])),
            st.booleans(),
        ).map(lambda values: SeatedMatch(*values))
    ),
    min_size=1,
    max_size=6,
)


def expected_pairs(match: SeatedMatch) -> list[tuple[str, str, float]]:
    """By the words of the rule, seat by seat."""
    found = []
    for (one, mine), (two, other) in combinations(zip(match.players, match.scores, strict=True), 2):
        if len(match.players) == 2:
            found.append((one, two, mine))
        elif one != two and (mine != other or match.equals_tie):
            found.append((one, two, 0.5 if mine == other else float(mine > other)))
    return found


@settings(max_examples=60)
@given(matches)
def test_every_two_seats_of_different_entrants_are_compared_once(played: list[SeatedMatch]) -> None:
    games = Games.from_matches(played)
    rows = [
        (games.entrants[one], games.entrants[two], float(score))
        for one, two, score in zip(games.first, games.second, games.score, strict=True)
    ]
    assert rows == [pair for match in played for pair in expected_pairs(match)]


@settings(max_examples=60)
@given(matches)
def test_results_are_counted_by_match(played: list[SeatedMatch]) -> None:
    games = Games.from_matches(played)
    if bool(games.self_play.all()):
        return
    rated = fit(games)
    for i, name in enumerate(rated.entrants):
        won = drawn = lost = 0
        for match in played:
            own = [score for player, score in zip(match.players, match.scores, strict=True) if player == name]
            others = [score for player, score in zip(match.players, match.scores, strict=True) if player != name]
            if own and others and expected_pairs(match):
                won += max(own) > max(others)
                drawn += max(own) == max(others)
                lost += max(own) < max(others)
        counted = [float(column[i]) for column in rated.tally]
        assert counted == [won + drawn + lost, won, drawn, lost]


def test_matches_for_two_are_what_they_were() -> None:
    columns = {"player_1": list("abab"), "player_2": list("bcca"), "score_1": [1.0, 0.5, 0.0, 0.25]}
    plain = Games.from_columns(columns | {"group": [1, 1, None, 2], "game": ["x", "x", "y", "y"]})
    rows = zip(*columns.values(), (1, 1, None, 2), "xxyy", strict=True)
    same = Games.from_matches(SeatedMatch((a, b), (s, 1 - s), True, group, game) for a, b, s, group, game in rows)
    assert same.matches is None
    for name in ("entrants", "titles"):
        assert getattr(same, name) == getattr(plain, name)
    for name in ("first", "second", "score", "game", "cluster", "weight"):
        assert getattr(same, name).tolist() == getattr(plain, name).tolist()


def ranked(rng: np.random.Generator, count: int, strength: np.ndarray, seats: int) -> tuple[np.ndarray, np.ndarray]:
    """Plackett-Luce: who sits where, and how well each did."""
    seated = np.stack([rng.permutation(len(strength))[:seats] for _ in range(count)])
    return seated, strength[seated] / POINTS + rng.gumbel(size=(count, seats))


def test_the_fit_agrees_with_the_formulas_written_out() -> None:
    seated, scores = ranked(np.random.default_rng(3), 40, np.array([150.0, 50.0, 0.0, -200.0]), 3)
    rated = fit(Games.from_placements(list(NAMES), seated, scores), seat=False, prior=None, mean=0)
    pairs = [
        (m, seated[m, i], seated[m, j]) if scores[m, i] > scores[m, j] else (m, seated[m, j], seated[m, i])
        for m in range(40)
        for i, j in combinations(range(3), 2)
    ]

    def loss(theta: np.ndarray) -> float:
        return sum(math.log1p(math.exp(theta[b] - theta[a])) for _, a, b in pairs) + float(theta.sum()) ** 2

    theta = minimize(loss, np.zeros(4), tol=1e-12).x
    assert rated.points == pytest.approx(POINTS * (theta - theta.mean()), abs=0.05)

    information, by_match, learned = np.ones((4, 4)), np.zeros((40, 4)), np.zeros((40, 4))
    for m, a, b in pairs:
        p = 1 / (1 + math.exp(theta[b] - theta[a]))
        contrast = np.eye(4)[a] - np.eye(4)[b]
        information += p * (1 - p) * np.outer(contrast, contrast)
        by_match[m] += (1 - p) * contrast
        learned[m] += p * (1 - p) * contrast**2
    bread = np.linalg.inv(information)
    sandwich = bread @ (by_match.T @ by_match * 40 / 39) @ bread
    clusters = learned.sum(axis=0) ** 2 / (learned**2).sum(axis=0)
    assert (clusters < 40).all(), "everybody sat out some matches"
    sandwich *= np.sqrt(np.outer(clusters / (clusters - 3), clusters / (clusters - 3)))
    centre = np.eye(4) - 1 / 4
    assert rated.clustered == pytest.approx(POINTS**2 * centre @ sandwich @ centre, rel=1e-3)
    assert (rated.clusters, rated.games, rated.most_seats) == (40, 40, 3)
    # Half as many pairs more than there is to know, for three seats.
    model = bread @ (1.5 * (information - 1)) @ bread
    assert rated.laplace == pytest.approx(POINTS**2 * centre @ model @ centre, rel=1e-3)


def test_duplicate_groups_hold_whole_matches() -> None:
    seated, scores = ranked(np.random.default_rng(4), 30, np.zeros(4), 4)
    alone = Games.from_placements(list(NAMES), seated, scores)
    grouped = Games.from_placements(list(NAMES), seated, scores, cluster=np.arange(30) // 3)
    assert (fit(alone).clusters, fit(grouped).clusters) == (30, 10)


def test_laplace_intervals_do_not_take_the_pairs_for_independent() -> None:
    seats = [("a", "b", "c", "d")] * 12
    games = Games.from_matches(SeatedMatch(names, (1.0, 0.0, 0.0, 0.0), equals_tie=False) for names in seats)
    pairs = Games.from_arrays(games.entrants, games.first, games.second, games.score)
    (together, kinds), (apart, _) = (entrant_errors(fit(data, seat=False)) for data in (games, pairs))
    assert set(kinds) == {"laplace"}
    assert bool((together > 1.02 * apart).all())


def test_few_groups_of_many_seats_have_laplace_intervals() -> None:
    """Sixty games of four are fifteen groups: their spread is too little known."""
    seated, scores = ranked(np.random.default_rng(8), 60, np.zeros(4), 4)
    grouped = fit(Games.from_placements(list(NAMES), seated, scores, cluster=np.arange(60) // 4), seat=False)
    assert grouped.groups is not None and grouped.groups.tolist() == [15] * 4
    errors, kinds = entrant_errors(grouped)
    by_model, by_group = (np.sqrt(np.diag(covariance)) for covariance in (grouped.laplace, grouped.clustered))
    assert errors == pytest.approx(np.maximum(by_model, by_group))
    assert [kind == "laplace" for kind in kinds] == (by_model > by_group).tolist()
    assert set(entrant_errors(fit(Games.from_placements(list(NAMES), seated, scores), seat=False))[1]) == {"clustered"}


def test_losers_of_a_game_for_one_winner_are_not_compared() -> None:
    one = Games.from_matches([SeatedMatch(("a", "b", "c"), (1.0, 0.0, 0.0), equals_tie=False)] * 5)
    assert len(one) == 10 and not bool((one.score == 0.5).any())
    tied = Games.from_matches([SeatedMatch(("a", "b", "c"), (1.0, 0.0, 0.0))] * 5)
    assert len(tied) == 15 and int((tied.score == 0.5).sum()) == 5


def test_ties_of_one_game_say_nothing_about_a_game_without() -> None:
    """The draws of a duel fit nu; that no two losers of another game tied is the rules' doing and must not lower it."""
    rng = np.random.default_rng(5)
    duels = [SeatedMatch(("a", "b"), (s, 1 - s), game="duel") for s in rng.choice([0.0, 0.5, 1.0], 90).tolist()]
    others = [SeatedMatch(("c", "d", "e"), (1.0, 0.0, 0.0), False, None, "race") for _ in range(400)]
    alone = fit(Games.from_matches(duels), ties="davidson")
    both = fit(Games.from_matches(duels + others), ties="davidson")
    assert alone.log_nu is not None and both.log_nu == pytest.approx(alone.log_nu, abs=1e-6)
    assert (both.draws, both.decided, both.could_tie, both.games) == (alone.draws, alone.decided, 90, 490)
    tied = fit(Games.from_matches([*duels, *(match._replace(equals_tie=True) for match in others)]), ties="davidson")
    assert tied.log_nu is not None and tied.log_nu != pytest.approx(alone.log_nu, abs=0.1)


def test_a_game_that_cannot_tie_has_no_rate_of_draws() -> None:
    races = Games.from_matches([SeatedMatch(("c", "d", "e"), (1.0, 0.0, 0.0), equals_tie=False)] * 9)
    assert rate(races, ties="davidson").tie is None
    ranked_races = Games.from_matches([SeatedMatch(("c", "d", "e"), (2.0, 1.0, 0.0))] * 9)
    tie = rate(ranked_races, ties="davidson").tie
    assert tie is not None and tie.nu == 0 and 0.2 < tie.high / (tie.high + 2) < 0.4  # Wilson: 0 of 9 matches


def test_the_kernel_for_some_ties_is_davidson_or_bradley_terry() -> None:
    outcome = np.array([1.0, 0.5, 0.0, 1.0, 0.0])
    predictors = np.array([[0.3, -1.0, 2.0, -0.4, 0.9], [0.2] * 5])
    tied = np.array([True, True, True, False, False])
    mixed = davidson_where(tied)(outcome, predictors)
    full, plain = davidson(outcome, predictors), half_win(outcome, predictors)
    assert mixed.value.tolist() == [*full.value[:3], *plain.value[3:]]
    assert mixed.slope[:, 3:].tolist() == [plain.slope[0, 3:].tolist(), [0.0, 0.0]]
    assert mixed.curvature[:, :, :3].tolist() == full.curvature[:, :, :3].tolist()
    assert mixed.curvature[1].T[3:].tolist() == [[0.0, 0.0], [0.0, 0.0]]


RESULTS = [
    MatchResult(("a", "b", "c"), "completed", (9.0, 5.0, 5.0)),
    MatchResult(("b", "c", "a"), "completed", (1.0, 0.0, 0.0), None, None, None, False),
    MatchResult(("a", "b", "c"), "completed", (0.2, 0.2, 0.2), None, None, None, False),
    MatchResult(("a", "b", "c"), "forfeit", (0.5, 0.0, 0.5), 2),
    MatchResult(("a", "b", "c"), "forfeit"),
    MatchResult(("a", "b", "c"), "canceled", None, 3),
    MatchResult(("a", "b", "c"), "canceled"),
    MatchResult(("a", "b", "c"), "void", (1.0, 0.0, 0.0)),
    MatchResult(("a", "a", "a"), "completed", (1.0, 0.0, 0.0)),
    MatchResult(("a", "a", "b"), "completed", (0.0, 1.0, 0.5)),
    ResultRow("a", "b", "completed", 0.5),
]


def test_a_match_is_one_game_in_every_count() -> None:
    games, counts = count_results(RESULTS)
    assert (counts.total, counts.counted, counts.rated) == (11, 8, 6)
    assert counts.left_out == {
        "forfeit, offender unknown": 1,
        "canceled, offender unknown": 1,
        "void": 1,
        "self-play": 1,
        "nobody ahead of anybody": 1,
    }
    table = rate(games, counts=counts)
    assert table.fit.games == counts.rated
    # a: alone best; loser; best shared with c; with b; alone best with its better seat; a draw for two.
    assert [getattr(table["a"], name) for name in ("games", "wins", "draws", "losses")] == [6, 2, 3, 1]
    _, played = count_results(RESULTS, "played")
    assert (played.counted, played.rated) == (6, 4)
    assert played.rated + sum(played.left_out.values()) == played.total == 11


def test_an_offender_lost_to_everybody_and_the_others_are_not_compared() -> None:
    games, _ = count_results([MatchResult(("a", "b", "c", "d"), "forfeit", None, 3)])
    pairs = [(games.entrants[i], games.entrants[j]) for i, j in zip(games.first, games.second, strict=True)]
    assert dict(zip(pairs, games.score.tolist(), strict=True)) == {("a", "c"): 1, ("b", "c"): 1, ("c", "d"): 0}


def test_each_number_of_seats_has_a_seat_term_of_its_own() -> None:
    rng = np.random.default_rng(6)
    results = [
        MatchResult(tuple(rng.permutation(list("abc")[:3])), "completed", tuple(rng.random(3)), None, None, "x")
        for _ in range(40)
    ]
    results_for_two = [ResultRow(*rng.permutation(list("ab")), "completed", 1.0, game="x") for _ in range(40)]
    games, _ = count_results([*results, *results_for_two])
    table = rate(games)
    assert [(seat.game, seat.seats, seat.games) for seat in table.seats] == [
        ("x (2 seats)", 2, 40),
        ("x (3 seats)", 3, 40),
    ]
    assert table.seats[0].points > 100 > abs(table.seats[1].points)
    assert "pairs of seats" in table.method and "pairs of seats" not in rate(count_results(results_for_two)[0]).method


def test_columns_and_records_for_any_number_of_players() -> None:
    places = [
        {"player_1": "a", "player_2": "b", "player_3": "c", "place_1": 1, "place_2": 2, "place_3": 2, "game": "x"},
        {"player_1": "b", "player_2": "a", "player_3": None, "place_1": 2, "place_2": 1, "place_3": None, "game": "x"},
    ]
    games = Games.from_records(places)
    assert (games.first.tolist(), games.second.tolist(), games.score.tolist()) == (
        [0, 0, 1, 1],
        [1, 2, 2, 0],
        [1, 1, 0.5, 0],
    )
    scores = Games.from_columns(
        {"player_1": ["a"], "player_2": ["b"], "player_3": ["c"]} | {f"score_{i}": [i] for i in (1, 2, 3)}
    )
    assert scores.score.tolist() == [0, 0, 0]
    with pytest.raises(ConfigurationError, match="score_3"):
        Games.from_columns({"player_1": ["a"], "player_2": ["b"], "player_3": ["c"], "score_1": [1], "score_2": [0]})
    with pytest.raises(ConfigurationError, match="lacks the place"):
        Games.from_records([places[0] | {"place_2": None}])


def test_elo_refuses_matches_for_more_than_two() -> None:
    with pytest.raises(ConfigurationError, match="two seats"):
        elo_ratings(count_results(RESULTS)[0])


def test_bad_results_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="1 to 3"):
        count_results([MatchResult(("a", "b", "c"), "forfeit", None, 4)])
    with pytest.raises(ConfigurationError, match="one per player"):
        count_results([MatchResult(("a", "b", "c"), "completed", (1.0, 0.0))])
