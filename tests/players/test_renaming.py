"""Programs with other names do what they did, and nothing else about them changes."""

from __future__ import annotations

import ast
import contextlib
import io
import keyword
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.players._renaming import own_names, renamings


def printed(source: str) -> str:
    """What a harmless program of these tests prints."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        exec(compile(source, "<test>", "exec"), {"given": "something"})
    return out.getvalue()


PROGRAMS = [
    "word = 'x'\nprint(word)",
    "def twice(value, times=2):\n    return value * times\nprint(twice(3, times=4))",
    "print([len(item) for item in given.split('e')])",
    "total = 0\nfor number in range(4):\n    total += number  # total of the numbers\nprint(total, f'{total:03}')",
    "class Box:\n    size = 3\n    def add(self):\n        self.size = 4\n        return self\nprint(Box().add().size)",
    "import math as numbers\nfrom os import sep as slash, path\nprint(numbers.pi, slash, path is not None)",
    "try:\n    1 / 0\nexcept ZeroDivisionError as problem:\n    print(type(problem).__name__)",
    "double = lambda value: value * 2\nprint(double(4), (half := 3), half)",
    "hidden = 5\nother = 6\nprint(eval('hidden'), other)",
    "match given.split('m'):\n    case [start, *rest]:\n        print(start, rest)",
    "def a():\n  n = 0\n  def b():\n    nonlocal n\n    n += 1\n    return n\n  return b\nprint(a()())",
    "𝓿𝓪𝓵𝓾𝓮 = 7\nprint(value, 𝘷𝘢𝘭𝘶𝘦)",
    "x=1;y=2\nprint(x  +  y)\n\n\n# the end",
    "print = print\nprint('same')",
    "a, (b, *c) = 1, (2, 3, 4)\nprint(a, b, c, sep='-')",
]


@pytest.mark.parametrize("source", PROGRAMS)
def test_renamed_programs_do_the_same(source: str) -> None:
    for renamed in renamings(source):
        assert renamed != source
        assert printed(renamed) == printed(source), renamed
        assert len(renamed) == len(source)


@pytest.mark.parametrize("source", PROGRAMS)
def test_only_names_change_and_they_are_made_of_the_programs_letters(source: str) -> None:
    for renamed in renamings(source):
        pairs = [(old, new) for old, new in zip(source, renamed, strict=True) if old != new]
        for old, new in pairs:
            assert new.isascii() and new.isalpha() and new.islower() == unicodedata.normalize("NFKC", old).islower()
        names = {node.id for node in ast.walk(ast.parse(renamed)) if isinstance(node, ast.Name)}
        assert not any(map(keyword.iskeyword, names))


def test_what_a_program_binds() -> None:
    source = (
        "import os, sys as system\nopen = 1\nkey = given\ndef f(x, *rest, **more): return g(key=x)\n"
        "class C:\n    field = 1\nfor i in x: y.z = i\ntext = 'i j'\n__hidden__ = 2"
    )
    assert own_names(ast.parse(source)) == {"system", "f", "x", "rest", "more", "C", "text"}


@pytest.mark.parametrize(
    "source",
    [
        "print(open(0).read())",
        "",
        "# hunter2",
        "'hunter2'",
        "f'{a}'",
        "def",
        "x = (",
        "\x00",
        "\ud800",
        "(" * 4000,
        "-" * 4000 + "1",
    ],
)
def test_programs_without_names_of_their_own_or_that_are_none(source: str) -> None:
    assert renamings(source) == []


def test_it_is_the_same_every_time_and_differs_from_version_to_version() -> None:
    source = "reader = given\nprint(reader)"
    versions = renamings(source)
    assert versions == renamings(source)
    assert len(set(versions)) == 3
    assert renamings(source, most=1) == versions[:1]


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_no_text_is_too_strange(source: str) -> None:
    for renamed in renamings(source):
        ast.parse(renamed)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.from_regex(r"[a-z]{1,6}", fullmatch=True), min_size=1, max_size=5, unique=True))
def test_any_names_may_be_replaced(names: list[str]) -> None:
    names = [name for name in names if not keyword.iskeyword(name)] or ["n"]
    source = "\n".join(f"{name} = {i}" for i, name in enumerate(names))
    source += "\nprint(" + ", ".join(names) + ")" if "print" not in names else ""
    for renamed in renamings(source):
        assert printed(renamed) == printed(source)
