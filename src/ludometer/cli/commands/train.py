"""``ludometer train``: players that learn."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from ludometer.training.curve import CurvePoint
    from ludometer.training.uno_run import Trained

_GAMES = 512_000


@click.group("train")
def command() -> None:
    """Train a player that learns (needs the extra rl)."""


@command.command("dqn-uno")
@click.option("--dir", "folder", type=click.Path(path_type=Path), required=True, help="the training's folder")
@click.option("--games", type=click.IntRange(1), help=f"games to learn from, about  [default: {_GAMES:,}]")
@click.option("--seed", type=int, help="of all luck of the training  [default: 0]")
@click.option("--resume", is_flag=True, help="go on with the training in the folder")
@click.option("--every", type=click.IntRange(1), default=10, show_default=True, help="rounds between checkpoints")
@click.option("--threads", type=click.IntRange(1), default=1, show_default=True, help="processors to use")
@click.option("--json", "as_json", is_flag=True, help="print the result as JSON")
def dqn_uno_command(
    folder: Path, games: int | None, seed: int | None, resume: bool, every: int, threads: int, as_json: bool
) -> None:
    """Train a deep Q-network to play UNO, in games against random players and itself.

    The folder then has weights.npz, for the player dqn:weights=PATH, and the learning curve. Killed at any time, it
    goes on from its last checkpoint with --resume, to the same result.
    """
    from ludometer.training import require_torch

    require_torch()
    from ludometer.training.uno_dqn import Settings
    from ludometer.training.uno_run import train

    given = games is not None or seed is not None
    settings = None if resume and not given else Settings.for_games(games or _GAMES, seed=seed or 0)
    trained = train(folder, settings, resume=resume, every=every, threads=threads, on_point=_tell)
    _print(trained, as_json)


def _tell(point: CurvePoint) -> None:
    interval = f"{point.mean:.1%} [{point.low:.1%}, {point.high:.1%}]"
    click.echo(f"{point.played:,} games: wins {interval} of {point.games:,} against random", err=True)


def _print(trained: Trained, as_json: bool) -> None:
    from ludometer.cli.output import print_json

    found = trained.strength
    if as_json:
        print_json({"weights": str(trained.weights), "strength": found._asdict()})
        return
    click.echo(
        f"wins {found.mean:.1%} [{found.low:.1%}, {found.high:.1%}] of {found.games:,} other games against random"
    )
    click.echo(f"play it as: ludometer play uno -p random -p dqn:weights={trained.weights}")
