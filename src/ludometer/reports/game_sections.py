"""Sections that games add (see `ludometer.analysis.sections`): as JSON, and on the page."""

from __future__ import annotations

import base64
import math
import re
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from ludometer.analysis.sections import (
    Bars,
    Column,
    Figure,
    Lines,
    Lollipops,
    Section,
    Stacks,
    Table,
    Violins,
    Whiskers,
)
from ludometer.core import Json
from ludometer.reports import tables
from ludometer.reports.charts import lines_chart, whiskers_chart
from ludometer.reports.distributions import stacks_chart, violins_chart
from ludometer.reports.markup import Child, Markup, element
from ludometer.reports.paired_charts import bars_chart, lollipops_chart
from ludometer.reports.pieces import Section as Piece
from ludometer.reports.pieces import figure, note

__all__ = ["drawn", "section_data", "section_pieces", "written"]

Data = Mapping[str, Any]


# ------------------------------------------------------------------------ JSON


def section_data(section: Section) -> dict[str, Json]:
    """A section as JSON.

    Keys ``name``, ``title``, ``explain``, ``notes``; ``figures``, each with ``kind`` (``whiskers``, ``lines``,
    ``picture``, ``stacks``, ``violins``, ``lollipops``, ``bars``) and the attributes of its class; ``tables`` with
    ``title``, ``explain``, ``folded``, ``columns`` (``head``, ``form``, ``digits``) and ``rows`` of cells (``value``,
    and ``low``, ``high``, ``n`` where the column has them).
    """
    return {
        "name": section.name,
        "title": section.title,
        "explain": section.explain,
        "notes": list(section.notes),
        "figures": [_figure_data(one) for one in section.figures],
        "tables": [_table_data(one) for one in section.tables],
    }


def _figure_data(one: Figure) -> dict[str, Json]:
    same: dict[str, Json] = {"title": one.title, "caption": one.caption}
    if isinstance(one, Whiskers):
        rows = [{key: _plain(value) for key, value in row._asdict().items()} for row in one.rows]
        return {"kind": "whiskers", **same, "axis": one.axis, "zero": _plain(one.zero), "rows": rows}
    if isinstance(one, Lines):
        series = {str(name): _points(points) for name, points in one.series.items()}
        axes = {"x_axis": one.x_axis, "y_axis": one.y_axis, "low": _plain(one.low), "high": _plain(one.high)}
        return {"kind": "lines", **same, **axes, "series": series}
    if isinstance(one, Stacks):
        stacks = [{"name": row.name, "parts": _parts(row.parts), "n": row.n} for row in one.rows]
        return {"kind": "stacks", **same, "axis": one.axis, "share": one.share, "rows": stacks}
    if isinstance(one, Violins):
        violins = [{"name": row.name, "values": _finite(row.values), "n": row.n} for row in one.rows]
        return {"kind": "violins", **same, "axis": one.axis, "rows": violins}
    if isinstance(one, Lollipops | Bars):
        kind = "bars" if isinstance(one, Bars) else "lollipops"
        rows = [{key: _plain(value) for key, value in row._asdict().items()} for row in one.rows]
        return {"kind": kind, **same, "axis": one.axis, "rows": rows}
    return {"kind": "picture", **same, "svg": one.svg, "alt": one.alt}


def _parts(parts: Mapping[str, float]) -> dict[str, Json]:
    return {str(name): float(value) for name, value in parts.items() if math.isfinite(value) and value >= 0}


def _finite(values: Sequence[float]) -> list[Json]:
    return [float(value) for value in values if math.isfinite(value)]


def _points(points: Sequence[tuple[float, float]]) -> list[Json]:
    """The points that can be drawn."""
    return [[float(x), float(y)] for x, y in points if math.isfinite(x) and math.isfinite(y)]


def _table_data(one: Table) -> dict[str, Json]:
    columns = [{"head": column.head, "form": column.form, "digits": column.digits} for column in one.columns]
    rows = [[_cell_data(row, column) for column in one.columns] for row in one.frame.to_dict("records")]
    return {"title": one.title, "explain": one.explain, "folded": one.folded, "columns": columns, "rows": rows}


def _cell_data(row: Mapping[Any, Any], column: Column) -> dict[str, Json]:
    named = {"value": column.name, "low": column.low, "high": column.high, "n": column.n}
    return {key: _plain(row[name]) for key, name in named.items() if name}


def _plain(value: Any) -> Json:
    """A cell as JSON: a missing or infinite number as null, anything that is no number or truth as text."""
    if hasattr(value, "item"):
        value = value.item()
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, list | tuple):
        return ", ".join(str(item) for item in value)
    return None if pd.isna(value) else str(value)


# ------------------------------------------------------------------------ page


def section_pieces(sections: Sequence[Data]) -> list[Piece]:
    """The sections as they stand on the page."""
    return [(f"game-{_slug(data['name'])}", data["title"], _content(data)) for data in sections]


def _content(data: Data) -> list[Child]:
    figures = [figure(_shown(one), [element("b", one["title"]), f". {one['caption']}"]) for one in data["figures"]]
    return [
        element("p", data["explain"]) if data["explain"] else None,
        [note(sentence) for sentence in data["notes"]],
        figures,
        [_table(one) for one in data["tables"]],
    ]


def _table(one: Data) -> Child:
    heads = [column["head"] for column in one["columns"]]
    texts = [i for i, column in enumerate(one["columns"]) if column["form"] == "text"]
    rows = [[_cell(cell, column) for cell, column in zip(row, one["columns"], strict=True)] for row in one["rows"]]
    shown = tables.table(heads, rows, texts=texts)
    explain = element("p", one["explain"], class_="small") if one["explain"] else None
    if one["folded"]:
        return element("details", element("summary", one["title"]), shown, explain)
    return [element("h3", one["title"]), shown, explain]


def _cell(cell: Data, column: Data) -> Child:
    value = cell["value"]
    n = cell.get("n")
    size = None if n is None else element("small", f"n = {n:,.0f}" if isinstance(n, int | float) else f"n = {n}")
    if value is None:
        return ["–", size]
    low, high = cell.get("low"), cell.get("high")
    ends = None if low is None or high is None else f"{written(low, column)} to {written(high, column)}"
    if ends is None and "low" in cell and cell.get("n", 0) is not None:  # figures of others often come alone
        ends = "no interval"
    return [written(value, column), None if ends is None else element("small", ends), size]


def written(value: Any, column: Data) -> str:
    """A value of a cell as text, as its column is written."""
    form, digits = column["form"], column["digits"]
    if isinstance(value, bool):
        return "yes" if value else "no"
    if form == "text" or isinstance(value, str):
        return f"{value:g}" if isinstance(value, float) else str(value)
    if form == "share":
        return tables.percent(value)
    if form == "count":
        return f"{value:,.0f}"
    shown = f"{round(value, digits) + 0.0:{'+' if form == 'signed' else ''},.{digits}f}"
    return shown.replace("+", "") if float(shown.replace(",", "")) == 0.0 else shown


def drawn(one: Data) -> Markup | None:
    """A figure as SVG."""
    if one["kind"] == "whiskers":
        return whiskers_chart(one["title"], one["axis"], one["rows"], zero=one["zero"])
    if one["kind"] == "lines":
        ends = {"low": one["low"], "high": one["high"]}
        return lines_chart(one["title"], one["x_axis"], one["y_axis"], one["series"], **ends)
    if one["kind"] == "stacks":
        return stacks_chart(one["title"], one["axis"], one["rows"], share=one["share"])
    if one["kind"] == "violins":
        return violins_chart(one["title"], one["axis"], one["rows"])
    if one["kind"] == "lollipops":
        return lollipops_chart(one["title"], one["axis"], one["rows"])
    if one["kind"] == "bars":
        return bars_chart(one["title"], one["axis"], one["rows"])
    return Markup(one["svg"])


def _shown(one: Data) -> Markup | None:
    if one["kind"] != "picture":
        return drawn(one)
    # As an image and not inline: a picture that a game drew can run nothing and reach nothing.
    coded = base64.b64encode(str(one["svg"]).encode("utf-8", "backslashreplace")).decode("ascii")
    return element("img", src=f"data:image/svg+xml;base64,{coded}", alt=one["alt"], loading="lazy")


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.casefold()).strip("-") or "section"
