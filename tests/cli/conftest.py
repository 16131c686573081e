"""The command line as a user runs it: in this process where that is enough, in one of its own where it is not."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from ludometer.cli.main import main

ENTRY = [sys.executable, "-c", "from ludometer.cli.main import main; main()"]
"""The command line in a process of its own."""


class Result(NamedTuple):
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)

    @property
    def sentence(self) -> str:
        """The error of a command that says one sentence and nothing else."""
        lines = self.err.strip().splitlines()
        assert len(lines) == 1, self.err
        assert lines[0].startswith("ludometer: ")
        return lines[0].removeprefix("ludometer: ")


Cli = Callable[..., Result]


@pytest.fixture
def cli(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Cli:
    """Runs ``ludometer ARGUMENTS`` in an empty folder, with no key and no local model, and returns what it said."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDOMETER_CACHE", str(tmp_path / "cache"))
    for name in list(os.environ):
        if name.endswith(("_API_KEY", "_BASE_URL")):
            monkeypatch.delenv(name)

    def run(*arguments: object, stdin: str = "") -> Result:
        monkeypatch.setattr(sys, "argv", ["ludometer", *map(str, arguments)])
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        with pytest.raises(SystemExit) as left:
            main()
        said = capsys.readouterr()
        return Result(int(left.value.code or 0), said.out, said.err)

    return run


@pytest.fixture
def launch(tmp_path: Path) -> Callable[..., subprocess.Popen[str]]:
    """Starts ``ludometer ARGUMENTS`` in a process of its own, in an empty folder."""

    def start(*arguments: object) -> subprocess.Popen[str]:
        pipes: dict[str, Any] = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen([*ENTRY, *map(str, arguments)], cwd=tmp_path, text=True, **pipes)

    return start


@pytest.fixture
def entry() -> list[str]:
    """The command line that `launch` starts."""
    return ENTRY
