"""What a run can be made of, as the form gets it."""

from __future__ import annotations

from typing import Literal

import pytest

from ludometer.core import GAMES, ConfigurationError, make_game
from ludometer.core.registry import describe_options
from ludometer.players import Entrant
from ludometer.tournaments import load_config
from ludometer.tournaments.config import presets
from ludometer.web.catalogue import catalogue
from ludometer.web.drafts import draft_config
from ludometer.web.options import option_shapes


def test_every_game_is_there_with_all_its_options() -> None:
    games = {game.name: game for game in catalogue().games}
    assert set(games) == set(GAMES.all())
    for name, cls in GAMES.all().items():
        assert [option["name"] for option in games[name].options] == list(describe_options(cls))
        assert games[name].players == cls.players
        defaults = {o["name"]: o["default"] for o in games[name].options if o["default"] is not None}
        assert make_game(name, defaults) == make_game(name)
        for option in games[name].options:
            assert option["kind"] in ("int", "float", "bool", "str", "choice", "text")
            assert option["words"], f"{name}: the docstring does not explain {option['name']}"


def test_choices_are_what_the_game_takes() -> None:
    for game in catalogue().games:
        for option in game.options:
            if option["kind"] == "choice":
                for value in option["choices"]:
                    make_game(game.name, {option["name"]: value})
                with pytest.raises(ConfigurationError):
                    make_game(game.name, {option["name"]: "nothing of the kind"})


def test_players_say_which_games_they_take() -> None:
    players = {player.spec: player for player in catalogue().players}
    assert players["random"].games is None
    assert players["perfect"].games == ["nim", "tictactoe"]
    assert players["uci"].games == ["chess"]
    assert players["solver"].games == ["connect4"]
    assert "human" not in players and "llm" not in players and "checker" not in players
    for spec, player in players.items():
        if player.kind == "built-in" and player.games and player.ready is None:
            entrant = Entrant.of(spec)
            entrant.check_game(entrant.make_player(), make_game(player.games[0]))


def test_no_key_is_in_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-indeed")
    monkeypatch.delenv("MISTRAL_API_KEY", raising=False)
    found = catalogue()
    assert "very-secret" not in found.model_dump_json()
    providers = {provider["name"]: provider for provider in found.providers}
    assert providers["openai"] == {"name": "openai", "variable": "OPENAI_API_KEY", "set": "yes"}
    assert providers["mistral"]["set"] == "no"
    players = {player.spec: player for player in found.players}
    assert players["openai/"].ready is None
    assert players["mistral/"].ready == "set the environment variable MISTRAL_API_KEY"
    assert players["ollama/"].ready is None


def test_presets_say_what_they_are_and_which_keys_they_need(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-very-secret-indeed")
    for name in ("ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    found = catalogue()
    assert "very-secret" not in found.model_dump_json()
    known = {preset.name: preset for preset in found.presets}
    assert set(known) == set(presets())
    for name, path in presets().items():
        assert known[name].toml == path.read_text(encoding="utf-8")
        assert draft_config(known[name].config).config == load_config(path)
        assert known[name].description
    assert known["quickstart"].keys == {}
    keys = {"OPENAI_API_KEY": True, "ANTHROPIC_API_KEY": False, "GOOGLE_API_KEY or GEMINI_API_KEY": False}
    assert known["llm-games-2025"].keys == keys


class _Made:
    """Something.

    Args:
        size, depth: how large, and
            how deep.
        mode: ``a`` or ``b``.
        limit: nothing for none.
    """

    def __init__(
        self,
        size: int = 3,
        depth: float = 0.5,
        mode: Literal["a", "b"] = "a",
        limit: int | None = None,
        mix: int | str = 1,
    ) -> None: ...


def test_options_from_a_signature() -> None:
    shapes = {shape["name"]: shape for shape in option_shapes(_Made)}
    assert shapes["size"] == {
        "name": "size",
        "kind": "int",
        "default": 3,
        "choices": [],
        "words": "how large, and how deep.",
        "optional": False,
    }
    assert shapes["depth"]["words"] == "how large, and how deep."
    assert (shapes["mode"]["kind"], shapes["mode"]["choices"]) == ("choice", ["a", "b"])
    assert (shapes["limit"]["kind"], shapes["limit"]["optional"]) == ("int", True)
    assert shapes["mix"]["kind"] == "text"
    assert option_shapes(object) == []
