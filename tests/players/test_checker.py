"""The checker of MathQuiz: exact comparison, trivial questions, and texts that would hang whoever reads them."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ludometer.core import ConfigurationError, Decision, make_game
from ludometer.games.mathquiz import Finding, MathQuiz, Quiz
from ludometer.matches import Match
from ludometer.players._arithmetic import Read, evaluate, trivial_reasons
from ludometer.players.checker import CheckerPlayer, _read
from ludometer.players.entrant import check_contestant


def found(answer: str, target: int = 439, question: str = "How many are there?", **options: Any) -> Finding:
    """What the checker says of the proof of a question."""
    match = Match(MathQuiz(**options))
    match.state = Quiz(target)
    for said in (question, answer):
        match.submit(match.turns()[0].seat, Decision(said))
    (turn,) = match.turns()
    assert turn.seat == "checker"
    decision = asyncio.run(CheckerPlayer().act(turn))
    assert match.submit("checker", decision).verdict.is_legal
    assert isinstance(decision.action, Finding)
    return decision.action


@pytest.mark.parametrize("answer", ["439", "439.0", "\\boxed{439}", "4.39e2", "the answer is 439.", "439/1"])
def test_right_answers(answer: str) -> None:
    assert found(answer)[:2] == (True, "439")


@pytest.mark.parametrize(
    ("answer", "read", "why"),
    [
        ("438", "438", "number"),
        ("439.0000001", "4390000001/10000000", "number"),
        ("438.9999999999999999999", "4389999999999999999999/10000000000000000000", "number"),
        ("-439", "-439", "number"),
        ("4,390", "4390", "number"),
        ("439 or 440", "", "several_numbers"),
        ("between 438 and 440", "", "not_a_number"),
        ("0x1b7", "", "not_a_number"),
        ("I do not know.", "", "nothing"),
    ],
)
def test_wrong_answers(answer: str, read: str, why: str) -> None:
    assert found(answer)[:3] == (False, read, why)


def test_a_computation_is_no_answer_unless_the_game_says_so() -> None:
    assert found("400 + 39")[:3] == (False, "439", "computation")
    assert found("400 + 39", computations="accept")[:3] == (True, "439", "computation")
    assert found("400 + 38", computations="accept")[:3] == (False, "438", "computation")


def test_the_reading_does_not_depend_on_the_target() -> None:
    for answer in ("439 or 440", "439", "440 = 439 + 1", "The answer is 439. Or is it 440?"):
        assert len({found(answer, target)[1:3] for target in (439, 440, 7)}) == 1
        assert sum(found(answer, target).right for target in (439, 440, 7)) <= 1


# ------------------------------------------------------------------ trivial questions


@pytest.mark.parametrize(
    ("question", "reasons"),
    [
        ("What is 439?", ["digits"]),
        ("Which number is written 439.0?", ["digits"]),
        ("How many metres are 439m?", ["digits"]),
        ("What is the 439th natural number?", ["digits"]),
        ("4.39e2 = ?", ["digits"]),
        ("Say ４３９", ["digits"]),
        ("What is four hundred and thirty-nine?", ["words"]),
        ("What is FOUR HUNDRED THIRTY NINE in digits?", ["words"]),
        ("438+1", ["computation"]),
        ("What is 438 + 1?", ["computation"]),
        ("What is (438) + (1)?", ["computation"]),
        ("What is 438 plus 1?", ["computation"]),
        ("What is four hundred thirty-eight plus one?", ["computation"]),
        ("What is the sum of 400 and 39?", ["computation"]),
        ("What is 878 divided by 2?", ["computation"]),
        ("Compute \\frac{878}{2}.", ["computation"]),
        ("What is 1 x 439, or 439 * 1?", ["digits", "computation"]),
        ("What is the square root of 192721, that is \\sqrt{192721}?", ["computation"]),
        ("What is 20*20 + 39?", []),
        ("What is 438 + 2 - 1?", []),
        ("What is 4390 / 10 + 0?", []),
        ("What is 1439 - 1 - 999?", []),
        ("How many primes are below 3070?", []),
        ("What is 9**9**9 modulo 1000?", []),
    ],
)
def test_trivial_questions(question: str, reasons: list[str]) -> None:
    assert trivial_reasons(question, 439) == reasons


def test_trivial_questions_are_reported_and_may_be_invalid() -> None:
    finding = found("439", question="What is 438 + 1?")
    assert finding == Finding(True, "439", "number", ("computation",))
    for trivial, reason in (("report", None), ("invalid", "teacher failed: trivial question")):
        match = Match(MathQuiz(trivial=trivial))  # type: ignore[arg-type]
        for action in ("What is it?", "439", finding):
            match.submit(match.turns()[0].seat, Decision(action))
        assert (match.outcome and match.outcome.reason) == reason


# ------------------------------------------------------------------------ hostile texts

CHEAP = {
    "1e999999999": "too_large",
    "2**2**2**2**2": "too_large",
    "10**(10**4)": "too_large",
    "(" * 5000 + "439" + ")" * 5000: "not_a_number",
    "(" * 20_000: "nothing",
    "4" * 1_000_000: "not_a_number",
    " 439" * 250_000: "not_a_number",
    "1+" * 4000 + "1": "not_a_number",
    "sqrt(" * 70 + "439" + ")" * 70: "computation",
    "one hundred " * 50_000: "not_a_number",
    "{" * 200_000: "nothing",
    "answer is " * 100_000: "nothing",
    "\\boxed{" * 100_000: "nothing",
    "\\frac{" * 2000: "nothing",
    "__import__('os').system('exit')": "nothing",
    "().__class__.__bases__[0]": "number",  # the one number in it
    "lambda: 439": "number",
    "\x00\ud800\u202e": "nothing",
}


@pytest.mark.parametrize(("text", "why"), CHEAP.items(), ids=lambda value: repr(value)[:30])
def test_hostile_texts_that_are_soon_read(text: str, why: str) -> None:
    assert asyncio.run(_read(text)).why == why


def test_what_hangs_is_ended_and_the_next_text_is_read() -> None:
    async def both() -> tuple[Read, Read]:
        return await _read("9**9**9"), await _read("439")

    assert asyncio.run(both()) == (Read("", "too_hard"), Read("439", "number"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["(10**9)!", "factorial(factorial(20))", "10**(10**8)", "((9!)!)!", "9**(9**9)/3**(9**9)"]
)
def test_more_that_hangs_or_eats_memory(text: str) -> None:
    assert asyncio.run(_read(text)).why in ("too_hard", "too_large")


@pytest.mark.slow
def test_a_hanging_answer_is_wrong_in_a_match() -> None:
    assert found("9**9**9")[:3] == (False, "", "too_hard")


@pytest.mark.parametrize("text", ["__import__('os')", "exit()", "a.b", "[1][0]", "1 if 1 else 2", "'4'", "1;2", "x"])
def test_nothing_but_arithmetic_reaches_the_evaluator(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import sympy.parsing.sympy_parser as reader

    def reached(*_: object, **__: object) -> None:
        raise AssertionError("it was evaluated")

    monkeypatch.setattr(reader, "parse_expr", reached)
    assert evaluate(text) is None


# ------------------------------------------------------------------------ who may sit there


def test_it_judges_mathquiz_only_and_is_no_contestant() -> None:
    with pytest.raises(ConfigurationError, match="judges MathQuiz, not"):
        CheckerPlayer().supports(make_game("tictactoe"))
    with pytest.raises(ConfigurationError, match="is an official"):
        check_contestant("checker", CheckerPlayer())
    CheckerPlayer().supports(MathQuiz())


def test_without_sympy_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludometer.players.checker.find_spec", lambda name: None)
    with pytest.raises(ConfigurationError, match="sympy"):
        CheckerPlayer().supports(MathQuiz())
