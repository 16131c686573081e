"""A provider that costs nothing: an OpenAI-compatible server on the loopback address that follows a script.

::

    async with FakeProvider("fixed:1,1", faults={0: Fault("rate_limit", retry_after=1)}) as provider:
        ...  # provider.url is a base URL; provider.stats counts what was asked

or from a shell: ``python -m ludometer.testing.fake_provider --port 8099 --behaviour tictactoe``. What it answers
depends on the request, the seed and the call's index alone.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields
from typing import Any

from aiohttp import web

from ludometer.testing.behaviours import BEHAVIOURS, Behaviour, behaviour, fingerprint, prompt_of
from ludometer.testing.faults import FAULT_KINDS, FAULTS, ODD_USAGES, Fault, FaultKind, Mix, named_faults

__all__ = ["FAULT_KINDS", "ODD_USAGES", "FakeProvider", "Fault", "FaultKind", "Served", "Stats", "in_thread", "main"]


@dataclass(slots=True)
class Stats:
    """What was asked so far. ``asked`` counts calls, and ``answers`` usable answers, by the fingerprint of the
    messages: a run that asks nothing twice has no ``answers`` above 1."""

    calls: int = 0
    answered: int = 0
    in_flight: int = 0
    most_in_flight: int = 0
    asked: Counter[str] = field(default_factory=Counter)
    answers: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class Served:
    """What the server did to one call. ``fault`` is None where nothing was to go wrong; ``sent`` says whether a whole
    usable answer was handed to the connection (False too where the client had gone before)."""

    asked: str
    model: str
    fault: Fault | None
    sent: bool = False


def _plain(value: object) -> object:
    return dict(value) if isinstance(value, Counter) else value


class FakeProvider:
    """The server, as an asynchronous context manager.

    Args:
        answer: a behaviour's name, or a function from the request's JSON to the answer's text or to the whole answer.
        latency: seconds until the answer (between the pieces too, when it streams, is nothing).
        faults: what goes wrong, by the index of the call (from 0).
        fault_rate, fault_kinds, seed: calls without a planned fault go wrong with this probability, as decided by the
            seed and the index.
        mix: which calls go wrong, instead of those three.
        api_key: refuse calls that do not bring it, with an error that repeats what they brought.
        port: 0 for any free one.
    """

    def __init__(
        self,
        answer: str | Behaviour = "first",
        *,
        latency: float = 0.0,
        faults: Mapping[int, Fault] | None = None,
        fault_rate: float = 0.0,
        fault_kinds: Sequence[FaultKind] = ("rate_limit", "error", "garbage", "reset"),
        seed: int = 0,
        mix: Mix | None = None,
        api_key: str | None = None,
        port: int = 0,
        keep_requests: bool = True,
    ) -> None:
        self.answer: Behaviour = behaviour(answer, seed) if isinstance(answer, str) else answer
        self.latency = latency
        self.faults = dict(faults or {})
        self.mix = mix or Mix(fault_rate, tuple(Fault(kind, retry_after=0) for kind in fault_kinds), seed)
        self.api_key = api_key
        self.port = port
        self.stats = Stats()
        self.requests: list[dict[str, Any]] = []
        self.log: list[Served] = []
        self._keep = keep_requests
        self._runner: web.AppRunner | None = None

    @property
    def url(self) -> str:
        """The base URL, for a custom provider."""
        return f"http://127.0.0.1:{self.port}/v1"

    async def __aenter__(self) -> FakeProvider:
        app = web.Application(client_max_size=64 << 20)
        app.router.add_post("/v1/chat/completions", self._handle)
        app.router.add_get("/v1/models", self._models)
        app.router.add_get("/stats", self._stats)
        # Cancelled with its connection, a hanging call stops counting as in flight when the client gives up.
        self._runner = web.AppRunner(app, handler_cancellation=True, access_log=None, shutdown_timeout=0.1)
        await self._runner.setup()
        site = web.TCPSite(self._runner, "127.0.0.1", self.port, backlog=4096)
        await site.start()
        self.port = self._runner.addresses[0][1]
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._runner is not None:
            await self._runner.cleanup()

    async def _models(self, _: web.Request) -> web.Response:
        return web.json_response({"object": "list", "data": [{"id": "fake", "object": "model"}]})

    async def _stats(self, _: web.Request) -> web.Response:
        # `asdict` would build a Counter from pairs, and count the pairs.
        return web.json_response({f.name: _plain(getattr(self.stats, f.name)) for f in fields(self.stats)})

    async def _handle(self, http: web.Request) -> web.StreamResponse:
        request = json.loads(await http.read())
        index = self.stats.calls
        self.stats.calls += 1
        mark = fingerprint(request)
        self.stats.asked[mark] += 1
        if self._keep:
            self.requests.append(request)
        self.stats.in_flight += 1
        self.stats.most_in_flight = max(self.stats.most_in_flight, self.stats.in_flight)
        try:
            if self.api_key is not None and http.headers.get("Authorization") != f"Bearer {self.api_key}":
                return _refusal(http, Fault("error", status=401, body="wrong key: {authorization}"))
            fault = self.faults.get(index) or self.mix.at(index)
            served = Served(mark, str(request.get("model")), fault)
            self.log.append(served)
            if self.latency:
                await asyncio.sleep(self.latency)
            if fault is not None:
                self.stats.faults[fault.kind] += 1
                response = await self._fail(http, request, fault, index)
                if response is not None:
                    return response
            response = await _send(http, request, self._body(request, fault, index))
            if fault is None or fault.kind not in ("no_choices", "error_in_200"):
                self.stats.answered += 1
                self.stats.answers[mark] += 1
                served.sent = True
            return response
        finally:
            self.stats.in_flight -= 1

    def _body(self, request: dict[str, Any], fault: Fault | None, index: int) -> dict[str, Any]:
        """The answer as one JSON object."""
        kind = fault.kind if fault is not None else None
        content = {"empty": "", "null": None}[kind] if kind in ("empty", "null") else self.answer(request)
        if isinstance(content, dict):
            return content
        body = _completion(request, content)
        if kind == "no_choices":
            body["choices"] = []
        if kind == "error_in_200":
            return {"error": {"message": "upstream overloaded", "code": 503}}
        if fault is not None and kind == "odd_usage":
            body["usage"] = ODD_USAGES[index % len(ODD_USAGES)] if fault.usage is ... else fault.usage
        return body

    async def _fail(
        self, http: web.Request, request: dict[str, Any], fault: Fault, index: int
    ) -> web.StreamResponse | None:
        """The response of a fault that replaces the answer; None for one that only changes it."""
        if fault.kind == "rate_limit":
            return _refusal(http, Fault("error", fault.retry_after, 429, '{"error": {"message": "slow down"}}'))
        if fault.kind == "error":
            return _refusal(http, fault)
        if fault.kind == "redirect":
            return web.Response(status=302, headers={"Location": "http://127.0.0.1:9/elsewhere"})
        if fault.kind == "garbage":
            return web.Response(text=_filled(http, fault.body), content_type=fault.content_type)
        if fault.kind == "no_body":
            return web.Response(body=b"", content_type="application/json")
        if fault.kind == "hang_before_headers":
            await asyncio.sleep(3600)
        if fault.kind in ("hang", "truncated"):
            return await _broken(http, request, self._body(request, None, index), hang=fault.kind == "hang")
        if fault.kind == "drip":
            return await _dripped(http, request, self._body(request, None, index), fault.pause)
        if fault.kind == "reset":
            if http.transport is not None:
                http.transport.abort()
            raise asyncio.CancelledError
        return None


def _completion(request: dict[str, Any], content: str | None) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": content}
    finish = "stop"
    if request.get("tools"):
        function = {"name": request["tools"][0]["function"]["name"], "arguments": content}
        message["content"] = None
        message["tool_calls"] = [{"id": "call_0", "type": "function", "function": function}]
        finish = "tool_calls"
    given, output = len(prompt_of(request)) // 4, len(content or "") // 4 + 1
    return {
        "id": f"fake-{fingerprint(request)[:12]}",
        "object": "chat.completion",
        "created": 0,  # some clients insist on it
        "model": request.get("model", "fake"),
        "choices": [{"index": 0, "message": message, "finish_reason": finish}],
        "usage": {"prompt_tokens": given, "completion_tokens": output, "total_tokens": given + output},
    }


async def _send(http: web.Request, request: dict[str, Any], body: dict[str, Any]) -> web.StreamResponse:
    if not request.get("stream"):
        return web.Response(body=json.dumps(body).encode(), content_type="application/json")
    response = await _open_stream(http)
    for event in _events(body):
        await response.write(_line(event))
    await response.write(b"data: [DONE]\n\n")
    await response.write_eof()
    return response


async def _broken(
    http: web.Request, request: dict[str, Any], body: dict[str, Any], *, hang: bool
) -> web.StreamResponse:
    """The start of a response, then silence or the end of the connection."""
    if request.get("stream"):
        response = await _open_stream(http)
        await response.write(_line(_events(body)[0]))
    else:
        whole = json.dumps(body).encode()
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        response.content_length = len(whole)
        await response.prepare(http)
        await response.write(whole[: len(whole) // 2])
    if hang:
        await asyncio.sleep(3600)
    if http.transport is not None:
        http.transport.close()
    return response


async def _dripped(
    http: web.Request, request: dict[str, Any], body: dict[str, Any], pause: float
) -> web.StreamResponse:
    """A whole answer, one byte at a time: never silent for long, and never done in time."""
    if request.get("stream"):
        response = await _open_stream(http)
        whole = b"".join(map(_line, _events(body)))
    else:
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(http)
        whole = json.dumps(body).encode()
    for byte in whole:
        await response.write(bytes([byte]))
        await asyncio.sleep(pause)
    await response.write_eof()
    return response


async def _open_stream(http: web.Request) -> web.StreamResponse:
    response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await response.prepare(http)
    return response


def _events(body: dict[str, Any]) -> list[dict[str, Any]]:
    """The answer in pieces of at most eight characters, then the reason for its end, then the usage."""
    if not body.get("choices"):
        return [body]
    choice = body["choices"][0]
    message = dict(choice["message"])
    content = message.pop("content", None)
    head = {"id": body.get("id"), "model": body.get("model")}
    texts = [content[i : i + 8] for i in range(0, len(content), 8)] if content else [content]
    deltas: list[dict[str, Any]] = [{**message, "content": texts[0]}, *({"content": text} for text in texts[1:])]
    events = [{**head, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]} for delta in deltas]
    events.append({**head, "choices": [{"index": 0, "delta": {}, "finish_reason": choice["finish_reason"]}]})
    events.append({**head, "choices": [], "usage": body.get("usage")})
    return events


def _line(event: dict[str, Any]) -> bytes:
    return b"data: " + json.dumps(event).encode() + b"\n\n"


def _refusal(http: web.Request, fault: Fault) -> web.Response:
    return web.Response(status=fault.status, text=_filled(http, fault.body), headers=fault.headers())


def _filled(http: web.Request, body: str) -> str:
    return body.replace("{authorization}", http.headers.get("Authorization", "none"))


@contextmanager
def in_thread(provider: FakeProvider) -> Iterator[FakeProvider]:
    """Run a provider on an event loop of its own in another thread."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(provider.__aenter__(), loop).result()
        yield provider
    finally:
        asyncio.run_coroutine_threadsafe(provider.__aexit__(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


async def _serve(provider: FakeProvider) -> None:
    async with provider:
        print(provider.url, flush=True)
        await asyncio.Event().wait()


def main(arguments: Sequence[str] | None = None) -> None:
    """Serve until interrupted; the first line printed is the base URL."""
    parser = argparse.ArgumentParser(prog="python -m ludometer.testing.fake_provider", description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--latency", type=float, default=0.0, help="seconds until an answer")
    parser.add_argument("--behaviour", default="first", help=f"{', '.join(BEHAVIOURS)} or fixed:TEXT")
    parser.add_argument("--fault-rate", type=float, default=0.0)
    parser.add_argument("--fault-kinds", default="rate_limit,error,garbage,reset", help=", ".join(FAULT_KINDS))
    parser.add_argument("--mix", help=f"faults by name, instead of --fault-kinds: {', '.join(FAULTS)}")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(arguments)
    kinds = options.fault_kinds.split(",")
    if unknown := sorted(set(kinds) - set(FAULT_KINDS)):
        parser.error(f"no such fault: {', '.join(unknown)}")
    try:
        provider = FakeProvider(
            options.behaviour,
            latency=options.latency,
            fault_rate=options.fault_rate,
            fault_kinds=kinds,
            seed=options.seed,
            mix=None if options.mix is None else Mix(options.fault_rate, named_faults(options.mix), options.seed),
            port=options.port,
            keep_requests=False,
        )
    except ValueError as error:
        parser.error(str(error))
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(provider))


if __name__ == "__main__":
    main()
