"""All luck in Ludometer: named, independent streams of integers that are the same on every machine.

A `Chance` is a value: drawing from it returns the result and the next `Chance`, and never changes anything.
Streams are derived by name (``chance.named("hand", 3)``), not by position, so that hand 3 gets the same deck
whatever happened in hand 2, and two matches of one duplicate group share their luck even where play differs.

The generator is SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014);
streams are keyed with BLAKE2b over the labels.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import blake2b
from typing import NamedTuple, TypeAlias, TypeVar

__all__ = ["Chance", "Label"]

T = TypeVar("T")
Label: TypeAlias = "str | int"

_MASK = (1 << 64) - 1
_GOLDEN = 0x9E3779B97F4A7C15


def _mix(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


class Chance(NamedTuple):
    """A stream of 64-bit integers: ``key`` chooses the stream, ``drawn`` is how far it has been read."""

    key: int
    drawn: int = 0

    @classmethod
    def from_seed(cls, seed: Label) -> Chance:
        """The root stream of a seed."""
        return cls(0).named("seed", seed)

    def named(self, *labels: Label) -> Chance:
        """The stream with this name under this one. It depends on the key and the labels only, not on ``drawn``."""
        digest = blake2b(self.key.to_bytes(8, "little"), digest_size=8)
        for label in labels:
            # The type and the length keep (1, "2"), ("1", 2), ("12",) and ("1", "2") apart.
            body = str(label).encode("utf-8", "surrogatepass")
            digest.update(b"%c%d:" % (b"i" if isinstance(label, int) else b"s", len(body)) + body)
        return Chance(int.from_bytes(digest.digest(), "little"))

    def bits(self) -> tuple[int, Chance]:
        """64 uniform bits as an integer, and the rest of the stream."""
        drawn = self.drawn + 1
        return _mix((self.key + drawn * _GOLDEN) & _MASK), Chance(self.key, drawn)

    def below(self, n: int) -> tuple[int, Chance]:
        """A uniform integer in ``range(n)`` (no modulo bias), and the rest of the stream."""
        if n <= 0:
            raise ValueError(f"below() needs a positive bound, not {n}")
        limit = (1 << 64) - (1 << 64) % n
        rest = self
        while True:
            value, rest = rest.bits()
            if value < limit:
                return value % n, rest

    def unit(self) -> tuple[float, Chance]:
        """A uniform float in [0, 1) with 53 random bits, and the rest of the stream."""
        value, rest = self.bits()
        return (value >> 11) * 2.0**-53, rest

    def choice(self, items: Sequence[T]) -> tuple[T, Chance]:
        """One of the items, uniformly, and the rest of the stream."""
        index, rest = self.below(len(items))
        return items[index], rest

    def shuffled(self, items: Iterable[T]) -> tuple[tuple[T, ...], Chance]:
        """The items in uniform random order (Fisher-Yates), and the rest of the stream."""
        order = list(items)
        rest = self
        for i in range(len(order) - 1, 0, -1):
            j, rest = rest.below(i + 1)
            order[i], order[j] = order[j], order[i]
        return tuple(order), rest
