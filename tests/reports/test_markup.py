from __future__ import annotations

from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st

from ludometer.reports.markup import Markup, element, text
from ludometer.reports.svg import LETTERS, Scale, short_names, shortened


@given(st.text())
def test_any_text_comes_out_as_text(words: str) -> None:
    """An XML parser, which knows nothing of the builder, finds one element with one text and one attribute."""
    found = ElementTree.fromstring(element("p", words, title=words))
    assert len(found) == 0
    assert found.attrib.keys() == {"title"}
    written = "".join(found.itertext())
    assert set(written) - set(words) <= set("\\0123456789abcdefux\n")  # unpaired surrogates are written as escapes
    for sign in "<>&\"'":
        assert written.count(sign) == words.count(sign) == found.attrib["title"].count(sign)


def test_markup_is_kept_and_texts_are_not() -> None:
    assert element("p", element("b", "<i>")) == "<p><b>&lt;i&gt;</b></p>"
    assert element("p", str(element("b", 1))[:]) == "<p>&lt;b&gt;1&lt;/b&gt;</p>"
    assert isinstance(text("x"), Markup)


def test_attributes() -> None:
    made = element("rect", stroke_width=1.005, class_="a", hidden=True, title=None, role=False)
    assert made == '<rect stroke-width="1" class="a" hidden></rect>'
    assert element("meta", charset="utf-8") == '<meta charset="utf-8">'


@given(st.lists(st.floats(-1e6, 1e6), min_size=1, max_size=20), st.booleans())
def test_a_scale_holds_its_values_between_round_ticks(values: list[float], zero: bool) -> None:
    scale = Scale.around(values, 10, 500, zero=zero)
    slack = 1e-9 * max(1.0, *(abs(value) for value in values))
    assert scale.low - slack <= min(values) and max(values) <= scale.high + slack
    assert all(10 <= scale(value) <= 500 for value in values)
    assert 2 <= len(scale.ticks()) <= 13


def test_long_names_keep_both_ends() -> None:
    assert shortened("short") == "short"
    cut = shortened("provider/some-model-with-a-long-name-2026-11-29", 20)
    assert len(cut) == 20 and cut.startswith("provider") and cut.endswith("11-29")


def test_different_names_stay_different_when_they_are_cut() -> None:
    names = [f"provider/some-long-model-name-{i}-instruct-2026" for i in range(12)] + ["perfect"]
    short = short_names(names)
    assert len(set(short.values())) == 13
    assert max(len(name) for name in short.values()) <= LETTERS
    assert short["perfect"] == "perfect"
    assert all(name.startswith("provider") for name in list(short.values())[:12])
