"""What goes to a model and what comes back: the unit that is paid for, recorded and replayed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

__all__ = [
    "CallKey",
    "Completion",
    "Exchange",
    "FailedCall",
    "FinishReason",
    "ImagePart",
    "Json",
    "Message",
    "Part",
    "Request",
    "TextPart",
    "ToolSpec",
    "Usage",
]

Json: TypeAlias = Any
"""A value that `json.dumps` accepts: None, bool, int, float, str, list and dict of the same."""

FinishReason: TypeAlias = Literal["stop", "length", "tool", "content_filter", "unknown"]


class TextPart(NamedTuple):
    text: str


class ImagePart(NamedTuple):
    """A picture for models that see. ``data`` is the encoded file, ``media_type`` e.g. ``image/png``."""

    data: bytes
    media_type: str = "image/png"


Part: TypeAlias = TextPart | ImagePart


class Message(NamedTuple):
    """One message of a chat. ``content`` is plain text, or parts where a picture is among them."""

    role: Literal["system", "user", "assistant"]
    content: str | tuple[Part, ...]

    @property
    def text(self) -> str:
        """The words of the message, pictures left out."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content if isinstance(part, TextPart))


class ToolSpec(NamedTuple):
    """The one function a model is made to call; its arguments are the answer."""

    name: str
    description: str
    schema: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Request:
    """One call to a model, complete but for the address and the key.

    Attributes:
        messages: the chat so far; the last message is the question.
        schema: JSON Schema the provider is asked to enforce (answer format ``json_schema``), with ``schema_name``.
        tool: the function to call instead (answer format ``tool``).
        json_object: ask the provider for any JSON object (its ``json_object`` mode).
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Json] | None = None
    schema_name: str = "answer"
    tool: ToolSpec | None = None
    json_object: bool = False

    def fingerprint(self, settings: Mapping[str, Json]) -> str:
        """SHA-256 of the request and the model's settings, hexadecimal: equal calls have equal fingerprints."""
        digest = hashlib.sha256()
        for role, content in self.messages:
            parts = (TextPart(content),) if isinstance(content, str) else content
            digest.update(f"{role}:{len(parts)}:".encode())
            for part in parts:
                kind, body = _bytes(part)
                digest.update(f"{kind}:{len(body)}:".encode() + body)
        extras = [self.schema, self.schema_name, self.tool, self.json_object, dict(settings)]
        digest.update(json.dumps(extras, sort_keys=True, default=str).encode())
        return digest.hexdigest()


def _bytes(part: Part) -> tuple[str, bytes]:
    if isinstance(part, TextPart):
        return "text", part.text.encode("utf-8", "surrogatepass")
    return part.media_type, part.data


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens of one call. None where the provider did not say; ``reasoning`` is part of ``output``,
    ``cached_input`` is part of ``input``."""

    input: int | None = None
    cached_input: int | None = None
    output: int | None = None
    reasoning: int | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """What a model answered.

    Attributes:
        text: the content, exactly as sent; None where the provider sent null.
        reasoning: the content of a separate reasoning field, where there was one. Never parsed for a move.
        tool_arguments: the raw JSON text of the forced function call, where there was one.
        model: the model id that the provider says answered.
        usage, cost: tokens and US dollars; cost is None when no price is known.
        latency: seconds from sending the request to the last byte of the answer, without waiting for a free slot.
        raw: the provider's answer as it came, for the log (bounded in size by the client).
    """

    text: str | None
    finish_reason: FinishReason = "stop"
    reasoning: str | None = None
    tool_arguments: str | None = None
    refusal: str | None = None
    model: str | None = None
    usage: Usage = field(default_factory=Usage)
    cost: float | None = None
    latency: float = 0.0
    raw: str | None = None
    failures: tuple[FailedCall, ...] = ()


class FailedCall(NamedTuple):
    """A try that brought no answer (429, 5xx, a broken line): kept for the log, never replayed."""

    error: str
    status: int | None
    seconds: float


class CallKey(NamedTuple):
    """Where a call belongs. ``n`` is its issue order inside the decision: ``"0"``, ``"1"``, and ``"1/2.0"`` for
    call 0 of the third fork, taken after one call (see `ludometer.strategies.Conversation.fork`)."""

    match: str
    step: int
    seat: str
    attempt: int
    n: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """A request with its answer: the unit of durability. ``fingerprint`` is compared on replay."""

    key: CallKey
    request: Request
    completion: Completion
    fingerprint: str
