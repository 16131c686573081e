"""UNO's rules by hand-made states, one card effect, challenge, option and ending at a time."""

from __future__ import annotations

from collections import Counter

import pytest

from ludometer.core import Chance, ConfigurationError, Illegal, make_game
from ludometer.games.uno import Uno
from ludometer.games.uno.cards import COLOURS, DECK, card_name, card_type
from ludometer.games.uno.state import Action, Kind, Options, Record, State
from ludometer.testing import check_game


def cards(names: str) -> tuple[int, ...]:
    """Card types from names with commas between them."""
    found = [card_type(name.strip()) for name in names.split(",") if name.strip()]
    assert None not in found, names
    return tuple(card for card in found if card is not None)


def table(
    *hands: str,
    top: str = "Red 5",
    colour: str | None = None,
    pile: str = "Blue 1, Blue 2, Blue 3, Green 1, Green 2, Green 3, Yellow 1, Yellow 2, Yellow 3",
    player: int = 0,
    direction: int = 1,
) -> State:
    """A state in which ``player`` (0-based) is to select a card."""
    held = tuple(tuple(sorted(cards(hand))) for hand in hands)
    (upper,) = cards(top)
    force = COLOURS.index(colour or top.split()[0])
    return State(
        hands=held,
        pile=cards(pile),
        turned=(upper,),
        top=upper,
        colour=force,
        player=player,
        direction=direction,
        phase="card",
        before=force,
        absent=tuple((0,) * len(hand) for hand in held),
        history=(),
    )


def play(state: State, *texts: str, game: Uno | None = None) -> State:
    """The state after decisions written in the notation, each by whoever is to act."""
    game = game or Uno()
    for text in texts:
        (seat,) = game.to_act(state)
        action = game.parse(state, seat, text)
        game.check(state, seat, action)
        state = game.apply(state, {seat: action})
    return state


def hand(state: State, seat: int) -> list[str]:
    return [card_name(card) for card in state.hands[seat]]


def sizes(state: State) -> list[int]:
    return [len(held) for held in state.hands]


FULL = "Red 1, Red 2, Wild"
"""A hand that can always play something, so that nobody draws by himself."""


# ------------------------------------------------------------------- the deck


def test_the_deck() -> None:
    counts = Counter(map(card_name, DECK))
    assert len(DECK) == 108 and len(counts) == 54
    for colour in COLOURS:
        assert counts[f"{colour} 0"] == 1
        assert all(counts[f"{colour} {number}"] == 2 for number in range(1, 10))
        assert all(counts[f"{colour} {function}"] == 2 for function in ("Skip", "Reverse", "Draw Two"))
    assert counts["Wild"] == counts["Wild Draw Four"] == 4
    assert sum(1 for card in DECK if card < 52 and card % 13 < 10) == 76


# -------------------------------------------------------------------- fitting


@pytest.mark.parametrize(
    ("top", "colour", "fitting"),
    [
        ("Red 5", "Red", ["Red 1", "Red Skip", "Green 5", "Wild", "Wild Draw Four"]),
        ("Green Skip", "Green", ["Red Skip", "Green 5", "Green Reverse", "Wild", "Wild Draw Four"]),
        ("Wild", "Blue", ["Blue Draw Two", "Wild", "Wild Draw Four"]),
        ("Wild Draw Four", "Red", ["Red 1", "Red Skip", "Wild", "Wild Draw Four"]),
    ],
)
def test_what_fits(top: str, colour: str, fitting: list[str]) -> None:
    held = "Red 1, Red Skip, Green 5, Green Reverse, Blue Draw Two, Wild, Wild Draw Four"
    state = table(held, FULL, top=top, colour=colour)
    game = Uno()
    assert [game.format(state, action) for action in game.legal(state, "1")] == fitting


def test_identical_cards_are_one_action() -> None:
    state = table("Red 1, Red 1, Wild, Wild", FULL)
    assert Uno().legal(state, "1") == [Action("card", 1), Action("card", 52)]


# -------------------------------------------------------------------- effects


def test_a_number_card_passes_the_turn() -> None:
    after = play(table("Red 1, Blue 9", FULL, FULL), "Red 1")
    assert (after.player, after.top, after.colour, sizes(after)) == (1, 1, 0, [1, 3, 3])


def test_the_same_number_changes_the_colour() -> None:
    after = play(table("Blue 5, Blue 9", "Blue 1, Red 1"), "Blue 5")
    assert after.colour == COLOURS.index("Blue") and after.player == 1


@pytest.mark.parametrize(("n", "following"), [(2, 0), (3, 2), (4, 2)])
def test_skip(n: int, following: int) -> None:
    after = play(table("Red Skip, Red 9", *[FULL] * (n - 1)), "Red Skip")
    assert after.player == following
    assert Record(1, "skipped") in after.history


def test_skip_counterclockwise() -> None:
    after = play(table("Red Skip, Red 9", FULL, FULL, FULL, direction=-1), "Red Skip")
    assert after.player == 2 and Record(3, "skipped") in after.history


def test_reverse_turns_the_direction() -> None:
    after = play(table("Red Reverse, Wild", FULL, FULL, FULL), "Red Reverse")
    assert (after.player, after.direction) == (3, -1)
    again = play(after._replace(hands=(*after.hands[:3], cards("Blue Reverse, Red 1"))), "Blue Reverse")
    assert (again.player, again.direction) == (0, 1)


def test_reverse_between_two() -> None:
    state = table("Red Reverse, Red 9", FULL)
    again = play(state, "Red Reverse")
    assert again.player == 0 and again.direction == 1 and again.history[-1] == Record(1, "skipped")
    assert play(state, "Red Reverse", game=Uno(two_player_reverse="pass")).player == 1


def test_draw_two() -> None:
    after = play(table("Red Draw Two, Red 9", FULL, FULL), "Red Draw Two")
    assert (after.player, sizes(after), len(after.pile)) == (2, [1, 5, 3], 7)
    assert hand(after, 1) == ["Red 1", "Red 2", "Blue 1", "Blue 2", "Wild"]
    assert after.history[1:] == (Record(1, "takes", 2, cards("Blue 1, Blue 2")), Record(1, "skipped"))


def test_wild_takes_the_colour_chosen() -> None:
    asked = play(table("Wild, Red 9", "Green 4, Red 1"), "Wild")
    assert (asked.player, asked.phase) == (0, "colour")
    assert Uno().legal(asked, "1") == [Action("colour", i) for i in range(4)]
    after = play(asked, "Green")
    assert (after.player, after.phase, after.colour) == (1, "card", COLOURS.index("Green"))
    assert Uno().legal(after, "2") == [Action("card", card) for card in cards("Green 4")]


# ------------------------------------------------------------------ challenges


def test_not_challenged_the_next_player_draws_four_and_misses_the_turn() -> None:
    for held in ("Red 9", "Green 9"):  # whether or not the play was legal
        after = play(table(f"Wild Draw Four, {held}", FULL, FULL), "Wild Draw Four", "Blue", "no challenge")
        assert (after.player, sizes(after), after.colour) == (2, [1, 7, 3], COLOURS.index("Blue"))


def test_challenged_and_illegal_the_player_draws_four_and_the_challenger_plays() -> None:
    state = table("Wild Draw Four, Red 9", "Blue 1, Red 1", FULL)
    after = play(state, "Wild Draw Four", "Blue", "challenge")
    assert (after.player, after.phase, sizes(after)) == (1, "card", [5, 2, 3])
    # A normal turn: the chosen colour stays in force.
    assert Uno().legal(after, "2") == [Action("card", card) for card in cards("Blue 1")]


def test_challenged_and_legal_the_challenger_draws_six_and_misses_the_turn() -> None:
    state = table("Wild Draw Four, Wild, Green 5", FULL, FULL)
    after = play(state, "Wild Draw Four", "Blue", "challenge")
    # Neither a wild card nor one with the number of the top card makes the play illegal.
    assert (after.player, sizes(after)) == (2, [2, 9, 3])


def test_the_accused_is_the_one_before_in_the_direction_of_play() -> None:
    state = table(FULL, "Wild Draw Four, Red 9", "Green 1", FULL, player=1, direction=-1)
    after = play(state, "Wild Draw Four", "Blue", "challenge")
    assert (after.player, sizes(after)) == (0, [3, 5, 1, 3])


@pytest.mark.parametrize(("held", "guilty"), [("Blue 9", True), ("Red 9", False)])
def test_on_a_wild_only_the_colour_chosen_for_it_counts(held: str, guilty: bool) -> None:
    for top in ("Wild", "Wild Draw Four"):
        state = table(f"Wild Draw Four, {held}", FULL, FULL, top=top, colour="Blue")
        after = play(state, "Wild Draw Four", "Green", "challenge")
        assert sizes(after) == ([5, 3, 3] if guilty else [1, 9, 3])


def test_a_challenge_is_judged_by_the_colour_before_and_not_the_one_chosen() -> None:
    state = table("Wild Draw Four, Blue 9", FULL)
    assert sizes(play(state, "Wild Draw Four", "Blue", "challenge")) == [1, 9]


# --------------------------------------------------------------------- drawing


def test_who_can_only_draw_is_not_asked() -> None:
    after = play(table("Red 1, Red 9", "Green 4", "Green 4, Red 3"), "Red 1")
    assert after.player == 2 and hand(after, 1) == ["Green 4", "Blue 1"]
    assert after.history[-1] == Record(1, "cannot", 1, cards("Blue 1"))


def test_a_drawn_card_ends_the_turn_even_if_it_fits() -> None:
    after = play(table("Red 1, Red 9", "Green 4", "Red 3, Red 4", pile="Red 8, Red 7"), "Red 1")
    assert after.player == 2 and hand(after, 1) == ["Red 8", "Green 4"]


def test_a_drawn_card_may_be_played_at_once_if_the_rules_say_so() -> None:
    game = Uno(drawn_card="may_play")
    state = table("Red 1, Red 9", "Green 4", "Red 3, Red 4", pile="Red 8, Red 7")
    asked = play(state, "Red 1", game=game)
    assert (asked.player, asked.phase) == (1, "drawn")
    assert [game.format(asked, action) for action in game.legal(asked, "2")] == ["Red 8", "keep"]
    played = play(asked, "Red 8", game=game)
    assert (played.player, hand(played, 1)) == (2, ["Green 4"])
    kept = play(asked, "keep", game=game)
    assert (kept.player, hand(kept, 1)) == (2, ["Red 8", "Green 4"])
    unfit = play(state._replace(pile=cards("Blue 8, Red 7")), "Red 1", game=game)
    assert (unfit.player, hand(unfit, 1)) == (2, ["Green 4", "Blue 8"])


def test_drawing_may_be_asked_for() -> None:
    game = Uno(forced_draw="ask")
    asked = play(table("Red 1, Red 9", "Green 4", "Red 3"), "Red 1", game=game)
    assert (asked.player, game.legal(asked, "2")) == (1, [Action("draw")])
    after = play(asked, "draw", game=game)
    assert (after.player, hand(after, 1)) == (2, ["Green 4", "Blue 1"])


def test_nobody_can_play_all_draw_until_somebody_can() -> None:
    state = table("Red 1, Green 9", "Green 4", "Green 6", pile="Blue 2, Blue 8, Red 3, Red 2, Red 7, Red 9")
    after = play(state, "Red 1")
    # The first drawn card that fits is player 1's Red 3, which has to wait until it is that player's turn again.
    assert [record.seat for record in after.history if record.kind == "cannot"] == [1, 2, 0, 1, 2]
    assert after.player == 0 and hand(after, 0) == ["Red 3", "Green 9"] and sizes(after) == [2, 3, 3]


# --------------------------------------------------------------------- endings


def test_an_empty_hand_wins_at_once() -> None:
    game = Uno()
    after = play(table("Red 1", FULL, FULL), "Red 1")
    outcome = game.outcome(after)
    assert game.to_act(after) == () and outcome is not None
    assert (dict(outcome.scores), outcome.reason) == ({"1": 1.0, "2": 0.0, "3": 0.0}, "hand empty")


@pytest.mark.parametrize(("last", "drawn"), [("Red Draw Two", 2), ("Red Skip", 0), ("Red Reverse", 0)])
def test_a_last_card_has_no_effect_or_has_it(last: str, drawn: int) -> None:
    state = table(last, FULL, FULL)
    assert sizes(play(state, last)) == [0, 3, 3]
    game = Uno(last_card_effect=True)
    after = play(state, last, game=game)
    assert sizes(after) == [0, 3 + drawn, 3] and game.to_act(after) == ()


def test_a_last_wild_card_is_not_asked_about_or_is() -> None:
    state = table("Wild Draw Four", FULL, FULL)
    over = play(state, "Wild Draw Four")
    assert Uno().to_act(over) == () and sizes(over) == [0, 3, 3]
    game = Uno(last_card_effect=True)
    for answer, drawn in (("challenge", 6), ("no challenge", 4)):  # an empty hand is never guilty
        after = play(state, "Wild Draw Four", "Red", answer, game=game)
        assert game.to_act(after) == () and sizes(after) == [0, 3 + drawn, 3]
        outcome = game.outcome(after)
        assert outcome is not None and outcome.scores["1"] == 1.0


def test_the_pile_runs_out_and_the_smallest_hand_wins() -> None:
    game = Uno()
    after = play(table("Red Draw Two, Red 1, Red 2", "Green 1, Green 2", FULL, pile="Blue 1, Blue 2"), "Red Draw Two")
    outcome = game.outcome(after)
    assert outcome is not None and outcome.reason == "pile exhausted"
    assert sizes(after) == [2, 4, 3] and dict(outcome.scores) == {"1": 1.0, "2": 0.0, "3": 0.0}


def test_several_win_where_hands_are_equally_small() -> None:
    game = Uno()
    after = play(table("Red 1, Blue 9, Blue 8", "Green 4", "Blue 3, Blue 9", pile="Green 2"), "Red 1")
    outcome = game.outcome(after)
    assert sizes(after) == [2, 2, 2] and outcome is not None
    assert outcome.scores == {"1": 1 / 3, "2": 1 / 3, "3": 1 / 3} and outcome.reason == "pile exhausted"


@pytest.mark.parametrize("pile", ["Blue 1", "Blue 1, Blue 2, Blue 3"])
def test_a_penalty_takes_what_is_left_of_the_pile(pile: str) -> None:
    state = table("Wild Draw Four, Green 9", FULL, pile=pile)
    after = play(state, "Wild Draw Four", "Blue", "challenge")
    left = len(cards(pile))
    assert sizes(after) == [1, 3 + left] and Uno().to_act(after) == ()
    assert after.history[-2].value == left


def test_the_last_card_of_the_pile_ends_the_game_before_it_can_be_played() -> None:
    game = Uno(drawn_card="may_play")
    after = play(table("Red 1, Blue 9", "Green 4", pile="Red 8"), "Red 1", game=game)
    outcome = game.outcome(after)
    assert outcome is not None and outcome.scores == {"1": 1.0, "2": 0.0}


def test_an_empty_hand_wins_over_an_empty_pile() -> None:
    game = Uno(last_card_effect=True)
    after = play(table("Red Draw Two", "Green 4", pile="Red 8"), "Red Draw Two", game=game)
    outcome = game.outcome(after)
    assert outcome is not None and (outcome.reason, outcome.scores["1"]) == ("hand empty", 1.0)


@pytest.mark.parametrize("n", range(2, 11))
def test_every_number_of_players_ends_within_the_bound(n: int) -> None:
    game = Uno(forced_draw="ask", drawn_card="may_play")
    for i in range(5):
        chance = Chance.from_seed(f"{n} {i}")
        state = game.new(n, chance)
        decisions = 0
        while seats := game.to_act(state):
            action = game.sample(state, seats[0], chance.named(decisions))
            state = game.apply(state, {seats[0]: action})
            decisions += 1
            everything = [*state.pile, *state.turned, *(card for held in state.hands for card in held)]
            everything += [record.value for record in state.history if record.kind == "card"]
            assert sorted(everything) == list(DECK)
        assert decisions <= game.max_steps()


# --------------------------------------------------------------------- options


def test_options_are_read_by_name_and_checked() -> None:
    game = make_game("uno", {"drawn_card": "may_play", "last_card_effect": True})
    assert isinstance(game, Uno)
    assert game.rule_options == Options(drawn_card="may_play", last_card_effect=True)
    assert game != Uno() and Uno() == make_game("uno")
    with pytest.raises(ConfigurationError, match="forced_draw"):
        make_game("uno", {"forced_draw": "maybe"})
    with pytest.raises(ValueError, match="two_player_reverse"):
        Uno(two_player_reverse="twice")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"two_player_reverse": "again"}, "with two players, you play again"),
        ({"two_player_reverse": "pass"}, "with two players, it does nothing"),
        ({"drawn_card": "keep"}, "your turn is over"),
        ({"drawn_card": "may_play"}, "if it fits, you may play it at once"),
        ({"last_card_effect": False}, "has no effect any more"),
        ({"last_card_effect": True}, "as soon as the effect of the last card is over"),
        ({"forced_draw": "auto"}, "without being asked"),
        ({"forced_draw": "ask"}, "you answer draw"),
    ],
)
def test_the_rules_say_what_the_options_are(options: dict[str, object], said: str) -> None:
    assert said in make_game("uno", options).rules()


# ------------------------------------------------------------- kinds of illegal


def illegal(state: State, text: str, game: Uno | None = None) -> tuple[str, str]:
    game = game or Uno()
    (seat,) = game.to_act(state)
    with pytest.raises(Illegal) as caught:
        game.check(state, seat, game.parse(state, seat, text))
    return caught.value.kind, caught.value.reason


def test_every_kind_of_illegal_decision() -> None:
    state = table("Red 1, Green 2, Wild", FULL)
    assert illegal(state, "Blue 5")[0] == "not_in_hand"
    kind, reason = illegal(state, "Green 2")
    assert kind == "not_playable" and "Green 2 does not fit on Red 5: play Red, the same number or function" in reason
    kind, reason = illegal(state, "draw")
    assert kind == "must_play" and "Red 1, Wild" in reason
    assert illegal(state, "Red")[0] == "wrong_decision"
    assert illegal(state, "challenge")[0] == "wrong_decision"
    assert illegal(state, "keep")[0] == "wrong_decision"
    assert illegal(state, "Purple 5")[0] == "invalid_format"

    colour = play(state, "Wild")
    assert illegal(colour, "purple")[0] == "invalid_format"
    kind, reason = illegal(colour, "Red 1")
    assert kind == "wrong_decision" and "Red, Yellow, Green or Blue" in reason

    challenge = play(table("Wild Draw Four, Red 1", FULL), "Wild Draw Four", "Red")
    assert illegal(challenge, "Red 1")[0] == "wrong_decision"
    assert illegal(challenge, "Blue")[0] == "wrong_decision"

    game = Uno(drawn_card="may_play")
    drawn = play(table("Red 1, Red 9", "Green 4", pile="Red 8, Red 7"), "Red 1", game=game)
    assert illegal(drawn, "Green 4", game)[0] == "not_the_drawn_card"
    assert illegal(drawn, "draw", game)[0] == "wrong_decision"
    assert illegal(table("Green 1", FULL), "Green 1", Uno(forced_draw="ask"))[0] == "not_playable"


def test_a_card_on_a_wild_card_is_refused_by_its_colour_alone() -> None:
    kind, reason = illegal(table("Red 1, Wild", FULL, top="Wild", colour="Blue"), "Red 1")
    assert (kind, reason) == ("not_playable", "Red 1 does not fit on Wild: play Blue, or a wild card")


@pytest.mark.parametrize("kind", ["card", "draw", "keep", "colour", "challenge"])
@pytest.mark.parametrize("value", [-1, 4, 54, 10**6])
def test_actions_that_mean_nothing_are_refused(kind: Kind, value: int) -> None:
    with pytest.raises(Illegal):
        Uno().check(table("Red 1, Wild", FULL), "1", Action(kind, value))


# ----------------------------------------------------------------- conformance


@pytest.mark.slow
def test_other_options_hold_to_the_contract() -> None:
    check_game(
        Uno(two_player_reverse="pass", drawn_card="may_play", last_card_effect=True, forced_draw="ask"), matches=1
    )


@pytest.mark.slow
@pytest.mark.parametrize("drawn_card", ["keep", "may_play"])
@pytest.mark.parametrize("last_card_effect", [False, True])
@pytest.mark.parametrize("forced_draw", ["auto", "ask"])
def test_all_options_hold_to_the_contract(drawn_card: str, last_card_effect: bool, forced_draw: str) -> None:
    options = {"drawn_card": drawn_card, "last_card_effect": last_card_effect, "forced_draw": forced_draw}
    check_game(make_game("uno", options), matches=9)
