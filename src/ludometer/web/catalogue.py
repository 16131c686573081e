"""GET catalogue: the games, players, models and providers that a run can be made of."""

from __future__ import annotations

import importlib.util
import os
import shutil
import tomllib
from collections.abc import Iterator
from functools import cache
from typing import get_args

from fastapi import APIRouter
from starlette.responses import Response

from ludometer.core import GAMES, AnyGame, ConfigurationError, make_game
from ludometer.models import known_providers, local_models
from ludometer.models.providers import ENDPOINTS
from ludometer.models.pydantic_ai import KEY_VARIABLES
from ludometer.players import PLAYERS, Entrant
from ludometer.prompts.answers import AnswerFormat
from ludometer.strategies.registry import strategies
from ludometer.tournaments.config import load_config, presets
from ludometer.web.options import option_shapes
from ludometer.web.problems import answer
from ludometer.web.shapes import Catalogue, CatalogueGame, PlayerOption, PresetOption

__all__ = ["catalogue", "router"]

router = APIRouter(tags=["new run"])

_NOT_LISTED = frozenset({"human", "llm"})
"""A person is no player of a run in the background, and models are listed by their names."""
_PROGRAMS = {"uci": "stockfish", "gtp": "gnugo"}


@router.get("/api/catalogue", response_model=Catalogue)
def get_catalogue() -> Response:
    """What a run can be made of. No key is in it, only whether one is set."""
    return answer(catalogue())


def catalogue() -> Catalogue:
    """As `get_catalogue` answers."""
    return Catalogue(
        games=list(_games()),
        players=[*_built_in(), *_local(), *_hosted()],
        answers=list(get_args(AnswerFormat)),
        strategies=list(strategies()),
        presets=list(_presets()),
        providers=list(_providers()),
    )


@cache
def _games() -> tuple[CatalogueGame, ...]:
    found = []
    for name, cls in GAMES.all().items():
        try:
            game = make_game(name)
        except ConfigurationError:  # a game with an option that has no default
            continue
        lines = game.rules().strip().splitlines()
        shape = CatalogueGame(
            name=name,
            title=cls.title,
            description=lines[0] if lines else "",
            players=cls.players,
            options=option_shapes(cls),
            views=list(game.views()),
            officials=_officials(game),
            seats=_seats(game),
        )
        found.append(shape)
    return tuple(found)


def _officials(game: AnyGame) -> list[str]:
    """Officials that somebody has to be named for, or may be."""
    roles = game.roles(game.players[0])
    return list(dict.fromkeys(role.official for role in roles if role.kind == "official"))


def _seats(game: AnyGame) -> list[dict[str, str]]:
    """The seats that are played, at the largest table."""
    most = game.players[1]
    titles = {role.name: role.title or role.name for role in game.roles(most)}
    return [{"seat": seat, "title": titles[seat]} for seat in game.contestants(most)]


def _built_in() -> Iterator[PlayerOption]:
    for name, cls in PLAYERS.all().items():
        if name in _NOT_LISTED or getattr(cls, "official", False):
            continue
        yield PlayerOption(
            spec=name,
            title=name,
            description=getattr(cls, "description", ""),
            kind="built-in",
            ready=_program_missing(name),
            games=_games_of(name),
        )


def _program_missing(name: str) -> str | None:
    program = _PROGRAMS.get(name)
    if program is None:
        return None
    folders = os.pathsep.join((os.environ.get("PATH", ""), "/usr/games", "/usr/local/games", "/opt/homebrew/bin"))
    return None if shutil.which(program, path=folders) else f"the program {program} is not installed on this machine"


@cache
def _games_of(name: str) -> list[str] | None:
    """The games that a player takes; None: all of them. Each is asked once, about the game with its own options."""
    try:
        player = PLAYERS.get(name)()
    except Exception:  # a plug-in with options that have no default: its games are not known
        return None
    supports = getattr(player, "supports", None)
    if supports is None or name in _PROGRAMS:
        return {"uci": ["chess"], "gtp": ["go"]}.get(name)
    found = []
    for game in _games():
        try:
            supports(make_game(game.name))
        except ConfigurationError:
            continue
        found.append(game.name)
    return found


def _local() -> Iterator[PlayerOption]:
    missing = None
    if importlib.util.find_spec("xllamacpp") is None:
        missing = "local models need llama.cpp: pip install 'ludometer[local]'"
    for model in local_models():
        yield PlayerOption(
            spec=f"local/{model.name}",
            title=model.name,
            description=f"a model on this machine ({model.size / 1e6:.0f} MB)",
            kind="local",
            ready=missing,
            games=None,
        )


def _hosted() -> Iterator[PlayerOption]:
    """A provider's models cannot be listed without asking it: one entry stands for all, to be completed by a name."""
    for name in known_providers():
        if name == "local":
            continue
        variables, needed = _variables(name)
        is_set = any(os.environ.get(variable, "").strip() for variable in variables)
        missing = f"set the environment variable {variables[0]}" if needed and variables and not is_set else None
        yield PlayerOption(
            spec=f"{name}/",
            title=name,
            description=f"a model of {name}, written {name}/MODEL",
            kind="model",
            ready=missing,
            games=None,
        )


def _variables(provider: str) -> tuple[list[str], bool]:
    """The environment variables that may hold a provider's key, and whether it needs one."""
    if provider in ENDPOINTS:
        endpoint = ENDPOINTS[provider]
        return [endpoint.key_variable] if endpoint.key_variable else [], endpoint.key_needed
    return list(KEY_VARIABLES.get(provider, ())), provider in KEY_VARIABLES


def _providers() -> Iterator[dict[str, str]]:
    for name in known_providers():
        variables, needed = _variables(name)
        is_set = any(os.environ.get(variable, "").strip() for variable in variables)
        said = "yes" if is_set else "no"
        yield {"name": name, "variable": " or ".join(variables), "set": said if variables else "not needed"} | (
            {} if needed or not variables else {"needed": "no"}
        )


def _presets() -> Iterator[PresetOption]:
    for preset, providers in _read_presets():
        keys = {}
        for provider in providers:
            variables, needed = _variables(provider)
            if needed and variables:
                keys[" or ".join(variables)] = any(os.environ.get(name, "").strip() for name in variables)
        yield preset.model_copy(update={"keys": keys})


@cache
def _read_presets() -> tuple[tuple[PresetOption, tuple[str, ...]], ...]:
    """Presets, and the providers of their models."""
    found = []
    for name, path in presets().items():
        text = path.read_text(encoding="utf-8")
        config = load_config(path)
        asked = [*config.entrants(), *(Entrant.of(official) for official in config.officials.values())]
        providers = dict.fromkeys(one.spec.name.partition("/")[0] for one in asked if "/" in one.spec.name)
        preset = PresetOption(
            name=name, description=config.description.strip(), toml=text, config=tomllib.loads(text), keys={}
        )
        found.append((preset, tuple(providers)))
    return tuple(found)
