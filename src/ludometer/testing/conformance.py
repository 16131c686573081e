"""PUBLIC. `check_game` and `check_player`: what every game and every player must hold to, built-in or plugged in.

Use them in a plug-in's own tests::

    def test_my_game() -> None:
        check_game(MyGame(size=5))
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, NamedTuple

from ludometer.core import AnyGame, Attempt, Chance, Decision, Illegal, Player, Turn, make_game
from ludometer.matches import Match, play
from ludometer.players.random import RandomPlayer
from ludometer.testing.rules import check_answers, check_foreign, check_moves, check_outcome, check_roles, check_state
from ludometer.testing.showing import Witness, check_hidden, check_imagined, observation_json, viewers
from ludometer.testing.walk import Step, canonical, require, walk

__all__ = ["check_game", "check_player"]

_FOREIGN = 12
"""Actions of earlier states that are tried in each state."""


def check_game(game_or_name: AnyGame | str, *, matches: int = 20, seed: int = 0) -> None:
    """Plays a game at random and checks every promise of `ludometer.core.Game` on the way.

    Listed and sampled actions pass ``check`` and apply; others raise `Illegal` with a kind; nothing changes its
    arguments; the same seed gives the same game; states survive JSON; actions survive every notation; observations
    are JSON with append-only events; hidden information stays hidden; every view and picture renders; every game
    ends; scores add up.

    Args:
        game_or_name: a game, or the name of one (with its default options).
        matches: random games to play, over all numbers of players the game allows.

    Raises:
        AssertionError: a promise is broken; the message says which, and where.
    """
    game = make_game(game_or_name) if isinstance(game_or_name, str) else game_or_name
    chance = Chance.from_seed(seed).named("check_game")
    _check_words(game)
    check_hidden(game, chance)
    low, high = game.players
    for i in range(matches):
        n = low + i % (high - low + 1)
        check_roles(game, n)
        _check_match(game, n, chance.named("match", i))


def _check_words(game: AnyGame) -> None:
    """The texts that do not depend on a state, and the example answers."""
    for what, text in (("name", game.name), ("title", game.title), ("rules", game.rules())):
        require(text.strip(), f"{game!r}: {what} is empty")
    require(game.rules() == game.rules(), f"{game!r}: rules() changes")
    views = game.views()
    require(views, f"{game!r} has no view")
    for name, view in views.items():
        require(name == view.name, f"{game!r}: the view {view.name!r} is listed as {name!r}")
    state = game.new(game.players[0], Chance.from_seed("example"))
    seat = game.to_act(state)[0]
    for notation in (None, *game.notations):
        require(game.answer_hint(seat, notation).strip(), f"{game!r}: answer_hint is empty in notation {notation}")
        answer, text = game.example(notation)
        canonical(answer)
        try:
            same = game.decode(state, seat, answer) == game.parse(state, seat, text)
        except Illegal as error:
            raise AssertionError(f"{game!r}: the example answer {answer} or {text!r} is unreadable: {error}") from None
        require(same, f"{game!r}: the example answers {answer} and {text!r} mean different actions")


def _check_match(game: AnyGame, n: int, chance: Chance) -> None:
    witnesses = [Witness(game, viewer) for viewer in viewers(game, n)]
    steps = []
    seen: list[Any] = []
    for step in walk(game, n, chance):
        check_state(game, step.state, n)
        for witness in witnesses:
            witness.look(step.state)
        luck = chance.named("step", step.number)
        check_moves(game, step, luck)
        check_answers(game, step.state, luck)
        check_foreign(game, step.state, luck.named("foreign").shuffled(seen)[0][:_FOREIGN])
        check_imagined(game, step.state, luck)
        seen.extend(step.moves.values())
        steps.append(step)
    check_outcome(game, steps[-1].state, n)
    _check_same(game, steps, list(walk(game, n, chance)))


def _check_same(game: AnyGame, first: Sequence[Step], second: Sequence[Step]) -> None:
    require(len(first) == len(second), f"{game!r}: the same seed gives games of {len(first)} and {len(second)} steps")
    for one, other in zip(first, second, strict=True):
        same = canonical(game.dump(one.state)) == canonical(game.dump(other.state))
        require(same and one.moves == other.moves, f"{game!r}: the same seed gives another game at step {one.number}")


# -------------------------------------------------------------------- players


class _Log(NamedTuple):
    """What happened in one match: enough to compare two."""

    attempts: tuple[tuple[str, str, str], ...]
    ending: str


def check_player(
    player: Player | Callable[[], Player],
    game: AnyGame | str = "tictactoe",
    *,
    matches: int = 4,
    seed: int = 0,
    deterministic: bool = True,
    always_legal: bool = True,
) -> None:
    """Plays matches against a random player in every seat and checks every promise of `ludometer.core.Player`.

    It raises nothing and returns decisions; they are legal; it does not change the turn it is given; the same seed
    gives the same moves; matches at the same time do not disturb each other.

    Args:
        player: a player, which then plays all matches, or a function that makes one per match.
        deterministic: False for players whose decisions depend on more than the turn (a model, a person, a clock).
        always_legal: False for players that may answer badly.

    Raises:
        AssertionError: a promise is broken.
        ConfigurationError: the player does not play this game.
    """
    rules = make_game(game) if isinstance(game, str) else game
    make: Callable[[], Player] = player if isinstance(player, type) or not hasattr(player, "act") else lambda: player
    supports = getattr(make(), "supports", None)
    if supports is not None:
        supports(rules)

    async def logs(*, together: bool) -> list[_Log]:
        def one(i: int) -> Awaitable[_Log]:
            return _log(_match(rules, f"{seed}/{i}"), make(), i, always_legal)

        return await asyncio.gather(*map(one, range(matches))) if together else [await one(i) for i in range(matches)]

    first = asyncio.run(logs(together=False))
    if deterministic:
        again = asyncio.run(logs(together=False))
        require(first == again, f"{rules!r}: the player plays otherwise with the same seed")
    at_once = asyncio.run(logs(together=True))
    require(not deterministic or first == at_once, f"{rules!r}: matches at the same time disturb each other")


def _match(game: AnyGame, seed: str) -> Match:
    return Match(game, game.players[0], luck=seed, seed=seed, id=f"check-{seed}")


async def _log(match: Match, player: Player, i: int, always_legal: bool) -> _Log:
    """Plays a match in which the player holds contestant seat ``i`` (counted around) and everybody else is random."""
    seats = match.game.contestants(match.n)
    own = seats[i % len(seats)]
    watched = _Watched(player, match)
    ending = await play(match, {seat: watched if seat == own else RandomPlayer() for seat in match.roles})
    attempts = [attempt for attempt in match.attempts if attempt.seat == own]
    for attempt in attempts:
        status, _, reason = attempt.verdict
        require(status != "player_error", f"{match.game!r}: the player failed at step {attempt.step}: {reason}")
        require(
            status == "legal" or not always_legal,
            f"{match.game!r}: the player answered badly at step {attempt.step}: {status}: {reason}",
        )
    return _Log(tuple(_summary(attempt) for attempt in match.attempts), repr(ending))


def _summary(attempt: Attempt) -> tuple[str, str, str]:
    return attempt.seat, repr(attempt.decision.action), attempt.verdict.kind


class _Watched:
    """A player that is looked over the shoulder: what it was given must not change under its hands."""

    def __init__(self, player: Player, match: Match) -> None:
        self.player = player
        self.match = match

    async def act(self, turn: Turn) -> Decision:
        before = self._given(turn)
        decision = await self.player.act(turn)
        # play() takes errors raised here for the player's, which is right: it changed what it was given.
        require(self._given(turn) == before, "the player changed the turn it was given")
        return decision

    def _given(self, turn: Turn) -> tuple[str, str, str, str]:
        legal = None if turn.legal is None else list(turn.legal)
        state = canonical(self.match.game.dump(self.match.state))
        return observation_json(turn.observation), repr(legal), repr(turn.past), state
