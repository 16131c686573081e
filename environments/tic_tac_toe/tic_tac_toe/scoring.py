"""The reward of a game."""

from __future__ import annotations

from pydantic import BaseModel

from tic_tac_toe.game import Result

__all__ = ["LEGAL_MOVES_COUNTED", "Scale"]

LEGAL_MOVES_COUNTED = 5
"""No player makes more than five moves on the usual board: a long game is no better than a short one beyond that."""


class Scale(BaseModel):
    """What the outcomes are worth.

    Attributes:
        win, draw, loss, illegal, empty: one for each way a game can end; an unfinished game is worth nothing.
        legal_bonus: added for every legal move, up to five.
        regret_penalty: times the mean regret per legal move, subtracted; boards that are not solved have no regret.
    """

    win: float = 1.0
    draw: float = 0.5
    loss: float = 0.0
    illegal: float = 0.0
    empty: float = 0.0
    legal_bonus: float = 0.0
    regret_penalty: float = 0.0

    def reward(self, result: Result) -> float:
        """The reward of one game."""
        worth = {"win": self.win, "draw": self.draw, "loss": self.loss, "illegal": self.illegal, "empty": self.empty}
        bonus = self.legal_bonus * min(result.legal_moves, LEGAL_MOVES_COUNTED)
        return worth.get(result.outcome, 0.0) + bonus - self.regret_penalty * (result.regret or 0.0)
