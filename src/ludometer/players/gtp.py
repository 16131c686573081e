"""GNU Go, driven over the Go Text Protocol (GTP, version 2)."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from ludometer.core import AnyGame, ConfigurationError, Decision, Fault, PlayerError, Turn

__all__ = ["GtpPlayer"]

_ELSEWHERE = os.pathsep.join(("/usr/games", "/usr/local/games", "/usr/local/bin", "/opt/homebrew/bin"))
"""Where packages put games, beside the folders of PATH."""
_PROBE_SECONDS = 10.0
_FLAGS = ("--mode", "gtp", "--chinese-rules", "--forbid-suicide", "--positional-superko", "--capture-all-dead")
"""Area scoring; dead stones are captured before passing, because the game scores what stands on the board."""


class Setting(NamedTuple):
    """What the engine and the game must agree on."""

    size: int
    komi: float


class GtpPlayer:
    """GNU Go, with the board size, komi and scoring of the game.

    Every decision starts the program anew, tells it all moves so far and asks for one: it keeps nothing between turns,
    and ends before the decision is returned (GNU Go starts within some hundredths of a second).

    Args:
        path: the program, by name or place.
        level: how hard it thinks, from 1 to 10.
        deadline: seconds after which a decision is given up and the program is killed.
    """

    name: ClassVar[str] = "gtp"
    description: ClassVar[str] = "GNU Go, an engine for Go, at a level from 1 to 10"

    def __init__(self, path: str = "gnugo", level: int = 10, deadline: float = 120.0) -> None:
        if not 1 <= level <= 10:
            raise ValueError(f"level must be between 1 and 10, not {level}")
        if not deadline > 0:
            raise ValueError(f"deadline must be a positive number of seconds, not {deadline}")
        self.path, self.level, self.deadline = path, level, deadline

    def supports(self, game: AnyGame) -> None:
        """Starts the engine once to see that it is there and takes the game's settings.

        Raises:
            ConfigurationError: the game is not Go, the program is missing or no GNU Go, or it keeps other settings.
        """
        if game.name != "go":
            raise ConfigurationError(f"the player gtp plays Go only, not {game.title}")
        setting = Setting(int(game.options["size"]), float(game.options["komi"]))
        commands = _opening(setting)
        try:
            done = subprocess.run(
                self._call(1), input=_script(commands), capture_output=True, timeout=_PROBE_SECONDS, check=False
            )
        except subprocess.TimeoutExpired:
            raise ConfigurationError(f"{self.path} does not answer to GTP; give the place of GNU Go as path") from None
        except OSError as error:
            raise self._unusable(error) from None
        self._agree(setting, _answers(done.stdout, len(commands)))

    async def act(self, turn: Turn) -> Decision:
        """Raises `ConfigurationError` as ``supports`` does, and `PlayerError` where the engine fails."""
        data = turn.observation.data
        setting = Setting(len(data["board"]), float(data["komi"]))
        opening = _opening(setting)
        moves = [f"play {event.seat} {event.what}" for event in turn.observation.events]
        commands = [*opening, *moves, f"genmove {turn.seat}"]
        seed = 1 + turn.chance.below(2**31 - 1)[0]
        try:
            async with asyncio.timeout(self.deadline):
                written = await self._run(self._call(seed), _script(commands))
        except TimeoutError:
            return Decision(fault=Fault("timeout", f"{self.path} gave no move within {self.deadline:g} s"))
        answers = _answers(written, len(commands))
        self._agree(setting, answers)
        for command, answer in zip(commands, answers, strict=True):
            if answer is None or answer.failed:
                said = "nothing" if answer is None else repr(answer.text[:60])
                raise PlayerError(f"{self.path} answered {said} to {command!r}")
        last = answers[-1]
        assert last is not None  # the loop has looked at it
        if last.text.casefold() == "resign":
            return Decision(text=last.text, resign=True)
        return Decision(turn.parse(last.text), text=last.text)

    def _call(self, seed: int) -> list[str]:
        program = shutil.which(self.path) or shutil.which(self.path, path=_ELSEWHERE)
        if program is None:
            raise ConfigurationError(
                f"GNU Go was not found as {self.path!r}; install it (Debian and Ubuntu: apt-get install gnugo; macOS: "
                "brew install gnu-go) or name its place, as in gtp:path=/usr/games/gnugo"
            )
        return [program, *_FLAGS, "--never-resign", "--level", str(self.level), "--seed", str(seed)]

    async def _run(self, call: Sequence[str], script: bytes) -> bytes:
        """What the program writes when it is given ``script``. It has always ended when this returns or raises."""
        pipe = asyncio.subprocess.PIPE
        try:
            process = await asyncio.create_subprocess_exec(
                *call, stdin=pipe, stdout=pipe, stderr=asyncio.subprocess.DEVNULL, start_new_session=True
            )
        except OSError as error:
            raise self._unusable(error) from None
        try:
            written, _ = await process.communicate(script)
        finally:
            await asyncio.shield(_end(process))
        return written

    def _agree(self, setting: Setting, answers: Sequence[_Answer | None]) -> None:
        """Refuses an engine that is not set as the game is: it would play another game than its opponent."""
        name, size, komi, record = (
            None if i >= len(answers) or (answer := answers[i]) is None or answer.failed else answer.text
            for i in range(len(_SETTING_UP), len(_SETTING_UP) + 4)
        )
        if name != "GNU Go":
            raise ConfigurationError(
                f"{self.path} calls itself {name or 'nothing'!r}, not GNU Go; only GNU Go's settings can be checked"
            )
        rules = re.search(r"RU\[(\w{1,20})", record or "")
        said = (size, _number(komi), rules[1] if rules else None)
        wanted = (str(setting.size), setting.komi, "Chinese")
        if said != wanted:
            raise ConfigurationError(
                f"{self.path} did not take the game's board size, komi and rules: it says {said}, not {wanted}"
            )

    def _unusable(self, error: OSError) -> ConfigurationError:
        return ConfigurationError(f"{self.path} cannot be run as GNU Go: {error.strerror or error}")


class _Answer(NamedTuple):
    failed: bool
    text: str


_SETTING_UP = ("boardsize", "clear_board", "komi")
_ASKING_BACK = ("name", "query_boardsize", "get_komi", "printsgf")


def _opening(setting: Setting) -> list[str]:
    """The commands that set the engine up, and those that ask it how it is set."""
    arguments = (f" {setting.size}", "", f" {setting.komi:g}")
    return [*map("".join, zip(_SETTING_UP, arguments, strict=True)), *_ASKING_BACK]


def _script(commands: Sequence[str]) -> bytes:
    return "".join(f"{i} {command}\n" for i, command in enumerate([*commands, "quit"])).encode()


def _answers(written: bytes, count: int) -> list[_Answer | None]:
    """The answers to the first ``count`` commands, by their ids; None where there is none."""
    found: dict[int, _Answer] = {}
    text = written.decode("utf-8", "replace").replace("\r", "")
    for match in re.finditer(r"^([=?])(\d{1,6})(?:[^\S\n]+|(?=\n)|$)(.*?)(?:\n\n|\Z)", text, re.MULTILINE | re.DOTALL):
        found.setdefault(int(match[2]), _Answer(match[1] == "?", match[3].strip()))
    return [found.get(i) for i in range(count)]


def _number(text: str | None) -> float | None:
    try:
        return float(text or "")
    except ValueError:
        return None


async def _end(process: asyncio.subprocess.Process) -> None:
    """Kills the program with everything it started, and reaps it."""
    # Nothing to kill is not an error; macOS says "not permitted" of a group whose members are all dead.
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    await process.wait()
