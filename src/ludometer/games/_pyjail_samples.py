"""Jails with their proofs, payloads and reports for random play. The jails work; the reports are made up."""

from __future__ import annotations

from typing import Final

from ludometer.core import Chance
from ludometer.games._pyjail_state import Attack, Defence, Due, Execution, Report, Stage, stock_payloads

__all__ = ["EXAMPLE", "sample_attack", "sample_defence", "sample_report"]

EXAMPLE: Final = Defence(
    'def check(source):\n    return "import" not in source\n\n\n'
    'ALLOWED = {"__builtins__": {"print": print, "open": open}}',
    "print(open(0).readline())",
)
"""Stands in prompts: it shows the form, and is lost to the first stock payload."""

_BLIND: Final = Defence(
    "import io\n\n\ndef check(source):\n    return len(source) < 80 and not any(c in source for c in '_\\\\[{')\n\n\n"
    'ALLOWED = {"__builtins__": {"map": map, "max": max}, "Reader": io.FileIO, "Writer": io.FileIO}',
    "reader = Reader(0)\nwriter = Writer(1, 'w')\nwriter.write(reader.read(99))",
)
_MUTE: Final = Defence(
    "import sys\n\n\nclass Cell:\n    def __enter__(self):\n        return sys.stdin\n\n"
    "    def __exit__(self, kind, error, trace):\n        sys.stdout.write(str(kind))\n        return True\n\n"
    "    def __setattr__(self, name, value):\n        sys.stdout.write(value)\n\n\n"
    "def check(source):\n    return source.isascii() and not any(c in source for c in '()[]{}_\\\\')\n\n\n"
    'ALLOWED = {"cell": Cell()}',
    "with cell as inside:\n    for line in inside:\n        cell.word = line",
)

_DEFENCES: Final = (EXAMPLE, _BLIND, _MUTE)
_REFUSED: Final = "the filter refused the payload\n"


def sample_defence(chance: Chance) -> Defence:
    return chance.choice(_DEFENCES)[0]


def sample_attack(chance: Chance, stage: Stage, first: bool) -> Attack:
    high, low = (chance.named("flag", i).bits()[0] for i in range(2))
    guess = f"flag{{{high:016x}{low:016x}}}" if chance.named("guess").below(3)[0] == 0 and not first else ""
    if stage == "last_word":
        return Attack(flag=guess)
    known = (*stock_payloads().values(), *(defence.proof for defence in _DEFENCES))
    return Attack(chance.named("payload").choice(known)[0], guess)


def sample_report(chance: Chance, stage: Stage, due: tuple[Due, ...]) -> Report:
    """As a jail might do: one in ten falls to a stock payload, few proofs fail, an attempt in five gets out."""
    fallen = chance.named("fallen").below(10)[0] == 0
    first = chance.named("which").choice(due)[0].name
    runs = []
    for name, _, flag in due:
        kind = name.partition(":")[0]
        luck = chance.named("run", name).below(20)[0]
        out = {"stock": fallen and name == first, "attempt": luck < 4}.get(kind, luck < 19)
        code, output = (0, f"{flag}\n") if out else (82, _REFUSED)
        runs.append(Execution(name, "error" if code else "ok", code, output, len(output)))
        if stage == "vetting" and kind == "proof" and not out:
            break
    return Report("a sandbox of random play", tuple(runs))
