"""Openings: the positions that the games of a run start from."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from ludometer.core import AnyGame, Chance, ConfigurationError, Json
from ludometer.core.paths import usable_path
from ludometer.matches import opened
from ludometer.tournaments.config import OpeningsConfig

__all__ = ["Opening", "openings", "pgn_movetexts", "written_out"]

_COMMENT = re.compile("[{;]")

_RETRIES = 200
"""Random openings that end the game or were drawn before are drawn again, this many times at most."""


@dataclass(frozen=True, slots=True)
class Opening:
    """
    Attributes:
        moves: made before anybody is asked, in the game's canonical notation.
        options: of the game, where the opening is a start position (``fen``).
    """

    moves: tuple[str, ...] = ()
    options: Mapping[str, Json] = field(default_factory=dict)


def openings(config: OpeningsConfig, game: AnyGame, seats: int = 2) -> list[Opening]:
    """The openings of a game for so many players, checked; the game's own beginning where there are none.

    Raises:
        ConfigurationError: an opening that cannot be played, or one asked for twice.
    """
    if game.has_luck and (config.moves or config.pgn or config.random_plies):
        raise ConfigurationError(f"openings: {game.title} begins with luck, so no opening fits all of its games")
    found = [
        *_listed(config, game, seats),
        *_positions(config, game),
        *_from_pgn(config, game, seats),
        *_random(config, game, seats),
    ]
    seen: set[str] = set()
    for opening in found:
        key = repr((opening.moves, sorted(opening.options.items())))
        if key in seen:
            shown = " ".join(opening.moves) or str(dict(opening.options))
            raise ConfigurationError(f"openings: {shown} is listed twice; each opening is played once per seat order")
        seen.add(key)
    return found or [Opening()]


def _listed(config: OpeningsConfig, game: AnyGame, seats: int) -> Iterator[Opening]:
    for written in config.moves:
        yield Opening(_canonical(game, seats, written.split() if isinstance(written, str) else written))


def _canonical(game: AnyGame, seats: int, moves: list[str]) -> tuple[str, ...]:
    """The moves in canonical notation, so that the same opening written in two ways is one."""
    state = game.new(seats, Chance.from_seed("opening"))
    texts = []
    for text in moves:
        after = opened(game, state, [text])
        seat = game.to_act(state)[0]
        texts.append(game.format(state, game.parse(state, seat, text)))
        state = after
    if not game.to_act(state):
        raise ConfigurationError(f"openings: {' '.join(moves)} ends the game")
    return tuple(texts)


def _positions(config: OpeningsConfig, game: AnyGame) -> Iterator[Opening]:
    if config.fens and "fen" not in game.options:
        raise ConfigurationError(f"openings: {game.title} has no option fen; give openings.moves instead")
    for fen in config.fens:
        yield Opening(options={"fen": fen})


def written_out(config: OpeningsConfig) -> OpeningsConfig:
    """The same openings without their file, so that a run goes on, and can be verified, where the file is not.

    Raises:
        ConfigurationError: the file cannot be read.
    """
    if config.pgn is None:
        return config
    moves: list[str | list[str]] = [*config.moves, *_pgn_moves(config)]
    return config.model_copy(update={"moves": moves, "pgn": None, "plies": None})


def _from_pgn(config: OpeningsConfig, game: AnyGame, seats: int) -> Iterator[Opening]:
    for moves in _pgn_moves(config):
        yield Opening(_canonical(game, seats, moves))


def _pgn_moves(config: OpeningsConfig) -> list[list[str]]:
    if config.pgn is None:
        return []
    try:
        text = usable_path(config.pgn).read_text(encoding="utf-8", errors="replace")
    except OSError as error:
        raise ConfigurationError(f"openings.pgn: {config.pgn} cannot be read: {error.strerror}") from None
    games = pgn_movetexts(text)
    if not games:
        raise ConfigurationError(f"openings.pgn: {config.pgn} holds no game")
    return [moves[: config.plies] for moves in games]


def pgn_movetexts(text: str) -> list[list[str]]:
    """The main lines of all games of a PGN text, as lists of move texts; comments and variations are left out."""
    text = _without_comments(text)
    games: list[list[str]] = []
    # No \s: it takes in line breaks, and a file of many empty lines would be read again from each of them.
    for block in re.split(r"(?:^[^\S\n]*\[[^\n]*\][^\S\n]*$\n?)+", text, flags=re.MULTILINE):
        line = _without_variations(block)
        tokens = [re.sub(r"^\d+\.+", "", token) for token in line.split()]
        moves = [t for t in tokens if t and not re.fullmatch(r"\d+\.*|\$\d+|1-0|0-1|1/2-1/2|\*|[!?]+", t)]
        if moves:
            games.append(moves)
    return games


def _without_comments(text: str) -> str:
    """The text without ``{...}`` and ``;...``; a comment that is never closed stays, and is no move."""
    kept, at = [], 0
    while (found := _COMMENT.search(text, at)) is not None:
        end = text.find("}" if found[0] == "{" else "\n", found.start())
        if end < 0 and found[0] == "{":
            break
        kept.append(text[at : found.start()])
        # A line break ends the line after the comment, too: a tag may follow.
        at = len(text) if end < 0 else end + (found[0] == "{")
        kept.append(" ")
    return "".join((*kept, text[at:]))


def _without_variations(text: str) -> str:
    kept, depth = [], 0
    for char in text:
        depth += char == "("
        if depth == 0:
            kept.append(char)
        depth -= char == ")" and depth > 0
    return "".join(kept)


def _random(config: OpeningsConfig, game: AnyGame, seats: int) -> Iterator[Opening]:
    if config.random_plies is None:
        return
    luck = Chance.from_seed(config.seed).named("openings", game.name)
    seen: set[tuple[str, ...]] = set()
    for draw in range(config.count + _RETRIES):
        moves = _random_moves(game, seats, config.random_plies, luck.named(draw))
        if moves is not None and moves not in seen:
            seen.add(moves)
            yield Opening(moves)
        if len(seen) == config.count:
            return
    raise ConfigurationError(
        f"openings: {game.title} has no {config.count} different openings of {config.random_plies} random moves"
    )


def _random_moves(game: AnyGame, count: int, plies: int, luck: Chance) -> tuple[str, ...] | None:
    """Random moves; None where they end the game."""
    state = game.new(count, luck)
    moves = []
    for ply in range(plies):
        seats = game.to_act(state)
        if len(seats) != 1:
            return None
        action = game.sample(state, seats[0], luck.named(ply))
        moves.append(game.format(state, action))
        state = game.apply(state, {seats[0]: action})
    return tuple(moves) if game.to_act(state) else None
