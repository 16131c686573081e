"""Pictures with places to point at: every legal action of a board game can be reached by them."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from html import unescape
from typing import Any

import pytest
import resvg_py
from PIL import Image

from ludometer.core import GAMES, Chance, Decision, Turn, make_game
from ludometer.games._places import Place
from ludometer.matches import Match
from ludometer.web.choices import choices
from ludometer.web.clickable import HasPlaces, clickable

BOARDS = (
    "breakthrough",
    "checkers",
    "chess",
    "connect4",
    "dots_and_boxes",
    "go",
    "gomoku",
    "hex",
    "mancala",
    "nim",
    "othello",
    "tictactoe",
    "ultimate_tic_tac_toe",
    "uno",
)
OTHERWISE = {"pass", "keep", "draw"}
"""Actions that are no place of the board: the picker has them."""


def turns(name: str, steps: int = 40, **options: Any) -> Iterator[Turn]:
    """The turns of a game of random moves."""
    game = make_game(name, options)
    match = Match(game, max(2, game.players[0]), luck="places", seed="places")
    chance = Chance.from_seed("places")
    for step in range(steps):
        asked = match.turns()
        if not asked:
            return
        yield from asked
        for turn in asked:
            match.submit(turn.seat, Decision(turn.sample(chance.named(step, turn.seat))))


def marked(svg: str, attribute: str) -> set[str]:
    return {unescape(value) for value in re.findall(rf'{attribute}="([^"]*)"', svg)}


def drawn(turn: Turn) -> tuple[str, str, list[dict[str, Any]]]:
    svg = turn.game.svg(turn.observation)
    legal = choices(turn)
    assert svg is not None and legal is not None
    return svg, clickable(svg, turn.game, turn.observation, legal), legal


@pytest.mark.parametrize("name", BOARDS)
def test_every_legal_action_can_be_pointed_at(name: str) -> None:
    for turn in turns(name):
        _, shown, legal = drawn(turn)
        actions, squares = marked(shown, "data-action"), marked(shown, "data-square")
        for choice in legal:
            named = choice["action"]
            colour = name == "uno" and " " not in named and named not in ("Wild",)
            if named in OTHERWISE or colour or "challenge" in named:
                continue
            assert named in actions or set(choice["parts"][:2]) <= squares, named
        assert actions <= {choice["action"] for choice in legal}


@pytest.mark.parametrize("name", BOARDS)
def test_parts_tell_actions_apart(name: str) -> None:
    for turn in turns(name, 12):
        _, _, legal = drawn(turn)
        parts = [tuple(choice["parts"]) for choice in legal]
        assert len(set(parts)) == len(parts)
        for choice in legal:
            assert turn.format(turn.parse(choice["action"])) == choice["action"]


@pytest.mark.parametrize("name", [*BOARDS, "risk"])
def test_the_picture_looks_the_same(name: str) -> None:
    turn = list(turns(name, 5))[-1]
    before, after, _ = drawn(turn)
    assert before != after
    assert image(before) == image(after)


@pytest.mark.parametrize("name", [*BOARDS, "risk"])
def test_places_lie_in_the_picture_and_do_not_overlap(name: str) -> None:
    turn = list(turns(name, 5))[-1]
    game = turn.game
    assert isinstance(game, HasPlaces)
    places = list(game.places(turn.observation))
    left, top, width, height = map(float, re.search(r'viewBox="([^"]*)"', drawn(turn)[0])[1].split())  # type: ignore[index]
    for place in places:
        assert left <= place.x and place.x + place.width <= left + width
        assert top <= place.y and place.y + place.height <= top + height
        assert place.width >= 20 and place.height >= 20
    if name != "uno":  # equal cards are equal places
        assert len({place.name for place in places}) == len(places)
    for i, one in enumerate(places):
        for other in places[i + 1 :]:
            assert not overlaps(one, other), (one, other)


def overlaps(one: Place, other: Place) -> bool:
    across = min(one.x + one.width, other.x + other.width) - max(one.x, other.x)
    down = min(one.y + one.height, other.y + other.height) - max(one.y, other.y)
    return across > 0.01 and down > 0.01


def test_a_place_that_is_aimed_at_is_what_is_played() -> None:
    """Where the stone appears after a move is where its place was."""
    for name, mark in (("tictactoe", 30), ("go", 14), ("gomoku", 10), ("hex", 8), ("othello", 14)):
        game = make_game(name)
        state = game.new(2, Chance.from_seed(1))
        seat = game.to_act(state)[0]
        action = list(game.legal(state, seat) or ())[3]
        place = next(p for p in game.places(game.observe(state, seat)) if p.name == game.format(state, action))  # type: ignore[attr-defined]
        after = game.apply(state, {seat: action})
        pictures = [pixels(str(game.svg(game.observe(s, seat)))) for s in (state, after)]
        box = re.search(r'viewBox="([^"]*)"', str(game.svg(game.observe(state, seat))))
        assert box is not None
        left, top, _, _ = map(float, box[1].split())
        x, y = place.x + place.width / 2 - left, place.y + place.height / 2 - top
        changed = sum(
            pictures[0].getpixel((int(x + dx), int(y + dy))) != pictures[1].getpixel((int(x + dx), int(y + dy)))
            for dx in range(-mark, mark + 1, 2)
            for dy in range(-mark, mark + 1, 2)
        )
        assert changed > mark, name


def pixels(svg: str) -> Image.Image:
    return Image.open(io.BytesIO(bytes(resvg_py.svg_to_bytes(svg_string=svg)))).convert("RGB")


def image(svg: str) -> bytes:
    return pixels(svg).tobytes()


def test_what_is_common_is_offered_where_actions_cannot_be_listed() -> None:
    turn = next(turns("poker", 1))
    assert turn.legal is None
    offered = [choice["action"] for choice in choices(turn) or ()]
    assert {"fold", "call", "all-in"} & set(offered)
    assert any(action.startswith("raise to ") for action in offered)
    for action in offered:
        turn.check(turn.parse(action))
    assert choices(next(turns("gandalf", 1))) is None


def test_a_game_without_places_keeps_its_picture() -> None:
    turn = next(turns("liars_dice", 1))
    svg, shown, legal = drawn(turn)
    assert svg == shown
    assert {tuple(choice["parts"]) for choice in legal} >= {("1", "1"), ("2", "6")}


def test_names_of_places_cannot_leave_their_attribute() -> None:
    class Hostile:
        def places(self, observation: object) -> list[Place]:
            return [Place('"><script>', 0, 0, 1, 1, "</svg>")]

    legal = [{"action": '"><script>', "parts": ['"><script>'], "label": ""}]
    shown = clickable("<svg></svg>", Hostile(), None, legal)  # type: ignore[arg-type]
    assert "<script>" not in shown
    assert shown.count("</svg>") == 1


def test_every_game_is_looked_at_here() -> None:
    with_places = {name for name, cls in GAMES.all().items() if hasattr(cls, "places")}
    assert with_places == {*BOARDS, "risk"}
