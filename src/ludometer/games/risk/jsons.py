"""States as JSON and back."""

from __future__ import annotations

from functools import lru_cache

from ludometer.core import Chance, Json
from ludometer.games.risk.state import Log, Moving, Roll, State

__all__ = ["dumped", "loaded"]


def dumped(state: State) -> Json:
    """The state by the names of its fields. A log entry is one text: ``attack|0|7,3,1,0,1,1|65321``."""
    data = state._asdict()
    for name in ("owners", "armies", "deck", "discards", "reserves", "out", "chance"):
        data[name] = list(data[name])
    data["hands"] = [list(hand) for hand in state.hands]
    data["moving"] = None if state.moving is None else list(state.moving)
    data["log"] = [_written(log) for log in state.log]
    return data


def loaded(data: Json) -> State:
    """The state that `dumped` wrote."""
    values = dict(data)
    for name in ("owners", "armies", "deck", "discards", "reserves", "out"):
        values[name] = tuple(values[name])
    values["hands"] = tuple(tuple(hand) for hand in values["hands"])
    values["moving"] = None if values["moving"] is None else Moving(*values["moving"])
    values["log"] = tuple(_read(entry) for entry in values["log"])
    values["chance"] = Chance(*values["chance"])
    return State(**values)


# The log is written with every state and only grows at its end: both directions are kept.


@lru_cache(maxsize=65536)
def _written(log: Log) -> str:
    numbers = ",".join(map(str, log.numbers))
    rolls = ",".join("".join(map(str, dice)) for dice in log.rolls)
    return "|".join((log.trait, str(log.player), numbers, rolls, log.note)).rstrip("|")


@lru_cache(maxsize=65536)
def _read(entry: str) -> Log:
    trait, player, numbers, rolls, note = (*entry.split("|"), "", "", "")[:5]
    return Log(
        trait,  # type: ignore[arg-type]
        int(player),
        tuple(int(number) for number in numbers.split(",") if number),
        tuple(_roll(dice) for dice in rolls.split(",") if dice),
        note,
    )


def _roll(dice: str) -> Roll:
    first, second, third, high, low = map(int, dice)
    return first, second, third, high, low
