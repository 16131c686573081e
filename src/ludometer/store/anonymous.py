"""A run without the names of people: what exports read where names are to be left out."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludometer.core import Json
from ludometer.players import Entrant
from ludometer.store.database import RunStore
from ludometer.store.records import MatchRow

__all__ = ["AnonymousRun", "people_names"]

_PERSON = "human"
"""The player of an entrant who is a person."""


def people_names(entrants: Sequence[Mapping[str, Json]]) -> dict[str, str]:
    """What stands for the name of each person among the entrants: "person 1", "person 2", ... in their order."""
    taken = {str(entrant["name"]) for entrant in entrants}
    found: dict[str, str] = {}
    number = 0
    for entrant in entrants:
        if entrant["player"] != _PERSON:
            continue
        number += 1
        while f"person {number}" in taken:  # somebody is really called so
            number += 1
        found[str(entrant["name"])] = f"person {number}"
    return found


class AnonymousRun(RunStore):
    """The same run, for reading, with the names of people replaced wherever the database keeps them as names.

    The luck and seed of a match are digests of its entrants' names, among other things: who guesses a name can confirm
    it by them. What people typed themselves is kept as it is.
    """

    def __init__(self, store: RunStore) -> None:
        self.__dict__.update(store.__dict__)  # the same connections; whoever opened the run closes it
        self._names = people_names(store.entrants())

    def _replaced(self, name: str) -> str:
        return self._names.get(name, name)

    def entrants(self) -> list[dict[str, Json]]:
        return [{**entrant, "name": self._replaced(str(entrant["name"]))} for entrant in super().entrants()]

    @property
    def config(self) -> dict[str, Json]:
        table = super().config
        table["players"] = [self._player(written) for written in table.get("players", [])]
        schedule: Any = table.get("schedule")
        if isinstance(schedule, dict):
            sides = {side: schedule[side] for side in ("pool", "challengers") if schedule.get(side)}
            replaced = {side: [self._replaced(name) for name in names] for side, names in sides.items()}
            table["schedule"] = {**schedule, **replaced}
        orders: Any = table.get("expected_order")
        if orders:
            table["expected_order"] = [[self._replaced(name) for name in order] for order in orders]
        return table

    def meta(self, key: str) -> Any:
        found = super().meta(key)
        if key != "decision" or not isinstance(found, dict):
            return found
        return {**found, "why": self._without_names(str(found.get("why")))}

    def _without_names(self, sentence: str) -> str:
        """A sentence about entrants. Whatever in it reads like a name is replaced, longer names first."""
        if not self._names:
            return sentence
        names = "|".join(map(re.escape, sorted(self._names, key=len, reverse=True)))
        return re.sub(rf"(?<!\w)(?:{names})(?!\w)", lambda name: self._names[name[0]], sentence)

    def _player(self, written: Any) -> Json:
        name = Entrant.of(written).name
        if name not in self._names:
            return written
        table = {"player": written} if isinstance(written, str) else written
        return {**table, "name": self._names[name]}

    def matches(self, *, status: Sequence[str] | None = None) -> Iterator[MatchRow]:
        for row in super().matches(status=status):
            yield row._replace(seats={seat: self._replaced(name) for seat, name in row.seats.items()})
