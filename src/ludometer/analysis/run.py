"""`RunTables`: the frames of a run, read once, and parts of it by game and condition."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

import pandas as pd

from ludometer.analysis.frames import attempts_frame, condition_label, exchanges_frame, matches_frame
from ludometer.core import Json
from ludometer.store import RunStore

__all__ = ["RunTables", "Source", "load_tables"]


@dataclass(frozen=True, slots=True, eq=False)
class RunTables:
    """The frames of a run, or of a part of it.

    Attributes:
        entrants: as `Entrant.to_dict` wrote them, in the order in which they were added.
        config: the resolved configuration.
        matches, attempts, exchanges: see `ludometer.analysis.frames`; the attempts without their texts.
        invalid: for runs imported without moves: published counts of invalid responses (records with ``game``,
            ``condition``, ``entrant``, ``seat_number``, ``kind`` and ``count``); None otherwise.
        lengths: for such runs, published numbers of moves (records with ``condition``, ``result``, ``entrant``,
            ``mean``, ``what``).
        notes: what a reader must know about imported data.
        decided: why the run needs no further match, and after how many that was known (``why``, ``matches``); None for
            a run whose whole schedule is played.
    """

    entrants: tuple[dict[str, Json], ...]
    config: Mapping[str, Json]
    matches: pd.DataFrame
    attempts: pd.DataFrame
    exchanges: pd.DataFrame
    invalid: tuple[dict[str, Json], ...] | None = None
    lengths: tuple[dict[str, Json], ...] | None = None
    notes: tuple[str, ...] = ()
    decided: Mapping[str, Json] | None = None

    @property
    def names(self) -> list[str]:
        """The entrants' names, those that play no match included."""
        return [str(entrant["name"]) for entrant in self.entrants]

    @property
    def two_seats(self) -> bool:
        """Whether every match is for two contestants."""
        return bool((self.matches["seats"] == 2).all())

    def parts(self) -> list[tuple[str, str]]:
        """Every (game, condition label) that is scheduled, in schedule order."""
        pairs = self.matches[["game", "condition"]].drop_duplicates()
        return [(str(game), str(condition)) for game, condition in pairs.itertuples(index=False)]

    def only(self, *, game: str | None = None, condition: str | Mapping[str, Json] | None = None) -> RunTables:
        """The part with one game, one condition (a label, or the factors and their values), or both."""
        label = condition if condition is None or isinstance(condition, str) else condition_label(condition)

        def part(frame: pd.DataFrame) -> pd.DataFrame:
            keep = pd.Series(True, index=frame.index)
            if game is not None:
                keep &= frame["game"] == game
            if label is not None:
                keep &= frame["condition"] == label
            return frame[keep].reset_index(drop=True)

        def records(rows: tuple[dict[str, Json], ...] | None) -> tuple[dict[str, Json], ...] | None:
            if rows is None or label is None:
                return rows
            return tuple(row for row in rows if row["condition"] == label)

        return replace(
            self,
            matches=part(self.matches),
            attempts=part(self.attempts),
            exchanges=part(self.exchanges),
            invalid=records(self.invalid),
            lengths=records(self.lengths),
        )


Source: TypeAlias = "RunStore | RunTables"
"""What the functions of this package take: a run, or its tables where several functions share them."""


def load_tables(source: Source) -> RunTables:
    """The tables of a run; tables themselves are returned as they are."""
    if isinstance(source, RunTables):
        return source
    invalid, lengths = source.imported("invalid_responses"), source.imported("moves_per_result")
    return RunTables(
        entrants=tuple(source.entrants()),
        config=source.config,
        matches=matches_frame(source),
        attempts=attempts_frame(source, texts=False),
        exchanges=exchanges_frame(source),
        invalid=None if invalid is None else tuple(invalid),
        lengths=None if lengths is None else tuple(lengths),
        notes=tuple(source.imported("notes") or ()),
        decided=source.meta("decision"),
    )
