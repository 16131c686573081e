"""Tables as LaTeX: whole, and nothing in a text can be a command."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ludometer.reports import report_data, write_latex
from ludometer.reports.latex import escaped, latex_tables

COMMANDS = {
    "\\textbackslash{}": "\\",
    "\\textasciicircum{}": "^",
    "\\textasciitilde{}": "~",
    "\\textless{}": "<",
    "\\textgreater{}": ">",
    "\\textbar{}": "|",
    "\\textquotedbl{}": '"',
    "\\textasciigrave{}": "`",
    "\\ldots{}": "…",
    "``{}": "“",
    "`{}": "‘",
    **{f"\\{sign}": sign for sign in "{}$&#%_"},
    "$-$": "−",
}
_COMMAND = re.compile("|".join(re.escape(command) for command in sorted(COMMANDS, key=len, reverse=True)))


def left_over(source: str) -> str:
    """What is left of a text once every known command is taken out."""
    return _COMMAND.sub("", source).replace("{}", "")


@given(st.text())
@example("“")
@example("‘“`")
def test_no_text_is_a_command(text):
    assert not set(left_over(escaped(text))) & set('\\{}$&#%_^~<>|"`\n\r\t')
    assert escaped(text).isprintable() or not text


@given(st.text(st.characters(min_codepoint=32, max_codepoint=126)))
def test_what_is_printed_is_what_was_written(text):
    plain = re.sub(r"([-',])\{\}", r"\1", escaped(text))
    printed = _COMMAND.sub(lambda found: COMMANDS[found.group()], plain)
    assert re.sub(r"([?!])\{\}", r"\1", printed) == text


def test_dashes_quotes_and_foreign_signs():
    assert escaped("gpt-4o") == "gpt-4o"
    assert escaped("a--b---c") == "a-{}-b-{}-{}-c", "hyphens do not become dashes"
    assert escaped("it's ''so''") == "it's '{}'so'{}'"
    assert escaped("zweite ✨\u202e漢") == "zweite [U+2728][U+202E][U+6F22]"
    assert escaped("1–3 …") == r"1--3 \ldots{}"
    assert escaped("a, b,,c,,,") == "a, b,{},c,{},{},", "commas do not become a quotation mark"
    assert escaped("Łódź, Ħal") == "Łódź, [U+0126]al", "LaTeX stops at letters that its fonts lack"


def cells(source: str) -> list[list[str]]:
    """The rows of a table, its head first."""
    body = source.split(r"\toprule")[1].split(r"\bottomrule")[0].replace(r"\midrule", "")
    return [re.split(r"(?<!\\)&", row) for row in body.split(r"\\")[:-1]]


@pytest.mark.parametrize("name", ["played", "study", "hostile"])
def test_every_table_is_whole(request, name):
    data = report_data(request.getfixturevalue(name))
    found = dict(latex_tables(data))
    assert found
    for source in found.values():
        assert not any(ord(sign) > 0x17F for sign in source)
        columns = re.search(r"\\begin\{tabular\}\{([lr]+)\}", source)
        assert columns is not None
        rows = cells(source)
        assert len(rows) > 1 and {len(row) for row in rows} == {len(columns[1])}
        for what in ("table", "tabular"):
            assert source.count(f"\\begin{{{what}}}") == source.count(f"\\end{{{what}}}") == 1
        depth = 0
        for sign in re.sub(r"\\[{}]", "", source):
            depth += (sign == "{") - (sign == "}")
            assert depth >= 0
        assert depth == 0


def test_the_leaderboard(played):
    data = report_data(played)
    head, *rows = cells(dict(latex_tables(data))["leaderboard"])
    assert [cell.strip() for cell in head][:3] == ["{}Entrant", "Rank", "Rating"]
    board = data["parts"][0]["leaderboard"]["headline"]
    assert [row[0].strip() for row in rows] == [f"{{}}{row['entrant']}" for row in board]
    assert [row[2].strip() for row in rows] == [f"{row['rating']:.0f}" for row in board]


def test_files(played, tmp_path: Path):
    written = write_latex(played, tmp_path / "tables")
    assert (tmp_path / "tables" / "leaderboard.tex") in written
    assert all(path.read_text(encoding="utf-8").startswith(r"\begin{table}") for path in written)


def test_what_may_be_wider_than_a_page_is_scaled_down_and_never_up(played):
    data = report_data(played)
    rows = data["parts"][0]["leaderboard"]["headline"]
    data["sections"] = [{"name": "one", "tables": [_small("short"), _small("long " * 30)]}]
    found = dict(latex_tables(data))
    assert r"\resizebox" not in found["one short"] and len(rows) > 1
    for wide in (found["leaderboard"], found["one " + "long " * 30]):
        begin = re.escape(r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%")
        assert re.search(begin + r"\n *\\begin\{tabular\}(.|\n)*\\end\{tabular\}\}\n", wide)


def _small(text: str) -> dict[str, Any]:
    """A table of one cell."""
    column = {"head": "What", "form": "text", "digits": 0}
    return {"title": text, "explain": "", "columns": [column], "rows": [[{"value": text}]]}
