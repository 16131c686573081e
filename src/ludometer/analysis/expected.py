"""Whether entrants come out in an order that was expected beforehand, such as the sizes of one family.

An order is declared in the configuration (``expected_order``), from the weakest to the strongest. How probable it is
follows from the ratings and their joint covariance: the steps between neighbours are taken as normal, and the
probability is that of all of them being positive. Neighbours that were hardly told apart share errors, which separate
intervals would not show.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import norm

from ludometer.analysis.combined import joint_ratings
from ludometer.analysis.ratings import ratings_of
from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.analysis.sections import Column, Section, Table
from ludometer.core import ConfigurationError
from ludometer.ratings import Fit, RatingTable, difference_covariance
from ludometer.ratings.games import FloatArray
from ludometer.ratings.intervals import normal_quantile
from ludometer.store import RunStore

__all__ = ["OrderEstimate", "expected_orders", "order_estimate", "sections"]

ALL_GAMES: Final = "all games"
_DRAWS: Final = 200_000
"""Of the normal distribution: a probability has a standard error of at most 0.0012."""


class OrderEstimate(NamedTuple):
    """What ratings say about an order.

    Attributes:
        probability: that the order holds; None where two of the entrants cannot be compared.
        holds: whether the estimates are in this order.
        steps, errors: points by which each entrant is above the one before it, and their standard errors.
        interval: kind of the covariance.
    """

    probability: float | None
    holds: bool
    steps: tuple[float, ...]
    errors: tuple[float, ...]
    interval: str


def order_estimate(fit: Fit, order: Sequence[str]) -> OrderEstimate:
    """How probable it is that strength rises along ``order``.

    Raises:
        ConfigurationError: no rated entrant has one of the names.
    """
    places = [fit.index(name) for name in order]
    steps = np.diff(fit.points[places])
    covariance, kind = difference_covariance(fit, order)
    errors = np.sqrt(np.maximum(np.diag(covariance), 0.0))
    apart = len({int(fit.connections.component[place]) for place in places}) > 1
    probability = None if apart else _all_positive(steps, covariance)
    return OrderEstimate(
        probability, bool((steps > 0).all()), tuple(map(float, steps)), tuple(map(float, errors)), kind
    )


def _all_positive(mean: FloatArray, covariance: FloatArray) -> float:
    """P(all components > 0) of a normal distribution: exact for one, else from draws with a fixed seed."""
    if len(mean) == 1:
        error = math.sqrt(max(0.0, float(covariance[0, 0])))
        return float(norm.cdf(mean[0] / error)) if error else float(mean[0] > 0)
    values, vectors = np.linalg.eigh(covariance)
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    drawn = np.random.default_rng(2025).standard_normal((_DRAWS, len(mean)))
    return float((mean + drawn @ root.T > 0).all(axis=1).mean())


def expected_orders(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """The declared orders of a run, over all games (each weighing the same) and by game where there are several.

    Returns:
        One row per order and part: ``order`` (the names, weakest first), ``game`` (``all games`` for the joint fit),
        ``holds`` (in the estimates), ``probability``, ``smallest_step``, ``step_low`` and ``step_high`` (the step
        between neighbours that is the least certain to be positive, in points, with its interval), ``matches`` (the
        fewest that any of them played) and ``missing`` (names that cannot be rated; the order is then not judged).
    """
    tables = load_tables(source)
    orders = tables.config.get("expected_order") or []
    rows: list[dict[str, Any]] = []
    for game, table in _tables(tables).items() if orders else ():
        rows += [_row(game, table, [str(name) for name in order], level) for order in orders]
    columns = ["order", "game", "holds", "probability", "smallest_step", "step_low", "step_high", "matches", "missing"]
    return pd.DataFrame(rows, columns=columns)


def _tables(tables: RunTables) -> dict[str, RatingTable | None]:
    games = list(dict.fromkeys(str(game) for game in tables.matches["game"]))
    found: dict[str, RatingTable | None] = {ALL_GAMES if len(games) > 1 else "".join(games): _or_none(tables, None)}
    return found | ({game: _or_none(tables, game) for game in games} if len(games) > 1 else {})


def _or_none(tables: RunTables, game: str | None) -> RatingTable | None:
    try:
        return joint_ratings(tables) if game is None else ratings_of(tables, game=game)
    except ConfigurationError:
        return None


def _row(game: str, table: RatingTable | None, order: list[str], level: float) -> dict[str, Any]:
    rated = () if table is None else table.fit.entrants
    missing = [name for name in order if name not in rated]
    found: dict[str, Any] = {"order": " < ".join(order), "game": game, "missing": ", ".join(missing) or None}
    if table is None or missing:
        return found
    estimate = order_estimate(table.fit, order)
    least = min(range(len(estimate.steps)), key=lambda i: _certainty(estimate, i))
    half = normal_quantile(level) * estimate.errors[least]
    step = estimate.steps[least]
    steps = {"smallest_step": step, "step_low": step - half, "step_high": step + half}
    matches = min(table[name].games for name in order)
    return found | {"holds": estimate.holds, "probability": estimate.probability, "matches": matches, **steps}


def _certainty(estimate: OrderEstimate, i: int) -> float:
    return estimate.steps[i] / (estimate.errors[i] or math.inf)


def sections(store: RunStore) -> Sequence[Section]:
    """For runs that declare an order."""
    config: Mapping[str, Any] = store.config
    if not config.get("expected_order"):
        return ()
    frame = expected_orders(store)
    frame["holds"] = [None if pd.isna(value) else bool(value) for value in frame["holds"]]
    columns = (
        Column("order", "Expected, weakest first"),
        Column("game", "Game"),
        Column("holds", "In this order"),
        Column("probability", "Probability that it holds", "share", n="matches"),
        Column("smallest_step", "Least certain step in points", "signed", "step_low", "step_high", digits=0),
        Column("missing", "Not rated"),
    )
    explain = (
        "From the ratings and their joint covariance; all games: the fit in which every game weighs the same. n is the "
        "fewest matches that any of the entrants played. An order of two that are equally strong has a probability of "
        "50%, one of three 17%."
    )
    return (
        Section(
            "expected-order",
            "Expected orders",
            "Orders that were declared in the configuration, such as the sizes of one family: a check of what is "
            "measured.",
            (Table("Expected orders", frame, columns, explain),),
        ),
    )
