"""Running programs that nobody trusts: one call, several ways of keeping them in, and never without one.

`run` takes a `Program` and returns a `Run`, what the host saw of it. The backends (one file each, or a plug-in of the
entry-point group ``ludometer.sandbox``) are tried in order, and used only after they have passed the self-test. Only
officials use this folder: what they found out is an action in the log.
"""

from ludometer.sandbox._jail import EXIT_INVALID_JAIL, EXIT_REFUSED
from ludometer.sandbox.backend import SANDBOXES, Backend, LocalBackend
from ludometer.sandbox.choose import (
    EXIT_PAYLOAD,
    JAIL_BYTES,
    PAYLOAD_BYTES,
    Finding,
    close,
    describe,
    examine,
    run,
    run_jail,
    unavailable,
)
from ludometer.sandbox.program import SHOWN, Limits, Program, Run, Status, escaped

__all__ = [
    "EXIT_INVALID_JAIL",
    "EXIT_PAYLOAD",
    "EXIT_REFUSED",
    "JAIL_BYTES",
    "PAYLOAD_BYTES",
    "SANDBOXES",
    "SHOWN",
    "Backend",
    "Finding",
    "Limits",
    "LocalBackend",
    "Program",
    "Run",
    "Status",
    "close",
    "describe",
    "escaped",
    "examine",
    "run",
    "run_jail",
    "unavailable",
]
