"""UNO's views, questions, statistics and picture."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator

import pytest

from ludometer.core import Chance, Observation, Watcher, make_game
from ludometer.games.uno import Uno
from ludometer.games.uno.cards import COLOURS, card_name
from ludometer.games.uno.imagine import face_up
from ludometer.games.uno.state import State
from ludometer.matches import Match
from ludometer.prompts import PromptStyle, compose


def game_states(n: int, seed: int, game: Uno | None = None) -> Iterator[State]:
    """Every state of a random game, the last included."""
    game = game or Uno()
    chance = Chance.from_seed(seed)
    state = game.new(n, chance)
    step = 0
    while True:
        yield state
        if not game.to_act(state):
            return
        seat = str(state.player + 1)
        state = game.apply(state, {seat: game.sample(state, seat, chance.named(step))})
        step += 1


def asked(phase: str, n: int = 3, **options: str) -> tuple[Uno, State, Observation]:
    """A state of a random game with that decision, as whoever is to act sees it."""
    game = make_game("uno", {**options})
    assert isinstance(game, Uno)
    for seed in range(50):
        for state in game_states(n, seed, game):
            if state.phase == phase and game.to_act(state):
                return game, state, game.observe(state, game.to_act(state)[0])
    raise AssertionError(phase)


def text(game: Uno, observation: Observation, view: str = "table") -> str:
    return game.views()[view].render(observation)


def test_the_default_view_says_what_matters() -> None:
    game, state, observation = asked("card", 4)
    shown = text(game, observation)
    assert f"Top of the discard pile: {card_name(state.top)}. Colour in force: {COLOURS[state.colour]}." in shown
    assert f"Draw pile: {len(state.pile)} cards." in shown
    assert f"Your hand: {', '.join(map(card_name, state.hands[state.player]))}\n" in shown
    order = [line.strip() for line in shown.split("\n") if line.startswith("  Player") and "card" in line][:4]
    assert order[0].startswith(f"Player {state.player + 1} (you, to act)")
    assert order[1].startswith(f"Player {state.seat_after(state.player) + 1}:")
    assert "select the card that you play" in shown


def test_the_players_are_listed_in_the_direction_of_play() -> None:
    game = Uno()
    backwards = 0
    for state in game_states(5, 3):
        if state.direction == -1 and game.to_act(state):
            backwards += 1
            shown = text(game, game.observe(state, "1"))
            listed = [int(line.split()[1].strip(":(,")) for line in shown.split("\n") if line.startswith("  Player")][
                :5
            ]
            assert listed == [state.seat_after(state.player, k) + 1 for k in range(5)]
            assert "Direction of play: counterclockwise" in shown
    assert backwards


def test_every_question_names_what_is_at_stake() -> None:
    game, state, observation = asked("colour")
    assert "select the colour" in text(game, observation) and "to be chosen" in text(game, observation)
    assert game.asked(observation).question == "Which colour do you choose?"

    game, state, observation = asked("challenge")
    shown = text(game, observation)
    accused = state.seat_after(state.player, -1) + 1
    assert f"Player {accused} has just played Wild Draw Four and chosen {COLOURS[state.colour]}" in shown
    assert f"still holds a {COLOURS[state.before]} card" in shown
    assert "draws four cards and you take a normal turn" in shown and "you draw six cards" in shown
    assert game.asked(observation).question == "Do you challenge?"

    game, state, observation = asked("drawn", drawn_card="may_play")
    drawn = card_name(state.history[-1].cards[0])
    assert f"drew {drawn}, which fits. Play it now by naming it, or answer keep" in text(game, observation)

    game, state, observation = asked("card", forced_draw="ask")
    assert "If none of your cards fits, answer draw." in text(game, observation)


def test_a_player_who_is_not_asked_and_a_finished_game() -> None:
    game = Uno()
    states = list(game_states(3, 5))
    waiting = game.observe(states[0], "2")
    assert "It is the turn of Player 1, to select a card." in text(game, waiting)
    outcome = game.outcome(states[-1])
    assert outcome is not None
    winner = next(seat for seat, score in outcome.scores.items() if score)
    assert "The game is over: you won" in text(game, game.observe(states[-1], winner))
    assert f"The game is over: Player {winner} won" in text(game, game.observe(states[-1], Watcher.PUBLIC))


@pytest.mark.parametrize("n", [2, 10])
def test_the_prompt_does_not_grow_with_the_match(n: int) -> None:
    game = Uno()
    longest = dict.fromkeys(("table", "counts", "json", "log"), 0)
    for seed in range(8):
        for state in game_states(n, seed):
            for seat in game.to_act(state):
                observation = game.observe(state, seat)
                for view in longest:
                    if view != "log":
                        events = text(game, observation, view).count("Player") if view == "table" else 0
                        assert events <= 4 * n + 2 * (8 + 3 * n)
                    longest[view] = max(longest[view], len(text(game, observation, view)))
    assert longest["table"] < 4000 and longest["counts"] < 7000
    if n == 2:
        assert longest["log"] > longest["table"]


def test_the_log_view_has_everything() -> None:
    game = Uno()
    state = list(game_states(3, 7))[-1]
    observation = game.observe(state, "1")
    shown = text(game, observation, "log")
    played = [record for record in state.history if record.kind == "card"]
    assert all(f"played {card_name(record.value)}." in shown for record in played)
    assert "You received " in shown and "Turned over to start the discard pile" in shown


def test_the_first_hand_is_told_whatever_happens_later() -> None:
    game = Uno()
    for seed in range(5):
        states = list(game_states(3, seed, Uno(forced_draw="ask")))
        for i, seat in enumerate("123"):
            first = f"received {', '.join(map(card_name, states[0].hands[i]))}"
            assert game.observe(states[-1], seat).events[0].what == first


def test_statistics_count_what_was_seen() -> None:
    game = Uno()
    for state in game_states(2, 11):
        observation = game.observe(state, "1")
        told = game.statistics(observation)
        seen = Counter(face_up(state))
        for index, colour in enumerate(COLOURS):
            played = sum(count for card, count in seen.items() if card // 13 == index)
            held = sum(1 for card in state.hands[0] if card // 13 == index)
            assert f"{colour} {played} of 25 played, you hold {held}, {25 - played - held} unseen" in told
        assert f"Wild {seen[52]} of 4, Wild Draw Four {seen[53]} of 4" in told
        assert f"you {len(state.hands[0])}, Player 2 {len(state.hands[1])}" in told
        times = sum(1 for record in state.history if record.seat == 1 and record.kind == "cannot")
        assert (f"Player 2: had nothing to play {times} time" in told) == (times > 0)


def test_statistics_say_what_a_hand_can_hold_and_nothing_hidden() -> None:
    game = Uno()
    limits = 0
    for seed in range(10):
        for state in game_states(2, seed):
            told = game.statistics(game.observe(state, "1"))
            for index, colour in enumerate(COLOURS):
                truth = sum(1 for card in state.hands[1] if card // 13 == index)
                if f"none is {colour}" in told:
                    assert truth == 0
                    limits += 1
                for most in range(1, 20):
                    if f"at most {most} can be {colour}" in told:
                        assert truth <= most
                        limits += 1
    assert limits > 50


def test_every_decision_has_advice_of_its_own() -> None:
    lists = {}
    for phase in ("card", "colour", "challenge", "drawn"):
        game, _, observation = asked(phase, drawn_card="may_play")
        lists[phase] = tuple(game.advice(observation))
        assert len(lists[phase]) >= 4 and all(sentence.endswith(".") for sentence in lists[phase])
    assert len(set(lists.values())) == 4


def test_the_json_view_is_json() -> None:
    game, state, observation = asked("challenge")
    data = json.loads(text(game, observation, "json"))
    assert data["top"] == "Wild Draw Four" and data["before"] == COLOURS[state.before]
    assert data["hand"] == list(map(card_name, state.hands[state.player]))
    assert f"Player {state.player + 1}" == data["order"][0]


def test_the_picture_shows_hands_and_piles() -> None:
    game = Uno()
    state = game.new(4, Chance.from_seed(1))
    own = game.svg(game.observe(state, "1"))
    assert "Your hand (7)" in own and f"pile: {len(state.pile)}" in own
    assert all(f"Player {seat}: 7" in own for seat in (2, 3, 4)) and "Hand of" not in own
    full = game.svg(game.observe(state, Watcher.FULL))
    assert all(f"Hand of Player {seat}" in full for seat in (1, 2, 3, 4))
    assert "Your hand" not in game.svg(game.observe(state, Watcher.PUBLIC))


@pytest.mark.parametrize("viewer", [None, Watcher.FULL, Watcher.PUBLIC])
def test_pictures_are_small_and_nothing_is_cut_off(viewer: Watcher | None) -> None:
    """Letters are some 0.6 of their size wide; a report holds a hundred of these pictures."""
    game, phases = Uno(), set()
    for state in (state for seed in range(4) for state in game_states(2, seed)):
        picture = game.svg(game.observe(state, viewer or str(state.player + 1)))
        phases.add(state.phase)
        width, height = map(float, re.findall(r'viewBox="0 0 (\d+) (\d+)"', picture)[0])
        texts = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" font-size="(\d+)"[^>]*>([^<]*)', picture)
        assert len(texts) == picture.count("<text")
        for x, y, size, words in texts:
            half = 0.3 * float(size) * len(words)
            assert half <= float(x) <= width - half and float(y) < height, words
        assert len(picture) < 2500 + 300 * sum(map(len, state.hands))
    assert phases == {"card", "colour", "challenge"}


def test_the_picture_of_all_hands_tells_who_won() -> None:
    *_, state = game_states(2, 0)
    (won,) = (i + 1 for i, hand in enumerate(state.hands) if not hand)
    assert f"Hand of Player {won} (0) - won" in Uno().svg(Uno().observe(state, Watcher.FULL))


def test_the_whole_prompt() -> None:
    match = Match(Uno(), 2, luck="prompt")
    (turn,) = match.turns()
    prompt = compose(turn, PromptStyle()).request.messages[-1].text
    assert prompt.index("108 cards") < prompt.index("You are shown") < prompt.index("Your hand:")
    assert prompt.endswith("You are Player 1. Which card do you play?")
    assert '{"card": ' in prompt
