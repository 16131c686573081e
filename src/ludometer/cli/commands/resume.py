"""``ludometer resume``: go on with a run after any interruption."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from ludometer.cli.executors import executor_option, maker_of
from ludometer.cli.run_address import RUN

if TYPE_CHECKING:
    from ludometer.store import Address


@click.command("resume")
@click.argument("run", type=RUN)
@click.option("--budget-usd", metavar="N", help="a new budget of the whole run in US dollars, or unlimited")
@click.option("--budget-tokens", metavar="N", help="a new budget of the whole run in tokens, or unlimited")
@click.option("--stop-when", metavar="RULE", help='another rule for ending early, e.g. "interval <= 20", or never')
@executor_option("play the matches")
@click.option("--json", "as_json", is_flag=True, help="print the summary as JSON")
def command(
    run: Address,
    budget_usd: str | None,
    budget_tokens: str | None,
    stop_when: str | None,
    executor: str,
    as_json: bool,
) -> int:
    """Go on with the run in folder RUN. No finished match is played again, no recorded answer asked again."""
    from ludometer.cli.session import finish, play_run
    from ludometer.tournaments import resume

    maker = maker_of(executor)
    given = {"budget_usd": budget_usd, "budget_tokens": budget_tokens, "stop_when": stop_when}
    summary = play_run(
        lambda on_start: resume(run, **given, on_start=on_start, executor=maker),
        quiet=as_json,
    )
    return finish(summary, run, as_json=as_json)
