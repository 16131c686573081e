"""Models on this machine's processor: llama.cpp inside this process, asked like any OpenAI-compatible provider.

The server is llama.cpp's own, run on threads of this process and bound to the loopback address. It is started by the
first call, shared by everything in the process, and ends with the process, however that ends: there is no child
process that could be left behind.
"""

from __future__ import annotations

import asyncio
import atexit
import importlib.util
import os
import random
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludometer.core.errors import ConfigurationError, MachineError
from ludometer.core.exchange import Completion, Request

from .files import path_of
from .openai_compatible import OpenAICompatible
from .protocol import Capabilities, OnDelta
from .providers import Endpoint
from .settings import ModelSettings, Price

__all__ = ["DEFAULT_SLOTS", "LocalModel", "stop_servers"]

DEFAULT_SLOTS = 2
_MOST_SLOTS = 8
"""Each slot takes memory for its context, whatever concurrency is set for models in general."""
_MOST_THREADS = 4
"""A small model gains nothing from more threads, and takes them from the rest of the program."""

_CAPABILITIES = Capabilities(sees_images=False, enforces_schema=True, calls_tools=True)

_lock = threading.Lock()
_servers: dict[tuple[int, Path, int, int], Any] = {}


class LocalModel(OpenAICompatible):
    """``local/NAME``: a GGUF file of the model cache, run by llama.cpp.

    ``settings.concurrency`` is the number of slots (2 where unset, at most 8); each has ``settings.context_tokens``
    of context.

    Raises:
        ConfigurationError: the file or the package `xllamacpp` is missing.
    """

    def __init__(self, model: str, settings: ModelSettings, *, jitter: random.Random | None = None) -> None:
        if importlib.util.find_spec("xllamacpp") is None:
            raise ConfigurationError("local models need llama.cpp: pip install 'ludometer[local]'")
        self._path = path_of(model)
        self._slots = min(settings.concurrency or DEFAULT_SLOTS, _MOST_SLOTS)
        price = settings.price or Price(input=0, output=0)
        settings = settings.model_copy(update={"price": price, "concurrency": self._slots})
        endpoint = Endpoint("http://127.0.0.1", capabilities=_CAPABILITIES, named_tool_choice=False)
        super().__init__("local", model, endpoint, settings, jitter=jitter)
        self._started_in: int | None = None

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        """Ask the model; the first call loads it (about a second for a small one)."""
        if self._started_in != os.getpid():
            address = await asyncio.to_thread(_address, self._path, self._slots, self._asked.context_tokens)
            self._target = self._post_target(f"{address}/v1")
            self._started_in = os.getpid()
        if request.tool is None:
            return await super().complete(request, on_delta=on_delta)
        # llama.cpp constrains no tool call with the small models' templates, but any answer by a schema: the forced
        # call is an answer that follows the tool's schema.
        forced = replace(request, tool=None, schema=request.tool.schema, schema_name=request.tool.name)
        completion = await super().complete(forced, on_delta=on_delta)
        return replace(completion, text=None, tool_arguments=completion.text)


def stop_servers() -> None:
    """Stop every server of this process and free the memory."""
    with _lock:
        _servers.clear()


def _address(path: Path, slots: int, context: int) -> str:
    """The address of this process's server for a file, started if need be."""
    # A forked child inherits the dictionary but not the threads behind it, hence the process id.
    key = (os.getpid(), path, slots, context)
    with _lock:
        if key not in _servers:
            _servers[key] = _start(path, slots, context)
        return str(_servers[key].listening_address)


def _start(path: Path, slots: int, context: int) -> Any:
    # Threads that spin while they wait make a busy machine eight times slower. Read once, when it is loaded.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    import xllamacpp

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(path)
    parameters.model_alias = {path.stem}  # or answers, and so the log, would name this machine's folders
    parameters.n_parallel = slots
    parameters.n_ctx = slots * context  # shared out evenly among the slots
    parameters.use_jinja = True  # without it no schema is enforced
    parameters.ui = False
    parameters.endpoint_slots = False
    parameters.verbosity = -1
    threads = max(1, min(_MOST_THREADS, os.cpu_count() or 1))
    for pool in (parameters.cpuparams, parameters.cpuparams_batch):
        pool.n_threads = threads
        pool.poll = 0
    try:
        server = xllamacpp.Server(parameters)
    except (RuntimeError, ValueError, OSError) as error:
        raise MachineError(f"llama.cpp could not load {path.name}: {error}") from error
    if not _servers:
        atexit.register(stop_servers)
    return server
