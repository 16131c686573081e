"""Risk: the dice of every roll against all throws of the same dice."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from ludometer.analysis.risk import roll_luck
from ludometer.core import AnyGame, Chance
from ludometer.games.risk import Risk, State

__all__ = ["BattleLuck"]


class BattleLuck:
    """Armies that the dice gave or took beyond the mean, as a share of all armies on the board before the decision."""

    name: ClassVar[str] = "risk"
    titles: Sequence[str] = ("dice",)

    def refuses(self, game: AnyGame) -> str | None:
        return None if isinstance(game, Risk) else ""

    def terms(self, game: Risk, states: Sequence[State], luck: Chance) -> Sequence[Sequence[float]]:
        n = len(states[0].hands)
        found = [0.0] * n
        for before, after in pairwise(states):
            armies = max(1, sum(before.armies))
            for log in after.log[len(before.log) :]:
                if log.trait != "attack":
                    continue
                gain = sum(map(roll_luck, log.rolls)) / armies
                found[log.player] += gain
                if log.numbers[2] < n:  # the neutral army is nobody
                    found[log.numbers[2]] -= gain
        return [(value,) for value in found]
