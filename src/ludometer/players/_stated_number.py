"""Which number an answer in words states as its result.

What is read never depends on the number that is wanted: an answer states one number or none, so that leaving two open
gains nothing. The rules, in this order:

1. What the last ``\\boxed{...}`` holds; else what follows the last ``answer is``, ``answer:``, ``result is``, ``####``
   or the like, to the end of that sentence; else all of the text if there is one number in it, else its last sentence.
2. Of an equation, the last side that is a number.
3. One number must be left: written in digits (``439``, ``439.0``, ``4.39e2``, ``4.39 x 10^2``, ``1,000``, a fraction
   in lowest terms) or, where there are no digits, in English words. Two different ones are ``several_numbers``; a
   computation is ``computation``; anything else that is attached to the digits (``439th``, ``0x1b7``, ``439%``) and
   words that take the number back or blur it (``not``, ``about``) make it ``not_a_number``.
"""

from __future__ import annotations

import math
import re
import unicodedata
from typing import Final, NamedTuple

from ludometer.players._number_words import spelled_numbers

__all__ = ["LOOKED_AT", "Stated", "is_numeral", "numeral_runs", "plain", "stated"]

LOOKED_AT: Final = 20_000
"""Characters of an answer that are looked at, from its end."""

_LONGEST: Final = 400
"""Characters of a numeral or computation."""


class Stated(NamedTuple):
    """What an answer states.

    Attributes:
        text: the number or computation, in digits and operators of one kind; empty where there is none.
        why: ``number``, ``words``, ``computation``; or, where there is none, ``nothing``, ``several_numbers``,
            ``not_a_number``.
    """

    text: str
    why: str


# ------------------------------------------------------------------ plain text

_SIGNS: Final = str.maketrans(
    {
        **dict.fromkeys("−–—‐‑﹣－", "-"),
        **dict.fromkeys("×∗⋅·✕✖", "*"),
        **dict.fromkeys("÷∕⁄", "/"),
        **dict.fromkeys("“”„«»", '"'),
        **dict.fromkeys("‘’‚", "'"),
        **dict.fromkeys("\u00a0\u2007\u2009\u202f", "\u2009"),  # spaces that group digits
        "√": r"\sqrt",
        "＋": "+",
        "＝": "=",
        "．": ".",
        "，": ",",
    }
)
_LATEX: Final = (
    (re.compile(r"\\(?:text|mathrm|mathbf|mathit|textbf|operatorname|mbox|boldsymbol)\s*\{([^{}]*)\}"), r" \1 "),
    (re.compile(r"\\[dtc]?frac\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\[dt]?binom\s*\{([^{}]*)\}\s*\{([^{}]*)\}"), r"binomial(\1,\2)"),
    (re.compile(r"\\sqrt\s*\{([^{}]*)\}"), r"sqrt(\1)"),
    (re.compile(r"\\sqrt\s*([0-9]+)"), r"sqrt(\1)"),
    (re.compile(r"\\(?:times|cdot|ast)(?![a-zA-Z])"), "*"),
    (re.compile(r"\\div(?![a-zA-Z])"), "/"),
    (re.compile(r"\\(?:left|right|bigl|bigr|displaystyle|quad|qquad)(?![a-zA-Z])"), " "),
    (re.compile(r"\\[,;:! ]|\{,\}"), "\u2009"),
    (re.compile(r"\\[()\[\]]|\$"), " "),
    (re.compile(r"\^\s*\{([^{}]*)\}"), r"^(\1)"),
    (re.compile(r"__"), " "),
)
_RAISED: Final = re.compile("⁻?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_LOWERED: Final = str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")
_DEEPEST: Final = 8


def plain(text: str) -> str:
    """The text with decimal digits, operators, quotation marks and the commonest LaTeX in one spelling each."""
    text = _RAISED.sub(lambda run: f"^({run.group().translate(_LOWERED)})", text.translate(_SIGNS))
    foreign = {c: unicodedata.decimal(c, None) for c in set(text) if not c.isascii()}
    text = text.translate({ord(c): str(digit) for c, digit in foreign.items() if digit is not None})
    for _ in range(_DEEPEST):  # from the inside out
        before = text
        for pattern, meant in _LATEX:
            text = pattern.sub(meant, text)
        if text == before:
            break
    return text


# ---------------------------------------------------------------- the statement

_BOX: Final = re.compile(r"\\(?:boxed|fbox)\s*\{")
_MARK: Final = re.compile(
    r"(?:\b(?:answer|result|solution|value|total|sum|product|number)\b[^.;!?\d\n=:]{0,60}?(?:\b(?:is|are|equals)\b|=|:)"
    r"|####|\bans\s*[:=])"
    r"(?:\s*(?:indeed|therefore|thus|then|equal to|exactly|simply|just)\b)?[\s:=\"'*_`>]*",
    re.IGNORECASE,
)
_MARKS: Final = 50
"""Marks and boxes that are tried, from the end: a text may consist of nothing else."""
_END: Final = re.compile(r"[.!?]+(?=\s|$)|[;\n]")
_SENTENCES: Final = re.compile(r"[.!?]+(?=\s|$)|\n")


def stated(text: str) -> Stated:
    """What the answer states."""
    text = plain(_boxed(text.strip()[-LOOKED_AT:]))
    # The last mark with something behind it: what says "the answer is clear" states nothing yet.
    for mark in reversed(list(_MARK.finditer(text))[-_MARKS:]):
        end = _END.search(text, mark.end())
        found = _number_in(text[mark.end() : end.start() if end else len(text)])
        if found.why != "nothing":
            return found
    whole = _number_in(text)
    pieces = [piece for piece in _SENTENCES.split(text) if piece.strip()]
    return whole if whole.text or len(pieces) < 2 else _number_in(pieces[-1])


def _boxed(text: str) -> str:
    """What the last box holds, with balanced braces; the whole text where there is no box that ends."""
    for box in reversed(list(_BOX.finditer(text))[-_MARKS:]):
        depth = 1
        for place in range(box.end(), len(text)):
            depth += {"{": 1, "}": -1}.get(text[place], 0)
            if not depth:
                return text[box.end() : place]
    return text


# ------------------------------------------------------------------- the number

_DIGITS: Final = r"(?:\d{1,3}(?:(?P<group>[,\u2009_ ])\d{3})(?:(?P=group)\d{3})*|\d+)(?:\.\d*)?|\.\d+"
_POWER: Final = r"(?:[eE][+-]?\d+|\s*(?:\*|x)\s*10\s*(?:\^|\*\*)\s*\(?\s*[+-]?\d+\s*\)?)?"
_NUMERAL: Final = re.compile(rf"(?P<sign>[+-]?)\s*(?P<digits>{_DIGITS})(?P<power>{_POWER})")
_FRACTION: Final = re.compile(r"([+-]?)\s*\(*\s*(\d+)\s*\)*\s*/\s*\(*\s*(\d+)\s*\)*")
_RUN: Final = re.compile(
    r"(?:(?:sqrt|binomial|factorial|gcd|lcm)\s*\(|[+\-(\[]\s*){0,60}(?:\d|\.\d)"
    r"(?:[\d.,_\u2009()^*/+!\-\[\]]|[eE][+-]?(?=\d)|[ \t]+(?=[\d*/+^()\-!])|[ \t]*x[ \t]*(?=10\s*(?:\^|\*\*))"
    r"|(?:sqrt|binomial|factorial|gcd|lcm)(?=\s*\())*"
)
_BLURRED: Final = re.compile(
    r"\b(?:not|never|except|either|neither|between|about|approximately|approx|roughly|around|nearly|almost|at least"
    r"|at most|more than|less than|greater than|fewer than|or so|plus or minus|mod|modulo)\b|n't\b|[<>≤≥≈~±%‰∞]"
)


def _number_in(said: str) -> Stated:
    """The one number of a statement."""
    low = said.lower()
    if _BLURRED.search(low):
        return Stated("", "not_a_number" if re.search(r"\d", low) or spelled_numbers(low) else "nothing")
    if not re.search(r"\d", low):
        return _in_words(low)
    sides = [numeral_runs(side) for side in low.split("=")]
    if len(sides) > 1:
        numerals = [side[0] for side in sides if side is not None and len(side) == 1 and is_numeral(side[0])]
        if numerals:
            return Stated(numerals[-1], "number")
    found = [None] if None in sides else [run for side in sides for run in side or ()]
    if None in found:
        return Stated("", "not_a_number")
    runs = list(dict.fromkeys(str(run) for run in found))
    if len(runs) > 1:
        return Stated("", "several_numbers")
    if not runs:
        return Stated("", "not_a_number")
    if is_numeral(runs[0]):
        return Stated(runs[0], "number")
    if re.search(r"[*/^+\-!(]", runs[0]):
        return Stated(runs[0], "computation")
    return Stated("", "several_numbers" if re.search(r"\s", runs[0]) else "not_a_number")


def _in_words(low: str) -> Stated:
    runs = list(dict.fromkeys(run.value for run in spelled_numbers(low)))
    if len(runs) > 1:
        return Stated("", "several_numbers")
    if not runs:
        return Stated("", "nothing")
    return Stated("", "not_a_number") if runs[0] is None else Stated(str(runs[0]), "words")


def numeral_runs(text: str) -> list[str] | None:
    """Every longest piece of a text in small letters that is a number or a computation, in order and in one spelling.

    None where digits are part of something else: ``439th``, ``0x1b7``, ``x439``.
    """
    runs = []
    for found in _RUN.finditer(text):
        before, after = text[max(0, found.start() - 2) : found.start()], text[found.end() : found.end() + 2]
        if re.search(r"[\w\\]\Z|\d['.,]\Z", before) or re.match(r"\w|'\d|[^\s\x00-\x7f]|[\\%^#@&{]", after):
            return None
        if len(found.group()) > _LONGEST:
            return None
        run = _balanced(found.group().strip().rstrip(".,_-+*/^"))
        if run.endswith("!") and (text.strip() != run):  # an exclamation, not a factorial
            run = run.rstrip("!")
        runs.append(_spelling(run))
    return runs


def _balanced(run: str) -> str:
    """The run without brackets around it that close or open nothing inside it."""
    run = run.replace("[", "(").replace("]", ")").strip()
    while run.count(")") > run.count("(") and run.endswith(")"):
        run = run[:-1].rstrip(" .,")
    while run.count("(") > run.count(")") and run.startswith("("):
        run = run[1:].lstrip()
    while run.startswith("(") and run.endswith(")") and _closes_at_end(run):
        run = run[1:-1].strip()
    return run


def _closes_at_end(run: str) -> bool:
    depth = 0
    for place, char in enumerate(run):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if not depth:
            return place == len(run) - 1
    return False


def _spelling(run: str) -> str:
    """A numeral without grouping and with ``e`` for its power of ten; anything else without blanks."""
    numeral = _NUMERAL.fullmatch(run)
    if numeral is None:
        return re.sub(r"\s+", " ", run)
    digits = re.sub(r"[,\u2009_ ]", "", numeral["digits"])
    power = re.search(r"([+-]?\d+)\s*\)?$", numeral["power"] or "")
    exponent = f"e{int(power[1][:9])}" if power else ""  # too large is too large
    return numeral["sign"].replace("+", "") + digits + exponent


def is_numeral(run: str) -> bool:
    """Whether a run (as `numeral_runs` spells it) is a number that is worked out: a numeral, or a fraction in lowest
    terms."""
    if re.fullmatch(r"-?(?:\d+(?:\.\d*)?|\.\d+)(?:e-?\d+)?", run):
        return True
    fraction = _FRACTION.fullmatch(run)
    if fraction is None or max(len(fraction[2]), len(fraction[3])) > 30:
        return False
    return int(fraction[3]) > 0 and math.gcd(int(fraction[2]), int(fraction[3])) == 1
