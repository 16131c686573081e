"""Who plays: the players and officials of a run, each made once and shared by all matches."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from ludometer.core import AnyGame, ConfigurationError, Json, Player, Role
from ludometer.core.registry import nearest
from ludometer.matches import ADJUDICATOR
from ludometer.models.recorded import RecordedModel
from ludometer.players import Entrant
from ludometer.players.adjudicator import AdjudicatorPlayer
from ludometer.players.entrant import ModelMaker, check_contestant, release
from ludometer.players.llm import LlmPlayer
from ludometer.strategies.registry import strategy_files
from ludometer.tournaments.config import RunConfig
from ludometer.tournaments.seating import seats_of

__all__ = ["RecordedRoster", "Roster", "official_key", "officials_of", "roster_key"]


class Roster:
    """Players by entrant and condition, each made once and shared by all matches."""

    def __init__(self, config: RunConfig, entrants: list[Entrant], model_maker: ModelMaker | None = None) -> None:
        self._config = config
        self._model_maker = model_maker
        self._entrants = {entrant.name: entrant for entrant in entrants}
        self._players: dict[tuple[str, str], Player] = {}  # by entrant and condition (JSON)
        self._adjudicators: dict[str, AdjudicatorPlayer] = {}
        self._officials: dict[str, Player] = {}

    def player(self, name: str, condition: Mapping[str, Json]) -> Player:
        """The player of an entrant under a condition. Raises `ConfigurationError`."""
        key = (name, json.dumps(condition, sort_keys=True))
        if key not in self._players:
            entrant = self._config.entrant_under(self._entrants[name], condition)
            self._players[key] = entrant.make_player(self._config.models, self._model_maker)
        return self._players[key]

    def adjudicator(self, evaluator: str) -> AdjudicatorPlayer:
        """The official that adjudicates. Raises `ConfigurationError`."""
        if evaluator not in self._adjudicators:
            self._adjudicators[evaluator] = AdjudicatorPlayer(evaluator)
        return self._adjudicators[evaluator]

    def official(self, role: Role) -> Player:
        """The player that holds an official's seat. Raises `ConfigurationError`."""
        if role.official not in self._officials:
            entrant = self._config.official(role)
            self._officials[role.official] = entrant.make_player(self._config.models, self._model_maker)
        return self._officials[role.official]

    def check(self) -> None:
        """Makes every player and asks it about every game, so that mistakes show before anything is played."""
        games = self._config.make_games()
        self._config.check_expected_order()
        self._check_officials(games)
        for condition in self._config.conditions():
            for game in games:
                policy = self._config.policy_of(condition, game.name, game.options)
                if policy.on_max_moves == "adjudicate":
                    self.adjudicator(policy.adjudicator).supports(game)
            for name, entrant in self._entrants.items():
                player = self.player(name, condition)
                check_contestant(name, player)
                for game in games:
                    entrant.check_game(player, game)

    def _check_officials(self, games: Sequence[AnyGame]) -> None:
        known = set()
        for game in games:
            for role in officials_of(game, seats_of(self._config.schedule, game)):
                known.add(role.official)
                self._config.official(role).check_game(self.official(role), game)
        for name in self._config.officials:
            if name not in known:
                raise ConfigurationError(
                    f"officials: no game of the run has an official {name!r}{nearest(name, known)}"
                )

    def sent_settings(self) -> dict[str, Json]:
        """What every language model is sent besides its messages, by entrant and condition, and by official."""
        officials = {(official_key(name), "{}"): player for name, player in self._officials.items()}
        return {
            roster_key(*key): dict(player.model.settings)
            for key, player in {**self._players, **officials}.items()
            if isinstance(player, LlmPlayer)
        }

    def strategy_files(self) -> dict[str, str | None]:
        """The user's own files that strategies are read from, with digests; see `ludometer.strategies.registry`."""
        players = (*self._players.values(), *self._officials.values())
        used = {str(player.strategy): player.strategy for player in players if isinstance(player, LlmPlayer)}
        return {path: digest for spec in used.values() for path, digest in strategy_files(spec).items()}

    async def close(self) -> None:
        """Gives back connections and engines."""
        for player in (*self._players.values(), *self._officials.values()):
            await release(player)


def officials_of(game: AnyGame, n: int) -> tuple[Role, ...]:
    """The officials' seats of a game with ``n`` contestants."""
    return tuple(role for role in game.roles(n) if role.kind == "official")


def official_key(name: str) -> str:
    """An official's name among the entrants' in a run's database."""
    return f"official {name}"


def roster_key(name: str, condition: str) -> str:
    """How a run's database names an entrant under a condition (JSON)."""
    return json.dumps([name, condition])


class RecordedRoster:
    """The language models of a run as they were set up when it was recorded; every other player is None.

    Args:
        config: of the run.
        sent_settings: what `Roster.sent_settings` said then.
    """

    def __init__(self, config: RunConfig, sent_settings: Mapping[str, Json]) -> None:
        self._config = config
        self._sent = sent_settings
        self._entrants = {entrant.name: entrant for entrant in config.entrants()}
        self._made: dict[str, Player] = {}

    def player(self, name: str, condition: Mapping[str, Json]) -> Player | None:
        """The player of an entrant under a condition."""
        if name not in self._entrants or not self._entrants[name].is_model:
            return None
        key = roster_key(name, json.dumps(condition, sort_keys=True))
        return self._player(key, self._config.entrant_under(self._entrants[name], condition))

    def official(self, role: Role) -> Player | None:
        """The player that holds an official's seat."""
        if role.official == ADJUDICATOR:
            return None
        entrant = self._config.official(role)
        return self._player(roster_key(official_key(role.official), "{}"), entrant) if entrant.is_model else None

    def _player(self, key: str, entrant: Entrant) -> Player:
        if key not in self._made:
            settings = self._sent.get(key, {})
            self._made[key] = entrant.make_player(self._config.models, lambda model, *_: RecordedModel(model, settings))
        return self._made[key]
