"""Two-seat results as columns: what every rating is computed from."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from ludometer.core.errors import ConfigurationError

__all__ = ["DEFAULT_GAME", "BoolArray", "FloatArray", "Games", "IntArray"]

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]

DEFAULT_GAME: Final = "game"
"""The name given to the game where the data names none."""


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """Results of two-seat games, one row per game (or per cell of identical games).

    Row order is the order of play; only Elo depends on it.

    Attributes:
        entrants: the n names; ``first`` and ``second`` index into them.
        first, second: shape (m,), the entrant in seat 1 and in seat 2. Equal for self-play, which is kept here
            and left out of rating fits unless they are told otherwise.
        score: shape (m,), the score of seat 1 in [0, 1]: 1 won, 0.5 drawn, 0 lost.
        weight: shape (m,), how many games the row stands for.
        titles: the g names of the games played; ``game`` indexes into them.
        game: shape (m,).
        cluster: shape (m,), the duplicate group of each row; rows with the same number share their luck. None
            where every single game has luck of its own.

    Raises:
        ConfigurationError: shapes differ, an index is out of range, or a score or weight is no valid number.
    """

    entrants: tuple[str, ...]
    first: IntArray
    second: IntArray
    score: FloatArray
    weight: FloatArray
    titles: tuple[str, ...]
    game: IntArray
    cluster: IntArray | None = None

    def __post_init__(self) -> None:
        shape = self.first.shape
        columns = (self.second, self.score, self.weight, self.game)
        if len(shape) != 1 or any(column.shape != shape for column in columns):
            raise ConfigurationError("The columns of the results differ in length; give one value per game.")
        if self.cluster is not None and self.cluster.shape != shape:
            raise ConfigurationError("The cluster column differs in length; give one group per game.")
        if len(set(self.entrants)) != len(self.entrants) or len(set(self.titles)) != len(self.titles):
            raise ConfigurationError("Names of entrants and of games must be unique; rename the repeated one.")
        _check_range("first", self.first, len(self.entrants))
        _check_range("second", self.second, len(self.entrants))
        _check_range("game", self.game, len(self.titles))
        if not bool(np.all((self.score >= 0) & (self.score <= 1))):
            raise ConfigurationError("A score is outside 0 to 1; give the score of seat 1 as 1, 0.5 or 0.")
        if not bool(np.all((self.weight > 0) & np.isfinite(self.weight))):
            raise ConfigurationError("A weight is not a positive number; give how many games each row stands for.")

    def __len__(self) -> int:
        return len(self.first)

    @property
    def self_play(self) -> BoolArray:
        """Shape (m,): whether both seats belong to one entrant."""
        return np.asarray(self.first == self.second, np.bool_)

    def select(self, rows: npt.NDArray[Any]) -> Games:
        """The games at ``rows`` (a boolean mask or indices), in that order, with the same names."""
        return Games(
            self.entrants,
            self.first[rows],
            self.second[rows],
            self.score[rows],
            self.weight[rows],
            self.titles,
            self.game[rows],
            None if self.cluster is None else self.cluster[rows],
        )

    @classmethod
    def from_arrays(
        cls,
        entrants: Sequence[str],
        first: npt.ArrayLike,
        second: npt.ArrayLike,
        score: npt.ArrayLike,
        *,
        weight: npt.ArrayLike | None = None,
        titles: Sequence[str] = (DEFAULT_GAME,),
        game: npt.ArrayLike | None = None,
        cluster: npt.ArrayLike | None = None,
    ) -> Games:
        """Games from index columns of shape (m,); a column left out means weight 1, the first game, no groups."""
        ones = np.asarray(first, np.int64)
        return cls(
            tuple(entrants),
            ones,
            np.asarray(second, np.int64),
            np.asarray(score, np.float64),
            np.ones(ones.shape) if weight is None else np.asarray(weight, np.float64),
            tuple(titles),
            np.zeros(ones.shape, np.int64) if game is None else np.asarray(game, np.int64),
            None if cluster is None else np.asarray(cluster, np.int64),
        )

    @classmethod
    def from_columns(cls, columns: Mapping[str, Iterable[Any]]) -> Games:
        """Games from named columns (a mapping of sequences, or a DataFrame).

        Columns: ``player_1``, ``player_2``, ``score_1``; optional ``game`` (name), ``group`` (any hashable; None
        means a group of its own) and ``weight``. Names are sorted, so that row order never changes a fit.

        Raises:
            ConfigurationError: a column is missing.
        """
        for name in ("player_1", "player_2", "score_1"):
            if name not in columns:
                raise ConfigurationError(f"The results have no column {name!r}; add it.")
        entrants, (first, second) = _indices(list(columns["player_1"]), list(columns["player_2"]))
        names = columns["game"] if "game" in columns else [DEFAULT_GAME] * len(first)
        titles, (game,) = _indices([DEFAULT_GAME if _missing(name) else name for name in names])
        return cls.from_arrays(
            entrants,
            first,
            second,
            np.asarray(list(columns["score_1"]), np.float64),
            weight=np.asarray(list(columns["weight"]), np.float64) if "weight" in columns else None,
            titles=titles,
            game=game,
            cluster=_groups(list(columns["group"])) if "group" in columns else None,
        )

    @classmethod
    def from_records(cls, records: Iterable[Mapping[str, Any]]) -> Games:
        """Games from one mapping per game, with the keys of :meth:`from_columns`."""
        rows = list(records)
        optional = [name for name in ("game", "group") if any(name in row for row in rows)]
        columns: dict[str, list[Any]] = {name: [row.get(name) for row in rows] for name in optional}
        if any("weight" in row for row in rows):
            columns["weight"] = [row.get("weight", 1.0) for row in rows]
        for name in ("player_1", "player_2", "score_1"):
            for number, row in enumerate(rows):
                if name not in row:
                    raise ConfigurationError(f"Record {number} has no {name!r}; add it.")
            columns[name] = [row[name] for row in rows]
        return cls.from_columns(columns)

    @classmethod
    def from_cells(cls, cells: Iterable[Mapping[str, Any]]) -> Games:
        """Games from counts per ordered pair: each game has luck of its own and no order.

        Keys: ``player_1``, ``player_2``, ``wins_1``, ``wins_2``; optional ``draws`` and ``game``.
        """
        records = []
        for cell in cells:
            for key, score in (("wins_1", 1.0), ("draws", 0.5), ("wins_2", 0.0)):
                count = cell.get(key, 0) if key == "draws" else cell[key]
                if count:
                    record = {"player_1": cell["player_1"], "player_2": cell["player_2"]}
                    records.append(record | {"score_1": score, "weight": count, "game": cell.get("game")})
        return cls.from_records(records)


def _check_range(name: str, column: IntArray, size: int) -> None:
    if column.size and (int(column.min()) < 0 or int(column.max()) >= size):
        raise ConfigurationError(f"The column {name!r} holds an index outside 0 to {size - 1}; correct it.")


def _indices(*columns: Sequence[Any]) -> tuple[tuple[str, ...], list[IntArray]]:
    names = sorted({str(name) for column in columns for name in column})
    index = {name: number for number, name in enumerate(names)}
    return tuple(names), [np.array([index[str(name)] for name in column], np.int64) for column in columns]


def _groups(groups: Sequence[Hashable]) -> IntArray | None:
    if all(_missing(group) for group in groups):
        return None
    numbers: dict[Hashable, int] = {}
    keys = (("row", row) if _missing(group) else ("group", group) for row, group in enumerate(groups))
    return np.array([numbers.setdefault(cast("Hashable", key), len(numbers)) for key in keys], np.int64)


def _missing(value: Hashable) -> bool:
    # A DataFrame writes an absent value as NaN, NA or NaT; the last two are told by name, to leave pandas out of here.
    if isinstance(value, float):
        return math.isnan(value)
    return value is None or type(value).__name__ in ("NAType", "NaTType")
