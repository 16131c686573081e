"""A poker player that plays good hands only."""

from __future__ import annotations

import time
from typing import Any, ClassVar

from ludometer.core import AnyGame, ConfigurationError, Decision, Turn
from ludometer.games._poker_notation import Action
from ludometer.games.poker import Poker
from ludometer.solvers.poker_equity import equity_against_random


class TightPlayer:
    """Compares its equity against random hands of all players still in with its fair share, 1 / (number of players in).

    It folds below ``call`` times the fair share, or below what the pot odds ask for; it bets and raises half a pot from
    ``bet`` times the fair share on, all chips where that is nearly all; it bluffs never. It looks at its own cards, the
    board and the bets, not at how others play.

    Args:
        call: equity, in fair shares, from which it calls.
        bet: equity, in fair shares, from which it bets or raises.
        samples: random deals for one decision.
    """

    name: ClassVar[str] = "tight"
    description: ClassVar[str] = "poker: plays by its equity against random hands, and good hands only"

    def __init__(self, call: float = 1.15, bet: float = 1.4, samples: int = 400) -> None:
        if not 0 <= call <= bet <= 10:
            raise ValueError(f"it must be 0 <= call <= bet <= 10, not call = {call:g}, bet = {bet:g}")
        if not 1 <= samples <= 100_000:
            raise ValueError(f"samples must be from 1 to 100,000, not {samples}")
        self.call, self.bet, self.samples = call, bet, samples

    def supports(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` for every game but poker."""
        if not isinstance(game, Poker):
            raise ConfigurationError(f"tight plays poker, not {game.title}")

    async def act(self, turn: Turn) -> Decision:
        self.supports(turn.game)
        started = time.monotonic()
        data = turn.observation.data
        seats = {seat["seat"]: seat for seat in data["seats"]}
        others = sum(seat["state"] in ("in", "all-in") for seat in seats.values()) - 1
        equity = equity_against_random(
            seats[turn.seat]["cards"], data["board"], others, chance=turn.chance, samples=self.samples
        )
        action = self._chosen(turn, equity * (others + 1), equity)
        said = f"equity {equity:.2f} against {others} random hand{'s' if others > 1 else ''}"
        return Decision(action, rationale=said, seconds=time.monotonic() - started)

    def _chosen(self, turn: Turn, worth: float, equity: float) -> Action:
        """``worth``: the equity in fair shares."""
        data = turn.observation.data
        cost, most = data["turn"]["to_call"], data["turn"]["max_raise_to"]
        if worth >= self.bet and most is not None:
            return self._raised(turn, data)
        if not cost:
            return Action("check")
        worthwhile = worth >= self.call and equity >= cost / (data["pot"] + cost)
        return Action("call" if worthwhile else "fold")

    def _raised(self, turn: Turn, data: Any) -> Action:
        """A bet or raise of half the pot, of all chips where little would be left; in a match with few sizes the
        smallest one from there on."""
        now = data["turn"]
        highest = max(seat["bet"] for seat in data["seats"])
        least, most = now["min_raise_to"], now["max_raise_to"]
        size = max(least, highest + (data["pot"] + now["to_call"]) // 2)
        if size > 0.7 * most:
            size = most
        if turn.legal is not None:
            size = next(action.amount for action in turn.legal if action.amount >= size)
        return Action("raise" if highest else "bet", size)
