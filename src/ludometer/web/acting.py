"""What the server keeps while it runs: followed runs, runs that it started, and games with people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from ludometer.store import Address
from ludometer.web.live import Watches

if TYPE_CHECKING:
    from fastapi import FastAPI

    from ludometer.web.children import Children
    from ludometer.web.play_sessions import PlaySessions
    from ludometer.web.runs import RunsFolder

__all__ = ["Acting", "acting"]


class Acting:
    """Attributes:
    watches: followed runs, one per run however many look on.
    """

    def __init__(self) -> None:
        self.watches = Watches()
        self._children: Children | None = None
        self._play: PlaySessions | None = None

    @property
    def children(self) -> Children:
        """Runs that this server started."""
        if self._children is None:
            from ludometer.web.children import Children

            self._children = Children()
        return self._children

    @property
    def play(self) -> PlaySessions:
        """Games with people."""
        if self._play is None:
            from ludometer.web.play_sessions import PlaySessions

            self._play = PlaySessions()
        return self._play

    def started(self, folder: Address) -> bool:
        """Whether this server plays the run; it plays none in databases."""
        if not isinstance(folder, Path):
            return False
        return (self._children is not None and self._children.has(folder)) or self.has_people(folder)

    def has_people(self, folder: Path) -> bool:
        """Whether people play the match in a folder, on this server."""
        return self._play is not None and self._play.has(folder)

    async def close(self) -> None:
        """Ends games (they can be opened again) and pollers. Runs in processes of their own go on."""
        await self.watches.close()
        if self._play is not None:
            await self._play.close()


def acting(app: FastAPI) -> Acting:
    """The one of an application, made when it is first asked for."""
    found: Acting | None = getattr(app.state, "acting", None)
    if found is None:
        found = app.state.acting = Acting()
        runs: RunsFolder = app.state.runs
        here = found
        app.state.started_here = lambda name: here.started(runs.address(name))
    return found
