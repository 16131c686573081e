"""Which orders are legal: the list, the judgement of one with the rule it breaks, and a random one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ludometer.core import Chance, Illegal
from ludometer.games.risk.battle import ATTACK_DICE
from ludometer.games.risk.cards import FORCED, has_set, is_set, sets_in
from ludometer.games.risk.moves import movable, own_mask
from ludometer.games.risk.settings import Settings, party
from ludometer.games.risk.state import AS_MANY, FREE, Order, Phase, State

__all__ = [
    "asked",
    "bonus_territories",
    "check_adjacent",
    "check_order",
    "legal_orders",
    "may_trade",
    "must_trade",
    "offered",
    "sample_order",
    "with_dice",
]

_ENDINGS = 4
"""One in so many random orders of the attack phase ends the turn, so that random play is not all attack."""


def must_trade(state: State) -> bool:
    """Whether nothing but trading in a set is allowed now."""
    return state.phase == "reinforce" and len(state.hands[state.player]) >= FORCED


def with_dice(state: State, order: Order) -> Order:
    """An attack of `AS_MANY` dice with the number that this is now; any other order as it is."""
    if order.kind != "attack" or order.number != AS_MANY:
        return order
    return order._replace(number=max(1, min(ATTACK_DICE, state.armies[order.source] - 1)))


def may_trade(settings: Settings, state: State) -> bool:
    """Whether the player may trade in a set now: at the beginning of the turn, or as far as it must after having
    eliminated somebody."""
    if state.phase != "reinforce" or (state.midturn and not must_trade(state)):
        return False
    return has_set(settings.board, state.hands[state.player])


def bonus_territories(settings: Settings, state: State, cards: tuple[int, ...]) -> list[int]:
    """The own territories shown on cards, of which one gets two extra armies; none where this turn had them already."""
    if state.bonus_used:
        return []
    size = len(settings.board.names)
    return [card for card in cards if card < size and state.owners[card] == state.player]


def _connected(settings: Settings, own: int, territory: int) -> int:
    """The part of ``own`` (territories as bits) that can be reached from a territory through it, as bits."""
    masks = settings.board.masks
    found = front = 1 << territory
    while front:
        reached = 0
        while front:
            bit = front & -front
            reached |= masks[bit.bit_length() - 1]
            front ^= bit
        front = reached & own & ~found
        found |= front
    return found


def _territories(mask: int) -> list[int]:
    found = []
    while mask:
        bit = mask & -mask
        found.append(bit.bit_length() - 1)
        mask ^= bit
    return found


# ------------------------------------------------------------------------ list


def offered(settings: Settings, least: int, most: int) -> Sequence[int]:
    """The numbers of armies that an order may name, of those from ``least`` to ``most``."""
    if settings.amounts == "any":
        return range(least, most + 1)
    return sorted({least, (least + most + 1) // 2, most})


def legal_orders(settings: Settings, state: State) -> list[Order]:
    """Every legal order, in an order that depends on nothing hidden from the player."""
    if state.phase == "pick":
        return [Order("pick", target=t) for t, owner in enumerate(state.owners) if owner == FREE]
    if state.phase == "move":
        assert state.moving is not None
        return [Order("move", number=n) for n in offered(settings, state.moving.least, movable(state))]
    if state.phase == "attack":
        return [*_attacks(settings, state), *_fortifications(settings, state), Order("end")]
    orders = _trades(settings, state)
    if not must_trade(state):
        own = [t for t, owner in enumerate(state.owners) if owner == state.player]
        numbers = offered(settings, 1, state.pending)
        orders += [Order("reinforce", target=t, number=n) for t in own for n in numbers]
    return orders


def _trades(settings: Settings, state: State) -> list[Order]:
    if not may_trade(settings, state):
        return []
    return [
        Order("trade", target=territory, cards=three)
        for three in sets_in(settings.board, state.hands[state.player])
        for territory in bonus_territories(settings, state, three) or [-1]
    ]


def _attacks(settings: Settings, state: State) -> list[Order]:
    orders = []
    for source, owner in enumerate(state.owners):
        if owner != state.player or state.armies[source] < 2:
            continue
        most = min(ATTACK_DICE, state.armies[source] - 1)
        for target in settings.board.neighbours[source]:
            if state.owners[target] != state.player:
                dice = (0,) if settings.blitz else range(1, most + 1)
                orders += [Order("attack", source, target, count) for count in dice]
    return orders


def _fortifications(settings: Settings, state: State) -> list[Order]:
    orders = []
    own = own_mask(state.owners, state.player)
    for source in _territories(own):
        spare = state.armies[source] - 1
        if spare > 0:
            targets = _territories(_connected(settings, own, source) ^ (1 << source))
            numbers = offered(settings, 1, spare)
            orders += [Order("fortify", source, t, n) for t in targets for n in numbers]
    return orders


# ----------------------------------------------------------------------- check

_PHASE_OF: Mapping[str, tuple[Phase, ...]] = {
    "pick": ("pick",),
    "reinforce": ("reinforce", "place"),
    "trade": ("reinforce",),
    "attack": ("attack",),
    "fortify": ("attack",),
    "end": ("attack",),
    "move": ("move",),
}


def check_order(settings: Settings, state: State, order: Order) -> None:
    """Raises `Illegal` with the rule that an order breaks."""
    if state.phase not in _PHASE_OF[order.kind]:
        raise Illegal("wrong_phase", f"{order.kind} is not possible now: {asked(settings, state)}")
    if must_trade(state) and order.kind != "trade":
        raise Illegal("must_trade", f"with {len(state.hands[state.player])} cards you must trade in a set first")
    check = _CHECKS.get(order.kind)
    if check is not None:
        check(settings, state, order)


def asked(settings: Settings, state: State) -> str:
    """What the player has to do now, in words."""
    if state.phase == "pick":
        return "pick a free territory"
    if state.phase == "move":
        assert state.moving is not None
        name = settings.board.names[state.moving.target]
        return f"say how many armies move into {name} ({state.moving.least} to {movable(state)})"
    if state.phase == "attack":
        return "attack, fortify or end the turn"
    if must_trade(state):
        return "trade in a set of cards"
    return f"place your {state.pending} armies" if state.pending > 1 else "place your army"


def _check_pick(settings: Settings, state: State, order: Order) -> None:
    owner = state.owners[order.target]
    if owner != FREE:
        raise Illegal("already_picked", f"{settings.board.names[order.target]} belongs to {party(owner, state.n)}")


def _check_reinforce(settings: Settings, state: State, order: Order) -> None:
    _check_own(settings, state, order.target)
    if order.number < 1:
        raise Illegal("too_few_armies", "place at least one army")
    if order.number > state.pending:
        raise Illegal("too_many_armies", f"you have only {_armies(state.pending)} to place")
    _check_offered(settings, order, 1, state.pending)


def _check_trade(settings: Settings, state: State, order: Order) -> None:
    hand = state.hands[state.player]
    for card in order.cards:
        if card not in hand:
            raise Illegal("card_not_held", f"you do not hold card {card + 1}")
    if len(set(order.cards)) != 3 or not is_set(settings.board, order.cards):
        raise Illegal(
            "bad_set",
            "a set is three different cards that show the same or three different things; a wild card stands for any",
        )
    if not may_trade(settings, state):
        raise Illegal("wrong_phase", f"no more cards may be traded in now: {asked(settings, state)}")
    shown = bonus_territories(settings, state, order.cards)
    if shown and order.target not in shown:
        names = " or ".join(settings.board.names[t] for t in shown)
        raise Illegal("bad_bonus", f"the two extra armies go to {names}, your own on the cards")
    if not shown and order.target >= 0:
        why = "this turn already had its two extra armies" if state.bonus_used else "none of the cards shows your own"
        raise Illegal("bad_bonus", f"no territory gets two extra armies: {why}")


def _check_attack(settings: Settings, state: State, order: Order) -> None:
    names, armies = settings.board.names, state.armies[order.source]
    _check_own(settings, state, order.source)
    if state.owners[order.target] == state.player:
        raise Illegal("own_territory", f"{names[order.target]} is your own")
    check_adjacent(settings, order)
    if armies < 2:
        raise Illegal("too_few_armies", f"{names[order.source]} has only {armies} army, and it must stay behind")
    most = min(ATTACK_DICE, armies - 1)
    if order.number > most:
        raise Illegal(
            "too_many_dice",
            f"{names[order.source]} has {armies} armies, so it may roll at most {most} {_dice(most)}",
        )
    if order.number < (0 if settings.blitz else 1):
        raise Illegal("too_few_dice", f"roll 1 to {most} {_dice(most)}")
    if settings.blitz and order.number:
        raise Illegal("too_few_dice", "an attack goes on until it is decided, with as many dice as possible")


def _armies(count: int) -> str:
    return "1 army" if count == 1 else f"{count} armies"


def _dice(count: int) -> str:
    return "die" if count == 1 else "dice"


def check_adjacent(settings: Settings, order: Order) -> None:
    """Raises `Illegal` where source and target of an attack have no common border."""
    board = settings.board
    if order.target not in board.neighbours[order.source]:
        near = ", ".join(board.names[t] for t in board.neighbours[order.source])
        raise Illegal(
            "not_adjacent",
            f"{board.names[order.source]} does not border on {board.names[order.target]}, only on {near}",
        )


def _check_move(settings: Settings, state: State, order: Order) -> None:
    assert state.moving is not None
    name = settings.board.names[state.moving.target]
    if order.number < state.moving.least:
        raise Illegal("too_few_armies", f"at least {_armies(state.moving.least)} must move into {name}")
    if order.number > movable(state):
        raise Illegal("too_many_armies", f"at most {_armies(movable(state))} can move into {name}")
    _check_offered(settings, order, state.moving.least, movable(state))


def _check_fortify(settings: Settings, state: State, order: Order) -> None:
    names, armies = settings.board.names, state.armies[order.source]
    _check_own(settings, state, order.source)
    _check_own(settings, state, order.target)
    if order.source == order.target:
        raise Illegal("same_territory", f"the armies are in {names[order.source]} already")
    if not _connected(settings, own_mask(state.owners, state.player), order.source) >> order.target & 1:
        raise Illegal(
            "no_path",
            f"no chain of your own territories leads from {names[order.source]} to {names[order.target]}",
        )
    if order.number < 1:
        raise Illegal("too_few_armies", "move at least one army")
    if order.number > armies - 1:
        most = f"at most {armies - 1} can leave" if armies > 1 else "none can leave"
        raise Illegal("too_few_armies", f"{names[order.source]} has {armies} and must keep one: {most}")
    _check_offered(settings, order, 1, armies - 1)


def _check_offered(settings: Settings, order: Order, least: int, most: int) -> None:
    numbers = offered(settings, least, most)
    if order.number not in numbers:
        raise Illegal("amount_not_offered", f"the number of armies must be one of {', '.join(map(str, numbers))}")


def _check_own(settings: Settings, state: State, territory: int) -> None:
    owner = state.owners[territory]
    if owner != state.player:
        whose = "is free" if owner == FREE else f"belongs to {party(owner, state.n)}"
        raise Illegal("not_yours", f"{settings.board.names[territory]} {whose}, not to you")


_CHECKS: Mapping[str, Callable[[Settings, State, Order], None]] = {
    "pick": _check_pick,
    "reinforce": _check_reinforce,
    "trade": _check_trade,
    "attack": _check_attack,
    "fortify": _check_fortify,
    "move": _check_move,
}


# ---------------------------------------------------------------------- sample


def sample_order(settings: Settings, state: State, chance: Chance) -> Order:
    """A random legal order. Kinds are not equally likely: one in four in the attack phase ends the turn, half of these
    with a fortification where there is one; else all attacks are."""
    if state.phase == "attack":
        return _sample_attack(settings, state, chance)
    if state.phase == "reinforce":
        sets = _trades(settings, state)
        must = must_trade(state)
        if sets:
            coin, chance = chance.below(2)
            if must or coin:
                return chance.choice(sets)[0]
    elif state.phase in ("pick", "move"):
        return chance.choice(legal_orders(settings, state))[0]
    own = [t for t, owner in enumerate(state.owners) if owner == state.player]
    territory, chance = chance.choice(own)
    return Order("reinforce", target=territory, number=chance.choice(offered(settings, 1, state.pending))[0])


def _sample_attack(settings: Settings, state: State, chance: Chance) -> Order:
    own = own_mask(state.owners, state.player)
    strong = [t for t, c in enumerate(state.armies) if c > 1 and own >> t & 1]
    draw, chance = chance.below(2 * _ENDINGS)
    if draw > 1:
        masks = settings.board.masks
        pairs = [(t, enemies) for t in strong if (enemies := masks[t] & ~own)]
        if pairs:
            (source, enemies), chance = chance.choice(pairs)
            target, chance = chance.choice(_territories(enemies))
            most = min(ATTACK_DICE, state.armies[source] - 1)
            return Order("attack", source, target, 0 if settings.blitz else chance.below(most)[0] + 1)
    if draw != 1 and strong:
        source, chance = chance.choice(strong)
        targets = _territories(_connected(settings, own, source) ^ (1 << source))
        if targets:
            target, chance = chance.choice(targets)
            return Order("fortify", source, target, chance.choice(offered(settings, 1, state.armies[source] - 1))[0])
    return Order("end")
