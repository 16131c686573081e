"""How fast the viewer answers over a large run: each route against a limit in the same run, printed and not asserted.

``python benchmarks/viewer.py [--matches 100000] [--keep FOLDER] [--out FILE]`` makes a run of that many matches of
tic-tac-toe (a small tournament of built-in players, whose matches are written over and over under new numbers, with a
rationale of 300 characters for every answer) and asks the application for pages of matches under every filter and
order. "first" is the processor time with nothing kept by the application (the operating system may have the file in
memory), "again" the median of five requests after it, and "waited" the time of the first one on the wall, which on a
busy machine says more of the machine.
"""

from __future__ import annotations

import argparse
import json
import platform
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import ludometer
from ludometer.store import RunStore, schema
from ludometer.web.facets import facets
from ludometer.web.matches import MatchFilter, match_page
from ludometer.web.replay import match_detail, position
from ludometer.web.runs import OpenRun
from ludometer.web.session import run_entry
from ludometer.web.walks import match_row_of

RESULTS = Path(__file__).parent / "results" / "viewer.json"
LIMIT = 0.3
"""Seconds for a first page."""
_BLOCK = 500

FILTERS = {
    "first page": MatchFilter(),
    "one player": MatchFilter(player="greedy"),
    "two players": MatchFilter(player="greedy", opponent="perfect"),
    "player's losses": MatchFilter(player="greedy", result="loss"),
    "rare result": MatchFilter(player="perfect", result="loss"),
    "by ending": MatchFilter(ending="the board is full"),
    "nothing fits": MatchFilter(status="void"),
    "kind of bad answer": MatchFilter(kind="already_taken"),
    "at least 9 moves": MatchFilter(min_moves=9),
    "longest first": MatchFilter(sort="moves", order="desc"),
    "latest first": MatchFilter(sort="finished", order="desc"),
    "last page": MatchFilter(order="desc"),
    "text that is common": MatchFilter(q="board"),
    "text that is nowhere": MatchFilter(q="no such words"),
}


def make(folder: Path, matches: int) -> None:
    """The run: see the module."""
    small = ludometer.run(
        {"game": "tictactoe", "players": ["random", "perfect", "greedy"], "schedule": {"repeats": 30}, "seed": 1},
        dir=folder.with_name("small"),
    )
    with RunStore.open(small.folder) as source:
        rows = source.rows(schema.matches)
        attempts: dict[str, list[dict[str, Any]]] = {}
        for attempt in source.rows(schema.attempts):
            attempts.setdefault(attempt["match"], []).append(attempt | {"rationale": "the board says so; " * 16})
        entrants, config = source.entrants(), source.config
    with RunStore.create(folder, config) as store:
        store.add_entrants(entrants)
        for start in range(0, matches, _BLOCK):
            numbers = range(start + 1, min(start + _BLOCK, matches) + 1)
            copies = [(number, rows[number % len(rows)]) for number in numbers]
            new = [row | {"id": f"m{n:06d}", "number": n, "key": f"k{n}", "group": f"g{n // 2}"} for n, row in copies]
            tried = [a | {"match": f"m{n:06d}"} for n, row in copies for a in attempts[row["id"]]]
            with store.engine.begin() as connection:
                connection.execute(sa.insert(schema.matches), new)
                connection.execute(sa.insert(schema.attempts), tried)


def seconds(work: Callable[[], object]) -> tuple[float, float]:
    """Processor time, and time on the wall."""
    begun, used = time.perf_counter(), time.process_time()
    work()
    return time.process_time() - used, time.perf_counter() - begun


def measured(folder: Path, work: Callable[[OpenRun], object]) -> dict[str, float]:
    """The first time, and the median of five more."""
    with RunStore.open(folder) as store:
        run = OpenRun("run", store)
        first, waited = seconds(lambda: work(run))
        again = statistics.median(seconds(lambda: work(run))[0] for _ in range(5))
    found = {"first": first, "again": again, "waited": waited, "first_against_limit": first / LIMIT}
    return {name: round(value, 4) for name, value in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--matches", type=int, default=100_000)
    parser.add_argument("--keep", type=Path, help="make the run here, or use the one that is here")
    parser.add_argument("--out", type=Path, default=RESULTS, help="where the JSON goes")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = (options.keep or Path(temporary)) / "large"
        if not folder.exists():
            make(folder, options.matches)
        found: dict[str, Any] = {}
        for name, wanted in FILTERS.items():
            found[name] = measured(folder, lambda run, wanted=wanted: match_page(run, wanted))  # type: ignore[misc]
        middle = f"m{options.matches // 2:06d}"
        found["a match"] = measured(folder, lambda run: match_detail(run, match_row_of(run, middle)))
        found["a position"] = measured(folder, lambda run: position(run, match_row_of(run, middle), 5, "full"))
        found["the run's entry"] = measured(folder, run_entry)
        found["its filters"] = measured(folder, facets)
        size = (folder / "run.sqlite").stat().st_size
    for name, one in found.items():
        print(
            f"{name}: {one['first']:.3f} s, again {one['again']:.3f} s; {one['first_against_limit']:.2f} of the limit"
        )
    result = {"python": platform.python_version(), "matches": options.matches, "mb": round(size / 1e6), "limit": LIMIT}
    options.out.parent.mkdir(parents=True, exist_ok=True)
    options.out.write_text(json.dumps(result | {"routes": found}, indent=2) + "\n")


if __name__ == "__main__":
    main()
