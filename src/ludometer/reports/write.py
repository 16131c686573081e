"""Writing a report: the page, and the figures as files of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ludometer.core import MachineError
from ludometer.prompts.picture import png as png_of
from ludometer.reports import figures, setting_figures
from ludometer.reports.data import report_data
from ludometer.reports.game_sections import drawn as game_figure
from ludometer.reports.many_seats import payoff_figure
from ludometer.reports.markup import Markup
from ludometer.reports.page import page
from ludometer.store import RunStore

__all__ = ["write_figures", "write_report"]


def write_report(store: RunStore, path: str | os.PathLike[str] | None = None) -> Path:
    """Writes the report as one self-contained HTML page and returns its path.

    Args:
        path: of the page; ``report.html`` in the run's folder where it is None.

    Raises:
        MachineError: the file cannot be written.
    """
    target = store.folder / "report.html" if path is None else Path(path)
    _write(target, page(report_data(store)).encode("utf-8", "backslashreplace"))
    return target


def write_figures(store: RunStore, folder: str | os.PathLike[str], *, png: bool = False) -> list[Path]:
    """Writes every figure of the report as an SVG file, and as PNG where asked, and returns the files.

    Raises:
        MachineError: the folder cannot be written.
    """
    written: list[Path] = []
    for name, svg in _figures(report_data(store)):
        path = _unused(Path(folder) / f"{name}.svg", written)
        _write(path, svg.encode("utf-8", "backslashreplace"))
        written.append(path)
        if png:
            picture = path.with_suffix(".png")
            _write(picture, png_of(svg).data)
            written.append(picture)
    return written


def _figures(data: dict[str, Any]) -> Iterator[tuple[str, Markup]]:
    """File name and figure."""
    several = len(data["parts"]) > 1
    for part in data["parts"]:
        whole = part["game"] is None and part["condition"] is None
        end = "" if not several else "-all" if whole else f"-{_slug(part['title'])}"
        better = part["better"]
        drawn = {
            "ratings": figures.rating_figure(part["leaderboard"]["headline"]),
            "better": None if better is None else figures.better_figure(better["entrants"], better["matrix"]),
            "wins": figures.wins_figure(part["results"]),
            "moves": figures.lengths_figure(part["lengths"]),
            "payoffs": payoff_figure(part["payoffs"]),
        }
        yield from ((f"{name}{end}", svg) for name, svg in drawn.items() if svg is not None)
    effects: dict[str, list[Any]] = {}
    for row in data["effects"]:
        effects.setdefault(_slug(f"effect {row['factor']} {row['measure']}"), []).append(row)
    drawn = {
        "validity": figures.validity_figure(data["answers"]),
        "performance": setting_figures.performance_figure(data["performance"]["rows"]),
        "effort": setting_figures.effort_figure(data["effort"]),
        "elo": figures.elo_figure(data["elo"]),
        **{name: setting_figures.effect_figure(rows) for name, rows in effects.items()},
    }
    yield from ((name, svg) for name, svg in drawn.items() if svg is not None)
    for section in data["sections"]:
        for one in section["figures"]:
            if (svg := game_figure(one)) is not None:
                yield _slug(f"{section['name']} {one['title']}"), svg


def _unused(path: Path, written: Sequence[Path]) -> Path:
    """The path, numbered where a figure has been written to it already: titles that differ can have one file name."""
    number, found = 1, path
    while found in written:
        number += 1
        found = path.with_stem(f"{path.stem}-{number}")
    return found


def _slug(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.casefold()).strip("-") or "part"


def _write(path: Path, data: bytes) -> None:
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise MachineError(f"{path} cannot be written: {error.strerror or error}") from None
