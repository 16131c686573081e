"""The environment as verifiers knows it: the taskset, its tasks with rewards and metrics, and how a match is run."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import AsyncExitStack
from typing import Any, Self

import verifiers.v1 as vf
from pydantic import Field, model_validator

from ludometer.core import ConfigurationError, ImagePart, Message, ProviderError
from ludometer_games.rows import Row, Setup, make_rows
from ludometer_games.table import Reply, Standing, play_row

__all__ = ["GamesConfig", "GamesData", "GamesEnv", "GamesEnvConfig", "GamesTask", "GamesTaskConfig", "GamesTaskset"]

_ENDINGS = ("completed", "forfeit", "canceled", "void")


class GamesData(vf.TaskData):
    """``row`` says which match it is; ``seat``, on the trace of a seat, which one. The prompt is unset: the match
    opens every conversation when it is the seat's turn."""

    row: Row
    seat: str = ""


class GamesTaskConfig(vf.TaskConfig):
    """``bad_attempt_penalty`` is subtracted from the score for every attempt that was not legal."""

    bad_attempt_penalty: float = 0.0


class GamesTask(vf.Task[GamesData, vf.State, GamesTaskConfig]):
    """Scores one seat of a finished match from what `GamesEnv` left in ``trace.info``."""

    @vf.reward(weight=1.0)
    async def reward(self, trace: vf.Trace) -> float:
        standing = _standing(trace)
        penalty: float = self.config.bad_attempt_penalty
        return standing.score - penalty * standing.bad_attempts

    @vf.metric
    async def standing(self, trace: vf.Trace) -> dict[str, float]:
        """The score, how the match ended (one of four is 1), and the seat's attempts by the kind of the verdict."""
        standing = _standing(trace)
        metrics = {name: float(standing.ending == name) for name in _ENDINGS}
        metrics |= {"score": standing.score, "steps": float(standing.steps)}
        metrics |= {"forfeited": float(standing.ending == "forfeit" and standing.offender == standing.seat)}
        metrics |= {f"verdict_{kind}": float(count) for kind, count in standing.verdicts.items()}
        return metrics | {"bad_attempts": float(standing.bad_attempts)}


def _standing(trace: vf.Trace) -> Standing:
    """What `GamesEnv` left on the trace; a match that nobody played is a void one."""
    return Standing(**trace.info) if trace.info else Standing("", 0.0, "void", "not played", 0)


class GamesConfig(vf.TasksetConfig, Setup):
    """``num_tasks`` rows of ``seed``; what they share is described by `ludometer_games.rows.Setup`."""

    num_tasks: int = Field(1000, ge=1)
    seed: int = 0
    task: GamesTaskConfig = GamesTaskConfig()

    def shared(self) -> Setup:
        """What all rows share."""
        return Setup.model_validate({name: getattr(self, name) for name in Setup.model_fields})

    @model_validator(mode="after")
    def _playable(self) -> Self:
        """What is wrong with the setup is said where the options are read, in one sentence."""
        try:
            next(make_rows(1, self.shared()))
        except ConfigurationError as error:
            raise ValueError(str(error)) from None
        return self


class GamesTaskset(vf.Taskset[GamesTask, GamesConfig]):
    """One task per row."""

    def load(self) -> Iterator[GamesTask]:
        config, setup = self.config, self.config.shared()
        for row in make_rows(config.num_tasks, setup, config.seed):
            data = GamesData(id=row.seed, name=f"{setup.game} {row.seed}", system_prompt=setup.system, row=row)
            yield GamesTask(data, config.task)


class GamesEnvConfig(vf.EnvConfig):
    """
    Attributes:
        player: the model that plays.
        opponent: another model, for ``seats = "agents"``; its tokens are never trained on.
    """

    player: vf.AgentConfig = vf.AgentConfig(harness={"id": "ludometer-games"}, runtime={"type": "subprocess"})
    opponent: vf.AgentConfig = vf.AgentConfig(harness={"id": "ludometer-games"}, runtime={"type": "subprocess"})


class GamesEnv(vf.Env[GamesEnvConfig]):
    """One episode is one match, with one trace for every seat of a model that was asked at least once."""

    async def setup(self, agents: vf.Agents) -> None:
        agents.opponent.trainable = False

    async def run(self, task: GamesTask, agents: vf.Agents) -> None:
        row = task.data.row
        async with AsyncExitStack() as stack:
            chats = {
                seat: Chat(stack, getattr(agents, agent), task.with_data(seat=seat))
                for seat, agent in row.agents.items()
            }
            standings = await play_row(row, {seat: chat.say for seat, chat in chats.items()})
            if any(chat.failed for chat in chats.values()):
                # Nobody is scored: the seats whose calls went through have not lost either.
                raise vf.EnvError("a call failed, and the match is void")
            for seat, chat in chats.items():
                if chat.interaction is not None:
                    chat.interaction.trace.info.update(standings[seat].to_dict())


class Chat:
    """The conversation of one seat. It is opened by the seat's first turn, so that a seat that is never asked leaves no
    trace."""

    def __init__(self, stack: AsyncExitStack, agent: vf.Agent, task: GamesTask) -> None:
        self._stack, self._agent, self._task = stack, agent, task
        self.interaction: Any = None
        """The `verifiers.v1.Interaction`, once there is one."""
        self.failed = False

    async def say(self, message: Message) -> Reply | None:
        try:
            if self.interaction is None:
                self.interaction = await self._stack.enter_async_context(self._agent.interaction(self._task))
            segment = await self.interaction.turn([_wire(message)])
        except vf.RolloutError as error:  # it stands on the trace
            self.failed = True
            raise ProviderError(str(error)) from error
        if segment.terminated:
            self.failed = bool(self.interaction.trace.errors)
            return None
        text = next((m.content or "" for m in reversed(segment.messages) if m.role == "assistant"), "")
        calls = self.interaction.trace.calls
        return Reply(text, bool(calls) and calls[-1].finish_reason == "length")


def _wire(message: Message) -> dict[str, Any]:
    if isinstance(message.content, str):
        return {"role": message.role, "content": message.content}
    parts: list[dict[str, Any]] = []
    for part in message.content:
        if isinstance(part, ImagePart):
            url = f"data:{part.media_type};base64,{base64.b64encode(part.data).decode()}"
            parts.append({"type": "image_url", "image_url": {"url": url}})
        else:
            parts.append({"type": "text", "text": part.text})
    return {"role": message.role, "content": parts}
