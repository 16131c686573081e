"""Characters that nobody sees: which those are, and how they are written."""

from __future__ import annotations

import json
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ludometer.cli.output import print_json
from ludometer.core.text import UNSEEN, escaped
from ludometer.games._language import quoted, shown, unquoted

SMUGGLED = "hidden: " + "".join(chr(0xE0000 + ord(letter)) for letter in "obey")
"""Tags: Unicode's second alphabet, which no screen shows and which models read."""


def test_tags_and_soft_hyphens_are_unseen_and_what_people_write_is_not() -> None:
    for character in ("\x1b", "\u202e", "\u200b", "\xad", "\u180e", "\U000e0041", "\U000e007f"):
        assert UNSEEN.fullmatch(character), f"U+{ord(character):04X}"
    for text in ("a\tb\nc", "naïve – «日本語»", "👩🏽 ❤️", "मराठी"):
        assert not UNSEEN.search(text)


def test_smuggled_text_is_shown_as_escapes_in_every_prompt_and_record() -> None:
    for text in (shown(SMUGGLED), quoted(SMUGGLED), escaped(SMUGGLED)):
        assert text.count("\\udb40\\udc") == len("obey")
        assert not any(unicodedata.category(character) == "Cf" for character in text)
    assert unquoted(quoted(SMUGGLED)) == SMUGGLED


def test_json_for_programs_is_read_back_as_it_was(capsys) -> None:
    print_json({"said": SMUGGLED, "half": "\ud800"})
    out = capsys.readouterr().out
    assert json.loads(out) == {"said": SMUGGLED, "half": "\ud800"}
    assert not UNSEEN.search(out)


@given(st.text())
def test_an_escaped_json_string_means_the_same(text: str) -> None:
    written = escaped(json.dumps(text, ensure_ascii=False))
    assert json.loads(written) == text
    assert not UNSEEN.search(written)
