"""Figures as PDF: vector graphics with their fonts inside, as journals want them."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any, Final

from ludometer.core import ConfigurationError, MachineError
from ludometer.reports.svg import FONT

__all__ = ["pdf_of"]

_PAGE: Final = b'#set page(width: auto, height: auto, margin: 0pt)\n#image("figure.svg")\n'
_SANS: Final = ("Helvetica", "Arial", "Liberation Sans", "Roboto", "Segoe UI", "Noto Sans", "DejaVu Sans")


def pdf_of(svg: str) -> bytes:
    """The SVG source as a PDF page of its own size.

    Uses Typst (Apache-2.0, the extra ``pdf``), which is given nothing but the figure, in memory: what an SVG refers to
    outside of itself is not loaded but an error. Text is set in the first of the usual sans-serif fonts that there is
    on this machine.

    Raises:
        ConfigurationError: the extra is not installed.
        MachineError: the figure cannot be converted.
    """
    try:
        typst: Any = import_module("typst")
    except ImportError:
        raise ConfigurationError("figures as PDF need an extra: pip install 'ludometer[pdf]'") from None
    fonts, family = _fonts()
    # Typst knows no "sans-serif": where it finds no font by its name, it takes one with serifs.
    drawn = svg if family is None else svg.replace(FONT, family)
    files = {"main.typ": _PAGE, "figure.svg": drawn.encode("utf-8", "backslashreplace")}
    try:
        # No tags and no time: the same figure is the same file.
        made = typst.compile(files, format="pdf", timestamp=0, pdf_tags=False, font_paths=fonts)
    except RuntimeError as error:
        raise MachineError(f"a figure cannot be written as PDF: {error}") from None
    if not isinstance(made, bytes):
        raise MachineError("a figure cannot be written as PDF: it has no page")
    return made


@cache
def _fonts() -> tuple[Any, str | None]:
    """The fonts of this machine, looked for once, and the family for the text of figures."""
    found = import_module("typst").Fonts()
    known = set(found.families())
    return found, next((family for family in _SANS if family in known), None)
