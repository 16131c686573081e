"""Results from a CSV file.

The first line names the columns. Required are

``player_1``, ``player_2``
    names of the entrants in seat 1 (first mover) and seat 2, and one of
``score_1``
    the score of player_1, a number from 0 to 1, or
``result``
    ``1``, ``0``, ``0.5``, ``1-0``, ``0-1``, ``1/2-1/2``, ``first``, ``second`` or ``draw``.

Optional are

``game``
    the name of the game; each has a seat term of its own.
``group``
    the duplicate group: rows with the same text share their luck. Empty: the game has luck of its own.
``ending``
    ``completed`` (also when empty), ``forfeit``, ``canceled`` or ``void``. Only a completed game needs a result.
``offender``
    who caused a forfeit or cancelation: the name of one of the two players, or ``first`` or ``second``.
``order`` or ``date``
    a number, or a date in ISO 8601; rows are put in that order. Otherwise their order in the file is the order of play.

Matches of more than two seats have

``player_1`` to ``player_n``
    names by seat; empty for a seat that a match does not have, and
``score_1`` to ``score_n``
    any numbers (points, chips), more is better: only their order counts; or
``place_1`` to ``place_n``
    1 is the best; equal places are shared.

For them there is one more optional column, and the others are as above (``offender`` is a name, or a seat's number):

``equals``
    ``tie`` (also when empty), or ``unordered`` where equal scores leave the players without an order, such as the
    losers of a game that only one can win.

The file is UTF-8, with commas. Lines are numbered from 1, the line of the column names.
"""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from ludometer.core.errors import ConfigurationError
from ludometer.core.paths import usable_path
from ludometer.ratings.counting import ENDINGS, Ending, MatchResult, ResultRow

__all__ = ["COLUMNS", "read_results"]

_REQUIRED: Final = ("player_1", "player_2")
_OUTCOME: Final = ("score_1", "result")
_ORDER: Final = ("order", "date")
_OTHERS: Final = ("game", "group", "ending", "offender")
COLUMNS: Final = (*_REQUIRED, *_OUTCOME, *_OTHERS, *_ORDER)
"""Of a file with two players in every game."""

_NUMBERED: Final = re.compile(r"(?:player|score|place)_[1-9][0-9]?")
_MANY: Final = ("player_3", "score_2", "place_1")
"""A file that has one of these columns is for any number of players."""

_RESULTS: Final = {
    "1-0": 1.0,
    "0-1": 0.0,
    "1/2-1/2": 0.5,
    "first": 1.0,
    "second": 0.0,
    "draw": 0.5,
    "1": 1.0,
    "0": 0.0,
    "0.5": 0.5,
    "1.0": 1.0,
    "0.0": 0.0,
}
_SHOWN: Final = 40


class _Layout(NamedTuple):
    """The columns, and where there may be more than two players, their number and what says how they came out."""

    columns: list[str]
    seats: int = 2
    by: str = ""


def read_results(path: str | Path) -> tuple[ResultRow | MatchResult, ...]:
    """Read results in order of play; see the module for the columns.

    Raises:
        ConfigurationError: the file cannot be read, a column is unknown, missing or repeated, or a value is bad; the
            message names line and column.
    """
    path = usable_path(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, strict=True)
            layout = _layout(next(lines, []), path)
            rows = [_row(values, layout, lines.line_num) for values in lines if any(values)]
    except OSError as error:
        reason = error.strerror or "it cannot be opened"
        raise ConfigurationError(f"Cannot read {str(path)!r}: {reason}; check the path.") from error
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{str(path)!r} is not UTF-8 text; save it as UTF-8.") from error
    except csv.Error as error:
        raise ConfigurationError(f"{str(path)!r} is no valid CSV after line {lines.line_num}: {error}.") from error
    if not rows:
        raise ConfigurationError(f"{str(path)!r} holds no results; add one line per game.")
    return tuple(row for _, row in sorted(rows, key=lambda pair: pair[0]))


def _layout(header: list[str], path: Path) -> _Layout:
    columns = [name.strip() for name in header]
    many = any(name in columns for name in _MANY)
    known = (*COLUMNS, "player_3, ...", "score_2, ... or place_1, ...", "equals")
    for name in columns:
        numbered = many and _NUMBERED.fullmatch(name) is not None
        if not numbered and name not in COLUMNS and not (many and name == "equals"):
            expected = ", ".join(known if many else COLUMNS)
            raise ConfigurationError(f"{str(path)!r} has an unknown column {_show(name)}; use {expected}.")
        if columns.count(name) > 1:
            raise ConfigurationError(f"{str(path)!r} has the column {name!r} twice; keep one.")
    for name in _REQUIRED:
        if name not in columns:
            raise ConfigurationError(f"{str(path)!r} has no column {name!r}; add it.")
    if all(name in columns for name in _ORDER):
        raise ConfigurationError(f"{str(path)!r} has both 'order' and 'date'; keep one.")
    if many:
        return _many(columns, path)
    if sum(name in columns for name in _OUTCOME) != 1:
        raise ConfigurationError(f"{str(path)!r} needs exactly one of the columns 'score_1' and 'result'.")
    return _Layout(columns)


def _many(columns: list[str], path: Path) -> _Layout:
    """The layout of a file for any number of players."""
    seats = max(int(name.removeprefix("player_")) for name in columns if name.startswith("player_"))
    kinds = {name.partition("_")[0] for name in columns if name.startswith(("score_", "place_"))}
    if len(kinds) != 1 or "result" in columns:
        raise ConfigurationError(
            f"{str(path)!r} is for more than two players: give score_1, score_2, ... or place_1, place_2, ..."
        )
    (by,) = kinds
    for number in range(1, seats + 1):
        for name in (f"player_{number}", f"{by}_{number}"):
            if name not in columns:
                raise ConfigurationError(f"{str(path)!r} has no column {name!r}; add it.")
    if f"{by}_{seats + 1}" in columns:
        raise ConfigurationError(f"{str(path)!r} has no column 'player_{seats + 1}'; add it.")
    return _Layout(columns, seats, by)


def _row(values: list[str], layout: _Layout, line: int) -> tuple[float, ResultRow | MatchResult]:
    """The sort key and the result of one line."""
    if len(values) != len(layout.columns):
        raise ConfigurationError(f"Line {line} has {len(values)} values for {len(layout.columns)} columns; correct it.")
    cells = {column: value.strip() for column, value in zip(layout.columns, values, strict=True)}
    for column, value in cells.items():
        if not value.isprintable():
            raise _bad(line, column, value, "a text without control characters")
    ending = cells.get("ending") or "completed"
    if ending not in ENDINGS:
        raise _bad(line, "ending", ending, f"one of {', '.join(ENDINGS)}")
    result = _result_of_many(cells, layout, ending, line) if layout.by else _result_of_two(cells, ending, line)
    return _position(cells, line), result


def _result_of_two(cells: dict[str, str], ending: Ending, line: int) -> ResultRow:
    players = cells["player_1"], cells["player_2"]
    for column, name in zip(_REQUIRED, players, strict=True):
        if not name:
            raise _bad(line, column, name, "a name")
    return ResultRow(
        *players,
        ending=ending,
        score_1=_score(cells, ending, line),
        offender=_offender(cells.get("offender", ""), players, line),
        group=cells.get("group") or None,
        game=cells.get("game") or None,
    )


def _result_of_many(cells: dict[str, str], layout: _Layout, ending: Ending, line: int) -> ResultRow | MatchResult:
    seats = [number for number in range(1, layout.seats + 1) if cells[f"player_{number}"]]
    players = tuple(cells[f"player_{number}"] for number in seats)
    if len(players) < 2:
        raise ConfigurationError(f"Line {line} names fewer than two players; correct it.")
    scores = None
    if ending == "completed":
        sign = -1.0 if layout.by == "place" else 1.0
        given = [(name, cells[name]) for name in (f"{layout.by}_{number}" for number in seats)]
        scores = tuple(sign * _number(text, line, name, "a number", math.isfinite) for name, text in given)
    equals = cells.get("equals") or "tie"
    if equals not in ("tie", "unordered"):
        raise _bad(line, "equals", equals, "tie or unordered")
    offender = _offender_of_many(cells.get("offender", ""), players, line)
    group, game = cells.get("group") or None, cells.get("game") or None
    if len(players) > 2:
        return MatchResult(players, ending, scores, offender, group, game, equals == "tie")
    first = None if scores is None else 0.5 * ((scores[0] > scores[1]) + (scores[0] >= scores[1]))
    return ResultRow(players[0], players[1], ending, first, offender, group, game)


def _offender_of_many(text: str, players: tuple[str, ...], line: int) -> int | None:
    if not text:
        return None
    seats = [seat for seat, name in enumerate(players, start=1) if name == text]
    if len(seats) == 1:
        return seats[0]
    if not seats and text.isdecimal() and 1 <= int(text) <= len(players):
        return int(text)
    raise _bad(line, "offender", text, "the name of one of the players, or the number of its seat")


def _score(cells: dict[str, str], ending: str, line: int) -> float | None:
    column = "score_1" if "score_1" in cells else "result"
    text = cells[column]
    if not text and ending != "completed":
        return None
    if column == "result":
        score = _RESULTS.get(text.lower())
        if score is None:
            raise _bad(line, column, text, "1, 0, 0.5, 1-0, 0-1, 1/2-1/2, first, second or draw")
        return score
    return _number(text, line, column, "a number from 0 to 1", lambda number: 0.0 <= number <= 1.0)


def _offender(text: str, players: tuple[str, str], line: int) -> int | None:
    if not text:
        return None
    # A player may be called "first": names go before seats.
    seats = [seat for seat, name in enumerate(players, start=1) if name == text]
    if len(seats) == 1:
        return seats[0]
    if text in ("first", "second") and not seats:
        return 1 if text == "first" else 2
    raise _bad(line, "offender", text, "the name of one of the two players, or first or second")


def _position(cells: dict[str, str], line: int) -> float:
    if "order" in cells:
        return _number(cells["order"], line, "order", "a number", math.isfinite)
    if "date" not in cells:
        return 0.0
    try:
        date = datetime.fromisoformat(cells["date"])
    except ValueError as error:
        raise _bad(line, "date", cells["date"], "a date like 2026-01-31 or 2026-01-31T12:00:00") from error
    # A date without a zone is taken as UTC, never as local time: the order must be the same on every machine.
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()


def _number(text: str, line: int, column: str, expected: str, valid: Callable[[float], bool]) -> float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not valid(number):
        raise _bad(line, column, text, expected)
    return number


def _bad(line: int, column: str, text: str, expected: str) -> ConfigurationError:
    return ConfigurationError(f"Line {line}, column {column!r}: {_show(text)} is not {expected}; correct it.")


def _show(text: str) -> str:
    return ascii(text if len(text) <= _SHOWN else text[:_SHOWN] + "...")
