"""What an order does. Orders given here are legal (see `ludometer.games.risk.legality`)."""

from __future__ import annotations

from ludometer.games.risk.battle import fight
from ludometer.games.risk.cards import BONUS, FORCED, set_value
from ludometer.games.risk.settings import Settings
from ludometer.games.risk.state import FREE, Log, Moving, Order, State
from ludometer.games.risk.turns import begin_turn, draw_card, next_turn

__all__ = ["apply_order", "movable", "own_mask"]


def apply_order(settings: Settings, state: State, order: Order) -> State:
    """The state after a legal order."""
    if order.kind == "attack":
        return _attacked(settings, state, order)
    if order.kind == "reinforce":
        return _reinforced(settings, state, order)
    if order.kind == "move":
        return _moved(settings, state, order.number)
    if order.kind == "end":
        return _ended(settings, state)
    if order.kind == "fortify":
        return _ended(settings, _fortified(state, order))
    if order.kind == "trade":
        return _traded(settings, state, order)
    return _picked(settings, state, order.target)


def own_mask(owners: tuple[int, ...], player: int) -> int:
    """The player's territories as bits."""
    mask = 0
    for territory, owner in enumerate(owners):
        if owner == player:
            mask |= 1 << territory
    return mask


def movable(state: State) -> int:
    """The most armies that may move into the territory just conquered, those that are there already counted."""
    assert state.moving is not None
    return state.moving.least + state.armies[state.moving.source] - 1


# ---------------------------------------------------------------------- set-up


def _picked(settings: Settings, state: State, target: int) -> State:
    owners, armies = list(state.owners), list(state.armies)
    owners[target], armies[target] = state.player, 1
    reserves = list(state.reserves)
    reserves[state.player] -= 1
    state = state._replace(
        owners=tuple(owners),
        armies=tuple(armies),
        reserves=tuple(reserves),
        log=(*state.log, Log("pick", state.player, (target,))),
    )
    if FREE in owners:
        return state._replace(player=(state.player + 1) % state.n)
    return _next_placing(settings, state, state.player)


def _next_placing(settings: Settings, state: State, last: int) -> State:
    """The next player that still has armies to place; when nobody has, the first turn."""
    for step in range(1, state.n + 1):
        player = (last + step) % state.n
        if state.reserves[player] > 0:
            pending = min(settings.at_a_time, state.reserves[player])
            return state._replace(player=player, phase="place", pending=pending)
    return begin_turn(settings.board, state, 0, 1)


# ------------------------------------------------------------------------ turn


def _reinforced(settings: Settings, state: State, order: Order) -> State:
    armies = list(state.armies)
    armies[order.target] += order.number
    pending = state.pending - order.number
    log = (*state.log, Log("reinforce", state.player, (order.target, order.number)))
    if state.phase == "place":
        reserves = list(state.reserves)
        reserves[state.player] -= order.number
        state = state._replace(armies=tuple(armies), pending=pending, reserves=tuple(reserves), log=log)
        return state if pending else _next_placing(settings, state, state.player)
    phase = state.phase if pending else "attack"
    midturn = state.midturn and pending > 0
    return state._replace(armies=tuple(armies), pending=pending, phase=phase, midturn=midturn, log=log)


def _traded(settings: Settings, state: State, order: Order) -> State:
    value = set_value(settings.board, order.cards, settings.cards, state.trades)
    hands, armies = list(state.hands), list(state.armies)
    hands[state.player] = tuple(card for card in hands[state.player] if card not in order.cards)
    if order.target >= 0:
        armies[order.target] += BONUS
    return state._replace(
        armies=tuple(armies),
        hands=tuple(hands),
        discards=tuple(sorted((*state.discards, *order.cards))),
        pending=state.pending + value,
        trades=state.trades + 1,
        bonus_used=state.bonus_used or order.target >= 0,
        log=(*state.log, Log("trade", state.player, (value, order.target, *order.cards))),
    )


def _attacked(settings: Settings, state: State, order: Order) -> State:
    source, target, player = order.source, order.target, state.player
    luck = state.chance.named("dice", state.round, player)
    fought = fight(luck, state.rolls, state.armies[source] - 1, state.armies[target], order.number)
    armies = list(state.armies)
    armies[source] -= fought.attacker_lost
    armies[target] -= fought.defender_lost
    defender, taken = state.owners[target], armies[target] == 0
    entry = Log(
        "attack",
        player,
        (source, target, defender, fought.attacker_lost, fought.defender_lost, int(taken)),
        fought.rolls,
    )
    rolls = state.rolls + len(fought.rolls)
    if not taken:
        state = state._replace(armies=tuple(armies), rolls=rolls, log=(*state.log, entry))
        return _or_ended(settings, state)
    owners = list(state.owners)
    owners[target] = player
    armies[source] -= fought.dice
    armies[target] = fought.dice
    state = state._replace(
        owners=tuple(owners),
        armies=tuple(armies),
        rolls=rolls,
        conquered=True,
        log=(*state.log, entry),
    )
    if defender < state.n and defender not in owners:
        state = _eliminated(state, defender)
        if len(state.out) == state.n - 1:
            return state._replace(phase="over")
    state = state._replace(phase="move", moving=Moving(source, target, fought.dice))
    return state if armies[source] > 1 else _moved(settings, state, fought.dice)


def _eliminated(state: State, loser: int) -> State:
    hands = list(state.hands)
    cards = hands[loser]
    hands[state.player] = tuple(sorted((*hands[state.player], *cards)))
    hands[loser] = ()
    log = [*state.log, Log("out", state.player, (loser, len(cards)))]
    if cards:
        log.append(Log("took", state.player, cards))
    return state._replace(hands=tuple(hands), out=(*state.out, loser), log=tuple(log))


def _moved(settings: Settings, state: State, count: int) -> State:
    """Armies move into the conquered territory; then, where an elimination brought six cards or more, sets are traded
    at once, and else the attacks go on."""
    assert state.moving is not None
    source, target, least = state.moving
    armies = list(state.armies)
    armies[source] -= count - least
    armies[target] += count - least
    log = (*state.log, Log("move", state.player, (source, target, count)))
    state = state._replace(armies=tuple(armies), moving=None, phase="attack", log=log)
    if len(state.hands[state.player]) > FORCED:
        return state._replace(phase="reinforce", midturn=True)
    return _or_ended(settings, state)


def _or_ended(settings: Settings, state: State) -> State:
    """The turn ends by itself when no territory of the player has an army that could do anything."""
    player = state.player
    for owner, count in zip(state.owners, state.armies, strict=True):
        if count > 1 and owner == player:
            return state
    return _ended(settings, state)


def _fortified(state: State, order: Order) -> State:
    armies = list(state.armies)
    armies[order.source] -= order.number
    armies[order.target] += order.number
    log = (*state.log, Log("fortify", state.player, (order.source, order.target, order.number)))
    return state._replace(armies=tuple(armies), log=log)


def _ended(settings: Settings, state: State) -> State:
    if state.conquered:
        state = draw_card(state)
    state = state._replace(log=(*state.log, Log("end", state.player)))
    return next_turn(settings.board, state, settings.max_turns)
