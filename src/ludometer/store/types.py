"""Column types that hold the same on every database."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

from ludometer.core import MachineError

__all__ = ["Number", "Real", "Words", "moment", "read_json", "storable", "time_text"]

_DAMAGED = "it was damaged, or changed by another program; restore a copy of the file run.sqlite"


def storable(text: str | None) -> str | None:
    """Text that every database can hold: lone surrogates and NUL, which some cannot, are written as escapes."""
    if text is None or (text.isascii() and "\0" not in text):
        return text
    return text.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")


def read_json(written: str, what: str, kind: type | None = None) -> Any:
    """The JSON in a cell of a run's database.

    Args:
        what: where it stands, for the error.
        kind: the type it must have.

    Raises:
        MachineError: it is no JSON, or of another type.
    """
    try:
        value = json.loads(written)
    except (ValueError, TypeError, RecursionError):
        raise MachineError(f"{what} in the run's database cannot be read: {_DAMAGED}") from None
    if kind is not None and not isinstance(value, kind):
        raise MachineError(f"{what} in the run's database is of a wrong kind: {_DAMAGED}")
    return value


def moment(seconds: float | None) -> datetime | None:
    """The time that many seconds after 1970, in UTC; None for none, and for one that no calendar has."""
    if seconds is None:
        return None
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, ValueError, OSError):
        return None


def time_text(seconds: float | None) -> str | None:
    """The `moment` in ISO 8601, UTC, with milliseconds."""
    found = moment(seconds)
    return None if found is None else found.isoformat(timespec="milliseconds")


def _only(kinds: tuple[type, ...], what: str) -> Callable[[Any], Any]:
    """Lets values of some types through. SQLite keeps anything in any column."""

    def checked(value: Any) -> Any:
        if value is None or type(value) in kinds:
            return value
        raise MachineError(f"the run's database holds {str(value)[:20]!r} where {what} belongs: {_DAMAGED}")

    return checked


_TEXT = _only((str,), "a text")
_WHOLE = _only((int,), "a whole number")
_NUMBER = _only((float, int), "a number")


class Words(sa.types.TypeDecorator[str]):
    """Text of any length, made storable, and ordered by its UTF-8 bytes."""

    impl = sa.Text
    cache_ok = True

    def load_dialect_impl(self, dialect: sa.Dialect) -> sa.types.TypeEngine[Any]:
        if dialect.name == "postgresql":
            return dialect.type_descriptor(postgresql.TEXT(collation="C"))
        return dialect.type_descriptor(sa.Text())

    def process_bind_param(self, value: str | None, dialect: sa.Dialect) -> str | None:
        return storable(value)

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any] | None:
        return _TEXT if dialect.name == "sqlite" else None


class Real(sa.types.TypeDecorator[float]):
    """A number in double precision; what is no number is null, as SQLite has it."""

    impl = sa.Double
    cache_ok = True

    def process_bind_param(self, value: float | None, dialect: sa.Dialect) -> float | None:
        return None if value is None or math.isnan(value) else value

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any] | None:
        return _NUMBER if dialect.name == "sqlite" else super().result_processor(dialect, coltype)


class _Integer(sa.Integer):
    """SQLite's whole numbers, of up to 64 bits."""

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any] | None:
        return _WHOLE


Number = sa.BigInteger().with_variant(_Integer(), "sqlite")
"""A whole number of 64 bits, which an autoincrementing key can be too."""
