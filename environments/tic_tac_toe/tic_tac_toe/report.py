"""Reads the results of `vf-eval`, plays every game again from its transcript, and prints the table.

``python -m tic_tac_toe.report outputs/RUN``. Every game is refereed once more from the answers alone; a reward that
differs from the recorded one is an error. So are results that cannot be: a win over an opponent that plays perfectly,
or a mean score against one above what best play brings (0.5 on the usual board).
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib import resources
from pathlib import Path
from typing import Any

from ludometer.core import ConfigurationError, LudometerError
from ludometer.ratings import score_interval
from tic_tac_toe.game import Result, play_row
from tic_tac_toe.opponents import plays_perfectly
from tic_tac_toe.rows import Row, first_message, new_match
from tic_tac_toe.scoring import Scale

__all__ = ["Mismatch", "Tally", "main", "read_run", "replayed"]

_HEAD = ("Model", "Games", "Draws", "Losses", "Illegal", "Errors", "Avg Reward")
_FURTHER = ("Wins", "Empty", "Unfinished", "Mean score (95%)", "Regret per move")


class Mismatch(LudometerError):
    """A game played again from its transcript came out otherwise than recorded."""

    blames = "the record"


@dataclass(slots=True)
class Tally:
    """The games of one model against one opponent.

    ``rewards``, ``scores`` and ``rows`` are of the games that were scored. Games of one row share their luck, so that
    intervals cluster on it. ``perfect``: whether the opponent plays perfectly.
    """

    perfect: bool = False

    outcomes: Counter[str] = field(default_factory=Counter)
    rewards: list[float] = field(default_factory=list)
    scores: list[float] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    best: list[float] = field(default_factory=list)
    regrets: list[float] = field(default_factory=list)
    alarms: list[str] = field(default_factory=list)

    def add(self, row: str, result: Result, reward: float) -> None:
        self.rows.append(row)
        self.outcomes[result.outcome] += 1
        self.rewards.append(reward)
        self.scores.append(result.score)
        self.regrets += result.regrets
        if result.best is not None:
            self.best.append(result.best)
        if result.alarm:
            self.alarms.append(result.alarm)

    @property
    def games(self) -> int:
        return sum(self.outcomes.values())

    def check_mean(self, opponent: str) -> None:
        """Adds an alarm where the mean score is above what best play brings, and the opponent plays perfectly."""
        if not self.perfect or not self.best or len(self.best) < len(self.scores):
            return
        mean, best = sum(self.scores) / len(self.scores), sum(self.best) / len(self.best)
        if mean > best + 1e-12:
            self.alarms.append(f"a mean score of {mean:.3f} against {opponent}, where best play brings {best:.3f}")


def read_run(place: Path) -> tuple[list[Mapping[str, Any]], Scale]:
    """The episodes of a results folder, and what outcomes were worth in it.

    Raises:
        ConfigurationError: there are no results.
    """
    traces = place / "traces.jsonl"
    if not traces.is_file():
        raise ConfigurationError(f"{place} holds no traces.jsonl; name the folder that vf-eval wrote its results to")
    with traces.open(encoding="utf-8") as lines:
        episodes = [json.loads(line) for line in lines if line.strip()]
    config = place / "configs" / "resolved" / "eval.json"
    task = json.loads(config.read_text(encoding="utf-8"))["env"]["taskset"]["task"] if config.is_file() else {}
    return episodes, Scale.model_validate({key: task[key] for key in Scale.model_fields if key in task})


def replayed(trace: Mapping[str, Any], scale: Scale) -> tuple[Result, float]:
    """Plays a recorded game again from its transcript: the result and the reward.

    Raises:
        Mismatch: the environment would have said something else, or the outcome differs from the recorded one.
    """
    row = Row.model_validate(trace["task"]["data"]["row"])
    said = [node["message"] for node in trace["nodes"]]
    spoken = iter([message for message in said if message["role"] != "system"])

    async def say(message: str | None) -> str | None:
        asked, answer = next(spoken, None), next(spoken, None)
        if asked is None or answer is None:
            return None
        if asked["content"] != (first_message(row) if message is None else message):
            raise Mismatch(f"row {row.seed}: the recorded message is not the one that belongs there")
        return answer.get("content") or ""

    result = asyncio.run(_play(row, say))
    known = {key: value for key, value in asdict(result).items() if value is not None}  # the record leaves None out
    if known != {key: value for key, value in trace["info"].items() if value is not None}:
        raise Mismatch(f"row {row.seed}: played again it is {result}, recorded is {trace['info']}")
    if next(spoken, None) is not None:
        raise Mismatch(f"row {row.seed}: the recorded conversation goes on after the end of the game")
    return result, scale.reward(result)


async def _play(row: Row, say: Any) -> Result:
    failed: list[Mismatch] = []

    async def kept(message: str | None) -> str | None:
        try:
            answer: str | None = await say(message)
        except Mismatch as error:  # the referee takes an exception for the player's fault: it is told of none
            failed.append(error)
            return None
        return answer

    result = await play_row(row, kept)
    if failed:
        raise failed[0]
    return result


def tally(episodes: Iterable[Mapping[str, Any]], scale: Scale) -> dict[tuple[str, str], Tally]:
    """The games by model and opponent, each played again. Raises `Mismatch`."""
    found: dict[tuple[str, str], Tally] = defaultdict(Tally)
    for episode in episodes:
        row = Row.model_validate(episode["task"]["data"]["row"])
        opponent = row.rules.opponent.strip()
        for trace in episode["traces"]:
            one = found[trace["agent"]["config"]["model"], opponent]
            one.perfect = plays_perfectly(opponent, new_match(row).game)
            if not trace["ok"]:
                one.outcomes["error"] += 1
                continue
            result, reward = replayed(trace, scale)
            recorded = sum(kept["score"] * kept["weight"] for kept in trace["rewards"].values())
            if abs(recorded - reward) > 1e-9:
                raise Mismatch(
                    f"row {episode['task']['data']['id']}: the reward is {reward:g}, recorded is {recorded:g}"
                )
            one.add(episode["task"]["data"]["id"], result, reward)
        if not episode["traces"]:
            found["(no trace)", opponent].outcomes["error"] += 1
    for (_, opponent), one in found.items():
        one.check_mean(opponent)
    return dict(found)


def table(found: Mapping[tuple[str, str], Tally], *, baseline: bool = False) -> str:
    """The table, in the columns of the published baseline and further ones after them."""
    rows = [_row(f"{model} vs. {opponent}", one) for (model, opponent), one in sorted(found.items())]
    if baseline:
        published = json.loads(resources.files("tic_tac_toe").joinpath("baseline.json").read_text(encoding="utf-8"))
        for model, known in published["rows"].items():
            counts = [str(known[key]) for key in ("games", "draws", "losses", "illegal", "errors")]
            name = f"{model} vs. {published['opponent']} (published {published['published']})"
            rows.append([name, *counts, f"{known['mean_reward']:.3f}", *["-"] * len(_FURTHER)])
    lines = [_HEAD + _FURTHER, tuple("---" for _ in _HEAD + _FURTHER), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def _row(name: str, one: Tally) -> list[str]:
    counts = [str(one.outcomes[key]) for key in ("draw", "loss", "illegal", "error")]
    reward = f"{sum(one.rewards) / len(one.rewards):.3f}" if one.rewards else "-"
    score = "-"
    if one.scores:
        interval = score_interval(one.scores, one.rows)
        score = f"{interval.value:.3f} ({interval.low:.3f} to {interval.high:.3f})"
    regret = f"{sum(one.regrets) / len(one.regrets):.3f}" if one.regrets else "-"
    further = [str(one.outcomes[key]) for key in ("win", "empty", "unfinished")]
    return [name.replace("|", "/"), str(one.games), *counts, reward, *further, score, regret]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table; 1 where a game does not come out as recorded or a result cannot be right, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tic_tac_toe.report", description="Check and tabulate results.")
    parser.add_argument("runs", nargs="+", type=Path, help="folders that vf-eval wrote its results to")
    parser.add_argument("--baseline", action="store_true", help="show the published baseline below")
    options = parser.parse_args(arguments)
    try:
        found: dict[tuple[str, str], Tally] = {}
        for place in options.runs:
            episodes, scale = read_run(place)
            for key, one in tally(episodes, scale).items():
                found[key if key not in found else (f"{key[0]} ({place.name})", key[1])] = one
    except LudometerError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    print(table(found, baseline=options.baseline))
    alarms = [alarm for one in found.values() for alarm in one.alarms]
    for alarm in alarms:
        print(f"alarm: {alarm}", file=sys.stderr)
    return 1 if alarms else 0


if __name__ == "__main__":
    sys.exit(main())
