"""Playing a batch of UNO games with a policy, and keeping what learns from it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ludometer.core import Chance
from ludometer.games.uno.cards import DECK
from ludometer.players import _uno_seen as seen
from ludometer.training.uno_tables import Ints, Tables

__all__ = ["Choose", "Decisions", "generator", "named_decks", "play_games", "shuffled_decks"]

Choose: TypeAlias = Callable[[seen.Rows], Ints]
"""From rows (see `ludometer.players._uno_seen`) to legal actions."""


class Decisions(NamedTuple):
    """What the policy decided where it had a choice, by game and seat, in order.

    Attributes:
        rows: what the seat knew, shape ``(n, seen.WIDTH)``.
        actions: what was played.
        best: what the policy thought best; it was not played where a random action was tried.
        last: whether it was the seat's last decision in its game.
        shares: the seat's share of the win in the end.
    """

    rows: seen.Rows
    actions: Ints
    best: Ints
    last: npt.NDArray[np.bool_]
    shares: npt.NDArray[np.float32]


def generator(chance: Chance) -> np.random.Generator:
    """A numpy generator for the stream of this name."""
    return np.random.Generator(np.random.PCG64(chance.key))


def shuffled_decks(count: int, rng: np.random.Generator) -> seen.Rows:
    """Decks for training, shape ``(count, 108)``."""
    return rng.permuted(np.tile(np.array(DECK, dtype=np.uint8), (count, 1)), axis=1)


def named_decks(chance: Chance, count: int) -> seen.Rows:
    """The decks that `ludometer.games.uno.state.deal` deals from ``chance.named("deck", i)``, ``i`` below ``count``."""
    decks = [chance.named("deck", i).named("deck").shuffled(DECK)[0] for i in range(count)]
    return np.array(decks, dtype=np.uint8).reshape(count, len(DECK))


def play_games(
    tables: Tables,
    chooses: npt.NDArray[np.bool_],
    choose: Choose,
    rng: np.random.Generator,
    *,
    explore: float = 0.0,
    keep: bool = True,
) -> Decisions:
    """Plays all games to their end.

    Args:
        tables: changed in place; their ``shares`` are the results.
        chooses: by game and seat, whether the policy plays it; a random player has the other seats.
        explore: how often the policy plays a random legal action instead.
        keep: whether the decisions are wanted; if not, none are returned.
    """
    kept: list[tuple[Ints, Ints, seen.Rows, Ints, Ints]] = []
    while len(games := np.flatnonzero(~tables.over)):
        rows = tables.rows(games)
        legal = seen.legal_mask(rows)
        actions: Ints = np.argmax(legal * (1 - rng.random(legal.shape, dtype=np.float32)), axis=1)
        seats = tables.player[games]
        own = np.flatnonzero(chooses[games, seats] & (legal.sum(axis=1) > 1))
        if len(own):
            best = choose(rows[own])
            sure = rng.random(len(own)) >= explore
            actions[own[sure]] = best[sure]
            if keep:
                kept.append((games[own], seats[own], rows[own], actions[own], best))
        tables.step(games, actions)
    return _sorted(kept, tables)


def _sorted(kept: list[tuple[Ints, Ints, seen.Rows, Ints, Ints]], tables: Tables) -> Decisions:
    if not kept:
        nothing = np.zeros(0, dtype=np.int64)
        return Decisions(np.zeros((0, seen.WIDTH), np.uint8), nothing, nothing, nothing > 0, nothing.astype(np.float32))
    games, seats, rows, actions, best = (np.concatenate(part) for part in zip(*kept, strict=True))
    group = games * tables.n + seats
    order = np.argsort(group, kind="stable")
    group = group[order]
    last = np.append(group[1:] != group[:-1], True)[: len(group)]
    shares = tables.shares[games[order], seats[order]].astype(np.float32)
    return Decisions(rows[order], actions[order], best[order], last, shares)
