"""Pairs of states of an OpenSpiel game that a seat must not be able to tell apart, found without looking at texts.

A pair is a random game and the same game with something changed that the seat did not do: another chance outcome or
another player's move, the rest replayed. What the seat can tell is decided by the engine's tensors of the state, an
encoding made apart from the texts that observations show, where it has them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice, product
from typing import Any, NamedTuple

import pyspiel

from ludometer.core import Chance
from ludometer.games._openspiel import advance

__all__ = ["Twins", "twins"]

_GAMES = 6
_TRIES = 1000
"""Changes tried per player and game."""
_OTHERS = 200
"""Other actions tried at one place."""


class Twins(NamedTuple):
    """Two histories after which ``player`` knows the same."""

    one: tuple[int, ...]
    other: tuple[int, ...]
    player: int


class _Step(NamedTuple):
    """A recorded action: who took it (chance has a negative number), and whether others acted at the same time."""

    player: int
    action: int


def twins(rules: Any, chance: Chance, wanted: int = 6) -> list[Twins]:
    """Up to ``wanted`` pairs for different players and depths; none where nothing could be found."""
    senses = _senses(rules.get_type())
    found: list[Twins] = []
    if not senses:
        return found
    if rules.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS:
        for i in range(_GAMES):
            found += _joint_pairs(rules, chance.named("game", i), senses)
        return found[:wanted]
    for i in range(_GAMES):
        luck = chance.named("game", i)
        steps = _random_game(rules, luck)
        players = {pair.player for pair in found}
        order = sorted(range(rules.num_players()), key=lambda player: (player in players, player))
        for player in order:
            found += _pair(rules, steps, player, luck, senses)
            if len(found) >= wanted:
                return found
    return found


def _senses(kind: Any) -> list[str]:
    """The engine's methods that tell what a player knows: for every text that is shown, the tensor made apart from it.

    A few games have no tensor; there the text itself must do, and only what is built on it is really tested.
    """
    senses = []
    if kind.provides_information_state_string:
        tensor = kind.provides_information_state_tensor
        senses.append("information_state_tensor" if tensor else "information_state_string")
    if kind.provides_observation_string:
        senses.append("observation_tensor" if kind.provides_observation_tensor else "observation_string")
    return senses


def _random_game(rules: Any, luck: Chance) -> list[_Step]:
    """A random game without its last move."""
    engine = rules.new_initial_state()
    steps: list[_Step] = []
    while not engine.is_terminal() and len(steps) < 60:
        if engine.is_simultaneous_node():
            break
        if engine.is_chance_node():
            actions = [action for action, _ in engine.chance_outcomes()]
        else:
            actions = engine.legal_actions()
        action, luck = luck.choice(actions)
        steps.append(_Step(engine.current_player(), action))
        engine.apply_action(action)
    return steps


def _pair(rules: Any, steps: Sequence[_Step], player: int, luck: Chance, senses: Sequence[str]) -> Iterator[Twins]:
    """At most one pair for a player: the longest beginning of the game comes first, changes in random order."""
    tries = 0
    for length, engine in reversed(_decisions(rules, steps, player)):
        start = steps[:length]
        known = _known(engine, player, senses)
        for place in luck.named("places", length, player).shuffled(range(length))[0]:
            if start[place].player == player:
                continue
            for changed in _changes(rules, start, place, luck):
                tries += 1
                if changed is not None and _same(changed, player, known, senses):
                    pair = Twins(tuple(step.action for step in start), tuple(changed.history()), player)
                    if _memory(rules, pair.one, player, senses) == _memory(rules, pair.other, player, senses):
                        yield pair
                        return
                if tries >= _TRIES:
                    return


def _decisions(rules: Any, steps: Sequence[_Step], player: int) -> list[tuple[int, Any]]:
    """Where in the game the player was to act: the number of steps before, and the engine then."""
    engine = rules.new_initial_state()
    found = []
    for number, step in enumerate(steps):
        if number and step.player == player:
            found.append((number, engine.clone()))
        engine.apply_action(step.action)
    return found


def _changes(rules: Any, start: Sequence[_Step], place: int, luck: Chance) -> Iterator[Any]:
    """Engines after the same steps with another action at one place; None where that cannot be."""
    before = rules.new_initial_state()
    advance(before, [step.action for step in start[:place]])
    old = start[place].action
    others = [action for action in _possible(before) if action != old]
    for new in luck.named("others", place).shuffled(others)[0][:_OTHERS]:
        yield _replayed(before.clone(), start[place:], old, new)


def _possible(engine: Any) -> list[int]:
    if engine.is_chance_node():
        return [action for action, _ in engine.chance_outcomes()]
    return list(engine.legal_actions())


def _replayed(engine: Any, steps: Sequence[_Step], old: int, new: int) -> Any:
    """The engine after the steps, ``new`` in place of the first; a card dealt twice changes places with ``old``."""
    engine.apply_action(new)
    for step in steps[1:]:
        if engine.is_terminal() or engine.is_simultaneous_node() or engine.current_player() != step.player:
            return None
        possible = _possible(engine)
        action = step.action
        if action not in possible and step.player == pyspiel.PlayerId.CHANCE and action == new:
            action = old
        if action not in possible:
            return None
        engine.apply_action(action)
    return engine


def _same(engine: Any, player: int, known: list[Any], senses: Sequence[str]) -> bool:
    if engine.is_terminal() or engine.current_player() != player:
        return False
    return _known(engine, player, senses) == known


def _memory(rules: Any, history: Sequence[int], player: int, senses: Sequence[str]) -> list[Any]:
    """What a player with a perfect memory knew at every decision of its own, and what it did."""
    engine = rules.new_initial_state()
    memory: list[Any] = []
    for action in history:
        if not engine.is_chance_node() and engine.current_player() == player:
            memory += [_known(engine, player, senses), action]
        engine.apply_action(action)
    return memory


def _known(engine: Any, player: int, senses: Sequence[str]) -> list[Any]:
    return [list(getattr(engine, method)(player)) for method in senses]


# ---------------------------------------------------------- simultaneous moves


def _joint_pairs(rules: Any, luck: Chance, senses: Sequence[str]) -> Iterator[Twins]:
    """For each player at most one pair from a random game: another player moved otherwise in one of the joint moves."""
    groups = _random_groups(rules, luck)
    players = range(rules.num_players())
    for player in luck.named("players").shuffled(players)[0]:
        pairs = (
            Twins(_flat(groups[:length]), _flat(changed), player)
            for length in range(len(groups) - 1, 0, -1)
            for changed in _joint_changes(rules, groups[:length], player)
        )
        alike = (pair for pair in pairs if _alike(rules, pair, senses))
        yield from islice(alike, 1)


def _random_groups(rules: Any, luck: Chance) -> list[tuple[int, ...]]:
    """A random game: the actions of every joint move, and single actions elsewhere."""
    engine = rules.new_initial_state()
    groups: list[tuple[int, ...]] = []
    while not engine.is_terminal() and len(groups) < 60:
        if engine.is_simultaneous_node():
            group = []
            for player in range(engine.num_players()):
                action, luck = luck.choice(engine.legal_actions(player) or [0])
                group.append(action)
        else:
            action, luck = luck.choice(_possible(engine))
            group = [action]
        groups.append(tuple(group))
        advance(engine, group)
    return groups


def _joint_changes(rules: Any, groups: Sequence[tuple[int, ...]], player: int) -> Iterator[list[tuple[int, ...]]]:
    """The same joint moves, but that another player made one that it did not make, or two in the other order."""
    joint = [i for i, group in enumerate(groups) if len(group) > 1]
    for mover in range(rules.num_players()):
        if mover == player:
            continue
        made = [groups[i][mover] for i in joint]
        unmade = [action for action in range(rules.num_distinct_actions()) if action not in made]
        for place, action in product(joint, unmade):
            yield _replaced(groups, mover, {place: action})
        for one, other in combinations(joint, 2):
            yield _replaced(groups, mover, {one: groups[other][mover], other: groups[one][mover]})


def _replaced(groups: Sequence[tuple[int, ...]], mover: int, actions: Mapping[int, int]) -> list[tuple[int, ...]]:
    """The groups with other actions of one player, by place."""
    return [
        (*group[:mover], actions[i], *group[mover + 1 :]) if i in actions else group for i, group in enumerate(groups)
    ]


def _flat(groups: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    return tuple(action for group in groups for action in group)


def _alike(rules: Any, pair: Twins, senses: Sequence[str]) -> bool:
    """Whether the player knew the same at every joint move of both games, and both can be played."""
    known = [_joint_memory(rules, history, pair.player, senses) for history in (pair.one, pair.other)]
    return pair.one != pair.other and known[0] is not None and known[0] == known[1]


def _joint_memory(rules: Any, history: Sequence[int], player: int, senses: Sequence[str]) -> list[Any] | None:
    engine = rules.new_initial_state()
    memory: list[Any] = []
    place = 0
    while place < len(history):
        together = engine.is_simultaneous_node()
        group = list(history[place : place + (engine.num_players() if together else 1)])
        if together:
            if any(action not in engine.legal_actions(i) for i, action in enumerate(group) if engine.legal_actions(i)):
                return None
            memory += [_known(engine, player, senses), group[player]]
        elif engine.is_terminal() or group[0] not in _possible(engine):
            return None
        advance(engine, group)
        place += len(group)
    return [*memory, _known(engine, player, senses)] if engine.is_simultaneous_node() else None
