"""What decisions in UNO are worth: the expected share of the win when everybody goes on at random.

Two judges. ``uno_omniscient`` sees all hands, as in the published study (Qin et al., "UNO Arena", 2024, section 3.3).
``uno_fair`` sees what the player who decides can know, and averages over the hidden cards. Both play on with the same
luck after every action of a position, which makes differences more certain than the values are by themselves.
"""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from typing import Any, ClassVar, Literal

import numpy as np

from ludometer.core import AnyGame, Chance, Seat
from ludometer.games.uno import Uno
from ludometer.games.uno.kernel import UNITS, Packed, Playouts, packed, playouts, seed_of
from ludometer.games.uno.state import Action, State, deal
from ludometer.solvers.estimates import ActionValue, FloatArray, Judgement

__all__ = ["UnoFair", "UnoOmniscient", "judged", "judgement_of"]

_Z = 1.96
"""Two actions are told apart when their values differ by more than this many standard errors of the difference."""


def judged(position: Packed, actions: list[Action], mover: int, rollouts: int, limit: int = 0) -> Judgement:
    """Playouts of a position after each of the actions, the luck being the position's own.

    Args:
        mover: index of the seat that is to act.
        rollouts: of each action.
        limit: while the best two actions are not told apart, the playouts are doubled, up to this number; 0: never.
            Stopping where a difference shows overstates it slightly.
    """
    seed = seed_of(position)
    done = playouts(position, actions, rollouts=rollouts, seed=seed)
    judgement = judgement_of(done, actions, mover)
    while done.rollouts < limit and not _told_apart(judgement):
        more = min(done.rollouts, limit - done.rollouts)
        done = done.merged(playouts(position, actions, rollouts=more, seed=seed, first=done.rollouts))
        judgement = judgement_of(done, actions, mover)
    return judgement


def _told_apart(judgement: Judgement) -> bool:
    if len(judgement.actions) < 2:
        return True
    second, best = np.argsort(judgement.values)[-2:]
    difference = judgement.values[best] - judgement.values[second]
    return bool(difference > _Z * judgement.difference_errors[best, second])


def judgement_of(done: Playouts, actions: list[Action], mover: int) -> Judgement:
    """Values with their standard errors.

    Variances are those of the playouts and two more, one for either extreme: no error is zero just because all playouts
    came to the same.
    """
    n = done.rollouts
    sums = done.units[:, mover] / UNITS
    squares = done.products / UNITS**2
    own = np.diagonal(squares)
    variances = (own + 1) / (n + 2) - ((sums + 1) / (n + 2)) ** 2
    differences = sums[:, None] - sums[None, :]
    spread = own[:, None] + own[None, :] - 2 * squares
    difference_variances = (spread + 2) / (n + 2) - (differences / (n + 2)) ** 2
    np.fill_diagonal(difference_variances, 0.0)
    return Judgement(
        actions=tuple(actions),
        values=sums / n,
        errors=np.sqrt(variances / n),
        difference_errors=np.sqrt(difference_variances / n),
        rates=done.rates,
        rollouts=n,
    )


class _UnoJudge(ABC):
    """What both judges share; see `ludometer.solvers.estimates` for what they return."""

    exact: ClassVar[bool] = False

    def __init__(self, rollouts: int, limit: int) -> None:
        if rollouts < 1:
            raise ValueError(f"rollouts must be at least 1, not {rollouts}")
        if limit and limit < rollouts:
            raise ValueError(f"limit must be 0 (no more than the rollouts) or at least {rollouts}, not {limit}")
        self.rollouts, self.limit = rollouts, limit

    def supports(self, game: AnyGame) -> bool:
        return isinstance(game, Uno)

    async def prepare(self, game: AnyGame) -> None:
        """Compiles the playouts, or loads them from where an earlier process kept them."""
        await asyncio.to_thread(_warm)

    def judgement(self, game: AnyGame, state: Any, seat: Seat) -> Judgement:
        mover = int(seat) - 1
        return judged(self._packed(game, state), list(game.legal(state, seat) or ()), mover, self.rollouts, self.limit)

    def rates(self, game: AnyGame, state: Any) -> FloatArray:
        """Shape (seats,): expected share of the win of every seat before the decision that is to be made."""
        position = self._packed(game, state)
        rates: FloatArray = playouts(position, [None], rollouts=self.rollouts, seed=seed_of(position)).rates[0]
        return rates

    def estimates(self, game: AnyGame, state: Any, seat: Seat) -> dict[Action, ActionValue]:
        found = self.judgement(game, state, seat)
        values = zip(found.actions, found.values.tolist(), found.errors.tolist(), strict=True)
        return {action: ActionValue(value, False, error) for action, value, error in values}

    def action_values(self, game: AnyGame, state: Any, seat: Seat) -> dict[Action, float]:
        return {action: value.value for action, value in self.estimates(game, state, seat).items()}

    @abstractmethod
    def _packed(self, game: AnyGame, state: State) -> Packed:
        """The position as this judge sees it."""


def _warm() -> None:
    game = Uno()
    state = deal(2, Chance(0), game.rule_options)
    playouts(packed(state, game.rule_options, viewer=state.player), [None], rollouts=1, seed=0)


class UnoOmniscient(_UnoJudge):
    """Plays on with the true hands.

    Args:
        rollouts: random continuations of each action.
        pile: in its ``true`` order, so that only what players do is random, or ``reshuffled`` for every continuation.
        limit: see `judged`.
    """

    name: ClassVar[str] = "uno_omniscient"
    covers: ClassVar[str] = "UNO, all hands known (estimates)"
    sees_hidden: ClassVar[bool] = True

    def __init__(self, rollouts: int = 1000, pile: Literal["true", "reshuffled"] = "true", limit: int = 0) -> None:
        super().__init__(rollouts, limit)
        if pile not in ("true", "reshuffled"):
            raise ValueError(f"pile must be true or reshuffled, not {pile!r}")
        self.pile: Literal["true", "reshuffled"] = pile

    def _packed(self, game: AnyGame, state: State) -> Packed:
        return packed(state, game.rule_options, pile=self.pile)  # type: ignore[attr-defined]


class UnoFair(_UnoJudge):
    """Deals the hidden cards anew for every continuation, from what the player who decides can know.

    Args:
        rollouts: random continuations of each action.
        limit: see `judged`.
    """

    name: ClassVar[str] = "uno_fair"
    covers: ClassVar[str] = "UNO, with what the player knows (estimates)"

    def __init__(self, rollouts: int = 1000, limit: int = 0) -> None:
        super().__init__(rollouts, limit)

    def _packed(self, game: AnyGame, state: State) -> Packed:
        return packed(state, game.rule_options, viewer=state.player)  # type: ignore[attr-defined]
