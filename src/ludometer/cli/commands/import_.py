"""``ludometer import``: published results as a run."""

from __future__ import annotations

from pathlib import Path

import click

from ludometer.cli.run_address import FOLDER


@click.command("import")
@click.argument("study", type=click.Choice(["topsakal"]))
@click.option("--dir", "folder", type=FOLDER, help="the run's folder  [default: runs/STUDY]")
def command(study: str, folder: Path | None) -> None:
    """Load a published study's tables as a run without moves, so that its ratings come out of our own code."""
    from ludometer.store.importing import import_topsakal

    target = import_topsakal(folder or Path("runs") / study)
    click.echo(f"the run is in {target}; see: ludometer leaderboard {target}")
