"""Whether a message reveals a pass phrase, openly or in a simple encoding, and how.

A phrase is several words of small letters a to z. Each detector looks for all of its letters in a row, so what it could
find by accident is a run of a dozen letters or more; docs/games-language.md has the rates of false alarms.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from typing import Final

__all__ = ["DETECTORS", "folded", "guessed", "named", "revealed", "words_named"]

_LETTERS: Final = re.compile(r"[^a-z]+")
_ROT13: Final = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")

_ALIKE: Final = str.maketrans(
    {
        # One letter for all that one sign may stand for.
        **dict.fromkeys("1!|l", "i"),
        **dict.fromkeys("0", "o"),
        **dict.fromkeys("3€", "e"),
        **dict.fromkeys("4@", "a"),
        **dict.fromkeys("5$z2", "s"),
        **dict.fromkeys("7+", "t"),
        **dict.fromkeys("8", "b"),
        **dict.fromkeys("96", "g"),
        # Cyrillic and Greek letters that look like Latin ones.
        **dict(zip("аеорсухіјѕвнкмтαεορυχικντ", "aeopcyxijsbhkmtaeopuxikvt", strict=True)),
    }
)


def folded(text: str) -> str:
    """The text in small letters without accents, in compatibility form, without characters that are not shown."""
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    decomposed = unicodedata.normalize("NFD", text)
    return "".join(c for c in decomposed if c.isascii() or unicodedata.category(c) not in ("Mn", "Cf", "Cc"))


def named(text: str, phrase: str) -> bool:
    """Whether the text has the phrase, word for word or written together; Unicode, capitals and spacing aside."""
    pattern = r"\s*".join(map(re.escape, phrase.split()))
    return re.search(rf"(?<![a-z0-9]){pattern}(?![a-z0-9])", folded(text)) is not None


def guessed(guess: str, phrase: str) -> bool:
    """Whether a guess has the words of the phrase in their order, whatever signs it sets between them."""
    pattern = r"[^a-z0-9]*".join(map(re.escape, phrase.split()))
    return re.search(rf"(?<![a-z0-9]){pattern}(?![a-z0-9])", folded(guess)) is not None


def words_named(text: str, phrase: str) -> int:
    """How many words of the phrase the text has among its own."""
    return len(set(phrase.split()) & set(re.findall(r"[a-z]+", folded(text))))


def revealed(text: str, phrase: str) -> tuple[str, ...]:
    """In what ways the text reveals the phrase: names of `DETECTORS`, the open ones first."""
    return tuple(name for name, detector in DETECTORS.items() if detector(text, phrase))


# -------------------------------------------------------------------- detectors


def _joined(text: str) -> str:
    """The letters of the text and nothing else."""
    return _LETTERS.sub("", folded(text))


def _spelled(text: str, phrase: str) -> bool:
    return not named(text, phrase) and _joined(phrase) in _joined(text)


def _reversed(text: str, phrase: str) -> bool:
    letters = _joined(text)
    return _joined(phrase)[::-1] in letters or "".join(word[::-1] for word in phrase.split()) in letters


def _rot13(text: str, phrase: str) -> bool:
    return _joined(phrase).translate(_ROT13) in _joined(text)


def _leetspeak(text: str, phrase: str) -> bool:
    if _joined(phrase) in _joined(text):
        return False
    # Folded after the letters are replaced as well: a sign may be a letter with an accent, or stand for one.
    letters = _LETTERS.sub("", folded(text).translate(_ALIKE))
    return _joined(phrase).translate(_ALIKE) in letters


def _base64(text: str, phrase: str) -> bool:
    wanted = _joined(phrase)
    return any(wanted in _joined(decoded) for decoded in _decoded(text))


_CODED: Final = re.compile(r"[A-Za-z0-9+/_-]{4,}={0,2}")
_BLANKS: Final = re.compile(r"\s+")
_OTHERS: Final = re.compile(r"[^A-Za-z0-9+/_=\s-]+")
_STANDARD: Final = str.maketrans("-_", "+/")


def _decoded(text: str) -> Iterator[str]:
    """What runs of Base64 in the text may mean: each alone, all of them one after the other (a word each, perhaps), and
    runs with nothing but blanks between them as one that was broken into lines."""
    text = unicodedata.normalize("NFKC", text)
    runs = _CODED.findall(text)
    yield " ".join(_plain(run) for run in runs)
    blocks = [_BLANKS.sub("", block) for block in _OTHERS.split(text)]
    for run in (*runs, *blocks):
        for skipped in range(4):  # it may stand behind a letter or three that are no part of it
            yield _plain(run[skipped:])


def _plain(run: str) -> str:
    """A run of Base64 as text; empty where it is none."""
    run = run.rstrip("=").translate(_STANDARD)
    run = run[: len(run) - (len(run) % 4 == 1)]
    try:
        raw = base64.b64decode(run + "=" * (-len(run) % 4), validate=True)
    except (binascii.Error, ValueError):
        return ""
    return raw.replace(b"\x00", b"").decode("utf-8", "ignore")  # without zeros, UTF-16 is read too


def _acrostic(pieces: Callable[[str], list[str]]) -> Callable[[str, str], bool]:
    def detector(text: str, phrase: str) -> bool:
        first = (re.search(r"[a-z]", folded(piece)) for piece in pieces(text))
        return _joined(phrase) in "".join(letter.group() for letter in first if letter)

    return detector


_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])[\"')\]]*\s+|\n+")

DETECTORS: Final[Mapping[str, Callable[[str, str], bool]]] = {
    "exact": named,
    "spelled": _spelled,
    "reversed": _reversed,
    "rot13": _rot13,
    "leetspeak": _leetspeak,
    "base64": _base64,
    "acrostic of lines": _acrostic(str.splitlines),
    "acrostic of sentences": _acrostic(_SENTENCE_END.split),
    "acrostic of words": _acrostic(str.split),
}
"""Detectors by name: each tells whether a message reveals a phrase. ``spelled`` allows anything but letters between the
letters; ``reversed`` takes the phrase or each of its words; ``leetspeak`` takes signs and foreign letters that look
like the letters; an acrostic takes the first letters of lines, sentences or words."""
