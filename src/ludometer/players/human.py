"""A person at the terminal."""

from __future__ import annotations

import asyncio
import sys
from typing import ClassVar

from ludometer.core import ConfigurationError, Decision, Illegal, Turn


class HumanPlayer:
    """Asks on the terminal. What cannot be read or is against the rules is explained and asked again.

    Args:
        view: how the state is shown (None: the game's default view).
    """

    name: ClassVar[str] = "human"
    description: ClassVar[str] = "a person at this terminal"

    def __init__(self, view: str | None = None) -> None:
        self.view = view

    async def act(self, turn: Turn) -> Decision:
        print(f"\n{self._shown(turn)}\n")
        while True:
            text = await asyncio.to_thread(_ask, f"You are {turn.title}. Your move ({self._hint(turn)}, or resign): ")
            if text.strip().casefold() in ("resign", "quit", "exit"):
                return Decision(text=text, resign=True)
            try:
                action = turn.parse(text)
                turn.check(action)
            except Illegal as error:
                print(f"Not possible: {error.reason}.")
                continue
            return Decision(action, text=text)

    def _shown(self, turn: Turn) -> str:
        views = {name: view for name, view in turn.game.views().items() if view.kind == "text"}
        if self.view is not None and self.view not in views:
            raise ConfigurationError(f"{turn.game.title} has no text view {self.view!r}; it has: {', '.join(views)}")
        view = views[self.view] if self.view else views.get("illustration", next(iter(views.values())))
        return view.render(turn.observation)

    def _hint(self, turn: Turn) -> str:
        return turn.game.answer_hint(turn.seat)


def _ask(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        if not sys.stdin.isatty():
            raise ConfigurationError("a human player needs a terminal to type at, and the input has ended") from None
        return "resign"
