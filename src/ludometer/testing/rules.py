"""What every game's rules and notation must hold to, in one state or one game. Each check raises `AssertionError`."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from ludometer.core import AnyGame, Chance, Illegal, Json, Seat
from ludometer.testing.schema import schema_problem, value_problem
from ludometer.testing.walk import Step, canonical, require, require_owned

__all__ = ["check_answers", "check_foreign", "check_moves", "check_outcome", "check_roles", "check_state", "guarded"]

_SNAKE_CASE = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_SHOWN = 16
"""Actions of one state that are looked at one by one; the others are only checked for legality."""

_LONG = "9" * 5000
_STRANGE_MOVES: tuple[Json, ...] = (None, True, 7, "", " ", "\n", "pass!", _LONG, "0" * 99, "a" * 20_000, [], {})
_STRANGE_NUMBERS: tuple[Json, ...] = (None, False, "x", 10**6, [1], "٣", "1e5")
STRANGE_ANSWERS: tuple[Json, ...] = (
    *(None, True, 0, -1, 10**30, 1.5, float("inf"), float("nan"), "", "move", "\x00\ud800", [], {}, [[[]]], {"": ""}),
    *({"move": move} for move in _STRANGE_MOVES),
    *({"row": number, "column": number, "cell": number} for number in _STRANGE_NUMBERS),
)
STRANGE_TEXTS = (
    "",
    " ",
    "\n",
    "\x00",
    "\ud800",
    "-",
    ",",
    "1,",
    "((((",
    "9" * 5000,
    "½",
    "🂡",
    "a" * 20_000,
    " " * 20_000 + "x",
)


def check_roles(game: AnyGame, n: int) -> None:
    """Seats are named apart, every `Role.of` names a contestant, and ``n`` contestants are scheduled."""
    roles = game.roles(n)
    names = [role.name for role in roles]
    require(len(set(names)) == len(names), f"{game!r}: two roles of {n} players share a name: {names}")
    require(all(names), f"{game!r}: a role has no name")
    require(len(game.contestants(n)) == n, f"{game!r}: {n} players, but contestants {game.contestants(n)}")
    for role in roles:
        require(
            role.of is None or role.of in game.contestants(n),
            f"{game!r}: role {role.name} belongs to {role.of}, which is no contestant of its own",
        )


def check_state(game: AnyGame, state: Any, n: int) -> None:
    """JSON round trip, and agreement between ``to_act`` and ``outcome``."""
    written = game.dump(state)
    read = game.load(json.loads(canonical(written)))
    require_owned(lambda: game.dump(state), f"{game!r}: the JSON of a state")
    require(read == state, f"{game!r}: load(dump(state)) is not the state: {written}")
    require(canonical(game.dump(read)) == canonical(written), f"{game!r}: dump(load(x)) is not x: {written}")
    seats = game.to_act(state)
    require(len(set(seats)) == len(seats), f"{game!r}: to_act names a seat twice: {seats}")
    unknown = set(seats) - {role.name for role in game.roles(n)}
    require(not unknown, f"{game!r}: to_act names seats that do not exist: {sorted(unknown)}")
    over = game.outcome(state) is not None
    require(over == (not seats), f"{game!r}: to_act is {seats}, but the game is {'over' if over else 'not over'}")


def check_moves(game: AnyGame, step: Step, chance: Chance) -> None:
    """Sampled and listed actions pass ``check`` and apply; ``apply`` leaves its argument alone and repeats itself."""
    state = step.state
    for seat in game.to_act(state):
        legal = game.legal(state, seat)
        luck = chance.named("sample", seat)
        sampled = game.sample(state, seat, luck)
        require(sampled == game.sample(state, seat, luck), f"{game!r}: sample differs for the same luck")
        if legal is not None:
            require(len(legal) > 0, f"{game!r}: {seat} is to act but has no legal action")
            require(sampled in legal, f"{game!r}: sampled {sampled!r} is not among the legal actions")
            require(all(legal.count(a) == 1 for a in legal[:_SHOWN]), f"{game!r}: legal lists an action twice")
            if isinstance(legal, list):
                listed = list(legal)
                legal.clear()
                require(game.legal(state, seat) == listed, f"{game!r}: the list of legal actions is shared")
                legal = listed
        for action in (sampled, *(legal or ())):
            guarded(game, state, seat, action, must_pass=True)
    for moves in _joint_moves(game, step, chance):
        before = canonical(game.dump(state))
        after = canonical(game.dump(game.apply(state, moves)))
        require(canonical(game.dump(state)) == before, f"{game!r}: apply changed its argument ({moves})")
        again = canonical(game.dump(game.apply(state, moves)))
        require(after == again, f"{game!r}: apply differs for the same state and moves ({moves})")


def _joint_moves(game: AnyGame, step: Step, chance: Chance) -> list[dict[Seat, Any]]:
    joint = [dict(step.moves)] if step.moves else []
    seats = list(step.moves)
    if len(seats) == 1:
        joint += [{seats[0]: action} for action in _some(game.legal(step.state, seats[0]), chance)]
    return joint


def _some(actions: Sequence[Any] | None, chance: Chance) -> list[Any]:
    return list(chance.named("some").shuffled(actions or ())[0][:_SHOWN])


def guarded(game: AnyGame, state: Any, seat: Seat, action: Any, *, must_pass: bool = False) -> bool:
    """Whether ``check`` lets an action pass; it may only raise `Illegal`, with a kind in snake_case and a reason."""
    try:
        game.check(state, seat, action)
    except Illegal as error:
        _check_illegal(game, error)
        require(not must_pass, f"{game!r}: {action!r} is listed or sampled, but check says {error}")
        return False
    return True


def _check_illegal(game: AnyGame, error: Illegal) -> None:
    require(_SNAKE_CASE.fullmatch(error.kind), f"{game!r}: the kind {error.kind!r} of {error} is not in snake_case")
    require(error.reason.strip(), f"{game!r}: {error.kind} has no reason")


def check_foreign(game: AnyGame, state: Any, actions: Sequence[Any]) -> None:
    """Actions of other states, strange answers and strange texts pass or raise `Illegal`, and nothing else."""
    for seat in game.to_act(state):
        legal = game.legal(state, seat)
        for action in [*actions, *_read_strange(game, state, seat)]:
            passed = guarded(game, state, seat, action)
            if legal is not None:
                require(passed == (action in legal), f"{game!r}: check and legal disagree about {action!r}")


def _read_strange(game: AnyGame, state: Any, seat: Seat) -> list[Any]:
    read = []
    attempts = [(game.decode, answer) for answer in STRANGE_ANSWERS] + [(game.parse, text) for text in STRANGE_TEXTS]
    for method, given in attempts:
        try:
            read.append(method(state, seat, given))
        except Illegal as error:
            _check_illegal(game, error)
        except Exception as error:
            raise AssertionError(f"{game!r}: reading {given!r:.80} raised {error!r}, not Illegal") from error
    for text in STRANGE_TEXTS:
        require(all(isinstance(piece, str) for piece in game.mentions(text)), f"{game!r}: mentions yields no text")
    return read


def check_answers(game: AnyGame, state: Any, chance: Chance) -> None:
    """Every way of writing an action is read back as that action, and the schema admits it."""
    for seat in game.to_act(state):
        legal = game.legal(state, seat)
        actions = _some(legal, chance) or [game.sample(state, seat, chance.named("answer", seat))]
        for notation in (None, *game.notations):
            schema = game.schema(state, seat, notation)
            problem = schema_problem(json.loads(canonical(schema)))
            require(
                problem is None and schema.get("type") == "object",
                f"{game!r}: schema {notation}: {problem or 'no object'}",
            )
            require_owned(partial(game.schema, state, seat, notation), f"{game!r}: the schema")
            for action in actions:
                answer = json.loads(canonical(game.encode(state, action, notation)))
                read = game.decode(state, seat, answer)
                require(read == action, f"{game!r}: {action!r} is encoded as {answer} and decoded as {read!r}")
                problem = value_problem(schema, answer)
                require(problem is None, f"{game!r}: the schema refuses the legal action {answer}: {problem}")
        _check_text(game, state, seat, actions, listed=legal is not None)


def _check_text(game: AnyGame, state: Any, seat: Seat, actions: Sequence[Any], *, listed: bool) -> None:
    texts = [game.format(state, action) for action in actions]
    for action, text in zip(actions, texts, strict=True):
        read = game.parse(state, seat, text)
        require(read == action, f"{game!r}: {action!r} is written {text!r} and read as {read!r}")
        # A move that cannot be found in running text could never be played in the answer format "text".
        found = listed and [
            piece for piece in game.mentions(f"I play {text}") if _reads(game, state, seat, piece, action)
        ]
        require(found or not listed, f"{game!r}: {text!r} is not found in running text")
    require(len(set(texts)) == len(texts), f"{game!r}: two legal actions are written alike: {sorted(texts)}")


def _reads(game: AnyGame, state: Any, seat: Seat, text: str, action: Any) -> bool:
    try:
        return bool(game.parse(state, seat, text) == action)
    except Illegal:
        return False


def check_outcome(game: AnyGame, state: Any, n: int) -> None:
    """One score per contestant, in [0, 1], adding up to ``score_sum``, and a reason."""
    outcome = game.outcome(state)
    require(outcome is not None, f"{game!r}: nobody is to act, but there is no outcome")
    assert outcome is not None
    scores = outcome.scores
    require(
        set(scores) == set(game.contestants(n)),
        f"{game!r}: scores of {sorted(scores)}, but contestants {game.contestants(n)}",
    )
    require(all(0 <= score <= 1 for score in scores.values()), f"{game!r}: a score is outside 0 to 1: {dict(scores)}")
    require(
        math.isclose(sum(scores.values()), game.score_sum, abs_tol=1e-9),
        f"{game!r}: scores {dict(scores)} do not add up to {game.score_sum}",
    )
    require(outcome.reason.strip(), f"{game!r}: the outcome has no reason")
