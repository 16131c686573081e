"""The configuration of a run: TOML, validated, with every mistake explained in one sentence."""

from __future__ import annotations

import itertools
import os
import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import fields
from importlib import resources
from pathlib import Path
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    Field,
    JsonValue,
    TypeAdapter,
    ValidationError,
    field_validator,
    model_validator,
)

from ludometer.core import AnyGame, ConfigurationError, Json, Role, make_game
from ludometer.core.paths import usable_path
from ludometer.core.registry import nearest
from ludometer.matches import MatchPolicy
from ludometer.models import CustomProvider
from ludometer.players import Entrant
from ludometer.players.entrant import official_entrant
from ludometer.tournaments.schedule_config import OpeningsConfig, ScheduleConfig, StageConfig, Strict
from ludometer.tournaments.stop_rule import parse_stop_rule
from ludometer.tournaments.wrong_settings import sentence

__all__ = ["GameConfig", "OpeningsConfig", "RunConfig", "ScheduleConfig", "StageConfig", "load_config", "presets"]

_POLICY_KEYS = frozenset(f.name for f in fields(MatchPolicy))


class GameConfig(Strict):
    """A game and its options: ``game = "tictactoe"``, or a table ``[game]`` with ``name`` and the options.

    Attributes:
        policy: conditions of play that hold for this game alone, before those of the run.
    """

    name: str
    options: dict[str, JsonValue] = Field(default_factory=dict)
    policy: dict[str, JsonValue] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _flat(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"name": value}
        if isinstance(value, dict) and "options" not in value:
            table = dict(value)
            return {"name": table.pop("name", ""), "policy": table.pop("policy", {}), "options": table}
        if not isinstance(value, dict | GameConfig):
            raise ValueError("write the name of a game, or a table with its name and options")
        return value


class RunConfig(Strict):
    """Everything a run is made from.

    Attributes:
        games: what is played; ``game`` may be written for a single one.
        players: entrants, as specs or tables (see `ludometer.players.Entrant`).
        schedule: who plays whom.
        openings: what games start from; without any, from the game's own beginning.
        factors: settings to vary, each a list; the run plays the full grid. Keys are policy settings or settings of
            language models.
        prompt: settings of all language models that they do not set themselves.
        policy: the conditions of play (see `ludometer.matches.MatchPolicy`).
        models: further providers by name.
        officials: who holds the seats that are not played but judge or compute, by the official's name (``judge1``);
            a player as in ``players``. They are never rated.
        expected_order: orders that are expected of entrants, each a list of names from the weakest to the strongest,
            such as the sizes of one family; the report says how probable they are.
        seed: of everything random in the run.
        concurrency: matches at play at once.
        budget_usd, budget_tokens: the run stops cleanly, resumable, once it has used this much.
        stop_when: the run ends once its results say this: ``top-1 decided``, ``all pairs decided`` or ``interval <= N``
            (see `ludometer.tournaments.stop_rule`); without it, with its schedule.
        stop_margin: points of Elo; players whose difference is within it need not be told apart.
    """

    name: Annotated[str, Field(min_length=1, max_length=200)] = "run"
    description: str = ""
    games: list[GameConfig] = Field(min_length=1)
    players: list[str | dict[str, JsonValue]] = Field(default_factory=list)
    schedule: ScheduleConfig = ScheduleConfig()
    openings: OpeningsConfig = OpeningsConfig()
    factors: dict[str, list[JsonValue]] = Field(default_factory=dict)
    prompt: dict[str, JsonValue] = Field(default_factory=dict)
    policy: dict[str, JsonValue] = Field(default_factory=dict)
    models: dict[str, CustomProvider] = Field(default_factory=dict)
    officials: dict[str, str | dict[str, JsonValue]] = Field(default_factory=dict)
    expected_order: list[Annotated[list[str], Field(min_length=2)]] = Field(default_factory=list)
    seed: int | str = 0
    concurrency: Annotated[int, Field(ge=1, le=10_000)] = 32
    budget_usd: Annotated[float, Field(gt=0)] | None = None
    budget_tokens: Annotated[int, Field(gt=0)] | None = None
    stop_when: str | None = None
    stop_margin: Annotated[float, Field(gt=0, le=400, allow_inf_nan=False)] = 50.0

    @model_validator(mode="before")
    @classmethod
    def _single_game(cls, value: Any) -> Any:
        if isinstance(value, dict) and "game" in value:
            value = dict(value)
            more = value.get("games", [])
            value["games"] = [value.pop("game"), *(more if isinstance(more, list) else [more])]
        return value

    @field_validator("budget_usd", "budget_tokens", mode="before")
    @classmethod
    def _no_budget(cls, value: Any) -> Any:
        return None if value == "unlimited" else value

    @field_validator("factors")
    @classmethod
    def _no_empty_factor(cls, value: dict[str, list[JsonValue]]) -> dict[str, list[JsonValue]]:
        for key, levels in value.items():
            if not levels:
                raise ValueError(f"factor {key!r} has no values")
        return value

    @field_validator("stop_when")
    @classmethod
    def _known_rule(cls, value: str | None) -> str | None:
        return None if value is None else str(parse_stop_rule(value))

    # ---------------------------------------------------------------- derived

    def conditions(self) -> list[dict[str, Json]]:
        """Every combination of the factors' values; one empty condition where nothing is varied."""
        keys = list(self.factors)
        return [dict(zip(keys, values, strict=True)) for values in itertools.product(*self.factors.values())]

    def policy_of(
        self, condition: Mapping[str, Json], game: str | None = None, options: Mapping[str, Json] | None = None
    ) -> MatchPolicy:
        """The match policy under a condition.

        Args:
            game, options: of the match, as they are planned; without them the policy of games that set nothing.

        Raises:
            ConfigurationError: a setting that does not exist, or that a game sets and the run varies.
        """
        own = {} if game is None else self._policy_of_game(game, options or {})
        factors = {key: value for key, value in condition.items() if key in _POLICY_KEYS}
        for key in own.keys() & factors.keys():
            raise ConfigurationError(f"game {game} sets {key}, which the run varies; remove it from one")
        settings = {**self.policy, **own, **factors}
        for key in settings:
            if key not in _POLICY_KEYS:
                raise ConfigurationError(f"policy has no setting {key!r}{nearest(key, _POLICY_KEYS)}")
        try:
            return TypeAdapter(MatchPolicy).validate_python(_unlimited(settings))
        except ValidationError as error:
            raise ConfigurationError(f"policy: {_sentence(error, RunConfig)}") from None

    def _policy_of_game(self, game: str, options: Mapping[str, Json]) -> dict[str, JsonValue]:
        """What a game sets itself. Where the run has it with different options, those tell which it is."""
        named = [config for config in self.games if config.name.partition(":")[0] == game]
        if all(config.policy == named[0].policy for config in named):
            return named[0].policy if named else {}
        start = {"fen"} if self.openings.fens else set()  # a start position is no game of its own
        for config in named:
            made = make_game(config.name, config.options).options
            if all(options.get(key) == value for key, value in made.items() if key not in start):
                return config.policy
        raise ConfigurationError(f"game {game} is not in the configuration with these options")

    def entrants(self) -> list[Entrant]:
        """The entrants, with unique names. Raises `ConfigurationError`."""
        found = [Entrant.of(written) for written in self.players]
        seen: set[str] = set()
        for entrant in found:
            if entrant.name in seen:
                raise ConfigurationError(
                    f'two players are called {entrant.name!r}; give one of them another name (name = "...")'
                )
            seen.add(entrant.name)
        return found

    def check_expected_order(self) -> None:
        """Raises `ConfigurationError` for an expected order that names nobody, or somebody twice."""
        names = [entrant.name for entrant in self.entrants()]
        for order in self.expected_order:
            for name in order:
                if name not in names:
                    raise ConfigurationError(f"expected_order names {name!r}, which is no player{nearest(name, names)}")
                if order.count(name) > 1:
                    raise ConfigurationError(f"expected_order names {name!r} twice in one order")

    def official(self, role: Role) -> Entrant:
        """Who holds an official's seat: as configured, else the game's own. Raises `ConfigurationError`."""
        return official_entrant(role, self.officials)

    def entrant_under(self, entrant: Entrant, condition: Mapping[str, Json]) -> Entrant:
        """An entrant as it plays under a condition.

        Raises:
            ConfigurationError: the entrant sets itself what the run varies.
        """
        factors = {key: value for key, value in condition.items() if key not in _POLICY_KEYS}
        for key in factors.keys() & entrant.spec.options.keys():
            raise ConfigurationError(f"player {entrant.name!r} sets {key}, which the run varies; remove it from one")
        return entrant.with_defaults({**self.prompt, **factors})

    def make_games(self) -> list[AnyGame]:
        return [make_game(game.name, game.options) for game in self.games]

    def default_folder(self) -> Path:
        """Where the run goes if nobody says: under ``runs/``, named like the run, whatever its name holds."""
        return Path("runs") / (re.sub(r"[^\w+-]+", "-", self.name).strip("-") or "run")

    def resolved(self) -> dict[str, Json]:
        """The configuration as JSON, defaults included. It holds no key: keys are only ever named."""
        return self.model_dump(mode="json")


def _unlimited(settings: dict[str, Json]) -> dict[str, Json]:
    """TOML has no null: ``"unlimited"`` stands for it where a limit is optional."""
    return {key: None if value == "unlimited" else value for key, value in settings.items()}


# ------------------------------------------------------------------- loading


def load_config(source: str | os.PathLike[str] | Mapping[str, Json], overrides: Sequence[str] = ()) -> RunConfig:
    """A configuration from a file, a preset's name or a mapping, with ``key=value`` overrides.

    Raises:
        ConfigurationError: with the file, the key and what to write instead.
    """
    if isinstance(source, Mapping):
        table, where = dict(source), "the configuration"
    else:
        path = _find(source)
        table, where = _read(path), str(path)
    for override in overrides:
        _override(table, override)
    try:
        return RunConfig.model_validate(table)
    except ValidationError as error:
        raise ConfigurationError(f"{where}: {_sentence(error, RunConfig)}") from None


def presets() -> dict[str, Path]:
    """The presets that come with the package, by name."""
    folders = [Path(str(resources.files("ludometer"))) / "presets", Path(__file__).parents[3] / "presets"]
    for folder in folders:
        if folder.is_dir():
            return {path.stem: path for path in sorted(folder.glob("*.toml"))}
    return {}


def _find(source: str | os.PathLike[str]) -> Path:
    path = usable_path(source)
    if path.is_file():
        return path
    known = presets()
    if path.stem in known and (path.parent == Path() or path.parent.name == "presets"):
        return known[path.stem]
    raise ConfigurationError(f"there is no file {path}, and no preset of that name{nearest(path.stem, known)}")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{path} is not valid TOML: {error}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} cannot be read: {error}") from None


def _override(table: dict[str, Any], text: str) -> None:
    """Applies one ``a.b=value``; the value is TOML, or plain text where it is not."""
    key, equals, written = text.partition("=")
    if not equals or not key.strip():
        raise ConfigurationError(f"--set {text!r}: write key=value")
    try:
        value = tomllib.loads(f"x = {written}")["x"]
    except tomllib.TOMLDecodeError:
        value = written
    *parents, last = key.strip().split(".")
    for parent in parents:
        table = table.setdefault(parent, {})
        if not isinstance(table, dict):
            raise ConfigurationError(f"--set {text!r}: {parent} is not a table; set it as a whole: --set {parent}=...")
    table[last] = value


def _sentence(error: ValidationError, model: type[BaseModel]) -> str:
    return sentence(error, lambda place: _keys_at(model, place))


def _keys_at(model: type[BaseModel], loc: Sequence[str | int]) -> set[str]:
    """The keys known at a place of the configuration."""
    current: Any = model
    for part in loc:
        if isinstance(part, str) and isinstance(current, type) and issubclass(current, BaseModel):
            annotation = current.model_fields[part].annotation if part in current.model_fields else None
            current = annotation
        else:
            arguments = getattr(current, "__args__", ())
            current = arguments[-1] if arguments else None
    if isinstance(current, type) and issubclass(current, BaseModel):
        keys = set(current.model_fields)
        return keys | {"game"} if current is RunConfig else keys
    return set()
