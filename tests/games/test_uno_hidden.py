"""What stays hidden in UNO, what can be imagined of it, and that what is taken as known is never wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise, product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludometer.core import Chance, Watcher
from ludometer.games.uno import Uno
from ludometer.games.uno.cards import COLOUR_CARDS, DECK, playable_cards
from ludometer.games.uno.imagine import face_up, imagined, unseen
from ludometer.games.uno.state import Action, Options, State
from ludometer.testing.showing import observation_json

ALL_OPTIONS = [
    Options(*choice)  # type: ignore[arg-type]
    for choice in product(("again", "pass"), ("keep", "may_play"), (False, True), ("auto", "ask"))
]


def positions(game: Uno, n: int, seed: object) -> Iterator[State]:
    """The states of a random game in which somebody is to act."""
    chance = Chance.from_seed(str(seed))
    state = game.new(n, chance)
    step = 0
    while game.to_act(state):
        yield state
        seat = str(state.player + 1)
        state = game.apply(state, {seat: game.sample(state, seat, chance.named(step))})
        step += 1


def fits(hand: tuple[int, ...], absent: tuple[int, ...]) -> bool:
    """Whether the cards of a hand can stand in its places so that none is a card that its place excludes.

    The sets are nested, so each place, the most restricted first, may take any card that it allows.
    """
    left = list(hand)
    for excluded in sorted(absent, key=int.bit_count, reverse=True):
        allowed = [card for card in left if not excluded >> card & 1]
        if not allowed:
            return False
        left.remove(allowed[0])
    return not left


def check_known(state: State) -> None:
    for hand, absent in zip(state.hands, state.absent, strict=True):
        assert len(hand) == len(absent)
        assert all(later & ~earlier == 0 for earlier, later in pairwise(absent)), "not nested"
        assert fits(hand, absent)


def test_what_everybody_knows_never_excludes_the_truth() -> None:
    for options in ALL_OPTIONS:
        for n in (2, 3, 4, 10):
            for i in range(3):
                for state in positions(Uno(*options), n, f"{options} {n} {i}"):
                    check_known(state)


@pytest.mark.slow
def test_what_everybody_knows_never_excludes_the_truth_in_thousands_of_games() -> None:
    for options in ALL_OPTIONS:
        for n in (2, 3, 4, 10):
            for i in range(40):
                for state in positions(Uno(*options), n, f"many {options} {n} {i}"):
                    check_known(state)


def test_drawing_and_a_lost_challenge_show_what_a_hand_lacks() -> None:
    drawn = challenged = 0
    for i in range(60):
        for state in positions(Uno(), 2, f"lacks {i}"):
            last = state.history[-1] if state.history else None
            if last is not None and last.kind == "cannot":
                drawn += 1
                lacking = state.absent[last.seat]
                assert lacking[-1] == 0 and all(lacking[:-1])
            if any(record.kind == "innocent" for record in state.history[-4:]):
                record = next(record for record in reversed(state.history) if record.kind == "innocent")
                challenged += 1
                held = COLOUR_CARDS[record.value]
                assert all(known & held == held for known in state.absent[record.seat][:1])
    assert drawn > 20 and challenged > 3


@given(st.integers(0, 10**9), st.sampled_from([2, 3, 4, 10]), st.sampled_from(ALL_OPTIONS), st.integers(0, 60))
@settings(max_examples=60, deadline=None)
def test_what_is_imagined_looks_the_same_and_keeps_the_deck(seed: int, n: int, options: Options, step: int) -> None:
    game = Uno(*options)
    for number, state in enumerate(positions(game, n, seed)):
        if number < step:
            continue
        for seat in range(n):
            other = game.determinize(state, str(seat + 1), Chance.from_seed(seed))
            before, after = game.observe(state, str(seat + 1)), game.observe(other, str(seat + 1))
            assert observation_json(before) == observation_json(after)
            everything = [*face_up(other), *other.pile, *(card for hand in other.hands for card in hand)]
            assert sorted(everything) == list(DECK)
            if n == 2:  # with several opponents a place may be left without a card that it allows
                assert all(map(fits, other.hands, other.absent))
            played = game.apply(
                other, {str(other.player + 1): game.sample(other, str(other.player + 1), Chance.from_seed(seed))}
            )
            assert len(played.hands) == n
        break


def test_what_is_imagined_does_not_depend_on_the_truth() -> None:
    """Two worlds that a seat cannot tell apart are imagined alike: one is imagined itself, so it is as good as true."""
    for options in (Options(), Options(drawn_card="may_play"), Options(forced_draw="ask", last_card_effect=True)):
        game = Uno(*options)
        for n in (2, 3, 10):
            for number, state in enumerate(positions(game, n, f"independent {n}")):
                if number % 5:
                    continue
                for seat in range(n):
                    for k in range(2):
                        other = imagined(state, seat, Chance.from_seed(f"world {k}"))
                        luck = Chance.from_seed(f"again {k}")
                        assert imagined(state, seat, luck) == imagined(other, seat, luck)


def test_imagining_differs_with_the_luck_and_hides_what_others_drew() -> None:
    state = list(positions(Uno(), 2, "luck"))[12]
    worlds = {imagined(state, 0, Chance.from_seed(i)).hands[1] for i in range(20)}
    assert len(worlds) > 15
    world = imagined(state, 0, Chance.from_seed(0))
    assert world.hands[0] == state.hands[0] and world.absent == state.absent
    assert all(record.cards == () for record in world.history if record.seat == 1)
    assert [r.cards for r in world.history if r.seat == 0] == [r.cards for r in state.history if r.seat == 0]


def test_with_one_opponent_every_deal_that_agrees_is_equally_likely() -> None:
    """A hand of two, one of which is known not to be red: 3 x 2 ordered choices from Red 1, Red 2, Blue 1, Blue 2."""
    state = next(positions(Uno(), 2, "uniform"))
    left = (1, 2, 40, 41)
    mine = tuple(sorted((Counter(DECK) - Counter(left) - Counter(state.turned)).elements()))
    state = state._replace(
        hands=(mine, (1, 40)), pile=(2, 41), absent=((0,) * len(mine), (COLOUR_CARDS[0], 0)), history=()
    )
    assert unseen(state, 0) == list(left)
    draws = 3000
    counts = Counter(imagined(state, 0, Chance.from_seed(i)).hands[1] for i in range(draws))
    # One blue card and one of the other three: {1, 40}, {2, 40}, {1, 41}, {2, 41} once, {40, 41} in two orders.
    assert set(counts) == {(1, 40), (2, 40), (1, 41), (2, 41), (40, 41)}
    for hand, count in counts.items():
        expected = draws * (2 if hand == (40, 41) else 1) / 6
        assert abs(count - expected) < 5 * expected**0.5


def test_a_card_that_may_be_played_at_once_is_imagined_to_fit() -> None:
    game = Uno(drawn_card="may_play")
    seen = 0
    for i in range(40):
        for state in positions(game, 3, f"drawn {i}"):
            if state.phase != "drawn":
                continue
            seen += 1
            for seat in range(3):
                world = imagined(state, seat, Chance.from_seed(i))
                card = world.history[-1].cards[0]
                assert playable_cards(world.top, world.colour) >> card & 1
                assert card in world.hands[world.player]
                assert Action("card", card) in game.legal(world, str(world.player + 1))
    assert seen > 10


# ------------------------------------------------------------------- observing


def test_nobody_sees_the_cards_of_others_or_of_the_pile() -> None:
    game = Uno()
    for state in positions(game, 4, "eyes"):
        for viewer in ("1", "2", "3", "4", Watcher.PUBLIC):
            data = game.observe(state, viewer).data
            for seat, hand in data["hands"].items():
                assert (hand is None) == (seat != viewer)
            for seat, _, _, drawn in data["history"]:
                assert (drawn is None) == (seat != viewer)
            assert data["pile"] == len(state.pile)
        full = game.observe(state, Watcher.FULL).data
        assert all(hand is not None for hand in full["hands"].values())


def test_events_tell_own_draws_only() -> None:
    game = Uno()
    told = hidden = 0
    for state in positions(game, 3, "events"):
        for seat in ("1", "2", "3"):
            for event in game.observe(state, seat).events:
                if "drew" in event.what:
                    own = event.seat == seat
                    names_cards = any(word in event.what for word in ("Red", "Yellow", "Green", "Blue", "Wild"))
                    assert names_cards == own
                    told, hidden = told + own, hidden + (not own)
    assert told > 10 and hidden > 10


def test_swapped_cards_cannot_be_seen() -> None:
    for options in ALL_OPTIONS:
        game = Uno(*options)
        pairs = game.swap_hidden()
        assert len(pairs) > 10
        assert any(one.hands != other.hands for one, other, _ in pairs)
        for one, other, seat in pairs:
            assert observation_json(game.observe(one, seat)) == observation_json(game.observe(other, seat))
            full = [observation_json(game.observe(state, Watcher.FULL)) for state in (one, other)]
            assert full[0] != full[1] or one.pile != other.pile
            luck = Chance.from_seed("swap")
            assert game.determinize(one, seat, luck) == game.determinize(other, seat, luck)
