from __future__ import annotations

import warnings
from importlib.metadata import EntryPoint

import pytest

from ludometer.core import GAMES, ConfigurationError, Game
from ludometer.core import registry as registry_module
from ludometer.core.registry import Registry, nearest
from ludometer.games.tictactoe import TicTacToe


def fresh() -> Registry[object]:
    return Registry("game", "ludometer.games", lambda cls: issubclass(cls, Game) and hasattr(cls, "name"))


def test_a_file_in_the_folder_is_found_by_its_name() -> None:
    assert GAMES.get("tictactoe") is TicTacToe
    assert GAMES.all()["tictactoe"] is TicTacToe
    assert list(GAMES.all()) == sorted(GAMES.all())


@pytest.mark.parametrize("name", ["", "tic tac toe", "../core", "os.path", "__init__", "tictactoe.TicTacToe"])
def test_other_names_are_refused(name: str) -> None:
    with pytest.raises(ConfigurationError, match="there is no game"):
        fresh().get(name)


def test_a_broken_plug_in_warns_and_is_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("broken", "no_such_module_at_all", "ludometer.games"),
        EntryPoint("good", "ludometer.games.tictactoe:TicTacToe", "ludometer.games"),
    ]
    monkeypatch.setattr(registry_module, "entry_points", lambda group: points)
    with pytest.warns(UserWarning, match="plug-in 'broken'"):
        assert fresh().all()["tictactoe"] is TicTacToe


@pytest.mark.parametrize("value", ["json:loads", "json", "ludometer.core.game:Game", "ludometer.core:Chance"])
def test_what_is_no_game_warns_and_is_skipped(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setattr(registry_module, "entry_points", lambda group: [EntryPoint("odd", value, "ludometer.games")])
    with pytest.warns(UserWarning, match="plug-in 'odd' .* was skipped: it is no game"):
        assert list(fresh().all()) == [name for name, cls in GAMES.all().items() if cls.__module__.startswith("ludo")]


def test_no_plug_in_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry_module, "entry_points", lambda group: [])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert "tictactoe" in fresh().all()


def test_the_nearest_name_is_offered() -> None:
    assert nearest("ches", ["chess", "go"]) == "; did you mean 'chess'? known: chess, go"
    assert nearest("zzz", ["chess", "go"]) == "; known: chess, go"
    assert nearest("zzz", []) == ""
    assert nearest("zzz", ["chess"], list_all=False) == ""
