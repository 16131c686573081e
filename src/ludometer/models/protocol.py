"""What every model is to the rest of the program: something that answers a request."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol, TypeAlias

from ludometer.core.errors import ProviderError
from ludometer.core.exchange import Completion, FailedCall, Json, Request

__all__ = ["CallFailed", "Capabilities", "Model", "OnDelta"]

OnDelta: TypeAlias = Callable[[str], None]
"""Called with each new piece of the answer's text while it streams in. After a stream that broke off, the next try
begins the text again."""


class Capabilities(NamedTuple):
    """What a model can do; None where nobody has said.

    Attributes:
        sees_images: takes pictures in messages.
        enforces_schema: its provider makes the answer follow ``Request.schema``.
        calls_tools: it can be made to call ``Request.tool``.
    """

    sees_images: bool | None = None
    enforces_schema: bool | None = None
    calls_tools: bool | None = None


class CallFailed(ProviderError):
    """No try of a call brought an answer. ``failures`` are the tries in order, the last one included."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        transient: bool = True,
        failures: tuple[FailedCall, ...] = (),
    ) -> None:
        super().__init__(message, status=status, transient=transient)
        self.failures = failures


class Model(Protocol):
    """A language model behind an address.

    Attributes:
        name: ``provider/model``.
        settings: what is sent besides the messages, for `Request.fingerprint`; JSON-able, and never a key.
        capabilities: what it can do, as far as known.
    """

    @property
    def name(self) -> str: ...

    @property
    def settings(self) -> Mapping[str, Json]: ...

    @property
    def capabilities(self) -> Capabilities: ...

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        """Ask once, trying again a bounded number of times where that may help.

        The tries that failed before the answer are in ``Completion.failures``.

        Raises:
            CallFailed: no try brought an answer.
            ConfigurationError: this model cannot be asked that way at all.
        """
        ...

    async def close(self) -> None:
        """Give back connections. A closed model may be used again."""
        ...
