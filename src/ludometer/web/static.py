"""The viewer as one file with its data inside: it opens from disk, without a server, and nothing is loaded.

The file is the built ``viewer.html`` with two things added: a content security policy that lets only the page's own
script run (by its hash), and

    <script type="application/json" id="ludometer-data">DATA</script>

DATA is JSON ``{"session": Session, "responses": {PATH?QUERY: what the API would answer}}``, compressed with gzip and
written in base64, or as it is with every ``<`` escaped. Names and values of a query are percent-encoded and sorted. A
response that is a text is the key of another one that says the same (a position that two viewers see alike).

What is embedded is bounded. The matches whose moves are in the page are chosen evenly over the run, and the page says
how many that are.
"""

from __future__ import annotations

import base64
import gzip
import html
import json
import os
import zlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from pydantic import BaseModel

from ludometer._version import __version__
from ludometer.core import LudometerError
from ludometer.core.paths import file_path
from ludometer.reports import report_data
from ludometer.reports.write import PAGE, write_file
from ludometer.store import MatchRow, RunStore
from ludometer.web.app import viewer_page
from ludometer.web.calls import calls_of
from ludometer.web.matches import match_entry
from ludometer.web.problems import written
from ludometer.web.replay import match_detail, position
from ludometer.web.report_page import figures_of, page_of
from ludometer.web.runs import OpenRun, slug
from ludometer.web.security import content_policy
from ludometer.web.session import run_detail, run_name
from ludometer.web.shapes import MatchDetail, MatchPage, RunDetail, RunList, Session
from ludometer.web.tables import board, head_to_head
from ludometer.web.values import analysis_of

__all__ = ["Bounds", "static_page", "write_page"]

DATA_ID = "ludometer-data"


class Bounds(NamedTuple):
    """How much is embedded.

    Attributes:
        file: bytes of the replays as they stand in the file (compressed, in base64).
        data: characters of the replays as a browser has to read them.
        matches: matches that are listed.
        parts: games and levels that have tables of their own.
    """

    file: int = 20_000_000
    data: int = 48_000_000
    matches: int = 20_000
    parts: int = 60


def write_page(
    store: RunStore,
    path: str | os.PathLike[str] | None = None,
    *,
    data: Mapping[str, Any] | None = None,
    bounds: Bounds = Bounds(),  # noqa: B008 (a constant)
) -> Path:
    """Writes the viewer with the data of a run as one self-contained HTML page and returns its path.

    Args:
        path: of the page; where it is None, ``report.html`` in the run's folder, or ``NAME-report.html`` here for a run
            in a database.
        data: what `ludometer.reports.report_data` made of the run, where it is wanted for several files.

    Raises:
        ConfigurationError: the path is that of a folder, or of a file that is no page.
        MachineError: the file cannot be written.
    """
    target = store.beside("report.html") if path is None else file_path(path)
    text = static_page(store, data=data, bounds=bounds)
    write_file(target, text.encode("utf-8", "backslashreplace"), PAGE)
    return target


def static_page(
    store: RunStore,
    *,
    data: Mapping[str, Any] | None = None,
    bounds: Bounds = Bounds(),  # noqa: B008 (a constant)
    compress: bool = True,
    report: bool = True,
) -> str:
    """The page as text.

    Args:
        data, bounds: as for `write_page`.
        compress: write the data as gzip in base64, else as JSON that a person can read.
        report: with the sections and figures of the written report, which take most of the time.
    """
    run = OpenRun(slug(store.name), store)
    if run.public_only:
        data = None  # the report draws whole games
    elif report and data is None:
        data = report_data(store)
    embedded = _embedded(run, data, bounds)
    page = viewer_page()
    policy = html.escape(content_policy(page, served=False), quote=True)
    title = html.escape(run_name(run).encode("utf-8", "replace").decode(), quote=True)
    page = page.replace("<head>", f'<head><meta http-equiv="Content-Security-Policy" content="{policy}">', 1)
    page = page.replace("<title>Ludometer</title>", f"<title>{title} - Ludometer</title>", 1)
    body = page.rfind("</body>")
    script = f'<script type="application/json" id="{DATA_ID}">{_packed(embedded, compress)}</script>'
    return page[:body] + script + page[body:]


def _packed(text: str, compress: bool) -> str:
    if not compress:
        return text.replace("<", "\\u003c")
    return base64.b64encode(gzip.compress(text.encode("ascii"), 9, mtime=0)).decode("ascii")


# -------------------------------------------------------------------- responses


def _embedded(run: OpenRun, data: Mapping[str, Any] | None, bounds: Bounds) -> str:
    """The JSON of the page. It is put together from texts, since it may be large."""
    root = f"/api/runs/{quote(run.id, safe='')}"
    rows = list(run.store.matches())
    listed = [rows[i] for i in sorted(_evenly(len(rows))[: bounds.matches])]
    replays, shown = _replays(run, root, rows, bounds)
    detail = run_detail(run)
    detail = detail.model_copy(update={"notes": [*detail.notes, *_notes(detail, len(rows), len(listed), shown)]})
    page = MatchPage(matches=[match_entry(run, row) for row in listed], total=len(rows), next=None)
    pieces = [
        _piece("/api/runs", RunList(runs=[detail.entry], folder="", places=[])),
        _piece(root, detail),
        _piece(f"{root}/matches", page),
        *_tables(run, root, detail, data, bounds),
        *replays,
    ]
    session = Session(version=__version__, live=False, can_run=False, run=run.id, folder="", reach=None)
    return f'{{"session":{written(session)},"responses":{{{",".join(pieces)}}}}}'


def _notes(detail: RunDetail, total: int, listed: int, shown: int) -> Iterator[str]:
    """What is left out, with numbers."""
    if listed < total:
        yield f"This page lists {listed:,} of the run's {total:,} matches, chosen evenly."
    if shown < listed and detail.has_moves:
        yield (
            f"This page holds the moves of {shown:,} of {total:,} matches, chosen evenly; `ludometer view` shows all "
            "of them."
        )


def _piece(key: str, value: BaseModel | list[Any]) -> str:
    return f"{json.dumps(key)}:{written(value)}"


def _key(path: str, **query: str) -> str:
    """A path with its query, as the page asks for it."""
    pairs = sorted((name, value) for name, value in query.items() if value)
    encoded = "&".join(f"{_component(name)}={_component(value)}" for name, value in pairs)
    return f"{path}?{encoded}" if encoded else path


def _component(text: str) -> str:
    """As JavaScript's encodeURIComponent writes it."""
    return quote(text, safe="!'()*-._~", errors="replace")


def _tables(
    run: OpenRun, root: str, detail: RunDetail, data: Mapping[str, Any] | None, bounds: Bounds
) -> Iterator[str]:
    facets = detail.facets
    parts: list[tuple[str | None, dict[str, str]]] = [(None, {})]
    parts += [(game, {}) for game in facets.games]
    parts += [(None, {name: level}) for name, levels in facets.factors.items() for level in levels]
    for game, factors in parts[: bounds.parts]:
        query = {"game": game or "", **{f"factor.{name}": level for name, level in factors.items()}}
        plain = _key(f"{root}/leaderboard", **query), _key(f"{root}/matrix", **query)
        for counting in ("headline", "played"):
            keys = (
                _key(f"{root}/leaderboard", **query, counting=counting),
                _key(f"{root}/matrix", **query, counting=counting),
            )
            yield _piece(keys[0], board(run, game, factors, counting))
            met = head_to_head(run, game, factors, counting, figures=False)
            if game is None and not factors and data is not None:
                met = met.model_copy(update={"figures": figures_of(data)})
            yield _piece(keys[1], met)
            if counting == "headline":
                yield from (f"{json.dumps(one)}:{json.dumps(two)}" for one, two in zip(plain, keys, strict=True))
    if data is not None:
        yield _piece(f"{root}/report", page_of(data))


# ---------------------------------------------------------------------- replays


def _replays(run: OpenRun, root: str, rows: list[MatchRow], bounds: Bounds) -> tuple[list[str], int]:
    """The replays of as many matches as there is room for, and how many that are."""
    pieces: list[str] = []
    packer = zlib.compressobj(6)
    file = data = shown = 0
    for i in _evenly(len(rows)):
        row = rows[i]
        if row.status == "scheduled":
            continue
        found = list(_replay(run, root, row))
        text = ",".join(found)
        # What it takes in the file is known once it is compressed; base64 makes four characters of three bytes.
        packed = len(packer.compress(text.encode("ascii"))) + len(packer.flush(zlib.Z_SYNC_FLUSH))
        if pieces and (file + packed * 4 // 3 > bounds.file or data + len(text) > bounds.data):
            break
        file, data, shown = file + packed * 4 // 3, data + len(text), shown + 1
        pieces += found
    return pieces, shown


def _replay(run: OpenRun, root: str, row: MatchRow) -> Iterator[str]:
    try:
        detail = match_detail(run, row)
    except LudometerError:
        return
    here = f"{root}/matches/{_component(row.id)}"
    viewers = [viewer for viewer in ("public", "full") if viewer in detail.viewers]
    yield _piece(here, detail.model_copy(update={"viewers": viewers}))
    yield from _positions(run, row, here, detail.plies, viewers)
    if not run.public_only:
        yield _piece(f"{here}/values", analysis_of(run, row))
        yield from _calls(run, row, here, detail)


def _positions(run: OpenRun, row: MatchRow, here: str, plies: int, viewers: Iterable[str]) -> Iterator[str]:
    for ply in range(plies + 1):
        seen: dict[tuple[Any, ...], str] = {}
        for viewer in viewers:
            found = position(run, row, ply, viewer)
            key = _key(f"{here}/positions/{ply}", viewer=viewer)
            same = (found.svg, found.text)
            # Two viewers that see the same differ in nothing that can be seen: labels for screen readers at most.
            yield f"{json.dumps(key)}:{json.dumps(seen[same])}" if same in seen else _piece(key, found)
            seen.setdefault(same, key)


def _calls(run: OpenRun, row: MatchRow, here: str, detail: MatchDetail) -> Iterator[str]:
    for step in detail.steps:
        for attempt in step.attempts:
            if attempt.calls:
                calls = calls_of(run, row.id, step.step, attempt.seat, attempt.attempt)
                yield _piece(f"{here}/calls/{step.step}/{_component(attempt.seat)}/{attempt.attempt}", calls)


def _evenly(n: int) -> list[int]:
    """The numbers below ``n`` in an order of which every beginning is spread evenly (van der Corput's)."""
    if n <= 1:
        return list(range(n))
    bits = (n - 1).bit_length()
    turned = (int(f"{i:0{bits}b}"[::-1], 2) for i in range(1 << bits))
    return [i for i in turned if i < n]
