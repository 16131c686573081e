"""What ``ludometer doctor`` says of the sandboxes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ludometer import sandbox
from ludometer.sandbox import Finding

Cli = Callable[..., Any]

BROKEN = Finding("first", "escaped", "", failed_test=True)
MISSING = Finding("second", "needs what is not here", "")
WORKING = Finding("third", None, "third 1.0")


@pytest.mark.parametrize("last", ["fourth", "fifth"])
def test_the_first_sandbox_that_works_is_the_one_that_is_used(
    cli: Cli, monkeypatch: pytest.MonkeyPatch, last: str
) -> None:
    """As programs run in it: findings come in the order of preference."""
    monkeypatch.setattr(sandbox, "examine", lambda: [BROKEN, MISSING, WORKING, Finding(last, None, "another")])
    found = {check["what"]: check for check in cli("doctor", "--json").json}
    assert found["sandbox third"]["detail"] == "third 1.0; the self-test held; used where none is named"
    assert found[f"sandbox {last}"]["detail"] == "another; the self-test held; not used unless it is named"
    assert found["sandbox first"]["state"] == "problem" and found["sandbox second"]["state"] == "missing"


def test_where_none_works_none_is_used(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "examine", lambda: [MISSING])
    shown = cli("doctor").out
    assert "needs what is not here" in shown and "used where none is named" not in shown
