"""Entrants: who is rated, written the way a person writes it, and turned into players.

``random`` is a player, ``mcts:simulations=1000`` one with an option, ``openai/gpt-x`` a language model, and
``local/smollm2-135m:answer=json_schema,legal_only=true,temperature=0`` one with settings. In a configuration file
the same is a table with the keys ``player``, ``name``, ``family``, ``thinking`` and any option. A player with an
``argument`` takes that option after a colon: ``checkpoint:PATH``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from ludometer.core import ConfigurationError, Game, Json, Player, Role
from ludometer.core.registry import build, describe_options, nearest
from ludometer.core.spec import Spec, parse_spec
from ludometer.players.registry import PLAYERS

if TYPE_CHECKING:
    from ludometer.models import CustomProvider, Model, ModelSettings

__all__ = ["Entrant", "ModelMaker", "check_contestant", "official_entrant", "release"]

ModelMaker: TypeAlias = "Callable[[str, ModelSettings, Mapping[str, CustomProvider]], Model]"

_LABELS = ("name", "family", "thinking")


@dataclass(frozen=True, slots=True)
class Entrant:
    """A rated identity: a player with its settings, under one name.

    Attributes:
        name: shown everywhere, unique in a run.
        spec: the player and its options.
        family: whose model it is (for spotting judges of the same family); thinking: a free label of the effort.
    """

    name: str
    spec: Spec
    family: str | None = None
    thinking: str | None = None

    @property
    def is_model(self) -> bool:
        """Whether the player is a language model, named provider/model."""
        return "/" in self.spec.name

    @classmethod
    def of(cls, written: str | Mapping[str, Json]) -> Entrant:
        """From a spec, or from a table of a configuration file. Raises `ConfigurationError`."""
        if isinstance(written, str):
            named = parse_spec(written)
            spec = _with_argument(named)
            return cls(_written(str(named)), spec, _family(spec))
        table = dict(written)
        if not isinstance(table.get("player"), str):
            raise ConfigurationError('every entry of players needs a player, for example player = "random"')
        labels = {key: table.pop(key, None) for key in _LABELS}
        base = parse_spec(str(table.pop("player")))
        named = Spec(base.name, {**base.options, **table})
        spec = _with_argument(named)
        return cls(_written(str(labels["name"] or named)), spec, labels["family"] or _family(spec), labels["thinking"])

    def with_defaults(self, defaults: Mapping[str, Json]) -> Entrant:
        """The same entrant with options for language models that it does not set itself."""
        if not self.is_model or not defaults:
            return self
        options = {**defaults, **self.spec.options}
        return Entrant(self.name, Spec(self.spec.name, options), self.family, self.thinking)

    def to_dict(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "player": self.spec.name,
            "options": dict(self.spec.options),
            "family": self.family,
            "thinking": self.thinking,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Json]) -> Entrant:
        return cls(data["name"], Spec(data["player"], data["options"]), data["family"], data["thinking"])

    def make_player(
        self, custom: Mapping[str, CustomProvider] | None = None, model_maker: ModelMaker | None = None
    ) -> Player:
        """The player. It may sit in any number of matches at once.

        Args:
            custom: further providers by name, from ``[models.NAME]`` of a configuration.
            model_maker: makes the model of a language model player; by default `ludometer.models.make_model`.

        Raises:
            ConfigurationError: unknown player, model or option, or a missing key.
        """
        if self.is_model:
            return _make_llm(self.spec, custom or {}, model_maker)
        return build(PLAYERS.get(self.spec.name), self.spec.options, what=f"player {self.spec.name}")

    def check_game(self, player: Player, game: Game[Any, Any]) -> None:
        """Raises `ConfigurationError` where the player says that it cannot play the game."""
        supports = getattr(player, "supports", None)
        if supports is not None:
            supports(game)


def official_entrant(role: Role, given: Mapping[str, str | Mapping[str, Json]]) -> Entrant:
    """Who holds an official's seat: as given by the official's name, else the game's own.

    Raises:
        ConfigurationError: nobody.
    """
    written = given.get(role.official, role.by)
    if written is None:
        raise ConfigurationError(
            f'nobody is {role.title or role.name}: name a player under officials, {role.official} = "provider/model", '
            f"or with --official {role.official}=PLAYER"
        )
    return Entrant.of(written if isinstance(written, str) else {"name": role.official, **written})


def _written(name: str) -> str:
    """The name, if it can be written down. Raises `ConfigurationError` for one that the log would keep otherwise."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ConfigurationError(f"the name {name!r} of a player is no text: it holds half a character") from None
    return name


def check_contestant(name: str, player: Player) -> None:
    """Raises `ConfigurationError` for a player that is made to judge or compute, not to play."""
    if getattr(player, "official", False):
        raise ConfigurationError(f"{name} is an official: it judges or computes, and cannot be a contestant")


async def release(player: Player) -> None:
    """Gives back what a player holds: its model's connections, the processes of its engine."""
    close = getattr(getattr(player, "model", player), "close", None)
    if close is not None:
        await close()


def _with_argument(spec: Spec) -> Spec:
    """The spec with the option that stands behind the player's name and a colon. Raises `ConfigurationError`."""
    base, colon, argument = spec.name.partition(":")
    if not colon or not base.isidentifier():
        return spec
    key = getattr(PLAYERS.get(base), "argument", None)
    if key is None:
        raise ConfigurationError(f"player {base} takes nothing after a colon; give its options as key=value")
    if not argument.strip():
        raise ConfigurationError(f"{spec.name!r} names no {key}; write for example {base}:{key.upper()}")
    if key in spec.options:
        raise ConfigurationError(f"player {base} is given two values for {key}: {argument!r} and {spec.options[key]!r}")
    return Spec(base, {key: argument, **spec.options})


def _family(spec: Spec) -> str | None:
    return spec.name.split("/")[0] if "/" in spec.name else None


def _make_llm(spec: Spec, custom: Mapping[str, CustomProvider], model_maker: ModelMaker | None) -> Player:
    from ludometer.models import ModelSettings, make_model
    from ludometer.players.llm import LlmPlayer

    asked = describe_options(LlmPlayer).keys() - {"model"}
    known = asked | ModelSettings.model_fields.keys()
    for key in spec.options:
        if key not in known:
            raise ConfigurationError(f"{spec.name} has no option {key!r}{nearest(key, known)}")
    settings = _settings(spec, {key: value for key, value in spec.options.items() if key not in asked})
    model = (model_maker or make_model)(spec.name, settings, custom)
    options = {key: value for key, value in spec.options.items() if key in asked}
    return build(LlmPlayer, options, what=spec.name, given={"model": model})


def _settings(spec: Spec, options: Mapping[str, Json]) -> ModelSettings:
    from pydantic import ValidationError

    from ludometer.models import ModelSettings

    try:
        return ModelSettings.model_validate(options)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(f"{spec.name}: {where} is not valid: {first['msg']}") from None
