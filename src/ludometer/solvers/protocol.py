"""What an evaluator is, and how evaluators are found: one file each in this folder, or an entry point."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Protocol

from ludometer.core import AnyGame, ConfigurationError, Seat
from ludometer.core.registry import Registry

__all__ = ["EVALUATORS", "Evaluator", "covered_exactly", "exact_evaluator"]


class Evaluator(Protocol):
    """Says what actions are worth. Classes can be made without arguments and are cheap to make.

    Keyword arguments of ``__init__`` are options (``mcts:simulations=1000``), kept as attributes of their names.

    Attributes:
        name: the name it is asked for by.
        exact: whether the values are proven, not estimated.
        covers: the games it evaluates, in words, for error messages.

    A class may also have ``general = True`` (it takes any game, and comes last), ``sees_hidden = True`` (its values use
    what the player who moves cannot know) and ``immaterial`` (names of options that do not bear on the values).
    """

    name: ClassVar[str]
    exact: ClassVar[bool]
    covers: ClassVar[str]

    def supports(self, game: AnyGame) -> bool:
        """Whether this game, with its options, can be evaluated."""
        ...

    async def prepare(self, game: AnyGame) -> None:
        """Whatever takes long and is needed once per game (tables, engines), without holding up the event loop."""
        ...

    def action_values(self, game: AnyGame, state: Any, seat: Seat) -> Mapping[Any, float]:
        """The expected score, in [0, 1], of each legal action for ``seat``, which is to act, in the game's order.

        May take long where the evaluator searches: call it through `ludometer.solvers.compute.run_killable` then.
        """
        ...


def _is_evaluator(cls: type) -> bool:
    wanted = ("name", "exact", "covers", "supports", "prepare", "action_values")
    return not getattr(cls, "_is_protocol", False) and all(hasattr(cls, name) for name in wanted)


EVALUATORS: Registry[Evaluator] = Registry("evaluator", "ludometer.solvers", _is_evaluator)


def exact_evaluator(game: AnyGame) -> Evaluator:
    """An evaluator with proven values for this game.

    Raises:
        ConfigurationError: there is none; the message names what there is.
    """
    for cls in EVALUATORS.all().values():
        evaluator = cls()
        if evaluator.exact and evaluator.supports(game):
            return evaluator
    raise ConfigurationError(f"there are no exact values for {game!r}; there are for {covered_exactly()}")


def covered_exactly() -> str:
    """The games with proven values, in words."""
    return "; ".join(cls.covers for cls in EVALUATORS.all().values() if cls.exact)
