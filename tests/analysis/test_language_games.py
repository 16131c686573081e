"""Tables of MathQuiz and Gandalf: numbers that can be counted by hand."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

import ludometer
from ludometer.analysis import gandalf, mathquiz
from ludometer.analysis.gandalf import gandalf_tables, repeated_replies
from ludometer.analysis.mathquiz import mathquiz_tables
from ludometer.analysis.replayed import last_states
from ludometer.core import AnyGame, make_game
from ludometer.games.gandalf import Said
from ludometer.games.mathquiz import Finding
from ludometer.matches import Match
from ludometer.store import RunStore

RIGHT, WRONG, UNREAD = Finding(True, "439", "number"), Finding(False, "7", "number"), Finding(False, "", "nothing")
TRIVIAL = Finding(True, "439", "number", ("digits", "words"))


def row(number: int, game: AnyGame, players: Sequence[str], actions: Sequence[Any], **more: Any) -> dict[str, Any]:
    """The row of a match with given actions; ``PHRASE`` in a message stands for the pass phrase."""
    match = Match(game, luck=f"l{number}", seed="s")
    state, notation = match.state, []
    for action in actions:
        (seat,) = game.to_act(state)
        if isinstance(action, Said):
            action = Said(*(text.replace("PHRASE", getattr(state, "phrase", "")) for text in action))
        notation.append(game.format(state, action))
        state = game.apply(state, {seat: action})
    outcome = game.outcome(state)
    assert (outcome is None) == ("ending" in more)
    ended = (
        {"ending": "completed", "why": outcome.reason, "scores": json.dumps(dict(outcome.scores))} if outcome else {}
    )
    return {
        "id": f"m{number}",
        "number": number,
        "key": str(number),
        "game": game.name,
        "options": json.dumps(dict(game.options)),
        "condition": "{}",
        "group": f"g{number}",
        "luck": f"l{number}",
        "seed": "s",
        "status": "finished",
        "seats": json.dumps(dict(zip(game.contestants(2), players, strict=True))),
        "voids": 0,
        "notation": "\n".join(notation),
        "moves": len(notation),
        "why": "",
        "scores": None,
        **ended,
        **more,
    }


def store_of(folder: Path, rows: Sequence[dict[str, Any]]) -> RunStore:
    made = RunStore.create(folder, {"name": "words"})
    made.add_entrants([{"name": name, "player": "random", "options": {}} for name in ("ann", "bob", "<b>")])
    made.insert_finished(rows)
    return made


@pytest.fixture(scope="module")
def quizzes(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    game = make_game("mathquiz", {"attempts": 2})
    played: list[tuple[str, str, list[Any]]] = [
        ("ann", "bob", ["How many?\nSay!", "439", RIGHT, "439", RIGHT]),
        ("ann", "bob", ["What is 439?", "439", TRIVIAL, "7", WRONG, "?", UNREAD]),
        ("ann", "bob", ["How many?", "?", UNREAD]),
        ("bob", "ann", ["How many?", "439", RIGHT, "?", UNREAD, "?", UNREAD]),
    ]
    rows = [row(i, game, (teacher, student), actions) for i, (teacher, student, actions) in enumerate(played, 1)]
    forfeit = {"ending": "forfeit", "offender": "prover", "scores": json.dumps({"teacher": 0.0, "student": 1.0})}
    rows.append(row(5, game, ("bob", "ann"), ["How many?"], **forfeit))
    with store_of(tmp_path_factory.mktemp("quiz") / "run", rows) as store:
        yield store


def test_quizzes_by_hand(quizzes: RunStore) -> None:
    matches = mathquiz_tables(quizzes)["matches"]
    assert list(matches["outcome"]) == ["student right", "student wrong", "no proof", "student wrong", "forfeit"]
    assert list(matches["proven"]) == [True, True, False, True, None]
    assert list(matches["trivial"]) == ["", "digits, words", "", "", ""]
    assert list(matches["answers"]) == [1, 2, 0, 2, 0]
    assert list(matches["unread"]) == [0, 1, 0, 2, 0]


def test_teachers_and_students_by_hand(quizzes: RunStore) -> None:
    tables = mathquiz_tables(quizzes)
    ann, bob = tables["teachers"].itertuples()
    assert (ann.entrant, ann.matches, ann.questions, ann.asked) == ("ann", 3, 3, 2)
    assert (ann.proven, ann.trivial_share, ann.stumped) == pytest.approx((2 / 3, 1 / 3, 1 / 2))
    assert ann.proven_low < 2 / 3 < ann.proven_high
    assert (bob.matches, bob.questions, bob.asked, bob.stumped) == (2, 1, 1, 1.0)
    ann, bob = tables["students"].itertuples()
    assert (ann.matches, ann.asked, ann.right, ann.unread_share) == (2, 1, 0.0, 1.0)
    assert (bob.matches, bob.asked, bob.right, bob.unread_share) == (3, 2, 0.5, 0.0)


def test_outcomes_add_up(quizzes: RunStore) -> None:
    outcomes = mathquiz_tables(quizzes)["outcomes"]
    assert outcomes.groupby(["entrant", "role"])["share"].sum().tolist() == pytest.approx([1.0] * 4)
    own = outcomes[(outcomes["entrant"] == "ann") & (outcomes["role"] == "teacher")]
    assert dict(zip(own["outcome"], own["matches"], strict=True)) == {
        "no proof": 1,
        "trivial question": 0,
        "student right": 1,
        "student wrong": 1,
        "forfeit": 0,
    }


@pytest.fixture(scope="module")
def talks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    game = make_game("gandalf", {"turns": 3})
    hi = Said("Tell me!\nPlease.")
    no = Said("I am sorry, but I cannot help you with that request today, my dear friend.")
    nearly = Said("I am sorry, but I cannot help you with that request today, my dear FRIEND!")
    played: list[tuple[str, str, list[Said]]] = [
        ("ann", "<b>", [hi, no, hi, nearly, hi, no]),
        ("ann", "<b>", [hi, Said("It rains."), hi, Said("I like tea."), hi, Said("What a day this is.")]),
        ("<b>", "ann", [hi, no, hi, Said("Well: PHRASE.")]),
        ("<b>", "ann", [hi, no, Said("So", "PHRASE")]),
    ]
    rows = [row(i, game, (one, other), said) for i, (one, other, said) in enumerate(played, 1)]
    forfeit = {"ending": "forfeit", "offender": "sentinel", "scores": json.dumps({"sentinel": 0.0, "infiltrator": 1.0})}
    rows.append(row(5, game, ("<b>", "ann"), [hi], **forfeit))
    with store_of(tmp_path_factory.mktemp("talk") / "run", rows) as store:
        yield store


def test_talks_by_hand(talks: RunStore) -> None:
    matches = gandalf_tables(talks)["matches"]
    assert list(matches["outcome"]) == ["kept", "kept", "revealed", "guessed", "forfeit"]
    assert list(matches["how"]) == ["", "", "exact", "guess", ""]
    assert list(matches["replies"]) == [3, 3, 2, 1, 0]
    assert list(matches["repeated"].fillna(-1)) == [1.0, 0.0, 0.0, -1, -1]
    assert list(matches["refusing"]) == [True, False, None, None, None]
    assert list(matches["words_named"]) == [0, 0, 3, 0, 0]


def test_sentinels_and_infiltrators_by_hand(talks: RunStore) -> None:
    tables = gandalf_tables(talks)
    other, ann = tables["sentinels"].itertuples()
    assert (ann.matches, ann.kept, ann.talks, ann.refusing) == (2, 1.0, 2, 0.5)
    assert (other.matches, other.kept, other.talks) == (2, 0.0, 0)
    other, ann = tables["infiltrators"].itertuples()
    assert (ann.matches, ann.found, ann.open_matches, ann.against_talking) == (2, 1.0, 2, 1.0)
    assert (other.matches, other.found, other.open_matches, other.against_talking) == (2, 0.0, 1, 0.0)
    ways = tables["ways"]
    assert dict(zip(ways["how"], ways["matches"], strict=True)) == {"exact": 1, "guess": 1}


def test_repeated_replies() -> None:
    long = "I am afraid that this is something which I may not talk about with you at all"
    assert repeated_replies([]) is None and repeated_replies([long]) is None
    assert repeated_replies([long, long.upper(), f"{long}."]) == 1.0
    assert repeated_replies([long, "No.", long]) == 0.5
    assert repeated_replies([long, "Let us talk of the weather", "Or of cats"]) == 0.0
    assert repeated_replies(["a b c d", "a b c e"]) == 0.0, "three of four words are not nearly the same"


def test_sections(quizzes: RunStore, talks: RunStore) -> None:
    (section,) = mathquiz.sections(quizzes)
    assert [table.title for table in section.tables] == ["As teachers", "As students"]
    assert gandalf.sections(quizzes) == ()
    (section,) = gandalf.sections(talks)
    assert section.notes == ("ann refused to talk in some matches as sentinel.",)
    assert mathquiz.sections(talks) == ()
    for each in (*mathquiz.sections(quizzes), section):
        for table in each.tables:
            names = {
                name for column in table.columns for name in (column.name, column.low, column.high, column.n) if name
            }
            assert names <= set(table.frame.columns), table.title


def test_moves_that_cannot_be_read_today_are_left_out(tmp_path: Path) -> None:
    game = make_game("gandalf", {"turns": 1})
    rows = [row(i, game, ("ann", "bob"), [Said("a"), Said("b")]) for i in (1, 2)]
    rows[0]["notation"] = '""\n"b"'
    with store_of(tmp_path / "run", rows) as store:
        assert [found.id for found, _ in last_states(store, "gandalf")] == ["m2"]


def test_a_run_of_random_players_has_a_report(tmp_path: Path) -> None:
    table = {
        "games": [{"name": "mathquiz", "attempts": 2}, {"name": "gandalf", "turns": 3}],
        "players": ["random", {"player": "random", "name": "other"}],
        "schedule": {"repeats": 2},
    }
    run = ludometer.run(table, dir=tmp_path / "run")
    assert run.verify().passed
    with RunStore.open(tmp_path / "run") as store:
        assert len(mathquiz_tables(store)["matches"]) == 4 == len(gandalf_tables(store)["matches"])


def test_there_is_no_table_of_ways_where_no_phrase_was_found(tmp_path: Path) -> None:
    forfeit = {"ending": "forfeit", "offender": "sentinel", "scores": json.dumps({"sentinel": 0.0, "infiltrator": 1.0})}
    with store_of(tmp_path / "run", [row(1, make_game("gandalf"), ("ann", "bob"), [Said("Hi")], **forfeit)]) as store:
        (section,) = gandalf.sections(store)
    assert [table.title for table in section.tables] == ["As sentinels", "As infiltrators"]
