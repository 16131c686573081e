"""What a viewer may know of a position: everything but the cards in other hands and the order of the deck."""

from __future__ import annotations

from ludometer.core import Chance, Json, Observation, Viewer, Watcher
from ludometer.games.risk.board import SYMBOLS, RiskMap
from ludometer.games.risk.cards import BONUS, series_value
from ludometer.games.risk.events import card_name, events, recent
from ludometer.games.risk.legality import may_trade, must_trade
from ludometer.games.risk.moves import movable
from ludometer.games.risk.settings import Settings, party, seat_of
from ludometer.games.risk.state import Log, State
from ludometer.games.risk.turns import reinforcements

__all__ = ["imagined", "observed"]


def observed(settings: Settings, state: State, viewer: Viewer) -> Observation:
    """The observation of a seat or a watcher."""
    board, over = settings.board, state.phase == "over"
    happened = events(board, state, viewer)
    player = state.player if isinstance(viewer, Watcher) else int(viewer) - 1
    news = happened[recent(state, player) :]
    data: dict[str, Json] = {
        "map": board.name,
        "round": state.round,
        "max_turns": settings.max_turns,
        "phase": state.phase,
        "player": seat_of(state.player),
        "to_place": state.pending,
        "must_trade": not over and must_trade(state),
        "territories": {
            name: {"owner": _owner(state, owner), "armies": armies}
            for name, owner, armies in zip(board.names, state.owners, state.armies, strict=True)
        },
        "players": [_player(settings, state, other) for other in range(state.n)],
        "next_set": series_value(state.trades) if settings.cards == "rising" else None,
        "moving": _moving(board, state),
        "recent": [[event.seat, event.what] for event in news],
        "hand": None,
        "hands": None,
    }
    if viewer is Watcher.FULL:
        data["hands"] = {seat_of(i): [_card(board, c) for c in hand] for i, hand in enumerate(state.hands)}
    elif viewer is not Watcher.PUBLIC:
        data["hand"] = [_card(board, card) for card in state.hands[player]]
        data["may_trade"] = state.player == player and may_trade(settings, state)
        data["bonus_left"] = 0 if state.bonus_used else BONUS
    return Observation(viewer, data, happened, () if over else (seat_of(state.player),))


def _owner(state: State, owner: int) -> str | None:
    if owner < 0:
        return None
    return "neutral" if owner >= state.n else seat_of(owner)


def _player(settings: Settings, state: State, player: int) -> dict[str, Json]:
    armies = sum(count for owner, count in zip(state.owners, state.armies, strict=True) if owner == player)
    out = player in state.out
    held = [
        continent.name
        for continent in settings.board.continents
        if all(state.owners[t] == player for t in continent.members)
    ]
    return {
        "seat": seat_of(player),
        "title": party(player, state.n),
        "territories": state.owners.count(player),
        "armies": armies,
        "to_place": state.reserves[player],
        "cards": len(state.hands[player]),
        "continents": held,
        "reinforcements": 0 if out else reinforcements(settings.board, state.owners, player),
        "eliminated": out,
    }


def _moving(board: RiskMap, state: State) -> Json:
    if state.moving is None:
        return None
    names = board.names
    least, most = state.moving.least, movable(state)
    return {"from": names[state.moving.source], "to": names[state.moving.target], "least": least, "most": most}


def _card(board: RiskMap, card: int) -> dict[str, Json]:
    territory = board.names[card] if card < len(board.names) else None
    shown = SYMBOLS[board.symbol(card)]
    return {"number": card + 1, "territory": territory, "shows": shown, "name": card_name(board, card)}


def imagined(settings: Settings, state: State, player: int, chance: Chance) -> State:
    """A position the player cannot tell from this one: hidden cards are dealt anew, and all luck to come is fresh.

    What is hidden are the cards in other hands and the deck. They are put in order before they are shuffled, so that
    the result depends only on what the player knows; what the log says of cards that others drew is blanked.
    """
    known = {*state.hands[player], *state.discards}
    hidden, _ = chance.named("hidden").shuffled(card for card in range(settings.board.cards) if card not in known)
    hands, taken = list(state.hands), 0
    for other, hand in enumerate(hands):
        if other != player:
            hands[other] = tuple(sorted(hidden[taken : taken + len(hand)]))
            taken += len(hand)
    return state._replace(
        hands=tuple(hands),
        deck=hidden[taken:],
        log=tuple(_blanked(log, player) for log in state.log),
        chance=chance.named("future"),
    )


def _blanked(log: Log, player: int) -> Log:
    return log._replace(numbers=()) if log.trait in ("drew", "took") and log.player != player else log
