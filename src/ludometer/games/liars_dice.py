"""Liar's dice: everybody rolls in secret, bids on all dice together must rise, and a call ends the round.

Rules of the game known as common hand liar's dice, with an engine of our own: the order of bids is one function,
`bid_rank`, which the rules text, the check of bids and every analysis share.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, product
from typing import Any, ClassVar, Final, Literal, NamedTuple

from ludometer.core import (
    Asked,
    Chance,
    Event,
    Game,
    Illegal,
    Json,
    Observation,
    Outcome,
    Role,
    Seat,
    View,
    Viewer,
    Watcher,
    placement_scores,
)
from ludometer.games._liars_dice_bids import FACES, bid_probability, bid_rank, higher_bids, matching, too_low
from ludometer.games._liars_dice_events import all_dice, told, written
from ludometer.games._liars_dice_reading import CALL, Move, mentioned, read_fields, read_text
from ludometer.games._liars_dice_views import VIEWS, asked_for, dice_svg, rules_text

__all__ = [
    "CALL",
    "FACES",
    "LiarsDice",
    "Move",
    "Round",
    "Table",
    "bid_probability",
    "bid_rank",
    "higher_bids",
    "matching",
]

_LARGEST: Final = 10
"""Largest number of dice for each player."""


class Round(NamedTuple):
    """A finished round. Players are numbered from 0.

    Attributes:
        hands: the dice of every player, sorted.
        bids: player, quantity and face of every bid, in order.
        caller: who called the last bid.
        matches: how many dice matched it.
        loser: the caller where the bid held, else the bidder.
    """

    hands: tuple[tuple[int, ...], ...]
    bids: tuple[tuple[int, int, int], ...]
    caller: int
    matches: int
    loser: int


class Table(NamedTuple):
    """A state.

    Attributes:
        dice: how many dice every player has.
        hands: what they show, sorted; empty when the game is over.
        bids: of this round.
        turn: who is to act; -1 when the game is over.
        past: the finished rounds.
        chance: where all rolls come from.
    """

    dice: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]
    bids: tuple[tuple[int, int, int], ...]
    turn: int
    past: tuple[Round, ...]
    chance: Chance


class LiarsDice(Game[Table, Move]):
    """Liar's dice.

    Args:
        dice: dice of each player at the start, 1 to 10.
        ones_wild: a one counts for every face. The default is the plain game, where every face is as likely.
        rounds: ``single``: one round, which one player loses; ``last_standing``: the loser of a round loses a die and
            begins the next round, until one player has dice left.
    """

    name: ClassVar[str] = "liars_dice"
    title: ClassVar[str] = "Liar's dice"
    players: ClassVar[tuple[int, int]] = (2, 6)
    perfect_information: ClassVar[bool] = False
    has_luck: ClassVar[bool] = True
    compares_equals: ClassVar[bool] = False
    notes: ClassVar[tuple[str, ...]] = (
        "Liar's dice: bids are ordered by quantity, then by face. A single round has one loser; the other players "
        "share the rest.",
    )

    def __init__(
        self, dice: int = 5, ones_wild: bool = False, rounds: Literal["single", "last_standing"] = "single"
    ) -> None:
        super().__init__()
        if not 1 <= dice <= _LARGEST:
            raise ValueError(f"dice must be from 1 to {_LARGEST}, not {dice}")
        if rounds not in ("single", "last_standing"):
            raise ValueError(f"rounds must be single or last_standing, not {rounds!r}")
        self.dice, self.ones_wild, self.rounds = dice, ones_wild, rounds

    # ------------------------------------------------------------------ rules

    def roles(self, n: int) -> tuple[Role, ...]:
        return tuple(Role(str(i), title=f"Player {i}") for i in range(1, n + 1))

    def new(self, n: int, chance: Chance) -> Table:
        return _rolled(Table((self.dice,) * n, (), (), 0, (), chance))

    def deals(self, n: int) -> Iterator[tuple[float, Table]]:
        """Every way the dice can fall at the start, with its probability. All luck is in it where there is one round
        (or one die each)."""
        for hands in product(_hands(self.dice), repeat=n):
            probability = math.prod(chance for chance, _ in hands)
            yield probability, Table((self.dice,) * n, tuple(hand for _, hand in hands), (), 0, (), Chance(0))

    def to_act(self, state: Table) -> tuple[Seat, ...]:
        return () if state.turn < 0 else (str(state.turn + 1),)

    def legal(self, state: Table, seat: Seat) -> Sequence[Move]:
        """Every higher bid, lowest first, and then the call where there is something to call."""
        if not state.bids:
            return higher_bids(None, sum(state.dice))
        return [*higher_bids(state.bids[-1][1:], sum(state.dice)), CALL]

    def check(self, state: Table, seat: Seat, action: Move) -> None:
        if action == CALL:
            if not state.bids:
                raise Illegal("no_bid_yet", "there is no bid to call yet; open the round with a bid")
            return
        quantity, face = action.quantity, action.face
        dice = sum(state.dice)
        if not 1 <= face <= FACES:
            raise Illegal("impossible_bid", f"a die has no face {face}; bid on a face from 1 to {FACES}")
        if not 1 <= quantity <= dice:
            raise Illegal("impossible_bid", f"a bid of {quantity} dice is impossible; there are {dice} dice in play")
        if state.bids and bid_rank(quantity, face) <= bid_rank(*state.bids[-1][1:]):
            raise Illegal("bid_too_low", too_low(state.bids[-1][1:], quantity, face, dice))

    def apply(self, state: Table, moves: Mapping[Seat, Move]) -> Table:
        (move,) = moves.values()
        if move == CALL:
            return self._called(state)
        bid = (state.turn, move.quantity, move.face)
        return state._replace(bids=(*state.bids, bid), turn=_following(state.dice, state.turn))

    def _called(self, state: Table) -> Table:
        """All dice are shown, and somebody loses the round."""
        bidder, quantity, face = state.bids[-1]
        count = sum(matching(hand, face, self.ones_wild) for hand in state.hands)
        loser = state.turn if count >= quantity else bidder
        past = (*state.past, Round(state.hands, state.bids, state.turn, count, loser))
        dice = state.dice
        if self.rounds == "last_standing":
            dice = tuple(n - (i == loser) for i, n in enumerate(dice))
        if self.rounds == "single" or sum(1 for n in dice if n) == 1:
            return Table(dice, ((),) * len(dice), (), -1, past, state.chance)
        turn = loser if dice[loser] else _following(dice, loser)
        return _rolled(Table(dice, (), (), turn, past, state.chance))

    def outcome(self, state: Table) -> Outcome | None:
        if state.turn >= 0:
            return None
        n, last = len(state.dice), state.past[-1]
        if self.rounds == "single":
            payoffs = [-1.0 if i == last.loser else 1 / (n - 1) for i in range(n)]
            held = "held" if last.matches >= last.bids[-1][1] else "did not hold"
            reason = f"player {last.loser + 1} lost the round: the bid {written(last.bids[-1])} {held}"
        else:
            payoffs = [float(place) for place in _outlasted(state)]
            reason = f"player {max(range(n), key=lambda i: state.dice[i]) + 1} is the only one with dice left"
        seats = [str(i + 1) for i in range(n)]
        return Outcome(
            dict(zip(seats, placement_scores(payoffs), strict=True)), reason, dict(zip(seats, payoffs, strict=True))
        )

    def max_steps(self) -> int:
        """Each bid is higher than the one before, so that a round with D dice has at most 6 D bids and a call; each
        round but those of the winner's own dice takes a die out of play."""
        most = self.players[1] * self.dice
        return sum(FACES * dice + 1 for dice in (range(2, most + 1) if self.rounds == "last_standing" else [most]))

    def determinize(self, state: Table, seat: Seat, chance: Chance) -> Table:
        """The dice of the others are rolled anew, whatever they bid: bids are not taken for evidence."""
        own = int(seat) - 1
        fresh = chance.named("imagined")
        hands = tuple(
            hand if i == own else _roll(fresh.named("dice", i), len(hand)) for i, hand in enumerate(state.hands)
        )
        return state._replace(hands=hands, chance=fresh.named("future"))

    # --------------------------------------------------------------- notation

    def format(self, state: Table, action: Move) -> str:
        return "call" if action == CALL else f"{action.quantity}x{action.face}"

    def parse(self, state: Table, seat: Seat, text: str) -> Move:
        move = read_text(text)
        self.check(state, seat, move)
        return move

    def mentions(self, text: str, notation: str | None = None) -> Sequence[str]:
        return mentioned(text)

    def schema(self, state: Table, seat: Seat, notation: str | None = None) -> dict[str, Json]:
        number = {"type": ["integer", "null"]}
        return {
            "type": "object",
            "properties": {
                "action": {"type": "string", "enum": ["bid", "call"]},
                "quantity": {**number, "description": "how many dice are bid; null with a call"},
                "face": {**number, "description": "the face they show, 1 to 6; null with a call"},
            },
            "required": ["action", "quantity", "face"],
            "additionalProperties": False,
        }

    def encode(self, state: Table, action: Move, notation: str | None = None) -> Json:
        if action == CALL:
            return {"action": "call", "quantity": None, "face": None}
        return {"action": "bid", "quantity": action.quantity, "face": action.face}

    def decode(self, state: Table, seat: Seat, answer: Json) -> Move:
        move = read_fields(answer)
        if move is None:
            return super().decode(state, seat, answer)
        self.check(state, seat, move)
        return move

    def answer_hint(self, seat: Seat, notation: str | None = None) -> str:
        return "as a bid, the quantity and the face with an x between them (3x5 is three fives), or as the word call"

    def example(self, notation: str | None = None) -> tuple[Json, str]:
        state = self.new(2, Chance.from_seed("example"))
        bid = Move("bid", 2, 4)
        return self.encode(state, bid, notation), self.format(state, bid)

    def asked(self, observation: Observation, notation: str | None = None) -> Asked:
        return asked_for(observation, super().asked(observation, notation))

    # ---------------------------------------------------------------- showing

    def rules(self) -> str:
        return rules_text(self.dice, self.ones_wild, single=self.rounds == "single")

    def observe(self, state: Table, viewer: Viewer) -> Observation:
        """Data: ``round`` (from 1), ``dice`` (how many, by seat), ``hands`` (null where they are not for this viewer),
        ``bids`` of this round as seat, quantity and face, and ``last_round``, how the one before ended."""
        seats = [str(i + 1) for i in range(len(state.dice))]
        hands = [list(hand) if _sees(viewer, seat) else None for seat, hand in zip(seats, state.hands, strict=True)]
        over = state.turn < 0
        data: dict[str, Json] = {
            "round": len(state.past) + (not over),
            "over": over,
            "dice": dict(zip(seats, state.dice, strict=True)),
            "hands": dict.fromkeys(seats) if over else dict(zip(seats, hands, strict=True)),
            "bids": [[seats[player], quantity, face] for player, quantity, face in state.bids],
            "last_round": self._ended(state.past[-1]) if state.past else None,
        }
        return Observation(viewer, data, tuple(self._events(state, viewer)), self.to_act(state))

    def _ended(self, ended: Round) -> Json:
        bidder, quantity, face = ended.bids[-1]
        return {
            "hands": {str(i + 1): list(hand) for i, hand in enumerate(ended.hands)},
            "bids": [[str(player + 1), *bid] for player, *bid in ended.bids],
            "bidder": str(bidder + 1),
            "bid": [quantity, face],
            "caller": str(ended.caller + 1),
            "count": ended.matches,
            "loser": str(ended.loser + 1),
            "loses": "die" if self.rounds == "last_standing" else "game",
        }

    def _events(self, state: Table, viewer: Viewer) -> Iterator[Event]:
        for number, ended in enumerate(state.past, 1):
            yield from told(number, ended.hands, ended.bids, viewer)
            yield Event(str(ended.caller + 1), "call")
            yield Event(None, f"shown: {all_dice(ended.hands)}")
            what = written(ended.bids[-1])
            yield Event(None, f"the bid {what} met {ended.matches} matching dice: player {ended.loser + 1} loses")
        if state.turn >= 0:
            yield from told(len(state.past) + 1, state.hands, state.bids, viewer)

    def views(self) -> Mapping[str, View]:
        return dict(VIEWS)

    def svg(self, observation: Observation) -> str:
        return dice_svg(observation)

    def parts(self, observation: Observation, notation: str, action: Move) -> Sequence[str]:
        return notation.split("x")

    def swap_hidden(self) -> Sequence[tuple[Table, Table, Seat]]:
        """The others' dice and all luck to come change; after none, one and many bids, and in a later round."""
        own, low, high = ((face,) * self.dice for face in (3, 2, 6))
        one, other = Chance.from_seed("one"), Chance.from_seed("other")
        pairs = []
        for bids in ((), ((0, 1, 1), (1, 1, 2)), ((0, 1, 3), (1, 1, 5), (0, 2, 1), (1, 2, 6))):
            table = Table((self.dice,) * 2, (own, low), bids, 0, (), one)
            pairs.append((table, table._replace(hands=(own, high), chance=other), "1"))
        table = Table((self.dice,) * 3, (low, high, own), ((0, 1, 1), (1, 1, 2)), 2, (), one)
        pairs.append((table, table._replace(hands=(high, low, own)), "3"))
        if self.rounds == "last_standing" and self.dice > 1:
            ended = Round((own, low), ((0, 1, 3),), 1, self.dice, 1)
            table = Table((self.dice, self.dice - 1), (own, low[1:]), ((1, 1, 4),), 0, (ended,), one)
            pairs.append((table, table._replace(hands=(own, high[1:]), chance=other), "1"))
        return pairs

    # ------------------------------------------------------------------- JSON

    def dump(self, state: Table) -> Json:
        return {
            "dice": list(state.dice),
            "hands": [list(hand) for hand in state.hands],
            "bids": [list(bid) for bid in state.bids],
            "turn": state.turn,
            "past": [
                [[list(hand) for hand in r.hands], [list(bid) for bid in r.bids], r.caller, r.matches, r.loser]
                for r in state.past
            ],
            "chance": list(state.chance),
        }

    def load(self, data: Json) -> Table:
        past = (Round(_tuples(hands), _tuples(bids), *rest) for hands, bids, *rest in data["past"])
        return Table(
            tuple(data["dice"]),
            _tuples(data["hands"]),
            _tuples(data["bids"]),
            data["turn"],
            tuple(past),
            Chance(*data["chance"]),
        )


def _rolled(table: Table) -> Table:
    """The table with the dice of its next round, which depend on the round and the seat alone."""
    number = len(table.past) + 1
    rolls = (_roll(table.chance.named("dice", number, str(i + 1)), count) for i, count in enumerate(table.dice))
    return table._replace(hands=tuple(rolls))


def _roll(chance: Chance, count: int) -> tuple[int, ...]:
    dice = []
    for _ in range(count):
        die, chance = chance.below(FACES)
        dice.append(die + 1)
    return tuple(sorted(dice))


def _hands(dice: int) -> list[tuple[float, tuple[int, ...]]]:
    """Every sorted roll with its probability (multinomial)."""
    found = []
    for hand in combinations_with_replacement(range(1, FACES + 1), dice):
        ways = math.factorial(dice)
        for face in range(1, FACES + 1):
            ways //= math.factorial(hand.count(face))
        found.append((ways / FACES**dice, hand))
    return found


def _following(dice: Sequence[int], player: int) -> int:
    """The next player in order who has dice."""
    n = len(dice)
    return next(i for i in ((player + step) % n for step in range(1, n + 1)) if dice[i])


def _outlasted(state: Table) -> list[int]:
    """How many players each has outlasted, when the game is over: who lost the last die later lasted longer."""
    lost = {ended.loser: number for number, ended in enumerate(state.past)}
    until = [len(state.past) if n else lost[i] for i, n in enumerate(state.dice)]
    return [sum(1 for other in until if other < mine) for mine in until]


def _sees(viewer: Viewer, seat: Seat) -> bool:
    return viewer is Watcher.FULL or viewer == seat


def _tuples(rows: Json) -> tuple[Any, ...]:
    return tuple(tuple(row) for row in rows)
