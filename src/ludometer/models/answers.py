"""Answers of the chat completions API, read with suspicion: any field may be missing or of an odd type."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ludometer.core.errors import ProviderError
from ludometer.core.exchange import Completion, FinishReason, Usage

from .protocol import OnDelta
from .redact import redact

__all__ = ["RAW_LIMIT", "StreamedAnswer", "bounded", "completion_of", "reported_cost", "usage_of"]

RAW_LIMIT = 200_000
"""Characters of an answer that are kept for the log."""

RETRIED_STATUSES = frozenset({408, 409, 425, 429})

_FINISH: dict[str, FinishReason] = {
    "stop": "stop",
    "eos": "stop",
    "end_turn": "stop",
    "stop_sequence": "stop",
    "length": "length",
    "max_tokens": "length",
    "model_length": "length",
    "tool_calls": "tool",
    "tool_use": "tool",
    "function_call": "tool",
    "content_filter": "content_filter",
    "safety": "content_filter",
    "refusal": "content_filter",
}


def is_transient(status: int) -> bool:
    """Whether an HTTP status says that the same call may work later."""
    return status in RETRIED_STATUSES or status >= 500


def completion_of(answer: Any, raw: str) -> Completion:
    """The completion in an answer's JSON.

    Raises:
        ProviderError: the answer reports an error or holds no choice.
    """
    if not isinstance(answer, dict):
        raise ProviderError(f"the provider answered no JSON object: {excerpt(raw)}")
    _raise_reported(answer)
    choice = _first(answer.get("choices"))
    if choice is None:
        raise ProviderError(f"the provider's answer holds no choice: {excerpt(raw)}")
    _raise_reported(choice)
    message = choice.get("message")
    message = message if isinstance(message, dict) else {}
    return Completion(
        text=_text(message.get("content")),
        finish_reason=_finish(choice.get("finish_reason")),
        reasoning=_text(message.get("reasoning_content")) or _text(message.get("reasoning")),
        tool_arguments=_arguments(message),
        refusal=_text(message.get("refusal")) or None,
        model=_text(answer.get("model")),
        usage=usage_of(answer.get("usage")),
        raw=bounded(raw),
    )


@dataclass(slots=True)
class StreamedAnswer:
    """An answer that arrives as server-sent events: fed line by line, then turned into a completion."""

    on_delta: OnDelta | None = None
    finished: bool = False
    usage: object = None
    _text: list[str] = field(default_factory=list)
    _reasoning: list[str] = field(default_factory=list)
    _refusal: list[str] = field(default_factory=list)
    _arguments: list[str] = field(default_factory=list)
    _finish: object = None
    _model: str | None = None
    _saw_choice: bool = False

    def feed(self, line: bytes) -> None:
        """Take one line of the event stream.

        Raises:
            ProviderError: an event that is no JSON, or that reports an error.
        """
        if not line.startswith(b"data:"):
            return
        data = line[5:].strip()
        if data == b"[DONE]":
            self.finished = True
            return
        event = parse_json(data)
        if not isinstance(event, dict):
            raise ProviderError(f"an event of the stream is no JSON object: {excerpt(_decoded(data))}")
        _raise_reported(event)
        self._model = self._model or _text(event.get("model"))
        if isinstance(event.get("usage"), dict):
            self.usage = event["usage"]
        choice = _first(event.get("choices"))
        if choice is not None:
            self._take(choice)

    def _take(self, choice: dict[str, Any]) -> None:
        _raise_reported(choice)
        self._saw_choice = True
        self._finish = choice.get("finish_reason") or self._finish
        delta = choice.get("delta")
        if not isinstance(delta, dict):
            return
        text = _text(delta.get("content"))
        if text is not None:
            self._text.append(text)
            if text and self.on_delta is not None:
                self.on_delta(text)
        self._reasoning.append(_text(delta.get("reasoning_content")) or _text(delta.get("reasoning")) or "")
        self._refusal.append(_text(delta.get("refusal")) or "")
        self._arguments.append(_arguments(delta) or "")

    def completion(self, raw: str) -> Completion:
        """The whole answer.

        Raises:
            ProviderError: the stream ended before the answer did.
        """
        if not self._saw_choice:
            raise ProviderError(f"the stream ended without an answer: {excerpt(raw)}")
        if not self.finished and self._finish is None:
            raise ProviderError("the stream broke off before the end of the answer")
        return Completion(
            text="".join(self._text) if self._text else None,
            finish_reason=_finish(self._finish),
            reasoning="".join(self._reasoning) or None,
            tool_arguments="".join(self._arguments) or None,
            refusal="".join(self._refusal) or None,
            model=self._model,
            usage=usage_of(self.usage),
            raw=bounded(raw),
        )


def usage_of(usage: Any) -> Usage:
    """Token counts, whatever the provider made of them; what cannot be read as a count is None."""
    if not isinstance(usage, dict):
        return Usage()
    given = _count(usage, "prompt_tokens", "input_tokens")
    output = _count(usage, "completion_tokens", "output_tokens")
    cached = _detail(usage, ("prompt_tokens_details", "input_tokens_details"), "cached_tokens")
    if cached is None:
        cached = _count(usage, "prompt_cache_hit_tokens", "cached_tokens")
    reasoning = _detail(usage, ("completion_tokens_details", "output_tokens_details"), "reasoning_tokens")
    total = _count(usage, "total_tokens")
    # xAI counts reasoning beside the output; the total tells.
    if reasoning and given is not None and output is not None and total == given + output + reasoning:
        output += reasoning
    return Usage(input=given, cached_input=cached, output=output, reasoning=reasoning)


def reported_cost(answer_usage: Any) -> float | None:
    """US dollars that the provider says it charged; None where it did not say, or charged a key of the user's
    own elsewhere (``is_byok``)."""
    if not isinstance(answer_usage, dict) or answer_usage.get("is_byok") is True:
        return None
    cost = answer_usage.get("cost")
    if isinstance(cost, bool) or not isinstance(cost, int | float | str):
        return None
    try:
        dollars = float(cost)
    except (ValueError, OverflowError):
        return None
    return dollars if math.isfinite(dollars) and dollars >= 0 else None


def parse_json(data: bytes | str) -> Any:
    """The JSON value, or None for anything that is none (garbage, nesting without end, numbers without end)."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def bounded(raw: str) -> str:
    """The answer as kept for the log."""
    raw = _storable(raw)
    return raw if len(raw) <= RAW_LIMIT else f"{raw[:RAW_LIMIT]}... [{len(raw)} characters]"


def excerpt(text: str, limit: int = 300) -> str:
    """The beginning of a body on one line, free of keys, for an error message."""
    # Cut after redaction, or half a key at the cut would stay; before it only to bound the work.
    line = " ".join(redact(text[: limit * 20]).split())
    line = "".join(character if character.isprintable() else "?" for character in line)
    return line if len(line) <= limit else line[:limit] + "..."


def _decoded(data: bytes) -> str:
    return data.decode("utf-8", "replace")


def _raise_reported(answer: dict[str, Any]) -> None:
    """An error inside an answer with status 200, as OpenRouter and several servers send it."""
    error = answer.get("error")
    if not error:
        return
    code = error.get("code") if isinstance(error, dict) else None
    status = code if isinstance(code, int) and not isinstance(code, bool) and 400 <= code < 600 else None
    text = error.get("message") if isinstance(error, dict) else error
    raise ProviderError(
        f"the provider reports an error: {excerpt(str(text or error))}",
        status=status,
        transient=status is None or is_transient(status),
    )


def _first(items: Any) -> dict[str, Any] | None:
    if isinstance(items, list) and items and isinstance(items[0], dict):
        return items[0]
    return None


def _finish(reason: Any) -> FinishReason:
    return _FINISH.get(reason.lower(), "unknown") if isinstance(reason, str) else "unknown"


def _text(content: Any) -> str | None:
    """A string, or the texts of a list of parts; None for everything else."""
    if isinstance(content, str):
        return _storable(content)
    if isinstance(content, list):
        texts = (part.get("text") if isinstance(part, dict) else part for part in content)
        return _storable("".join(text for text in texts if isinstance(text, str)))
    return None


def _storable(text: str) -> str:
    """Half a surrogate pair, which JSON can carry and UTF-8 cannot, becomes the replacement character."""
    if text.isascii():
        return text
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _arguments(message: Mapping[str, Any]) -> str | None:
    call = _first(message.get("tool_calls")) or message
    function = call.get("function") or message.get("function_call")
    arguments = function.get("arguments") if isinstance(function, dict) else None
    if isinstance(arguments, str):
        return _storable(arguments)
    return None if arguments is None else json.dumps(arguments)


def _count(holder: Mapping[str, Any], *names: str) -> int | None:
    for name in names:
        value = holder.get(name)
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            continue
        try:
            number = int(float(value))
        except (ValueError, OverflowError):
            continue
        if 0 <= number < 2**53:
            return number
    return None


def _detail(usage: Mapping[str, Any], holders: tuple[str, ...], name: str) -> int | None:
    for holder in holders:
        details = usage.get(holder)
        if isinstance(details, dict) and (value := _count(details, name)) is not None:
            return value
    return None
