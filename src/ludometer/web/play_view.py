"""A game with people as one of them sees it."""

from __future__ import annotations

from typing import Any

from ludometer.core import AnyGame, Observation, Seat, Turn
from ludometer.store.walk import drawn_text
from ludometer.web.boards import board_of
from ludometer.web.choices import choices
from ludometer.web.clickable import clickable
from ludometer.web.headlines import headline
from ludometer.web.play_sessions import PlaySession, Shown
from ludometer.web.runs import OpenRun
from ludometer.web.seats import seats_of, titled
from ludometer.web.shapes import Play

__all__ = ["play_of", "recorded"]


def play_of(run: OpenRun, session: PlaySession, seat: Seat) -> Play:
    """What the person in ``seat`` sees now, and nothing that this seat may not know. It blocks."""
    shown, turn = session.shown, session.people[seat].turn
    if shown.over or (turn is not None and turn.step < shown.step):
        turn = None
    game, asked = shown.game, turn
    observation = turn.observation if turn is not None else game.observe(shown.state, seat)
    legal = None if asked is None else choices(asked)
    svg = game.svg(observation)
    hint = game.asked(observation) if turn is not None else None
    finished = run.store.match(shown.row.id)
    row = finished if finished is not None and finished.status == "finished" else shown.row
    return Play(
        id=run.id,
        run=run.id,
        match=row.id,
        game=game.name,
        rules=game.rules(),
        seat=seat,
        title=titled(shown.match.roles[turn.seat if turn is not None else seat]),
        seats=seats_of(run, row),
        people=session.open_pages(),
        ply=shown.step,
        svg=None if svg is None else clickable(svg, game, observation, legal or ()),
        text=drawn_text(game, observation),
        board=board_of(game, observation),
        events=[_event(event.seat, event.what) for event in observation.events],
        your_turn=turn is not None,
        to_act=[] if shown.over else list(game.to_act(shown.state)),
        legal=legal,
        hint="" if hint is None else (f"Write {hint.hint}" if hint.whole else f"Name your move {hint.hint}"),
        free_text=turn is not None and turn.legal is None,
        multiline=hint is not None and (hint.whole or "\n" in hint.text),
        moves=_moves(game, shown, observation),
        refused=session.refused.get(seat),
        over=shown.over,
        headline=_headline(shown, session, turn),
        recorded=recorded(game),
        can_resign=turn is not None and shown.policy.resignation,
        can_draw=turn is not None and turn.may_offer_draw,
        draw_offered=turn is not None and turn.draw_offered,
    )


def _event(seat: Seat | None, what: str) -> str:
    return what if seat is None else f"{seat}: {what}"


def _moves(game: AnyGame, shown: Shown, observation: Observation) -> list[dict[str, str]]:
    """All moves where everybody saw them; else those of this seat, until the game is over."""
    every = game.perfect_information or shown.over
    return [{"seat": seat, "notation": text} for seat, text in shown.moves if every or seat == observation.viewer]


def _headline(shown: Shown, session: PlaySession, turn: Turn | None) -> str:
    if shown.over:
        return headline(shown.row)
    if session.stopped is not None:
        return f"The game stands still: {session.stopped}"
    if turn is not None:
        offered = " A draw is offered to you." if turn.draw_offered else ""
        return f"It is your turn.{offered}"
    waiting = [titled(shown.match.roles[seat]) for seat in shown.game.to_act(shown.state)]
    return f"{' and '.join(waiting)} to move."


def recorded(game: AnyGame) -> list[str]:
    """What is kept of a game with people, told before the first move."""
    said: list[Any] = [
        "The game is kept as a run on the machine that serves this page: every move, what you type as a move, and how "
        "long you take.",
        "The name you give is kept with it; ludometer export --anonymous leaves names out.",
        "Answers that the game does not accept are not kept.",
        "Whoever can open this viewer can watch what everybody at the table may see, and replay all of it afterwards.",
    ]
    if not game.perfect_information:
        said.append("What is hidden from the others stays hidden until the game is over.")
    return said
