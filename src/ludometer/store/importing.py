"""Published results as runs: the games without their moves, so that our own code makes the tables and ratings."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any

from ludometer.core import Json
from ludometer.store.address import Address, Where
from ludometer.store.database import RunStore

__all__ = ["import_topsakal"]

_VIEWS = ("list", "illustration")
_SEATS = ("X", "O")

_UNKNOWN = (
    *("opening", "offender", "payoffs", "moves", "attempts", "bad_attempts", "substituted", "notation"),
    *("started", "finished", "seconds"),
)

_NOTES = (
    "Imported from the tables of Topsakal & Harper (2024): results without moves, times, tokens or answers. "
    "Who caused a canceled game is not known, so that canceled games count for nobody.",
    "The study's captions have the two seats the wrong way round: they call the model that heads a column player 1. "
    "Here the model of the row is player 1 (X), because only then do the study's own statements hold: GPT-4 won most "
    "as X, Claude 2.1 and Llama2-70 won nothing when shown the illustration, and Mistral-L won nothing as player 2 "
    "there.",
    "For the illustration the study's text counts 332 canceled games; its table adds up to 338. The table is kept.",
)


def import_topsakal(where: Where) -> Address:
    """Makes a run of the tic-tac-toe tables of Topsakal & Harper (2024) and returns its folder or address.

    980 matches: 49 ordered pairs of seven models (self-play included), 10 games each, under the conditions
    ``{"view": "list"}`` and ``{"view": "illustration"}``. Each is completed or canceled, the offender unknown. Under
    `RunStore.imported`: ``invalid_responses``, ``moves_per_result``, ``notes`` and ``source``.

    Raises:
        ConfigurationError: there is a run in the folder already.
        MachineError: the folder cannot be written.
    """
    text = (resources.files("ludometer") / "data" / "topsakal2024.json").read_text(encoding="utf-8")
    study: dict[str, Any] = json.loads(text)
    with RunStore.create(where, _config(study)) as store:
        store.add_entrants([_entrant(name) for name in study["models"]])
        rows = [_row(number, *planned) for number, planned in enumerate(_games(study), start=1)]
        store.insert_finished(rows)
        store.save_import("source", study["source"])
        store.save_import("notes", list(_NOTES))
        store.save_import("invalid_responses", _invalid(study))
        store.save_import("moves_per_result", _lengths(study))
        return store.address


def _config(study: Mapping[str, Any]) -> dict[str, Json]:
    return {
        "name": "topsakal-2024-published",
        "description": study["source"],
        "games": [{"name": "tictactoe", "options": {}}],
        "players": list(study["models"]),
        "schedule": {"kind": "round_robin", "repeats": study["games_per_cell"], "self_play": True},
        "factors": {"view": list(_VIEWS)},
        "prompt": {"answer": "json"},
        "policy": {"attempts": "unlimited", "feedback": "repeat", "max_moves": 21},
    }


def _entrant(name: str) -> dict[str, Json]:
    return {"name": name, "player": "imported", "options": {}, "family": None, "thinking": None}


def _games(study: Mapping[str, Any]) -> Iterator[tuple[str, str, str, int, str]]:
    """View, player 1, player 2, number of the game within its cell, and result, one per game."""
    for view in _VIEWS:
        for cell in study[view]["cells"]:
            counts = dict(zip(study["columns"], cell, strict=True))
            results = [r for r in ("x_wins", "o_wins", "draws", "canceled") for _ in range(counts[r])]
            for repeat, result in enumerate(results):
                yield view, counts["player_1"], counts["player_2"], repeat, result


def _row(number: int, view: str, first: str, second: str, repeat: int, result: str) -> dict[str, Any]:
    key = json.dumps([view, first, second, repeat])
    score = {"x_wins": 1.0, "o_wins": 0.0, "draws": 0.5}.get(result)
    why = {"x_wins": "X won", "o_wins": "O won", "draws": "drawn"}.get(result, "too many invalid moves")
    return {
        "id": f"m{number:06d}",
        "number": number,
        "key": key,
        "game": "tictactoe",
        "options": json.dumps({}),
        "condition": json.dumps({"view": view}),
        # The published games share no luck: each is a group of its own.
        "group": key,
        "luck": "",
        "seed": "",
        "seats": json.dumps(dict(zip(_SEATS, (first, second), strict=True))),
        "status": "finished",
        "ending": "canceled" if score is None else "completed",
        "why": why,
        "scores": None if score is None else json.dumps(dict(zip(_SEATS, (score, 1.0 - score), strict=True))),
        "voids": 0,
        **dict.fromkeys(_UNKNOWN),
    }


def _invalid(study: Mapping[str, Any]) -> list[Json]:
    return [
        {
            "condition": f"view = {view}",
            "entrant": name,
            "seat_number": seat,
            "kind": kind,
            "count": count,
        }
        for view in _VIEWS
        for name, tables in study[view]["invalid_responses"].items()
        for seat in (1, 2)
        for kind, count in tables[f"as_player_{seat}"].items()
    ]


def _lengths(study: Mapping[str, Any]) -> list[Json]:
    """The mean numbers of moves that the study's text states; its figures show the others without numbers."""
    rows: list[Json] = []
    for view in _VIEWS:
        for what, value in study[view]["moves_per_result"].items():
            seat = {"winner_x": 1, "winner_o": 2}.get(what.rsplit("_", 1)[0])
            result = "drawn" if seat is None else f"won as player {seat}"
            claim = {"best": "fewest of all models", "worst": "most of all models"}.get(what.rsplit("_", 1)[1], "")
            for name, mean in value.items() if isinstance(value, dict) else [("all", value)]:
                rows.append(
                    {"condition": f"view = {view}", "result": result, "entrant": name, "mean": mean, "claim": claim}
                )
    return rows
