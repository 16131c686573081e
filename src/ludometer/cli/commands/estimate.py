"""``ludometer estimate``: what a run will take, from a few of its games."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludometer.cli.run_address import FOLDER, command_word

if TYPE_CHECKING:
    from ludometer.tournaments import RunConfig
    from ludometer.tournaments.games_needed import GamesNeeded
    from ludometer.tournaments.pilot import PilotEstimate, Predicted
    from ludometer.tournaments.prediction import Precision


@click.command("estimate")
@click.argument("file")
@click.option("--set", "overrides", multiple=True, metavar="KEY=VALUE", help="override a key, e.g. schedule.repeats=5")
@click.option("--games", type=click.IntRange(min=1), default=4, show_default=True, help="matches of the pilot")
@click.option("--dir", "folder", type=FOLDER, help="the run's folder, which the pilot begins  [default: runs/NAME]")
@click.option("--no-pilot", is_flag=True, help="call nothing: what run --dry-run says")
@click.option(
    "--interval",
    type=click.FloatRange(min=0, min_open=True),
    metavar="ELO",
    help="ratings known to ± ELO: games needed",
)
@click.option("--json", "as_json", is_flag=True, help="print as JSON")
def command(
    file: str,
    overrides: tuple[str, ...],
    games: int,
    folder: Path | None,
    no_pilot: bool,
    interval: float | None,
    as_json: bool,
) -> int:
    """Say what the run that FILE (TOML) or a preset describes will take: calls, tokens and cost, as ranges.

    A pilot of a few games is really played, in the run's own folder: ludometer run FILE, or resume, goes on from there.
    """
    from ludometer.core import ConfigurationError
    from ludometer.tournaments import load_config

    config = load_config(file, overrides)
    if no_pilot:
        if interval is not None:
            raise ConfigurationError("--interval needs the results of a pilot; leave out --no-pilot")
        from ludometer.cli.commands.run import dry_run

        return dry_run(config, as_json)
    return _pilot(config, folder or config.default_folder(), games, interval, as_json)


def _pilot(config: RunConfig, target: Path, games: int, interval: float | None, as_json: bool) -> int:
    from ludometer.cli.output import clean, print_json
    from ludometer.cli.session import play_run
    from ludometer.store import RunStore
    from ludometer.tournaments.pilot import play_pilot, predict

    summary = play_run(lambda on_start: play_pilot(config, target, games, on_start=on_start), quiet=as_json)
    for note in summary.notes:
        click.echo(f"  {clean(note)}", err=True)
    if summary.stopped == "interrupted":
        return 130
    with RunStore.open(target) as store:
        found = predict(store, interval)
    if as_json:
        print_json({"run": str(target), **found.to_dict()})
    else:
        _print(found, target)
    return 0


def _print(found: PilotEstimate, target: Path) -> None:
    from ludometer.cli.output import clean, print_notes, print_table

    spent = found.spent["cost"]
    paid = "" if not found.models else ", of unknown cost" if spent is None else f", for {spent:.4f} US dollars"
    click.echo(f"{found.games} of {found.matches} matches played{paid}; they are in {clean(target)}")
    if found.models:
        both = len(found.models) > 1 and found.total is not None
        rows = [_row(model) for model in (*found.models, *((found.total,) if both and found.total else ()))]
        columns = ["model", "matches", "played", "calls", "input tokens", "output tokens", "US dollars"]
        print_table("The whole run, 95% prediction ranges", columns, rows, notes=found.notes)
    else:
        print_notes(["no language model plays: nothing is asked, and nothing costs", *found.notes[1:]])
    if found.needed is not None:
        _print_needed(found.needed)
    if found.games < found.matches:
        click.echo(f"Play the rest with: ludometer resume {clean(command_word(target))}")


def _row(model: Predicted) -> list[object]:
    cost = "unknown" if model.cost is None else f"{model.cost.low:.2f} to {model.cost.high:.2f}"
    counts: list[object] = [model.name, model.matches, model.games]
    return [*counts, model.calls, model.input_tokens, model.output_tokens, cost]


def _print_needed(needed: GamesNeeded) -> None:
    from ludometer.cli.output import print_table

    def shown(number: Precision) -> str:
        return f"{number.value:,.0f} ({number.low:,.0f} to {number.high:,.0f})"

    design = needed.design
    rows: list[list[Any]] = [
        [f"matches for ratings known to ± {needed.half_width:g} Elo", shown(needed.matches)],
        ["± Elo to expect from the schedule as it is", shown(needed.as_scheduled)],
    ]
    if needed.repeats is not None:
        rows.insert(1, ["schedule.repeats for that", shown(needed.repeats)])
    draws = f"draws {100 * design.draws.value:.0f}% ({100 * design.draws.low:.0f} to {100 * design.draws.high:.0f})"
    group = f"{design.duplicates.value:.2f} ({design.duplicates.low:.2f} to {design.duplicates.high:.2f})"
    note = f"from {design.games} games, {draws}, and {design.groups} pairs of games with the seats swapped"
    print_table(
        "Games needed",
        ["", "range"],
        rows,
        notes=[f"{note}, whose mean varies {group} times as much as without pairing"],
    )
