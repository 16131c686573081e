"""States, orders and events of Risk: tuples of whole numbers throughout, so that they are cheap."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from ludometer.core import Chance

__all__ = [
    "AS_MANY",
    "FREE",
    "Action",
    "Log",
    "Moving",
    "Order",
    "OrderKind",
    "Orders",
    "Phase",
    "Roll",
    "State",
    "Trait",
]

FREE = -1
"""Owner of a territory that nobody has picked yet. Players are 0 to n - 1; n is the neutral army of a game for two."""

AS_MANY = -1
"""Number of dice of an attack in a list that rolls as many as it can when its turn comes."""

Phase: TypeAlias = Literal["pick", "place", "reinforce", "attack", "move", "over"]
"""``pick`` and ``place`` are the set-up. ``attack`` is the rest of a turn: attacks, then one fortification or none."""

OrderKind: TypeAlias = Literal["pick", "reinforce", "trade", "attack", "move", "fortify", "end"]

Roll: TypeAlias = tuple[int, int, int, int, int]
"""One roll of a battle: three dice of the attacker and two of the defender, each side descending, 0 for no die."""

Trait: TypeAlias = Literal[
    "turn", "pick", "reinforce", "trade", "attack", "move", "out", "took", "fortify", "drew", "end", "skipped"
]


class Order(NamedTuple):
    """One order, with what its kind needs.

    Attributes:
        source, target: territories from 0; -1 where there is none. Of a trade, ``target`` gets the two extra armies.
        number: armies; dice for an attack, where 0 is "until it is decided" and
            `AS_MANY` "as many as possible".
        cards: of a trade, ascending, from 0.
    """

    kind: OrderKind
    source: int = -1
    target: int = -1
    number: int = 0
    cards: tuple[int, ...] = ()


class Orders(NamedTuple):
    """An answer that holds several orders, carried out one after another."""

    orders: tuple[Order, ...]


Action: TypeAlias = Order | Orders


class Log(NamedTuple):
    """Something that happened.

    Attributes:
        numbers: by kind. turn: round, armies to place. pick: territory. reinforce: territory, armies. trade: armies,
            territory with the two extra ones (or -1), and the cards. attack: from, to, defender, lost by the attacker,
            lost by the defender, whether it conquered. move, fortify: from, to, armies. out: the eliminated player,
            and how many cards it had. took, drew: cards, which only ``player`` sees. skipped: the order's place in
            its list, from 1.
        rolls: of an attack.
        note: of a skipped order, the rule that stood against it.
    """

    trait: Trait
    player: int
    numbers: tuple[int, ...] = ()
    rolls: tuple[Roll, ...] = ()
    note: str = ""


class Moving(NamedTuple):
    """A conquest whose armies have still to move in: at least ``least`` of them, as many as dice were rolled."""

    source: int
    target: int
    least: int


class State(NamedTuple):
    """A position.

    Attributes:
        owners, armies: by territory.
        hands: cards by player, ascending. deck: what is left to draw, the next card last. discards: what was traded in
            since the deck was shuffled, ascending.
        round: turns per player, from 1; 0 in the set-up. player: who is to act.
        pending: armies to place now. reserves: by player, armies still to be placed in the set-up.
        conquered: whether this turn took a territory, and so earns a card.
        moving: see `Moving`.
        trades: sets traded in so far, by everybody. bonus_used: whether this turn had its two extra armies.
        midturn: the cards of an eliminated player are being traded in, in the middle of the attacks.
        rolls: battle rolls made in this turn. shuffles: how often the deck was shuffled anew.
        out: eliminated players, in that order.
        log: everything that happened.
        chance: all luck derives from it by name.
    """

    owners: tuple[int, ...]
    armies: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    deck: tuple[int, ...]
    discards: tuple[int, ...]
    round: int
    player: int
    phase: Phase
    pending: int
    reserves: tuple[int, ...]
    conquered: bool
    moving: Moving | None
    trades: int
    bonus_used: bool
    midturn: bool
    rolls: int
    shuffles: int
    out: tuple[int, ...]
    log: tuple[Log, ...]
    chance: Chance

    @property
    def n(self) -> int:
        """How many players there are, eliminated ones counted."""
        return len(self.hands)
