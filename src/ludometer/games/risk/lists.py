"""Several orders in one answer (``orders = "phase"``).

Up to the first attack nothing is left to luck: every order is judged in the position that the ones before it lead to,
and the first illegal one makes the whole answer illegal. What follows an attack depends on the dice. There an order is
a fault where no dice could have made it legal; one that the dice made impossible is skipped, and said so in the log.
"""

from __future__ import annotations

from collections.abc import Callable

from ludometer.core import Chance, Illegal
from ludometer.games.risk.battle import ATTACK_DICE
from ludometer.games.risk.legality import asked, check_adjacent, check_order, offered, sample_order, with_dice
from ludometer.games.risk.moves import apply_order, movable
from ludometer.games.risk.settings import Settings, party
from ludometer.games.risk.state import Log, Order, Orders, State

__all__ = ["LONGEST", "apply_list", "check_list", "sample_list"]

LONGEST = 100
"""Orders that one answer may hold."""


def check_list(settings: Settings, state: State, action: Orders, written: Callable[[Order], str]) -> None:
    """Raises `Illegal` for the first order that is illegal, with its own kind, its place in the list and its text."""
    orders = action.orders
    if not orders:
        raise Illegal("no_orders", f"the list of orders is empty: {asked(settings, state)}")
    if len(orders) > LONGEST:
        raise Illegal("too_many_orders", f"an answer may hold at most {LONGEST} orders, not {len(orders)}")
    present: State | None = state
    for i, order in enumerate(orders):
        try:
            present = _judged(settings, state, present, orders, i)
        except Illegal as error:
            place = f"order {i + 1} of {len(orders)} ({written(order)})"
            raise Illegal(error.kind, f"{place}: {error.reason}; none of the orders was carried out") from None


def _judged(settings: Settings, state: State, present: State | None, orders: tuple[Order, ...], i: int) -> State | None:
    """Judges one order. Returns the position after it, or None once that depends on dice."""
    order = orders[i]
    before = orders[i - 1].kind if i else ""
    if before == "fortify" and order.kind == "end" and i + 1 == len(orders):
        return present  # fortifying ends the turn already; if it is left out, this does
    if before in ("fortify", "end"):
        raise Illegal("wrong_phase", f"your turn is over after {before}")
    if present is None:
        _check_possible(settings, state, orders, i)
        return None
    if present.player != state.player or present.phase == "over":
        raise Illegal("wrong_phase", "your turn is over before it")
    check_order(settings, present, with_dice(present, order))
    if order.kind == "attack":
        return None
    # What a turn ends with is left to luck (a card), but nothing may follow it.
    return present if order.kind in ("fortify", "end") else apply_order(settings, present, order)


def _check_possible(settings: Settings, state: State, orders: tuple[Order, ...], i: int) -> None:
    """Raises `Illegal` for an order behind an attack that would be illegal however the dice fell."""
    order = orders[i]
    owned = {t for t, owner in enumerate(state.owners) if owner == state.player}
    hoped = owned | {earlier.target for earlier in orders[:i] if earlier.kind == "attack"}
    names = settings.board.names
    if order.kind in ("pick", "reinforce", "trade"):
        raise Illegal("wrong_phase", f"{order.kind} cannot follow an attack in one list")
    if order.kind == "move":
        if orders[i - 1].kind != "attack":
            raise Illegal("wrong_phase", "move stands directly behind the attack whose armies it moves")
        if order.number < 1:
            raise Illegal("too_few_armies", "at least one army must move in")
    for territory in (order.source, order.target) if order.kind == "fortify" else (order.source,):
        if territory >= 0 and territory not in hoped:
            owner = party(state.owners[territory], state.n)
            raise Illegal("not_yours", f"{names[territory]} belongs to {owner}, and no order before attacks it")
    if order.kind == "attack":
        if order.target in owned:
            raise Illegal("own_territory", f"{names[order.target]} is your own")
        check_adjacent(settings, order)
        if order.number > ATTACK_DICE:
            raise Illegal("too_many_dice", f"an attack rolls at most {ATTACK_DICE} dice")
    if order.kind == "fortify" and order.source == order.target:
        raise Illegal("same_territory", f"the armies are in {names[order.source]} already")
    if order.kind == "fortify" and order.number < 1:
        raise Illegal("too_few_armies", "move at least one army")


def apply_list(settings: Settings, state: State, action: Orders) -> State:
    """The state after a legal list. Armies that conquer move on as the order behind the attack says, as near to it as
    the rules allow; without one, all that may move do."""
    player, orders = state.player, action.orders
    for i, order in enumerate(orders):
        if state.player != player or state.phase == "over":
            break
        if i and order.kind == "move" and orders[i - 1].kind == "attack":
            continue  # carried out with its attack
        order = with_dice(state, order)
        try:
            check_order(settings, state, order)
        except Illegal as error:
            state = state._replace(log=(*state.log, Log("skipped", player, (i + 1,), note=error.kind)))
            continue
        state = apply_order(settings, state, order)
        if state.phase == "move":
            following = orders[i + 1] if i + 1 < len(orders) else None
            wanted = following.number if following and following.kind == "move" else movable(state)
            assert state.moving is not None
            numbers = offered(settings, state.moving.least, movable(state))
            nearest = min(numbers, key=lambda number: abs(number - wanted))
            state = apply_order(settings, state, Order("move", number=nearest))
    return state


def sample_list(settings: Settings, state: State, chance: Chance) -> Orders:
    """A random legal list: the orders of the set-up or reinforcement that is due, or one order of the attack phase."""
    player, phase = state.player, state.phase
    orders: list[Order] = []
    while state.player == player and state.phase == phase and len(orders) < LONGEST:
        orders.append(sample_order(settings, state, chance.named(len(orders))))
        if phase in ("attack", "pick"):
            break
        state = apply_order(settings, state, orders[-1])
        if phase == "place" and state.reserves[player] and state.pending == settings.at_a_time:
            break
    return Orders(tuple(orders))
