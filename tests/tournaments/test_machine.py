"""This machine in trouble: a full disk, a folder that cannot be written. One sentence, and nothing written is lost."""

from __future__ import annotations

import os
import subprocess
import time
from contextlib import contextmanager

import pytest

from ludometer.store import RunStore, schema
from ludometer.store.database import DATABASE


def one_line(err):
    (line,) = err.strip().splitlines()
    return line


def check_resumed(kit, folder, table, limited):
    """After the trouble: nothing that was recorded is asked again, and the run comes out as if it had not been."""
    kept = kit.recorded_calls(folder)
    assert kept == limited["recorded"], "what was written before is safe"
    final = kit.Session(folder, table).finish()
    assert final.code == 0, final.err
    assert final.summary["finished"] == final.summary["total"]
    assert kit.recorded_calls(folder) == kept + final.summary["calls"]


def fill(kit, folder, table, **environment):
    """A session that runs out of space; returns what it left in the database."""
    session = kit.Session(folder, table, **environment).finish()
    assert session.code == 1, session
    assert one_line(session.err).startswith("MachineError: ")
    assert "What was written before is safe." in session.err
    assert "INSERT" not in session.err
    with RunStore.open(folder) as store:
        finished = sum(row.status == "finished" for row in store.matches())
        recorded = len(store.rows(schema.exchanges))
    assert recorded > 0, "the trouble came in the middle, not at the start"
    return {"err": session.err, "finished": finished, "recorded": recorded}


@contextmanager
def small_disk(folder, size):
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def can_mount(tmp) -> bool:
    try:
        with small_disk(tmp / "probe", "64k"):
            return True
    except (OSError, subprocess.CalledProcessError):
        return False


@pytest.mark.slow
def test_files_that_may_not_grow(kit, tmp_path):
    """A quota, by way of the limit on the size of a file: the same error as a full disk, and needs no privileges."""
    with kit.provider() as provider:
        table = kit.table_for(provider.url, schedule={"repeats": 60}, concurrency=8)
        limited = fill(kit, tmp_path / "run", table, TEST_FILE_SIZE="300000")
        check_resumed(kit, tmp_path / "run", table, limited)


@pytest.mark.slow
def test_a_full_disk(kit, tmp_path):
    if not can_mount(tmp_path):
        # Without the right to mount a small disk, the quota above is the test.
        return
    with kit.provider() as provider, small_disk(tmp_path / "disk", "700k") as disk:
        table = kit.table_for(provider.url, schedule={"repeats": 200}, concurrency=8)
        limited = fill(kit, disk / "run", table)
        assert "the disk is full; free some space and resume" in limited["err"]
        subprocess.run(["mount", "-o", "remount,size=50m", str(disk)], check=True)
        check_resumed(kit, disk / "run", table, limited)


def test_no_space_for_the_first_page(kit, tmp_path):
    table = kit.table_for(players=["random", "perfect"])
    session = kit.Session(tmp_path / "run", table, TEST_FILE_SIZE="2000").finish()
    assert session.code == 1
    assert one_line(session.err).startswith("MachineError: ")
    assert not (tmp_path / "run" / DATABASE).exists()
    assert kit.Session(tmp_path / "run", table).finish().code == 0, "and afterwards the folder can be used"


@pytest.fixture
def unprivileged():
    """The environment of a session that may not write everywhere: root may, whatever a folder's mode is."""
    return {"TEST_UNPRIVILEGED": "1"} if os.getuid() == 0 else {}


def test_a_folder_that_cannot_be_written(kit, tmp_path, unprivileged):
    table = kit.table_for(players=["random", "perfect"])
    (tmp_path / "locked").mkdir()
    (tmp_path / "locked").chmod(0o555)
    for folder in (tmp_path / "locked", tmp_path / "locked" / "run"):
        session = kit.Session(folder, table, **unprivileged).finish()
        assert session.code == 1
        assert "MachineError: the folder" in one_line(session.err)
        assert str(folder) in session.err


@pytest.mark.slow
def test_a_run_that_may_only_be_read(kit, tmp_path, unprivileged):
    table = kit.table_for(players=["random", "perfect"])
    folder = tmp_path / "run"
    assert kit.Session(folder, table).finish().code == 0
    before = kit.results(folder)
    for path in folder.iterdir():
        path.chmod(0o444)
    folder.chmod(0o555)
    session = kit.Session(folder, table, **unprivileged).finish()
    assert session.code == 1
    assert one_line(session.err).startswith("MachineError: ")
    read = kit.Session(folder, table, TEST_READ="1", **unprivileged).finish()
    assert read.code == 0, read.err
    assert read.summary["notations"] == [row[5] for row in before.values()], "reading needs no more than reading"
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)


@pytest.mark.slow
def test_a_run_that_was_killed_can_be_read_without_writing(kit, tmp_path, unprivileged):
    """The latest rows are then in a second file, which SQLite can only use where it may write."""
    with kit.provider(latency=0.02) as provider:
        table = kit.table_for(provider.url, schedule={"repeats": 30})
        session = kit.Session(tmp_path / "run", table)
        session.until_playing()
        while kit.recorded_calls(tmp_path / "run") < 5:
            time.sleep(0.01)
        assert session.kill()
    folder = tmp_path / "run"
    copy = tmp_path / "copy"
    subprocess.run(["cp", "-r", str(folder), str(copy)], check=True)
    recorded = kit.recorded_calls(folder)
    assert (copy / f"{DATABASE}-wal").stat().st_size > 0
    names = [path.name for path in copy.iterdir()]
    for path in copy.iterdir():
        path.chmod(0o444)
    copy.chmod(0o555)
    read = kit.Session(copy, table, TEST_READ="1", **unprivileged).finish()
    copy.chmod(0o755)
    assert read.code == 0, read.err
    assert read.summary["calls"] == recorded
    assert sorted(path.name for path in copy.iterdir()) == sorted(names)
