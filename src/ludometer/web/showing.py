"""A match on the wall: its board, and one sentence on how it stands."""

from __future__ import annotations

from ludometer.core import LudometerError, Seat
from ludometer.matches import Match
from ludometer.store import MatchRow
from ludometer.web.headlines import headline
from ludometer.web.replay import shown_position
from ludometer.web.seats import titled
from ludometer.web.shapes import AttemptShape, LiveMatch, SeatShape

__all__ = ["last_moves", "live_match", "standing"]


def live_match(
    row: MatchRow, match: Match | None, seats: list[SeatShape], last: AttemptShape | None, public_only: bool
) -> LiveMatch:
    """A board on the wall.

    Args:
        match: brought to where the log ends; None where the game does not take the log.
        public_only: a person is at play, and nothing but what everybody may know is shown.
    """
    position, ply = None, row.moves or 0
    if match is not None:
        ply = match.step
        viewer = "public" if public_only else "full"
        try:
            position = shown_position(match.game, match.state, ply, viewer, last_moves(match, public_only))
        except LudometerError:
            position = None
    return LiveMatch(
        id=row.id,
        game=row.game,
        seats=seats,
        ply=ply,
        position=position,
        last=last,
        finished=row.status == "finished",
        headline=standing(row, match),
    )


def last_moves(match: Match, public_only: bool) -> dict[Seat, str]:
    """The moves of the latest step; they may tell what is hidden."""
    if not match.moves or (public_only and not match.game.perfect_information):
        return {}
    step = match.moves[-1].step
    pairs = list(zip(match.moves, match.notation, strict=True))[-len(match.roles) :]
    return {move.seat: notation for move, notation in pairs if move.step == step}


def standing(row: MatchRow, match: Match | None) -> str:
    """How a match stands or why it ended, as a sentence for a person."""
    if row.status in ("finished", "void") or match is None or match.ending is not None:
        return headline(row)
    seats = match.game.to_act(match.state)
    return f"{' and '.join(titled(match.roles[seat]) for seat in seats)} to move"
