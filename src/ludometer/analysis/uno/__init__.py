"""UNO: how good decisions were and who was winning when, from what `ludometer analyze` added to a run.

The definitions are those of Qin et al., "UNO Arena for Evaluating Sequential Decision-Making Capability of Large
Language Models" (2024); docs/uno-arena.md says where ours go further.
"""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd

from ludometer.analysis.sections import Section
from ludometer.analysis.uno.decisions import decisions, plays_uno
from ludometer.analysis.uno.metrics import KS, METRICS, by_kind, player_metrics, regrets, winning_rates
from ludometer.analysis.uno.published import metric_correlations, published_notes, published_tables
from ludometer.analysis.uno.report import decision_section, result_section, timeline_section
from ludometer.analysis.uno.timeline import largest_swings, timeline_evaluator, win_rates
from ludometer.store import RunStore

__all__ = [
    "KS",
    "METRICS",
    "by_kind",
    "decisions",
    "largest_swings",
    "metric_correlations",
    "player_metrics",
    "plays_uno",
    "published_notes",
    "published_tables",
    "regrets",
    "sections",
    "timeline_evaluator",
    "uno_tables",
    "win_rates",
    "winning_rates",
]

THRESHOLDS = (0.15, 0.0)
"""Those of the study: least difference between the best and the worst action of a critical decision."""


def uno_tables(store: RunStore, *, p: float = 0.15, evaluator: str | None = None) -> dict[str, pd.DataFrame]:
    """Everything about a run's games of UNO.

    Args:
        p: threshold for critical decisions.
        evaluator: only values of this one, by name or by name and options; by default of all that judged.

    Returns:
        ``decisions`` (see `decisions`), ``players`` (`player_metrics`), ``kinds`` (`by_kind`), ``regrets``
        (`regrets`), ``seats`` (`winning_rates` by seat), ``rates`` (`win_rates`), ``swings`` (`largest_swings`) and
        ``correlations`` (`metric_correlations` over the entrants, by evaluator; the metric of the row is in the column
        ``metric``). Empty where nothing was judged, or where there is no UNO.
    """
    decided = decisions(store, evaluator=evaluator)
    players = player_metrics(winning_rates(store), decided, p=p)
    judge = timeline_evaluator(decided)
    rates = win_rates(store, decided, evaluator=judge or "")
    return {
        "decisions": decided,
        "players": players,
        "kinds": by_kind(decided, p=p),
        "regrets": regrets(decided),
        "seats": winning_rates(store, by_seat=True),
        "rates": rates,
        "swings": largest_swings(store, rates),
        "correlations": _correlations(players),
    }


def _correlations(players: pd.DataFrame) -> pd.DataFrame:
    pieces = [
        metric_correlations(rows).rename_axis("metric").reset_index().assign(evaluator=evaluator)
        for evaluator, rows in players.groupby("evaluator", sort=False)
    ]
    columns = ["evaluator", "metric", *METRICS]
    return pd.concat(pieces, ignore_index=True)[columns] if pieces else pd.DataFrame(columns=columns)


def sections(store: RunStore) -> Sequence[Section]:
    """What a report shows of UNO; nothing for a run without it."""
    if not plays_uno(store):
        return ()
    tables = uno_tables(store)
    decided = tables["decisions"]
    found = []
    if not tables["seats"].empty:
        found.append(result_section(tables["seats"], judged=not decided.empty))
    if not tables["regrets"].empty:
        rates = winning_rates(store)
        by_p = [(p, player_metrics(rates, decided, p=p)) for p in THRESHOLDS]
        found.append(decision_section(by_p, by_kind(decided, p=0.0), tables["regrets"]))
    if not tables["swings"].empty:
        found.append(timeline_section(store, tables["rates"], tables["swings"], timeline_evaluator(decided) or ""))
    return found
