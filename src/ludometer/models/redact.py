"""Keys never leave the process: every text that may hold one goes through `redact` first."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from functools import lru_cache
from urllib.parse import quote

from ludometer.core.exchange import Completion

__all__ = ["HIDDEN", "cleaned", "hide", "known_secrets", "read_key", "redact"]

HIDDEN = "[key]"
_NAMES = re.compile(r"(API_?KEY|ACCESS_?KEY(_ID)?|TOKEN|SECRET|PASSWORD|_KEY)$", re.IGNORECASE)
_SHAPES = re.compile(r"(?i:(bearer)\s+)[^\s\"',;<>]{8,}|\b(?:sk|gsk|xai|pk|rk)-[A-Za-z0-9_*-]{8,}")
_SHORTEST = 6
"""A shorter value is no key, and hiding it would garble every message that happens to contain it."""

_seen: set[str] = set()


def read_key(variable: str) -> str | None:
    """The key in an environment variable, remembered for redaction; None where it is unset or blank."""
    value = os.environ.get(variable, "").strip()
    if not value:
        return None
    _seen.add(value)
    return value


def hide(secret: str) -> None:
    """Remembers a secret that did not come from the environment, such as the password in an address."""
    _seen.add(secret)


def known_secrets() -> list[str]:
    """Every value that must not be shown, longest first: keys read so far and variables named like one."""
    found = {value.strip() for name, value in os.environ.items() if _NAMES.search(name)} | _seen
    return sorted((value for value in found if len(value) >= _SHORTEST), key=len, reverse=True)


def redact(text: str) -> str:
    """``text`` without any known key, in plain, URL-quoted or JSON-escaped form, and without key-shaped words."""
    for secret in known_secrets():
        for form in _forms(secret):
            text = text.replace(form, HIDDEN)
    return _SHAPES.sub(lambda match: f"{match[1]} {HIDDEN}" if match[1] else HIDDEN, text)


def cleaned(completion: Completion, key: str | None) -> Completion:
    """The completion without the key that asked for it: a provider may repeat it in any part of its answer.

    Only that one key is looked for, so that the usual case costs next to nothing.
    """
    if key is None:
        return completion
    said = (completion.text, completion.reasoning, completion.tool_arguments, completion.refusal, completion.model)
    hidden = [_without(text, key) for text in said]
    raw = _without(completion.raw, key)
    if any(before is not after for before, after in zip(said, hidden, strict=True)):
        # In a stream the key lies in pieces, where no search of the raw events finds it.
        raw = "[withheld: the answer repeated the key]"
    elif raw is completion.raw:
        return completion
    text, reasoning, arguments, refusal, model = hidden
    return replace(
        completion,
        text=text,
        reasoning=reasoning,
        tool_arguments=arguments,
        refusal=refusal,
        model=model,
        raw=raw,
    )


def _without(text: str | None, key: str) -> str | None:
    """The same object where there is nothing to hide."""
    if text is not None:
        for form in _forms(key):
            if form in text:
                text = text.replace(form, HIDDEN)
    return text


@lru_cache(maxsize=64)
def _forms(secret: str) -> tuple[str, ...]:
    """How a secret may be written, without repetition: plain, URL-quoted, JSON-escaped."""
    forms = (secret, quote(secret, safe=""), quote(secret), json.dumps(secret)[1:-1])
    return tuple(dict.fromkeys(forms))
