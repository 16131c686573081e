"""Configurations as TOML: what a page put together, written so that a person and the command line read it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from ludometer.core import ConfigurationError

__all__ = ["toml_text", "without_nulls"]

_BARE = re.compile(r"[A-Za-z0-9_-]+", re.ASCII)
_ORDER = ("name", "description", "game", "games", "players", "seed", "concurrency", "budget_usd", "budget_tokens")
"""Top-level keys in the order in which a person looks for them; the others follow, tables last as TOML wants them."""
_UNLIMITED = ("policy", "factors")
"""Tables in which nothing stands for no limit, which is written "unlimited": TOML has no null."""


def without_nulls(table: Mapping[str, Any]) -> dict[str, Any]:
    """A configuration without null, which TOML has no word for: "unlimited" in conditions of play, else left out."""
    return {
        key: _limited(value) if key in _UNLIMITED else _dropped(value)
        for key, value in table.items()
        if value is not None
    }


def _limited(value: Any) -> Any:
    if value is None:
        return "unlimited"
    if isinstance(value, Mapping):
        return {key: _limited(item) for key, item in value.items()}
    return [_limited(item) for item in value] if isinstance(value, list) else value


def _dropped(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {
            key: _limited(item) if key in _UNLIMITED else _dropped(item)
            for key, item in value.items()
            if item is not None
        }
    return [_dropped(item) for item in value if item is not None] if isinstance(value, list) else value


def toml_text(table: Mapping[str, Any]) -> str:
    """The table as TOML: plain values first, then one section a table.

    Raises:
        ConfigurationError: a value that TOML cannot hold.
    """
    ordered = {key: table[key] for key in _ORDER if key in table} | dict(table)
    plain = {key: value for key, value in ordered.items() if not _is_section(value)}
    sections = {key: value for key, value in ordered.items() if _is_section(value)}
    lines = [f"{_key(key)} = {_value(value, spread=True)}" for key, value in plain.items()]
    for key, value in sections.items():
        if isinstance(value, list):
            for item in value:
                lines += ["", f"[[{_key(key)}]]", *_section(item)]
        else:
            lines += ["", f"[{_key(key)}]", *_section(value)]
    return "\n".join(lines).lstrip("\n") + "\n"


def _is_section(value: Any) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list) and bool(value) and all(isinstance(item, Mapping) for item in value)
    )


def _section(table: Mapping[str, Any]) -> list[str]:
    return [f"{_key(key)} = {_value(value)}" for key, value in table.items()]


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any, *, spread: bool = False) -> str:
    """A value on one line; a list of a table's own on several where it is ``spread``."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return _number(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        items = [_value(item) for item in value]
        if spread and len(items) > 1:
            return "[\n" + "".join(f"    {item},\n" for item in items) + "]"
        return "[" + ", ".join(items) + "]"
    raise ConfigurationError(f"a configuration cannot hold {type(value).__name__} values")


def _number(value: float) -> str:
    if value != value or value in (float("inf"), float("-inf")):
        raise ConfigurationError("a configuration cannot hold numbers without end")
    return repr(value)


def _text(text: str) -> str:
    """A basic string. JSON's escapes are TOML's, but for pairs of surrogates, which TOML writes as one character."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise ConfigurationError("a text holds half a character (a lone surrogate); write it anew") from None
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")
