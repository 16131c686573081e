"""PyJail's harness: runs the attacker's payload in the defender's jail. It is itself run inside the sandbox.

``PARTS`` has ``jail`` and ``payload``. The jail defines ``check(source)``, the filter, and may define ``ALLOWED``, the
globals the payload runs with; ``__builtins__`` is empty unless ``ALLOWED`` has it. The flag is one line on standard
input, which nobody has read, and stands nowhere else. What is printed and the exit code inform; the host decides by
the bytes.
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn

EXIT_INVALID_JAIL = 81
EXIT_REFUSED = 82


def run(jail: str, payload: str) -> None:
    namespace: dict[str, Any] = {"__name__": "jail"}
    try:
        exec(compile(jail, "<jail>", "exec"), namespace)
        allowed = {"__builtins__": {}, **namespace.get("ALLOWED", {})}
    except MemoryError:
        raise
    except BaseException as error:
        stop(EXIT_INVALID_JAIL, "the jail cannot be used: " + described(error))
    check = namespace.get("check")
    if not callable(check):
        stop(EXIT_INVALID_JAIL, "the jail defines no function check(source)")
    try:
        passed = check(payload) is True
    except MemoryError:
        raise
    except BaseException as error:
        stop(EXIT_REFUSED, "the filter raised " + described(error))
    if not passed:
        stop(EXIT_REFUSED, "the filter refused the payload")
    exec(compile(payload, "<payload>", "exec"), allowed)


def described(error: BaseException) -> str:
    """The error's type and text: both belong to whoever raised it, and may fail in turn."""
    try:
        return f"{type(error).__name__}: {error}"
    except BaseException:
        return "an error that cannot be shown"


def stop(code: int, sentence: str) -> NoReturn:
    print(sentence)
    sys.exit(code)


if __name__ == "__main__":
    run(PARTS["jail"], PARTS["payload"])  # type: ignore[name-defined] # noqa: F821 (given by the sandbox)
