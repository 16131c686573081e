"""Seats that decide at the same time, on rock-paper-scissors."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple

import pytest

from ludometer.core import (
    Chance,
    ConfigurationError,
    Decision,
    Event,
    Fault,
    Game,
    InternalError,
    Json,
    Observation,
    Outcome,
    ProviderError,
    Role,
    Seat,
    Suspended,
    Turn,
    View,
    Viewer,
)
from ludometer.matches import Ending, Match, MatchPolicy, play
from ludometer.testing import check_game, check_player

BEATS = {"rock": "scissors", "scissors": "paper", "paper": "rock"}


class Rounds(NamedTuple):
    played: tuple[tuple[str, str], ...] = ()


class RockPaperScissors(Game[Rounds, str]):
    name: ClassVar[str] = "rock_paper_scissors"
    title: ClassVar[str] = "Rock-paper-scissors"

    def __init__(self, rounds: int = 3) -> None:
        super().__init__()
        self.rounds = rounds

    def roles(self, n: int) -> tuple[Role, ...]:
        return (Role("A"), Role("B"))

    def new(self, n: int, chance: Chance) -> Rounds:
        return Rounds()

    def to_act(self, state: Rounds) -> tuple[Seat, ...]:
        return ("A", "B") if len(state.played) < self.rounds else ()

    def legal(self, state: Rounds, seat: Seat) -> Sequence[str]:
        return list(BEATS)

    def apply(self, state: Rounds, moves: Mapping[Seat, str]) -> Rounds:
        return Rounds((*state.played, (moves["A"], moves["B"])))

    def outcome(self, state: Rounds) -> Outcome | None:
        if self.to_act(state):
            return None
        a, b = (sum(BEATS[pair[i]] == pair[1 - i] for pair in state.played) for i in (0, 1))
        score = 0.5 if a == b else float(a > b)
        return Outcome({"A": score, "B": 1 - score}, f"{a} to {b}", {"A": a, "B": b})

    def max_steps(self) -> int:
        return 2 * self.rounds

    def format(self, state: Rounds, action: str) -> str:
        return action

    def rules(self) -> str:
        return "Rock beats scissors, scissors beats paper, paper beats rock."

    def observe(self, state: Rounds, viewer: Viewer) -> Observation:
        events = tuple(Event(seat, choice) for pair in state.played for seat, choice in zip("AB", pair, strict=True))
        return Observation(viewer, {"rounds": [list(pair) for pair in state.played]}, events, self.to_act(state))

    def views(self) -> Mapping[str, View]:
        return {"list": View("list", lambda o: "The rounds so far:", lambda o: str(o.data["rounds"]))}

    def dump(self, state: Rounds) -> Json:
        return [list(pair) for pair in state.played]

    def load(self, data: Json) -> Rounds:
        return Rounds(tuple((a, b) for a, b in data))


def test_the_game_of_these_tests_is_sound() -> None:
    check_game(RockPaperScissors(), matches=10)


class Says:
    """Says the same thing always, after waiting for ``ready``."""

    def __init__(self, word: str, ready: asyncio.Event | None = None, done: asyncio.Event | None = None) -> None:
        self.word, self.ready, self.done = word, ready, done
        self.turns: list[Turn] = []

    async def act(self, turn: Turn) -> Decision:
        self.turns.append(turn)
        if self.ready is not None:
            await self.ready.wait()
        if self.done is not None:
            self.done.set()
        return Decision(self.word)


@pytest.mark.parametrize("first", ["A", "B"])
def test_answers_are_submitted_in_seat_order_whoever_is_first(first: str) -> None:
    async def main() -> Match:
        event = asyncio.Event()
        players = {
            "A": Says("rock", *((None, event) if first == "A" else (event, None))),
            "B": Says("paper", *((None, event) if first == "B" else (event, None))),
        }
        match = Match(RockPaperScissors())
        await play(match, players)
        return match

    match = asyncio.run(main())
    assert [(a.step, a.seat) for a in match.attempts] == [(i, seat) for i in range(3) for seat in "AB"]
    assert [(m.step, m.seat, m.action) for m in match.moves[:2]] == [(0, "A", "rock"), (0, "B", "paper")]
    assert match.scores() == {"A": 0.0, "B": 1.0}


def test_seats_are_asked_together_and_do_not_see_each_others_answer() -> None:
    """A waits until B was asked: if they were asked in turn this would hang."""

    async def main() -> tuple[Says, Says]:
        event = asyncio.Event()
        a, b = Says("rock", ready=event), Says("paper", done=event)
        await asyncio.wait_for(play(Match(RockPaperScissors()), {"A": a, "B": b}), 30)
        return a, b

    for player in asyncio.run(main()):
        assert [len(turn.observation.events) for turn in player.turns] == [0, 2, 4]


def test_only_the_seat_that_failed_is_asked_again(scripted: Any) -> None:
    match = Match(RockPaperScissors(1))
    a, b = scripted("rock"), scripted("lizard", "spock", "paper")
    asyncio.run(play(match, {"A": a, "B": b}))
    assert [(t.step, t.attempt) for t in b.turns] == [(0, 0), (0, 1), (0, 2)]
    assert len(a.turns) == 1
    assert all(turn.observation.events == () for turn in b.turns)
    assert [move.seat for move in match.moves] == ["A", "B"]


def test_moves_are_in_seat_order_even_when_the_first_seat_answers_last(scripted: Any) -> None:
    match = Match(RockPaperScissors(1))
    asyncio.run(play(match, {"A": scripted("?", "rock"), "B": scripted("paper")}))
    assert [a.seat for a in match.attempts] == ["A", "B", "A"]
    assert [move.seat for move in match.moves] == ["A", "B"]


def test_a_seat_that_has_answered_cannot_answer_again() -> None:
    match = Match(RockPaperScissors())
    match.submit("B", Decision("rock"))
    assert [turn.seat for turn in match.turns()] == ["A"]
    with pytest.raises(InternalError, match="seat B is not to act"):
        match.submit("B", Decision("paper"))
    assert match.state == Rounds()
    match.submit("A", Decision("rock"))
    assert match.state == Rounds((("rock", "rock"),))


def test_when_one_provider_fails_the_other_answer_is_kept(scripted: Any, notebook: Any) -> None:
    match = Match(RockPaperScissors(1))
    players = {"A": scripted(ProviderError("503")), "B": scripted("paper")}
    assert asyncio.run(play(match, players, notebook)) == Ending("void", "provider: 503", "A")
    assert [attempt.seat for attempt in notebook.attempts] == ["B"]
    again, a, b = Match(RockPaperScissors(1)), scripted("rock"), scripted()
    ending = asyncio.run(play(again, {"A": a, "B": b}, recorded=notebook.attempts))
    assert ending.kind == "completed" and b.turns == []
    assert [move.seat for move in again.moves] == ["A", "B"]
    assert again.scores() == {"A": 0.0, "B": 1.0}


def test_both_providers_may_fail(scripted: Any, notebook: Any) -> None:
    players = {seat: scripted(ProviderError("503")) for seat in "AB"}
    assert asyncio.run(play(Match(RockPaperScissors()), players, notebook)).kind == "void"
    assert notebook.attempts == []


def test_an_error_of_the_user_stops_the_other_seats(scripted: Any) -> None:
    stopped: list[str] = []

    class Waiting:
        async def act(self, turn: Turn) -> Decision:
            try:
                await asyncio.sleep(3600)
            finally:
                stopped.append(turn.seat)
            raise AssertionError("not reached")

    async def main() -> list[str]:
        with pytest.raises(ConfigurationError, match="no key"):
            await play(Match(RockPaperScissors()), {"A": Waiting(), "B": scripted(ConfigurationError("no key"))})
        return list(stopped)

    assert asyncio.run(main()) == ["A"]


def test_a_run_that_stops_waits_for_the_answers_on_their_way(scripted: Any) -> None:
    answered: list[str] = []

    class Waiting:
        async def act(self, turn: Turn) -> Decision:
            await asyncio.sleep(0.01)
            answered.append(turn.seat)
            return Decision("rock")

    with pytest.raises(Suspended):
        asyncio.run(play(Match(RockPaperScissors()), {"A": Waiting(), "B": scripted(Suspended("stopped"))}))
    assert answered == ["A"]


def test_a_seat_that_gives_up_ends_the_match_before_the_other_is_judged(scripted: Any, notebook: Any) -> None:
    players = {"A": scripted(Decision(resign=True)), "B": scripted("paper")}
    assert asyncio.run(play(Match(RockPaperScissors()), players, notebook)) == Ending("completed", "A resigned")
    assert len(notebook.attempts) == 1


def test_resuming_in_the_middle_of_a_step(scripted: Any, notebook: Any) -> None:
    script = {"A": ("rock", "paper", "rock"), "B": ("paper", "?", "rock", "scissors")}
    whole = Match(RockPaperScissors())
    asyncio.run(play(whole, {seat: scripted(*words) for seat, words in script.items()}, notebook))
    for cut in range(len(notebook.attempts) + 1):
        recorded = notebook.attempts[:cut]
        rest = {seat: words[sum(a.seat == seat for a in recorded) :] for seat, words in script.items()}
        players = {seat: scripted(*words) for seat, words in rest.items()}
        match = Match(RockPaperScissors())
        asyncio.run(play(match, players, recorded=recorded))
        assert (match.state, match.moves, match.ending) == (whole.state, whole.moves, whole.ending)
        assert all(player.answers == [] for player in players.values())


def test_exhausted_seats_in_one_step(scripted: Any) -> None:
    policy = MatchPolicy(attempts=1, on_exhausted="random")
    match = Match(RockPaperScissors(1), policy=policy)
    asyncio.run(play(match, {"A": scripted("?"), "B": scripted("?")}))
    assert [move.substituted for move in match.moves] == [True, True]
    assert match.ending is not None and match.ending.kind == "completed"


def test_the_cap_may_fall_into_the_middle_of_a_step(scripted: Any) -> None:
    match = Match(RockPaperScissors(2), policy=MatchPolicy(max_moves=3))
    players = {"A": scripted("rock", "rock"), "B": scripted("?", "rock", "rock")}
    ending = asyncio.run(play(match, players))
    assert ending == Ending("canceled", "3 moves made, bad attempts counted", "B")
    assert match.state == Rounds((("rock", "rock"),))


class Copycat:
    """Plays the other's last choice."""

    async def act(self, turn: Turn) -> Decision:
        rounds = turn.observation.data["rounds"]
        return Decision(rounds[-1]["AB".index(turn.seat) - 1] if rounds else turn.sample(turn.chance))


def test_players_hold_to_the_protocol_here_too() -> None:
    check_player(Copycat, RockPaperScissors())
    with pytest.raises(AssertionError, match="answered badly"):
        check_player(lambda: _Faulty(), RockPaperScissors())  # noqa: PLW0108 (a function, on purpose)


class _Faulty:
    async def act(self, turn: Turn) -> Decision:
        return Decision(fault=Fault("empty", "nothing"))
