"""A run that is put together on the page: its configuration, its TOML, what it would take, or what is wrong with it."""

from __future__ import annotations

import asyncio
import json
import tomllib
from collections import OrderedDict
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from typing import Any

from anyio import to_thread

from ludometer.core import ConfigurationError, LudometerError
from ludometer.players import Entrant
from ludometer.solvers.workers import run_in_worker
from ludometer.tournaments import RunConfig, load_config
from ludometer.tournaments.estimate import estimate
from ludometer.tournaments.growing import GrowingSchedule
from ludometer.tournaments.openings import openings
from ludometer.tournaments.roster import Roster
from ludometer.tournaments.seating import rounds, seats_of
from ludometer.web.shapes import DraftAnswer, Estimated
from ludometer.web.toml import toml_text, without_nulls

__all__ = [
    "Draft",
    "check_ready",
    "count_matches",
    "draft_answer",
    "draft_config",
    "estimate_of",
    "minimal",
    "refuse_what_runs",
]

_MOST_MATCHES = 100_000
_LARGEST = 200_000
"""Characters of a configuration."""


class Draft:
    """A checked configuration and its TOML.

    Attributes:
        toml: read by `load_config`, it gives the same configuration.
    """

    def __init__(self, config: RunConfig, toml: str) -> None:
        self.config = config
        self.toml = toml


def draft_config(table: Mapping[str, Any]) -> Draft:
    """The configuration of a page. Raises `ConfigurationError`, also for what a page may not ask for.

    A page names no files, programs or addresses of its own: those would be run or read by this machine, or be sent
    its keys. They are for configuration files, which somebody at this machine writes.
    """
    if len(json.dumps(table)) > _LARGEST:
        raise ConfigurationError("the configuration is too long; start it from a file")
    plain = without_nulls(table)
    refuse_what_runs(plain)
    config = load_config(plain)
    _refuse_people(config)
    toml = toml_text(minimal(plain, config))
    again = load_config(tomllib.loads(toml))
    if again != config:
        raise ConfigurationError("the configuration cannot be written as TOML without a loss; simplify its options")
    return Draft(config, toml)


def minimal(plain: Mapping[str, Any], config: RunConfig) -> dict[str, Any]:
    """What was given, without empty tables and lists that are the default anyway; games as they are written by hand."""
    table = {key: value for key, value in plain.items() if value not in ({}, [], "")}
    if not any(key in table for key in ("game", "games")):  # the loader has refused that already
        return table
    games = [table.pop("game")] if "game" in table else []
    games = [_written_game(game) for game in [*games, *table.pop("games", [])]]
    if len(games) == 1:
        return {**table, "game": games[0]}
    tables = [game if isinstance(game, dict) else {"name": game} for game in games]
    return {**table, "games": tables if any(isinstance(game, dict) for game in games) else games}


def _written_game(game: Any) -> Any:
    """A game as a name or as one flat table."""
    if not isinstance(game, Mapping):
        return game
    if "options" not in game:
        flat = dict(game)
    elif {"name", "policy"} & dict(game["options"] or {}).keys():  # options that a flat table has no room for
        return dict(game)
    else:
        flat = {"name": game["name"], **dict(game["options"] or {})}
        flat |= {"policy": game["policy"]} if game.get("policy") else {}
    return flat["name"] if set(flat) == {"name"} else flat


# ------------------------------------------------------------------ what a page may not do


def refuse_what_runs(table: Mapping[str, Any]) -> None:
    """Raises `ConfigurationError` for files, programs and addresses that a configuration from a page names."""
    if table.get("models"):
        raise ConfigurationError(
            "providers of your own are for configuration files: they are sent a key of this machine"
        )
    openings = table.get("openings")
    if isinstance(openings, Mapping) and openings.get("pgn"):
        raise ConfigurationError(
            "a file of openings is for configuration files; give openings.moves or openings.fens here"
        )
    for key, value in _settings(table):
        if key in ("path", "weights", "file") or (key == "strategy" and "/" in str(value)):
            raise ConfigurationError(f"{key} = {str(value)[:80]!r} names a file; that is for configuration files")


def _settings(table: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """Every setting of players and prompts, wherever it may be written."""
    players = table.get("players")
    officials = table.get("officials")
    written = [*(players if isinstance(players, list) else [])]
    written += list(officials.values()) if isinstance(officials, Mapping) else []
    for player in written:
        if isinstance(player, str) or (isinstance(player, Mapping) and isinstance(player.get("player"), str)):
            spec = Entrant.of(player if isinstance(player, str) else dict(player)).spec
            name, colon, rest = spec.name.partition(":")
            if colon and "/" not in name and ("/" in rest or "." in rest):
                yield "path", rest
            yield from spec.options.items()
    prompt = table.get("prompt")
    if isinstance(prompt, Mapping):
        yield from prompt.items()
    factors = table.get("factors")
    if isinstance(factors, Mapping):
        for key, levels in factors.items():
            for level in levels if isinstance(levels, list) else [levels]:
                yield key, level


def _refuse_people(config: RunConfig) -> None:
    for entrant in config.entrants():
        if entrant.spec.name == "human":
            raise ConfigurationError("a run in the background has no people among its players; choose Play for that")


# ------------------------------------------------------------------ answering

_PATIENCE = 20.0
"""Seconds after which an estimate is given up: games are played at random for it, and some are long."""
_kept: OrderedDict[str, Estimated] = OrderedDict()
"""Estimates by configuration: the page asks again with every change, and often changes it back."""
_MOST_KEPT = 64


async def draft_answer(table: Mapping[str, Any]) -> DraftAnswer:
    """As POST /api/draft answers."""
    try:
        draft = await to_thread.run_sync(_readable, table)
    except LudometerError as error:
        return DraftAnswer(toml="", estimate=None, problem=str(error), run=None)
    try:
        expected = await _estimated(draft.toml)
    except LudometerError as error:
        return DraftAnswer(toml=draft.toml, estimate=None, problem=str(error), run=None)
    problem = await to_thread.run_sync(check_ready, draft.config)
    return DraftAnswer(toml=draft.toml, estimate=expected, problem=problem, run=None)


def _readable(table: Mapping[str, Any]) -> Draft:
    try:
        return draft_config(table)
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        # Anything may be sent: a shape that no configuration has is the sender's mistake.
        raise ConfigurationError(f"the configuration is not readable: {str(error).splitlines()[0]}") from None


async def _estimated(toml: str) -> Estimated:
    """The estimate, made in a process of its own, which is ended where it takes too long."""
    if toml not in _kept:
        try:
            async with asyncio.timeout(_PATIENCE):
                _kept[toml] = Estimated.model_validate(await run_in_worker(estimate_of, toml))
        except TimeoutError:
            note = "these games take long to estimate; ludometer run FILE --dry-run does it from the TOML below"
            matches = count_matches(load_config(tomllib.loads(toml)))
            return Estimated(matches=matches, model_matches=0, schedule=[], models=[], notes=[note])
        while len(_kept) > _MOST_KEPT:
            _kept.popitem(last=False)
    return _kept[toml]


def estimate_of(toml: str) -> dict[str, Any]:
    """The estimate of a configuration, as `Estimated` has it. Raises `ConfigurationError`."""
    config = load_config(tomllib.loads(toml))
    count_matches(config)
    found = estimate(config)
    models = [
        {**asdict(model), "cost_text": model.cost_text}
        | {key: list(getattr(model, key)) for key in ("calls", "input_tokens", "output_tokens")}
        | {"cost": None if model.cost is None else list(model.cost)}
        for model in found.models
    ]
    return {
        "matches": found.matches,
        "model_matches": found.model_matches,
        "schedule": [asdict(scheduled) for scheduled in found.schedule],
        "models": models,
        "notes": list(found.notes),
    }


def count_matches(config: RunConfig) -> int:
    """How many matches a run has, of a schedule that grows as far as it can be said beforehand.

    Raises:
        ConfigurationError: more than a page may start.
    """
    number = 0
    for more in _batches(config):
        number += more
        if number > _MOST_MATCHES:
            raise ConfigurationError(f"these are more than {_MOST_MATCHES} matches; start them from the command line")
    return number


def _batches(config: RunConfig) -> Iterator[int]:
    """Numbers of matches that add up to all. The matches themselves are not made: their digests take long."""
    if config.schedule.grows:
        yield GrowingSchedule(config).expected
        return
    names = [entrant.name for entrant in config.entrants()]
    conditions = len(config.conditions())
    for game in config.make_games():
        seats = seats_of(config.schedule, game)
        starts = len(openings(config.openings, game, seats))
        yield from (len(tables) * starts * conditions for _, tables in rounds(config.schedule, names, seats))


def check_ready(config: RunConfig) -> str | None:
    """None, or the sentence that says why the run could not be started now (a missing key, a missing program)."""
    try:
        roster = Roster(config, config.entrants())
        try:
            roster.check()
        finally:
            asyncio.run(roster.close())
    except LudometerError as error:
        return str(error)
    return None
