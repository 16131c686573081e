"""Options of games and players as a form shows them, from the signatures of their constructors."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Mapping
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

__all__ = ["option_shapes"]

_KINDS: dict[object, str] = {bool: "bool", int: "int", float: "float", str: "str"}


def option_shapes(cls: type, words: Mapping[str, str] | None = None) -> list[dict[str, Any]]:
    """Every option: name, kind (int, float, bool, str, choice, text), default, choices, words.

    ``choice`` has the allowed values in ``choices``. ``text`` is anything else; it is sent as JSON where it reads as
    such. ``optional`` tells that the option may be left empty (its default is then null).

    Args:
        words: further explanations by name; the class's own are read from its docstring.
    """
    initializer: Callable[..., None] = getattr(cls, "__init__")  # noqa: B009 (mypy distrusts cls.__init__)
    if initializer is object.__init__:
        return []
    hints = get_type_hints(initializer)
    explained = {**_explained(cls), **(words or {})}
    shapes = []
    for name, parameter in list(inspect.signature(initializer).parameters.items())[1:]:
        if parameter.kind is parameter.VAR_KEYWORD:
            continue
        kind, choices, optional = _kind(hints.get(name, str))
        default = None if parameter.default is parameter.empty else parameter.default
        shapes.append(
            {
                "name": name,
                "kind": kind,
                "default": default if isinstance(default, bool | int | float | str | None) else str(default),
                "choices": choices,
                "words": explained.get(name, ""),
                "optional": optional,
            }
        )
    return shapes


def _kind(hint: object) -> tuple[str, list[Any], bool]:
    """Kind, choices, and whether nothing is a value too."""
    if get_origin(hint) in (Union, types.UnionType):
        inner = [part for part in get_args(hint) if part is not type(None)]
        optional = len(inner) < len(get_args(hint))
        if len(inner) == 1:
            kind, choices, _ = _kind(inner[0])
            return kind, choices, optional
        choices = [value for part in inner if get_origin(part) is Literal for value in get_args(part)]
        return "text", choices, optional
    if get_origin(hint) is Literal:
        return "choice", list(get_args(hint)), False
    return _KINDS.get(hint, "text"), [], False


def _explained(cls: type) -> dict[str, str]:
    """What the docstrings of a class say of its arguments: lines ``name: words`` under "Args:"."""
    found: dict[str, str] = {}
    for doc in (inspect.getdoc(cls), inspect.getdoc(getattr(cls, "__init__"))):  # noqa: B009
        names: list[str] = []
        listed = False
        for line in (doc or "").splitlines():
            if line.strip() in ("Args:", "Options:"):
                listed, names = True, []
            elif listed and line.startswith("        "):
                found.update({name: f"{found[name]} {line.strip()}" for name in names})
            elif listed and line.startswith("    ") and ":" in line:
                written, _, said = line.strip().partition(":")
                names = [name.strip() for name in written.split(",")]
                found.update(dict.fromkeys(names, said.strip()))
            elif listed and line and not line.startswith(" "):
                listed = False
    return found
