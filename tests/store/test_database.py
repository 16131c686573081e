"""Opening, creating, locking and planning a run; and what is said when that cannot be done."""

from __future__ import annotations

import sqlite3
import subprocess
import sys

import pytest

from ludometer.core import ConfigurationError, InternalError, MachineError
from ludometer.store import MatchPlan, RunStore, schema, sqlite
from ludometer.store.database import DATABASE


def plan(key: str, **changes) -> MatchPlan:
    values = {"game": "tictactoe", "options": {}, "condition": {}, "group": "g", "luck": "l", "seed": "s"}
    return MatchPlan(key=key, seats={"X": "a", "O": "b"}, **{**values, **changes})


def entrant(name: str, **options) -> dict:
    return {"name": name, "player": "random", "options": options, "family": None, "thinking": None}


@pytest.fixture
def folder(tmp_path):
    RunStore.create(tmp_path / "run", {"seed": 1}).close()
    return tmp_path / "run"


# ------------------------------------------------------------------ creating and opening


def test_a_new_run_holds_its_configuration(tmp_path):
    config = {"name": "täst ✨ \ud800", "nested": {"list": [1, None, 0.5, True]}}
    with RunStore.create(tmp_path / "a" / "b", config) as store:
        assert store.config == config
        assert store.meta("schema_version") == schema.SCHEMA_VERSION
        assert store.meta("nothing") is None
    with RunStore.open(tmp_path / "a" / "b") as store:
        assert store.config == config
    with RunStore.open(tmp_path / "a" / "b" / DATABASE) as store:
        assert store.config == config


def test_a_run_is_made_once(folder):
    with pytest.raises(ConfigurationError, match="already holds a run"):
        RunStore.create(folder, {})
    with RunStore.open(folder) as store:
        assert store.config == {"seed": 1}


def test_a_folder_without_a_run(tmp_path):
    with pytest.raises(ConfigurationError, match="there is no run in"):
        RunStore.open(tmp_path)
    assert not list(tmp_path.iterdir()), "looking leaves nothing behind"


def test_a_half_made_run_is_none(tmp_path):
    # What is left of a process that died while it made its database.
    (tmp_path / f"{DATABASE}.new").write_bytes(b"SQLite format 3\0 and then the power went")
    with RunStore.create(tmp_path, {"seed": 2}) as store:
        assert store.config == {"seed": 2}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.lock", DATABASE]


def test_reading_changes_nothing(folder):
    with RunStore.open(folder) as store:
        with pytest.raises(MachineError, match="for reading only"):
            store.set_meta(x=1)
        with pytest.raises(MachineError, match="for reading only"):
            store.add_matches([plan("a")])
        with pytest.raises(MachineError, match="for reading only"):
            _ = store.writer


def test_readers_see_a_run_at_work(folder):
    with RunStore.open(folder, write=True) as writing:
        writing.add_matches([plan("a")])
        with RunStore.open(folder) as reading:
            assert [row.key for row in reading.matches()] == ["a"]
            writing.add_matches([plan("b")])
            assert [row.key for row in reading.matches()] == ["a", "b"]


# ------------------------------------------------------------------ refusals


def test_two_writers_are_one_too_many(folder):
    with (
        RunStore.open(folder, write=True),
        pytest.raises(MachineError, match=r"another process is at work on the run in .*; wait for it or stop it"),
    ):
        RunStore.open(folder, write=True)
    RunStore.open(folder, write=True).close()


def test_the_lock_holds_between_processes_and_dies_with_them(folder):
    program = f"""
from ludometer.store import RunStore
store = RunStore.open({str(folder)!r}, write=True)
print("open", flush=True)
input()
"""
    other = subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout.readline() == "open\n"
    with pytest.raises(MachineError, match="another process is at work"):
        RunStore.open(folder, write=True)
    RunStore.open(folder).close()
    other.kill()
    other.communicate()
    RunStore.open(folder, write=True).close()


def test_two_runs_that_start_in_one_folder_at_the_same_time(tmp_path, monkeypatch):
    real = sqlite._acquire

    def slow(path):
        monkeypatch.setattr("ludometer.store.sqlite._acquire", real)
        RunStore.create(path, {"seed": "the other's"}).close()
        return real(path)

    monkeypatch.setattr("ludometer.store.sqlite._acquire", slow)
    with pytest.raises(ConfigurationError, match="already holds a run"):
        RunStore.create(tmp_path, {"seed": "mine"})
    with RunStore.open(tmp_path, write=True) as store:
        assert store.config == {"seed": "the other's"}


def test_a_newer_format(folder):
    with RunStore.open(folder, write=True) as store:
        store.set_meta(schema_version=schema.SCHEMA_VERSION + 1)
    for write in (False, True):
        with pytest.raises(MachineError, match=r"written by a newer Ludometer.*pip install -U ludometer"):
            RunStore.open(folder, write=write)


def other_table(path):
    with sqlite3.connect(path) as connection:
        connection.execute("create table meta (name text, number integer)")
        connection.execute("insert into meta values ('schema_version', 1)")


def without_version(path):
    with sqlite3.connect(path) as connection:
        connection.execute("create table meta (key text, value text)")


def odd_version(path):
    without_version(path)
    with sqlite3.connect(path) as connection:
        connection.execute("insert into meta values ('schema_version', ?)", ('"one"',))


@pytest.mark.parametrize("write", [False, True])
@pytest.mark.parametrize(
    "make",
    [
        lambda path: path.write_text("name,score\n" * 1000),
        lambda path: path.write_bytes(b""),
        lambda path: path.write_bytes(b"SQLite format 3\0" + bytes(range(256)) * 64),
        other_table,
        without_version,
        odd_version,
    ],
    ids=["csv", "empty", "garbage", "other table", "no version", "odd version"],
)
def test_a_file_that_is_no_run_database(tmp_path, make, write):
    make(tmp_path / DATABASE)
    before = (tmp_path / DATABASE).read_bytes()
    with pytest.raises(MachineError, match=r"no run database|damaged") as error:
        RunStore.open(tmp_path, write=write)
    assert "SELECT" not in str(error.value)
    assert "\n" not in str(error.value)
    assert [path.name for path in tmp_path.iterdir()] == [DATABASE]
    assert (tmp_path / DATABASE).read_bytes() == before
    # And nothing stays locked.
    (tmp_path / DATABASE).unlink()
    RunStore.create(tmp_path, {}).close()


def test_a_damaged_run_says_so_wherever_it_shows(folder):
    with RunStore.open(folder, write=True) as store:
        store.add_matches([plan(f"match {i}") for i in range(2000)])
    data = bytearray((folder / DATABASE).read_bytes())
    middle = len(data) // 2
    data[middle : middle + 8192] = b"\xff" * 8192
    (folder / DATABASE).write_bytes(bytes(data))
    with RunStore.open(folder) as store, pytest.raises(MachineError, match="damaged or no run database"):
        list(store.matches())


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError, match="cannot be made"):
        RunStore.create(tmp_path / "file" / "run", {})


# ------------------------------------------------------------------ planning


def test_planning_twice_adds_nothing(folder):
    with RunStore.open(folder, write=True) as store:
        assert store.plan([entrant("a"), entrant("b")], [plan("1"), plan("2"), plan("1")]) == 2
        first = list(store.matches())
        assert store.plan([entrant("a"), entrant("b"), entrant("c")], [plan("2"), plan("3"), plan("1")]) == 1
        assert [row.id for row in store.matches()] == ["m000001", "m000002", "m000003"]
        assert list(store.matches())[:2] == first
        assert [row["name"] for row in store.entrants()] == ["a", "b", "c"]
        assert store.status_counts() == {"scheduled": 3}
        assert store.pending() == ["m000001", "m000002", "m000003"]


def test_planning_is_all_or_nothing(folder):
    def interrupted():
        yield plan("1")
        raise KeyboardInterrupt

    with RunStore.open(folder, write=True) as store:
        with pytest.raises(KeyboardInterrupt):
            store.plan([entrant("a")], interrupted(), config={"seed": 2})
        store.add_entrants([entrant("b")])
        with pytest.raises(ConfigurationError, match="has an entrant 'b' with other settings"):
            store.plan([entrant("c"), entrant("b", depth=3)], [plan("1")])
        assert [row["name"] for row in store.entrants()] == ["b"]
        assert list(store.matches()) == []
        assert store.config == {"seed": 1}


def test_odd_names(folder):
    names = ["gpt_4", "gpt-4", "GPT_4", "ä ✨", "a/b:c=d,e=1", "'; drop table matches; --", "x" * 500, " "]
    seats = [{"X": first, "O": second} for first in names for second in names]
    with RunStore.open(folder, write=True) as store:
        plans = [MatchPlan(str(i), "tictactoe", {}, {}, "g", "l", "s", both) for i, both in enumerate(seats)]
        store.plan([entrant(name) for name in names], plans)
        assert [row["name"] for row in store.entrants()] == names
        assert [row.seats for row in store.matches()] == seats


def test_matches_by_status_and_by_id(folder):
    with RunStore.open(folder, write=True) as store:
        store.add_matches([plan("1", condition={"view": "list"}, options={"rows": 4}), plan("2")])
        row = store.match("m000001")
        assert (row.condition, row.options, row.seats) == ({"view": "list"}, {"rows": 4}, {"X": "a", "O": "b"})
        assert store.match("m999999") is None
        assert [row.key for row in store.matches(status=["scheduled"])] == ["1", "2"]
        assert list(store.matches(status=["finished"])) == []


def test_a_mistake_of_ours_is_not_blamed_on_the_disk(folder):
    with RunStore.open(folder, write=True) as store:
        store.add_matches([plan("1")])
        row = {**store.match("m000001")._asdict()}
        row.update(options="{}", condition="{}", seats="{}")
        with pytest.raises(InternalError, match="UNIQUE"):
            store.insert_finished([row])
