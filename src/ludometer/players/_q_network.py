"""A small network with numpy alone: it plays what `ludometer.training` has trained."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ludometer.core import ConfigurationError

__all__ = ["ARRAYS", "Arrays", "QNetwork", "load_network", "network_bytes", "rounded_network"]

Arrays: TypeAlias = "Mapping[str, npt.NDArray[np.floating]]"

ARRAYS: Final = ("w0", "b0", "w1", "b1", "w2", "b2")
"""Weights (inputs first) and biases, layer by layer."""

_MOST = 20_000_000
"""Bytes of a file that are read at all."""


class QNetwork(NamedTuple):
    """Two hidden layers of rectified units, and one output: what an action is worth."""

    w0: npt.NDArray[np.float32]
    b0: npt.NDArray[np.float32]
    w1: npt.NDArray[np.float32]
    b1: npt.NDArray[np.float32]
    w2: npt.NDArray[np.float32]
    b2: npt.NDArray[np.float32]

    def values(self, features: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Expected share of the win, shape ``(n,)``, for features of shape ``(n, inputs)``."""
        hidden = np.maximum(features @ self.w0 + self.b0, 0)
        hidden = np.maximum(hidden @ self.w1 + self.b1, 0)
        values: npt.NDArray[np.float32] = (hidden @ self.w2 + self.b2)[:, 0]
        return values


def network_bytes(arrays: Arrays) -> bytes:
    """A network as the file that `load_network` reads, in half precision. The same arrays give the same bytes."""
    buffer = io.BytesIO()
    half = {name: np.asarray(arrays[name]).astype(np.float16) for name in ARRAYS}
    np.savez_compressed(buffer, **half)  # type: ignore[arg-type]  # (numpy's stub takes them for its own keywords)
    return buffer.getvalue()


def rounded_network(arrays: Arrays) -> QNetwork:
    """The network that `load_network` reads from `network_bytes`."""
    return QNetwork(*(np.asarray(arrays[name]).astype(np.float16).astype(np.float32) for name in ARRAYS))


def load_network(path: Path, inputs: int) -> QNetwork:
    """Reads a network with so many inputs.

    Raises:
        ConfigurationError: there is no such file, or it holds no such network.
    """
    try:
        if path.stat().st_size > _MOST:
            raise ValueError("too large")
        with np.load(path, allow_pickle=False) as found:
            network = QNetwork(*(np.asarray(found[name]).astype(np.float32) for name in ARRAYS))
        first, second = network.b0.size, network.b1.size
        shapes = [(inputs, first), (first,), (first, second), (second,), (second, 1), (1,)]
        if [array.shape for array in network] != shapes or not all(np.isfinite(array).all() for array in network):
            raise ValueError("other shapes")
    except FileNotFoundError:
        raise ConfigurationError(f"there is no file of weights {str(path)!r}") from None
    except Exception as error:  # whatever a broken file makes numpy and zipfile raise
        raise ConfigurationError(
            f"{str(path)!r} holds no network with {inputs} inputs ({type(error).__name__}); "
            "write one with: ludometer train dqn-uno"
        ) from None
    return network
