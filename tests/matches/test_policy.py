"""Every condition of play, on tic-tac-toe."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pytest

from ludometer.core import (
    Attempt,
    CallKey,
    Chance,
    Completion,
    ConfigurationError,
    Decision,
    Exchange,
    Fault,
    InternalError,
    Message,
    ProviderError,
    Request,
    SandboxError,
    Seat,
    Turn,
    Usage,
)
from ludometer.games.tictactoe import Cell, Position, TicTacToe
from ludometer.matches import Ending, Match, MatchPolicy, play

Kinds = Callable[[Sequence[Attempt]], list[str]]
X_WINS = ("1,1", "1,2", "1,3"), ("2,1", "2,2")


def run(match: Match, x: Any, o: Any, **options: Any) -> Ending:
    return asyncio.run(play(match, {"X": x, "O": o}, **options))


def match_with(**policy: Any) -> Match:
    return Match(TicTacToe(), policy=MatchPolicy(**policy))


# -------------------------------------------------------------------- attempts


def test_attempts_are_counted_per_turn(scripted: Any, kinds: Kinds) -> None:
    """Two bad answers in every turn of X: five bad ones in the game, never three in a turn."""
    match = match_with(attempts=3)
    x = scripted("9,9", "?", "1,1", "1,1", "2,1", "1,2", "1,2", "1,2", "1,3")
    assert run(match, x, scripted("2,1", "2,2")) == Ending("completed", "X has 3 in a row")
    assert kinds(match.attempts)[:3] == ["X0.0 out_of_bounds", "X0.1 invalid_format", "X0.2 legal"]
    assert [a.attempt for a in match.attempts if a.seat == "X"] == [0, 1, 2, 0, 1, 2, 0, 1, 2]
    assert match.step == 5 and len(match.attempts) == 11


def test_the_last_attempt_of_a_turn_that_fails_forfeits(scripted: Any) -> None:
    match = match_with(attempts=2)
    assert run(match, scripted("1,1"), scripted("1,1", "1,1")) == Ending(
        "forfeit", "no legal move in 2 attempts: already_taken", "O"
    )
    assert match.scores() == {"X": 1.0, "O": 0.0}
    assert match.outcome is None


def test_canceled_matches_have_no_scores(scripted: Any) -> None:
    match = match_with(attempts=1, on_exhausted="cancel")
    assert run(match, scripted("0,0"), scripted()) == Ending(
        "canceled", "no legal move in 1 attempts: out_of_bounds", "X"
    )
    assert match.scores() is None


def test_a_random_action_takes_the_place_of_the_missing_one(scripted: Any) -> None:
    matches = []
    for _ in range(2):
        match = Match(TicTacToe(), seed=5, policy=MatchPolicy(attempts=1, on_exhausted="random"))
        run(match, scripted("x", "x", "x", "x", "x"), scripted("x", "x", "x", "x"))
        matches.append(match)
    first, second = matches
    assert first.ending is not None and first.ending.kind == "completed"
    assert first.moves == second.moves and all(move.substituted for move in first.moves)
    other = Match(TicTacToe(), seed=6, policy=first.policy)
    run(other, scripted("x", "x", "x", "x", "x"), scripted("x", "x", "x", "x"))
    assert other.moves != first.moves


def test_only_the_exhausted_seat_is_substituted(scripted: Any) -> None:
    match = match_with(attempts=1, on_exhausted="random")
    run(match, scripted("1,1", "bad", "bad", "bad", "bad"), scripted("bad", "bad", "bad", "bad"))
    assert [move.substituted for move in match.moves[:2]] == [False, True]
    assert match.moves[0].action == Cell(1, 1)


class WithPass(TicTacToe):
    """Tic-tac-toe in which one may pass."""

    def legal(self, state: Position, seat: Seat) -> Sequence[Cell]:
        return [*super().legal(state, seat), Cell(0, 0)]

    def format(self, state: Position, action: Cell) -> str:
        return "Pass" if action == Cell(0, 0) else super().format(state, action)

    def apply(self, state: Position, moves: Mapping[Seat, Cell]) -> Position:
        ((_, cell),) = moves.items()
        return Position(state.board, (*state.moves, cell)) if cell == Cell(0, 0) else super().apply(state, moves)

    def outcome(self, state: Position) -> Any:
        return None if state.moves and state.moves[-1] == Cell(0, 0) else super().outcome(state)

    def _over(self, state: Position) -> bool:
        return self.outcome(state) is not None


def test_an_exhausted_seat_passes_where_the_game_has_a_pass(scripted: Any) -> None:
    match = Match(WithPass(), policy=MatchPolicy(attempts=1, on_exhausted="pass"))
    assert run(match, scripted("1,1", "1,2", "1,3"), scripted("bad", "bad")).kind == "completed"
    assert [(m.seat, m.action, m.substituted) for m in match.moves if m.seat == "O"] == [("O", Cell(0, 0), True)] * 2


def test_a_pass_in_a_game_without_one_is_a_wrong_configuration(scripted: Any) -> None:
    with pytest.raises(ConfigurationError, match="Tic-tac-toe has no pass here"):
        run(match_with(attempts=1, on_exhausted="pass"), scripted("bad"), scripted())


# -------------------------------------------------------------------- feedback


def test_without_feedback_a_bad_attempt_is_forgotten(scripted: Any) -> None:
    x = scripted("9,9", "1,1", "1,2", "1,3")
    run(match_with(feedback="none"), x, scripted("2,1", "2,2"))
    assert [turn.feedback for turn in x.turns] == [None] * 4
    assert [len(turn.past) for turn in x.turns] == [0, 0, 1, 2]
    assert all(attempt.verdict.is_legal for turn in x.turns for attempt in turn.past)


@pytest.mark.parametrize("mode", ["repeat", "explain"])
def test_feedback_names_the_bad_attempt(scripted: Any, mode: Any) -> None:
    x = scripted("9,9", "1,1", "1,2", "1,3")
    run(match_with(feedback=mode), x, scripted("2,1", "2,2"))
    first, second, third, _ = (turn.feedback for turn in x.turns)
    assert first is None and third is None
    assert (second.mode, second.text, second.verdict.kind) == (mode, "9,9", "out_of_bounds")
    assert "row 9, column 9 is outside" in second.verdict.reason
    assert [len(turn.past) for turn in x.turns] == [0, 1, 2, 3]


def test_a_turn_shows_only_its_own_seat(scripted: Any) -> None:
    o = scripted("2,1", "2,2")
    run(match_with(), scripted(*X_WINS[0]), o)
    assert {attempt.seat for turn in o.turns for attempt in turn.past} == {"O"}
    assert {turn.observation.viewer for turn in o.turns} == {"O"}


# ------------------------------------------------------------------------- cap


def test_the_cap_counts_bad_attempts_as_moves(scripted: Any) -> None:
    """The conditions of a published study: play goes on until 21 moves were made, bad ones counted."""
    match = match_with(attempts=None, max_moves=21)
    ending = run(match, scripted("1,1", *["1,1"] * 30), scripted("2,2"))
    assert ending == Ending("canceled", "21 moves made, bad attempts counted", "X")
    assert len(match.attempts) == 21 and match.step == 2
    assert match.scores() is None


def test_the_offender_of_a_capped_match_made_more_bad_attempts(scripted: Any) -> None:
    cases = [
        (("bad", "bad", "1,1"), ("bad", "2,1"), "X"),
        (("bad", "1,1"), ("bad", "bad", "2,1"), "O"),
        (("bad", "1,1"), ("bad", "2,1"), None),
        (("1,1", "1,2"), ("2,1", "2,2"), None),
    ]
    for x, o, offender in cases:
        match = match_with(attempts=None, max_moves=len(x) + len(o))
        assert run(match, scripted(*x), scripted(*o)).offender == offender


def test_a_win_on_the_very_last_capped_move_stands(scripted: Any) -> None:
    match = match_with(max_moves=5)
    assert run(match, scripted(*X_WINS[0]), scripted(*X_WINS[1])) == Ending("completed", "X has 3 in a row")
    assert match.scores() == {"X": 1.0, "O": 0.0}


def test_a_capped_match_may_count_as_a_draw(scripted: Any) -> None:
    match = match_with(max_moves=4, on_max_moves="draw")
    assert run(match, scripted(*X_WINS[0]), scripted(*X_WINS[1])) == Ending("completed", "drawn after 4 moves")
    assert match.scores() == {"X": 0.5, "O": 0.5}


# ----------------------------------------------------------------------- clocks


def timed(cell: tuple[int, int], seconds: float = 0.0, tokens: int | None = None) -> Decision:
    exchange = Exchange(
        CallKey("match", 0, "X", 0, "0"),
        Request((Message("user", "?"),)),
        Completion("!", usage=Usage(output=tokens)),
        "f",
    )
    return Decision(Cell(*cell), exchanges=(exchange,), seconds=seconds)


def test_who_exceeds_the_clock_forfeits_even_with_a_winning_move(scripted: Any) -> None:
    match = match_with(clock_seconds=10)
    x = scripted(timed((1, 1), 4), timed((1, 2), 6), timed((1, 3), 0.5))
    assert run(match, x, scripted(timed((2, 1), 9), timed((2, 2), 1))) == Ending("forfeit", "clock: over 10 s", "X")
    assert match.scores() == {"X": 0.0, "O": 1.0}
    assert match.step == 4  # exactly ten seconds are not over ten seconds


def test_tokens_can_be_the_clock(scripted: Any) -> None:
    match = match_with(clock_tokens=100)
    x = scripted(timed((1, 1), tokens=60), timed((1, 2), tokens=None), timed((1, 3), tokens=40))
    assert run(match, x, scripted("2,1", "2,2")).kind == "completed"
    match = match_with(clock_tokens=99)
    x = scripted(timed((1, 1), tokens=60), timed((1, 2), tokens=None), timed((1, 3), tokens=40))
    assert run(match, x, scripted("2,1", "2,2")) == Ending("forfeit", "clock: over 99 tokens", "X")


class Sleeper:
    """Never answers, and may refuse to be stopped."""

    def __init__(self, stubborn: bool = False) -> None:
        self.stubborn = stubborn

    async def act(self, turn: Turn) -> Decision:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            if not self.stubborn:
                raise
        return Decision(Cell(1, 1))


@pytest.mark.parametrize("stubborn", [False, True])
def test_a_decision_past_its_deadline_is_a_timeout(scripted: Any, stubborn: bool, kinds: Kinds) -> None:
    match = match_with(attempts=2, decision_deadline=0.01)
    ending = run(match, Sleeper(stubborn), scripted())
    assert ending == Ending("forfeit", "no legal move in 2 attempts: timeout", "X")
    assert kinds(match.attempts) == ["X0.0 timeout", "X0.1 timeout"]
    assert match.attempts[0].verdict.reason == "no answer within 0.01 s"


# -------------------------------------------------------------------- failures


def test_a_player_that_raises_is_at_fault_itself(scripted: Any, kinds: Kinds) -> None:
    match = match_with(attempts=4)
    x = scripted(RuntimeError("oh"), TimeoutError("my own"), KeyError("k"), "1,1", "1,2", "1,3")
    assert run(match, x, scripted("2,1", "2,2")).kind == "completed"
    assert kinds(match.attempts)[:4] == [f"X0.{i} player_error" for i in range(3)] + ["X0.3 legal"]
    assert match.attempts[0].verdict.reason == "RuntimeError: oh"


@pytest.mark.parametrize("error", [RuntimeError, ProviderError, SandboxError])
def test_a_key_in_an_error_goes_no_further(
    scripted: Any, monkeypatch: pytest.MonkeyPatch, error: type[Exception]
) -> None:
    monkeypatch.setenv("SOME_API_KEY", "marker-0123456789")
    match = match_with(attempts=1)
    ending = run(match, scripted(error("refused: marker-0123456789")), scripted())
    assert "marker" not in ending.why + match.attempts[0].verdict.reason
    assert "refused: [key]" in match.attempts[0].verdict.reason


class Returns:
    def __init__(self, value: Any) -> None:
        self.value = value

    async def act(self, turn: Turn) -> Any:
        return self.value


@pytest.mark.parametrize(
    "value", [None, "1,1", Cell(1, 1), Decision(), Decision("1,1"), Decision((1, 1)), Decision(7)], ids=repr
)
def test_what_is_no_decision_or_no_action_is_the_players_error(scripted: Any, value: Any, notebook: Any) -> None:
    match = match_with(attempts=1)
    ending = run(match, Returns(value), scripted(), journal=notebook)
    assert ending == Ending("forfeit", "no legal move in 1 attempts: player_error", "X")
    assert [action for _, _, action in notebook.written] == [None]


def test_a_provider_that_fails_voids_the_match_and_is_not_recorded(scripted: Any, notebook: Any) -> None:
    match = match_with()
    ending = run(match, scripted("1,1", ProviderError("503")), scripted("2,1"), journal=notebook)
    assert ending == Ending("void", "provider: 503", "X")
    assert match.scores() is None
    assert [attempt.seat for attempt in notebook.attempts] == ["X", "O"]
    resumed = match_with()
    ending = run(resumed, scripted("1,2", "1,3"), scripted("2,2"), recorded=notebook.attempts)
    assert ending == Ending("completed", "X has 3 in a row")


@pytest.mark.parametrize("error", [ConfigurationError("no key"), InternalError("bug")])
def test_errors_of_ours_and_of_the_user_are_nobodys_loss(scripted: Any, error: Exception) -> None:
    with pytest.raises(type(error)):
        run(match_with(), scripted(error), scripted())


@pytest.mark.parametrize(
    "status", ["ambiguous", "invalid_format", "empty", "truncated", "refused", "timeout", "player_error"]
)
def test_faults_become_verdicts(scripted: Any, status: Any) -> None:
    match = match_with(attempts=1)
    run(match, scripted(Decision(fault=Fault(status, "why"))), scripted())
    assert tuple(match.attempts[0].verdict) == (status, status, "why")


def test_a_fault_that_does_not_exist_is_the_players_error(scripted: Any) -> None:
    match = match_with(attempts=1)
    run(match, scripted(Decision(fault=Fault("legal", ""))), scripted())  # type: ignore[arg-type]
    assert match.attempts[0].verdict.status == "player_error"
    assert match.moves == []


# ------------------------------------------------------------------ resignation


def test_a_fault_that_calls_itself_a_resignation_is_none(scripted: Any) -> None:
    match = match_with(attempts=2)
    run(
        match,
        scripted(Decision(fault=Fault("illegal", "why", "resigned")), "1,1", "1,2", "1,3"),
        scripted("2,1", "2,2"),
    )
    assert match.ending == Ending("completed", "X has 3 in a row")


def test_resignation(scripted: Any, notebook: Any) -> None:
    match = match_with()
    ending = run(match, scripted("1,1", Decision(resign=True)), scripted("2,2"), journal=notebook)
    assert ending == Ending("completed", "X resigned")
    assert match.scores() == {"X": 0.0, "O": 1.0}
    assert notebook.written[-1] == ("match", None, None)


def test_resignation_may_not_be_allowed(scripted: Any, kinds: Kinds) -> None:
    match = match_with(resignation=False, attempts=2)
    run(match, scripted(Decision(resign=True), Decision(resign=True)), scripted())
    assert kinds(match.attempts) == ["X0.0 resignation_not_allowed", "X0.1 resignation_not_allowed"]
    assert match.ending is not None and match.ending.kind == "forfeit"


# ------------------------------------------------------------------------ misc


@pytest.mark.parametrize(
    "options",
    [
        {"attempts": None},
        {"attempts": 0},
        {"max_moves": -1},
        {"decision_deadline": 0},
        {"clock_seconds": -0.5},
        {"clock_tokens": 0},
    ],
    ids=str,
)
def test_policies_that_make_no_sense(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="policy: "):
        MatchPolicy(**options)


def test_a_policy_is_stored_with_every_field() -> None:
    policy = MatchPolicy(attempts=None, max_moves=21)
    assert MatchPolicy(**policy.to_dict()) == policy  # type: ignore[arg-type]


def test_the_number_of_players_is_checked() -> None:
    with pytest.raises(ConfigurationError, match="Tic-tac-toe is for 2 players, not 3"):
        Match(TicTacToe(), 3)


def test_only_a_seat_to_act_may_answer() -> None:
    match = Match(TicTacToe())
    with pytest.raises(InternalError, match="seat O is not to act at step 0"):
        match.submit("O", Decision(Cell(1, 1)))
    match.submit("X", Decision(resign=True))
    with pytest.raises(InternalError):
        match.submit("O", Decision(Cell(1, 1)))
    assert match.turns() == ()


def test_luck_of_an_attempt_depends_on_seed_step_seat_and_attempt_only() -> None:
    def luck(seed: int, *answers: str) -> list[Chance]:
        match, found = Match(TicTacToe(), seed=seed), []
        for answer in answers:
            (turn,) = match.turns()
            found.append(turn.chance)
            match.submit(turn.seat, Decision(turn.parse(answer)))
        return found

    one = luck(0, "9,9", "1,1", "2,2")
    assert one == luck(0, "8,8", "3,3", "2,1")
    assert len(set(one)) == 3
    assert one != luck(1, "9,9", "1,1", "2,2")
