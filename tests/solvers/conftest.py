from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from ludometer.solvers import mnk


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """An empty cache folder, and no table in memory, for one test."""
    monkeypatch.setenv("LUDOMETER_CACHE", str(tmp_path / "cache"))
    monkeypatch.setattr(mnk, "_tables", {})
    yield tmp_path / "cache"
