"""What a call costs. The reference is a published bill and arithmetic by hand."""

from __future__ import annotations

from importlib.metadata import version

import pytest

from ludometer.core.exchange import Usage
from ludometer.models import Price, prices_version
from ludometer.models.answers import reported_cost
from ludometer.models.pricing import cost_at, cost_from_tables, cost_of

BILL = Usage(input=262_960, cached_input=257_955, output=1_744)


def test_a_published_bill():
    price = Price(input=1.25, cached_input=0.625, output=10)
    assert cost_at(BILL, price) == pytest.approx(0.1849, abs=5e-5)


def test_cached_input_is_charged_once_and_like_the_rest_without_a_price_of_its_own():
    price = Price(input=2, cached_input=0, output=0)
    assert cost_at(Usage(1_000_000, 400_000, 0), price) == pytest.approx(1.2)
    assert cost_at(Usage(1_000_000, 400_000, 0), Price(input=2, output=0)) == pytest.approx(2)
    assert cost_at(Usage(100, 400, 0), price) == 0, "more cached than there was"


def test_reasoning_is_part_of_the_output():
    price = Price(input=0, output=1)
    assert cost_at(Usage(0, None, 1_000_000, 900_000), price) == pytest.approx(1)


def test_free_is_a_price_and_unknown_is_none():
    assert cost_at(BILL, Price(input=0, output=0)) == 0.0
    assert cost_of(BILL, provider="openai", model="no-such-model-9", override=None) is None
    assert cost_of(BILL, provider="no-such-provider", model="gpt-5", override=None) is None
    assert cost_of(BILL, provider=None, model="gpt-5", override=None) is None


@pytest.mark.parametrize("usage", [Usage(), Usage(input=5), Usage(output=5)])
def test_who_does_not_count_has_no_cost(usage):
    assert cost_at(usage, Price(input=1, output=1)) is None
    assert cost_from_tables(usage, "openai", "gpt-5") is None


def test_the_tables_charge_cached_input_once():
    # GPT-5 at its launch prices: 1.25 / 0.125 / 10 US dollars per million.
    cost = cost_from_tables(Usage(1_000_000, 600_000, 100_000), "openai", "gpt-5")
    assert cost == pytest.approx(0.4 * 1.25 + 0.6 * 0.125 + 0.1 * 10)
    assert cost_from_tables(Usage(10, 999, 10), "openai", "gpt-5") is not None, "more cached than there was"


def test_a_free_model_of_the_tables_is_free():
    assert cost_from_tables(Usage(1000, None, 1000), "openrouter", "allenai/molmo-7b-d:free") == 0.0


def test_prices_are_alternatives():
    price = Price(input=1, output=1)
    usage = Usage(1_000_000, None, 0)
    assert cost_of(usage, provider="openai", model="gpt-5", override=price, reported=7.0) == 1
    assert cost_of(usage, provider="openai", model="gpt-5", override=None, reported=7.0) == 7
    assert cost_of(usage, provider="openai", model="gpt-5", override=None) == pytest.approx(1.25)


@pytest.mark.parametrize(
    ("usage", "cost"),
    [
        ({"cost": 0.5}, 0.5),
        ({"cost": 0}, 0.0),
        ({"cost": "0.5"}, 0.5),
        ({"cost": None}, None),
        ({"cost": True}, None),
        ({"cost": -1}, None),
        ({"cost": 0.01, "is_byok": True}, None),
        (None, None),
    ],
)
def test_reported_costs(usage, cost):
    assert reported_cost(usage) == cost


def test_the_version_of_the_tables():
    assert prices_version() == f"genai-prices {version('genai-prices')}"
