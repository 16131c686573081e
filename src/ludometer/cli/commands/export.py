"""``ludometer export``: the data of a run in files for other programs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ludometer.cli.run_address import RUN

if TYPE_CHECKING:
    from ludometer.store import Address

_DATASETS = ("sft", "dpo", "trajectories")


@click.command("export")
@click.argument("run", type=RUN)
@click.option(
    "--format",
    "form",
    type=click.Choice(["json", "csv", "txt", "record", *_DATASETS]),
    default="json",
    show_default=True,
)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="the folder to write into")
@click.option("--parquet", is_flag=True, help="sft, dpo and trajectories as Parquet instead of JSON Lines")
@click.option("--anonymous", is_flag=True, help='call people "person 1", "person 2", ... instead of by their names')
def command(run: Address, form: Any, out: Path, parquet: bool, anonymous: bool) -> None:
    """Export the run in folder RUN: json (everything), csv (one line a game), txt (the moves drawn as boards) or record
    (the files that players of the game keep, such as PGN for chess); or data to train on, from the matches whose log
    verifies: sft (chats that end with a legal move), dpo (better and worse answers to one prompt) or trajectories (all
    attempts of a seat with rewards).

    Files of the same names in the folder are replaced.
    """
    from ludometer.core import ConfigurationError
    from ludometer.store import RunStore
    from ludometer.store.export import export

    if parquet and form not in _DATASETS:
        raise ConfigurationError(f"only {', '.join(_DATASETS)} can be written as Parquet, not {form}")
    if anonymous and form == "trajectories":
        raise ConfigurationError("trajectories name every player; --anonymous is for the other formats")
    with RunStore.open(run) as store:
        if form in _DATASETS:
            from ludometer.envs.offline_files import export_dataset

            written = export_dataset(store, out, form, parquet=parquet)
            click.echo(f"exported to {written[0]}; {written[1].name} says what was left out")
            return
        export(store, out, form, anonymous=anonymous)
    click.echo(f"exported to {out}")
