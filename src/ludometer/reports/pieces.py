"""Pieces that all sections of the page are made of."""

from __future__ import annotations

from typing import TypeAlias

from ludometer.reports.markup import Child, Markup, element

__all__ = ["Section", "figure", "note"]

Section: TypeAlias = tuple[str, str, Child]
"""Anchor, title and content."""


def figure(svg: Markup | None, caption: Child) -> Markup | None:
    """A figure with its caption; None where nothing is drawn."""
    if svg is None:
        return None
    return element("figure", element("div", svg, class_="scroll"), element("figcaption", caption))


def note(*sentences: Child) -> Markup:
    """Sentences that must not be overlooked."""
    return element("div", [element("p", sentence) for sentence in sentences], class_="note")
