"""From the log back to matches: for resuming, verifying and showing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from ludometer.core import (
    AnyGame,
    CallKey,
    Completion,
    Decision,
    Exchange,
    Fault,
    ImagePart,
    InternalError,
    MachineError,
    Message,
    ReplayMismatch,
    Request,
    TextPart,
    ToolSpec,
    Usage,
    make_game,
)
from ludometer.matches import Match, MatchPolicy
from ludometer.store import schema
from ludometer.store.database import RunStore
from ludometer.store.records import MatchRow
from ludometer.strategies.conversation import issue_order

__all__ = ["CUT_SHORT", "MatchLog", "load_log", "new_match", "recorded_decision", "recorded_request", "replayed"]

CUT_SHORT = frozenset({"timeout", "player_error"})
"""Ends of a decision by the clock or by the player's code. It was never returned, so what had been answered until then
was no part of it: nothing was charged for it, and no later prompt quotes it."""


class MatchLog:
    """What a run has of one match.

    Attributes:
        attempts: rows of the ``attempts`` table in order of submission.
        exchanges: by key, in order of asking.
    """

    def __init__(self, attempts: Sequence[Mapping[str, Any]], exchanges: Mapping[CallKey, Exchange]) -> None:
        self.attempts = attempts
        self.exchanges = exchanges

    def exchanges_of(self, row: Mapping[str, Any]) -> tuple[Exchange, ...]:
        """The exchanges of one attempt."""
        place = (row["step"], row["seat"], row["attempt"])
        return tuple(e for key, e in self.exchanges.items() if (key.step, key.seat, key.attempt) == place)


def load_log(store: RunStore, match_id: str) -> MatchLog:
    """The attempts and exchanges of a match. Raises `MachineError` where they cannot be read."""
    try:
        return _load_log(store, match_id)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        what = f"{type(error).__name__}: {error}"
        raise MachineError(f"match {match_id}: its log cannot be read ({' '.join(what.split())})") from None


def _load_log(store: RunStore, match_id: str) -> MatchLog:
    rows = sorted(store.rows(schema.exchanges, match_id), key=_issue_order)
    cache = store.contents(dict.fromkeys(digest for row in rows for digest in _digests(json.loads(row["request"]))))
    exchanges = {}
    for row in rows:
        key = CallKey(row["match"], row["step"], row["seat"], row["attempt"], row["n"])
        exchanges[key] = Exchange(
            key, recorded_request(store, row["request"], cache), _completion(row), row["fingerprint"]
        )
    return MatchLog(store.rows(schema.attempts, match_id), exchanges)


def _issue_order(row: Mapping[str, Any]) -> tuple[Any, ...]:
    return (row["step"], row["seat"], row["attempt"], issue_order(row["n"]))


def _digests(body: Mapping[str, Any]) -> Iterator[str]:
    """Hashes of everything that a request refers to."""
    for _, what in body["messages"]:
        yield from (what,) if isinstance(what, str) else what
    yield from (body[name] for name in ("tool", "schema") if name in body)


def _completion(row: Mapping[str, Any]) -> Completion:
    usage = Usage(row["input_tokens"], row["cached_input_tokens"], row["output_tokens"], row["reasoning_tokens"])
    return Completion(
        text=row["answer"],
        finish_reason=row["finish_reason"],
        reasoning=row["reasoning"],
        tool_arguments=row["tool_arguments"],
        refusal=row["refusal"],
        model=row["model"],
        usage=usage,
        cost=row["cost"],
        latency=row["latency"],
    )


def recorded_request(store: RunStore, written: str, cache: dict[str, tuple[str, bytes]]) -> Request:
    """The request of an exchange. Contents that were read stay in ``cache``."""
    body = json.loads(written)

    def content(digest: str) -> tuple[str, bytes]:
        if digest not in cache:
            found = store.content(digest)
            if found is None:
                raise InternalError(f"the run's log lacks the content {digest[:12]}")
            cache[digest] = found
        return cache[digest]

    def part(digest: str) -> TextPart | ImagePart:
        media_type, data = content(digest)
        return TextPart(data.decode()) if media_type == "text/plain" else ImagePart(data, media_type)

    messages = tuple(
        Message(role, content(what)[1].decode() if isinstance(what, str) else tuple(part(d) for d in what))
        for role, what in body["messages"]
    )
    tool = ToolSpec(*json.loads(content(body["tool"])[1])) if "tool" in body else None
    structure = json.loads(content(body["schema"])[1]) if "schema" in body else None
    return Request(messages, structure, body.get("schema_name", "answer"), tool, body.get("json_object", False))


@lru_cache(maxsize=256)
def _game(name: str, options: str) -> AnyGame:
    """The game, made once for all its matches: checking options takes longer than a move."""
    return make_game(name, json.loads(options))


def new_match(row: MatchRow, policy: MatchPolicy) -> Match:
    """The match of a row, at its beginning."""
    game = _game(row.game, json.dumps(row.options))
    opening = row.opening or ()
    return Match(game, len(row.seats), luck=row.luck, seed=row.seed, policy=policy, opening=opening, id=row.id)


def replayed(match: Match, log: MatchLog) -> Iterator[tuple[Mapping[str, Any], Decision]]:
    """Submits the recorded attempts one after the other, and yields each row with its decision before that.

    A match that an official's failures made void is taken up again behind them.

    Raises:
        ReplayMismatch: the referee says something else now than it said then.
    """
    for row in log.attempts:
        decision = recorded_decision(match, row, log.exchanges_of(row))
        yield row, decision
        attempt = match.resubmit(row["seat"], decision)
        verdict = attempt.verdict
        if (verdict.status, verdict.kind) != (row["status"], row["kind"]):
            raise ReplayMismatch(
                f"match {match.id}, step {row['step']}, seat {row['seat']}: recorded as {row['status']} "
                f"({row['kind']}), judged now as {verdict.status} ({verdict.kind})"
            )


def recorded_decision(match: Match, row: Mapping[str, Any], exchanges: tuple[Exchange, ...]) -> Decision:
    """The decision of a recorded attempt, for the match as it stands before it."""
    action, fault = None, None
    if row["action"] is not None:
        action = match.decode(row["seat"], json.loads(row["action"]))
    elif not row["resign"] and row["draw"] != "accept":
        kind = row["kind"] if row["status"] == "illegal" else ""
        fault = Fault(row["status"], row["reason"], kind)
        if row["status"] in CUT_SHORT and not row["text"]:
            exchanges = ()
    return Decision(
        action=action,
        fault=fault,
        text=row["text"],
        rationale=row["rationale"],
        exchanges=exchanges,
        resign=bool(row["resign"]),
        draw=row["draw"],
        seconds=row["seconds"],
    )
