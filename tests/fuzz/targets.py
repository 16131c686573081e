"""What is fuzzed: functions that take any bytes, and raise only where the program has a mistake.

Hypothesis drives them in ``test_targets.py``, atheris in ``atheris_targets.py``.
"""

from __future__ import annotations

import contextlib
import itertools
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from ludometer.analysis.benchmarks import read_benchmarks
from ludometer.core import (
    GAMES,
    Completion,
    ConfigurationError,
    Illegal,
    LudometerError,
    ProviderError,
    Turn,
    make_game,
)
from ludometer.core.spec import parse_pairs, parse_spec
from ludometer.games._debate_rubric import read_rubric
from ludometer.matches import Match
from ludometer.models.answers import RAW_LIMIT, StreamedAnswer, completion_of, parse_json
from ludometer.models.retries import retry_after
from ludometer.parsers import read
from ludometer.prompts import ANSWER_FORMATS
from ludometer.ratings import count_results, rate, read_results
from ludometer.store import parse_address
from ludometer.tournaments import load_config
from ludometer.tournaments.openings import openings
from ludometer.tournaments.schedule import schedule

__all__ = ["TARGETS"]

LONGEST_REASON = 600
FINISHES = ("stop", "length", "tool", "unknown")


def sentence(error: Exception) -> None:
    """One sentence for a person: not empty, on one line, not without end."""
    said = str(error)
    assert said.strip() and "\n" not in said and len(said) < 3000, said[:200]


@contextlib.contextmanager
def explained(*kinds: type[Exception]) -> Iterator[None]:
    try:
        yield
    except kinds as error:
        sentence(error)


@contextlib.contextmanager
def file_with(data: bytes, suffix: str) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="ludometer-fuzz-") as folder:
        path = Path(folder) / f"file{suffix}"
        path.write_bytes(data)
        yield path


def text_of(data: bytes) -> str:
    """Half a surrogate pair, too: JSON can carry it."""
    return data.decode("utf-8", "surrogateescape") if data[:1] == b"\xff" else data.decode("utf-8", "replace")


@cache
def turns() -> tuple[tuple[str, Turn], ...]:
    """The first turn of every game, in every notation of it."""
    found = []
    for name in sorted(GAMES.all()):
        game = make_game(name)
        turn = Match(game, game.players[0], id="m").turns()[0]
        found += [(notation, turn) for notation in (None, *game.notations)]
    return tuple(found)


def answers(data: bytes) -> None:
    """Any answer of a model, to every game in every format."""
    if len(data) < 2:
        return
    notation, turn = turns()[data[0] % len(turns())]
    finish = FINISHES[data[1] % len(FINISHES)]
    text = text_of(data[2:])
    completions = [
        Completion(text, finish),
        Completion(None, finish, tool_arguments=text),
        Completion("", refusal=text),
    ]
    for answer, completion in itertools.product(ANSWER_FORMATS, completions):
        reading = read(completion, turn, answer, notation)
        if reading.fault is not None:
            assert reading.action is None
            assert reading.fault.reason and len(reading.fault.reason) < LONGEST_REASON
        elif reading.draw is None:
            # It is an action of the game: it can be judged, and written down.
            with explained(Illegal):
                turn.check(reading.action)
            assert isinstance(turn.format(reading.action), str)


def provider(data: bytes) -> None:
    """Any body of a provider, in one piece and as a stream."""
    with explained(ProviderError):
        completion = completion_of(parse_json(data), data.decode("utf-8", "replace"))
        assert completion.raw is not None and len(completion.raw) < RAW_LIMIT + 100
        for text in (completion.text, completion.reasoning, completion.tool_arguments, completion.refusal):
            (text or "").encode()
    with explained(ProviderError):
        stream = StreamedAnswer()
        for line in data.split(b"\n"):
            stream.feed(line)
        stream.completion("")
    wait = retry_after({"retry-after": data[:80].decode("latin-1")})
    assert wait is None or wait >= 0


def configuration(data: bytes) -> None:
    """Any configuration file: it is valid, or there is one sentence about it."""
    with file_with(data, ".toml") as path, explained(ConfigurationError):
        config = load_config(path)
        plan(config)


def plan(config: Any) -> None:
    """What a valid configuration is used for before anything is asked."""
    games, entrants = config.make_games(), config.entrants()
    for condition in itertools.islice(config.conditions(), 3):
        for entrant in entrants:
            config.entrant_under(entrant, condition)
        for game in config.games:
            config.policy_of(condition, game.name, game.options)
    if config.openings.count <= 20:
        for game in games:
            openings(config.openings, game)
    list(itertools.islice(schedule(config), 3))
    assert config.default_folder().parent == Path("runs")
    assert load_config(config.resolved()) == config, "what is kept with a run is the same configuration again"


def overrides(data: bytes) -> None:
    """Any ``--set``, player spec, game option or address."""
    text = data.decode("utf-8", "replace")
    with explained(ConfigurationError):
        load_config({"game": "nim", "players": ["random", "greedy"]}, [text])
    with explained(ConfigurationError):
        parse_spec(text)
    with explained(ConfigurationError):
        parse_pairs([text])
    with explained(ConfigurationError):
        parse_address(f"postgresql://{text}")
    with explained(ConfigurationError):
        parse_address(text.replace("://", ""))
    with explained(ValueError):
        read_rubric(text)


def results(data: bytes) -> None:
    """Any file of results, and the ratings from what can be read of it."""
    with file_with(data, ".csv") as path, explained(ConfigurationError):
        rows = read_results(path)
        if len(rows) < 50:
            games, counts = count_results(rows)
            rate(games, counts=counts)


def benchmarks(data: bytes) -> None:
    """Any file of other benchmarks' scores."""
    with file_with(data, ".csv") as path, explained(ConfigurationError):
        read_benchmarks(path)


def pgn(data: bytes) -> None:
    """Any file of openings."""
    with file_with(data, ".pgn") as path, explained(ConfigurationError):
        table = {"game": "chess", "players": ["random", "greedy"], "openings": {"pgn": str(path), "plies": 4}}
        config = load_config(table)
        openings(config.openings, config.make_games()[0])


def position(data: bytes) -> None:
    """Any position to start from."""
    fen = data.decode("utf-8", "replace")
    for game in ("chess", "checkers"):
        with explained(LudometerError):
            made = make_game(game, {"fen": fen})
            Match(made, 2, id="m").turns()


TARGETS: dict[str, tuple[Callable[[bytes], None], tuple[bytes, ...]]] = {
    "answers": (
        answers,
        (
            b'\0\0{"row": 1, "column": 2}',
            b"\x05\0<think>1,1 or</think>e4",
            b'\x07\0```json\n{"move": "e2e4"}\n```',
            b"\x09\0I bid 3 fives; no: call",
            b"\x0b\0\xff\xed\xa0\x80[1, 2, {}]",
        ),
    ),
    "provider": (
        provider,
        (
            b'{"choices": [{"message": {"content": "e4", "tool_calls": [{}]}, "finish_reason": "stop"}], "usage": {}}',
            b'data: {"choices": [{"delta": {"content": [{"text": "x"}]}}]}\n\ndata: [DONE]\n',
            b'{"error": {"code": 503, "message": ["x"]}}',
            b"Wed, 21 Oct 2015 07:28:00 GMT",
        ),
    ),
    "configuration": (
        configuration,
        (
            b'game = "nim"\nplayers = ["random", "greedy"]\n[schedule]\nkind = "gauntlet"\nrepeats = 2\n',
            b'games = ["nim", {name = "hex", size = 5}]\nplayers = [{player = "random", name = "a"}, "greedy:x=1"]\n',
            b'game = "chess"\nplayers = ["random"]\n[factors]\nview = ["a"]\n[policy]\nattempts = 2\n',
            b'stop_when = "interval <= 40"\nbudget_usd = 1e400\nseed = "x"\n[models.m]\nbase_url = "http://x"\n',
        ),
    ),
    "overrides": (
        overrides,
        (
            b"schedule.repeats=2",
            b"fake/a:view=list,temperature=0.5",
            b"u:p@host/db?run=x",
            b"clarity:2,evidence:1",
            b"=",
        ),
    ),
    "results": (
        results,
        (
            b"player_1,player_2,score_1\na,b,1\nb,a,0.5\n",
            b"player_1,player_2,player_3,place_1,place_2,place_3\na,b,c,1,2,3\n",
            b"player_1,player_2,result,date,ending,offender\na,b,1-0,2024-01-01,forfeit,b\n",
        ),
    ),
    "benchmarks": (benchmarks, (b"entrant,mmlu,-loss\na,0.5,1e3\nb,50%,\n", b"\xef\xbb\xbfmodel,x\na,nan\n")),
    "pgn": (pgn, (b'[Event "x"]\n\n1. e4 {best} e5 (1... c5) 2. Nf3 $1 Nc6 *\n', b"1.d4 d5 2.c4 ; gambit\n0-1")),
    "position": (
        position,
        (
            b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            b"W:W21,22,K23:B1,2,3",
            b"8/8/8/8/8/8/8/8 w - - 0 1",
        ),
    ),
}
