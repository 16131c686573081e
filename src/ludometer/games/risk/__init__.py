"""Risk for two to six players: territories, armies, dice and cards.

The rules are those of the classic board game with its world map (Parker Brothers' 1993 booklet), own engine. What is
settled otherwise or left open there: the defender always rolls as many dice as it can; the defender's and the neutral
army's behaviour leaves nothing to decide; the turns of a game are limited. States are tuples of whole numbers.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from ludometer.core import (
    Asked,
    Chance,
    Game,
    Illegal,
    Json,
    Observation,
    Outcome,
    Role,
    Seat,
    View,
    Viewer,
    placement_scores,
)
from ludometer.games._boards import fields
from ludometer.games._places import Place
from ludometer.games.risk.asking import asked_for, hint
from ludometer.games.risk.board import MapName, load_map
from ludometer.games.risk.cards import CardSeries
from ludometer.games.risk.jsons import dumped, loaded
from ludometer.games.risk.legality import check_order, legal_orders, sample_order
from ludometer.games.risk.lists import apply_list, check_list, sample_list
from ludometer.games.risk.moves import apply_order
from ludometer.games.risk.notation import (
    decode_order,
    decode_orders,
    encode_order,
    parse_order,
    parse_orders,
    schema_order,
    written,
)
from ludometer.games.risk.picture import places, svg
from ludometer.games.risk.prose import mentions
from ludometer.games.risk.seen import imagined, observed
from ludometer.games.risk.settings import Amounts, Placement, Settings, seat_of
from ludometer.games.risk.setup import longest, start
from ludometer.games.risk.state import Action, Order, Orders, State
from ludometer.games.risk.turns import ranking
from ludometer.games.risk.twins import twins
from ludometer.games.risk.views import VIEWS
from ludometer.games.risk.words import rules

__all__ = ["Order", "Orders", "Risk", "State"]

_PARTS = re.compile(r"(?!trade)([a-z]+)(?: (.+?))?(?: > (.+?))?(?: (\d+))?")


class Risk(Game[State, Action]):
    """Risk.

    Args:
        map: ``classic`` (42 territories) or ``small`` (18).
        placement: ``dealt``: territories and armies by chance, nothing to decide; ``placed``: territories by chance,
            armies by the players; ``picked``: both by the players.
        at_a_time: armies that a player places at a time in the set-up.
        cards: what sets are worth: ``rising`` (4, 6, 8, 10, 12, 15, 20, ...) or ``fixed`` (4, 6, 8, 10 by kind).
        orders: ``single``: an answer is one order; ``phase``: a list of them.
        blitz: an attack goes on until it is decided; otherwise it is one roll.
        max_turns: turns of each player, after which territories decide, then armies.
        amounts: how many armies an order may name: ``any``, or ``few``: the least, the most, and the middle between
            them, so that few orders are legal.
    """

    name: ClassVar[str] = "risk"
    title: ClassVar[str] = "Risk"
    players: ClassVar[tuple[int, int]] = (2, 6)
    perfect_information: ClassVar[bool] = False
    has_luck: ClassVar[bool] = True
    notes: ClassVar[tuple[str, ...]] = (
        "Risk: scores rank all players (the share of the others that a player is ahead of); payoffs are the "
        "territories held at the end.",
    )

    def __init__(
        self,
        map: MapName = "classic",  # noqa: A002 (the name of an option)
        placement: Placement = "dealt",
        at_a_time: int = 1,
        cards: CardSeries = "rising",
        orders: Literal["single", "phase"] = "single",
        blitz: bool = True,
        max_turns: int = 15,
        amounts: Amounts = "any",
    ) -> None:
        super().__init__()
        if not 1 <= at_a_time <= 50:
            raise ValueError(f"at_a_time must be from 1 to 50, not {at_a_time}")
        if not 1 <= max_turns <= 200:
            raise ValueError(f"max_turns must be from 1 to 200, not {max_turns}")
        self.map, self.placement, self.at_a_time, self.cards = map, placement, at_a_time, cards
        self.orders, self.blitz, self.max_turns, self.amounts = orders, blitz, max_turns, amounts
        listed = orders == "phase"
        self.settings = Settings(load_map(map), placement, at_a_time, cards, blitz, listed, max_turns, amounts)

    # ------------------------------------------------------------------ rules

    def roles(self, n: int) -> tuple[Role, ...]:
        return tuple(Role(seat_of(player), title=f"Player {player + 1}") for player in range(n))

    def new(self, n: int, chance: Chance) -> State:
        return start(self.settings, n, chance)

    def to_act(self, state: State) -> tuple[Seat, ...]:
        return () if state.phase == "over" else (seat_of(state.player),)

    def legal(self, state: State, seat: Seat) -> Sequence[Action] | None:
        """Every legal order; None where an answer is a list of orders."""
        return None if self.settings.listed else legal_orders(self.settings, state)

    def check(self, state: State, seat: Seat, action: Action) -> None:
        if isinstance(action, Orders) != self.settings.listed:
            wanted = "a list of orders" if self.settings.listed else "a single order"
            raise Illegal("invalid_format", f"an answer must be {wanted}")
        if isinstance(action, Orders):
            check_list(self.settings, state, action, self._written)
        else:
            check_order(self.settings, state, action)

    def sample(self, state: State, seat: Seat, chance: Chance) -> Action:
        """A random legal order (see `sample_order` for how likely each is), or a list of them."""
        return (sample_list if self.settings.listed else sample_order)(self.settings, state, chance)

    def apply(self, state: State, moves: Mapping[Seat, Action]) -> State:
        ((_, action),) = moves.items()
        if isinstance(action, Orders):
            return apply_list(self.settings, state, action)
        return apply_order(self.settings, state, action)

    def outcome(self, state: State) -> Outcome | None:
        if state.phase != "over":
            return None
        placed = ranking(state)
        order = sorted(set(placed))
        scores = placement_scores([order.index(place) for place in placed])
        seats = [seat_of(player) for player in range(state.n)]
        if len(state.out) == state.n - 1:
            reason = f"Player {state.player + 1} eliminated everybody else"
        else:
            reason = f"{self.max_turns} turns of each player are over"
        territories = {seat: float(state.owners.count(player)) for player, seat in enumerate(seats)}
        return Outcome(dict(zip(seats, scores, strict=True)), reason, territories)

    def max_steps(self) -> int:
        return max(longest(self.settings, n) for n in range(self.players[0], self.players[1] + 1))

    def determinize(self, state: State, seat: Seat, chance: Chance) -> State:
        return imagined(self.settings, state, int(seat) - 1, chance)

    def swap_hidden(self) -> Sequence[tuple[State, State, Seat]]:
        return twins(self.settings)

    # --------------------------------------------------------------- notation

    def _written(self, order: Order) -> str:
        return written(self.settings.board, order)

    def format(self, state: State, action: Action) -> str:
        orders = action.orders if isinstance(action, Orders) else (action,)
        return "; ".join(map(self._written, orders))

    def parse(self, state: State, seat: Seat, text: str) -> Action:
        if self.settings.listed:
            return parse_orders(self.settings, state, text)
        return parse_order(self.settings, state, text)

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return mentions(self.settings.board, text, listed=self.settings.listed)

    def schema(self, state: State, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        one = schema_order(self.settings)
        if not self.settings.listed:
            return one
        return {
            "type": "object",
            "properties": {"orders": {"type": "array", "items": one, "minItems": 1}},
            "required": ["orders"],
            "additionalProperties": False,
        }

    def encode(self, state: State, action: Action, notation: str | None = None) -> Json:
        board = self.settings.board
        if isinstance(action, Orders):
            return {"orders": [encode_order(board, order) for order in action.orders]}
        return encode_order(board, action)

    def decode(self, state: State, seat: Seat, answer: Json) -> Action:
        if not self.settings.listed:
            return decode_order(self.settings, state, answer)
        return decode_orders(self.settings, state, fields(answer))

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return hint(self.settings)

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        order = Order("reinforce", target=0, number=1)
        if self.placement == "picked":
            order = Order("pick", target=0)
        action: Any = Orders((order,)) if self.settings.listed else order
        return self.encode(self.new(2, Chance(0)), action), self._written(order)

    def asked(self, observation: Observation, notation: str | None = None) -> Asked:
        return asked_for(self.settings, observation)

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        return rules(self.settings)

    def observe(self, state: State, viewer: Viewer) -> Observation:
        return observed(self.settings, state, viewer)

    def views(self) -> Mapping[str, View]:
        return VIEWS

    def svg(self, observation: Observation) -> str:
        return svg(observation)

    def places(self, observation: Observation) -> Sequence[Place]:
        return places(observation)

    def parts(self, observation: Observation, notation: str, action: Action) -> Sequence[str]:
        """What is done, where, and with how many: the names of territories are whole."""
        found = _PARTS.fullmatch(notation)
        return [part for part in found.groups() if part] if found else [notation]

    # ------------------------------------------------------------------- JSON

    def dump(self, state: State) -> Json:
        return dumped(state)

    def load(self, data: Json) -> State:
        return loaded(data)
