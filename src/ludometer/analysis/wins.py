"""Results by entrant and seat (figures 3 and 4 of Topsakal & Harper, 2024, show the wins)."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ludometer.analysis.counts import NOT_NEEDED, outcome_column
from ludometer.analysis.measures import estimate, with_missing
from ludometer.analysis.ratings import counted_scores
from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.ratings import proportion_interval

__all__ = ["results_by_seat", "seat_advantage", "seat_rows"]


def seat_rows(tables: RunTables) -> pd.DataFrame:
    """One row per match and contestant.

    Columns ``match``, ``group``, ``game``, ``seats``, ``entrant``, ``seat_number``, ``outcome``, ``self_play``,
    ``attempts``, ``at_fault``; ``score``, and ``counted``, as the headline rule has it; ``best`` (alone has the best
    score), ``shared`` (shares it).
    """
    matches = tables.matches.assign(outcome=outcome_column(tables.matches))
    matches = matches[matches["outcome"] != NOT_NEEDED]
    counted = counted_scores(matches)
    width = int(matches["seats"].max()) if len(matches) else 0
    same = ["match", "group", "game", "seats", "outcome", "self_play", "attempts"]
    pieces = []
    for number in range(1, width + 1):
        piece = matches[same].assign(
            entrant=matches[f"player_{number}"],
            seat_number=number,
            score=matches[f"score_{number}"],
            counted=counted[number],
            at_fault=matches["offender_seat"].eq(number).fillna(False).astype("bool"),
            best=matches[f"score_{number}"] > _best_of_others(matches, number, width),
            shared=matches[f"score_{number}"] == _best_of_others(matches, number, width),
        )
        pieces.append(piece[matches["seats"] >= number])
    empty = pd.DataFrame(columns=[*same, *("entrant", "seat_number", "score", "counted", "at_fault", "best", "shared")])
    return pd.concat(pieces, ignore_index=True) if pieces else empty


def _best_of_others(matches: pd.DataFrame, number: int, width: int) -> pd.Series[float]:
    return matches[[f"score_{i}" for i in range(1, width + 1) if i != number]].max(axis=1)


def results_by_seat(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """What every entrant did in every seat, self-play included.

    Returns:
        One row per entrant and ``seat_number``. Columns: ``matches`` (all that are needed), of which ``wins`` (alone
        the best score), ``draws`` (the best score shared), ``losses`` (completed only), ``forfeits`` (own),
        ``forfeited_to`` (by another seat), ``canceled``, ``void``, ``unfinished``; ``self_play`` says how many of the
        matches are against itself.
        ``win_rate`` with ``low`` and ``high`` (Wilson) is the share of wins in ``played`` = completed, forfeited and
        canceled matches; missing without any.
    """
    tables = load_tables(source)
    rows = seat_rows(tables)
    place = {name: i for i, name in enumerate(tables.names)}
    found = [
        _result(str(name), number, group, level)
        for number in sorted(set(rows["seat_number"]))
        for name, group in rows[rows["seat_number"] == number].groupby("entrant", sort=False)
    ]
    found.sort(key=lambda row: (place.get(row["entrant"], len(place)), row["seat_number"]))
    return pd.DataFrame(found, columns=_COLUMNS)


def seat_advantage(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """What every seat of every game scores, whoever sits there, self-play included: does the first seat win more?

    Returns:
        One row per ``game``, ``seats`` (how many there are) and ``seat_number``. Columns ``matches`` (that count by the
        headline rule), ``wins`` and ``draws`` (completed ones with the best score, alone and shared), mean ``score``
        with ``low`` and ``high`` (clustered on the duplicate group), and ``expected``, 1 / seats.
    """
    rows = seat_rows(load_tables(source))
    found = []
    for (game, seats, number), part in rows.groupby(["game", "seats", "seat_number"], sort=False):
        completed = part[part["outcome"] == "completed"]
        known = part[part["counted"].notna()]
        mean = estimate(known["counted"], known["group"], share=True, level=level)
        counts = [len(known), int(completed["best"].sum()), int(completed["shared"].sum())]
        found.append([game, seats, number, *counts, mean["value"], mean["low"], mean["high"]])
    columns = ["game", "seats", "seat_number", "matches", "wins", "draws", "score", "low", "high"]
    frame = pd.DataFrame(found, columns=columns).sort_values(["game", "seats", "seat_number"], kind="stable")
    frame["expected"] = 1.0 / frame["seats"].astype("float64")
    return with_missing(frame, "score", "low", "high").reset_index(drop=True)


_COLUMNS = [
    *("entrant", "seat_number", "matches", "wins", "draws", "losses", "forfeits", "forfeited_to", "canceled"),
    *("void", "unfinished", "self_play", "played", "win_rate", "low", "high"),
]


def _result(name: str, number: int, group: pd.DataFrame, level: float) -> dict[str, Any]:
    outcome = group["outcome"]
    completed = group[outcome == "completed"]
    wins, ended = int(completed["best"].sum()), int(outcome.isin(["completed", "forfeit", "canceled"]).sum())
    draws = int(completed["shared"].sum())
    own = int(((outcome == "forfeit") & group["at_fault"]).sum())
    interval = proportion_interval(wins, ended, level=level) if ended else None
    return {
        "entrant": name,
        "seat_number": number,
        "matches": len(group),
        "wins": wins,
        "draws": draws,
        "losses": len(completed) - wins - draws,
        "forfeits": own,
        "forfeited_to": int((outcome == "forfeit").sum()) - own,
        "canceled": int((outcome == "canceled").sum()),
        "void": int((outcome == "void").sum()),
        "unfinished": int((outcome == "unfinished").sum()),
        "self_play": int(group["self_play"].sum()),
        "played": ended,
        "win_rate": None if interval is None else interval.value,
        "low": None if interval is None else interval.low,
        "high": None if interval is None else interval.high,
    }
