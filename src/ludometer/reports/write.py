"""Writing a report: the page, and figures, tables and the methods paragraph as files of their own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, TypeAlias

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
from ludometer.store.files import check_replaceable, replacing

__all__ = ["PAGE", "check_targets", "write_figures", "write_file", "write_latex", "write_methods", "write_report"]

PAGE: Final = re.compile(rb"\A<!doctype html", re.IGNORECASE)
"""How a page of ours begins."""

_METHODS: Final = re.compile(rb"\A[^\n]*The run was made[^\n]* with Ludometer [^\n]*\.\n\Z")
"""How a methods paragraph of ours ends: it is one line."""

_LOOKED_AT = 4096
"""Bytes at the beginning of a file, and at its end, that tell what it is."""

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
        ConfigurationError: there is another file.
        MachineError: the file cannot be written.
    """
    target = file_path(path)
    write_file(target, (methods_text(store) + "\n").encode("utf-8", "backslashreplace"), _METHODS)
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
            "wins": figures.wins_figure(part["results"], part["seat_titles"]),
            "moves": figures.lengths_figure(part["lengths"], part["seat_titles"]),
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


def check_targets(page: Path | None, methods: Path | None) -> None:
    """Whether a report and a methods paragraph may be written there, before any work is done for them.

    Raises:
        ConfigurationError: see `write_file`.
        MachineError: what is there cannot be read.
    """
    for path, ours in ((page, PAGE), (methods, _METHODS)):
        if path is not None:
            _check(file_path(path), ours)


def write_file(path: Path, data: bytes, ours: re.Pattern[bytes] | None = None) -> None:
    """Writes a file, which takes its place only when it is complete.

    Args:
        ours: what is found in the beginning or the end of a file that may be replaced, for a path that somebody wrote:
            a slip of the pen must not cost another file. Without it any file is replaced, as is usual where the names
            are the program's own.

    Raises:
        ConfigurationError: there is something else, or the name is that of a file of a run.
        MachineError: the file cannot be written.
    """
    if ours is not None:
        _check(path, ours)
    try:
        with replacing(path) as part:
            part.write_bytes(data)
    except OSError as error:
        raise MachineError(f"{path} cannot be written: {error.strerror or error}") from None


def _check(path: Path, ours: re.Pattern[bytes]) -> None:
    check_replaceable(path)
    try:
        replaceable = not path.exists() or _is_ours(path, ours)
    except OSError as error:
        raise MachineError(f"{path} cannot be read: {error.strerror or error}") from None
    if not replaceable:
        raise ConfigurationError(f"{path} holds something else, and is not replaced; write another path")


def _is_ours(path: Path, ours: re.Pattern[bytes]) -> bool:
    """Whether a file may be replaced: one that is empty may."""
    with path.open("rb") as file:
        start = file.read(_LOOKED_AT)
        size = file.seek(0, os.SEEK_END)
        file.seek(max(0, size - _LOOKED_AT))
        end = file.read()
    return not start or ours.search(start) is not None or ours.search(end) is not None
