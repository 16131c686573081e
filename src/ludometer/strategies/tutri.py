"""Decide, then think again twice: with what can be counted so far, and with advice.

The "TuTri" player of Qin et al., "UNO Arena for Evaluating Sequential Decision-Making Capability of Large Language
Models" (2024), section 3.2: every decision is a conversation of exactly three questions, of which the last answer
counts. Its two ablations leave out one of the reflections. It plays every game that offers `Game.statistics` and
`Game.advice`.
"""

from __future__ import annotations

from ludometer.core import AnyGame, Chance, ConfigurationError, Turn
from ludometer.strategies.conversation import Answer, Conversation

_AGAIN = (
    "Reconsider the decision that you have just named in the light of this. You may keep it or change it, whichever "
    "you think is better. Then state your decision once more."
)


async def strategy(conversation: Conversation, turn: Turn, history: bool = True, strategy: bool = True) -> Answer:
    """Three questions, or fewer where a reflection is switched off. All are asked whatever the answers.

    The last answer counts, as in the original: where it cannot be read or is illegal, no earlier one takes its place.

    Args:
        history: reflect on what can be counted so far.
        strategy: reflect on advice.
    """
    game, observation = turn.game, turn.observation
    answered = await conversation.ask()
    if history:
        counted = f"This is what can be counted in the game so far.\n{game.statistics(observation)}"
        answered = await conversation.ask(f"{counted}\n\n{_AGAIN}\n{conversation.question}")
    if strategy:
        listed = "\n".join(f"{i}. {sentence}" for i, sentence in enumerate(game.advice(observation), 1))
        advised = f"This is advice that experienced players give for such a decision.\n{listed}"
        answered = await conversation.ask(f"{advised}\n\n{_AGAIN}\n{conversation.question}")
    return conversation.read(answered)


def calls_per_decision(history: bool = True, strategy: bool = True) -> tuple[int, int]:
    """The decision, and one call for each reflection."""
    asked = 1 + history + strategy
    return asked, asked


def supports(game: AnyGame, history: bool = True, strategy: bool = True) -> None:
    """Raises `ConfigurationError` for a game that does not offer what the reflections show."""
    state = game.new(game.players[0], Chance.from_seed("example"))
    observation = game.observe(state, game.to_act(state)[0])
    if history and not game.statistics(observation):
        raise ConfigurationError(
            f"strategy tutri: {game.title} offers no statistics of what has happened; choose another strategy or write "
            "tutri:history=false"
        )
    if strategy and not game.advice(observation):
        raise ConfigurationError(
            f"strategy tutri: {game.title} offers no advice; choose another strategy or write tutri:strategy=false"
        )
