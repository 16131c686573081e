"""Officials and seats held by another seat's entrant, on a small dispute with a prover and a judge."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import pytest

from ludometer.core import (
    Chance,
    Decision,
    Event,
    Fault,
    Game,
    Illegal,
    Json,
    Observation,
    Outcome,
    ProviderError,
    Role,
    SandboxError,
    Seat,
    View,
    Viewer,
)
from ludometer.matches import Ending, Match, MatchPolicy, play
from ludometer.testing import check_game

ORDER = ("claimant", "prover", "doubter", "judge")


class Said(NamedTuple):
    words: tuple[str, ...] = ()


class Dispute(Game[Said, str]):
    """The claimant claims, its prover proves, the doubter doubts, and a judge names one of the two."""

    name: ClassVar[str] = "dispute"
    title: ClassVar[str] = "Dispute"

    def roles(self, n: int) -> tuple[Role, ...]:
        return (
            Role("claimant"),
            Role("prover", of="claimant"),
            Role("doubter"),
            Role("judge", kind="official"),
        )

    def new(self, n: int, chance: Chance) -> Said:
        return Said()

    def to_act(self, state: Said) -> tuple[Seat, ...]:
        return ORDER[len(state.words) : len(state.words) + 1]

    def check(self, state: Said, seat: Seat, action: str) -> None:
        if not action.strip():
            raise Illegal("nothing_said", "say something")
        if len(action) > 200:
            raise Illegal("too_long", "say it in 200 characters")
        if seat == "judge" and action not in ("claimant", "doubter"):
            raise Illegal("no_contestant", "name the claimant or the doubter")

    def sample(self, state: Said, seat: Seat, chance: Chance) -> str:
        return chance.choice(("claimant", "doubter"))[0]

    def apply(self, state: Said, moves: Mapping[Seat, str]) -> Said:
        return Said((*state.words, *moves.values()))

    def outcome(self, state: Said) -> Outcome | None:
        if len(state.words) < len(ORDER):
            return None
        return Outcome({seat: float(state.words[-1] == seat) for seat in ("claimant", "doubter")}, "judged")

    def max_steps(self) -> int:
        return len(ORDER)

    def format(self, state: Said, action: str) -> str:
        return action

    def parse(self, state: Said, seat: Seat, text: str) -> str:
        return text.strip()

    def rules(self) -> str:
        return "One claims and proves, one doubts, and a judge decides."

    def observe(self, state: Said, viewer: Viewer) -> Observation:
        events = tuple(Event(seat, words) for seat, words in zip(ORDER, state.words, strict=False))
        return Observation(viewer, {"words": list(state.words)}, events, self.to_act(state))

    def views(self) -> Mapping[str, View]:
        return {"list": View("list", lambda o: "Said so far:", lambda o: "\n".join(o.data["words"]))}

    def dump(self, state: Said) -> Json:
        return list(state.words)

    def load(self, data: Json) -> Said:
        return Said(tuple(data))


def test_the_game_of_these_tests_is_sound() -> None:
    check_game(Dispute(), matches=6)


def run(scripted: Any, policy: MatchPolicy | None = None, journal: Any = None, **words: Any) -> Match:
    said = {"claimant": ("A",), "prover": ("B",), "doubter": ("C",), "judge": ("doubter",), **words}
    match = Match(Dispute(), policy=policy)
    asyncio.run(play(match, {seat: scripted(*said[seat]) for seat in ORDER}, journal))
    return match


def test_scores_are_for_contestants_only(scripted: Any) -> None:
    match = run(scripted)
    assert match.game.contestants(2) == ("claimant", "doubter")
    assert match.scores() == {"claimant": 0.0, "doubter": 1.0}
    assert [move.seat for move in match.moves] == list(ORDER)


def test_an_official_that_fails_voids_the_match(scripted: Any) -> None:
    match = run(scripted, MatchPolicy(attempts=2), judge=("me", "you"))
    assert match.ending == Ending("void", "judge failed: no_contestant", "judge")
    assert match.scores() is None


@pytest.mark.parametrize("on_exhausted", ["forfeit", "cancel", "random"])
def test_nothing_is_substituted_for_an_official(scripted: Any, on_exhausted: Any) -> None:
    match = run(scripted, MatchPolicy(attempts=1, on_exhausted=on_exhausted), judge=("me",))
    assert match.ending is not None and match.ending.kind == "void"


@pytest.mark.parametrize("error", [ProviderError("503"), SandboxError("no room")])
def test_a_provider_or_sandbox_of_an_official_that_fails_voids_the_match(scripted: Any, error: Exception) -> None:
    match = run(scripted, judge=(error,))
    assert match.ending is not None
    assert (match.ending.kind, match.ending.offender) == ("void", "judge")
    assert str(error) in match.ending.why


def test_an_official_has_no_clock(scripted: Any) -> None:
    slow = Decision("claimant", seconds=99)
    assert run(scripted, MatchPolicy(clock_seconds=1), judge=(slow,)).scores() == {"claimant": 1.0, "doubter": 0.0}


def test_an_official_cannot_resign(scripted: Any) -> None:
    match = run(scripted, judge=(Decision(resign=True), "claimant"))
    assert match.ending == Ending("completed", "judged")
    assert match.attempts[3].verdict.kind == "resignation_not_allowed"


def test_the_entrant_loses_when_a_seat_it_also_holds_fails(scripted: Any) -> None:
    match = run(scripted, MatchPolicy(attempts=1), prover=("",))
    assert match.ending == Ending("forfeit", "no legal move in 1 attempts: nothing_said", "prover")
    assert match.scores() == {"claimant": 0.0, "doubter": 1.0}


def test_the_entrant_loses_when_a_seat_it_also_holds_resigns(scripted: Any) -> None:
    match = run(scripted, prover=(Decision(resign=True),))
    assert match.ending == Ending("completed", "prover resigned")
    assert match.scores() == {"claimant": 0.0, "doubter": 1.0}


def test_officials_are_not_counted_among_the_offenders(scripted: Any) -> None:
    policy = MatchPolicy(attempts=None, max_moves=7)
    match = run(scripted, policy, doubter=("", "C"), judge=("x", "y", "z"))
    assert match.ending == Ending("canceled", "7 moves made, bad attempts counted", "doubter")


def test_attempts_of_officials_are_recorded_like_any(scripted: Any, notebook: Any) -> None:
    run(scripted, journal=notebook)
    assert [attempt.seat for attempt in notebook.attempts] == list(ORDER)
    assert notebook.written[-1] == ("match", "doubter", {"move": "doubter"})


def test_a_fault_of_an_official_leaves_it_its_other_attempts(scripted: Any) -> None:
    match = run(scripted, judge=(Decision(fault=Fault("timeout", "late")), "claimant"))
    assert match.scores() == {"claimant": 1.0, "doubter": 0.0}


class Alone(Dispute):
    """A challenge for one contestant."""

    name = "alone"
    title = "Alone"
    players = (1, 1)

    def roles(self, n: int) -> tuple[Role, ...]:
        return (Role("claimant"), Role("prover", of="claimant"), Role("doubter", "official"), Role("judge", "official"))

    def outcome(self, state: Said) -> Outcome | None:
        decided = super().outcome(state)
        return decided and Outcome({"claimant": 1.0}, decided.reason)


@pytest.mark.parametrize("answer", ["", Decision(resign=True)])
def test_a_single_contestant_may_fail_or_resign(scripted: Any, answer: Any) -> None:
    match = Match(Alone(), 1, policy=MatchPolicy(attempts=1))
    asyncio.run(play(match, {seat: scripted(answer) for seat in ORDER}))
    assert match.scores() == {"claimant": 0.0}
