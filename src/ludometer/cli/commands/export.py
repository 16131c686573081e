"""``ludometer export``: the data of a run in files for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ludometer.store.export import ExportFormat


@click.command("export")
@click.argument("run", type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(["json", "csv", "txt", "record"]), default="json", show_default=True
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="the folder to write into")
def command(run: Path, form: ExportFormat, out: Path) -> None:
    """Export the run in folder RUN: json (everything), csv (one line a game), txt (the moves drawn as boards) or record
    (the files that players of the game keep, such as PGN for chess)."""
    from ludometer.store import RunStore
    from ludometer.store.export import export

    with RunStore.open(run) as store:
        export(store, out, form)
    click.echo(f"exported to {out}")
