"""Do ratings go along with other benchmarks? Rank correlations with scores from a CSV file.

Intervals: for Kendall's tau-b by Fisher's z with variance 0.437 / (n - 4) (Fieller, Hartley, Pearson: Tests for rank
correlation coefficients I, Biometrika 44, 1957); for Spearman's rho with variance (1 + rho^2 / 2) / (n - 3) (Bonett,
Wright: Sample size requirements for estimating Pearson, Kendall and Spearman correlations, Psychometrika 65, 2000).
They take the entrants for a random sample of models, and say nothing of how uncertain the ratings and the scores are.
"""

from __future__ import annotations

import csv
import math
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np
import pandas as pd
from scipy.stats import kendalltau, spearmanr

from ludometer.analysis.combined import joint_ratings
from ludometer.analysis.ratings import ratings_of
from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.analysis.sections import Column, Section, Table
from ludometer.core import ConfigurationError
from ludometer.core.paths import usable_path
from ludometer.ratings.intervals import normal_quantile

__all__ = ["Benchmarks", "benchmark_correlations", "benchmark_sections", "rank_correlation", "read_benchmarks"]

_MOST_BYTES: Final = 10_000_000
_FEWEST: Final = 3
Statistic = Literal["spearman", "kendall"]


class Correlation(NamedTuple):
    """A rank correlation with its interval; ``low`` and ``high`` are None where there are too few for one."""

    value: float | None
    low: float | None
    high: float | None
    n: int


class Benchmarks(NamedTuple):
    """Scores by benchmark and entrant, more being better."""

    scores: Mapping[str, Mapping[str, float]]


def read_benchmarks(path: str | os.PathLike[str]) -> Benchmarks:
    """Reads a CSV file: the column ``entrant`` (or ``player`` or ``model``) with names as in the run, and a column of
    numbers per benchmark, more being better. An empty cell is not known; a column whose name begins with ``-`` is one
    of which less is better.

    Raises:
        ConfigurationError: the file cannot be read, or says something that is no number.
    """
    rows = _rows(usable_path(path))
    head = [name.strip() for name in rows[0]] if rows else []
    key = next((i for i, name in enumerate(head) if name.casefold() in ("entrant", "player", "model")), None)
    if key is None:
        raise ConfigurationError(f"{path}: the first line must name a column entrant, and one per benchmark")
    if len({name.removeprefix("-") for name in head}) != len(head) or {"", "-"} & set(head):
        raise ConfigurationError(f"{path}: every column needs a name of its own")
    scores: dict[str, dict[str, float]] = {name.removeprefix("-"): {} for i, name in enumerate(head) if i != key}
    if not scores:
        raise ConfigurationError(f"{path}: there is no benchmark beside the column {head[key]}")
    seen: set[str] = set()
    for number, row in enumerate(rows[1:], start=2):
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(head):
            raise ConfigurationError(f"{path}, line {number}: {len(row)} cells, and there are {len(head)} columns")
        name = row[key].strip()
        if not name or name in seen:
            raise ConfigurationError(f"{path}, line {number}: every line needs an entrant of its own, not {name!r}")
        seen.add(name)
        for i, cell in enumerate(row):
            if i != key and cell.strip():
                value = _number(cell, f"{path}, line {number}, column {head[i]}")
                scores[head[i].removeprefix("-")][name] = -value if head[i].startswith("-") else value
    return Benchmarks(scores)


def _rows(path: Path) -> list[list[str]]:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise ConfigurationError(f"{path} is larger than a table of benchmarks can be")
        with path.open(encoding="utf-8-sig", newline="") as file:
            return list(csv.reader(file))
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} cannot be read: it is no text in UTF-8") from None
    except csv.Error as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from None


def _number(cell: str, where: str) -> float:
    try:
        value = float(cell.strip().removesuffix("%"))
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise ConfigurationError(f"{where}: {cell.strip()[:40]!r} is not a number")
    return value


def rank_correlation(
    one: Sequence[float], other: Sequence[float], statistic: Statistic, *, level: float = 0.95
) -> Correlation:
    """Spearman's rho or Kendall's tau-b of paired values. None with fewer than three pairs, or where all of one side
    are equal; the interval (see the module) needs five pairs, and four for Spearman's."""
    n = len(one)
    if n < _FEWEST or len(set(one)) < 2 or len(set(other)) < 2:
        return Correlation(None, None, None, n)
    pair = np.asarray(one, np.float64), np.asarray(other, np.float64)
    value = float((spearmanr(*pair) if statistic == "spearman" else kendalltau(*pair)).statistic)
    free = n - (3 if statistic == "spearman" else 4)
    if free < 1:
        return Correlation(value, None, None, n)
    variance = (1.0 + value * value / 2.0) / free if statistic == "spearman" else 0.437 / free
    half = normal_quantile(level) * math.sqrt(variance)
    # Fisher's z has no place for a correlation of 1; one that rounds to it has an interval that ends there.
    centre = math.atanh(max(-1.0 + 1e-9, min(1.0 - 1e-9, value)))
    if abs(value) > 1.0 - 1e-9:
        centre = math.copysign(math.atanh(1.0 - 2.0 / (n * n)), value)
        ends = (math.tanh(centre - half), 1.0) if value > 0 else (-1.0, math.tanh(centre + half))
        return Correlation(value, *ends, n)
    return Correlation(value, math.tanh(centre - half), math.tanh(centre + half), n)


def benchmark_correlations(source: Source, benchmarks: Benchmarks, *, level: float = 0.95) -> pd.DataFrame:
    """Ratings against benchmarks, over all games (each weighing the same) and by game where there are several.

    Returns:
        One row per benchmark and game: ``benchmark``, ``game`` (``all games`` for the joint fit), ``n`` (entrants with
        a rating and a score), and ``spearman`` and ``kendall`` with ``_low`` and ``_high``.
    """
    tables = load_tables(source)
    games = list(dict.fromkeys(str(game) for game in tables.matches["game"]))
    parts: list[str | None] = [None, *(games if len(games) > 1 else [])]
    ratings = {("all games" if game is None else game): _points(tables, game) for game in parts}
    rows: list[dict[str, Any]] = []
    for name, scores in benchmarks.scores.items():
        for game, points in ratings.items():
            both = sorted(points.keys() & scores.keys())
            pairs = [points[entrant] for entrant in both], [scores[entrant] for entrant in both]
            row: dict[str, Any] = {"benchmark": name, "game": game, "n": len(both)}
            for statistic in ("spearman", "kendall"):
                found = rank_correlation(*pairs, "spearman" if statistic == "spearman" else "kendall", level=level)
                row |= {statistic: found.value, f"{statistic}_low": found.low, f"{statistic}_high": found.high}
            rows.append(row)
    ends = [f"{name}{end}" for name in ("spearman", "kendall") for end in ("", "_low", "_high")]
    frame = pd.DataFrame(rows, columns=["benchmark", "game", "n", *ends])
    return frame.astype(dict.fromkeys(ends, "float64"))


def _points(tables: RunTables, game: str | None) -> dict[str, float]:
    try:
        table = joint_ratings(tables) if game is None else ratings_of(tables, game=game)
    except ConfigurationError:
        return {}
    # Entrants of different components have no common scale; the first is the largest.
    return {row.name: row.rating for row in table.rows if row.component == 1}


def benchmark_sections(source: Source, benchmarks: Benchmarks) -> tuple[Section, ...]:
    """The section of a report that was given benchmarks."""
    tables = load_tables(source)
    frame = benchmark_correlations(tables, benchmarks)
    known = {name for scores in benchmarks.scores.values() for name in scores}
    unknown = sorted(known - set(tables.names))
    without = [name for name in tables.names if name not in known]
    notes = []
    if unknown:
        notes.append(f"The file names entrants that are not in this run: {', '.join(unknown)}.")
    if without:
        notes.append(f"The file has no score of: {', '.join(without)}.")
    columns = (
        Column("benchmark", "Benchmark"),
        Column("game", "Ratings of"),
        Column("spearman", "Spearman's rho", "signed", "spearman_low", "spearman_high", "n"),
        Column("kendall", "Kendall's tau", "signed", "kendall_low", "kendall_high", "n"),
    )
    explain = (
        "n is the number of entrants with a rating and a score. 95% intervals by Fisher's z take the entrants for a "
        "random sample of models; with a handful of them they are wide, and they leave out how uncertain ratings and "
        "scores are. Correlations are of ranks, and show no cause."
    )
    return (
        Section(
            "benchmarks",
            "Other benchmarks",
            "Whether entrants that are strong here are strong elsewhere: rank correlations with given scores.",
            (Table("Correlation with other benchmarks", frame, columns, explain),),
            notes=tuple(notes),
        ),
    )
