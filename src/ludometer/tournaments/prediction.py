"""From a few games to the whole: prediction ranges by bootstrap, and how many games an interval takes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from scipy.stats import norm, t

from ludometer.ratings import proportion_interval
from ludometer.ratings.games import FloatArray
from ludometer.ratings.scale import POINTS

__all__ = ["Design", "Precision", "design_of", "half_width", "predicted_total", "relative_values"]

_DRAWS: Final = 2000
_LEVEL: Final = 0.95
_ONE_GAME: Final = 3.0
"""A single game says nothing about how games differ: its double and more, or its third, would not be astonishing."""

_PRIOR_GROUPS: Final = 4
"""A few groups say next to nothing about what a group is worth: this many are added that are worth two games."""


def relative_values(values: Sequence[Sequence[float]]) -> FloatArray:
    """How much games of one kind differ: each as a share of the mean of its player's, players pooled.

    Spread that is lost because the means are those of the same few games is given back.
    """
    found: list[float] = []
    for of_player in values:
        n, mean = len(of_player), sum(of_player) / max(1, len(of_player))
        if n >= 2 and mean > 0:
            found += [max(0.0, 1.0 + (value / mean - 1.0) * math.sqrt(n / (n - 1))) for value in of_player]
    return np.array(found, np.float64)


def predicted_total(played: Sequence[float], remaining: int, relative: FloatArray, players: int) -> tuple[float, float]:
    """The range that the sum over all games will be in with a probability of 95%.

    The bootstrap draws, again and again, the games that were seen (how far their mean is off) and those that come (how
    far their sum is off). With few games it is too sure of itself: its range is widened by the quantile of Student's t
    in place of the normal one.

    Args:
        played: what each game took that was played (they are paid for, and count as they are).
        remaining: games to come.
        relative: `relative_values`, from at least two games of one player; else the range is a factor of three.
        players: of whom the relative values are; each costs a degree of freedom.
    """
    done, mean = sum(played), sum(played) / len(played)
    if remaining <= 0 or mean <= 0:
        return done, done
    freedom = len(relative) - players
    if freedom < 1:
        return done + remaining * mean / _ONE_GAME, done + remaining * mean * _ONE_GAME
    rng = np.random.default_rng(len(played))
    seen = rng.choice(relative, (_DRAWS, len(played))).mean(axis=1)
    # The sum of many games is normal; drawing each of thousands would say the same.
    count = min(remaining, 200)
    to_come = rng.choice(relative, (_DRAWS, count)).mean(axis=1)
    to_come = 1.0 + (to_come - 1.0) * math.sqrt(count / remaining)
    logs = np.log(np.maximum(to_come, 1e-3) / np.maximum(seen, 1e-3))
    wider = float(t.ppf((1 + _LEVEL) / 2, freedom) / norm.ppf((1 + _LEVEL) / 2))
    low, high = np.quantile(logs, [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2]) * wider
    return done + remaining * mean * math.exp(low), done + remaining * mean * math.exp(min(high, 20.0))


class Precision(NamedTuple):
    """A number with the range it may be in."""

    value: float
    low: float
    high: float


class Design(NamedTuple):
    """What results say about how much a game says.

    Attributes:
        draws: share of the games between equals that are drawn.
        duplicates: variance of the mean of a duplicate group of two games, as a multiple of half of a game's: 1 where
            the two games are independent, less where they even out the luck or the first move, 2 where they are copies.
        games, groups: how many it is from.
    """

    draws: Precision
    duplicates: Precision
    games: int
    groups: int


def design_of(groups: Sequence[Sequence[float]]) -> Design:
    """Draws and duplicate correlation from the scores of one player in the games of duplicate groups."""
    scores = [score for group in groups for score in group]
    whole = [group for group in groups if len(group) == 2]
    if not scores:
        return Design(Precision(0.2, 0.0, 0.5), Precision(1.0, 0.5, 1.5), 0, 0)
    drawn = sum(score == 0.5 for score in scores)
    interval = proportion_interval(drawn, len(scores))
    draws = Precision(drawn / len(scores), interval.low, min(interval.high, 0.95))
    spread = float(np.var(scores))
    seen = 2.0 * float(np.var([sum(group) / 2 for group in whole])) / spread if whole and spread > 0 else 1.0
    n = len(whole) + _PRIOR_GROUPS
    worth = (len(whole) * seen + _PRIOR_GROUPS) / n
    error = norm.ppf((1 + _LEVEL) / 2) * math.sqrt(2.0 / n) * worth
    duplicates = Precision(worth, max(0.1, worth - error), min(2.0, worth + error))
    return Design(draws, duplicates, len(scores), len(whole))


def half_width(
    strengths: Mapping[str, float], games: Mapping[tuple[str, str], float], draws: float, duplicates: float
) -> float:
    """The half-width in points of the 95% interval of the rating that is known least well, to be expected.

    The information of a game in Davidson's model is the variance of its score; the covariance of mean-centred ratings
    is the pseudo-inverse of the information of all games.

    Args:
        strengths: points by entrant. games: how many of each pair.
        draws: share of drawn games between equals. duplicates: see `Design`.
    """
    names = list(strengths)
    place = {name: i for i, name in enumerate(names)}
    information = np.zeros((len(names), len(names)))
    for (one, other), count in games.items():
        i, j = place[one], place[other]
        worth = count * _score_variance((strengths[one] - strengths[other]) / POINTS, draws) / duplicates
        information[[i, j], [i, j]] += worth
        information[[i, j], [j, i]] -= worth
    covariance = np.linalg.pinv(information, hermitian=True)
    return float(norm.ppf((1 + _LEVEL) / 2) * POINTS * math.sqrt(max(0.0, covariance.diagonal().max())))


def _score_variance(difference: float, draws: float) -> float:
    nu = 2.0 * draws / (1.0 - draws)
    win, loss = math.exp(difference / 2), math.exp(-difference / 2)
    total = win + loss + nu
    mean = (win + nu / 2) / total
    return (win + nu / 4) / total - mean * mean
