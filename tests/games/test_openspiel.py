"""Games of OpenSpiel by name: that they work, that hidden information stays hidden, and what is refused."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pyspiel
import pytest

from ludometer.core import Chance, ConfigurationError, Illegal, Watcher, make_game
from ludometer.games.openspiel import OpenSpiel, openspiel_games
from ludometer.testing import check_game

QUICK = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "tic_tac_toe",
    "hex(board_size=3)",
    "pig(winscore=15)",
    "dark_hex",
    "phantom_ttt",
    "goofspiel(num_cards=4)",
    "matrix_pd",
    "first_sealed_auction",
    "tiny_hanabi",
    "oshi_zumo(coins=6,horizon=20)",
    "blotto(players=3,coins=4)",
]


@pytest.mark.parametrize("game", QUICK)
def test_games_hold_to_the_contract(game: str) -> None:
    check_game(make_game(f"openspiel:{game}"), matches=4)


def test_the_name_may_be_an_option_or_stand_behind_a_colon() -> None:
    game = make_game("openspiel:hex(board_size=5)")
    assert game == make_game("openspiel", {"game": "hex(board_size=5)"}) == OpenSpiel("hex(board_size=5)")
    assert game.options == {"game": "hex(board_size=5)"}
    assert game != make_game("openspiel:hex(board_size=4)")
    assert make_game("openspiel:hex", {"game": "hex"}).players == (2, 2)


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        ("openspiel:", {}, "names no game"),
        ("openspiel:chezz", {}, "did you mean 'chess'"),
        ("openspiel:hex(board_size=x)", {}, "cannot load"),
        ("openspiel:hex(", {}, "cannot load|no game"),
        ("openspiel:2048", {}, "single player"),
        ("openspiel:mfg_garnet", {}, "cannot be played here"),
        ("openspiel:hex", {"game": "chess"}, "two values"),
        ("tictactoe:3", {}, "takes nothing after a colon"),
        ("nothing:hex", {}, "there is no game 'nothing'"),
    ],
)
def test_refusals(name: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message) as caught:
        make_game(name, options)
    assert "\n" not in str(caught.value)


def test_random_games_agree_with_the_engine() -> None:
    for name in ("backgammon", "kuhn_poker", "y(board_size=4)"):
        game, rules = OpenSpiel(name), pyspiel.load_game(name)
        chance = Chance.from_seed("engine").named(name)
        state = game.new(2, chance)
        while seats := game.to_act(state):
            engine = rules.new_initial_state()
            for action in state.history:
                engine.apply_action(action)
            assert seats == (f"P{engine.current_player()}",)
            assert [move.steps for move in game.legal(state, seats[0])] == [(a,) for a in engine.legal_actions()]
            move, chance = chance.choice(game.legal(state, seats[0]))
            written = engine.action_to_string(engine.current_player(), move.steps[0])
            assert written.endswith(game.format(state, move).partition(" #")[0])
            state = game.apply(state, {seats[0]: move})
        engine = rules.new_initial_state()
        for action in state.history:
            engine.apply_action(action)
        outcome = game.outcome(state)
        assert outcome is not None and outcome.payoffs is not None
        assert list(outcome.payoffs.values()) == engine.returns()


def test_simultaneous_moves_are_made_together() -> None:
    game = OpenSpiel("matrix_pd")
    state = game.new(2, Chance(0))
    assert game.to_act(state) == ("P0", "P1")
    moves = {seat: game.parse(state, seat, text) for seat, text in (("P0", "Defect"), ("P1", "cooperate"))}
    outcome = game.outcome(game.apply(state, moves))
    assert outcome is not None and outcome.payoffs == {"P0": 10.0, "P1": 0.0}
    assert outcome.scores == {"P0": 1.0, "P1": 0.0}
    assert outcome.reason == "payoffs: player 0 10, player 1 0"


def test_a_seat_sees_its_own_card_and_nobody_sees_the_other() -> None:
    game = OpenSpiel("kuhn_poker")
    for seed in range(12):
        state = game.new(2, Chance.from_seed(seed))
        cards = state.history[:2]
        for viewer, card in zip(("P0", "P1"), cards, strict=True):
            observation = game.observe(state, viewer)
            assert observation.data["history"].startswith(str(card))
            twin = game.determinize(state, viewer, Chance.from_seed("x").named(seed))
            assert twin.history[["P0", "P1"].index(viewer)] == card
        public = game.observe(state, Watcher.PUBLIC)
        assert {public.data[key] for key in ("state", "history", "legal")} == {None} and public.events == ()
        assert game.observe(state, Watcher.FULL).data["state"] == str(state.engine)


def test_imagined_states_are_drawn_anew() -> None:
    game = OpenSpiel("kuhn_poker")
    state = game.new(2, Chance.from_seed(1))
    drawn = {game.determinize(state, "P0", Chance.from_seed("draw").named(i)).history for i in range(40)}
    own = state.history[0]
    assert drawn == {(own, other) for other in range(3) if other != own}


def test_hidden_information_without_a_sound_way_to_imagine_is_not_searched() -> None:
    game = OpenSpiel("dark_hex")
    with pytest.raises(ConfigurationError, match="cannot be searched"):
        game.determinize(game.new(2, Chance(0)), "P0", Chance(1))


def test_imagining_is_trusted_only_with_the_parameters_it_was_tested_with() -> None:
    for game, sound in (("leduc_poker(players=3)", True), ("leduc_poker(action_mapping=True)", False)):
        rules = OpenSpiel(game)
        state = rules.new(rules.players[0], Chance(0))
        if sound:
            assert rules.determinize(state, "P0", Chance(1)).history[0] == state.history[0]
        else:
            with pytest.raises(ConfigurationError, match="cannot be searched"):
                rules.determinize(state, "P0", Chance(1))


def test_a_searcher_never_sees_the_next_roll() -> None:
    game = OpenSpiel("pig")
    state = game.new(2, Chance.from_seed("roll"))
    (seat,) = game.to_act(state)
    roll = game.parse(state, seat, "roll")
    imagined = [game.determinize(state, seat, Chance.from_seed("luck").named(i)) for i in range(60)]
    assert all(other.history == state.history and other.chance != state.chance for other in imagined)
    rolled = {game.apply(other, {seat: roll}).history[-1] for other in imagined}
    assert rolled == set(range(6))
    assert len({game.apply(game.load(game.dump(state)), {seat: roll}).history for _ in range(5)}) == 1


@pytest.mark.parametrize("name", ["leduc_poker", "dark_hex", "phantom_ttt", "liars_dice"])
def test_pairs_of_hidden_states_cover_every_seat(name: str) -> None:
    game = OpenSpiel(name)
    pairs = game.swap_hidden()
    assert {seat for _, _, seat in pairs} == {"P0", "P1"}
    for one, other, seat in pairs:
        assert one.history != other.history and game.to_act(one) == game.to_act(other) == (seat,)


def test_moves_are_read_as_listed_and_at_the_end_of_a_sentence() -> None:
    game = OpenSpiel("nim")
    state = game.new(2, Chance(0))

    def read(text: str) -> str:
        return game.format(state, game.parse(state, "P0", text))

    assert read("pile:1, take:1;") == read("PILE:1,  take:1") == "pile:1, take:1;"
    assert read("So my move is pile:2, take:3;") == "pile:2, take:3;"
    assert game.mentions("I think.\n\nMy move: pile:2, take:3;\n") == ["I think.", "My move: pile:2, take:3;"]
    for text in ("pile:1, take:2;", "", "pile:2, take:3; or not", "take:1;"):
        with pytest.raises(Illegal):
            read(text)
    with pytest.raises(Illegal):
        game.decode(state, "P0", {"move": "anything but pile:2, take:3;"})


def test_what_openspiel_puts_in_front_of_a_move_may_be_left_out() -> None:
    game = OpenSpiel("goofspiel")
    state = game.new(2, Chance(0))
    (move,) = (move for move in game.legal(state, "P1") if game.format(state, move) == "Bid: 7")
    assert game.parse(state, "P1", "[P1]Bid: 7") == game.decode(state, "P1", {"move": "bid: 7"}) == move
    backgammon = OpenSpiel("backgammon")
    for seed in range(60):
        state = backgammon.new(2, Chance.from_seed(seed))
        (seat,) = backgammon.to_act(state)
        moves = list(backgammon.legal(state, seat))
        for move in moves:
            written = str(state.engine.action_to_string(move.steps[0]))
            for text in (written, written.partition(" - ")[2]):
                # Several numbers may stand for one move: the order in which its dice are played.
                read = backgammon.parse(state, seat, text)
                assert str(state.engine.child(read.steps[0])) == str(state.engine.child(move.steps[0]))


def test_marks_of_hits_and_dice_that_are_not_played_may_be_left_out() -> None:
    """ "8/5*" is written "8/5", and "Bar/24 Pass" is written "Bar/24": accepted where one legal move fits."""
    game = OpenSpiel("backgammon")
    shortened = {"*": 0, " Pass": 0}
    for seed in range(20):
        chance = Chance.from_seed("marks").named(seed)
        state = game.new(2, chance)
        for step in range(30):
            (seat,) = game.to_act(state)
            moves = list(game.legal(state, seat))
            texts = [game.format(state, move) for move in moves]
            bare = [text.replace("*", "").removesuffix(" Pass") for text in texts]
            for move, text, short in zip(moves, texts, bare, strict=True):
                if text == short or bare.count(short) > 1:
                    continue
                shortened["*" if "*" in text else " Pass"] += 1
                read = (
                    game.parse(state, seat, short),
                    game.parse(state, seat, f"I play [{short}]."),
                    game.decode(state, seat, {"move": short}),
                )
                assert read == (move, move, move)
            state = game.apply(state, {seat: game.sample(state, seat, chance.named("move", step))})
    assert min(shortened.values()) >= 5, shortened
    state = game.load(game.dump(state))
    (seat,) = game.to_act(state)
    for text in ("Bar/99", "25/1", "pass it on", "[]", "*"):
        with pytest.raises(Illegal):
            game.decode(state, seat, {"move": text})


def test_a_game_that_does_not_end_by_itself_ends_at_its_bound_and_says_so() -> None:
    pig = OpenSpiel("pig")
    state, steps = pig.new(2, Chance(0)), 0
    while seats := pig.to_act(state):
        state = pig.apply(state, {seats[0]: pig.parse(state, seats[0], "stop")})
        steps += 1
    outcome = pig.outcome(state)
    assert outcome is not None and steps == pig.max_steps() == 1000
    assert "after 1000 moves, the most there can be" in outcome.reason
    assert set(outcome.scores.values()) == {0.5}

    endless = OpenSpiel("backgammon")  # its engine goes on beyond the length it names
    endless._longest = 7
    state = endless.new(2, Chance(0))
    for step in range(7):
        (seat,) = endless.to_act(state)
        assert endless.outcome(state) is None
        state = endless.apply(state, {seat: endless.sample(state, seat, Chance(step))})
    outcome = endless.outcome(state)
    assert endless.to_act(state) == () and outcome is not None
    assert outcome.reason == "stopped after 7 moves, the most there can be"
    assert set(outcome.scores.values()) == {0.5}


def test_numbers_are_not_read_as_parts_of_other_numbers() -> None:
    game = OpenSpiel("gomoku(size=15)")
    state = game.new(2, Chance(0))
    with pytest.raises(Illegal):
        game.parse(state, "P0", "99,1,1")
    assert game.format(state, game.parse(state, "P0", "I play 11,1")) == "11,1"


def test_games_with_as_many_players_as_asked_for() -> None:
    game = OpenSpiel("kuhn_poker(players=4)")
    assert game.players == (4, 4) and game.contestants(4) == ("P0", "P1", "P2", "P3")
    assert OpenSpiel.players == (2, 2)


# ---------------------------------------------------------------- the record


def test_the_record_names_real_games_only() -> None:
    from ludometer.games._openspiel_known import IMAGINABLE, NOT_PLAYABLE

    games = openspiel_games()
    assert set(NOT_PLAYABLE) <= set(games) and set(IMAGINABLE) <= set(games)
    assert len(games) > 100 and games["chess"] is None and games["2048"] == "it has a single player"
    assert not set(IMAGINABLE) & set(NOT_PLAYABLE)


def test_the_documentation_has_the_record() -> None:
    text = (Path(__file__).parents[2] / "docs" / "games.md").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^\| `(\w+)` \| (.*?) \|$", text, re.MULTILINE))
    games = openspiel_games()
    assert list(rows) == sorted(rows) and set(rows) == set(games)
    for name, why in games.items():
        assert rows[name] == (f"no: {why}" if why else "yes"), name
    assert all(a < b for a, b in pairwise(rows))
