"""``ludometer import``: published results as a run."""

from __future__ import annotations

from pathlib import Path

import click

from ludometer.cli.run_address import FOLDER, command_word, run_place


@click.command("import")
@click.argument("study", type=click.Choice(["topsakal"]))
@click.option("--dir", "folder", type=FOLDER, help="the run's folder  [default: runs/STUDY]")
@click.option("--store", metavar="URL", help="keep the run in a database: postgresql://user@host/database?run=NAME")
def command(study: str, folder: Path | None, store: str | None) -> None:
    """Load a published study's tables as a run without moves, so that its ratings come out of our own code."""
    from ludometer.store.importing import import_topsakal

    target = import_topsakal(run_place(Path("runs") / study, folder, store))
    click.echo(f"the run is in {target}; see: ludometer leaderboard {command_word(target)}")
