"""What happened, in words: by viewer, since a drawn card is seen by who drew it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from ludometer.core import Event, Viewer, Watcher
from ludometer.games.risk.board import SYMBOLS, RiskMap, load_map
from ludometer.games.risk.settings import party, seat_of
from ludometer.games.risk.state import Log, State

__all__ = ["card_name", "events", "recent"]

_RECENT = 24
"""Events that the default view shows at most."""


def card_name(board: RiskMap, card: int) -> str:
    """A card with its number: ``7 (Western United States, cavalry)``."""
    shown = SYMBOLS[board.symbol(card)]
    return f"{card + 1} ({board.names[card]}, {shown})" if card < len(board.names) else f"{card + 1} ({shown})"


def events(board: RiskMap, state: State, viewer: Viewer) -> tuple[Event, ...]:
    """Everything a viewer witnessed, in order."""
    name, n, full = board.name, state.n, viewer is Watcher.FULL
    own = -1 if isinstance(viewer, Watcher) else int(viewer) - 1
    return tuple(_told(name, log, n, full or log.player == own) for log in state.log)


def recent(state: State, player: int) -> int:
    """Where in the log a player's last finished turn ends: what follows is news to it; at most the last 24 entries.

    What it did itself in the set-up or the turn it is in is news too: a model keeps nothing in mind.
    """
    log = state.log
    last = next((i + 1 for i in range(len(log) - 1, -1, -1) if log[i].trait == "end" and log[i].player == player), 0)
    return max(last, len(log) - _RECENT)


@lru_cache(maxsize=65536)  # every observation tells everything anew
def _told(map_name: str, log: Log, n: int, private: bool) -> Event:
    return Event(seat_of(log.player), _said(load_map(map_name), log, n, private))


def _said(board: RiskMap, log: Log, n: int, private: bool) -> str:
    names, numbers = board.names, log.numbers
    if log.trait == "turn":
        return f"begins turn {numbers[0]} with {_armies(numbers[1])}"
    if log.trait == "pick":
        return f"picked {names[numbers[0]]}"
    if log.trait == "reinforce":
        return f"placed {numbers[1]} in {names[numbers[0]]}"
    if log.trait == "trade":
        extra = f", two of its own to {names[numbers[1]]}" if numbers[1] >= 0 else ""
        cards = ", ".join(card_name(board, card) for card in numbers[2:])
        return f"traded in {cards} for {_armies(numbers[0])}{extra}"
    if log.trait == "attack":
        return _battle(board, log, n)
    if log.trait in ("move", "fortify"):
        verb = "moved" if log.trait == "move" else "fortified with"
        return f"{verb} {numbers[2]} from {names[numbers[0]]} to {names[numbers[1]]}"
    if log.trait == "out":
        cards = "1 card" if numbers[1] == 1 else f"{numbers[1]} cards"
        return f"eliminated {party(numbers[0], n)}, which had {cards}"
    if log.trait == "skipped":
        return f"order {numbers[0]} of the list had become impossible ({log.note}) and was left out"
    if log.trait == "end":
        return "ended the turn"
    verb = "drew" if log.trait == "drew" else "took"
    if private and numbers:
        return f"{verb} {_listed([f'card {card_name(board, card)}' for card in numbers])}"
    return "drew a card" if log.trait == "drew" else "took the cards"


def _battle(board: RiskMap, log: Log, n: int) -> str:
    source, target, defender, own, other, taken = log.numbers
    dice = "; ".join(f"{_shown(made[:3])} against {_shown(made[3:])}" for made in log.rolls[:1])
    rolls = f"rolled {dice}" if len(log.rolls) == 1 else f"{len(log.rolls)} rolls"
    result = f"lost {own}, destroyed {other}"
    end = " and conquered it" if taken else ""
    whose = party(defender, n)
    return f"attacked {board.names[target]} ({whose}) from {board.names[source]}: {rolls}, {result}{end}"


def _shown(dice: Sequence[int]) -> str:
    return " ".join(str(die) for die in dice if die)


def _armies(count: int) -> str:
    return "1 army" if count == 1 else f"{count} armies"


def _listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
