"""The entry point: finds the command, and turns every error a user can cause into one sentence."""

from __future__ import annotations

import importlib
import io
import sys
import warnings

import click

from ludometer._version import __version__
from ludometer.cli.output import clean
from ludometer.core.errors import ConfigurationError, LudometerError

__all__ = ["cli", "main"]

_COMMANDS = {
    "play": "Play a game, the board drawn as it goes.",
    "run": "Play the tournament that a file or a preset describes.",
    "estimate": "Say what a run will take, from a few of its games.",
    "resume": "Go on with a run after any interruption.",
    "extend": "Add players or games to a run.",
    "leaderboard": "Print who plays how well, and how sure that is.",
    "analyze": "Judge how good the moves of a run were.",
    "view": "Show, start and play runs in a browser.",
    "report": "Write a run's tables and figures as one HTML page.",
    "export": "Write a run's data as JSON, CSV or text.",
    "rate": "Rate games that were played elsewhere, from a CSV file.",
    "train": "Train a player that learns.",
    "optimize": "Optimize a DSPy program on recorded games.",
    "verify": "Judge every match of a run again, from its log.",
    "import": "Load a published study's tables as a run.",
    "list": "List games, players, models, presets or strategies.",
    "models": "Fetch and list models that run on this machine.",
    "doctor": "Check this installation.",
    "new": "Start a game or a player of your own.",
    "playthrough": "Print one whole random game as a player sees it.",
}
"""Every command with one line about it, so that listing them imports none."""


class _Commands(click.Group):
    """Commands by module: ``ludometer NAME`` is ``commands/NAME.py``, and only that is imported."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"ludometer.cli.commands.{_module(cmd_name)}")
        command: click.Command = module.command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in _COMMANDS and not args[0].startswith("-"):
            from ludometer.core.registry import nearest

            raise ConfigurationError(f"there is no command {args[0]!r}{nearest(args[0], _COMMANDS)}")
        return super().resolve_command(ctx, args)


def _module(name: str) -> str:
    return f"{name}_" if name in ("import", "list") else name


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="ludometer")
def cli() -> None:
    """Measure what language models can do by letting them play games.

    Start with:  ludometer play tictactoe -p random -p perfect
    """


def _one_line(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """A warning as a sentence: where in the code it was raised means nothing to whoever typed a command."""
    return f"ludometer: {clean(message)}\n"


def _line(text: object) -> str:
    """An error on one line, whatever a name in it holds."""
    return " ".join(clean(text).splitlines())


def main() -> None:
    """Runs the command line. Exit codes: 0 done, 1 a failed run, 2 a usage or configuration error, 130 interrupted."""
    warnings.formatwarning = _one_line
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            # The name of a file need not be text, and not every terminal knows every character.
            stream.reconfigure(errors="backslashreplace")
    try:
        code = cli.main(prog_name="ludometer", standalone_mode=False)
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        more = f" (see {context.command_path} --help)" if context is not None else ""
        click.echo(f"ludometer: {clean(error.format_message()).rstrip('.')}{more}", err=True)
        code = 2
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        code = 130
    except LudometerError as error:
        # Names come from files that somebody else may have written.
        click.echo(f"ludometer: {_line(error)}", err=True)
        code = 2 if isinstance(error, ConfigurationError) else 1
    except SystemExit:
        # Here click leaves by itself only when the reader of a pipe went away (as `| head` does): nothing is wrong.
        code = 0
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        click.echo(f"ludometer: {_line(where)}{error.strerror or error}", err=True)
        code = 1
    sys.exit(code if isinstance(code, int) else 0)
