"""The environment as verifiers knows it: the taskset, its tasks with rewards and metrics, and how a game is run."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from dataclasses import asdict
from typing import Self

import verifiers.v1 as vf
from pydantic import Field, model_validator

from ludometer.core import ConfigurationError
from tic_tac_toe import protocol
from tic_tac_toe.game import OUTCOMES, Result, play_row
from tic_tac_toe.opponents import make_opponent
from tic_tac_toe.rows import Row, Rules, first_message, make_rows, new_match
from tic_tac_toe.scoring import Scale

__all__ = [
    "TicTacToeConfig",
    "TicTacToeData",
    "TicTacToeEnv",
    "TicTacToeEnvConfig",
    "TicTacToeTask",
    "TicTacToeTaskConfig",
    "TicTacToeTaskset",
]

logger = logging.getLogger(__name__)


class TicTacToeData(vf.TaskData):
    """``row`` says which game it is: enough to play it again from the answers alone."""

    row: Row


class TicTacToeTaskConfig(vf.TaskConfig, Scale):
    """What the outcomes are worth, and what shapes the reward (see `tic_tac_toe.scoring.Scale`)."""


class TicTacToeTask(vf.Task[TicTacToeData, vf.State, TicTacToeTaskConfig]):
    """Scores a finished game from what `TicTacToeEnv` left in ``trace.info``."""

    @vf.reward(weight=1.0)
    async def reward(self, trace: vf.Trace) -> float:
        reward: float = self.config.reward(_result(trace))
        return reward

    @vf.metric
    async def outcomes(self, trace: vf.Trace) -> dict[str, float]:
        """Which outcome it was (one of these is 1), and what the moves were like."""
        result = _result(trace)
        metrics: dict[str, float] = {name: float(result.outcome == name) for name in OUTCOMES}
        metrics |= {"error": 0.0, "alarm": float(bool(result.alarm)), "score": result.score}
        metrics |= {name: float(getattr(result, name)) for name in ("legal_moves", "illegal_moves", "empty_answers")}
        if result.regret is not None:
            metrics["regret"] = result.regret
        return metrics

    async def validate(self, runtime: vf.Runtime) -> bool:
        """Whether the row is a game that can be played, and its message shows it."""
        return bool(new_match(self.data.row).turns()) and self.data.prompt == first_message(self.data.row)


def _result(trace: vf.Trace) -> Result:
    """What `TicTacToeEnv` left on the trace; a game that nobody played is an unfinished one."""
    return Result(**trace.info) if trace.info else Result("unfinished")


class TicTacToeConfig(vf.TasksetConfig):
    """
    Attributes:
        num_tasks: number of rows.
        seed: another seed gives other rows.
        opponent: ``minimax``, ``random``, ``mixture(P)``, ``mcts``, or any player of Ludometer
            (``mcts:simulations=50``).
        rows, columns, line: the board (m,n,k).
        illegal: ``end``: an illegal move ends the game; ``retry(N)``: N further attempts per turn.
    """

    num_tasks: int = Field(1000, ge=1)
    seed: int = 0
    opponent: str = "minimax"
    rows: int = 3
    columns: int = 3
    line: int = 3
    illegal: str = Field("end", pattern=r"^(end|retry\(\d{1,2}\))$")
    task: TicTacToeTaskConfig = TicTacToeTaskConfig()

    def rules(self) -> Rules:
        """What all rows share."""
        retries = 0 if self.illegal == "end" else int(self.illegal[len("retry(") : -1])
        board = {"rows": self.rows, "columns": self.columns, "line": self.line}
        return Rules(opponent=self.opponent, retries=retries, **board)

    @model_validator(mode="after")
    def _playable(self) -> Self:
        """What is wrong with the options is said where they are read, in one sentence."""
        try:
            (row,) = make_rows(1, self.rules())
            make_opponent(self.opponent, new_match(row).game)
        except ConfigurationError as error:
            raise ValueError(str(error)) from None
        return self


class TicTacToeTaskset(vf.Taskset[TicTacToeTask, TicTacToeConfig]):
    """One task per row."""

    def load(self) -> Iterator[TicTacToeTask]:
        config, rules = self.config, self.config.rules()
        for row in make_rows(config.num_tasks, rules, config.seed):
            data = TicTacToeData(
                id=row.seed,
                name=f"tic-tac-toe {row.seed}",
                prompt=first_message(row),
                system_prompt=protocol.system(row.symbol, rules.rows, rules.columns, rules.line),
                row=row,
            )
            yield TicTacToeTask(data, config.task)


class TicTacToeEnvConfig(vf.EnvConfig):
    """
    Attributes:
        player: the model that plays. Its program is this package's own, on this machine: nothing it does needs a
            sandbox.
    """

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "tic-tac-toe"}, runtime={"type": "subprocess"})


class TicTacToeEnv(vf.Env[TicTacToeEnvConfig]):
    """One episode is one game."""

    async def run(self, task: TicTacToeTask, agents: vf.Agents) -> None:
        async with agents.player.interaction(task) as interaction:

            async def say(message: str | None) -> str | None:
                segment = await interaction.turn(message)
                if segment.terminated:
                    return None
                return next((m.content or "" for m in reversed(segment.messages) if m.role == "assistant"), "")

            result = await play_row(task.data.row, say)
            interaction.trace.info.update(asdict(result))
        if result.alarm:
            logger.error("%s", result.alarm)

    async def finalize(self, task: TicTacToeTask, episode: vf.Episode) -> None:
        """A game that a failed call ended is not scored; its metrics say so."""
        for trace in episode.traces:
            if not trace.ok:
                trace.record_metrics(dict.fromkeys((*OUTCOMES, "alarm"), 0.0) | {"error": 1.0})
