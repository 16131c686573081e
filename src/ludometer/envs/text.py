"""A match in which somebody outside answers in text for one seat: what text environments are made of."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from ludometer.core import (
    AnyGame,
    Attempt,
    CallKey,
    Chance,
    Completion,
    ConfigurationError,
    Decision,
    Exchange,
    Json,
    Message,
    Player,
    Request,
    Seat,
    Turn,
)
from ludometer.core.chance import Label
from ludometer.envs.matches import ONE_TRY, Opponent, player_of
from ludometer.matches import Match, MatchPolicy
from ludometer.parsers import read
from ludometer.players.entrant import official_entrant
from ludometer.prompts import AnswerStyle, PromptStyle, compose

__all__ = ["TextMatch", "text_match"]


class TextMatch:
    """One match with a learner that answers in text. Call `ask`, then `answer`, until `ask` returns None.

    Prompts and parsers are those of tournaments. With the style's ``context = "conversation"`` every chat begins with
    the one before, and ends with what is new: transcripts only grow.

    Args:
        match: a match that has not begun.
        seat: the learner's; it also answers for seats that its entrant holds besides (`Role.of`).
        players: of all other seats.
        style: how the learner is asked.
    """

    def __init__(self, match: Match, seat: Seat, players: Mapping[Seat, Player], style: PromptStyle) -> None:
        own = {name for name, role in match.roles.items() if name == seat or role.of == seat}
        missing = [name for name in match.roles if name not in own and name not in players]
        if seat not in match.roles or missing:
            problem = f"nobody holds the seat {missing[0]}" if missing else f"there is no seat {seat!r}"
            raise ConfigurationError(f"{match.game.title}: {problem}; the seats are {', '.join(match.roles)}")
        self.match = match
        self.seat = seat
        self.style = style
        self._own = own
        self._players = players
        self._asked: Turn | None = None
        self._messages: tuple[Message, ...] = ()
        self._notation: str | None = None

    async def ask(self) -> Sequence[Message] | None:
        """Lets the others play until the learner is asked, and returns the chat that asks it; None: the match is over.

        What a player of another seat raises is raised.
        """
        while turns := self.match.turns():
            self._asked = next((turn for turn in turns if turn.seat in self._own), None)
            if self._asked is not None:
                prompt = compose(self._asked, self.style)
                self._messages, self._notation = prompt.request.messages, prompt.notation
                return self._messages
            decisions = await asyncio.gather(*(self._players[turn.seat].act(turn) for turn in turns))
            for turn, decision in zip(turns, decisions, strict=True):
                if self.match.ending is None:
                    self.match.submit(turn.seat, decision)
        self._asked = None
        return None

    def answer(self, text: str) -> Attempt:
        """Judges the learner's answer to what `ask` returned.

        Raises:
            ConfigurationError: it was not asked.
        """
        turn = self._asked
        if turn is None:
            raise ConfigurationError("the learner was not asked: the match is over, or has not begun")
        self._asked = None
        completion = Completion(text)
        reading = read(completion, turn, self.style.answer.format, self._notation)
        key = CallKey(turn.match, turn.step, turn.seat, turn.attempt, "0")
        exchange = Exchange(key, Request(self._messages), completion, "")
        return self.match.submit(
            turn.seat,
            Decision(reading.action, reading.fault, text, reading.rationale, (exchange,), draw=reading.draw),
        )

    @property
    def reward(self) -> float | None:
        """The learner's score, in [0, 1], once the match has ended; None before, and where it was stopped."""
        return (self.match.scores() or {}).get(self.seat)


def text_match(
    game: AnyGame,
    opponents: Sequence[Opponent],
    *,
    seed: Label,
    seat: Seat | None = None,
    policy: MatchPolicy | None = None,
    style: PromptStyle | None = None,
    officials: Mapping[str, str | Mapping[str, Json]] | None = None,
) -> TextMatch:
    """A new match of a game with ``len(opponents) + 1`` players.

    Args:
        opponents: by place around the table, the learner's left out.
        seed: of the game's luck, the players' luck, and the learner's seat where ``seat`` is None.
        policy: by default an illegal answer forfeits.
        style: by default a growing chat in the game's default view, answered in text.
        officials: players of seats that judge or compute, by the official's name, where the game has no own.

    Raises:
        ConfigurationError: a wrong number of players, an unknown seat, or an opponent that cannot play.
    """
    match = Match(game, len(opponents) + 1, luck=seed, seed=seed, policy=policy or ONE_TRY, id=f"text-{seed}")
    seats = game.contestants(match.n)
    seat = Chance.from_seed(seed).named("learner").choice(seats)[0] if seat is None else seat
    if seat not in seats:
        raise ConfigurationError(f"{game.title} has no seat {seat!r}; there are {', '.join(seats)}")
    held = dict(zip((other for other in seats if other != seat), opponents, strict=True))
    made = {name: player_of(opponent, game) for name, opponent in held.items()}
    players: dict[Seat, Any] = {}
    judging: dict[str, Player] = {}
    for name, role in match.roles.items():
        if role.kind == "official":
            if role.official not in judging:
                judging[role.official] = official_entrant(role, officials or {}).make_player()
            players[name] = judging[role.official]
        elif (role.of or name) in made:
            players[name] = made[role.of or name]
    return TextMatch(match, seat, players, style or PromptStyle(answer=AnswerStyle("text"), context="conversation"))
