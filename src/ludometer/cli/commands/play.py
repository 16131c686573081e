"""``ludometer play``: one match, or a few, between the players of one table."""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from ludometer.core import AnyGame, Attempt
    from ludometer.matches import Match
    from ludometer.tournaments import RunSummary
    from ludometer.tournaments.runner import Runner


@click.command("play")
@click.argument("game")
@click.option("-p", "--player", "players", multiple=True, required=True, metavar="P", help="a player, once per seat")
@click.option("-o", "--option", "options", multiple=True, metavar="KEY=VALUE", help="an option of the game")
@click.option("--official", "officials", multiple=True, metavar="NAME=P", help="who judges, in games with officials")
@click.option("--games", default=1, show_default=True, type=click.IntRange(1), help="seats change after every game")
@click.option("--seed", default="0", show_default=True, help="seed of everything random")
@click.option("--view", help="how the state is shown to models and people, see: ludometer list games")
@click.option("--answer", type=click.Choice(["text", "json", "json_schema", "tool"]), help="answer format of models")
@click.option("--strategy", help="strategy of models, see: ludometer list strategies")
@click.option("--dir", "folder", type=click.Path(path_type=Path), help="keep the games as a run in this folder")
@click.option("--json", "as_json", is_flag=True, help="print the results as JSON")
def command(
    game: str,
    players: tuple[str, ...],
    options: tuple[str, ...],
    officials: tuple[str, ...],
    games: int,
    seed: str,
    view: str | None,
    answer: str | None,
    strategy: str | None,
    folder: Path | None,
    as_json: bool,
) -> int:
    """Play GAME with two players, or as many as it is for, the board drawn as it goes.

    A player is a name such as random, perfect or human, with options after a colon (human:view=list), or a model as
    provider/model (openai/gpt-5-mini, local/smollm2-135m:temperature=0). The first one moves first.
    """
    from ludometer.core.spec import parse_pairs
    from ludometer.tournaments import load_config

    prompt = {"view": view, "answer": answer, "strategy": strategy}
    _check_prompt(game, parse_pairs(options), players, prompt)
    config = load_config(
        {
            "name": f"{game}: {' against '.join(players)}",
            "game": {"name": game, **parse_pairs(options)},
            "players": _named(players, view),
            "schedule": {"kind": "series", "repeats": games, "seats": len(players)},
            "prompt": {key: value for key, value in prompt.items() if value is not None},
            "officials": _officials(officials),
            "seed": int(seed) if seed.lstrip("-").isdecimal() else seed,
            "concurrency": 1 if any(_is_human(player) for player in players) or games == 1 else 16,
        }
    )
    with tempfile.TemporaryDirectory(prefix="ludometer-") as scratch:
        return _play(config, folder or Path(scratch) / "run", kept=folder is not None, view=view, as_json=as_json)


def _check_prompt(game: str, options: dict[str, Any], players: tuple[str, ...], prompt: dict[str, str | None]) -> None:
    """Raises `ConfigurationError` for a setting that no player of this game would use."""
    from ludometer.core import ConfigurationError, make_game
    from ludometer.core.registry import nearest
    from ludometer.players import Entrant

    rules = make_game(game, options)
    _check_count(rules, len(players))
    view = prompt["view"]
    if view is not None and view not in rules.views():
        raise ConfigurationError(f"{rules.title} has no view {view!r}{nearest(view, rules.views())}")
    unused = [f"--{name}" for name in ("answer", "strategy") if prompt[name] is not None]
    if unused and not any(Entrant.of(player).is_model for player in players):
        raise ConfigurationError(f"{unused[0]} is for language models, and no player here is one (provider/model)")


def _officials(written: tuple[str, ...]) -> dict[str, str]:
    """Players by official, from ``NAME=PLAYER``, split at the first equal sign: options of a player have some too."""
    from ludometer.core import ConfigurationError

    found = {}
    for text in written:
        name, equals, player = text.partition("=")
        if not equals or not name.strip() or not player.strip():
            raise ConfigurationError(f"--official {text!r}: write NAME=PLAYER, for example judge1=openai/gpt-5-mini")
        found[name.strip()] = player.strip()
    return found


def _check_count(rules: AnyGame, given: int) -> None:
    from ludometer.core import ConfigurationError

    fewest, most = rules.players
    if fewest <= given <= most:
        return
    times = "twice" if most == 2 else f"{most} times" if fewest == most else f"{fewest} to {most} times"
    was = "once" if given == 1 else f"{given} times"
    raise ConfigurationError(f"{rules.title}: give -p {times}, once per player (it was given {was})")


def _is_human(player: str) -> bool:
    return player.split(":")[0].strip() == "human"


def _named(players: tuple[str, ...], view: str | None) -> list[dict[str, Any]]:
    """Entrants with names of their own: a player may sit on both sides."""
    named: list[dict[str, Any]] = []
    for i, spec in enumerate(players):
        earlier = players[:i].count(spec)
        entry = {"player": spec, "name": f"{spec} ({earlier + 1})" if earlier else spec}
        if view is not None and _is_human(spec) and "view=" not in spec:
            entry["view"] = view
        named.append(entry)
    return named


def _play(config: Any, folder: Path, *, kept: bool, view: str | None, as_json: bool) -> int:
    from ludometer.cli.output import print_json
    from ludometer.cli.session import finish, play_run
    from ludometer.store import RunStore
    from ludometer.tournaments import start

    single = config.schedule.repeats == 1
    drawn = single and not as_json

    human = any(entrant.spec.name == "human" for entrant in config.entrants())

    def session(on_start: Callable[[Runner], None]) -> Awaitable[RunSummary]:
        def begin(runner: Runner) -> None:
            if drawn:
                runner.on_attempt = _Drawing(view, alone=not human)
            on_start(runner)

        return start(config, folder, on_start=begin)

    summary = play_run(session, quiet=single or human, patient=not human)
    with RunStore.open(folder) as store:
        rows = list(store.matches())
    finished = [row for row in rows if row.status == "finished"]
    if as_json:
        print_json({"complete": summary.complete, "stopped": summary.stopped, "games": [_row_json(r) for r in rows]})
    elif finished:
        _print_results(finished, drawn)
    if summary.complete:
        return finish(summary, folder) if kept and not as_json else 0
    if summary.stopped == "interrupted":
        return 130 if as_json else _interrupted(summary, folder, kept)
    _raise_void(rows, folder if kept else None, str(summary.stopped))
    return 1


def _interrupted(summary: RunSummary, folder: Path, kept: bool) -> int:
    from ludometer.cli.session import finish

    if kept:
        return finish(summary, folder)
    click.echo(f"interrupted: {summary.finished} of {summary.total} games were finished", err=True)
    return 130


def _raise_void(rows: list[Any], folder: Path | None, stopped: str) -> None:
    """Says why games could not be finished: a run that was not kept can not be resumed, so this is its end."""
    from ludometer.core import ConfigurationError, ProviderError

    void = next((row for row in rows if row.status == "void"), None)
    why = void.why if void is not None else stopped
    after = f"; go on with: ludometer resume {folder}" if folder is not None else ""
    if void is not None and void.offender is None:
        # No seat's provider or official failed: what the user set up did.
        raise ConfigurationError(f"{why}{after}")
    raise ProviderError(f"the game could not be finished: {why}{after}")


class _Drawing:
    """Prints every attempt, and the board after every move.

    Args:
        view: the view to draw with, where it can be printed.
        alone: nobody at this terminal is shown the board anyway when it is their turn.
    """

    def __init__(self, view: str | None, *, alone: bool = True) -> None:
        self.view = view
        self.alone = alone
        self._drawn = 0
        self._gone = False

    def __call__(self, match: Match, attempt: Attempt) -> None:
        # Where the reader of a pipe went away the game goes on, unseen: a view of a match must not stop it.
        if not self._gone:
            try:
                self._draw(match, attempt)
            except BrokenPipeError:
                self._gone = True

    def _draw(self, match: Match, attempt: Attempt) -> None:

        title = match.roles[attempt.seat].title or attempt.seat
        if not attempt.verdict.is_legal:
            click.echo(f"{title}: not accepted ({attempt.verdict.kind}){self._rejected(match, attempt)}")
        elif attempt.decision.resign:
            click.echo(f"{title} resigns")
        self._draw_moves(match)

    def _rejected(self, match: Match, attempt: Attempt) -> str:
        """Reason and answer of a bad attempt: both may tell what only its seat knows."""
        from ludometer.cli.output import clean

        if not self._may_show(match):
            return ""
        said = f"   it said: {_shortened(clean(attempt.decision.text))}" if attempt.decision.text else ""
        return f": {clean(attempt.verdict.reason or attempt.verdict.kind)}{said}"

    def _may_show(self, match: Match) -> bool:
        """Whether everything may be shown: nobody at this terminal has a seat from which some of it is hidden."""
        return self.alone or match.ending is not None or match.game.perfect_information

    def _draw_moves(self, match: Match) -> None:
        """The moves that came into effect: of one seat, or of all that decided at the same time.

        A person in a game with hidden information sees them from their own seat, when it is their turn.
        """
        from ludometer.cli.output import clean

        if not self._may_show(match):
            return
        new = list(zip(match.moves, match.notation, strict=True))[self._drawn :]
        self._drawn += len(new)
        for move, notation in new:
            title = match.roles[move.seat].title or move.seat
            played = f"{title} (played for it)" if move.substituted else title
            # What an official found out can be pages long, and the board below tells it in words.
            shown = _shortened(notation) if match.roles[move.seat].kind == "official" else notation
            click.echo(f"{played}: {clean(shown)}")
        if new and (self.alone or match.ending is not None):
            click.echo(clean(self._board(match)) + "\n")

    def _board(self, match: Match) -> str:
        from ludometer.core import Watcher
        from ludometer.players.human import drawn_view

        view = match.game.views().get(self.view or "")
        if view is None or view.kind != "text":
            view = drawn_view(match.game)
        return view.render(match.game.observe(match.state, Watcher.FULL))


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 200 else f"{line[:200]}..."


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

    if drawn:
        click.echo(clean(_sentence(rows[0])))
        if len(rows[0].seats) > 2 and rows[0].scores:
            click.echo(clean(_standings(rows[0])))
        return
    table = [[row.id, " - ".join(row.seats.values()), _score(row), row.ending, row.why, row.attempts] for row in rows]
    print_table("", ["game", "players", "score", "ending", "why", "moves"], table)


def _sentence(row: Any) -> str:
    best = max(row.scores, key=row.scores.get) if row.scores else None
    if best is None:
        return f"{str(row.ending).capitalize()}: {row.why}"
    if row.scores[best] == min(row.scores.values()):
        return f"Draw: {row.why}"
    how = " by forfeit" if row.ending == "forfeit" else ""
    shared = list(row.scores.values()).count(row.scores[best]) > 1
    if shared:
        first = " and ".join(_holder(row, seat) for seat, score in row.scores.items() if score == row.scores[best])
        return f"{first} share the best score{how}: {row.why}"
    return f"{_holder(row, best)} wins{how}: {row.why}"


def _standings(row: Any) -> str:
    """Every seat of a table for more than two, the best first."""
    payoffs = row.payoffs or {}
    places = sorted(row.scores, key=lambda seat: -row.scores[seat])
    return "; ".join(
        f"{_holder(row, seat)}: score {row.scores[seat]:.3g}"
        + (f", payoff {payoffs[seat]:+g}" if seat in payoffs else "")
        for seat in places
    )


def _holder(row: Any, seat: str) -> str:
    """The seat, and who held it."""
    return f"{f'Player {seat}' if seat.isdecimal() else seat} ({row.seats[seat]})"


def _score(row: Any) -> str:
    return " - ".join(f"{row.scores[seat]:g}" for seat in row.seats) if row.scores else "-"
