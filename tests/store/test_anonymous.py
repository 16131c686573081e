"""Exports without the names of people."""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path

import pytest

from ludometer.core import Decision, Turn
from ludometer.players.human import HumanPlayer
from ludometer.store import RunStore
from ludometer.store.anonymous import AnonymousRun, people_names
from ludometer.store.export import export
from ludometer.tournaments import load_config, start


def test_numbers_are_in_the_order_of_the_entrants() -> None:
    entrants = [
        {"name": "Zoe", "player": "human"},
        {"name": "random", "player": "random"},
        {"name": "person 2", "player": "random"},
        {"name": "Ada", "player": "human"},
    ]
    assert people_names(entrants) == {"Zoe": "person 1", "Ada": "person 3"}
    assert people_names([]) == {}


def test_every_place_of_a_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def act(player: HumanPlayer, turn: Turn) -> Decision:
        return Decision(turn.sample(turn.chance))

    monkeypatch.setattr(HumanPlayer, "act", act)
    config = load_config(
        {
            "game": "tictactoe",
            "players": [{"player": "human", "name": "Ada"}, "human", "random"],
            "schedule": {"kind": "gauntlet", "pool": ["Ada"]},
            "expected_order": [["random", "Ada"]],
        }
    )
    asyncio.run(start(config, tmp_path / "run"))
    with RunStore.open(tmp_path / "run") as store:
        hidden = AnonymousRun(store)
        assert [entrant["name"] for entrant in hidden.entrants()] == ["person 1", "person 2", "random"]
        assert hidden.config["players"] == [
            {"player": "human", "name": "person 1"},
            {"player": "human", "name": "person 2"},
            "random",
        ]
        assert hidden.config["schedule"]["pool"] == ["person 1"]
        assert hidden.config["expected_order"] == [["random", "person 1"]]
        assert {name for row in hidden.matches() for name in row.seats.values()} == {"person 1", "person 2", "random"}
        # The run itself is as it was.
        assert store.config["schedule"]["pool"] == ["Ada"]
        export(store, tmp_path / "out", anonymous=True)
        about = json.loads((tmp_path / "out" / "run.json").read_text(encoding="utf-8"))
        assert "Ada" not in json.dumps(about)
        assert "Ada" not in (tmp_path / "out" / "matches.jsonl").read_text(encoding="utf-8")
        export(store, tmp_path / "open")
        assert "Ada" in (tmp_path / "open" / "matches.jsonl").read_text(encoding="utf-8")


@pytest.mark.parametrize("sides", [{"challengers": ["Ada"]}, {"challengers": ["Ada"], "pool": ["Ada Byron", "random"]}])
def test_who_is_better_is_said_without_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sides: dict[str, list[str]]
) -> None:
    """A run that is decided says so with names, which an export without names must not repeat."""

    async def act(player: HumanPlayer, turn: Turn) -> Decision:
        return Decision(turn.sample(turn.chance))

    monkeypatch.setattr(HumanPlayer, "act", act)
    people = [{"player": "human", "name": name} for name in ("Ada", "Ada Byron")]
    config = load_config(
        {
            "game": "tictactoe",
            "players": [*people, "random"],
            "schedule": {"kind": "gauntlet", "repeats": 400, **sides},
            "stop_when": "all pairs decided",
            "stop_margin": 300,
        }
    )
    asyncio.run(start(config, tmp_path / "run"))
    with RunStore.open(tmp_path / "run") as store:
        kept, hidden = store.meta("decision"), AnonymousRun(store)
        assert kept is not None and "Ada Byron" in kept["why"] and "random" in kept["why"]
        said = hidden.meta("decision")
        assert said["matches"] == kept["matches"] and "Ada" not in said["why"]
        assert {"person 1", "person 2", "random"} <= set(re.findall(r"person \d|random", said["why"]))
        assert hidden.meta("created") == store.meta("created")
        for form in ("json", "csv", "txt"):
            for path in export(store, tmp_path / "out", form, anonymous=True):
                assert "Ada" not in path.read_text(encoding="utf-8")
