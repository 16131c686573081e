"""Luck adjustment: results with the luck that is known taken out, without changing what they are on average.

A game says what its luck is in a file of its own here (`LuckTerms`); see docs/luck.md.
"""

from ludometer.analysis.luck.estimates import (
    FEW_GROUPS,
    FEWEST_GROUPS,
    Ratio,
    adjusted_mean,
    adjusted_values,
    variance_ratio,
)
from ludometer.analysis.luck.frames import LuckOfRun, adjusted_results, luck_of_run, luck_ratios
from ludometer.analysis.luck.protocol import LUCK_TERMS, LuckTerms, terms_for

__all__ = [
    "FEWEST_GROUPS",
    "FEW_GROUPS",
    "LUCK_TERMS",
    "LuckOfRun",
    "LuckTerms",
    "Ratio",
    "adjusted_mean",
    "adjusted_results",
    "adjusted_values",
    "luck_of_run",
    "luck_ratios",
    "terms_for",
    "variance_ratio",
]
