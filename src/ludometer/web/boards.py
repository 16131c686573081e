"""Positions in the form that board libraries take."""

from __future__ import annotations

from typing import Any

from ludometer.core import AnyGame, Observation

__all__ = ["board_of"]


def board_of(game: AnyGame, observation: Observation) -> dict[str, Any] | None:
    """The position for a library's board; None for games without one.

    ``{"kind": "chess", "fen", "last": [from, to] or null, "check": square or null}`` or
    ``{"kind": "go", "size", "rows": ["..X", ...] from the top, "last": point or null}`` with X for Black.
    """
    data = observation.data
    if game.name == "chess" and isinstance(data.get("fen"), str):
        return {"kind": "chess", "fen": data["fen"], "last": data.get("last"), "check": data.get("check")}
    if game.name == "go" and isinstance(data.get("board"), list):
        rows = [str(row) for row in data["board"]]
        last = observation.events[-1].what if observation.events else None
        return {"kind": "go", "size": len(rows), "rows": rows, "last": last}
    return None
