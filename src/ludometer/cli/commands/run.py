"""``ludometer run``: a tournament from a configuration file or a preset."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ludometer.cli.executors import executor_option, maker_of
from ludometer.cli.run_address import FOLDER, run_place

if TYPE_CHECKING:
    from ludometer.tournaments.estimate import Scheduled

_SHOWN = 20
"""Rows of a schedule that are printed; a file of openings can make hundreds."""


@click.command("run")
@click.argument("file")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="override a key, e.g. schedule.repeats=5")
@click.option("--dir", "folder", type=FOLDER, help="the run's folder  [default: runs/NAME]")
@click.option("--store", metavar="URL", help="keep the run in a database: postgresql://user@host/database?run=NAME")
@executor_option("play the matches")
@click.option(
    "--dry-run", "dry", is_flag=True, help="show the schedule, the calls and the cost to expect; call nothing"
)
@click.option("--json", "as_json", is_flag=True, help="print the summary as JSON")
def command(
    file: str,
    overrides: tuple[str, ...],
    folder: Path | None,
    store: str | None,
    executor: str,
    dry: bool,
    as_json: bool,
) -> int:
    """Play the tournament that FILE (TOML) or a preset describes, and keep it in a folder or a database."""
    from ludometer.cli.session import finish, play_run
    from ludometer.tournaments import load_config, start

    config = load_config(file, overrides)
    if dry:
        return dry_run(config, as_json)
    target, maker = run_place(config.default_folder(), folder, store), maker_of(executor)
    summary = play_run(lambda on_start: start(config, target, on_start=on_start, executor=maker), quiet=as_json)
    return finish(summary, target, as_json=as_json)


def dry_run(config: object, as_json: bool) -> int:
    """Prints what a run would take, and calls nothing."""
    from ludometer.analysis.frames import condition_label
    from ludometer.cli.output import print_json, print_notes, print_table
    from ludometer.tournaments import RunConfig
    from ludometer.tournaments.estimate import estimate

    assert isinstance(config, RunConfig)
    expected = estimate(config)
    if as_json:
        print_json(expected.to_dict())
        return 0
    click.echo(f"{expected.matches} matches, {expected.model_matches} of them with a language model")
    played = [[_game(s), condition_label(s.condition) or None, s.seatings, s.matches] for s in expected.schedule]
    more = [f"and {len(played) - _SHOWN} more"] if len(played) > _SHOWN else []
    print_table("", ["game", "condition", "seatings", "matches"], played[:_SHOWN], notes=more)
    if expected.models:
        rows = [[m.name, m.matches, m.calls, m.input_tokens, m.output_tokens, m.cost_text] for m in expected.models]
        columns = ["model", "matches", "calls", "input tokens", "output tokens", "US dollars"]
        click.echo()
        print_table("", columns, rows, notes=expected.notes)
    else:
        print_notes(expected.notes)
    return 0


def _game(scheduled: Scheduled) -> str:
    from ludometer.analysis.frames import condition_label

    return f"{scheduled.game} ({condition_label(scheduled.options)})" if scheduled.options else scheduled.game
