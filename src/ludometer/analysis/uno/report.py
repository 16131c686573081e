"""What a report shows of a run with UNO: our tables beside the published ones, timelines, and correlations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import pandas as pd

from ludometer.analysis.sections import Column, Figure, Form, Lines, Picture, Section, Table
from ludometer.analysis.uno.heat_map import heat_map
from ludometer.analysis.uno.metrics import METRICS
from ludometer.analysis.uno.published import metric_correlations, published_notes, published_tables
from ludometer.core.spec import parse_spec
from ludometer.solvers.estimates import sees_hidden
from ludometer.store import MatchRow, RunStore

__all__ = ["decision_section", "result_section", "timeline_section"]

_TIMELINES: Final = 4
"""As many as the study shows."""

_EXPLAINED: Final = (
    "Every decision between two or more actions was judged: what share of the games is won after each action if "
    "everybody goes on at random. ODHR@K: share of the decisions between K actions that hit the best one. ADR@K: mean "
    "rank of what was decided, from 1 (best) to K. Equal estimates share their rank and their hit, so that "
    "ADR@2 = 2 - ODHR@2 and deciding at random has 1/K and (K + 1)/2. A decision is critical where the best and the "
    "worst action differ by at least p. WR: share of the wins; the study counts a shared win whole for every winner."
)
_CLUSTERED: Final = "Intervals are clustered on duplicate groups: matches with the same deck."
_FAIR: Final = "averages over what the hidden cards may be, as far as the player who moves can know"
_OMNISCIENT: Final = "sees all hidden cards, as the study's judge does, and so blames for what could not be known"
_SMALL: Final = (
    "The best of several estimates is more likely over- than underestimated, so that regrets are a little too large, "
    "and the more so the fewer continuations; the gain over deciding at random is free of that."
)


def result_section(rates: pd.DataFrame, *, judged: bool) -> Section:
    """Winning rates by seat.

    Args:
        rates: from `ludometer.analysis.uno.metrics.winning_rates`, by seat.
        judged: whether any decision was judged.
    """
    columns = (
        Column("entrant", "Entrant"),
        *_where(rates),
        Column("seat_number", "Seat", "count"),
        Column("WR", "Winning rate", "share", "WR_low", "WR_high", "WR_n"),
    )
    table = Table("Winning rates by seat", rates, columns, f"A win of several players is split. {_CLUSTERED}")
    hint = () if judged else ("The decisions of this run were not judged: see `ludometer analyze`.",)
    return Section("uno-results", "UNO: winning rates", "Seat 1 moves first.", (table,), notes=hint)


# ------------------------------------------------------------------- decisions


def decision_section(by_p: Sequence[tuple[float, pd.DataFrame]], kinds: pd.DataFrame, regrets: pd.DataFrame) -> Section:
    """How good decisions were, beside what was published.

    Args:
        by_p: thresholds with the frame of `ludometer.analysis.uno.metrics.player_metrics` for each.
        kinds: from `by_kind`, for a threshold of 0.
        regrets: from `regrets`.
    """
    judges = sorted(set(regrets["evaluator"]))
    by_p = [(p, _shortly(ours)) for p, ours in by_p]
    kinds, regrets = _shortly(kinds), _shortly(regrets)
    tables = [_beside(ours, p) for p, ours in by_p]
    kind = Column("kind", "Decision")
    numbers = [column for column in _metric_columns() if column.name != "WR"]
    tables.append(Table("By kind of decision (p = 0)", kinds, (*_who(kinds), kind, *numbers), _CLUSTERED, folded=True))
    tables.append(Table("Regret", regrets, (*_who(regrets), kind, *_regret_columns()), f"{_CLUSTERED} {_SMALL}"))
    notes = [f"{spec} {_OMNISCIENT if sees_hidden(spec) else _FAIR}." for spec in judges]
    return Section(
        "uno-decisions",
        "UNO: how good the decisions were",
        _EXPLAINED,
        tuple(tables),
        tuple(_heat_maps(by_p[0][1], by_p[0][0])),
        (*notes, f"On the published tables: {' '.join(published_notes())}"),
    )


def _beside(ours: pd.DataFrame, p: float) -> Table:
    """Our rows, then the published ones with as many seats and the same threshold."""
    seats = set(ours["seats"])
    published = [table for table in published_tables() if table.p == p and table.seats in seats]
    rows = [ours.assign(source=ours["evaluator"])]
    rows += [table.frame.assign(source=f"published, table {table.number}", seats=table.seats) for table in published]
    frame = pd.concat(rows, ignore_index=True)
    columns = (*_who(ours, judge=False), Column("source", "Judge"), *_metric_columns())
    title = "Critical decisions" if p > 0 else "All decisions"
    known = "".join(f" Table {table.number}: {table.title}, {table.games} games." for table in published)
    beside = " beside the published tables" if published else ""
    alone = " Published rows come without intervals and without numbers of decisions." if published else ""
    return Table(f"{title} (p = {p:.2f}){beside}", frame, columns, f"{_CLUSTERED}{known}{alone}")


def _shortly(frame: pd.DataFrame) -> pd.DataFrame:
    """The frame with every judge called by its name alone, where no other of that name judged: the notes above the
    tables have all options, and the tables are wide."""
    specs = frame["evaluator"].drop_duplicates()
    names = specs.map(lambda spec: parse_spec(spec).name)
    short = {spec: name for spec, name in zip(specs, names, strict=True) if list(names).count(name) == 1}
    return frame.assign(evaluator=frame["evaluator"].replace(short))


def _metric_columns() -> list[Column]:
    columns = []
    for name in METRICS:
        form: Form = "number" if name.startswith("ADR") else "share"
        columns.append(Column(name, name, form, f"{name}_low", f"{name}_high", f"{name}_n", digits=3))
    return columns


def _regret_columns() -> tuple[Column, ...]:
    return (
        Column("regret", "Regret, percentage points", "number", "regret_low", "regret_high", "n"),
        Column("regret_error", "Standard error", "number"),
        Column("chance_regret", "Regret at random", "number"),
        Column("gain", "Gain over random, percentage points", "signed", "gain_low", "gain_high"),
        Column("unclear", "Best two not told apart", "share", "unclear_low", "unclear_high"),
    )


def _who(frame: pd.DataFrame, *, judge: bool = True) -> tuple[Column, ...]:
    several = judge and frame["evaluator"].nunique() > 1
    return (Column("entrant", "Entrant"), *_where(frame), *([Column("evaluator", "Judge")] if several else []))


def _where(frame: pd.DataFrame) -> list[Column]:
    """Columns for what varies within the run."""
    heads = {"game": "Game", "condition": "Condition", "seats": "Players"}
    return [Column(name, head) for name, head in heads.items() if frame[name].nunique() > 1]


def _heat_maps(ours: pd.DataFrame, p: float) -> Iterator[Picture]:
    published = published_tables()[0]
    title = f"Correlations between the metrics over the {len(published.frame)} players of the published table 2"
    yield Picture(
        title, "Pearson, from the table's rounded values.", heat_map(metric_correlations(published.frame), title), title
    )
    for (evaluator, *_), rows in ours.groupby(["evaluator", "game", "condition", "seats"], sort=False):
        matrix = metric_correlations(rows)
        if matrix.notna().to_numpy().any():
            own = f"Correlations between the metrics over the {len(rows.dropna(subset=list(METRICS)))} entrants"
            caption = (
                f"Pearson, for p = {p:.2f}, judged by {evaluator}. With few entrants chance makes strong correlations."
            )
            yield Picture(own, caption, heat_map(matrix, own), own)


# ------------------------------------------------------------------- timelines


def timeline_section(store: RunStore, rates: pd.DataFrame, swings: pd.DataFrame, evaluator: str) -> Section:
    """Winning rates over the decisions of the matches that swung most, and the swings of these matches.

    Args:
        rates: from `ludometer.analysis.uno.timeline.win_rates`.
        swings: from `largest_swings`.
        evaluator: whose rates they are.
    """
    largest = swings.groupby("match")["change"].agg(lambda changes: changes.abs().max())
    shown = list(largest.sort_values(ascending=False, kind="stable").index[:_TIMELINES])
    matches = {row.id: row for row in store.matches() if row.id in shown}
    figures: tuple[Figure, ...] = tuple(_lines(matches[match], rates[rates["match"] == match]) for match in shown)
    listed = swings[swings["match"].isin(shown)]
    listed = listed.assign(order=listed["match"].map(shown.index)).sort_values("order", kind="stable")
    columns = (
        Column("match", "Match"),
        Column("decision", "Decision", "count"),
        Column("decider", "Decided by"),
        Column("action", "Decision made"),
        Column("entrant", "Whose rate"),
        Column("before", "Before", "share"),
        Column("after", "After", "share"),
    )
    explain = (
        f"The share of games that each player would win if all went on at random, after every decision, judged by "
        f"{evaluator}. Shown are the matches with the largest swings, which are not typical ones."
    )
    table = Table("Largest swings", listed, columns, "From one decision to the next, cards drawn in between included.")
    notes = () if sees_hidden(evaluator) else ("Each rate is what the player who moved could know, so lines jump.",)
    return Section("uno-timelines", "UNO: winning rates over the game", explain, (table,), figures, notes)


def _lines(row: MatchRow, rates: pd.DataFrame) -> Lines:
    # Entrants may have the same name in two seats.
    names = [f"{number}: {name}" for number, name in enumerate(row.seats.values(), start=1)]
    decision = rates["decision"].to_list()
    series = {
        name: list(zip(decision, rates[f"rate_{number}"].to_list(), strict=True))
        for number, name in enumerate(names, start=1)
    }
    return Lines(
        f"Match {row.number}",
        f"Winning rates of all players in match {row.id}; names with their seats.",
        "decision",
        "winning rate",
        series,
        0.0,
        1.0,
    )
