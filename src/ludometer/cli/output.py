"""Printing: tables for people, JSON for programs, and text from models made harmless."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import click

from ludometer.core.text import UNSEEN, escaped

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["clean", "fits", "print_json", "print_notes", "print_table"]

_LONE = re.compile("[\ud800-\udfff]")

_WHOLE_WORDS = (16, 12, 10, 8, 6)
"""Characters of a word in a table that is not broken: the first that fits."""


def clean(text: object) -> str:
    """Text that is safe to print on a terminal."""
    return UNSEEN.sub("\N{REPLACEMENT CHARACTER}", str(text)).encode("utf-8", "replace").decode("utf-8")


def print_json(value: Any) -> None:
    """JSON on standard output, and nothing else. What a terminal could take for a command is written as an escape."""
    text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
    click.echo(_LONE.sub(lambda match: f"\\u{ord(match.group()):04x}", escaped(text)))


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], notes: Sequence[str] = ()
) -> None:
    """A table, numbers to the right. Text in it is shown as it is: no markup is interpreted."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(clean(title)), title_justify="left", box=None, pad_edge=False, header_style="bold")
    console = _console()
    numeric = [all(isinstance(row[i], int | float) or _numeric(row[i]) for row in rows) for i in range(len(columns))]
    widths = _widths(columns, rows, console.width)
    for name, is_number, width in zip(columns, numeric, widths, strict=True):
        justify: Literal["left", "right"] = "right" if is_number and rows else "left"
        table.add_column(Text(name), justify=justify, overflow="fold", width=width)
    for row in rows:
        table.add_row(*(Text("-" if cell is None else clean(cell)) for cell in row))
    console.print(table)
    print_notes(notes)


def print_notes(notes: Sequence[str]) -> None:
    """What a reader must know beside a table."""
    from rich.text import Text

    console = _console()
    for note in notes:
        console.print(Text(clean(note), style="dim"))


def fits(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> bool:
    """Whether a table can be printed without breaking lines."""
    return sum(_natural_widths(columns, rows)) + 2 * (len(columns) - 1) <= _console().width


def _console() -> Console:
    from rich.console import Console

    return Console(width=None if _is_terminal() else 200)


def _widths(columns: Sequence[str], rows: Sequence[Sequence[object]], room: int) -> list[int]:
    """How wide each column is: as its longest cell where there is room, else narrowed from the widest down, short words
    staying whole as far as possible."""
    cells = [[name, *("-" if row[i] is None else str(row[i]) for row in rows)] for i, name in enumerate(columns)]
    widths = _natural_widths(columns, rows)
    words = [max((len(word) for cell in column for word in cell.split()), default=1) for column in cells]
    for whole in (*_WHOLE_WORDS, 1):
        least = [min(longest, whole) for longest in words]
        while sum(widths) + 2 * (len(widths) - 1) > room:
            slack = [width - least[i] for i, width in enumerate(widths)]
            widest = max(range(len(widths)), key=lambda i: (slack[i] > 0, widths[i]), default=None)
            if widest is None or slack[widest] <= 0:
                break
            widths[widest] -= 1
    return widths


def _natural_widths(columns: Sequence[str], rows: Sequence[Sequence[object]]) -> list[int]:
    return [
        max(len(name), *(len(str(row[i])) for row in rows)) if rows else len(name) for i, name in enumerate(columns)
    ]


def _numeric(cell: object) -> bool:
    return cell is None or bool(re.match(r"^[-+]?\d", str(cell)))


def _is_terminal() -> bool:
    import sys

    return sys.stdout.isatty()
