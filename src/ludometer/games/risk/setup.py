"""The beginning: who owns what, and with how many armies."""

from __future__ import annotations

from ludometer.core import Chance
from ludometer.games.risk.cards import BONUS, series_value
from ludometer.games.risk.settings import Settings
from ludometer.games.risk.state import FREE, State
from ludometer.games.risk.turns import begin_turn

__all__ = ["longest", "start"]

_FIXED_MOST = 10
"""What a set is worth at most in the fixed series."""


def start(settings: Settings, n: int, chance: Chance) -> State:
    """The first state. With two players a neutral army has a third of the territories and as many armies as a player,
    spread evenly."""
    board = settings.board
    deck, _ = chance.named("deck", 0).shuffled(range(board.cards))
    owners, armies = _dealt(settings, n, chance)
    state = State(
        owners=tuple(owners),
        armies=tuple(armies),
        hands=((),) * n,
        deck=deck,
        discards=(),
        round=0,
        player=0,
        phase="place",
        pending=0,
        reserves=tuple(board.armies[n - 2] - _placed(owners, armies, player) for player in range(n)),
        conquered=False,
        moving=None,
        trades=0,
        bonus_used=False,
        midturn=False,
        rolls=0,
        shuffles=0,
        out=(),
        log=(),
        chance=chance,
    )
    if settings.placement == "picked":
        return state._replace(phase="pick")
    if settings.placement == "placed":
        return state._replace(pending=min(settings.at_a_time, state.reserves[0]))
    return begin_turn(board, state, 0, 1)


def longest(settings: Settings, n: int) -> int:
    """A bound on the decisions of a game.

    Every order but a trade, a pick, a move and the last one of a turn places or destroys an army; a move follows an
    attack; a turn draws at most one card, and three cards make a set. So the armies that can ever come bound the rest.
    """
    board = settings.board
    turns = n * settings.max_turns
    sets = turns // 3 + 1
    per_turn = len(board.names) // 3 + sum(continent.bonus for continent in board.continents) + BONUS
    value = sum(max(series_value(number), _FIXED_MOST) for number in range(sets))
    armies = (n + 1) * board.armies[n - 2] + turns * per_turn + value
    return 3 * armies + turns + sets + len(board.names)


def _placed(owners: list[int], armies: list[int], player: int) -> int:
    return sum(count for owner, count in zip(owners, armies, strict=True) if owner == player)


def _dealt(settings: Settings, n: int, chance: Chance) -> tuple[list[int], list[int]]:
    """Owners and armies before anybody has decided anything."""
    board = settings.board
    size = len(board.names)
    order, _ = chance.named("territories").shuffled(range(size))
    parties = 3 if n == 2 else n
    owners, armies = [FREE] * size, [0] * size
    for party in range(parties):
        own = order[party::parties]
        if settings.placement == "picked" and party < n:
            continue
        by_luck = settings.placement == "dealt" or party >= n
        each, more = divmod(board.armies[n - 2], len(own)) if by_luck else (1, 0)
        for i, territory in enumerate(own):
            owners[territory] = party
            armies[territory] = each + (i < more)
    return owners, armies
