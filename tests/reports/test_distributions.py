"""Stacked bars and violins."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from importlib import import_module
from typing import Any

import pytest

from ludometer.analysis.sections import Section, Stack, Stacks, Violin, Violins
from ludometer.core import MachineError
from ludometer.reports.distributions import stacks_chart, violins_chart
from ludometer.reports.game_sections import drawn, section_data
from ludometer.reports.pdf import pdf_of
from ludometer.reports.svg import SERIES

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "<script>alert(1)</script>&\"'"


def bar(name: str, **parts: float) -> dict[str, Any]:
    return {"name": name, "parts": parts, "n": "8"}


def bars(svg: str) -> list[tuple[float, float, float, str]]:
    """Middle, start, width and colour of every part of a bar."""
    found = []
    for group in ET.fromstring(svg).iter(f"{SVG}g"):
        box = group.find(f"{SVG}rect")
        if box is not None:
            found.append((float(box.get("y")), float(box.get("x")), float(box.get("width")), box.get("fill")))
    return found


def test_parts_stand_one_after_the_other_and_have_their_size():
    rows = [bar("a", won=0.25, lost=0.75), bar("b", lost=1.0)]
    (won, lost, whole) = bars(stacks_chart("t", "w", rows, share=True))
    assert lost[2] / won[2] == pytest.approx(3, rel=0.02)
    assert lost[1] == pytest.approx(won[1] + won[2], abs=1)
    assert whole[2] == pytest.approx(won[2] + lost[2], abs=1) and whole[1] == won[1]
    assert won[0] == lost[0] < whole[0]
    assert lost[3] == whole[3] != won[3], "a part has the same colour in every bar"


def test_the_order_of_colours_is_that_of_the_parts_named_first():
    found = bars(stacks_chart("t", "w", [bar("a", x=0.0, y=1.0), bar("b", y=1.0, x=2.0)]))
    assert [color for *_, color in found] == [SERIES[1], SERIES[0], SERIES[1]]


def test_more_parts_than_colours_are_one():
    parts = {f"p{i}": float(i + 1) for i in range(14)}
    svg = stacks_chart("t", "w", [{"name": "a", "parts": parts, "n": ""}])
    found = bars(svg)
    assert len(found) == 10 and len({color for *_, color in found}) == 10
    assert "other: 15" in svg, "1 + 2 + 3 + 4 + 5"


def test_nothing_is_no_chart():
    assert stacks_chart("t", "w", []) is None
    assert stacks_chart("t", "w", [{"name": "a", "parts": {"x": 0.0}, "n": ""}]) is None
    assert violins_chart("t", "w", [{"name": "a", "values": [], "n": ""}]) is None


def test_a_violin_is_widest_where_values_are_densest():
    values = [10.0] * 3 + [29.0, 30.0, 30.0, 30.0, 31.0, 30.0, 30.0] + [50.0]
    svg = violins_chart("t", "w", [{"name": "a", "values": values, "n": "11"}])
    (outline,) = ET.fromstring(svg).iter(f"{SVG}polygon")
    points = [tuple(map(float, pair.split(","))) for pair in outline.get("points").split()]
    upper = points[: len(points) // 2]
    widest = min(upper, key=lambda point: point[1])[0]
    left, right = upper[0][0], upper[-1][0]
    assert (widest - left) / (right - left) == pytest.approx(0.5, abs=0.08)
    assert "median 30, quartiles" in svg
    assert svg.count("<circle") == len(values) + 1


def test_few_or_equal_values_are_dots():
    rows = [{"name": "a", "values": [3.0, 4.0], "n": ""}, {"name": "b", "values": [5.0] * 9, "n": ""}]
    svg = violins_chart("t", "w", rows)
    assert "<polygon" not in svg and svg.count("<circle") == 2 + 9 + 2


def test_hostile_texts_are_texts():
    stacks = Stacks(HOSTILE, "c", HOSTILE, (Stack(HOSTILE, {HOSTILE: 1.0, "x": float("nan")}, HOSTILE),), share=True)
    violins = Violins(HOSTILE, "c", HOSTILE, (Violin(HOSTILE, (1.0, 2.0, float("inf")), HOSTILE),))
    data = section_data(Section("s", "t", "e", figures=(stacks, violins)))
    for one in data["figures"]:
        svg = drawn(one)
        assert "<script" not in svg
        assert HOSTILE in "".join(ET.fromstring(svg).itertext())
    assert data["figures"][0]["rows"][0]["parts"] == {HOSTILE: 1.0}
    assert data["figures"][1]["rows"][0]["values"] == [1.0, 2.0]


def test_a_figure_as_pdf():
    pytest.importorskip("typst", reason="figures as PDF need an extra: pip install 'ludometer[pdf]'")
    svg = str(violins_chart("t", "w", [{"name": "zweite ✨", "values": [1.0, 2.0, 4.0, 4.5], "n": "4"}]))
    made = pdf_of(svg)
    assert made.startswith(b"%PDF-") and made == pdf_of(svg), "the same figure is the same file"
    known = import_module("typst").Fonts().families()
    if "Liberation Sans" in known and not {"Helvetica", "Arial"} & set(known):
        assert b"LiberationSans" in made
    box = re.search(rb"/MediaBox\s*\[\s*0\s+0\s+([\d.]+)\s+([\d.]+)", made)
    if box is not None:  # else it is in a compressed part
        width, height = (float(part) for part in box.groups())
        size = ET.fromstring(svg)
        assert width / height == pytest.approx(float(size.get("width")) / float(size.get("height")), rel=0.02)


def test_a_figure_reaches_nothing_outside():
    pytest.importorskip("typst", reason="figures as PDF need an extra: pip install 'ludometer[pdf]'")
    image = '<image href="/etc/hostname" width="9" height="9"/>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">{image}</svg>'
    with pytest.raises(MachineError, match="cannot be written as PDF"):
        pdf_of(svg)


def test_a_key_shows_a_sentence_whole():
    why = "lost: player N lost the round: the bid NxN did not hold"
    svg = stacks_chart("t", "w", [{"name": "a", "parts": {why: 1.0}, "n": "8"}])
    shown = [text.text for text in ET.fromstring(svg).iter(f"{SVG}text")]
    assert why in shown
