"""Where runs are: a folder, or a name in a PostgreSQL database; and such a database with all its runs."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeAlias

import sqlalchemy as sa

from ludometer.core import ConfigurationError
from ludometer.core.paths import usable_path
from ludometer.models.redact import hide

__all__ = ["Address", "Database", "DatabaseRun", "Where", "database_run", "is_run_name", "parse_address", "parse_place"]

_SCHEMES = ("postgresql", "postgres", "postgresql+psycopg")
_EXAMPLE = "postgresql://user@host/database?run=NAME"
_SECRET = frozenset({"password", "sslpassword", "oauth_client_secret", "scram_client_key", "scram_server_key"})
"""Parameters of a connection that nobody may see."""

_NAME = re.compile(r"[\w+.-]+")
_LONGEST = 63
"""Bytes of a name in PostgreSQL."""
_TAKEN = ("public", "information_schema")


@dataclass(frozen=True, slots=True)
class Database:
    """A PostgreSQL database: every run has a schema of its name in it. Its text, unlike ``url``, holds no password."""

    url: sa.URL = field(repr=False)

    def __str__(self) -> str:
        return _shown(self.url).render_as_string(hide_password=True)

    def run(self, name: str) -> DatabaseRun:
        """One of its runs. Raises `ConfigurationError` for a name that no run can have."""
        _check_name(name)
        return DatabaseRun(self.url, name)


@dataclass(frozen=True, slots=True)
class DatabaseRun:
    """A run in a PostgreSQL database, where it has a schema of its name.

    Its text, unlike ``url``, holds no password, and names the same run to whoever has the password elsewhere.
    """

    url: sa.URL = field(repr=False)
    run: str

    def __str__(self) -> str:
        return _shown(self.url).update_query_dict({"run": self.run}).render_as_string(hide_password=True)

    @property
    def name(self) -> str:
        """The name of the run, as a folder has one."""
        return self.run

    @property
    def database(self) -> Database:
        """The database that it is in."""
        return Database(self.url)


Address: TypeAlias = Path | DatabaseRun
Where: TypeAlias = str | os.PathLike[str] | DatabaseRun
"""How a run may be named: a folder, or an address such as ``postgresql://user@host/database?run=NAME``."""


def parse_address(written: Where) -> Address:
    """The folder or the database run that is meant. Raises `ConfigurationError`."""
    if isinstance(written, DatabaseRun):
        return written
    text = os.fspath(written)
    return database_run(text) if "://" in text else usable_path(text)


def parse_place(written: Where | Database) -> Address | Database:
    """The run, the folder, or, where an address names no run, the whole database. Raises `ConfigurationError`."""
    if isinstance(written, Database):
        return written
    if isinstance(written, DatabaseRun) or "://" not in os.fspath(written):
        return parse_address(written)
    url = _url(os.fspath(written))
    return database_run(os.fspath(written)) if "run" in url.query else Database(_connecting(url))


def database_run(text: str, default: str | None = None) -> DatabaseRun:
    """The run that an address names.

    Args:
        default: the name of the run where the address has none.

    Raises:
        ConfigurationError: not such an address, or a name that no run can have. What was written is not repeated: it
            may hold a password.
    """
    url = _url(text)
    named = url.query.get("run", default)
    if named is None:
        raise ConfigurationError(f"the database's address lacks the name of the run; write {_EXAMPLE}")
    if isinstance(named, Sequence) and not isinstance(named, str):
        raise ConfigurationError("the database's address names more than one run")
    _check_name(named)
    return DatabaseRun(_connecting(url), named)


def _url(text: str) -> sa.URL:
    """The address in its parts; what is secret in it will be shown nowhere."""
    if text.partition("://")[0] not in _SCHEMES:
        raise ConfigurationError(f"a run is a folder, or an address such as {_EXAMPLE}")
    try:
        url = sa.make_url(text)
    except (sa.exc.ArgumentError, ValueError):
        raise ConfigurationError(
            f"the database's address cannot be read; write {_EXAMPLE}, with special characters of a password as %XX"
        ) from None
    for secret in (url.password, *(url.query.get(name) for name in _SECRET)):
        if isinstance(secret, str) and secret:
            hide(secret)
    return url


def _connecting(url: sa.URL) -> sa.URL:
    """What a connection is made with."""
    return url.set(drivername="postgresql+psycopg").difference_update_query(["run"])


def _shown(url: sa.URL) -> sa.URL:
    """The address as anybody may see it."""
    return url._replace(drivername="postgresql", password=None).difference_update_query(_SECRET)


def is_run_name(name: str) -> bool:
    """Whether a run in a database can be called so."""
    try:
        _check_name(name)
    except ConfigurationError:
        return False
    return True


def _check_name(name: str) -> None:
    if not _NAME.fullmatch(name) or len(name.encode()) > _LONGEST:
        raise ConfigurationError(
            f"a run in a database has a name of letters, digits and . _ + -, at most {_LONGEST} bytes long"
        )
    if name.startswith("pg_") or name in _TAKEN:
        raise ConfigurationError(f"no run can be called {name}: the database has that name for itself")
