"""The official of PyJail: runs jails and payloads, and reports what the host saw."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Final

from ludometer.core import AnyGame, ConfigurationError, Decision, InternalError, Turn
from ludometer.games.pyjail import OUTPUT_LIMIT, Execution, PyJail, Report
from ludometer.players._renaming import renamings
from ludometer.sandbox import SANDBOXES, Run, describe, run_jail, unavailable
from ludometer.solvers.workers import run_in_worker

__all__ = ["SandboxPlayer"]

_AROUND: Final = 40
"""Characters kept on both sides of a flag that stands behind the output's beginning."""
_STOCK_OUTPUT: Final = 400
_STOCK_SECONDS: Final = 15.0
"""A jail that keeps every run waiting is not tried with further stock payloads after this time."""
_READING_SECONDS: Final = 5.0
_SANDBOX_NAME: Final = 200


class SandboxPlayer:
    """Runs what is due, one run after the other, each with the flag that the match's luck gives it.

    The verdict is not the official's: its report has the output in which the flag stands, or the place around it.

    Args:
        backend: the sandbox's name; empty for the best that works here.
    """

    name: ClassVar[str] = "sandbox"
    official: ClassVar[bool] = True
    description: ClassVar[str] = "PyJail: runs jails and payloads where they can do no harm"

    def __init__(self, backend: str = "") -> None:
        self.backend = backend or None

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for every game but PyJail, for a backend that there is not, and where no sandbox
        works."""
        if not isinstance(game, PyJail):
            raise ConfigurationError(f"sandbox runs the programs of PyJail, not of {game.title}")
        if self.backend is not None:
            SANDBOXES.get(self.backend)
        elif (problem := unavailable()) is not None:
            raise ConfigurationError(problem)

    async def act(self, turn: Turn) -> Decision:
        """Raises `SandboxError` where the sandbox fails, which makes the match void; never for what a program does."""
        started = time.monotonic()
        data = turn.observation.data
        made = await self._vetted(data) if data["stage"] == "vetting" else await self._run(data["jail"], data["due"])
        # After the runs: what the interpreter is, the sandbox knows only then.
        report = Report((await describe(self.backend))[:_SANDBOX_NAME], tuple(made))
        words = ", ".join(f"{run.name}: {run.status}" for run in made)
        return Decision(report, text=words, seconds=max(time.monotonic() - started, 1e-6))

    async def _run(self, jail: str, due: Sequence[Mapping[str, Any]], limit: int = OUTPUT_LIMIT) -> list[Execution]:
        return [await self._one(jail, run, limit) for run in due]

    async def _one(self, jail: str, due: Mapping[str, Any], limit: int = OUTPUT_LIMIT) -> Execution:
        run = await run_jail(jail, due["payload"], due["flag"], backend=self.backend)
        output = run.shown(limit)
        found = _around(run, due["flag"]) if due["flag"] not in output and run.contains(due["flag"]) else ""
        return Execution(due["name"], run.status, run.exit_code, output, len(run.raw), run.truncated, found)

    async def _vetted(self, data: Mapping[str, Any]) -> list[Execution]:
        """Stock payloads, then the proof until it fails, then the proof with other names until it works."""
        jail = data["jail"]
        kinds: dict[str, list[Mapping[str, Any]]] = {"stock": [], "proof": [], "renamed": []}
        for due in data["due"]:
            kinds[due["name"].partition(":")[0]].append(due)
        made: list[Execution] = []
        deadline = time.monotonic() + _STOCK_SECONDS
        for due in kinds["stock"]:
            if time.monotonic() < deadline:
                made.append(await self._one(jail, due, _STOCK_OUTPUT))
        for due in kinds["proof"]:
            made.append(await self._one(jail, due))
            if not _out(made[-1], due):
                return made
        for due, payload in zip(kinds["renamed"], await _other_names(data["proof"]), strict=False):
            made.append(await self._one(jail, {**due, "payload": payload}))
            if _out(made[-1], due):
                break
        return made


def _out(run: Execution, due: Mapping[str, Any]) -> bool:
    return due["flag"] in run.output or due["flag"] in run.found


def _around(run: Run, flag: str) -> str:
    """The piece of the output with the flag in it, escaped like the rest."""
    at = run.raw.index(flag.encode("ascii"))
    end = at + len(flag)
    before = run._replace(raw=run.raw[max(at - _AROUND, 0) : at]).shown()
    after = run._replace(raw=run.raw[end : end + _AROUND]).shown()
    return f"{before}{flag}{after}"


async def _other_names(proof: str) -> list[str]:
    """The renamed proofs, read in a process that can be killed: a proof is a stranger's text."""
    try:
        async with asyncio.timeout(_READING_SECONDS):
            return await run_in_worker(renamings, proof)
    except (InternalError, TimeoutError):
        return []
