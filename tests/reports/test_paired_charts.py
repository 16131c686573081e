"""Lollipops and grouped bars: what is drawn, where, and that hostile names stay text."""

from __future__ import annotations

import re
from typing import Any
from xml.etree import ElementTree

import pytest

from ludometer.reports.paired_charts import bars_chart, lollipops_chart

SVG = "{http://www.w3.org/2000/svg}"
EVIL = '<script>"&'


def row(name: str, value: float | None, low: float | None = None, high: float | None = None, **more: Any) -> Any:
    return {"name": name, "value": value, "low": low, "high": high, "n": "40 games", **more}


def test_lollipops_stand_on_zero() -> None:
    drawn = lollipops_chart("t", "points", [row("up", 120.0, 20.0, 220.0), row("down", -80.0), row("none", None)])
    picture = ElementTree.fromstring(str(drawn))
    heads = [float(head.get("cx", "nan")) for head in picture.iter(f"{SVG}circle")]
    sticks = [line for line in picture.iter(f"{SVG}line") if line.get("stroke-width") == "4"]
    assert len(heads) == len(sticks) == 2
    zero = float(sticks[0].get("x1", "nan"))
    assert heads[0] > zero > heads[1]
    assert [float(stick.get("x2", "nan")) for stick in sticks] == heads
    assert len({stick.get("stroke") for stick in sticks}) == 2, "gains and losses differ"
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert "+120  (40 games)" in texts and "-80  (40 games)" in texts


def test_bars_of_one_name_have_one_colour_and_their_share_of_the_width() -> None:
    rows = [
        row("direct", 0.25, 0.1, 0.5, group="a"),
        row("thinks", 0.5, group="a"),
        row("thinks", 1.0, 0.9, 1.0, group="b"),
        row("direct", None, group="b"),
    ]
    picture = ElementTree.fromstring(str(bars_chart("t", "score", rows)))
    bars = [bar for bar in picture.iter(f"{SVG}rect") if bar.get("fill-opacity")]
    widths = [float(bar.get("width", "nan")) for bar in bars]
    assert widths[1] == pytest.approx(2 * widths[0]) and widths[2] == pytest.approx(4 * widths[0])
    fills = [bar.get("fill") for bar in bars]
    assert fills[1] == fills[2] != fills[0]
    places = [float(bar.get("y", "nan")) for bar in bars]
    assert places == sorted(places)
    texts = [text.text for text in picture.iter(f"{SVG}text")]
    assert texts.index("a") < texts.index("b") and "100.0%  (40 games)" in texts


@pytest.mark.parametrize("chart", [lollipops_chart, bars_chart])
def test_nothing_to_show_and_names_that_are_markup(chart: Any) -> None:
    assert chart("t", "x", []) is None
    assert chart("t", "x", [row("a", None, group="g")]) is None
    text = str(chart(EVIL, EVIL, [row(EVIL, 0.5, 0.1, 0.9, group=EVIL)]))
    assert not re.search(r"<script", text) and "&lt;script&gt;" in text
    ElementTree.fromstring(text)
