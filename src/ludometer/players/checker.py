"""The official of MathQuiz: says which number an answer states, and whether it is the right one."""

from __future__ import annotations

import time
from importlib.util import find_spec
from typing import ClassVar

from ludometer.core import AnyGame, ConfigurationError, Decision, InternalError, Turn
from ludometer.games.mathquiz import Finding, MathQuiz
from ludometer.players._arithmetic import Read, read_number, trivial_reasons
from ludometer.solvers.workers import run_in_worker

__all__ = ["CheckerPlayer"]


class CheckerPlayer:
    """Reads the number that an answer states (see `ludometer.players._stated_number`) and compares it exactly.

    The reading does not depend on the number that is wanted. Texts of models are read in a process that is killed
    when they ask too much of it; such an answer is ``too_hard``, and not right.
    """

    name: ClassVar[str] = "checker"
    official: ClassVar[bool] = True
    description: ClassVar[str] = "MathQuiz: compares answers as exact numbers"

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for every game but MathQuiz, and where sympy is missing."""
        if not isinstance(game, MathQuiz):
            raise ConfigurationError(f"checker judges MathQuiz, not {game.title}")
        if find_spec("sympy") is None:
            raise ConfigurationError("the checker of MathQuiz needs sympy: pip install sympy")

    async def act(self, turn: Turn) -> Decision:
        self.supports(turn.game)
        started = time.monotonic()
        data = turn.observation.data
        target, tries = data["target"], data["answers"] or data["proofs"]
        found = await _read(tries[-1]["text"])
        undone = found.why == "computation" and turn.game.options["computations"] == "refuse"
        right = found.value == str(target) and not undone
        # A question is looked at once, with the first answer to it.
        first = len(data["proofs"]) == 1 and not data["answers"]
        reasons = await _trivial(data["question"], target) if first else ()
        finding = Finding(right, found.value, found.why, tuple(reasons))
        return Decision(finding, text=turn.format(finding), seconds=max(time.monotonic() - started, 1e-6))


async def _read(text: str) -> Read:
    try:
        return await run_in_worker(read_number, text)
    except InternalError:  # its process was ended by what it was given
        return Read("", "too_hard")


async def _trivial(question: str, target: int) -> tuple[str, ...]:
    try:
        return tuple(await run_in_worker(trivial_reasons, question, target))
    except InternalError:
        return ()
