"""The training page runs as it stands, and the exports page names every column there is."""

from __future__ import annotations

import re
from importlib.util import find_spec
from typing import Any

import pytest


@pytest.mark.parametrize(
    ("section", "needs"),
    [("PettingZoo", "pettingzoo"), ("Gymnasium", "gymnasium"), ("OpenEnv", "openenv"), ("Adapters of your own", None)],
)
def test_python_blocks_run(pages: Any, section: str, needs: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    if needs is not None and find_spec(needs) is None:
        pytest.skip(f"needs {needs}: pip install {needs}")
    (block,) = pages["docs/training.md"].section(section).blocks("python")
    names: dict[str, Any] = {"__name__": "page"}
    exec(compile("\n" * (block.line - 1) + block.text, block.page, "exec"), names)
    assert capsys.readouterr().out.strip() or names["app"].routes


def test_the_figures_on_encodings_are_those_of_the_code(pages: Any) -> None:
    from ludometer.core import make_game
    from ludometer.envs.encoding import BYTES, PLACES, encoding_of

    text = pages["docs/training.md"].section("Encodings").text
    uno = encoding_of(make_game("uno"))
    assert f"| UNO | {uno.shape[0]} small" in text and f"| {uno.size}: card types" in text
    assert f"its last {BYTES:,} bytes" in text and f"more than {PLACES}" in text
    for name in ("checkers", "ultimate_tic_tac_toe"):
        assert not encoding_of(make_game(name)).stable


def test_every_column_of_the_data_sets_is_described(pages: Any) -> None:
    pyarrow = pytest.importorskip("pyarrow", reason="needs pyarrow: pip install pyarrow")
    from ludometer.envs.offline_files import _schema

    section = pages["docs/exports.md"].section("Data to train on")
    tables = section.tables()
    assert len(tables) == 3
    for form, table in zip(("sft", "dpo", "trajectories"), tables, strict=True):
        named = [name for row in table for name in re.findall(r"`([^`]+)`", row[0])]
        assert sorted(named) == sorted(_schema(form, pyarrow).names), form
    turns = _schema("trajectories", pyarrow).field("turns").type.value_type
    prose = section.text[section.text.index("A turn has") :]
    assert {field.name for field in turns} <= set(re.findall(r"`(\w+)`", prose))
