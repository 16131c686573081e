"""Games as OpenEnv environments: a server whose sessions play one seat of a game in text.

Needs ``pip install 'ludometer[openenv]'``. ::

    python -m ludometer.envs.openenv tictactoe --opponent perfect --port 8000

Every WebSocket session has a match of its own; all luck of a match comes from the seed given to ``reset``.
"""

from __future__ import annotations

import argparse
import inspect
import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from ludometer.core import AnyGame, ConfigurationError, Json, Message, Seat
from ludometer.core.spec import parse_pairs
from ludometer.envs.matches import Opponent, Opponents, rules_of
from ludometer.envs.text import TextMatch, text_match
from ludometer.matches import MatchPolicy
from ludometer.prompts import AnswerStyle, PromptStyle

try:
    from openenv.core.env_server import create_fastapi_app
    from openenv.core.env_server.interfaces import Environment
    from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
except ImportError:
    raise ConfigurationError("this needs OpenEnv; install it with: pip install 'ludometer[openenv]'") from None

__all__ = ["Answer", "Asked", "LudometerEnvironment", "MatchState", "create_app", "main"]


class Answer(Action):  # type: ignore[misc]
    """What the learner says, in full. The move is read from it as in tournaments."""

    text: str


class Asked(Observation):  # type: ignore[misc]
    """What the learner is told.

    Attributes:
        prompt: what is new: after a chat of earlier prompts and answers, the next message; empty once all is over.
        seat: whom it plays for.
        verdict, reason: of the answer before: ``legal``, or the rule it broke; empty at the beginning.
        ending: how the match ended: ``completed``, ``forfeit``, ``canceled`` or ``void``; empty before.
        scores: by seat, in [0, 1]; None before the end, and where there are none. ``reward`` is the learner's.
    """

    prompt: str
    seat: str
    verdict: str = ""
    reason: str = ""
    ending: str = ""
    scores: dict[str, float] | None = None


class MatchState(State):  # type: ignore[misc]
    """Where a session is: the game, the seed of its luck, the moves in effect."""

    game: str = ""
    seed: str = ""
    seat: str = ""
    moves: list[str] = []  # noqa: RUF012 (pydantic copies it)


class LudometerEnvironment(Environment[Answer, Asked, MatchState]):  # type: ignore[misc]
    """One session: a match at a time, the learner in one seat, players in the others.

    Args:
        game: by name, or an instance; ``options`` are its options where it is given by name.
        opponents: by place around the table.
        seat: the learner's; None: drawn from the seed.
        policy: how it is refereed; by default an illegal answer forfeits.
        style: how the learner is asked; by default a growing chat, answered in text.

    Raises:
        ConfigurationError: an unknown name, a wrong number of opponents, or a view that is a picture.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(
        self,
        game: str | AnyGame = "tictactoe",
        opponents: Sequence[Opponent] = ("random",),
        *,
        seat: Seat | None = None,
        options: Mapping[str, Json] | None = None,
        policy: MatchPolicy | None = None,
        style: PromptStyle | None = None,
    ) -> None:
        super().__init__()
        self._game = rules_of(game, options)
        self._style = style or PromptStyle(answer=AnswerStyle("text"), context="conversation")
        self._seat = seat
        self._policy = policy
        # Made once: they keep nothing between turns that could change a decision, but may hold engines or connections.
        self._others = Opponents(self._game, {str(i): opponent for i, opponent in enumerate(opponents)})
        self._text: TextMatch | None = None
        self._seed = ""
        self._episode: str | None = None
        checked = self._begin("check")  # whatever is wrong with the arguments is said now
        if self._style.view_of(checked.match.turns()[0]).kind != "text":
            raise ConfigurationError("OpenEnv's messages are text; choose a view that is no picture")
        self._text = None

    def _begin(self, seed: str) -> TextMatch:
        self._text = text_match(
            self._game,
            list(self._others.players.values()),
            seed=seed,
            seat=self._seat,
            policy=self._policy,
            style=self._style,
        )
        self._seed = seed
        return self._text

    def reset(self, seed: int | None = None, episode_id: str | None = None, **kwargs: Any) -> Asked:
        """Begins a new match. One seed is one game, whatever was played before; without one, a seed is drawn."""
        text = self._begin(str(secrets.randbits(63) if seed is None else seed))
        self._episode = episode_id or text.match.id
        return self._observed(text)

    def step(self, action: Answer, timeout_s: float | None = None, **kwargs: Any) -> Asked:
        """Judges an answer and plays on until the learner is asked again or the match has ended."""
        if self._text is None:
            raise ConfigurationError("call reset() before anything else")
        verdict = self._text.answer(action.text).verdict
        return self._observed(self._text, verdict.kind, verdict.reason)

    def _observed(self, text: TextMatch, verdict: str = "", reason: str = "") -> Asked:
        messages = self._others.wait(text.ask()) or ()
        ending = text.match.ending
        return Asked(
            prompt="\n\n".join(message.text for message in messages[_answered(messages) :]),
            seat=text.seat,
            verdict=verdict,
            reason=reason,
            ending=ending.kind if ending else "",
            scores=text.match.scores(),
            done=ending is not None,
            reward=text.reward if ending is not None else 0.0,
        )

    @property
    def state(self) -> MatchState:
        text = self._text
        if text is None:
            return MatchState(game=self._game.name)
        moves = list(text.match.notation)
        return MatchState(
            episode_id=self._episode,
            step_count=len(text.match.attempts),
            game=self._game.name,
            seed=self._seed,
            seat=text.seat,
            # Of a game with hidden information the moves may say what the learner must not know.
            moves=moves if self._game.perfect_information else [],
        )

    def get_metadata(self) -> EnvironmentMetadata:
        return EnvironmentMetadata(name=f"ludometer-{self._game.name}", description=self._game.rules())

    def close(self) -> None:
        self._others.close()


def _answered(messages: Sequence[Message]) -> int:
    """How many messages there are up to the learner's last answer: it has those already."""
    return max((i + 1 for i, message in enumerate(messages) if message.role == "assistant"), default=0)


def create_app(
    game: str = "tictactoe", opponents: Sequence[Opponent] = ("random",), *, sessions: int = 64, **options: Any
) -> Any:
    """The server as an ASGI application; further arguments are those of `LudometerEnvironment`.

    Args:
        sessions: how many may be open at once.
    """

    def environment() -> LudometerEnvironment:
        return LudometerEnvironment(game, opponents, **options)

    environment().close()  # whatever is wrong is said before the server starts
    # Versions that do not take the state's class describe it as any state, and send all of it the same.
    newer = {"state_cls": MatchState} if "state_cls" in inspect.signature(create_fastapi_app).parameters else {}
    return create_fastapi_app(environment, Answer, Asked, max_concurrent_envs=sessions, **newer)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the server on the loopback address."""
    import uvicorn

    parser = argparse.ArgumentParser(prog="python -m ludometer.envs.openenv", description=main.__doc__)
    parser.add_argument("game")
    parser.add_argument("--opponent", action="append", help="one for each other seat; by default random")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    parser.add_argument("--seat", help="the learner's; by default drawn from the seed")
    parser.add_argument("--port", type=int, default=8000)
    given = parser.parse_args(arguments)
    try:
        app = create_app(
            given.game, given.opponent or ["random"], seat=given.seat, options=parse_pairs(tuple(given.option))
        )
    except ConfigurationError as error:
        parser.error(str(error))
    uvicorn.run(app, host="127.0.0.1", port=given.port)


if __name__ == "__main__":
    main()
