"""Comparisons of ways of thinking, against effects that were planted and sums by hand."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

from ludometer.analysis.reasoning import (
    chain_of_thought_effects,
    sections,
    thinking_against_prompting,
    ways_of_thinking,
)
from ludometer.ratings import MatchResult, ResultRow, count_results, rate
from ludometer.ratings.intervals import difference_errors
from ludometer.reports.game_sections import drawn, section_data
from ludometer.store import RunStore

OPPONENTS = ("random", "greedy")
STRATEGIES = ("plain", "chain_of_thought")
GAIN = {("lab/ann", "chain_of_thought"): 0.3, ("lab/ben", "chain_of_thought"): -0.25}
"""What thinking adds to the chance of a win."""


def entrant(name: str, **more: Any) -> dict[str, Any]:
    return {"name": name, "player": name, "options": {}, "family": None, "thinking": None, **more}


def finished(
    number: int, seats: tuple[str, str], score: float, group: str, condition: dict[str, Any]
) -> dict[str, Any]:
    return {
        "id": f"m{number:06d}",
        "number": number,
        "key": str(number),
        "game": "tictactoe",
        "options": "{}",
        "condition": json.dumps(condition),
        "group": group,
        "luck": group,
        "seed": group,
        "seats": json.dumps(dict(zip("XO", seats, strict=True))),
        "status": "finished",
        "ending": "completed",
        "why": "",
        "scores": json.dumps({"X": score, "O": 1 - score}),
        "moves": 5,
        "attempts": 5,
        "bad_attempts": 0,
        "substituted": 0,
        "notation": "",
        "started": 1.0,
        "finished": 2.0,
        "seconds": 1.0,
    }


def planted(strategy_as_factor: bool) -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    """Configuration, entrants and matches of two models that meet the same opponents with the same luck twice."""
    draw = np.random.default_rng(5)
    matches: list[dict[str, Any]] = []
    for model in ("lab/ann", "lab/ben"):
        for opponent in OPPONENTS:
            for repeat in range(20):
                luck = float(draw.random())
                for seat in (0, 1):
                    for strategy in STRATEGIES:
                        won = 0.6 * luck + 0.4 * float(draw.random()) < 0.5 + GAIN.get((model, strategy), 0.0)
                        name = model if strategy_as_factor else f"{model}:{strategy}"
                        seats = (name, opponent) if seat == 0 else (opponent, name)
                        condition = {"strategy": strategy} if strategy_as_factor else {}
                        group = f"{model}/{opponent}/{repeat}"
                        score = float(won) if seat == 0 else 1.0 - won
                        matches.append(finished(len(matches) + 1, seats, score, group, condition))
    models = [entrant("lab/ann"), entrant("lab/ben")]
    if not strategy_as_factor:
        models = [
            entrant(f"{one['player']}:{strategy}", player=one["player"], options={"strategy": strategy})
            for one in models
            for strategy in STRATEGIES
        ]
    config = {"name": "planted", "factors": {"strategy": list(STRATEGIES)} if strategy_as_factor else {}}
    return config, [*map(entrant, OPPONENTS), *models], matches


def run(
    folder: Path, config: dict[str, Any], entrants: list[dict[str, Any]], matches: list[dict[str, Any]]
) -> RunStore:
    store = RunStore.create(folder, config)
    store.add_entrants(entrants)
    store.insert_finished(matches)
    return store


@pytest.fixture(scope="module", params=[True, False], ids=["factor", "entrants"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    with run(tmp_path_factory.mktemp("reasoning") / "run", *planted(request.param)) as made:
        yield made


def by_hand(store: RunStore, model: str) -> tuple[float, float, int]:
    """Mean difference, its half width, and pairs, from the rows of the database alone."""
    cells: dict[tuple[str, str], dict[str, float]] = defaultdict(dict)
    for row in store.matches():
        for seat, name in row.seats.items():
            if name.startswith(model):
                strategy = row.condition.get("strategy") or name.removeprefix(f"{model}:")
                cells[row.group, seat][strategy] = (row.scores or {})[seat]
    pairs = [(group, cell["chain_of_thought"] - cell["plain"]) for (group, _), cell in cells.items()]
    middle = mean(difference for _, difference in pairs)
    sums: dict[str, float] = defaultdict(float)
    for group, difference in pairs:
        sums[group] += difference - middle
    c = len(sums)
    error = math.sqrt(c / (c - 1) * sum(s * s for s in sums.values())) / len(pairs)
    return middle, float(student.ppf(0.975, c - 1)) * error, len(pairs)


@pytest.mark.parametrize("model", ["lab/ann", "lab/ben"])
def test_score_changes_are_those_of_the_pairs(store: RunStore, model: str) -> None:
    frame = chain_of_thought_effects(store).set_index("name")
    row = frame.loc[model]
    middle, half, pairs = by_hand(store, model)
    assert (row["pairs"], row["games"]) == (pairs, 2 * pairs) == (80, 160)
    assert row["score"] == pytest.approx(middle)
    assert (row["score_low"], row["score_high"]) == pytest.approx((middle - half, middle + half))
    assert np.sign(row["score"]) == np.sign(GAIN[model, "chain_of_thought"])


def test_rating_changes_are_those_of_one_fit_of_all_arms(store: RunStore) -> None:
    results: list[ResultRow | MatchResult] = []
    for row in store.matches():
        strategy = row.condition.get("strategy")
        names = [name if strategy is None or name in OPPONENTS else f"{name}:{strategy}" for name in row.seats.values()]
        results.append(
            ResultRow(names[0], names[1], score_1=(row.scores or {})["X"], group=row.group, game="tictactoe")
        )
    fit = rate(count_results(results)[0], prior=200.0).fit
    frame = chain_of_thought_effects(store).set_index("name")
    for model in ("lab/ann", "lab/ben"):
        i, j = fit.index(f"{model}:plain"), fit.index(f"{model}:chain_of_thought")
        change, half = fit.points[j] - fit.points[i], 1.959964 * difference_errors(fit)[i, j]
        assert frame.loc[model, "change"] == pytest.approx(change, abs=0.05)
        assert frame.loc[model, "change_high"] == pytest.approx(change + half, abs=0.05)
        assert frame.loc[model, "change_low"] < frame.loc[model, "change"]


def test_the_section_shows_a_lollipop_per_model(store: RunStore) -> None:
    (section,) = sections(store)
    data = section_data(section)
    assert data["name"] == "chain-of-thought"
    (chart,) = data["figures"]
    assert chart["kind"] == "lollipops" and [row["name"] for row in chart["rows"]] == ["lab/ann", "lab/ben"]
    picture = str(drawn(chart))
    assert picture.count("<circle") == 2 and "160 games" in picture
    assert chart["rows"][0]["value"] > 0 > chart["rows"][1]["value"]


def test_a_run_of_one_way_has_no_section(tmp_path: Path) -> None:
    config, entrants, matches = planted(strategy_as_factor=False)
    plain = [one for one in matches if ":plain" in one["seats"]]
    with run(tmp_path / "run", config, [e for e in entrants if "chain" not in e["name"]], plain) as store:
        assert sections(store) == ()


# ------------------------------------------------------------------- thinking


def with_labels() -> tuple[dict[str, Any], list[dict[str, Any]], list[dict[str, Any]]]:
    entrants = [
        entrant("random"),
        entrant("a-direct", player="a/base", family="a"),
        entrant("a-chain", player="a/base", family="a", options={"strategy": "dspy:module=chain_of_thought"}),
        entrant("a-think", player="a/think", family="a", thinking="thinks"),
        entrant("b-chain", player="b/base", family="b", options={"strategy": "chain_of_thought:words=80"}),
        entrant("b-think", player="b/think", family="b", thinking="thinks", options={"strategy": "plain"}),
        entrant("c-think", player="c/think", family="c", thinking="thinks"),
    ]
    wins = {"a-direct": 10, "a-chain": 14, "a-think": 16, "b-chain": 9, "b-think": 6, "c-think": 5}
    matches = []
    for name, won in wins.items():
        for i in range(20):
            matches.append(finished(len(matches) + 1, (name, "random"), float(i < won), f"{name}/{i}", {}))
    return {"name": "thinking"}, entrants, matches


def test_ways_are_labels_and_strategies_by_family(tmp_path: Path) -> None:
    with run(tmp_path / "run", *with_labels()) as store:
        frame = ways_of_thinking(store).set_index(["family", "way"])
        shares = {key: (row["score"], row["games"]) for key, row in frame.iterrows()}
        assert shares == {
            ("a", "direct"): (0.5, 20),
            ("a", "chain of thought"): (0.7, 20),
            ("a", "thinks"): (0.8, 20),
            ("b", "chain of thought"): (0.45, 20),
            ("b", "thinks"): (0.3, 20),
            ("c", "thinks"): (0.25, 20),
        }
        assert (frame["low"] < frame["score"]).all() and (frame["score"] < frame["high"]).all()
        against = thinking_against_prompting(store).set_index("family")
        assert list(against.index) == ["a", "b"], "family c has no prompted player"
        assert against.loc["a", "change"] > 0 > against.loc["b", "change"]
        assert (against["change_low"] < against["change"]).all() and (against["games"] == 40).all()


def test_the_section_shows_bars_in_groups(tmp_path: Path) -> None:
    with run(tmp_path / "run", *with_labels()) as store:
        made = {section.name: section_data(section) for section in sections(store)}
        # The base model of family a plays directly and with dspy: two techniques, so no pair of the same kind.
        assert list(made) == ["thinking"]
        (chart,) = made["thinking"]["figures"]
        assert chart["kind"] == "bars" and len(chart["rows"]) == 6
        picture = str(drawn(chart))
        assert picture.count('fill-opacity="0.75"') == 6 and "80.0%" in picture


def test_the_label_decides_which_pairs_are_alike(tmp_path: Path) -> None:
    """A model that thinks itself and is prompted to, too, is compared with itself only."""
    config, entrants, matches = with_labels()
    both = entrant("b-both", player="b/think", family="b", thinking="thinks", options={"strategy": "chain_of_thought"})
    matches.append(finished(len(matches) + 1, ("b-both", "random"), 1.0, "both", {}))
    with run(tmp_path / "run", config, [*entrants, both], matches) as store:
        effects = chain_of_thought_effects(store)
        assert list(zip(effects["direct"], effects["chain"], strict=True)) == [("b-think", "b-both")]
        assert "thinks, chain of thought" in set(ways_of_thinking(store)["way"])
