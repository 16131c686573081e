"""Maps, set-up and reinforcements, against the published rules and a map written down elsewhere."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest

from ludometer.core import Chance, ConfigurationError, make_game
from ludometer.games.risk import Risk, State
from ludometer.games.risk.board import load_map
from ludometer.games.risk.turns import reinforcements

# The classic board as other programs have it: every neighbour of every territory, from both sides.
NEIGHBOURS = """
Alaska: Northwest Territory, Alberta, Kamchatka
Northwest Territory: Alaska, Alberta, Ontario, Greenland
Alberta: Alaska, Northwest Territory, Ontario, Western United States
Ontario: Northwest Territory, Alberta, Greenland, Quebec, Western United States, Eastern United States
Quebec: Ontario, Greenland, Eastern United States
Western United States: Alberta, Ontario, Eastern United States, Central America
Eastern United States: Ontario, Quebec, Western United States, Central America
Central America: Western United States, Eastern United States, Venezuela
Greenland: Northwest Territory, Ontario, Quebec, Iceland
Venezuela: Central America, Peru, Brazil
Peru: Venezuela, Brazil, Argentina
Brazil: Venezuela, Peru, Argentina, North Africa
Argentina: Peru, Brazil
Iceland: Greenland, Great Britain, Scandinavia
Scandinavia: Iceland, Great Britain, Northern Europe, Ukraine
Great Britain: Iceland, Scandinavia, Northern Europe, Western Europe
Northern Europe: Great Britain, Scandinavia, Western Europe, Southern Europe, Ukraine
Western Europe: Great Britain, Northern Europe, Southern Europe, North Africa
Southern Europe: Northern Europe, Western Europe, Ukraine, North Africa, Egypt, Middle East
Ukraine: Scandinavia, Northern Europe, Southern Europe, Ural, Afghanistan, Middle East
North Africa: Brazil, Western Europe, Southern Europe, Egypt, East Africa, Congo
Egypt: Southern Europe, North Africa, East Africa, Middle East
East Africa: North Africa, Egypt, Congo, South Africa, Madagascar, Middle East
Congo: North Africa, East Africa, South Africa
South Africa: East Africa, Congo, Madagascar
Madagascar: East Africa, South Africa
Ural: Ukraine, Siberia, China, Afghanistan
Siberia: Ural, Yakutsk, Irkutsk, Mongolia, China
Yakutsk: Siberia, Irkutsk, Kamchatka
Kamchatka: Alaska, Yakutsk, Irkutsk, Mongolia, Japan
Irkutsk: Siberia, Yakutsk, Kamchatka, Mongolia
Mongolia: Siberia, Irkutsk, Kamchatka, Japan, China
Japan: Kamchatka, Mongolia
Afghanistan: Ukraine, Ural, China, India, Middle East
China: Ural, Siberia, Mongolia, Afghanistan, India, Siam
Middle East: Southern Europe, Ukraine, Egypt, East Africa, Afghanistan, India
India: Afghanistan, China, Middle East, Siam
Siam: China, India, Indonesia
Indonesia: Siam, New Guinea, Western Australia
New Guinea: Indonesia, Western Australia, Eastern Australia
Western Australia: Indonesia, New Guinea, Eastern Australia
Eastern Australia: New Guinea, Western Australia
"""
CONTINENTS = {
    "North America": (9, 5),
    "South America": (4, 2),
    "Europe": (7, 5),
    "Africa": (6, 3),
    "Asia": (12, 7),
    "Australia": (4, 2),
}


def test_the_classic_map() -> None:
    board = load_map("classic")
    written = dict(line.split(": ") for line in NEIGHBOURS.strip().splitlines())
    assert {name: set(others.split(", ")) for name, others in written.items()} == {
        name: {board.names[t] for t in board.neighbours[i]} for i, name in enumerate(board.names)
    }
    assert {c.name: (len(c.members), c.bonus) for c in board.continents} == CONTINENTS
    assert sum(map(len, board.neighbours)) == 2 * 83


@pytest.mark.parametrize("name", ["classic", "small"])
def test_every_map_is_whole(name: Any) -> None:
    board = load_map(name)
    size = len(board.names)
    assert len(set(board.names)) == size == len(set(board.points))
    assert all(t in board.neighbours[other] for t in range(size) for other in board.neighbours[t])
    reached, front = {0}, {0}
    while front := {other for t in front for other in board.neighbours[t]} - reached:
        reached |= front
    assert reached == set(range(size)), "every territory can be reached"
    assert [t for c in board.continents for t in c.members] == list(range(size))
    assert board.masks == tuple(sum(1 << other for other in others) for others in board.neighbours)
    width, height = board.size
    assert all(30 < x < width - 30 and 30 < y < height - 30 for x, y in board.points)
    assert board.cards == size + 2
    assert Counter(board.symbol(card) for card in range(board.cards)) == {
        0: size // 3,
        1: size // 3,
        2: size // 3,
        3: 2,
    }


@pytest.mark.parametrize(("n", "armies"), [(2, 40), (3, 35), (4, 30), (5, 25), (6, 20)])
def test_armies_to_start_with(n: int, armies: int) -> None:
    game = Risk()
    state = game.new(n, Chance.from_seed(n))
    held = Counter(dict.fromkeys(range(n), 0))
    for owner, count in zip(state.owners, state.armies, strict=True):
        held[owner] += count
    parties = 3 if n == 2 else n
    assert held == dict.fromkeys(range(parties), armies)
    sizes = Counter(state.owners)
    assert max(sizes.values()) - min(sizes.values()) <= 1
    for owner in range(parties):
        own = [count for who, count in zip(state.owners, state.armies, strict=True) if who == owner]
        assert max(own) - min(own) <= 1, "spread evenly"
    assert (state.phase, state.player, state.round) == ("reinforce", 0, 1)


def test_territories_are_dealt_by_the_luck_of_the_match() -> None:
    game = Risk()
    deals = {game.new(4, Chance.from_seed(i)).owners for i in range(20)}
    assert len(deals) == 20
    assert game.new(4, Chance.from_seed(1)) == game.new(4, Chance.from_seed(1))


@pytest.mark.parametrize("placement", ["placed", "picked"])
@pytest.mark.parametrize("n", [2, 3, 5])
def test_players_place_their_armies_themselves(placement: Any, n: int) -> None:
    game = Risk(placement=placement)
    state = game.new(n, Chance.from_seed(n))
    order, seen = [], []
    while state.round == 0:
        (seat,) = game.to_act(state)
        order.append(int(seat) - 1)
        seen.append(state.phase)
        state = game.apply(state, {seat: game.sample(state, seat, Chance.from_seed(len(order)))})
    armies = game.settings.board.armies[n - 2]
    held = Counter(dict(zip(range(n), [0] * n, strict=True)))
    for owner, count in zip(state.owners, state.armies, strict=True):
        held[owner] += count
    assert held == dict.fromkeys(range(3 if n == 2 else n), armies)
    assert -1 not in state.owners and 0 not in state.armies
    if placement == "picked":
        free = 28 if n == 2 else 42
        assert seen[:free] == ["pick"] * free and "pick" not in seen[free:]
        assert order[:free] == [i % n for i in range(free)], "one territory each, in turn"
    assert len(order) == n * armies - (
        0 if placement == "picked" else sum(o < n for o in game.new(n, Chance.from_seed(n)).owners)
    )
    assert (state.phase, state.player, state.round) == ("reinforce", 0, 1)


def test_several_armies_at_a_time() -> None:
    game = Risk(placement="placed", at_a_time=10)
    state = game.new(6, Chance.from_seed(0))
    assert state.pending == 10 and state.reserves == (13,) * 6
    own = state.owners.index(0)
    action = game.parse(state, "1", f"reinforce {game.settings.board.names[own]} 10")
    state = game.apply(state, {"1": action})
    assert (state.player, state.pending, state.reserves[0]) == (1, 10, 3)


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (("Alaska", "Peru", "China"), 3),
        (("Alaska",), 3),
        (("Indonesia", "New Guinea", "Western Australia", "Eastern Australia"), 3 + 2),
        (("Venezuela", "Peru", "Brazil", "Argentina"), 3 + 2),
        (("North Africa", "Egypt", "East Africa", "Congo", "South Africa", "Madagascar"), 3 + 3),
    ],
)
def test_reinforcements(at: Callable[..., State], names: tuple[str, ...], expected: int) -> None:
    state = at(dict.fromkeys(names, (0, 1)))
    assert reinforcements(load_map("classic"), state.owners, 0) == expected


def test_reinforcements_are_a_third_of_the_territories_rounded_down(at: Callable[..., State]) -> None:
    board = load_map("classic")
    # Every second territory: no continent is whole.
    for count in (8, 9, 11, 12, 14, 15, 20):
        own = [name for i, name in enumerate(board.names) if i % 2][:count]
        state = at(dict.fromkeys(own, (0, 1)))
        assert reinforcements(board, state.owners, 0) == max(3, count // 3)
    everything = at({}, others=(0, 1))
    assert reinforcements(board, everything.owners, 0) == 42 // 3 + 5 + 2 + 5 + 3 + 7 + 2


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"map": "large"}, "map"),
        ({"placement": "random"}, "placement"),
        ({"orders": "all"}, "orders"),
        ({"max_turns": 0}, "max_turns must be from 1"),
        ({"max_turns": 201}, "max_turns must be from 1"),
        ({"at_a_time": 0}, "at_a_time must be from 1"),
        ({"cards": "none"}, "cards"),
        ({"amounts": "all"}, "amounts"),
    ],
)
def test_options_are_checked(options: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        make_game("risk", options)


def test_the_rules_in_words_follow_the_options() -> None:
    text = Risk().rules()
    assert "After 15 turns" in text and "goes on, with as many dice as possible" in text and "40 for 2" in text
    other = Risk("small", "picked", 3, "fixed", "phase", False, 7, "few").rules()
    assert "After 7 turns" in other and "you choose the number of dice" in other and "18 for 2" in other
    assert "up to 3 armies at a time" in other and "Three infantry are worth 4" in other and "pick Canada" in other
    assert "list of up to 100 orders" in other and "list of up to 100 orders" not in text
    assert "middle between them" in other and "middle between them" not in text
    assert "never attacks" in text and "as many dice as it can" in text
