"""DSPy's modules as players, and the files that they are saved in. Imports DSPy: only for who uses it."""

from __future__ import annotations

import importlib
import json
import logging
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import dspy

from ludometer.core import ConfigurationError, Json
from ludometer.strategies._dspy_adapters import Marked, Moves, Objects, among
from ludometer.strategies._dspy_engine import Engine
from ludometer.strategies._files import attribute_of, module_of, path_of, place_of

__all__ = ["INPUTS", "OwnModelOnly", "asking", "make_program", "refined", "save_program"]

# Its warnings about answers that cannot be read are verdicts here, and stand in the log of the run.
logging.getLogger("dspy").setLevel(logging.CRITICAL)
# Refine prints what goes wrong in its attempts, in the middle of the board that is shown.
setattr(importlib.import_module("dspy.predict.refine"), "print", lambda *_: None)  # noqa: B010
setattr(importlib.import_module("dspy.predict.best_of_n"), "print", lambda *_: None)  # noqa: B010

INPUTS: Final = ("rules", "state", "question")
_KEY: Final = "ludometer"
"""Under it, a saved file says which module it is of. DSPy itself ignores it."""


class Decision(dspy.Signature):  # type: ignore[misc]
    """Play a game: decide what to do now. The decision must be allowed by the rules."""

    rules: str = dspy.InputField(desc="the rules of the game")
    state: str = dspy.InputField(desc="what you are shown of the game as it stands")
    question: str = dspy.InputField(desc="who you are, what is asked, and how to write the decision")
    move: str = dspy.OutputField(desc="the decision alone, written as the question says")


class Predict(dspy.Module):  # type: ignore[misc]
    """Decides at once."""

    def __init__(self) -> None:
        super().__init__()
        self.decide = dspy.Predict(Decision)

    def forward(self, rules: str, state: str, question: str) -> dspy.Prediction:
        return self.decide(rules=rules, state=state, question=question)


class ChainOfThought(dspy.Module):  # type: ignore[misc]
    """Reasons step by step, then decides."""

    def __init__(self) -> None:
        super().__init__()
        self.decide = dspy.ChainOfThought(Decision)

    def forward(self, rules: str, state: str, question: str) -> dspy.Prediction:
        return self.decide(rules=rules, state=state, question=question)


_MODULES: Final[dict[str, Callable[[], Any]]] = {"predict": Predict, "chain_of_thought": ChainOfThought}


class OwnModelOnly(dspy.utils.callback.BaseCallback):  # type: ignore[misc]
    """Stops a program before it calls a model that is not the player's."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def on_lm_start(self, call_id: str, instance: Any, inputs: Mapping[str, Any]) -> None:
        if getattr(instance, "_engine_spec", None) is not self._engine:
            name = getattr(instance, "model", "")
            # It stops: DSPy only catches an `Exception` of a callback.
            raise self._engine.stop(
                ConfigurationError(
                    f"the DSPy program calls a model of its own ({name}); only the player's may be asked"
                )
            )


def asking(engine: Engine, answer: str, settings: Mapping[str, Json], moves: Moves | None = None) -> Any:
    """The context in which a program asks that engine, and nothing else.

    Args:
        answer: ``text``: fields between DSPy's markers; ``json``, ``json_schema``: an object.
        moves: what ``move`` may be, by the inputs of a call; without it anything.
    """
    tokens = settings.get("max_tokens") or settings.get("max_completion_tokens")
    # The model's name is the log's business: DSPy would look it up among the models that it knows.
    model = dspy.LM(
        "ludometer/player",
        engine=engine,
        cache=False,
        num_retries=0,
        temperature=settings.get("temperature"),
        max_tokens=tokens,
    )
    adapter = Marked() if answer == "text" else Objects() if moves is None else among(moves)
    return dspy.context(
        lm=model,
        adapter=adapter,
        callbacks=[OwnModelOnly(engine)],
        trace=[],
        disable_history=True,
        track_usage=False,
        send_stream=None,
    )


def make_program(module: str, saved: str) -> Any:
    """A new program: a module as it is, or as an optimizer saved it.

    Args:
        module: a name, ``path/to/file.py:Class``, or empty for the saved file's own (else ``predict``).
        saved: path of the saved file; empty for none.

    Raises:
        ConfigurationError: no such module or file, or one that does not fit the other.
    """
    state = _read(saved) if saved else {}
    written = state.pop(_KEY, None)
    told = written.get("module") if isinstance(written, dict) else None
    named = module or (told if isinstance(told, str) else "") or "predict"
    program = _new(named)
    if saved:
        _restore(program, state, named, saved)
    program.set_lm(None)
    return program


def _new(module: str) -> Any:
    place = place_of(module)
    if place is None and module not in _MODULES:
        known = ", ".join([*_MODULES, "path/to/file.py:Class"])
        raise ConfigurationError(f"strategy dspy: there is no module {module!r}; known: {known}")
    if place is None:
        return _MODULES[module]()
    what = f"strategy dspy: module {module}"
    if not place.name:
        raise ConfigurationError(f"{what} names no class; write {place.path}:Class")
    make = attribute_of(module_of(place, what), place, what)
    try:
        program = make()
    except Exception as error:  # code of the user's may fail in any way
        raise ConfigurationError(f"{what} cannot be made: {type(error).__name__}: {error}") from None
    if not isinstance(program, dspy.Module):
        raise ConfigurationError(f"{what} is no dspy.Module")
    if not program.predictors():
        raise ConfigurationError(f"{what} has no predictor, such as dspy.Predict, as an attribute")
    return program


def _read(saved: str) -> dict[str, Any]:
    path = path_of(saved)
    if path.suffix != ".json":
        raise ConfigurationError(f"strategy dspy: {saved} is no .json file (a pickle could run anything)")
    try:
        state = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"strategy dspy: {saved} cannot be read: {error.strerror}") from None
    except ValueError:
        raise ConfigurationError(f"strategy dspy: {saved} is no JSON file") from None
    if not isinstance(state, dict):
        raise ConfigurationError(f"strategy dspy: {saved} is no saved DSPy program")
    return state


def _restore(program: Any, state: dict[str, Any], module: str, saved: str) -> None:
    # The models that a file names are not made: it may come from anywhere, and the player's is the one to ask.
    plain = {name: {**part, "lm": None} if isinstance(part, dict) else part for name, part in state.items()}
    try:
        program.load_state(plain)
    except Exception as error:  # of a file that anybody may have written
        raise ConfigurationError(
            f"strategy dspy: {saved} holds no program of the module {module} ({type(error).__name__}: {error})"
        ) from None


def save_program(program: Any, path: Path, about: Mapping[str, Json]) -> None:
    """Writes a program's state as DSPy does, with ``about`` (``module`` and whatever else is to be known) beside it."""
    state = {**program.dump_state(), "metadata": {"dependency_versions": {"dspy": dspy.__version__}}, _KEY: dict(about)}
    path.write_text(json.dumps(state, indent=2, ensure_ascii=False, default=str) + "\n", encoding="utf-8")


def refined(program: Any, attempts: int, reward: Callable[[dict[str, Any], Any], float]) -> Any:
    """The program tried again up to so many times until the reward is 1, with advice from the model in between."""
    return dspy.Refine(program, N=attempts, reward_fn=reward, threshold=1.0)
