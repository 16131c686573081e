"""A player of liar's dice that trusts nothing but the odds."""

from __future__ import annotations

from typing import ClassVar

from ludometer.core import AnyGame, ConfigurationError, Decision, Turn
from ludometer.games.liars_dice import CALL, LiarsDice, Move, bid_probability


class ProbabilityPlayer:
    """Calls a bid that is unlikely to hold; otherwise makes the bid that is likeliest to hold, the lowest among equals.

    Likelihoods are those of fair dice given its own: it takes no bid for evidence.

    Args:
        threshold: it calls a bid whose probability of holding is below this.
    """

    name: ClassVar[str] = "probability"
    description: ClassVar[str] = "liar's dice by the odds: calls unlikely bids, else makes the likeliest one"

    def __init__(self, threshold: float = 0.5) -> None:
        if not 0 <= threshold <= 1:
            raise ValueError(f"threshold must be from 0 to 1, not {threshold:g}")
        self.threshold = threshold

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for any game but liar's dice."""
        if not isinstance(game, LiarsDice):
            raise ConfigurationError(f"probability plays liars_dice, not {game.title}")

    async def act(self, turn: Turn) -> Decision:
        """Raises `ConfigurationError` for any game but liar's dice."""
        self.supports(turn.game)
        game: LiarsDice = turn.game  # type: ignore[assignment]
        data = turn.observation.data
        own = data["hands"][turn.seat]
        unseen = sum(data["dice"].values()) - len(own)

        def likelihood(bid: Move) -> float:
            return bid_probability(own, unseen, bid.quantity, bid.face, game.ones_wild)

        bids = [move for move in turn.legal or () if move != CALL]
        if data["bids"]:
            last = Move("bid", *data["bids"][-1][1:])
            holds = likelihood(last)
            if not bids or holds < self.threshold:
                return Decision(CALL, rationale=f"the last bid holds with probability {holds:.3f}")
        best = max(bids, key=likelihood)  # the first of the likeliest: bids are listed from the lowest
        return Decision(best, rationale=f"the bid holds with probability {likelihood(best):.3f}")
