"""Games as PettingZoo environments (the AEC interface): every seat is an agent. Needs ``ludometer[envs]``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from ludometer.core import AnyGame, ConfigurationError, Json, Seat, Turn, Watcher
from ludometer.envs.encoding import encoding_of
from ludometer.envs.matches import ONE_TRY, decision_of, rules_of, truncated
from ludometer.envs.spaces import action_space, numbers, observation_space
from ludometer.matches import Match, MatchPolicy

try:
    from pettingzoo import AECEnv
except ImportError:
    raise ConfigurationError("this needs PettingZoo; install it with: pip install 'ludometer[envs]'") from None

__all__ = ["LudometerAEC", "env"]


class LudometerAEC(AECEnv):  # type: ignore[misc]
    """A match in which an agent holds every seat.

    Observations are dictionaries with ``observation`` and ``action_mask`` (see `ludometer.envs.encoding`). The reward
    is the seat's score at the end, in [0, 1] (scores add up to 1), and 0 before. An illegal action is judged by the
    policy: by default it forfeits. A match that is canceled is truncated, without rewards. Where several seats decide
    at the same time they are asked one after the other, and none sees what another chose.

    Args:
        game: by name, or an instance; ``options`` are its options where it is given by name.
        n: number of players; by default as few as the game allows.
        policy: how it is refereed.
        render_mode: ``ansi`` for the text that a spectator may see, or None.

    Raises:
        ConfigurationError: an unknown game or option, or actions that cannot be listed.
    """

    metadata: ClassVar[dict[str, Any]] = {"name": "ludometer_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        game: str | AnyGame,
        n: int | None = None,
        *,
        options: Mapping[str, Json] | None = None,
        policy: MatchPolicy | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = rules_of(game, options)
        self.n = self.game.players[0] if n is None else n
        self.encoding = encoding_of(self.game, self.n)
        self.policy = policy or ONE_TRY
        self.render_mode = render_mode
        self.possible_agents: list[Seat] = list(self.game.contestants(self.n))
        self._spaces = {agent: observation_space(self.encoding) for agent in self.possible_agents}
        self._actions = {agent: action_space(self.encoding) for agent in self.possible_agents}
        self._luck: np.random.Generator | None = None
        self.match: Match | None = None
        self._turns: tuple[Turn, ...] = ()  # whom the match asks now: making turns takes time

    def observation_space(self, agent: Seat) -> Any:
        return self._spaces[agent]

    def action_space(self, agent: Seat) -> Any:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a new match. The same seed gives the same luck; without one, the next of this environment's own."""
        if seed is not None or self._luck is None:
            self._luck = np.random.default_rng(seed)
        luck = int(self._luck.integers(2**62))
        self.match = Match(self.game, self.n, luck=luck, seed=luck, policy=self.policy)
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[Seat, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._turns = self.match.turns()
        self.agent_selection = self._turns[0].seat

    def _at_play(self) -> Match:
        if self.match is None:
            raise ConfigurationError("call reset() before anything else")
        return self.match

    def observe(self, agent: Seat) -> dict[str, Any]:
        asked = any(turn.seat == agent for turn in self._turns)
        return numbers(self._at_play(), agent, self.encoding, asked=asked)

    def step(self, action: int | None) -> None:
        """Plays an action for the selected agent; None for one whose match has ended."""
        match, agent = self._at_play(), self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        turn = next(turn for turn in self._turns if turn.seat == agent)
        if action is None:
            raise ConfigurationError(f"{agent} is to act: give the number of an action, not None")
        verdict = match.submit(agent, decision_of(match, turn, self.encoding, action)).verdict
        self.infos[agent] = {"verdict": verdict.kind}
        self._turns = match.turns()
        if self._turns:
            self.agent_selection = self._turns[0].seat
        else:
            self._end(match)
        self._accumulate_rewards()

    def _end(self, match: Match) -> None:
        assert match.ending is not None
        stopped = truncated(match.ending)
        self.rewards = {agent: (match.scores() or {}).get(agent, 0.0) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, not stopped)
        self.truncations = dict.fromkeys(self.agents, stopped)
        for agent in self.agents:
            self.infos[agent] = {**self.infos[agent], "ending": match.ending.kind, "why": match.ending.why}

    def render(self) -> str | None:
        """What a spectator may see, as text, with ``render_mode = "ansi"``."""
        if self.render_mode != "ansi":
            return None
        view = next(view for view in self.game.views().values() if view.kind == "text")
        return view.render(self.game.observe(self._at_play().state, Watcher.PUBLIC))

    def close(self) -> None:
        """There is nothing to give back."""


def env(game: str | AnyGame = "tictactoe", n: int | None = None, **options: Any) -> LudometerAEC:
    """`LudometerAEC`, under the name that PettingZoo's environments have; keyword arguments are those of the class."""
    return LudometerAEC(game, n, **options)
