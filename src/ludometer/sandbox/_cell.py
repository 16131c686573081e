"""The inside of a sandbox: locks its own process up, then runs one program.

This file's text is what the single-use interpreter is started with; it imports nothing of Ludometer. It reads two
messages from standard input (eight bytes of length, little-endian, then JSON): how to lock itself up, before it has
seen anything hostile, and the program. What follows on standard input is the program's.

It says ``ready VERSION`` when it is locked up, and writes one byte when it has the program. Everything after that byte
is the program's doing, and is believed in nothing.
"""

from __future__ import annotations

import builtins
import json
import linecache  # noqa: F401 (read by traceback when it has something to show; here it costs no run any time)
import os
import stat
import sys
import traceback
import types
from typing import Any

EXIT_MEMORY = 12


def receive() -> Any:
    """One message from standard input, not a byte more. Ends the process where there is none."""
    return json.loads(_exactly(int.from_bytes(_exactly(8), "little")))


def _exactly(count: int) -> bytes:
    data = b""
    while len(data) < count:
        chunk = os.read(0, count - len(data))
        if not chunk:
            os._exit(0)  # the host is gone, or has no program for us
        data += chunk
    return data


# ------------------------------------------------------------------ locking up


def lock(settings: dict[str, Any]) -> None:
    """Gives up everything the program must not have. Raises `OSError` where the kernel refuses."""
    if "limits" in settings:
        _limit(settings["limits"])
    if "filter" not in settings:
        return
    import base64
    import ctypes
    import struct

    libc = ctypes.CDLL(None, use_errno=True)

    def call(name: str, *arguments: int | bytes) -> None:
        if getattr(libc, name)(*(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments)) != 0:
            raise OSError(ctypes.get_errno(), name + " was refused: " + os.strerror(ctypes.get_errno()))

    call("prctl", 1, 9, 0, 0, 0)  # PR_SET_PDEATHSIG: this process does not outlive the arena
    call("prctl", 4, 0, 0, 0, 0)  # PR_SET_DUMPABLE: no other process of this user looks into it
    _drop_capabilities(libc, ctypes)
    call("prctl", 38, 1, 0, 0, 0)  # PR_SET_NO_NEW_PRIVS
    if "landlock" in settings:
        _restrict(libc, ctypes, struct, settings["landlock"])
    steps = base64.b64decode(settings["filter"])
    buffer = ctypes.create_string_buffer(steps, len(steps))
    call("prctl", 22, 2, struct.pack("HxxxxxxQ", len(steps) // 8, ctypes.addressof(buffer)), 0, 0)  # PR_SET_SECCOMP


def _limit(limits: dict[str, int]) -> None:
    import resource

    for name, value in limits.items():
        number = getattr(resource, name, None)
        if number is not None:
            hard = resource.getrlimit(number)[1]
            value = value if hard == resource.RLIM_INFINITY else min(value, hard)
            resource.setrlimit(number, (value, value))


def _drop_capabilities(libc: Any, ctypes: Any) -> None:
    """Empties every set. Failing is no fault: whoever has none may not do it, and needs not."""
    for capability in range(64):
        libc.prctl(24, ctypes.c_long(capability), 0, 0, 0)  # PR_CAPBSET_DROP
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # _LINUX_CAPABILITY_VERSION_3, this process
    if libc.capset(header, (ctypes.c_uint32 * 6)()) != 0:
        raise OSError(ctypes.get_errno(), "capset was refused")


def _restrict(libc: Any, ctypes: Any, struct: Any, paths: list[str]) -> None:
    """Landlock (Linux, Documentation/userspace-api/landlock.rst): reads of the given places, and nothing else.

    Every file-system right up to ABI 5, TCP, and (ABI 6) signals and abstract sockets to the outside are handled.
    """
    import importlib.util

    importlib.util.find_spec("no_such_module")  # lists the library's folder, which can be listed no more afterwards

    def syscall(*arguments: int | bytes | None) -> int:
        result: int = libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in arguments))
        if result < 0:
            raise OSError(ctypes.get_errno(), "Landlock was refused: " + os.strerror(ctypes.get_errno()))
        return result

    ruleset = syscall(444, struct.pack("=QQQ", (1 << 16) - 1, 3, 3), 24, 0)
    for path in paths:
        try:
            place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            continue
        access = 1 << 2 | (1 << 3 if stat.S_ISDIR(os.fstat(place).st_mode) else 0)  # READ_FILE, READ_DIR
        syscall(445, ruleset, 1, struct.pack("=Qi", access, place), 0)
        os.close(place)
    syscall(446, ruleset, 0)
    os.close(ruleset)


# ------------------------------------------------------------------ the program


def execute(program: dict[str, Any]) -> None:
    """Runs the program as ``__main__``; what it raises is printed without the frames of this file."""
    sys.stdout.reconfigure(errors="backslashreplace")  # type: ignore[union-attr]
    sys.argv = [""]
    main = types.ModuleType("__main__")
    main.__dict__.update(PARTS=program["parts"], __builtins__=builtins)
    sys.modules["__main__"] = main
    try:
        exec(compile(program["main"], "<program>", "exec"), main.__dict__)
    except MemoryError:
        os._exit(EXIT_MEMORY)
    except SystemExit:
        raise
    except BaseException as error:
        try:
            trace = error.__traceback__ and error.__traceback__.tb_next
            traceback.print_exception(type(error), error, trace, limit=-8)
        except MemoryError:
            os._exit(EXIT_MEMORY)
        except BaseException:
            os.write(2, b"an error that cannot be shown\n")
        sys.exit(1)


if __name__ == "__main__":
    lock(receive())
    os.write(1, b"ready %d.%d.%d\n" % sys.version_info[:3])
    todo = receive()
    os.write(1, b"!")
    execute(todo)
