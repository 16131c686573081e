"""Equilibrium strategies of the games that are small enough, computed once and kept in the cache folder."""

from __future__ import annotations

import asyncio
import io
from hashlib import blake2b
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from ludometer.core import AnyGame, Chance, ConfigurationError, InternalError, Observation
from ludometer.games.liars_dice import LiarsDice
from ludometer.games.openspiel import OpenSpiel
from ludometer.solvers.cfr import Strategy, solve
from ludometer.solvers.cfr_trees import Tree, information_key, tree_of_engine, tree_of_game
from ludometer.solvers.compute import run_killable
from ludometer.solvers.tables import read_table, write_table

__all__ = ["SOLVED", "Policy", "check_solvable", "key_of", "layout", "policy_of", "solved"]

SOLVED: Final = "liars_dice (dice=1, a single round), openspiel:kuhn_poker and openspiel:leduc_poker, for two players"
"""The games with an equilibrium strategy, in words."""

_ITERATIONS: Final = 3000
_TARGET: Final = 1e-4
"""Exploitability, in the game's payoffs, that is good enough."""
_ENGINES: Final = frozenset({((2, 2), "kuhn_poker"), ((2, 2), "leduc_poker")})


class Policy(NamedTuple):
    """A strategy by what a player knows.

    Attributes:
        digests: shape (K,), sorted: of the information states.
        starts: shape (K + 1,): where the probabilities of each begin.
        odds: the probabilities, in the order of the game's legal actions.
        exploitability, value, iterations: see `ludometer.solvers.cfr.Solution`.
    """

    digests: npt.NDArray[np.uint64]
    starts: npt.NDArray[np.int64]
    odds: npt.NDArray[np.float64]
    exploitability: float
    value: float
    iterations: int

    def probabilities(self, key: str) -> npt.NDArray[np.float64]:
        """Of the legal actions, in their order.

        Raises:
            InternalError: the strategy does not know the information state.
        """
        digest = _digest(key)
        place = int(np.searchsorted(self.digests, digest))
        if place == len(self.digests) or self.digests[place] != digest:
            raise InternalError(f"the equilibrium strategy does not know the position {key[:200]}")
        return self.odds[self.starts[place] : self.starts[place + 1]]

    def strategy(self, tree: Tree) -> Strategy:
        """The probabilities as an array over a tree of the same game."""
        return np.concatenate([self.probabilities(key) for key in tree.keys])


def check_solvable(game: AnyGame) -> None:
    """Raises `ConfigurationError` for a game without an equilibrium strategy, naming what has one."""
    if isinstance(game, LiarsDice) and game.dice == 1 and game.rounds == "single":
        return
    if isinstance(game, OpenSpiel) and (game.players, _engine_name(game)) in _ENGINES:
        return
    raise ConfigurationError(f"there is no equilibrium strategy for {game!r}; there is for {SOLVED}")


def _engine_name(game: OpenSpiel) -> str:
    return str(game.engine_rules.get_type().short_name)


def layout(game: AnyGame) -> Tree:
    """The tree of a solvable game. Raises `ConfigurationError` for any other."""
    check_solvable(game)
    return tree_of_engine(game.engine_rules) if isinstance(game, OpenSpiel) else tree_of_game(game)


def key_of(game: AnyGame, observation: Observation) -> str:
    """The information state of a seat's observation, as the keys of `layout` write it."""
    if isinstance(game, OpenSpiel):
        return f"{game.seats.index(str(observation.viewer))}|{observation.data['history']}"
    return information_key(observation)


# -------------------------------------------------------------------- getting

_policies: dict[str, Policy] = {}
_builds: dict[tuple[asyncio.AbstractEventLoop, str], asyncio.Task[Policy]] = {}


def solved(game: AnyGame) -> Policy:
    """The strategy of a game: from memory, from the cache folder, or computed (up to half a minute) and put there.

    Raises:
        ConfigurationError: the game has none.
    """
    check_solvable(game)
    return _load(_file_name(game)) or _keep(_file_name(game), _solve_to_disk(game))


async def policy_of(game: AnyGame) -> Policy:
    """`solved` that does not hold up the event loop: what is not in the cache is computed in a child process.

    Players that need the same strategy wait for one child.
    """
    check_solvable(game)
    name = _file_name(game)
    if name in _policies:
        return _policies[name]
    key = (asyncio.get_running_loop(), name)
    if key not in _builds:
        _builds[key] = asyncio.create_task(_build(name, game))
        _builds[key].add_done_callback(lambda _: _builds.pop(key))
    return await asyncio.shield(_builds[key])


async def _build(name: str, game: AnyGame) -> Policy:
    found = await asyncio.to_thread(_load, name)
    return found or _keep(name, await run_killable(_solve_to_disk, game))


def _solve_to_disk(game: AnyGame) -> bytes:
    """Solves a game, fills the cache where it can be written, and returns the file's content."""
    tree = layout(game)
    solution = solve(tree, iterations=_ITERATIONS, target=_TARGET)
    digests = np.array([_digest(key) for key in tree.keys], dtype=np.uint64)
    order = np.argsort(digests)
    places = np.concatenate([np.arange(tree.offset[i], tree.offset[i] + tree.actions[i]) for i in order])
    content = io.BytesIO()
    np.savez(
        content,
        digests=digests[order],
        starts=np.concatenate([[0], np.cumsum(tree.actions[order])]),
        odds=solution.strategy[places],
        facts=np.array([solution.exploitability, solution.value, solution.iterations]),
    )
    write_table(_file_name(game), np.frombuffer(content.getvalue(), dtype=np.int8))
    return content.getvalue()


def _load(name: str) -> Policy | None:
    if name not in _policies:
        content = read_table(name, None)
        return None if content is None else _keep(name, content.tobytes())
    return _policies[name]


def _keep(name: str, content: bytes) -> Policy:
    with np.load(io.BytesIO(content), allow_pickle=False) as arrays:
        exploitability, value, iterations = map(float, arrays["facts"])
        policy = Policy(arrays["digests"], arrays["starts"], arrays["odds"], exploitability, value, int(iterations))
    return _policies.setdefault(name, policy)


def _file_name(game: AnyGame) -> str:
    """Named by the game and by how it shows positions: a strategy is found by those."""
    parts = [repr(game), str(_TARGET), *_line(game)]
    return f"cfr-{game.name}-{blake2b(chr(0).join(parts).encode(), digest_size=8).hexdigest()}.v1.table"


def _line(game: AnyGame) -> list[str]:
    """What the players know along one line of play."""
    state, keys = game.new(2, Chance(0)), []
    while seats := game.to_act(state):
        keys.append(key_of(game, game.observe(state, seats[0])))
        state = game.apply(state, {seats[0]: (game.legal(state, seats[0]) or ())[-1 if len(keys) > 3 else 0]})
    return keys


def _digest(key: str) -> np.uint64:
    return np.uint64(int.from_bytes(blake2b(key.encode(), digest_size=8).digest(), "little"))
