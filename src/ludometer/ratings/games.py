"""Results as columns, one row per comparison of two seats: what every rating is computed from."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

import numpy as np
import numpy.typing as npt

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.placements import (
    BoolArray,
    FloatArray,
    IntArray,
    Matches,
    SeatedMatch,
    compare,
    standings,
    titles_by_size,
)

__all__ = ["DEFAULT_GAME", "BoolArray", "FloatArray", "Games", "IntArray"]

DEFAULT_GAME: Final = "game"
"""The name given to the game where the data names none."""


@dataclass(frozen=True, slots=True, eq=False)
class Games:
    """Results of games, one row per game (or per cell of identical games).

    A match of more than two seats has a row for every two of its seats that are compared (see
    :mod:`ludometer.ratings.placements`); ``first`` sat earlier than ``second``. :meth:`from_matches` and
    :meth:`from_placements` make such rows. Row order is the order of play; only Elo depends on it.

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
        matches: which rows belong to one match, where some match has more than two seats; None where every row is a
            game of its own.

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
    matches: Matches | None = None

    def __post_init__(self) -> None:
        shape = self.first.shape
        columns = (self.second, self.score, self.weight, self.game)
        if len(shape) != 1 or any(column.shape != shape for column in columns):
            raise ConfigurationError("The columns of the results differ in length; give one value per game.")
        if self.cluster is not None and self.cluster.shape != shape:
            raise ConfigurationError("The cluster column differs in length; give one group per game.")
        if self.matches is not None and self.matches.of_row.shape != shape:
            raise ConfigurationError("The matches differ from the results in length; give one match per row.")
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

    @property
    def clusters(self) -> IntArray | None:
        """Shape (m,): rows that must not be taken for independent: of one duplicate group, or at least of one match."""
        return self.matches.of_row if self.cluster is None and self.matches is not None else self.cluster

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
            None if self.matches is None else self.matches.select(rows),
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

        For more than two seats: ``player_1`` to ``player_n`` (None for a seat that a match does not have), and
        ``score_1`` to ``score_n`` (any numbers, more is better) or ``place_1`` to ``place_n`` (1 is the best);
        optional ``equals_tie`` (False: seats with equal scores are not compared).

        Raises:
            ConfigurationError: a column is missing.
        """
        if any(name in columns for name in ("player_3", "score_2", "place_1")):
            return cls.from_matches(_seated(columns))
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
        if any(name in row for row in rows for name in ("player_3", "score_2", "place_1")):
            names = dict.fromkeys(name for row in rows for name in row)
            return cls.from_columns({name: [row.get(name) for row in rows] for name in names})
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
    def from_matches(cls, matches: Iterable[SeatedMatch]) -> Games:
        """Games from matches of any number of seats, in order of play; see `SeatedMatch`."""
        played = list(matches)
        sizes = [len(match.players) for match in played]
        if set(sizes) <= {2}:
            rows = ((*match.players, match.scores[0], match.game, match.group, match.weight) for match in played)
            keys = ("player_1", "player_2", "score_1", "game", "group", "weight")
            return cls.from_columns(dict(zip(keys, zip(*rows, strict=True) if played else ((),) * 6, strict=True)))
        width = max(sizes, default=2)
        entrants, _ = _indices([name for match in played for name in match.players])
        index = {name: number for number, name in enumerate(entrants)}
        seated = np.full((len(played), width), -1, np.int64)
        scores = np.zeros((len(played), width))
        for row, match in enumerate(played):
            seated[row, : sizes[row]] = [index[str(name)] for name in match.players]
            scores[row, : sizes[row]] = match.scores
        names = [DEFAULT_GAME if _missing(match.game) else str(match.game) for match in played]
        titles, (game,) = _indices(titles_by_size(names, sizes))
        return cls.from_placements(
            entrants,
            seated,
            scores,
            equals_tie=np.array([match.equals_tie for match in played], np.bool_),
            weight=np.array([match.weight for match in played], np.float64),
            titles=titles,
            game=game,
            cluster=_groups([match.group for match in played]),
        )

    @classmethod
    def from_placements(
        cls,
        entrants: Sequence[str],
        seated: IntArray,
        scores: FloatArray,
        *,
        equals_tie: BoolArray | None = None,
        weight: FloatArray | None = None,
        titles: Sequence[str] = (DEFAULT_GAME,),
        game: IntArray | None = None,
        cluster: IntArray | None = None,
    ) -> Games:
        """Games from m matches of up to n seats.

        Args:
            seated: shape (m, n), indices into ``entrants`` by seat; -1 behind the last seat of a match.
            scores: shape (m, n). In matches of two seats the first is the score of seat 1 in [0, 1]; in others only
                the order matters.
            equals_tie: shape (m,), whether equal scores are ties; True where it is None.
            weight, game, cluster: shape (m,); as in :meth:`from_arrays`. All matches of a title have the same number
                of seats.
        """
        count = len(seated)
        sizes = (seated >= 0).sum(axis=1)
        weight = np.ones(count) if weight is None else weight
        game = np.zeros(count, np.int64) if game is None else game
        equals_tie = np.ones(count, np.bool_) if equals_tie is None else equals_tie
        pairs = compare(np.where(sizes[:, None] == 2, -1, seated), scores, equals_tie)
        two = np.flatnonzero(sizes == 2)
        match = np.concatenate((two, pairs.match))
        order = np.argsort(match, kind="stable")
        rows = match[order]
        of_title = np.zeros(len(titles), np.int64)
        of_title[game] = sizes
        ties = np.bincount(game, equals_tie, len(titles)) > 0
        came_out = standings(seated, scores, weight)
        # A match in which nobody is ahead of anybody is no game of anybody's.
        came_out = came_out.only(np.isin(came_out.match, rows))
        several = bool((sizes > 2).any())
        return cls(
            tuple(entrants),
            np.concatenate((seated[two, 0], pairs.first))[order],
            np.concatenate((seated[two, 1], pairs.second))[order],
            np.concatenate((scores[two, 0], pairs.score))[order],
            weight[rows],
            tuple(titles),
            game[rows],
            None if cluster is None else cluster[rows],
            Matches(rows, of_title, ties, came_out) if several else None,
        )

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


def _seated(columns: Mapping[str, Iterable[Any]]) -> Iterable[SeatedMatch]:
    """The rows of columns for any number of seats."""
    numbers = sorted(int(name[7:]) for name in columns if name.startswith("player_") and name[7:].isdecimal())
    kind = "place" if "place_1" in columns else "score"
    for name in (f"{what}_{number}" for what in ("player", kind) for number in numbers or [1]):
        if name not in columns:
            raise ConfigurationError(f"The results have no column {name!r}; add it.")
    players = list(zip(*(columns[f"player_{number}"] for number in numbers), strict=True))
    values = zip(*(columns[f"{kind}_{number}"] for number in numbers), strict=True)
    optional = {name: columns.get(name) for name in ("equals_tie", "group", "game", "weight")}
    others = zip(*([None] * len(players) if column is None else column for column in optional.values()), strict=True)
    sign = -1.0 if kind == "place" else 1.0
    for row, (names, numbers_, (equals, group, game, weight)) in enumerate(zip(players, values, others, strict=True)):
        taken = [i for i, name in enumerate(names) if not _missing(name)]
        if any(_missing(numbers_[i]) for i in taken):
            raise ConfigurationError(f"Record {row} lacks the {kind} of a player; give one per player.")
        scores = tuple(sign * float(numbers_[i]) for i in taken)
        yield SeatedMatch(
            tuple(str(names[i]) for i in taken),
            _first_share(scores) if len(scores) == 2 else scores,
            True if _missing(equals) else bool(equals),
            None if _missing(group) else group,
            None if _missing(game) else str(game),
            1.0 if _missing(weight) else float(weight),
        )


def _first_share(scores: tuple[float, ...]) -> tuple[float, ...]:
    """The score of seat 1 of 2 by their order."""
    first = 0.5 * ((scores[0] > scores[1]) + (scores[0] >= scores[1]))
    return first, 1.0 - first


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
