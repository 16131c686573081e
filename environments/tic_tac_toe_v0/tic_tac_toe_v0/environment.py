"""The environment as verifiers knew it before 0.4: a data set, a conversation, and a rubric."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import asdict
from typing import Any

import verifiers as vf
from datasets import Dataset
from tic_tac_toe import protocol
from tic_tac_toe.game import OUTCOMES, Result, play_row
from tic_tac_toe.opponents import make_opponent
from tic_tac_toe.rows import Row, Rules, first_message, make_rows, new_match
from tic_tac_toe.scoring import Scale
from verifiers.errors import EmptyModelResponseError

from ludometer.core import ConfigurationError

__all__ = ["TicTacToeEnv", "load_environment"]

logger = logging.getLogger(__name__)

_FURTHER = ("score", "regret", "legal_moves", "illegal_moves", "empty_answers")


def load_environment(
    num_tasks: int = 1000,
    seed: int = 0,
    opponent: str = "minimax",
    rows: int = 3,
    columns: int = 3,
    line: int = 3,
    illegal: str = "end",
    illegal_move: float = 0.0,
    **scale: float,
) -> vf.Environment:
    """What `vf-eval tic-tac-toe-v0` and trainers call.

    Args:
        num_tasks: number of rows; another ``seed`` gives other rows.
        opponent: ``minimax``, ``random``, ``mixture(P)``, ``mcts``, or any player of Ludometer.
        rows, columns, line: the board (m,n,k).
        illegal: ``end``: an illegal move ends the game; ``retry(N)``: N further attempts per turn.
        illegal_move: what a game that an illegal move ended is worth.
        scale: what the other outcomes are worth, and shaping: see `tic_tac_toe.scoring.Scale`.

    Raises:
        ConfigurationError: an option is unknown, or the game cannot be played so.
    """
    rules = Rules(opponent=opponent, retries=_retries(illegal), rows=rows, columns=columns, line=line)
    if unknown := sorted(set(scale) - set(Scale.model_fields)):
        raise ConfigurationError(f"there is no option {unknown[0]!r}")
    (first,) = make_rows(1, rules, seed)
    make_opponent(opponent, new_match(first).game)
    worth = Scale(illegal=illegal_move, **scale)
    data = Dataset.from_list([_example(row) for row in make_rows(num_tasks, rules, seed)])
    return TicTacToeEnv(dataset=data, eval_dataset=data, rubric=_rubric(worth))


def _retries(illegal: str) -> int:
    number = illegal.removeprefix("retry(").removesuffix(")")
    if illegal == "end":
        return 0
    if illegal != f"retry({number})" or not (number.isascii() and number.isdigit()) or len(number) > 2:
        raise ConfigurationError(f"illegal is end or retry(N), not {illegal!r}")
    return int(number)


def _example(row: Row) -> dict[str, Any]:
    rules = row.rules
    system = protocol.system(row.symbol, rules.rows, rules.columns, rules.line)
    messages = [{"role": "system", "content": system}, {"role": "user", "content": first_message(row)}]
    return {"prompt": messages, "answer": "", "info": {"row": row.model_dump_json()}}


class _Conversation:
    """A game that runs beside the rollout and waits for the model's answers."""

    def __init__(self, row: Row) -> None:
        self._answers: asyncio.Queue[str | None] = asyncio.Queue()
        self._messages: asyncio.Queue[str] = asyncio.Queue()
        self._game = asyncio.create_task(play_row(row, self._say))

    async def _say(self, message: str | None) -> str | None:
        if message is not None:  # the one that opens the game is in the data set
            self._messages.put_nowait(message)
        return await self._answers.get()

    async def answer(self, text: str | None) -> str | Result:
        """Gives the game an answer (None: the conversation is over); what it says next, or how it ended."""
        self._answers.put_nowait(text)
        said = asyncio.create_task(self._messages.get())
        try:
            await asyncio.wait({said, self._game}, return_when=asyncio.FIRST_COMPLETED)
            return said.result() if said.done() else await self._game
        finally:
            said.cancel()


class TicTacToeEnv(vf.MultiTurnEnv):
    """One rollout is one game. How it went is in ``state["result"]``, as `tic_tac_toe.game.Result` has it."""

    async def setup_state(self, state: vf.State) -> vf.State:
        state["conversation"] = _Conversation(_row(state))
        return state

    async def env_response(self, messages: vf.Messages, state: vf.State, **_: Any) -> vf.Messages:
        said = await state["conversation"].answer(messages[-1].content or "")
        if isinstance(said, str):
            return [vf.UserMessage(content=said)]
        state["result"] = asdict(said)
        last = [vf.UserMessage(content=said.final_message)]
        state["final_env_response"] = last
        return last

    @vf.cleanup
    async def end(self, state: vf.State) -> None:
        """A conversation that was ended from outside ends its game; nothing of it is left running."""
        conversation = state.pop("conversation", None)
        if conversation is None or "result" in state:
            return
        empty = isinstance(state.get("error"), EmptyModelResponseError)
        said = await conversation.answer("" if empty else None)
        while isinstance(said, str):  # after an empty answer the game may go on; the rollout does not
            said = await conversation.answer(None)
        state["result"] = asdict(said)


def _row(state: vf.State) -> Row:
    return Row.model_validate_json(state["info"]["row"])


def _result(state: vf.State) -> Result:
    return Result(**state["result"]) if "result" in state else Result("unfinished")


def _rubric(worth: Scale) -> vf.Rubric:
    async def reward(state: vf.State) -> float:
        result = _result(state)
        if result.alarm:
            logger.error("%s", result.alarm)
        return worth.reward(result)

    async def call_error(state: vf.State) -> float:
        return float(state.get("error") is not None and _result(state).outcome != "empty")

    async def alarm(state: vf.State) -> float:
        return float(bool(_result(state).alarm))

    rubric = vf.Rubric(funcs=[reward])
    for name in OUTCOMES:
        rubric.add_metric(_metric(name, lambda result, name=name: float(result.outcome == name)))
    for name in _FURTHER:
        rubric.add_metric(_metric(name, lambda result, name=name: float(getattr(result, name) or 0.0)))
    rubric.add_metric(call_error)  # results have a column error already
    rubric.add_metric(alarm)
    return rubric


def _metric(name: str, measure: Callable[[Result], float]) -> Callable[[vf.State], Awaitable[float]]:
    """A metric under the name that results show it by."""

    async def metric(state: vf.State) -> float:
        return measure(_result(state))

    metric.__name__ = name
    return metric
