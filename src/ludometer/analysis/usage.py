"""What the calls to models used: tokens, cost and latency. What a provider does not report stays unknown."""

from __future__ import annotations

from typing import Any

import pandas as pd

from ludometer.analysis.run import Source, load_tables

__all__ = ["usage"]

_COLUMNS = [
    *("entrant", "calls", "input_tokens", "output_tokens", "reasoning_tokens", "no_usage"),
    *("cost", "unpriced", "latency_median", "latency_p95"),
]


def usage(source: Source) -> pd.DataFrame:
    """Calls per entrant that made any, over all matches, unfinished ones included.

    Returns:
        Columns ``entrant``, ``calls``; ``input_tokens``, ``output_tokens``, ``reasoning_tokens`` (sums of what was
        reported, missing where no call reports any; ``no_usage`` calls report neither input nor output); ``cost`` in
        US dollars (the sum of known prices, missing where none is known; ``unpriced`` calls have no price);
        ``latency_median`` and ``latency_p95`` in seconds, each over all calls.
    """
    tables = load_tables(source)
    groups = {str(name): group for name, group in tables.exchanges.groupby("entrant")}
    rows = [{"entrant": name, **_used(groups[name])} for name in tables.names if name in groups]
    return pd.DataFrame(rows, columns=_COLUMNS)


def _used(calls: pd.DataFrame) -> dict[str, Any]:
    sums = {name: _known_sum(calls[name]) for name in ("input_tokens", "output_tokens", "reasoning_tokens")}
    silent = calls["input_tokens"].isna() & calls["output_tokens"].isna()
    return {
        "calls": len(calls),
        **{name: None if value is None else int(value) for name, value in sums.items()},
        "no_usage": int(silent.sum()),
        "cost": _known_sum(calls["cost"]),
        "unpriced": int(calls["cost"].isna().sum()),
        "latency_median": float(calls["latency"].median()),
        "latency_p95": float(calls["latency"].quantile(0.95)),
    }


def _known_sum(values: pd.Series[Any]) -> float | None:
    known = values.dropna()
    return None if known.empty else float(known.sum())
