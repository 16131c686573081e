"""A trained model as a player: what it is asked, what files it takes, and that a log needs no file."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("transformers", reason="needs transformers: pip install 'ludometer[rl]'")

import torch
from click.testing import CliRunner
from safetensors.torch import load_file, save_file

from ludometer.cli.main import cli
from ludometer.core import Chance, Completion, ConfigurationError, make_game
from ludometer.matches import Match, MatchPolicy, play
from ludometer.parsers import read
from ludometer.players import Entrant
from ludometer.players._board_tokens import ASK, END
from ludometer.players.checkpoint import BoardTokens, CheckpointPlayer, ModelShape, new_model, save_checkpoint
from ludometer.players.random import RandomPlayer
from ludometer.testing import check_player

GAME = make_game("tictactoe")
SHAPE = ModelShape(hidden=16, inner=16)
TOKENS = BoardTokens(3, 3)


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    torch.manual_seed(3)
    path = tmp_path / "model.safetensors"
    save_checkpoint(path, new_model(GAME, SHAPE), GAME, SHAPE)
    return path


def fond_of(path: Path, *liked: int) -> Path:
    """The file with weights that make the given tokens the likeliest, in this order, whatever it is asked."""
    model = new_model(GAME, SHAPE)
    with torch.no_grad():
        for block in model.model.layers:
            block.self_attn.o_proj.weight.zero_()
            block.mlp.down_proj.weight.zero_()
        model.model.embed_tokens.weight.fill_(1.0)
        model.lm_head.weight.zero_()
        for rank, token in enumerate(liked):
            model.lm_head.weight[token] = 1.0 - rank / 10
    save_checkpoint(path, model, GAME, SHAPE)
    return path


# ----------------------------------------------------------------------- tokens


def test_a_board_by_hand() -> None:
    match = Match(GAME)
    for seat, text in (("X", "2,2"), ("O", "1,3")):
        turn = match.turns()[0]
        match.submit(seat, asyncio.run(Always(text).act(turn)))
    said = [TOKENS.words[token] for token in TOKENS.transcript(match.turns()[0])]
    empty = [f"<{cell}:.>" for cell in "abcdefghi"]
    now = [*empty[:2], "<c:other>", empty[3], "<e:own>", *empty[5:]]
    assert said == [*empty, "<ask>", "2,2", *now, "<ask>"]
    asked = TOKENS.asked(GAME.observe(match.state, "O"))
    assert [TOKENS.words[token] for token in asked] == [
        *empty[:2],
        "<c:own>",
        empty[3],
        "<e:other>",
        *empty[5:],
        "<ask>",
    ]


class Always:
    def __init__(self, text: str) -> None:
        self.text = text

    async def act(self, turn: Any) -> Any:
        from ludometer.core import Decision

        return Decision(turn.parse(self.text), text=self.text)


def test_a_token_answers_what_the_parser_reads_in_it() -> None:
    """In training the parser reads the word; in play the token is looked up. Both must find the same cell, or none."""
    game = make_game("tictactoe", {"rows": 2, "columns": 5, "line": 2})
    turn, tokens = Match(game).turns()[0], BoardTokens(2, 5)
    assert len(set(tokens.words)) == len(tokens.words) == 3 + 4 * 10
    for token, word in enumerate(tokens.words):
        assert tokens.action(token) == read(Completion(word), turn, "text").action
        assert tokens.token(word) == token
    assert [tokens.words[tokens.answer(cell)] for cell in game.legal(game.new(2, Chance(0)), "X")] == list(
        tokens.words[-10:]
    )
    assert tokens.token("I resign") == END and tokens.words[ASK] == "<ask>"


def test_openings_are_not_its_own_answers() -> None:
    match = Match(GAME, opening=["1,1", "2,2"])
    assert len(TOKENS.transcript(match.turns()[0])) == 10


# ---------------------------------------------------------------------- playing


def test_it_holds_to_the_contract(checkpoint: Path) -> None:
    check_player(CheckpointPlayer(checkpoint), always_legal=False)
    check_player(CheckpointPlayer(checkpoint, temperature=1.5), always_legal=False)


def test_it_plays_what_the_model_says(checkpoint: Path) -> None:
    model = new_model(GAME, SHAPE)
    model.load_state_dict(load_file(checkpoint))
    turn = Match(GAME, opening=["1,1"]).turns()[0]
    with torch.no_grad():
        logits = model.eval()(input_ids=torch.tensor([TOKENS.transcript(turn)])).logits[0, -1]
    decision = asyncio.run(CheckpointPlayer(checkpoint).act(turn))
    assert decision.text == TOKENS.words[int(logits.argmax())]
    assert f"probability {logits.softmax(-1).max():.3f}" in decision.rationale
    drawn = [
        asyncio.run(CheckpointPlayer(checkpoint, temperature=1.0).act(Match(GAME, seed=seed).turns()[0])).text
        for seed in range(30)
    ]
    assert len(set(drawn)) > 5


def test_nothing_is_masked_and_a_refused_answer_is_not_given_again(tmp_path: Path) -> None:
    taken, nonsense, free = (
        TOKENS.answer(GAME.parse(None, "O", "1,1")),
        ASK,
        TOKENS.answer(GAME.parse(None, "O", "3,2")),
    )
    player = CheckpointPlayer(fond_of(tmp_path / "fond", taken, nonsense, free))
    match = Match(GAME, opening=["1,1"], policy=MatchPolicy(attempts=3))
    asyncio.run(play(match, {"X": RandomPlayer(), "O": player}))
    first = [(attempt.decision.text, attempt.verdict.kind) for attempt in match.attempts if attempt.seat == "O"][:3]
    assert first == [("1,1", "already_taken"), ("<ask>", "invalid_format"), ("3,2", "legal")]


# ------------------------------------------------------------------ tournaments


@pytest.mark.parametrize(
    "written", ["checkpoint:{path}", {"player": "checkpoint:{path}"}, {"player": "checkpoint", "path": "{path}"}]
)
def test_it_is_written_with_its_path(checkpoint: Path, written: Any) -> None:
    def named(text: str) -> str:
        return text.format(path=checkpoint)

    entrant = Entrant.of(named(written) if isinstance(written, str) else {k: named(v) for k, v in written.items()})
    player = entrant.make_player()
    assert isinstance(player, CheckpointPlayer) and player.path == checkpoint
    assert (entrant.is_model, entrant.family) == (False, None)
    assert Entrant.from_dict(entrant.to_dict()) == entrant


def test_a_run_is_rated_and_verified_also_without_the_file(checkpoint: Path, tmp_path: Path) -> None:
    def ludometer(*words: str) -> str:
        done = CliRunner().invoke(cli, words)
        assert done.exit_code == 0, done.output
        return done.output

    trained = f'{{player = "checkpoint:{checkpoint}", name = "trained"}}'
    config, folder = tmp_path / "run.toml", str(tmp_path / "run")
    config.write_text(f'game = "tictactoe"\nplayers = ["random", "perfect", {trained}]\nschedule.repeats = 2\n')
    ludometer("run", str(config), "--dir", folder)
    checkpoint.unlink()
    assert "everything agrees" in ludometer("verify", folder)
    shown = ludometer("leaderboard", folder)
    assert all(name in shown for name in ("trained", "random", "perfect"))


# ----------------------------------------------------------------------- errors


class Harm:
    """What a pickle may do."""

    def __reduce__(self) -> Any:
        return (Path.touch, (Path("harm"),))


def test_files_of_another_kind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match=r"there is no checkpoint .*nowhere"):
        CheckpointPlayer(Path("nowhere"))
    torch.save({"weights": Harm()}, "pickle.pt")
    Path("text").write_text("not a model")
    Path("empty").touch()
    save_file({"a": torch.zeros(3)}, "foreign")
    header = {"ludometer": '{"game": "tictactoe", "options": {}, "shape": {"hidden": 16, "inner": 16}}'}
    save_file({"a": torch.zeros(3)}, "others_weights", header)
    save_file({"a": torch.zeros(3)}, "too_large", {"ludometer": header["ludometer"].replace("16", "1000000")})
    save_file({"a": torch.zeros(3)}, "other_game", {"ludometer": header["ludometer"].replace("tictactoe", "nim")})
    for name in ("pickle.pt", "text", "empty", "foreign", "others_weights", "too_large", "other_game"):
        with pytest.raises(ConfigurationError, match=rf"'{name}' is no checkpoint of a game; write one with"):
            CheckpointPlayer(Path(name))
    assert not Path("harm").exists(), "a pickle was run"


def test_weights_that_are_no_numbers(checkpoint: Path) -> None:
    model = new_model(GAME, SHAPE)
    model.load_state_dict({**model.state_dict(), "lm_head.weight": torch.full((39, 16), float("nan"))})
    save_checkpoint(checkpoint, model, GAME, SHAPE)
    with pytest.raises(ConfigurationError, match="is no checkpoint"):
        CheckpointPlayer(checkpoint)


@pytest.mark.parametrize(
    ("name", "options"), [("uno", {}), ("tictactoe", {"misere": True}), ("tictactoe", {"rows": 4, "columns": 4})]
)
def test_other_games(checkpoint: Path, name: str, options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match=r"was trained on tictactoe \(rows=3, .*, and does not play"):
        CheckpointPlayer(checkpoint).supports(make_game(name, options))


def test_mistakes_in_writing_it(checkpoint: Path) -> None:
    for written, said in {
        "checkpoint": "player checkpoint needs the option 'path'",
        f"checkpoint:{checkpoint}:temperature=-1": "temperature must be between 0 and 100",
        f"checkpoint:{checkpoint}:path=other": "two values for path",
        "checkpoint: ": "names no path; write for example checkpoint:PATH",
        "random:fast": "player random takes nothing after a colon",
    }.items():
        with pytest.raises(ConfigurationError, match=said):
            Entrant.of(written).make_player()


@pytest.mark.parametrize("package", ["transformers", "safetensors"])
def test_without_the_extra_there_is_one_sentence(
    checkpoint: Path, monkeypatch: pytest.MonkeyPatch, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(ConfigurationError, match=r"pip install 'ludometer\[rl\]'"):
        CheckpointPlayer(checkpoint)
