"""Luck terms have mean zero, whatever the players do: counted exactly where possible, else on played matches."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ludometer.analysis.luck import terms_for
from ludometer.analysis.luck.liars_dice import DiceLuck, mean_most
from ludometer.analysis.luck.openspiel import ChanceNodes
from ludometer.analysis.luck.poker import board_luck, deal_luck
from ludometer.analysis.luck.uno import Draw, dealt, draw_luck, draws
from ludometer.analysis.poker_hands import expected_net
from ludometer.core import Chance, make_game
from ludometer.games._poker_engine import act, play_out
from ludometer.games._poker_hand import BOARD_AT, CARDS, Hand, holes_of
from ludometer.games.liars_dice import LiarsDice
from ludometer.games.openspiel import OpenSpiel
from ludometer.games.uno.state import deal

PROGRAM = Path(__file__).parents[3] / "benchmarks" / "luck.py"
LUCK = Chance.from_seed("test")


@pytest.fixture(scope="module")
def program() -> ModuleType:
    spec = importlib.util.spec_from_file_location("luck_benchmark", PROGRAM)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_dice_are_compared_with_all_rolls() -> None:
    assert mean_most(1, False) == 1 and mean_most(2, False) == pytest.approx(1 + 1 / 6)
    game = LiarsDice(dice=2)
    total = np.zeros((2, 2))
    for share, state in game.deals(2):
        total += share * np.array(DiceLuck().terms(game, [state], LUCK))
    assert total == pytest.approx(np.zeros((2, 2)), abs=1e-12)


def test_chance_in_kuhn_poker_has_mean_zero_over_all_deals() -> None:
    game = OpenSpiel("kuhn_poker")
    found = []
    for one in range(3):
        for two in range(3):
            if one != two:
                engine = game.engine_rules.new_initial_state()
                engine.apply_action(one)
                engine.apply_action(two)
                state = game.recorded(engine.history(), LUCK)
                found.append(ChanceNodes().terms(game, [state], LUCK)[0][0])
    # King against jack at random: both act at random, and the better card wins what is not folded.
    assert sum(found) == pytest.approx(0, abs=1e-12) and max(found) > 0.5


def test_what_cannot_be_adjusted_says_why() -> None:
    terms, why = terms_for(make_game("openspiel:tic_tac_toe"))
    assert terms is None and "no luck" in why
    terms, why = terms_for(make_game("openspiel:phantom_ttt"))
    assert terms is None and why
    terms, why = terms_for(make_game("openspiel:hearts"))
    assert terms is None and "positions" in why
    assert terms_for(make_game("uno"))[0] is not None and terms_for(make_game("openspiel:backgammon"))[0] is not None


def test_a_drawn_card_is_compared_with_the_pile() -> None:
    pile = (53, 12, 3, 3)  # a Wild Draw Four, a Draw Two, two threes; threes fit
    gains = np.array([draw_luck(Draw(0, card, pile, 1 << 3)) for card in pile])
    assert gains[0] == pytest.approx([0.75, -0.25, -0.5]) and gains.sum(axis=0) == pytest.approx(np.zeros(3))


def test_the_deal_is_found_again_and_draws_follow_the_pile() -> None:
    game = make_game("uno")
    state = game.new(3, Chance.from_seed(5))
    for step in range(60):
        if not (seats := game.to_act(state)):
            break
        state = game.apply(state, {seats[0]: game.sample(state, seats[0], LUCK.named(step))})
    start, fresh = dealt(state), deal(3, Chance.from_seed(5), game.rule_options._replace(forced_draw="ask"))
    assert start.hands == fresh.hands and start.pile == fresh.pile and start.top == fresh.top
    found = list(draws(start, state))
    assert found and all(draw.card == draw.could_be[0] for draw in found)


def hand_of(holes: list[str], board: str, *plays: tuple[str, int]) -> Hand:
    """A hand with 1,000 chips each, blinds of 10 and 20, the button on the first seat."""
    places = {2 * i + k: cards[2 * k : 2 * k + 2] for i, cards in enumerate(holes) for k in range(2)}
    places |= {BOARD_AT + k: board[2 * k : 2 * k + 2] for k in range(5)}
    rest = iter(card for card in CARDS if card not in places.values())
    deck = tuple(places[k] if k in places else next(rest) for k in range(52))
    stacks = (1000,) * len(holes)
    hand, engine = play_out(Hand(0, 0, (10, 20), 0, stacks, holes_of(deck, stacks)), deck)
    for kind, amount in plays:
        hand = act(hand, engine, deck, kind, amount)  # type: ignore[arg-type]
    return hand


def test_the_river_has_mean_zero_over_all_cards_left() -> None:
    """A folded hand holds an ace: it cannot come, and forgetting that would make the mean wrong."""
    plays = [("call", 0), ("call", 0), ("check", 0)]
    plays += [("check", 0), ("bet", 60), ("fold", 0), ("call", 0), *[("check", 0)] * 4]
    holes, turned = ["AcAd", "KhKd", "7s2c"], "2h7h9sTc"
    held = {"".join(holes)[i : i + 2] for i in range(0, 12, 2)} | {turned[i : i + 2] for i in range(0, 8, 2)}
    before = None
    total, count = np.zeros(3), 0
    for card in CARDS:
        if card in held:
            continue
        hand = hand_of(holes, turned + card, *plays)
        assert hand.after
        gain = np.array(board_luck(hand, LUCK))
        total, count = total + gain, count + 1
        before = gain if before is None else before
    # The flop and the turn are the same every time; the river's part has mean zero.
    same = total / count
    early = hand_of(holes, turned + "3c", *plays)
    flop_and_turn = np.array(board_luck(early._replace(acts=tuple(a for a in early.acts if a.street < 3)), LUCK))
    assert count == 52 - 10 and same == pytest.approx(flop_and_turn, abs=1e-9)


def test_the_deal_sums_to_zero_and_aces_are_luck() -> None:
    hand = hand_of(["AcAd", "7h2d"], "3c4c9sTcJh", ("raise", 1000), ("call", 0))
    gain = deal_luck(hand, LUCK)
    assert sum(gain) == pytest.approx(0) and gain[0] > 5
    assert board_luck(hand, LUCK) == [0.0, 0.0]  # the board was run out: that is counted once, as an all-in


def test_folded_cards_cannot_come() -> None:
    """The third player folds a queen: only one is left for the second one's hand."""
    plays = [("fold", 0), ("raise", 1000), ("call", 0)]
    hand = hand_of(["QhQs", "QcJd", "AcAd"], "3c4c9sTd2h", *plays)
    exact = expected_net(hand, LUCK, 20_000)
    apart = expected_net(hand._replace(holes=((), *hand.holes[1:])), LUCK, 20_000)
    assert exact[1] < apart[1] - 10


@pytest.mark.slow
@pytest.mark.parametrize(("name", "count"), [("openspiel:kuhn_poker", 3_000), ("liars_dice", 600), ("uno", 100)])
def test_played_matches_keep_their_mean(program: ModuleType, name: str, count: int) -> None:
    y, terms, group, _ = program.matches(name, count)
    for rows in (group >= 0, (np.arange(count) % 2) == (group % 2)):
        found = program.summary(y[rows], terms[rows], group[rows])
        assert max(map(abs, found["term_z"])) < 4 and abs(found["moved_z"]) < 4
    single = found["ratio"]
    assert single < 0.6 if "kuhn" in name else single < 1.2
