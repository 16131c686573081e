"""A pilot: a few games of a run, really played, to say what all of it will take. They are the run's own games: whoever
starts the run afterwards goes on from them, and nothing is paid twice."""

from __future__ import annotations

import json
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import sqlalchemy as sa

from ludometer.core import AnyGame, ConfigurationError, make_game
from ludometer.models import prices_version
from ludometer.store import MatchRow, RunStore, schema
from ludometer.store.database import DATABASE
from ludometer.store.spared import is_decided
from ludometer.tournaments.config import RunConfig, load_config
from ludometer.tournaments.estimate import ModelSeats, Range, early_end, estimate
from ludometer.tournaments.games_needed import GamesNeeded, games_needed
from ludometer.tournaments.launch import OnStart, plan_run, prepare
from ludometer.tournaments.openings import written_out
from ludometer.tournaments.prediction import predicted_total, relative_values
from ludometer.tournaments.progress import Progress, RunSummary
from ludometer.tournaments.roster import Roster
from ludometer.tournaments.runner import Runner
from ludometer.tournaments.schedule import schedule, to_come
from ludometer.tournaments.sources import QueuedMatches

__all__ = ["PilotEstimate", "Predicted", "chosen_matches", "play_pilot", "predict"]


class _Chosen(QueuedMatches):
    """Only some of the open matches of a run."""

    def __init__(self, store: RunStore, matches: Sequence[str]) -> None:
        super().__init__(store)
        self._queue = deque(matches)

    @property
    def total(self) -> int:
        return self._store.status_counts().get("finished", 0) + len(self._queue) + self._out


async def play_pilot(
    config: RunConfig, folder: str | Path, games: int, *, on_start: OnStart | None = None
) -> RunSummary:
    """Plays matches of a run until ``games`` matches of it are finished; makes the run where there is
    none. Where so many are finished already, nothing is played.

    Raises:
        ConfigurationError: a mistake in the configuration, or the folder holds a run of another one.
        MachineError: the folder cannot be written.
    """
    config = config.model_copy(update={"openings": written_out(config.openings)})
    roster = prepare(config)
    path = Path(folder)
    with _opened(path, config, roster) as store:
        models = {entrant.name for entrant in config.entrants() if entrant.is_model}
        chosen = chosen_matches(list(store.matches()), models, games, config.seed)
        runner = Runner(store, config, roster, Progress(), source=_Chosen(store, chosen))
        if on_start is not None:
            on_start(runner)
        return await runner.run()


def _opened(path: Path, config: RunConfig, roster: Roster) -> RunStore:
    if not (path / DATABASE).is_file():
        plans = list(schedule(config))
        store = RunStore.create(path, config.resolved())
        store.set_meta(prices_version=prices_version(), pilot=True)
        plan_run(store, config, roster, plans)
        return store
    store = RunStore.open(path, write=True)
    if load_config(store.config) != config:
        store.close()
        raise ConfigurationError(f"{path} holds a run of another configuration; choose another folder with --dir")
    if not store.status_counts():
        plan_run(store, config, roster, schedule(config))
    return store


def chosen_matches(rows: Sequence[MatchRow], models: set[str], games: int, seed: int | str = 0) -> list[str]:
    """Which open matches a pilot plays, until ``games`` matches of the run are finished.

    First those that show most of what was not seen twice yet (each language model in each game) and of conditions that
    were not seen, each from another duplicate group; then those that complete such groups. Among equals luck decides,
    so that opponents are those of the run as a whole. The choice does not depend on results.
    """
    key = blake2b(repr(seed).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    order = np.random.default_rng(int.from_bytes(key, "big")).permutation(len(rows))
    seen: Counter[Any] = Counter()
    begun: Counter[Any] = Counter()
    for row in rows:
        if row.status == "finished":
            seen.update(_shown(row, models))
            begun[_group(row)] += 1
    left = [rows[i] for i in order if rows[i].status != "finished"]
    left = [row for row in left if not models or models.intersection(row.seats.values())]
    chosen: list[str] = []
    missing = max(0, min(games - (len(rows) - sum(row.status != "finished" for row in rows)), len(left)))
    for _ in range(missing):
        new = [sum(max(0, _TWICE[key[0]] - seen[key]) for key in _shown(row, models)) for row in left]
        fresh = max(new) > 0
        place = max(range(len(left)), key=lambda i: (new[i], (begun[_group(left[i])] > 0) != fresh, -i))
        row = left.pop(place)
        seen.update(_shown(row, models))
        begun[_group(row)] += 1
        chosen.append(row.id)
    return chosen


_TWICE = {"model": 2, "condition": 1}
"""How often a pilot should see each."""


def _shown(row: MatchRow, models: set[str]) -> set[tuple[str, ...]]:
    names = {("model", row.game, name) for name in row.seats.values() if name in models or not models}
    return {*names, ("condition", _written(row.condition))}


def _group(row: MatchRow) -> tuple[str, ...]:
    return (row.game, row.group, _written(row.condition), *sorted(row.seats.values()))


def _written(value: Mapping[str, Any]) -> str:
    return json.dumps(value, sort_keys=True)


# -------------------------------------------------------------------- prediction


@dataclass(frozen=True, slots=True)
class Predicted:
    """What one language model is expected to be asked in the whole run, what was played included.

    Attributes:
        matches: of the run; ``games``: of them played, from which the ranges are.
        from_pilot: whether all its games in the run are of a kind that it was seen in; else what it was not seen in is
            estimated without calls, as a dry run does.
        cost: US dollars; None where no price is known.
    """

    name: str
    matches: int
    games: int
    from_pilot: bool
    calls: Range
    input_tokens: Range
    output_tokens: Range
    cost: Range | None


@dataclass(frozen=True, slots=True)
class PilotEstimate:
    matches: int
    games: int
    spent: Mapping[str, float | None]
    models: tuple[Predicted, ...]
    total: Predicted | None
    needed: GamesNeeded | None
    notes: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)


class _Usage(NamedTuple):
    """What one holder of a seat was asked in one match. ``cost`` is None where a call has no price."""

    calls: float
    input_tokens: float
    output_tokens: float
    cost: float | None


_MEASURES = ("calls", "input_tokens", "output_tokens", "cost")


def predict(store: RunStore, half: float | None = None) -> PilotEstimate:
    """What a run will take, from what was played of it.

    Args:
        half: the half-width of ratings' intervals that is wished for, in points.

    Raises:
        ConfigurationError: nothing was finished.
    """
    config = load_config(store.config)
    rows = list(store.matches())
    finished = [row for row in rows if row.status == "finished"]
    if not finished:
        raise ConfigurationError("no game of the pilot was finished: there is nothing to estimate from")
    decided = is_decided(store)
    rows = finished if decided else [*rows, *to_come(config, rows)]
    seats = ModelSeats(config)
    kinds = _Kinds(config, seats)
    played = _played(store, kinds, finished)
    covered = set(played)
    blind = estimate(config, lambda plan, name: (name, kinds.of(plan)) not in covered)
    unseen = {} if decided else {model.name: model for model in blind.models}
    scheduled: dict[str, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    for row in rows:
        for name in set(kinds.models(row).values()):
            scheduled[name][kinds.of(row)] += 1
    names = sorted(scheduled, key=list(seats.holders).index)  # entrants as they are written, then officials
    models = tuple(_predicted(name, scheduled[name], played, unseen.get(name)) for name in names)
    notes = (*_notes(models, len(finished)), *(early_end(config) if len(finished) < len(rows) else ()))
    needed, why = (None, None) if half is None else games_needed(config, rows, half)
    notes += () if why is None else (why,)
    return PilotEstimate(
        len(rows), len(finished), _spent(played), models, _total(models, len(rows), len(finished)), needed, notes
    )


class _Kinds:
    """The games of a run, openings put together, and who is asked in them."""

    def __init__(self, config: RunConfig, seats: ModelSeats) -> None:
        self._starts = {"fen"} if config.openings.fens else set()
        self._seats = seats
        self._games: dict[str, AnyGame] = {}

    def of(self, match: Any) -> str:
        return str(match.game) + _written({k: v for k, v in match.options.items() if k not in self._starts})

    def models(self, match: Any) -> dict[str, str]:
        key = match.game + _written(match.options)
        if key not in self._games:
            self._games[key] = make_game(match.game, match.options)
        return self._seats.models(self._games[key], match)


def _played(store: RunStore, kinds: _Kinds, finished: Sequence[MatchRow]) -> dict[tuple[str, str], list[_Usage]]:
    """What was asked in each finished match, by holder and game."""
    x = schema.exchanges.c
    sums = [sa.func.count(), sa.func.sum(x.input_tokens), sa.func.sum(x.output_tokens), sa.func.sum(x.cost)]
    query = sa.select(x.match, x.seat, *sums, sa.func.count(x.cost)).group_by(x.match, x.seat)
    with store.engine.connect() as connection:
        asked = {(row[0], row[1]): row[2:] for row in connection.execute(query)}
    found: dict[tuple[str, str], list[_Usage]] = defaultdict(list)
    for row in finished:
        of_holder: dict[str, list[Any]] = defaultdict(list)
        for seat, name in kinds.models(row).items():
            of_holder[name].append(asked.get((row.id, seat), (0, 0, 0, 0.0, 0)))
        for name, parts in of_holder.items():
            priced = all(part[0] == part[4] for part in parts)
            cost = sum(part[3] or 0.0 for part in parts) if priced else None
            calls, tokens_in, tokens_out = (float(sum(part[i] or 0 for part in parts)) for i in range(3))
            usage = _Usage(calls, tokens_in, tokens_out, cost)
            found[name, kinds.of(row)].append(usage)
    return dict(found)


def _predicted(
    name: str, counts: Mapping[str, int], played: Mapping[tuple[str, str], list[_Usage]], blind: Any
) -> Predicted:
    ranges: dict[str, Range | None] = {}
    for measure in _MEASURES:
        low = high = 0.0
        known = True
        for kind, matches in counts.items():
            own = [getattr(usage, measure) for usage in played.get((name, kind), ())]
            if not own:
                continue
            if None in own:
                known = False
                break
            others = [
                [getattr(usage, measure) for usage in usages]
                for (_, other), usages in played.items()
                if other == kind and all(getattr(usage, measure) is not None for usage in usages)
            ]
            informative = [values for values in others if len(values) >= 2 and sum(values) > 0]
            found = predicted_total(own, matches - len(own), relative_values(informative), len(informative))
            low, high = low + found[0], high + found[1]
        more = None if blind is None else getattr(blind, measure)
        if blind is not None and more is None:
            known = False
        elif more is not None:
            low, high = low + more.low, high + more.high
        ranges[measure] = Range(low, high) if known else None
    games = sum(len(played.get((name, kind), ())) for kind in counts)
    calls, tokens_in, tokens_out = (ranges[measure] or Range(0.0, 0.0) for measure in _MEASURES[:3])
    return Predicted(name, sum(counts.values()), games, blind is None, calls, tokens_in, tokens_out, ranges["cost"])


def _total(models: Sequence[Predicted], matches: int, games: int) -> Predicted | None:
    """The ends of the ranges added up, as if all models came out high or low together."""
    if not models:
        return None

    def added(ranges: Iterable[Range]) -> Range:
        lows, highs = zip(*ranges, strict=True)
        return Range(sum(lows), sum(highs))

    costs = [model.cost for model in models if model.cost is not None]
    return Predicted(
        "all",
        matches,
        games,
        all(model.from_pilot for model in models),
        added(model.calls for model in models),
        added(model.input_tokens for model in models),
        added(model.output_tokens for model in models),
        added(costs) if len(costs) == len(models) else None,
    )


def _spent(played: Mapping[tuple[str, str], list[_Usage]]) -> dict[str, float | None]:
    every = [usage for usages in played.values() for usage in usages]
    spent: dict[str, float | None] = {name: sum(getattr(u, name) for u in every) for name in _MEASURES[:3]}
    spent["cost"] = None if any(usage.cost is None for usage in every) else sum(usage.cost or 0.0 for usage in every)
    return spent


def _notes(models: Sequence[Predicted], games: int) -> tuple[str, ...]:
    notes = [f"ranges are 95% prediction ranges from {games} games that were played, which are counted in"]
    if absent := [model.name for model in models if not model.from_pilot]:
        notes.append(f"not seen in all of their games, and estimated without calls there: {', '.join(absent)}")
    if unknown := [model.name for model in models if model.cost is None]:
        notes.append(f"no price is known for {', '.join(unknown)}; set price = {{input = ..., output = ...}}")
    if games < 10:
        notes.append("few games say little about how much games differ: more of them (--games) narrow the ranges")
    return tuple(notes)
