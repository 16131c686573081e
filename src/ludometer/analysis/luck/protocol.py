"""What a game says about its luck, and how that is found: one file each in this folder, or an entry point of the group
``ludometer.analysis.luck``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from ludometer.core import AnyGame, Chance
from ludometer.core.registry import Registry

__all__ = ["LUCK_TERMS", "LuckTerms", "terms_for"]


class LuckTerms(Protocol):
    """The luck of matches as numbers whose mean is zero, whatever the players do.

    Each is a sum over chance events: a fixed function of what came, minus its mean over all that could have come, given
    everything that was so far. Such sums are martingales: a player can choose whether to roll, never what falls. Terms
    that are estimated must be right on average given everything that was so far, with luck of their own.

    Attributes:
        name: what it is called, once among all.
        titles: what each term counts, for a reader.
    """

    name: ClassVar[str]
    titles: Sequence[str]

    def refuses(self, game: AnyGame) -> str | None:
        """None for a game it has terms for; else a sentence why not. Empty for a game that is not its own."""
        ...

    def terms(self, game: AnyGame, states: Sequence[Any], luck: Chance) -> Sequence[Sequence[float]]:
        """Shape (seats, terms): how much luck each seat had in a match, positive for good luck.

        Args:
            states: of the match, from its first to its last, whether it was played to the end or not.
            luck: for estimates; it has nothing to do with the luck of the match.
        """
        ...


def _is_terms(cls: type) -> bool:
    wanted = ("name", "titles", "refuses", "terms")
    return not getattr(cls, "_is_protocol", False) and all(hasattr(cls, name) for name in wanted)


LUCK_TERMS: Registry[LuckTerms] = Registry("luck adjustment", "ludometer.analysis.luck", _is_terms)


def terms_for(game: AnyGame) -> tuple[LuckTerms | None, str]:
    """The terms of a game, or None and a sentence why it has none."""
    why = ""
    for cls in LUCK_TERMS.all().values():
        found = cls()
        refused = found.refuses(game)
        if refused is None:
            return found, ""
        why = why or refused
    if not game.has_luck:
        return None, f"{game.title} has no luck in it."
    return None, why or f"Nothing is known of the luck of {game.title}: no luck terms are installed for it."
