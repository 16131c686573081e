"""``ludometer play``: one match, or a few, between two players."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ludometer.core import Attempt
    from ludometer.matches import Match
    from ludometer.tournaments import RunSummary
    from ludometer.tournaments.runner import Runner


@click.command("play")
@click.argument("game")
@click.option("-p", "--player", "players", multiple=True, required=True, metavar="P", help="a player, once per seat")
@click.option("-o", "--option", "options", multiple=True, metavar="KEY=VALUE", help="an option of the game")
@click.option("--games", default=1, show_default=True, type=click.IntRange(1), help="seats change after every game")
@click.option("--seed", default="0", show_default=True, help="seed of everything random")
@click.option("--view", help="how the state is shown to models, and here")
@click.option("--answer", help="answer format of models: text, json, json_schema or tool")
@click.option("--strategy", help="strategy of models")
@click.option("--dir", "folder", type=click.Path(path_type=Path), help="keep the games as a run in this folder")
@click.option("--json", "as_json", is_flag=True, help="print the results as JSON")
def command(
    game: str,
    players: tuple[str, ...],
    options: tuple[str, ...],
    games: int,
    seed: str,
    view: str | None,
    answer: str | None,
    strategy: str | None,
    folder: Path | None,
    as_json: bool,
) -> int:
    """Play GAME with two players, the board drawn as it goes.

    A player is a name such as random, perfect or human, with options after a colon (perfect, human:view=list), or a
    model as provider/model (openai/gpt-5-mini, local/smollm2-135m:temperature=0).
    """
    from ludometer.core import ConfigurationError
    from ludometer.core.spec import parse_pairs
    from ludometer.tournaments import load_config

    if len(players) != 2:
        raise ConfigurationError(f"a game is between two players: give -p twice (it was given {len(players)} times)")
    prompt = {"view": view, "answer": answer, "strategy": strategy}
    config = load_config(
        {
            "name": f"{game}: {' against '.join(players)}",
            "game": {"name": game, **parse_pairs(options)},
            "players": _named(players),
            "schedule": {"kind": "series", "repeats": games},
            "prompt": {key: value for key, value in prompt.items() if value is not None},
            "seed": int(seed) if seed.lstrip("-").isdecimal() else seed,
            "concurrency": 1 if "human" in {p.split(":")[0] for p in players} or games == 1 else 16,
        }
    )
    with tempfile.TemporaryDirectory(prefix="ludometer-") as scratch:
        return _play(config, folder or Path(scratch) / "run", kept=folder is not None, view=view, as_json=as_json)


def _named(players: tuple[str, ...]) -> list[dict[str, Any]]:
    """Entrants with names of their own: a player may sit on both sides."""
    named = []
    for i, spec in enumerate(players):
        earlier = players[:i].count(spec)
        named.append({"player": spec, "name": f"{spec} ({earlier + 1})" if earlier else spec})
    return named


def _play(config: Any, folder: Path, *, kept: bool, view: str | None, as_json: bool) -> int:
    from ludometer.cli.session import finish, play_run
    from ludometer.store import RunStore
    from ludometer.tournaments import start

    single = config.schedule.repeats == 1
    drawn = single and not as_json

    def session(on_start: Callable[[Runner], None]) -> Awaitable[RunSummary]:
        def begin(runner: Runner) -> None:
            if drawn:
                runner.on_attempt = _Drawing(view)
            on_start(runner)

        return start(config, folder, on_start=begin)

    summary = play_run(session, quiet=single)
    with RunStore.open(folder) as store:
        rows = list(store.matches())
    if as_json:
        from ludometer.cli.output import print_json

        print_json({"complete": summary.complete, "stopped": summary.stopped, "games": [_row_json(r) for r in rows]})
        return 0 if summary.complete else 1
    _print_results(rows, drawn)
    if kept or not summary.complete:
        return finish(summary, folder)
    return 0


class _Drawing:
    """Prints every attempt, and the board after every move."""

    def __init__(self, view: str | None) -> None:
        self.view = view

    def __call__(self, match: Match, attempt: Attempt) -> None:
        from ludometer.cli.output import clean

        title = match.roles[attempt.seat].title or attempt.seat
        if not attempt.verdict.is_legal:
            reason = attempt.verdict.reason or attempt.verdict.kind
            said = f"   it said: {clean(attempt.decision.text)[:200]}" if attempt.decision.text else ""
            click.echo(f"{title}: not accepted ({attempt.verdict.kind}): {clean(reason)}{said}")
            return
        if attempt.decision.resign:
            click.echo(f"{title} resigns")
        elif match.notation:
            click.echo(f"{title}: {match.notation[-1]}")
            click.echo(self._board(match) + "\n")

    def _board(self, match: Match) -> str:
        from ludometer.core import Watcher

        views = {name: view for name, view in match.game.views().items() if view.kind == "text"}
        view = views.get(self.view or "", views.get("illustration", next(iter(views.values()))))
        return view.render(match.game.observe(match.state, Watcher.PUBLIC))


def _row_json(row: Any) -> dict[str, Any]:
    return {
        "id": row.id,
        "seats": row.seats,
        "ending": row.ending,
        "why": row.why,
        "scores": row.scores,
        "moves": (row.notation or "").splitlines(),
        "attempts": row.attempts,
        "bad_attempts": row.bad_attempts,
    }


def _print_results(rows: list[Any], drawn: bool) -> None:
    from ludometer.cli.output import clean, print_table

    if drawn and rows and rows[0].ending is not None:
        row = rows[0]
        click.echo(clean(_sentence(row)))
        return
    table = [[row.id, " - ".join(row.seats.values()), _score(row), row.ending, row.why, row.attempts] for row in rows]
    print_table("", ["game", "players", "score", "ending", "why", "moves"], table)


def _sentence(row: Any) -> str:
    best = max(row.scores, key=row.scores.get) if row.scores else None
    if best is None:
        return f"{row.ending}: {row.why}"
    if row.scores[best] == min(row.scores.values()):
        return f"Draw: {row.why}"
    return f"{best} ({row.seats[best]}) wins: {row.why}"


def _score(row: Any) -> str:
    return " - ".join(f"{row.scores[seat]:g}" for seat in row.seats) if row.scores else "-"
