"""Tables as LaTeX, for papers: the leaderboards, and the tables of sections. They need fonts in T1 encoding
(``\\usepackage[T1]{fontenc}``), the package ``booktabs`` and, where a table may have to be scaled down to the width of
the text, ``graphicx``.

Every text is somebody's and may be hostile: nothing in it can be a command. What the usual fonts of LaTeX have no sign
for is written as its number.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from ludometer.reports.game_sections import written

__all__ = ["escaped", "latex_tables"]

Data = Mapping[str, Any]

_SPECIAL: Final = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': r"\textquotedbl{}",
    "'": "'{}",
    "`": r"\textasciigrave{}",
    "–": "--",
    "—": "---",
    "…": r"\ldots{}",
    "−": "$-$",
    "‘": "`{}",
    "’": "'{}",
    "“": "``{}",
    "”": "''{}",
    "-": "-{}",
    # Two of them are a quotation mark.
    ",": ",{}",
    # These begin ligatures with a quotation mark.
    "?": "?{}",
    "!": "!{}",
}
_LINE: Final = 40
"""Characters of a table's line, gaps included, that fit beside each other on every page, in capitals too."""
_SCALED: Final = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Begins what is scaled down to the width of the text, and never up."""
_LETTERS: Final = 0x17F
"""The last character of Latin Extended-A, which fonts in T1 encoding have, but for a few."""
_NO_LETTERS: Final = frozenset("ĦħĸĿŀŉŦŧſ")
"""Those few: LaTeX stops at them."""


def escaped(text: object) -> str:
    """A text that LaTeX prints as it is. Characters without a letter or sign in T1 fonts are written as [U+hex]."""
    # Hyphens, apostrophes and commas are followed by an empty group only where they would become something else.
    shown = "".join(map(_character, str(text)))
    return re.sub(r"([-',])\{\}(?!\1)", r"\1", shown)


def _character(character: str) -> str:
    if character in _SPECIAL:
        return _SPECIAL[character]
    if character in "\t\n\r ":
        return " "
    if ord(character) <= _LETTERS and character not in _NO_LETTERS and unicodedata.category(character)[0] in "LNPS":
        return character
    return f"[U+{ord(character):04X}]"


def latex_tables(data: Data) -> Iterator[tuple[str, str]]:
    """File name (without its end) and source of every table: the leaderboard of every part, and what sections show.

    Args:
        data: of `ludometer.reports.report_data`.
    """
    several = len(data["parts"]) > 1
    for part in data["parts"]:
        rows = part["leaderboard"]["headline"]
        if rows:
            whole = part["game"] is None and part["condition"] is None
            name = "leaderboard" + ("" if not several else "-all" if whole else f"-{part['title']}")
            yield name, _leaderboard(part["title"], rows)
    for section in data["sections"]:
        for one in section["tables"]:
            heads = [column["head"] for column in one["columns"]]
            texts = [i for i, column in enumerate(one["columns"]) if column["form"] == "text"]
            cells = [[_cell(c, k) for c, k in zip(row, one["columns"], strict=True)] for row in one["rows"]]
            words = f"{one['title']}. {one['explain']}" if one["explain"] else one["title"]
            yield f"{section['name']} {one['title']}", _table(heads, cells, words, texts)


def _leaderboard(title: str, rows: Sequence[Data]) -> str:
    heads = ["Entrant", "Rank", "Rating", "95% interval", "Games", "Score"]
    cells = []
    for row in rows:
        rank, interval, rating = "–", "not rated", "–"
        if row["rating"] is not None:
            best, worst = row["rank_best"], row["rank_worst"]
            rank = f"{best:.0f}" if best == worst else f"{best:.0f}–{worst:.0f}"
            rating, interval = f"{row['rating']:.0f}", f"{row['low']:.0f} to {row['high']:.0f}"
        games = "0" if row["games"] is None else f"{row['games']:,.0f}"
        cells.append([row["entrant"], rank, rating, interval, games, _share(row)])
    return _table(heads, cells, f"Ratings: {title}. Points, with the range of ranks that the games leave open.", (0,))


def _share(row: Data) -> str:
    if row["score"] is None:
        return "–"
    score = f"{100 * row['score']:.1f}%"
    return (
        score if row["score_low"] is None else f"{score} [{100 * row['score_low']:.1f}, {100 * row['score_high']:.1f}]"
    )


def _cell(cell: Data, column: Data) -> str:
    """A value with its interval in brackets and its sample size."""
    value, low, high, n = cell["value"], cell.get("low"), cell.get("high"), cell.get("n")
    shown = "–" if value is None else _written(value, column)
    if value is not None and low is not None and high is not None:
        shown += f" [{_written(low, column)}, {_written(high, column)}]"
    return shown if n is None else f"{shown} (n = {n:,.0f})" if isinstance(n, int | float) else f"{shown} (n = {n})"


def _written(value: Any, column: Data) -> str:
    """As on the page; numbers with a minus sign that is one."""
    shown = written(value, column)
    return shown if column["form"] == "text" else shown.replace("-", "−")


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], caption: str, texts: Sequence[int]) -> str:
    columns = "".join("l" if i == 0 or i in texts else "r" for i in range(len(heads)))
    wide = sum(2 + max(map(len, column)) for column in zip(heads, *rows, strict=True)) > _LINE
    lines = [
        r"\begin{table}",
        r"  \centering",
        rf"  \caption{{{escaped(caption)}}}",
        r"  \smallskip",  # captions are made for below a figure: above a table they touch its rule
        *([f"  {_SCALED}"] if wide else []),
        rf"  \begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        f"    {_row(heads)}",
        r"    \midrule",
        *(f"    {_row(row)}" for row in rows),
        r"    \bottomrule",
        r"  \end{tabular}" + ("}" if wide else ""),
        r"\end{table}",
    ]
    return "\n".join(lines) + "\n"


def _row(cells: Sequence[str]) -> str:
    # An empty group first: a cell that begins with a bracket would else be read as an option of the line's end before.
    return "{}" + " & ".join(map(escaped, cells)) + r" \\"
