"""Help: every command has some, and asking for it stays light."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from typing import Any

import click
import pytest

from ludometer.cli.main import cli as root
from ludometer.prompts import ANSWER_FORMATS

Cli = Callable[..., Any]

HEAVY = ("numpy", "pandas", "scipy", "sqlalchemy", "aiohttp", "rich", "pydantic", "xllamacpp", "pydantic_ai")


def commands() -> list[tuple[str, ...]]:
    """Every command, those inside groups too, as the words that call it."""
    context = click.Context(root)
    found: list[tuple[str, ...]] = [()]
    for name in root.list_commands(context):  # type: ignore[attr-defined]
        command = root.get_command(context, name)  # type: ignore[attr-defined]
        found.append((name,))
        if isinstance(command, click.Group):
            found += [(name, inner) for inner in command.commands]
    return found


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_help_of_every_command(cli: Cli, words: tuple[str, ...]) -> None:
    result = cli(*words, "--help")
    assert result.code == 0
    assert result.out.startswith("Usage: ludometer " + " ".join(words))
    assert result.err == ""
    if words:
        description = result.out.split("\n\n")[1].strip()
        assert description.endswith(".") or ":" in description, "a command says in sentences what it does"


def test_every_option_says_what_it_does() -> None:
    context = click.Context(root)
    for words in commands():
        command: click.Command = root
        for word in words:
            command = command.get_command(context, word)  # type: ignore[attr-defined]
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not isinstance(parameter.type, click.Choice):
                assert parameter.help or parameter.show_default, f"{words}: {parameter.name} has no help"


def test_the_list_of_commands_names_every_module(cli: Cli) -> None:
    listed = cli("--help").out.split("Commands:\n")[1].splitlines()
    assert [line.split()[0] for line in listed] == [words[0] for words in commands() if len(words) == 1]
    assert not any(line.endswith("...") for line in listed), "a line is cut off"


def test_answer_formats_of_play_are_all_there_are() -> None:
    play = root.get_command(click.Context(root), "play")  # type: ignore[attr-defined]
    choice = next(p.type for p in play.params if p.name == "answer")
    assert tuple(choice.choices) == ANSWER_FORMATS


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["play", "--help"], ["run", "--help"], ["plya"]])
def test_help_imports_nothing_heavy(words: list[str]) -> None:
    program = (
        "import sys\n"
        "from ludometer.cli.main import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"heavy = [name for name in {HEAVY} if name in sys.modules]\n"
        "sys.exit(f'imported: {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_version(cli: Cli) -> None:
    from ludometer import __version__

    assert cli("--version").out.strip() == f"ludometer, version {__version__}"


def test_nothing_at_all_shows_the_help(cli: Cli) -> None:
    result = cli()
    assert result.code == 2
    assert "Commands:" in result.out + result.err
