"""docs/sandbox.md says what the code does."""

from __future__ import annotations

import re
from pathlib import Path

from ludometer.sandbox import EXIT_INVALID_JAIL, EXIT_REFUSED, JAIL_BYTES, PAYLOAD_BYTES, SANDBOXES, Limits
from ludometer.sandbox.program import STATUSES
from ludometer.sandbox.seccomp import ARCHITECTURES
from ludometer.sandbox.selftest import ATTACKS

PAGE = (Path(__file__).parents[2] / "docs" / "sandbox.md").read_text(encoding="utf-8")


def first_cells(header: str) -> list[str]:
    table = PAGE.partition(f"| {header} |")[2].partition("\n\n")[0]
    return re.findall(r"^\| `(\w+)`", table, re.MULTILINE)


def test_tables_are_complete() -> None:
    assert tuple(first_cells("status")) == STATUSES
    assert tuple(first_cells("limit")) == Limits._fields
    own = {name: cls for name, cls in SANDBOXES.all().items() if cls.__module__.startswith("ludometer.sandbox.")}
    assert first_cells("backend") == sorted(own, key=lambda name: own[name].preference)


def test_numbers_are_the_code_s() -> None:
    limits = Limits()
    assert f"| `seconds` | {limits.seconds:g} |" in PAGE
    assert f"| `memory` | {limits.memory >> 20} MB of address space |" in PAGE
    assert f"| `output` | {limits.output >> 10} KB |" in PAGE
    for sentence in (
        f"at most {JAIL_BYTES} bytes",
        f"at most {PAYLOAD_BYTES} bytes",
        f"Exit code {EXIT_INVALID_JAIL} means that the jail cannot be used, {EXIT_REFUSED} that the filter refused",
    ):
        assert sentence in PAGE
    assert len(ATTACKS) == 7
    assert 50 <= min(len(a.calls) for a in ARCHITECTURES.values()) <= 70
