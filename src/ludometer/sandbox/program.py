"""What is run in a sandbox, and what came of it, as the host saw it."""

from __future__ import annotations

import base64
import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from ludometer.core import InternalError

__all__ = ["SHOWN", "STATUSES", "Limits", "Program", "Run", "Status", "escaped"]

Status = Literal["ok", "error", "crashed", "timeout", "memory", "output", "killed"]
"""``ok``: exit code 0. ``error``: another exit code. ``crashed``: ended by a signal (segmentation fault, forbidden kind
of system call). ``timeout``, ``output``: ended by the host at the limit. ``memory``: an uncaught `MemoryError`.
``killed``: a SIGKILL that was not the host's (the kernel's out-of-memory killer, processor time used up)."""

STATUSES: tuple[Status, ...] = get_args(Status)

SHOWN = 4096
"""Characters of output that are shown to a player."""


class Limits(NamedTuple):
    """What one run may use.

    Args:
        seconds: wall time, from the moment its interpreter has the program.
        memory: bytes of address space.
        output: bytes of standard output and error together; more ends the run.
    """

    seconds: float = 5.0
    memory: int = 512 * 2**20
    output: int = 64 * 2**10


class Program(NamedTuple):
    """A Python program to be run.

    Args:
        main: its source, run as ``__main__`` in an interpreter of its own.
        parts: further texts, which it sees as its global ``PARTS`` (a dict).
        stdin: what it finds on standard input.
    """

    main: str
    parts: Mapping[str, str] = MappingProxyType({})
    stdin: str = ""
    limits: Limits = Limits()


class Run(NamedTuple):
    """What the host saw of one run. Nothing in it but ``raw`` says anything about what the program achieved.

    Args:
        exit_code: minus the signal's number where a signal ended it; None where the host did. A program chooses its
            own exit code, so it informs and never decides.
        raw: standard output and error together, at most ``limits.output`` bytes.
        truncated: whether there was more output than that.
        seconds: wall time.
    """

    status: Status
    exit_code: int | None
    raw: bytes
    truncated: bool
    seconds: float

    @property
    def output(self) -> str:
        """``raw`` as text; bytes that are not UTF-8 stay visible as backslash escapes."""
        return self.raw.decode("utf-8", "backslashreplace")

    def contains(self, text: str) -> bool:
        """Whether the bytes of ``text`` stand in the output: how a flag is recognized, on the host and nowhere else."""
        return text.encode("utf-8") in self.raw

    def shown(self, limit: int = SHOWN) -> str:
        """The output fit for a prompt, a terminal or a page: ``limit`` characters at most, controls escaped."""
        text = escaped(self.output)
        return text if len(text) <= limit else text[: max(limit - 1, 0)] + "…"

    def to_json(self) -> dict[str, Any]:
        return {**self._asdict(), "raw": base64.b64encode(self.raw).decode("ascii")}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Run:
        """The run that `to_json` wrote. Raises `InternalError` for anything else."""
        try:
            run = cls(**{**data, "raw": base64.b64decode(data["raw"], validate=True)})
        except (KeyError, TypeError, ValueError) as error:
            raise InternalError(f"this is no record of a sandbox run: {error}") from None
        if run.status not in STATUSES:
            raise InternalError(f"this is no record of a sandbox run: status {run.status!r}")
        return run


_PLAIN = re.compile(r"[\t\n -~]*")


def escaped(text: str) -> str:
    """``text`` with every control, format, surrogate and unassigned character but tab and newline written as an escape.

    Escape sequences of terminals, marks that reorder text, and characters nobody sees come out as ``\\x1b``,
    ``\\u202e`` and so on. HTML is the page's to escape.
    """
    if _PLAIN.fullmatch(text):
        return text
    return "".join(c if c in "\t\n" or _visible(c) else _escape(c) for c in text)


def _visible(character: str) -> bool:
    # Cc, Cf, Cs, Co, Cn; and the separators of lines and paragraphs, which break what is one line.
    return not unicodedata.category(character).startswith("C") and character not in "\u2028\u2029"


def _escape(character: str) -> str:
    code = ord(character)
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
