"""The luck of a run's matches, and results with it taken out."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import numpy as np
import pandas as pd

from ludometer.analysis.frames import matches_frame
from ludometer.analysis.luck.estimates import (
    FEW_GROUPS,
    FEWEST_GROUPS,
    Ratio,
    adjusted_mean,
    adjusted_values,
    variance_ratio,
)
from ludometer.analysis.luck.protocol import LuckTerms, terms_for
from ludometer.analysis.measures import estimate, seats_of, with_missing
from ludometer.analysis.payoffs import payoff_rows
from ludometer.analysis.run import Source, load_tables
from ludometer.core import AnyGame, Chance, Illegal, LudometerError
from ludometer.matches import MatchPolicy
from ludometer.store import MatchRow, RunStore
from ludometer.store.replay import new_match

__all__ = ["LuckOfRun", "adjusted_results", "luck_of_run", "luck_ratios"]

_PLACE: Final = ["match", "group", "game", "condition", "entrant", "seat_number"]
_RESULTS: Final = [
    *("game", "condition", "what", "entrant", "matches", "groups", "plain", "low", "high"),
    *("adjusted", "adjusted_low", "adjusted_high", "ratio", "ratio_low", "ratio_high"),
]
_RATIOS: Final = ["game", "condition", "what", "matches", "groups", "ratio", "ratio_low", "ratio_high", "note"]


class LuckOfRun(NamedTuple):
    """
    Attributes:
        terms: by match, shape (seats, terms). Matches that cannot be replayed are not in it, and are not adjusted.
        titles: what the terms count, by the game's name in the run.
        refused: why a game with luck has no terms, by its name.
    """

    terms: Mapping[str, np.ndarray[Any, Any]]
    titles: Mapping[str, tuple[str, ...]]
    refused: Mapping[str, str]


def luck_of_run(store: RunStore) -> LuckOfRun:
    """The luck terms of all finished matches of games that have luck."""
    terms: dict[str, np.ndarray[Any, Any]] = {}
    titles: dict[str, tuple[str, ...]] = {}
    refused: dict[str, str] = {}
    frame = matches_frame(store)
    # Games with options are told apart there, as everywhere in the analysis.
    names = dict(zip(frame["match"], frame["game"], strict=True))
    for row in store.matches(status=("finished",)):
        name = str(names[row.id])
        try:
            match = new_match(row, MatchPolicy())
        except LudometerError:
            continue
        game: AnyGame = match.game
        if not game.has_luck:
            continue
        found, why = terms_for(game)
        if found is None:
            refused[name] = why
            continue
        titles[name] = tuple(found.titles)
        if (luck := _terms(row, game, match.state, found)) is not None:
            terms[row.id] = luck
    return LuckOfRun(terms, titles, refused)


def _terms(row: MatchRow, game: AnyGame, state: Any, found: LuckTerms) -> np.ndarray[Any, Any] | None:
    """None for a match whose moves today's rules do not take, and for games where several act at once."""
    states = [state]
    try:
        for text in (row.notation or "").split("\n") if row.notation else ():
            (seat,) = game.to_act(state)
            action = game.parse(state, seat, text)
            game.check(state, seat, action)
            state = game.apply(state, {seat: action})
            states.append(state)
    except (Illegal, ValueError):
        return None
    values = found.terms(game, states, Chance.from_seed("luck terms").named(row.id))
    return np.asarray(values, np.float64)


def _rows(source: Source, luck: LuckOfRun) -> pd.DataFrame:
    """What every seat got, by ``what``: its score, and its payoff where payoffs say more."""
    tables = load_tables(source)
    seats = seats_of(tables)
    conditions = tables.matches.set_index("match")["condition"]
    seats = seats.assign(condition=seats["match"].map(conditions))[seats["score"].notna()]
    pieces = [seats[_PLACE].assign(what="score", value=seats["score"].astype("float64"))]
    paid = payoff_rows(tables)
    if len(paid):
        more = paid.groupby(["game", "seats", "score"])["payoff"].nunique().groupby("game").max() > 1
        paid = paid[paid["game"].map(more).astype("bool")]
        pieces.append(paid[_PLACE].assign(what="payoff", value=paid["payoff"].astype("float64")))
    rows = pd.concat(pieces, ignore_index=True)
    return rows[rows["game"].isin(luck.titles)].reset_index(drop=True)


def _parts(source: Source, luck: LuckOfRun) -> list[tuple[tuple[str, str, str], pd.DataFrame, Ratio | None]]:
    """The parts of a run by game, condition and what is counted, with the column ``adjusted``; without that, and with
    None for the ratio, where there are too few groups."""
    found = []
    for (game, condition, what), part in _rows(source, luck).groupby(["game", "condition", "what"], sort=False):
        part = part.reset_index(drop=True)
        ratio = None
        if part["group"].nunique() >= FEWEST_GROUPS:
            none = np.zeros(len(luck.titles[str(game)]))
            terms = np.array(
                [
                    luck.terms[match][seat - 1] if match in luck.terms else none
                    for match, seat in zip(part["match"], part["seat_number"], strict=True)
                ]
            )
            part["adjusted"] = adjusted_values(part["value"], terms, part["entrant"], part["group"])
            ratio = variance_ratio(part["value"], part["adjusted"], part["entrant"], part["group"])
        found.append(((str(game), str(condition), str(what)), part, ratio))
    return found


def adjusted_results(source: Source, luck: LuckOfRun, *, level: float = 0.95) -> pd.DataFrame:
    """Mean results beside the same with the luck that is known taken out, for every game, condition and entrant.

    Args:
        luck: of the run that the source is, or is a part of.

    Returns:
        ``game``, ``condition``, ``what`` (``score``; also ``payoff`` where a game has payoffs that say more),
        ``entrant``, ``matches``, ``groups``; ``plain`` with ``low`` and ``high``; ``adjusted`` with ``adjusted_low``
        and ``adjusted_high`` (see `adjusted_mean`): both clustered on the duplicate group; ``ratio`` of their variances
        with ``ratio_low`` and ``ratio_high``. What is adjusted is missing with fewer than `FEWEST_GROUPS` groups in
        all. The best come first. An adjusted score may lie outside 0 to 1.
    """
    found: list[dict[str, Any]] = []
    for (game, condition, what), part, whole in _parts(source, luck):
        rows: list[dict[str, Any]] = []
        for name, own in part.groupby("entrant", sort=False):
            plain = estimate(own["value"], own["group"], share=what == "score", level=level, least=-math.inf)
            row: dict[str, Any] = {"game": game, "condition": condition, "what": what, "entrant": name}
            row |= {"matches": own["match"].nunique(), "groups": own["group"].nunique()}
            row |= {"plain": plain["value"], "low": plain["low"], "high": plain["high"]}
            if whole is not None:
                row |= _adjusted(own, level)
            rows.append(row)
        found += sorted(rows, key=lambda row: -row.get("adjusted", row["plain"]))
    return with_missing(pd.DataFrame(found, columns=_RESULTS), *_RESULTS[6:])


def _adjusted(own: pd.DataFrame, level: float) -> dict[str, float | None]:
    mean = adjusted_mean(own["adjusted"], own["group"], level=level)
    ratio = variance_ratio(own["value"], own["adjusted"], own["entrant"], own["group"])
    ends = (mean.low, mean.high) if math.isfinite(mean.low) else (None, None)
    return {
        "adjusted": mean.value,
        "adjusted_low": ends[0],
        "adjusted_high": ends[1],
        "ratio": ratio.value,
        "ratio_low": ratio.low,
        "ratio_high": ratio.high,
    }


def luck_ratios(source: Source, luck: LuckOfRun) -> pd.DataFrame:
    """What is left of the variance over all entrants together, for every game, condition and what is counted.

    Returns:
        ``game``, ``condition``, ``what``, ``matches``, ``groups``, ``ratio``, ``ratio_low``, ``ratio_high`` (95%), and
        ``note``: why nothing is adjusted, how many matches could not be, or that an entrant has too few groups for its
        interval to be trusted.
    """
    found = []
    for (game, condition, what), part, ratio in _parts(source, luck):
        unknown = len(set(part["match"]) - set(luck.terms))
        notes = [f"{unknown} matches without known luck are counted as they are"] if unknown else []
        groups = part["group"].nunique()
        row = {"game": game, "condition": condition, "what": what, "matches": part["match"].nunique(), "groups": groups}
        if ratio is None:
            notes = [f"not adjusted: {groups} duplicate groups, and {FEWEST_GROUPS} are needed"]
        else:
            row |= {"ratio": ratio.value, "ratio_low": ratio.low, "ratio_high": ratio.high}
            fewest = int(part.groupby("entrant")["group"].nunique().min())
            if fewest < FEW_GROUPS:
                notes.append(f"few groups: the interval may be too narrow with fewer than {FEW_GROUPS} ({fewest} here)")
        found.append(row | {"note": "; ".join(notes)})
    for game, why in luck.refused.items():
        found.append({"game": game, "condition": "", "what": "score", "matches": 0, "groups": 0, "note": why})
    return with_missing(pd.DataFrame(found, columns=_RATIOS), "ratio", "ratio_low", "ratio_high")
