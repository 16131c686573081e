"""Printing: tables for people, JSON for programs, and text from models made harmless."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

import click

__all__ = ["clean", "print_json", "print_table"]

# Control characters and bidirectional overrides: a name or an answer must not move the cursor or hide text.
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_ESCAPED = re.compile(rf"{_CONTROL.pattern}|[\ud800-\udfff]")


def clean(text: object) -> str:
    """Text that is safe to print on a terminal."""
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", str(text)).encode("utf-8", "replace").decode("utf-8")


def print_json(value: Any) -> None:
    """JSON on standard output, and nothing else. What a terminal could take for a command is written as an escape."""
    text = json.dumps(value, indent=2, ensure_ascii=False, default=str)
    click.echo(_ESCAPED.sub(lambda match: f"\\u{ord(match.group()):04x}", text))


def print_table(
    title: str, columns: Sequence[str], rows: Sequence[Sequence[object]], notes: Sequence[str] = ()
) -> None:
    """A table, numbers to the right. Text in it is shown as it is: no markup is interpreted."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(clean(title)), title_justify="left", box=None, pad_edge=False, header_style="bold")
    numeric = [all(isinstance(row[i], int | float) or _numeric(row[i]) for row in rows) for i in range(len(columns))]
    for name, is_number in zip(columns, numeric, strict=True):
        table.add_column(Text(name), justify="right" if is_number and rows else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text("-" if cell is None else clean(cell)) for cell in row))
    console = Console(width=None if _is_terminal() else 200)
    console.print(table)
    for note in notes:
        console.print(Text(clean(note), style="dim"))


def _numeric(cell: object) -> bool:
    return cell is None or bool(re.match(r"^[-+]?\d", str(cell)))


def _is_terminal() -> bool:
    import sys

    return sys.stdout.isatty()
