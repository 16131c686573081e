"""GRPO on a processor: a transformer of 87,000 weights learns tic-tac-toe from nothing, with TRL.

    pip install 'ludometer[rl]'
    python examples/train_tictactoe.py --dir runs/tictactoe
    ludometer play tictactoe -p checkpoint:runs/tictactoe/model.safetensors -p perfect --games 20

Nothing tells the model which moves are legal: an illegal answer loses, in training as in every evaluation. The folder
gets the model, the learning curve (CSV and SVG) and the final figures. The same seed gives the same weights on the
same machine. See docs/training-tictactoe.md for what was measured.
"""

from __future__ import annotations

import argparse
import asyncio
import csv
import json
import os
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from ludometer.core import Chance, make_game
from ludometer.envs.matches import ONE_TRY, player_of
from ludometer.envs.text import TextMatch
from ludometer.games.tictactoe import SEATS, Position
from ludometer.matches import Match
from ludometer.prompts import AnswerStyle, PromptStyle
from ludometer.ratings.intervals import mean_interval
from ludometer.reports.markup import element
from ludometer.reports.svg import SERIES, Scale, axis, canvas, label, line
from ludometer.solvers import exact_evaluator

GAME = make_game("tictactoe")
OPPONENTS = ("random", "perfect")
LAST = 8
"""Plies after which one decision, of one empty cell, is left."""


@dataclass(frozen=True)
class Settings:
    """Of a training; every one is an option on the command line."""

    steps: int = 1500  # of the optimizer
    games: int = 128  # per step
    group: int = 8  # of them from the same position against the same opponent: GRPO compares these with each other
    rate: float = 1e-3  # falls to 0
    entropy: float = 0.1  # bonus for not being sure too early
    perfect: float = 0.4  # share of games against perfect play, the others against random play
    openings: float = 0.6  # share of games that begin somewhere in the middle, once all may begin at the beginning
    backwards: float = 0.0  # share of the training in which games begin ever earlier, from the last move on
    illegal: float = -1.0  # reward of an illegal answer ...
    patience: float = 0.25  # ... and what every legal one before it adds
    regret: float = 0.0  # what is taken off for the exact value that moves gave away
    every: int = 100  # steps between evaluations
    figures: int = 500  # games of an evaluation, against each opponent
    final: int = 4000  # games of the last one
    seed: int = 0
    threads: int = 1  # of torch; another number adds up in another order, and gives other weights


# ----------------------------------------------------------------------- games


PLAYERS = {name: player_of(name, GAME) for name in OPPONENTS}
STYLE = PromptStyle(answer=AnswerStyle("text"), context="fresh")


def deal(row: str) -> TextMatch:
    """The match of a row, written "opponent start name".

    The start is the learner's seat in a whole game, or a number: after so many random moves the learner is asked.
    """
    opponent, start, _ = row.split()
    opening, state = opened(Chance.from_seed(row).named("opening"), 0 if start in SEATS else int(start))
    seat = start if start in SEATS else GAME.to_act(state)[0]
    other = SEATS[1 - SEATS.index(seat)]
    match = Match(GAME, 2, luck=row, seed=row, policy=ONE_TRY, opening=opening)
    return TextMatch(match, seat, {other: PLAYERS[opponent]}, STYLE)


def opened(chance: Chance, plies: int) -> tuple[list[str], Position]:
    """At most so many random moves, fewer where the game would be over."""
    state, moves = GAME.new(2, chance), []
    for ply in range(plies):
        seat = GAME.to_act(state)[0]
        action = GAME.sample(state, seat, chance.named(ply))
        after = GAME.apply(state, {seat: action})
        if GAME.outcome(after) is not None:
            break
        moves.append(GAME.format(state, action))
        state = after
    return moves, state


def rows(settings: Settings) -> Iterator[dict[str, str]]:
    """The curriculum: one row for every group, in the order in which they are played."""
    for step in range(settings.steps):
        left = 1 - step / (settings.steps * settings.backwards) if settings.backwards else 0
        earliest = max(0, round((LAST - 1) * left))
        for group in range(settings.games // settings.group):
            chance = Chance.from_seed(settings.seed).named("row", step, group)
            middle = earliest > 0 or chance.named("middle").unit()[0] < settings.openings
            plies = earliest + chance.named("plies").below(LAST - earliest if middle else 2)[0]
            opponent = OPPONENTS[chance.named("opponent").unit()[0] < settings.perfect]
            yield {"prompt": f"{opponent} {plies} {settings.seed}-{step}-{group}"}


@cache
def regrets(state: Position) -> dict[Any, float]:
    """What every move gives away of the exact value, which is in [0, 1]."""
    evaluator = exact_evaluator(GAME)
    asyncio.run(evaluator.prepare(GAME))
    values = evaluator.action_values(GAME, state, GAME.to_act(state)[0])
    return {action: max(values.values()) - value for action, value in values.items()}


def given_away(one: Any) -> float:
    """The regret of the learner's legal moves in a match, added up."""
    match, total = one.match.match, 0.0
    state = GAME.new(2, Chance.from_seed(0))
    first = len(match.state.moves) - len(match.moves)
    for ply, action in enumerate(match.state.moves):
        seat = GAME.to_act(state)[0]
        if ply >= first and seat == one.match.seat:
            total += regrets(state)[action]
        state = GAME.apply(state, {seat: action})
    return total


# ------------------------------------------------------------------ evaluation


class Figures(NamedTuple):
    """Of games against one opponent, half of them as X; nothing is masked, an illegal answer loses."""

    step: int
    opponent: str
    temperature: float
    games: int
    score: float
    low: float
    high: float
    illegal: float
    drawn_as_x: float
    drawn_as_o: float


def evaluate(rollouts: Any, model: Any, games: int, step: int, temperature: float, name: str) -> list[Figures]:
    """Figures against every opponent. The name chooses the luck: no training has it."""
    found = []
    for opponent in OPPONENTS:
        rows = [f"{opponent} {SEATS[i % 2]} {name}-{i}" for i in range(games)]
        played = rollouts.play(model, rows, luck(name), temperature)
        scores = [one.match.reward for one in played]
        interval = mean_interval(scores)
        draws = [score == 0.5 for score in scores]
        found.append(
            Figures(
                step,
                opponent,
                temperature,
                games,
                interval.value,
                interval.low,
                interval.high,
                sum(not one.legal for one in played) / games,
                sum(draws[::2]) / (games / 2),
                sum(draws[1::2]) / (games / 2),
            )
        )
    return found


def luck(name: str) -> Chance:
    return Chance.from_seed("train_tictactoe").named("evaluation", name)


# -------------------------------------------------------------------- training


def train(settings: Settings, folder: Path) -> list[Figures]:
    """Trains, writes everything to the folder, and returns the final figures."""
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")  # rollout_func may change: the extra pins TRL
    os.environ.setdefault("HF_HUB_OFFLINE", "1")  # nothing is downloaded
    import torch

    from ludometer.envs.trl import CellTokens, Rollouts
    from ludometer.players.checkpoint import ModelShape, new_model, save_checkpoint

    folder.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(settings.threads)
    torch.manual_seed(settings.seed)  # of the first weights
    shape = ModelShape()
    model = new_model(GAME, shape)
    measures = {"regret": given_away if settings.regret else lambda one: 0.0}
    rollouts = Rollouts(GAME, deal, CellTokens(GAME), seed=settings.seed, measures=measures)
    curve = Curve(settings, folder, rollouts)
    trainer = trainer_of(settings, model, rollouts, curve)
    trainer.train()
    save_checkpoint(folder / "model.safetensors", model, GAME, shape)
    final = [
        figures
        for temperature in (1.0, 0.0)
        for figures in evaluate(rollouts, model, settings.final, settings.steps, temperature, "final")
    ]
    result = {
        "settings": asdict(settings),
        "weights": sum(weights.numel() for weights in model.parameters()),
        "processor_seconds": round(curve.spent["processor"]),
        "wall_seconds": round(curve.spent["wall"]),
        "final": [figures._asdict() for figures in final],
    }
    (folder / "result.json").write_text(json.dumps(result, indent=2), encoding="utf-8")
    rollouts.close()
    return final


def trainer_of(settings: Settings, model: Any, rollouts: Any, curve: Curve) -> Any:
    """TRL's trainer. What is not named here is its default."""
    from datasets import Dataset
    from transformers import TrainerCallback
    from trl import GRPOConfig, GRPOTrainer

    class Watch(TrainerCallback):
        def on_step_end(self, args: Any, state: Any, control: Any, **_: Any) -> None:
            # The longer it has trained, the surer it may be.
            trainer.entropy_coef = settings.entropy * (1 - state.global_step / settings.steps)
            if state.global_step % settings.every == 0 or state.global_step == settings.steps:
                curve.add(model, state.global_step)

    config = GRPOConfig(
        output_dir=str(curve.folder),
        per_device_train_batch_size=settings.games,
        num_generations=settings.group,
        max_steps=settings.steps,
        learning_rate=settings.rate,
        lr_scheduler_type="linear",
        warmup_steps=min(20, settings.steps // 10),
        adam_beta2=0.99,
        scale_rewards="batch",
        entropy_coef=settings.entropy,
        max_completion_length=rollouts.tokens.board.longest(),
        shuffle_dataset=False,  # the curriculum is an order
        seed=settings.seed,
        use_cpu=True,
        bf16=False,  # far slower than float32 on most processors
        gradient_checkpointing=False,
        report_to="none",
        logging_strategy="no",
        save_strategy="no",
        disable_tqdm=True,
    )

    def reward(score: Sequence[float], legal: Sequence[bool], answers: Sequence[int], regret: Any, **_: Any) -> Any:
        played = zip(score, legal, answers, regret, strict=True)
        return [
            (won if fine else settings.illegal + settings.patience * (answered - 1)) - settings.regret * lost
            for won, fine, answered, lost in played
        ]

    trainer = GRPOTrainer(
        model=model,
        args=config,
        train_dataset=Dataset.from_list(list(rows(settings))),
        reward_funcs=reward,
        processing_class=tokenizer(rollouts.tokens.board.words),
        rollout_func=rollouts,
        callbacks=[Watch()],
    )
    return trainer


def tokenizer(words: Sequence[str]) -> Any:
    """The words as a tokenizer, which trainers want to have: rollouts are tokens already."""
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    known = Tokenizer(models.WordLevel({word: number for number, word in enumerate(words)}, unk_token=words[0]))
    known.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return PreTrainedTokenizerFast(tokenizer_object=known, pad_token=words[0], eos_token=words[1], padding_side="left")


# ------------------------------------------------------------------- the curve


class Curve:
    """Figures every so many steps, and the files that show them. Time spent on them is not counted."""

    def __init__(self, settings: Settings, folder: Path, rollouts: Any) -> None:
        self.settings, self.folder, self._rollouts = settings, folder, rollouts
        self.figures: list[Figures] = []
        self.spent = {"processor": 0.0, "wall": 0.0}
        self._since = (time.process_time(), time.perf_counter())

    def add(self, model: Any, step: int) -> None:
        self.spent["processor"] += time.process_time() - self._since[0]
        self.spent["wall"] += time.perf_counter() - self._since[1]
        new = evaluate(self._rollouts, model, self.settings.figures, step, 1.0, "curve")
        self.figures += new
        table = [Figures._fields, *self.figures]
        with (self.folder / "curve.csv").open("w", newline="", encoding="utf-8") as file:
            csv.writer(file, lineterminator="\n").writerows(table)
        (self.folder / "curve.svg").write_text(curve_svg(self.figures), encoding="utf-8")
        print(
            f"{self.spent['processor']:.0f} s of processor time, {self.spent['wall']:.0f} s; {sentence(new)}",
            flush=True,
        )
        self._since = (time.process_time(), time.perf_counter())


LINES = (
    ("random", "score against random play", SERIES[0], lambda figures: figures.score),
    ("random", "illegal games against random play", SERIES[6], lambda figures: figures.illegal),
    ("perfect", "draws against perfect play as X", SERIES[1], lambda figures: figures.drawn_as_x),
    ("perfect", "draws against perfect play as O", SERIES[2], lambda figures: figures.drawn_as_o),
)
WIDTH, HEIGHT = 720.0, 380.0


def curve_svg(curve: Sequence[Figures]) -> str:
    """The figures against steps, as SVG source; the score with its 95 percent interval."""
    across = Scale.around([figures.step for figures in curve], 56, WIDTH - 24, zero=True)
    up = Scale(0.0, 1.0, HEIGHT - 52, 66)
    parts = axis(across, up.start, "steps of the optimizer", top=up.end)
    for tick in up.ticks():
        parts.append(line(across.start, up(tick), across.end, up(tick), kind="grid"))
        parts.append(label(across.start - 8, up(tick), f"{100 * tick:g}%", anchor="end", kind="muted"))
    against = [figures for figures in curve if figures.opponent == "random"]
    band = [(across(f.step), up(f.low)) for f in against] + [(across(f.step), up(f.high)) for f in reversed(against)]
    parts.append(element("polygon", points=points(band), fill=SERIES[0], opacity=0.2))
    for number, (opponent, words, color, value) in enumerate(LINES):
        places = [(across(f.step), up(value(f))) for f in curve if f.opponent == opponent]
        parts.append(element("polyline", points=points(places), fill="none", stroke=color, stroke_width=2))
        x, y = 56 + 320 * (number % 2), 16 + 22 * (number // 2)
        parts.append(element("rect", x=x, y=y - 5, width=10, height=10, rx=2, fill=color))
        parts.append(label(x + 16, y, words, kind="muted"))
    return str(canvas(WIDTH, HEIGHT, "GRPO on tic-tac-toe: the unmasked policy during the training", *parts))


def points(places: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)


def sentence(figures: Sequence[Figures]) -> str:
    parts = [
        f"against {f.opponent}: score {f.score:.3f} ({f.low:.3f} to {f.high:.3f}, n = {f.games}), illegal "
        f"{f.illegal:.1%}, drawn {f.drawn_as_x:.1%} as X and {f.drawn_as_o:.1%} as O"
        for f in figures
    ]
    return f"step {figures[0].step}, temperature {figures[0].temperature:g}; " + "; ".join(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dir", type=Path, help="folder for the model and the curve; without it nothing is trained")
    for name, default in asdict(Settings()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default, help=f"{default}")
    options = vars(parser.parse_args())
    folder = options.pop("dir")
    if folder is None:
        parser.print_help()
        return
    final = train(Settings(**options), folder)
    for start in range(0, len(final), len(OPPONENTS)):
        print(f"final: {sentence(final[start : start + len(OPPONENTS)])}")
    print(f"play it: ludometer play tictactoe -p checkpoint:{folder / 'model.safetensors'} -p perfect --games 20")


if __name__ == "__main__":
    main()
