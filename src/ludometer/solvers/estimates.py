"""Values with how far they can be trusted, and the evaluator that fits a game best."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, runtime_checkable

from ludometer.core import AnyGame, ConfigurationError, Seat
from ludometer.core.registry import nearest
from ludometer.solvers.protocol import EVALUATORS, Evaluator

__all__ = ["ActionValue", "Estimator", "best_evaluator", "estimates_of"]


class ActionValue(NamedTuple):
    """What an action is worth.

    Attributes:
        value: expected score of the player to move, in [0, 1].
        exact: whether the value is proven.
        error: of an estimate, its standard error, as far as the evaluator knows it; None where it does not.
    """

    value: float
    exact: bool
    error: float | None = None


@runtime_checkable
class Estimator(Protocol):
    """An evaluator that tells which of its values are proven. Others are exact or not throughout."""

    def estimates(self, game: AnyGame, state: Any, seat: Seat) -> Mapping[Any, ActionValue]:
        """As ``Evaluator.action_values``, with how sure each value is."""
        ...


def estimates_of(evaluator: Evaluator, game: AnyGame, state: Any, seat: Seat) -> dict[Any, ActionValue]:
    """The values of all legal actions with how sure each is, whatever kind the evaluator is of."""
    if isinstance(evaluator, Estimator):
        return dict(evaluator.estimates(game, state, seat))
    values = evaluator.action_values(game, state, seat)
    return {action: ActionValue(float(value), evaluator.exact) for action, value in values.items()}


def best_evaluator(game: AnyGame, name: str | None = None) -> Evaluator:
    """The evaluator called ``name``, or the best there is: exact ones before others, estimates by play last.

    Raises:
        ConfigurationError: there is none, or the named one does not evaluate this game.
    """
    found = EVALUATORS.all()
    if name is not None:
        if name not in found:
            raise ConfigurationError(f"there is no evaluator {name!r}{nearest(name, found)}")
        evaluator = found[name]()
        if not evaluator.supports(game):
            raise ConfigurationError(f"the evaluator {name} cannot judge {game.title}; it is for {evaluator.covers}")
        return evaluator
    fitting = [evaluator for evaluator in (cls() for cls in found.values()) if evaluator.supports(game)]
    if not fitting:
        raise ConfigurationError(f"nothing can judge the moves of {game.title}; there are evaluators for {_covered()}")
    return min(fitting, key=lambda evaluator: (not evaluator.exact, getattr(evaluator, "general", False)))


def _covered() -> str:
    return "; ".join(cls.covers for cls in EVALUATORS.all().values())
