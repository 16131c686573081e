"""The state of PyJail: what was written, what the sandbox reported, and what follows from both.

Whether a run got out is never stated: it follows from the flag, which the state's luck gives, and from the output that
was logged.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Final, Literal, NamedTuple, TypeAlias

from ludometer.core import Chance

__all__ = [
    "FLAG",
    "PROOFS",
    "RENAMINGS",
    "Attack",
    "Attempt",
    "Defence",
    "Due",
    "Execution",
    "Jailed",
    "Report",
    "Stage",
    "broken",
    "due",
    "fallen",
    "flag_of",
    "proven",
    "solved",
    "stage_of",
    "stock_payloads",
    "works_again",
]

FLAG: Final = re.compile(r"flag\{[0-9a-f]{32}\}")
PROOFS: Final = 3
"""Runs of the proof, each with a flag of its own, that must all get out."""
RENAMINGS: Final = 3
"""Renamed proofs that are tried at most; it is enough if one of them still gets out."""

Stage: TypeAlias = Literal["writing", "vetting", "attack", "running", "last_word", "again", "over"]


class Defence(NamedTuple):
    """What the defender hands in: the jail and a payload that gets out of it."""

    jail: str
    proof: str


class Attack(NamedTuple):
    """What the attacker hands in.

    Attributes:
        payload: to be run in the jail; empty where only a flag is stated.
        flag: the flag of the run before, where the attacker has found it out; else empty.
    """

    payload: str = ""
    flag: str = ""


class Execution(NamedTuple):
    """One run, as the sandbox's official reports it.

    Attributes:
        name: which run it is: ``stock:open``, ``proof:1``, ``renamed:1``, ``attempt:2``, ``again:1``.
        status: as the host saw it (see `ludometer.sandbox`).
        exit_code: None where the host ended it. Programs choose their own: it decides nothing.
        output: the beginning of the output, escaped.
        size: bytes of output in all; truncated: whether the run was ended because of them.
        found: where the flag's bytes are in the output, a piece of it around them.
    """

    name: str
    status: str
    exit_code: int | None
    output: str
    size: int
    truncated: bool = False
    found: str = ""


class Report(NamedTuple):
    """The official's action: in which sandbox, and what came of each run."""

    sandbox: str
    runs: tuple[Execution, ...]


class Attempt(NamedTuple):
    """An attack with what came of it (None: not run, or not yet)."""

    attack: Attack
    report: Report | None = None


class Jailed(NamedTuple):
    """The state.

    Attributes:
        luck: of the match; every run's flag derives from it by the run's name.
        vetting: the runs of stock payloads, proof and renamed proofs.
        last_word: the flag stated after the last attempt, empty for none; None: not asked yet.
        again: the run of the proof after the attack.
    """

    luck: Chance
    defence: Defence | None = None
    vetting: Report | None = None
    attempts: tuple[Attempt, ...] = ()
    last_word: str | None = None
    again: Report | None = None


class Due(NamedTuple):
    """A run that the official is to make. ``payload`` is None for a renamed proof, which the official writes."""

    name: str
    payload: str | None
    flag: str


@cache
def stock_payloads() -> Mapping[str, str]:
    """The payloads that every jail is tried with first, by name."""
    text = (resources.files("ludometer") / "data" / "pyjail_payloads.toml").read_text(encoding="utf-8")
    return {name: entry["source"].strip() for name, entry in tomllib.loads(text).items()}


def flag_of(state: Jailed, name: str) -> str:
    """The flag of a run."""
    high, rest = state.luck.named("flag", name).bits()
    low, _ = rest.bits()
    return f"flag{{{high:016x}{low:016x}}}"


def solved(state: Jailed, run: Execution) -> bool:
    """Whether a run got out: its flag stands in what was logged of its output."""
    flag = flag_of(state, run.name)
    return flag in run.output or flag in run.found


def fallen(state: Jailed) -> tuple[str, ...]:
    """Names of the stock payloads that got out of the jail."""
    runs = state.vetting.runs if state.vetting else ()
    return tuple(run.name.partition(":")[2] for run in runs if run.name.startswith("stock:") and solved(state, run))


def proven(state: Jailed) -> bool:
    """Whether the proof got out every time before the attack."""
    runs = state.vetting.runs if state.vetting else ()
    return sum(run.name.startswith("proof:") and solved(state, run) for run in runs) == PROOFS


def broken(state: Jailed) -> int | None:
    """The number of the attempt in which the attacker got out, from 1; None: it did not."""
    for number, attempt in enumerate(state.attempts, start=1):
        if attempt.report is not None and any(solved(state, run) for run in attempt.report.runs):
            return number
        stated = state.attempts[number].attack.flag if number < len(state.attempts) else state.last_word
        if attempt.attack.payload and stated and stated == flag_of(state, f"attempt:{number}"):
            return number
    return None


def works_again(state: Jailed) -> bool | None:
    """Whether the proof still got out after the attack; None: it was not run again."""
    return None if state.again is None else any(solved(state, run) for run in state.again.runs)


def stage_of(state: Jailed, attacks: int) -> Stage:
    """What is to be done next, where the attacker has ``attacks`` attempts."""
    if state.defence is None:
        return "writing"
    if state.vetting is None:
        return "vetting"
    if fallen(state) or not proven(state) or broken(state) is not None:
        return "over"
    last = state.attempts[-1] if state.attempts else None
    if last is not None and last.report is None and last.attack.payload:
        return "running"
    if len(state.attempts) < attacks:
        return "attack"
    if state.last_word is None and last is not None and last.attack.payload:
        return "last_word"
    return "again" if state.again is None else "over"


def due(state: Jailed, stage: Stage) -> tuple[Due, ...]:
    """The runs that the official is to make now."""
    if state.defence is None:
        return ()
    proof = state.defence.proof
    payloads: dict[str, str | None] = {}
    if stage == "vetting":
        payloads |= {f"stock:{name}": source for name, source in stock_payloads().items()}
        payloads |= {f"proof:{number}": proof for number in range(1, PROOFS + 1)}
        payloads |= {f"renamed:{number}": None for number in range(1, RENAMINGS + 1)}
    elif stage == "running":
        payloads = {f"attempt:{len(state.attempts)}": state.attempts[-1].attack.payload}
    elif stage == "again":
        payloads = {"again:1": proof}
    return tuple(Due(name, payload, flag_of(state, name)) for name, payload in payloads.items())
