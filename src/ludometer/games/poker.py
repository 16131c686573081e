"""No-limit Texas hold'em for 2 to 10 players, over many hands. Rules from pokerkit.

What is settled here beyond a single hand: the button moves on to the next seat that has chips; whoever has none is
dealt no more hands; blinds may double on a schedule. A player who is left with fewer chips than a blind or an ante
posts what it has. Hand k's cards depend on the luck and on k alone (see `ludometer.games._poker_hand.BOARD_AT`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar, Literal

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
from ludometer.games._poker_engine import Engine, act, play_out, rebuilt, table_of
from ludometer.games._poker_hand import BOARD_AT, CARDS, Hand, Table, cards_of, dumped, holes_of, loaded, masked
from ludometer.games._poker_notation import Action, judged, mentions, offered, stated, stated_fields, written
from ludometer.games._poker_phh import phh
from ludometer.games._poker_picture import picture
from ludometer.games._poker_rules import Terms, rules_text
from ludometer.games._poker_views import VIEWS, asked_for, events_of, observed

__all__ = ["Poker", "PokerState"]

_EXTRA_HANDS = 100
"""Hands that are played, where one is to be left, after the big blind has grown to all chips in play: from then on
every hand is all-in, and only split pots can make it last."""


class _Slot:
    """Keeps pokerkit's state of a hand until it is played on: then it moves on with the hand, and whoever asks for the
    earlier state again rebuilds it. Nothing that it holds can change a result."""

    __slots__ = ("engine",)

    def __init__(self, engine: Engine | None) -> None:
        self.engine = engine

    def take(self) -> Engine | None:
        engine, self.engine = self.engine, None
        return engine


@dataclass(frozen=True, slots=True)
class PokerState:
    """A match of poker between two decisions.

    Attributes:
        chance: where the decks of later hands come from.
        deck: all 52 cards of this hand, in the order of `BOARD_AT`.
        hand: the hand being played; None when the match is over.
        past: the hands before it.
        table: follows from the hand, as does what is left out of comparisons.
    """

    chance: Chance
    deck: tuple[str, ...]
    hand: Hand | None
    past: tuple[Hand, ...]
    table: Table | None = field(compare=False, default=None)
    slot: _Slot = field(compare=False, repr=False, default_factory=lambda: _Slot(None))


class Poker(Game[PokerState, Action]):
    """No-limit hold'em.

    Args:
        hands: how many are played (1 to 10,000), or ``one_left``: until one player has all the chips.
        mode: ``tournament``: chips won and lost stay so; ``cash``: everybody has the starting chips in every hand.
        starting_chips: of every player, more than big blind and ante and at most 1,000,000.
        small_blind, big_blind, ante: in chips, at the start; the ante is everybody's.
        blinds_double_every: blinds and ante double after so many hands; 0 for never; by default 10 where one is to be
            left (which has to end), and else never. They stop doubling when the big blind is all chips in play.
        sizes: ``any``: bets and raises of any legal amount; ``few``: only those of the smallest size, of half the pot,
            of the pot, and all-in, so that the legal actions can be listed.
    """

    name: ClassVar[str] = "poker"
    title: ClassVar[str] = "No-limit hold'em"
    players: ClassVar[tuple[int, int]] = (2, 10)
    perfect_information: ClassVar[bool] = False
    has_luck: ClassVar[bool] = True
    notes: ClassVar[tuple[str, ...]] = (
        "Scores rank the players of a match; chips are in the payoffs. Chips say more than scores.",
    )

    def __init__(
        self,
        hands: int | Literal["one_left"] = 20,
        mode: Literal["tournament", "cash"] = "tournament",
        starting_chips: int = 1000,
        small_blind: int = 10,
        big_blind: int = 20,
        ante: int = 0,
        blinds_double_every: int | None = None,
        sizes: Literal["any", "few"] = "any",
    ) -> None:
        super().__init__()
        last = hands == "one_left"
        if not last and not 1 <= int(hands) <= 10_000:
            raise ValueError(f"hands must be 1 to 10,000 or one_left, not {hands}")
        if not 1 <= small_blind <= big_blind:
            raise ValueError(f"it must be 1 <= small_blind <= big_blind, not {small_blind} and {big_blind}")
        if not 0 <= ante <= big_blind:
            raise ValueError(f"ante must be from 0 to the big blind ({big_blind}), not {ante}")
        if not big_blind + ante < starting_chips <= 1_000_000:
            raise ValueError(
                f"starting_chips must be more than big blind and ante ({big_blind + ante}) and at most 1,000,000, "
                f"not {starting_chips}"
            )
        every = (10 if last else 0) if blinds_double_every is None else blinds_double_every
        if every < 0 or (last and not every):
            raise ValueError(
                "blinds_double_every must be at least 1 with hands = one_left, which would otherwise need not end"
                if last
                else f"blinds_double_every must be at least 0, not {every}"
            )
        if last and mode == "cash":
            raise ValueError("hands = one_left needs mode = tournament: in cash games nobody loses all chips for good")
        self.hands, self.mode, self.starting_chips = hands, mode, starting_chips
        self.small_blind, self.big_blind, self.ante = small_blind, big_blind, ante
        self.blinds_double_every, self.sizes = every, sizes
        self._terms = Terms(hands, mode, starting_chips, small_blind, big_blind, ante, every, sizes)

    # ------------------------------------------------------------------ rules

    def roles(self, n: int) -> tuple[Role, ...]:
        return tuple(Role(str(i + 1), title=f"Player {i + 1}") for i in range(n))

    def new(self, n: int, chance: Chance) -> PokerState:
        return self._dealt(chance, (), 0, (self.starting_chips,) * n)

    def to_act(self, state: PokerState) -> tuple[Seat, ...]:
        return () if state.table is None or state.table.actor is None else (str(state.table.actor + 1),)

    def legal(self, state: PokerState, seat: Seat) -> Sequence[Action] | None:
        return offered(_open(state)) if self.sizes == "few" else None

    def check(self, state: PokerState, seat: Seat, action: Action) -> None:
        table = _open(state)
        judged(action, table)
        if self.sizes == "few" and action not in (few := offered(table)):
            amounts = ", ".join(str(one.amount) for one in few if one.amount)
            raise Illegal("size_not_offered", f"{written(action)} is not offered here; amounts are {amounts}")

    def sample(self, state: PokerState, seat: Seat, chance: Chance) -> Action:
        """A random legal action: most often a check or call, more often small bets than large ones."""
        table = _open(state)
        few = offered(table)
        if self.sizes == "few":
            return chance.choice(few)[0]
        die, chance = chance.below(6)
        if die == 0 and table.to_call:
            return Action("fold")
        if die < 4 or table.raises_to is None:
            return Action("call" if table.to_call else "check")
        least, most = table.raises_to
        usual = max(least, min(most, table.highest + table.pot + table.to_call))
        die, chance = chance.below(12)
        amount = most if die == 0 else least + chance.below(usual - least + 1)[0]
        return few[-1]._replace(amount=amount)

    def apply(self, state: PokerState, moves: Mapping[Seat, Action]) -> PokerState:
        ((_, action),) = moves.items()
        assert state.hand is not None  # somebody was to act
        engine = state.slot.take() or rebuilt(state.hand, state.deck)
        hand = act(state.hand, engine, state.deck, action.kind, action.amount)
        if hand.after:
            return self._next(state.chance, (*state.past, hand))
        return replace(state, hand=hand, table=table_of(hand, engine), slot=_Slot(engine))

    def outcome(self, state: PokerState) -> Outcome | None:
        if state.hand is not None:
            return None
        net = self._net(state.past)
        ranks = self._ranks(state.past, net)
        order = {key: place for place, key in enumerate(sorted(set(ranks)))}
        scores = placement_scores([order[key] for key in ranks])
        seats = [str(i + 1) for i in range(len(net))]
        alone = self.mode == "tournament" and sum(chips > 0 for chips in state.past[-1].after) == 1
        reason = "one player has all the chips" if alone else f"{len(state.past)} hands were played"
        return Outcome(dict(zip(seats, scores, strict=True)), reason, dict(zip(seats, map(float, net), strict=True)))

    def max_steps(self) -> int:
        n = self.players[1]
        total = n * self.starting_chips
        # What can be raised more than once is what two players have: the second largest stack.
        second = total // 2 if self.mode == "tournament" else self.starting_chips
        # A street has n decisions without a raise, and each raise opens n more; raises are full ones, or all-in.
        return sum(n * (4 + second // self._blinds(k, n)[1] + 1 + n) for k in range(self._cap(n)))

    def determinize(self, state: PokerState, seat: Seat, chance: Chance) -> PokerState:
        """Other players' cards, the rest of the deck and all later hands are drawn anew; cards that others had in
        earlier hands and did not show are forgotten."""
        own = int(seat) - 1
        past = tuple(masked(hand, own) for hand in state.past)
        future, hand = chance.named("future"), state.hand
        if hand is None:
            return replace(state, chance=future, deck=(), past=past)
        places = list(range(BOARD_AT, BOARD_AT + len(hand.board)))
        places += [2 * own, 2 * own + 1] if hand.stacks[own] else []
        known = {place: state.deck[place] for place in places}
        held = set(known.values())
        rest = iter(chance.named("cards").shuffled(card for card in CARDS if card not in held)[0])
        deck = tuple(known[place] if place in known else next(rest) for place in range(len(CARDS)))
        hand = hand._replace(holes=holes_of(deck, hand.stacks))
        return PokerState(future, deck, hand, past, state.table)

    def _dealt(self, chance: Chance, past: tuple[Hand, ...], button: int, stacks: tuple[int, ...]) -> PokerState:
        """The state in which the next hand is dealt, or, where nobody has a decision in it, what comes after."""
        deck = chance.named("hand", len(past)).shuffled(CARDS)[0]
        small, big, ante = self._blinds(len(past), len(stacks))
        start = Hand(len(past), button, (small, big), ante, stacks, holes_of(deck, stacks))
        hand, engine = play_out(start, deck)
        if hand.after:
            return self._next(chance, (*past, hand))
        return PokerState(chance, deck, hand, past, table_of(hand, engine), _Slot(engine))

    def _next(self, chance: Chance, past: tuple[Hand, ...]) -> PokerState:
        last = past[-1]
        n = len(last.stacks)
        stacks = (self.starting_chips,) * n if self.mode == "cash" else last.after
        if len(past) >= self._cap(n) or sum(chips > 0 for chips in stacks) < 2:
            return PokerState(chance, (), None, past)
        button = next(seat for k in range(n) if stacks[seat := (last.button + 1 + k) % n] > 0)
        return self._dealt(chance, past, button, stacks)

    def _blinds(self, number: int, n: int) -> tuple[int, int, int]:
        """Small blind, big blind and ante of a hand."""
        steps = number // self.blinds_double_every if self.blinds_double_every else 0
        factor = 1 << min(steps, self._doublings(n))
        return self.small_blind * factor, self.big_blind * factor, self.ante * factor

    def _doublings(self, n: int) -> int:
        """After so many the big blind is at least all chips in play."""
        return max(0, (-(-n * self.starting_chips // self.big_blind) - 1).bit_length())

    def _cap(self, n: int) -> int:
        """The largest number of hands."""
        if isinstance(self.hands, int):
            return self.hands
        return self.blinds_double_every * self._doublings(n) + _EXTRA_HANDS

    def _net(self, past: Sequence[Hand]) -> list[int]:
        """Chips won or lost by each seat in all."""
        return [sum(hand.after[i] - hand.stacks[i] for hand in past) for i in range(len(past[0].stacks))]

    def _ranks(self, past: Sequence[Hand], net: Sequence[int]) -> list[tuple[int, ...]]:
        """What places are decided by: chips; among the broke the hand they went broke in, then the stack before it."""
        if self.mode == "cash":
            return [(chips,) for chips in net]
        ranks: list[tuple[int, ...]] = []
        for seat, chips in enumerate(past[-1].after):
            last = max(hand.number for hand in past if hand.stacks[seat] > 0)
            ranks.append((chips, 0, 0) if chips else (0, last, past[last].stacks[seat]))
        return ranks

    # --------------------------------------------------------------- notation

    def format(self, state: PokerState, action: Action) -> str:
        return written(action)

    def parse(self, state: PokerState, seat: Seat, text: str) -> Action:
        return stated(text, _open(state))

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return mentions(text)

    def schema(self, state: PokerState, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        words = "chips that a bet or raise goes to, in total for this betting round; 0 for other actions"
        return {
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["fold", "check", "call", "bet", "raise", "all_in"]},
                "amount": {"type": "integer", "description": words},
            },
            "required": ["action", "amount"],
            "additionalProperties": False,
        }

    def encode(self, state: PokerState, action: Action, notation: str | None = None) -> Json:
        return {"action": action.kind, "amount": action.amount}

    def decode(self, state: PokerState, seat: Seat, answer: Json) -> Action:
        given = fields(answer)
        if "action" in given:
            return stated_fields(given, _open(state))
        return super().decode(state, seat, answer)

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "as fold, check, call, bet N, raise to N or all-in, N being chips"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        amount = 6 * self.big_blind
        return {"action": "raise", "amount": amount}, f"raise to {amount}"

    def asked(self, observation: Observation, notation: str | None = None) -> Asked:
        return asked_for(observation, self.answer_hint(str(observation.viewer), notation))

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        return rules_text(self._terms)

    def observe(self, state: PokerState, viewer: Viewer) -> Observation:
        return Observation(
            viewer,
            observed(state.hand, state.past, state.table, viewer, self._terms),
            tuple(events_of((*state.past, *([state.hand] if state.hand else [])), viewer)),
            self.to_act(state),
        )

    def views(self) -> Mapping[str, View]:
        return VIEWS

    def svg(self, observation: Observation) -> str:
        return picture(observation)

    def record(
        self,
        start: PokerState,
        moves: Sequence[tuple[Seat, Action]],
        names: Mapping[Seat, str],
        *,
        scores: Mapping[Seat, float] | None = None,
        tags: Mapping[str, str] | None = None,
    ) -> tuple[str, str]:
        """All hands in the poker hand history format (PHH), see `ludometer.games._poker_phh`."""
        state = start
        for seat, action in moves:
            state = self.apply(state, {seat: action})
        played = [*state.past, *([state.hand] if state.hand and state.hand.acts else [])]
        decks = [start.chance.named("hand", hand.number).shuffled(CARDS)[0] for hand in played]
        return "phhs", phh(list(zip(played, decks, strict=True)), names, tags or {})

    def swap_hidden(self) -> Sequence[tuple[PokerState, PokerState, Seat]]:
        pairs = []
        for n, folds, seat in ((2, 0, "1"), (3, 0, "1"), (3, 1, "2"), (4, 3, "3"), (3, 5, "2")):
            one = self.new(n, Chance.from_seed(n))
            other = self._swapped(one, int(seat) - 1)
            for _ in range(folds):
                if not self.to_act(one):
                    break
                ((actor,), action) = self.to_act(one), Action("fold" if _open(one).to_call else "check")
                one, other = (self.apply(state, {actor: action}) for state in (one, other))
            pairs.append((one, other, seat))
        first = self.new(2, Chance.from_seed(2))
        pairs.append((first, replace(first, chance=Chance.from_seed("another future")), "1"))
        return pairs

    def _swapped(self, state: PokerState, own: int) -> PokerState:
        """The first deal with every card anew that the seat cannot see, and (one place on) the decks after it."""
        fixed = {2 * own, 2 * own + 1}
        moved = [card for place, card in enumerate(state.deck) if place not in fixed]
        turned = iter([*moved[7:], *moved[:7]])
        deck = tuple(card if place in fixed else next(turned) for place, card in enumerate(state.deck))
        assert state.hand is not None
        hand = state.hand._replace(holes=holes_of(deck, state.hand.stacks))
        return PokerState(state.chance, deck, hand, (), state.table)

    # ------------------------------------------------------------------- JSON

    def dump(self, state: PokerState) -> Json:
        return {
            "chance": list(state.chance),
            "deck": "".join(state.deck),
            "hand": None if state.hand is None else dumped(state.hand),
            "past": [dumped(hand) for hand in state.past],
        }

    def load(self, data: Json) -> PokerState:
        past = tuple(loaded(hand) for hand in data["past"])
        deck = cards_of(data["deck"])
        if data["hand"] is None:
            return PokerState(Chance(*data["chance"]), deck, None, past)
        hand = loaded(data["hand"])
        engine = rebuilt(hand, deck)
        return PokerState(Chance(*data["chance"]), deck, hand, past, table_of(hand, engine), _Slot(engine))


def _open(state: PokerState) -> Table:
    """The table of a match that is not over."""
    if state.table is None:
        raise Illegal("match_over", "the match is over")
    return state.table
