"""`play`: the one coroutine that drives a match with its players."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import replace
from typing import Any

from ludometer.core import (
    Attempt,
    ConfigurationError,
    Decision,
    Fault,
    Illegal,
    InternalError,
    Journal,
    Json,
    MachineError,
    Player,
    ProviderError,
    SandboxError,
    Seat,
    Suspended,
    Turn,
    Unrecorded,
)
from ludometer.matches.ending import Ending
from ludometer.matches.match import Match
from ludometer.models.redact import redact

__all__ = ["play"]

Observer = Callable[[Match, Attempt], None]


async def play(
    match: Match,
    players: Mapping[Seat, Player],
    journal: Journal | None = None,
    *,
    recorded: Sequence[Attempt] = (),
    on_attempt: Observer | None = None,
) -> Ending:
    """Drives a match to its end and returns the ending.

    Args:
        players: one per seat.
        journal: where calls and attempts are made durable.
        recorded: the attempts of an interrupted match, in order; they are judged again and nobody is asked for them.
        on_attempt: called after every judged attempt, for live views.
    """
    journal = journal or Unrecorded()
    for attempt in recorded:
        match.resubmit(attempt.seat, attempt.decision)
    while turns := match.turns():
        asked = [replace(turn, journal=journal) for turn in turns]
        # Simultaneous seats think together; their decisions are submitted in seat order, never in order of arrival.
        decisions = await _together([_decide(players[turn.seat], turn, match) for turn in asked])
        # A provider's failure ends the match: the other seats' answers are kept first, so that nobody is asked twice.
        pairs = sorted(zip(asked, decisions, strict=True), key=lambda pair: _failed(pair[1]))
        for turn, decision in pairs:
            if match.ending is not None:
                break
            attempt = match.submit(turn.seat, decision)
            if not (_voided(match) and _failed(decision)):
                # A provider's failure is no answer and is not kept: a resume asks again.
                await journal.attempt(match.id, attempt, *_written(turn, decision))
            if on_attempt is not None:
                on_attempt(match, attempt)
    if match.ending is None:
        raise InternalError(f"match {match.id}: nobody is to act, but it has not ended")
    return match.ending


async def _together(deciding: Sequence[Coroutine[Any, Any, Decision]]) -> list[Decision]:
    """All decisions, in the order given. Where one cannot be made at all, the others are not left running."""
    tasks = [asyncio.ensure_future(decision) for decision in deciding]
    try:
        return await asyncio.gather(*tasks)
    except BaseException as error:
        # A run that is to stop asks nobody anything new, and keeps the answers that are on their way.
        for task in () if isinstance(error, Suspended) else tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        raise


def _voided(match: Match) -> bool:
    return match.ending is not None and match.ending.kind == "void"


def _failed(decision: Decision) -> bool:
    return decision.fault is not None and decision.fault.status == "provider_error"


async def _decide(player: Player, turn: Turn, match: Match) -> Decision:
    """Asks a player, and turns whatever goes wrong into a fault of the boundary that is to blame, free of keys."""
    started = time.monotonic()
    deadline = asyncio.timeout(match.policy.decision_deadline)
    try:
        async with deadline:
            decision: object = await player.act(turn)
    except ProviderError as error:
        decision = Decision(fault=Fault("provider_error", redact(str(error))))
    except SandboxError as error:
        decision = Decision(fault=Fault("provider_error", redact(f"sandbox: {error}")))
    except Illegal as error:
        decision = Decision(fault=Fault.of(error))
    except (ConfigurationError, MachineError, InternalError, Suspended):
        raise  # the user, the machine or we are to blame: never the player
    except Exception as error:  # a player is a plug-in: its error is data, and must not take the run with it
        if deadline.expired():
            decision = Decision(fault=Fault("timeout", f"no answer within {match.policy.decision_deadline:g} s"))
        else:
            decision = Decision(fault=Fault("player_error", redact(f"{type(error).__name__}: {error}")))
    else:
        if deadline.expired():  # the player caught its own cancellation and answered all the same
            decision = Decision(fault=Fault("timeout", f"no answer within {match.policy.decision_deadline:g} s"))
    if not isinstance(decision, Decision):
        decision = Decision(fault=Fault("player_error", f"returned {type(decision).__name__}, not a Decision"))
    return decision if decision.seconds else replace(decision, seconds=time.monotonic() - started)


def _written(turn: Turn, decision: Decision) -> tuple[str | None, Json]:
    """The action in the game's notation and as JSON, as the log keeps it."""
    if decision.fault is not None or decision.resign or decision.draw == "accept":
        return None, None
    try:
        return turn.format(decision.action), turn.encode(decision.action)
    except Exception:  # an action that is none of the game's own: the verdict has said so already
        return repr(decision.action)[:200], None
