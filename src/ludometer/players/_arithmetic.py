"""Exact values of numbers and computations, by sympy, in a process that may hang or die of it.

sympy's own reader evaluates Python. Nothing reaches it but digits, operators, brackets and the functions named here.
"""

from __future__ import annotations

import contextlib
import re
import resource
import signal
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, Final, NamedTuple

from ludometer.players._number_words import spelled_numbers
from ludometer.players._stated_number import is_numeral, numeral_runs, plain, stated

__all__ = ["CPU_SECONDS", "Read", "evaluate", "read_number", "trivial_reasons"]

CPU_SECONDS: Final = 2.0
"""Processor time for one question or answer; whatever needs more is not worked out."""
_MEMORY: Final = 1 << 30
"""Bytes that it may take beside what the process has already."""

_TOKEN: Final = re.compile(
    r"\s*(?:(?P<number>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?)"
    r"|(?P<function>sqrt|binomial|factorial|gcd|lcm)(?=\s*\()|(?P<operator>\*\*|[-+*/^!(),]))"
)
_NAMES: Final = (
    *("sqrt", "binomial", "factorial", "factorial2", "gcd", "lcm"),
    *("Integer", "Float", "Rational"),  # what its reader makes of numbers
)
_HUGE: Final = re.compile(r"[eE][+-]?0*[1-9]\d{4}")
_OPERATION: Final = re.compile(r"\*\*|[*/^!]|sqrt|binomial|factorial|gcd|lcm|(?<=[\d)!])\s*[-+]")
_LONGEST_VALUE: Final = 60
_FEW_DIGITS: Final = 12


class Read(NamedTuple):
    """What an answer states.

    Attributes:
        value: an integer or a fraction in lowest terms, such as ``439`` or ``878/3``; empty where there is none.
        why: ``number``, ``words``, ``computation`` (then there may be a value); or why there is none: ``nothing``,
            ``several_numbers``, ``not_a_number``, ``too_large``, ``too_hard``.
    """

    value: str
    why: str


def read_number(text: str) -> Read:
    """The exact number that an answer states. To be called in a process of its own: see `limits`."""
    with limits():
        found = stated(text)
        if not found.text:
            return Read("", found.why)
        try:
            value = evaluate(found.text)
        except MemoryError:
            return Read("", "too_large")
        except RecursionError:
            return Read("", "too_hard")
        if value is None:
            return Read("", "computation" if found.why == "computation" else "not_a_number")
        written = _written(value)
        return Read(written, found.why) if written else Read("", "too_large")


def evaluate(text: str) -> Fraction | None:
    """The value of a computation; None where it is none, or no rational number.

    Raises:
        MemoryError: it is too large.
        RecursionError: sympy cannot follow it, as with factorials of factorials.
    """
    source = _source(text)
    if source is None:
        return None
    import sympy  # here, so that only processes that compute load it
    from sympy.parsing.sympy_parser import auto_number, factorial_notation, parse_expr, rationalize

    steps = (factorial_notation, auto_number, rationalize)
    try:
        found = parse_expr(source, global_dict={name: getattr(sympy, name) for name in _NAMES}, transformations=steps)
        value = found if getattr(found, "is_Rational", False) else sympy.simplify(found)
        return Fraction(int(value.p), int(value.q)) if value.is_Rational else None
    except (MemoryError, RecursionError):
        raise
    except Exception:  # the text is hostile, and sympy's reader may fail on it in any way
        return None


def _source(text: str) -> str | None:
    """The computation in Python's spelling, made of known tokens only; None where there is anything else in it."""
    parts, place = [], 0
    text = text.rstrip()
    while place < len(text):
        token = _TOKEN.match(text, place)
        if token is None:
            return None
        if token["number"]:
            if _HUGE.search(token["number"]):
                raise MemoryError
            # Python reads no number that begins with zeros.
            parts.append(re.sub(r"^0+(?=\d)", "", token["number"]))
        else:
            parts.append(token["function"] or token["operator"].replace("^", "**"))
        place = token.end()
    return " ".join(parts).replace(" !", "!") or None


def _written(value: Fraction) -> str:
    """The value in digits; empty where there are too many."""
    if max(value.numerator.bit_length(), value.denominator.bit_length()) > 4 * _LONGEST_VALUE:
        return ""
    text = str(value)
    return text if len(text) <= _LONGEST_VALUE else ""


# -------------------------------------------------------------------- triviality


_SPOKEN: Final = (
    (re.compile(r"\bplus\b"), "+"),
    (re.compile(r"\bminus\b"), "-"),
    (re.compile(r"\b(?:times|multiplied by)\b"), "*"),
    (re.compile(r"\bdivided by\b"), "/"),
    (re.compile(r"\bsum of ([\d.]+) and ([\d.]+)"), r"\1 + \2"),
    (re.compile(r"\bproduct of ([\d.]+) and ([\d.]+)"), r"\1 * \2"),
    (re.compile(r"\bdifference (?:of|between) ([\d.]+) and ([\d.]+)"), r"\1 - \2"),
)


def trivial_reasons(question: str, target: int) -> list[str]:
    """In what ways a question gives its answer away: ``digits`` and ``words`` where it states the number,
    ``computation`` where it holds a computation of a single operation that makes it (``438 + 1``).

    To be called in a process of its own.
    """
    with limits():
        low = plain(question).lower()
        found = []
        written = re.search(rf"(?<![\d.])(?<!\d,)0*{target}(?:\.0+)?(?![.,]?\d)", low)
        if written or any(_equals(run, target) for run in _pieces(low) if is_numeral(run)):
            found.append("digits")
        spelled = spelled_numbers(low)
        if any(run.value == target for run in spelled):
            found.append("words")
        for run in reversed(spelled):
            if run.value is not None:
                low = low[: run.start] + str(run.value) + low[run.end :]
        for pattern, meant in _SPOKEN:
            low = pattern.sub(meant, low)
        runs = [run for run in _pieces(low) if len(_OPERATION.findall(run)) == 1 and _small(run)]
        if any(_equals(run, target) for run in runs):
            found.append("computation")
        return found


def _pieces(low: str) -> list[str]:
    """Numbers and computations of a text, word by word where digits are part of something else."""
    found = []
    for line in re.split(r"[\n;:?=]|[.!](?=\s|$)|,(?=\s)", low):
        runs = numeral_runs(line)
        if runs is None:
            runs = [run for word in line.split() for run in numeral_runs(word) or ()]
        found += runs
    return found


def _small(run: str) -> bool:
    """Whether no number in it has many digits, so that its value is soon found."""
    numbers = re.findall(r"[\d.]+", run)
    power = re.search(r"(?:\^|\*\*)\s*\(?\s*(\d+)|(\d+)\s*\)?!|factorial|binomial", run)
    return all(len(number) <= _FEW_DIGITS for number in numbers) and (
        power is None or all(len(number) <= 2 for number in numbers)
    )


def _equals(run: str, target: int) -> bool:
    return len(run) <= 3 * _FEW_DIGITS and evaluate(run) == target


# ------------------------------------------------------------------------ limits


@contextlib.contextmanager
def limits() -> Iterator[None]:
    """Ends this process when what is computed takes too much processor time, and lets it have so much memory only.

    The signal's own action is what ends it: a handler would have to wait for the computation. It counts the processor
    time of this process, so that a busy machine changes no result.
    """
    before = resource.getrlimit(resource.RLIMIT_AS)
    previous: Any = signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        with contextlib.suppress(OSError, ValueError):
            import sympy  # noqa: F401  (loaded before the limit, which is for the computation)

            resource.setrlimit(resource.RLIMIT_AS, (_address_space() + _MEMORY, before[1]))
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, previous)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_AS, before)


def _address_space() -> int:
    """Bytes of address space this process has. Raises `OSError` where that cannot be told."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * resource.getpagesize()
