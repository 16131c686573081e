"""Estimates from a pilot: what is played, what is kept, and whether ranges hold what comes."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ludometer.core import ConfigurationError
from ludometer.ratings import Games, rate
from ludometer.store import RunStore
from ludometer.tournaments import load_config, resume, start, verify
from ludometer.tournaments.estimate import estimate
from ludometer.tournaments.games_needed import games_needed
from ludometer.tournaments.pilot import chosen_matches, play_pilot, predict
from ludometer.tournaments.prediction import design_of, half_width, predicted_total, relative_values

PRICE = {"price": {"input": 1.0, "output": 4.0}, "max_retry_wait": 0.02}


def table(kit: Any, url: str, **settings: Any) -> dict[str, Any]:
    players = ["fake/a", {"player": "fake/a:strategy=vote:k=3", "name": "voter"}, "random"]
    return kit.table_for(url, players=players, prompt=PRICE, schedule={"repeats": 6}, **settings)


def test_a_pilot_is_the_beginning_of_the_run(kit: Any, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with kit.provider() as provider:
        config = load_config(table(kit, provider.url))
        kit.run(play_pilot(config, folder, 4))
        asked = provider.stats()["calls"]
        with RunStore.open(folder) as store:
            rows = list(store.matches())
            found = predict(store, 30.0)
        played = {row.id for row in rows if row.status == "finished"}
        assert len(played) == 4 and len(rows) == 36
        assert {name for row in rows if row.id in played for name in row.seats.values()} >= {"fake/a", "voter"}
        assert asked == found.spent["calls"] == kit.recorded_calls(folder) > 0

        kit.run(play_pilot(config, folder, 4))  # so many are played already: nobody is asked again
        assert provider.stats()["calls"] == asked

        summary = kit.run(start(config, folder))  # goes on instead of refusing the folder
        assert summary.complete and summary.total == 36
        assert provider.stats()["calls"] == kit.recorded_calls(folder)
        with RunStore.open(folder) as store:
            assert {row.id for row in store.matches() if row.id in played and row.status == "finished"} == played
            whole = predict(store)
    assert kit.run(verify(folder)).problems == []
    for before, after in zip(found.models, whole.models, strict=True):
        assert before.name == after.name and after.matches == 24
        assert after.calls.low == after.calls.high and before.calls.low <= after.calls.low <= before.calls.high
        assert before.cost is not None and after.cost is not None
        assert before.cost.low <= after.cost.low <= before.cost.high
    plain, voter = whole.models
    assert voter.calls.low > 2 * plain.calls.low  # three calls per decision


@pytest.mark.parametrize(
    ("schedule", "batch", "total"),
    [({"kind": "adaptive", "games": 36}, 6, 36), ({"kind": "swiss", "rounds": 3, "repeats": 3}, 6, 18)],
    ids=["adaptive", "swiss"],
)
def test_of_a_schedule_that_grows_all_is_estimated(
    kit: Any, tmp_path: Path, schedule: dict[str, Any], batch: int, total: int
) -> None:
    """Its later batches are not planned yet, and are in the estimate all the same."""
    with kit.provider() as provider:
        config = load_config({**table(kit, provider.url), "schedule": schedule})
        kit.run(play_pilot(config, tmp_path / "run", 4))
        with RunStore.open(tmp_path / "run") as store:
            planned, found = sum(store.status_counts().values()), predict(store, 60.0)
        assert planned == batch
        assert (found.matches, found.games) == (total, 4) and found.total is not None
        assert (found.total.matches, found.total.games) == (total, 4)
        seats = 2 * total  # every match has two seats, and only one entrant is no model
        assert seats / 2 <= sum(model.matches for model in found.models) <= seats
        expected = estimate(config)
        assert {m.name: m.matches for m in found.models} == pytest.approx(
            {m.name: m.matches for m in expected.models}, abs=8
        )
        assert found.needed is not None and found.needed.as_scheduled.value < 400
        kit.run(resume(tmp_path / "run"))
        with RunStore.open(tmp_path / "run") as store:
            whole = predict(store)
    assert (whole.matches, whole.games) == (total, total)
    assert all(model.calls.low == model.calls.high for model in whole.models)


def test_what_a_rule_for_stopping_may_spare_is_said(kit: Any, tmp_path: Path) -> None:
    said = 'the whole schedule is counted; stop_when = "all pairs decided" may end the run sooner'
    players = ["fake/a", "perfect"]
    with kit.provider() as provider:
        rules = {"stop_when": "all pairs decided", "stop_margin": 200, "players": players}
        config = load_config({**table(kit, provider.url), **rules, "schedule": {"repeats": 100}})
        assert said in estimate(config).notes
        kit.run(play_pilot(config, tmp_path / "run", 4))
        with RunStore.open(tmp_path / "run") as store:
            found = predict(store)
        assert found.matches == 200 and said in found.notes
        summary = kit.run(resume(tmp_path / "run"))
        with RunStore.open(tmp_path / "run") as store:
            decided = predict(store)
    assert summary.decided is not None and summary.finished < 200
    assert (decided.matches, decided.games) == (summary.finished, summary.finished) and said not in decided.notes
    assert decided.models[0].calls.low == decided.models[0].calls.high == decided.spent["calls"]


def test_resume_goes_on_with_a_pilot_too(kit: Any, tmp_path: Path) -> None:
    with kit.provider() as provider:
        kit.run(play_pilot(load_config(table(kit, provider.url)), tmp_path / "run", 2))
        assert kit.run(resume(tmp_path / "run")).complete


def test_another_configuration_is_refused(kit: Any, tmp_path: Path) -> None:
    with kit.provider() as provider:
        kit.run(play_pilot(load_config(table(kit, provider.url)), tmp_path / "run", 2))
        other = load_config(table(kit, provider.url, seed=7))
        with pytest.raises(ConfigurationError, match="another configuration"):
            kit.run(play_pilot(other, tmp_path / "run", 2))
        with pytest.raises(ConfigurationError, match="already holds a run"):
            kit.run(start(other, tmp_path / "run"))


def test_a_pilot_without_any_answer_has_nothing_to_say(kit: Any, tmp_path: Path) -> None:
    config = load_config(table(kit, "http://127.0.0.1:9/v1"))
    kit.run(play_pilot(config, tmp_path / "run", 2))
    with RunStore.open(tmp_path / "run") as store, pytest.raises(ConfigurationError, match="nothing to estimate"):
        predict(store)


def test_models_that_were_not_seen_are_estimated_blind(kit: Any, tmp_path: Path) -> None:
    with kit.provider() as provider:
        players = ["fake/a", "fake/b", "fake/c", "fake/d"]
        config = load_config(kit.table_for(provider.url, players=players, schedule={"repeats": 3}))
        kit.run(play_pilot(config, tmp_path / "run", 1))
        with RunStore.open(tmp_path / "run") as store:
            found = predict(store)
    blind = {model.name: model for model in estimate(config).models}
    unseen = [model for model in found.models if model.games == 0]
    assert len(unseen) == 2 and not any(model.from_pilot for model in unseen)
    for model in unseen:
        assert model.calls == blind[model.name].calls
    assert any("not seen in all of their games" in note for note in found.notes)


def test_strategies_are_counted_with_all_their_calls() -> None:
    def calls(strategy: str) -> tuple[float, float]:
        player = {"player": f"openai/gpt-5-mini:strategy={strategy}", "name": "model"}
        (model,) = estimate(load_config({"game": "tictactoe", "players": [player, "random"]})).models
        return model.calls.low, model.input_tokens.low / model.calls.low

    once, length = calls("plain")
    assert calls("vote:k=5") == pytest.approx((5 * once, length), rel=0.1)
    twice, longer = calls("chain_of_thought")
    assert twice == 2 * once and longer > 1.2 * length


OWN = """
async def strategy(conversation, turn, most: int = 3):
    for _ in range(1 + turn.step % most):
        answer = await conversation.ask()
    return conversation.read(answer)
"""
SAYS = """
def calls_per_decision(most: int = 3):
    return 1, most
"""


def test_a_strategy_of_ones_own_may_say_how_often_it_asks(tmp_path: Path) -> None:
    def calls(strategy: str, text: str) -> tuple[float, float, list[str]]:
        (tmp_path / strategy.partition(":")[0]).write_text(text, encoding="utf-8")
        player = {"player": "openai/gpt-5-mini", "name": "model", "strategy": f"{tmp_path}/{strategy}"}
        found = estimate(load_config({"game": "tictactoe", "players": [player, "random"], "policy": {"attempts": 1}}))
        (model,) = found.models
        said = [note.partition(": ")[2] for note in found.notes if note.startswith("strategy ")]
        return model.calls.low, model.calls.high, said

    once, _, said = calls("one.py:most=1", OWN + SAYS)
    assert said == []
    low, high, said = calls("up_to_five.py:most=5", OWN + SAYS)
    assert (low, high) == pytest.approx((once, 5 * once))
    assert said == ["1 to 5 calls for a decision"]
    low, high, said = calls("silent.py", OWN)
    assert once <= low < high <= 3 * once
    assert said == [
        "1 to 3 calls for a decision; it does not say how many at most: it was followed with a model that only listens"
    ]
    wrong = "def calls_per_decision(most: int = 3):\n    return most\n"
    with pytest.raises(ConfigurationError, match="calls_per_decision says no two numbers"):
        calls("wrong.py", OWN + wrong)


# ------------------------------------------------------------------ which matches


def test_a_pilot_shows_everybody_and_then_completes_groups(tmp_path: Path, kit: Any) -> None:
    config = load_config({"game": "tictactoe", "players": ["random", "greedy", "perfect"], "schedule": {"repeats": 9}})
    kit.run(start(config.model_copy(update={"stop_when": None}), tmp_path / "run"))
    with RunStore.open(tmp_path / "run") as store:
        rows = [row._replace(status="scheduled") for row in store.matches()]
    by_id = {row.id: row for row in rows}
    models = {"greedy", "perfect"}
    chosen = [by_id[i] for i in chosen_matches(rows, models, 6)]
    assert len(chosen) == 6 and all(models & set(row.seats.values()) for row in chosen)
    first = [name for row in chosen[:3] for name in row.seats.values() if name in models]
    assert min(first.count(name) for name in models) >= 2 or len(first) >= 4
    assert len({row.group for row in chosen}) < 6  # the later ones complete groups
    assert chosen_matches(rows, models, 6) == [row.id for row in chosen]
    assert chosen_matches(rows, models, 6, seed=1) != [row.id for row in chosen]
    assert chosen_matches(rows, set(), 10_000) and len(chosen_matches(rows, set(), 10_000)) == len(rows)
    done = [row._replace(status="finished") if row.id == chosen[0].id else row for row in rows]
    assert len(chosen_matches(done, models, 6)) == 5


# ------------------------------------------------------------------------ ranges


def test_a_range_by_hand() -> None:
    assert predicted_total([10.0, 10.0], 0, relative_values([[10.0, 10.0]]), 1) == (20.0, 20.0)
    assert predicted_total([10.0, 10.0], 8, relative_values([[10.0, 10.0]]), 1) == pytest.approx((100.0, 100.0))
    low, high = predicted_total([10.0], 9, relative_values([]), 0)
    assert (low, high) == (pytest.approx(10 + 30), pytest.approx(10 + 270))


@pytest.mark.parametrize("games", [4, 12])
def test_ranges_hold_what_comes(games: int) -> None:
    """Skewed lengths, three players: the total is in its 95% range in about 93% (± 2) of the cases."""
    rng = np.random.default_rng(games)
    held, cases = 0, 150
    for _ in range(cases):
        played = [rng.lognormal(3.0, 0.5, games).tolist() for _ in range(3)]
        low, high = predicted_total(played[0], 100, relative_values(played), 3)
        total = sum(played[0]) + rng.lognormal(3.0, 0.5, 100).sum()
        held += low <= total <= high
    assert held / cases >= 0.87


def test_design_by_hand() -> None:
    copies = design_of([[1.0, 1.0], [0.0, 0.0]] * 50)
    assert copies.duplicates.value == pytest.approx((100 * 2.0 + 4) / 104) and copies.draws.value == 0.0
    even = design_of([[1.0, 0.0], [0.0, 1.0]] * 50)
    assert even.duplicates.value == pytest.approx(4 / 104)
    assert design_of([[0.5, 0.5], [1.0, 0.0]] * 30).draws.value == 0.5
    assert design_of([]).games == 0


def test_the_half_width_is_that_of_the_fit() -> None:
    """Against ratings that are really fitted: five entrants, draws, independent games."""
    rng = np.random.default_rng(3)
    truth = np.array([0.8, 0.3, 0.0, -0.3, -0.8])
    nu, rows = 0.8, []
    for i in range(5):
        for j in range(5):
            if i != j:
                d = truth[i] - truth[j]
                weights = np.array([math.exp(d / 2), nu, math.exp(-d / 2)])
                rows += [(i, j, s) for s in rng.choice([1.0, 0.5, 0.0], 100, p=weights / weights.sum())]
    one, two, score = (np.array(column) for column in zip(*rows, strict=True))
    names = [f"e{i}" for i in range(5)]
    fitted = rate(Games.from_arrays(names, one, two, score), ties="davidson", prior=None, seat=False)
    widest = max((row.high - row.low) / 2 for row in fitted.rows)
    strengths = {name: 1500 + 400 / math.log(10) * x for name, x in zip(names, truth, strict=True)}
    games = {(names[i], names[j]): 200.0 for i in range(5) for j in range(i + 1, 5)}
    assert half_width(strengths, games, nu / (nu + 2), 1.0) == pytest.approx(widest, rel=0.08)
    assert half_width(strengths, games, nu / (nu + 2), 0.5) == pytest.approx(widest / math.sqrt(2), rel=0.08)


def test_games_needed_scale_with_the_square(kit: Any, tmp_path: Path) -> None:
    config = load_config({"game": "tictactoe", "players": ["random", "greedy"], "schedule": {"repeats": 30}})
    kit.run(start(config, tmp_path / "run"))
    with RunStore.open(tmp_path / "run") as store:
        rows = list(store.matches())
    wide, _ = games_needed(config, rows, 40.0)
    narrow, _ = games_needed(config, rows, 20.0)
    assert wide is not None and narrow is not None and wide.repeats is not None
    assert narrow.matches.value == pytest.approx(4 * wide.matches.value, rel=0.02)
    assert wide.matches.low <= wide.matches.value <= wide.matches.high
    assert wide.as_scheduled.value == pytest.approx(40.0 * math.sqrt(wide.matches.value / 60), rel=0.02)
    many = [row._replace(seats={"1": "a", "2": "b", "3": "c"}) for row in rows]
    assert games_needed(config, many, 40.0)[0] is None
