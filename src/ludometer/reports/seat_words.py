"""What tables and figures call a seat: by the title that its game gives it, or by its number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

__all__ = ["result_words", "seat_words"]

_WON_AS: Final = "won as player "


def seat_words(number: int, titles: Sequence[str] = ()) -> str:
    """A seat by its number from 1.

    Args:
        titles: see `ludometer.analysis.seat_names.seat_titles`; empty where seats are numbered.
    """
    return titles[number - 1] if titles else f"player {number}"


def result_words(result: str, titles: Sequence[str] = ()) -> str:
    """A result of `ludometer.analysis.moves_per_result` (``won as player 1``, ``drawn``), with the seat's title."""
    number = result.removeprefix(_WON_AS)
    return result if number == result else f"won as {seat_words(int(number), titles)}"
