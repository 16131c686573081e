"""The rating scale: 400 points are a factor of ten in the odds (Elo, *The Rating of Chessplayers*, 1978).

Fits work in natural (logistic) units; everything shown is in points. One natural unit is 173.7 points.
"""

from __future__ import annotations

import math
from typing import Final

__all__ = ["DEFAULT_MEAN", "POINTS"]

POINTS: Final = 400.0 / math.log(10.0)
"""Rating points in one natural (logistic) unit."""

DEFAULT_MEAN: Final = 1500.0
"""The mean rating of a table that names no anchor."""
