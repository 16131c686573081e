"""Maps as data: territories, borders and continents, read from the TOML files beside this module."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeAlias

__all__ = ["SYMBOLS", "WILD", "Continent", "MapName", "RiskMap", "load_map"]

MapName: TypeAlias = Literal["classic", "small"]

SYMBOLS = ("infantry", "cavalry", "artillery", "wild")
"""What cards show, by number."""
WILD = 3
_WILD_CARDS = 2


class Continent(NamedTuple):
    """``members`` are the numbers of its territories, which follow each other; ``mask`` has their bits."""

    name: str
    bonus: int
    members: range
    mask: int
    colour: str


class RiskMap(NamedTuple):
    """A map. Territories have numbers from 0, in the order of the file.

    Attributes:
        neighbours: by territory, the territories it borders on, ascending; ``masks`` the same as bits.
        continents: in order; ``continent_of`` gives the number by territory.
        points: where each territory is drawn, and the picture's ``size``.
        armies: armies to start with: at index 0 for two players, and so on.
        around: a border that is drawn around the edge of the picture.
    """

    name: str
    names: tuple[str, ...]
    neighbours: tuple[tuple[int, ...], ...]
    masks: tuple[int, ...]
    continents: tuple[Continent, ...]
    continent_of: tuple[int, ...]
    points: tuple[tuple[int, int], ...]
    size: tuple[int, int]
    armies: tuple[int, ...]
    around: tuple[int, int]

    @property
    def cards(self) -> int:
        """How many cards there are: one per territory, and two wild cards at the end."""
        return len(self.names) + _WILD_CARDS

    def symbol(self, card: int) -> int:
        """What a card (from 0) shows, as an index of `SYMBOLS`."""
        return card % 3 if card < len(self.names) else WILD


@lru_cache(maxsize=8)
def load_map(name: str) -> RiskMap:
    """The map called ``name``: ``classic`` or ``small``."""
    data = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text(encoding="utf-8"))
    names = tuple(territory for part in data["continents"] for territory in part["territories"])
    number = {territory: i for i, territory in enumerate(names)}
    neighbours = _neighbours(number, data["borders"])
    continents = _continents(data["continents"])
    first, last = data["around"]
    return RiskMap(
        name,
        names,
        neighbours,
        tuple(sum(1 << other for other in others) for others in neighbours),
        continents,
        tuple(i for i, continent in enumerate(continents) for _ in continent.members),
        tuple(tuple(point) for part in data["continents"] for point in part["territories"].values()),
        (data["width"], data["height"]),
        tuple(data["armies"][str(players)] for players in range(2, 7)),
        (number[first], number[last]),
    )


def _neighbours(number: Mapping[str, int], borders: Mapping[str, Sequence[str]]) -> tuple[tuple[int, ...], ...]:
    found: list[set[int]] = [set() for _ in number]
    for one, others in borders.items():
        for other in others:
            found[number[one]].add(number[other])
            found[number[other]].add(number[one])
    return tuple(tuple(sorted(others)) for others in found)


def _continents(parts: Sequence[Mapping[str, Any]]) -> tuple[Continent, ...]:
    ends = list(accumulate((len(part["territories"]) for part in parts), initial=0))
    return tuple(
        Continent(
            part["name"],
            part["bonus"],
            range(start, end),
            sum(1 << i for i in range(start, end)),
            part["colour"],
        )
        for part, start, end in zip(parts, ends, ends[1:], strict=False)
    )
