"""The rows of the environment: which match each one is, and who sits where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field

from ludometer.core import AnyGame, ConfigurationError, Player, make_game
from ludometer.core.registry import nearest
from ludometer.core.spec import parse_pairs
from ludometer.matches import Match, MatchPolicy
from ludometer.players import Entrant
from ludometer.players.entrant import check_contestant, official_entrant

__all__ = ["Agent", "Row", "Setup", "make_others", "make_rows", "new_match"]

Agent: TypeAlias = Literal["player", "opponent"]
"""The agents of the environment that can hold seats: the model at hand, and another model."""


class Setup(BaseModel):
    """What all rows of a run share.

    Attributes:
        game, options: the game, and its options as ``key=value,key=value`` or as a table.
        players: number of contestants; 0: the smallest number the game is for.
        seats: who sits at the table. ``opponent``: the model has one seat, and players of Ludometer the others;
            ``self``: the model has every seat, each with a conversation of its own; ``agents``: another model (the
            agent ``opponent``) has the others.
        seat: the model's seat, by name; None: it takes every seat in turn, and the rows of one round share their luck.
        opponent: the player of the other seats, or several separated by semicolons, one per seat in order.
        officials: players of the seats that judge or compute, by the official's name.
        view, answer, strategy, system: how the model is shown the game and asked (see ``docs/configuration.md``).
        attempts, on_exhausted, max_moves, on_max_moves: the policy of the match.
    """

    model_config = ConfigDict(frozen=True)

    game: str = "tictactoe"
    options: str | dict[str, Any] = ""
    players: int = Field(0, ge=0)
    seats: Literal["opponent", "self", "agents"] = "opponent"
    seat: str | None = None
    opponent: str = "random"
    officials: dict[str, str] = Field(default_factory=dict)
    view: str | None = None
    answer: Literal["text", "json"] = "text"
    strategy: str = "plain"
    system: str | None = None
    attempts: int = Field(1, ge=1)
    on_exhausted: Literal["forfeit", "cancel", "random", "pass"] = "forfeit"
    max_moves: int | None = Field(None, ge=1)
    on_max_moves: Literal["cancel", "draw"] = "cancel"

    def make_game(self) -> AnyGame:
        """The game. Raises `ConfigurationError`."""
        options = self.options
        if isinstance(options, str):
            options = parse_pairs(options.split(",")) if options.strip() else {}
        return make_game(self.game, options)

    def number(self, game: AnyGame) -> int:
        """How many contestants there are."""
        return self.players or game.players[0]


class Row(BaseModel):
    """One match: everything that is no model's doing follows from it.

    Attributes:
        luck, seed: name the game's own luck, and the other players'.
        agents: which agent holds a seat, for every seat that a model holds.
    """

    model_config = ConfigDict(frozen=True)

    luck: str
    seed: str
    agents: dict[str, Agent]
    setup: Setup = Setup()


def make_rows(count: int, setup: Setup, seed: int = 0) -> Iterator[Row]:
    """The first ``count`` rows of a seed.

    Raises:
        ConfigurationError: the setup makes no match that can be played.
    """
    game = setup.make_game()
    n = setup.number(game)
    seats = game.contestants(n)
    mine = [_known(setup.seat, seats)] if setup.seat is not None else list(seats)
    for i in range(count):
        held: dict[str, Agent] = {mine[i % len(mine)]: "player"}
        if setup.seats != "opponent":
            held |= {seat: "player" if setup.seats == "self" else "opponent" for seat in seats if seat not in held}
        shared = 1 if setup.seats == "self" else len(mine)
        row = Row(
            luck=f"{seed}:{i // shared}", seed=f"{seed}:{i}", agents=_with_minor_seats(game, n, held), setup=setup
        )
        if i == 0:
            make_others(row, new_match(row))
        yield row


def _known(seat: str, seats: Sequence[str]) -> str:
    if seat not in seats:
        raise ConfigurationError(f"there is no seat {seat!r}{nearest(seat, seats)}")
    return seat


def _with_minor_seats(game: AnyGame, n: int, held: Mapping[str, Agent]) -> dict[str, Agent]:
    """The seats that go with a contestant's, each with a context of its own, belong to the same agent."""
    return {role.name: held[role.of or role.name] for role in game.roles(n) if (role.of or role.name) in held}


def new_match(row: Row) -> Match:
    """The match of a row. Raises `ConfigurationError`."""
    setup = row.setup
    policy = MatchPolicy(
        attempts=setup.attempts,
        on_exhausted=setup.on_exhausted,
        max_moves=setup.max_moves,
        on_max_moves=setup.on_max_moves,
        resignation=False,
    )
    game = setup.make_game()
    return Match(game, setup.number(game), luck=row.luck, seed=row.seed, policy=policy, id=row.seed)


def make_others(row: Row, match: Match) -> dict[str, Player]:
    """The players of all seats that no model holds.

    Raises:
        ConfigurationError: a player is unknown, cannot play this game, or nobody holds an official's seat.
    """
    made: dict[str, Player] = {}
    contestants = [seat for seat in match.game.contestants(match.n) if seat not in row.agents]
    written = [part.strip() for part in row.setup.opponent.split(";")]
    if contestants and len(written) not in (1, len(contestants)):
        raise ConfigurationError(
            f"opponent names {len(written)} players for {len(contestants)} seats: name one, or each"
        )
    for i, seat in enumerate(contestants):
        entrant = Entrant.of(written[i % len(written)])
        made[seat] = entrant.make_player()
        check_contestant(entrant.name, made[seat])
        entrant.check_game(made[seat], match.game)
    judging: dict[str, Player] = {}
    for role in match.roles.values():
        if role.of in made:
            made[role.name] = made[role.of]
        elif role.kind == "official":
            if role.official not in judging:
                entrant = official_entrant(role, row.setup.officials)
                judging[role.official] = entrant.make_player()
                entrant.check_game(judging[role.official], match.game)
            made[role.name] = judging[role.official]
    return made
