"""The journal of a run: an exchange is durable before anybody builds on it, an attempt before all that follows it."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sqlalchemy as sa

from ludometer.core import (
    Attempt,
    CallKey,
    Completion,
    Exchange,
    FailedCall,
    ImagePart,
    Json,
    ProviderError,
    ReplayMismatch,
    Request,
    Suspended,
    TextPart,
)
from ludometer.core.turn import Send
from ludometer.models.redact import redact
from ludometer.store import schema
from ludometer.store.database import RunStore
from ludometer.store.planning import insert_for
from ludometer.store.types import storable
from ludometer.store.writer import Claim, ClaimLost, Write

__all__ = ["RunJournal", "Totals", "storable"]

_INSERT_EXCHANGE = sa.insert(schema.exchanges)
_INSERT_ATTEMPT = sa.insert(schema.attempts)
_INSERT_FAILURE = sa.insert(schema.failures)

_KNOWN_CONTENTS = 20_000
"""How many content hashes are remembered as written; others are offered again, which does no harm."""


@dataclass(slots=True)
class Totals:
    """What a session has asked and used. ``cost`` sums the known prices; ``unpriced`` counts calls without one."""

    calls: int = 0
    failed_calls: int = 0
    in_flight: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0

    def add(self, completion: Completion) -> None:
        self.calls += 1
        self.failed_calls += len(completion.failures)
        self.input_tokens += completion.usage.input or 0
        self.output_tokens += completion.usage.output or 0
        if completion.cost is None:
            self.unpriced += 1
        else:
            self.cost += completion.cost

    @property
    def tokens(self) -> int:
        return self.input_tokens + self.output_tokens


class RunJournal:
    """Writes to a run, and answers from it what was asked before.

    Args:
        store: the run, opened for writing.
        totals: counted up with every new call.
        may_ask: called before every new call; it raises `Suspended` when the run is to stop.

    Attributes:
        errors: the latest failed call by match.
    """

    def __init__(
        self, store: RunStore, totals: Totals | None = None, may_ask: Callable[[], None] | None = None
    ) -> None:
        self.store = store
        self.totals = totals or Totals()
        self.errors: dict[str, ProviderError] = {}
        self._may_ask = may_ask
        self._recorded: dict[str, dict[CallKey, Exchange]] = {}
        self._ordinals: dict[str, int] = {}
        self._claims: dict[str, Claim] = {}
        self._insert_content = insert_for(store.engine.dialect, schema.contents).on_conflict_do_nothing()
        self._known: OrderedDict[str, None] = OrderedDict()
        self._calls: dict[str, set[asyncio.Future[None]]] = {}
        self._closing: set[str] = set()

    def remember(
        self, match: str, exchanges: Mapping[CallKey, Exchange], attempts: int, claim: Claim | None = None
    ) -> None:
        """Hands over the recorded exchanges of a match that is taken up again, how many attempts it has, and the claim
        under which everything about it is written."""
        self._recorded[match] = dict(exchanges)
        self._ordinals[match] = attempts
        if claim is not None:
            self._claims[match] = claim

    async def forget(self, match: str) -> None:
        """Frees what is kept for a match that is not at play any more.

        Calls that are still on their way (of a strategy that asked several times at once, when one of them ended the
        match) are waited for and recorded: nobody may take the match up again before that. No new one is made.
        """
        self._closing.add(match)
        try:
            while calls := self._calls.get(match):
                await asyncio.wait(calls)
        finally:
            self._closing.discard(match)
        self._recorded.pop(match, None)
        self._ordinals.pop(match, None)
        self._claims.pop(match, None)
        self.errors.pop(match, None)

    async def exchange(self, key: CallKey, request: Request, fingerprint: str, send: Send) -> Exchange:
        """The recorded answer for this key, or a new call.

        Raises:
            ReplayMismatch: the recorded call asked something else.
            Suspended: the run is to stop, and this call has not been made.
            ProviderError: the call failed; its tries are in the log.
        """
        recorded = self._recorded.get(key.match, {}).get(key)
        if recorded is not None:
            if recorded.fingerprint != fingerprint:
                raise ReplayMismatch(
                    f"match {key.match}, step {key.step}, seat {key.seat}: the recorded call differs from what would "
                    "be asked now; the program, the game or the settings changed since this run was recorded"
                )
            return recorded
        if key.match in self._closing:
            raise Suspended(f"match {key.match} is not at play any more")
        if self._may_ask is not None:
            self._may_ask()
        done = asyncio.get_running_loop().create_future()
        self._calls.setdefault(key.match, set()).add(done)
        try:
            completion = await self._ask(key, request, send)
            await self._write_exchange(key, request, fingerprint, completion)
        finally:
            done.set_result(None)
            self._calls[key.match].discard(done)
            if not self._calls[key.match]:
                del self._calls[key.match]
        return Exchange(key, request, completion, fingerprint)

    async def _ask(self, key: CallKey, request: Request, send: Send) -> Completion:
        self.totals.in_flight += 1
        try:
            completion = _storable(await send(request))
        except ProviderError as error:
            self.errors[key.match] = error
            await self._write_failures(key, error)
            raise
        finally:
            self.totals.in_flight -= 1
        self.totals.add(completion)
        return completion

    async def attempt(self, match: str, attempt: Attempt, notation: str | None, action: Json) -> None:
        ordinal = self._ordinals.get(match, 0)
        self._ordinals[match] = ordinal + 1
        row = _attempt_row(match, ordinal, attempt, notation, action)
        # Not waited for: no later call can become durable before it, and without one it can be made again.
        self.store.writer.post(Write(_INSERT_ATTEMPT, [row]), claim=self._claims.get(match))

    async def flush(self) -> None:
        """Returns once all attempts are durable. Raises `MachineError` when they cannot be."""
        await self.store.writer.write()

    async def _write_exchange(self, key: CallKey, request: Request, fingerprint: str, completion: Completion) -> None:
        contents: list[dict[str, Any]] = []
        row = self._exchange_row(key, request, fingerprint, completion, contents)
        writes = [Write(self._insert_content, contents)] if contents else []
        writes.append(Write(_INSERT_EXCHANGE, [row]))
        if completion.failures:
            writes.append(Write(_INSERT_FAILURE, [_failure_row(key, failure) for failure in completion.failures]))
        try:
            await self.store.writer.write(*writes, claim=self._claims.get(key.match))
        except ClaimLost:
            # Another runner asks the same again: what this answer cost is not forgotten.
            for content in contents:
                self._known.pop(content["hash"], None)
            used = f"{completion.usage.input} tokens in, {completion.usage.output} out, {completion.cost} US dollars"
            lost = FailedCall(
                f"answered after another runner had taken the match over; {used}", None, completion.latency
            )
            await self.store.writer.write(Write(_INSERT_FAILURE, [_failure_row(key, lost)]))
            raise

    async def _write_failures(self, key: CallKey, error: ProviderError) -> None:
        failures = getattr(error, "failures", ()) or (FailedCall(str(error), error.status, 0.0),)
        self.totals.failed_calls += len(failures)
        await self.store.writer.write(Write(_INSERT_FAILURE, [_failure_row(key, failure) for failure in failures]))

    def _exchange_row(
        self, key: CallKey, request: Request, fingerprint: str, completion: Completion, contents: list[dict[str, Any]]
    ) -> dict[str, Any]:
        usage = completion.usage
        return {
            **key._asdict(),
            "fingerprint": fingerprint,
            "request": json.dumps(self._request(request, contents)),
            "answer": storable(completion.text),
            "reasoning": storable(completion.reasoning),
            "tool_arguments": storable(completion.tool_arguments),
            "refusal": storable(completion.refusal),
            "finish_reason": completion.finish_reason,
            "model": storable(completion.model),
            "input_tokens": usage.input,
            "cached_input_tokens": usage.cached_input,
            "output_tokens": usage.output,
            "reasoning_tokens": usage.reasoning,
            "cost": completion.cost,
            "latency": completion.latency,
            "raw": None if completion.raw is None else self._keep(_bytes(completion.raw), "text/plain", contents),
            "at": time.time(),
        }

    def _request(self, request: Request, contents: list[dict[str, Any]]) -> Json:
        """The request as JSON with every message and schema by the hash of its content."""
        messages = []
        for role, content in request.messages:
            parts = (TextPart(content),) if isinstance(content, str) else content
            hashes = [
                self._keep(part.data, part.media_type, contents)
                if isinstance(part, ImagePart)
                else self._keep(_bytes(part.text), "text/plain", contents)
                for part in parts
            ]
            messages.append([role, hashes[0] if isinstance(content, str) else hashes])
        body: dict[str, Json] = {"messages": messages}
        if request.schema is not None:
            body["schema"] = self._keep(_bytes(json.dumps(request.schema)), "application/json", contents)
            body["schema_name"] = request.schema_name
        if request.tool is not None:
            body["tool"] = self._keep(_bytes(json.dumps(request.tool)), "application/json", contents)
        if request.json_object:
            body["json_object"] = True
        return body

    def _keep(self, body: bytes, media_type: str, contents: list[dict[str, Any]]) -> str:
        digest = hashlib.sha256(media_type.encode() + b"\0" + body).hexdigest()
        if digest in self._known:
            self._known.move_to_end(digest)
            return digest
        contents.append({"hash": digest, "media_type": media_type, "body": body})
        self._known[digest] = None
        if len(self._known) > _KNOWN_CONTENTS:
            self._known.popitem(last=False)
        return digest


def _attempt_row(match: str, ordinal: int, attempt: Attempt, notation: str | None, action: Json) -> dict[str, Any]:
    decision, verdict = attempt.decision, attempt.verdict
    return {
        "match": match,
        "step": attempt.step,
        "seat": attempt.seat,
        "attempt": attempt.attempt,
        "ordinal": ordinal,
        "status": verdict.status,
        "kind": verdict.kind,
        # What a player's own code raised may hold anything.
        "reason": storable(redact(verdict.reason) if verdict.status == "player_error" else verdict.reason),
        "notation": storable(notation),
        "action": None if action is None else json.dumps(action),
        "text": storable(decision.text),
        "rationale": storable(decision.rationale),
        "resign": decision.resign,
        "draw": decision.draw,
        "seconds": decision.seconds,
        "at": time.time(),
    }


def _failure_row(key: CallKey, failure: FailedCall) -> dict[str, Any]:
    return {
        **key._asdict(),
        "error": storable(failure.error),
        "status": failure.status,
        "seconds": failure.seconds,
        "at": time.time(),
    }


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace")


def _storable(completion: Completion) -> Completion:
    """The completion as it will be read back: play goes on with exactly what the log holds."""
    texts = (completion.text, completion.reasoning, completion.tool_arguments, completion.refusal, completion.model)
    if all(text is None or (text.isascii() and "\0" not in text) for text in texts):
        return completion
    return replace(
        completion,
        text=storable(completion.text),
        reasoning=storable(completion.reasoning),
        tool_arguments=storable(completion.tool_arguments),
        refusal=storable(completion.refusal),
        model=storable(completion.model),
    )
