"""Invalid responses: how many, of which kind, in which seat, and whether a second try mends them.

`invalid_responses` is tables 4 and 5 of Topsakal & Harper, 2024. Attempts of unfinished and void matches count too:
they are answers like any other. A provider's failure is no attempt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

import pandas as pd

from ludometer.analysis.run import RunTables, Source, load_tables
from ludometer.core import Json
from ludometer.ratings import proportion_interval

__all__ = ["answer_setting", "invalid_responses", "repair_rates", "validity", "validity_by_setting"]


def invalid_responses(source: Source) -> pd.DataFrame:
    """Invalid responses by entrant, seat and kind, in the kinds that occur.

    Returns:
        Columns ``entrant``, ``seat_number``, ``kind``, ``count``; the row with a missing ``seat_number`` is the sum
        over seats. Kinds are the game's own rules (``already_taken``, ``out_of_bounds``) and faults
        (``invalid_format``, ``truncated``, ``empty``, ...). Every entrant has a row for every kind and seat.
    """
    tables = load_tables(source)
    counts = _imported(tables) if tables.invalid is not None else _counted(tables.attempts)
    kinds = sorted({kind for _, _, kind in counts}, key=lambda kind: (-_total(counts, kind), kind))
    seats = sorted({seat for _, seat, _ in counts})
    rows: list[dict[str, Any]] = []
    for name in tables.names:
        for seat in (*seats, None):
            for kind in kinds:
                found = [n for key, n in counts.items() if key[0] == name and key[2] == kind and seat in (None, key[1])]
                rows.append({"entrant": name, "seat_number": seat, "kind": kind, "count": sum(found)})
    frame = pd.DataFrame(rows, columns=["entrant", "seat_number", "kind", "count"])
    frame["seat_number"] = pd.Series([row["seat_number"] for row in rows], dtype="Int64")
    return frame


def _counted(attempts: pd.DataFrame) -> dict[tuple[str, int, str], int]:
    bad = attempts[~attempts["legal"] & attempts["entrant"].notna()]
    found = Counter(zip(bad["entrant"], bad["seat_number"], bad["kind"], strict=True))
    return {(str(name), int(seat), str(kind)): n for (name, seat, kind), n in found.items()}


def _imported(tables: RunTables) -> dict[tuple[str, int, str], int]:
    counts: dict[tuple[str, int, str], int] = {}
    for record in tables.invalid or ():
        key = (record["entrant"], record["seat_number"], record["kind"])
        counts[key] = counts.get(key, 0) + record["count"]
    return counts


def _total(counts: Mapping[tuple[str, int, str], int], kind: str) -> int:
    return sum(n for key, n in counts.items() if key[2] == kind)


# -------------------------------------------------------------------- validity


def validity(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """Share of legal attempts per entrant, with Wilson's interval.

    Returns:
        Columns ``entrant``, ``attempts``, ``legal``, ``rate``, ``low``, ``high``; the last three are missing for an
        entrant without a recorded attempt.
    """
    tables = load_tables(source)
    groups = {str(name): group for name, group in tables.attempts.groupby("entrant")}
    empty = tables.attempts.iloc[:0]
    rows = [{"entrant": name, **_share(groups.get(name, empty), level)} for name in tables.names]
    return pd.DataFrame(rows, columns=["entrant", "attempts", "legal", "rate", "low", "high"])


def _share(attempts: pd.DataFrame, level: float) -> dict[str, Any]:
    asked, legal = len(attempts), int(attempts["legal"].sum())
    return {"attempts": asked, "legal": legal, **_proportion(legal, asked, level)}


def _proportion(successes: int, trials: int, level: float) -> dict[str, float | None]:
    if not trials:
        return {"rate": None, "low": None, "high": None}
    interval = proportion_interval(successes, trials, level=level)
    return {"rate": interval.value, "low": interval.low, "high": interval.high}


def answer_setting(tables: RunTables, entrant: Mapping[str, Json], condition: Mapping[str, Json]) -> dict[str, Json]:
    """How a language model is asked to answer under a condition: ``answer`` and ``legal_only``, defaults included.

    Empty for a player that is no language model.
    """
    if "/" not in str(entrant["player"]):
        return {}
    options = {**(tables.config.get("prompt") or {}), **condition, **entrant["options"]}
    return {"answer": options.get("answer", "json"), "legal_only": bool(options.get("legal_only", False))}


def validity_by_setting(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """Share of legal attempts of every language model under every answer setting, so that free text, an enforced
    schema and a schema of legal moves compare.

    Returns:
        Columns ``model`` (as it is asked for), ``entrant``, ``answer``, ``legal_only``, ``attempts``, ``legal``,
        ``rate``, ``low``, ``high`` (Wilson), and ``kinds``: invalid responses by kind.
    """
    tables = load_tables(source)
    factors = [column for column in tables.attempts.columns if column.startswith("condition.")]
    rows = []
    for entrant in tables.entrants:
        mine = tables.attempts[tables.attempts["entrant"] == entrant["name"]]
        settings: dict[tuple[Json, ...], list[pd.DataFrame]] = {}
        for _, group in mine.groupby("condition", sort=False):
            first = group.iloc[0]
            condition = {column.removeprefix("condition."): first[column] for column in factors}
            setting = answer_setting(tables, entrant, condition)
            if setting:
                settings.setdefault((setting["answer"], setting["legal_only"]), []).append(group)
        for (answer, legal_only), groups in settings.items():
            attempts = pd.concat(groups)
            kinds = attempts.loc[~attempts["legal"], "kind"].value_counts()
            labels = {"model": entrant["player"], "entrant": entrant["name"], "answer": answer}
            counted = {str(kind): int(n) for kind, n in kinds.items()}
            rows.append({**labels, "legal_only": legal_only, **_share(attempts, level), "kinds": counted})
    columns = ["model", "entrant", "answer", "legal_only", "attempts", "legal", "rate", "low", "high", "kinds"]
    return pd.DataFrame(rows, columns=columns)


# ---------------------------------------------------------------------- repair


def repair_rates(source: Source, *, level: float = 0.95) -> pd.DataFrame:
    """How often the answer right after a bad one is legal, by entrant and feedback policy.

    Only bad attempts after which the seat was asked again in the same turn can be mended: they are ``asked_again``;
    the others (attempts used up, match stopped or suspended) are ``not_asked``.

    Returns:
        Columns ``entrant`` (``all`` sums a feedback policy over entrants), ``feedback``, ``bad``, ``not_asked``,
        ``asked_again``, ``repaired``, ``rate``, ``low``, ``high`` (Wilson). Only entrants with a bad attempt.
    """
    tables = load_tables(source)
    tried = _with_next(tables)
    bad = tried[~tried["legal"]]
    rows: list[dict[str, Any]] = []
    for feedback, all_bad in bad.groupby("feedback", sort=True):
        groups = [(name, all_bad[all_bad["entrant"] == name]) for name in tables.names]
        for name, group in (*groups, ("all", all_bad)):
            if group.empty:
                continue
            again = int(group["next_legal"].notna().sum())
            repaired = int((group["next_legal"] == True).sum())  # noqa: E712 (missing values are neither)
            counts = {"bad": len(group), "not_asked": len(group) - again, "asked_again": again, "repaired": repaired}
            rows.append({"entrant": name, "feedback": feedback, **counts, **_proportion(repaired, again, level)})
    columns = ["entrant", "feedback", "bad", "not_asked", "asked_again", "repaired", "rate", "low", "high"]
    return pd.DataFrame(rows, columns=columns)


def _with_next(tables: RunTables) -> pd.DataFrame:
    """The attempts with the feedback policy they were made under, and whether the next one of the turn is legal."""
    attempts = tables.attempts[tables.attempts["entrant"].notna()]
    attempts = attempts.sort_values(["match", "step", "seat", "attempt"], kind="stable")
    default = (tables.config.get("policy") or {}).get("feedback", "explain")
    own: dict[str, set[str]] = {}
    for game in tables.config.get("games") or ():
        own.setdefault(game["name"], set()).add((game.get("policy") or {}).get("feedback", default))
    varied = attempts.get("condition.feedback")
    found = ["/".join(sorted(own.get(str(game).partition(":")[0], {default}))) for game in attempts["game"]]
    feedback = pd.Series(found, index=attempts.index, dtype="object")
    following = attempts.groupby(["match", "step", "seat"], sort=False)["legal"].shift(-1)
    return attempts.assign(feedback=feedback if varied is None else varied, next_legal=following.astype("object"))
