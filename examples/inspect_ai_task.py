"""Any game as an Inspect AI task: one sample is one match, the score is the referee's.

Run it:    python examples/inspect_ai_task.py          (a stand-in answers, so that no model is needed)
Evaluate:  inspect eval examples/inspect_ai_task.py --model openai/gpt-5-mini -T game=connect4 -T opponent=mcts
Needs:     pip install inspect-ai
"""

from __future__ import annotations

import importlib.util
import sys
import tempfile
from typing import Any

from ludometer.core import make_game
from ludometer.envs.text import text_match
from ludometer.matches import MatchPolicy

if importlib.util.find_spec("inspect_ai") is None:
    print("Inspect AI is not installed: pip install inspect-ai")
    sys.exit()

from inspect_ai import Task, eval, task  # noqa: A004 (the library's own name)
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, ModelOutput, ModelUsage, get_model
from inspect_ai.scorer import Score, Target, mean, scorer, stderr
from inspect_ai.solver import Generate, TaskState, solver


@task
def play_game(
    game: str = "tictactoe", opponent: str = "random", matches: int = 20, attempts: int = 1, seed: int = 0
) -> Task:
    """Matches of a game against one opponent in every other seat; the model's seat is drawn."""
    rows = [Sample(input=f"match {i} of {game} against {opponent}", id=f"{seed}/{i}") for i in range(matches)]
    return Task(MemoryDataset(rows), solver=play(game, opponent, attempts), scorer=score_of_match())


@solver
def play(game: str, opponent: str, attempts: int) -> Any:
    rules = make_game(game)
    opponents = [opponent] * (rules.players[0] - 1)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        # All luck comes from the sample's id: an epoch, or another model, plays the same game.
        text = text_match(rules, opponents, seed=str(state.sample_id), policy=MatchPolicy(attempts=attempts))
        state.messages.clear()
        while (messages := await text.ask()) is not None:
            # The chat only grows: what is new are the messages behind those that the sample has.
            for message in messages[len(state.messages) :]:
                made = ChatMessageSystem if message.role == "system" else ChatMessageUser
                state.messages.append(made(content=message.text))
            state = await generate(state)
            text.answer(state.output.completion)
        ending = text.match.ending
        state.store.set("score", text.reward)
        state.store.set("ending", ending.kind if ending else "")
        state.store.set("why", f"{text.seat}: {ending.why}" if ending else "")
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def score_of_match() -> Any:
    """1 a win, 0.5 a draw, 0 a loss or a forfeit; a match that was stopped has no score."""

    async def score(state: TaskState, target: Target) -> Score:
        value = state.store.get("score")
        return Score(
            value=float("nan") if value is None else value,
            answer=state.output.completion,
            explanation=state.store.get("why"),
            metadata={"ending": state.store.get("ending")},
        )

    return score


def first_free_cell(messages: list[Any], *_: Any) -> Any:
    """Stands for a language model: a cell that nobody named before."""
    said = " ".join(str(message.content) for message in messages[:-1] if message.role == "assistant")
    told = [line for line in str(messages[-1].content).splitlines() if line.startswith("Player ")]
    free = [f"{r},{c}" for r in (1, 2, 3) for c in (1, 2, 3) if f"{r},{c}" not in said + " ".join(told)]
    output = ModelOutput.from_content("stand-in", free[0])
    output.usage = ModelUsage()  # else Inspect would load a tokenizer to count with
    return output


def main() -> None:
    model = get_model("mockllm/model", custom_outputs=first_free_cell)
    with tempfile.TemporaryDirectory() as logs:
        (log,) = eval(play_game(matches=6), model=model, log_dir=logs, display="none")
        if log.error is not None:
            raise SystemExit(log.error.message)
        endings = [sample.store["ending"] for sample in log.samples or ()]  # read from the log, which is gone soon
    assert log.results is not None
    mean_score = log.results.scores[0].metrics["mean"].value
    completed = endings.count("completed")
    print(f"Inspect AI played {len(endings)} matches, {completed} completed, mean score {mean_score:g}")


if __name__ == "__main__":
    main()
