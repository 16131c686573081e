"""Cards in hand are hidden, everything else is open; what a seat sees stays bounded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from ludometer.core import Chance, Decision, Watcher, make_game
from ludometer.games.risk import Risk, State
from ludometer.matches import Match
from ludometer.prompts import PromptStyle, compose
from ludometer.prompts.picture import png
from ludometer.testing import check_game
from ludometer.testing.showing import check_hidden, observation_json

GAME = Risk()


def played(game: Risk, n: int, decisions: int, seed: int = 0) -> State:
    chance = Chance.from_seed(seed)
    state = game.new(n, chance)
    for step in range(decisions):
        seats = game.to_act(state)
        if not seats:
            break
        state = game.apply(state, {seats[0]: game.sample(state, seats[0], chance.named("move", step))})
    return state


@pytest.mark.parametrize(
    ("options", "matches"),
    [
        ({"map": "small", "max_turns": 1}, 5),
        ({"map": "small", "max_turns": 1, "blitz": False, "cards": "fixed", "amounts": "few"}, 2),
        ({"map": "small", "max_turns": 2, "placement": "picked", "at_a_time": 6}, 2),
        ({"map": "small", "max_turns": 2, "placement": "placed", "orders": "phase", "at_a_time": 5}, 3),
        ({"max_turns": 2, "orders": "phase", "blitz": False}, 2),
    ],
    ids=str,
)
def test_the_contract_holds_with_every_option(options: dict[str, Any], matches: int) -> None:
    check_game(make_game("risk", options), matches=matches)


def test_hands_are_seen_by_their_holders_only(at: Callable[..., State]) -> None:
    state = at({"Alaska": (0, 5)}, hands=((0, 42), (7,), ()))
    own = GAME.observe(state, "1")
    assert [card["name"] for card in own.data["hand"]] == ["1 (Alaska, infantry)", "43 (wild)"]
    assert [player["cards"] for player in own.data["players"]] == [2, 1, 0]
    other = GAME.observe(state, "2")
    assert [card["number"] for card in other.data["hand"]] == [8]
    public = GAME.observe(state, Watcher.PUBLIC)
    assert public.data["hand"] is None and public.data["hands"] is None
    full = GAME.observe(state, Watcher.FULL)
    assert [len(hand) for hand in full.data["hands"].values()] == [2, 1, 0]
    for view in ("table", "log", "json", "image"):
        assert "wild" in GAME.views()[view].render(own)
        for blind in (other, public):
            assert "wild" not in GAME.views()[view].render(blind)


def test_drawn_cards_are_named_to_who_drew_them() -> None:
    state = played(GAME, 3, 250)
    drawn = [log for log in state.log if log.trait == "drew"]
    assert drawn
    for seat in ("1", "2", "3", Watcher.PUBLIC, Watcher.FULL):
        events = GAME.observe(state, seat).events
        assert len(events) == len(state.log)
        for log, event in zip(state.log, events, strict=True):
            if log.trait == "drew":
                told = event.what != "drew a card"
                assert told == (seat is Watcher.FULL or seat == str(log.player + 1))


@pytest.mark.parametrize("map_name", ["classic", "small"])
def test_the_twins_differ_in_what_is_hidden_only(map_name: Any) -> None:
    game = Risk(map_name)
    pairs = game.swap_hidden()
    assert len(pairs) == 4 and {seat for _, _, seat in pairs} == {"1", "2", "3"}
    for one, other, _ in pairs:
        for state in (one, other):
            held = [card for hand in state.hands for card in hand]
            assert sorted((*held, *state.deck, *state.discards)) == list(range(game.settings.board.cards))
        same = (one.owners, one.armies, one.phase, one.pending)
        assert same == (other.owners, other.armies, other.phase, other.pending)
    check_hidden(game, Chance.from_seed(1))


def test_imagined_positions_do_not_depend_on_what_is_hidden() -> None:
    state = played(GAME, 4, 220)
    assert sum(len(hand) for hand in state.hands) >= 4
    swapped = list(state.hands)
    others = sorted(card for player in (1, 2, 3) for card in state.hands[player])
    pool = [*state.deck, *others]
    for player in (1, 2, 3):
        swapped[player] = tuple(sorted(pool[: len(state.hands[player])]))
        pool = pool[len(state.hands[player]) :]
    other = state._replace(hands=tuple(swapped), deck=tuple(pool), chance=Chance.from_seed("another"))
    assert other.hands != state.hands
    for i in range(10):
        luck = Chance.from_seed(i)
        imagined = GAME.determinize(state, "1", luck)
        assert imagined == GAME.determinize(other, "1", luck)
        assert observation_json(GAME.observe(imagined, "1")) == observation_json(GAME.observe(state, "1"))
        assert imagined.chance != state.chance and imagined.hands[0] == state.hands[0]


def test_every_hidden_card_is_equally_likely_to_be_imagined_in_a_hand() -> None:
    state = GAME.swap_hidden()[0][0]
    seen = Counter(card for i in range(3_000) for card in GAME.determinize(state, "1", Chance.from_seed(i)).hands[1])
    hidden = set(range(44)) - set(state.hands[0])
    assert set(seen) == hidden
    expected = 3_000 * 3 / len(hidden)
    assert sum((seen[card] - expected) ** 2 / expected for card in hidden) < 80  # 40 degrees of freedom


def test_the_default_prompt_is_bounded_however_long_the_match() -> None:
    game = Risk(max_turns=30)
    match = Match(game, 6, luck="long", seed="long")
    lengths = []
    while match.turns():
        turn = match.turns()[0]
        if len(match.moves) % 40 == 0:
            lengths.append(len(compose(turn, PromptStyle()).request.messages[-1].text))
        match.submit(turn.seat, Decision(turn.sample(turn.chance)))
    assert len(match.moves) > 600
    assert max(lengths) < 14_000
    log = game.views()["log"].render(game.observe(match.state, Watcher.PUBLIC))
    assert len(log) > 40_000, "the log lists everything"


def test_the_prompt_names_borders_cards_and_news() -> None:
    match = Match(GAME, 4, luck="a", seed="b")
    for _ in range(200):
        turn = match.turns()[0]
        match.submit(turn.seat, Decision(turn.sample(turn.chance)))
    turn = match.turns()[0]
    text = compose(turn, PromptStyle()).request.messages[-1].text
    board, state = GAME.settings.board, match.state
    player = int(turn.seat) - 1
    borders = text.split("Your borders:")[1].split("Players:")[0]
    for t, owner in enumerate(state.owners):
        foreign = [other for other in board.neighbours[t] if state.owners[other] != player]
        line = f"  {board.names[t]} {state.armies[t]} - "
        assert (line in borders) == (owner == player and bool(foreign))
        if owner == player:
            for other in foreign:
                assert f"{board.names[other]} P{state.owners[other] + 1} {state.armies[other]}" in borders
    for continent in board.continents:
        assert f"{continent.name} (+{continent.bonus}): " in text
    assert f"Turn {state.round} of 15" in text and "Recently:" in text and f"You are Player {turn.seat}." in text


@pytest.mark.parametrize("map_name", ["classic", "small"])
@pytest.mark.parametrize("n", [2, 6])
def test_the_picture_shows_every_territory_and_player(map_name: Any, n: int) -> None:
    game = Risk(map_name)
    state = played(game, n, 60)
    source = game.svg(game.observe(state, Watcher.PUBLIC))
    assert source.count("<circle") == len(state.owners) + n + (n == 2)
    for player in range(n):
        assert f"Player {player + 1}" in source
    for name in game.settings.board.names:
        assert all(word in source for word in name.split())
    assert png(source).data.startswith(b"\x89PNG")


def test_duplicates_share_their_luck_by_seat() -> None:
    """The same luck, other players: the same territories and deck, and the same dice as long as turns run alike."""
    one, other = (Match(GAME, 3, luck="shared", seed=seed) for seed in ("x", "y"))
    assert (one.state.owners, one.state.deck) == (other.state.owners, other.state.deck)
    first = []
    for match in (one, other):
        while match.turns():
            turn = match.turns()[0]
            match.submit(turn.seat, Decision(turn.sample(turn.chance)))
        rolls: dict[tuple[int, int], Any] = {}
        number = 0
        for log in match.state.log:
            if log.trait == "turn":
                number = log.numbers[0]
            if log.trait == "attack":
                rolls.setdefault((number, log.player), log.rolls[0])
        first.append(rolls)
    shared = [place for place in first[0] if place in first[1]]
    assert len(shared) > 10
    # Where both rolled the same numbers of dice, they rolled the same dice.
    alike = [place for place in shared if _dice(first[0][place]) == _dice(first[1][place])]
    assert len(alike) > 3 and all(first[0][place] == first[1][place] for place in alike)


def _dice(rolled: tuple[int, ...]) -> list[bool]:
    return [die > 0 for die in rolled]


def test_the_small_map_and_lists_play_through_the_referee() -> None:
    for options in ({"map": "small"}, {"map": "small", "orders": "phase"}, {"blitz": False, "max_turns": 4}):
        for n in (2, 3, 6):
            match = Match(make_game("risk", options), n, luck=n)
            while match.turns():
                turn = match.turns()[0]
                assert match.submit(turn.seat, Decision(turn.sample(turn.chance))).verdict.is_legal
            assert match.ending is not None and match.ending.kind == "completed"
            scores = match.scores()
            assert scores is not None and sum(scores.values()) == pytest.approx(1)
