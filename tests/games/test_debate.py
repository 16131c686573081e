"""Debate: who speaks when, what may be said, how sheets become a result, and what each seat sees."""

from __future__ import annotations

import itertools
import math
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludometer.core import Chance, ConfigurationError, Decision, Illegal, Watcher, make_game
from ludometer.games.debate import Debate, Debated, Sheet, Speech, topics
from ludometer.matches import Match, MatchPolicy
from ludometer.testing import check_game


def debated(game: Debate, sheets: dict[str, tuple[Any, Any]], motion: str = "It is so.") -> Debated:
    """A debate in which everybody says one word a speech, and the judges score like this, by seat."""
    state = Debated(motion)
    while game.to_act(state) in (("for",), ("against",)):
        (seat,) = game.to_act(state)
        state = game.apply(state, {seat: Speech(f"{seat}{len(state.speeches)}")})
    return game.apply(state, {seat: Sheet(*map(tuple, sheets[seat])) for seat in game.to_act(state)})


# ---------------------------------------------------------------------- topics


def test_there_are_enough_topics_and_they_are_balanced_over_fields() -> None:
    fields = topics()
    motions = [motion for field in fields.values() for motion in field]
    assert len(motions) >= 60 and len({motion.casefold() for motion in motions}) == len(motions)
    assert len({len(field) for field in fields.values()}) == 1, "every field has as many as every other"


@pytest.mark.parametrize("motion", [motion for field in topics().values() for motion in field])
def test_a_topic_is_one_neutral_sentence(motion: str) -> None:
    assert re.fullmatch(r"[A-Z][^.?!\n]{15,120}\.", motion)
    loaded = r"outrage|obvious|clearly|evil|stupid|terrible|wonderful|sadly|fortunately|unfair|dangerous|because|!"
    assert not re.search(loaded, motion, re.IGNORECASE)
    assert re.search(r"\b(should|is better)\b", motion), "it names a choice"


def test_the_topic_is_luck_of_its_own_and_all_topics_come() -> None:
    game = Debate()
    drawn = [game.new(2, Chance.from_seed(i)).motion for i in range(2000)]
    assert set(drawn) == {motion for field in topics().values() for motion in field}
    assert game.new(2, Chance.from_seed(1)) == Debate(judges=3, rebuttals=4).new(2, Chance.from_seed(1))
    assert Debate(topic=" Tea beats coffee. ").new(2, Chance.from_seed(1)).motion == "Tea beats coffee."


# ----------------------------------------------------------------------- rules


@pytest.mark.parametrize("rebuttals", [0, 1, 3])
def test_sides_take_turns_and_then_all_judges_score_at_once(rebuttals: int) -> None:
    match = Match(Debate(rebuttals=rebuttals, judges=2))
    spoken = []
    while len(match.turns()) == 1:
        (turn,) = match.turns()
        spoken.append(turn.seat)
        match.submit(turn.seat, Decision(Speech("Well.")))
    assert spoken == ["for", "against"] * (rebuttals + 2)
    assert [turn.seat for turn in match.turns()] == ["judge1.ab", "judge1.ba", "judge2.ab", "judge2.ba"]
    assert match.game.contestants(2) == ("for", "against")


def test_judges_are_officials_that_somebody_must_name() -> None:
    from ludometer.api import play

    roles = Debate(judges=2).roles(2)
    assert {role.official for role in roles if role.kind == "official"} == {"judge1", "judge2"}
    assert len({role.title for role in roles if role.official == "judge1"}) == 1, "no seat knows of the other order"
    with pytest.raises(ConfigurationError, match='judge1 = "provider/model"'):
        play("debate", ["random", "random"])
    played = play("debate", ["random", "random"], officials={"judge1": "random"})
    scores = played.scores()
    assert scores is not None and sum(scores.values()) == 1.0


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("word " * 5, None),
        ("word " * 6, "too_long"),
        ("a" * 40, None),
        ("a" * 41, "too_long"),
        (" ", "nothing_said"),
        ("...", "nothing_said"),
        ("— !?", "nothing_said"),
        ("да", None),
    ],
)
def test_a_speech_has_words_and_is_not_cut(text: str, kind: str | None) -> None:
    game = Debate(words=5, characters=40)
    state = Debated("It is so.")
    speech = game.parse(state, "for", text)
    if kind is None:
        game.check(state, "for", speech)
        assert game.apply(state, {"for": speech}).speeches == (text.strip(),)
        return
    with pytest.raises(Illegal) as error:
        game.check(state, "for", speech)
    assert error.value.kind == kind


def test_an_overlong_speech_is_told_how_long_it_was_and_forfeits_in_the_end() -> None:
    match = Match(Debate(words=3), policy=MatchPolicy(attempts=2))
    for _ in range(2):
        attempt = match.submit("for", Decision(Speech("one two three four")))
        assert attempt.verdict.kind == "too_long" and "4 words, and at most 3" in attempt.verdict.reason
    assert match.ending is not None and (match.ending.kind, match.ending.offender) == ("forfeit", "for")


@pytest.mark.parametrize("score", [0.999, 10.001, -1, math.inf, math.nan, 1e9])
def test_scores_are_on_the_scale(score: float) -> None:
    game = Debate(rubric="argument:1")
    state = debated(game, {"judge1.ab": ([5], [5]), "judge1.ba": ([5], [5])})._replace(sheets=())
    with pytest.raises(Illegal) as error:
        game.check(state, "judge1.ab", Sheet((5.0,), (score,)))
    assert error.value.kind == "out_of_range"


def test_a_judge_that_scores_out_of_range_voids_the_match() -> None:
    match = Match(Debate(rubric="argument:1"), policy=MatchPolicy(attempts=1))
    for _ in range(6):
        match.submit(match.turns()[0].seat, Decision(Speech("Well.")))
    match.submit("judge1.ab", Decision(Sheet((11.0,), (1.0,))))
    assert match.ending is not None and (match.ending.kind, match.ending.offender) == ("void", "judge1.ab")
    assert match.scores() is None


@pytest.mark.parametrize(
    "options",
    [
        {"rebuttals": -1},
        {"judges": 0},
        {"lowest": 5, "highest": 5},
        {"swap": "ignore"},
        {"topic": "two\nlines"},
        {"rubric": ""},
        {"rubric": "argument:0"},
        {"rubric": "argument:x"},
        {"rubric": "Argument:1"},
        {"rubric": "a:1,a:2"},
        {"rubric": "total:1"},
        {"rubric": {"wit": True}},
        {"rubric": {"wit": {"weight": 1, "about": "line\nline"}}},
        {"rubric": {"wit": {"wieght": 1}}},
        {"rubric": ",".join(f"c{i}" for i in range(13))},
    ],
    ids=str,
)
def test_options_that_make_no_debate_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError, match="debate"):
        make_game("debate", options)


@pytest.mark.parametrize(
    "options",
    [
        {"judges": 3, "rebuttals": 0, "swap": "tie", "rubric": "a:1,b_c:2.5", "lowest": 0, "highest": 5},
        {"judges": 2, "rebuttals": 3, "words": 3, "characters": 10, "topic": "X?"},
        {"rubric": {"wit": 2, "use_of_facts": {"weight": 1, "about": "are there any"}}, "lowest": -3, "highest": 3},
    ],
    ids=str,
)
def test_other_options_hold_to_the_contract(options: dict[str, Any]) -> None:
    check_game(make_game("debate", options), matches=3)


# --------------------------------------------------------------------- scoring


def test_totals_are_weighted_by_the_arena() -> None:
    game = Debate(rubric="argument:3,clarity:1")
    state = debated(game, {"judge1.ab": ([8, 4], [6, 10]), "judge1.ba": ([6, 6], [10, 2])})
    outcome = game.outcome(state)
    assert outcome is not None
    # ab: for 7, against 7; ba shows the side against first: against 6, for 8.
    assert outcome.payoffs == {"for": 15.0, "against": 13.0}
    assert outcome.scores == {"for": 1.0, "against": 0.0}


def test_equal_sums_are_a_draw_even_where_floating_point_is_not() -> None:
    # Weighted means of 11.61904761904762 and 11.619047619047619: both are exactly 122/10.5.
    game = Debate(rubric="a:3,b:2,c:3,d:2.5")
    ours, theirs = ([1, 6, 9, 5], [4, 7, 8, 7]), ([6, 1, 1, 7], [10, 7, 10, 3])
    state = debated(game, {"judge1.ab": (ours[0], theirs[0]), "judge1.ba": (theirs[1], ours[1])})
    outcome = game.outcome(state)
    assert outcome is not None and outcome.scores == {"for": 0.5, "against": 0.5}


FOR, AGAINST, LEVEL = ([8], [3]), ([3], [8]), ([5], [5])


@pytest.mark.parametrize(
    ("ab", "ba", "plain", "tie"),
    [
        (FOR, AGAINST, 1.0, 1.0),  # ba shows the side against first: (3, 8) prefers the side for the motion again
        (AGAINST, FOR, 0.0, 0.0),
        (FOR, FOR, 0.5, 0.5),  # prefers whoever is first
        (([9], [3]), ([8], [3]), 1.0, 0.5),  # the same, by one point more in one of the orders
        (([9], [3]), LEVEL, 1.0, 0.5),  # does not hold its preference
        (LEVEL, LEVEL, 0.5, 0.5),
    ],
)
def test_a_judge_that_changes_its_mind_on_the_swap(ab: Any, ba: Any, plain: float, tie: float) -> None:
    for swap, wanted in (("score", plain), ("tie", tie)):
        game = make_game("debate", {"rubric": "argument:1", "swap": swap})
        assert isinstance(game, Debate)
        outcome = game.outcome(debated(game, {"judge1.ab": ab, "judge1.ba": ba}))
        assert outcome is not None and outcome.scores["for"] == wanted, swap


def test_with_ties_the_steady_judges_decide() -> None:
    sheets = {"judge1.ab": ([10], [1]), "judge1.ba": ([10], [1.5]), "judge2.ab": ([4], [5]), "judge2.ba": ([5], [4])}
    by_swap = {}
    for swap in ("score", "tie"):
        game = make_game("debate", {"rubric": "argument:1", "judges": 2, "swap": swap})
        assert isinstance(game, Debate)
        outcome = game.outcome(debated(game, sheets))
        assert outcome is not None
        by_swap[swap] = outcome.scores["against"]
    # judge 1 prefers whoever stands first, by 9 points and by 8.5; judge 2 prefers the side against, by one each time.
    assert by_swap == {"score": 1.0, "tie": 1.0}
    sheets |= {"judge1.ab": ([10], [1]), "judge1.ba": ([6], [5])}
    outcomes = []
    for swap in ("score", "tie"):
        game = make_game("debate", {"rubric": "argument:1", "judges": 2, "swap": swap})
        assert isinstance(game, Debate)
        outcomes.append(game.outcome(debated(game, sheets)))
    assert [outcome.scores["for"] for outcome in outcomes if outcome] == [1.0, 0.0]


@given(st.lists(st.integers(1, 10), min_size=8, max_size=8), st.sampled_from(["score", "tie"]))
def test_who_wins_does_not_depend_on_which_side_is_called_for(points: list[int], swap: Any) -> None:
    """With the sides exchanged (and thereby the orders of presentation), the result is exchanged."""
    game = Debate(rubric="argument:2,clarity:1", swap=swap)
    ab, ba = (points[:2], points[2:4]), (points[4:6], points[6:])
    outcome = game.outcome(debated(game, {"judge1.ab": ab, "judge1.ba": ba}))
    exchanged = game.outcome(debated(game, {"judge1.ab": ba, "judge1.ba": ab}))
    assert outcome is not None and exchanged is not None
    assert outcome.scores["for"] == exchanged.scores["against"]


# --------------------------------------------------------------------- showing


def test_the_two_seats_of_a_judge_see_the_same_debate_in_two_orders() -> None:
    game = Debate()
    state = debated(game, {"judge1.ab": ([5] * 4, [5] * 4), "judge1.ba": ([5] * 4, [5] * 4)})._replace(sheets=())
    ab, ba = (game.observe(state, seat).data for seat in ("judge1.ab", "judge1.ba"))
    assert [side["argues"] for side in ab["sides"]] == ["for", "against"]
    assert [side["argues"] for side in ba["sides"]] == ["against", "for"]
    assert [side["name"] for side in ab["sides"]] == [side["name"] for side in ba["sides"]] == ["Side A", "Side B"]
    assert ab["sides"][0]["speeches"] == ba["sides"][1]["speeches"] == ["for0", "for2", "for4"]
    assert ab["sides"][1]["speeches"] == ba["sides"][0]["speeches"] == ["against1", "against3", "against5"]


def test_no_judge_is_ever_shown_a_score() -> None:
    game = Debate(judges=2)
    seats = [f"judge{k}.{order}" for k, order in itertools.product((1, 2), ("ab", "ba"))]
    one = debated(game, {seat: ([5] * 4, [6] * 4) for seat in seats})
    other = debated(game, {seat: ([9] * 4, [1] * 4) for seat in seats})
    for seat in seats:
        assert game.observe(one, seat) == game.observe(other, seat)
        for view in game.views().values():
            assert view.render(game.observe(one, seat)) == view.render(game.observe(other, seat))
    assert game.observe(one, Watcher.PUBLIC) != game.observe(other, Watcher.PUBLIC)


def test_the_example_of_a_sheet_favours_nobody_and_that_of_a_speech_is_no_speech() -> None:
    game = Debate(lowest=-4, highest=3)
    state = game.new(2, Chance.from_seed(0))
    asked = game.asked(game.observe(state, "judge1.ab"))
    sheet = game.decode(state, "judge1.ab", asked.answer)
    assert isinstance(sheet, Sheet) and sheet.first == sheet.second
    game.check(state, "judge1.ab", sheet)
    assert game.parse(state, "judge1.ab", asked.text) == sheet and not asked.whole
    speech = game.asked(game.observe(state, "for"))
    assert speech.whole and "opening statement for the motion" in speech.question
    with pytest.raises(Illegal) as error:
        game.check(state, "for", game.decode(state, "for", speech.answer))
    assert error.value.kind == "nothing_said"


def test_each_speech_is_asked_for_by_its_name() -> None:
    game = Debate(rebuttals=2)
    state, asked = game.new(2, Chance.from_seed(0)), []
    while len(game.to_act(state)) == 1:
        (seat,) = game.to_act(state)
        asked.append(game.asked(game.observe(state, seat)).question)
        state = game.apply(state, {seat: Speech("Well.")})
    assert asked[2:] == [
        "Give your rebuttal 1 for the motion.",
        "Give your rebuttal 1 against the motion.",
        "Give your rebuttal 2 for the motion.",
        "Give your rebuttal 2 against the motion.",
        "Give your closing statement for the motion.",
        "Give your closing statement against the motion.",
    ]


def test_the_rules_name_every_criterion_limit_and_number() -> None:
    game = make_game("debate", {"rubric": {"wit": {"weight": 2, "about": "is it funny"}}, "words": 77, "highest": 7})
    rules = game.rules()
    for piece in ("- wit (weight 2): is it funny", "77 words", "3000 characters", "from 1 to 7", "One judge"):
        assert piece in rules
