"""MathQuiz: whose questions hold, whose questions stump, and who answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pandas as pd

from ludometer.analysis.frames import matches_frame
from ludometer.analysis.replayed import last_states
from ludometer.analysis.role_shares import PLACE, share_columns, share_of
from ludometer.analysis.sections import Column, Section, Table, Whiskers, whiskers_of
from ludometer.games.mathquiz import MathQuiz, Quiz, Try
from ludometer.store import MatchRow, RunStore

__all__ = ["mathquiz_matches", "mathquiz_tables", "sections"]

_MATCH_COLUMNS: Final = [
    *("match", "group", "game", "condition", "teacher", "student", "outcome", "proven", "trivial"),
    *("proofs", "answers", "unread"),
]
_OUTCOMES: Final = ("no proof", "trivial question", "student right", "student wrong", "forfeit")
_TEACHER_SHARES: Final = ("proven", "trivial_share", "stumped")
_STUDENT_SHARES: Final = ("right", "unread_share")


def mathquiz_tables(store: RunStore, *, level: float = 0.95) -> dict[str, pd.DataFrame]:
    """Everything about the MathQuiz of a run; all tables are empty where it has none.

    Keys:
        matches: `mathquiz_matches`.
        teachers: one row per game, condition and entrant that taught: ``questions`` that were looked at, and of them
            ``proven`` (the share that the prover answered right) and ``trivial_share`` (that gave the answer away);
            ``asked`` (questions that reached a student) and of them ``stumped`` (the share not answered right).
        students: the same per student: ``asked``, ``right``, and ``unread_share`` (questions that it answered without
            stating one number every time).
        outcomes: matches by entrant, role and outcome: ``matches``, ``share`` and ``n`` (all matches in that role).

    Shares have ``_low`` and ``_high``, clustered on the duplicate group.
    """
    matches = mathquiz_matches(store)
    return {
        "matches": matches,
        "teachers": _teachers(matches, level),
        "students": _students(matches, level),
        "outcomes": _outcomes(matches),
    }


def mathquiz_matches(store: RunStore) -> pd.DataFrame:
    """One row per match that ended by the rules or with a forfeit.

    Columns: match, group, game, condition, teacher, student; ``outcome`` (no proof, trivial question, student right,
    student wrong, forfeit); ``proven`` (missing where no proof was looked at); ``trivial`` (in what ways the question
    gives its answer away, separated by commas); ``proofs`` and ``answers`` (numbers of tries), ``unread`` (answers of
    the student that state no number).
    """
    found = pd.DataFrame(_rows(store), columns=[c for c in _MATCH_COLUMNS if c not in ("group", *PLACE)])
    if found.empty:
        return pd.DataFrame(columns=_MATCH_COLUMNS)
    places = matches_frame(store)[["match", "group", *PLACE]]
    return found.merge(places, on="match", how="left", validate="one_to_one").reindex(columns=_MATCH_COLUMNS)


def _rows(store: RunStore) -> Iterator[dict[str, Any]]:
    for row, state in last_states(store, MathQuiz.name):
        if isinstance(state, Quiz) and row.ending in ("completed", "forfeit"):
            yield _row(row, state)


def _row(row: MatchRow, state: Quiz) -> dict[str, Any]:
    judged = [tried for tried in state.proofs if tried.finding is not None]
    return {
        "match": row.id,
        "teacher": row.seats["teacher"],
        "student": row.seats["student"],
        "outcome": "forfeit" if row.ending == "forfeit" else (row.why or "").removeprefix("teacher failed: "),
        "proven": any(_right(tried) for tried in judged) if judged else None,
        "trivial": ", ".join(state.trivial),
        "proofs": len(state.proofs),
        "answers": len(state.answers),
        "unread": sum(tried.finding is not None and not tried.finding.read for tried in state.answers),
    }


def _right(tried: Try) -> bool:
    return tried.finding is not None and tried.finding.right


# ---------------------------------------------------------------------- tables


def _teachers(matches: pd.DataFrame, level: float) -> pd.DataFrame:
    rows = []
    for place, own in matches.groupby([*PLACE, "teacher"], sort=True):
        looked_at = own[own["proven"].notna()]
        asked = own[own["outcome"].isin(("student right", "student wrong"))]
        row = dict(zip((*PLACE, "entrant"), place, strict=True))
        row |= {"matches": len(own), "questions": len(looked_at), "asked": len(asked)}
        row |= share_of("proven", looked_at["proven"], looked_at, level)
        row |= share_of("trivial_share", looked_at["trivial"] != "", looked_at, level)
        row |= share_of("stumped", asked["outcome"] == "student wrong", asked, level)
        rows.append(row)
    return pd.DataFrame(rows, columns=share_columns(("matches", "questions", "asked"), _TEACHER_SHARES))


def _students(matches: pd.DataFrame, level: float) -> pd.DataFrame:
    rows = []
    for place, own in matches.groupby([*PLACE, "student"], sort=True):
        asked = own[own["outcome"].isin(("student right", "student wrong"))]
        row = dict(zip((*PLACE, "entrant"), place, strict=True))
        row |= {"matches": len(own), "asked": len(asked)}
        row |= share_of("right", asked["outcome"] == "student right", asked, level)
        row |= share_of("unread_share", asked["unread"] == asked["answers"], asked, level)
        rows.append(row)
    return pd.DataFrame(rows, columns=share_columns(("matches", "asked"), _STUDENT_SHARES))


def _outcomes(matches: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for role in ("teacher", "student"):
        for place, own in matches.groupby([*PLACE, role], sort=True):
            for outcome in _OUTCOMES:
                count = int((own["outcome"] == outcome).sum())
                row = dict(zip((*PLACE, "entrant"), place, strict=True))
                rows.append({**row, "role": role, "outcome": outcome, "matches": count, "n": len(own)})
    frame = pd.DataFrame(rows, columns=[*PLACE, "entrant", "role", "outcome", "matches", "n"])
    frame["share"] = frame["matches"] / frame["n"]
    return frame


# -------------------------------------------------------------------- sections


def sections(store: RunStore) -> Sequence[Section]:
    """What MathQuiz adds to a report; nothing for a run without it."""
    tables = mathquiz_tables(store)
    if tables["matches"].empty:
        return ()
    stumped = Column("stumped", "Student was wrong", "share", "stumped_low", "stumped_high", "asked")
    right = Column("right", "Answered right", "share", "right_low", "right_high", "asked")
    caption = "Of the questions that their own author had answered. Intervals are 95%."
    return (
        Section(
            "mathquiz",
            "MathQuiz",
            "A teacher makes a question for a secret number and must answer it itself without knowing the number; only "
            "then a student is asked.",
            (_teacher_table(tables["teachers"], stumped), _student_table(tables["students"], right)),
            (
                Whiskers(
                    "Students",
                    caption,
                    "share answered right",
                    whiskers_of(tables["students"], "entrant", right, "questions"),
                    None,
                ),
                Whiskers(
                    "Teachers",
                    caption,
                    "share not answered right",
                    whiskers_of(tables["teachers"], "entrant", stumped, "questions"),
                    None,
                ),
            ),
            (
                "A question counts as trivial where it states its answer in digits or words, or holds a computation of "
                "a single operation that makes it; other ways of giving an answer away are not looked for.",
            ),
        ),
    )


def _named(frame: pd.DataFrame) -> tuple[Column, ...]:
    several = [name for name in PLACE if frame[name].nunique() > 1]
    return (Column("entrant", "Entrant"), *(Column(name, name.capitalize()) for name in several))


def _teacher_table(frame: pd.DataFrame, stumped: Column) -> Table:
    columns = (
        *_named(frame),
        Column("proven", "Own question answered right", "share", "proven_low", "proven_high", "questions"),
        Column("trivial_share", "Trivial questions", "share", "trivial_share_low", "trivial_share_high", "questions"),
        stumped,
        Column("matches", "Matches", "count"),
    )
    return Table("As teachers", frame, columns, "Intervals (95%) are clustered on duplicate groups.")


def _student_table(frame: pd.DataFrame, right: Column) -> Table:
    unread = Column("unread_share", "Stated no number", "share", "unread_share_low", "unread_share_high", "asked")
    columns = (*_named(frame), right, unread, Column("matches", "Matches", "count"))
    explain = "Questions that no proof was found for do not reach the student; it then wins without being asked."
    return Table("As students", frame, columns, explain)
