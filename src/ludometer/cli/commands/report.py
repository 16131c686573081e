"""``ludometer report``: one self-contained page, with the replays in it or without scripts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludometer.cli.run_address import RUN

if TYPE_CHECKING:
    from ludometer.store import Address


@click.command("report")
@click.argument("run", type=RUN)
@click.option("--out", type=click.Path(path_type=Path), help="the file to write  [default: RUN/report.html]")
@click.option("--plain", is_flag=True, help="tables and figures alone, without replays and without scripts")
@click.option("--figures", type=click.Path(path_type=Path), help="also write every figure as SVG into this folder")
@click.option("--png", is_flag=True, help="write the figures as PNG too")
@click.option("--pdf", is_flag=True, help="write the figures as PDF too (needs ludometer[pdf])")
@click.option("--latex", type=click.Path(path_type=Path), help="also write the tables as LaTeX into this folder")
@click.option("--methods", type=click.Path(path_type=Path), help="also write what was done, in words, into this file")
@click.option(
    "--benchmark",
    type=click.Path(path_type=Path),
    help="correlate the ratings with the scores in this CSV file: entrant, and a column per benchmark",
)
def command(
    run: Address,
    out: Path | None,
    plain: bool,
    figures: Path | None,
    png: bool,
    pdf: bool,
    latex: Path | None,
    methods: Path | None,
    benchmark: Path | None,
) -> None:
    """Write the report of the run in folder RUN: one HTML page that needs nothing else, no server and no network.

    It is the viewer with the run's data inside: leaderboard, matrix, matches move by move, and the written report.

    A file of --out or --methods is replaced where this command wrote it, and no other; figures and tables of the same
    names are replaced.
    """
    from ludometer.analysis.benchmarks import read_benchmarks
    from ludometer.core import ConfigurationError
    from ludometer.reports import report_data, write_figures, write_latex, write_methods, write_report
    from ludometer.reports.write import check_targets
    from ludometer.store import RunStore
    from ludometer.web.static import write_page

    if figures is None and (png or pdf):
        raise ConfigurationError("--png and --pdf need a folder for the figures: --figures FOLDER")
    check_targets(out, methods)
    scores = None if benchmark is None else read_benchmarks(benchmark)
    with RunStore.open(run) as store:
        data = report_data(store, benchmarks=scores)
        page = write_report(store, out, data=data) if plain else write_page(store, out, data=data)
        click.echo(f"report: {page}")
        if figures is not None:
            written = write_figures(store, figures, png=png, pdf=pdf, data=data)
            click.echo(f"{len(written)} figures: {figures}")
        if latex is not None:
            click.echo(f"{len(write_latex(store, latex, data=data))} tables: {latex}")
        if methods is not None:
            click.echo(f"methods: {write_methods(store, methods)}")
