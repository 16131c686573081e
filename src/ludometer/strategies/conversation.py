"""A conversation with a model inside one decision: it can be continued, forked and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal, NamedTuple

from ludometer.core import CallKey, Completion, Exchange, Fault, Json, Message, Request, Turn
from ludometer.models.protocol import Model
from ludometer.parsers import Reading, read
from ludometer.prompts import Prompt, PromptStyle, compose

__all__ = ["Answer", "Conversation", "issue_order"]


def issue_order(n: str) -> list[tuple[int, ...]]:
    """Sorts the ``n`` of call keys: ``0``, ``1/0.0``, ``1/0.1``, ``1/1.0``, ``1``, ``2``.

    The forks taken after one call come before call 1 of the conversation itself, which is asked with what they said.
    It depends on the keys alone, because the times at which branches get their answers are different in every run.
    """
    *forks, last = n.split(".")
    order: list[tuple[int, ...]] = []
    for fork in forks:
        asked, _, number = fork.partition("/")
        order.append((int(asked), 0, int(number)))
    return [*order, (int(last), 1)]


class Answer(NamedTuple):
    """What a strategy decides: an action, or the fault of the answer it settled on.

    Attributes:
        text: the raw answer that was read.
        rationale: the stated reason.
        draw: an offer of a draw, or its acceptance.
    """

    action: Any = None
    fault: Fault | None = None
    text: str = ""
    rationale: str = ""
    draw: Literal["offer", "accept"] | None = None


class Conversation:
    """The calls of one decision. Every call goes through the turn's journal, under a key of its own.

    Args:
        model: who is asked.
        turn: what is asked about.
        style: how it is asked.
    """

    def __init__(self, model: Model, turn: Turn, style: PromptStyle) -> None:
        self.model = model
        self.turn = turn
        self.style = style
        self._exchanges: dict[str, Exchange] = {}
        self._prompt: Prompt | None = None
        self._messages: tuple[Message, ...] = ()
        self._path = ""
        self._asked = 0
        self._forks = 0

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        """The calls answered so far, branches included, in the order of `issue_order`."""
        return tuple(self._exchanges[n] for n in sorted(self._exchanges, key=issue_order))

    @property
    def question(self) -> str:
        """How this turn's decision is asked for: answer format and question, without a word about earlier attempts.

        For questions of one's own that are to be answered in the same form.
        """
        return compose(replace(self.turn, feedback=None), self.style).question

    async def ask(self, text: str | None = None) -> Completion:
        """Asks for the move, and remembers the answer.

        Args:
            text: the words of the question, in a chat that goes on; by default the turn's own.

        Raises:
            ProviderError: no answer could be had.
        """
        prompt = self._composed()
        if not self._messages and text is None:
            return await self._say(prompt.request)
        before = self._messages or prompt.request.messages[:-1]
        messages = (*before, Message("user", prompt.question if text is None else text))
        return await self._say(self._with_messages(prompt.request, messages))

    async def think(self, text: str) -> Completion:
        """Says ``text`` instead of asking for the move; the answer is free of any format, and remembered.

        Raises:
            ProviderError: no answer could be had.
        """
        if self._messages:
            return await self._say(Request((*self._messages, Message("user", text))))
        return await self._say(compose(self.turn, self.style, text).request)

    async def send(
        self, messages: Sequence[Message], *, schema: Mapping[str, Json] | None = None, json_object: bool = False
    ) -> Completion:
        """Sends messages of one's own, the whole chat: for programs that write their prompts themselves.

        The call is recorded, metered and replayed like every other. This conversation does not remember it, and its
        `read` does not know its form.

        Args:
            schema: JSON Schema that the provider is asked to enforce.
            json_object: ask the provider for any JSON object.

        Raises:
            ProviderError: no answer could be had.
        """
        return await self._call(Request(tuple(messages), schema, json_object=json_object))

    async def _say(self, request: Request) -> Completion:
        completion = await self._call(request)
        self._messages = (*request.messages, Message("assistant", self._said(completion) or "(no answer)"))
        return completion

    def fork(self) -> Conversation:
        """A branch that starts from what has been said so far and does not disturb this one.

        Branches may be asked at the same time: their calls are keyed by branch, not by order of arrival.
        """
        branch = Conversation(self.model, self.turn, self.style)
        branch._exchanges = self._exchanges
        branch._prompt, branch._messages = self._prompt, self._messages
        branch._path = f"{self._path}{self._asked}/{self._forks}."
        self._forks += 1
        return branch

    def read(self, completion: Completion) -> Answer:
        """Reads a completion under this conversation's answer format."""
        reading: Reading = read(completion, self.turn, self.style.answer.format, self._composed().notation)
        return Answer(reading.action, reading.fault, self._said(completion), reading.rationale, reading.draw)

    def _said(self, completion: Completion) -> str:
        """The answer as text: the arguments of a forced call are what the model said."""
        if self.style.answer.format == "tool" and completion.tool_arguments is not None:
            return completion.tool_arguments
        return completion.text or ""

    def _composed(self) -> Prompt:
        if self._prompt is None:
            self._prompt = compose(self.turn, self.style)
        return self._prompt

    @staticmethod
    def _with_messages(request: Request, messages: tuple[Message, ...]) -> Request:
        return Request(messages, request.schema, request.schema_name, request.tool, request.json_object)

    async def _call(self, request: Request) -> Completion:
        turn = self.turn
        key = CallKey(turn.match, turn.step, turn.seat, turn.attempt, f"{self._path}{self._asked}")
        self._asked += 1
        fingerprint = request.fingerprint({"model": self.model.name, **self.model.settings})
        exchange = await turn.journal.exchange(key, request, fingerprint, self._send)
        self._exchanges[key.n] = exchange
        return exchange.completion

    async def _send(self, request: Request) -> Completion:
        return await self.model.complete(request, on_delta=self.turn.watch)
