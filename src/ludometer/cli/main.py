"""The entry point: finds the command, and turns every error a user can cause into one sentence."""

from __future__ import annotations

import importlib
import sys

import click

from ludometer._version import __version__
from ludometer.core.errors import ConfigurationError, LudometerError

__all__ = ["cli", "main"]

_COMMANDS = (
    "play",
    "run",
    "resume",
    "extend",
    "leaderboard",
    "report",
    "export",
    "rate",
    "verify",
    "import",
    "list",
    "models",
    "doctor",
    "new",
    "playthrough",
)


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


def _module(name: str) -> str:
    return f"{name}_" if name in ("import", "list") else name


@click.command(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="ludometer")
def cli() -> None:
    """Measure what language models can do by letting them play games.

    Start with:  ludometer play tictactoe -p random -p perfect
    """


def main() -> None:
    """Runs the command line. Exit codes: 0 done, 1 a failed run, 2 a usage or configuration error, 130 interrupted."""
    try:
        code = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        code = 2
    except click.Abort:
        click.echo("interrupted", err=True)
        code = 130
    except ConfigurationError as error:
        click.echo(f"ludometer: {error}", err=True)
        code = 2
    except LudometerError as error:
        click.echo(f"ludometer: {error}", err=True)
        code = 1
    except KeyboardInterrupt:
        click.echo("interrupted; what was recorded is safe", err=True)
        code = 130
    except BrokenPipeError:
        # The reader of a pipe went away (as `| head` does): nothing is wrong.
        sys.stderr.close()
        code = 0
    sys.exit(code if isinstance(code, int) else 0)
