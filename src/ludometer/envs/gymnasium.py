"""One seat of a game as a Gymnasium environment, with players in the other seats. Needs ``ludometer[envs]``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from ludometer.core import AnyGame, ConfigurationError, Json, Seat, Turn
from ludometer.envs.encoding import encoding_of
from ludometer.envs.matches import ONE_TRY, Opponent, Opponents, decision_of, rules_of, truncated
from ludometer.envs.spaces import action_space, numbers, observation_space
from ludometer.matches import Ending, Match, MatchPolicy

try:
    import gymnasium
except ImportError:
    raise ConfigurationError("this needs Gymnasium; install it with: pip install 'ludometer[envs]'") from None

__all__ = ["LudometerEnv"]


class LudometerEnv(gymnasium.Env[Any, Any]):  # type: ignore[misc]
    """A match against opponents. A step is one action of the learner and everything until it is asked again.

    Observations are dictionaries with ``observation`` and ``action_mask`` (see `ludometer.envs.encoding`). The reward
    is the learner's score at the end, in [0, 1], and 0 before. An illegal action is judged by the policy: by default it
    forfeits, with a reward of 0. A match that is canceled is truncated.

    Args:
        game: by name, or an instance; ``options`` are its options where it is given by name.
        opponents: one for all other seats, or one for each in seat order: specs such as ``mcts:simulations=100``,
            tables, or players.
        seat: the learner's seat; None: drawn anew for every match.
        n: number of players; by default as few as the game allows.
        policy: how it is refereed.
        render_mode: ``ansi`` for the text that the learner's seat may see, or None.

    Raises:
        ConfigurationError: an unknown name or option, actions that cannot be listed, or an opponent that cannot play.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: str | AnyGame,
        opponents: Opponent | Sequence[Opponent] = "random",
        *,
        seat: Seat | None = None,
        n: int | None = None,
        options: Mapping[str, Json] | None = None,
        policy: MatchPolicy | None = None,
        render_mode: str | None = None,
    ) -> None:
        self.game = rules_of(game, options)
        self.n = self.game.players[0] if n is None else n
        self.encoding = encoding_of(self.game, self.n)
        self.policy = policy or ONE_TRY
        self.render_mode = render_mode
        self.observation_space = observation_space(self.encoding)
        self.action_space = action_space(self.encoding)
        self._seats = self.game.contestants(self.n)
        if seat is not None and seat not in self._seats:
            raise ConfigurationError(f"{self.game.title} has no seat {seat!r}; there are {', '.join(self._seats)}")
        self._fixed = seat
        self._others = _one_each(opponents, self.n - 1)
        # Every opponent sits in every place relative to the learner's, so that no seat is without a player.
        self._places = Opponents(self.game, {str(i): opponent for i, opponent in enumerate(self._others)})
        self.seat: Seat = seat or self._seats[0]
        self.match: Match | None = None
        self._turn: Turn | None = None

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begins a new match and plays up to the learner's first turn.

        Args:
            seed: of the match's luck, the opponents' luck and the drawn seat.
            options: ``seat``: the learner's seat in this match.
        """
        super().reset(seed=seed)
        luck = int(self.np_random.integers(2**62))
        drawn = self._seats[int(self.np_random.integers(self.n))]
        self.seat = (options or {}).get("seat") or self._fixed or drawn
        if self.seat not in self._seats:
            raise ConfigurationError(f"{self.game.title} has no seat {self.seat!r}; there are {', '.join(self._seats)}")
        self.match = Match(self.game, self.n, luck=luck, seed=luck, policy=self.policy)
        self._play_on(self.match)
        return self._seen(self.match)

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Plays the action with this number, then the opponents until the learner is asked again or the match ends."""
        match = self.match
        if match is None or self._turn is None:
            raise ConfigurationError("there is no match at play: call reset() first")
        verdict = match.submit(self.seat, decision_of(match, self._turn, self.encoding, int(action))).verdict
        ending = self._play_on(match)
        observation, info = self._seen(match)
        stopped = truncated(ending)
        over = ending is not None and not stopped
        reward = float((match.scores() or {}).get(self.seat, 0.0)) if over else 0.0
        return observation, reward, over, stopped, {**info, "verdict": verdict.kind}

    def _play_on(self, match: Match) -> Ending | None:
        """Asks the opponents until the learner is asked or the match has ended.

        The opponents of one step decide before any of their decisions is submitted: they may decide at the same time.
        """
        while turns := match.turns():
            self._turn = next((turn for turn in turns if turn.seat == self.seat), None)
            others = [turn for turn in turns if turn.seat != self.seat]
            if not others:
                return None
            for turn in others:
                decision = self._places.answer(turn, self._place(turn.seat))
                if match.ending is None:
                    match.submit(turn.seat, decision)
        self._turn = None
        return match.ending

    def _place(self, seat: Seat) -> str:
        """The opponent's number: the others keep their order around the table, whichever seat the learner holds."""
        return str([other for other in self._seats if other != self.seat].index(seat))

    def _seen(self, match: Match) -> tuple[Any, dict[str, Any]]:
        observation = numbers(match, self.seat, self.encoding, asked=self._turn is not None)
        info: dict[str, Any] = {"seat": self.seat, "action_mask": observation["action_mask"]}
        if match.ending is not None:
            info |= {"ending": match.ending.kind, "why": match.ending.why, "scores": match.scores()}
        return observation, info

    def render(self) -> Any:
        """What the learner's seat may see, as text, with ``render_mode = "ansi"``."""
        if self.render_mode != "ansi" or self.match is None:
            return None
        view = next(view for view in self.game.views().values() if view.kind == "text")
        return view.render(self.game.observe(self.match.state, self.seat))

    def close(self) -> None:
        """Gives back what the opponents hold."""
        self._places.close()


def _one_each(opponents: Opponent | Sequence[Opponent], wanted: int) -> list[Opponent]:
    if isinstance(opponents, str | Mapping) or not isinstance(opponents, Sequence):
        return [opponents] * wanted
    if len(opponents) != wanted:
        raise ConfigurationError(f"{wanted} opponents are needed, not {len(opponents)}; or give one for all")
    return list(opponents)
