"""Rollouts for TRL: what the model wrote is marked, sequences only grow, and the match is the one the referee sees."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import pytest

pytest.importorskip("trl", reason="needs TRL: pip install 'ludometer[rl]'")

import torch
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

from ludometer.core import Chance, ConfigurationError, Message, Turn, make_game
from ludometer.envs.text import TextMatch, text_match
from ludometer.envs.trl import CellTokens, ChatTokens, Rollout, Rollouts, rollouts_of, rows, score
from ludometer.matches import MatchPolicy
from ludometer.players.checkpoint import ModelShape, new_model
from ludometer.prompts import PromptStyle

torch.set_num_threads(1)

CHATML = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{{ message['content'] }}<|im_end|>\n{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
GOES_ON = MatchPolicy(attempts=2, feedback="explain", on_exhausted="random", max_moves=6)


def byte_tokenizer(template: str | None = CHATML) -> Any:
    """One token per byte, and two more."""
    words = [*sorted(pre_tokenizers.ByteLevel.alphabet()), "<|im_start|>", "<|im_end|>"]
    known = Tokenizer(models.BPE({word: number for number, word in enumerate(words)}, []))
    known.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    known.decoder = decoders.ByteLevel()
    special = {"eos_token": "<|im_end|>", "pad_token": "<|im_end|>", "additional_special_tokens": ["<|im_start|>"]}
    return PreTrainedTokenizerFast(tokenizer_object=known, chat_template=template, **special)


def tiny_model(vocabulary: int, seed: int = 0) -> Any:
    torch.manual_seed(seed)
    sizes = {"hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    return LlamaForCausalLM(LlamaConfig(vocab_size=vocabulary, max_position_embeddings=8192, **sizes)).eval()


class Scripted:
    """Stands for a model: it writes the given texts, token by token, whatever it is asked."""

    device = torch.device("cpu")
    training = False

    def __init__(self, tokenizer: Any, texts: Sequence[str]) -> None:
        self.size = len(tokenizer)
        self.tokens = [tokenizer(text, add_special_tokens=False)["input_ids"] for text in texts]
        self.asked: list[list[int]] = []

    def eval(self) -> None: ...

    def train(self, mode: bool) -> None: ...

    def __call__(self, input_ids: torch.Tensor, **_: Any) -> Any:
        if input_ids.shape[1] > 1 or not self.left:
            self.asked.append(input_ids[0].tolist())
            self.left = self.tokens.pop(0)
        token, self.left = self.left[0], self.left[1:]
        logits = torch.full((len(input_ids), 1, self.size), -100.0)
        logits[:, :, token] = 100
        return SimpleNamespace(logits=logits, cache=None)

    left: Sequence[int] = ()


def check_rollout(one: Rollout, model: Any, temperature: float = 1.0) -> None:
    """The log probabilities are those of one pass over the whole sequence, and stand where the model wrote."""
    assert len(one.completion) == len(one.logprobs) == len(one.mask)
    whole = torch.tensor([one.prompt + one.completion])
    with torch.no_grad():
        logprobs = (model(input_ids=whole).logits[0] / temperature).log_softmax(-1)
    for place, (token, logprob, own) in enumerate(zip(one.completion, one.logprobs, one.mask, strict=True)):
        said = logprobs[len(one.prompt) + place - 1, token].item() if own else 0.0
        assert logprob == pytest.approx(said, abs=1e-4)


# ----------------------------------------------------------------- small models


def cell_rollouts(policy: MatchPolicy | None = None, seed: int = 0) -> Rollouts:
    game = make_game("tictactoe")
    return Rollouts(
        game, lambda row: text_match(game, ["random"], seed=row, policy=policy), CellTokens(game), seed=seed, limit=200
    )


@pytest.mark.parametrize("policy", [None, GOES_ON], ids=["one try", "goes on"])
def test_what_the_model_wrote_is_marked(policy: MatchPolicy | None) -> None:
    rollouts = cell_rollouts(policy)
    model = new_model(make_game("tictactoe"), ModelShape(hidden=16, inner=16)).eval()
    played = rollouts.play(model, [f"match {i}" for i in range(24)], Chance.from_seed(1), temperature=0.7)
    board = rollouts.tokens.board  # type: ignore[attr-defined]
    for one in played:
        check_rollout(one, model, 0.7)
        wrote = [token for token, own in zip(one.completion, one.mask, strict=True) if own]
        judged = [attempt for attempt in one.match.match.attempts if attempt.seat == one.match.seat]
        assert [board.words[token] for token in wrote] == [attempt.decision.text for attempt in judged]
        assert one.answers == len(wrote) and one.legal == judged[-1].verdict.is_legal
        assert one.match.match.ending is not None
    assert {one.match.seat for one in played} == {"X", "O"}
    assert any(0 in one.mask for one in played) or policy is None, "nobody was asked twice"


def test_a_sequence_is_what_the_player_reads_in_a_tournament() -> None:
    """Prefix by prefix: the transcript made from a turn alone is the sequence that was trained on."""
    compared = []

    class Compared(CellTokens):
        def following(self, turn: Turn, messages: Sequence[Message], answer: Sequence[int]) -> list[int]:
            compared.append((turn.match, self.board.transcript(turn)))
            return super().following(turn, messages, answer)

    game = make_game("tictactoe")
    rollouts = Rollouts(game, lambda row: text_match(game, ["random"], seed=row, policy=GOES_ON), Compared(game))
    model = new_model(game, ModelShape(hidden=16, inner=16))
    played = {
        one.match.match.id: one.prompt + one.completion
        for one in rollouts.play(model, [str(i) for i in range(12)], Chance.from_seed(3))
    }
    assert len(compared) > 12
    for match, transcript in compared:
        assert transcript == played[match][: len(transcript)]


def test_what_trainers_are_given() -> None:
    rollouts = cell_rollouts()
    rollouts.measures = {"moves": lambda one: len(one.match.match.moves)}
    model = new_model(make_game("tictactoe"), ModelShape(hidden=16, inner=16)).train()
    trainer = SimpleNamespace(
        model=model,
        accelerator=SimpleNamespace(unwrap_model=lambda model: model),
        state=SimpleNamespace(global_step=5),
        temperature=1.0,
    )
    prompts = [row["prompt"] for row in rows(3) for _ in range(4)]
    found = rollouts(prompts, trainer)
    assert model.training, "the trainer's model is left as it was"
    assert {len(values) for values in found.values()} == {12}
    assert {"prompt_ids", "completion_ids", "logprobs", "env_mask", "moves"} <= found.keys()
    for i in range(0, 12, 4):
        assert len({tuple(ids) for ids in found["prompt_ids"][i : i + 4]}) == 1, "one prompt is one match"
    assert len({tuple(ids) for ids in found["completion_ids"]}) > 3, "which is not played alike"
    assert found == rollouts(prompts, trainer), "the same step, the same draws"
    trainer.state.global_step = 6
    assert found["completion_ids"] != rollouts(prompts, trainer)["completion_ids"]
    assert score(**found) == found["score"]
    assert all(legal or reward == 0 for legal, reward in zip(found["legal"], found["score"], strict=True))


# ------------------------------------------------------------------------ chats


@pytest.mark.parametrize("name", ["nim", "liars_dice"])
def test_every_game_is_a_chat_that_only_grows(name: str) -> None:
    tokenizer = byte_tokenizer()
    game = make_game(name)
    rollouts = rollouts_of(game, ["random"] * (game.players[0] - 1), tokenizer, policy=GOES_ON, longest=5, limit=40_000)
    model = tiny_model(len(tokenizer), seed=1)
    played = rollouts.play(model, ["match 1", "match 2"], Chance.from_seed(2))
    rollouts.close()
    assert sum(one.answers for one in played) > 3
    for one in played:
        check_rollout(one, model)
        text = tokenizer.decode(one.prompt + one.completion)
        assert text.startswith("<|im_start|>user\n") and text.count("<|im_start|>assistant\n") == one.answers
        # What the last request showed, but for what the parser is not given: how an answer ended.
        last = [attempt for attempt in one.match.match.attempts if attempt.seat == one.match.seat][-1]
        for message in last.decision.exchanges[0].request.messages:
            assert message.role == "assistant" or f"<|im_start|>user\n{message.text}<|im_end|>\n" in text


def test_a_chat_is_what_the_template_makes_of_it() -> None:
    """An answer that was ended and one that was cut off: both are closed once."""
    tokenizer = byte_tokenizer()
    game = make_game("tictactoe")
    model = Scripted(tokenizer, ["2,2<|im_end|>", "I play 1,2?", "nonsense<|im_end|>"])
    policy = MatchPolicy(attempts=1, on_exhausted="random")
    match = text_match(game, ["random"], seed=4, seat="X", policy=policy)
    rollouts = Rollouts(game, lambda row: match, ChatTokens(tokenizer, longest=11))
    model.tokens = [*model.tokens, *[tokenizer("3,3<|im_end|>")["input_ids"]] * 3]
    (one,) = rollouts.play(model, ["any"], Chance.from_seed(1))
    own = [attempt for attempt in match.match.attempts if attempt.seat == "X"]
    assert [attempt.decision.text for attempt in own][:3] == ["2,2", "I play 1,2?", "nonsense"]
    chat = [{"role": m.role, "content": m.text} for m in own[2].decision.exchanges[0].request.messages]
    whole = tokenizer.apply_chat_template(chat, tokenize=False, add_generation_prompt=True)
    assert tokenizer.decode(model.asked[2]) == whole
    assert (one.prompt + one.completion)[: len(model.asked[2])] == model.asked[2]


def test_a_match_that_grows_too_long_has_no_reward() -> None:
    tokenizer = byte_tokenizer()
    rollouts = rollouts_of(make_game("nim"), ["random"], tokenizer, longest=5, limit=100)
    (one,) = rollouts.play(tiny_model(len(tokenizer)), ["match 1"], Chance.from_seed(2))
    assert one.stopped and one.match.reward is None and score([one.match.reward]) == [None]


# ----------------------------------------------------------------------- errors


def test_mistakes_get_one_sentence() -> None:
    with pytest.raises(ConfigurationError, match="no chat template"):
        ChatTokens(byte_tokenizer(None))
    # A template that shows no earlier answers.
    forgets = CHATML.replace("message['content']", "message['content'] if message['role'] == 'user' else ''")
    with pytest.raises(ConfigurationError, match="rewrites what it has shown"):
        ChatTokens(byte_tokenizer(forgets))
    game = make_game("tictactoe")

    def pictures(row: str) -> TextMatch:
        return text_match(game, ["random"], seed=row, style=PromptStyle(view="image"))

    tokenizer = byte_tokenizer()
    with pytest.raises(ConfigurationError, match="choose a text view"):
        Rollouts(game, pictures, ChatTokens(tokenizer)).play(tiny_model(9), ["match 1"], Chance.from_seed(1))
    with pytest.raises(ConfigurationError, match="dqn plays uno"):
        rollouts_of(game, ["dqn"], tokenizer)


def test_without_torch_there_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "torch", None)
    monkeypatch.delitem(sys.modules, "ludometer.envs.trl")
    with pytest.raises(ConfigurationError, match=r"pip install 'ludometer\[rl\]'"):
        importlib.import_module("ludometer.envs.trl")
