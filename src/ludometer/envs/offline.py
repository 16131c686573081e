"""Recorded matches as data to learn from: supervised examples, preference pairs, whole trajectories.

Only matches whose log verifies are used: each is judged again from its log before a line of it is written (see
`ludometer.store.verify`). Columns are described in docs/exports.md, and are the same in JSON Lines and Parquet.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, NamedTuple, TypeAlias

from ludometer.analysis.quality import move_quality
from ludometer.core import AnyGame, ConfigurationError, Exchange, Json, Role, Seat, make_game
from ludometer.store import RunStore
from ludometer.store.records import MatchRow
from ludometer.store.replay import MatchLog, load_log
from ludometer.store.verify import Verification
from ludometer.tournaments import load_config, verify
from ludometer.tournaments.schedule import departures

__all__ = [
    "DatasetFormat",
    "LeftOut",
    "Sample",
    "preference_rows",
    "samples",
    "sft_rows",
    "trajectory_rows",
    "verified",
]

DatasetFormat: TypeAlias = Literal["sft", "dpo", "trajectories"]

Place: TypeAlias = tuple[str, int, str, int]
"""Match, step, seat, attempt."""

_REJECTED = frozenset({"illegal", "invalid_format", "ambiguous"})
"""Verdicts on what an answer says. An answer that is empty, cut off or late says nothing that could be unlearned."""


@dataclass(slots=True)
class LeftOut:
    """What is not in the data, and why.

    Attributes:
        not_verified: finished matches whose log does not agree with itself.
        open, without_moves: matches that are not finished, or were imported without a log.
        with_pictures: answers to prompts with pictures, which are no text.
        without_calls: decisions of players that ask no model; trajectories have them, without messages.
        not_one_answer: decisions of models that are none of their recorded answers.
    """

    not_verified: int = 0
    open: int = 0
    without_moves: int = 0
    with_pictures: int = 0
    without_calls: int = 0
    not_one_answer: int = 0
    problems: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Json]:
        return asdict(self)


class Value(NamedTuple):
    """What an analyzed move gave away, from `ludometer.analysis.move_quality`."""

    regret: float
    optimal: bool
    evaluator: str


class Sample(NamedTuple):
    """One attempt of a contestant.

    Attributes:
        row: the match.
        attempt: the row of the ``attempts`` table.
        player: the entrant.
        call: the call whose answer is the decision; None where no single one is.
        calls: how many calls there were.
        messages: what that call was asked, as text; empty without one, or with pictures in it.
        value: what the move was worth, where the run was analyzed.
        score: the seat's score of the match; None where there is none.
    """

    row: MatchRow
    attempt: Mapping[str, Any]
    player: str
    call: Exchange | None
    calls: int
    messages: list[dict[str, str]]
    value: Value | None
    score: float | None

    @property
    def legal(self) -> bool:
        return bool(self.attempt["status"] == "legal")

    @property
    def answer(self) -> str:
        return str(self.attempt["text"])


async def verified(store: RunStore) -> tuple[set[str], LeftOut]:
    """The ids of the matches whose log verifies, and what is left out.

    Raises:
        ConfigurationError: the matches are not those of the run's schedule.
    """
    result: Verification = await verify(store.address)
    if store.imported("source") is None and departures(load_config(store.config), list(store.matches())):
        raise ConfigurationError(
            "the matches of this run are not those of its schedule, so none is exported; "
            "ludometer verify says where they differ"
        )
    left = LeftOut(
        not_verified=result.matches - len(result.verified),
        open=result.open,
        without_moves=result.without_moves,
        problems=list(result.problems),
    )
    return set(result.verified), left


def samples(store: RunStore, ids: set[str], left: LeftOut) -> Iterator[list[Sample]]:
    """The attempts of all contestants, one list a match, in schedule order."""
    values = _values(store)
    for row in store.matches(status=["finished"]):
        if row.id in ids:
            log, roles = load_log(store, row.id), _roles(row)
            attempts = [a for a in log.attempts if roles[a["seat"]].kind == "contestant"]
            yield [_sample(row, attempt, log, roles, values, left) for attempt in attempts]


def _values(store: RunStore) -> dict[Place, Value]:
    frame = move_quality(store)
    columns = ["match", "step", "seat", "attempt", "regret", "optimal", "evaluator"]
    return {
        (match, int(step), seat, int(attempt)): Value(float(regret), bool(optimal), str(evaluator))
        for match, step, seat, attempt, regret, optimal, evaluator in frame[columns].itertuples(index=False)
    }


def _roles(row: MatchRow) -> dict[Seat, Role]:
    game: AnyGame = make_game(row.game, row.options)
    roles = {role.name: role for role in game.roles(len(row.seats))}
    return {"adjudicator": Role("adjudicator", kind="official"), **roles}


def _sample(
    row: MatchRow,
    attempt: Mapping[str, Any],
    log: MatchLog,
    roles: Mapping[Seat, Role],
    values: Mapping[Place, Value],
    left: LeftOut,
) -> Sample:
    holder = roles[attempt["seat"]].of or attempt["seat"]
    exchanges = log.exchanges_of(attempt)
    call = _deciding(exchanges, attempt["text"])
    messages = None if call is None else _texts(call)
    if not exchanges:
        left.without_calls += 1
    elif call is None:
        left.not_one_answer += 1
    elif messages is None:
        left.with_pictures += 1
    place = (row.id, attempt["step"], attempt["seat"], attempt["attempt"])
    score = None if row.scores is None else row.scores.get(holder)
    player = row.seats[holder]
    return Sample(row, attempt, player, call, len(exchanges), messages or [], values.get(place), score)


def _deciding(exchanges: Sequence[Exchange], text: str) -> Exchange | None:
    """The last call whose answer is the one that was read. What came before it (a thought, other votes) is in its
    messages or was not decisive."""
    for exchange in reversed(exchanges):
        if text and text in (exchange.completion.tool_arguments, exchange.completion.text):
            return exchange
    return None


def _texts(call: Exchange) -> list[dict[str, str]] | None:
    """The messages of a call; None where there is a picture among them."""
    if any(not isinstance(message.content, str) for message in call.request.messages):
        return None
    return [{"role": message.role, "content": message.text} for message in call.request.messages]


# ------------------------------------------------------------------------ rows


def sft_rows(matches: Iterator[list[Sample]]) -> Iterator[dict[str, Json]]:
    """One row per legal move that a single text answer made: the chat with the answer as its last message."""
    for sample in (sample for match in matches for sample in match):
        if sample.legal and sample.messages:
            yield {
                "messages": [*sample.messages, {"role": "assistant", "content": sample.answer}],
                "reasoning": sample.call.completion.reasoning if sample.call else None,
                **_about(sample),
                "move": sample.attempt["notation"],
                **_worth(sample),
                "score": sample.score,
            }


def trajectory_rows(matches: Iterator[list[Sample]]) -> Iterator[dict[str, Json]]:
    """One row per match and contestant's seat, with all its attempts in order."""
    for match in matches:
        for seat in dict.fromkeys(sample.attempt["seat"] for sample in match):
            own = [sample for sample in match if sample.attempt["seat"] == seat]
            row, first = own[0].row, own[0]
            payoffs = row.payoffs or {}
            yield {
                **{name: getattr(row, name) for name in ("number", "group", "ending", "why")},
                **{name: _about(first)[name] for name in ("match", "game", "options", "condition", "seat", "player")},
                "score": first.score,
                "payoff": payoffs.get(seat),
                "turns": [_turn(sample, sample is own[-1]) for sample in own],
            }


def _turn(sample: Sample, last: bool) -> dict[str, Json]:
    attempt = sample.attempt
    return {
        "step": attempt["step"],
        "attempt": attempt["attempt"],
        "legal": sample.legal,
        **{name: attempt[name] for name in ("status", "kind", "reason")},
        "move": attempt["notation"],
        "messages": sample.messages,
        "answer": sample.answer,
        "reasoning": sample.call.completion.reasoning if sample.call else None,
        "calls": sample.calls,
        "reward": None if sample.score is None else sample.score if last else 0.0,
        **_worth(sample),
    }


def _about(sample: Sample) -> dict[str, Json]:
    row, attempt = sample.row, sample.attempt
    return {
        "match": row.id,
        "game": row.game,
        "options": json.dumps(row.options, sort_keys=True),
        "condition": json.dumps(row.condition, sort_keys=True),
        "seat": attempt["seat"],
        "player": sample.player,
        "step": attempt["step"],
        "attempt": attempt["attempt"],
    }


def _worth(sample: Sample) -> dict[str, Json]:
    value = sample.value
    if value is None:
        return dict.fromkeys(Value._fields)
    return value._asdict()


# ----------------------------------------------------------------- preferences


@dataclass(slots=True)
class _Asked:
    """A prompt with everything that was answered to it, each text once."""

    answers: dict[str, Sample] = field(default_factory=dict)
    disputed: set[str] = field(default_factory=set)
    later: dict[str, Sample] = field(default_factory=dict)

    def add(self, sample: Sample, accepted: Sample | None) -> None:
        known = self.answers.setdefault(sample.answer, sample)
        if _contradict(known, sample):
            self.disputed.add(sample.answer)  # the same words at positions that the prompt does not tell apart
        if known.value is None and sample.value is not None:
            self.answers[sample.answer] = sample
        if accepted is not None and not sample.legal:
            self.later.setdefault(sample.answer, accepted)


def _contradict(one: Sample, other: Sample) -> bool:
    if one.attempt["kind"] != other.attempt["kind"]:
        return True
    return one.value is not None and other.value is not None and one.value.optimal != other.value.optimal


def preference_rows(matches: Iterator[list[Sample]]) -> Iterator[dict[str, Json]]:
    """Pairs of a better and a worse answer to one prompt; at most one pair for every worse answer.

    ``legality``: a legal answer against one that was refused for what it says. ``regret``: an optimal move against one
    that gave something away, as far as the analysis tells them apart. ``retry``: where nobody gave a legal answer to
    that very prompt, the answer accepted later in the same turn, which was given to a prompt with more in it
    (``same_prompt`` is false).

    Memory grows with the number of different prompts and answers.
    """
    prompts: dict[str, _Asked] = {}
    for match in matches:
        accepted = {_turn_of(sample): sample for sample in match if sample.legal and sample.messages}
        for sample in match:
            if sample.call is not None and sample.messages and (sample.legal or _refused(sample)):
                key = sample.call.request.fingerprint({})
                prompts.setdefault(key, _Asked()).add(sample, accepted.get(_turn_of(sample)))
    for asked in prompts.values():
        yield from _pairs(asked)


def _turn_of(sample: Sample) -> tuple[int, str]:
    return sample.attempt["step"], sample.attempt["seat"]


def _refused(sample: Sample) -> bool:
    return sample.attempt["status"] in _REJECTED


def _pairs(asked: _Asked) -> Iterator[dict[str, Json]]:
    answers = [sample for text, sample in asked.answers.items() if text not in asked.disputed]
    legal = sorted((sample for sample in answers if sample.legal), key=_quality)
    best = legal[0] if legal else None
    for sample in answers:
        if not sample.legal and best is not None:
            yield _pair("legality", best, sample)
        elif not sample.legal and (later := asked.later.get(sample.answer)) is not None:
            yield _pair("retry", later, sample)
        elif sample.value is not None and not sample.value.optimal and best is not None and _optimal(best):
            yield _pair("regret", best, sample)


def _optimal(sample: Sample) -> bool:
    return sample.value is not None and sample.value.optimal


def _quality(sample: Sample) -> tuple[bool, float]:
    """Optimal moves first, then by regret, moves without a value last. Sorting keeps the order of play among equals."""
    return not _optimal(sample), float("inf") if sample.value is None else sample.value.regret


def _pair(kind: str, chosen: Sample, rejected: Sample) -> dict[str, Json]:
    about = {name: _about(rejected)[name] for name in ("game", "options", "condition")}
    row: dict[str, Json] = {
        "prompt": rejected.messages,
        "chosen": [{"role": "assistant", "content": chosen.answer}],
        "rejected": [{"role": "assistant", "content": rejected.answer}],
        "kind": kind,
        "same_prompt": kind != "retry",
        **about,
    }
    for name, sample in (("chosen", chosen), ("rejected", rejected)):
        own = {**_about(sample), "move": sample.attempt["notation"], "verdict": sample.attempt["kind"]}
        own |= {"regret": _worth(sample)["regret"], "evaluator": _worth(sample)["evaluator"], "score": sample.score}
        names = ("match", "player", "seat", "step", "attempt", "move", "verdict", "regret", "evaluator", "score")
        row |= {f"{name}_{column}": own[column] for column in names}
    return row
