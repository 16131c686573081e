"""Writing data sets: JSON Lines or Parquet, with a file beside them that says what is in them and what is not."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, get_args

from ludometer._version import __version__
from ludometer.core import ConfigurationError, Json, MachineError
from ludometer.core.registry import nearest
from ludometer.envs.offline import (
    DatasetFormat,
    LeftOut,
    Sample,
    preference_rows,
    samples,
    sft_rows,
    trajectory_rows,
    verified,
)
from ludometer.store import RunStore
from ludometer.store.files import replacing

__all__ = ["export_dataset"]

Rows = Iterator[dict[str, Json]]

_ROWS: dict[str, Callable[[Iterator[list[Sample]]], Rows]] = {
    "sft": sft_rows,
    "dpo": preference_rows,
    "trajectories": trajectory_rows,
}
_BLOCK = 1000
"""Rows of a row group of Parquet."""


def export_dataset(
    store: RunStore,
    out_dir: str | os.PathLike[str],
    form: DatasetFormat,
    *,
    parquet: bool = False,
) -> list[Path]:
    """Writes the verified matches of a run as ``sft``, ``dpo`` or ``trajectories``, and returns the files written.

    Args:
        parquet: write Parquet instead of JSON Lines; needs pyarrow.

    Raises:
        ConfigurationError: an unknown format, pyarrow is missing, the matches are not those of the schedule, or there
            is nothing to write.
        MachineError: the folder cannot be written.
    """
    if form not in get_args(DatasetFormat):
        raise ConfigurationError(f"there is no data set format {form!r}{nearest(str(form), get_args(DatasetFormat))}")
    write = _parquet_writer(form) if parquet else _write_lines
    ids, left = asyncio.run(verified(store))
    folder = Path(out_dir)
    path = folder / f"{form}.{'parquet' if parquet else 'jsonl'}"
    rows = _ROWS[form](samples(store, ids, left))
    first = next(rows, None)
    if first is None:
        raise ConfigurationError(_nothing(form, len(ids), left))
    try:
        with replacing(path) as part:
            count = write(part, itertools.chain([first], rows))
        about = folder / f"{form}.about.json"
        with replacing(about) as part:
            part.write_text(json.dumps(_about(store, form, len(ids), count, left), indent=1) + "\n", encoding="utf-8")
    except OSError as error:
        raise MachineError(f"the export cannot be written to {folder}: {error.strerror or error}") from None
    return [path, about]


def _nothing(form: str, matches: int, left: LeftOut) -> str:
    if not matches:
        return f"no match of this run verifies ({left.not_verified} do not, {left.open} are not finished)"
    wanted = {"sft": "legal move made by one text answer", "dpo": "two answers of which one is better"}
    return f"the {matches} verified matches hold no {wanted.get(form, 'attempt')}; nothing was written"


def _about(store: RunStore, form: str, matches: int, rows: int, left: LeftOut) -> dict[str, Json]:
    return {
        "format": form,
        "ludometer": __version__,
        "run": store.config.get("name"),
        "verified_matches": matches,
        "rows": rows,
        "left_out": left.to_dict(),
    }


def _write_lines(path: Path, rows: Rows) -> int:
    count = 0
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for row in rows:
            # ASCII only: some characters of a model's answer end a line for some readers of lines.
            file.write(json.dumps(row) + "\n")
            count += 1
    return count


def _parquet_writer(form: str) -> Callable[[Path, Rows], int]:
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ConfigurationError("Parquet needs pyarrow; install it with: pip install 'ludometer[parquet]'") from None
    columns = _schema(form, pa)

    def write(path: Path, rows: Rows) -> int:
        count = 0
        with pq.ParquetWriter(path, columns) as writer:
            while block := list(itertools.islice(rows, _BLOCK)):
                writer.write_table(pa.Table.from_pylist(block, schema=columns))
                count += len(block)
        return count

    return write


def _schema(form: str, pa: Any) -> Any:
    """The columns with their types, in the order of the rows."""
    text, number, whole, flag = pa.string(), pa.float64(), pa.int64(), pa.bool_()
    chat = pa.list_(pa.struct([("role", text), ("content", text)]))
    worth = [("regret", number), ("optimal", flag), ("evaluator", text)]
    about = [(name, text) for name in ("match", "game", "options", "condition", "seat", "player")]
    place = [("step", whole), ("attempt", whole)]
    if form == "sft":
        return pa.schema(
            [("messages", chat), ("reasoning", text), *about, *place, ("move", text), *worth, ("score", number)]
        )
    if form == "dpo":
        sides = [
            (
                f"{side}_{name}",
                whole if name in ("step", "attempt") else number if name in ("regret", "score") else text,
            )
            for side in ("chosen", "rejected")
            for name in (
                "match",
                "player",
                "seat",
                "step",
                "attempt",
                "move",
                "verdict",
                "regret",
                "evaluator",
                "score",
            )
        ]
        chats = [(name, chat) for name in ("prompt", "chosen", "rejected")]
        return pa.schema([*chats, ("kind", text), ("same_prompt", flag), *about[1:4], *sides])
    turn = pa.struct(
        [
            *(("step", whole), ("attempt", whole), ("legal", flag), ("status", text), ("kind", text)),
            *(("reason", text), ("move", text), ("messages", chat), ("answer", text), ("reasoning", text)),
            *(("calls", whole), ("reward", number), *worth),
        ]
    )
    head = [("number", whole), ("group", text), ("ending", text), ("why", text)]
    return pa.schema([*head, *about, ("score", number), ("payoff", number), ("turns", pa.list_(turn))])
