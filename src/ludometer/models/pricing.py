"""What a call cost, from the price tables of the package `genai-prices` or from the user's own price."""

from __future__ import annotations

from functools import cache
from importlib.metadata import version

from ludometer.core.exchange import Usage

from .settings import Price

__all__ = ["cost_at", "cost_from_tables", "cost_of", "prices_version"]

_MILLION = 1e6


@cache
def prices_version() -> str:
    """Name and version of the price tables, to be stored with a run."""
    return f"genai-prices {version('genai-prices')}"


def cost_of(
    usage: Usage, *, provider: str | None, model: str, override: Price | None, reported: float | None = None
) -> float | None:
    """US dollars for a call; None where nobody knows.

    The user's own price comes first, then what the provider says it charged, then the tables. They are
    alternatives: nothing is ever added up.

    Args:
        provider: the provider's id in the tables; None where they cannot know it.
        reported: the cost in US dollars in the provider's answer.
    """
    if override is not None:
        return cost_at(usage, override)
    if reported is not None:
        return reported
    return None if provider is None else cost_from_tables(usage, provider, model)


def cost_at(usage: Usage, price: Price) -> float | None:
    """US dollars at a given price; None where the provider did not count. Cached input is charged once."""
    if usage.input is None or usage.output is None:
        return None
    cached = min(usage.cached_input or 0, usage.input)
    cached_price = price.input if price.cached_input is None else price.cached_input
    dollars = (usage.input - cached) * price.input + cached * cached_price + usage.output * price.output
    return dollars / _MILLION


def cost_from_tables(usage: Usage, provider: str, model: str) -> float | None:
    """US dollars by the tables; None for a model they do not hold or usage they cannot price."""
    from genai_prices import Usage as Counted
    from genai_prices import calc_price

    if usage.input is None or usage.output is None:
        return None
    cached = min(usage.cached_input or 0, usage.input)
    counted = Counted(input_tokens=usage.input, cache_read_tokens=cached or None, output_tokens=usage.output)
    try:
        return float(calc_price(counted, model, provider_id=provider).total_price)
    except (LookupError, ValueError, ArithmeticError):
        return None
