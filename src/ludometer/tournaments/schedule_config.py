"""The parts of a configuration that say who plays whom, and from which positions."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

__all__ = ["OpeningsConfig", "ScheduleConfig", "StageConfig", "Strict"]


class Strict(BaseModel):
    """A part of a configuration: immutable, and without a key that it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class StageConfig(Strict):
    """What a schedule that grows was before the run was extended. Written by ``extend``, not by hand.

    Attributes:
        players: how many of the run's players there were.
        matches: how many matches were planned for them.
        repeats, games, rounds, batch: of the schedule, as they were.
    """

    players: Annotated[int, Field(ge=2)]
    matches: Annotated[int, Field(ge=1)]
    repeats: Annotated[int, Field(ge=1)] = 1
    games: Annotated[int, Field(ge=1)] | None = None
    rounds: Annotated[int, Field(ge=1)] | None = None
    batch: Annotated[int, Field(ge=1)] | None = None


class ScheduleConfig(Strict):
    """Who plays whom, how often.

    Attributes:
        kind: ``round_robin``: every choice of entrants for a table, in every seating (of two: every ordered pair);
            ``series``: the same entrants, who change seats after every game; ``gauntlet``: some against every choice of
            opponents from the others; ``swiss``: rounds in which entrants with about the same points meet;
            ``adaptive``: after a round robin, whoever's meetings say most. The last two grow with their results.
        repeats: games per table and seating (and per condition); in a series, games; in a Swiss tournament, per pairing
            of a round; in an adaptive schedule, of the round robin it begins with.
        seats: entrants at a table; by default two, or the fewest a game is for.
        seating: ``rotated``: every choice of entrants in all rotations of its order, which makes a duplicate group;
            ``permuted``: in all orders; ``fixed``: only in the order of ``players``; ``balanced``: in a Swiss
            tournament, one game a meeting, the first seat to whoever had it less often.
        shared_luck: the k-th games of all tables have the same luck (deck, dice), and make one duplicate group.
        pool: names of the fixed opponents of a gauntlet; where they are fewer than the seats, they sit down repeatedly.
        challengers: names of those that run a gauntlet; by default all outside the pool. Without a pool, everybody else
            is it.
        self_play: entrants also play themselves.
        games: matches of an adaptive schedule, in all; whole meetings are played, so that it may be a few less.
        batch: matches that an adaptive schedule plans at once; by default a fifth of those before.
        rounds: of a Swiss tournament; by default as many as part one winner, log2 of the players, rounded up.
        stages: what the schedule was before extensions.
    """

    kind: Literal["round_robin", "series", "gauntlet", "swiss", "adaptive"] = "round_robin"
    repeats: Annotated[int, Field(ge=1)] = 1
    seats: Annotated[int, Field(ge=1)] | None = None
    seating: Literal["rotated", "permuted", "fixed", "balanced"] = "rotated"
    shared_luck: bool = False
    self_play: bool = False
    pool: list[str] = Field(default_factory=list)
    challengers: list[str] = Field(default_factory=list)
    games: Annotated[int, Field(ge=1)] | None = None
    batch: Annotated[int, Field(ge=1)] | None = None
    rounds: Annotated[int, Field(ge=1)] | None = None
    stages: list[StageConfig] = Field(default_factory=list)

    @field_validator("kind", mode="before")
    @classmethod
    def _hyphen(cls, value: Any) -> Any:
        return value.replace("-", "_") if isinstance(value, str) else value

    @model_validator(mode="after")
    def _belonging(self) -> ScheduleConfig:
        """Settings that mean nothing for the kind are mistakes, not silence."""
        owners = {"challengers": "gauntlet", "games": "adaptive", "batch": "adaptive", "rounds": "swiss"}
        for key, kind in owners.items():
            if getattr(self, key) and self.kind != kind:
                raise ValueError(f"{key} belongs to kind = {kind!r}, and this schedule is {self.kind!r}")
        if self.stages and not self.grows:
            raise ValueError("stages are written by ludometer extend, for schedules that grow; leave them out")
        if self.seating == "balanced" and self.kind != "swiss":
            raise ValueError("seating = 'balanced' belongs to kind = 'swiss'; use rotated, permuted or fixed")
        if self.kind == "adaptive" and self.games is None:
            raise ValueError("an adaptive schedule needs games, the number of its matches in all")
        if self.grows and (self.self_play or self.shared_luck or self.seating == "fixed"):
            key = "self_play" if self.self_play else "shared_luck" if self.shared_luck else "seating = 'fixed'"
            raise ValueError(f"{key} is for schedules that are known beforehand, not for kind = {self.kind!r}")
        return self

    @property
    def grows(self) -> bool:
        """Whether who plays whom depends on results."""
        return self.kind in ("swiss", "adaptive")


class OpeningsConfig(Strict):
    """Positions that games start from. Each is played once per assignment of the seats, and makes a duplicate group.

    Attributes:
        moves: move lists in the game's notation; a text is split at spaces.
        fens: start positions, for games with the option ``fen``.
        pgn: a file of chess games (PGN); ``plies`` moves of each are used (all moves without it).
        random_plies, count: openings of that many random moves, ``count`` of them, from ``seed``.
    """

    moves: list[str | list[str]] = Field(default_factory=list)
    fens: list[str] = Field(default_factory=list)
    pgn: str | None = None
    plies: Annotated[int, Field(ge=1)] | None = None
    random_plies: Annotated[int, Field(ge=1)] | None = None
    count: Annotated[int, Field(ge=1)] = 1
    seed: int | str = 0
