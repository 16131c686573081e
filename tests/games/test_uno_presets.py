"""The presets of the UNO study plan what they promise."""

from __future__ import annotations

import asyncio
from collections import Counter
from pathlib import Path

import pytest

from ludometer.store import RunStore
from ludometer.tournaments import start
from ludometer.tournaments.config import load_config
from ludometer.tournaments.schedule import schedule


def test_one_against_one_plays_every_deck_against_a_random_player_who_begins() -> None:
    plans = list(schedule(load_config("uno-arena-1v1")))
    assert {plan.seats["1"] for plan in plans} == {"random"}
    opponents = Counter(plan.seats["2"] for plan in plans)
    assert len(opponents) == 7 and set(opponents.values()) == {500}
    decks = {name: {plan.luck for plan in plans if plan.seats["2"] == name} for name in opponents}
    assert all(len(found) == 500 and found == decks["GPT-4"] for found in decks.values())


def test_five_sit_in_one_order_or_rotate() -> None:
    order = ("GPT-3.5", "GPT-4", "Gemini-Pro", "Llama 2", "ChatGLM3")
    plans = list(schedule(load_config("uno-arena-5")))
    assert Counter(tuple(plan.seats.values()) for plan in plans) == {order: 200}
    assert len({plan.luck for plan in plans}) == 200
    rotated = list(schedule(load_config("uno-arena-5", ["schedule.seating=rotated"])))
    assert Counter(tuple(p.seats.values()) for p in rotated) == {order[i:] + order[:i]: 200 for i in range(5)}
    assert set(Counter(plan.group for plan in rotated).values()) == {5}


def test_tutri_meets_the_same_model_on_every_deck_from_both_seats() -> None:
    plans = list(schedule(load_config("uno-arena-tutri")))
    assert Counter(tuple(plan.seats.values()) for plan in plans) == {
        ("vanilla", "TuTri"): 200,
        ("TuTri", "vanilla"): 200,
    }
    assert set(Counter(plan.luck for plan in plans).values()) == {2}
    once = list(schedule(load_config("uno-arena-tutri", ["schedule.seating=fixed"])))
    assert len(once) == len({plan.luck for plan in once}) == 200


def test_the_ablations_meet_the_same_player_on_the_same_decks() -> None:
    config = load_config("uno-arena-ablation")
    plans = list(schedule(config))
    assert len(plans) == 1200 and all("vanilla" in plan.seats.values() for plan in plans)
    assert set(Counter(plan.luck for plan in plans).values()) == {6}
    strategies = {entrant.name: entrant.spec.options.get("strategy") for entrant in config.entrants()}
    assert list(strategies.values()) == [None, "tutri", "tutri:history=false", "tutri:strategy=false"]


@pytest.mark.parametrize("name", ["uno-arena-1v1", "uno-arena-5"])
def test_they_run_with_built_in_players(name: str, tmp_path: Path) -> None:
    five = ", ".join(f'{{player="random", name="p{i}"}}' for i in range(4))
    config = load_config(name, [f'players=["random", {five}]', "schedule.repeats=2"])
    summary = asyncio.run(start(config, tmp_path / "run"))
    assert summary.finished == summary.total == (8 if name == "uno-arena-1v1" else 2) and summary.void == 0
    with RunStore.open(tmp_path / "run") as store:
        for row in store.matches():
            assert row.scores is not None and abs(sum(row.scores.values()) - 1) < 1e-9
