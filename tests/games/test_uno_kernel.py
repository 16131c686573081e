"""UNO's compiled playouts against the plain rules, and hidden cards against what can be counted by hand."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from ludometer.core import Chance
from ludometer.games.uno import Uno
from ludometer.games.uno.cards import COLOUR_CARDS, WILD_DRAW_FOUR
from ludometer.games.uno.kernel import COMPILED, UNITS, packed, playouts, run, seed_of
from ludometer.games.uno.packing import code_of
from ludometer.games.uno.state import Action, Options, State, applied, deal, legal_actions, winners

needs_numba = pytest.mark.skipif(not COMPILED, reason="numba is not installed: pip install 'ludometer[fast]'")

ALL_OPTIONS = [Options(*o) for o in product(("again", "pass"), ("keep", "may_play"), (False, True), ("auto", "ask"))]
SEED = 0xFEDC_BA98_7654_3210

MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15


def mixed(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


def played_by_the_rules(state: State, options: Options, number: int) -> tuple[State, int]:
    """The end of a random game by the plain rules, and the number of decisions. Where there is a choice, the action is
    picked by the next number of the playout's stream of choices."""
    stream = (mixed((SEED + GOLDEN * (number + 1)) & MASK) + 2 * GOLDEN) & MASK
    stream, decisions = mixed(stream), 0
    while not winners(state, options):
        actions, place = legal_actions(state), 0
        if len(actions) > 1:
            stream = (stream + GOLDEN) & MASK
            place = (mixed(stream) >> 32) * len(actions) >> 32
        state = applied(state, actions[place], options)
        decisions += 1
    return state, decisions


def played_by_the_kernel(state: State, options: Options, action: Action | None, number: int) -> tuple[list[int], ...]:
    """Units of every seat, final hand sizes and the number of decisions of one playout with the true cards."""
    units, products = np.zeros((1, state.n), np.int64), np.zeros((1, 1), np.int64)
    last = np.zeros(10, np.int64)
    codes = np.array([code_of(action)], np.int64)
    seed = np.uint64(SEED) if COMPILED else SEED
    decisions = run(*packed(state, options), codes, number, 1, seed, units, products, last)
    assert products[0, 0] == units[0, state.player] ** 2
    return units[0].tolist(), last[: state.n].tolist(), [int(decisions)]


def agree(seats: int, games: int) -> Counter[str]:
    """Compares games of all kinds, and counts the decisions from which they were played on."""
    seen: Counter[str] = Counter()
    for i in range(games):
        options = ALL_OPTIONS[i % 16]
        chance = Chance.from_seed(f"agree {seats} {i}")
        state = deal(seats, chance, options)
        action: Action | None = None
        for step in range(i % 47):
            picked, _ = chance.named(step).choice(legal_actions(state))
            after = applied(state, picked, options)
            if winners(after, options):
                action = picked
                break
            state = after
        else:
            action = None if i % 3 == 0 else chance.named("action").choice(legal_actions(state))[0]
        seen[state.phase if action else "none"] += 1
        start = state if action is None else applied(state, action, options)
        end, decisions = played_by_the_rules(start, options, i)
        won = winners(end, options)
        units = [UNITS // len(won) if seat in won else 0 for seat in range(seats)]
        expected = units, [len(hand) for hand in end.hands], [decisions]
        assert played_by_the_kernel(state, options, action, i) == expected, (i, options, action)
    return seen


@pytest.mark.parametrize("seats", [2, 3, 4, 10])
def test_playouts_follow_the_rules(seats: int) -> None:
    agree(seats, 125)


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 10])
def test_ten_thousand_playouts_follow_the_rules(seats: int) -> None:
    seen = agree(seats, 10_000)
    assert min(seen[kind] for kind in ("none", "card", "colour", "challenge", "drawn")) > 30


# -------------------------------------------------------------------------- luck


def a_state(seats: int = 3, steps: int = 12) -> State:
    """A state in which the seat to act has a choice."""
    for i in range(1000):
        chance, options = Chance.from_seed(f"a state {i}"), Options()
        state = deal(seats, chance, options)
        for step in range(steps):
            if winners(state, options):
                break
            state = applied(state, chance.named(step).choice(legal_actions(state))[0], options)
        if not winners(state, options) and len(legal_actions(state)) > 2:
            return state
    raise AssertionError("no such state")


def test_a_playout_depends_on_its_number_and_the_seed_only() -> None:
    state = a_state()
    position, actions = packed(state, Options(), viewer=state.player), legal_actions(state)
    together = playouts(position, actions, rollouts=60, seed=7)
    parts = playouts(position, actions, rollouts=25, seed=7)
    parts = parts.merged(playouts(position, actions, rollouts=35, seed=7, first=25))
    assert (together.units == parts.units).all()
    assert (together.products == parts.products).all()
    assert (together.rollouts, together.decisions) == (parts.rollouts, parts.decisions)
    for i, action in enumerate(actions):
        assert (playouts(position, [action], rollouts=60, seed=7).units[0] == together.units[i]).all()
    assert (playouts(position, actions, rollouts=60, seed=8).units != together.units).any()


def test_sums_and_products_are_those_of_the_playouts() -> None:
    state = a_state()
    position, actions = packed(state, Options(), viewer=state.player), legal_actions(state)
    single = [playouts(position, actions, rollouts=1, seed=3, first=i) for i in range(80)]
    together = playouts(position, actions, rollouts=80, seed=3)
    own = np.array([one.units[:, state.player] for one in single])
    assert (together.units == sum(one.units for one in single)).all()
    assert (together.products == own.T @ own).all()
    assert (together.units.sum(axis=1) == UNITS * 80).all()
    assert together.rates.sum(axis=1) == pytest.approx(1.0)


def test_the_same_position_has_the_same_luck() -> None:
    state = a_state()
    seed = seed_of(packed(state, Options()))
    assert seed == seed_of(packed(state._replace(history=()), Options()))
    others = [
        packed(state, Options(), viewer=state.player),
        packed(state, Options(), pile="reshuffled"),
        packed(state._replace(direction=-state.direction), Options()),
        packed(state._replace(pile=state.pile[1:] + state.pile[:1]), Options()),
    ]
    assert len({seed, *map(seed_of, others)}) == 5


def test_what_cannot_be_played_out_is_refused() -> None:
    state = a_state()
    with pytest.raises(ValueError, match="to act"):
        packed(state, Options(), viewer=(state.player + 1) % 3)
    with pytest.raises(ValueError, match="over"):
        packed(state._replace(pile=()), Options())


_PLAIN = """
import json, sys
sys.modules["numba"] = None  # as if it were not installed
from ludometer.core import Chance
from ludometer.games.uno.kernel import COMPILED, packed, playouts
from ludometer.games.uno.state import Options, deal, legal_actions
found = [COMPILED]
for seats in (2, 4, 10):
    state = deal(seats, Chance.from_seed("twin"), Options())
    for viewer in (None, state.player):
        done = playouts(packed(state, Options(), viewer=viewer), legal_actions(state), rollouts=20, seed=5)
        found.append([done.units.tolist(), done.products.tolist(), done.decisions])
print(json.dumps(found))
"""


@needs_numba
def test_compiled_and_plain_playouts_are_the_same() -> None:
    shown = subprocess.run([sys.executable, "-W", "error", "-c", _PLAIN], capture_output=True, text=True, check=True)
    plain = json.loads(shown.stdout)
    assert plain[0] is False
    expected = []
    for seats in (2, 4, 10):
        state = deal(seats, Chance.from_seed("twin"), Options())
        for viewer in (None, state.player):
            done = playouts(packed(state, Options(), viewer=viewer), legal_actions(state), rollouts=20, seed=5)
            expected.append([done.units.tolist(), done.products.tolist(), done.decisions])
    assert plain[1:] == expected


def the_benchmark() -> ModuleType:
    """`benchmarks/uno.py`, which is no part of the package."""
    spec = importlib.util.spec_from_file_location("benchmark_uno", Path(__file__).parents[2] / "benchmarks" / "uno.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@needs_numba
@pytest.mark.skipif(shutil.which("gcc") is None, reason="needs a C compiler (Debian and Ubuntu: apt-get install gcc)")
def test_the_playouts_in_c_are_the_same(tmp_path: Path) -> None:
    benchmark = the_benchmark()
    in_c = benchmark.compiled_c(tmp_path)
    for seats in (2, 4, 10):
        cases = benchmark.cases(seats)
        assert benchmark.played_out(in_c, cases, 60) == benchmark.played_out(run, cases, 60)


# ----------------------------------------------------------------- hidden cards

RED, BLUE = 0, 3


def card(colour: int, rank: int) -> int:
    return 13 * colour + rank


def challenge(
    hands: tuple[tuple[int, ...], ...], pile: tuple[int, ...], absent: tuple[tuple[int, ...], ...], accused: int = 0
) -> State:
    """The seat after the accused is asked whether it challenges a Wild Draw Four that was played on red."""
    player = (accused + 1) % len(hands)
    return State(hands, pile, (), WILD_DRAW_FOUR, BLUE, player, 1, "challenge", RED, absent, ())


def guilty(state: State, rollouts: int = 20_000) -> float:
    """How often the accused turns out to be guilty when challenged.

    The pile holds four cards, so that the game ends with the challenge: a guilty hand grows by four, and is then larger
    than that of the challenger; otherwise it is the smaller one.
    """
    done = playouts(packed(state, Options(), viewer=state.player), [Action("challenge", 1)], rollouts=rollouts, seed=11)
    return float(done.rates[0, state.player])


POOL = (card(RED, 5), card(RED, 6), card(BLUE, 1), card(2, 2), 52)
OWN = (card(1, 1), card(1, 2))


@pytest.mark.parametrize(
    ("absent", "chance"),
    [
        (0, 2 / 5),
        (COLOUR_CARDS[BLUE], 2 / 4),
        (COLOUR_CARDS[BLUE] | COLOUR_CARDS[2] | 1 << 52, 1.0),
        (COLOUR_CARDS[RED], 0.0),
        (sum(1 << card for card in POOL), 2 / 5),  # nothing that may be there is left: any card
    ],
)
def test_hidden_cards_are_dealt_from_what_is_known(absent: int, chance: float) -> None:
    state = challenge(((POOL[0],), OWN), POOL[1:], ((absent,), (0, 0)))
    error = (chance * (1 - chance) / 20_000) ** 0.5
    assert guilty(state) == pytest.approx(chance, abs=4 * error)


def test_a_hand_with_known_and_unknown_places() -> None:
    # Two places without blue and green, then one of which nothing is known: from two red cards, three Wilds, a blue and
    # a green one.
    barred = COLOUR_CARDS[BLUE] | COLOUR_CARDS[2]
    state = challenge((POOL[:3], (*OWN, *OWN)), (*POOL[3:], 52, 52), ((barred, barred, 0), (0,) * 4))
    # None is red: a Wild out of five cards, a Wild out of the four left, one of the other three out of all five left.
    innocent = 3 / 5 * 2 / 4 * 3 / 5
    error = (innocent * (1 - innocent) / 20_000) ** 0.5
    assert guilty(state) == pytest.approx(1 - innocent, abs=4 * error)


def test_a_place_with_one_possible_card_gets_it() -> None:
    # One red card among forty, so that drawing cards until one fits would often take too long.
    red, others = card(RED, 9), [card(colour, rank) for colour in (1, 2, 3) for rank in range(1, 13)]
    hand = (red, *others[:35])
    pile = (others[35], 52, 52, 52)
    known = sum(1 << one for one in {*others, 52})
    own = (card(1, 0),) * 36
    state = challenge((tuple(sorted(hand)), own), pile, ((known,) + (0,) * 35, (0,) * 36))
    assert guilty(state, 2_000) == 1.0
    free = challenge((tuple(sorted(hand)), own), pile, ((0,) * 36, (0,) * 36))
    assert guilty(free, 2_000) == pytest.approx(36 / 40, abs=0.03)


@needs_numba
@pytest.mark.parametrize("seats", [2, 4])
def test_hidden_cards_are_dealt_as_the_game_imagines_them(seats: int) -> None:
    game = Uno()
    state = a_state(seats, 30)
    assert any(map(any, state.absent))
    actions = legal_actions(state)
    hidden = playouts(packed(state, Options(), viewer=state.player), actions, rollouts=40_000, seed=1).rates
    imagined = [game.determinize(state, str(state.player + 1), Chance.from_seed(i)) for i in range(1000)]
    each = [playouts(packed(one, Options()), actions, rollouts=40, seed=i).rates for i, one in enumerate(imagined)]
    errors = np.std(each, axis=0) / len(each) ** 0.5
    assert (np.abs(np.mean(each, axis=0) - hidden) < 4.5 * errors + 0.005).all()


def test_positions_hold_nothing_that_their_viewer_may_not_know() -> None:
    game = Uno()
    pairs = [(a, b) for a, b, seat in game.swap_hidden() if game.to_act(a) == (seat,) == game.to_act(b)]
    assert pairs
    for one, other in pairs:
        assert one.hands != other.hands or one.pile != other.pile
        seen = [packed(state, game.rule_options, viewer=state.player) for state in (one, other)]
        assert all((a == b).all() for a, b in zip(*seen, strict=True))
