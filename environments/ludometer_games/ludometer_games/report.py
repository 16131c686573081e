"""Reads the results of `vf-eval`, plays every match again from its transcripts, and prints a table.

``python -m ludometer_games.report outputs/RUN``. Every match is refereed once more from the answers alone; a standing
or a reward that differs from the recorded one is an error.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludometer.core import ConfigurationError, LudometerError, Message
from ludometer.ratings import score_interval
from ludometer_games.rows import Row
from ludometer_games.table import Reply, Say, Standing, play_row

__all__ = ["Mismatch", "Tally", "main", "read_run", "replayed", "table", "tally"]

_HEAD = ("Model", "Game", "Against", "Games", "Mean score (95%)", "Avg Reward", "Completed", "Forfeits", "Errors")
_FURTHER = ("Other ends", "Bad attempts")


class Mismatch(LudometerError):
    """A match played again from its transcripts came out otherwise than recorded."""

    blames = "the record"


@dataclass(slots=True)
class Tally:
    """What one model did in one game. ``scores``, ``rewards`` and ``groups`` are of the seats that were scored; seats
    whose matches share their luck are one group."""

    scores: list[float] = field(default_factory=list)
    rewards: list[float] = field(default_factory=list)
    groups: list[str] = field(default_factory=list)
    endings: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)


def read_run(place: Path) -> tuple[list[dict[str, Any]], float]:
    """The episodes of a results folder, and what was subtracted for a bad attempt.

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
    return episodes, float(task.get("bad_attempt_penalty", 0.0))


def replayed(episode: Mapping[str, Any]) -> dict[str, Standing]:
    """Plays a recorded match again from its transcripts: how it went for each seat that a model held.

    Raises:
        Mismatch: the environment would have said something else, or a standing differs from the recorded one.
    """
    row = Row.model_validate(episode["task"]["data"]["row"])
    traces = {trace["task"]["data"]["seat"]: trace for trace in episode["traces"]}
    failed: list[Mismatch] = []
    says = {seat: _recorded(row, seat, traces.get(seat), failed) for seat in row.agents}
    standings = asyncio.run(play_row(row, says))
    if failed:
        raise failed[0]
    for seat, trace in traces.items():
        if standings[seat].to_dict() != trace["info"]:
            raise Mismatch(f"row {row.seed}, seat {seat}: now it is {standings[seat]}, recorded is {trace['info']}")
    return standings


def _recorded(row: Row, seat: str, trace: Mapping[str, Any] | None, failed: list[Mismatch]) -> Say:
    """The conversation of a seat, from its record."""
    nodes = [] if trace is None else trace["nodes"]
    spoken = iter([node["message"] for node in nodes if node["message"]["role"] != "system"])
    ends = iter([] if trace is None else [call.get("finish_reason") for call in trace["calls"] if "node" in call])

    async def say(message: Message) -> Reply | None:
        asked, answer = next(spoken, None), next(spoken, None)
        if asked is None or answer is None:
            return None
        if isinstance(message.content, str) and asked["content"] != message.content:
            # The referee takes an exception for the player's fault: it is told of none.
            failed.append(Mismatch(f"row {row.seed}, seat {seat}: a recorded message is not what belongs there"))
            return None
        return Reply(answer.get("content") or "", next(ends, None) == "length")

    return say


def tally(episodes: Iterable[Mapping[str, Any]], penalty: float = 0.0) -> dict[tuple[str, str, str], Tally]:
    """The seats by model, game and opponents, every match played again. Raises `Mismatch`."""
    found: dict[tuple[str, str, str], Tally] = defaultdict(Tally)
    for episode in episodes:
        row = Row.model_validate(episode["task"]["data"]["row"])
        setup = row.setup
        against = {"opponent": setup.opponent, "self": "itself", "agents": "another model"}[setup.seats]
        whole = all(trace["ok"] for trace in episode["traces"]) and bool(episode["traces"])
        standings = replayed(episode) if whole else {}
        for trace in episode["traces"]:
            one = found[trace["agent"]["config"]["model"], setup.game, against]
            if not whole:
                one.endings["error"] += 1
                continue
            standing = standings[trace["task"]["data"]["seat"]]
            reward = standing.score - penalty * standing.bad_attempts
            recorded = sum(kept["score"] * kept["weight"] for kept in trace["rewards"].values())
            if abs(recorded - reward) > 1e-9:
                raise Mismatch(
                    f"row {row.seed}, seat {standing.seat}: the reward is {reward:g}, recorded is {recorded:g}"
                )
            one.scores.append(standing.score)
            one.rewards.append(reward)
            one.groups.append(row.luck)
            one.endings[standing.ending] += 1
            one.verdicts.update({kind: count for kind, count in standing.verdicts.items() if kind != "legal"})
    return dict(found)


def table(found: Mapping[tuple[str, str, str], Tally]) -> str:
    """One line per model, game and opponents."""
    lines = [_HEAD + _FURTHER, tuple("---" for _ in _HEAD + _FURTHER)]
    for key, one in sorted(found.items()):
        score, reward = "-", "-"
        if one.scores:
            interval = score_interval(one.scores, one.groups)
            score = f"{interval.value:.3f} ({interval.low:.3f} to {interval.high:.3f})"
            reward = f"{sum(one.rewards) / len(one.rewards):.3f}"
        counts = [str(one.endings[kind]) for kind in ("completed", "forfeit", "error")]
        other = str(one.endings["canceled"] + one.endings["void"])
        bad = ", ".join(f"{kind} {count}" for kind, count in sorted(one.verdicts.items())) or "0"
        names = [name.replace("|", "/") for name in key]
        lines.append((*names, str(one.endings.total()), score, reward, *counts, other, bad))
    return "\n".join("| " + " | ".join(line) + " |" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints the table; 1 where a match does not come out as recorded, else 0."""
    parser = argparse.ArgumentParser(prog="python -m ludometer_games.report", description="Check and tabulate results.")
    parser.add_argument("run", type=Path, help="the folder that vf-eval wrote its results to")
    options = parser.parse_args(arguments)
    try:
        print(table(tally(*read_run(options.run))))
    except LudometerError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
