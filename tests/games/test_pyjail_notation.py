"""How jails, payloads and flags are written by models, and read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.core import Chance, Completion, Decision, Illegal, Turn
from ludometer.games._pyjail_reading import mentioned, stated_flag
from ludometer.games.pyjail import Attack, Defence, PyJail
from ludometer.parsers import read

from .test_pyjail import DEFENCE, played, tried, vetting

GAME = PyJail()
EMPTY = GAME.new(2, Chance(0))
FLAG = "flag{" + "0123456789abcdef" * 2 + "}"


def turn_of(*steps: object, attacks: int = 2) -> Turn:
    return played(*steps, attacks=attacks).turns()[0]


FIRST = turn_of(DEFENCE, vetting)
SECOND = turn_of(DEFENCE, vetting, Attack("a"), tried)
LAST = turn_of(DEFENCE, vetting, Attack("a"), tried, attacks=1)


@pytest.mark.parametrize(
    "text",
    [
        "```python\njail\n```\n\n```python\nproof\n```",
        "The jail:\n\n```\njail\n```\nand what proves it:\n```py\n\nproof\n\n```\nThat is all.",
        "```\r\njail\r\n```\r\n```\r\nproof\r\n```\r\n",
        '{"jail": "jail", "proof": "proof"}',
        'jail "jail" proof "proof"',
        'I choose {"jail": "jail\\n", "proof": " proof"}',
        '```json\n{"jail": "jail", "proof": "proof"}\n```',
        "````\njail\n````\n````\nproof\n````",
    ],
)
def test_jail_and_proof_in_words(text: str) -> None:
    assert read(Completion(text), turn_of(), "text").action == Defence("jail", "proof")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("```\njail\n```", "invalid_format"),
        ("```\njail\n```\n```\nproof", "invalid_format"),
        ("no jail today", "invalid_format"),
        ("```\na\n```\n```\nb\n```\n```\nc\n```", "ambiguous"),
        ('{"jail": "only"}', "invalid_format"),
        ('{"jail": ["a"], "proof": "b"}', "invalid_format"),
    ],
)
def test_half_a_defence_is_none(text: str, status: str) -> None:
    found = read(Completion(text), turn_of(), "text")
    assert found.fault is not None and found.fault.status == status


def test_a_fence_within_a_structured_answer_is_taken_off() -> None:
    answer = {"jail": "```python\njail\n```", "proof": "```\nproof\n```"}
    assert GAME.decode(EMPTY, "defender", answer) == Defence("jail", "proof")
    assert GAME.decode(EMPTY, "defender", {"Jail": "jail", "PROOF": "proof"}) == Defence("jail", "proof")


@pytest.mark.parametrize(
    ("text", "attack"),
    [
        ("```python\nprint(1)\n```", Attack("print(1)")),
        ("Not\n```\nprint(1)\n```\nbut\n```\nprint(2)\n```", Attack("print(2)")),
        ('{"payload": "print(1)"}', Attack("print(1)")),
        (f"```\nprint(1)\n```\nThe flag is {FLAG}.", Attack("print(1)", FLAG)),
        (f"It was {FLAG.upper()}.", Attack(flag=FLAG)),
        (f'{{"payload": "print(1)", "flag": "{FLAG}"}}', Attack("print(1)", FLAG)),
        ('I play payload "print(\\"a\\")".', Attack('print("a")')),
        (f'flag "{FLAG}" payload "print(1)"', Attack("print(1)", FLAG)),
        ('```\nprint("flag " + open(0).read() + "x")\n```', Attack('print("flag " + open(0).read() + "x")')),
        ('payload "a"\n```\nprint(1)\n```', Attack("print(1)")),
        (f'{{"flag": "{FLAG}"}}', Attack(flag=FLAG)),
        ('{"payload": "print(1)", "flag": "unknown"}', Attack("print(1)")),
        ('{"payload": "print(1)", "flag": null}', Attack("print(1)")),
    ],
)
def test_attacks_in_words(text: str, attack: Attack) -> None:
    assert read(Completion(text), SECOND, "text").action == attack


def test_prose_is_no_payload() -> None:
    found = read(Completion("I will not help with that."), FIRST, "text")
    assert found.fault is not None and found.fault.status == "invalid_format"


def test_a_flag_is_not_known_before_anything_was_run() -> None:
    assert FIRST.decode({"payload": "a", "flag": FLAG}) == Attack("a")
    assert FIRST.parse(f"```\na\n```\n{FLAG}") == Attack("a")
    assert FIRST.parse(FLAG) == Attack(FLAG), "a strange payload"


@pytest.mark.parametrize(
    "text", [FLAG, f"The flag is `{FLAG}`", f'{{"flag": "{FLAG}"}}', f"not {FLAG[:-2]}f}}: {FLAG}"]
)
def test_a_last_word_is_searched_for_its_last_flag(text: str) -> None:
    assert read(Completion(text), LAST, "text").action == Attack(flag=FLAG)


@pytest.mark.parametrize("text", ["none", "I do not know.", '{"flag": ""}', '{"flag": null}', "```\nprint(1)\n```"])
def test_a_last_word_without_a_flag_is_legal(text: str) -> None:
    found = read(Completion(text), LAST, "text").action
    assert found == Attack()
    LAST.check(found)
    assert LAST.decode({"payload": "print(1)"}) == Attack()


def test_code_in_a_move_is_code() -> None:
    assert FIRST.decode({"move": "print(1)"}) == Attack("print(1)")
    assert FIRST.decode({"move": "```\nprint(1)\n```"}) == Attack("print(1)")
    with pytest.raises(Illegal):
        turn_of().decode({"move": "print(1)"})


def test_flags_in_texts() -> None:
    assert stated_flag(f"{FLAG} no: {FLAG.replace('0', 'a')}") == FLAG.replace("0", "a")
    for text in ("", "flag{}", FLAG[:-1], FLAG.replace("0", "g"), None, 7, [FLAG]):
        assert stated_flag(text) == ""


def test_code_survives_as_it_is() -> None:
    source = 'def f(x):\n\tif x:\n\t\treturn "é\\u202e\u202e \U0001f600"  # ``` not a fence\n\n\n# last'
    match = played(Defence(source, source))
    assert match.state.defence == Defence(source, source)
    line = match.notation[0]
    assert "\n" not in line and line.isascii()
    assert match.game.parse(EMPTY, "defender", line) == Defence(source, source)


def test_half_characters_are_replaced_before_they_are_anybodys_trouble() -> None:
    found = GAME.decode(EMPTY, "defender", {"jail": "a\ud800", "proof": "b\x00"})
    assert found == Defence("a\ufffd", "b\x00")
    json.dumps(GAME.encode(EMPTY, found)).encode()


@pytest.mark.parametrize(
    "text",
    [
        "```x\n" * 20_000,
        "```\n" * 20_000,
        '{"jail":' * 20_000,
        '{"payload": "' * 10_000,
        "flag{" * 40_000,
        '{"runs": [' * 15_000,
        'flag "' * 30_000,
        'payload "\\' * 20_000,
        'payload "x" ' * 15_000,
    ],
)
def test_long_hostile_texts_are_read_in_no_time(text: str) -> None:
    for turn in (turn_of(), FIRST, SECOND, LAST):
        for piece in mentioned(text)[-3:]:
            try:
                turn.parse(piece)
            except Illegal as error:
                assert len(str(error)) < 500


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80), st.text(max_size=80))
def test_any_defence_that_is_read_survives_its_notation(jail: str, proof: str) -> None:
    state = EMPTY
    try:
        defence = GAME.decode(state, "defender", {"jail": jail, "proof": proof})
        GAME.check(state, "defender", defence)
    except Illegal:
        return
    assert GAME.parse(state, "defender", GAME.format(state, defence)) == defence
    assert GAME.decode(state, "defender", json.loads(json.dumps(GAME.encode(state, defence)))) == defence


@settings(max_examples=200, deadline=None)
@given(st.text(max_size=80))
def test_any_attack_that_is_read_survives_its_notation(text: str) -> None:
    for turn in (FIRST, SECOND, LAST):
        attack = turn.parse(text)
        try:
            turn.check(attack)
        except Illegal:
            continue
        assert turn.parse(turn.format(attack)) == attack
        assert turn.decode(turn.encode(attack)) == attack


def test_a_recorded_report_is_read_back() -> None:
    match = played(DEFENCE, vetting)
    report = match.state.vetting
    state = GAME.apply(EMPTY, {"defender": DEFENCE})
    assert GAME.decode(state, "sandbox", json.loads(json.dumps(GAME.encode(state, report)))) == report
    for broken in (
        {"sandbox": "x"},
        {"runs": []},
        {"sandbox": "x", "runs": [{}]},
        {"sandbox": "x", "runs": [{"name": 1}]},
    ):
        with pytest.raises(Illegal):
            GAME.decode(state, "sandbox", broken)


def test_a_model_in_the_officials_seat_may_be_wrong_about_the_runs_but_breaks_nothing() -> None:
    match = played(DEFENCE)
    attempt = match.submit("sandbox", Decision(GAME.decode(match.state, "sandbox", {"sandbox": "me", "runs": []})))
    assert attempt.verdict.kind == "wrong_runs"
    assert match.ending is not None and match.ending.kind == "void"
