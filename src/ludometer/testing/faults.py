"""What can go wrong with a call to a provider: single faults, named ones, and seeded mixes of them."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import format_datetime
from typing import Any, Literal, TypeAlias, get_args

__all__ = ["FAULTS", "FAULT_KINDS", "ODD_USAGES", "Fault", "FaultKind", "Mix", "named_faults"]

FaultKind: TypeAlias = Literal[
    "rate_limit",
    "error",
    "hang",
    "hang_before_headers",
    "drip",
    "garbage",
    "truncated",
    "reset",
    "no_body",
    "empty",
    "null",
    "no_choices",
    "error_in_200",
    "odd_usage",
    "redirect",
]
"""What can go wrong. ``hang`` sends the headers and then nothing; ``drip`` sends a byte now and then; ``truncated``
ends in the middle of the body; ``no_body`` is an HTTP answer without content, ``empty`` a model's without text."""

FAULT_KINDS: tuple[str, ...] = get_args(FaultKind)

ODD_USAGES: tuple[Any, ...] = (
    None,
    [],
    "many",
    {"prompt_tokens": "12", "completion_tokens": 3.0, "total_tokens": None},
    {"prompt_tokens": None, "completion_tokens": True, "prompt_tokens_details": None},
    {"prompt_tokens": -1, "completion_tokens": "x", "prompt_tokens_details": {"cached_tokens": "7"}},
    {"prompt_tokens": {}, "completion_tokens": 1e999, "completion_tokens_details": [1]},
)


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that goes wrong with one call.

    Attributes:
        retry_after: the header's value, with ``rate_limit`` and ``error``: seconds, an HTTP date as text, or ``date``
            for the present time as an HTTP date.
        status: with ``error``.
        body: with ``error`` and ``garbage``: what is sent instead of an answer; ``{authorization}`` stands for the
            header that came with the request.
        usage: with ``odd_usage``: sent as it is; one of `ODD_USAGES` by the call's index where left out.
        pause: with ``drip``: seconds between two bytes.
        content_type: with ``garbage``.
    """

    kind: FaultKind
    retry_after: float | str | None = None
    status: int = 500
    body: str = "<html><body>Bad gateway</body></html>"
    usage: Any = field(default=..., hash=False)
    pause: float = 0.05
    content_type: str = "text/html"

    def headers(self) -> dict[str, str]:
        """The headers of a refusal."""
        if self.retry_after is None:
            return {}
        if self.retry_after == "date":
            return {"Retry-After": format_datetime(datetime.now(UTC), usegmt=True)}
        return {"Retry-After": str(self.retry_after)}


FAULTS: dict[str, Fault] = {
    "429": Fault("rate_limit"),
    "429-seconds": Fault("rate_limit", retry_after=0),
    "429-date": Fault("rate_limit", retry_after="date"),
    "429-tomorrow": Fault("rate_limit", retry_after=86_400),
    "500": Fault("error"),
    "502": Fault("error", status=502),
    "503": Fault("error", status=503, retry_after=0),
    "529": Fault("error", status=529, body='{"error": {"type": "overloaded_error", "message": "Overloaded"}}'),
    "reset": Fault("reset"),
    "silence": Fault("hang_before_headers"),
    "hang": Fault("hang"),
    "drip": Fault("drip"),
    "truncated": Fault("truncated"),
    "html": Fault("garbage"),
    "no-body": Fault("no_body"),
}
"""Faults of providers by short names, for `Mix` and the command line. None of them is the model's doing."""


def named_faults(names: str | Sequence[str]) -> tuple[Fault, ...]:
    """Faults by names of `FAULTS`, in a list or with commas between them.

    Raises:
        ValueError: there is no fault of that name.
    """
    wanted = names.split(",") if isinstance(names, str) else list(names)
    if unknown := sorted(set(wanted) - set(FAULTS)):
        raise ValueError(f"no such fault: {', '.join(unknown)}; known are {', '.join(FAULTS)}")
    return tuple(FAULTS[name] for name in wanted)


@dataclass(frozen=True, slots=True)
class Mix:
    """Which calls go wrong, and how: decided by the seed and the call's index alone.

    Attributes:
        rate: probability that a call goes wrong, in [0, 1].
        faults: all equally probable.
    """

    rate: float
    faults: tuple[Fault, ...]
    seed: int = 0

    @classmethod
    def of(cls, rate: float, names: str | Sequence[str] = tuple(FAULTS), seed: int = 0) -> Mix:
        """A mix of faults with names, for example ``Mix.of(0.2, "429,hang,reset")``; see `named_faults`."""
        return cls(rate, named_faults(names), seed)

    def at(self, index: int) -> Fault | None:
        """What goes wrong with the call of that index (from 0)."""
        if not self.rate or not self.faults:
            return None
        digest = hashlib.sha256(f"{self.seed}:{index}".encode()).digest()
        if int.from_bytes(digest[:8], "big") / 2**64 >= self.rate:
            return None
        return self.faults[digest[8] % len(self.faults)]
