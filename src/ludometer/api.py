"""The Python face: ``ludometer.play``, ``ludometer.run`` and ``ludometer.load``."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

from ludometer.core import ConfigurationError, Json, Player, make_game
from ludometer.matches import ADJUDICATOR, Match, MatchPolicy
from ludometer.matches import play as play_match
from ludometer.players import Entrant
from ludometer.players.adjudicator import AdjudicatorPlayer
from ludometer.players.entrant import check_contestant, official_entrant, release

if TYPE_CHECKING:
    import pandas as pd

    from ludometer.envs.offline import DatasetFormat
    from ludometer.ratings import RatingTable
    from ludometer.store import Address, Where
    from ludometer.store.export import ExportFormat
    from ludometer.store.verify import Verification
    from ludometer.tournaments import RunSummary

__all__ = ["Run", "load", "play", "run"]

T = TypeVar("T")


def play(
    game: str,
    players: Sequence[str | Mapping[str, Json]],
    *,
    options: Mapping[str, Json] | None = None,
    officials: Mapping[str, str | Mapping[str, Json]] | None = None,
    policy: MatchPolicy | None = None,
    seed: int | str = 0,
) -> Match:
    """Plays one match in memory and returns it: ``match.ending``, ``match.scores()``, ``match.attempts``.

    Args:
        game: the game's name; ``options`` are its options.
        players: one per contestant seat, as specs (``"random"``, ``"openai/gpt-5-mini:temperature=0"``) or tables.
        officials: players of the seats that judge or compute, by the official's name, where the game has no own.

    Raises:
        ConfigurationError: an unknown name or option, or a missing key.
    """
    if isinstance(players, str | Mapping):
        raise ConfigurationError('players is a list with one entry per seat, for example ["random", "perfect"]')
    rules = make_game(game, options)
    entrants = [Entrant.of(player) for player in players]
    match = Match(rules, len(entrants), luck=seed, seed=seed, policy=policy)
    made = [entrant.make_player() for entrant in entrants]
    for entrant, player in zip(entrants, made, strict=True):
        check_contestant(entrant.name, player)
        entrant.check_game(player, rules)
    seats = dict(zip(rules.contestants(len(entrants)), made, strict=True))
    everyone = {seat: seats[role.of or seat] for seat, role in match.roles.items() if (role.of or seat) in seats}
    judging = _officials(match, officials or {})
    everyone |= {role.name: judging[role.official] for role in match.roles.values() if role.kind == "official"}

    async def session() -> None:
        try:
            await play_match(match, everyone)
        finally:
            for player in (*made, *judging.values()):
                await release(player)

    _wait(session())
    return match


def _officials(match: Match, given: Mapping[str, str | Mapping[str, Json]]) -> dict[str, Player]:
    """The players of a match's officials' seats, by the official's name."""
    made: dict[str, Player] = {}
    for role in match.roles.values():
        if role.kind != "official" or role.official in made:
            continue
        if role.name == ADJUDICATOR:
            adjudicator = AdjudicatorPlayer(match.policy.adjudicator)
            adjudicator.supports(match.game)
            made[ADJUDICATOR] = adjudicator
            continue
        entrant = official_entrant(role, given)
        made[role.official] = entrant.make_player()
        entrant.check_game(made[role.official], match.game)
    return made


def run(
    config: str | os.PathLike[str] | Mapping[str, Json],
    *,
    dir: str | os.PathLike[str] | None = None,  # noqa: A002 (the name of the command line's option)
    store: str | None = None,
    overrides: Sequence[str] = (),
    executor: str = "asyncio",
) -> Run:
    """Plays the tournament of a configuration (a file, a preset's name, or a mapping) and returns the run.

    Args:
        dir: the run's folder; by default ``runs/NAME``.
        store: a PostgreSQL database instead: ``postgresql://user@host/database?run=NAME``; NAME may be left out.
        overrides: ``key=value`` texts, as after ``--set``.
        executor: where matches are played: ``asyncio``, in this process; ``ray``, on a Ray cluster of this machine for
            this run alone; ``ray:ADDRESS``, on a Ray cluster (``ray:ray://head:10001``). Needs ``ludometer[scale]``.
    """
    from ludometer.tournaments import load_config, start
    from ludometer.tournaments.on_ray.names import maker_of

    loaded = load_config(config, overrides)
    if dir is not None and store is not None:
        raise ConfigurationError("a run is in a folder or in a database: give dir or store, not both")
    default = loaded.default_folder()
    target: Address = default if dir is None else Path(dir)
    if store is not None:
        from ludometer.store.address import database_run

        target = database_run(store, default.name)
    summary = _wait(start(loaded, target, executor=maker_of(executor)))
    return Run(target, summary)


def load(where: Where) -> Run:
    """The run in a folder, or in a database (``postgresql://user@host/database?run=NAME``).

    Raises:
        ConfigurationError: there is none.
    """
    from ludometer.store import RunStore

    with RunStore.open(where) as store:
        return Run(store.address)


class Run:
    """A run on disk or in a database. Every call reads the database anew, so that a run at play can be watched.

    Attributes:
        address: where it is: a folder, or a name in a database.
        summary: how the session that made it ended, where this process played it.
    """

    def __init__(self, address: Address, summary: RunSummary | None = None) -> None:
        self.address = address
        self.summary = summary

    @property
    def folder(self) -> Path:
        """The run's folder. Raises `ConfigurationError` for a run in a database, which has none."""
        if isinstance(self.address, Path):
            return self.address
        raise ConfigurationError(f"the run {self.address} has no folder")

    def matches(self) -> pd.DataFrame:
        """One row per match."""
        return self._frame("matches_frame")

    def attempts(self) -> pd.DataFrame:
        """One row per attempt, bad ones included."""
        return self._frame("attempts_frame")

    def exchanges(self) -> pd.DataFrame:
        """One row per call to a model."""
        return self._frame("exchanges_frame")

    def _frame(self, name: str) -> pd.DataFrame:
        from ludometer import analysis
        from ludometer.store import RunStore

        with RunStore.open(self.address) as store:
            frame: pd.DataFrame = getattr(analysis, name)(store)
            return frame

    def ratings(self, **options: Any) -> RatingTable:
        """Ratings with intervals; options as for `ludometer.analysis.ratings_of`."""
        from ludometer.analysis import ratings_of
        from ludometer.store import RunStore

        with RunStore.open(self.address) as store:
            return ratings_of(store, **options)

    def resume(
        self,
        *,
        budget_usd: float | str | None = None,
        budget_tokens: int | str | None = None,
        executor: str = "asyncio",
    ) -> RunSummary:
        """Goes on with the run, with a new budget where one is given (``"unlimited"`` for none).

        Args:
            executor: where matches are played now, see `run`.
        """
        from ludometer.tournaments import resume
        from ludometer.tournaments.on_ray.names import maker_of

        maker = maker_of(executor)
        self.summary = _wait(resume(self.address, budget_usd=budget_usd, budget_tokens=budget_tokens, executor=maker))
        return self.summary

    def extend(
        self,
        *,
        players: Sequence[str | Mapping[str, Json]] = (),
        repeats: int | None = None,
        games: int | None = None,
        rounds: int | None = None,
        executor: str = "asyncio",
    ) -> RunSummary:
        """Adds players, or raises the games per ordered pair to ``repeats``, the matches of an adaptive schedule to
        ``games``, or the rounds of a Swiss tournament to ``rounds``, and plays what is new, where ``executor`` says
        (see `run`)."""
        from ludometer.tournaments import extend
        from ludometer.tournaments.on_ray.names import maker_of

        more = extend(
            self.address, players=players, repeats=repeats, games=games, rounds=rounds, executor=maker_of(executor)
        )
        self.summary = _wait(more)
        return self.summary

    def export(
        self, out: str | os.PathLike[str], form: ExportFormat | DatasetFormat = "json", *, parquet: bool = False
    ) -> list[Path]:
        """Writes the data of the run into a folder and returns the files.

        Args:
            form: ``json``, ``csv``, ``txt`` or ``record``; or, from the matches whose log verifies, data to train on:
                ``sft``, ``dpo`` or ``trajectories``.
            parquet: write data to train on as Parquet instead of JSON Lines; needs ``ludometer[parquet]``.
        """
        if form in ("sft", "dpo", "trajectories"):
            # Where an event loop runs already (a notebook), verifying needs a thread without one.
            return _wait(asyncio.to_thread(self._export_dataset, out, form, parquet))
        if parquet:
            raise ConfigurationError(f"only sft, dpo, trajectories can be written as Parquet, not {form}")
        from ludometer.store import RunStore
        from ludometer.store.export import export

        with RunStore.open(self.address) as store:
            return export(store, out, cast("ExportFormat", form))

    def _export_dataset(self, out: str | os.PathLike[str], form: DatasetFormat, parquet: bool) -> list[Path]:
        from ludometer.envs.offline_files import export_dataset
        from ludometer.store import RunStore

        with RunStore.open(self.address) as store:
            return export_dataset(store, out, form, parquet=parquet)

    def verify(self) -> Verification:
        """Judges every finished match again from the log."""
        from ludometer.tournaments import verify

        return _wait(verify(self.address))

    def report(self, path: str | os.PathLike[str] | None = None, *, plain: bool = False) -> Path:
        """Writes the report page and returns where it is.

        Args:
            path: of the page; ``report.html`` in the run's folder where it is None.
            plain: tables and figures alone, without replays and without scripts.
        """
        from ludometer.reports import write_report
        from ludometer.store import RunStore
        from ludometer.web.static import write_page

        with RunStore.open(self.address) as store:
            return (write_report if plain else write_page)(store, path)

    def _repr_html_(self) -> str:
        """The report as a notebook shows it."""
        from ludometer.store import RunStore
        from ludometer.web.notebook import notebook_html

        with RunStore.open(self.address) as store:
            return notebook_html(store)

    def __repr__(self) -> str:
        return f"Run({str(self.address)!r})"


def _wait(work: Coroutine[Any, Any, T]) -> T:
    """Runs a coroutine to its end, also where an event loop is running already (a notebook)."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    result: list[T] = []
    failure: list[BaseException] = []

    def target() -> None:
        try:
            result.append(asyncio.run(work))
        except BaseException as error:
            failure.append(error)

    thread = threading.Thread(target=target, name="ludometer-session")
    thread.start()
    thread.join()
    if failure:
        raise failure[0]
    return result[0]
