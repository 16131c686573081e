"""``ludometer report``: one self-contained page."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="the file to write  [default: RUN/report.html]")
@click.option("--figures", type=click.Path(path_type=Path), help="also write every figure as SVG into this folder")
@click.option("--png", is_flag=True, help="write the figures as PNG too")
def command(run: Path, out: Path | None, figures: Path | None, png: bool) -> None:
    """Write the report of the run in folder RUN: tables and figures on one HTML page that needs nothing else."""
    from ludometer.reports import write_figures, write_report
    from ludometer.store import RunStore

    with RunStore.open(run) as store:
        click.echo(f"report: {write_report(store, out)}")
        if figures is not None:
            written = write_figures(store, figures, png=png)
            click.echo(f"{len(written)} figures: {figures}")
