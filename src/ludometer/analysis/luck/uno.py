"""UNO: what the deal was worth, by Monte Carlo, and what the cards that were drawn were, against those in the pile."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar, Final, NamedTuple

from ludometer.core import AnyGame, Chance
from ludometer.games.uno import Uno
from ludometer.games.uno.cards import WILD, playable_cards
from ludometer.games.uno.kernel import packed, playouts
from ludometer.games.uno.state import Options, State

__all__ = ["CardLuck"]

PLAYOUTS: Final = 400
"""Random games of a deal for every way round that it could have been dealt."""


class Draw(NamedTuple):
    """A card that was drawn, what it could have been, and the cards that fitted then (a set; 0 for a penalty)."""

    seat: int
    card: int
    could_be: tuple[int, ...]
    fitting: int


class CardLuck:
    """The deal: how often a seat wins at random with its hand, less the mean over all rotations of the hands, all as
    likely. Draws: wild cards, function cards, and cards that fitted at once, less their share of the pile."""

    name: ClassVar[str] = "uno"
    titles: Sequence[str] = ("deal", "wild cards drawn", "function cards drawn", "drawn cards that fit")

    def refuses(self, game: AnyGame) -> str | None:
        return None if isinstance(game, Uno) else ""

    def terms(self, game: Uno, states: Sequence[State], luck: Chance) -> Sequence[Sequence[float]]:
        start, last = dealt(states[-1]), states[-1]
        deal = deal_luck(start, game.rule_options, luck)
        n = last.n
        drawn = [[0.0, 0.0, 0.0] for _ in range(n)]
        for draw in draws(start, last):
            for k, value in enumerate(draw_luck(draw)):
                drawn[draw.seat][k] += value
        others = [[(sum(row[k] for row in drawn) - own[k]) / (n - 1) for k in range(3)] for own in drawn]
        return [(deal[i], *(drawn[i][k] - others[i][k] for k in range(3))) for i in range(n)]


def dealt(state: State) -> State:
    """The deal that a game began with, before anybody drew or played."""
    hands = [list(hand) for hand in state.hands]
    pile: list[int] = []
    for record in state.history:
        pile += record.cards
        if record.kind == "card":
            hands[record.seat].append(record.value)
    for record in state.history:
        for card in record.cards:
            hands[record.seat].remove(card)
    top = state.turned[-1]
    colour = top // 13
    return State(
        hands=tuple(tuple(sorted(hand)) for hand in hands),
        pile=(*pile, *state.pile),
        turned=state.turned,
        top=top,
        colour=colour,
        player=0,
        direction=1,
        phase="card",
        before=colour,
        absent=tuple((0,) * len(hand) for hand in hands),
        history=(),
    )


def deal_luck(start: State, options: Options, luck: Chance) -> list[float]:
    """By seat: the share of random games it wins with this deal, less the mean over the rotations of the hands."""
    n, rates = start.n, []
    for turn in range(n):
        hands = start.hands[turn:] + start.hands[:turn]
        position = packed(start._replace(hands=hands), options, pile="reshuffled")
        # Every rotation has luck of its own, so that none is favoured: the mean over the deals is zero exactly.
        seed = luck.named("deal", turn).bits()[0]
        rates.append(playouts(position, [None], rollouts=PLAYOUTS, seed=seed).rates[0])
    return [float(rates[0][seat] - sum(rate[seat] for rate in rates) / n) for seat in range(n)]


def draws(start: State, last: State) -> Iterator[Draw]:
    """Every card drawn in a game, with what was left in the pile."""
    pile, top, colour = start.pile, start.top, start.colour
    place = 0
    for record in last.history:
        if record.kind == "card":
            top = record.value
            colour = colour if top >= WILD else top // 13
        elif record.kind == "colour":
            colour = record.value
        fitting = playable_cards(top, colour) if record.kind == "cannot" else 0
        for card in record.cards:
            yield Draw(record.seat, card, pile[place:], fitting)
            place += 1


def draw_luck(draw: Draw) -> tuple[float, float, float]:
    """How much more than the mean of the pile the card was: wild, function card, fitting."""
    left = len(draw.could_be)

    def kinds(card: int) -> tuple[bool, bool, bool]:
        return card >= WILD, card < WILD and card % 13 >= 10, bool(draw.fitting >> card & 1)

    own = kinds(draw.card)
    all_kinds = [kinds(card) for card in draw.could_be]
    wild, function, fits = (own[k] - sum(kind[k] for kind in all_kinds) / left for k in range(3))
    return wild, function, fits
