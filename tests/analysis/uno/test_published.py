"""The published tables, and what can be computed from them."""

from __future__ import annotations

import math
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from ludometer.analysis.sections import Picture
from ludometer.analysis.uno import METRICS, metric_correlations, published_notes, published_tables
from ludometer.analysis.uno.heat_map import heat_map
from ludometer.analysis.uno.report import decision_section

TABLES = {table.number: table for table in published_tables()}
SVG = "{http://www.w3.org/2000/svg}"


def test_the_correlations_of_the_studys_table_2() -> None:
    matrix = metric_correlations(TABLES[2].frame)
    published = {"ODHR@2": 0.96, "ADR@2": -0.96, "ODHR@3": 0.71, "ADR@3": -0.92, "ODHR@4": 0.81, "ADR@4": -0.91}
    assert matrix.loc["WR"].drop("WR").round(2).to_dict() == published
    assert matrix.shape == (7, 7)
    assert np.allclose(matrix, matrix.T) and np.allclose(np.diag(matrix), 1)
    # Against the formula itself, for one pair.
    one, two = TABLES[2].frame["ODHR@3"], TABLES[2].frame["ADR@4"]
    one, two = one - one.mean(), two - two.mean()
    assert matrix.loc["ODHR@3", "ADR@4"] == pytest.approx((one @ two) / math.sqrt((one @ one) * (two @ two)))


def test_rank_and_hit_agree_in_every_published_table() -> None:
    for table in TABLES.values():
        rounding = 0.0006 if table.number in (2, 3) else 0.00011
        gap = table.frame["ADR@2"] - (2 - table.frame["ODHR@2"])
        assert gap.abs().max() <= rounding, table.number


def test_the_notes_are_true() -> None:
    shared = TABLES[4].frame.set_index("entrant").loc["Gemini-pro (TuTri)"]
    again = TABLES[5].frame.set_index("entrant").loc["Gemini-pro (TuTri)"]
    assert shared.equals(again) and TABLES[4].p != TABLES[5].p
    five = TABLES[3].frame["WR"]
    per_200, per_500 = five * 200, five * 500
    assert (abs(per_200 - per_200.round()) > 1e-6).sum() == 4
    assert (abs(per_500 - per_500.round()) < 1e-6).all()
    assert five.sum() == pytest.approx(1.03)
    pairs = TABLES[4].frame["WR"].to_numpy().reshape(-1, 2).sum(axis=1)
    assert (pairs.min(), pairs.max()) == (pytest.approx(1.0), pytest.approx(1.01))
    assert len(published_notes()) == 5


def test_tables_are_in_our_units() -> None:
    assert [(t.number, t.seats, t.games, t.p, len(t.frame)) for t in TABLES.values()] == [
        (2, 2, 500, 0.15, 6),
        (3, 5, 200, 0.0, 5),
        (4, 2, 200, 0.0, 10),
        (5, 2, 200, 0.15, 3),
    ]
    best = TABLES[2].frame.set_index("entrant").loc["GPT-4"]
    assert best.to_dict() == pytest.approx(
        dict(zip(METRICS, (0.632, 0.6147, 1.385, 0.393, 1.904, 0.3699, 2.142), strict=True))
    )


def test_too_few_players_have_no_correlations() -> None:
    assert metric_correlations(TABLES[2].frame[:2]).isna().all().all()
    constant = TABLES[2].frame.assign(**{"ODHR@3": 0.5})
    matrix = metric_correlations(constant)
    assert matrix["ODHR@3"].isna().all()
    assert matrix.loc["WR", "ADR@4"] == metric_correlations(TABLES[2].frame).loc["WR", "ADR@4"]


def test_a_report_of_several_entrants_has_a_heat_map_of_its_own() -> None:
    entrants = published_tables()[0].frame.assign(game="uno", condition="", seats=2, evaluator="judge")
    regrets = pd.DataFrame({"evaluator": ["judge"], "game": ["uno"], "condition": [""], "seats": [2]})
    both = decision_section([(0.15, entrants)], regrets, regrets).figures
    assert [type(figure) for figure in both] == [Picture, Picture]
    assert "6 entrants" in both[1].title and "judge" in both[1].caption
    own, published = (figure.svg.partition("</title>")[2] for figure in both if isinstance(figure, Picture))
    assert own == published  # the same players, so the same correlations
    assert len(decision_section([(0.15, entrants[:2])], regrets, regrets).figures) == 1


def test_the_heat_map_shows_every_value() -> None:
    matrix = metric_correlations(TABLES[2].frame)
    matrix.iloc[0, 6] = np.nan
    drawn = ElementTree.fromstring(heat_map(matrix, "a <b> & c"))
    texts = [element.text for element in drawn.iter(f"{SVG}text")]
    assert len(texts) == 2 * 7 + 49
    assert texts.count("–") == 1 and "\N{MINUS SIGN}0.96" in texts and "+0.71" in texts
    assert drawn.findtext(f"{SVG}title") == "a <b> & c"
    fills = {element.get("fill") for element in drawn.iter(f"{SVG}rect")}
    assert len(fills) > 10


def test_hostile_names_are_escaped() -> None:
    name = '<script>"&'
    drawn = heat_map(pd.DataFrame([[1.0]], index=[name], columns=[name]), "t")
    assert "<script>" not in drawn
    ElementTree.fromstring(drawn)
