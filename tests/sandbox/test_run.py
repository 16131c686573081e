"""The public call: what a program is given, and what the host says of how it ended."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer import sandbox
from ludometer.core import ConfigurationError, InternalError
from ludometer.sandbox import Limits, Program, Run, escaped

Runner = Callable[..., Run]


def test_a_program_sees_its_parts_and_its_input(run: Runner) -> None:
    source = "import sys\nprint(PARTS['a'] + PARTS['ü'], input(), repr(sys.stdin.read()), sys.argv, __name__)"
    done = run(source, parts={"a": "1", "ü": "☃"}, stdin="line\nrest\n")
    assert (done.status, done.exit_code, done.truncated) == ("ok", 0, False)
    assert done.output == "1☃ line 'rest\\n' [''] __main__\n"


def test_both_streams_are_kept_in_order(run: Runner) -> None:
    done = run("import sys\nprint('a')\nprint('b', file=sys.stderr)\nprint('c', end='')\nimport os\nos._exit(0)")
    assert done.output == "a\nb\nc"


@pytest.mark.parametrize(
    ("source", "status", "code", "said"),
    [
        ("1/0", "error", 1, "ZeroDivisionError: division by zero"),
        ("import sys\nsys.exit(7)", "error", 7, ""),
        ("raise SystemExit('bye')", "error", 1, "bye"),
        ("x = (", "error", 1, "SyntaxError"),
        ("raise MemoryError", "memory", 12, ""),
        ("import site_packages_that_are_not_there", "error", 1, "ModuleNotFoundError"),
        ("import numpy", "error", 1, "ModuleNotFoundError"),
        ("'\\ud800'.encode()", "error", 1, "UnicodeEncodeError"),
        ("print('\\ud800')", "ok", 0, "\\ud800"),
    ],
)
def test_how_it_ended(run: Runner, source: str, status: str, code: int, said: str) -> None:
    done = run(source)
    assert (done.status, done.exit_code) == (status, code)
    assert said in done.output


def test_a_traceback_shows_the_program_alone(run: Runner) -> None:
    lines = run("def f():\n    1/0\nf()").output.splitlines()
    assert [line.strip() for line in lines if line.startswith("  File")] == [
        'File "<program>", line 3, in <module>',
        'File "<program>", line 2, in f',
    ]


def test_limits_are_the_program_s_own(run: Runner) -> None:
    small = Limits(seconds=1.0, memory=256 * 2**20, output=100)
    done = run("print('x' * 101)", limits=small)
    assert (done.status, done.raw, done.truncated) == ("output", b"x" * 100, True)
    assert run("print('x' * 99)", limits=small).status == "ok"
    assert run("while True: pass", limits=small).status == "timeout"
    assert run("x = b'x' * (300 << 20)", limits=small).status == "memory"
    assert run("x = b'x' * (300 << 20)").status == "ok"


def test_an_input_that_nobody_reads_blocks_nobody(run: Runner) -> None:
    assert run("print('done')", stdin="x" * 10**6).output == "done\n"
    assert run("import sys\nprint(len(sys.stdin.read()))", stdin="x" * 10**6).output == "1000000\n"


def test_no_run_sees_another(run: Runner) -> None:
    source = "import builtins\nprint(hasattr(builtins, 'left'))\nbuiltins.left = 1"
    assert [run(source).output for _ in range(4)] == ["False\n"] * 4


def test_many_at_once(name: str) -> None:
    async def all_of_them() -> list[Run]:
        return await asyncio.gather(*(sandbox.run(Program(f"print({i})"), backend=name) for i in range(12)))

    assert [run.output for run in asyncio.run(all_of_them())] == [f"{i}\n" for i in range(12)]


def test_canceling_ends_the_program(name: str) -> None:
    async def canceled() -> float:
        await sandbox.describe(name)
        task = asyncio.create_task(
            sandbox.run(Program("import time\ntime.sleep(99)", limits=Limits(seconds=60.0)), backend=name)
        )
        await asyncio.sleep(0.5)
        started = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return time.monotonic() - started

    assert asyncio.run(canceled()) < 30  # it would sleep on for longer


def test_the_sandbox_is_named(name: str) -> None:
    described = asyncio.run(sandbox.describe(name))
    assert "CPython 3." in described
    version = asyncio.run(sandbox.run(Program("import sys\nprint('%d.%d.%d' % sys.version_info[:3])"), backend=name))
    assert version.output.strip() in described


def test_an_unknown_backend_is_a_mistake_of_the_user() -> None:
    with pytest.raises(ConfigurationError, match="no sandbox 'bubblewrp'; did you mean 'bubblewrap'"):
        asyncio.run(sandbox.run(Program("1"), backend="bubblewrp"))


def test_a_run_goes_to_json_and_back() -> None:
    run = Run("error", -11, b"\xff\x00text", True, 1.5)
    assert Run.from_json(json.loads(json.dumps(run.to_json()))) == run
    assert run.contains("text") and not run.contains("Text")
    for broken in (
        {},
        {**run.to_json(), "raw": 7},
        {**run.to_json(), "status": "solved"},
        {**run.to_json(), "more": 1},
    ):
        with pytest.raises(InternalError, match="no record of a sandbox run"):
            Run.from_json(broken)


def test_output_is_shown_in_part() -> None:
    run = Run("ok", 0, b"x" * 5000, False, 0.1)
    assert run.shown() == "x" * 4095 + "…"
    assert run.shown(5000) == "x" * 5000


@given(st.text(alphabet=st.characters()))
def test_what_is_shown_has_no_power(text: str) -> None:
    shown = escaped(text)
    shown.encode("utf-8")
    assert all(c in "\n\t" or c.isprintable() or c.isspace() for c in shown)
    assert not set(shown) & set("\x1b\x07\x9b\u202e\u2066\u200b\ufeff\u2028\x00\r")
    if text.isascii() and text.isprintable():
        assert shown == text
