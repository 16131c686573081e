"""``ludometer resume``: go on with a run after any interruption."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ludometer.cli.run_address import RUN

if TYPE_CHECKING:
    from ludometer.store import Address


@click.command("resume")
@click.argument("run", type=RUN)
@click.option("--budget-usd", metavar="N", help="a new budget of the whole run in US dollars, or unlimited")
@click.option("--budget-tokens", metavar="N", help="a new budget of the whole run in tokens, or unlimited")
@click.option("--stop-when", metavar="RULE", help='another rule for ending early, e.g. "interval <= 20", or never')
@click.option("--json", "as_json", is_flag=True, help="print the summary as JSON")
def command(
    run: Address, budget_usd: str | None, budget_tokens: str | None, stop_when: str | None, as_json: bool
) -> int:
    """Go on with the run in folder RUN. No finished match is played again, no recorded answer asked again."""
    from ludometer.cli.session import finish, play_run
    from ludometer.tournaments import resume

    summary = play_run(
        lambda on_start: resume(
            run, budget_usd=budget_usd, budget_tokens=budget_tokens, stop_when=stop_when, on_start=on_start
        ),
        quiet=as_json,
    )
    return finish(summary, run, as_json=as_json)
