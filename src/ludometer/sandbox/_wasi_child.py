"""The process in which the WASI interpreter lives. It is given nothing, and can be killed at any moment.

Its arguments: the compiled interpreter, bytes of memory, seconds of processor time, the arena's process number, the
program of the cell, and the tag. The guest is given standard input and output, and no folder, variable or socket.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path


def main() -> int:
    import wasmtime

    compiled, memory, processor, arena, source, tag = sys.argv[1:]
    _limit(int(processor))
    threading.Thread(target=_end_with, args=(int(arena),), daemon=True).start()
    engine = wasmtime.Engine()
    linker = wasmtime.Linker(engine)
    linker.define_wasi()
    store = wasmtime.Store(engine)
    store.set_limits(memory_size=int(memory))
    guest = wasmtime.WasiConfig()
    guest.argv = ["python", "-I", "-S", "-B", "-u", "-X", "utf8", "-c", source, tag]
    guest.inherit_stdin()
    guest.inherit_stdout()
    guest.inherit_stderr()
    store.set_wasi(guest)
    instance = linker.instantiate(store, wasmtime.Module.deserialize_file(engine, compiled))
    start = instance.exports(store)["_start"]
    assert isinstance(start, wasmtime.Func)
    try:
        start(store)
    except wasmtime.ExitTrap as end:
        return int(end.code)
    except (wasmtime.Trap, wasmtime.WasmtimeError):
        os.abort()  # out of stack, unreachable code: what a segmentation fault is elsewhere
    return 0


def _limit(processor: int) -> None:
    import resource

    limits = {"RLIMIT_CPU": processor, "RLIMIT_CORE": 0, "RLIMIT_FSIZE": 0}
    for name, value in limits.items():
        resource.setrlimit(getattr(resource, name), (value, value))


def _end_with(arena: int) -> None:
    while os.getppid() == arena:
        time.sleep(0.5)
    os._exit(1)


if __name__ == "__main__":
    # Nothing it needs may come from the current folder, and this script's own folder has names of its own.
    sys.path[:] = [path for path in sys.path if path and Path(path) != Path(__file__).parent]
    code = main()
    os._exit(code)
