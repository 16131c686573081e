"""Every error Ludometer raises on purpose, in one tree. Each class names the boundary it blames.

::

    LudometerError
    |-- ConfigurationError      the configuration: a name, an option or a file the user wrote
    |-- Illegal                 the player's answer: it breaks a rule or cannot be read
    |-- PlayerError             the player's code: it raised, or returned something that is no decision
    |-- ProviderError           the provider of a model: unreachable, refusing, or answering garbage
    |-- SandboxError            the sandbox: untrusted code could not be run at all
    |-- MachineError            this machine: disk full, read-only folder, run in use by another process
    |-- InternalError           us: a broken promise inside Ludometer (please report it)
    |   `-- ReplayMismatch      a recorded run and the present program disagree
    `-- Suspended               nobody: the run was asked to stop, and is resumable

The command line turns each into one sentence, with exit code 2 for the first and 1 for the others. A match turns the
errors of players, providers and the sandbox into verdicts before that (see `ludometer.matches`).
"""

from __future__ import annotations

from typing import ClassVar

__all__ = [
    "ConfigurationError",
    "Illegal",
    "InternalError",
    "LudometerError",
    "MachineError",
    "PlayerError",
    "ProviderError",
    "ReplayMismatch",
    "SandboxError",
    "Suspended",
]


class LudometerError(Exception):
    """Base of all errors raised on purpose. ``blames`` names the boundary at fault."""

    blames: ClassVar[str] = "us"


class ConfigurationError(LudometerError):
    """Something the user wrote is wrong; the message says what and what to write instead."""

    blames = "the configuration"


class Illegal(LudometerError):
    """An answer that cannot be played.

    Args:
        kind: the rule it breaks, in snake_case (``already_taken``, ``out_of_bounds``, ``invalid_format``, ...).
        reason: one sentence for a person or a model, without a final full stop.
    """

    blames = "the player's answer"

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__(f"{kind}: {reason}")
        self.kind = kind
        self.reason = reason

    def __reduce__(self) -> tuple[type[Illegal], tuple[str, str]]:
        return type(self), (self.kind, self.reason)  # the arguments are not the message: it would not unpickle


class PlayerError(LudometerError):
    """The player's own code raised or broke the player protocol."""

    blames = "the player's code"


class ProviderError(LudometerError):
    """A call to a model failed for a reason that says nothing about the model's skill.

    Args:
        message: what happened, already free of secrets.
        status: HTTP status, where there was one.
        transient: whether trying again later may help.
    """

    blames = "the provider"

    def __init__(self, message: str, *, status: int | None = None, transient: bool = True) -> None:
        super().__init__(message)
        self.status = status
        self.transient = transient


class SandboxError(LudometerError):
    """Untrusted code could not be run (the sandbox itself failed, not the code in it)."""

    blames = "the sandbox"


class MachineError(LudometerError):
    """Disk full, folder not writable, run locked by another process, file from a newer version."""

    blames = "this machine"


class InternalError(LudometerError):
    """A promise inside Ludometer does not hold."""

    blames = "us"


class ReplayMismatch(InternalError):
    """A recorded call or verdict differs from what the program would do now."""


class Suspended(LudometerError):
    """The run is to stop (a budget, an interrupt): no further call is made, and everything so far is recorded."""

    blames = "nobody"
