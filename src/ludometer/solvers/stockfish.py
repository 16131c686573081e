"""What chess moves are worth, estimated by Stockfish, and the accuracy that chess sites show per player.

Expected scores come from centipawns by the curve that lichess fitted to games between its members:
win% = 50 + 50 * (2 / (1 + exp(-0.00368208 * centipawns)) - 1) (https://lichess.org/page/accuracy). Stockfish's own win,
draw and loss rates (``scale="wdl"``, UCI option ``UCI_ShowWDL``) are fitted to its games against itself: there a lost
pawn is close to a lost game, and nearly every mistake of a weaker player looks the same.
"""

from __future__ import annotations

import asyncio
import math
import re
import statistics
import weakref
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, NamedTuple, TypeAlias

from ludometer.core import AnyGame, ConfigurationError, InternalError, Seat
from ludometer.games.chess import Chess, ChessState
from ludometer.solvers.uci_engine import EngineSetup, UciEngine, find_engine, position_command

__all__ = ["Score", "StockfishEvaluator", "accuracies", "game_accuracies", "move_accuracy", "win_percent"]

Scale: TypeAlias = Literal["lichess", "wdl"]

_NODES = 200_000
_HASH_MIB = 64
_DEADLINE = 300.0
_CEILING = 1000
"""Centipawns beyond which lichess makes no difference, and what a mate counts."""
_FIRST = 15
"""Centipawns that lichess gives White in the start position."""
_WORD = re.compile(r"\b(?:score (cp|mate) (-?\d{1,9})|wdl (\d{1,4}) (\d{1,4}) (\d{1,4})|pv (\w{4,5}))")


class Score(NamedTuple):
    """What the engine says of a move or a position, from the view of the player to move.

    Attributes:
        centipawns: of mates, plus or minus 1000.
        mate: whether a mate is found.
        wdl: games won, drawn and lost in a thousand, as the engine expects from its games against itself.
    """

    centipawns: int
    mate: bool = False
    wdl: tuple[int, int, int] | None = None

    def expected(self, scale: Scale) -> float:
        """The score to be expected, in [0, 1]. Without rates of its own the engine is taken by its centipawns."""
        if self.mate:
            return 1.0 if self.centipawns > 0 else 0.0
        if scale == "wdl" and self.wdl is not None:
            won, drawn, lost = self.wdl
            return (won + drawn / 2) / (won + drawn + lost)
        return win_percent(self.centipawns) / 100


class StockfishEvaluator:
    """Stockfish as a judge of moves (see `ludometer.solvers.protocol.Evaluator`).

    All legal moves of a position are searched together, with as many principal variations, one thread and a fixed
    number of nodes: the same position always gets the same values.

    Args:
        nodes: positions to search per position that is judged, all its moves together.
        scale: how centipawns become expected scores (see the module).
        path: the engine, by name or place.
    """

    name: ClassVar[str] = "stockfish"
    exact: ClassVar[bool] = False
    covers: ClassVar[str] = "chess, where Stockfish is installed"
    immaterial: ClassVar[tuple[str, ...]] = ("path",)
    error: ClassVar[str] = (
        "estimates of a search to a fixed number of nodes; a deeper search changes them, least where one move is far "
        "better than the others, and by several hundredths in open fights"
    )

    def __init__(self, nodes: int = _NODES, scale: Scale = "lichess", path: str = "stockfish") -> None:
        if nodes < 10_000:
            raise ValueError(f"nodes must be at least 10000, so that every move is looked at, not {nodes}")
        self.nodes, self.scale, self.path = nodes, scale, path
        self._engine: UciEngine | None = None

    def supports(self, game: AnyGame) -> bool:
        """Whether it is chess and the engine is installed."""
        if not isinstance(game, Chess):
            return False
        try:
            find_engine(self.path)
        except ConfigurationError:
            return False
        return True

    async def prepare(self, game: AnyGame) -> None:
        """Raises `ConfigurationError` where the game is not chess or the engine is not installed."""
        self._own(game)
        await asyncio.to_thread(find_engine, self.path)

    def action_values(self, game: AnyGame, state: Any, seat: Seat) -> dict[Any, float]:
        """Expected scores of all legal moves. Takes about half a second with the default nodes.

        Raises:
            ConfigurationError: the engine is not installed.
            PlayerError, TimeoutError: it failed.
        """
        chess = self._own(game)
        if chess.to_act(state) != (seat,):
            raise InternalError(f"seat {seat} is not to move in this position")
        legal = chess.legal(state, seat)
        scores = self._asked(chess, state, len(legal))
        values = {}
        for move in legal:
            lan = chess.apply(state, {seat: move}).lans[-1]
            if lan not in scores:
                raise InternalError(f"{self.path} gave no value for {lan} within {self.nodes} nodes")
            values[move] = scores[lan].expected(self.scale)
        return values

    def evaluate(self, game: AnyGame, state: ChessState) -> Score:
        """The position's value for the player to move; of a finished game, its result for who would be to move."""
        chess = self._own(game)
        outcome = chess.outcome(state)
        if outcome is None:
            return next(iter(self._asked(chess, state, 1).values()))
        return Score(-_CEILING, mate=True) if outcome.reason == "checkmate" else Score(0)

    def close(self) -> None:
        """Ends the engine; another question starts it again."""
        if self._engine is not None:
            self._engine.kill()
            self._engine = None

    def __reduce__(self) -> tuple[type[StockfishEvaluator], tuple[int, Scale, str]]:
        return type(self), (self.nodes, self.scale, self.path)  # the engine stays here

    def _asked(self, chess: Chess, state: ChessState, lines: int) -> dict[str, Score]:
        """The engine's word on the best ``lines`` moves, by move in UCI's notation, best first."""
        if self._engine is None:
            rates = (("UCI_ShowWDL", "true"),) if self.scale == "wdl" else ()
            options = (("Threads", "1"), ("Hash", str(_HASH_MIB)), *rates)
            self._engine = UciEngine(EngineSetup(find_engine(self.path), options))
            weakref.finalize(self, self._engine.kill)
        position = position_command(chess.fen, state.lans)
        try:
            thought = self._engine.think(position, f"go nodes {self.nodes}", _DEADLINE, [("MultiPV", str(lines))])
        except BaseException:
            self.close()
            raise
        return read_scores(thought.lines)

    def _own(self, game: AnyGame) -> Chess:
        if not isinstance(game, Chess):
            raise ConfigurationError(f"Stockfish judges chess only, not {game.title}")
        return game


def read_scores(lines: Iterable[str]) -> dict[str, Score]:
    """The last score of every first move in an engine's ``info`` lines, in the order of the last search.

    Bounds (``lowerbound``, ``upperbound``) are left out: the exact score follows.
    """
    found: dict[str, Score] = {}
    for line in lines:
        if not line.startswith("info ") or " multipv " not in line or "bound" in line:
            continue
        parts = {match[0].split()[0]: match for match in _WORD.finditer(line)}
        score, wdl, pv = (parts.get(name) for name in ("score", "wdl", "pv"))
        if score is None or pv is None:
            continue
        found.pop(pv[6], None)
        found[pv[6]] = _score(score, wdl)
    return found


def _score(score: re.Match[str], wdl: re.Match[str] | None) -> Score:
    if score[1] == "mate":
        return Score(_CEILING if int(score[2]) > 0 else -_CEILING, mate=True)
    if wdl is None:
        return Score(int(score[2]))
    won, drawn, lost = int(wdl[3]), int(wdl[4]), int(wdl[5])
    return Score(int(score[2]), wdl=(won, drawn, lost) if won + drawn + lost else None)


# -------------------------------------------------------------------- accuracy


def win_percent(centipawns: float) -> float:
    """Chance to win in percent, as lichess has it (see the module); beyond 10 pawns it grows no more."""
    capped = max(-_CEILING, min(_CEILING, centipawns))
    return 50 + 50 * (2 / (1 + math.exp(-0.00368208 * capped)) - 1)


def move_accuracy(before: float, after: float) -> float:
    """How good a move was, in percent, from its player's chance to win before and after it (both in percent).

    103.1668 * exp(-0.04354 * (before - after)) - 3.1669 (https://lichess.org/page/accuracy), plus the one percent that
    lichess adds for what its analysis misses, within 0 and 100.
    """
    if after >= before:
        return 100.0
    raw = 103.1668100711649 * math.exp(-0.04354415386753951 * (before - after)) - 3.166924740191411
    return max(0.0, min(100.0, raw + 1))


def accuracies(white_percents: Sequence[float], first: Seat = "white") -> dict[Seat, float | None]:
    """Accuracy of both players in percent, as lichess computes it for a game.

    The mean of two means of the accuracies of a player's moves: one weighted by how much the chances swung around the
    move (standard deviation over a window of 2 to 8 positions, within 0.5 and 12), and the harmonic mean, in which bad
    moves weigh more. Source: ``AccuracyPercent.scala`` of lichess.

    Args:
        white_percents: White's chance to win, in percent, in every position of the game, the first included.
        first: who moves in the first position.

    Returns:
        Seat to accuracy; None for a player without moves.
    """
    moves = len(white_percents) - 1
    size = max(2, min(8, moves // 10))
    padding = max(0, min(size, len(white_percents)) - 2)
    windows = [white_percents[:size]] * padding
    windows += [white_percents[i : i + size] for i in range(len(white_percents) - size + 1)]
    weights = [max(0.5, min(12.0, statistics.pstdev(window))) for window in windows]
    seats = ("white", "black") if first == "white" else ("black", "white")
    rated: dict[Seat, list[tuple[float, float]]] = {"white": [], "black": []}
    for i in range(moves):
        before, after = white_percents[i], white_percents[i + 1]
        seat = seats[i % 2]
        good = move_accuracy(before, after) if seat == "white" else move_accuracy(100 - before, 100 - after)
        rated[seat].append((good, weights[i]))
    return {seat: _mean(pairs) for seat, pairs in rated.items()}


def _mean(pairs: Sequence[tuple[float, float]]) -> float | None:
    if not pairs:
        return None
    values, weights = [value for value, _ in pairs], [weight for _, weight in pairs]
    floored = [max(1.0, value) for value in values]  # one move of accuracy 0 does not wipe out all others
    return (statistics.fmean(values, weights) + statistics.harmonic_mean(floored)) / 2


def game_accuracies(
    evaluator: StockfishEvaluator, game: AnyGame, states: Sequence[ChessState]
) -> Mapping[Seat, float | None]:
    """Accuracy of both players in a game, every position judged anew. Blocks for as long as the engine thinks.

    Args:
        states: every position in order, the first and the last included.
    """
    if not states:
        return {"white": None, "black": None}
    percents = []
    for i, state in enumerate(states):
        white = state.fen.split()[1] == "w"
        if i == 0 and state.fen == Chess().fen:
            percents.append(win_percent(_FIRST))
            continue
        score = evaluator.evaluate(game, state).centipawns
        percents.append(win_percent(score if white else -score))
    return accuracies(percents, "white" if states[0].fen.split()[1] == "w" else "black")
