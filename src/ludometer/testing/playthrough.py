"""Golden playthroughs: one random game of every game, written out in full and kept beside the tests.

A change of rules, wording, notation or luck shows as a difference in a text file that a person can read.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from ludometer.core import AnyGame, Chance, Watcher, make_game
from ludometer.testing.showing import observation_json
from ludometer.testing.walk import Step, canonical, walk

__all__ = ["playthrough", "write_playthrough"]

_IN_FULL = 12
"""Steps shown in full; of later ones only the moves and a hash of the state, so that long games stay readable."""
_LEGAL = 20


def playthrough(game: AnyGame | str, seed: int = 0) -> str:
    """A random game, written out: options, rules, and for every step the views, observation, actions and state.

    Args:
        game: a game, or the name of one (with its default options).
    """
    rules = make_game(game) if isinstance(game, str) else game
    n = rules.players[0]
    lines = list(_head(rules, n, seed))
    for step in walk(rules, n, Chance.from_seed(seed).named("playthrough")):
        over = not step.moves
        lines += ["", f"== step {step.number}" if not over else f"== end, after {step.number} steps"]
        lines += _full(rules, step) if over or step.number < _IN_FULL else _short(rules, step)
        if over:
            lines += _end(rules, step.state)
    return "\n".join(line.rstrip() for line in lines) + "\n"


def write_playthrough(name: str, folder: Path, seed: int = 0) -> Path:
    """Writes the playthrough of the game called ``name`` to ``folder/NAME.txt`` and returns that path."""
    path = folder / f"{name}.txt"
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(playthrough(name, seed), encoding="utf-8", newline="\n")
    return path


def _head(game: AnyGame, n: int, seed: int) -> Iterator[str]:
    yield f"game: {game.name} ({game.title})"
    yield f"options: {canonical(dict(game.options))}"
    yield f"seed: {seed}"
    for role in game.roles(n):
        owner = f", held by the entrant of {role.of}" if role.of else ""
        yield f"seat: {role.name} ({role.kind}{owner}) {role.title}"
    yield f"rules: {game.rules()}"
    seat = game.contestants(n)[0]
    for notation in (None, *game.notations):
        answer, text = game.example(notation)
        yield f"answer in notation {notation}: {game.answer_hint(seat, notation)}; {text!r} or {canonical(answer)}"
    observation = game.observe(game.new(n, Chance.from_seed(seed)), seat)
    for view in game.views().values():
        yield f"view {view.name} ({view.kind}, notation {view.notation}): {view.explain(observation)}"


def _full(game: AnyGame, step: Step) -> Iterator[str]:
    state = step.state
    seats = game.to_act(state)
    for viewer in seats or (Watcher.FULL,):
        observation = game.observe(state, viewer)
        who = viewer.value if isinstance(viewer, Watcher) else viewer
        yield f"observation of {who}: {observation_json(observation)}"
        for view in game.views().values():
            rendered = view.render(observation)
            if view.kind == "image":
                yield f"view {view.name} for {who}: SVG of {len(rendered)} characters, {_digest(rendered)}"
            else:
                yield f"view {view.name} for {who}:"
                yield from (f"    {line}" for line in rendered.split("\n"))
    for seat in seats:
        yield f"legal for {seat}: {_legal(game, state, seat)}"
        yield f"schema for {seat}: {canonical(game.schema(state, seat))}"
    yield f"state: {canonical(game.dump(state))}"
    yield from _moves(game, step)


def _short(game: AnyGame, step: Step) -> Iterator[str]:
    yield f"state: {_digest(canonical(game.dump(step.state)))}"
    yield from _moves(game, step)


def _moves(game: AnyGame, step: Step) -> Iterator[str]:
    for seat, action in step.moves.items():
        yield f"{seat} plays {game.format(step.state, action)} = {canonical(game.encode(step.state, action))}"


def _legal(game: AnyGame, state: Any, seat: str) -> str:
    actions = game.legal(state, seat)
    if actions is None:
        return "not listed"
    shown = " | ".join(game.format(state, action) for action in actions[:_LEGAL])
    return f"{len(actions)}: {shown}" + (" | ..." if len(actions) > _LEGAL else "")


def _end(game: AnyGame, state: Any) -> Iterator[str]:
    outcome = game.outcome(state)
    assert outcome is not None  # the walk ended
    yield f"outcome: {canonical(dict(outcome.scores))}, {outcome.reason}"
    if outcome.payoffs is not None:
        yield f"payoffs: {canonical(dict(outcome.payoffs))}"


def _digest(text: str) -> str:
    return blake2b(text.encode(), digest_size=8).hexdigest()
