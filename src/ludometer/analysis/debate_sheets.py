"""Debates of a run as frames: every score of every judge, and every judge's verdict on a match; and what the results
are without some of the judges."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from typing import Any, Literal, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from ludometer.analysis.frames import matches_frame
from ludometer.analysis.run import RunTables, load_tables
from ludometer.core import ConfigurationError, Illegal, Json, LudometerError, Role
from ludometer.core.registry import nearest
from ludometer.games._debate_rubric import ORDERS, SIDES, Sheet, changed_mind, side_totals, summed
from ludometer.games.debate import Debate, Debated
from ludometer.matches import MatchPolicy
from ludometer.players.entrant import official_entrant
from ludometer.store import MatchRow, RunStore
from ludometer.store.replay import new_match

__all__ = ["TOTAL", "Exclude", "Judge", "debate_scores", "debate_verdicts", "judged_debates", "judges", "rejudged"]

TOTAL = "total"
"""Stands in the column ``criterion`` for the weighted mean of all criteria."""

Exclude: TypeAlias = "Literal['family'] | Collection[str]"
"""``family``: every judge in matches with a contestant of its own family; or names of judges, in all matches."""

_SCORE_COLUMNS = [
    *("match", "group", "game", "judge", "order", "side", "entrant", "shown_first", "criterion", "weight", "score"),
]
_VERDICT_COLUMNS = [
    *("match", "group", "game", "judge", "family", "for", "against", "for_total", "against_total", "margin"),
    *("first_gain", "first_preferred", "changed", "for_words", "against_words", "own"),
]


class JudgedDebate(NamedTuple):
    """A match that its jury scored."""

    row: MatchRow
    game: Debate
    state: Debated

    def sheets(self) -> dict[str, tuple[Sheet, Sheet]]:
        """By judge, the sheets of both orders of presentation."""
        pairs = zip(self.state.sheets[::2], self.state.sheets[1::2], strict=True)
        return {f"judge{k}": pair for k, pair in enumerate(pairs, 1)}

    def words(self, side: str) -> int:
        return sum(len(text.split()) for text in self.state.speeches[SIDES.index(side) :: 2])


def judged_debates(store: RunStore) -> Iterator[JudgedDebate]:
    """Every finished debate with the jury's scores, in schedule order. Forfeited and canceled ones have none."""
    for row in store.matches(status=("finished",)):
        if row.game == Debate.name and row.notation:
            state = _final(row)
            if state is not None and state[1].sheets:
                yield JudgedDebate(row, *state)


def _final(row: MatchRow) -> tuple[Debate, Debated] | None:
    """The state after the recorded moves; None for a match that the game, as it is now, does not take any more."""
    try:
        match = new_match(row, MatchPolicy())
        game, state = match.game, match.state
        assert isinstance(game, Debate)
        lines = iter((row.notation or "").split("\n"))
        while seats := game.to_act(state):
            moves = {}
            for seat in seats:
                line = next(lines, None)
                if line is None:
                    return game, state
                moves[seat] = game.parse(state, seat, line)
                game.check(state, seat, moves[seat])
            state = game.apply(state, moves)
    except (LudometerError, Illegal):
        return None
    return game, state


# ---------------------------------------------------------------------- judges


class Judge(NamedTuple):
    """A judge of a run: the player that is one, and whose model it is, where that is known."""

    name: str
    player: str
    family: str | None


def judges(store: RunStore) -> dict[str, Judge]:
    """The judges of the run's debates, by name, from its configuration."""
    given: Mapping[str, Any] = store.config.get("officials") or {}
    numbers = [int(row.options.get("judges", 1)) for row in store.matches() if row.game == Debate.name]
    found = {}
    for name in (f"judge{k}" for k in range(1, max(numbers, default=0) + 1)):
        try:
            entrant = official_entrant(Role(name, "official"), given)
        except LudometerError:  # a run that was imported says nothing of them
            found[name] = Judge(name, "unknown", None)
        else:
            found[name] = Judge(name, str(entrant.spec), entrant.family)
    return found


def _families(store: RunStore) -> dict[str, str | None]:
    return {str(entrant["name"]): entrant.get("family") for entrant in store.entrants()}


def _same(one: str | None, other: str | None) -> bool:
    return one is not None and other is not None and one.casefold() == other.casefold()


def _own(judge: Judge | None, row: MatchRow, families: Mapping[str, str | None]) -> str | None:
    """Which sides are of the judge's family: ``for``, ``against``, ``both``, or None."""
    sides = [side for side in SIDES if judge is not None and _same(judge.family, families.get(row.seats[side]))]
    return None if not sides else sides[0] if len(sides) == 1 else "both"


# ---------------------------------------------------------------------- frames


def debate_scores(store: RunStore) -> pd.DataFrame:
    """One row per score: match, group, game, judge, order, ``side`` and its ``entrant``, whether it was
    ``shown_first``, criterion (and `TOTAL`, the weighted mean), weight, score."""
    rows = [row for debate in judged_debates(store) for row in _score_rows(debate)]
    return _labelled(store, pd.DataFrame(rows), _SCORE_COLUMNS)


def _score_rows(debate: JudgedDebate) -> Iterator[dict[str, Any]]:
    rubric = debate.game.criteria
    for judge, sheets in debate.sheets().items():
        for order, sheet in zip(ORDERS, sheets, strict=True):
            shown = SIDES if order == "ab" else SIDES[::-1]
            totals = dict(zip(SIDES, side_totals(sheet, order, rubric), strict=True))
            for side, scores in zip(shown, sheet, strict=True):
                place: dict[str, Any] = {"match": debate.row.id, "judge": judge, "order": order, "side": side}
                place |= {"entrant": debate.row.seats[side], "shown_first": side == shown[0]}
                for criterion, score in zip(rubric, scores, strict=True):
                    yield place | {"criterion": criterion.name, "weight": criterion.weight, "score": score}
                yield place | {"criterion": TOTAL, "weight": np.nan, "score": totals[side]}


def debate_verdicts(store: RunStore) -> pd.DataFrame:
    """One row per match and judge.

    Columns: match, group, game, judge and its ``family``; the entrants ``for`` and ``against``; ``for_total`` and
    ``against_total`` (means of the two orders) and the ``margin`` for the motion; ``first_gain``: how much more a side
    had when it was shown first, mean of both sides; ``first_preferred``: share of the two orders in which the side
    shown first had more (level: half); ``changed``: did not prefer the same side in both orders; words of each side;
    ``own``: the side of the judge's family (``for``, ``against``, ``both``; missing: none).
    """
    known, families = judges(store), _families(store)
    rows = [
        {**row, "own": _own(known.get(row["judge"]), debate.row, families), "family": _family(known, row["judge"])}
        for debate in judged_debates(store)
        for row in _verdict_rows(debate)
    ]
    return _labelled(store, pd.DataFrame(rows), _VERDICT_COLUMNS)


def _family(known: Mapping[str, Judge], judge: str) -> str | None:
    return known[judge].family if judge in known else None


def _verdict_rows(debate: JudgedDebate) -> Iterator[dict[str, Any]]:
    rubric = debate.game.criteria
    for judge, (ab, ba) in debate.sheets().items():
        (for_ab, against_ab), (for_ba, against_ba) = side_totals(ab, "ab", rubric), side_totals(ba, "ba", rubric)
        ours, theirs = (for_ab + for_ba) / 2, (against_ab + against_ba) / 2
        leads = (for_ab - against_ab, against_ba - for_ba)  # of the side that was shown first
        yield {
            "match": debate.row.id,
            "judge": judge,
            "for": debate.row.seats["for"],
            "against": debate.row.seats["against"],
            "for_total": ours,
            "against_total": theirs,
            "margin": ours - theirs,
            "first_gain": ((for_ab - for_ba) + (against_ba - against_ab)) / 2,
            "first_preferred": sum(0.5 * ((lead > 0) + (lead >= 0)) for lead in leads) / 2,
            "changed": changed_mind(ab, ba, rubric),
            "for_words": debate.words("for"),
            "against_words": debate.words("against"),
        }


def _labelled(store: RunStore, frame: pd.DataFrame, columns: list[str]) -> pd.DataFrame:
    if frame.empty:
        return pd.DataFrame(columns=columns)
    places = matches_frame(store)[["match", "group", "game"]]
    return frame.merge(places, on="match", how="left", validate="many_to_one").reindex(columns=columns)


# --------------------------------------------------------------------- results


def rejudged(store: RunStore, exclude: Exclude = "family") -> RunTables:
    """The run's tables with the results of its debates as they are without some of the judges.

    The other judges' sheets are summed anew, by the game's own rule. A match that is left without a judge is void in
    these tables, so that it does not count and is seen not to. Everything that takes a run's tables (`ratings_of`,
    `leaderboard`, ...) takes these.

    Raises:
        ConfigurationError: a judge is named that the run does not have.
    """
    known, families = judges(store), _families(store)
    if not isinstance(exclude, str):
        for name in exclude:
            if name not in known:
                raise ConfigurationError(f"the run's debates have no judge {name!r}{nearest(name, known)}")
    elif exclude != "family":
        raise ConfigurationError(f"exclude must be 'family' or names of judges, not {exclude!r}")
    tables = load_tables(store)
    matches = tables.matches.copy()
    index = {match: i for i, match in zip(matches.index, matches["match"], strict=True)}
    for debate in judged_debates(store):
        left: list[Sheet] = []
        for name, sheets in debate.sheets().items():
            out = _own(known.get(name), debate.row, families) is not None if exclude == "family" else name in exclude
            left += () if out else sheets
        if len(left) < len(debate.state.sheets):
            _rewrite(matches, index[debate.row.id], debate, left)
    return replace(tables, matches=matches)


def _rewrite(matches: pd.DataFrame, at: Any, debate: JudgedDebate, left: list[Sheet]) -> None:
    """Puts the result of the sheets that are left into a match's row."""
    seats = list(debate.row.seats)
    values: dict[str, Json] = {}
    if left:
        totals = summed(left, debate.game.criteria, debate.game.swap)
        for side, own, other in zip(SIDES, totals, totals[::-1], strict=True):
            number = seats.index(side) + 1
            values |= {f"score_{number}": 0.5 * ((own > other) + (own >= other)), f"payoff_{number}": own}
    else:
        values = {"status": "void", "ending": "void", "why": "no judge is left"}
        values |= {f"{what}_{number}": np.nan for what in ("score", "payoff") for number in (1, 2)}
    for name, value in values.items():
        matches.loc[at, name] = value
