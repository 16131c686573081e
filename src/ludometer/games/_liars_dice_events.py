"""What the players of liar's dice witness, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ludometer.core import Event, Viewer, Watcher

__all__ = ["all_dice", "told", "written"]


def told(
    number: int, hands: Sequence[Sequence[int]], bids: Sequence[tuple[int, int, int]], viewer: Viewer
) -> Iterator[Event]:
    """What a viewer witnesses of a round before its call."""
    if viewer is Watcher.FULL:
        yield Event(None, f"round {number}: {all_dice(hands)}")
    elif viewer is Watcher.PUBLIC or not hands[int(viewer) - 1]:
        yield Event(None, f"round {number}: the dice are rolled")
    else:
        yield Event(None, f"round {number}: your dice are {_dice(hands[int(viewer) - 1])}")
    for bid in bids:
        yield Event(str(bid[0] + 1), written(bid))


def written(bid: tuple[int, int, int]) -> str:
    """A bid, given with its player, in the game's notation."""
    return f"{bid[1]}x{bid[2]}"


def _dice(hand: Sequence[int]) -> str:
    return " ".join(map(str, hand))


def all_dice(hands: Sequence[Sequence[int]]) -> str:
    """Everybody's dice."""
    return "; ".join(f"player {i} has {_dice(hand)}" for i, hand in enumerate(hands, 1) if hand)
