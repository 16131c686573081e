"""How decisions at the poker table are written, read and judged: amounts are chips, and a raise names its total."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from ludometer.core import Illegal, Json
from ludometer.games._boards import shown
from ludometer.games._poker_hand import Kind, Table

__all__ = ["Action", "judged", "mentions", "offered", "stated", "stated_fields", "written"]

_Word: TypeAlias = Literal["fold", "check", "call", "bet", "raise", "all_in"]


class Action(NamedTuple):
    """A decision. ``amount``: what a bet or raise goes to, in total on this street; 0 for the others."""

    kind: Kind
    amount: int = 0


def written(action: Action) -> str:
    """The canonical notation: ``fold``, ``check``, ``call``, ``bet 60``, ``raise to 120``."""
    if action.kind == "raise":
        return f"raise to {action.amount}"
    return f"bet {action.amount}" if action.kind == "bet" else action.kind


# -------------------------------------------------------------------- reading

# Repetitions are bounded, so that hostile text cannot keep an expression busy.
_CHIPS = r"\$?(\d{1,3}(?:,\d{3}){1,3}|\d{1,12})(?:\.0{1,2})?(?:\s{1,3}(?:chips?|more))?"
_ALL_IN = r"all[ -]?in"
_DECISION = re.compile(
    rf"(?:i\s{{1,3}})?(?:(fold|check)|(call|bet|raise)"
    rf"(?:\s{{1,3}}|:\s{{0,3}})?(to|by|of)?\s{{0,3}}(?:{_CHIPS})?(\s{{0,3}}[(,]?\s{{0,3}}{_ALL_IN}\)?)?"
    rf"|(?:(?:go|bet|raise|push)\s{{1,3}})?{_ALL_IN})",
    re.IGNORECASE | re.ASCII,
)
_IN_PROSE = re.compile(
    rf"(?<![\w-])(?:(?:call|bet|raise)\s{{1,3}}(?:(?:to|by|of)\s{{1,3}})?{_CHIPS}(?:\s{{0,3}}\(?{_ALL_IN}\)?)?(?![\w%]|[.,]\d)"
    # "The bet", "a call" are nouns.
    rf"|(?<!\bthe )(?<!\ba )(?<!\bhis )(?<!\bany )(?<!\bbig )(?:fold|check|call|bet|raise|{_ALL_IN})(?![\w-]))",
    re.IGNORECASE | re.ASCII,
)
_WRAPPING = " \t\r\n()[]{}<>*_`'\".,;:!"
_NUMBER = re.compile(rf"\s{{0,9}}{_CHIPS}\s{{0,9}}", re.ASCII | re.IGNORECASE)
_WORDS: Mapping[str, _Word] = {
    **{word: word for word in ("fold", "check", "call", "bet", "raise")},
    "allin": "all_in",
    "raiseto": "raise",
    "betto": "bet",
}
_UNKNOWN = "write fold, check, call, bet N, raise to N or all-in, with N in chips"


class _Stated(NamedTuple):
    """What was said, before it is known what it means at this table."""

    word: _Word
    amount: int | None = None
    by: Literal["to", "by", ""] = ""
    all_in: bool = False


def mentions(text: str) -> Sequence[str]:
    """Pieces of running text that name a decision, in order."""
    return [match.group() for match in _IN_PROSE.finditer(text)]


def stated(text: str, table: Table) -> Action:
    """The decision that a text names. Raises `Illegal`."""
    match = _DECISION.fullmatch(text.strip(_WRAPPING).rstrip(")") if len(text) < 200 else "")
    if match is None:
        raise Illegal("invalid_format", f"{shown(text)} is not a decision; {_UNKNOWN}")
    plain, word, by, chips, all_in = (group and group.casefold() for group in match.groups())
    if plain or word:
        amount = None if chips is None else int(chips.replace(",", ""))
        how: Literal["to", "by", ""] = "by" if by == "by" else "to" if by == "to" else ""
        return _meant(_Stated(_WORDS[plain or word], amount, how, all_in is not None), table)
    return _meant(_Stated("all_in"), table)


def stated_fields(fields: Mapping[str, Json], table: Table) -> Action:
    """The decision that the fields ``action`` and ``amount`` name. Raises `Illegal`."""
    action, amount = fields["action"], _chips(fields.get("amount"))
    if not isinstance(action, str):
        raise Illegal("invalid_format", f"action must be a word; {_UNKNOWN}")
    word = _WORDS.get(re.sub(r"[\s_-]", "", action[:20]).casefold())
    if word is None:
        found = stated(action, table)
        if amount and found.kind in ("bet", "raise") and found.amount != amount:
            raise Illegal("ambiguous", f"the answer names two amounts: {found.amount} and {amount}")
        return found
    return _meant(_Stated(word, amount, "to"), table)


def _chips(value: Json) -> int | None:
    """An amount given as a whole number or as text; None where none is given. Raises `Illegal`."""
    if value is None:
        return None
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value[:40])
        if match is None:
            if not value.strip():
                return None
            raise Illegal("invalid_format", f"amount must be a whole number of chips, not {shown(value)}")
        return int(match[1].replace(",", ""))
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise Illegal("invalid_format", "amount must be a whole number of chips")
    if value != value or not 0 <= value < 10**12 or value != int(value):
        raise Illegal("invalid_format", "amount must be a whole number of chips, 0 or more")
    return int(value)


def _meant(said: _Stated, table: Table) -> Action:
    """What the words mean at this table. Raises `Illegal` where they mean nothing, or two things."""
    if said.word == "all_in":
        action = _all_in(table)
        if said.amount and said.amount not in (action.amount, _stack(table), table.to_call):
            raise Illegal("ambiguous", f"all-in is {action.amount or table.to_call}, not {said.amount}")
        return action
    if said.word == "call":
        return _call(said, table)
    if said.word in ("fold", "check"):
        if said.word == "check" and said.amount:
            raise Illegal("wrong_amount", "a check puts in no chips; to put chips in, bet or raise")
        return Action(said.word)
    if said.amount is None or (said.amount == 0 and not said.all_in):
        if said.all_in:
            return _all_in(table)
        raise Illegal("invalid_format", f"say how much: {_range(table) or _UNKNOWN}")
    # A bet of so much may mean a raise to it or by it; where the total is named it can only be the one.
    unclear = said.word == "bet" and said.by != "to"
    action = _bet(said.amount, table) if unclear else _raise(said, table)
    if said.all_in and table.raises_to is not None and action.amount != table.raises_to[1]:
        raise Illegal("ambiguous", f"all-in is {table.raises_to[1]}, not {action.amount}")
    return action


def _all_in(table: Table) -> Action:
    if table.raises_to is not None:
        return Action("raise" if table.highest else "bet", table.raises_to[1])
    if table.to_call and (table.to_call == _stack(table) or not table.answerable):
        return Action("call")  # chips beyond what others have would only go back
    raise _no_raise(table)


def _call(said: _Stated, table: Table) -> Action:
    actor = table.actor or 0
    if said.amount and said.amount not in (table.to_call, table.bets[actor] + table.to_call):
        raise Illegal("wrong_amount", f"a call costs {table.to_call} here; write call alone, or raise to N")
    return Action("call")


def _bet(amount: int, table: Table) -> Action:
    if table.highest:
        raise Illegal("must_raise", f"there is a bet of {table.highest} already: {_range(table) or 'call or fold'}")
    return Action("bet", amount)


def _raise(said: _Stated, table: Table) -> Action:
    amount = said.amount or 0
    if not table.highest:
        return Action("bet", amount)
    to, by = Action("raise", amount), Action("raise", table.highest + amount)
    if said.by:
        return by if said.by == "by" else to
    fitting = [action for action in (to, by) if _fits(action.amount, table)]
    if len(fitting) == 2:
        raise Illegal("ambiguous", f"write raise to {amount} or raise to {by.amount}: a raise names its total")
    return fitting[0] if fitting else to


def _fits(amount: int, table: Table) -> bool:
    return table.raises_to is not None and table.raises_to[0] <= amount <= table.raises_to[1]


# -------------------------------------------------------------------- judging


def judged(action: Action, table: Table) -> None:
    """Raises `Illegal` where the rules do not let the actor do that; sizes of bets and raises are free."""
    cost = table.to_call
    if action.kind == "fold":
        if not cost:
            raise Illegal("nothing_to_fold", "there is no bet to fold to: check instead")
    elif action.kind == "check":
        if cost:
            raise Illegal("cannot_check", f"there is a bet to answer: call {cost}, raise or fold")
    elif action.kind == "call":
        if not cost:
            raise Illegal("nothing_to_call", "there is no bet to call: check instead")
    else:
        _judge_amount(action, table)


def _judge_amount(action: Action, table: Table) -> None:
    if action.kind == "bet" and table.highest:
        _bet(action.amount, table)
    if action.kind == "raise" and not table.highest:
        raise Illegal("nothing_to_raise", f"there is no bet to raise yet: {_range(table) or 'check'}")
    if table.raises_to is None:
        raise _no_raise(table)
    least, most = table.raises_to
    if action.amount < least:
        raise Illegal("raise_too_small", f"{action.amount} is too little: {_range(table)}")
    if action.amount > most:
        raise Illegal("raise_too_large", f"{action.amount} is more than your chips: {_range(table)}")


def _no_raise(table: Table) -> Illegal:
    """Why the actor may not bet or raise now."""
    rest = f"call {table.to_call} or fold" if table.to_call else "check"
    if table.to_call and table.to_call == _stack(table):
        why = f"your {table.to_call} chips only cover a call"
    elif not table.answerable:
        why = "nobody else has chips left to answer a raise"
    else:
        why = "the all-in before you was less than a full raise, which does not let you raise again"
    return Illegal("no_raise", f"{why}: {rest}")


def _stack(table: Table) -> int:
    return table.stacks[table.actor or 0]


def _range(table: Table) -> str:
    """The bets or raises that are open to the actor, in words; empty where there are none."""
    if table.raises_to is None:
        return ""
    least, most = table.raises_to
    word = "raise to N" if table.highest else "bet N"
    return f"{word}, with N = {most} (all-in)" if least == most else f"{word}, with N from {least} to {most} (all-in)"


def offered(table: Table) -> list[Action]:
    """A few decisions that stand for all: fold, check or call, and bets or raises of the smallest size, of half the
    pot, of the pot, and all-in (sizes that are no legal amount are left out)."""
    actions = [Action("fold"), Action("call")] if table.to_call else [Action("check")]
    if table.raises_to is not None:
        least, most = table.raises_to
        called = table.pot + table.to_call
        sizes = {least, table.highest + called // 2, table.highest + called, most}
        kind: Kind = "raise" if table.highest else "bet"
        actions += [Action(kind, size) for size in sorted(sizes) if least <= size <= most]
    return actions
