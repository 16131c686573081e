"""A run in a notebook: the static page in a frame."""

from __future__ import annotations

import html

from ludometer.core import LudometerError
from ludometer.store import RunStore
from ludometer.web.static import Bounds, static_page

__all__ = ["notebook_html"]

_MOST = 6_000_000
"""Characters that are put into a notebook's file at most."""
_BOUNDS = Bounds(file=2_000_000, data=12_000_000, matches=5_000, parts=20)
_MANY_MATCHES = 5_000


def notebook_html(store: RunStore) -> str:
    """The page of a run in a frame of its own, in which its script can reach nothing else; a sentence where it would
    be too large or cannot be made."""
    total = sum(store.status_counts().values())
    where = html.escape(str(store.address), quote=True)
    if total > _MANY_MATCHES:
        return _sentence(where, f"{total:,} matches")
    try:
        page = static_page(store, bounds=_BOUNDS, report=False)
    except LudometerError as error:
        return _sentence(where, html.escape(str(error), quote=True))
    if len(page) > _MOST:
        return _sentence(where, f"{total:,} matches")
    # A frame of another origin than the notebook: what a model wrote could not reach it even if it ran.
    return (
        f'<iframe srcdoc="{html.escape(page, quote=True)}" sandbox="allow-scripts" title="Ludometer run" '
        'style="width:100%;height:720px;border:1px solid #8888;border-radius:8px"></iframe>'
    )


def _sentence(where: str, what: str) -> str:
    return (
        f"<p>Ludometer run in <code>{where}</code> ({what}): look at it with <code>ludometer view {where}</code>.</p>"
    )
