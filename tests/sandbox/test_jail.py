"""PyJail's harness: filter, allowed globals, one payload, and a flag that only standard input holds."""

from __future__ import annotations

import asyncio

import pytest

from ludometer import sandbox
from ludometer.core import InternalError
from ludometer.sandbox import EXIT_INVALID_JAIL, EXIT_PAYLOAD, EXIT_REFUSED, Run

FLAG = "FLAG{0123456789abcdef}"
FILTER = (
    'def check(source):\n    return "import" not in source and "_" not in source\n'
    'ALLOWED = {"__builtins__": {"print": print, "open": open}}\n'
)
CLOSED = "def check(source):\n    return True\n"


@pytest.fixture(autouse=True)
def _works() -> None:
    problem = sandbox.unavailable()
    if problem is not None:
        pytest.skip(problem)


def jailed(jail: str, payload: str) -> Run:
    return asyncio.run(sandbox.run_jail(jail, payload, FLAG))


def test_a_way_out_shows_the_flag() -> None:
    run = jailed(FILTER, "print(open(0).readline())")
    assert run.status == "ok" and run.contains(FLAG)


def test_without_builtins_a_payload_has_to_find_them() -> None:
    assert jailed(CLOSED, "print(1)").exit_code == EXIT_PAYLOAD
    payload = (
        "for c in ().__class__.__base__.__subclasses__():\n"
        "    if c.__name__ == '_wrap_close':\n"
        "        g = c.__init__.__globals__\n"
        "        g['write'](1, g['read'](0, 99))\n"
    )
    assert jailed(CLOSED, payload).raw == f"{FLAG}\n".encode()


@pytest.mark.parametrize(
    ("jail", "payload", "code", "said"),
    [
        (FILTER, "import os", EXIT_REFUSED, "the filter refused the payload"),
        ("def check(s):\n    return 1", "1", EXIT_REFUSED, "the filter refused the payload"),
        ("def check(s):\n    1/0", "1", EXIT_REFUSED, "the filter raised ZeroDivisionError"),
        ("def check(s):\n    raise SystemExit", "1", EXIT_REFUSED, "the filter raised SystemExit"),
        ("", "1", EXIT_INVALID_JAIL, "defines no function check"),
        ("check = 7", "1", EXIT_INVALID_JAIL, "defines no function check"),
        ("def", "1", EXIT_INVALID_JAIL, "SyntaxError"),
        ("raise KeyError('check')", "1", EXIT_INVALID_JAIL, "KeyError"),
        ("import sys\nsys.exit(0)", "1", EXIT_INVALID_JAIL, "SystemExit"),
        (CLOSED + "ALLOWED = 7", "1", EXIT_INVALID_JAIL, "TypeError"),
        (CLOSED, "1/0", EXIT_PAYLOAD, "ZeroDivisionError"),
        (CLOSED, "(", EXIT_PAYLOAD, "SyntaxError"),
        ("#" * 8193, "1", EXIT_INVALID_JAIL, "8193 bytes, more than 8192"),
        (CLOSED, "#" + "ü" * 2048, EXIT_REFUSED, "4097 bytes, more than 4096"),
    ],
)
def test_every_other_end_is_said(jail: str, payload: str, code: int, said: str) -> None:
    run = jailed(jail, payload)
    assert (run.status, run.exit_code) == ("error", code)
    assert said in run.output and not run.contains(FLAG)


def test_texts_of_the_whole_length_are_run() -> None:
    jail = CLOSED + "#" * (sandbox.JAIL_BYTES - len(CLOSED))
    assert jailed(jail, "1" + " " * (sandbox.PAYLOAD_BYTES - 1)).status == "ok"


def test_allowed_globals_are_copied_and_given() -> None:
    jail = "def check(s):\n    return True\ndef say(x):\n    print('said', x)\nALLOWED = {'say': say}"
    assert jailed(jail, "say(len) if 0 else say(7)").output == "said 7\n"


@pytest.mark.parametrize("flag", ["short", "has a space in it", "has\na line", "ü" * 10, "x" * 201])
def test_a_flag_that_is_none_is_our_mistake(flag: str) -> None:
    with pytest.raises(InternalError, match="a flag is"):
        asyncio.run(sandbox.run_jail(CLOSED, "1", flag))
