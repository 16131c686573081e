"""How a poker table is observed, and shown as text. What grows with the number of hands is left to the view ``log``."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ludometer.core import Asked, Event, Json, Observation, View, Viewer, Watcher
from ludometer.games._poker_hand import STREETS, Done, Hand, Table, dealt_order, followed, positions
from ludometer.games._poker_notation import offered
from ludometer.games._poker_picture import picture
from ludometer.games._poker_rules import Terms

__all__ = ["VIEWS", "asked_for", "events_of", "observed"]

_EARLIER = 5
"""Earlier hands whose results are shown."""


# ---------------------------------------------------------------- observations


def observed(
    hand: Hand | None, past: Sequence[Hand], table: Table | None, viewer: Viewer, terms: Terms
) -> dict[str, Json]:
    """What a viewer may know, as JSON: cards of its own (all for the arena), and what is public."""
    shown = hand or past[-1]
    return {
        "hand": shown.number + 1,
        "hands": terms.hands,
        "mode": terms.mode,
        "over": hand is None,
        "blinds": list(shown.blinds),
        "ante": shown.ante,
        "street": STREETS[shown.street],
        "board": list(shown.board),
        "pot": 0 if table is None else table.pot,
        "pots": [] if table is None else [{"amount": p.amount, "seats": _names(sorted(p.seats))} for p in table.pots],
        "seats": _seats(shown, past, table, viewer),
        "turn": _turn(table, terms),
        "actions": [_acted(one, shown) for one in followed(shown)],
        "earlier": [_result(one, viewer) for one in past[-_EARLIER:]],
        "you": viewer if isinstance(viewer, str) else None,
    }


def _names(seats: Sequence[int]) -> list[str]:
    return [str(seat + 1) for seat in seats]


def _seats(hand: Hand, past: Sequence[Hand], table: Table | None, viewer: Viewer) -> list[dict[str, Json]]:
    place = positions(hand)
    found = []
    for i in range(len(hand.stacks)):
        stack = hand.after[i] if table is None else table.stacks[i]
        open_to = _may_see(viewer, i) or i in hand.shown
        found.append(
            {
                "seat": str(i + 1),
                "position": place.get(i),
                "stack": stack,
                "bet": 0 if table is None else table.bets[i],
                "state": _standing(hand, table, i, stack),
                "cards": list(hand.holes[i]) if open_to and hand.holes[i] else None,
                "net": sum(one.after[i] - one.stacks[i] for one in past),
            }
        )
    return found


def _standing(hand: Hand, table: Table | None, seat: int, stack: int) -> str:
    """``in``, ``all-in``, ``folded`` or ``out`` (of the match)."""
    if not hand.stacks[seat] or (table is None and not stack):
        return "out"
    if table is None:
        return "folded" if any(one.seat == seat and one.kind == "fold" for one in hand.acts) else "in"
    if not table.live[seat]:
        return "folded"
    return "in" if stack else "all-in"


def _may_see(viewer: Viewer, seat: int) -> bool:
    return viewer is Watcher.FULL or viewer == str(seat + 1)


def _turn(table: Table | None, terms: Terms) -> dict[str, Json] | None:
    """Who is to act, what a call costs, and what it may bet or raise to (with few sizes, each of them)."""
    if table is None or table.actor is None:
        return None
    least, most = table.raises_to or (None, None)
    turn: dict[str, Json] = {"seat": str(table.actor + 1), "to_call": table.to_call}
    turn |= {"min_raise_to": least, "max_raise_to": most}
    if terms.sizes == "few":
        turn["sizes"] = [action.amount for action in offered(table) if action.amount]
    return turn


def _acted(done: Done, hand: Hand) -> dict[str, Json]:
    return {"street": STREETS[done.act.street], "seat": str(done.act.seat + 1), "what": _words(done)}


def _result(hand: Hand, viewer: Viewer) -> dict[str, Json]:
    """A finished hand in brief: who won and lost how much, and the cards that were shown (or the viewer's own)."""
    seen = {str(i + 1): list(c) for i, c in enumerate(hand.holes) if c and (i in hand.shown or _may_see(viewer, i))}
    net = {str(i + 1): hand.after[i] - stack for i, stack in enumerate(hand.stacks) if stack}
    return {"hand": hand.number + 1, "net": net, "board": list(hand.board), "cards": seen, "shown": _names(hand.shown)}


def _words(done: Done) -> str:
    one = done.act
    said = {"fold": "folds", "check": "checks", "call": f"calls {one.amount}", "bet": f"bets {one.amount}"}
    return said.get(one.kind, f"raises to {one.amount}") + (" (all-in)" if done.all_in else "")


# ---------------------------------------------------------------------- events


def events_of(hands: Sequence[Hand], viewer: Viewer) -> Iterator[Event]:
    """Everything a viewer witnessed in these hands, in order."""
    for hand in hands:
        yield Event(None, f"hand {hand.number + 1}: {_heading(hand)}")
        for seat in dealt_order(hand):
            if _may_see(viewer, seat) and hand.holes[seat]:
                yield Event(str(seat + 1), f"is dealt {' '.join(hand.holes[seat])}")
        yield from _played(hand)
        yield from _ended(hand)


def _heading(hand: Hand) -> str:
    small, big = hand.blinds
    ante = f", ante {hand.ante}" if hand.ante else ""
    return f"button Player {hand.button + 1}, blinds {small}/{big}{ante}"


def _played(hand: Hand) -> Iterator[Event]:
    done = list(followed(hand))
    for street in range(4):
        if street and len(hand.board) >= street + 2:
            turned = hand.board[:3] if street == 1 else hand.board[street + 1 : street + 2]
            yield Event(None, f"{STREETS[street]}: {' '.join(turned)}")
        for one in done:
            if one.act.street == street:
                yield Event(str(one.act.seat + 1), _words(one))


def _ended(hand: Hand) -> Iterator[Event]:
    for seat in hand.shown:
        yield Event(str(seat + 1), f"shows {' '.join(hand.holes[seat])}")
    for seat, chips in enumerate(hand.won):
        if chips:
            yield Event(str(seat + 1), f"wins {chips}")
    for seat, chips in enumerate(hand.after):
        if not chips and hand.stacks[seat]:
            yield Event(str(seat + 1), "has no chips left")


# ----------------------------------------------------------------------- views


def _render_table(observation: Observation) -> str:
    data = observation.data
    return "\n".join([*_head(data), *_lines_of_seats(data), *_asked(data), *_history(data)])


def _head(data: Mapping[str, Any]) -> Iterator[str]:
    total = "" if data["hands"] == "one_left" else f" of {data['hands']}"
    ante = f", ante {data['ante']}" if data["ante"] else ""
    yield f"Hand {data['hand']}{total}. Blinds {data['blinds'][0]}/{data['blinds'][1]}{ante}."
    if data["over"]:
        yield "The match is over."
    for seat in data["seats"]:
        if seat["seat"] == data["you"]:
            yield f"Your cards: {' '.join(seat['cards'] or ['none'])}"
    yield f"Board ({data['street']}): {' '.join(data['board']) or 'none yet'}"
    if data["over"]:
        return
    yield f"Pot: {data['pot']}" + (", the bets of this round included" if any(s["bet"] for s in data["seats"]) else "")
    if len(data["pots"]) > 1:
        names = ["main pot", *(f"side pot {i}" for i in range(1, len(data["pots"])))]
        for name, pot in zip(names, data["pots"], strict=True):
            yield f"- {name}: {pot['amount']}, between {', '.join(f'Player {s}' for s in pot['seats'])}"


def _lines_of_seats(data: Mapping[str, Any]) -> Iterator[str]:
    yield "Players:"
    for seat in data["seats"]:
        notes = [str(seat["position"])] if seat["position"] else []
        notes += ["you"] if seat["seat"] == data["you"] else []
        told = f" ({', '.join(notes)})" if notes else ""
        if seat["state"] == "out":
            yield f"- Player {seat['seat']}{told}: out of the match"
            continue
        parts = [f"{seat['stack']} chips"]
        parts += [f"bet {seat['bet']}"] if seat["bet"] else []
        parts += [seat["state"]] if seat["state"] != "in" else []
        if data["mode"] == "cash" and data["hand"] > 1:
            parts.append(f"{seat['net']:+} in earlier hands")
        if seat["cards"] and seat["seat"] != data["you"]:
            parts.append(f"cards {' '.join(seat['cards'])}")
        yield f"- Player {seat['seat']}{told}: {', '.join(parts)}"


def _asked(data: Mapping[str, Any]) -> Iterator[str]:
    turn = data["turn"]
    if turn is None:
        return
    who = "You" if turn["seat"] == data["you"] else f"Player {turn['seat']}"
    stack = next(seat["stack"] for seat in data["seats"] if seat["seat"] == turn["seat"])
    call = f"call {turn['to_call']}" + (" (all-in)" if turn["to_call"] == stack else "")
    options = [f"fold, or {call}" if turn["to_call"] else "check"]
    facing = any(seat["bet"] for seat in data["seats"])
    if turn["max_raise_to"] is not None:
        least, most = turn["min_raise_to"], turn["max_raise_to"]
        sizes = f"{most} (all-in)" if least == most else f"N, N from {least} to {most} (all-in)"
        if len(few := turn.get("sizes", ())) > 1:
            sizes = f"{', '.join(map(str, few[:-1]))} or {most} (all-in)"
        options.append(f"{'raise to' if facing else 'bet'} {sizes}")
    yield f"{who} may {', or '.join(options)}."


def _history(data: Mapping[str, Any]) -> Iterator[str]:
    yield "The last hand:" if data["over"] else "This hand so far:"
    lines = 0
    for street in STREETS:
        said = [f"Player {one['seat']} {one['what']}" for one in data["actions"] if one["street"] == street]
        if said:
            yield f"- {street}: {'; '.join(said)}"
            lines += 1
    if not lines:
        yield "- nobody has acted yet"
    if data["earlier"]:
        yield f"Results of the last hands (at most {_EARLIER}):"
        yield from (_brief(one) for one in data["earlier"])


def _brief(one: Mapping[str, Any]) -> str:
    net = ", ".join(f"Player {seat} {chips:+}" for seat, chips in one["net"].items() if chips) or "nobody won anything"
    cards = [f"Player {s} {' '.join(c)}" for s, c in one["cards"].items() if s in one["shown"]]
    shown = f"; shown: {', '.join(cards)}; board {' '.join(one['board'])}" if cards else ""
    return f"- hand {one['hand']}: {net}{shown}"


def asked_for(observation: Observation, hint: str) -> Asked:
    """The question that ends a prompt: what this decision is between, with a bet or raise as the example where one is
    open (of six big blinds, as near as the table and the sizes offered allow)."""
    data = observation.data
    turn = data["turn"] or {"to_call": 0, "min_raise_to": None, "max_raise_to": None}
    facing = any(seat["bet"] for seat in data["seats"])
    least, most = turn["min_raise_to"], turn["max_raise_to"]
    choices = ["fold", "call"] if turn["to_call"] else ["check"]
    amount, kind, text = 0, choices[-1], choices[-1]
    if least is not None:
        amount = least if "sizes" in turn else max(least, min(most, 6 * data["blinds"][1]))
        kind, text = ("raise", f"raise to {amount}") if facing else ("bet", f"bet {amount}")
        choices.append(kind)
    listed = f"{', '.join(choices[:-1])} or {choices[-1]}" if len(choices) > 1 else choices[0]
    return Asked(f"Do you {listed}?", hint, {"action": kind, "amount": amount}, text)


def _render_log(observation: Observation) -> str:
    return "\n".join(f"Player {e.seat} {e.what}" if e.seat else e.what for e in observation.events)


def _render_json(observation: Observation) -> str:
    return json.dumps(dict(observation.data))


_CARDS = (
    "Cards are written as rank (2 to 9, T, J, Q, K, A) and suit (c clubs, d diamonds, h hearts, s spades). BTN is the "
    "button, SB and BB are the small and the big blind, and UTG is the first to act before the flop."
)
_TABLE_WORDS = (
    f"The table is described in words. {_CARDS} The chips of a player are those behind, without the bet of this round. "
    "The table now is:"
)
_LOG_WORDS = f"Everything that you have witnessed in this match is listed in order. {_CARDS} So far:"
_JSON_WORDS = (
    f"The table is given as JSON. {_CARDS} stack is a player's chips behind, bet what it has put in this round, net "
    "what it won or lost in earlier hands; pots are those of earlier rounds, pot is everything in the middle; turn "
    "says who is to act, what a call costs and what a bet or raise may go to. The table now is:"
)
_IMAGE_WORDS = (
    "The table is shown in the attached picture: the board and the pot in the middle, the players around it with their "
    "position, cards, chips and bets; a card's back is shown where you do not know the card, and who is to act has a "
    f"coloured frame. {_CARDS} The table now is:"
)

VIEWS: Mapping[str, View] = {
    view.name: view
    for view in (
        View("table", lambda o: _TABLE_WORDS, _render_table),
        View("log", lambda o: _LOG_WORDS, _render_log),
        View("json", lambda o: _JSON_WORDS, _render_json),
        View("image", lambda o: _IMAGE_WORDS, picture, kind="image"),
    )
}
