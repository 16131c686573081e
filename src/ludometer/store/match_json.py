"""A run and its matches as JSON, for programs: every attempt, the exact messages, the answers, tokens and cost."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ludometer.core import Exchange, ImagePart, Json, Message
from ludometer.store import schema
from ludometer.store.database import RunStore
from ludometer.store.records import MatchRow
from ludometer.store.replay import MatchLog, load_log
from ludometer.store.spared import shown_counts
from ludometer.store.types import read_json, time_text

__all__ = ["match_json", "run_json"]


def run_json(store: RunStore) -> dict[str, Json]:
    """What ``run.json`` says of a run: configuration, versions, entrants, counts."""
    return {
        "ludometer": store.meta("ludometer"),
        "schema_version": store.meta("schema_version"),
        "prices_version": store.meta("prices_version"),
        "created": time_text(store.meta("created")),
        "config": store.config,
        "entrants": store.entrants(),
        "matches_by_status": dict(shown_counts(store)),
        "decision": store.meta("decision"),
    }


def match_json(store: RunStore, row: MatchRow, entrants: Mapping[str, Json]) -> dict[str, Json]:
    """A match with its whole log: a line of ``matches.jsonl``.

    Args:
        entrants: of the run, by name.
    """
    log = load_log(store, row.id)
    attempts = [_attempt(row, attempt, log) for attempt in log.attempts]
    answered = {(a["step"], a["seat"], a["attempt"]) for a in log.attempts}
    open_calls = [e for k, e in log.exchanges.items() if (k.step, k.seat, k.attempt) not in answered]
    return {
        **{name: getattr(row, name) for name in ("id", "number", "game", "options", "condition", "group", "luck")},
        "seed": row.seed,
        "opening": row.opening,
        "players": {seat: entrants.get(name, {"name": name}) for seat, name in row.seats.items()},
        "status": row.status,
        "started": time_text(row.started),
        "finished": time_text(row.finished),
        "seconds": row.seconds,
        "result": _result(row),
        **{name: getattr(row, name) for name in ("moves", "attempts", "bad_attempts", "substituted", "voids")},
        "notation": None if row.notation is None else row.notation.splitlines(),
        "log": attempts,
        "calls_without_attempt": [_exchange(exchange) for exchange in open_calls],
        "failed_calls": [_failure(failure) for failure in store.rows(schema.failures, row.id)],
    }


def _result(row: MatchRow) -> dict[str, Json] | None:
    if row.ending is None:
        return None
    return {
        "ending": row.ending,
        "why": row.why,
        "winner": row.winner,
        "offender": row.offender,
        "scores": row.scores,
        "payoffs": row.payoffs,
    }


def _attempt(row: MatchRow, attempt: Mapping[str, Any], log: MatchLog) -> dict[str, Json]:
    same = ("ordinal", "step", "seat", "attempt")
    return {
        **{name: attempt[name] for name in same},
        "player": row.seats.get(attempt["seat"]),
        "legal": attempt["status"] == "legal",
        "verdict": {name: attempt[name] for name in ("status", "kind", "reason")},
        "notation": attempt["notation"],
        "action": None if attempt["action"] is None else read_json(attempt["action"], "an action"),
        **{name: attempt[name] for name in ("text", "rationale", "seconds")},
        "resign": bool(attempt["resign"]),
        "draw": attempt["draw"],
        "at": time_text(attempt["at"]),
        "calls": [_exchange(exchange) for exchange in log.exchanges_of(attempt)],
    }


def _exchange(exchange: Exchange) -> dict[str, Json]:
    request, completion = exchange.request, exchange.completion
    asked: dict[str, Json] = {"messages": [_message(message) for message in request.messages]}
    if request.schema is not None:
        asked |= {"schema": request.schema, "schema_name": request.schema_name}
    if request.tool is not None:
        asked["tool"] = request.tool._asdict()
    if request.json_object:
        asked["json_object"] = True
    answer = ("text", "reasoning", "tool_arguments", "refusal", "finish_reason", "model")
    return {
        **{name: getattr(exchange.key, name) for name in ("step", "seat", "attempt", "n")},
        "request": asked,
        "response": {name: getattr(completion, name) for name in answer},
        "tokens": asdict(completion.usage),
        "cost_usd": completion.cost,
        "latency_seconds": completion.latency,
    }


def _message(message: Message) -> dict[str, Json]:
    if isinstance(message.content, str):
        return {"role": message.role, "content": message.content}
    parts: list[Json] = []
    for part in message.content:
        if isinstance(part, ImagePart):
            data = base64.b64encode(part.data).decode("ascii")
            parts.append({"type": "image", "media_type": part.media_type, "base64": data})
        else:
            parts.append({"type": "text", "text": part.text})
    return {"role": message.role, "content": parts}


def _failure(failure: Mapping[str, Any]) -> dict[str, Json]:
    same = ("step", "seat", "attempt", "n", "error", "status", "seconds")
    return {**{name: failure[name] for name in same}, "at": time_text(failure["at"])}
