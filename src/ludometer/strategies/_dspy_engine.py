"""What stands between DSPy and a model of ours: DSPy's calls become requests of a conversation, and are answered there.

DSPy (3.4 and later) takes an engine with ``complete(Request) -> Response`` in place of a client of its own. This one
hands every call on, so that it is metered, recorded and replayed like any other; DSPy's cache and retries are off.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from typing import Any, Final

from ludometer.core import Completion, ConfigurationError, Json, Message, Request

__all__ = ["Ask", "Engine", "Stopped"]

Ask = Callable[[Request], Completion]
"""Puts a request to the model and waits for the answer, in the program's own thread."""

_SAMPLING: Final = {
    "temperature": ("temperature",),
    "top_p": ("top_p",),
    "max_tokens": ("max_tokens", "max_completion_tokens", "n_predict"),
    "seed": ("seed", "random_seed"),
    "stop": ("stop",),
}
"""What DSPy may ask for in a call, and the names under which a model's settings have it."""
_FINISH: Final = {"stop": "stop", "length": "length", "content_filter": "content_filter"}


class Stopped(BaseException):
    """Ends a program from inside one of its calls. No ``except Exception`` of DSPy (Refine, optimizers) takes it for
    an attempt that may be repeated. ``error`` is what happened."""

    def __init__(self, error: BaseException) -> None:
        super().__init__(str(error))
        self.error = error


class Engine:
    """An engine for ``dspy.LM(engine=...)``, for one decision.

    Args:
        ask: answers a request.
        settings: what the model is asked with (`Model.settings`); a program that wants other ones is refused.
        schema: whether JSON Schemas are sent on, to be enforced.
        system: text that stands before the program's own instructions.
        one_by_one: refuse calls at the same time, whose order would be another one in every run.

    Attributes:
        answers: all answers so far.
        failure: what stopped the program, whatever it made of that.
    """

    supports_function_calling = False
    supports_reasoning = False

    def __init__(
        self,
        ask: Ask,
        settings: Mapping[str, Json],
        *,
        schema: bool = False,
        system: str | None = None,
        one_by_one: bool = True,
    ) -> None:
        self._ask = ask
        self._settings = settings
        self.supports_response_schema = schema
        self.supported_params = frozenset({"response_format"} if schema else ())
        self._system = system
        self._busy = threading.Lock() if one_by_one else None
        self.answers: list[Completion] = []
        self.failure: BaseException | None = None

    def complete(self, request: Any) -> Any:
        """DSPy's call: `dspy.lm15.Request` to `dspy.lm15.Response`."""
        if self._busy is None:
            return self._completed(request)
        if not self._busy.acquire(blocking=False):
            raise self.stop(
                ConfigurationError(
                    "the DSPy program makes calls at the same time (dspy.Parallel), which no replay can put in order; "
                    "let it make them one after the other"
                )
            )
        try:
            return self._completed(request)
        finally:
            self._busy.release()

    def stop(self, error: BaseException) -> Stopped:
        """Remembers what ends the program: no further call is made."""
        self.failure = self.failure or error
        return Stopped(self.failure)

    def _completed(self, request: Any) -> Any:
        if self.failure is not None:
            raise Stopped(self.failure)
        try:
            self._check(request)
            completion = self._ask(_request_of(request, self._system))
        except BaseException as error:  # whatever it is, the program must not go on without its answer
            raise self.stop(error) from None
        self.answers.append(completion)
        return _response_of(completion, request.model)

    def _check(self, request: Any) -> None:
        """Raises `ConfigurationError` where a program asks for a call that would not be made as it says."""
        if request.tools:
            raise ConfigurationError("DSPy programs that call tools cannot play: use a module without tools")
        for name, sent_as in _SAMPLING.items():
            wanted = getattr(request.config, name)
            if wanted is None or wanted == ():
                continue
            set_to = next((self._settings[key] for key in sent_as if self._settings.get(key) is not None), None)
            if (list(set_to or ()) if name == "stop" else set_to) != (list(wanted) if name == "stop" else wanted):
                given = f"no {name}" if set_to is None else f"{name}={set_to}"
                raise ConfigurationError(
                    f"the DSPy program asks for {name}={wanted}, and the player has {given}: the settings of its calls "
                    f"are the player's, so give it {name}={wanted}"
                )


def _request_of(request: Any, system: str | None) -> Request:
    messages = [Message("system", text) for text in (_joined(system, _text(request.system or ())),) if text]
    for message in request.messages:
        role = {"user": "user", "assistant": "assistant", "developer": "system"}.get(message.role)
        if role is None:
            raise ConfigurationError(f"a DSPy program sent a message of the role {message.role!r}, which is not played")
        messages.append(Message(role, _text(message.parts)))  # type: ignore[arg-type]
    wanted = request.config.response_format or {}
    described = wanted.get("json_schema") or wanted
    schema = described.get("schema") if wanted.get("type") == "json_schema" else None
    return Request(
        tuple(messages), schema, described.get("name") or "answer", json_object=wanted.get("type") == "json_object"
    )


def _joined(system: str | None, own: str) -> str:
    return "\n\n".join(text for text in (system, own) if text)


def _text(parts: Any) -> str:
    if isinstance(parts, str):
        return parts
    for part in parts:
        if part.type != "text":
            raise ConfigurationError(f"a DSPy program sent a {part.type}: only texts are sent to the model")
    return "\n".join(part.text for part in parts)


def _response_of(completion: Completion, model: str) -> Any:
    from dspy import lm15

    usage = completion.usage
    counted = lm15.Usage(
        input_tokens=usage.input,
        output_tokens=usage.output,
        cache_read_tokens=usage.cached_input,
        reasoning_tokens=usage.reasoning,
    )
    return lm15.Response(
        id=None,
        model=model,
        message=lm15.Message.assistant(completion.refusal or completion.text or ""),
        finish_reason=_FINISH.get(completion.finish_reason, "stop"),
        usage=counted,
    )
