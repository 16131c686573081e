"""Settings of the whole suite."""

from __future__ import annotations

import os

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
