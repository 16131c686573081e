"""Values with how far they can be trusted, and the evaluator that fits a game best."""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol, TypeAlias, runtime_checkable

import numpy as np
import numpy.typing as npt

from ludometer.core import AnyGame, ConfigurationError, Seat
from ludometer.core.registry import build
from ludometer.core.spec import Spec, parse_spec
from ludometer.solvers.protocol import EVALUATORS, Evaluator

__all__ = [
    "ActionValue",
    "Estimator",
    "Judge",
    "Judgement",
    "best_evaluator",
    "estimates_of",
    "evaluator_spec",
    "is_evaluator",
    "named_evaluator",
    "sees_hidden",
]

FloatArray: TypeAlias = npt.NDArray[np.float64]


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


class Judgement(NamedTuple):
    """Estimates for a position of every legal action for every seat, all with the same luck.

    Attributes:
        actions: the K legal ones, in the game's order.
        values: shape (K,): expected score of the player to move.
        errors: shape (K,): standard errors of the values.
        difference_errors: shape (K, K): standard errors of the differences of two values, which common luck makes
            smaller than the errors by themselves say; zero on the diagonal.
        rates: shape (K, seats): expected scores of all contestants' seats, in their order, after each action.
        rollouts: random continuations per action.
    """

    actions: tuple[Any, ...]
    values: FloatArray
    errors: FloatArray
    difference_errors: FloatArray
    rates: FloatArray
    rollouts: int


@runtime_checkable
class Estimator(Protocol):
    """An evaluator that tells which of its values are proven. Others are exact or not throughout."""

    def estimates(self, game: AnyGame, state: Any, seat: Seat) -> Mapping[Any, ActionValue]:
        """As ``Evaluator.action_values``, with how sure each value is."""
        ...


@runtime_checkable
class Judge(Protocol):
    """An evaluator that also tells what an action does to the other seats, and how sure differences are."""

    def judgement(self, game: AnyGame, state: Any, seat: Seat) -> Judgement:
        """As ``Evaluator.action_values``, for every seat."""
        ...


def estimates_of(evaluator: Evaluator, game: AnyGame, state: Any, seat: Seat) -> dict[Any, ActionValue]:
    """The values of all legal actions with how sure each is, whatever kind the evaluator is of."""
    if isinstance(evaluator, Estimator):
        return dict(evaluator.estimates(game, state, seat))
    values = evaluator.action_values(game, state, seat)
    return {action: ActionValue(float(value), evaluator.exact) for action, value in values.items()}


def named_evaluator(spec: str) -> Evaluator:
    """The evaluator that a name, or a name with options (``mcts:simulations=1000``), stands for.

    Raises:
        ConfigurationError: there is none, or it does not take such an option.
    """
    read = parse_spec(spec)
    cls, what = EVALUATORS.get(read.name), f"evaluator {read.name}"
    try:
        return build(cls, read.options, what=what)
    except ConfigurationError:
        # `pile=true` is read as a truth value, but may have been meant as the word.
        texts = {key: str(Spec("", {key: value})).partition("=")[2] for key, value in read.options.items()}
        with contextlib.suppress(ConfigurationError):
            return build(cls, texts, what=what)
        raise


def evaluator_spec(evaluator: Evaluator) -> str:
    """The evaluator's name with all its options, defaults included: what its values are kept under.

    Values of different options must never be taken for those of one evaluator, not even where a default changes from
    one version or machine to another. Options that do not bear on the values (``immaterial``) are left out.
    """
    return str(Spec(evaluator.name, _options(evaluator)))


def _options(evaluator: Evaluator) -> dict[str, Any]:
    cls = type(evaluator)
    immaterial = getattr(cls, "immaterial", ())
    options = {}
    for name, parameter in list(inspect.signature(cls.__init__).parameters.items())[1:]:
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD) or name in immaterial:
            continue
        options[name] = getattr(evaluator, name, parameter.default)
    return options


def is_evaluator(spec: str, wanted: str) -> bool:
    """Whether the name and options under which values are kept are those of the wanted evaluator.

    Args:
        spec: as `evaluator_spec` wrote it.
        wanted: a name, which stands for all options, or a name with some of the options.
    """
    kept, asked = parse_spec(spec), parse_spec(wanted)
    return kept.name == asked.name and asked.options.items() <= kept.options.items()


def sees_hidden(spec: str) -> bool:
    """Whether an evaluator uses what the player who moves cannot know. False for one that is not installed here."""
    cls = EVALUATORS.all().get(parse_spec(spec).name)
    return bool(getattr(cls, "sees_hidden", False))


def best_evaluator(game: AnyGame, spec: str | None = None) -> Evaluator:
    """The evaluator that ``spec`` names, or the best there is.

    Exact ones come before others, then those that use only what the player who moves can know, and estimates by a
    search for any game come last.

    Args:
        spec: a name, or a name with options, such as ``mcts:simulations=1000``.

    Raises:
        ConfigurationError: there is none, or the named one does not evaluate this game.
    """
    if spec is not None:
        evaluator = named_evaluator(spec)
        if not evaluator.supports(game):
            raise ConfigurationError(
                f"the evaluator {evaluator.name} cannot judge {game.title}; it is for {evaluator.covers}"
            )
        return evaluator
    fitting = [evaluator for evaluator in (cls() for cls in EVALUATORS.all().values()) if evaluator.supports(game)]
    if not fitting:
        raise ConfigurationError(f"nothing can judge the moves of {game.title}; there are evaluators for {_covered()}")
    return min(fitting, key=_order)


def _order(evaluator: Evaluator) -> tuple[bool, bool, bool]:
    general, hidden = getattr(evaluator, "general", False), getattr(evaluator, "sees_hidden", False)
    return not evaluator.exact, general, hidden


def _covered() -> str:
    return "; ".join(cls.covers for cls in EVALUATORS.all().values())
