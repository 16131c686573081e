"""Optimizing a DSPy program on recorded decisions, with the calls of a model of ours."""

from __future__ import annotations

import asyncio
import contextlib
import io
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import numpy as np

from ludometer.core import Completion, ConfigurationError, Json, Request
from ludometer.models import Model
from ludometer.players.llm import LlmPlayer
from ludometer.ratings import mean_interval, score_interval
from ludometer.strategies._dspy_engine import Engine, Stopped
from ludometer.strategies.dspy import check_style, legal_moves, require_dspy
from ludometer.training.recorded_decisions import Metric, RecordedDecision

__all__ = ["Estimate", "Optimized", "Optimizer", "Spent", "optimize"]

Optimizer = Literal["bootstrap", "labeled"]
"""``bootstrap`` (``dspy.BootstrapFewShot``): examples that the model itself solved, with its reasoning, and recorded
ones. ``labeled`` (``dspy.LabeledFewShot``): recorded ones only; no call is made for it."""

_FORMAT: Final = 1


class Estimate(NamedTuple):
    """A mean over ``n`` decisions with its 95% interval, clustered on the duplicate group."""

    value: float
    low: float
    high: float
    n: int


@dataclass(slots=True)
class Spent:
    """What the model was asked. ``cost`` counts calls with a known price; ``unpriced`` are the others."""

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    unpriced: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def add(self, completion: Completion) -> None:
        with self._lock:
            self.calls += 1
            self.input_tokens += completion.usage.input or 0
            self.output_tokens += completion.usage.output or 0
            self.cost += completion.cost or 0.0
            self.unpriced += completion.cost is None


@dataclass(frozen=True, slots=True)
class Optimized:
    """A program that was made.

    Attributes:
        path: the saved file.
        learned: decisions learned from; ``demonstrations``: examples in the program, over all its predictors.
        before, after: the metric on held-out decisions, and ``gain``, the mean of the differences decision by
            decision; None without a test.
    """

    path: Path
    learned: int
    demonstrations: int
    before: Estimate | None
    after: Estimate | None
    gain: Estimate | None
    spent: Spent


def optimize(
    path: Path,
    player: LlmPlayer,
    learn: Sequence[RecordedDecision],
    test: Sequence[RecordedDecision],
    *,
    metric: Metric,
    module: str = "predict",
    start: str = "",
    optimizer: Optimizer = "bootstrap",
    demonstrations: int = 4,
    threshold: float = 1.0,
    budget_usd: float | None = None,
    about: dict[str, Json] | None = None,
    on_step: Callable[[str], None] = lambda words: None,
) -> Optimized:
    """Makes a program of recorded decisions, tests it, and saves it to ``path``.

    Args:
        player: whose model is asked, with the prompt settings that are played with later.
        learn, test: decisions to learn from, and others to test with.
        module, start: the module, and a saved program to begin with (see `ludometer.strategies.dspy`).
        demonstrations: examples of each kind that the program may have.
        threshold: what an answer of the model must be worth to become an example.
        budget_usd: the work ends with an error once the calls have cost more.
        about: further facts to stand in the file.
        on_step: told what begins.

    Raises:
        ConfigurationError: DSPy is missing, ``path`` exists already, a setting does not fit, or the budget is used up.
        ProviderError: the model gave no answer.
    """
    require_dspy()
    check_style(player.style)
    if path.exists():
        raise ConfigurationError(f"{path} exists already: choose another file, or remove it first")
    if path.suffix != ".json":
        raise ConfigurationError(f"the program is saved as JSON: choose a name such as {path.stem or 'program'}.json")
    from ludometer.strategies._dspy_modules import make_program, save_program

    program, spent = make_program(module, start), Spent()
    with _asking(player, spent, budget_usd, (*learn, *test)) as context:
        if test:
            on_step(f"testing the program as it is with {len(test)} decisions")
        before = _scores(program, context, test, metric)
        on_step(f"optimizing with {len(learn)} decisions")
        made = _compiled(program, context, learn, metric, optimizer, demonstrations, threshold)
        if test:
            on_step("testing the optimized program")
        after = _scores(made, context, test, metric)
    facts: dict[str, Json] = {"format": _FORMAT, "module": module or "predict", "optimizer": optimizer}
    facts |= {"metric": metric, "learned": len(learn), "model": player.model.name, **(about or {})}
    save_program(made, path, facts)
    groups = [decision.group for decision in test]
    gains = [new - old for old, new in zip(before, after, strict=True)]
    shown = sum(len(predictor.demos) for predictor in made.predictors())
    estimates = (_estimate(before, groups), _estimate(after, groups), _estimate(gains, groups, least=-1.0))
    return Optimized(path, len(learn), shown, *estimates, spent)


_Context = Callable[[], Any]
"""Makes the context in which a program asks the player's model."""


@contextlib.contextmanager
def _asking(
    player: LlmPlayer, spent: Spent, budget_usd: float | None, decisions: Sequence[RecordedDecision]
) -> Iterator[_Context]:
    """Lets programs ask the player's model, on an event loop in another thread."""
    from ludometer.strategies._dspy_modules import INPUTS, asking

    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, name="model calls", daemon=True)
    thread.start()
    model: Model = player.model
    turns = {tuple(decision.inputs.values()): decision.turn for decision in decisions}

    def ask(request: Request) -> Completion:
        if budget_usd is not None and spent.cost > budget_usd:
            raise ConfigurationError(f"the budget of {budget_usd:g} US dollars is used up; nothing was saved")
        completion = asyncio.run_coroutine_threadsafe(model.complete(request), loop).result()
        spent.add(completion)
        if budget_usd is not None and completion.cost is None:
            raise ConfigurationError(f"no price is known for {model.name}, so that no budget can be kept")
        return completion

    def moves(inputs: Mapping[str, Any]) -> tuple[str, ...]:
        turn = turns.get(tuple(str(inputs.get(name)) for name in INPUTS))
        return () if turn is None else legal_moves(turn)

    answer = player.style.answer
    schema = answer.format == "json_schema"
    engine = Engine(ask, model.settings, schema=schema, system=player.style.system, one_by_one=False)
    try:
        yield lambda: asking(engine, answer.format, model.settings, moves if answer.legal_only else None)
    except Stopped as stopped:
        raise stopped.error from None
    finally:
        asyncio.run_coroutine_threadsafe(model.close(), loop).result()
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()


def _compiled(
    program: Any,
    context: _Context,
    learn: Sequence[RecordedDecision],
    metric: Metric,
    optimizer: Optimizer,
    demonstrations: int,
    threshold: float,
) -> Any:
    import dspy

    known = {tuple(decision.inputs.values()): decision for decision in learn}
    examples = [dspy.Example(**one.inputs, move=one.move).with_inputs(*one.inputs) for one in learn]

    def judge(example: Any, prediction: Any, trace: Any = None) -> bool:
        decision = known[tuple(example[name] for name in learn[0].inputs)]
        return decision.score(prediction.move, metric) >= threshold - 1e-9

    if optimizer == "labeled":
        return dspy.LabeledFewShot(k=demonstrations).compile(program, trainset=examples)
    # Answers that cannot be read are no reason to give up: a small model has many of them.
    made = dspy.BootstrapFewShot(
        metric=judge,
        max_bootstrapped_demos=demonstrations,
        max_labeled_demos=demonstrations,
        max_errors=len(examples) + 1,
    )
    # It prints its progress, which is told in other words here.
    quiet = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
    with context(), quiet[0], quiet[1]:
        return made.compile(program, trainset=examples)


def _scores(program: Any, context: _Context, test: Sequence[RecordedDecision], metric: Metric) -> list[float]:
    """What the program's answer to every decision is worth; one that cannot be read is worth nothing."""
    from dspy.utils.exceptions import AdapterParseError

    scores = []
    for decision in test:
        with context():
            try:
                scores.append(decision.score(program(**decision.inputs).move, metric))
            except AdapterParseError:
                scores.append(0.0)
    return scores


def _estimate(values: Sequence[float], groups: Sequence[str], least: float = 0.0) -> Estimate | None:
    """The mean of values from ``least`` to 1."""
    if not values:
        return None
    made = score_interval if least == 0.0 else mean_interval
    found = made(np.array(values), np.array(groups))
    return Estimate(found.value, max(least, found.low), min(1.0, found.high), len(values))
