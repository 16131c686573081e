"""What an installation needs: requirements that resolve, no syntax newer than declared, data that travels along."""

from __future__ import annotations

import ast
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

ROOT = Path(__file__).parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SOURCES = sorted((ROOT / "src").rglob("*.py"))


def oldest() -> tuple[int, int]:
    declared = SpecifierSet(PROJECT["project"]["requires-python"])
    return next((3, minor) for minor in range(30) if f"3.{minor}" in declared)


def test_the_declared_python_is_the_oldest_that_is_spoken_of() -> None:
    assert oldest() == (3, 11)
    versions = [c.rpartition(" ")[2] for c in PROJECT["project"]["classifiers"] if "Python :: 3." in c]
    assert versions[0] == "3.11"
    assert PROJECT["tool"]["ruff"]["target-version"] == "py311"


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_syntax_is_newer_than_the_declared_python(path: Path) -> None:
    ast.parse(path.read_text(encoding="utf-8"), filename=str(path), feature_version=oldest())


def test_requirements_can_be_met_together() -> None:
    """The environment of these tests is one that meets them all, and every one of them has a lower bound."""
    for text in PROJECT["project"]["dependencies"]:
        requirement = Requirement(text)
        assert any(part.operator in (">=", "==", "~=") for part in requirement.specifier), f"{text} has no lower bound"
        installed = metadata.version(requirement.name)
        assert requirement.specifier.contains(installed, prereleases=True), f"{text}, but {installed} is installed"


def test_data_files_are_part_of_the_package() -> None:
    build = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert build["packages"] == ["src/ludometer"]
    assert build["force-include"] == {"presets": "ludometer/presets"}
    assert list((ROOT / "presets").glob("*.toml"))
    assert (ROOT / "src" / "ludometer" / "py.typed").exists()
    # A rule that keeps files out of version control keeps them out of the wheel too.
    ignored = [line.strip() for line in (ROOT / ".gitignore").read_text(encoding="utf-8").splitlines() if line.strip()]
    for path in (ROOT / "src" / "ludometer").rglob("*"):
        parts = path.relative_to(ROOT).parts
        if path.is_file() and not any(part.startswith((".", "__pycache__")) for part in parts):
            assert not any(rule.strip("/") in parts or path.match(rule) for rule in ignored), path
