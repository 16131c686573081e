"""The page on Risk names the options, kinds and views that the code has."""

from __future__ import annotations

import inspect
import json
import re
import tomllib
from pathlib import Path

from ludometer.core import Chance
from ludometer.games.risk import Risk
from ludometer.games.risk.views import VIEWS

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "games-risk.md").read_text(encoding="utf-8")
SOURCE = "\n".join(
    path.read_text(encoding="utf-8") for path in (ROOT / "src" / "ludometer" / "games" / "risk").glob("*.py")
)


def rows(heading: str) -> list[list[str]]:
    part = PAGE.split(f"\n{heading}\n")[1] if heading else PAGE
    lines = part[part.index("|") :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


def test_options_and_defaults() -> None:
    parameters = list(inspect.signature(Risk.__init__).parameters.values())[1:]
    documented = {row[0].strip("`"): tomllib.loads(f"x = {_toml(row[1])}")["x"] for row in rows("")}
    assert documented == {parameter.name: parameter.default for parameter in parameters}


def _toml(cell: str) -> str:
    value = cell.strip("`")
    return value if re.fullmatch(r"\d+|true|false", value) else f'"{value}"'


def test_kinds() -> None:
    documented = {kind for row in rows("## Illegal orders") for kind in re.findall(r"`(\w+)`", row[0])}
    raised = set(re.findall(r"Illegal\(\s*\"(\w+)\"", SOURCE)) | {"too_many_dice", "too_few_dice"}
    assert documented == raised - {"invalid_format", "ambiguous"}


def test_views() -> None:
    assert [row[0].split()[0].strip("`") for row in rows("## Views")] == list(VIEWS)


def test_every_order_of_the_page_can_be_read() -> None:
    game = Risk(placement="picked")
    state = game.new(3, Chance.from_seed(0))
    for text, structured, _ in rows("## Orders"):
        order = game.parse(state, "1", text.strip("`"))
        assert game.decode(state, "1", json.loads(structured.strip("`"))) == order
        assert game.encode(state, order) == json.loads(structured.strip("`"))
