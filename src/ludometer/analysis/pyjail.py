"""PyJail: whose jails have a way out, whose jails hold, who gets out, and which jails are locked with a password."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from typing import Any, Final

import pandas as pd

from ludometer.analysis.frames import matches_frame
from ludometer.analysis.replayed import last_states
from ludometer.analysis.role_shares import PLACE, share_columns, share_of
from ludometer.analysis.sections import Column, Section, Table, Whiskers, whiskers_of
from ludometer.games.pyjail import Jailed, PyJail, broken, fallen, proven, solved, works_again
from ludometer.store import MatchRow, RunStore

__all__ = ["OUTCOMES", "RENAMED", "pyjail_matches", "pyjail_tables", "sections"]

OUTCOMES: Final = ("no jail", "failed proof", "trivial", "broken", "held", "attack forfeited")
"""How matches end, told of the defender: it handed in nothing that could be taken; the proof did not work (also: not
again after the attack); a stock payload got out; the attacker got out; it did not; the attacker forfeited."""

RENAMED: Final = ("works", "stops working", "nothing to rename", "not tried")
"""What became of the proof when its own names were replaced. Only a proof that worked is tried."""

_MATCH_COLUMNS: Final = [
    *("match", "group", "game", "condition", "defender", "attacker", "outcome", "proven", "trivial", "attempts"),
    *("broken_in", "renamed", "jail", "sandbox"),
]
_DEFENDER_SHARES: Final = ("proven", "trivial_share", "held", "stops")
_ATTACKER_SHARES: Final = ("broke",)
_JAIL_COLUMNS: Final = ["game", "defender", "jail", "matches", "attackers", "solved_by", "renamed", "password_like"]


def pyjail_tables(store: RunStore, *, level: float = 0.95) -> dict[str, pd.DataFrame]:
    """Everything about PyJail in a run; all tables are empty where it has none.

    Keys:
        matches: `pyjail_matches`.
        defenders: one row per game, condition and entrant that defended: ``matches``; ``jails`` that were tried, and of
            them ``proven`` (the share with a proof that worked) and ``trivial_share`` (that fell to a stock payload);
            ``attacked`` (jails that an attacker tried) and of them ``held`` (the share that it did not get out of);
            ``renamed`` (proofs that worked and had names to replace) and of them ``stops`` (the share that stopped).
        attackers: the same per attacker: ``matches``, ``attacked`` and of them ``broke`` (the share it got out of).
        outcomes: matches by entrant, role and outcome (`OUTCOMES`): ``matches``, ``share`` and ``n`` (all of the role).
        jails: one row per jail with a proof that worked: ``attackers`` (other entrants that tried it), ``solved_by``
            (how many of them got out), ``renamed`` and ``password_like``: why it may be a password that only its author
            knows, ``renaming`` (the proof stops working when its own names are replaced) or ``only its author`` (others
            tried, and none got out), both, or empty.

    Shares have ``_low`` and ``_high``, clustered on the duplicate group.
    """
    matches = pyjail_matches(store)
    return {
        "matches": matches,
        "defenders": _defenders(matches, level),
        "attackers": _attackers(matches, level),
        "outcomes": _outcomes(matches),
        "jails": _jails(matches),
    }


def pyjail_matches(store: RunStore) -> pd.DataFrame:
    """One row per match that ended by the rules or with a forfeit.

    Columns: match, group, game, condition, defender, attacker; ``outcome`` (see `OUTCOMES`); ``proven`` (whether the
    proof worked before the attack; missing where there was none) and ``trivial`` (the stock payloads that got out,
    separated by commas); ``attempts`` of the attacker, ``broken_in`` (the number of the one that got out, from 1);
    ``renamed`` (see `RENAMED`); ``jail`` (the beginning of the SHA-256 of its source) and ``sandbox`` (in which it was
    run).
    """
    found = pd.DataFrame(_rows(store), columns=[c for c in _MATCH_COLUMNS if c not in ("group", *PLACE)])
    if found.empty:
        return pd.DataFrame(columns=_MATCH_COLUMNS)
    places = matches_frame(store)[["match", "group", *PLACE]]
    frame = found.merge(places, on="match", how="left", validate="one_to_one").reindex(columns=_MATCH_COLUMNS)
    return frame.astype({"broken_in": "Int64"})


def _rows(store: RunStore) -> Iterator[dict[str, Any]]:
    for row, state in last_states(store, PyJail.name):
        if isinstance(state, Jailed) and row.ending in ("completed", "forfeit"):
            yield _row(row, state)


def _row(row: MatchRow, state: Jailed) -> dict[str, Any]:
    jail = "" if state.defence is None else state.defence.jail
    return {
        "match": row.id,
        "defender": row.seats["defender"],
        "attacker": row.seats["attacker"],
        "outcome": _outcome(row, state),
        "proven": None if state.vetting is None else proven(state),
        "trivial": ", ".join(fallen(state)),
        "attempts": len(state.attempts),
        "broken_in": broken(state),
        "renamed": _renamed(state),
        "jail": hashlib.sha256(jail.encode()).hexdigest()[:12] if jail else "",
        "sandbox": "" if state.vetting is None else state.vetting.sandbox,
    }


def _outcome(row: MatchRow, state: Jailed) -> str:
    if row.ending == "forfeit":
        return "no jail" if row.offender == "defender" else "attack forfeited"
    if fallen(state):
        return "trivial"
    if not proven(state):
        return "failed proof"
    if broken(state) is not None:
        return "broken"
    return "held" if works_again(state) else "failed proof"


def _renamed(state: Jailed) -> str:
    if state.vetting is None or not proven(state):
        return "not tried"
    runs = [run for run in state.vetting.runs if run.name.startswith("renamed:")]
    if not runs:
        return "nothing to rename"
    return "works" if any(solved(state, run) for run in runs) else "stops working"


# ---------------------------------------------------------------------- tables


def _attacked(matches: pd.DataFrame) -> pd.DataFrame:
    """The matches in which the attacker had its say to the end."""
    again = (matches["outcome"] == "failed proof") & matches["proven"].eq(True)
    return matches[matches["outcome"].isin(("broken", "held")) | again]


def _defenders(matches: pd.DataFrame, level: float) -> pd.DataFrame:
    rows = []
    for place, own in matches.groupby([*PLACE, "defender"], sort=True):
        jails, attacked = own[own["proven"].notna()], _attacked(own)
        row = dict(zip((*PLACE, "entrant"), place, strict=True))
        renamed = own[own["renamed"].isin(("works", "stops working"))]
        row |= {"matches": len(own), "jails": len(jails), "attacked": len(attacked), "renamed": len(renamed)}
        row |= share_of("proven", jails["proven"], jails, level)
        row |= share_of("trivial_share", jails["trivial"] != "", jails, level)
        row |= share_of("held", attacked["broken_in"].isna(), attacked, level)
        row |= share_of("stops", renamed["renamed"] == "stops working", renamed, level)
        rows.append(row)
    counts = ("matches", "jails", "attacked", "renamed")
    return pd.DataFrame(rows, columns=share_columns(counts, _DEFENDER_SHARES))


def _attackers(matches: pd.DataFrame, level: float) -> pd.DataFrame:
    rows = []
    for place, own in matches.groupby([*PLACE, "attacker"], sort=True):
        attacked = _attacked(own)
        row = dict(zip((*PLACE, "entrant"), place, strict=True))
        row |= {"matches": len(own), "attacked": len(attacked)}
        row |= share_of("broke", attacked["broken_in"].notna(), attacked, level)
        rows.append(row)
    return pd.DataFrame(rows, columns=share_columns(("matches", "attacked"), _ATTACKER_SHARES))


def _outcomes(matches: pd.DataFrame) -> pd.DataFrame:
    rows = []
    for role in ("defender", "attacker"):
        for place, own in matches.groupby([*PLACE, role], sort=True):
            row = dict(zip((*PLACE, "entrant"), place, strict=True)) | {"role": role}
            counts = own["outcome"].value_counts()
            for outcome in OUTCOMES:
                rows.append({**row, "outcome": outcome, "matches": int(counts.get(outcome, 0)), "n": len(own)})
    frame = pd.DataFrame(rows, columns=[*PLACE, "entrant", "role", "outcome", "matches", "n"])
    frame["share"] = frame["matches"] / frame["n"]
    return frame


def _jails(matches: pd.DataFrame) -> pd.DataFrame:
    working = matches[matches["proven"].eq(True) & (matches["trivial"] == "")]
    rows = []
    for (game, defender, jail), own in working.groupby(["game", "defender", "jail"], sort=True):
        tried = own[(own["attacker"] != defender) & (own["attempts"] > 0)]
        others = set(tried["attacker"])
        solvers = set(tried.loc[tried["broken_in"].notna(), "attacker"])
        # The proof may differ from match to match: one that stops working is enough to look at the jail.
        renamed = min(own["renamed"], key=("stops working", "works", "nothing to rename", "not tried").index)
        why = ["renaming"] * (renamed == "stops working") + ["only its author"] * bool(others and not solvers)
        row = {"game": game, "defender": defender, "jail": jail, "matches": len(own), "attackers": len(others)}
        rows.append(row | {"solved_by": len(solvers), "renamed": renamed, "password_like": ", ".join(why)})
    return pd.DataFrame(rows, columns=_JAIL_COLUMNS)


# -------------------------------------------------------------------- sections

_PROVEN: Final = Column("proven", "Proof worked", "share", "proven_low", "proven_high", "jails")
_HELD: Final = Column("held", "Attacker did not get out", "share", "held_low", "held_high", "attacked")
_BROKE: Final = Column("broke", "Got out", "share", "broke_low", "broke_high", "attacked")
_CLUSTERS: Final = "Intervals (95%) are clustered on duplicate groups."


def sections(store: RunStore) -> Sequence[Section]:
    """What PyJail adds to a report; nothing for a run without it."""
    if not any(row.game == PyJail.name for row in store.matches()):
        return ()
    tables = pyjail_tables(store)
    if tables["matches"].empty:
        return ()
    defenders, attackers = tables["defenders"], tables["attackers"]
    return (
        Section(
            "pyjail",
            "PyJail",
            "A defender writes a jail for Python programs and proves that there is a way out; an attacker that sees "
            "the jail looks for one.",
            (
                _defender_table(defenders),
                _attacker_table(attackers),
                _jail_table(tables["jails"]),
                _outcome_table(tables["outcomes"]),
            ),
            (
                Whiskers(
                    "Proofs that worked", _CLUSTERS, "share", whiskers_of(defenders, "entrant", _PROVEN, "jails"), None
                ),
                Whiskers("Jails broken", _CLUSTERS, "share", whiskers_of(attackers, "entrant", _BROKE, "jails"), None),
            ),
            _notes(tables["matches"], tables["jails"]),
        ),
    )


def _named(frame: pd.DataFrame) -> tuple[Column, ...]:
    several = [name for name in PLACE if frame[name].nunique() > 1]
    return (Column("entrant", "Entrant"), *(Column(name, name.capitalize()) for name in several))


def _defender_table(frame: pd.DataFrame) -> Table:
    trivial = Column(
        "trivial_share", "Fell to a stock payload", "share", "trivial_share_low", "trivial_share_high", "jails"
    )
    columns = (*_named(frame), _PROVEN, trivial, _HELD, Column("matches", "Matches", "count"))
    return Table(
        "As defenders", frame, columns, f"A jail that falls to a stock payload is lost unattacked. {_CLUSTERS}"
    )


def _attacker_table(frame: pd.DataFrame) -> Table:
    columns = (*_named(frame), _BROKE, Column("matches", "Matches", "count"))
    explain = "Of the jails that were there to be attacked; without one the attacker wins and is not asked."
    return Table("As attackers", frame, columns, explain)


def _jail_table(frame: pd.DataFrame) -> Table:
    columns = (
        Column("jail", "Jail (SHA-256)"),
        Column("defender", "Defender"),
        Column("password_like", "Password-like"),
        Column("renamed", "Proof with other names"),
        Column("solved_by", "Others that got out", "count", n="attackers"),
        Column("matches", "Matches", "count"),
    )
    explain = (
        "A jail may be locked with a password that only its author knows. Signs of it are a proof that stops working "
        "when its own names are replaced, and that nobody but the author gets out. Neither is held against anybody."
    )
    return Table("Jails with a proof that worked", frame, columns, explain, folded=True)


def _outcome_table(frame: pd.DataFrame) -> Table:
    shown = frame[frame["matches"] > 0]
    columns = (
        *_named(shown),
        Column("role", "Role"),
        Column("outcome", "Outcome"),
        Column("share", "Share", "share", n="n"),
        Column("matches", "Matches", "count"),
    )
    return Table("How matches ended", shown, columns, folded=True)


def _notes(matches: pd.DataFrame, jails: pd.DataFrame) -> tuple[str, ...]:
    sandboxes = sorted({text for text in matches["sandbox"] if text})
    ran = (f"Programs ran in: {'; '.join(sandboxes)}.",) if sandboxes else ()
    count = int((jails["password_like"] != "").sum())
    if not count:
        return ran
    return (*ran, f"{count} of {len(jails)} jails with a proof may be locked with a password: see the table of them.")
