"""``ludometer verify``: judge every match of a run again, from its log alone."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from ludometer.cli.run_address import RUN

if TYPE_CHECKING:
    from ludometer.store import Address


@click.command("verify")
@click.argument("run", type=RUN)
@click.option("--json", "as_json", is_flag=True, help="print the result as JSON")
def command(run: Address, as_json: bool) -> int:
    """Judge every finished match of RUN again from the log; no model is asked and no key is needed."""
    from ludometer.cli.output import clean, print_json
    from ludometer.tournaments import verify

    result = asyncio.run(verify(run))
    if as_json:
        print_json(
            {
                "passed": result.passed,
                "matches": result.matches,
                "attempts": result.attempts,
                "calls": result.calls,
                "without_moves": result.without_moves,
                "open": result.open,
                "void": result.void,
                "not_needed": result.not_needed,
                "decided": result.decided,
                "changed_files": result.changed_files,
                "problems": result.problems,
            }
        )
        return 0 if result.passed else 1
    click.echo(f"{result.matches} matches, {result.attempts} attempts and {result.calls} calls judged again")
    if result.without_moves:
        click.echo(f"{result.without_moves} matches were imported without moves and cannot be judged")
    if result.decided is not None:
        click.echo(f"{result.not_needed} matches are not needed: {clean(result.decided)}")
        if result.void:
            click.echo(f"{result.void} matches are void and were left out")
    elif result.open:
        click.echo(f"{result.open} matches are not finished and were left out")
    for sentence in result.changed_files:
        click.echo(f"changed: {clean(sentence)}")
    for problem in result.problems[:50]:
        click.echo(f"differs: {clean(problem)}")
    if not result.passed:
        click.echo(f"differences found: {len(result.problems)}")
    elif result.matches:
        click.echo("everything agrees")
    return 0 if result.passed else 1
