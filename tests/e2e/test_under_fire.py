"""Whole tournaments against a provider that fails in every way at once, checked against the provider's own log."""

from __future__ import annotations

import asyncio
import gc
import hashlib
import json
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from ludometer.analysis import run_counts
from ludometer.analysis.run import RunTables, load_tables
from ludometer.store import RunStore, schema
from ludometer.testing import FAULTS, Mix
from ludometer.testing.behaviours import behaviour, prompt_of
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import load_config, resume, start
from ludometer.tournaments.launch import verify

RETRIES = 2
GOOD = behaviour("tictactoe")
LATE = ("fell silent", "did not answer")
SIGNS = {  # what the log of a run says about a call, by the status or the words in it, for every fault
    "429": 429,
    "429-seconds": 429,
    "429-date": 429,
    "429-tomorrow": 429,
    "500": 500,
    "502": 502,
    "503": 503,
    "529": 529,
    "reset": "failed",
    "truncated": "failed",
    "silence": "late",
    "hang": "late",
    "drip": "late",
    "html": "no JSON",
    "no-body": "no JSON",
}
NAMES = {fault: name for name, fault in FAULTS.items()}


def answer(request: dict[str, Any]) -> str:
    """``good`` plays legal moves; ``poor`` answers every third question, the same ones every time, with rubbish."""
    digest = hashlib.sha256(f"{request['model']}{prompt_of(request)}".encode()).digest()
    if request["model"] == "poor" and digest[0] % 3 == 0:
        return "the middle, surely"
    said = GOOD(request)
    assert isinstance(said, str)
    return said


def table(url: str, repeats: int, **prompt: Any) -> dict[str, Any]:
    return {
        "game": "tictactoe",
        "players": ["fake/good", "fake/poor", "random"],
        "models": {"fake": {"base_url": url}},
        "factors": {"on_exhausted": ["forfeit", "cancel"]},
        "policy": {"attempts": 2},
        "prompt": {"retries": RETRIES, "max_retry_wait": 0.02, "concurrency": 1000, **prompt},
        "schedule": {"repeats": repeats},
        "concurrency": 1000,
        "seed": 5,
    }


def results(folder: Path) -> dict[str, tuple[Any, ...]]:
    """What came out of every match, and every answer that was judged, by what the schedule calls the match."""
    with RunStore.open(folder) as store:
        said: dict[str, list[Any]] = {}
        for row in store.rows(schema.attempts):
            said.setdefault(row["match"], []).append((row["ordinal"], row["seat"], row["status"], row["text"]))
        return {
            row.key: (row.status, row.ending, row.why, row.offender, row.scores, row.notation, said.get(row.id))
            for row in store.matches()
        }


def sign(failure: dict[str, Any]) -> int | str:
    if failure["status"] is not None:
        return int(failure["status"])
    for name, words in (("late", LATE), ("no JSON", ("no JSON",)), ("failed", ("connection to the provider failed",))):
        if any(word in failure["error"] for word in words):
            return name
    raise AssertionError(f"a failure of no known kind: {failure['error']}")


def judge(folder: Path, provider: FakeProvider) -> None:
    """The run's log and the server's tell the same story, and no outage counts for or against anybody."""
    with RunStore.open(folder) as store:
        matches = list(store.matches())
        exchanges, failures = store.rows(schema.exchanges), store.rows(schema.failures)
        attempts = store.rows(schema.attempts)
    # Every call is in both logs, once.
    assert len(exchanges) + len(failures) == len(provider.log)
    served = Counter(SIGNS[NAMES[call.fault]] for call in provider.log if call.fault is not None)
    told = Counter(sign(failure) for failure in failures)
    # A machine under load may be too late for an answer that was to arrive: that is a failed call, and no more.
    late = sum(call.fault is None for call in provider.log) - len(exchanges)
    assert late >= 0
    assert told - served == Counter({"late": late} if late else {})
    assert served - told == Counter()
    # A failed call is never an answer, and never an attempt of the model.
    assert {row["status"] for row in attempts} <= {"legal", "illegal", "invalid_format", "provider_error"}
    seats = {match.id: match.seats for match in matches}
    bad = {seats[row["match"]][row["seat"]] for row in attempts if row["status"] in ("illegal", "invalid_format")}
    assert bad <= {"fake/poor"}
    check_matches(matches, failures, attempts)


def check_matches(matches: list[Any], failures: list[dict[str, Any]], attempts: list[dict[str, Any]]) -> None:
    """Each match ended as it did for the right reason."""
    failed: dict[str, Counter[tuple[Any, ...]]] = {}
    final = {f["match"] for f in failures if f["status"] == 429}
    for f in failures:
        failed.setdefault(f["match"], Counter())[tuple(f[k] for k in ("step", "seat", "attempt", "n"))] += 1
    bad = Counter((row["match"], row["seat"]) for row in attempts if row["status"] in ("illegal", "invalid_format"))
    for match in matches:
        if match.status == "void":
            assert match.scores is None, "nothing is scored"
            assert match.why.startswith("provider: fake/")
            assert match.seats[match.offender] in ("fake/good", "fake/poor")
            # Either all tries were used up, or the provider asked to wait until tomorrow.
            assert max(failed[match.id].values()) > RETRIES or match.id in final
        elif match.status == "scheduled":
            assert match.scores is None and match.ending is None
        else:
            assert match.status == "finished"
            if match.ending == "completed":
                assert sum(match.scores.values()) == 1
                continue
            assert match.ending == {"forfeit": "forfeit", "cancel": "canceled"}[match.condition["on_exhausted"]]
            assert match.seats[match.offender] == "fake/poor", "whoever never answers wrongly never forfeits"
            assert bad[match.id, match.offender] >= 2


def play(folder: Path, provider: FakeProvider, repeats: int, **prompt: Any) -> Any:
    config = load_config(table(provider.url, repeats, **prompt))
    return asyncio.run(asyncio.wait_for(start(config, folder), 600))


def finish(folder: Path) -> int:
    """Resumes until all is played; tells how often."""
    for times in range(200):
        if asyncio.run(asyncio.wait_for(resume(folder), 600)).complete:
            return times + 1
    raise AssertionError("the run does not end")


def clean(folder: Path, repeats: int) -> tuple[dict[str, tuple[Any, ...]], int]:
    with in_thread(FakeProvider(answer, keep_requests=False)) as provider:
        assert play(folder, provider, repeats).complete
        return results(folder), provider.stats.answered


def check_against(expected: dict[str, tuple[Any, ...]], found: dict[str, tuple[Any, ...]]) -> int:
    """Of the finished matches, each is as it is without a failure; tells how many are not finished."""
    assert set(found) == set(expected)
    finished = {key: row for key, row in found.items() if row[0] == "finished"}
    for key, row in finished.items():
        assert judged(row) == judged(expected[key]), "an outage looks like a weakness"
    return len(found) - len(finished)


def tables_of(folder: Path) -> RunTables:
    with RunStore.open(folder) as store:
        return load_tables(store)


def scored(tables: RunTables) -> int:
    """Number of matches that count as played."""
    counts = run_counts(tables)
    return counts["completed"] + counts["forfeit"] + counts["canceled"]


def judged(row: tuple[Any, ...]) -> tuple[Any, ...]:
    """A result without the calls that failed, and the order of submission without gaps."""
    return *row[:-1], [said[1:] for said in sorted(row[-1]) if said[2] != "provider_error"]


# ------------------------------------------------------------------------------------------------ small ones

QUICK = {"total_timeout": 1.0, "idle_timeout": 0.3}
MIXES = {
    "refusals": "429,429-seconds,429-date,429-tomorrow",
    "errors": "500,502,503,529",
    "connections": "reset,truncated,hang,silence,drip",
    "nonsense": "html,no-body,truncated",
    "everything": ",".join(FAULTS),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    return clean(tmp_path_factory.mktemp("small") / "clean", 1)


def test_every_fault_has_a_sign():
    assert set(SIGNS) == set(FAULTS)


@pytest.mark.parametrize("rate", [0.05, pytest.param(0.2, marks=pytest.mark.slow), 0.5])
@pytest.mark.parametrize("mix", MIXES)
def test_a_mix_of_faults(tmp_path, small, mix, rate):
    expected, calls = small
    chosen = Mix.of(rate, MIXES[mix], seed=int(rate * 100))
    with in_thread(FakeProvider(answer, mix=chosen, keep_requests=False)) as provider:
        play(tmp_path / "run", provider, 1, **QUICK)
        judge(tmp_path / "run", provider)
        check_against(expected, results(tmp_path / "run"))
        assert asyncio.run(verify(tmp_path / "run")).problems == []
        provider.mix = Mix(0, ())
        finish(tmp_path / "run")
        judge(tmp_path / "run", provider)
        with RunStore.open(tmp_path / "run") as store:
            assert len(store.rows(schema.exchanges)) == calls, "what was answered is not asked again"
    assert check_against(expected, results(tmp_path / "run")) == 0


def test_an_outage_without_end_scores_nobody(tmp_path):
    with in_thread(FakeProvider(answer, mix=Mix.of(1, "503,reset,html"), keep_requests=False)) as provider:
        summary = play(tmp_path / "run", provider, 1, **QUICK)
        judge(tmp_path / "run", provider)
    assert not summary.complete and "no working provider" in summary.stopped
    tables = tables_of(tmp_path / "run")
    assert scored(tables) == 0
    assert not tables.matches.filter(like="score").notna().any(axis=None)


def test_faults_depend_on_the_seed_alone():
    def plan(seed: int) -> list[Any]:
        return [Mix.of(0.3, seed=seed).at(i) for i in range(300)]

    assert plan(1) == plan(1) != plan(2)
    assert 60 < sum(fault is not None for fault in plan(1)) < 120
    assert len({fault for fault in plan(1) if fault is not None}) == len(FAULTS)
    with pytest.raises(ValueError, match="no such fault: flood"):
        Mix.of(0.1, "429,flood")


# ------------------------------------------------------------------------------------------------ a thousand at once

PROC = Path("/proc/self")
needs_proc = pytest.mark.skipif(
    not (PROC / "fd").is_dir(), reason="counts handles and children in /proc, which only Linux has"
)


def held() -> tuple[int, int, int]:
    """Open file handles, threads and child processes of this process."""
    gc.collect()
    children = [path.read_text().split() for path in PROC.glob("task/*/children")]
    return len(list((PROC / "fd").iterdir())), threading.active_count(), sum(map(len, children))


def peak_of(work: Any) -> tuple[Any, float]:
    """What a function returns, and the most memory in use meanwhile, in MB."""
    (PROC / "clear_refs").write_text("5")
    found = work()
    line = next(line for line in (PROC / "status").read_text().splitlines() if line.startswith("VmHWM"))
    return found, int(line.split()[1]) / 1000


@needs_proc
@pytest.mark.slow
def test_a_thousand_matches_at_once(tmp_path):
    repeats, folder = 84, tmp_path / "run"
    (expected, calls), clean_peak = peak_of(lambda: clean(tmp_path / "clean", repeats))
    assert len(expected) >= 1000
    before = held()
    with in_thread(FakeProvider(answer, mix=Mix.of(0.3, seed=7), keep_requests=False)) as provider:
        summary, peak = peak_of(lambda: play(folder, provider, repeats, total_timeout=10.0, idle_timeout=4.0))
        assert not summary.complete and summary.void > 50
        assert len(provider.stats.faults) == len({fault.kind for fault in FAULTS.values()})
        judge(folder, provider)
        assert check_against(expected, results(folder)) == summary.total - summary.finished
        assert scored(tables_of(folder)) == summary.finished
        provider.mix = Mix(0, ())
        assert finish(folder) == 1, "one session without an outage is enough"
        judge(folder, provider)
    assert check_against(expected, results(folder)) == 0
    judged_again = asyncio.run(verify(folder))
    assert (judged_again.problems, judged_again.matches) == ([], len(expected))
    assert judged_again.calls == calls, "what was answered was not asked again"
    after = held()
    assert all(now <= then for now, then in zip(after, before, strict=True)), (before, after)
    assert peak < clean_peak + 150, f"{peak:.0f} MB under fire, {clean_peak:.0f} MB without"
    print(json.dumps({"matches": len(expected), "void": summary.void, "calls": len(provider.log), "peak": peak}))
