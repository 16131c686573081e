"""Every page: commands that exist, links that lead somewhere, code that runs, and nothing of anybody's workplace."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import click
import pytest

from ludometer.cli.main import cli


def _commands(page: Any) -> list[str]:
    """The ``ludometer ...`` lines of a page: in shell blocks, and in code within the text."""
    found = [line for block in page.blocks("sh") for line in block.text.splitlines()]
    prose = re.sub(r"^ *```.*?^ *```$", "", page.text, flags=re.MULTILINE | re.DOTALL)
    found += re.findall(r"`(ludometer [^`\n]+)`", prose)
    return [line.strip() for line in found if line.strip().startswith("ludometer ")]


def _parsed(line: str) -> None:
    """Lets click read a command without running it. Raises `click.ClickException`."""
    words = shlex.split(line, comments=True)[1:]
    command: click.Command = cli
    context = cli.make_context("ludometer", words[:1], resilient_parsing=True)
    while isinstance(command, click.Group):
        found = command.get_command(context, words[0])
        assert found is not None, f"there is no command {words[0]!r}: {line}"
        command, words = found, words[1:]
        if not words and isinstance(command, click.Group):
            return  # the group itself, which shows its help
    command.make_context(command.name or "", words)


def test_every_command_line_is_one_that_exists(page: Any) -> None:
    for line in _commands(page):
        if re.fullmatch(r"ludometer [a-z]+", line):
            assert line.split()[1] in cli.list_commands(click.Context(cli)), line  # type: ignore[attr-defined]
            continue
        try:
            _parsed(line)
        except click.ClickException as error:
            pytest.fail(f"{page.name}: {line}: {error.format_message()}")


def test_the_search_for_commands_finds_them(pages: Any) -> None:
    assert len(_commands(pages["README.md"])) >= 10
    with pytest.raises(click.ClickException):
        _parsed("ludometer play tictactoe -p random -p random --boards 3")
    with pytest.raises(AssertionError):
        _parsed("ludometer paly tictactoe")


def test_every_command_is_described_somewhere(pages: Any) -> None:
    described = {line.split()[1] for page in pages.all() for line in _commands(page)}
    assert set(cli.list_commands(click.Context(cli))) <= described  # type: ignore[attr-defined]


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.strip().casefold()).replace(" ", "-")


def test_links_lead_somewhere(page: Any, pages: Any) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", page.text):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, fragment = target.partition("#")
        path = (pages.root / page.name).parent / name if name else pages.root / page.name
        assert path.exists(), f"{page.name}: {target}"
        if fragment:
            headings = re.findall(r"^#+ (.+)$", path.read_text(encoding="utf-8"), re.MULTILINE)
            assert fragment in [_anchor(heading) for heading in headings], f"{page.name}: {target}"


def test_every_page_is_linked(pages: Any) -> None:
    linked = {
        str(((pages.root / page.name).parent / target).resolve().relative_to(pages.root))
        for page in pages.all()
        for target in re.findall(r"\]\(([\w./-]+\.md)(?:#[^)]*)?\)", page.text)
    }
    missing = [page.name for page in pages.all() if page.name.startswith("docs/") and page.name not in linked]
    assert missing == []


# A place on one machine, unfinished work, or a ticket: a page is for readers, wherever they are.
_PRIVATE = re.compile(
    r"(?<![\w.])/(?:home|root|work|tmp|Users|mnt|opt|srv)/|\b(?:TODO|FIXME|XXX)\b|\bissue #?\d+", re.IGNORECASE
)


def test_pages_speak_of_the_project_only(page: Any) -> None:
    found = _PRIVATE.search(page.text)
    assert found is None, f"{page.name}: {found}"


def test_examples_speak_of_the_project_only(example: Path) -> None:
    assert _PRIVATE.search(example.read_text(encoding="utf-8")) is None


def test_lines_are_of_a_readable_length(page: Any) -> None:
    for number, line in enumerate(page.text.splitlines(), start=1):
        if line.startswith(("|", "    ")) or "](" in line or page.name == "docs/architecture.md":
            continue
        assert len(line) <= 125, f"{page.name}:{number}"


def test_python_blocks_compile(page: Any) -> None:
    for block in page.blocks("python"):
        compile("\n" * (block.line - 1) + block.text, block.page, "exec")


@pytest.mark.parametrize("name", ["README.md", "docs/runs.md", "docs/ratings.md"])
def test_python_blocks_run(
    pages: Any, name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = pages[name].blocks("python")
    assert blocks
    for block in blocks:
        exec(compile("\n" * (block.line - 1) + block.text, block.page, "exec"), {"__name__": "page"})
    assert capsys.readouterr().out.strip()


def test_toml_blocks_are_toml(page: Any) -> None:
    import tomllib

    for block in page.blocks("toml"):
        tomllib.loads(block.text)
