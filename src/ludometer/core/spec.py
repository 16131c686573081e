"""Names with options as a person writes them: ``mcts:simulations=1000``, ``vote:k=5``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from ludometer.core.errors import ConfigurationError
from ludometer.core.exchange import Json

__all__ = ["Spec", "parse_pairs", "parse_spec", "parse_value"]

# The options are the part after the last colon that reads as key=value pairs: model names may contain colons.
_SPEC = re.compile(r"(?P<name>.+?)(?::(?P<options>[A-Za-z_]\w*=[^,]*(?:,[A-Za-z_]\w*=[^,]*)*))?")


@dataclass(frozen=True, slots=True)
class Spec:
    """A name and its options."""

    name: str
    options: Mapping[str, Json] = field(default_factory=dict)

    def __str__(self) -> str:
        options = ",".join(f"{key}={_written(value)}" for key, value in self.options.items())
        return f"{self.name}:{options}" if options else self.name


def parse_spec(text: str) -> Spec:
    """Reads ``name`` or ``name:key=value,key=value``. Raises `ConfigurationError`."""
    match = _SPEC.fullmatch(text.strip())
    if match is None:
        raise ConfigurationError("a name is empty; write for example random, perfect or provider/model")
    return Spec(match["name"], parse_pairs(match["options"].split(",") if match["options"] else ()))


def parse_pairs(pairs: list[str] | tuple[str, ...]) -> dict[str, Json]:
    """Reads ``key=value`` texts. Raises `ConfigurationError` for one without ``=``."""
    options: dict[str, Json] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise ConfigurationError(f"{pair!r} is not an option; write key=value")
        options[key.strip()] = parse_value(value)
    return options


def parse_value(text: str) -> Json:
    """true, false and numbers as such; everything else is text."""
    lowered = text.strip().casefold()
    if lowered in ("true", "false"):
        return lowered == "true"
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text.strip()


def _written(value: Json) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
