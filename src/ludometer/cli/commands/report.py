"""``ludometer report``: one self-contained page."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("report")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="the file to write  [default: RUN/report.html]")
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
    run: Path,
    out: Path | None,
    figures: Path | None,
    png: bool,
    pdf: bool,
    latex: Path | None,
    methods: Path | None,
    benchmark: Path | None,
) -> None:
    """Write the report of the run in folder RUN: tables and figures on one HTML page that needs nothing else."""
    from ludometer.analysis.benchmarks import read_benchmarks
    from ludometer.core import ConfigurationError
    from ludometer.reports import report_data, write_figures, write_latex, write_methods, write_report
    from ludometer.store import RunStore

    if figures is None and (png or pdf):
        raise ConfigurationError("--png and --pdf need a folder for the figures: --figures FOLDER")
    scores = None if benchmark is None else read_benchmarks(benchmark)
    with RunStore.open(run) as store:
        data = report_data(store, benchmarks=scores)
        click.echo(f"report: {write_report(store, out, data=data)}")
        if figures is not None:
            written = write_figures(store, figures, png=png, pdf=pdf, data=data)
            click.echo(f"{len(written)} figures: {figures}")
        if latex is not None:
            click.echo(f"{len(write_latex(store, latex, data=data))} tables: {latex}")
        if methods is not None:
            click.echo(f"methods: {write_methods(store, methods)}")
