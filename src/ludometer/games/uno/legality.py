"""Why a decision is not legal, in the words of the rules."""

from __future__ import annotations

from ludometer.core import Illegal
from ludometer.games.uno.cards import COLOURS, TYPES, WILD, card_name
from ludometer.games.uno.notation import QUESTIONS, written
from ludometer.games.uno.state import Action, State, legal_actions

__all__ = ["check_action"]


def check_action(state: State, action: Action) -> None:
    """Raises `Illegal` for a decision that the seat to act may not make:

    - ``wrong_decision``: it answers another question than the one asked;
    - ``not_in_hand``, ``not_playable``: the card is not there, or does not fit;
    - ``must_play``: drawing while a card can be played;
    - ``not_the_drawn_card``: another card than the one just drawn.
    """
    legal = legal_actions(state)
    if action in legal:
        return
    if not _exists(action):
        raise Illegal("wrong_decision", f"there is no such decision; name {QUESTIONS[state.phase]}")
    if action.kind == "card" and state.phase in ("card", "drawn"):
        raise _card_refused(state, action.value)
    if action.kind == "draw" and state.phase == "card":
        names = ", ".join(card_name(option.value) for option in legal)
        raise Illegal("must_play", f"you may draw only when you can play nothing, and you can play {names}")
    raise Illegal("wrong_decision", f"{written(action)} does not answer the question; name {QUESTIONS[state.phase]}")


def _exists(action: Action) -> bool:
    """Whether the action has a name: players that are programs may hand over anything."""
    return 0 <= action.value < {"card": TYPES, "colour": len(COLOURS), "challenge": 2}.get(action.kind, 1)


def _card_refused(state: State, card: int) -> Illegal:
    name = card_name(card)
    if card not in state.hands[state.player]:
        return Illegal("not_in_hand", f"you do not hold {name}")
    if state.phase == "drawn":
        drawn = card_name(state.history[-1].cards[0])
        return Illegal("not_the_drawn_card", f"you may now play only the card that you have just drawn, {drawn}")
    top, colour = card_name(state.top), COLOURS[state.colour]

    matching = "" if state.top >= WILD else ", the same number or function"
    return Illegal("not_playable", f"{name} does not fit on {top}: play {colour}{matching}, or a wild card")
