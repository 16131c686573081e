from __future__ import annotations

import sys
import types
from importlib.metadata import EntryPoint
from pathlib import Path

import pandas as pd
import pytest

from ludometer.analysis import sections as hook
from ludometer.analysis.sections import Column, Section, Whisker, game_sections, whiskers_of
from ludometer.store import RunStore

SECTION = Section("luck", "Luck", "What dice did.")


@pytest.fixture
def store(tmp_path: Path) -> RunStore:
    return RunStore.create(tmp_path / "run", {})


def test_a_module_of_the_folder_is_found_by_its_function(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("ludometer.analysis.made_up")
    exec("def sections(store):\n    return [store]\n", module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    infos = [types.SimpleNamespace(name=name) for name in ("ludometer.analysis.wins", module.__name__)]
    monkeypatch.setattr(hook.pkgutil, "iter_modules", lambda path, prefix: infos)
    assert game_sections(store) == [store]


def test_a_run_without_such_a_game_has_no_section_and_imports_nothing_heavy(store: RunStore) -> None:
    assert game_sections(store) == []


def test_a_plug_in_adds_sections_and_a_broken_one_is_skipped(store: RunStore, monkeypatch: pytest.MonkeyPatch) -> None:
    good, bad = types.ModuleType("good_plug_in"), types.ModuleType("bad_plug_in")
    good.sections = lambda store: [SECTION, "no section"]  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "good_plug_in", good)
    monkeypatch.setitem(sys.modules, "bad_plug_in", bad)
    points = [EntryPoint(name, f"{name}_plug_in", "ludometer.sections") for name in ("good", "bad")]
    monkeypatch.setattr(hook, "entry_points", lambda group: points)
    with pytest.warns(UserWarning, match="'bad'"):
        assert game_sections(store) == [SECTION]


def test_whiskers_take_what_a_column_names() -> None:
    frame = pd.DataFrame(
        {"who": ["a", "b", "c"], "x": [1.5, None, 2], "lo": [1, 1, None], "hi": [2, 2, 3], "n": [1200, 2, 3]}
    )
    rows = whiskers_of(frame, "who", Column("x", "X", low="lo", high="hi", n="n"), "hands")
    assert rows == (Whisker("a", 1.5, 1.0, 2.0, "1,200 hands"), Whisker("c", 2.0, None, 3.0, "3 hands"))
    assert whiskers_of(frame, "who", Column("x", "X"))[0] == Whisker("a", 1.5, None, None, "")
