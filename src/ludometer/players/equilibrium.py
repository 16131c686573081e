"""A player that cannot be exploited, in the small games with hidden information whose equilibrium is known."""

from __future__ import annotations

from typing import ClassVar

from ludometer.core import AnyGame, Chance, ConfigurationError, Decision, Turn
from ludometer.solvers.cfr_policies import check_solvable, key_of, policy_of


class EquilibriumPlayer:
    """Draws every action from an equilibrium strategy (CFR+), so that nobody beats it on average over both seats.

    Its rationale says how far from equilibrium the strategy is.
    """

    name: ClassVar[str] = "equilibrium"
    description: ClassVar[str] = "plays an equilibrium strategy (Kuhn and Leduc poker, liar's dice with one die each)"

    @classmethod
    def supports(cls, game: AnyGame) -> None:
        """Raises `ConfigurationError` for a game without an equilibrium strategy, naming what has one."""
        check_solvable(game)

    async def act(self, turn: Turn) -> Decision:
        """Raises `ConfigurationError` for a game without an equilibrium strategy, or with more than two players."""
        check_solvable(turn.game)
        if len(turn.observation.data.get("dice", ())) > 2:
            raise ConfigurationError(f"equilibrium plays {turn.game.title} for two, not for more")
        policy = await policy_of(turn.game)
        odds = policy.probabilities(key_of(turn.game, turn.observation))
        action = _drawn(list(turn.legal or ()), odds.tolist(), turn.chance)
        return Decision(action, rationale=f"equilibrium strategy, exploitability {policy.exploitability:.1g}")


def _drawn(actions: list[object], odds: list[float], chance: Chance) -> object:
    point, _ = chance.unit()
    for action, probability in zip(actions, odds, strict=True):
        point -= probability
        if point < 0:
            return action
    return actions[odds.index(max(odds))]  # the probabilities added up to a little less than one
