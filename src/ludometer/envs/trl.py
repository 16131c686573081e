"""Rollouts for TRL's trainers: matches in which the model that is trained holds one seat. Needs the extra ``rl``.

    rollouts = rollouts_of(make_game("connect4"), ["mcts:simulations=50"], tokenizer)
    GRPOTrainer(model=..., train_dataset=Dataset.from_list(rows(1000)), reward_funcs=score, rollout_func=rollouts, ...)

Every row of the data set is one match: rows with the same prompt have the same luck, and the model the same seat.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from ludometer.core import AnyGame, Chance, ConfigurationError, Message, Turn
from ludometer.core.chance import Label
from ludometer.envs.matches import Opponent, Opponents
from ludometer.envs.text import TextMatch, text_match
from ludometer.games.tictactoe import TicTacToe
from ludometer.matches import MatchPolicy
from ludometer.players.checkpoint import BoardTokens
from ludometer.prompts import PromptStyle

try:
    import torch
except ImportError:
    raise ConfigurationError("this needs torch and TRL; install them with: pip install 'ludometer[rl]'") from None

__all__ = ["CellTokens", "ChatTokens", "Rollout", "Rollouts", "Tokens", "rollouts_of", "rows", "score"]


class Tokens(Protocol):
    """How a seat is asked in tokens, and how its answers are read.

    Attributes:
        stops: tokens that end an answer.
        longest: how many tokens an answer may have.
    """

    stops: frozenset[int]
    longest: int

    def opening(self, turn: Turn, messages: Sequence[Message]) -> list[int]:
        """What the model is asked first."""
        ...

    def following(self, turn: Turn, messages: Sequence[Message], answer: Sequence[int]) -> list[int]:
        """What stands between the model's last answer and its next one."""
        ...

    def text(self, answer: Sequence[int]) -> str:
        """An answer as the parser reads it."""
        ...


class ChatTokens:
    """A chat in the words of tournaments, through the chat template of a tokenizer.

    The template is asked for every message alone, and what the model wrote stays as it wrote it: sequences only grow,
    also where a template would rewrite earlier turns.

    Args:
        tokenizer: one of transformers', with a chat template.
        longest: how many tokens an answer may have.
        template: further arguments of the template (``enable_thinking=False``).

    Raises:
        ConfigurationError: there is no chat template, or it cannot show a chat turn by turn.
    """

    def __init__(self, tokenizer: Any, longest: int = 64, **template: Any) -> None:
        if not getattr(tokenizer, "chat_template", None):
            raise ConfigurationError("the tokenizer has no chat template; take that of a model made to chat")
        self.tokenizer = tokenizer
        self.longest = longest
        self._template = template
        self._before = [{"role": "user", "content": "."}]
        self._answered = [*self._before, {"role": "assistant", "content": "."}]
        asked, answered = self._rendered(self._before, True), self._rendered(self._answered, False)
        if not answered.startswith(asked + "."):
            raise ConfigurationError("the chat template rewrites what it has shown; games need one that only adds")
        self._closing = self._ids(answered[len(asked) + 1 :])
        ends = {tokenizer.eos_token_id, *self._closing[:1]}
        self.stops = frozenset(end for end in ends if end is not None)

    def opening(self, turn: Turn, messages: Sequence[Message]) -> list[int]:
        return self._ids(self._rendered([_spoken(message) for message in messages], True))

    def following(self, turn: Turn, messages: Sequence[Message], answer: Sequence[int]) -> list[int]:
        head = self._rendered(self._answered, False)
        full = self._rendered([*self._answered, _spoken(messages[-1])], True)
        if not full.startswith(head):
            raise ConfigurationError("the chat template rewrites what it has shown; games need one that only adds")
        ended = bool(answer) and answer[-1] in self._closing[:1]
        return self._closing[int(ended) :] + self._ids(full[len(head) :])

    def text(self, answer: Sequence[int]) -> str:
        return str(self.tokenizer.decode(list(answer), skip_special_tokens=True))

    def _rendered(self, messages: list[dict[str, str]], asks: bool) -> str:
        return str(
            self.tokenizer.apply_chat_template(messages, tokenize=False, add_generation_prompt=asks, **self._template)
        )

    def _ids(self, text: str) -> list[int]:
        return list(self.tokenizer(text, add_special_tokens=False)["input_ids"])


class CellTokens:
    """An m,n,k game for a small model of its own: one token per cell of the board, one per answer.

    The model that it trains plays in tournaments as ``checkpoint:PATH`` (`ludometer.players.checkpoint`).
    """

    stops: frozenset[int] = frozenset()
    longest = 1

    def __init__(self, game: TicTacToe) -> None:
        self.board = BoardTokens.of(game)

    def opening(self, turn: Turn, messages: Sequence[Message]) -> list[int]:
        return self.board.transcript(turn)

    def following(self, turn: Turn, messages: Sequence[Message], answer: Sequence[int]) -> list[int]:
        return self.board.asked(turn.observation)

    def text(self, answer: Sequence[int]) -> str:
        return self.board.said(answer[0])


def _spoken(message: Message) -> dict[str, str]:
    if not isinstance(message.content, str):
        raise ConfigurationError("pictures cannot be put to a tokenizer; choose a text view")
    return {"role": message.role, "content": message.content}


@dataclass(slots=True)
class Rollout:
    """One match as tokens.

    Attributes:
        prompt: what was asked first.
        completion: everything after it: the model's answers, and what it was asked between them.
        logprobs: of the tokens that the model wrote; 0 for the others.
        mask: 1 for the tokens that the model wrote.
        stopped: the sequence grew too long; the match has no result.
    """

    match: TextMatch
    prompt: list[int] = field(default_factory=list)
    completion: list[int] = field(default_factory=list)
    logprobs: list[float] = field(default_factory=list)
    mask: list[int] = field(default_factory=list)
    stopped: bool = False

    def add(self, tokens: Sequence[int], logprobs: Sequence[float] | None = None) -> None:
        """Appends what the model wrote, or (without ``logprobs``) what it was told."""
        self.completion += tokens
        self.logprobs += logprobs if logprobs is not None else [0.0] * len(tokens)
        self.mask += [int(logprobs is not None)] * len(tokens)

    @property
    def legal(self) -> bool:
        """Whether the referee accepted the learner's last answer."""
        own = [attempt for attempt in self.match.match.attempts if attempt.seat == self.match.seat]
        return not own or own[-1].verdict.is_legal

    @property
    def answers(self) -> int:
        """How often the learner has answered."""
        return sum(attempt.seat == self.match.seat for attempt in self.match.match.attempts)


class Rollouts:
    """A ``rollout_func``: plays the matches that prompts name, all at the same time, one batch per answer.

    Args:
        game: the rules.
        match: makes the match of a prompt (by default trainers show every prompt several times: the same match).
        tokens: how the model is asked.
        seed: of the model's own luck; with the trainer's step it decides every draw.
        limit: of a sequence's length in tokens. A match that outgrows it is stopped, has no reward, and is not
            learned from.
        measures: further values for reward functions, by the name of their argument.
    """

    def __init__(
        self,
        game: AnyGame,
        match: Callable[[str], TextMatch],
        tokens: Tokens,
        *,
        seed: Label = 0,
        limit: int = 4096,
        measures: Mapping[str, Callable[[Rollout], Any]] | None = None,
    ) -> None:
        self.measures = measures or {}
        self.tokens = tokens
        self.seed = seed
        self.limit = limit
        self._match = match
        self._here = Opponents(game, {})  # for its event loop

    def __call__(self, prompts: Sequence[str], trainer: Any) -> dict[str, list[Any]]:
        """What TRL asks for, and for reward functions ``score`` (None: no result), ``legal``, ``answers``, ``why``."""
        chance = Chance.from_seed(self.seed).named("tokens", int(trainer.state.global_step))
        model = trainer.accelerator.unwrap_model(trainer.model)
        played = self.play(model, prompts, chance, temperature=trainer.temperature)
        return {
            "prompt_ids": [one.prompt for one in played],
            "completion_ids": [one.completion for one in played],
            "logprobs": [one.logprobs for one in played],
            "env_mask": [one.mask for one in played],
            "score": [one.match.reward for one in played],
            "legal": [one.legal for one in played],
            "answers": [one.answers for one in played],
            "why": [ending.why if (ending := one.match.match.ending) else "stopped" for one in played],
            **{name: [measure(one) for one in played] for name, measure in self.measures.items()},
        }

    def play(self, model: Any, prompts: Sequence[str], chance: Chance, temperature: float = 1.0) -> list[Rollout]:
        """Plays one match per prompt to its end.

        Args:
            chance: decides the model's draws.
            temperature: 0: the likeliest token.
        """
        played = [Rollout(self._match(prompt)) for prompt in prompts]
        training = model.training
        model.eval()
        try:
            self._here.wait(self._play(model, played, chance, temperature))
        finally:
            model.train(training)
        return played

    def close(self) -> None:
        """Gives back the event loop."""
        self._here.close()

    async def _play(self, model: Any, played: list[Rollout], chance: Chance, temperature: float) -> None:
        generator = torch.Generator().manual_seed(chance.bits()[0] >> 1)
        while asked := await self._ask(played):
            sequences = [one.prompt + one.completion for one in asked]
            answers = _sampled(model, sequences, self.tokens, generator, temperature)
            for one, (tokens, logprobs) in zip(asked, answers, strict=True):
                one.add(tokens, logprobs)
                one.match.answer(self.tokens.text(tokens))

    async def _ask(self, played: list[Rollout]) -> list[Rollout]:
        """The matches that go on, up to where the model is asked again."""
        going = [one for one in played if not one.stopped and one.match.match.ending is None]
        chats = await asyncio.gather(*(one.match.ask() for one in going))
        asked = []
        for one, messages in zip(going, chats, strict=True):
            if messages is None:
                continue
            self._put(one, messages)
            one.stopped = len(one.prompt) + len(one.completion) + self.tokens.longest > self.limit
            if not one.stopped:
                asked.append(one)
        return asked

    def _put(self, one: Rollout, messages: Sequence[Message]) -> None:
        turn = next(turn for turn in one.match.match.turns() if turn.seat == one.match.seat)
        if one.prompt:
            answer = one.completion[_last_answer(one.mask) :]
            one.add(self.tokens.following(turn, messages, answer))
        else:
            one.prompt = self.tokens.opening(turn, messages)


def _last_answer(mask: Sequence[int]) -> int:
    """Where the answer at the end of a sequence begins."""
    start = len(mask)
    while start and mask[start - 1]:
        start -= 1
    return start


def _sampled(
    model: Any, sequences: Sequence[Sequence[int]], tokens: Tokens, generator: torch.Generator, temperature: float
) -> list[tuple[list[int], list[float]]]:
    """An answer to each of the sequences, with the log probabilities of its tokens."""
    width = max(map(len, sequences))
    device = model.device
    ids = torch.tensor([[0] * (width - len(one)) + list(one) for one in sequences], device=device)
    mask = torch.tensor([[0] * (width - len(one)) + [1] * len(one) for one in sequences], device=device)
    found: list[tuple[list[int], list[float]]] = [([], []) for _ in sequences]
    writing = set(range(len(sequences)))
    known: Any = None
    with torch.no_grad():
        for _ in range(tokens.longest):
            places = (mask.cumsum(-1) - 1).clamp(min=0)[:, -ids.shape[1] :]
            out = model(
                input_ids=ids,
                attention_mask=mask,
                position_ids=places,
                cache=known,
                use_cache=tokens.longest > 1,
                logits_to_keep=1,
            )
            chosen, logprobs = _drawn(out.logits[:, -1].float(), generator, temperature)
            for i, token, logprob in zip(range(len(found)), chosen.tolist(), logprobs.tolist(), strict=True):
                if i in writing:
                    found[i][0].append(token)
                    found[i][1].append(logprob)
                    if token in tokens.stops:
                        writing.discard(i)
            if not writing:
                break
            known, ids = out.cache, chosen[:, None].to(device)
            mask = torch.cat([mask, torch.ones_like(ids)], dim=1)
    return found


def _drawn(logits: torch.Tensor, generator: torch.Generator, temperature: float) -> tuple[torch.Tensor, torch.Tensor]:
    """A token for each row, shape ``(rows,)``, and its log probability."""
    logits = logits.cpu()  # where the generator is: the draws are the same on every device
    logprobs = (logits / temperature if temperature else logits).log_softmax(-1)
    if temperature:
        chosen = torch.multinomial(logprobs.exp(), 1, generator=generator)
    else:
        chosen = logprobs.argmax(-1, keepdim=True)
    return chosen[:, 0], logprobs.gather(-1, chosen)[:, 0]


def rollouts_of(
    game: AnyGame,
    opponents: Sequence[Opponent],
    tokenizer: Any,
    *,
    seed: Label = 0,
    policy: MatchPolicy | None = None,
    style: PromptStyle | None = None,
    longest: int = 64,
    limit: int = 4096,
    **template: Any,
) -> Rollouts:
    """A ``rollout_func`` for a language model with a chat template, in a game for ``len(opponents) + 1`` players.

    Args:
        opponents: by place around the table, the model's left out; the model's seat is drawn for every prompt.
        seed: of everything that is drawn.
        policy: by default an illegal answer forfeits.
        style: by default a growing chat in the game's default view, answered in text.
        longest, limit: tokens of an answer, and of a whole match.
        template: further arguments of the chat template.

    Raises:
        ConfigurationError: an opponent that cannot play, or a tokenizer without a usable chat template.
    """
    players = list(Opponents(game, {str(i): one for i, one in enumerate(opponents)}).players.values())

    def match(prompt: str) -> TextMatch:
        return text_match(game, players, seed=f"{seed} {prompt}", policy=policy, style=style)

    return Rollouts(game, match, ChatTokens(tokenizer, longest, **template), seed=seed, limit=limit)


def rows(count: int) -> list[dict[str, str]]:
    """A data set of so many matches. A prompt only names its match: what the model reads comes from the game."""
    return [{"prompt": f"match {i}"} for i in range(1, count + 1)]


def score(score: Sequence[float | None], **_: Any) -> list[float | None]:
    """A reward function: the model's score at the end of the match; None, not to be learned from, without one."""
    return list(score)
