"""Monte Carlo tree search: UCT with random playouts (Kocsis & Szepesvari, 2006), and values estimated with it.

Games whose rules come from OpenSpiel are searched by its own search (which also proves results where the tree reaches
the end of the game); every other game by a search over `Game`, which is the same but slower.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final, NamedTuple

import pyspiel

from ludometer.core import AnyGame, Chance, ConfigurationError, InternalError, Seat
from ludometer.games._openspiel import Move, OpenSpielGame
from ludometer.solvers.estimates import ActionValue
from ludometer.solvers.uct import Arm, tree_search

__all__ = ["MctsEvaluator", "Searched", "check_searchable", "preferred", "search", "search_worlds"]

_MEMORY: Final = 200
"""Megabytes that OpenSpiel's search may use."""


class Searched(NamedTuple):
    """What a search found of an action: how often it was tried, its mean score in [0, 1], and whether that is proven
    (the mean is then the proven score)."""

    action: Any
    visits: int
    score: float
    proven: bool = False

    @property
    def error(self) -> float:
        """Largest standard error of a mean of scores in [0, 1], were the visits independent: an approximation."""
        mean = (self.score * self.visits + 0.5) / (self.visits + 1)
        return 0.0 if self.proven else math.sqrt(mean * (1 - mean) / max(self.visits, 1))


def check_searchable(game: AnyGame) -> None:
    """Raises `ConfigurationError` for a game that cannot be searched, saying why."""
    state = game.new(game.players[0], Chance.from_seed("searchable"))
    seats = game.to_act(state)
    if len(seats) != 1:
        raise ConfigurationError(f"{game.title} cannot be searched: its players decide at the same time")
    game.determinize(state, seats[0], Chance.from_seed("searchable"))
    if game.legal(state, seats[0]) is None:
        raise ConfigurationError(f"{game.title} cannot be searched: its moves cannot be listed")


def search(
    game: AnyGame, state: Any, seat: Seat, *, simulations: int, chance: Chance, exploration: float = 1.0
) -> list[Searched]:
    """Searches a state in which ``seat`` is to act, and returns what was found of each action that was tried.

    Args:
        simulations: playouts in all.
        chance: the luck of the search; the same luck gives the same result.
        exploration: UCT's constant, for scores in [0, 1].
    """
    if game.to_act(state) != (seat,):
        raise InternalError(f"seat {seat} is not to move in this position")
    if not isinstance(game, OpenSpielGame):
        return [Searched(*arm) for arm in tree_search(game, state, simulations, chance, exploration)]
    legal = list(game.legal(state, seat))
    if all(len(move.steps) == 1 for move in legal):
        found = _engine_search(game, state.engine, simulations, chance, exploration)
        return [Searched(Move((arm.action,)), arm.visits, arm.score, arm.proven) for arm in found]
    return list(_search_each(game, state, legal, simulations, chance, exploration))


def search_worlds(
    game: AnyGame, worlds: Sequence[Any], seat: Seat, simulations: int, chance: Chance, exploration: float
) -> list[Searched]:
    """Searches several imagined states, an equal share of the simulations in each, and adds up what was found.

    Hidden information and luck are averaged over, not reasoned about (determinization; see Long et al., 2010, on
    when that plays well).
    """
    share = max(1, simulations // len(worlds))
    totals: dict[Any, list[Searched]] = {}
    for i, world in enumerate(worlds):
        luck = chance.named("search", i)
        for found in search(game, world, seat, simulations=share, chance=luck, exploration=exploration):
            totals.setdefault(found.action, []).append(found)
    return [_added(action, found, len(worlds)) for action, found in totals.items()]


def _added(action: Any, found: list[Searched], worlds: int) -> Searched:
    visits = sum(one.visits for one in found)
    # An action can be proven without ever being tried: its weight must not be nothing then.
    weight = sum(max(one.visits, 1) for one in found)
    score = sum(max(one.visits, 1) * one.score for one in found) / weight
    proven = len(found) == worlds and all(one.proven and one.score == found[0].score for one in found)
    return Searched(action, visits, score, proven)


# ------------------------------------------------------------ OpenSpiel's search


def _engine_search(game: OpenSpielGame, engine: Any, simulations: int, chance: Chance, exploration: float) -> list[Arm]:
    """OpenSpiel's search from an engine's state: step, visits, mean score of the player to move, proven."""
    rules = engine.get_game()
    low, high = rules.min_utility(), rules.max_utility()
    seed, rest = chance.below(1 << 31)
    playouts = pyspiel.RandomRolloutEvaluator(1, rest.below(1 << 31)[0])
    constant = exploration * (high - low)
    # Its first simulation tries no action: it plays from the position itself.
    bot = pyspiel.MCTSBot(rules, playouts, constant, max(2, simulations), _MEMORY, True, seed, False)
    arms = []
    for child in bot.mcts_search(engine).children:
        proven = bool(child.outcome)
        if not proven and child.explore_count == 0:
            continue
        payoff = child.outcome[child.player] if proven else child.total_reward / child.explore_count
        arms.append(Arm(child.action, child.explore_count, (payoff - low) / (high - low), proven))
    return sorted(arms)


def _search_each(
    game: OpenSpielGame, state: Any, legal: Sequence[Move], simulations: int, chance: Chance, exploration: float
) -> Iterator[Searched]:
    """A search after each move: for moves of several steps, which OpenSpiel's search would take for several moves."""
    mover = state.engine.current_player()
    share = max(1, simulations // len(legal))
    for i, move in enumerate(legal):
        engine = state.engine.clone()
        for step in move.steps:
            engine.apply_action(step)
        yield Searched(move, *_after(game, engine, mover, share, chance.named("move", i), exploration))


def _after(
    game: OpenSpielGame, engine: Any, player: int, simulations: int, chance: Chance, exploration: float
) -> tuple[int, float, bool]:
    """Visits, score and proof of a position for an engine's player who has just moved: that of the best answer."""
    if engine.is_terminal():
        rules = engine.get_game()
        low, high = rules.min_utility(), rules.max_utility()
        return 1, (engine.returns()[player] - low) / (high - low), True
    best = preferred(_engine_search(game, engine, simulations, chance, exploration))
    # A proof holds for the best answer only where it wins, or where every answer is proven; OpenSpiel says neither.
    won = best.proven and best.score == 1.0
    own = engine.current_player() == player
    return max(best.visits, 1), best.score if own else 1 - best.score, won


def preferred(found: Sequence[Any]) -> Any:
    """The action to play: a proven win, else the one tried most, never a proven loss where there is another."""
    return max(found, key=lambda one: (one.score if one.proven else 0.5, one.visits, one.score))


# --------------------------------------------------------------------- values


class MctsEvaluator:
    """Values estimated by searching after every legal action (see `ludometer.solvers.estimates`).

    The value of an action is the mean score of the playouts through the answer that the search tried most. Its standard
    error tells of the playouts' luck alone: a short search also misses things, which no error shows.
    """

    name: ClassVar[str] = "mcts"
    exact: ClassVar[bool] = False
    general: ClassVar[bool] = True
    covers: ClassVar[str] = "every game with perfect information whose moves can be listed (estimates)"

    def __init__(self, simulations: int = 400) -> None:
        """``simulations`` are per action."""
        self.simulations = simulations

    def supports(self, game: AnyGame) -> bool:
        if not game.perfect_information or game.has_luck or game.players != (2, 2):
            return False
        try:
            check_searchable(game)
        except ConfigurationError:
            return False
        return True

    async def prepare(self, game: AnyGame) -> None:
        """Nothing is needed beforehand."""

    def action_values(self, game: AnyGame, state: Any, seat: Seat) -> dict[Any, float]:
        return {action: found.value for action, found in self.estimates(game, state, seat).items()}

    def estimates(self, game: AnyGame, state: Any, seat: Seat) -> dict[Any, ActionValue]:
        # The luck is the position's own, so that a position has the same values wherever it comes up.
        chance = Chance.from_seed(json.dumps(game.dump(state), sort_keys=True))
        values = {}
        for i, action in enumerate(game.legal(state, seat) or ()):
            after = game.apply(state, {seat: action})
            values[action] = self._value(game, after, seat, chance.named("action", i))
        return values

    def _value(self, game: AnyGame, after: Any, seat: Seat, chance: Chance) -> ActionValue:
        outcome = game.outcome(after)
        if outcome is not None:
            return ActionValue(outcome.scores[seat], True)
        (mover,) = game.to_act(after)
        found = search(game, after, mover, simulations=self.simulations, chance=chance)
        best = preferred(found)
        won = best.proven and best.score == 1.0
        score = best.score if mover == seat else 1 - best.score
        return ActionValue(score, won, None if won else max(best.error, 1e-9))
