"""The escape suite: every probe run through the public call, judged by what it printed and what the arena saw.

``python escape_suite.py --backend NAME [--quick | --control | --only N,N]`` prints one JSON object: for every probe the
empty string where the sandbox held, else what went wrong. It is a program of its own because the arena's user,
variables, open files and listeners are part of the test, and because each run of it looks for its own tag among the
processes.

``--control`` runs the probes that must succeed outside a sandbox as plain processes of an unprivileged user, and says
for each what it achieved; nothing achieved means that the probe proves nothing.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import resource
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from jail_probes import ENDS, FIND_FLAG, JAILS, MARKERS, MONKEYS, OPEN_JAIL, SCREAM  # noqa: E402
from probes import PRELUDE, PROBES, Probe  # noqa: E402

import ludometer  # noqa: E402
from ludometer import sandbox  # noqa: E402

WATCHED = ("/tmp", "/var/tmp", "/dev/shm", "/")
MARGIN = 3.0
TRIES = 3


class Arena:
    """The host of the suite: a secret, listeners, a signal counter, and a look at processes and folders."""

    def __init__(self, tag: str) -> None:
        self.tag = tag
        self.secret = f"SECRET-{secrets.token_hex(16)}"
        self.mark = f"mark-{secrets.token_hex(6)}"
        self.home = Path(tempfile.mkdtemp(prefix="home-"))
        (self.home / "secret.txt").write_text(self.secret)
        os.environ.update(HOME=str(self.home), HOST_API_KEY=self.secret)
        self.inherited = os.open(self.home / "secret.txt", os.O_RDONLY)
        os.set_inheritable(self.inherited, True)
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.abstract_name = f"ludometer-{self.mark}"
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind("\0" + self.abstract_name)
        self.abstract.listen()
        for listener in (self.tcp, self.udp, self.abstract):
            listener.setblocking(False)
        self.signals = 0
        signal.signal(signal.SIGUSR1, self._signaled)

    def _signaled(self, *_: object) -> None:
        self.signals += 1

    def parts(self) -> dict[str, str]:
        source = Path(ludometer.__file__).parent
        return {
            "secret": self.secret,
            "mark": self.mark,
            "home": str(self.home),
            "project": str(HERE.parents[1]),
            "source": str(source),
            "library": str(Path(os.__file__).parent),
            "arena": str(os.getpid()),
            "tcp": str(self.tcp.getsockname()[1]),
            "udp": str(self.udp.getsockname()[1]),
            "abstract": self.abstract_name,
        }

    def seen(self) -> list[str]:
        """What happened to the host since it was last asked."""
        found = []
        for name, receive in (("tcp", self.tcp.accept), ("unix", self.abstract.accept), ("udp", self._datagram)):
            with contextlib.suppress(BlockingIOError):
                while True:
                    receive()
                    found.append(f"{name} was reached")
        if self.signals:
            found.append(f"{self.signals} signals arrived")
        self.signals = 0
        for folder in (*WATCHED, str(self.home), str(HERE.parents[1])):
            with contextlib.suppress(OSError):
                for name in os.listdir(folder):  # noqa: PTH208
                    if self.mark in name:
                        found.append(f"{folder}/{name} was made")
                        with contextlib.suppress(OSError):
                            Path(folder, name).unlink()
        return found

    def _datagram(self) -> None:
        self.udp.recv(100)

    def survivors(self, seconds: float) -> list[int]:
        """Processes that carry the tag, after waiting at most so long for them to go."""
        deadline = time.monotonic() + seconds
        while (found := list(self._tagged())) and time.monotonic() < deadline:
            time.sleep(0.05)
        return found

    def _tagged(self) -> Iterator[int]:
        for entry in Path("/proc").iterdir():
            if entry.name.isdigit() and int(entry.name) != os.getpid():
                with contextlib.suppress(OSError):
                    arguments = (entry / "cmdline").read_bytes().split(b"\0")
                    if self.tag.encode() in arguments:
                        yield int(entry.name)

    def close(self) -> None:
        for listener in (self.tcp, self.udp, self.abstract):
            listener.close()
        os.close(self.inherited)
        shutil.rmtree(self.home)


def judged(probe: Probe, run: sandbox.Run) -> str:
    """What the probe achieved by its own word, or that it never tried; empty where it was held off."""
    text = run.output
    if "PWN" in text:
        return text.strip()[-500:]
    if run.status == "ok" and "EXERCISED" in text:
        return ""
    if probe.ends and run.status in probe.ends and ("ATTACKED" in text or run.status == "output"):
        return ""
    if probe.ends and "EXERCISED: there is no such thing" in text:
        return ""
    return f"not exercised: {run.status} {run.exit_code} {text.strip()[-300:]}"


class Suite:
    def __init__(self, arena: Arena, backend: sandbox.Backend) -> None:
        self.arena = arena
        self.backend = backend

    async def probe(self, probe: Probe) -> str:
        parts = {**self.arena.parts()}
        for _ in range(2 if probe.again else 1):
            run = await self.timed(lambda: self.run(sandbox.Program(PRELUDE + probe.source, parts)))
        if len(run.raw) > sandbox.Limits().output:
            return "more output was kept than allowed"
        return judged(probe, run)

    async def run(self, program: sandbox.Program) -> sandbox.Run:
        return await sandbox.run(program, backend=self.backend)

    async def jail(self, jail: str, payload: str, flag: str) -> sandbox.Run:
        return await self.timed(lambda: sandbox.run_jail(jail, payload, flag, backend=self.backend))

    async def timed(self, call: Callable[[], Any]) -> sandbox.Run:
        """The call, held to the suite's own limit, with the host's memory watched."""
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        # A call that is late every time is late; one that was late once may have met a machine without time.
        for _ in range(TRIES):
            started = time.monotonic()
            run: sandbox.Run = await call()
            seconds = time.monotonic() - started
            if seconds <= sandbox.Limits().seconds + MARGIN:
                break
        assert seconds <= sandbox.Limits().seconds + MARGIN, f"the call took {seconds:.1f} s, {TRIES} times"
        if run.status == "output":
            assert seconds < sandbox.Limits().seconds, "it was not ended promptly"
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        assert grown < 64 * 1024, f"the host grew by {grown} KB"
        return run

    async def checked(self, case: Callable[[], Any]) -> str:
        """One case, and afterwards the state of the host: nothing seen, nobody left, still usable."""
        free = shutil.disk_usage(self.arena.home).free
        try:
            problem: str = await case()
        except Exception as error:
            problem = f"host error: {type(error).__name__}: {error}"
        found = [problem, *self.arena.seen()]
        if left := self.arena.survivors(1.0):
            found.append(f"processes are left: {left}")
        # Others use this disk, too: only what no neighbour of a test would write counts.
        if free - shutil.disk_usage(self.arena.home).free > 2**31:
            found.append("the host's disk is fuller")
        after = await self.run(sandbox.Program("print('alive')"))
        if after.raw != b"alive\n":
            found.append(f"the arena cannot be used any more: {after}")
        return "; ".join(filter(None, found))


class Jailed(Suite):
    """The cases with a flag, with a jail, or about output itself."""

    async def side_roads(self) -> str:
        """7: the flag by any road but the documented one."""
        return judged(PROBES[0], await self.jail(OPEN_JAIL, FIND_FLAG, flag()))

    async def documented_place(self) -> str:
        """7b: one line of standard input, and then no more."""
        secret = flag()
        run = await self.jail(OPEN_JAIL, "import sys\nprint(input(), repr(sys.stdin.read()))", secret)
        return "" if run.output == f"{secret} ''\n" and run.contains(secret) else f"not exercised: {run}"

    async def strange_output(self) -> str:
        """36: what no terminal, page or record may be given as it is."""
        run = await self.run(sandbox.Program(SCREAM))
        again = sandbox.Run.from_json(json.loads(json.dumps(run.to_json())))
        shown = run.shown()
        if "EXERCISED" not in run.output or again != run:
            return f"not exercised: {run.shown(300)}"
        if "\\xff\\xfe" not in run.output or any(ord(c) < 32 and c not in "\n\t" for c in shown):
            return "control characters are shown"
        return "hidden characters are shown" if {"\u202e", "\u2066", "\x1b", "\x9b"} & set(shown) else ""

    async def long_line(self) -> str:
        """36b: a megabyte in one line."""
        run = await self.timed(lambda: self.run(sandbox.Program("print('x' * 2**20)")))
        return "" if run.status == "output" and run.truncated and len(run.raw) == 65536 else f"{run.status}"

    async def markers(self) -> str:
        """37: every word of the protocol, on every stream."""
        return await self._unsolved(MARKERS)

    async def endings(self) -> str:
        """38: exit codes and signals of the program's choice."""
        for title, payload in ENDS.items():
            secret = flag()
            if (await self.jail(OPEN_JAIL, payload, secret)).contains(secret):
                return f"{title} is solved"
        return ""

    async def monkeys(self) -> str:
        """39: everything patched that could be asked for a verdict."""
        return await self._unsolved(MONKEYS)

    async def jails(self) -> str:
        """40: a defender that attacks."""
        for title, jail in JAILS.items():
            secret = flag()
            if (await self.jail(jail, "1 + 1", secret)).contains(secret):
                return f"{title} is solved"
        return ""

    async def _unsolved(self, payload: str) -> str:
        secret = flag()
        run = await self.jail(OPEN_JAIL, payload, secret)
        if run.contains(secret):
            return "solved"
        return "" if "EXERCISED" in run.output else f"not exercised: {run}"

    def cases(self) -> dict[str, tuple[Callable[[], Any], bool]]:
        """By number; and whether it takes whole limits."""
        return {
            "7": (self.side_roads, False),
            "7b": (self.documented_place, False),
            "36": (self.strange_output, False),
            "36b": (self.long_line, False),
            "37": (self.markers, False),
            "38": (self.endings, False),
            "39": (self.monkeys, False),
            "40": (self.jails, True),
        }


def flag() -> str:
    return f"FLAG{secrets.token_hex(16)}"


async def attacked(arena: Arena, name: str, wanted: Callable[[str, bool], bool]) -> dict[str, str]:
    backend = sandbox.SANDBOXES.get(name)(ahead=0, tag=arena.tag)  # type: ignore[call-arg]
    suite = Jailed(arena, backend)
    results = {"backend": await sandbox.describe(backend)}
    arena.seen()
    for probe in PROBES:
        if wanted(probe.number, probe.slow):
            results[probe.number] = await suite.checked(lambda probe=probe: suite.probe(probe))
    for number, (case, slow) in suite.cases().items():
        if wanted(number, slow):
            results[number] = await suite.checked(case)
    await sandbox.close()
    return results


# ------------------------------------------------------------------ outside a sandbox

_UNSANDBOXED = """
import json, resource, sys
for name, value in (("CPU", 20), ("AS", 2**30), ("FSIZE", 2**20), ("NOFILE", 512), ("CORE", 0)):
    resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
given = json.loads(sys.stdin.readline())
exec(compile(given["main"], "<program>", "exec"), {"PARTS": given["parts"], "__name__": "__main__"})
"""


def controls(arena: Arena) -> dict[str, str]:
    """For each probe with a control, what it achieved as a plain process; empty where nothing."""
    if os.geteuid() == 0:
        raise SystemExit("the controls are for an unprivileged user")
    # Few processes are enough to prove that there could be many.
    parts = {**arena.parts(), "most": "20"}
    results = {}
    for probe in (probe for probe in PROBES if probe.control):
        arena.seen()
        for _ in range(2 if probe.again else 1):
            # Into a file: processes that stay would keep a pipe open.
            with tempfile.TemporaryFile() as output:
                subprocess.run(
                    [sys.executable, "-I", "-S", "-u", "-c", _UNSANDBOXED, arena.tag],
                    input=json.dumps({"main": PRELUDE + probe.source, "parts": parts}).encode(),
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    close_fds=False,
                    timeout=30,
                    check=False,
                )
                output.seek(0)
                said = output.read().decode("utf-8", "replace")
        achieved = [line for line in said.splitlines() if line.startswith("PWN")]
        results[probe.number] = "; ".join([*achieved, *arena.seen()])
        for process in arena.survivors(0.0):
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
    return results


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--backend")
    parser.add_argument("--quick", action="store_true", help="leave out what takes whole limits")
    parser.add_argument("--only", type=lambda text: text.split(","))
    parser.add_argument("--control", action="store_true")
    arguments = parser.parse_args()

    def wanted(number: str, slow: bool) -> bool:
        return number in arguments.only if arguments.only else not (slow and arguments.quick)

    arena = Arena(f"escape-{secrets.token_hex(8)}")
    try:
        results = controls(arena) if arguments.control else asyncio.run(attacked(arena, arguments.backend, wanted))
    finally:
        arena.close()
    print(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
