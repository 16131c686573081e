"""``ludometer resume``: go on with a run after any interruption."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("resume")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--budget-usd", metavar="N", help="a new budget of the whole run in US dollars, or unlimited")
@click.option("--budget-tokens", metavar="N", help="a new budget of the whole run in tokens, or unlimited")
@click.option("--json", "as_json", is_flag=True, help="print the summary as JSON")
def command(run: Path, budget_usd: str | None, budget_tokens: str | None, as_json: bool) -> int:
    """Go on with the run in folder RUN. No finished match is played again, no recorded answer asked again."""
    from ludometer.cli.session import finish, play_run
    from ludometer.tournaments import resume

    summary = play_run(
        lambda on_start: resume(run, budget_usd=budget_usd, budget_tokens=budget_tokens, on_start=on_start),
        quiet=as_json,
    )
    return finish(summary, run, as_json=as_json)
