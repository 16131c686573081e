"""How a match is refereed: a frozen value, stored with the run."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Literal, TypeAlias

from ludometer.core import ConfigurationError

__all__ = ["FeedbackMode", "MatchPolicy", "OnExhausted"]

FeedbackMode: TypeAlias = Literal["none", "repeat", "explain"]
OnExhausted: TypeAlias = Literal["forfeit", "cancel", "random", "pass"]


@dataclass(frozen=True, slots=True)
class MatchPolicy:
    """The conditions of play. A published study is one of these plus a prompt and a schedule.

    Attributes:
        attempts: tries a seat has per turn; None means until ``max_moves`` ends the match.
        feedback: what the next prompt holds after a bad attempt. ``none``: the turn is asked as if for the first time,
            and a growing chat forgets the bad answer; ``repeat``: the same prompt again (a growing chat keeps the bad
            answer before it); ``explain``: the same prompt and a sentence naming the error.
        on_exhausted: what happens when the attempts run out: the seat forfeits, the match is canceled, a random legal
            action is played for it, or it passes (an error in a game without a pass).
        max_moves: the match is canceled after this many moves, bad attempts counted as moves.
        decision_deadline: seconds a player may take for one attempt (verdict ``timeout``).
        clock_seconds, clock_tokens: what a seat may use in the whole match; who exceeds it forfeits. Tokens are output
            tokens, reasoning included; calls whose provider reports no usage count as 0 and are shown as unknown.
        resignation: whether a player may give up.
        on_max_moves: what a match that reaches ``max_moves`` is: canceled, a draw, or adjudicated by ``adjudicator``.
        adjudicator: the evaluator that is asked (``best`` for the best there is for the game, or its name), for games
            of two players with perfect information.
        adjudication_margin: how far from one half the expected score must be for a win; a draw in between.
        draw_offers: whether a player may offer a draw with its move, and accept one instead of moving.
    """

    attempts: int | None = 3
    feedback: FeedbackMode = "explain"
    on_exhausted: OnExhausted = "forfeit"
    max_moves: int | None = None
    decision_deadline: float | None = None
    clock_seconds: float | None = None
    clock_tokens: int | None = None
    resignation: bool = True
    on_max_moves: Literal["cancel", "draw", "adjudicate"] = "cancel"
    adjudicator: str = "best"
    adjudication_margin: float = 0.25
    draw_offers: bool = False

    def __post_init__(self) -> None:
        if self.attempts is None and self.max_moves is None:
            raise ConfigurationError(
                "policy: without a limit on attempts a match may never end; set attempts or max_moves"
            )
        for name in ("attempts", "max_moves", "decision_deadline", "clock_seconds", "clock_tokens"):
            value = getattr(self, name)
            if value is not None and value <= 0:
                raise ConfigurationError(f"policy: {name} = {value} must be positive")
        if self.on_max_moves != "cancel" and self.max_moves is None:
            raise ConfigurationError(f"policy: on_max_moves = {self.on_max_moves!r} needs max_moves")
        if not 0 < self.adjudication_margin <= 0.5:
            raise ConfigurationError("policy: adjudication_margin must be between 0 and 0.5")

    def to_dict(self) -> dict[str, object]:
        return {f.name: getattr(self, f.name) for f in fields(self)}
