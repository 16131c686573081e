"""The sections of the written report, and its figures, for the viewer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from ludometer.reports import figures, report_data, setting_figures
from ludometer.reports.game_sections import drawn
from ludometer.reports.many_seats import payoff_figure
from ludometer.reports.markup import Markup, element, joined
from ludometer.reports.page import page_sections, page_summary
from ludometer.reports.style import STYLE
from ludometer.web.problems import Problem, answer
from ludometer.web.runs import Opened, OpenRun
from ludometer.web.shapes import ReportPage

__all__ = ["figures_of", "page_of", "report_page", "router", "run_figures"]

router = APIRouter(prefix="/api", tags=["tables"])

Data = Mapping[str, Any]


@router.get("/runs/{run}/report", response_model=ReportPage)
def get_report(run: Opened) -> Response:
    """The sections of the written report as markup without scripts."""
    return answer(report_page(run))


def report_page(run: OpenRun) -> ReportPage:
    """The sections of the written report.

    Raises:
        Problem: 403 while a person is at play: the report draws whole games.
    """
    if run.public_only:
        raise Problem(403, "the report is not shown while a person plays in this run")
    return run.cached("report", lambda: page_of(_data(run)), patient=True)


def run_figures(run: OpenRun) -> list[dict[str, str]]:
    """The figures of the report: ``title``, ``svg`` and ``words``."""
    return run.cached("figures", lambda: figures_of(_data(run)), patient=True)


def _data(run: OpenRun) -> Data:
    return run.cached("report_data", lambda: report_data(run.store), patient=True)


def page_of(data: Data) -> ReportPage:
    """The sections of the report that `report_data` makes."""
    sections = [{"id": "summary", "title": "Summary", "html": str(joined(page_summary(data)))}]
    for anchor, title, content in page_sections(data):
        sections.append({"id": str(anchor), "title": str(title), "html": str(element("div", content))})
    return ReportPage(sections=sections, style=STYLE)


def figures_of(data: Data) -> list[dict[str, str]]:
    """The figures of the report that `report_data` makes: ``title``, ``svg`` and ``words``."""
    return list(_figures(data))


def _figures(data: Data) -> Iterator[dict[str, str]]:
    several = len(data["parts"]) > 1
    for part in data["parts"]:
        where = f", {part['title']}" if several else ""
        better = part["better"]
        yield from _shown(
            f"Ratings{where}", figures.rating_figure(part["leaderboard"]["headline"]), "With 95% intervals."
        )
        if better is not None:
            svg = figures.better_figure(better["entrants"], better["matrix"])
            yield from _shown(f"Who is better than whom{where}", svg, "Probability that the row is better.")
        wins = figures.wins_figure(part["results"], part["seat_titles"])
        yield from _shown(f"Wins by seat{where}", wins, "Completed matches won.")
        words = "Attempts in completed matches, bad ones counted."
        lengths = figures.lengths_figure(part["lengths"], part["seat_titles"])
        yield from _shown(f"Moves per result{where}", lengths, words)
        yield from _shown(f"Payoffs{where}", payoff_figure(part["payoffs"]), "In the game's own units.")
    yield from _of_settings(data)
    for section in data["sections"]:
        for one in section["figures"]:
            # A picture of a game's own is markup that it wrote; everything else is drawn here.
            svg = drawn(one) if one["kind"] != "picture" else None
            yield from _shown(one["title"], svg, one["caption"])


def _of_settings(data: Data) -> Iterator[dict[str, str]]:
    words = "An enforced schema rules out unreadable answers."
    yield from _shown("Invalid answers by answer setting", figures.validity_figure(data["answers"]), words)
    rows = data["performance"]["rows"]
    yield from _shown("Performance by game", setting_figures.performance_figure(rows), "Score rate by game.")
    effort = setting_figures.effort_figure(data["effort"])
    yield from _shown("Effort", effort, "Tokens per move against score rate.")
    effects: dict[tuple[str, str], list[Any]] = {}
    for row in data["effects"]:
        effects.setdefault((row["factor"], row["title"]), []).append(row)
    for (factor, title), found in effects.items():
        yield from _shown(
            f"{factor}: {title}", setting_figures.effect_figure(found), "Against the first level, in pairs."
        )


def _shown(title: str, svg: Markup | None, words: str) -> Iterator[dict[str, str]]:
    if svg is not None:
        yield {"title": str(title), "svg": str(svg), "words": str(words)}
