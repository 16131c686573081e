"""One game, driven by the referee: the model's seat is a player that holds a conversation."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ludometer.core import ConfigurationError, Decision, Fault, InternalError, Player, ProviderError, Turn
from ludometer.games.tictactoe import Cell
from ludometer.matches import Match, play
from ludometer.players.entrant import release
from ludometer.solvers import Evaluator, exact_evaluator
from tic_tac_toe import protocol
from tic_tac_toe.opponents import make_opponent, plays_perfectly
from tic_tac_toe.rows import Row, new_match, picture

__all__ = ["OUTCOMES", "Outcome", "Result", "Say", "play_row"]

Outcome: TypeAlias = Literal["win", "draw", "loss", "illegal", "empty", "unfinished"]
OUTCOMES: tuple[Outcome, ...] = ("win", "draw", "loss", "illegal", "empty", "unfinished")
"""How a game can end. ``empty``: the last answer had no content (a thinking model that never came to its answer);
``unfinished``: the conversation was ended from outside (a failed call, a limit on turns or tokens)."""

Say: TypeAlias = Callable[[str | None], Awaitable[str | None]]
"""Sends the model a message and returns what it answers (None: the conversation is over). The first call sends None:
the message that opens the game is part of the row."""

_SCORED: dict[float, Outcome] = {1.0: "win", 0.5: "draw", 0.0: "loss"}


@dataclass(slots=True)
class Result:
    """How a game went.

    Attributes:
        outcome: see `OUTCOMES`.
        score: 1 for a win, 0.5 for a draw, else 0.
        best: the score that best play by both would have brought the model; None on boards that are not solved.
        legal_moves: how many legal moves the model made.
        regrets: what each of them gave away of the score under best play; empty on boards that are not solved.
        illegal_moves: how many attempts named no empty cell; empty_answers: how many had no content.
        final_message: the protocol's last words, to which nothing is answered; empty where the game is unfinished.
        alarm: why the result cannot be right, if it cannot.
    """

    outcome: Outcome
    score: float = 0.0
    best: float | None = None
    legal_moves: int = 0
    regrets: list[float] = field(default_factory=list)
    illegal_moves: int = 0
    empty_answers: int = 0
    final_message: str = ""
    alarm: str = ""

    @property
    def regret(self) -> float | None:
        """Mean regret per legal move; None where there is none."""
        return sum(self.regrets) / len(self.regrets) if self.regrets else None


async def play_row(row: Row, say: Say) -> Result:
    """Plays the game of a row to its end.

    Raises:
        ConfigurationError: the opponent cannot play.
        InternalError: the opponent, or the environment itself, broke a promise.
    """
    match = new_match(row)
    opponent = make_opponent(row.rules.opponent, match.game)
    model = ChatPlayer(row, match, say)
    seats: dict[str, Player] = {row.seat: model, ("O" if row.seat == "X" else "X"): opponent}
    try:
        await play(match, seats)
    finally:
        await release(opponent)
    return _result(row, match, model)


class ChatPlayer:
    """The model's seat: every turn is a message of the conversation, and its answer is read by the protocol."""

    def __init__(self, row: Row, match: Match, say: Say) -> None:
        self._row, self._match, self._say = row, match, say
        self._cells = row.rules.rows * row.rules.columns
        self._evaluator = _evaluator(match)
        self.best: float | None = None
        self.regrets: list[float] = []

    async def act(self, turn: Turn) -> Decision:
        values = await self._values(turn)
        if values and self.best is None:
            self.best = max(values.values())
        answer = await self._say(self._message(turn))
        if answer is None:
            raise ProviderError("the conversation was ended before the game")
        text = protocol.shown(answer)
        if not text:
            return Decision(fault=Fault("empty", "the answer is empty"), text=answer)
        number = protocol.read_cell(text, self._cells)
        if number is None:
            return Decision(fault=Fault("invalid_format", "the answer names no cell"), text=answer)
        columns = self._row.rules.columns
        cell = Cell((number - 1) // columns + 1, (number - 1) % columns + 1)
        if cell in values:
            self.regrets.append(max(values.values()) - values[cell])
        return Decision(cell, text=answer)

    def _message(self, turn: Turn) -> str | None:
        if not turn.past:
            return None
        shown = picture(self._row, self._match)
        if turn.feedback is not None:
            wrong = {"empty": "Your answer was empty", "already_taken": "That cell is taken"}
            why = wrong.get(turn.feedback.verdict.kind, "Your answer names no cell")
            return f"Illegal move. {why}; try again.\n\n{shown}\n\nYour turn."
        return protocol.reply(_last_cell(self._row, self._match), shown)

    async def _values(self, turn: Turn) -> Mapping[Cell, float]:
        """What each legal move is worth with best play by both; nothing on boards that are not solved."""
        if self._evaluator is None:
            return {}
        await self._evaluator.prepare(turn.game)
        return self._evaluator.action_values(turn.game, turn.imagine(turn.chance), turn.seat)


def _evaluator(match: Match) -> Evaluator | None:
    try:
        return exact_evaluator(match.game)
    except ConfigurationError:
        return None


def _last_cell(row: Row, match: Match) -> int:
    """The number of the cell that was marked last."""
    line, column = (int(part) for part in match.notation[-1].split(","))
    return (line - 1) * row.rules.columns + column


def _result(row: Row, match: Match, model: ChatPlayer) -> Result:
    mine = [attempt for attempt in match.attempts if attempt.seat == row.seat]
    bad = [attempt.verdict for attempt in mine if not attempt.verdict.is_legal]
    for attempt in match.attempts:
        if attempt.verdict.status == "player_error" or (attempt.seat != row.seat and not attempt.verdict.is_legal):
            raise InternalError(f"row {row.seed}: {attempt.verdict.reason}")
    result = Result(
        _outcome(row, match),
        score=(match.scores() or {}).get(row.seat, 0.0),
        best=model.best,
        legal_moves=len(mine) - len(bad),
        regrets=model.regrets,
        illegal_moves=sum(verdict.status not in ("empty", "provider_error") for verdict in bad),
        empty_answers=sum(verdict.status == "empty" for verdict in bad),
    )
    result.final_message = _final_message(row, match, result)
    opponent = row.rules.opponent.strip()
    if result.best is not None and result.score > result.best and plays_perfectly(opponent, match.game):
        scored = f"a score of {result.score:g} against {opponent}"
        result.alarm = f"row {row.seed}: {scored}, where {result.best:g} is the best"
    return result


def _outcome(row: Row, match: Match) -> Outcome:
    if match.ending is None:
        raise InternalError(f"row {row.seed}: the match has not ended")
    if match.ending.kind == "void":
        return "unfinished"
    if match.ending.kind == "forfeit":
        return "empty" if match.attempts[-1].verdict.status == "empty" else "illegal"
    return _SCORED[(match.scores() or {})[row.seat]]


def _final_message(row: Row, match: Match, result: Result) -> str:
    if result.outcome == "unfinished":
        return ""
    if result.outcome in ("illegal", "empty"):
        return protocol.ILLEGAL
    theirs = match.moves[-1].seat != row.seat
    return protocol.closing(result.score, picture(row, match), _last_cell(row, match) if theirs else None)
