"""OpenSpiel: chance nodes against their mean, by the values of random play where the tree is small, or by the pips of
the dice in backgammon."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, ClassVar, Final

import pyspiel

from ludometer.core import AnyGame, Chance
from ludometer.games._openspiel import OpenSpielGame, SpielState

__all__ = ["MOST_POSITIONS", "ChanceNodes"]

MOST_POSITIONS: Final = 100_000
"""Trees up to this size are valued; more than a few seconds nobody would wait for."""

_ROLL = re.compile(r"roll: (\d)(\d)\)")
Node = tuple[int, ...]


class ChanceNodes:
    """Of every chance node: the value of what came, less the mean value of what could have come.

    The value of a position is what every player gets on average if all play at random from there: not how good players
    play, but fixed beforehand, and that is all that is needed for a mean of zero.
    """

    name: ClassVar[str] = "openspiel"
    titles: Sequence[str] = ("chance",)

    def refuses(self, game: AnyGame) -> str | None:
        if not isinstance(game, OpenSpielGame):
            return ""
        if not game.has_luck:
            return f"{game.title} has no luck in it."
        if _rolls(game.spec) or _values(game.spec) is not None:
            return None
        return (
            f"{game.title} has more than {MOST_POSITIONS:,} positions, or chance that OpenSpiel does not list, and "
            "nothing is known that values its chance events."
        )

    def terms(self, game: OpenSpielGame, states: Sequence[SpielState], luck: Chance) -> Sequence[Sequence[float]]:
        history = states[-1].history
        found = list(_pips(game.spec, history) if _rolls(game.spec) else _chances(game.spec, history))
        return [(sum(gain[seat] for gain in found),) for seat in range(len(game.seats))]


def _rolls(spec: str) -> bool:
    return spec.partition("(")[0] == "backgammon"


def _pips(spec: str, history: Sequence[int]) -> Iterator[tuple[float, float]]:
    """Pips that each roll gave beyond the mean; who begins is a roll of its own."""
    engine = pyspiel.load_game(spec).new_initial_state()
    for action in history:
        if engine.is_chance_node():
            outcomes = engine.chance_outcomes()
            after = engine.child(action)
            mover = after.current_player()
            first = any("starts" in engine.action_to_string(-1, one) for one, _ in outcomes)
            if first:
                # Both sides were as likely to begin: the mean of either side's pips is half of the roll's.
                mean = [sum(p * _count(engine, one, s) for one, p in outcomes) for s in (0, 1)]
                came = [_count(engine, action, s) for s in (0, 1)]
                gain = (came[0] - mean[0]) - (came[1] - mean[1])
                yield gain, -gain
            elif mover in (0, 1):
                gain = _roll_pips(engine, action) - sum(p * _roll_pips(engine, one) for one, p in outcomes)
                yield (gain, -gain) if mover == 0 else (-gain, gain)
        engine.apply_action(action)


def _count(engine: Any, action: int, player: int) -> float:
    """The pips of a first roll for a player: those of the roll where it begins, else none."""
    return _roll_pips(engine, action) if engine.child(action).current_player() == player else 0.0


def _roll_pips(engine: Any, action: int) -> float:
    found = _ROLL.search(engine.action_to_string(-1, action))
    if found is None:
        return 0.0
    one, two = int(found[1]), int(found[2])
    return float(4 * one if one == two else one + two)


def _chances(spec: str, history: Sequence[int]) -> Iterator[tuple[float, ...]]:
    values = _values(spec) or {}
    engine = pyspiel.load_game(spec).new_initial_state()
    for place, action in enumerate(history):
        if engine.is_chance_node():
            before, after = values[tuple(history[:place])], values[tuple(history[: place + 1])]
            yield tuple(b - a for a, b in zip(before, after, strict=True))
        engine.apply_action(action)


class _TooLarge(Exception):
    """A tree with too many positions."""


@lru_cache(maxsize=8)
def _values(spec: str) -> dict[Node, tuple[float, ...]] | None:
    """The value of every chance node and of what follows it, by history; None where there are too many."""
    rules = pyspiel.load_game(spec)
    kind = rules.get_type()
    if kind.dynamics != pyspiel.GameType.Dynamics.SEQUENTIAL:
        return None
    if kind.chance_mode != pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC:
        return None
    if rules.num_distinct_actions() > 10_000 or rules.max_game_length() > 200:
        return None
    kept: dict[Node, tuple[float, ...]] = {}
    seen = 0

    def value(engine: Any, node: Node, after_chance: bool) -> tuple[float, ...]:
        nonlocal seen
        seen += 1
        if seen > MOST_POSITIONS:
            raise _TooLarge
        if engine.is_terminal():
            found = tuple(map(float, engine.returns()))
        else:
            luck = engine.is_chance_node()
            actions = engine.legal_actions()
            outcomes = engine.chance_outcomes() if luck else [(action, 1 / len(actions)) for action in actions]
            total = [0.0] * rules.num_players()
            for action, share in outcomes:
                for i, gain in enumerate(value(engine.child(action), (*node, action), luck)):
                    total[i] += share * gain
            found = tuple(total)
        if after_chance or (not engine.is_terminal() and engine.is_chance_node()):
            kept[node] = found
        return found

    try:
        value(rules.new_initial_state(), (), False)
    except _TooLarge:
        return None
    return kept
