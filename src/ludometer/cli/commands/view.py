"""``ludometer view``: the viewer in a browser."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ludometer.cli.run_address import RUNS

if TYPE_CHECKING:
    from ludometer.store import Address
    from ludometer.store.address import Database
    from ludometer.web.serving import Served


@click.command("view")
@click.argument("runs", nargs=-1, metavar="[RUN]...", type=RUNS)
@click.option(
    "--host", default="127.0.0.1", show_default=True, help="who can reach it; others than this machine need a token"
)
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="the port, or the next free one"
)
@click.option(
    "--token", envvar="LUDOMETER_TOKEN", help="the secret that is asked for  [default: made where it is needed]"
)
@click.option("--no-browser", is_flag=True, help="open no browser")
def command(runs: tuple[Address | Database, ...], host: str, port: int, token: str | None, no_browser: bool) -> None:
    """Show runs in a browser: leaderboards, matches move by move, what is at play now; start runs, and play.

    RUN is a run (its folder, or its address in a database), a folder of runs, or a database with all its runs
    (postgresql://user@host/database); without one it is the folder runs.
    """
    from ludometer.web.serving import named_runs, serve

    serve(named_runs(runs), host=host, port=port, token=token, browser=not no_browser, told=_told)


def _told(served: Served) -> None:
    click.echo(f"open {served.url}  (Ctrl-C ends it)")
    if served.token is not None:
        click.echo("whoever has this address can see everything, and start runs and games", err=True)
