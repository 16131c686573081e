"""Does thinking help? Prompted chain of thought against answering at once, and against models that think themselves.

An *arm* is a language model with the way it is led to a decision: its label ``thinking`` and its strategy. A strategy
may be an option of the entrant, or a factor of the run; then an entrant is an arm under every level.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import pandas as pd

from ludometer.analysis.frames import level_text
from ludometer.analysis.measures import estimate, factor_levels, is_model, seats_of, with_missing
from ludometer.analysis.performance import pooled_seats
from ludometer.analysis.ratings import ratings_of
from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.analysis.sections import (
    Bar,
    Bars,
    Column,
    Lollipops,
    Section,
    Table,
    whiskers_of,
)
from ludometer.core import ConfigurationError, Json
from ludometer.core.spec import parse_spec
from ludometer.ratings import RatingTable
from ludometer.ratings.intervals import difference_errors, normal_quantile
from ludometer.store import RunStore

__all__ = ["CHAIN", "DIRECT", "chain_of_thought_effects", "sections", "thinking_against_prompting", "ways_of_thinking"]

DIRECT: Final = "direct"
CHAIN: Final = "chain of thought"

_EFFECT = [
    *("name", "direct", "chain", "games", "change", "change_low", "change_high"),
    *("pairs", "score", "score_low", "score_high"),
]
_WAYS = ["family", "way", "entrants", "games", "score", "low", "high"]
_AGAINST = ["family", "thinking", "chain", "games", "change", "change_low", "change_high"]


@dataclass(frozen=True, slots=True)
class _Arm:
    """
    Attributes:
        name: of the arm; ``entrant`` without a factor.
        way: ``direct``, ``chain of thought``, the label ``thinking``, or the strategy in its own words.
        twin: what two arms have in common that differ in the way alone.
    """

    name: str
    entrant: str
    model: str
    family: str
    thinking: str
    way: str
    twin: str


# ------------------------------------------------------------------------ arms


def _way(strategy: str) -> tuple[str, str]:
    """How a strategy thinks, and what else it is: ``("chain of thought", "dspy")``."""
    spec = parse_spec(strategy)
    if spec.name in ("plain", "chain_of_thought"):
        return (DIRECT if spec.name == "plain" else CHAIN), "calls"
    options = dict(spec.options)
    if spec.name == "dspy" and "program" not in options:
        module = options.pop("module", "predict")
        way = {"predict": DIRECT, "chain_of_thought": CHAIN}.get(str(module))
        if way is not None:
            return way, f"dspy {json.dumps(options, sort_keys=True)}"
    return strategy, strategy


def _arm(entrant: Mapping[str, Json], strategy: str, name: str) -> _Arm:
    way, technique = _way(strategy)
    thinking = str(entrant.get("thinking") or "")
    if thinking:
        way = thinking if way == DIRECT else f"{thinking}, {way}"
    others = {key: value for key, value in (entrant.get("options") or {}).items() if key != "strategy"}
    twin = json.dumps([entrant["player"], others, thinking, technique], sort_keys=True, default=str)
    family = str(entrant.get("family") or str(entrant["player"]).split("/")[0])
    return _Arm(name, str(entrant["name"]), str(entrant["player"]), family, thinking, way, twin)


def _arms(entrants: Sequence[Mapping[str, Json]], config: Mapping[str, Json], levels: Sequence[str]) -> list[_Arm]:
    default = (config.get("prompt") or {}).get("strategy") or "plain"
    arms = []
    for entrant in entrants:
        if not is_model(dict(entrant)):
            continue
        own = (entrant.get("options") or {}).get("strategy")
        if levels and own is None:
            arms += [_arm(entrant, level, f"{entrant['name']} ({level})") for level in levels]
        else:
            arms.append(_arm(entrant, str(own or default), str(entrant["name"])))
    return arms


def _told_apart(tables: RunTables) -> tuple[RunTables, list[_Arm]]:
    """The tables with arms in place of entrants, and the arms."""
    levels = factor_levels(tables).get("strategy", [])
    arms = _arms(tables.entrants, tables.config, levels)
    renamed = {arm.entrant for arm in arms if arm.name != arm.entrant}
    matches = tables.matches.copy()
    if renamed:
        shown = matches["condition.strategy"].map(level_text)
        for column in [name for name in matches.columns if name.startswith("player_")]:
            changed = matches[column].isin(renamed)
            matches[column] = matches[column].mask(changed, matches[column].astype(str) + " (" + shown + ")")
    entrants: list[dict[str, Json]] = [entrant for entrant in tables.entrants if entrant["name"] not in renamed]
    known = {str(entrant["name"]): entrant for entrant in tables.entrants}
    entrants += [{**known[arm.entrant], "name": arm.name} for arm in arms if arm.entrant in renamed]
    return replace(tables, entrants=tuple(entrants), matches=matches, config=_pooled(tables.config, arms)), arms


def _pooled(config: Mapping[str, Json], arms: Sequence[_Arm]) -> dict[str, Json]:
    """The configuration with the arms of its pool's entrants."""
    schedule = dict(config.get("schedule") or {})
    names = {name: [arm.name for arm in arms if arm.entrant == name] or [name] for name in schedule.get("pool") or ()}
    return {**config, "schedule": {**schedule, "pool": [arm for own in names.values() for arm in own]}}


def _ratings(tables: RunTables) -> RatingTable | None:
    try:
        return ratings_of(tables)
    except ConfigurationError:  # no game between two arms counts
        return None


def _change(ratings: RatingTable | None, one: str, other: str, level: float) -> dict[str, Any]:
    """What ``other`` is rated above ``one``, from the joint covariance of one fit; missing where nothing connects
    them."""
    missing = {"change": None, "change_low": None, "change_high": None}
    if ratings is None or not {one, other} <= set(ratings.fit.entrants):
        return missing
    i, j = ratings.fit.index(one), ratings.fit.index(other)
    half = normal_quantile(level) * float(difference_errors(ratings.fit)[i, j])
    if half != half:
        return missing
    change = float(ratings.fit.points[j] - ratings.fit.points[i])
    return {"change": change, "change_low": change - half, "change_high": change + half}


# ---------------------------------------------------------------------- tables


def chain_of_thought_effects(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """Prompted chain of thought against answering at once: the same model with the same settings.

    Returns:
        One row per pair of arms: ``name`` (the model, or the entrant where a model has several pairs), ``direct`` and
        ``chain`` (names of the arms), ``games`` of both. ``change`` is the difference of their ratings (chain less
        direct) in one fit of all arms, with its interval from the joint covariance, which knows of common luck.
        ``score`` is the mean difference of their scores over ``pairs`` of matches with the same luck, seat and
        opponents, clustered on the duplicate group; missing without such pairs.
    """
    tables, arms = _told_apart(load_tables(source))
    ratings, seats = _ratings(tables), _located(tables, arms)
    rows: list[dict[str, Any]] = []
    for direct, chain in _twins(arms):
        one, other = (seats[seats["entrant"] == arm.name] for arm in (direct, chain))
        labels = {"name": direct.model, "direct": direct.name, "chain": chain.name, "games": len(one) + len(other)}
        rows.append({**labels, **_change(ratings, direct.name, chain.name, level), **_paired(one, other, level)})
    models = [row["name"] for row in rows]
    for row in rows:
        row["name"] = row["name"] if models.count(row["name"]) == 1 else row["chain"]
    numbers = [name for name in _EFFECT if name.startswith(("change", "score"))]
    return with_missing(pd.DataFrame(rows, columns=_EFFECT), *numbers)


def _twins(arms: Sequence[_Arm]) -> Iterator[tuple[_Arm, _Arm]]:
    for chain in arms:
        for direct in arms:
            # The label is the same in both, so that what it adds to the way is too.
            if direct.twin == chain.twin and chain.way.endswith(CHAIN) and not direct.way.endswith(CHAIN):
                yield direct, chain


def _located(tables: RunTables, arms: Sequence[_Arm]) -> pd.DataFrame:
    """Scored seats with ``key``: what two matches must have in common to be a pair."""
    seats = seats_of(tables)
    seats = seats[seats["score"].notna()]
    own = {arm.name: arm.entrant for arm in arms}
    opponents = [tuple(own.get(name, name) for name in names) for names in seats["opponents"]]
    others = [name for name in factor_levels(tables) if name != "strategy"]
    columns = [seats[name] for name in ("group", "game", "seat_number", *others)]
    keys = pd.Series(list(zip(*columns, opponents, strict=True)), index=seats.index, dtype="object")
    seats = seats.assign(key=keys)
    seats["nth"] = seats.groupby(["entrant", "key"], sort=False).cumcount()
    return seats


def _paired(one: pd.DataFrame, other: pd.DataFrame, level: float) -> dict[str, Any]:
    names = ["key", "nth", "group", "score"]
    pairs = other[names].merge(one[["key", "nth", "score"]], on=["key", "nth"], suffixes=("", "_direct"))
    difference = (pairs["score"] - pairs["score_direct"]).astype("float64")
    found = estimate(difference, pairs["group"], share=False, level=level, least=-1.0)
    high = None if found["high"] is None else min(1.0, found["high"])
    return {"pairs": len(pairs), "score": found["value"], "score_low": found["low"], "score_high": high}


def ways_of_thinking(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """Score rate by family and way of thinking: the label ``thinking`` of entrants, else how the strategy leads them.

    Returns:
        Columns ``family``, ``way``, ``entrants`` (how many arms), ``games``, ``score`` with ``low`` and ``high``
        (clustered on the duplicate group): as in `performance`, all games and opponents together.
    """
    tables, arms = _told_apart(load_tables(source))
    seats = pooled_seats(tables)
    rows: list[dict[str, Any]] = []
    for family in dict.fromkeys(arm.family for arm in arms):
        for way in dict.fromkeys(arm.way for arm in arms):
            names = [arm.name for arm in arms if (arm.family, arm.way) == (family, way)]
            mine = seats[seats["entrant"].isin(names)]
            if mine.empty:
                continue
            found = estimate(mine["score"], mine["group"], share=True, level=level)
            labels = {"family": family, "way": way, "entrants": mine["entrant"].nunique(), "games": len(mine)}
            rows.append({**labels, "score": found["value"], "low": found["low"], "high": found["high"]})
    return with_missing(pd.DataFrame(rows, columns=_WAYS), "score", "low", "high")


def thinking_against_prompting(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """Models that think themselves (with a label ``thinking``) against prompted chain of thought without, in a family.

    Returns:
        One row per pair: ``family``, ``thinking`` and ``chain`` (names of the arms), ``games`` of both, and
        ``change``: what the thinking one is rated above the prompted one, as in `chain_of_thought_effects`.
    """
    tables, arms = _told_apart(load_tables(source))
    ratings, seats = _ratings(tables), seats_of(tables)
    played = seats.loc[seats["score"].notna(), "entrant"].value_counts()
    rows: list[dict[str, Any]] = []
    for chain in (arm for arm in arms if arm.way == CHAIN):
        for other in (arm for arm in arms if arm.family == chain.family and arm.thinking and arm.way == arm.thinking):
            games = int(played.get(chain.name, 0) + played.get(other.name, 0))
            labels = {"family": chain.family, "thinking": other.name, "chain": chain.name, "games": games}
            rows.append({**labels, **_change(ratings, chain.name, other.name, level)})
    return with_missing(pd.DataFrame(rows, columns=_AGAINST), "change", "change_low", "change_high")


# -------------------------------------------------------------------- sections


def sections(store: RunStore) -> Sequence[Section]:
    """The comparisons that a run allows."""
    config = store.config
    levels = [level_text(level) for level in (config.get("factors") or {}).get("strategy", ())]
    arms = _arms(store.entrants(), config, levels)
    paired = any(True for _ in _twins(arms))
    labelled = any(arm.thinking for arm in arms) and len({arm.way for arm in arms}) > 1
    if not paired and not labelled:
        return ()
    tables = load_tables(store)
    made = [_chain_section(tables)] if paired else []
    return [section for section in (*made, *([_thinking_section(tables)] if labelled else ())) if section is not None]


def _chain_section(tables: RunTables) -> Section | None:
    frame = chain_of_thought_effects(tables)
    if not frame["games"].sum():
        return None
    change = Column("change", "Change of rating", "signed", "change_low", "change_high", "games", digits=0)
    score = Column("score", "Change of score, paired", "signed", "score_low", "score_high", "pairs", digits=3)
    names = (Column("name", "Model"), Column("direct", "Direct"), Column("chain", "With chain of thought"))
    table = Table(
        "Chain of thought against answering at once",
        frame,
        (*names, change, score),
        "Ratings are of one fit, with every way of thinking as a player of its own. Pairs are matches with the same "
        "luck, seat and opponents; intervals are over duplicate groups.",
    )
    rows = whiskers_of(frame, "name", change, "games")
    chart = Lollipops(
        "Change of rating by chain of thought",
        "What a model is rated above itself when it is made to reason before it answers, with 95% intervals.",
        "change of rating in points",
        rows,
    )
    explain = "What it changes when a model is asked to think before it answers, all else being equal."
    return Section("chain-of-thought", "Prompted chain of thought", explain, (table,), (chart,) if rows else ())


def _thinking_section(tables: RunTables) -> Section | None:
    frame = ways_of_thinking(tables)
    if frame["way"].nunique() < 2:
        return None
    bars = tuple(
        Bar(str(row["family"]), str(row["way"]), row["score"], row["low"], row["high"], f"{row['games']} games")
        for row in _with_none(frame)
    )
    chart = Bars(
        "Score by way of thinking",
        "Models that think themselves beside those that are prompted to, by family, with 95% intervals.",
        "score rate",
        bars,
    )
    score = Column("score", "Score", "share", "low", "high", "games")
    columns = (Column("family", "Family"), Column("way", "Way of thinking"), Column("entrants", "Players", "count"))
    shown = [Table("Ways of thinking", frame, (*columns, score), "Intervals are over duplicate groups.")]
    against = thinking_against_prompting(tables)
    if not against.empty:
        change = Column("change", "Rated higher by", "signed", "change_low", "change_high", "games", digits=0)
        names = (Column("family", "Family"), Column("thinking", "Thinks itself"), Column("chain", "Prompted to"))
        shown.append(Table("Thinking models against prompted ones", against, (*names, change)))
    explain = "Models that were trained to think, against models that are asked to think step by step."
    return Section("thinking", "Thinking models and prompted ones", explain, tuple(shown), (chart,))


def _with_none(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Rows in which what is missing is None."""
    return [
        {str(key): None if pd.api.types.is_scalar(value) and pd.isna(value) else value for key, value in row.items()}
        for row in frame.to_dict("records")
    ]
