"""Files for other programs: complete or not at all, and never over something that is no such file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ludometer.core import ConfigurationError, MachineError
from ludometer.store import RunStore
from ludometer.store.export import export
from ludometer.store.files import replacing
from ludometer.store.importing import import_topsakal


def test_a_file_is_replaced_when_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "new" / "file.txt"
    with replacing(path) as part:
        part.write_text("first")
        assert not path.exists()
    with pytest.raises(ZeroDivisionError), replacing(path) as part:
        part.write_text("second")
        1 / 0  # noqa: B018
    assert path.read_text() == "first"
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("name", ["run.sqlite", "run.sqlite-wal", "run.sqlite-shm", "run.sqlite-journal", "run.lock"])
def test_no_file_of_a_run_is_replaced(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    for folder in (tmp_path, tmp_path / "none"):
        with pytest.raises(ConfigurationError, match="the name of a file of a run"), replacing(folder / name):
            pass
    assert (tmp_path / name).read_bytes() == b"" and not (tmp_path / "none").exists()


def test_no_folder_and_no_device_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    for name in ("folder", "pipe"):
        with pytest.raises(ConfigurationError, match="is no file, and is not replaced"), replacing(tmp_path / name):
            pass
    assert (tmp_path / "folder").is_dir() and (tmp_path / "pipe").is_fifo()


@pytest.mark.parametrize("form", ["json", "csv", "txt"])
def test_exports_keep_to_it(tmp_path: Path, form: str) -> None:
    import_topsakal(tmp_path / "run")
    with RunStore.open(tmp_path / "run") as store:
        files = export(store, tmp_path / "out", form)
        assert export(store, tmp_path / "out", form) == files  # as other programs do
        files[0].unlink()
        files[0].mkdir()
        with pytest.raises(ConfigurationError, match="is no file"):
            export(store, tmp_path / "out", form)
        (tmp_path / "text").write_text("mine")
        for place in (tmp_path / "text", tmp_path / "text" / "below"):
            with pytest.raises(MachineError, match="cannot be written to"):
                export(store, place, form)
    assert (tmp_path / "text").read_text() == "mine"
