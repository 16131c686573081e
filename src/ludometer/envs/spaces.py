"""Gymnasium's spaces for an encoding, and the observation that fills them. PettingZoo uses the same spaces."""

from __future__ import annotations

from typing import Any

import numpy as np

from ludometer.core import Seat
from ludometer.envs.encoding import Encoding
from ludometer.matches import Match

__all__ = ["action_space", "numbers", "observation_space"]


def observation_space(encoding: Encoding) -> Any:
    """``observation`` (float32, the encoding's shape) and ``action_mask`` (int8, one number per action)."""
    from gymnasium import spaces

    return spaces.Dict(
        {
            "observation": spaces.Box(encoding.low, encoding.high, encoding.shape, np.float32),
            "action_mask": spaces.Box(0, 1, (encoding.size,), np.int8),
        }
    )


def action_space(encoding: Encoding) -> Any:
    """The action numbers; ``sample(mask)`` draws a legal one."""
    from gymnasium import spaces

    return spaces.Discrete(encoding.size)


def numbers(match: Match, seat: Seat, encoding: Encoding, *, asked: bool) -> dict[str, Any]:
    """A seat's observation. The mask is all 0 where it is not asked (also after a match has ended)."""
    mask = encoding.mask(match.state, seat) if asked else np.zeros(encoding.size, dtype=np.int8)
    return {"observation": encoding.tensor(match.state, seat), "action_mask": mask}
