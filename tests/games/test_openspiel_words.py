"""OpenSpiel's games in our own words: that the words are true, that what is hidden stays hidden, and who may search."""

from __future__ import annotations

import json
import re
from typing import Any

import pyspiel
import pytest

from ludometer import play
from ludometer.core import Chance, ConfigurationError, make_game
from ludometer.games._openspiel_words import words_of
from ludometer.games.openspiel import OpenSpiel
from ludometer.solvers.mcts import check_searchable
from ludometer.testing import check_game

NAMED = [
    *("kuhn_poker", "leduc_poker", "goofspiel", "battleship", "backgammon", "gin_rummy", "hanabi"),
    *("matrix_rps", "matrix_pd", "matrix_bos", "first_sealed_auction"),
    "repeated_game(stage_game=matrix_pd(),num_repetitions=20)",
]


def shown(game: OpenSpiel, state: Any, seat: str) -> str:
    """Everything a seat's prompt may say of a state, in every view."""
    observation = game.observe(state, seat)
    return "\n".join(view.render(observation) for view in game.views().values())


def first(game: OpenSpiel, *history: int) -> str:
    """The default view of the player to act after a history of the engine's actions."""
    state = game.recorded(history, Chance(0))
    return next(iter(game.views().values())).render(game.observe(state, game.to_act(state)[0]))


@pytest.mark.parametrize("name", NAMED)
def test_named_games_explain_their_rules(name: str) -> None:
    game = OpenSpiel(name)
    assert words_of(game.engine_rules) is not None
    assert "The rules are OpenSpiel's" not in game.rules() and len(game.rules()) > 300
    assert "The rules are OpenSpiel's" in OpenSpiel("hex").rules()


@pytest.mark.parametrize(
    "name",
    [
        "goofspiel(num_cards=4,imp_info=True)",
        "goofspiel(num_cards=4,imp_info=True,points_order=descending)",
        "goofspiel(num_cards=3,players=3,imp_info=True)",
        "kuhn_poker(players=5)",
        "leduc_poker(players=3)",
        "leduc_poker(suit_isomorphism=True)",
        "first_sealed_auction(players=3)",
        "battleship(board_width=3,board_height=2,ship_sizes=[1;2],ship_values=[1;2],num_shots=3)",
        "repeated_game(stage_game=matrix_rps(),num_repetitions=4)",
        "matrix_bos",
        "hanabi",
    ],
)
def test_variants_hold_to_the_contract(name: str) -> None:
    check_game(OpenSpiel(name), matches=1)


# ------------------------------------------------------------------ what is shown


def test_kuhn_poker_is_written_out() -> None:
    assert first(OpenSpiel("kuhn_poker"), 2, 0).startswith("Your card: 2 (of 0 to 2).\nChips in the pot: 2. Nobody")
    text = first(OpenSpiel("kuhn_poker(players=3)"), 2, 0, 3, 0, 1)
    assert text.splitlines()[:4] == [
        "Your card: 3 (of 0 to 3).",
        "player 0: Pass (no bet)",
        "player 1: Bet (bet)",
        "Chips in the pot: 4. There is a bet: Bet calls it for one chip, Pass folds.",
    ]
    assert "player 2: Pass (fold)" in first(OpenSpiel("kuhn_poker(players=3)"), 2, 0, 3, 0, 1, 0)


def test_leduc_poker_is_written_out() -> None:
    game = OpenSpiel("leduc_poker")
    text = first(game, 2, 5, 2, 1, 4, 1)  # a queen and a king; a raise and a call; another king; a check
    assert text.splitlines()[:5] == [
        "Your card: King.",
        "The shown card: King.",
        "First round: player 0 raises, player 1 calls.",
        "Second round: player 0 calls.",
        "This is round 2 of 2. The pot has 6 chips. Chips left: player 0: 97, player 1: 97.",
    ]
    three = first(OpenSpiel("leduc_poker(players=3)"), 0, 3, 5, 2, 0, 1, 6, 1)
    assert "First round: player 0 raises, player 1 folds, player 2 calls." in three
    assert "Second round: player 0 calls." in three and "Your card: rank 2." in three
    assert "Your card: King." in first(OpenSpiel("leduc_poker(suit_isomorphism=True)"), 2, 0)


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "leduc_poker(players=3)"])
def test_pots_agree_with_what_was_put_in(name: str) -> None:
    """By random play: what is written of the pot is what the engine's players have put in."""
    game = OpenSpiel(name)
    for seed in range(25):
        chance = Chance.from_seed(seed)
        state = game.new(3, chance)
        while seats := game.to_act(state):
            text = next(iter(game.views().values())).render(game.observe(state, seats[0]))
            written = re.search(r"(?:in the pot: |The pot has )(\d+)", text)
            bets = sum(1 for i, (_, count) in enumerate(state.movers) if state.history[3 + i] == 1 and count)
            pot = re.search(r"Pot: (\d+)", str(state.engine))
            assert written is not None and int(written[1]) == (int(pot[1]) if pot else 3 + bets)
            move, chance = chance.choice(list(game.legal(state, seats[0])))
            state = game.apply(state, {seats[0]: move})


def test_point_cards_of_goofspiel_do_not_run_together() -> None:
    game = OpenSpiel("goofspiel")
    state = game.new(2, Chance.from_seed(3))
    for step in range(13):
        if not game.to_act(state):
            break
        text = next(iter(game.views().values())).render(game.observe(state, "P0"))
        line = next(line for line in text.splitlines() if line.startswith("Remaining"))
        left = [] if "none" in line else list(map(int, line.partition(":")[2].split()))
        used = {action + 1 for i, action in enumerate(state.history) if i % 3 == 0}
        assert left == [card for card in range(1, 14) if card not in used]
        moves = {seat: game.legal(state, seat)[step % len(game.legal(state, seat))] for seat in ("P0", "P1")}
        state = game.apply(state, moves)


def test_backgammon_is_numbered_from_the_player_s_side() -> None:
    game = OpenSpiel("backgammon")
    start = {"24": 2, "13": 5, "8": 3, "6": 5}
    for seed in range(8):
        state = game.new(2, Chance.from_seed(seed))
        (seat,) = game.to_act(state)
        facts = game.observe(state, seat).data["facts"]
        assert facts["own"] == start and facts["other"] == {"1": 2, "12": 5, "17": 3, "19": 5}
        assert facts["bar"] == facts["off"] == [0, 0] and len(facts["dice"]) == 2
    for seed in range(3):
        chance = Chance.from_seed(seed)
        state = game.new(2, chance)
        for _ in range(120):
            if not (seats := game.to_act(state)):
                break
            facts = game.observe(state, seats[0]).data["facts"]
            assert all(
                sum(facts[side].values()) + facts["bar"][i] + facts["off"][i] == 15
                for i, side in enumerate(("own", "other"))
            )
            moves = list(game.legal(state, seats[0]))
            for move in moves:  # every checker is moved from where one is
                for start_point in re.findall(r"(?<![\d/])(\d+)/", game.format(state, move).partition(" #")[0]):
                    assert start_point in facts["own"]
            move, chance = chance.choice(moves)
            state = game.apply(state, {seats[0]: move})


def test_backgammon_lists_no_move_twice() -> None:
    game = OpenSpiel("backgammon")
    for seed in range(10):
        state = game.new(2, Chance.from_seed(seed))
        (seat,) = game.to_act(state)
        listed = game.observe(state, seat).data["legal"]
        assert not any("#" in text for text in listed) and len(set(listed)) == len(listed)
        reached = {str(state.engine.child(game.parse(state, seat, text).steps[0])) for text in listed}
        assert reached == {str(state.engine.child(action)) for action in state.engine.legal_actions()}


@pytest.mark.parametrize("name", ["matrix_rps", "matrix_pd", "matrix_bos"])
def test_the_payoffs_of_matrix_games_are_those_of_the_rules_text(name: str) -> None:
    game = OpenSpiel(name)
    state = game.new(2, Chance(0))
    for one in game.legal(state, "P0"):
        for other in game.legal(state, "P1"):
            outcome = game.outcome(game.apply(state, {"P0": one, "P1": other}))
            assert outcome is not None and outcome.payoffs is not None
            start = game.engine_rules.new_initial_state()
            names = [start.action_to_string(i, move.steps[1]) for i, move in enumerate((one, other))]
            payoffs = f"{outcome.payoffs['P0']:g} and {outcome.payoffs['P1']:g}"
            assert f"{names[0]} and {names[1]}: {payoffs}" in game.rules()


def test_repeated_games_show_the_rounds_so_far_and_no_more_than_a_dozen() -> None:
    game = OpenSpiel("repeated_game(stage_game=matrix_pd(),num_repetitions=40)")
    state = game.new(2, Chance(0))
    lengths = []
    while game.to_act(state):
        text = next(iter(game.views().values())).render(game.observe(state, "P0"))
        lengths.append(len(text))
        moves = {"P0": game.parse(state, "P0", "Defect"), "P1": game.parse(state, "P1", "Cooperate")}
        state = game.apply(state, moves)
    assert "round 39: player 0 chose Defect, player 1 chose Cooperate" in text
    assert "(27 earlier rounds left out)" in text and max(lengths) == lengths[-1] <= lengths[20] + 10
    outcome = game.outcome(state)
    assert outcome is not None and outcome.payoffs == {"P0": 400.0, "P1": 0.0}


def test_the_shots_that_sank_a_ship_are_named() -> None:
    game = OpenSpiel("battleship(board_width=4,board_height=3,ship_sizes=[1;2],ship_values=[1;2],num_shots=6)")
    state = game.new(2, Chance(0))
    for seat, text in (
        ("P0", "place ship horizontally with top-left corner in (0, 3)"),
        ("P1", "place ship horizontally with top-left corner in (2, 1)"),
        ("P0", "place ship horizontally with top-left corner in (1, 0)"),
        ("P1", "place ship horizontally with top-left corner in (0, 0)"),
        ("P0", "shoot at (2, 1)"),
        ("P1", "shoot at (1, 1)"),
        ("P0", "Pl0: shoot at (0, 0)"),
        ("P1", "I shoot at (1, 0)"),
    ):
        state = game.apply(state, {seat: game.parse(state, seat, text)})
    text = next(iter(game.views().values())).render(game.observe(state, "P0"))
    assert "Shots of yours that sank a ship: (2, 1)." in text  # (0, 0) only hit the longer one
    assert "worth 1, 2" in game.rules() and "sizes 1, 2" in game.rules()


def test_games_with_one_interest_say_so() -> None:
    assert "All players get the same payoff" in OpenSpiel("hanabi").rules()
    assert "higher payoff than the other" not in OpenSpiel("tiny_hanabi").rules()
    assert "higher payoff than the other player" in OpenSpiel("kuhn_poker").rules()


@pytest.mark.parametrize(
    ("name", "text", "written"),
    [
        ("universal_poker", "player=0 move=Call", "Call"),
        ("first_sealed_auction", "Player 0 bid: 0", "bid: 0"),
        ("battleship", "Pl0: place ship vertically with top-left corner in (3, 4)", None),
        ("goofspiel", "[P0]Bid: 12", "Bid: 12"),
    ],
)
def test_moves_may_be_written_with_what_openspiel_puts_in_front(name: str, text: str, written: str | None) -> None:
    game = OpenSpiel(name)
    state = game.new(2, Chance.from_seed(1))
    move = game.parse(state, "P0", text)
    assert game.format(state, move) == (written or text.removeprefix("Pl0: "))
    assert game.decode(state, "P0", {"move": text}) == move


def test_losing_the_last_life_in_hanabi_is_worth_nothing() -> None:
    """As the rules in words say."""
    game = OpenSpiel("hanabi")
    lost = 0
    for seed in range(6):
        chance = Chance.from_seed(seed)
        state = game.new(2, chance)
        for step in range(200):
            if not (seats := game.to_act(state)):
                break
            plays = [m for m in game.legal(state, seats[0]) if "Play" in game.format(state, m)]
            state = game.apply(state, {seats[0]: chance.named(step).choice(plays)[0]})
        outcome = game.outcome(state)
        assert outcome is not None and outcome.payoffs is not None and set(outcome.scores.values()) == {0.5}
        lost += "Life tokens: 0" in str(state.engine) and set(outcome.payoffs.values()) == {0.0}
    assert lost == 6


# --------------------------------------------------------------- what is hidden

SWAPS = [
    # Game, player, two histories that differ only in what the player may not know.
    ("kuhn_poker", 0, (1, 0), (1, 2)),
    ("kuhn_poker", 1, (0, 1, 1), (2, 1, 1)),
    ("kuhn_poker(players=3)", 2, (0, 1, 3, 0, 1), (1, 0, 3, 0, 1)),
    ("leduc_poker", 0, (0, 2), (0, 5)),
    ("leduc_poker", 1, (0, 4, 2, 1, 2, 1), (3, 4, 2, 1, 2, 1)),
    ("universal_poker", 0, (20, 4), (20, 7)),
    ("universal_poker", 1, (20, 4, 1), (3, 4, 1)),
    ("first_sealed_auction", 0, (5, 2), (5, 9)),
    ("first_sealed_auction", 1, (5, 7, 1), (9, 7, 6)),
    ("liars_dice", 0, (1, 2), (1, 5)),
    ("liars_dice", 1, (1, 2, 3), (4, 2, 3)),
    ("hanabi", 0, (20, 4, 10, 1, 16, 6, 13, 20, 0, 16), (1, 4, 10, 5, 16, 6, 13, 20, 0, 16)),
    ("goofspiel(num_cards=4,imp_info=True,points_order=descending)", 0, (0, 1), (0, 3)),
    ("goofspiel(num_cards=4,imp_info=True,points_order=descending)", 1, (1, 0), (3, 0)),
]


@pytest.mark.parametrize(("name", "player", "one", "other"), SWAPS)
def test_what_a_player_cannot_know_reaches_no_text(
    name: str, player: int, one: tuple[int, ...], other: tuple[int, ...]
) -> None:
    game = OpenSpiel(name)
    states = [game.recorded(history, Chance(i)) for i, history in enumerate((one, other))]
    seat = f"P{player}"
    assert len(one) == len(other) and one != other
    assert seat in game.to_act(states[0]) and game.to_act(states[0]) == game.to_act(states[1])
    assert shown(game, states[0], seat) == shown(game, states[1], seat)
    texts = [json.dumps([game.observe(s, seat).data, game.schema(s, seat)], sort_keys=True) for s in states]
    assert texts[0] == texts[1]
    assert [game.format(states[0], m) for m in game.legal(states[0], seat)] == [
        game.format(states[1], m) for m in game.legal(states[1], seat)
    ]


def test_ships_are_hidden_until_they_are_hit() -> None:
    game = OpenSpiel("battleship(board_width=5,board_height=5,ship_sizes=[2;2],ship_values=[1;1],num_shots=9)")
    start = game.new(2, Chance(0))
    state = game.apply(start, {"P0": game.legal(start, "P0")[0]})
    placed = [game.apply(state, {"P1": move}) for move in game.legal(state, "P1")]
    assert len({shown(game, s, "P0") for s in placed}) == 1 and len({shown(game, s, "P1") for s in placed}) == len(
        placed
    )


def _grid(text: str, player: int) -> set[str]:
    """The cards in a player's grid of gin rummy's text."""
    match = re.search(rf"Player{player}:.*?\n\+-+\+\n(.*?)\+-+\+", text, re.DOTALL)
    return set(re.findall(r"[A2-9TJQK][scdh]", match[1])) if match else set()


def test_no_phase_of_gin_rummy_shows_the_other_hand() -> None:
    """A hand was once shown in the lay-off: every phase is looked at, knocking as soon as it is legal."""
    game = OpenSpiel("gin_rummy")
    phases = set()
    for seed in (0, 3, 5, 8, 11, 13, 16, 18):
        chance = Chance.from_seed(seed)
        state = game.new(2, chance)
        step = 0
        while seats := game.to_act(state):
            full = str(state.engine)
            phases.add(re.search(r"Phase: (\w+)", full)[1])  # type: ignore[index]
            for player in (0, 1):
                text = shown(game, state, f"P{player}")
                assert _grid(full, 1 - player) and not _grid(text, 1 - player)
                assert _grid(text, player) == _grid(full, player)
            moves = list(game.legal(state, seats[0]))
            knock = [move for move in moves if game.format(state, move) == "Knock"]
            state = game.apply(state, {seats[0]: (knock or [chance.named(step).choice(moves)[0]])[0]})
            step += 1
    assert {"Knock", "Layoff", "Draw", "Discard"} <= phases


# ------------------------------------------------------------------- who may search


@pytest.mark.parametrize(
    "name", ["liars_dice", "goofspiel", "goofspiel(imp_info=True)", "hanabi", "battleship", "gin_rummy", "matrix_rps"]
)
def test_searchers_are_refused_where_nothing_sound_can_be_imagined(name: str) -> None:
    with pytest.raises(ConfigurationError, match="cannot be searched"):
        check_searchable(make_game(f"openspiel:{name}"))


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "kuhn_poker(players=3)", "universal_poker"])
def test_searchers_work_where_it_can(name: str) -> None:
    game = make_game(f"openspiel:{name}")
    check_searchable(game)
    players = ["mcts:simulations=40,worlds=4", *["random"] * (game.players[0] - 1)]
    match = play(f"openspiel:{name}", players, seed=3)
    assert match.scores() is not None and all(attempt.verdict.is_legal for attempt in match.attempts)


def test_loaded_games_are_openspiel_s_own() -> None:
    assert pyspiel.load_game("matrix_bos").get_type().long_name in OpenSpiel("matrix_bos").title
