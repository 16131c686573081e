"""Matches of many hands: luck, secrets, blinds, places, records, and what is shown."""

from __future__ import annotations

import io
import json
import random
import re
from typing import Any

import pytest
from pokerkit import HandHistory

from ludometer.core import Chance, Watcher, make_game
from ludometer.games._poker_hand import CARDS, Hand
from ludometer.games.poker import Poker, PokerState
from ludometer.prompts.picture import png
from ludometer.testing import check_game
from ludometer.testing.showing import observation_json, svg_problem


def played(game: Any, n: int, chance: Chance, steps: int = 10**6) -> PokerState:
    state = game.new(n, chance.named("luck"))
    for step in range(steps):
        seats = game.to_act(state)
        if not seats:
            break
        state = game.apply(state, {seats[0]: game.sample(state, seats[0], chance.named("move", step))})
    return state


def passive(game: Any, state: PokerState, text: str, number: int) -> PokerState:
    """Everybody says the same where it is legal, else checks or folds, up to the hand of that number."""
    while state.hand is not None and state.hand.number < number:
        (seat,) = game.to_act(state)
        assert state.table is not None
        free = not state.table.to_call
        state = game.apply(state, {seat: game.parse(state, seat, "check" if free else text)})
    return state


# ------------------------------------------------------------------------ luck


def test_a_hands_cards_do_not_depend_on_how_the_hands_before_were_played() -> None:
    game = Poker(hands=6)
    start = game.new(3, Chance.from_seed(5))
    folding, calling = (passive(game, start, text, 3) for text in ("fold", "call"))
    assert folding.past != calling.past
    assert folding.deck == calling.deck and len({start.deck, folding.deck}) == 2
    assert sorted(folding.deck) == sorted(CARDS)


def test_seats_get_the_same_cards_whoever_is_still_in() -> None:
    game = Poker(hands=3)
    start = game.new(4, Chance.from_seed(8))
    hand = start.hand
    assert hand is not None
    full = game._dealt(start.chance, (hand._replace(after=(1000,) * 4),), 0, (1000,) * 4)
    three = game._dealt(start.chance, (hand._replace(after=(1000,) * 4),), 2, (2000, 0, 1000, 1000))
    assert full.hand is not None and three.hand is not None
    assert [full.hand.holes[i] for i in (0, 2, 3)] == [three.hand.holes[i] for i in (0, 2, 3)]
    assert three.hand.holes[1] == ()


def test_the_process_wide_generator_is_left_alone() -> None:
    random.seed(7)
    before = random.getstate()
    played(Poker(hands=5), 6, Chance.from_seed(1))
    assert random.getstate() == before


def test_the_earlier_state_can_be_played_on_twice() -> None:
    game = Poker(hands=2)
    state = played(game, 3, Chance.from_seed(4), 3)
    (seat,) = game.to_act(state)
    text = "call" if state.table and state.table.to_call else "check"
    action = game.parse(state, seat, text)
    first, second = (game.apply(state, {seat: action}) for _ in range(2))
    assert first == second and first.table == second.table
    assert game.dump(state) == game.dump(game.load(json.loads(json.dumps(game.dump(state)))))


# --------------------------------------------------------------------- secrets


@pytest.mark.parametrize("options", [{"hands": 4}, {"hands": 3, "mode": "cash", "ante": 2, "sizes": "few"}])
@pytest.mark.parametrize("n", [2, 5])
def test_nobody_sees_cards_that_were_not_shown(n: int, options: dict[str, Any]) -> None:
    game = make_game("poker", options)
    for seed in range(3):
        for steps in (3, 9, 17, 30):
            state = played(game, n, Chance.from_seed(seed), steps)
            for viewer in (*map(str, range(1, n + 1)), Watcher.PUBLIC):
                observation = game.observe(state, viewer)
                text = observation_json(observation) + game.views()["table"].render(observation)
                own = int(viewer) - 1 if isinstance(viewer, str) else None
                live = state.hand
                hidden = [c for i, h in enumerate(live.holes if live else ()) if i != own for c in h]
                later = [] if live is None else [c for c in state.deck if c not in hidden and c not in live.board]
                for card in hidden:
                    # It may have been seen in an earlier hand, which had another deck.
                    assert card not in json.dumps(observation.data["seats"]) + json.dumps(observation.data["board"])
                if live is not None and live.number == 0:
                    mine = set(live.holes[own]) if own is not None else set()
                    told = set(re.findall(r"\b[2-9TJQKA][cdhs]\b", text))
                    assert not told & {*hidden, *later} - mine
                for hand in state.past:
                    kept = [c for i, h in enumerate(hand.holes) if i != own and i not in hand.shown for c in h]
                    brief = json.dumps([one for one in observation.data["earlier"] if one["hand"] == hand.number + 1])
                    assert not any(card in brief for card in kept)


def test_imagined_states_look_alike_and_share_no_luck_with_the_true_one() -> None:
    game = Poker(hands=5)
    futures, others = set(), set()
    for steps in (0, 5, 14, 22):
        state = played(game, 4, Chance.from_seed(2), steps)
        if state.hand is None:
            continue
        for seat in "1234":
            seen = observation_json(game.observe(state, seat))
            for number in range(6):
                imagined = game.determinize(state, seat, Chance.from_seed(number))
                assert observation_json(game.observe(imagined, seat)) == seen
                assert imagined.chance != state.chance and imagined.deck != state.deck
                assert imagined.hand is not None and sorted(imagined.deck) == sorted(CARDS)
                own = int(seat) - 1
                assert all(
                    not cards or i == own or i in h.shown for h in imagined.past for i, cards in enumerate(h.holes)
                )
                futures.add(imagined.chance)
                others.add(imagined.hand.holes[own - 1])
                assert game.apply(imagined, {s: game.sample(imagined, s, Chance(1)) for s in game.to_act(imagined)})
    assert len(futures) == 6 and len(others) > 10


def test_imagined_cards_are_uniform() -> None:
    """Each of the 50 unseen cards is as likely to be the opponent's: chi-square over 3,000 deals, 49 degrees."""
    game = Poker()
    state = game.new(2, Chance.from_seed(11))
    counts = dict.fromkeys(CARDS, 0)
    for number in range(3000):
        hand = game.determinize(state, "1", Chance.from_seed(number)).hand
        assert hand is not None
        for card in hand.holes[1]:
            counts[card] += 1
    assert state.hand is not None
    assert [counts.pop(card) for card in state.hand.holes[0]] == [0, 0]
    assert sum((count - 120) ** 2 / 120 for count in counts.values()) < 85  # beyond it: one in a thousand


def test_dealt_cards_are_uniform() -> None:
    counts = dict.fromkeys(CARDS, 0)
    game = Poker()
    for seed in range(1500):
        hand = game.new(2, Chance.from_seed(seed)).hand
        assert hand is not None
        for card in (*hand.holes[0], *hand.holes[1]):
            counts[card] += 1
    expected = 6000 / 52
    assert sum((count - expected) ** 2 / expected for count in counts.values()) < 90


# -------------------------------------------------------------------- schedule


def test_blinds_and_antes_double_on_schedule() -> None:
    game = Poker(hands=9, blinds_double_every=3, ante=2)
    state = passive(game, game.new(2, Chance.from_seed(1)), "fold", 99)
    assert [(hand.blinds, hand.ante) for hand in state.past[::3]] == [((10, 20), 2), ((20, 40), 4), ((40, 80), 8)]
    assert len(state.past) == 9


@pytest.mark.parametrize("n", [2, 6])
def test_until_one_is_left_ends_with_one_left(n: int) -> None:
    game = Poker(hands="one_left", blinds_double_every=2)
    assert game.options["hands"] == "one_left" and Poker(hands="one_left").blinds_double_every == 10
    for seed in range(3):
        state = played(game, n, Chance.from_seed(seed))
        outcome = game.outcome(state)
        assert outcome is not None and outcome.reason == "one player has all the chips"
        assert outcome.payoffs is not None
        assert sorted(outcome.payoffs.values()) == [-1000.0] * (n - 1) + [1000.0 * (n - 1)]
        assert outcome.scores[max(outcome.payoffs, key=lambda s: outcome.payoffs[s])] == max(outcome.scores.values())


def test_a_match_until_one_is_left_ends_even_if_everybody_folds() -> None:
    game = Poker(hands="one_left", blinds_double_every=1)
    state = passive(game, game.new(3, Chance.from_seed(1)), "fold", 10**6)
    assert game.outcome(state) is not None and len(state.past) <= game._cap(3)
    assert state.past[-1].blinds[1] <= 2 * 3000, "blinds stop doubling"


def test_bounds_hold() -> None:
    assert 1000 < Poker().max_steps() < 100_000
    assert Poker(hands="one_left").max_steps() < 100_000
    assert Poker(hands=1, mode="cash").max_steps() == 10 * (4 + 50 + 11)


def test_cash_games_start_every_hand_with_the_same_stacks() -> None:
    game = Poker(hands=12, mode="cash")
    state = played(game, 3, Chance.from_seed(3))
    assert {hand.stacks for hand in state.past} == {(1000, 1000, 1000)} and len(state.past) == 12
    outcome = game.outcome(state)
    assert outcome is not None and outcome.payoffs is not None
    net = [sum(hand.after[i] - 1000 for hand in state.past) for i in range(3)]
    assert list(outcome.payoffs.values()) == net and sum(net) == 0
    order = sorted(range(3), key=lambda i: net[i])
    assert [outcome.scores[str(i + 1)] for i in order] == pytest.approx([0, 1 / 3, 2 / 3])


# ---------------------------------------------------------------------- places


def hand_of(number: int, stacks: tuple[int, ...], after: tuple[int, ...]) -> Hand:
    return Hand(number, 0, (10, 20), 0, stacks, ((),) * len(stacks), after=after, won=(0,) * len(stacks))


def test_places_of_the_broke() -> None:
    """Chips first; then who lasted longer; in one hand, who began it with more; equal stacks tie."""
    game = Poker(hands=3)
    past = (
        hand_of(0, (1000,) * 6, (0, 1200, 1100, 1000, 900, 1800)),
        hand_of(1, (0, 1200, 1100, 1000, 900, 1800), (0, 0, 0, 1000, 0, 5000)),
        hand_of(2, (0, 0, 0, 1000, 0, 5000), (0, 0, 0, 2000, 0, 4000)),
    )
    outcome = game.outcome(PokerState(Chance(0), (), None, past))
    assert outcome is not None
    placed = sorted(outcome.scores, key=lambda seat: -outcome.scores[seat])
    assert placed == ["6", "4", "2", "3", "5", "1"]
    assert outcome.scores["6"] == pytest.approx(5 / 15)
    assert outcome.payoffs == {"1": -1000, "2": -1000, "3": -1000, "4": 1000, "5": -1000, "6": 3000}
    tied = (hand_of(0, (1000,) * 3, (3000, 0, 0)),)
    outcome = game.outcome(PokerState(Chance(0), (), None, tied))
    assert outcome is not None and outcome.scores == pytest.approx({"1": 2 / 3, "2": 1 / 6, "3": 1 / 6})


# --------------------------------------------------------------------- records


@pytest.mark.parametrize("options", [{"hands": 12}, {"hands": 6, "mode": "cash", "ante": 3}])
@pytest.mark.parametrize("n", [2, 3, 6])
def test_pokerkit_loads_the_record_and_agrees(n: int, options: dict[str, Any]) -> None:
    game = make_game("poker", options)
    start = state = game.new(n, Chance.from_seed(6))
    moves = []
    while seats := game.to_act(state):
        moves.append((seats[0], game.sample(state, seats[0], Chance.from_seed(len(moves)))))
        state = game.apply(state, dict([moves[-1]]))
    names = {str(i + 1): f"lab/p'layer\n{i} \"x\" \\'''" for i in range(n)}
    extension, text = game.record(start, moves, names, tags={"event": "a 'run'", "round": "4", "date": "2026-02-03"})
    assert extension == "phhs"
    loaded = list(HandHistory.load_all(io.BytesIO(text.encode())))
    assert len(loaded) == len(state.past)
    for history, hand in zip(loaded, state.past, strict=True):
        final = list(history)[-1]
        assert not final.status
        order = [seat - 1 for seat in history.seats]
        assert list(final.stacks) == [hand.after[seat] for seat in order] == history.finishing_stacks
        assert (history.hand, history.year, history.month, history.day) == (hand.number + 1, 2026, 2, 3)
        assert history.players == [f'lab/p’layer {seat} "x" \\’’’' for seat in order]


def test_an_unfinished_hand_is_recorded_as_far_as_it_went() -> None:
    game = Poker(hands=2)
    start = game.new(2, Chance.from_seed(6))
    _, text = game.record(start, [("1", game.parse(start, "1", "raise to 60"))], {"1": "a", "2": "b"})
    (history,) = HandHistory.load_all(io.BytesIO(text.encode()))
    assert list(history)[-1].status and history.actions[-1] == "p2 cbr 60"
    assert history.finishing_stacks is None


# ----------------------------------------------------------------------- shown


def test_prompts_do_not_grow_with_the_hands() -> None:
    game = Poker(hands=40, mode="cash")
    state = game.new(6, Chance.from_seed(9))
    longest: dict[int, int] = {}
    step = 0
    while seats := game.to_act(state):
        assert state.hand is not None
        if not state.hand.acts:
            for name in ("table", "json"):
                size = len(game.views()[name].render(game.observe(state, seats[0])))
                longest[state.hand.number] = max(size, longest.get(state.hand.number, 0))
        state = game.apply(state, {seats[0]: game.sample(state, seats[0], Chance.from_seed(step))})
        step += 1
    assert max(longest[k] for k in range(25, 40)) < 1.25 * max(longest[k] for k in range(5, 15))


def test_the_table_shows_what_a_decision_needs() -> None:
    game = Poker(hands=3, ante=1)
    state = passive(game, game.new(3, Chance.from_seed(2)), "fold", 1)
    (seat,) = game.to_act(state)
    assert state.hand is not None
    text = game.views()["table"].render(game.observe(state, seat))
    for part in (
        "Hand 2 of 3. Blinds 10/20, ante 1.",
        f"Your cards: {' '.join(state.hand.holes[int(seat) - 1])}",
        "Board (preflop): none yet",
        "Pot: 33",
        "(BTN, you): ",
        "You may fold, or call 20, or raise to N, N from 40 to",
        "nobody has acted yet",
        "hand 1: Player",
    ):
        assert part in text, text
    public = game.views()["table"].render(game.observe(state, Watcher.PUBLIC))
    assert "Your cards" not in public and "cards" not in public.replace("Your cards", "")


@pytest.mark.parametrize("n", [2, 10])
def test_pictures_are_safe_and_show_backs_for_hidden_cards(n: int) -> None:
    game = Poker(hands=2)
    state = game.new(n, Chance.from_seed(1))
    own, full = (game.svg(game.observe(state, viewer)) for viewer in ("1", Watcher.FULL))
    assert svg_problem(own) is None and svg_problem(full) is None
    assert own.count("#34558b") == 2 * (n - 1) and full.count("#34558b") == 0
    assert png(own).data[:4] == b"\x89PNG"


def test_other_options_hold_to_the_contract() -> None:
    check_game(make_game("poker", {"hands": 2, "sizes": "few", "ante": 1}), matches=3)
    check_game(make_game("poker", {"hands": "one_left", "blinds_double_every": 1, "starting_chips": 200}), matches=2)


def test_small_raises_without_end_stay_within_the_bound() -> None:
    game = Poker(hands=1, ante=1)
    state = game.new(10, Chance.from_seed(1))
    steps = 0
    while seats := game.to_act(state):
        table = state.table
        assert table is not None
        text = "call" if table.to_call else "check"
        if table.raises_to is not None:
            text = f"{'raise to' if table.highest else 'bet'} {table.raises_to[0]}"
        state = game.apply(state, {seats[0]: game.parse(state, seats[0], text)})
        steps += 1
    assert 50 < steps <= game.max_steps()
