"""Flat Monte Carlo: every action is followed by random playouts, and no tree grows (Abramson, 1990).

All actions meet the same imagined states and the same luck, so that what tells them apart is the actions.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ludometer.core import AnyGame, Chance, Seat, placement_scores
from ludometer.games._openspiel import OpenSpielGame
from ludometer.games.uno import Uno
from ludometer.games.uno.kernel import packed, playouts
from ludometer.solvers.estimates import ActionValue
from ludometer.solvers.uct import playout
from ludometer.solvers.uno_judge import judgement_of

__all__ = ["flat_values"]


def flat_values(
    game: AnyGame, worlds: Sequence[Any], seat: Seat, rollouts: int, chance: Chance
) -> dict[Any, ActionValue]:
    """The mean score of each action of ``seat``, which is to act, and its standard error.

    Args:
        worlds: imagined states that the seat cannot tell from the true one; the playouts are spread over them. UNO
            needs one: its playouts deal the hidden cards anew each time.
        rollouts: playouts of each action.
        chance: the luck of it all.
    """
    if isinstance(game, Uno):
        return _in_uno(game, worlds[0], rollouts, chance)
    actions = list(game.legal(worlds[0], seat) or ())
    scores = np.zeros((len(actions), rollouts))
    for i in range(rollouts):
        world, luck = worlds[i % len(worlds)], chance.named("playout", i)
        for k, action in enumerate(actions):
            scores[k, i] = _scores(game, game.apply(world, {seat: action}), luck)[seat]
    # With two more playouts, one won and one lost: no error is zero just because all came to the same.
    added = np.concatenate([scores, np.tile([0.0, 1.0], (len(actions), 1))], axis=1)
    errors = added.std(axis=1) / np.sqrt(rollouts)
    found = zip(actions, scores.mean(axis=1).tolist(), errors.tolist(), strict=True)
    return {action: ActionValue(value, False, error) for action, value, error in found}


def _scores(game: AnyGame, state: Any, chance: Chance) -> Mapping[Seat, float]:
    if isinstance(game, OpenSpielGame):
        payoffs = game.rollout(state, chance)
        return dict(zip(game.seats, placement_scores(payoffs), strict=True))
    return playout(game, state, chance)


def _in_uno(game: Uno, world: Any, rollouts: int, chance: Chance) -> dict[Any, ActionValue]:
    actions = list(game.legal(world, str(world.player + 1)))
    position = packed(world, game.rule_options, viewer=world.player)
    done = playouts(position, actions, rollouts=rollouts, seed=chance.bits()[0])
    found = judgement_of(done, actions, world.player)
    values = zip(actions, found.values.tolist(), found.errors.tolist(), strict=True)
    return {action: ActionValue(value, False, error) for action, value, error in values}
