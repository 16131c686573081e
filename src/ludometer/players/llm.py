"""A language model in a seat: model + view + answer format + strategy + context."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

from ludometer.core import ConfigurationError, Decision, Exchange, Fault, Game, Illegal, Turn
from ludometer.core.registry import nearest
from ludometer.core.spec import parse_spec
from ludometer.models.protocol import Model
from ludometer.prompts import AnswerFormat, AnswerStyle, PromptStyle
from ludometer.strategies import Answer, Conversation, check_strategy, load_strategy

__all__ = ["LlmPlayer"]


class LlmPlayer:
    """A language model that is asked for its move turn by turn.

    Args:
        model: who is asked.
        view: how the state is shown (None: the game's default view).
        answer: the answer format.
        legal_only: the schema of a structured answer lists exactly the legal moves.
        rationale: ask for a reason before the move (structured formats).
        strategy: the program that leads to a decision, with its options: ``plain``, ``vote:k=5``.
        context: ``fresh`` prompts, or a growing ``conversation``.
        system, suffix: fixed texts before and after every prompt.
    """

    name: ClassVar[str] = "llm"
    description: ClassVar[str] = "a language model; written as its name, provider/model"

    def __init__(
        self,
        model: Model,
        *,
        view: str | None = None,
        answer: AnswerFormat = "json",
        legal_only: bool = False,
        rationale: bool = False,
        strategy: str = "plain",
        context: Literal["fresh", "conversation"] = "fresh",
        system: str | None = None,
        suffix: str | None = None,
    ) -> None:
        self.model = model
        self.style = PromptStyle(view, AnswerStyle(answer, legal_only, rationale), context, system, suffix)
        self.strategy = parse_spec(strategy)
        self._strategy = load_strategy(self.strategy)

    def supports(self, game: Game[Any, Any]) -> None:
        """Raises `ConfigurationError` where this player cannot play that game as it is set up."""
        views = game.views()
        name = self.style.view
        if name is not None and name not in views:
            raise ConfigurationError(f"{game.title} has no view {name!r}{nearest(name, views)}")
        view = views[name] if name is not None else next(iter(views.values()))
        if view.kind == "image" and self.model.capabilities.sees_images is False:
            raise ConfigurationError(f"{self.model.name} cannot see pictures; choose another view than {view.name!r}")
        check_strategy(self.strategy, game)

    async def act(self, turn: Turn) -> Decision:
        conversation = Conversation(self.model, turn, self.style)
        try:
            answer = await self._strategy(conversation, turn)
        except Illegal as error:  # caught here, where the calls that led to it are known
            answer = Answer(fault=Fault.of(error))
        return Decision(
            action=answer.action,
            fault=answer.fault,
            text=answer.text,
            rationale=answer.rationale,
            draw=answer.draw,
            exchanges=conversation.exchanges,
            seconds=_seconds(conversation.exchanges),
        )


def _seconds(exchanges: tuple[Exchange, ...]) -> float:
    """Time spent waiting for the model. Taken from the log, not from a clock, so that a replay charges the same."""
    return sum(exchange.completion.latency for exchange in exchanges)
