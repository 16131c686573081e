"""A tiny element builder: every text is escaped unless it is markup that this builder made.

Names of entrants, answers of models, reasons and configurations are hostile input. There is no way to put one into a
page but through `element`, which escapes it, or `Markup`, which nothing outside this package makes.
"""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import Final, TypeAlias

from ludometer.store.walk import plain_text

__all__ = ["Child", "Markup", "element", "joined", "text"]

_VOID: Final = frozenset({"meta", "br", "hr", "img", "col"})


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


Child: TypeAlias = "str | int | float | Iterable[Child] | None"


def text(value: object) -> Markup:
    """A text as markup: escaped, and without control characters, which neither HTML nor XML can hold."""
    return Markup(html.escape(_clean(str(value)), quote=True))


def element(name: str, /, *children: Child, **attributes: str | float | bool | None) -> Markup:
    """``<name attribute="...">children</name>``.

    Args:
        name: of the element.
        children: texts (escaped), markup, numbers, None (nothing), or iterables of the same.
        attributes: values are escaped; None and False leave the attribute out. A trailing underscore is dropped
            (``class_``), other underscores become hyphens (``stroke_width``).
    """
    written = "".join(_attribute(key, value) for key, value in attributes.items())
    if name in _VOID:
        return Markup(f"<{name}{written}>")
    return Markup(f"<{name}{written}>{joined(children)}</{name}>")


def joined(children: Child) -> Markup:
    """Children one after the other."""
    if children is None:
        return Markup()
    if isinstance(children, Markup):
        return children
    if isinstance(children, str):
        return text(children)
    if isinstance(children, int | float):
        return Markup(_number(children))
    return Markup("".join(joined(child) for child in children))


def _attribute(key: str, value: str | float | bool | None) -> str:
    if value is None or value is False:
        return ""
    name = key.rstrip("_").replace("_", "-")
    name = "viewBox" if name == "viewbox" else name
    if value is True:
        return f" {name}"
    written = _number(value) if isinstance(value, int | float) else text(value)
    return f' {name}="{written}"'


def _number(value: float) -> str:
    return f"{round(value, 2):g}" if isinstance(value, float) else str(value)


def _clean(value: str) -> str:
    return plain_text(value).encode("utf-8", "backslashreplace").decode("utf-8")
