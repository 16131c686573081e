"""Orders as text and as structured answers, and reading both."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from functools import lru_cache

from ludometer.core import Illegal, Json
from ludometer.games._boards import bare, fields, shown, whole
from ludometer.games.risk.battle import ATTACK_DICE
from ludometer.games.risk.board import RiskMap, load_map
from ludometer.games.risk.legality import bonus_territories, with_dice
from ludometer.games.risk.lists import LONGEST
from ludometer.games.risk.settings import Settings
from ludometer.games.risk.state import AS_MANY, Order, OrderKind, Orders, State

__all__ = [
    "GAP",
    "decode_order",
    "decode_orders",
    "encode_order",
    "parse_order",
    "parse_orders",
    "schema_order",
    "written",
]

_WORDS: Mapping[str, OrderKind] = {
    "pick": "pick",
    "claim": "pick",
    "reinforce": "reinforce",
    "place": "reinforce",
    "trade": "trade",
    "attack": "attack",
    "move": "move",
    "fortify": "fortify",
    "end": "end",
    "pass": "end",
}
_UNIT = r"(?:\s{0,9}(?:armies|army|dice|die|troops))?"
_NUMBER = r"([-−+]?\d{1,4})"
GAP = r"[\s,+&#]{1,9}(?:and\s)?"
_HEAD = re.compile(r"([A-Za-z]{3,9})\b\s{0,9}(.{0,200})", re.DOTALL)
_ARROW = re.compile(r"\s{0,9}(?:-{0,2}>|→|=>|\s-{1,2}\s|,|\bto\b|\binto\b)\s{0,9}", re.IGNORECASE)
_MOVE = re.compile(rf"(?:in\s{{1,9}})?{_NUMBER}{_UNIT}", re.IGNORECASE)
_LEADING = re.compile(rf"{_NUMBER}{_UNIT}\s{{1,9}}(?:(?:with|in|on|to|from)\s{{1,9}})?", re.IGNORECASE)
_TRAILING = re.compile(rf"[\s,:x×(]{{1,9}}(?:with\s|by\s)?{_NUMBER}{_UNIT}\)?$", re.IGNORECASE)
_FROM = re.compile(r"(?:from|with|in|on)\b\s{0,9}", re.IGNORECASE)
_CARDS = re.compile(rf"(?:cards?\b)?[\s,#]{{0,9}}(\d{{1,3}}){GAP}(\d{{1,3}}){GAP}(\d{{1,3}})(.{{0,60}})", re.IGNORECASE)
_FOR = re.compile(r"[\s,;(]{0,9}(?:for|on|with)\s{1,9}", re.IGNORECASE)
_TURN = re.compile(r"(?:(?:of\s|my\s|the\s){0,3}turn)?", re.IGNORECASE)


# -------------------------------------------------------------------- writing


def written(board: RiskMap, order: Order) -> str:
    """An order in canonical notation."""
    if order.kind == "end":
        return "end"
    if order.kind == "move":
        return f"move {order.number}"
    if order.kind == "trade":
        extra = f" for {board.names[order.target]}" if order.target >= 0 else ""
        return f"trade {' '.join(str(card + 1) for card in order.cards)}{extra}"
    target = board.names[order.target]
    if order.kind == "pick":
        return f"pick {target}"
    if order.kind == "reinforce":
        return f"reinforce {target} {order.number}"
    count = f" {order.number}" if order.number > 0 or order.kind == "fortify" else ""
    return f"{order.kind} {board.names[order.source]} > {target}{count}"


def encode_order(board: RiskMap, order: Order) -> dict[str, Json]:
    """An order as a structured answer."""
    answer: dict[str, Json] = {"order": order.kind}
    if order.kind == "trade":
        answer["cards"] = [card + 1 for card in order.cards]
        if order.target >= 0:
            answer["territory"] = board.names[order.target]
    elif order.kind in ("pick", "reinforce"):
        answer["territory"] = board.names[order.target]
    elif order.kind in ("attack", "fortify"):
        answer |= {"from": board.names[order.source], "to": board.names[order.target]}
    if order.kind == "attack":
        if order.number > 0:
            answer["dice"] = order.number
    elif order.kind in ("reinforce", "move", "fortify"):
        answer["armies"] = order.number
    return answer


def schema_order(settings: Settings) -> dict[str, Json]:
    """JSON Schema of one order: every field that some kind has; what a kind does not need is left out."""
    territory = {"type": "string", "enum": list(settings.board.names)}
    properties: dict[str, Json] = {
        "order": {"type": "string", "enum": list(dict.fromkeys(_WORDS.values()))},
        "territory": {**territory, "description": "of pick and reinforce, and the one that gets two armies in a trade"},
        "from": {**territory, "description": "of attack and fortify"},
        "to": {**territory, "description": "of attack and fortify"},
        "armies": {"type": "integer", "minimum": 1, "description": "of reinforce, move and fortify"},
        "cards": {
            "type": "array",
            "items": {"type": "integer", "minimum": 1, "maximum": settings.board.cards},
            "minItems": 3,
            "maxItems": 3,
            "description": "of trade: the numbers of the cards",
        },
    }
    if not settings.blitz:
        dice = {"type": "integer", "minimum": 1, "maximum": ATTACK_DICE, "description": "of attack"}
        properties["dice"] = dice
    return {"type": "object", "properties": properties, "required": ["order"], "additionalProperties": False}


# -------------------------------------------------------------------- reading


def parse_order(settings: Settings, state: State, text: str) -> Order:
    """Reads one order. Raises `Illegal`: ``invalid_format``, ``unknown_territory``, ``ambiguous``."""
    if len([piece for piece in split_orders(text) if _kind(piece)]) > 1:
        raise Illegal("several_orders", "give a single order; you are asked again after it")
    stated = bare(text)
    head = _HEAD.fullmatch(stated)
    kind = _WORDS.get(head[1].casefold()) if head else None
    if head is None or kind is None:
        raise Illegal("invalid_format", f"{shown(text)} is not an order; write for example {example(settings)}, or end")
    rest = head[2]
    if kind == "end":
        if _TURN.fullmatch(rest) is None:
            raise Illegal("invalid_format", f"{shown(text)} says more than end")
        return Order("end")
    if kind == "trade":
        return _parse_trade(settings, state, text, rest)
    if kind == "move":
        count = _MOVE.fullmatch(rest)
        if count is None:
            raise Illegal("invalid_format", f"{shown(text)} must say how many armies move in, such as move 3")
        return Order("move", number=_number(count[1]))
    if kind in ("pick", "reinforce"):
        target, number = _place_and_count(settings.board, rest)
        if kind == "pick":
            return Order("pick", target=target)
        if number is None:
            raise Illegal("invalid_format", f"{shown(text)} must say how many armies, such as {example(settings)}")
        return Order("reinforce", target=target, number=number)
    return _parse_pair(settings, state, kind, text, rest)


def _kind(text: str) -> OrderKind | None:
    head = _HEAD.match(bare(text[:200]))
    return _WORDS.get(head[1].casefold()) if head else None


def example(settings: Settings) -> str:
    """A reinforcement, as an example."""
    return f"reinforce {settings.board.names[0]} 3"


def _parse_trade(settings: Settings, state: State, text: str, rest: str) -> Order:
    match = _CARDS.fullmatch(rest)
    if match is None:
        raise Illegal("invalid_format", f"{shown(text)} must name three cards by number, such as trade 1 2 3")
    bonus = _FOR.match(match[4])
    if match[4].strip() and bonus is None:
        raise Illegal("invalid_format", f"{shown(text)} says more than three cards")
    named = _territory(settings.board, match[4][bonus.end() :]) if bonus else None
    return _trade(settings, state, [int(match[i]) for i in (1, 2, 3)], named)


def _trade(settings: Settings, state: State, cards: Sequence[int], named: int | None) -> Order:
    """A trade of cards by number from 1. Where no territory is named for the extra armies, it is the player's own on
    the first of the cards that shows one."""
    for card in cards:
        if not 1 <= card <= settings.board.cards:
            raise Illegal("no_such_card", f"there is no card {card}; they are numbered 1 to {settings.board.cards}")
    chosen = tuple(card - 1 for card in cards)
    target = named
    if target is None:
        target = next(iter(bonus_territories(settings, state, chosen)), -1)
    return Order("trade", target=target, cards=tuple(sorted(chosen)))


def _parse_pair(settings: Settings, state: State, kind: OrderKind, text: str, rest: str) -> Order:
    number: int | None = None
    leading = _LEADING.match(rest)
    if leading is not None:
        number, rest = _number(leading[1]), rest[leading.end() :]
    rest = rest[m.end() :] if (m := _FROM.match(rest)) else rest
    parts = _ARROW.split(rest, maxsplit=1)
    if len(parts) != 2:
        raise Illegal("invalid_format", f"{shown(text)} must name two territories, such as {kind} A > B")
    source = _territory(settings.board, parts[0])
    target, stated = _place_and_count(settings.board, parts[1])
    if number is not None and stated is not None and number != stated:
        raise Illegal("ambiguous", f"{shown(text)} gives two numbers")
    return _pair(settings, state, kind, source, target, stated if number is None else number)


def _pair(settings: Settings, state: State, kind: OrderKind, source: int, target: int, count: int | None) -> Order:
    if kind == "fortify":
        if count is None:
            raise Illegal("invalid_format", "say how many armies move, such as fortify A > B 3")
        return Order("fortify", source, target, count)
    if settings.blitz:
        # As many dice as possible are rolled anyway: naming a number of dice that exists changes nothing.
        if count is not None and not 1 <= count <= ATTACK_DICE:
            raise Illegal("too_many_dice" if count > 0 else "too_few_dice", f"an attack rolls 1 to {ATTACK_DICE} dice")
        return Order("attack", source, target)
    order = Order("attack", source, target, AS_MANY if count is None else count)
    # In a list it depends on the orders before it how many dice that will be.
    return order if settings.listed else with_dice(state, order)


def _number(text: str) -> int:
    return int(text.replace("−", "-"))


def _place_and_count(board: RiskMap, text: str) -> tuple[int, int | None]:
    """A territory with a number behind or before it."""
    text = text.strip(" \t\r\n\"'`*_()[]")
    leading = _LEADING.match(text)
    if leading is not None:
        return _territory(board, text[leading.end() :]), _number(leading[1])
    trailing = _TRAILING.search(text)
    if trailing is not None:
        return _territory(board, text[: trailing.start()]), _number(trailing[1])
    return _territory(board, text), None


# ---------------------------------------------------------------- territories

_SPACES = re.compile(r"[\s_.\-']{1,20}")


def _folded(name: str) -> str:
    return _SPACES.sub(" ", name.strip(" \t\r\n\"'`*_()[]{}<>.,;:!#")).casefold()


@lru_cache(maxsize=8)
def _numbers(map_name: str) -> dict[str, int]:
    known = {_folded(name): i for i, name in enumerate(load_map(map_name).names)}
    short = {name.replace("united states", other): i for name, i in known.items() for other in ("us", "usa", "u s")}
    return {**short, **known}


def _territory(board: RiskMap, text: str) -> int:
    """The number of a territory, by its name without regard to capital letters. Raises `Illegal`."""
    name = _folded(text[:80])
    known = _numbers(board.name)
    if name in known:
        return known[name]
    close = get_close_matches(name, known, n=1, cutoff=0.6)
    hint = f"; did you mean {board.names[known[close[0]]]}" if close else ""
    raise Illegal("unknown_territory", f"there is no territory {shown(text)}{hint}")


# ------------------------------------------------------------------ structured


def decode_order(settings: Settings, state: State, answer: Json) -> Order:
    """Reads an order given with fields, or as text in ``move``. Raises `Illegal`."""
    given = fields(answer)
    kind = given.get("order", given.get("type"))
    if kind is None:
        move = given.get("move")
        if isinstance(move, str):
            return parse_order(settings, state, move)
        raise Illegal("invalid_format", "the answer has no readable order")
    if not isinstance(kind, str):
        raise Illegal("invalid_format", f"order must be one of {', '.join(dict.fromkeys(_WORDS.values()))}")
    if kind.strip().casefold() not in _WORDS:
        return parse_order(settings, state, kind)
    return _decoded(settings, state, _WORDS[kind.strip().casefold()], given)


def _decoded(settings: Settings, state: State, kind: OrderKind, given: Mapping[str, Json]) -> Order:
    board = settings.board
    if kind == "end":
        return Order("end")
    if kind == "move":
        return Order("move", number=_whole(given, "armies"))
    if kind == "pick":
        return Order("pick", target=_named(board, given, "territory"))
    if kind == "reinforce":
        return Order("reinforce", target=_named(board, given, "territory"), number=_whole(given, "armies"))
    if kind == "trade":
        cards = given.get("cards")
        if not isinstance(cards, list) or len(cards) != 3:
            raise Illegal("bad_set", "cards must be a list of three numbers")
        numbers = [whole(card, "a card") for card in cards]
        named = None if given.get("territory") is None else _named(board, given, "territory")
        return _trade(settings, state, numbers, named)
    what = "dice" if kind == "attack" else "armies"
    count = None if given.get(what) is None else whole(given[what], what)
    return _pair(settings, state, kind, _named(board, given, "from"), _named(board, given, "to"), count)


def _whole(given: Mapping[str, Json], what: str) -> int:
    if given.get(what) is None:
        raise Illegal("invalid_format", f"the order lacks {what}")
    return whole(given[what], what)


def _named(board: RiskMap, given: Mapping[str, Json], what: str) -> int:
    value = given.get(what)
    if not isinstance(value, str):
        raise Illegal("invalid_format", f"the order lacks {what}, the name of a territory")
    return _territory(board, value)


# ----------------------------------------------------------------------- lists


def split_orders(text: str) -> list[str]:
    """The orders of a list written as text: separated by semicolons or line breaks."""
    return [piece for piece in re.split(r"[;\n]", text) if piece.strip(" \t\r.,*-")]


def parse_orders(settings: Settings, state: State, text: str) -> Orders:
    """Reads orders separated by semicolons or line breaks. Raises `Illegal`."""
    return _resolved(settings, state, split_orders(text))


def decode_orders(settings: Settings, state: State, given: Mapping[str, Json]) -> Orders:
    """Reads ``{"orders": [...]}`` of objects or texts, a single order's fields, or text in ``move``."""
    orders = given.get("orders")
    text = given.get("move") if orders is None else orders
    if isinstance(text, str):
        return parse_orders(settings, state, text)
    if orders is None and "order" in given:
        orders = [dict(given)]
    if not isinstance(orders, list):
        raise Illegal("invalid_format", "the answer has no list of orders")
    return _resolved(settings, state, orders)


def _resolved(settings: Settings, state: State, pieces: Sequence[Json]) -> Orders:
    """Orders read one by one; only the first trade of a turn may have extra armies."""
    orders: list[Order] = []
    for i, piece in enumerate(pieces[: LONGEST + 1]):
        try:
            read = parse_order if isinstance(piece, str) else decode_order
            order = read(settings, state, piece)
        except Illegal as error:
            raise Illegal(error.kind, f"order {i + 1} of {len(pieces)}: {error.reason}") from None
        if order.kind == "trade" and order.target >= 0:
            state = state._replace(bonus_used=True)
        orders.append(order)
    return Orders(tuple(orders))
