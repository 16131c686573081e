from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ludometer.core import Illegal, InternalError
from ludometer.games.tictactoe import TicTacToe, _whole
from ludometer.solvers.compute import run_killable


def test_the_result_comes_back() -> None:
    assert asyncio.run(run_killable(divmod, 17, 5)) == (3, 2)
    assert asyncio.run(run_killable(bytes, 3_000_000)) == bytes(3_000_000)
    assert asyncio.run(run_killable(TicTacToe, 4, 4)) == TicTacToe(4, 4)


def test_it_runs_in_another_process() -> None:
    assert asyncio.run(run_killable(os.getpid)) != os.getpid()


def test_exceptions_pass_through() -> None:
    with pytest.raises(ZeroDivisionError):
        asyncio.run(run_killable(divmod, 1, 0))
    with pytest.raises(Illegal) as caught:
        asyncio.run(run_killable(_whole, "x", "row"))
    assert caught.value.kind == "invalid_format"


def test_what_is_printed_does_not_mix_with_the_answer() -> None:
    assert asyncio.run(run_killable(print, "hello")) is None
    assert asyncio.run(run_killable(os.write, 1, b"hello")) == 5


def test_a_child_that_dies_is_reported() -> None:
    with pytest.raises(InternalError, match=r"without an answer \(exit code 3\)"):
        asyncio.run(run_killable(os._exit, 3))


def test_an_answer_that_cannot_be_sent_is_reported() -> None:
    with pytest.raises(InternalError, match="cannot be sent back"):
        asyncio.run(run_killable(compile, "1", "x", "eval"))


def test_a_function_of_the_main_program_is_refused() -> None:
    def local() -> None: ...

    local.__module__ = "__main__"
    with pytest.raises(InternalError, match="main program"):
        asyncio.run(run_killable(local))


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def sleeper(file: Path) -> tuple[object, ...]:
    """A call that writes its process id to a file, and then sleeps."""
    return (exec, f"import os, time; open({str(file)!r}, 'w').write(str(os.getpid())); time.sleep(60)")


async def written(file: Path) -> int:
    while not (file.exists() and file.read_text()):
        await asyncio.sleep(0.01)
    return int(file.read_text())


def time_out(call: tuple[object, ...], file: Path) -> None:
    """Lets a call run into its deadline, after it has written its file: later on a machine that is busy."""
    for deadline in (0.5, 2.0, 8.0, 32.0):
        with pytest.raises(TimeoutError):
            asyncio.run(run_killable(*call, deadline=deadline))  # type: ignore[arg-type]
        if file.exists() and file.read_text():
            return
    pytest.fail("the child never got to work")


def test_a_deadline_may_pass_at_any_moment() -> None:
    """While the child is being started, while it reads, while it answers: none is left behind."""

    def children() -> set[str]:
        found = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children")
        return set(found.read_text().split()) if found.exists() else set()

    async def main() -> None:
        for i in range(12):
            with contextlib.suppress(TimeoutError):
                assert await run_killable(divmod, 7, 2, deadline=0.012 * i) == (3, 1)

    before = children()
    asyncio.run(main())
    assert children() <= before


def test_the_child_is_killed_and_reaped_at_the_deadline(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    time_out(sleeper(file), file)
    assert not alive(int(file.read_text()))


def test_the_child_is_killed_when_the_caller_is_canceled(tmp_path: Path) -> None:
    async def main() -> int:
        task = asyncio.create_task(run_killable(*sleeper(tmp_path / "pid")))  # type: ignore[arg-type]
        pid = await written(tmp_path / "pid")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return pid

    assert not alive(asyncio.run(main()))


def test_what_the_child_started_is_killed_too(tmp_path: Path) -> None:
    file, trace = tmp_path / "started", tmp_path / "trace"
    code = (
        f"import subprocess, time; subprocess.Popen(['sh', '-c', 'sleep 6; echo x > {trace}']); "
        f"open({str(file)!r}, 'w').write('yes'); time.sleep(60)"
    )
    time_out((exec, code), file)
    assert not trace.exists()  # asyncio waits for the pipes, so it would be there by now


def test_the_child_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    file = tmp_path / "pid"
    code = (
        "import asyncio; from ludometer.solvers.compute import run_killable; "
        f"asyncio.run(run_killable({', '.join(['exec', repr(sleeper(file)[1])])}))"
    )
    with subprocess.Popen([sys.executable, "-c", code]) as parent:
        pid = asyncio.run(written(file))
        parent.kill()
    for _ in range(500):
        if not alive(pid) or "Z" in Path(f"/proc/{pid}/stat").read_text().split()[2]:
            return
        time.sleep(0.01)
    pytest.fail("the child lives on")


def test_the_event_loop_goes_on_meanwhile() -> None:
    async def main() -> int:
        ticks = 0
        task = asyncio.create_task(run_killable(sum, range(2_000_000)))
        while not task.done():
            await asyncio.sleep(0)
            ticks += 1
        assert await task == 1999999000000
        return ticks

    assert asyncio.run(main()) > 10
