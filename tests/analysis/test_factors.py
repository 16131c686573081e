"""What the settings change, against effects that were planted and a computation of its own from the database's rows."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
from scipy.stats import t as student

from ludometer.analysis import RunTables, counted_games, factor_effects, level_estimates, load_tables
from ludometer.analysis.measures import seats_of
from ludometer.analysis.ratings import headline_scores
from ludometer.store import MatchPlan, RunStore, schema

MODELS = {"lab/ann", "lab/ben"}


def row(frame: Any, **where: Any) -> Any:
    for column, value in where.items():
        frame = frame[frame[column] == value]
    assert len(frame) == 1
    return frame.iloc[0]


def by_hand(
    store: RunStore, factor: str, level: str, baseline: str, value_of: Callable[[Mapping[str, Any], str], float | None]
) -> tuple[float, float, int, int]:
    """Mean difference, half width at 95%, pairs, and values left over, from the raw rows, for both models together.

    The standard error is that of a mean of cluster sums: sqrt(C / (C - 1) * sum of squared sums of deviations) / N.
    """
    cells: dict[tuple[Any, ...], dict[str, float]] = defaultdict(dict)
    for match in store.rows(schema.matches):
        condition = json.loads(match["condition"])
        others = tuple(sorted((key, name) for key, name in condition.items() if key != factor))
        for seat, name in json.loads(match["seats"]).items():
            value = value_of(match, seat) if match["status"] == "finished" and name in MODELS else None
            if value is not None:
                cells[match["group"], name, seat, others][condition[factor]] = value
    pairs = [(key[0], cell[level] - cell[baseline]) for key, cell in cells.items() if {level, baseline} <= cell.keys()]
    lonely = sum(len({level, baseline} & cell.keys()) == 1 for cell in cells.values())
    middle = mean(difference for _, difference in pairs)
    sums: dict[str, float] = defaultdict(float)
    for group, difference in pairs:
        sums[group] += difference - middle
    c = len(sums)
    error = math.sqrt(c / (c - 1) * sum(s * s for s in sums.values())) / len(pairs)
    return middle, float(student.ppf(0.975, c - 1)) * error, len(pairs), lonely


def of_rows(store: RunStore, table: Any, value: Callable[[list[dict[str, Any]]], float | None]) -> Any:
    found = defaultdict(list)
    for one in store.rows(table):
        found[one["match"], one["seat"]].append(one)
    return lambda match, seat: value(found[match["id"], seat]) if found[match["id"], seat] else None


def score(match: Mapping[str, Any], seat: str) -> float:
    return float(json.loads(match["scores"])[seat])


def legal_share(rows: list[dict[str, Any]]) -> float:
    return mean(row["status"] == "legal" for row in rows)


def tokens_per_turn(rows: list[dict[str, Any]]) -> float:
    return sum(row["output_tokens"] for row in rows) / len({row["step"] for row in rows})


@pytest.mark.parametrize(
    ("factor", "level", "baseline"),
    [("reasoning_effort", "high", "low"), ("reasoning_effort", "extreme", "low"), ("view", "image", "list")],
)
def test_effects_are_those_of_the_rows(planted: RunStore, factor: str, level: str, baseline: str) -> None:
    frame = factor_effects(planted)
    values = {
        "score": score,
        "validity": of_rows(planted, schema.attempts, legal_share),
        "output_tokens": of_rows(planted, schema.exchanges, tokens_per_turn),
        "cost": of_rows(planted, schema.exchanges, lambda rows: sum(r["cost"] for r in rows)),
        "latency": of_rows(planted, schema.exchanges, lambda rows: mean(r["latency"] for r in rows)),
    }
    for measure, value_of in values.items():
        middle, half, pairs, lonely = by_hand(planted, factor, level, baseline, value_of)
        found = row(frame, factor=factor, level=level, entrant="all", measure=measure)
        assert (found["baseline"], found["pairs"], found["unpaired"], found["groups"]) == (baseline, pairs, lonely, 48)
        assert found["difference"] == pytest.approx(middle)
        assert (found["low"], found["high"]) == pytest.approx((middle - half, middle + half))


def test_planted_effects_are_found(planted: RunStore) -> None:
    frame = factor_effects(planted)

    def interval(factor: str, level: str, measure: str) -> tuple[float, float]:
        found = row(frame, factor=factor, level=level, entrant="all", measure=measure)
        return found["low"], found["high"]

    low, high = interval("view", "image", "validity")
    assert low < -0.125 < high < 0  # half of the matches have three legal answers of four
    low, high = interval("view", "image", "score")
    assert low < 0 < high
    assert interval("reasoning_effort", "high", "score")[0] > 0.3
    # 800 more tokens in three turns, one of which is taken twice in a quarter of the matches.
    low, high = interval("reasoning_effort", "high", "output_tokens")
    assert low < 800 * (3 + 0.25) / 3 < high
    low, high = interval("reasoning_effort", "high", "validity")
    assert low < 0 < high


def test_leftovers_are_counted(planted: RunStore) -> None:
    """A void match of ann at low effort and an unfinished one at high effort leave four partners without a pair."""
    frame = factor_effects(planted)
    ann = {"entrant": "lab/ann", "measure": "score"}
    assert row(frame, factor="view", level="image", **ann)["unpaired"] == 2
    assert row(frame, factor="reasoning_effort", level="high", **ann)[["pairs", "unpaired"]].tolist() == [94, 2]
    assert row(frame, factor="reasoning_effort", level="extreme", **ann)[["pairs", "unpaired"]].tolist() == [95, 1]
    assert set(frame[frame["entrant"] == "lab/ben"]["unpaired"]) == {0}


def test_levels(planted: RunStore) -> None:
    frame = level_estimates(planted)
    assert set(frame["entrant"]) == {"lab/ann", "lab/ben", "all"}  # nobody asks the random player in words
    assert list(dict.fromkeys(frame[frame["factor"] == "reasoning_effort"]["level"])) == ["low", "high", "extreme"]
    low = row(frame, factor="reasoning_effort", level="low", entrant="lab/ann", measure="score")
    assert (low["matches"], low["left_out"], low["n"]) == (95, 1, 95)
    finished = {match["id"]: match for match in planted.rows(schema.matches) if match["status"] == "finished"}
    legal = [
        attempt["status"] == "legal"
        for attempt in planted.rows(schema.attempts)
        if attempt["match"] in finished and '"image"' in finished[attempt["match"]]["condition"]
    ]
    image = row(frame, factor="view", level="image", entrant="all", measure="validity")
    assert (image["n"], image["value"]) == (len(legal), pytest.approx(mean(legal)))
    assert image["low"] < image["value"] < image["high"]
    ben = row(frame, factor="view", level="image", entrant="lab/ben", measure="reasoning_tokens")
    assert ben["n"] == 0 and math.isnan(ben["value"])  # not reported is not 0


def test_headline_scores_are_those_that_count(tables: RunTables) -> None:
    games, _ = counted_games(tables)
    scores = headline_scores(tables.matches).dropna()
    assert sorted(scores) == sorted(games.score.tolist())


def made(folder: Path, plans: list[MatchPlan], results: Mapping[int, Mapping[str, Any]], config: Any) -> RunStore:
    store = RunStore.create(folder, config)
    names = dict.fromkeys(name for plan in plans for name in plan.seats.values())
    store.add_entrants([{"name": n, "player": n, "options": {}, "family": None, "thinking": None} for n in names])
    store.add_matches(plans)
    with store.engine.begin() as connection:
        for number, values in results.items():
            finished = {"status": "finished", "ending": "completed", **values}
            connection.execute(schema.matches.update().where(schema.matches.c.number == number).values(**finished))
    return store


def plan(key: int, group: str, first: str, second: str, **condition: Any) -> MatchPlan:
    return MatchPlan(str(key), "tictactoe", {}, condition, group, "l", f"s{key}", {"X": first, "O": second})


X_WINS, O_WINS, DRAW = ({"scores": json.dumps({"X": x, "O": 1 - x})} for x in (1.0, 0.0, 0.5))


def test_only_matches_that_differ_in_one_setting_make_a_pair(tmp_path: Path) -> None:
    plans = [
        plan(1, "g", "lab/a", "random", view="list", attempts=1),
        plan(2, "g", "lab/a", "random", view="image", attempts=2),  # two settings differ from 1
        plan(3, "h", "lab/a", "random", view="image", attempts=1),  # other luck
        plan(4, "g", "random", "lab/a", view="image", attempts=1),  # other seat
        plan(5, "i", "lab/a", "random", view="list", attempts=1),
        plan(6, "i", "lab/a", "random", view="image", attempts=1),  # with 5
        plan(7, "j", "random", "lab/a", view="list", attempts=1),
        plan(8, "j", "random", "lab/a", view="image", attempts=1),  # with 7
    ]
    results = dict.fromkeys((1, 2, 3, 4, 8), O_WINS) | dict.fromkeys((5, 7), DRAW) | {6: X_WINS}
    with made(tmp_path / "run", plans, results, {}) as store:
        found = row(factor_effects(store), factor="view", entrant="lab/a")
    assert (found["measure"], found["baseline"], found["pairs"], found["unpaired"]) == ("score", "list", 2, 4)
    assert found["difference"] == 0.5
    assert math.isnan(found["low"])  # both pairs differ by the same: nothing is known of the spread


def test_a_share_differs_by_one_at_most(tmp_path: Path) -> None:
    plans = [plan(2 * i + j, f"g{i}", "lab/a", "random", view=v) for i in range(2) for j, v in enumerate("ab")]
    results = {1: O_WINS, 2: X_WINS, 3: O_WINS, 4: DRAW}
    with made(tmp_path / "run", plans, results, {}) as store:
        found = row(factor_effects(store), entrant="lab/a")
    assert found[["difference", "low", "high"]].tolist() == [0.75, -1.0, 1.0]


def test_models_among_themselves_have_no_score_together(tmp_path: Path) -> None:
    plans = [plan(i, "g", "lab/a", "lab/b", view=view) for i, view in enumerate(("list", "image"))]
    with made(tmp_path / "run", plans, {1: O_WINS, 2: X_WINS}, {}) as store:
        frame = factor_effects(store)
    assert row(frame, entrant="lab/a")["difference"] == 1.0
    assert row(frame, entrant="lab/b")["difference"] == -1.0
    assert row(frame, entrant="all")["pairs"] == 0


def test_half_a_turns_tokens_are_no_turns_tokens(planted: RunStore) -> None:
    tables = load_tables(planted)
    calls = tables.exchanges
    twice = calls[calls["attempt"] == 1].iloc[0]
    silent = calls.copy()
    silent.loc[twice.name, "output_tokens"] = None
    before = level_estimates(tables)
    after = level_estimates(
        RunTables(tables.entrants, tables.config, tables.matches, tables.attempts, silent, tables.invalid)
    )
    where = {"factor": "view", "level": "image", "entrant": "all", "measure": "output_tokens"}
    assert row(after, **where)["n"] == row(before, **where)["n"] - 1


def test_levels_that_are_no_texts(tmp_path: Path) -> None:
    plans = [plan(i, "g", "lab/a", "random", temperature=value) for i, value in enumerate((0.5, 0, [1, 2]))]
    config = {"factors": {"temperature": [0, 0.5, [1, 2], 3]}}
    with made(tmp_path / "run", plans, dict.fromkeys((1, 2, 3), DRAW), config) as store:
        frame = factor_effects(store)
    assert list(frame["level"]) == ["0.5", "[1, 2]"] and set(frame["baseline"]) == {"0"}


def test_runs_that_vary_nothing_have_no_tables(tmp_path: Path) -> None:
    with made(tmp_path / "run", [plan(1, "g", "lab/a", "random")], {1: DRAW}, {}) as store:
        assert level_estimates(store).empty and factor_effects(store).empty
        seats = seats_of(load_tables(store))
    assert seats["score"].tolist() == [0.5, 0.5]
    with RunStore.create(tmp_path / "bare", {}) as store:
        assert level_estimates(store).empty and factor_effects(store).empty
