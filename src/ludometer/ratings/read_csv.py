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

The file is UTF-8, with commas. Lines are numbered from 1, the line of the column names.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from ludometer.core.errors import ConfigurationError
from ludometer.ratings.counting import ENDINGS, ResultRow

__all__ = ["COLUMNS", "read_results"]

_REQUIRED: Final = ("player_1", "player_2")
_OUTCOME: Final = ("score_1", "result")
_ORDER: Final = ("order", "date")
COLUMNS: Final = (*_REQUIRED, *_OUTCOME, "game", "group", "ending", "offender", *_ORDER)

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


def read_results(path: str | Path) -> tuple[ResultRow, ...]:
    """Read results in order of play; see the module for the columns.

    Raises:
        ConfigurationError: the file cannot be read, a column is unknown, missing or repeated, or a value is bad; the
            message names line and column.
    """
    path = Path(path)
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            lines = csv.reader(file, strict=True)
            columns = _columns(next(lines, []), path)
            rows = [_row(values, columns, lines.line_num) for values in lines if any(values)]
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


def _columns(header: list[str], path: Path) -> list[str]:
    columns = [name.strip() for name in header]
    for name in columns:
        if name not in COLUMNS:
            raise ConfigurationError(f"{str(path)!r} has an unknown column {_show(name)}; use {', '.join(COLUMNS)}.")
        if columns.count(name) > 1:
            raise ConfigurationError(f"{str(path)!r} has the column {name!r} twice; keep one.")
    for name in _REQUIRED:
        if name not in columns:
            raise ConfigurationError(f"{str(path)!r} has no column {name!r}; add it.")
    if sum(name in columns for name in _OUTCOME) != 1:
        raise ConfigurationError(f"{str(path)!r} needs exactly one of the columns 'score_1' and 'result'.")
    if all(name in columns for name in _ORDER):
        raise ConfigurationError(f"{str(path)!r} has both 'order' and 'date'; keep one.")
    return columns


def _row(values: list[str], columns: list[str], line: int) -> tuple[float, ResultRow]:
    """The sort key and the result of one line."""
    if len(values) != len(columns):
        raise ConfigurationError(f"Line {line} has {len(values)} values for {len(columns)} columns; correct it.")
    cells = {column: value.strip() for column, value in zip(columns, values, strict=True)}
    for column, value in cells.items():
        if not value.isprintable():
            raise _bad(line, column, value, "a text without control characters")
    players = cells["player_1"], cells["player_2"]
    for column, name in zip(_REQUIRED, players, strict=True):
        if not name:
            raise _bad(line, column, name, "a name")
    ending = cells.get("ending") or "completed"
    if ending not in ENDINGS:
        raise _bad(line, "ending", ending, f"one of {', '.join(ENDINGS)}")
    result = ResultRow(
        *players,
        ending=ending,
        score_1=_score(cells, ending, line),
        offender=_offender(cells.get("offender", ""), players, line),
        group=cells.get("group") or None,
        game=cells.get("game") or None,
    )
    return _position(cells, line), result


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
