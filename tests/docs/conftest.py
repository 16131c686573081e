"""Reading the project's pages: code blocks, tables, commands and links."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]


class Block(NamedTuple):
    """A fenced block of a page: its language, its text, and the line it begins on."""

    page: str
    language: str
    text: str
    line: int


class Page(NamedTuple):
    """A page: its name (relative to the project) and its text."""

    name: str
    text: str

    def blocks(self, language: str) -> list[Block]:
        found = re.finditer(r"^ *```(\w*)\n(.*?)^ *```$", self.text, re.MULTILINE | re.DOTALL)
        return [
            Block(self.name, block[1], block[2], self.text[: block.start()].count("\n") + 2)
            for block in found
            if block[1] == language
        ]

    def tables(self) -> list[list[list[str]]]:
        """Every table as rows of cells, the head left out. A bar inside code is not a border."""
        tables: list[list[list[str]]] = []
        inside = False
        for line in self.text.splitlines():
            if not line.startswith("|"):
                inside = False
                continue
            if not inside:
                tables.append([])
                inside = True
            tables[-1].append([cell.strip() for cell in line.strip().strip("|").split("|")])
        return [table[2:] for table in tables]

    def section(self, title: str) -> Page:
        """The part under a heading, up to the next one of the same depth or above."""
        head = re.search(rf"^(#+) {re.escape(title)}$", self.text, re.MULTILINE)
        assert head is not None, f"{self.name} has no heading {title!r}"
        rest = self.text[head.end() :]
        end = re.search(rf"^#{{1,{len(head[1])}}} ", rest, re.MULTILINE)
        return Page(self.name, rest[: end.start()] if end else rest)


class Pages:
    """All pages of the project."""

    root = ROOT

    def all(self) -> list[Page]:
        paths = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
        return [self[str(path.relative_to(ROOT))] for path in paths]

    def __getitem__(self, name: str) -> Page:
        return Page(name, (ROOT / name).read_text(encoding="utf-8"))


@pytest.fixture
def pages() -> Pages:
    return Pages()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Runs a test that takes ``page`` for every page, and one that takes ``example`` for every script."""
    if "page" in metafunc.fixturenames:
        found = Pages().all()
        metafunc.parametrize("page", found, ids=[page.name for page in found])
    if "example" in metafunc.fixturenames:
        scripts = sorted((ROOT / "examples").glob("*.py"))
        metafunc.parametrize("example", scripts, ids=[path.name for path in scripts])
