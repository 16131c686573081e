"""Turns: what a player gets at the beginning, the card at the end, and who is next."""

from __future__ import annotations

from ludometer.games.risk.board import RiskMap
from ludometer.games.risk.state import Log, State

__all__ = ["begin_turn", "draw_card", "next_turn", "ranking", "reinforcements"]

_LEAST = 3
_PER_ARMY = 3


def reinforcements(board: RiskMap, owners: tuple[int, ...], player: int) -> int:
    """Armies at the beginning of a turn: a third of the territories, rounded down, at least 3, and the bonus of every
    continent held whole."""
    armies = max(_LEAST, owners.count(player) // _PER_ARMY)
    for continent in board.continents:
        members = continent.members
        if owners[members.start : members.stop].count(player) == len(members):
            armies += continent.bonus
    return armies


def begin_turn(board: RiskMap, state: State, player: int, number: int) -> State:
    """The state in which ``player`` begins its turn in round ``number``."""
    armies = reinforcements(board, state.owners, player)
    return state._replace(
        player=player,
        round=number,
        phase="reinforce",
        pending=armies,
        conquered=False,
        moving=None,
        bonus_used=False,
        midturn=False,
        rolls=0,
        log=(*state.log, Log("turn", player, (number, armies))),
    )


def draw_card(state: State) -> State:
    """The player draws a card. An empty deck is made of the discards, shuffled; where there are none either, there is
    no card."""
    deck, discards, shuffles = state.deck, state.discards, state.shuffles
    if not deck:
        if not discards:
            return state
        shuffles += 1
        deck, _ = state.chance.named("deck", shuffles).shuffled(discards)
        discards = ()
    hands = list(state.hands)
    hands[state.player] = tuple(sorted((*hands[state.player], deck[-1])))
    log = (*state.log, Log("drew", state.player, (deck[-1],)))
    return state._replace(deck=deck[:-1], discards=discards, shuffles=shuffles, hands=tuple(hands), log=log)


def next_turn(board: RiskMap, state: State, max_turns: int) -> State:
    """The next player's turn, or the end where everybody has had ``max_turns``."""
    following = [(state.player + step) % state.n for step in range(1, state.n)]
    player = next(other for other in following if other not in state.out)
    number = state.round + (player < state.player)
    if number > max_turns:
        return state._replace(phase="over", pending=0)
    return begin_turn(board, state, player, number)


def ranking(state: State) -> list[tuple[int, int, int]]:
    """By player, what its place in the end is decided by: larger is better. Survivors come before the eliminated, by
    territories, then by armies; of the eliminated, who held out longer."""
    found = []
    for player in range(state.n):
        if player in state.out:
            found.append((0, state.out.index(player), 0))
        else:
            armies = sum(c for owner, c in zip(state.owners, state.armies, strict=True) if owner == player)
            found.append((1, state.owners.count(player), armies))
    return found
