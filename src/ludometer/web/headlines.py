"""Why a match ended, or how it stands, as a sentence."""

from __future__ import annotations

from collections.abc import Mapping

from ludometer.core import Seat
from ludometer.store import MatchRow
from ludometer.web.seats import roles_of, titled

__all__ = ["headline"]


def headline(row: MatchRow) -> str:
    """Why a match ended, as a sentence; or that it has not."""
    titles = {role.name: titled(role) for role in roles_of(row)}
    why = (row.why or "no reason is recorded").rstrip(".")
    if row.status != "finished":
        words = {"scheduled": "Not begun yet.", "void": f"Void, to be taken up again: {why}."}
        return words.get(row.status, "At play, or interrupted: it is not finished.")
    who = _named(row, titles, row.offender)
    if row.ending == "forfeit":
        return f"{who or 'A seat'} forfeited: {why}."
    if row.ending == "canceled":
        return f"Canceled: {why}{f'; {who} made the most bad attempts' if who else ''}."
    return f"{_result(row, titles)}: {why}."


def _named(row: MatchRow, titles: Mapping[str, str], seat: Seat | None) -> str | None:
    if seat is None:
        return None
    name = row.seats.get(seat)
    return titles.get(seat, seat) if name is None else f"{name} ({titles.get(seat, seat)})"


def _result(row: MatchRow, titles: Mapping[str, str]) -> str:
    scores = {seat: score for seat, score in (row.scores or {}).items() if score is not None}
    if not scores:
        return "Finished"
    best = max(scores.values())
    first = [seat for seat, score in scores.items() if score == best]
    if len(first) == len(scores):
        return "Drawn"
    names = [str(_named(row, titles, seat)) for seat in first]
    return f"{names[0]} won" if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]} shared the win"
