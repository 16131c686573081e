"""Judging a run again from its log alone: no model, no engine, no random player is asked.

Language-model programs (prompt, strategy, parser) run again against the recorded answers; other decisions are taken as
recorded. Requests, what was read in the answers, verdicts, moves, endings, scores and counts must all agree. What only
a provider can know (its answers, times, tokens and cost) is taken as recorded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from ludometer.core import (
    Attempt,
    CallKey,
    Decision,
    Exchange,
    Json,
    LudometerError,
    Player,
    ReplayMismatch,
    Request,
    Role,
    Turn,
)
from ludometer.core.turn import Send
from ludometer.matches import Match, MatchPolicy
from ludometer.players.llm import LlmPlayer
from ludometer.store.database import RunStore
from ludometer.store.records import MatchRow, counts
from ludometer.store.replay import CUT_SHORT, MatchLog, load_log, new_match, recorded_decision
from ludometer.store.types import storable

__all__ = ["Verification", "verify_match", "verify_run"]


@dataclass(slots=True)
class Verification:
    """What was checked, and every disagreement as one sentence.

    Attributes:
        matches, attempts, calls: how many were judged again.
        without_moves: finished matches that were imported without a log.
        open: matches that are not finished; they are not judged. void: those of them that a provider failed.
        verified: ids of the matches in whose logs everything agrees.
        decided: why the open matches are not needed, where the results say so.
        changed_files: a sentence for each file of the user's own code that is not what it was when the run was planned.
            It is no disagreement by itself: what differs is among the problems.
    """

    matches: int = 0
    attempts: int = 0
    calls: int = 0
    without_moves: int = 0
    open: int = 0
    void: int = 0
    verified: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    decided: str | None = None
    changed_files: list[str] = field(default_factory=list)

    @property
    def passed(self) -> bool:
        return not self.problems

    @property
    def not_needed(self) -> int:
        """Matches that were not played, since the run is decided without them."""
        return 0 if self.decided is None else self.open - self.void


class _Recorded:
    """A journal that only answers from the log."""

    def __init__(self, exchanges: Mapping[CallKey, Exchange]) -> None:
        self._exchanges = exchanges
        self.used = 0

    async def exchange(self, key: CallKey, request: Request, fingerprint: str, send: Send) -> Exchange:
        found = self._exchanges.get(key)
        if found is None:
            raise ReplayMismatch(f"step {key.step}, seat {key.seat}: a call would be made that is not in the log")
        if found.fingerprint != fingerprint or found.request.fingerprint({}) != request.fingerprint({}):
            raise ReplayMismatch(f"step {key.step}, seat {key.seat}: the request differs from the recorded one")
        self.used += 1
        return found

    async def attempt(self, match: str, attempt: Attempt, notation: str | None, action: Json) -> None:
        return None


async def verify_run(
    store: RunStore,
    player_of: Callable[[str, Mapping[str, Json]], Player | None],
    policy_of: Callable[[Mapping[str, Json], str, Mapping[str, Json]], MatchPolicy],
    official_of: Callable[[Role], Player | None] = lambda role: None,
) -> Verification:
    """Judges every finished match of a run again.

    Args:
        player_of: entrant and condition to the player, for language models; None for every other player.
        official_of: an official's seat to its player, likewise.
        policy_of: condition, game and the game's options to match policy.
    """
    result = Verification()
    logged = store.logged()
    for row in store.matches():
        if row.status != "finished":
            result.open += 1
            result.void += row.status == "void"
        elif row.attempts is None and row.id not in logged:
            result.without_moves += 1
        else:
            await _verify_row(store, row, player_of, policy_of, official_of, result)
    return result


async def _verify_row(
    store: RunStore,
    row: MatchRow,
    player_of: Callable[[str, Mapping[str, Json]], Player | None],
    policy_of: Callable[[Mapping[str, Json], str, Mapping[str, Json]], MatchPolicy],
    official_of: Callable[[Role], Player | None],
    result: Verification,
) -> None:
    result.matches += 1
    try:
        log = load_log(store, row.id)
        result.attempts += len(log.attempts)
        match = new_match(row, policy_of(row.condition, row.game, row.options))
        players = {seat: player_of(name, row.condition) for seat, name in row.seats.items()}
        for role in match.roles.values():
            if role.kind == "official":
                players[role.official] = official_of(role)
        result.calls += await verify_match(match, row, log, players)
        result.verified.append(row.id)
    except LudometerError as error:
        text = str(error)
        result.problems.append(text if row.id in text else f"match {row.id}: {text}")
    except (KeyError, TypeError, ValueError) as error:
        result.problems.append(f"match {row.id}: its log cannot be read ({type(error).__name__}: {error})")


async def verify_match(match: Match, row: MatchRow, log: MatchLog, players: Mapping[str, Player | None]) -> int:
    """Judges one match again, and returns the number of calls that were compared.

    Args:
        players: language models by contestant's seat and by official.

    Raises:
        ReplayMismatch: something came out differently.
    """
    journal = _Recorded(log.exchanges)
    for recorded in log.attempts:
        seat = recorded["seat"]
        decision = recorded_decision(match, recorded, log.exchanges_of(recorded))
        role = match.roles[seat]
        player = players.get(role.official if role.kind == "official" else role.of or seat)
        turn = next((turn for turn in match.turns() if turn.seat == seat), None)
        if turn is None or (turn.step, turn.attempt) != (recorded["step"], recorded["attempt"]):
            raise ReplayMismatch(f"match {row.id}, step {recorded['step']}: seat {seat} is not to act")
        _compare_notation(turn, decision, recorded)
        if isinstance(player, LlmPlayer):
            await _compare(player, replace(turn, journal=journal), decision, match.policy)
        attempt = match.resubmit(seat, decision)
        if (attempt.verdict.status, attempt.verdict.kind) != (recorded["status"], recorded["kind"]):
            raise ReplayMismatch(
                f"match {row.id}, step {recorded['step']}, seat {seat}: recorded as {recorded['kind']}, "
                f"judged now as {attempt.verdict.kind}"
            )
    _compare_result(match, row)
    return journal.used


def _compare_notation(turn: Turn, decision: Decision, recorded: Mapping[str, Any]) -> None:
    if decision.action is not None and recorded["notation"] != storable(turn.format(decision.action)):
        raise ReplayMismatch(
            f"step {turn.step}, seat {turn.seat}: the move is written {recorded['notation']} and is "
            f"{turn.format(decision.action)}"
        )


async def _compare(player: LlmPlayer, turn: Turn, recorded: Decision, policy: MatchPolicy) -> None:
    """Runs the program again, and compares what it decides with what it decided then."""
    if recorded.fault is not None and recorded.fault.status in CUT_SHORT:
        # The clock or the program's own code decided, which cannot be brought about again.
        if recorded.fault.status == "timeout" and policy.decision_deadline is None:
            raise ReplayMismatch(f"step {turn.step}, seat {turn.seat}: recorded as late, but there is no deadline")
        return
    try:
        again = await player.act(turn)
    except LudometerError:
        raise
    except Exception as error:  # a strategy may be a plug-in
        raise ReplayMismatch(
            f"step {turn.step}, seat {turn.seat}: the program fails now ({type(error).__name__}: {error})"
        ) from None
    if _essence(turn, again) != _essence(turn, recorded):
        raise ReplayMismatch(
            f"step {turn.step}, seat {turn.seat}: the recorded answer is read as {_essence(turn, again)} now, "
            f"and was read as {_essence(turn, recorded)} then"
        )
    texts = (storable(again.text), storable(again.rationale))
    if texts != (recorded.text, recorded.rationale) or not _same_time(again, recorded):
        raise ReplayMismatch(f"step {turn.step}, seat {turn.seat}: the attempt is not what its answers say")


def _same_time(again: Decision, recorded: Decision) -> bool:
    # Where no latency was recorded the referee's own clock was taken instead.
    return not again.seconds or math.isclose(again.seconds, recorded.seconds)


def _essence(turn: Turn, decision: Decision) -> tuple[Any, ...]:
    if decision.fault is not None:
        return (decision.fault.status, decision.fault.kind)
    if decision.resign or decision.draw == "accept":
        return ("resign",) if decision.resign else ("draw accepted",)
    return ("action", turn.format(decision.action), decision.draw)


def _compare_result(match: Match, row: MatchRow) -> None:
    ending = match.ending
    if ending is None:
        raise ReplayMismatch(f"match {row.id}: recorded as {row.ending}, but its log ends in the middle")
    now = (ending.kind, storable(ending.why), ending.offender, match.scores())
    then = (row.ending, row.why, row.offender, row.scores)
    if now != then:
        raise ReplayMismatch(f"match {row.id}: recorded as {then}, comes out as {now} now")
    payoffs = None if match.outcome is None else match.outcome.payoffs
    result = {**counts(match), "payoffs": None if payoffs is None else dict(payoffs)}
    for column, value in {**result, "notation": storable(result["notation"])}.items():
        if getattr(row, column) != value:
            raise ReplayMismatch(f"match {row.id}: {column} is recorded as {getattr(row, column)!r}, and is {value!r}")
