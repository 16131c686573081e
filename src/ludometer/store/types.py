"""Column types that hold the same on every database."""

from __future__ import annotations

import math
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql

__all__ = ["Number", "Real", "Words", "storable"]


def storable(text: str | None) -> str | None:
    """Text that every database can hold: lone surrogates and NUL, which some cannot, are written as escapes."""
    if text is None or (text.isascii() and "\0" not in text):
        return text
    return text.replace("\0", "\\x00").encode("utf-8", "backslashreplace").decode("utf-8")


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


class Real(sa.types.TypeDecorator[float]):
    """A number in double precision; what is no number is null, as SQLite has it."""

    impl = sa.Double
    cache_ok = True

    def process_bind_param(self, value: float | None, dialect: sa.Dialect) -> float | None:
        return None if value is None or math.isnan(value) else value


Number = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
"""A whole number of 64 bits, which an autoincrementing key can be too."""
