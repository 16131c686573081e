"""Imports go downwards only, and the light parts stay light.

Every import counts, wherever it stands: one inside a function or under ``TYPE_CHECKING`` spares time or a cycle at
run time, but the dependency is there for whoever reads or moves the code.
"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

import ludometer

SOURCE = Path(ludometer.__file__).parent

ORDER = (
    *("core", "games", "sandbox", "models", "prompts", "parsers", "strategies", "solvers", "players", "matches"),
    *("store", "ratings", "tournaments", "analysis", "reports", "training", "envs", "web", "cli", "testing"),
)
"""The folders from top to bottom, as on the architecture page. Each imports only from itself and those before it."""

FACE = "the public face"
"""Files beside the folders, other than ``_version``: they may import everything."""
USERS_OF_THE_FACE = ("envs", "web", "cli", "testing")
EXCEPTIONS = {("cli/commands/playthrough.py", "testing")}
"""`ludometer playthrough` writes the files that the tests compare with."""


def imported(source: str, package: str) -> Iterator[str]:
    """The folders of ludometer that a module imports from; ``FACE`` for names that the top module gives."""
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package.split(".")[: -node.level + 1 or None] if node.level else []
            module = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{module}.{alias.name}" for alias in node.names]
        for name in names:
            parts = name.split(".")
            if parts[0] == "ludometer" and parts[1:2] not in (["_version"], ["__version__"]):
                yield parts[1] if len(parts) > 1 and parts[1] in ORDER else FACE


def allowed(file: str, target: str) -> bool:
    folder = file.split("/")[0] if "/" in file else FACE
    if folder == FACE or (file, target) in EXCEPTIONS:
        return True
    if target == FACE:
        return folder in USERS_OF_THE_FACE
    return ORDER.index(target) <= ORDER.index(folder)


FILES = sorted(str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*.py"))


@pytest.mark.parametrize("file", FILES)
def test_imports_go_downwards(file: str) -> None:
    package = ".".join(["ludometer", *Path(file).parts[:-1]])
    targets = set(imported((SOURCE / file).read_text(encoding="utf-8"), package))
    assert {target for target in targets if not allowed(file, target)} == set()


def test_every_folder_has_its_place() -> None:
    folders = {file.split("/")[0] for file in FILES if "/" in file}
    assert folders <= set(ORDER)
    assert {"core", "games", "matches", "testing"} <= folders


def test_the_test_sees_what_it_should_see() -> None:
    source = (
        "from ludometer.core import Chance\nimport ludometer.games.tictactoe as t\nfrom ludometer import __version__\n"
        "from . import x\nfrom ..store import y\nfrom .. import cli\nimport ludometer\nfrom ludometer import play\n"
        "import numpy\ndef f():\n    from ludometer.web import z\n"
    )
    found = list(imported(source, "ludometer.matches"))
    assert sorted(found) == sorted(["core", "games", "matches", "store", "cli", FACE, FACE, "web"])
    assert allowed("matches/play.py", "core") and not allowed("matches/play.py", "store")
    assert not allowed("core/game.py", FACE) and allowed("cli/run.py", FACE) and allowed("api.py", "tournaments")
    assert not allowed("cli/run.py", "testing")


HEAVY = ("numpy", "scipy", "pandas", "aiohttp", "sqlalchemy", "rich", "pydantic", "asyncio")
LIGHT = {
    "ludometer": HEAVY,
    "ludometer.core": HEAVY,
    "ludometer.games.tictactoe": HEAVY,
    "ludometer.matches.match": tuple(name for name in HEAVY if name != "asyncio"),
    "ludometer.cli.main": ("numpy", "scipy", "pandas", "aiohttp", "sqlalchemy"),
}


@pytest.mark.parametrize(
    "module", [module for module in LIGHT if module != "ludometer.cli.main" or find_spec("ludometer.cli")]
)
def test_light_modules_stay_light(module: str) -> None:
    code = f"import sys, {module}; print(*(name for name in {LIGHT[module]!r} if name in sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.split() == []
