"""Bradley-Terry and Davidson ratings.

The model is in :mod:`ludometer.ratings.likelihood`, the covariances in :mod:`ludometer.ratings.covariance`. This
module puts games in, and takes points out: 400 points per factor of ten in the odds, the mean of each connected set
of entrants at 1500 or an anchor at a value of your choice.

A match of more than two seats is observed as the comparisons of its pairs of seats (see
:mod:`ludometer.ratings.placements`), and three things are then done by match and not by pair. The seat term is what the
EARLIER of two seats is worth, on average over the pairs of seats. Scores are clustered by match at least. And the
Laplace covariance, which would take the pairs for independent, is  H^-1 (P + sum over pairs of n/2 H_pair) H^-1  for
matches of n seats and a prior with precision P: among equals the pairs of a match hold n/2 times as much information as
there is where only the winner is known, and less than that where everybody is ranked.

The prior is Gaussian, with a standard deviation in points, on the strengths around the mean of their component and on
the seat terms around zero. It keeps an entrant that won everything finite, and hardly moves one with many games.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

import numpy as np
from scipy import sparse

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.balance import equal_weights
from ludometer.ratings.cells import (
    Cells,
    Tally,
    count_cells,
    group_count,
    match_count,
    match_tally,
    pair_design,
    seat_facts,
    tally,
)
from ludometer.ratings.connections import Connections, confounded_seats, connections
from ludometer.ratings.covariance import (
    cluster_cells,
    contrast,
    effective_clusters,
    laplace,
    sandwich,
    scatter,
    small_sample,
)
from ludometer.ratings.dispersion import moderated, pooled, somebody_has_few
from ludometer.ratings.games import BoolArray, FloatArray, Games
from ludometer.ratings.likelihood import Model, davidson, davidson_where, half_win, information, learned, scores
from ludometer.ratings.newton import maximize
from ludometer.ratings.scale import DEFAULT_MEAN, POINTS

__all__ = ["DEFAULT_PRIOR", "WEAK_PRIOR", "Fit", "Ties", "fit"]

Ties = Literal["half", "davidson"]

DEFAULT_PRIOR: Final = 200.0
WEAK_PRIOR: Final = 1000.0
"""Prior, in points, that takes the place of none where the games alone have no finite ratings."""

_ONE_CLUSTER_NOTE: Final = (
    "All games share one group of luck: the intervals take the games for independent and are too narrow."
)
_WIDEST_PRIOR: Final = 10_000.0
_WEAK_PRIOR_NOTE: Final = (
    f"Without a prior these games have no finite ratings: a prior of {WEAK_PRIOR:g} points was used."
)

_TIE_PRIOR: Final = 3.0
"""Standard deviation of the prior on log(nu): draw rates between 0.3 and 99 percent lie within two of them."""


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """A fitted model. n entrants, s seat terms, k parameters: the entrants, the seat terms, log(nu) where fitted.

    Attributes:
        entrants: the n names.
        unrated: names of entrants without a game against another one; they have no rating.
        points: shape (n,), ratings.
        seat_titles: the games that have a seat term.
        seat_points: shape (s,), points that seat 1 is worth; with more seats, what the earlier of two is worth.
        seat_games, seat_decided: shape (s,), games per seat term, and whether both seats won some.
        seat_counts: how many seats each of those games has.
        log_nu: Davidson's log(nu); None for half-win draws, and for data without a draw, where nu is 0.
        laplace, clustered: shape (k, k), covariances in points (log(nu) in natural units).
        pooled: the same for whoever has few games, with the dispersion of all duplicate groups (see
            :mod:`ludometer.ratings.dispersion`); None where nobody has, where no games share their luck, or with too
            few groups, and where games have more than two seats.
        dispersion: how much groups vary beside what the model says, 1 where the games are independent; None with
            ``pooled``.
        clusters: how many duplicate groups (or games, where each has luck of its own).
        connections: who can be compared with whom.
        tally: results per entrant, of whole matches.
        compared: results per entrant of pairs of seats; the same for games with two.
        games: how many games informed the fit.
        could_tie, draws, decided: in how many of them seats can tie (see `Game.compares_equals`), how many of these had
            seats that did, and seats that did not: with two seats the rest.
        most_seats: of any game.
        groups: shape (n,), in how many clusters each entrant played; None where no game has more than two seats.
        ties, prior, anchor: how it was fitted; ``prior`` is the one used.
        notes: sentences a reader must know, for instance a seat term that could not be told from strength.
        balance: what a comparison of each game counted, where every game weighs the same; empty where each counts once.
    """

    entrants: tuple[str, ...]
    unrated: tuple[str, ...]
    points: FloatArray
    seat_titles: tuple[str, ...]
    seat_points: FloatArray
    seat_games: FloatArray
    seat_decided: BoolArray
    seat_counts: tuple[int, ...]
    log_nu: float | None
    laplace: FloatArray
    clustered: FloatArray
    pooled: FloatArray | None
    dispersion: float | None
    clusters: float
    connections: Connections
    tally: Tally
    compared: Tally
    games: float
    could_tie: float
    draws: float
    decided: float
    most_seats: int
    groups: FloatArray | None
    ties: Ties
    prior: float | None
    anchor: tuple[str, float] | None
    notes: tuple[str, ...]
    balance: tuple[tuple[str, float], ...] = ()

    def index(self, entrant: str) -> int:
        """Position of a rated entrant.

        Raises:
            ConfigurationError: no rated entrant has this name.
        """
        if entrant not in self.entrants:
            raise ConfigurationError(f"There is no rated entrant {entrant!r} in these games; check the name.")
        return self.entrants.index(entrant)


def fit(
    games: Games,
    *,
    ties: Ties = "half",
    seat: bool = True,
    prior: float | None = DEFAULT_PRIOR,
    anchor: tuple[str, float] | None = None,
    mean: float = DEFAULT_MEAN,
    self_play: bool = False,
    balance: bool = False,
) -> Fit:
    """Fit ratings by maximum (posterior) likelihood. The order of the games does not matter.

    Args:
        games: the results that count.
        ties: ``half`` counts a draw as half a win; ``davidson`` fits the frequency of draws.
        seat: whether to fit what seat 1 is worth, one term per game.
        prior: standard deviation in points, or None. Where no finite ratings exist without one, ``WEAK_PRIOR`` is
            used instead and ``notes`` says so.
        anchor: an entrant and the points it is fixed at, in place of a mean.
        mean: mean of every component that holds no anchor.
        self_play: whether an entrant's games against itself inform the seat term (they never inform strength).
        balance: every game weighs the same, however often it was played (see :mod:`ludometer.ratings.balance`).

    Raises:
        ConfigurationError: no game between two entrants, an unknown anchor, a prior that is not positive, or scores
            other than 1, 0.5 and 0 with ``davidson``.
    """
    _check(games, ties, prior)
    problem = _pose(games, ties, seat, self_play, balance)
    n, linear = len(problem.games.entrants), len(problem.games.entrants) + len(problem.titles)
    theta, precision, used = _maximum(problem.model, prior, problem.linked, linear)
    to_points = _to_points(problem, anchor, len(theta))
    found = _covariances(problem, theta, precision, to_points)
    theta = to_points @ theta
    seat_games, seat_decided, seat_counts = seat_facts(problem.games, problem.cells, problem.titles)
    played, drawn, tied = problem.games, problem.cells.score == 0.5, _may_tie(problem.games, problem.cells)
    return Fit(
        entrants=problem.games.entrants,
        unrated=problem.unrated,
        points=theta[:n] + _levels(problem, anchor, mean),
        seat_titles=problem.titles,
        seat_points=theta[n:linear],
        seat_games=seat_games,
        seat_decided=seat_decided,
        seat_counts=seat_counts,
        log_nu=float(theta[-1]) if len(theta) > linear else None,
        laplace=found.laplace,
        clustered=found.clustered,
        pooled=found.pooled,
        dispersion=found.dispersion,
        clusters=found.clusters,
        connections=problem.linked,
        tally=match_tally(played, problem.cells),
        compared=tally(problem.cells, n),
        games=match_count(played, problem.cells, np.ones(len(drawn), np.bool_)),
        could_tie=match_count(played, problem.cells, tied),
        draws=match_count(played, problem.cells, drawn),
        decided=match_count(played, problem.cells, tied & ~drawn),
        most_seats=2 if played.matches is None else int(played.matches.seats.max()),
        groups=group_count(played),
        ties=ties,
        prior=used,
        anchor=anchor,
        notes=(*problem.notes, *_notes(used != prior, found.clusters)),
        balance=problem.balance,
    )


def _notes(weak_prior: bool, clusters: float) -> list[str]:
    notes = [_WEAK_PRIOR_NOTE] if weak_prior else []
    return notes if clusters > 1 else [*notes, _ONE_CLUSTER_NOTE]


class _Problem(NamedTuple):
    """What is to be fitted: the rated games in cells, what a comparison of each cell counts, the model of them, and
    what had to be left out."""

    games: Games
    unrated: tuple[str, ...]
    cells: Cells
    importance: FloatArray
    linked: Connections
    titles: tuple[str, ...]
    model: Model
    notes: tuple[str, ...]
    balance: tuple[tuple[str, float], ...]


def _pose(games: Games, ties: Ties, seat: bool, self_play: bool, balance: bool) -> _Problem:
    games, unrated = _rated(games, self_play)
    cells = count_cells(games)
    linked = connections(cells, len(games.entrants))
    titles, strength, notes = _design(games, cells, linked, seat)
    of_game = equal_weights(games, cells) if balance else np.ones(len(games.titles))
    importance = of_game[cells.game]
    weight = cells.weight * importance
    if ties == "davidson" and bool(np.any(cells.score == 0.5)):
        tied = _may_tie(games, cells)
        kernel = davidson if bool(tied.all()) else davidson_where(tied)
        model = Model(_with_tie(strength), cells.score, weight, kernel)
    else:
        # Without a single draw Davidson's nu is zero, which is Bradley-Terry.
        model = Model((strength,), cells.score, weight, half_win)
    counted = tuple((t, float(w)) for t, w in zip(games.titles, of_game, strict=True) if w > 0) if balance else ()
    return _Problem(games, unrated, cells, importance, linked, titles, model, notes, counted)


def _may_tie(games: Games, cells: Cells) -> BoolArray:
    """Shape (c,): whether the two could have tied, and would then have been compared."""
    return np.ones(len(cells.score), np.bool_) if games.matches is None else games.matches.ties[cells.game]


class _Covariances(NamedTuple):
    """As in `Fit`."""

    laplace: FloatArray
    clustered: FloatArray
    pooled: FloatArray | None
    dispersion: float | None
    clusters: float


def _covariances(problem: _Problem, theta: FloatArray, precision: FloatArray, to_points: FloatArray) -> _Covariances:
    """The covariances (see the module) at the estimates ``theta``, which are in natural units."""
    games, cells, model = problem.games, problem.cells, problem.model
    at = model.derivatives(theta)
    inverse = laplace(information(model, at) + np.diag(precision), problem.linked.component)
    counts = None
    if games.clusters is not None:
        counts = cluster_cells(games.clusters, cells.of_row, games.weight, len(cells.score))
    important = sparse.diags_array(problem.importance)
    middle, clusters = scatter(sparse.csr_array(important @ scores(model, at)), cells.weight, counts)
    effective = effective_clusters(sparse.csr_array(important @ learned(model, at)), cells.weight, counts)
    by_model = inverse
    if games.matches is not None or problem.balance:
        seats = 2.0 if games.matches is None else games.matches.seats[cells.game]
        repeated = replace(model, weight=model.weight * problem.importance * seats / 2.0)
        by_model = sandwich(inverse, information(repeated, at) + np.diag(precision))
    wider = small_sample(effective)
    clustered = wider[:, None] * sandwich(inverse, middle) * wider
    found = None
    if games.matches is None and counts is not None and somebody_has_few(cells, len(games.entrants)):
        sizes = (len(games.entrants), len(problem.titles), len(theta) - len(games.entrants) - len(problem.titles))
        found = pooled(model, at, inverse, precision, counts, problem.importance, sizes)
    # Around the mean, so that an anchor changes no difference.
    center = contrast(len(theta), problem.linked.component, None)
    return _Covariances(
        to_points @ by_model @ to_points.T,
        to_points @ clustered @ to_points.T,
        None if found is None else to_points @ moderated(found, clustered, effective, center) @ to_points.T,
        None if found is None else found.dispersion,
        clusters,
    )


def _check(games: Games, ties: str, prior: float | None) -> None:
    if ties not in ("half", "davidson"):
        raise ConfigurationError(f"There is no way {ties!r} to count draws; use 'half' or 'davidson'.")
    if prior is not None and not (0 < prior <= _WIDEST_PRIOR):
        raise ConfigurationError(
            f"A prior needs a positive standard deviation of at most {_WIDEST_PRIOR:g} points, not {prior:g}; "
            "use None for no prior."
        )
    if ties == "davidson" and not bool(np.isin(games.score, (0.0, 0.5, 1.0)).all()):
        raise ConfigurationError("Davidson's model knows scores of 1, 0.5 and 0 only; use ties='half' for these.")


def _rated(games: Games, self_play: bool) -> tuple[Games, tuple[str, ...]]:
    """Only entrants that met another one, and only games that inform the fit."""
    other = ~games.self_play
    met = np.zeros(len(games.entrants), bool)
    met[games.first[other]] = True
    met[games.second[other]] = True
    if not met.any():
        raise ConfigurationError("There is no game between two different entrants, so there is nothing to rate.")
    rows = met[games.first] & met[games.second] & (other | self_play)
    kept = games if bool(rows.all()) else games.select(rows)
    if bool(met.all()):
        return kept, ()
    number = np.cumsum(met) - 1
    names = tuple(name for name, rated in zip(games.entrants, met, strict=True) if rated)
    left = tuple(name for name, rated in zip(games.entrants, met, strict=True) if not rated)
    first, second = number[kept.first], number[kept.second]
    matches = None if kept.matches is None else kept.matches.renumbered(number, met)
    return Games(names, first, second, kept.score, kept.weight, kept.titles, kept.game, kept.cluster, matches), left


def _design(
    games: Games, cells: Cells, linked: Connections, seat: bool
) -> tuple[tuple[str, ...], sparse.csr_array, tuple[str, ...]]:
    """The games with a seat term, the design of the predictor d, and notes on seat terms that were left out."""
    n, g = len(games.entrants), len(games.titles)
    full = pair_design(cells, n, g)
    if not seat:
        return (), full[:, :n], ()
    played = np.bincount(cells.game, minlength=g) > 0
    confounded = confounded_seats(full, linked.component)
    kept = np.flatnonzero(played & ~confounded)
    titles = tuple(games.titles[number] for number in kept)
    notes = tuple(
        f"Game {games.titles[number]!r} has no seat term: its games do not tell the seat from strength."
        for number in np.flatnonzero(played & confounded)
    )
    return titles, full[:, np.concatenate((np.arange(n), n + kept))], notes


def _with_tie(strength: sparse.csr_array) -> tuple[sparse.csr_array, ...]:
    """A last parameter, log(nu), which is the second predictor of every observation."""
    rows, k = strength.shape
    blank = sparse.csr_array((rows, 1))
    ones = sparse.csr_array(np.ones((rows, 1)))
    zeros = sparse.csr_array((rows, k))
    return sparse.hstack((strength, blank), format="csr"), sparse.hstack((zeros, ones), format="csr")


def _maximum(
    model: Model, prior: float | None, linked: Connections, linear: int
) -> tuple[FloatArray, FloatArray, float | None]:
    """Parameters, prior precisions and the prior used."""
    size = model.designs[0].shape[1]
    for candidate in (prior,) if prior is not None else (None, WEAK_PRIOR):
        precision = np.zeros(size)
        if candidate is not None:
            precision[:linear] = (POINTS / candidate) ** 2
            precision[linear:] = _TIE_PRIOR**-2
        best = maximize(model, precision, linked.component)
        if best.finite:
            break
    return best.theta, precision, candidate


def _to_points(problem: _Problem, anchor: tuple[str, float] | None, size: int) -> FloatArray:
    """Shape (k, k): from raw natural units to points relative to the anchor or to the component's mean."""
    entrants, position = problem.games.entrants, None
    if anchor is not None:
        if anchor[0] not in entrants:
            raise ConfigurationError(f"The anchor {anchor[0]!r} has no rated game; anchor an entrant that has.")
        position = entrants.index(anchor[0])
    units = np.ones(size)
    units[: len(entrants) + len(problem.titles)] = POINTS
    return np.asarray(units[:, None] * contrast(size, problem.linked.component, position), np.float64)


def _levels(problem: _Problem, anchor: tuple[str, float] | None, mean: float) -> FloatArray:
    """Shape (n,): where each entrant's component is put on the scale."""
    entrants, component = problem.games.entrants, problem.linked.component
    level = np.full(len(entrants), float(mean))
    if anchor is not None:
        level[component == component[entrants.index(anchor[0])]] = anchor[1]
    return level
