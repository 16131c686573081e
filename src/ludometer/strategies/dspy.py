"""A DSPy program decides: a module, or what an optimizer made of one (needs the extra ``dspy``).

After Khattab et al., "DSPy: Compiling declarative language model calls into self-improving pipelines" (ICLR 2024).
Every call that a program makes is a call of the player's own model, with the player's own settings: recorded, paid and
replayed like any other. DSPy's clients, cache, retries and history are not used.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
import importlib.util
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from ludometer.core import AnyGame, Completion, ConfigurationError, Fault, Illegal, Request, Turn
from ludometer.parsers import read
from ludometer.prompts import PromptStyle
from ludometer.strategies._dspy_engine import Engine, Stopped
from ludometer.strategies._files import place_of
from ludometer.strategies.conversation import Answer, Conversation

T = TypeVar("T")


async def strategy(
    conversation: Conversation, turn: Turn, module: str = "", program: str = "", refine: int = 0
) -> Answer:
    """Runs the program in a thread of its own, and reads the field ``move`` of what it predicts.

    Args:
        module: ``predict``, ``chain_of_thought``, or ``path/to/file.py:Class``, a ``dspy.Module`` of one's own; by
            default that of the saved program, else ``predict``.
        program: a saved program (a ``.json`` file).
        refine: how often the program may try, with ``dspy.Refine``, until its move is legal; 0 for once, without it.
    """
    check_style(conversation.style)
    inputs = inputs_of(turn, conversation.style)
    loop = asyncio.get_running_loop()
    pending: list[concurrent.futures.Future[Completion]] = []

    def ask(request: Request) -> Completion:
        answer = conversation.send(request.messages, schema=request.schema, json_object=request.json_object)
        pending[:] = [asyncio.run_coroutine_threadsafe(answer, loop)]
        if engine.failure is not None:  # cancelled just now
            pending[0].cancel()
        return pending[0].result()

    style, settings = conversation.style, conversation.model.settings
    engine = Engine(ask, settings, schema=style.answer.format == "json_schema", system=style.system)

    def work() -> _Run:
        return _run(engine, conversation, turn, inputs, module, program, refine)

    try:
        run = await _in_thread(work)
    except asyncio.CancelledError as error:
        engine.stop(error)
        for future in pending:
            future.cancel()
        raise
    if engine.failure is not None:  # whatever the program made of it
        raise engine.failure
    return _answer(run, turn, style.view_of(turn).notation, engine.answers)


def supports(game: AnyGame, module: str = "", program: str = "", refine: int = 0) -> None:
    """Raises `ConfigurationError` where DSPy is missing, or a program cannot be made."""
    require_dspy()
    if refine < 0:
        raise ConfigurationError(f"strategy dspy: refine = {refine} must be at least 0")
    from ludometer.strategies._dspy_modules import make_program

    make_program(module, program)


def calls_per_decision(module: str = "", program: str = "", refine: int = 0) -> tuple[int, None]:
    """One call at least; programs of several steps, tries until a move is legal, and answers in markers that cannot be
    read make for more."""
    return 1, None


def named_files(module: str = "", program: str = "", refine: int = 0) -> list[str]:
    """The user's own files among the options."""
    place = place_of(module)
    return [path for path in (place.path if place is not None else "", program) if path]


def require_dspy() -> None:
    """Raises `ConfigurationError` where DSPy is not installed."""
    if importlib.util.find_spec("dspy") is None:
        raise ConfigurationError("strategy dspy needs DSPy; install it with: pip install 'ludometer[dspy]'")


def check_style(style: PromptStyle) -> None:
    """Raises `ConfigurationError` for a setting of the prompt that a DSPy program would not follow."""
    if style.answer.format == "tool":
        raise ConfigurationError("strategy dspy: answer = 'tool' is not possible; choose text, json or json_schema")
    if style.answer.rationale:
        raise ConfigurationError("strategy dspy: instead of rationale = true use module=chain_of_thought")
    if style.context != "fresh":
        raise ConfigurationError("strategy dspy: context = 'conversation' is not possible; choose 'fresh'")


def inputs_of(turn: Turn, style: PromptStyle) -> dict[str, str]:
    """What a program is given: ``rules``, ``state`` and ``question``."""
    view = style.view_of(turn)
    if view.kind == "image":
        raise ConfigurationError(f"strategy dspy: DSPy is sent texts only; choose another view than {view.name!r}")
    observation = turn.observation
    asked = turn.game.asked(observation, view.notation)
    if asked.whole:
        how = f"Write {asked.hint}."
    elif style.answer.legal_only:
        how = f"The move must be one of: {'; '.join(legal_moves(turn))}."
    else:
        how = f"Name your move {asked.hint}, for example {asked.text}."
    question = f"You are {turn.title}. {asked.question}\n{how}"
    if turn.feedback is not None and turn.feedback.mode == "explain":
        verdict = turn.feedback.verdict
        question += f"\n\nYour previous answer was not accepted ({verdict.kind.replace('_', ' ')}): {verdict.reason}."
    if style.suffix:
        question += f"\n\n{style.suffix}"
    state = f"{view.explain(observation)}\n\n{view.render(observation)}".strip()
    return {"rules": turn.game.rules(), "state": state, "question": question}


def legal_moves(turn: Turn) -> tuple[str, ...]:
    """The legal moves in the game's notation. Raises `ConfigurationError` where they cannot be listed."""
    if not turn.legal:
        raise ConfigurationError(f"legal_only = true: the legal moves of {turn.game.title} cannot be listed here")
    return tuple(turn.format(action) for action in turn.legal)


def action_of(turn: Turn, text: str) -> Any:
    """The action in the field ``move``: the whole of it, or the last move that is named in it. Raises `Illegal`."""
    try:
        return turn.parse(text.strip())
    except Illegal as error:
        if error.kind not in ("invalid_format", "ambiguous") or not text.strip():
            raise
        stated = turn.game.mentions(text[-2000:], None)
        if not stated:
            raise
        return turn.parse(stated[-1])


@dataclass(frozen=True, slots=True)
class _Run:
    """What became of a program: its prediction, or None where it read nothing in the model's answers."""

    move: str | None
    reasoning: str = ""


def _run(
    engine: Engine, talk: Conversation, turn: Turn, inputs: dict[str, str], module: str, saved: str, refine: int
) -> _Run:
    require_dspy()
    from dspy.utils.exceptions import AdapterParseError

    from ludometer.strategies._dspy_modules import asking, make_program, refined

    def legal(args: dict[str, Any], prediction: Any) -> float:
        """1 for a move that the rules allow, 0 for any other."""
        try:
            turn.check(action_of(turn, str(prediction.move)))
        except Illegal:
            return 0.0
        return 1.0

    program = make_program(module, saved)
    if refine:
        program = refined(program, refine, legal)
    answer = talk.style.answer
    moves = (lambda _: legal_moves(turn)) if answer.legal_only else None
    with asking(engine, answer.format, talk.model.settings, moves):
        try:
            prediction = program(**inputs)
        except AdapterParseError:
            return _Run(None)
    if prediction is None:  # no attempt of Refine could be read
        return _Run(None)
    if "move" not in prediction:
        raise ConfigurationError(f"strategy dspy: the module {module or saved} predicts no field move")
    move, reasoning = prediction["move"], prediction.get("reasoning")
    return _Run("" if move is None else str(move), "" if reasoning is None else str(reasoning))


def _answer(run: _Run, turn: Turn, notation: str | None, answers: list[Completion]) -> Answer:
    if run.move is None:
        last = answers[-1] if answers else Completion("")
        # The program's own form was missed; where the answer was refused or cut off, that is why.
        cause = read(last, turn, "json", notation).fault
        known = cause is not None and cause.status in ("refused", "truncated", "empty")
        fault = cause if known else Fault("invalid_format", "the answer has not the form that the program asked for")
        return Answer(fault=fault, text=last.text or "")
    # The last call need not be the one that decided: Refine keeps its best attempt.
    texts = [completion.text or "" for completion in reversed(answers)]
    text = next((text for text in texts if run.move in text), run.move)
    if not run.move.strip():
        return Answer(fault=Fault("empty", "the answer names no move"), text=text, rationale=run.reasoning)
    try:
        action = action_of(turn, run.move)
    except Illegal as error:
        return Answer(fault=Fault.of(error), text=text, rationale=run.reasoning)
    return Answer(action, text=text, rationale=run.reasoning)


async def _in_thread(work: Callable[[], T]) -> T:
    """Runs blocking work in a thread of its own: a pool would set a limit to the decisions that are made at once.

    Raises what the work raises; of `Stopped`, what stopped it.
    """
    future: concurrent.futures.Future[T] = concurrent.futures.Future()

    def run() -> None:
        try:
            result = work()
        except Stopped as stopped:
            future.set_exception(stopped.error)
        except BaseException as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    future.set_running_or_notify_cancel()
    threading.Thread(target=run, name="dspy program", daemon=True).start()
    return await asyncio.wrap_future(future)
