"""PyJail's tables on matches written by hand, whose every number can be counted."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ludometer.analysis.pyjail import OUTCOMES, pyjail_tables, sections
from ludometer.core import Chance
from ludometer.games.pyjail import Attack, Defence, Execution, Jailed, PyJail, Report, flag_of
from ludometer.reports import write_report
from ludometer.store import RunStore

from .conftest import match, player

GAME = PyJail(attacks=1)
Step = Any  # an action, or what makes it of the state


def execution(state: Jailed, name: str, out: bool) -> Execution:
    text = flag_of(state, name) if out else "no"
    return Execution(name, "ok", 0, text, len(text))


def vetting(stock: str = "", proofs: str = "yyy", renamed: str = "y") -> Callable[[Jailed], Report]:
    def report(state: Jailed) -> Report:
        runs = [execution(state, f"stock:{name}", name == stock) for name in ("open", "frames")]
        for kind, outs in (("proof", proofs), ("renamed", renamed)):
            runs += [execution(state, f"{kind}:{i + 1}", out == "y") for i, out in enumerate(outs)]
        return Report("cell 1.0, CPython 3.11", tuple(runs))

    return report


def attempt(out: bool) -> list[Step]:
    return [Attack("try"), lambda state: Report("cell", (execution(state, "attempt:1", out),))]


def again(out: bool = True) -> list[Step]:
    return [Attack(), lambda state: Report("cell", (execution(state, "again:1", out),))]


def row(number: int, seats: tuple[str, str], *steps: Step, **more: Any) -> dict[str, Any]:
    """A match of two entrants; each group has its own luck."""
    luck = f"luck {number}"
    state, lines = GAME.new(2, Chance.from_seed(luck).named("game")), []
    for step in steps:
        (seat,) = GAME.to_act(state)
        action = step(state) if callable(step) else step
        GAME.check(state, seat, action)
        lines.append(GAME.format(state, action))
        state = GAME.apply(state, {seat: action})
    outcome = GAME.outcome(state)
    assert (outcome is None) == ("ending" in more)
    made = match(number, "x", "y", notation="\n".join(lines), group=f"g{number}")
    made |= {"game": "pyjail", "options": json.dumps({"attacks": 1}), "luck": luck, "condition": "{}"}
    made |= {"seats": json.dumps(dict(zip(("defender", "attacker"), seats, strict=True)))}
    if outcome is not None:
        made |= {"why": outcome.reason, "scores": json.dumps(dict(outcome.scores))}
    return made | more


def defence(jail: str) -> Defence:
    return Defence(jail, "way = out\nuse(way)")


HOSTILE = "<script>alert(1)</script>"
FORFEIT = {"ending": "forfeit", "why": "no legal move in 5 attempts: too_long"}
MATCHES = [
    row(1, ("ann", "bob"), defence("A"), vetting(), *attempt(False), *again()),
    row(2, ("ann", "bob"), defence("A"), vetting(), *attempt(False), *again()),
    row(3, ("ann", HOSTILE), defence("A"), vetting(), *attempt(True)),
    row(4, ("ann", "bob"), defence("B"), vetting(renamed="nnn"), *attempt(True)),
    row(5, ("bob", "ann"), defence("C"), vetting(renamed="nnn"), *attempt(False), *again()),
    row(6, ("bob", "ann"), defence("D"), vetting(renamed=""), *attempt(False), *again()),
    row(7, ("bob", "ann"), defence("E"), vetting(stock="frames")),
    row(8, ("bob", "ann"), defence("F"), vetting(proofs="yn", renamed="")),
    row(9, ("bob", "ann"), defence("G"), vetting(), *attempt(False), *again(False)),
    row(10, ("bob", "ann"), offender="defender", scores=json.dumps({"defender": 0, "attacker": 1}), **FORFEIT),
    row(
        11,
        ("ann", "bob"),
        defence("A"),
        vetting(),
        offender="attacker",
        scores=json.dumps({"defender": 1, "attacker": 0}),
        **FORFEIT,
    ),
    row(12, ("ann", "ann"), defence("H"), vetting(), *attempt(True)),
    row(13, ("ann", "bob"), defence("I"), status="void", ending="void", scores=None),
    row(14, ("ann", "bob"), defence("J"), ending="canceled", scores=None),
]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunStore]:
    with RunStore.create(tmp_path_factory.mktemp("pyjail") / "run", {"name": "jails"}) as made:
        made.add_entrants([player(name) for name in ("ann", "bob", HOSTILE)])
        made.insert_finished(MATCHES)
        yield made


@pytest.fixture(scope="module")
def tables(store: RunStore) -> dict[str, pd.DataFrame]:
    return pyjail_tables(store)


def digest(jail: str) -> str:
    return hashlib.sha256(jail.encode()).hexdigest()[:12]


def test_what_became_of_every_match(tables: dict[str, pd.DataFrame]) -> None:
    found = tables["matches"].set_index("match")
    assert list(found["outcome"]) == [
        *("held", "held", "broken", "broken", "held", "held", "trivial", "failed proof", "failed proof"),
        *("no jail", "attack forfeited", "broken"),
    ]
    assert list(found["proven"]) == [*[True] * 6, True, False, True, None, True, True]
    assert found.loc["m000007", "trivial"] == "frames"
    assert [n for n in found["broken_in"] if not pd.isna(n)] == [1, 1, 1]
    assert list(found["attempts"]) == [1, 1, 1, 1, 1, 1, 0, 0, 1, 0, 0, 1]
    assert set(found["sandbox"]) == {"cell 1.0, CPython 3.11", ""}


def test_shares_of_defenders(tables: dict[str, pd.DataFrame]) -> None:
    rows = tables["defenders"].set_index("entrant")
    bob = rows.loc["bob"]
    assert (bob["matches"], bob["jails"], bob["attacked"], bob["renamed"]) == (6, 5, 3, 3)
    assert (bob["proven"], bob["trivial_share"], bob["held"]) == pytest.approx((4 / 5, 1 / 5, 1))
    assert bob["stops"] == pytest.approx(1 / 3)
    ann = rows.loc["ann"]
    assert (ann["matches"], ann["jails"], ann["attacked"]) == (6, 6, 5)
    assert (ann["proven"], ann["held"]) == pytest.approx((1, 2 / 5))
    assert bob["proven_low"] < bob["proven"] < bob["proven_high"]


def test_shares_of_attackers(tables: dict[str, pd.DataFrame]) -> None:
    rows = tables["attackers"].set_index("entrant")
    assert (rows.loc["bob", "attacked"], rows.loc["bob", "broke"]) == pytest.approx((3, 1 / 3))
    assert (rows.loc["ann", "attacked"], rows.loc["ann", "broke"]) == pytest.approx((4, 1 / 4))
    assert rows.loc[HOSTILE, "broke"] == 1


def test_outcomes_by_role_add_up(tables: dict[str, pd.DataFrame]) -> None:
    frame = tables["outcomes"]
    assert set(frame["outcome"]) == set(OUTCOMES)
    for (name, role), part in frame.groupby(["entrant", "role"]):
        assert part["matches"].sum() == part["n"].iloc[0], (name, role)
        assert part["share"].sum() == pytest.approx(1)
    bob = frame[(frame["entrant"] == "bob") & (frame["role"] == "defender")].set_index("outcome")["matches"]
    assert bob.to_dict() == {
        "no jail": 1,
        "failed proof": 2,
        "trivial": 1,
        "broken": 0,
        "held": 2,
        "attack forfeited": 0,
    }


def test_jails_that_may_be_locked_with_a_password(tables: dict[str, pd.DataFrame]) -> None:
    jails = tables["jails"].set_index("jail")
    said = {name: jails.loc[digest(name), "password_like"] for name in "ABCDGH"}
    assert said == {
        "A": "",  # held twice, but somebody got out
        "B": "renaming",
        "C": "renaming, only its author",
        "D": "only its author",
        "G": "only its author",
        "H": "",  # nobody but its author has tried
    }
    assert not {digest("E"), digest("F")} & set(jails.index), "jails that were lost before the attack"
    assert tuple(jails.loc[digest("A"), ["matches", "attackers", "solved_by"]]) == (4, 2, 1)
    assert jails.loc[digest("D"), "renamed"] == "nothing to rename"


def test_flags_change_no_result(tables: dict[str, pd.DataFrame]) -> None:
    flagged = tables["matches"].merge(tables["jails"], on="jail")
    assert set(flagged.loc[flagged["password_like"] != "", "outcome"]) == {"broken", "held", "failed proof"}
    scores = [json.loads(row["scores"])["defender"] for row in MATCHES if row["number"] in (5, 6)]
    assert scores == [1.0, 1.0]


def test_the_report_has_a_section_with_every_table(store: RunStore, tmp_path: Path) -> None:
    (section,) = sections(store)
    assert [table.title for table in section.tables] == [
        "As defenders",
        "As attackers",
        "Jails with a proof that worked",
        "How matches ended",
    ]
    assert len(section.figures) == 2 and all(figure.rows for figure in section.figures)  # type: ignore[union-attr]
    assert section.notes == (
        "Programs ran in: cell 1.0, CPython 3.11.",
        "4 of 6 jails with a proof may be locked with a password: see the table of them.",
    )
    for table in section.tables:
        named = {c.name for c in table.columns} | {e for c in table.columns for e in (c.low, c.high, c.n) if e}
        assert named <= set(table.frame.columns), table.title
    assert HOSTILE in set(section.tables[1].frame["entrant"]), "handed over as it is: the report escapes"
    page = write_report(store, tmp_path / "r.html").read_text(encoding="utf-8")
    assert HOSTILE not in page and "Jails with a proof that worked" in page


def test_other_runs_have_no_section(tmp_path: Path) -> None:
    with RunStore.create(tmp_path / "run", {}) as made:
        assert sections(made) == ()
        assert all(frame.empty for frame in pyjail_tables(made).values())
