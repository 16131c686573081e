"""A sandbox proves itself before it is used: small attacks that must fail, run in it like any program.

Each attack says ``safe`` only after it was really tried; anything else it says, or saying nothing, counts against the
sandbox. What a system lacks altogether (WebAssembly has no processes and no signals) cannot be attacked, and is safe.
"""

from __future__ import annotations

import contextlib
import os
import socket
from collections.abc import Iterator
from typing import NamedTuple

from ludometer.sandbox.backend import Backend
from ludometer.sandbox.program import Limits, Program, Run

__all__ = ["ATTACKS", "failures"]


class Attack(NamedTuple):
    """``may_die``: that the program was ended for it is safe, too."""

    title: str
    source: str
    may_die: bool = False


_USERS = """
import os
found = False
for path in ("/etc/passwd", "/etc/../etc/passwd", "/proc/self/root/etc/passwd", "/proc/1/root/etc/passwd"):
    try:
        with open(path) as stream:
            found = found or "root:" in stream.read()
    except OSError:
        pass
print("a host's user is named" if found else "safe")
"""
_PROCESSES = """
import os
seen = []
try:
    names = os.listdir("/proc")
except OSError:
    names = []
for name in {*names, "1", str(getattr(os, "getppid", lambda: 1)()), PARTS["arena"]}:
    if name.isdigit() and int(name) != os.getpid():
        for file in ("cmdline", "environ", "maps"):
            try:
                with open(f"/proc/{name}/{file}", "rb") as stream:
                    stream.read(1)
                seen.append(name)
            except OSError:
                pass
print("processes are seen" if seen else "safe")
"""
_SIGNALS = """
import os
reached = []
for process in (int(PARTS["arena"]), getattr(os, "getppid", lambda: 1)(), 1, -1):
    # 23 is SIGURG, which nobody minds; even so it goes to no stranger where this should succeed.
    for number in (0, 23) if process == int(PARTS["arena"]) else (0,):
        try:
            os.kill(process, number)
            reached.append(process)
        except (OSError, AttributeError):
            pass
print("processes are signaled" if reached else "safe")
"""
_CALLS = """
import sys
try:
    import ctypes
except ImportError:
    print("safe" if sys.platform == "wasi" else "not exercised: there is no ctypes")
    sys.exit()
import os
x86 = os.uname().machine == "x86_64"
calls = dict(
    unshare=(272, 97), setns=(308, 268), bpf=(321, 280), perf_event_open=(298, 241), userfaultfd=(323, 282),
    io_uring_setup=(425, 425), keyctl=(250, 219), add_key=(248, 217), mount=(165, 40), fsopen=(430, 430),
    open_by_handle_at=(304, 265), init_module=(175, 105), kexec_load=(246, 104), ptrace=(101, 117),
    personality=(135, 92), memfd_create=(319, 279), seccomp=(317, 277), landlock_create_ruleset=(444, 444),
    swapon=(167, 224), quotactl=(179, 60), socket=(41, 198), prctl=(157, 167), process_vm_readv=(310, 270),
    pidfd_open=(434, 434), setuid=(105, 146), prlimit64=(302, 261),
)
libc = ctypes.CDLL(None, use_errno=True)
allowed = []
for name, numbers in calls.items():
    ctypes.set_errno(0)
    arguments = (numbers[0 if x86 else 1], 16 if name == "socket" else 0, 3, 0, 0)
    result = libc.syscall(*map(ctypes.c_long, arguments))
    if result != -1 or ctypes.get_errno() not in (1, 38):
        allowed.append(name)
print("the kernel answers " + " ".join(allowed) if allowed else "safe")
"""
_NETWORK = """
try:
    import socket
    connection = socket.create_connection(("127.0.0.1", int(PARTS["port"])), 2)
    print("the network is reached")
except (OSError, AttributeError, ImportError):
    print("safe")
"""
_FORKS = """
import os
children = 0
try:
    for _ in range(20):
        if os.fork() == 0:
            os._exit(0)
        children += 1
except (OSError, AttributeError):
    pass
print("processes are started" if children else "safe")
"""
_MEMORY = """
held = []
try:
    while len(held) < 96:
        held.append(b"x" * (16 << 20))
    print("there is no limit")
except MemoryError:
    del held
    print("safe")
"""

_PATIENT = Limits(seconds=60.0)
"""None of them takes a second, but on a machine that has no time they must not be taken for failures."""

ATTACKS = (
    Attack("names of users", _USERS),
    Attack("other processes", _PROCESSES),
    Attack("signals", _SIGNALS),
    Attack("system calls", _CALLS),
    Attack("network", _NETWORK),
    Attack("new processes", _FORKS),
    Attack("memory", _MEMORY, may_die=True),
)


async def failures(backend: Backend) -> list[str]:
    """What the sandbox did not hold off, one clause each; empty for a sandbox that may be used.

    Raises:
        SandboxError: it cannot run anything.
    """
    found = []
    with _listener() as (server, port):
        for attack in ATTACKS:
            parts = {"arena": str(os.getpid()), "port": str(port)}
            run = await backend.run(Program(attack.source, parts, limits=_PATIENT))
            if not _safe(attack, run) or _was_reached(server):
                found.append(f"{attack.title}: {run.status}, {run.shown(200).strip() or 'no answer'}")
    return found


def _safe(attack: Attack, run: Run) -> bool:
    return (run.status == "ok" and run.raw == b"safe\n") or (attack.may_die and run.status in ("memory", "killed"))


@contextlib.contextmanager
def _listener() -> Iterator[tuple[socket.socket, int]]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        yield server, server.getsockname()[1]


def _was_reached(server: socket.socket) -> bool:
    try:
        server.accept()[0].close()
    except BlockingIOError:
        return False
    return True
