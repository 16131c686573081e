"""Joining a Ray cluster: one on this machine that nobody else sees, or one of many machines."""

from __future__ import annotations

import logging
import os
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from ludometer.core import ConfigurationError, MachineError
from ludometer.solvers.workers import worker_count
from ludometer.tournaments.on_ray.access import check_access, check_address, one_sentence, private_token

__all__ = ["Cluster", "check_cluster", "check_installed", "parse_executor"]

_QUIET = {
    "RAY_USAGE_STATS_ENABLED": "0",  # nothing is reported to anybody
    "RAY_DISABLE_IMPORT_WARNING": "1",
    "RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO": "0",
    "RAY_LOG_TO_DRIVER": "0",
    "RAY_ENABLE_AUTO_CONNECT": "0",  # who has lost one cluster is not given another
}
_ALONE = {
    # So Ray takes this machine's address to be 127.0.0.1 and listens nowhere else, as it does on macOS.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    # Recorded events and metrics are for a dashboard, and there is none.
    "RAY_enable_export_api_write": "0",
    "RAY_task_events_report_interval_ms": "0",
}
_STORE_BYTES = 100 * 2**20
"""Room for what is handed around: positions and moves, which are small."""


def parse_executor(text: str) -> str | None:
    """The address in the name of an executor: None for ``ray``, what stands behind the colon in ``ray:ADDRESS``.

    ``local`` is Ray's word for a cluster of this machine alone.

    Raises:
        ConfigurationError: it is no Ray executor.
    """
    name, colon, address = text.partition(":")
    if name != "ray" or (colon and not address.strip()):
        raise ConfigurationError(
            f"there is no executor {text!r}: write asyncio, ray, or ray:ADDRESS, for example ray:ray://head:10001"
        )
    address = address.strip()
    if address in ("", "local"):
        return None
    check_address(address)
    return address


def check_installed() -> None:
    """Raises `ConfigurationError` where Ray is not installed."""
    if find_spec("ray") is None:
        raise ConfigurationError("this needs Ray; install it with: pip install 'ludometer[scale]'")


def check_cluster(address: str) -> None:
    """Raises what `Cluster` raises where a cluster cannot be joined, without joining it."""
    ray = _ray(alone=False)
    if not ray.is_initialized():
        check_access(address)


class Cluster:
    """A cluster that this process has joined. A local one is started with it, and ends with it.

    Args:
        address: ``ray://host:port``, ``host:port`` or ``auto`` as Ray understands them; None for a cluster of this
            machine alone. Where this process has joined one already, that one is used and left as it is.
        processors: of a local cluster; by default all of this machine.

    Attributes:
        ray: the package.

    Raises:
        ConfigurationError: Ray is not installed; or the cluster does not let this process in, since it wants a token or
            has other versions.
        MachineError: the cluster cannot be started or reached.
    """

    def __init__(self, address: str | None = None, processors: int | None = None) -> None:
        self._folder: Path | None = None
        self._end = ExitStack()
        self.ray = _ray(alone=address is None)
        self._own = not self.ray.is_initialized()
        if not self._own:
            return
        try:
            self._begin(address, processors)
        except (ConfigurationError, MachineError):
            self._clear()
            raise
        except Exception as error:
            self._clear()
            where = "no Ray cluster could be started here" if address is None else f"the Ray cluster {address}"
            raise MachineError(f"{where}: {one_sentence(error)}") from None

    def _begin(self, address: str | None, processors: int | None) -> None:
        if address is None:
            self._end.enter_context(private_token())
        else:
            check_access(address)
        with _same_path():
            self.ray.init(**(self._started(processors) if address is None else _joined(address)))
        _hush_client()

    @property
    def connected(self) -> bool:
        """Whether this process still is in the cluster, as far as it knows."""
        return bool(self.ray.is_initialized())

    @property
    def processors(self) -> int:
        """Processors of the whole cluster, at least 1."""
        return max(1, int(self.ray.cluster_resources().get("CPU", 1)))

    def close(self) -> None:
        """Leaves the cluster; a local one ends, and nothing of it stays."""
        if self._own:
            self.ray.shutdown()
            self._clear()

    def _started(self, processors: int | None) -> dict[str, Any]:
        # Short, since sockets are made in it.
        root = "/tmp" if Path("/tmp").is_dir() else None
        self._folder = Path(tempfile.mkdtemp(prefix="ludometer-ray-", dir=root))
        return {
            **_silent(),
            "address": "local",
            "num_cpus": processors or worker_count(),
            "num_gpus": 0,
            "include_dashboard": False,
            "object_store_memory": _STORE_BYTES,
            "_temp_dir": str(self._folder),
        }

    def _clear(self) -> None:
        self._end.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)


def _ray(*, alone: bool) -> Any:
    for name, value in (_QUIET | _ALONE if alone else _QUIET).items():
        os.environ.setdefault(name, value)
    check_installed()
    import ray
    from ray._private import worker

    # It prints which worker died on standard output, where results go, and has no setting against it.
    worker.print_to_stdstream = lambda *args, **kwargs: None
    return ray


def _hush_client() -> None:
    """Where this process is a client: what the server logs is printed here otherwise, on standard output too."""
    client: Any = import_module("ray.util.client").ray
    if not client.is_connected():
        return
    client.get_context().client_worker.log_client.disable_logs()
    logging.getLogger("ray.util.client.logsclient").setLevel(logging.CRITICAL)
    # Many small messages are what this is about.
    warnings.filterwarnings("ignore", category=UserWarning, module=r"ray\.util\.client")


def _joined(address: str) -> dict[str, Any]:
    return {**_silent(), "address": address}


@contextmanager
def _same_path() -> Iterator[None]:
    """Workers on this machine import what can be imported here: a cluster that is started now inherits the path."""
    before = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONPATH"]
        else:
            os.environ["PYTHONPATH"] = before


def _silent() -> dict[str, Any]:
    return {"logging_level": logging.CRITICAL, "log_to_driver": False, "namespace": "ludometer"}
