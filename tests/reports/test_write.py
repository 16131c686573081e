"""What a report may be written over."""

from __future__ import annotations

import asyncio
import functools
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import ConfigurationError
from ludometer.reports import report_data, write_methods, write_report
from ludometer.store import RunStore
from ludometer.tournaments import load_config, start
from ludometer.web.static import write_page


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("study") / "run"
    asyncio.run(start(load_config({"game": "tictactoe", "players": ["random", "perfect"]}), folder))
    return folder


@pytest.mark.parametrize("write", [write_report, write_page, write_methods])
def test_a_path_that_somebody_wrote_costs_no_other_file(study: Path, tmp_path: Path, write: Any) -> None:
    path = tmp_path / "file"
    with RunStore.open(study) as store:
        if write is not write_methods:
            write = functools.partial(write, data=report_data(store))
        write(store, path)
        written = path.read_bytes()
        path.write_bytes(written[-2000:] if write is write_methods else written[:2000])
        write(store, path)
        assert path.read_bytes() == written, "its own file is written anew"
        for text in ("My paper.\n", "One line.\nThe run was made with Ludometer 0.1.\n", "<p>not ours</p>", "\n"):
            path.write_text(text)
            with pytest.raises(ConfigurationError, match="holds something else, and is not replaced"):
                write(store, path)
            assert path.read_text() == text
        for name in ("run.sqlite", "run.lock", "run.sqlite-wal"):
            kept = (study / name).read_bytes() if (study / name).exists() else None
            with pytest.raises(ConfigurationError, match="the name of a file of a run"):
                write(store, study / name)
            assert ((study / name).read_bytes() if (study / name).exists() else None) == kept
        with pytest.raises(ConfigurationError, match="is a folder"):
            write(store, tmp_path)
    assert [p.name for p in tmp_path.iterdir()] == ["file"]


def test_a_page_is_not_written_over_the_methods(study: Path, tmp_path: Path) -> None:
    with RunStore.open(study) as store:
        write_methods(store, tmp_path / "methods.txt")
        with pytest.raises(ConfigurationError, match="holds something else"):
            write_report(store, tmp_path / "methods.txt")
        write_report(store, tmp_path / "report.html")
        with pytest.raises(ConfigurationError, match="holds something else"):
            write_methods(store, tmp_path / "report.html")
