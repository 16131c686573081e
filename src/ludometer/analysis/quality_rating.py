"""A rating from the moves: every choice is a sample, where a rating from results has one sample a game.

The model is the quantal response of McKelvey & Palfrey (Games and Economic Behavior 10, 1995), which Regan & Haworth
("Intrinsic chess ratings", AAAI 2011) use in a refined form for chess. A player of precision b picks action a with
probability proportional to exp(b * value(a)): b = 0 plays at random, and large b rarely errs. One point of value then
multiplies the odds of being chosen by exp(b); in points (400 a factor of ten) that is 173.7 * b. Precisions are
fitted by maximum likelihood, with a wide normal prior that keeps a player without any mistake finite.

These points are NOT those of the rating from results: they say how well a player tells better actions from worse ones
in the positions it met, not how often it wins. Order and certainty can be compared, the numbers cannot.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
import numpy.typing as npt
import pandas as pd
import sqlalchemy as sa

from ludometer.analysis.ratings import ratings_of
from ludometer.core import ConfigurationError
from ludometer.ratings import RatingTable
from ludometer.ratings.intervals import difference_errors, normal_quantile
from ludometer.ratings.scale import POINTS
from ludometer.store import RunStore, schema

__all__ = ["PRIOR_SD", "fit_precision", "games_to_tell_apart", "regret_pairs", "regret_ratings"]

PRIOR_SD: Final = 10.0
"""Standard deviation of the prior on a precision, around 0: 1737 points."""

_RATING_COLUMNS = [
    *("game", "entrant", "choices", "matches", "precision", "points", "low", "high"),
    *("result_rating", "result_low", "result_high"),
]
_PAIR_COLUMNS = [
    *("game", "entrant", "other", "matches", "by_moves", "by_moves_error", "by_results", "by_results_error"),
    *("games_by_moves", "games_by_results"),
]

FloatArray = npt.NDArray[np.float64]
Choice = tuple[FloatArray, int]
"""Values of the legal actions, and the place of the one chosen."""


def fit_precision(choices: Sequence[Choice], clusters: Sequence[str]) -> tuple[float, float]:
    """Precision and its standard error.

    The standard error is the sandwich over clusters (duplicate groups), and never less than that of the model alone:
    with few mistakes the spread between clusters is too little known.
    """
    precision = 0.0
    for _ in range(100):
        scores, information = _derivatives(choices, precision)
        total = float(scores.sum()) - precision / PRIOR_SD**2
        curvature = information + PRIOR_SD**-2
        # Steps are bounded: far out the curvature is nearly nothing.
        step = max(-2.0, min(2.0, total / curvature))
        precision += step
        if abs(step) < 1e-9:
            break
    scores, information = _derivatives(choices, precision)
    curvature = information + PRIOR_SD**-2
    sums = np.bincount(np.unique(np.asarray(clusters), return_inverse=True)[1], scores)
    count = len(sums)
    spread = float(sums @ sums) * count / (count - 1) if count > 1 else 0.0
    return precision, math.sqrt(max(spread / curvature, 1.0) / curvature)


def _derivatives(choices: Sequence[Choice], precision: float) -> tuple[FloatArray, float]:
    """Score of each choice (value chosen minus expected value), and the information (sum of variances)."""
    scores = np.empty(len(choices))
    information = 0.0
    for i, (values, chosen) in enumerate(choices):
        weights = np.exp(precision * (values - values.max()))
        weights /= weights.sum()
        mean = float(weights @ values)
        scores[i] = values[chosen] - mean
        information += float(weights @ (values - mean) ** 2)
    return scores, information


def games_to_tell_apart(difference: float, error: float, games: float, *, level: float = 0.95) -> float:
    """Games after which the interval of a difference would just leave out zero, were the difference as it is now.

    Errors shrink with the square root of the games: ``games * (z * error / difference) ** 2``. Infinite for no
    difference.
    """
    if not difference:
        return math.inf
    return games * (normal_quantile(level) * error / difference) ** 2


def regret_ratings(store: RunStore, moves: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """Ratings from moves beside those from results, one row per game and entrant, best first within a game.

    Args:
        moves: the frame of `ludometer.analysis.quality.move_quality`.

    Returns:
        Columns: ``choices`` (not trivial) and ``matches`` they come from; ``precision``, and in ``points`` with
        ``low`` and ``high``; ``result_rating``, ``result_low``, ``result_high`` (missing where results give none).
    """
    z = normal_quantile(level)
    rows = []
    for game, fits in _fits(store, moves).items():
        table = _result_table(store, game)
        results = {row.name: row for row in table.rows} if table is not None else {}
        for entrant, (precision, error, choices, matches) in fits.items():
            row = results.get(entrant)
            rows.append(
                {
                    "game": game,
                    "entrant": entrant,
                    "choices": choices,
                    "matches": matches,
                    "precision": precision,
                    "points": POINTS * precision,
                    "low": POINTS * (precision - z * error),
                    "high": POINTS * (precision + z * error),
                    "result_rating": np.nan if row is None else row.rating,
                    "result_low": np.nan if row is None else row.low,
                    "result_high": np.nan if row is None else row.high,
                }
            )
    frame = pd.DataFrame(rows, columns=_RATING_COLUMNS)
    return frame.sort_values(["game", "points"], ascending=[True, False], ignore_index=True)


def regret_pairs(store: RunStore, moves: pd.DataFrame) -> pd.DataFrame:
    """For every two entrants of a game: how soon moves and results tell them apart.

    Returns:
        Columns: ``matches`` (mean number of matches of the two that were judged); the difference ``by_moves`` with its
        standard error, and ``by_results``, each in its own points (the other minus the first would be the negative);
        ``games_by_moves`` and ``games_by_results``: games per player until the 95% interval of the difference would
        just leave out zero, at the difference and the spread seen so far. The fewer, the quicker.
    """
    rows = []
    for game, fits in _fits(store, moves).items():
        table = _result_table(store, game)
        names = list(fits)
        for i, one in enumerate(names):
            for other in names[i + 1 :]:
                rows.append({"game": game, **_pair(one, other, fits, table)})
    return pd.DataFrame(rows, columns=_PAIR_COLUMNS)


def _pair(one: str, other: str, fits: Mapping[str, tuple[float, float, int, int]], table: Any) -> dict[str, Any]:
    games = (fits[one][3] + fits[other][3]) / 2
    difference = POINTS * (fits[one][0] - fits[other][0])
    error = POINTS * math.hypot(fits[one][1], fits[other][1])
    by_results, results_error = _result_difference(table, one, other)
    return {
        "entrant": one,
        "other": other,
        "matches": games,
        "by_moves": difference,
        "by_moves_error": error,
        "by_results": by_results,
        "by_results_error": results_error,
        "games_by_moves": games_to_tell_apart(difference, error, games),
        "games_by_results": games_to_tell_apart(by_results, results_error, games),
    }


def _result_difference(table: RatingTable | None, one: str, other: str) -> tuple[float, float]:
    if table is None or not {one, other} <= set(table.fit.entrants):
        return math.nan, math.nan
    i, j = table.fit.index(one), table.fit.index(other)
    ratings = {row.name: row.rating for row in table.rows}
    if one not in ratings or other not in ratings:
        return math.nan, math.nan
    return ratings[one] - ratings[other], float(difference_errors(table.fit)[i, j])


def _result_table(store: RunStore, game: str) -> RatingTable | None:
    try:
        return ratings_of(store, game=game)
    except ConfigurationError:
        return None  # nothing to rate: one entrant only, or no game that counts


def _fits(store: RunStore, moves: pd.DataFrame) -> dict[str, dict[str, tuple[float, float, int, int]]]:
    """By game and entrant: precision, its error, choices and matches."""
    choices = moves[~moves["trivial"].astype("bool")] if len(moves) else moves
    if choices.empty:
        return {}
    values = _values(store)
    fits: dict[str, dict[str, tuple[float, float, int, int]]] = {}
    for (game, entrant), own in choices.groupby(["game", "entrant"], sort=True):
        key = zip(own["match"], own["step"], own["seat"], own["attempt"], own["evaluator"], strict=True)
        seen = [_choice(values[place], notation) for place, notation in zip(key, own["notation"], strict=True)]
        precision, error = fit_precision(seen, list(own["group"]))
        played = moves[(moves["game"] == game) & (moves["entrant"] == entrant)]["match"].nunique()
        fits.setdefault(str(game), {})[str(entrant)] = (precision, error, len(own), int(played))
    return fits


def _values(store: RunStore) -> dict[tuple[Any, ...], str]:
    v = schema.move_values.c
    query = sa.select(v.match, v.step, v.seat, v.attempt, v.evaluator, v["values"])
    with store.engine.connect() as connection:
        return {tuple(row[:5]): row[5] for row in connection.execute(query)}


def _choice(written: str, notation: str) -> Choice:
    values = json.loads(written)
    return np.array([value[0] for value in values.values()]), list(values).index(notation)
