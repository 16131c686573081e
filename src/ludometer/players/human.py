"""A person at the terminal."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import threading
from typing import ClassVar

from ludometer.core import AnyGame, Asked, ConfigurationError, Decision, Illegal, Turn, View

_RESIGN = "resign"
_BLOCK_BEGINS, _BLOCK_ENDS = "<<<", ">>>"
_DRAWN = ("illustration", "ascii", "board", "grid")
"""Views that a person reads more easily than the one a game shows to models first."""


def drawn_view(game: AnyGame) -> View:
    """The view that a terminal shows to a person."""
    views = {name: view for name, view in game.views().items() if view.kind == "text"}
    return next((views[name] for name in _DRAWN if name in views), next(iter(views.values())))


class HumanPlayer:
    """Asks on the terminal. What cannot be read or is against the rules is explained and asked again.

    Where moves are free text, several lines are written between a line ``<<<`` and a line ``>>>``.

    Args:
        view: how the state is shown (None: as a board, where the game has such a view).
    """

    name: ClassVar[str] = "human"
    description: ClassVar[str] = "a person at this terminal"

    def __init__(self, view: str | None = None) -> None:
        self.view = view

    async def act(self, turn: Turn) -> Decision:
        view = self._view_of(turn)
        asked = turn.game.asked(turn.observation, view.notation)
        wanted = f"Write {asked.hint}" if asked.whole else f"Name your move {asked.hint}"
        print(f"\n{view.render(turn.observation)}\n")
        while True:
            text = await _typed(f"You are {turn.title}. {wanted}{_several_lines(asked)}, or write {_RESIGN}: ")
            if text.strip() == _BLOCK_BEGINS:
                text = await _typed_block()
            if text.strip().casefold() in (_RESIGN, "quit", "exit"):
                return Decision(text=text, resign=True)
            try:
                action = turn.parse(text)
                turn.check(action)
            except Illegal as error:
                print(f"Not possible: {error.reason}.")
                continue
            return Decision(action, text=text)

    def _view_of(self, turn: Turn) -> View:
        views = {name: view for name, view in turn.game.views().items() if view.kind == "text"}
        if self.view is not None and self.view not in views:
            raise ConfigurationError(f"{turn.game.title} has no text view {self.view!r}; it has: {', '.join(views)}")
        return views[self.view] if self.view else drawn_view(turn.game)


def _several_lines(asked: Asked) -> str:
    """How to write more than a line, where a move may need it."""
    if not asked.whole and "\n" not in asked.text:
        return ""
    return f" (several lines: between {_BLOCK_BEGINS} and {_BLOCK_ENDS})"


async def _typed_block() -> str:
    """The lines up to the one that ends them; ``resign``, which is also the end of the input, ends the match."""
    lines: list[str] = []
    while (line := await _typed("")).strip() != _BLOCK_ENDS:
        if line == _RESIGN:
            return line
        lines.append(line)
    return "\n".join(lines)


async def _typed(prompt: str) -> str:
    """A line from the terminal. Nothing waits for the thread that reads it: an interrupt must not wait for Enter."""
    loop = asyncio.get_running_loop()
    typed: asyncio.Future[str] = loop.create_future()

    def deliver(text: str | None, error: Exception | None) -> None:
        if not typed.done():
            typed.set_exception(error) if error is not None else typed.set_result(text or "")

    def read() -> None:
        text, error = None, None
        try:
            text = _ask(prompt)
        except Exception as raised:
            error = raised
        with contextlib.suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(deliver, text, error)

    threading.Thread(target=read, name="ludometer-human", daemon=True).start()
    return await typed


def _ask(prompt: str) -> str:
    try:
        return input(prompt)
    except EOFError:
        if not sys.stdin.isatty():
            raise ConfigurationError("a human player needs a terminal to type at, and the input has ended") from None
        return _RESIGN
