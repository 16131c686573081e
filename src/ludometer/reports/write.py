"""Writing a report: the page, and figures, tables and the methods paragraph as files of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, TypeAlias

from ludometer.analysis.methods import methods_text
from ludometer.core import ConfigurationError, MachineError
from ludometer.core.paths import file_path
from ludometer.prompts.picture import png as png_of
from ludometer.reports import figures, setting_figures
from ludometer.reports.data import report_data
from ludometer.reports.game_sections import drawn as game_figure
from ludometer.reports.latex import latex_tables
from ludometer.reports.many_seats import payoff_figure
from ludometer.reports.markup import Markup
from ludometer.reports.page import page
from ludometer.reports.pdf import pdf_of
from ludometer.store import RunStore

__all__ = ["PAGE", "write_figures", "write_file", "write_latex", "write_methods", "write_report"]

PAGE = b"<!doctype html"
"""How a page of ours begins, in small letters."""

Data: TypeAlias = "dict[str, Any]"


def write_report(store: RunStore, path: str | os.PathLike[str] | None = None, *, data: Data | None = None) -> Path:
    """Writes the report as one self-contained HTML page and returns its path.

    Args:
        path: of the page; where it is None, ``report.html`` in the run's folder, or ``NAME-report.html`` here for a run
            in a database.
        data: what `report_data` made of the run, where it is wanted for several files or with benchmarks.

    Raises:
        MachineError: the file cannot be written.
    """
    target = store.beside("report.html") if path is None else file_path(path)
    write_file(target, page(data or report_data(store)).encode("utf-8", "backslashreplace"), PAGE)
    return target


def write_figures(
    store: RunStore,
    folder: str | os.PathLike[str],
    *,
    png: bool = False,
    pdf: bool = False,
    data: Data | None = None,
) -> list[Path]:
    """Writes every figure of the report as an SVG file, and as PNG and PDF where asked, and returns the files.

    Raises:
        ConfigurationError: PDF needs an extra that is not installed.
        MachineError: the folder cannot be written.
    """
    written: list[Path] = []
    for name, svg in _figures(data or report_data(store)):
        path = _unused(Path(folder) / f"{name}.svg", written)
        write_file(path, svg.encode("utf-8", "backslashreplace"))
        written.append(path)
        if png:
            picture = path.with_suffix(".png")
            write_file(picture, png_of(svg).data)
            written.append(picture)
        if pdf:
            document = path.with_suffix(".pdf")
            write_file(document, pdf_of(svg))
            written.append(document)
    return written


def write_latex(store: RunStore, folder: str | os.PathLike[str], *, data: Data | None = None) -> list[Path]:
    """Writes the tables of the report as LaTeX, one file each, and returns the files.

    Raises:
        MachineError: the folder cannot be written.
    """
    written: list[Path] = []
    for name, source in latex_tables(data or report_data(store)):
        path = _unused(Path(folder) / f"{_slug(name)}.tex", written)
        write_file(path, source.encode("utf-8", "backslashreplace"))
        written.append(path)
    return written


def write_methods(store: RunStore, path: str | os.PathLike[str]) -> Path:
    """Writes the methods paragraph as a text file, and returns its path.

    Raises:
        MachineError: the file cannot be written.
    """
    target = file_path(path)
    write_file(target, (methods_text(store) + "\n").encode("utf-8", "backslashreplace"))
    return target


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


def write_file(path: Path, data: bytes, replaces: bytes = b"") -> None:
    """Writes a file, which takes its place only when it is complete.

    Args:
        replaces: how a file begins that may be replaced, in any case: a slip of the pen must not cost another file.

    Raises:
        ConfigurationError: there is a file that begins otherwise.
        MachineError: the file cannot be written.
    """
    part = path.with_name(path.name + ".part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not (path.is_file() and _begins(path, replaces)):
            raise ConfigurationError(f"{path} is something else than a report, and is not replaced; write another path")
        try:
            part.write_bytes(data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise MachineError(f"{path} cannot be written: {error.strerror or error}") from None


def _begins(path: Path, start: bytes) -> bool:
    with path.open("rb") as file:
        found = file.read(len(start))
    return not found or found.lower() == start
