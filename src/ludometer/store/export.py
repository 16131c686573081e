"""Exports: the matches of a run as JSON Lines, CSV, text with drawn boards, or game records.

``json``
    ``run.json`` (configuration, versions, entrants, counts) and ``matches.jsonl``, one match a line with every attempt,
    valid or not, the exact messages sent, the answers received, verdicts, tokens and cost. JSON Lines, because a large
    run is then read and written one match at a time.
``csv``
    ``matches.csv``, one match a line; the columns are those of `csv_columns`. A text cell that a spreadsheet could
    take for a formula (it begins with ``=``, ``+``, ``-``, ``@``, a tab, a line break, or with an apostrophe, spaces
    aside) gets one apostrophe in front: take one leading apostrophe away to have the text back. Numbers are never
    escaped.
``txt``
    ``matches.txt``, the moves drawn as boards with rejected attempts between them. Control characters, and characters
    that reorder text, are left out.
``record``
    the files that a game's own players keep: ``chess.pgn`` and ``checkers.pdn`` with all matches, ``go-NUMBER.sgf``
    for every match (see `ludometer.store.record_files`).

Rows are streamed: memory does not grow with the number of matches but for a few numbers each.
"""

from __future__ import annotations

import csv
import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, Any, Literal, NamedTuple, TypeAlias, get_args

import sqlalchemy as sa

from ludometer.core import ConfigurationError, MachineError
from ludometer.core.paths import usable_path
from ludometer.core.registry import nearest
from ludometer.store import schema
from ludometer.store.anonymous import AnonymousRun
from ludometer.store.database import RunStore
from ludometer.store.files import replacing
from ludometer.store.match_json import match_json, run_json
from ludometer.store.record_files import game_records
from ludometer.store.records import MatchRow
from ludometer.store.spared import shown_matches
from ludometer.store.types import read_json, time_text
from ludometer.store.walk import drawn_steps, plain_text

__all__ = ["ExportFormat", "csv_columns", "export", "safe_cell"]

ExportFormat: TypeAlias = Literal["json", "csv", "txt", "record"]


def export(
    store: RunStore,
    out_dir: str | os.PathLike[str],
    format: ExportFormat = "json",  # noqa: A002
    *,
    anonymous: bool = False,
) -> list[Path]:
    """Writes all matches of a run, unfinished ones included, and returns the files written.

    Args:
        anonymous: people are called "person 1", "person 2", ... instead of by their names.

    Raises:
        ConfigurationError: an unknown format, or ``record`` for a run without any game that has one.
        MachineError: the folder cannot be written.
    """
    if format not in get_args(ExportFormat):
        known = get_args(ExportFormat)
        raise ConfigurationError(f"there is no export format {format!r}{nearest(str(format), known)}")
    writers: dict[str, Callable[[RunStore, Path], list[Path]]]
    writers = {"json": _json, "csv": _csv, "txt": _txt, "record": _record}
    folder = usable_path(out_dir)
    if anonymous:
        store = AnonymousRun(store)
    try:
        return writers[format](store, folder)
    except OSError as error:
        raise MachineError(f"the export cannot be written to {folder}: {error.strerror or error}") from None


@contextmanager
def _replacing(path: Path, newline: str = "\n") -> Iterator[IO[str]]:
    """A text file that takes its place only when it is complete."""
    with replacing(path) as part, part.open("w", encoding="utf-8", errors="backslashreplace", newline=newline) as file:
        yield file


# ------------------------------------------------------------------------ JSON


def _json(store: RunStore, folder: Path) -> list[Path]:
    entrants = {str(entrant["name"]): entrant for entrant in store.entrants()}
    about, matches = folder / "run.json", folder / "matches.jsonl"
    with _replacing(about) as file:
        json.dump(run_json(store), file, indent=1, ensure_ascii=False)
        file.write("\n")
    with _replacing(matches) as file:
        for row in shown_matches(store):
            # ASCII only: some characters of a model's answer end a line for some readers of lines.
            file.write(json.dumps(match_json(store, row, entrants)) + "\n")
    return [about, matches]


# ------------------------------------------------------------------------- CSV

_FORMULA = re.compile(r"[\s]*[=+\-@'＝＋－＠]|[\t\r\n]")


def safe_cell(value: object) -> str | int | float:
    """A value as it may stand in a CSV file: no text that a spreadsheet would run as a formula."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return value
    text = plain_text(str(value))
    return f"'{text}" if _FORMULA.match(text) else text


class _Usage(NamedTuple):
    """What the calls of a match used."""

    calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    cost_usd: float | None = None
    unpriced_calls: int = 0


def csv_columns(factors: Sequence[str], seats: int) -> list[str]:
    """The columns of ``matches.csv``.

    ``number``, ``id``, ``game``, ``options`` (JSON); one ``condition.KEY`` per factor; per contestant i from 1:
    ``seat_i``, ``player_i``, ``score_i`` (in [0, 1]; empty for canceled, void and unfinished matches); ``status``
    (scheduled, running, void, finished), ``ending`` (completed, forfeit, canceled, void), ``winner`` (the entrant that
    alone has the best score; empty for draws and where there are no scores), ``why``, ``offender`` (seat at fault);
    ``moves`` (in effect), ``attempts`` (all answers), ``bad_attempts``, ``substituted``; ``started``, ``finished``
    (ISO 8601, UTC), ``seconds``; ``calls``, ``input_tokens``, ``output_tokens``, ``reasoning_tokens`` (empty where no
    call reports them), ``cost_usd`` (of the calls with a known price; empty where there is none), ``unpriced_calls``;
    ``group``, ``luck``, ``seed``; ``opening`` (moves made before anybody was asked) and ``notation`` (moves in effect),
    separated by spaces. See also docs/exports.md.
    """
    numbered = [f"{what}_{i}" for i in range(1, seats + 1) for what in ("seat", "player", "score")]
    return [
        *("number", "id", "game", "options"),
        *(f"condition.{factor}" for factor in factors),
        *numbered,
        *("status", "ending", "winner", "why", "offender", "moves", "attempts", "bad_attempts", "substituted"),
        *("started", "finished", "seconds"),
        *_Usage._fields,
        *("group", "luck", "seed", "opening", "notation"),
    ]


def _csv(store: RunStore, folder: Path) -> list[Path]:
    factors, seats = _shape(store)
    columns = csv_columns(factors, seats)
    used = _usage(store)
    path = folder / "matches.csv"
    with _replacing(path, newline="") as file:
        writer = csv.writer(file)
        writer.writerow([safe_cell(column) for column in columns])
        for row in shown_matches(store):
            values = _cells(row) | used.get(row.id, _Usage())._asdict()
            writer.writerow([safe_cell(values.get(column)) for column in columns])
    return [path]


def _shape(store: RunStore) -> tuple[list[str], int]:
    """Factors of all conditions, and the largest number of seats."""
    m = schema.matches.c
    with store.engine.connect() as connection:
        pairs = connection.execute(sa.select(m.condition, m.seats).distinct()).all()
    factors = dict.fromkeys(key for condition, _ in pairs for key in read_json(condition, "a condition", dict))
    return sorted(factors), max((len(read_json(seats, "a match", dict)) for _, seats in pairs), default=2)


def _usage(store: RunStore) -> dict[str, _Usage]:
    x = schema.exchanges.c
    # PostgreSQL sums whole numbers of 64 bits to decimals.
    counted = (x.input_tokens, x.output_tokens, x.reasoning_tokens)
    sums = [*(sa.cast(sa.func.sum(column), sa.BigInteger) for column in counted), sa.func.sum(x.cost)]
    unpriced = sa.func.count() - sa.func.count(x.cost)
    query = sa.select(x.match, sa.func.count(), *sums, unpriced).group_by(x.match)
    with store.engine.connect() as connection:
        return {row[0]: _Usage(*row[1:]) for row in connection.execute(query)}


def _cells(row: MatchRow) -> dict[str, Any]:
    same = ("number", "id", "game", "status", "ending", "why", "offender", "moves", "attempts", "bad_attempts")
    values: dict[str, Any] = {name: getattr(row, name) for name in (*same, "substituted", "group", "luck", "seed")}
    values |= {
        f"condition.{key}": value if isinstance(value, str) else json.dumps(value)
        for key, value in row.condition.items()
    }
    for i, (seat, name) in enumerate(row.seats.items(), start=1):
        score = None if row.scores is None else row.scores.get(seat)
        values |= {f"seat_{i}": seat, f"player_{i}": name, f"score_{i}": score}
    return values | {
        "options": json.dumps(row.options, sort_keys=True),
        "winner": None if row.winner is None else row.seats[row.winner],
        "started": time_text(row.started),
        "finished": time_text(row.finished),
        "seconds": row.seconds,
        "opening": None if row.opening is None else " ".join(row.opening),
        "notation": None if row.notation is None else " ".join(row.notation.splitlines()),
    }


# ------------------------------------------------------------------------ text

_RULE = "=" * 72
_SHOWN = 400
"""Characters of a rejected answer that are shown."""


def _txt(store: RunStore, folder: Path) -> list[Path]:
    path = folder / "matches.txt"
    with _replacing(path) as file:
        for row in shown_matches(store):
            file.writelines(plain_text(line) + "\n" for line in _drawing(store, row))
    return [path]


def _drawing(store: RunStore, row: MatchRow) -> Iterator[str]:
    yield _RULE
    condition = "".join(f", {key} = {value}" for key, value in row.condition.items())
    yield f"Match {row.number} ({row.id}): {row.game}{condition}"
    yield ", ".join(f"{seat}: {name}" for seat, name in row.seats.items())
    yield f"started {time_text(row.started) or 'not known'}"
    if row.opening:
        yield f"after the opening {' '.join(row.opening)}"
    yield ""
    attempts = store.rows(schema.attempts, row.id)
    for step in drawn_steps(row, attempts):
        for attempt in step.rejected:
            yield f"   {attempt['seat']} is refused ({attempt['kind']}): {attempt['reason']}"
            yield f"      answered: {_bounded(str(attempt['text']))}"
        if step.moves:
            yield f"{step.number + 1}. " + ", ".join(f"{seat}: {move}" for seat, move in step.moves.items())
            yield from (f"   {line}" for line in step.text.splitlines())
            yield ""
    if row.notation is None and not attempts:
        yield "(no moves are recorded)"
    yield _outcome(row)
    yield ""


def _outcome(row: MatchRow) -> str:
    if row.ending is None:
        return f"not finished ({row.status})"
    scores = "" if row.scores is None else "; " + ", ".join(f"{seat} {score:g}" for seat, score in row.scores.items())
    fault = "" if row.offender is None else f"; at fault: {row.offender}"
    return f"{row.ending}: {row.why}{fault}{scores}"


def _bounded(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _SHOWN else f"{line[:_SHOWN]} ... ({len(line) - _SHOWN} more characters)"


# --------------------------------------------------------------------- records


def _record(store: RunStore, folder: Path) -> list[Path]:
    written: list[Path] = []
    with ExitStack() as kept_open:
        shared: dict[str, IO[str]] = {}
        for record in game_records(store):
            path = folder / record.file
            if record.file in shared:
                shared[record.file].write("\n" + record.text)  # a blank line between the games of a file
                continue
            written.append(path)
            if record.shared:
                shared[record.file] = kept_open.enter_context(_replacing(path))
                shared[record.file].write(record.text)
            else:
                with _replacing(path) as file:
                    file.write(record.text)
    if not written:
        raise ConfigurationError("no match of this run has moves and a kind of game record; use json, csv or txt")
    return written
