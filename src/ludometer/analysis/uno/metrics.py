"""The metrics of the UNO study: winning rate, optimal decision hit rate and average decision rank; and regret.

Source: Qin et al., "UNO Arena for Evaluating Sequential Decision-Making Capability of Large Language Models" (2024),
section 3.4. Intervals are clustered on duplicate groups: matches with the same deck.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, Final

import numpy as np
import pandas as pd

from ludometer.analysis.frames import matches_frame
from ludometer.analysis.measures import estimate
from ludometer.analysis.uno.decisions import KINDS
from ludometer.games.uno import Uno
from ludometer.store import RunStore

__all__ = ["KS", "METRICS", "by_kind", "player_metrics", "regrets", "winning_rates"]

KS: Final = (2, 3, 4)
"""Numbers of legal actions for which the study reports; few decisions have more."""

METRICS: Final = ("WR", *(f"{name}@{k}" for k in KS for name in ("ODHR", "ADR")))
"""WR and ODHR are shares in [0, 1]; ADR is a mean rank, 1 to k."""

_WHERE: Final = ("game", "condition", "seats", "evaluator", "entrant")
_SEATED: Final = ("game", "condition", "seats", "entrant")
_POINTS: Final = 100.0
_RATE_COLUMNS = ["game", "condition", "seats", "entrant", "seat_number", "WR", "WR_low", "WR_high", "WR_n"]


def winning_rates(store: RunStore, *, by_seat: bool = False, level: float = 0.95) -> pd.DataFrame:
    """Share of the wins of every entrant, a win of k players counting 1 / k for each, over finished matches of UNO.

    Args:
        by_seat: a row for every seat of an entrant instead of one for all.

    Returns:
        Columns game, condition, seats, entrant, seat_number (None for all seats together), ``WR``, ``WR_low``,
        ``WR_high`` and ``WR_n`` (seats of finished matches with a score).
    """
    matches = matches_frame(store)
    matches = matches[_of_uno(matches["game"]) & (matches["status"] == "finished")]
    most = int(matches["seats"].max()) if len(matches) else 0
    pieces = [
        matches.assign(entrant=matches[f"player_{i}"], seat_number=i, score=matches[f"score_{i}"])
        for i in range(1, most + 1)
    ]
    if not pieces:
        return pd.DataFrame(columns=_RATE_COLUMNS)
    seated = pd.concat(pieces, ignore_index=True).dropna(subset=["entrant", "score"])
    keys = [*_SEATED, *(["seat_number"] if by_seat else [])]
    rows = [
        dict(zip(keys, key, strict=True)) | _estimated("WR", own["score"], own["group"], level, share=True)
        for key, own in seated.groupby(keys, sort=by_seat)
    ]
    return pd.DataFrame(rows, columns=_RATE_COLUMNS)


def _of_uno(games: pd.Series[Any]) -> pd.Series[bool]:
    """Where a game's name, which may carry options, is that of UNO."""
    return games.str.partition(":")[0] == Uno.name


def player_metrics(
    rates: pd.DataFrame, decided: pd.DataFrame, *, p: float, kind: str | None = None, level: float = 0.95
) -> pd.DataFrame:
    """`METRICS` by game, condition, number of seats, evaluator and entrant.

    Args:
        rates: from `winning_rates`, of all seats together.
        decided: from `ludometer.analysis.uno.decisions.decisions`.
        p: only critical decisions count: those whose best and worst action differ by at least p.
        kind: decisions of this kind only.

    Returns:
        Columns game, condition, seats, evaluator, entrant; for every metric its value, and the same name with ``_low``,
        ``_high`` and ``_n`` (matches, or decisions that count). Missing where nothing counts. The highest winning rate
        first.
    """
    known = rates.set_index(list(_SEATED))
    rows = []
    for key, own in _grouped(decided):
        place = tuple(key[name] for name in _SEATED)
        counted = _critical(own, p, kind)
        row = dict(key)
        if place in known.index:
            winning = known.loc[[place]].iloc[0]
            row |= {name: winning[name] for name in ("WR", "WR_low", "WR_high", "WR_n")}
        for k in KS:
            with_k = counted[counted["k"] == k]
            row |= _estimated(f"ODHR@{k}", with_k["hit"], with_k["group"], level, share=True)
            row |= _mean_rank(k, with_k, level)
        rows.append(row)
    numbered = [f"{name}{end}" for name in METRICS for end in ("", "_low", "_high", "_n")]
    frame = pd.DataFrame(rows, columns=[*_WHERE, *numbered])
    frame = frame.astype(dict.fromkeys(numbered, "float64"))
    order = [*_WHERE[:-1], "WR"]
    return frame.sort_values(order, ascending=[True] * (len(order) - 1) + [False], kind="stable", ignore_index=True)


def _mean_rank(k: int, counted: pd.DataFrame, level: float) -> dict[str, Any]:
    """ADR@k. As a share of the way from the best to the worst rank it has an interval even where all ranks are equal,
    and that of ADR@2 mirrors the one of ODHR@2."""
    name = f"ADR@{k}"
    found = _estimated(name, (counted["rank"] - 1) / (k - 1), counted["group"], level, share=True)
    count = found.pop(f"{name}_n")
    ranks = {key: None if share is None else 1 + (k - 1) * share for key, share in found.items()}
    return {**ranks, f"{name}_n": count}


def by_kind(decided: pd.DataFrame, *, p: float, level: float = 0.95) -> pd.DataFrame:
    """`player_metrics` without winning rates for every kind of decision, with the column ``kind``."""
    no_rates = pd.DataFrame(columns=_RATE_COLUMNS)
    pieces = [player_metrics(no_rates, decided, p=p, kind=kind, level=level).assign(kind=kind) for kind in KINDS]
    frame = pd.concat(pieces, ignore_index=True)
    frame = frame[[*_WHERE, "kind", *(name for name in frame.columns if "@" in name)]]
    met = frame[[f"ODHR@{k}_n" for k in KS]].sum(axis=1) > 0
    return frame[met].sort_values(list(_WHERE), kind="stable", ignore_index=True)


def regrets(decided: pd.DataFrame, *, level: float = 0.95) -> pd.DataFrame:
    """What decisions with a choice cost, in percentage points of winning rate, by entrant and kind of decision.

    Returns:
        Columns game, condition, seats, evaluator, entrant, ``kind`` (``all`` or one of them), ``n`` decisions;
        ``regret`` with ``regret_low``, ``regret_high`` and ``regret_error`` (standard error, clustered on duplicate
        groups; None with one group); ``gain`` over deciding at random with its interval; ``chance_regret``, the
        regret of deciding at random; ``unclear``, the share of decisions whose two best actions the estimates do not
        tell apart (difference within 1.96 standard errors), with its interval.
    """
    rows = []
    for key, own in _grouped(decided):
        for kind in ("all", *KINDS):
            counted = _critical(own, 0.0, None if kind == "all" else kind)
            if len(counted):
                rows.append({**key, "kind": kind, "n": len(counted), **_regret(counted, level)})
    columns = [*_WHERE, "kind", "n", "regret", "regret_low", "regret_high", "regret_error", "gain", "gain_low"]
    columns += ["gain_high", "chance_regret", "unclear", "unclear_low", "unclear_high"]
    return pd.DataFrame(rows, columns=columns)


def _regret(counted: pd.DataFrame, level: float) -> dict[str, Any]:
    groups = counted["group"]
    regret = _estimated("regret", _POINTS * counted["regret"], groups, level, within=(0.0, _POINTS))
    gain = _estimated("gain", _POINTS * counted["gain"], groups, level, within=(-_POINTS, _POINTS))
    unclear = _estimated("unclear", counted["unclear"].astype("float64"), groups, level, share=True)
    return {
        **regret,
        "regret_error": _clustered_error(_POINTS * counted["regret"], groups),
        **gain,
        "chance_regret": _POINTS * counted["chance_regret"].mean(),
        **unclear,
    }


def _clustered_error(values: pd.Series[Any], groups: pd.Series[Any]) -> float | None:
    """Standard error of the mean, clustered; as `ludometer.ratings.mean_interval` has it."""
    numbers = values.to_numpy(np.float64)
    cluster = np.unique(groups.to_numpy(), return_inverse=True)[1]
    sums = np.bincount(cluster, numbers - numbers.mean())
    count = len(sums)
    return None if count < 2 else math.sqrt(float(sums @ sums) * count / (count - 1)) / len(numbers)


def _critical(decided: pd.DataFrame, p: float, kind: str | None) -> pd.DataFrame:
    """Decisions between two or more actions whose best and worst differ by at least p."""
    # Estimates are sums of fractions: 0.65 - 0.5 is less than 0.15.
    counted = decided[(decided["k"] >= 2) & (decided["spread"] >= p - 1e-9)]
    return counted if kind is None else counted[counted["kind"] == kind]


def _grouped(decided: pd.DataFrame) -> Iterator[tuple[dict[str, Any], pd.DataFrame]]:
    for key, own in decided.groupby(list(_WHERE), sort=False):
        yield dict(zip(_WHERE, key, strict=True)), own


def _estimated(
    name: str,
    values: pd.Series[Any],
    groups: pd.Series[Any],
    level: float,
    *,
    share: bool = False,
    within: tuple[float, float] = (0.0, 1.0),
) -> dict[str, Any]:
    """A mean with its interval, cut to what it can be, and the number of values."""
    found = estimate(values, groups, share=share, level=level, least=within[0])
    high = found["high"]
    return {
        name: found["value"],
        f"{name}_low": found["low"],
        f"{name}_high": None if high is None else min(high, within[1]),
        f"{name}_n": len(values),
    }
