"""``ludometer playthrough``: the golden file of a game."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("playthrough")
@click.argument("game")
@click.option("--write", is_flag=True, help="write the file instead of printing it")
@click.option("--dir", "folder", type=click.Path(path_type=Path), default=Path("tests/playthroughs"), show_default=True)
@click.option("--seed", default=0, show_default=True)
def command(game: str, write: bool, folder: Path, seed: int) -> None:
    """Print one whole random game with everything a player sees; --write keeps it as the golden file."""
    from ludometer.testing.playthrough import playthrough, write_playthrough

    if write:
        click.echo(f"wrote {write_playthrough(game, folder, seed)}")
    else:
        click.echo(playthrough(game, seed), nl=False)
