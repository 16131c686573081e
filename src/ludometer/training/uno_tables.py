"""Many games of UNO at once, as arrays: the rules of `ludometer.games.uno.state`, their oracle in the tests."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from ludometer.games.uno.cards import DRAW_TWO, REVERSE, SKIP, TYPES, WILD, WILD_DRAW_FOUR
from ludometer.games.uno.state import Options
from ludometer.players import _uno_seen as seen

__all__ = ["Tables"]

Ints: TypeAlias = "npt.NDArray[np.int64]"

_CARD, _DRAWN, _COLOUR, _CHALLENGE = range(4)  # as in `seen.PHASES`
_COLOUR_TYPES = np.arange(WILD).reshape(4, 13)


class Tables:
    """A batch of games of one number of players. The arrays' first axis is the game.

    Args:
        decks: shape ``(games, 108)``, dealt from the front.
        n: players.
        options: house rules; ``last_card_effect`` and ``forced_draw = "ask"`` are not played here.

    Attributes:
        hands: ``(games, n, 54)``, how many of each card type.
        barred: ``(games, n, 54)``, how many of the seat's cards everybody knows not to be of that type. It says what
            `State.absent` says, whose sets are nested.
        shares: ``(games, n)``, each seat's share of the win once a game is over.
    """

    def __init__(self, decks: Rows, n: int, options: Options | None = None) -> None:
        self.options = options or Options()
        self.n, games = n, len(decks)
        self.decks = decks
        self._all = np.arange(games)
        self.hands = np.zeros((games, n, TYPES), dtype=np.uint8)
        for seat in range(n):
            np.add.at(self.hands[:, seat], (self._all[:, None], decks[:, seat : 7 * n : n]), 1)
        rest = decks[:, 7 * n :]
        first = np.argmax((rest < WILD) & (rest % 13 < SKIP), axis=1)
        self.at: Ints = 7 * n + first + 1
        self.shown = np.zeros((games, TYPES), dtype=np.uint8)
        place = np.arange(rest.shape[1])
        for game, column in zip(*np.nonzero(place <= first[:, None]), strict=True):
            self.shown[game, rest[game, column]] += 1
        self.top: Ints = rest[self._all, first].astype(np.int64)
        self.colour: Ints = self.top // 13
        self.before: Ints = self.colour.copy()
        self.player: Ints = np.zeros(games, dtype=np.int64)
        self.direction: Ints = np.ones(games, dtype=np.int64)
        self.phase: Ints = np.zeros(games, dtype=np.int64)
        self.drawn: Ints = np.zeros(games, dtype=np.int64)
        self.sizes: Ints = np.full((games, n), 7, dtype=np.int64)
        self.barred = np.zeros((games, n, TYPES), dtype=np.uint8)
        self.over = np.zeros(games, dtype=bool)
        self.shares = np.zeros((games, n))
        self._settle(self._all)

    # ------------------------------------------------------------ what is seen

    def rows(self, games: Ints) -> Rows:
        """What the seat to act may know in each of these games, shape ``(len(games), seen.WIDTH)``."""
        player, direction = self.player[games], self.direction[games]
        own = self.hands[games, player]
        following, previous = (player + direction) % self.n, (player - direction) % self.n
        others = self.sizes[games].copy()
        others[np.arange(len(games)), player] = 255
        rows = np.zeros((len(games), seen.WIDTH), dtype=np.uint8)
        rows[:, seen.HAND] = own
        rows[:, seen.UNSEEN] = seen.DECK_COUNTS - own - self.shown[games]
        rows[:, seen.BARRED_NEXT] = seen.barred_by_colour(self.barred[games, following])
        rows[:, seen.BARRED_PREVIOUS] = seen.barred_by_colour(self.barred[games, previous])
        rows[:, seen.TOP], rows[:, seen.COLOUR] = self.top[games], self.colour[games]
        rows[:, seen.BEFORE], rows[:, seen.PHASE] = self.before[games], self.phase[games]
        rows[:, seen.DRAWN] = np.where(self.phase[games] == _DRAWN, self.drawn[games], 0)
        rows[:, seen.NEXT], rows[:, seen.PREVIOUS] = self.sizes[games, following], self.sizes[games, previous]
        rows[:, seen.SMALLEST] = others.min(axis=1)
        rows[:, seen.PILE], rows[:, seen.SEATS] = 108 - self.at[games], self.n
        return rows

    # ----------------------------------------------------------------- changes

    def step(self, games: Ints, actions: Ints) -> None:
        """Plays a legal action (as numbered in `seen`) in each of these games, none of which is over."""
        kinds = np.digitize(actions, [seen.PASS, seen.FIRST_COLOUR, seen.CHALLENGE])
        for kind, play in enumerate((self._play, self._keep, self._choose, self._challenge)):
            chosen = kinds == kind
            if chosen.any():
                play(games[chosen], actions[chosen])
        self._settle(games)

    def _settle(self, games: Ints) -> None:
        """Draws for seats that cannot play until somebody has a decision to make or the game is over."""
        self._end_exhausted(games)
        while True:
            games = games[~self.over[games] & (self.phase[games] == _CARD)]
            fitting = seen.FITTING[self.top[games], self.colour[games]]
            cannot = ~((self.hands[games, self.player[games]] > 0) & fitting).any(axis=1)
            games, fitting = games[cannot], fitting[cannot]
            if not len(games):
                return
            self._draw_for_want(games, fitting)
            self._end_exhausted(games)

    def _end_exhausted(self, games: Ints) -> None:
        ended = games[~self.over[games] & (self.at[games] == 108)]
        least = self.sizes[ended] == self.sizes[ended].min(axis=1, keepdims=True)
        self.shares[ended] = least / least.sum(axis=1, keepdims=True)
        self.over[ended] = True

    def _draw_for_want(self, games: Ints, fitting: npt.NDArray[np.bool_]) -> None:
        player = self.player[games]
        known = np.where(fitting, self.sizes[games, player, None], self.barred[games, player])
        self.barred[games, player] = known
        self._take(games, player, 1)
        if self.options.drawn_card == "may_play":
            card = self.decks[games, self.at[games] - 1]
            may = fitting[np.arange(len(games)), card] & (self.at[games] < 108)
            self.drawn[games[may]] = card[may]
            self.phase[games[may]] = _DRAWN
            games, fitting = games[~may], fitting[~may]
            # Whoever is not asked has drawn nothing that fits.
            player = self.player[games]
            known = np.where(fitting, self.sizes[games, player, None], self.barred[games, player])
            self.barred[games, player] = known
        self._pass_on(games, 1)

    def _take(self, games: Ints, seats: Ints, count: int | Ints) -> None:
        """Cards from the pile, as many as there are."""
        counts = np.minimum(np.broadcast_to(count, games.shape), 108 - self.at[games])
        for drawn in range(int(counts.max(initial=0))):
            more = counts > drawn
            rows, seat = games[more], seats[more]
            self.hands[rows, seat, self.decks[rows, self.at[rows]]] += 1
            self.at[rows] += 1
        self.sizes[games, seats] += counts

    def _pass_on(self, games: Ints, places: int | Ints) -> None:
        self.player[games] = (self.player[games] + places * self.direction[games]) % self.n

    def _play(self, games: Ints, cards: Ints) -> None:
        player = self.player[games]
        self.phase[games] = _CARD
        self.hands[games, player, cards] -= 1
        self.sizes[games, player] -= 1
        self.shown[games, cards] += 1
        barred = self.barred[games, player]
        place = barred[np.arange(len(games)), cards]
        self.barred[games, player] = barred - (barred > place[:, None])
        self.top[games] = cards
        won = self.sizes[games, player] == 0
        self.over[games[won]] = True
        self.shares[games[won], player[won]] = 1
        wild = cards >= WILD
        self.before[games[wild]] = self.colour[games[wild]]
        self.colour[games[~wild]] = cards[~wild] // 13
        self.phase[games[wild & ~won]] = _COLOUR
        on = ~wild & ~won
        self._take_effect(games[on], cards[on] % 13)

    def _take_effect(self, games: Ints, rank: Ints) -> None:
        turn = rank == REVERSE
        if self.n > 2:
            self.direction[games[turn]] *= -1
        again = self.n == 2 and self.options.two_player_reverse == "again"
        two = games[rank == DRAW_TWO]
        self._take(two, (self.player[two] + self.direction[two]) % self.n, 2)
        skips = (rank == SKIP) | (rank == DRAW_TWO) | (turn & again)
        self._pass_on(games, np.where(skips, 2, 1))

    def _keep(self, games: Ints, actions: Ints) -> None:
        self.phase[games] = _CARD
        self._pass_on(games, 1)

    def _choose(self, games: Ints, actions: Ints) -> None:
        self.colour[games] = actions - seen.FIRST_COLOUR
        self.phase[games] = np.where(self.top[games] == WILD_DRAW_FOUR, _CHALLENGE, _CARD)
        self._pass_on(games, 1)

    def _challenge(self, games: Ints, actions: Ints) -> None:
        player = self.player[games]
        accused = (player - self.direction[games]) % self.n
        types = _COLOUR_TYPES[self.before[games]]
        held = np.take_along_axis(self.hands[games, accused], types, axis=1).any(axis=1)
        challenged = actions == seen.CHALLENGE + 1
        guilty = challenged & held
        innocent = challenged & ~held
        sizes = self.sizes[games, accused].astype(np.uint8)
        self.barred[games[innocent, None], accused[innocent, None], types[innocent]] = sizes[innocent, None]
        self._take(games, np.where(guilty, accused, player), np.where(innocent, 6, 4))
        self.phase[games] = _CARD
        self._pass_on(games[~guilty], 1)


Rows = seen.Rows
