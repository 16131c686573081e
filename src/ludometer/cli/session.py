"""Playing a run from the command line: the live display, interrupts, and the closing words."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import click

from ludometer.cli.output import clean, print_json
from ludometer.cli.run_address import command_word
from ludometer.store import Address
from ludometer.tournaments import Progress, RunSummary
from ludometer.tournaments.runner import Runner

__all__ = ["finish", "play_run"]

Session = Callable[[Callable[[Runner], None]], Awaitable[RunSummary]]
"""Starts or resumes a run; it is given what to call with the runner."""

_PLAIN_EVERY = 10.0
"""Seconds between lines where the display is no terminal."""


def play_run(session: Session, *, quiet: bool = False, patient: bool = True) -> RunSummary:
    """Plays a run to its end or interruption, with progress on standard error.

    Args:
        quiet: no progress.
        patient: an interrupt waits for the answers on their way; not where a person is asked for them.
    """
    return asyncio.run(_play(session, quiet, patient))


async def _play(session: Session, quiet: bool, patient: bool) -> RunSummary:
    runners: list[Runner] = []
    task = asyncio.ensure_future(session(runners.append))
    _stop_on_interrupt(runners, task, patient)
    display = _Silent() if quiet else _Live() if sys.stderr.isatty() else _Plain()
    with display:
        while not task.done():
            await asyncio.wait({task}, timeout=0.25)
            if runners:
                display.show(runners[0].progress)
    try:
        return task.result()
    except asyncio.CancelledError:
        raise KeyboardInterrupt from None


def _stop_on_interrupt(runners: list[Runner], task: asyncio.Future[Any], patient: bool) -> None:
    """The first Ctrl-C asks for no further call, the second one gives up the calls on their way."""

    def interrupt() -> None:
        if not patient or not runners or runners[0].stopping:
            task.cancel()
            return
        runners[0].stop("interrupted")
        click.echo("\nstopping: answers on their way are still recorded (Ctrl-C again to give them up)", err=True)

    with contextlib.suppress(NotImplementedError, RuntimeError):  # no signal handlers outside the main thread
        asyncio.get_running_loop().add_signal_handler(signal.SIGINT, interrupt)


def finish(summary: RunSummary, where: Address, *, as_json: bool = False) -> int:
    """Prints how a session ended, and returns the exit code: 0 only for a complete run."""
    if as_json:
        print_json(_summary_json(summary, where))
    else:
        click.echo(_closing(summary, where), err=True)
        for note in summary.notes:
            click.echo(f"  {clean(note)}", err=True)
    if summary.stopped == "interrupted":
        return 130
    return 0 if summary.complete else 1


def _closing(summary: RunSummary, where: Address) -> str:
    done = f"{summary.finished} of {summary.total} matches finished"
    void = f", {summary.void} void" if summary.void else ""
    if summary.decided is not None:
        spared = f"{void}, {summary.not_needed} not needed"
        return f"{done}{spared}; {clean(summary.decided)}; the run is in {where}"
    if summary.complete:
        return f"{done}; the run is in {where}"
    return f"{done}{void}; {clean(summary.stopped)}. Go on with: ludometer resume {command_word(where)}"


def _summary_json(summary: RunSummary, where: Address) -> dict[str, Any]:
    totals = summary.totals
    return {
        "run": str(where),
        "matches": summary.total,
        "finished": summary.finished,
        "void": summary.void,
        "complete": summary.complete,
        "decided": summary.decided,
        "not_needed": summary.not_needed,
        "stopped": summary.stopped,
        "notes": list(summary.notes),
        "seconds": round(summary.seconds, 3),
        "calls": totals.calls,
        "failed_calls": totals.failed_calls,
        "input_tokens": totals.input_tokens,
        "output_tokens": totals.output_tokens,
        "cost_usd": None if totals.calls and totals.unpriced == totals.calls else totals.cost,
        "calls_without_a_price": totals.unpriced,
    }


# ------------------------------------------------------------------- displays


class _Silent:
    def __enter__(self) -> _Silent:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def show(self, progress: Progress) -> None:
        return None


class _Plain(_Silent):
    """A line now and then, for logs."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def show(self, progress: Progress) -> None:
        if time.monotonic() - self._last >= _PLAIN_EVERY:
            self._last = time.monotonic()
            click.echo(progress_line(progress), err=True)


class _Live(_Silent):
    """One line that is rewritten in place."""

    def __enter__(self) -> _Live:
        from rich.console import Console
        from rich.live import Live

        self._live = Live(console=Console(stderr=True), refresh_per_second=8, transient=True)
        self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def show(self, progress: Progress) -> None:
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        grid = Table.grid(padding=(0, 1))
        grid.add_row(ProgressBar(total=max(progress.total, 1), completed=progress.done, width=30))
        grid.add_row(Text(progress_line(progress)))
        for note in progress.notes[-3:]:
            grid.add_row(Text(clean(note), style="yellow"))
        self._live.update(grid)


def progress_line(progress: Progress) -> str:
    """The state of a run in one line."""
    totals = progress.totals
    parts = [
        f"{progress.done}/{progress.total} games",
        f"{progress.running} running",
        f"{progress.void} void",
    ]
    if totals.calls:
        unpriced = f"{totals.unpriced} calls of unknown cost"
        cost = f"${totals.cost:.4f}" + (f" + {unpriced}" if totals.unpriced else "")
        cost = unpriced if totals.unpriced == totals.calls else cost
        parts += [
            f"{totals.calls} calls ({progress.calls_per_second:.1f}/s, {totals.failed_calls} failed tries)",
            f"{totals.tokens} tokens",
            cost,
        ]
    left = progress.seconds_left
    if left is not None and progress.done < progress.total:
        parts.append(f"{_duration(left)} left")
    return ", ".join(parts)


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
