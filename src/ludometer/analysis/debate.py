"""The jury of debates: how far judges agree, what else than the arguments moves them, and results without judges of a
contestant's own family."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd

from ludometer.analysis.agreement import Alpha, cluster_slope, krippendorff_alpha
from ludometer.analysis.debate_sheets import (
    TOTAL,
    debate_scores,
    debate_verdicts,
    judges,
    rejudged,
)
from ludometer.analysis.measures import estimate, seats_of, with_missing
from ludometer.analysis.run import load_tables
from ludometer.analysis.sections import Column, Section, Table, Whiskers, whiskers_of
from ludometer.games.debate import Debate
from ludometer.store import RunStore

__all__ = [
    "ALL_JUDGES",
    "agreement",
    "criteria_table",
    "debate_results",
    "debate_tables",
    "family_flags",
    "judges_table",
    "sections",
]

ALL_JUDGES: Final = "all judges"
_WORDS: Final = 100
"""Slopes on length are per this many words."""


def debate_tables(store: RunStore) -> dict[str, pd.DataFrame]:
    """Everything about the debates of a run, empty without any: ``scores`` and ``verdicts`` (see
    `ludometer.analysis.debate_sheets`), ``agreement``, ``judges``, ``criteria``, ``family`` and ``results``."""
    scores, verdicts = debate_scores(store), debate_verdicts(store)
    return {
        "scores": scores,
        "verdicts": verdicts,
        "agreement": agreement(scores),
        "judges": judges_table(store, scores, verdicts),
        "criteria": criteria_table(scores),
        "family": family_flags(store, verdicts),
        "results": debate_results(store, verdicts),
    }


# ------------------------------------------------------------------- agreement


def agreement(scores: pd.DataFrame) -> pd.DataFrame:
    """Krippendorff's alpha (interval data), a row per game and ``what`` is scored: the total, the margin between the
    sides, and every criterion.

    Columns: ``alpha`` between judges (each with the mean of both orders) over ``units`` (sides of matches; matches for
    the margin), and ``own_alpha`` of judges with themselves in the other order over ``own_units``; each with ``_low``
    and ``_high`` (resampled duplicate groups), missing where there is nothing to compare.
    """
    rows = []
    for game, part in scores.groupby("game", sort=True):
        for what in (TOTAL, "margin", *(c for c in part["criterion"].unique() if c != TOTAL)):
            own = _margins(part) if what == "margin" else part[part["criterion"] == what]
            between = _alpha(own, ["group", "match", "side"], "judge")
            within = _alpha(own, ["group", "match", "side", "judge"], "order")
            row = {"game": game, "what": what, **_named("alpha", between), "units": between.units}
            rows.append(row | _named("own_alpha", within) | {"own_units": within.units})
    ends = [f"{name}{end}" for name in ("alpha", "own_alpha") for end in ("", "_low", "_high")]
    frame = pd.DataFrame(rows, columns=["game", "what", *ends[:3], "units", *ends[3:], "own_units"])
    return with_missing(frame, *ends)


def _margins(scores: pd.DataFrame) -> pd.DataFrame:
    """The totals' differences, for minus against, in the shape of scores."""
    totals = scores[scores["criterion"] == TOTAL]
    signed = totals.assign(score=totals["score"].where(totals["side"] == "for", -totals["score"]))
    return signed.groupby(["group", "match", "judge", "order"], sort=False)["score"].sum().reset_index().assign(side="")


def _alpha(scores: pd.DataFrame, unit: list[str], rater: str) -> Alpha:
    table = scores.pivot_table(index=unit, columns=rater, values="score", aggfunc="mean", sort=False)
    return krippendorff_alpha(table.to_numpy(), list(table.index.get_level_values("group")))


def _named(name: str, found: Alpha) -> dict[str, float]:
    return {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}


# ---------------------------------------------------------------------- judges


def judges_table(store: RunStore, scores: pd.DataFrame, verdicts: pd.DataFrame) -> pd.DataFrame:
    """A row per game and judge, and one for `ALL_JUDGES`.

    Columns: ``player``, ``family``, ``verdicts`` (matches judged), ``mean`` and ``sd`` of its totals; and, each with
    ``_low`` and ``_high`` (95%, clustered on duplicate groups): ``first_gain``, the points that a side gains by being
    shown first; ``first_preferred``, the share of orders in which the side shown first had more; ``changed``, the share
    of verdicts that did not hold when the order was swapped; ``length``, points of margin per 100 words that a side
    says more; ``length_within``, the same among matches of the same two entrants on the same sides, so that it is no
    effect of better entrants writing longer (missing where each such pairing has one match only).
    """
    known = judges(store)
    totals = scores[scores["criterion"] == TOTAL]
    rows = []
    for game, part in verdicts.groupby("game", sort=True):
        own_totals = totals[totals["game"] == game]
        for name, own in (*part.groupby("judge", sort=True), (ALL_JUDGES, part)):
            given = own_totals if name == ALL_JUDGES else own_totals[own_totals["judge"] == name]
            judge = known.get(str(name))
            row: dict[str, Any] = {"game": game, "judge": name, "verdicts": len(own)}
            row |= {"player": judge.player if judge else "", "family": judge.family if judge else None}
            row |= {"mean": given["score"].mean(), "sd": given["score"].std()}
            rows.append(row | _biases(own))
    frame = pd.DataFrame(rows, columns=_JUDGE_COLUMNS)
    return with_missing(frame, "mean", "sd", *_BIAS_COLUMNS)


_BIASES = ("first_gain", "first_preferred", "changed", "length", "length_within")
_BIAS_COLUMNS = [f"{name}{end}" for name in _BIASES for end in ("", "_low", "_high")]
_JUDGE_COLUMNS = ["game", "judge", "player", "family", "verdicts", "mean", "sd", *_BIAS_COLUMNS]


def _biases(verdicts: pd.DataFrame) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for name in ("first_gain", "first_preferred", "changed"):
        values = verdicts[name].astype("float64")
        found |= _ends(name, values, verdicts["group"], share=name != "first_gain")
    more = (verdicts["for_words"] - verdicts["against_words"]).to_numpy(np.float64) / _WORDS
    margin, groups = verdicts["margin"].to_numpy(np.float64), list(verdicts["group"])
    pairs: list[Hashable] = list(zip(verdicts["for"], verdicts["against"], strict=True))
    for name, within in (("length", None), ("length_within", pairs)):
        slope = cluster_slope(more, margin, groups, within=within)
        found |= {name: slope.value, f"{name}_low": slope.low, f"{name}_high": slope.high}
    return found


def _ends(name: str, values: pd.Series[Any], groups: pd.Series[Any], *, share: bool) -> dict[str, float | None]:
    made = estimate(values, groups, share=share, level=0.95, least=0.0 if share else float("-inf"))
    return {name: made["value"], f"{name}_low": made["low"], f"{name}_high": made["high"]}


def criteria_table(scores: pd.DataFrame) -> pd.DataFrame:
    """A row per game, judge (and `ALL_JUDGES`) and criterion, the total included: ``weight``, ``scores`` given, their
    ``mean`` and ``sd``, and ``first_gain``, what being shown first adds, with ``_low`` and ``_high`` (95%, clustered on
    duplicate groups)."""
    rows = []
    for game, part in scores.groupby("game", sort=True):
        names = list(part["criterion"].unique())
        for judge, own in (*part.groupby("judge", sort=True), (ALL_JUDGES, part)):
            for criterion in names:
                given = own[own["criterion"] == criterion]
                row = {"game": game, "judge": judge, "criterion": criterion, "weight": given["weight"].iloc[0]}
                row |= {"scores": len(given), "mean": given["score"].mean(), "sd": given["score"].std()}
                rows.append(row | _first_gain(given))
    ends = ["first_gain", "first_gain_low", "first_gain_high"]
    frame = pd.DataFrame(rows, columns=["game", "judge", "criterion", "weight", "scores", "mean", "sd", *ends])
    return with_missing(frame, "weight", "mean", "sd", *ends)


def _first_gain(given: pd.DataFrame) -> dict[str, float | None]:
    signed = given["score"].where(given["shown_first"].astype("bool"), -given["score"])
    per_verdict = given.assign(gain=signed / 2).groupby(["match", "group", "judge"], sort=False)["gain"].sum()
    frame = per_verdict.reset_index()
    return _ends("first_gain", frame["gain"], frame["group"], share=False)


# ---------------------------------------------------------------------- family


def family_flags(store: RunStore, verdicts: pd.DataFrame) -> pd.DataFrame:
    """Judges that are of the same family as a contestant, a row per game and such judge.

    Columns: ``player``, ``family``, ``entrants`` of that family, ``verdicts`` on matches with one or two of them, and
    ``favour``: how many points more it gave its family's side, over the other side, than the other judges of the same
    matches did, with ``_low``, ``_high`` and ``compared`` (matches with one such side and another judge of no
    contestant's family).
    """
    known = judges(store)
    rows = []
    for (game, judge), own in verdicts[verdicts["own"].notna()].groupby(["game", "judge"], sort=True):
        others = verdicts[(verdicts["judge"] != judge) & verdicts["own"].isna()]
        rest = others.groupby("match")["margin"].mean().rename("rest").reset_index()
        both = own[own["own"] != "both"].merge(rest, on="match")
        favour = (both["margin"] - both["rest"]).where(both["own"] == "for", both["rest"] - both["margin"])
        row: dict[str, Any] = {"game": game, "judge": judge, "player": known[str(judge)].player}
        row |= {"family": known[str(judge)].family, "entrants": ", ".join(_of_family(own)), "verdicts": len(own)}
        rows.append(row | _ends("favour", favour, both["group"], share=False) | {"compared": len(both)})
    columns = ["game", "judge", "player", "family", "entrants", "verdicts", "favour", "favour_low", "favour_high"]
    return with_missing(pd.DataFrame(rows, columns=[*columns, "compared"]), *columns[-3:])


def _of_family(own: pd.DataFrame) -> list[str]:
    found = {row["for"] for row in own.to_dict("records") if row["own"] != "against"}
    return sorted(found | {row["against"] for row in own.to_dict("records") if row["own"] != "for"})


def debate_results(store: RunStore, verdicts: pd.DataFrame | None = None) -> pd.DataFrame:
    """Mean scores of entrants in debates, a row per game and entrant: ``score`` as the matches were judged, and
    ``without``, as they are with every judge left out where a contestant is of its family (see `rejudged`); each with
    ``_low``, ``_high`` (95%, clustered on duplicate groups) and how many ``matches`` and ``matches_without`` count.
    ``flagged``: whether some judge is of the family of a contestant that this entrant met or is."""
    given = debate_verdicts(store) if verdicts is None else verdicts
    columns = ["game", "entrant", "score", "score_low", "score_high", "matches"]
    columns += ["without", "without_low", "without_high", "matches_without", "flagged"]
    if given.empty:
        return pd.DataFrame(columns=columns)
    conflicts = given[given["own"].notna()]
    flagged = {(row["game"], row[side]) for row in conflicts.to_dict("records") for side in ("for", "against")}
    before, after = (_scores(tables, set(given["game"])) for tables in (load_tables(store), rejudged(store)))
    rows = []
    for game, entrant in sorted(before):
        values, groups = before[game, entrant]
        row: dict[str, Any] = {"game": game, "entrant": entrant, **_ends("score", values, groups, share=True)}
        left, left_groups = after.get((game, entrant), (pd.Series(dtype="float64"), pd.Series(dtype="object")))
        row |= {"matches": len(values), **_ends("without", left, left_groups, share=True), "matches_without": len(left)}
        rows.append(row | {"flagged": (game, entrant) in flagged})
    frame = pd.DataFrame(rows, columns=columns)
    return with_missing(frame, *columns[2:5], *columns[6:9])


def _scores(tables: Any, games: set[str]) -> dict[tuple[str, str], tuple[pd.Series[Any], pd.Series[Any]]]:
    seats = seats_of(tables)
    counted = seats[seats["game"].isin(games) & seats["score"].notna()]
    grouped = counted.groupby(["game", "entrant"], sort=True)
    return {(str(game), str(name)): (own["score"], own["group"]) for (game, name), own in grouped}


# ---------------------------------------------------------------------- report


def sections(store: RunStore) -> Sequence[Section]:
    """What debates add to a report."""
    if not any(row.game == Debate.name and row.status == "finished" for row in store.matches()):
        return ()
    tables = debate_tables(store)
    if tables["verdicts"].empty:
        return ()
    shown = tuple(_shown(tables))
    gains = tables["judges"].assign(name=_named_rows(tables["judges"]))
    figures = [
        Whiskers("Gain of the side shown first", _FIRST_WORDS, "points", whiskers_of(gains, "name", _GAIN, "verdicts")),
        Whiskers("Margin per 100 words more", _LENGTH_WORDS, "points", whiskers_of(gains, "name", _LENGTH, "verdicts")),
    ]
    return (
        Section(
            "debate-jury",
            "Debate: the jury",
            "How far the judges agree with each other and with themselves, and what else than what was said moves "
            "them. Points are weighted means of the criteria, on the scale of the scores.",
            shown,
            tuple(figure for figure in figures if figure.rows),
            tuple(_notes(store, tables)),
        ),
    )


def _shown(tables: dict[str, pd.DataFrame]) -> Iterator[Table]:
    jury = tables["judges"]
    yield Table("Judges", jury, _with_game(jury, _JUDGES), f"{_FIRST_WORDS} {_LENGTH_WORDS}")
    agreed = tables["agreement"]
    yield Table("Agreement", agreed, _with_game(agreed, _AGREEMENT), _ALPHA_WORDS)
    criteria = tables["criteria"]
    everybody = criteria[criteria["judge"] == ALL_JUDGES]
    yield Table("Criteria", everybody, _with_game(everybody, _CRITERIA), "Over all judges and both orders.")
    each = criteria[criteria["judge"] != ALL_JUDGES]
    yield Table("Criteria by judge", each, _with_game(each, (_JUDGE, *_CRITERIA)), folded=True)
    family = tables["family"]
    if not family.empty:
        yield Table("Judges of a contestant's family", family, _with_game(family, _FAMILY), _FAMILY_WORDS)
        results = tables["results"]
        yield Table("Results without them", results, _with_game(results, _RESULTS), _RESULTS_WORDS)


def _notes(store: RunStore, tables: dict[str, pd.DataFrame]) -> Iterator[str]:
    finished = sum(row.game == Debate.name and row.status == "finished" for row in store.matches())
    judged = tables["verdicts"]["match"].nunique()
    if judged < finished:
        yield f"{finished - judged} of {finished} finished debates ended before the jury judged, and are not in here."
    for row in tables["family"].to_dict("records"):
        yield (
            f"{row['judge']} ({row['player']}) is of the family {row['family']}, like {row['entrants']}: it judged "
            f"{row['verdicts']} matches of its own family."
        )
    unknown = [judge.name for judge in judges(store).values() if judge.family is None]
    if unknown:
        yield f"Of {', '.join(unknown)} no family is known (family = ... under officials), so that none is flagged."


def _named_rows(frame: pd.DataFrame) -> list[str]:
    """Judges as charts name them: with the game where there are several, and with who they are."""
    several = frame["game"].nunique() > 1
    rows = zip(frame["game"], frame["judge"], frame["player"], strict=True)
    return [
        f"{judge}{f' ({player})' if player else ''}{f', {game}' if several else ''}" for game, judge, player in rows
    ]


def _with_game(frame: pd.DataFrame, columns: tuple[Column, ...]) -> tuple[Column, ...]:
    return (Column("game", "Game"), *columns) if frame["game"].nunique() > 1 else columns


_JUDGE = Column("judge", "Judge")
_GAIN = Column("first_gain", "Gain shown first", "signed", "first_gain_low", "first_gain_high", "verdicts")
_LENGTH = Column("length", "Margin per 100 words", "signed", "length_low", "length_high", "verdicts")
_JUDGES = (
    _JUDGE,
    Column("player", "Player"),
    Column("family", "Family"),
    Column("verdicts", "Verdicts", "count"),
    Column("mean", "Mean", "number"),
    Column("sd", "Spread", "number"),
    _GAIN,
    Column("first_preferred", "First preferred", "share", "first_preferred_low", "first_preferred_high"),
    Column("changed", "Changed with the order", "share", "changed_low", "changed_high"),
    _LENGTH,
    Column("length_within", "The same, within pairings", "signed", "length_within_low", "length_within_high"),
)
_AGREEMENT = (
    Column("what", "Scored"),
    Column("alpha", "Alpha between judges", "number", "alpha_low", "alpha_high", "units"),
    Column("own_alpha", "Alpha with themselves", "number", "own_alpha_low", "own_alpha_high", "own_units"),
)
_CRITERIA = (
    Column("criterion", "Criterion"),
    Column("weight", "Weight", "number"),
    Column("scores", "Scores", "count"),
    Column("mean", "Mean", "number"),
    Column("sd", "Spread", "number"),
    Column("first_gain", "Gain shown first", "signed", "first_gain_low", "first_gain_high"),
)
_FAMILY = (
    _JUDGE,
    Column("player", "Player"),
    Column("family", "Family"),
    Column("entrants", "Entrants of it"),
    Column("verdicts", "Verdicts on them", "count"),
    Column("favour", "Favour", "signed", "favour_low", "favour_high", "compared"),
)
_RESULTS = (
    Column("entrant", "Entrant"),
    Column("score", "Score, all judges", "share", "score_low", "score_high", "matches"),
    Column("without", "Score without", "share", "without_low", "without_high", "matches_without"),
    Column("flagged", "Met such a judge"),
)
_FIRST_WORDS = (
    "Every judge scores every debate in both orders of presentation. Gain shown first: how many points a side has "
    "more when it is shown first than when it is shown second; zero is no position bias. First preferred: how often "
    "the side shown first had more; one half is none."
)
_LENGTH_WORDS = (
    "Margin per 100 words: how many points a side is ahead for every 100 words that it says more; within pairings: "
    "among matches of the same entrants on the same sides, so that it is no effect of better entrants writing longer."
)
_ALPHA_WORDS = (
    "Krippendorff's alpha for interval data: 1 is perfect agreement, 0 is chance. Between judges: means of the two "
    "orders; with themselves: one order against the other. Intervals resample duplicate groups."
)
_FAMILY_WORDS = (
    "Favour: how many points more such a judge gave its family's side over the other side than the judges of no "
    "contestant's family did in the same matches."
)
_RESULTS_WORDS = (
    "Score without: every match summed anew without the judges that are of a contestant's family. Matches that are "
    "left without a judge do not count."
)
