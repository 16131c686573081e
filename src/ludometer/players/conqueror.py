"""A player of Risk that attacks where the odds are good."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, NamedTuple

from ludometer.core import AnyGame, ConfigurationError, Decision, Turn
from ludometer.games.risk import Order, Orders, Risk, State
from ludometer.games.risk.legality import legal_orders, may_trade
from ludometer.games.risk.lists import LONGEST
from ludometer.games.risk.moves import apply_order, movable, own_mask
from ludometer.games.risk.settings import Settings
from ludometer.solvers.risk_odds import conquest_odds

__all__ = ["ConquerorPlayer", "chosen_order"]


class ConquerorPlayer:
    """Attacks as long as the exact odds of a conquest are at least ``threshold``.

    It trades in cards as soon as it can, puts all new armies where they make the best attack, prefers territories that
    complete a continent or eliminate a player, moves everything forward, and fortifies the front from behind it.

    Args:
        threshold: odds of a conquest from which it attacks.
    """

    name: ClassVar[str] = "conqueror"
    description: ClassVar[str] = "Risk: attacks where the exact odds of a conquest are good"

    def __init__(self, threshold: float = 0.65) -> None:
        if not 0 < threshold <= 1:
            raise ValueError(f"threshold must be above 0 and at most 1, not {threshold:g}")
        self.threshold = threshold

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for every game but Risk."""
        if not isinstance(game, Risk):
            raise ConfigurationError(f"conqueror plays risk, not {game.title}; random and mcts play others")

    async def act(self, turn: Turn) -> Decision:
        self.supports(turn.game)
        settings = turn.game.settings  # type: ignore[attr-defined]
        # The board and its own cards are all it looks at, and those are the same in whatever it imagines.
        state: State = turn.imagine(turn.chance)
        if settings.listed:
            return Decision(_list(settings, state, self.threshold))
        return Decision(chosen_order(settings, state, self.threshold))


def _list(settings: Settings, state: State, threshold: float) -> Orders:
    """The orders up to the first attack: what comes then depends on the dice."""
    player, orders = state.player, list[Order]()
    while state.player == player and state.phase != "over" and len(orders) < LONGEST:
        order = chosen_order(settings, state, threshold)
        orders.append(order)
        if order.kind in ("attack", "pick", "fortify", "end"):
            break
        setup = state.phase == "place"
        state = apply_order(settings, state, order)
        if setup:
            break
    return Orders(tuple(orders))


def chosen_order(settings: Settings, state: State, threshold: float) -> Order:
    """The order that `ConquerorPlayer` gives. It depends on the board and the player's own cards only."""
    if state.phase == "pick":
        return max(legal_orders(settings, state), key=lambda order: _worth_picking(settings, state, order.target))
    if state.phase == "move":
        return Order("move", number=_moving(settings, state))
    if state.phase == "attack":
        return _attack(settings, state, threshold)
    if may_trade(settings, state):
        return next(order for order in legal_orders(settings, state) if order.kind == "trade")
    target = max(_attacks(settings, state, state.pending), default=None, key=lambda found: found.value)
    front = target.source if target is not None else state.owners.index(state.player)
    return Order("reinforce", target=front, number=state.pending)


def _worth_picking(settings: Settings, state: State, territory: int) -> tuple[float, int]:
    """Share of its continent that the player has already, then its own neighbours."""
    members = settings.board.continents[settings.board.continent_of[territory]].members
    held = sum(state.owners[t] == state.player for t in members) / len(members)
    near = sum(state.owners[t] == state.player for t in settings.board.neighbours[territory])
    # An empty small continent is the easiest to hold.
    return held + 0.5 / len(members), near


class _Attack(NamedTuple):
    source: int
    target: int
    odds: float
    value: float


def _attacks(settings: Settings, state: State, more: int = 0) -> Iterator[_Attack]:
    """Every attack that is possible, with ``more`` armies where it starts."""
    board, player = settings.board, state.player
    own = own_mask(state.owners, player)
    for source, armies in enumerate(state.armies):
        if not own >> source & 1 or armies + more < 2:
            continue
        for target in board.neighbours[source]:
            if not own >> target & 1:
                odds = conquest_odds(armies + more - 1, state.armies[target])
                yield _Attack(source, target, odds, odds * _gain(settings, state, own, target))


def _gain(settings: Settings, state: State, own: int, target: int) -> float:
    """What a conquest is worth: a territory, more where it helps to complete a continent or breaks that of another,
    and much more where it eliminates a player."""
    continent = settings.board.continents[settings.board.continent_of[target]]
    missing = (continent.mask & ~own).bit_count()
    owner = state.owners[target]
    gain = 1.0 + continent.bonus / missing
    if all(state.owners[t] == owner for t in continent.members):
        gain += continent.bonus / 2
    if owner < state.n and state.owners.count(owner) == 1:
        gain += 3 + len(state.hands[owner])
    return gain


def _attack(settings: Settings, state: State, threshold: float) -> Order:
    good = [found for found in _attacks(settings, state) if found.odds >= threshold]
    if not good:
        return _fortification(settings, state)
    best = max(good, key=lambda found: found.value)
    dice = 0 if settings.blitz else min(3, state.armies[best.source] - 1)
    return Order("attack", best.source, best.target, dice)


def _threat(settings: Settings, state: State, territory: int) -> int:
    """Foreign armies next to a territory."""
    near = settings.board.neighbours[territory]
    return sum(state.armies[t] for t in near if state.owners[t] != state.player)


def _moving(settings: Settings, state: State) -> int:
    """Everything moves on, unless only the territory it came from has enemies left."""
    assert state.moving is not None
    ahead = _threat(settings, state, state.moving.target)
    behind = _threat(settings, state, state.moving.source)
    return state.moving.least if behind and not ahead else movable(state)


def _fortification(settings: Settings, state: State) -> Order:
    """The largest army without an enemy beside it goes to the most threatened territory that it can reach."""
    idle = [
        order
        for order in legal_orders(settings, state)
        if order.kind == "fortify"
        and order.number == state.armies[order.source] - 1
        and not _threat(settings, state, order.source)
        and _threat(settings, state, order.target)
    ]
    if not idle:
        return Order("end")
    return max(idle, key=lambda order: (order.number, _threat(settings, state, order.target)))
