"""``stop_when``: what is read, what counts, when a run ends, and that it stays so."""

from __future__ import annotations

import csv
import json
import shutil
import sqlite3
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.analysis import decided_pairs, leaderboard, load_tables, run_counts
from ludometer.core import ConfigurationError
from ludometer.reports.data import report_data
from ludometer.reports.page import page
from ludometer.store import MatchRow, RunStore
from ludometer.store.export import export
from ludometer.store.spared import shown_counts
from ludometer.tournaments import extend, load_config, resume, start, verify
from ludometer.tournaments.deciding import decided_by
from ludometer.tournaments.pair_scores import PairScores
from ludometer.tournaments.schedule import schedule as plans_of
from ludometer.tournaments.stop_rule import StopRule, parse_stop_rule
from ludometer.tournaments.stopping import decision_of, pair_rows, stopping_rule

STRONG = ["perfect", "random"]


def config_of(rule: str | None = "all pairs decided", players: Sequence[Any] = STRONG, **settings: Any) -> Any:
    table = {"game": "tictactoe", "players": list(players), "stop_when": rule, "schedule": {"repeats": 200}}
    return load_config({**table, **settings})


def row(number: int, seats: Sequence[str], score: float | None = 1.0, **values: Any) -> MatchRow:
    """A finished match of a group that two neighbours share."""
    scores = None if score is None else {"X": score, "O": 1 - score}
    defaults: dict[str, Any] = {
        "id": f"m{number}",
        "number": number,
        "key": str(number),
        "game": "tictactoe",
        "options": {},
        "condition": {},
        "group": str((number + 1) // 2),
        "luck": "",
        "seed": "",
        "seats": dict(zip(("X", "O"), seats, strict=True)),
        "status": "finished",
        "ending": "completed",
        "scores": scores,
        "voids": 0,
    }
    return MatchRow(**dict.fromkeys(MatchRow._fields) | defaults | values)


def swapped(first: float = 1.0, second: float = 0.0, **values: Any) -> Iterator[MatchRow]:
    """Groups of two matches without end: scores of ``a`` are ``first`` and 1 - ``second``."""
    number = 1
    while True:
        yield row(number, ("a", "b"), first, **values)
        yield row(number + 1, ("b", "a"), second, **values)
        number += 2


# ------------------------------------------------------------------- what is read


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("top-1 decided", StopRule("top")),
        ("all pairs decided", StopRule("pairs")),
        ("  all  pairs decided ", StopRule("pairs")),
        ("interval <= 30", StopRule("interval", 30.0)),
        ("interval<=12.5", StopRule("interval", 12.5)),
    ],
)
def test_rules(text: str, rule: StopRule) -> None:
    assert parse_stop_rule(text) == rule
    assert parse_stop_rule(str(rule)) == rule
    assert load_config({"game": "nim", "stop_when": text}).stop_when == str(rule)


@pytest.mark.parametrize(
    "text",
    ["", "top-2 decided", "interval < 30", "interval <= 0", "interval <= 0.00001", "interval <= 123456789", "never"],
)
def test_what_is_no_rule(text: str) -> None:
    with pytest.raises(ConfigurationError, match="stop_when"):
        load_config({"game": "nim", "stop_when": text})


@pytest.mark.parametrize("margin", [0, -5, 1000, float("inf"), float("nan")])
def test_what_is_no_margin(margin: float) -> None:
    with pytest.raises(ConfigurationError, match="stop_margin"):
        load_config({"game": "nim", "stop_margin": margin})


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"schedule": {"seating": "fixed"}}, "change seats"),
        ({"game": "uno", "schedule": {"seats": 3}, "players": ["random", "random:x=1"]}, "games of two"),
        ({"schedule": {"kind": "gauntlet", "pool": ["random"]}, "stop_when": "top-1 decided"}, "every pair to meet"),
        ({"schedule": {"kind": "swiss", "rounds": 3}}, "every pair to meet"),
        ({"players": ["random"], "schedule": {"self_play": True}}, "give two or more"),
    ],
)
def test_schedules_that_cannot_decide(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(ConfigurationError, match=sentence):
        stopping_rule(config_of(**{"rule": settings.pop("stop_when", "all pairs decided"), **settings}))


def test_without_a_rule_nothing_is_decided() -> None:
    assert stopping_rule(config_of(None)) is None
    assert decision_of(config_of(None), [row(1, ("perfect", "random"))]) is None


# -------------------------------------------------------------------- what counts


def scores(rows: Sequence[MatchRow], games: int = 1) -> list[float]:
    pairs = PairScores(games)
    return [score.value for match in rows for score in pairs.see(match)]


def test_a_score_is_the_mean_of_both_seats() -> None:
    both = [row(1, ("a", "b"), 1.0), row(2, ("b", "a"), 0.5)]
    assert scores(both) == [0.75]
    assert scores([row(1, ("b", "a"), 1.0), row(2, ("a", "b"), 1.0)]) == [0.5]
    assert scores(both[:1]) == []
    assert scores([row(1, ("a", "a")), row(2, ("a", "a"))]) == []


def test_who_is_at_fault_has_lost_and_nobody_gains_by_a_canceled_match() -> None:
    lost = row(1, ("a", "b"), None, ending="forfeit", offender="X")
    assert scores([lost, row(2, ("b", "a"), 0.0)]) == [0.5]
    assert scores([lost, row(2, ("b", "a"), None, ending="canceled", offender="X")]) == [0.5]
    assert scores([lost, row(2, ("b", "a"), None, ending="canceled")]) == [0.25]


def test_a_group_that_was_ever_void_is_passed_over() -> None:
    good = [row(3, ("a", "b"), 1.0), row(4, ("b", "a"), 0.0)]
    assert scores([row(1, ("a", "b"), voids=1), row(2, ("b", "a"), 0.0), *good]) == [1.0]
    assert scores([row(1, ("a", "b")), row(2, ("b", "a"), None, status="void", voids=2), *good]) == [1.0]


def test_several_games_make_one_score() -> None:
    rows = [
        row(1, ("a", "b"), 1.0),
        row(2, ("b", "a"), 0.0),
        row(3, ("a", "b"), 0.0, game="nim"),
        row(4, ("b", "a"), 0.5, game="nim"),
    ]
    assert scores(rows[:2], games=2) == []
    assert scores(rows, games=2) == [pytest.approx(2.5 / 4)]


@given(st.permutations(range(6)))
def test_only_the_order_of_the_schedule_counts(order: list[int]) -> None:
    """Whatever order matches end in, they are seen in that of their numbers, and open ones hold up what is behind."""
    matches = [next(swapped())._replace(number=i, id=str(i)) for i in range(6)]
    open_ones = set(order[:2])
    rows = [m._replace(status="running") if i in open_ones else m for i, m in enumerate(matches)]

    class Seen(list):
        def see(self, match: MatchRow) -> None:
            self.append(match.number)

    seen = Seen()
    decided_by(seen, rows)
    assert seen == list(range(min(open_ones)))


# ------------------------------------------------------------------ when it ends


def decided(rule: str, rows: Iterator[MatchRow], most: int = 3000, **settings: Any) -> tuple[str, int] | None:
    settings.setdefault("players", [{"player": "random", "name": "a"}, {"player": "random", "name": "b"}])
    found = decision_of(config_of(rule, **settings), [next(rows) for _ in range(most)])
    return None if found is None else (found.why, found.matches)


def test_a_sweep_is_decided_by_the_first_group_that_can() -> None:
    """Eight pairs won in a row have a probability of 2^-8 < 0.025 / 4 among equals; fewer than six of 1/64 > 0.01."""
    why, matches = decided("all pairs decided", swapped()) or ("", 0)
    assert why == "all pairs decided: a is better than b"
    assert 12 <= matches <= 16 and matches % 2 == 0
    assert decided("all pairs decided", swapped(), most=matches - 1) is None
    assert decided("top-1 decided", swapped(0.0, 1.0)) == ("top-1 decided: b is better than the other one", matches)


def test_equals_are_told_to_be_alike() -> None:
    why, matches = decided("all pairs decided", swapped(0.5, 0.5)) or ("", 0)
    assert why == "all pairs decided: a and b are not told apart, the difference is at most 50 Elo"
    _, wide = decided("all pairs decided", swapped(0.5, 0.5), stop_margin=100) or ("", 0)
    assert wide < matches
    why, _ = decided("top-1 decided", swapped(0.5, 0.5)) or ("", 0)
    assert "nobody is better than a by more than 50 Elo; not told apart from it: b" in why


def test_every_condition_must_be_decided() -> None:
    factors = {"view": ["list", "grid"]}

    def rows(second: bool) -> Iterator[MatchRow]:
        sources = [swapped(condition={"view": "list"}), swapped(condition={"view": "grid"}, first=1.0)]
        while True:
            for source in sources if second else sources[:1]:
                yield next(source)

    assert decided("top-1 decided", rows(False), factors=factors) is None
    why, _ = decided("top-1 decided", rows(True), factors=factors) or ("", 0)
    assert "with view = list, a is better" in why and "with view = grid, a is better" in why


def test_narrow_intervals() -> None:
    def mixed() -> Iterator[MatchRow]:
        source = swapped(), swapped(0.0, 0.0), swapped(0.0, 1.0), swapped(0.5, 1.0)
        while True:
            for each in source:
                yield next(each)
                yield next(each)

    def numbered() -> Iterator[MatchRow]:
        for number, match in enumerate(mixed(), 1):
            yield match._replace(number=number, id=str(number), group=str((number + 1) // 2))

    why, matches = decided("interval <= 30", numbered(), most=2000) or ("", 0)
    assert why.startswith("interval <= 30: the widest 95% interval is ± ")
    assert 20 < float(why.split("±")[1].split()[0]) <= 30
    _, later = decided("interval <= 20", numbered(), most=2000) or ("", 0)
    assert later == pytest.approx(matches * (30 / 20) ** 2, rel=0.25)


def test_intervals_of_pairs() -> None:
    config = config_of(players=[{"player": "random", "name": "a"}, {"player": "random", "name": "b"}])
    (nothing,) = pair_rows(config, [])
    assert (nothing.groups, nothing.score, nothing.verdict) == (0, None, "open")
    matches = swapped()
    (found,) = pair_rows(config, [next(matches) for _ in range(40)])
    assert (found.one, found.groups, found.score, found.verdict) == ("a", 20, 1.0, "first")
    assert 0 < found.low < found.high


# ---------------------------------------------------------------------- as a run


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import asyncio

    folder = tmp_path_factory.mktemp("stopped") / "run"
    summary = asyncio.run(start(config_of(concurrency=4), folder))
    assert summary.complete and summary.stopped is None
    assert summary.decided == "all pairs decided: perfect is better than random"
    assert summary.not_needed == summary.total - summary.finished > 300 and summary.open == 0
    return folder


def test_what_was_not_needed_is_counted_apart(stopped: Path) -> None:
    with RunStore.open(stopped) as store:
        tables = load_tables(store)
        counts = run_counts(tables)
        assert counts["unfinished"] == 0 and counts["void"] == 0
        assert counts["not needed"] == counts["total"] - counts["completed"] > 300
        board = leaderboard(tables)
        assert board["unfinished"].sum() == 0 and board["games"].sum() == 2 * counts["completed"]
        (pair,) = decided_pairs(store).to_dict("records")
        assert (pair["one"], pair["verdict"]) == ("perfect", "first") and pair["low"] > 0
        data = report_data(store)
    assert data["decision"]["why"] == "all pairs decided: perfect is better than random"
    shown = page(data)
    assert "perfect is better than random" in shown and "not needed" in shown
    assert "Not all matches are finished" not in shown


def test_a_decided_run_has_nothing_to_resume(kit: Any, stopped: Path) -> None:
    before = kit.results(stopped)
    summary = kit.run(resume(stopped))
    assert summary.complete and summary.decided is not None and summary.totals.calls == 0
    assert kit.results(stopped) == before
    assert kit.run(verify(stopped)).problems == []


@pytest.mark.parametrize("concurrency", [1, 3, 50])
def test_how_many_are_at_play_changes_nothing(kit: Any, tmp_path: Path, stopped: Path, concurrency: int) -> None:
    kit.run(start(config_of(concurrency=concurrency), tmp_path / "run"))
    recorded = []
    for folder in (stopped, tmp_path / "run"):
        with RunStore.open(folder) as store:
            recorded.append(store.meta("decision"))
    assert recorded[0] == recorded[1]


def test_stopped_anywhere_it_ends_at_the_same_match(kit: Any, tmp_path: Path, stopped: Path) -> None:
    def stopping(runner: Any) -> None:
        runner.on_attempt = lambda match, attempt: runner.stop("for the test")

    folder = tmp_path / "run"
    summary = kit.run(start(config_of(concurrency=2), folder, on_start=stopping))
    sessions = 1
    while not summary.complete:
        summary = kit.run(resume(folder, on_start=stopping))
        sessions += 1
    assert sessions > 5
    with RunStore.open(folder) as store, RunStore.open(stopped) as other:
        assert store.meta("decision") == other.meta("decision")


def test_more_players_open_the_question_again(kit: Any, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    kit.run(start(config_of(), folder))
    summary = kit.run(extend(folder, players=["greedy"]))
    assert summary.complete and summary.decided is not None
    assert "of 3 told apart" in summary.decided
    with RunStore.open(folder) as store:
        played = {tuple(sorted(match.seats.values())) for match in store.matches() if match.status == "finished"}
    assert len(played) == 3
    assert kit.run(verify(folder)).problems == []


def test_a_decided_run_may_be_played_on(kit: Any, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    kit.run(start(config_of(schedule={"repeats": 40}), folder))
    with pytest.raises(ConfigurationError, match="no rule for stopping"):
        kit.run(resume(folder, stop_when="soon"))
    narrow = kit.run(resume(folder, stop_when="interval <= 250"))
    assert narrow.complete and narrow.decided is not None and narrow.decided.startswith("interval <= 250")
    whole = kit.run(resume(folder, stop_when="never"))
    assert whole.complete and whole.decided is None and whole.finished == 80
    with RunStore.open(folder) as store:
        assert store.meta("decision") is None and run_counts(store)["completed"] == 80
    assert kit.run(verify(folder)).problems == []


def test_a_schedule_may_end_before_anything_is_decided(kit: Any, tmp_path: Path) -> None:
    twins = ["random", {"player": "random", "name": "twin"}]
    summary = kit.run(start(config_of(players=twins, schedule={"repeats": 3}), tmp_path / "run"))
    assert summary.complete and summary.decided is None and summary.not_needed == 0
    with RunStore.open(tmp_path / "run") as store:
        assert "not needed" not in run_counts(store) and store.meta("decision") is None


def test_a_void_match_of_a_decided_run_stays_void_everywhere(kit: Any, tmp_path: Path, stopped: Path) -> None:
    """That a provider failed is worth knowing; a decided run does not wait for it."""
    from click.testing import CliRunner

    from ludometer.cli.main import cli

    folder = tmp_path / "run"
    shutil.copytree(stopped, folder)
    with sqlite3.connect(folder / "run.sqlite") as database:
        sentence = "UPDATE matches SET status = 'void', ending = 'void', why = 'down', voids = 2 WHERE number >= 399"
        database.execute(sentence)
    summary = kit.run(resume(folder))
    assert summary.complete and (summary.void, summary.open) == (2, 0)
    expected = {"finished": summary.finished, "void": 2, "not needed": summary.not_needed}
    assert sum(expected.values()) == summary.total == 400

    with RunStore.open(folder) as store:
        assert dict(shown_counts(store)) == expected
        counts = run_counts(store)
        assert (counts["void"], counts["not needed"]) == (2, summary.not_needed)
        shown = page(report_data(store))
        assert f"{summary.not_needed} matches are not needed" in shown and "a resume takes them up again" not in shown
        export(store, tmp_path / "out", "csv")
    with (tmp_path / "out" / "matches.csv").open(encoding="utf-8", newline="") as file:
        assert Counter(row["status"] for row in csv.DictReader(file)) == expected

    def said(*arguments: str) -> Any:
        return CliRunner().invoke(cli, [*arguments, str(folder)])

    judged = json.loads(said("verify", "--json").stdout)
    assert (judged["void"], judged["not_needed"], judged["problems"]) == (2, summary.not_needed, [])
    words = said("verify").stdout
    assert f"{summary.not_needed} matches are not needed" in words and "2 matches are void" in words
    resumed = json.loads(said("resume", "--json").stdout)
    assert (resumed["void"], resumed["not_needed"]) == (2, summary.not_needed)
    assert f"2 void, {summary.not_needed} not needed" in said("resume").stderr


GAUNTLETS = [
    {"challengers": ["perfect"]},
    {"pool": ["greedy", "random"]},
    {"challengers": ["perfect"], "pool": ["random"]},
]


@pytest.mark.parametrize("sides", GAUNTLETS, ids=["challengers", "pool", "both"])
@pytest.mark.parametrize("rule", ["all pairs decided", "interval <= 300"])
def test_a_gauntlet_is_decided_by_the_pairs_that_meet(
    kit: Any, tmp_path: Path, sides: dict[str, Any], rule: str
) -> None:
    schedule = {"kind": "gauntlet", "repeats": 200, **sides}
    config = config_of(rule, players=["perfect", "random", "greedy"], schedule=schedule, stop_margin=100)
    met = {frozenset(dict(plan.seats).values()) for plan in plans_of(config)}
    assert {frozenset((row.one, row.other)) for row in pair_rows(config, [])} == met
    summary = kit.run(start(config, tmp_path / "run"))
    assert summary.decided is not None and summary.not_needed > 100
    assert kit.run(verify(tmp_path / "run")).problems == []


def test_verify_makes_the_decision_again(kit: Any, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    kit.run(start(config_of(), folder))
    with RunStore.open(folder) as store:
        recorded = store.meta("decision")
    for changed, sentence in (
        ({**recorded, "matches": recorded["matches"] + 2}, "is decided after"),
        ({**recorded, "why": "all pairs decided: random is better than perfect"}, "and is decided after"),
    ):
        with sqlite3.connect(folder / "run.sqlite") as database:
            database.execute("UPDATE meta SET value = ? WHERE key = 'decision'", [json.dumps(changed)])
        (problem,) = kit.run(verify(folder)).problems
        assert sentence in problem
    with sqlite3.connect(folder / "run.sqlite") as database:
        database.execute("UPDATE meta SET value = ? WHERE key = 'decision'", [json.dumps(recorded)])
        database.execute("UPDATE matches SET status = 'scheduled' WHERE number = 3")
    assert any("which its results do not say" in problem for problem in kit.run(verify(folder)).problems)


def test_an_adaptive_schedule_stops_too(kit: Any, tmp_path: Path) -> None:
    config = config_of(players=["perfect", "random", "greedy"], schedule={"kind": "adaptive", "games": 600})
    summary = kit.run(start(config, tmp_path / "run"))
    assert summary.complete and summary.decided is not None and summary.finished < 600
    assert kit.run(verify(tmp_path / "run")).problems == []


def test_an_outage_does_not_hold_up_the_decision(kit: Any, tmp_path: Path) -> None:
    """One match is void, and stays so: the run is decided all the same, and its group is no evidence."""
    matches = swapped()
    rows = [next(matches) for _ in range(100)]
    config = config_of(players=[{"player": "random", "name": "a"}, {"player": "random", "name": "b"}])
    undisturbed = decision_of(config, rows)
    assert undisturbed is not None
    for status in ("void", "running", "finished"):  # whatever becomes of it
        disturbed = [m._replace(status=status, voids=1) if m.number == 3 else m for m in rows]
        found = decision_of(config, disturbed)
        assert found is not None and found.matches == undisturbed.matches + 2
    waiting = [m._replace(status="running") if m.number == 3 else m for m in rows]
    assert decision_of(config, waiting) is None
