"""Risk: whom the dice favoured, how good the odds of attacks were, and how matches went.

Luck is counted in armies: of every roll, what the other side lost minus what the own side lost, less the mean of that
over all throws of these dice. What one side gains by luck the other loses, so the luck of a match adds up to zero, but
for rolls against the neutral army. Whom to attack, and with how many dice, is no luck.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import pandas as pd

from ludometer.analysis.measures import estimate
from ludometer.analysis.risk_matches import Replayed, battles, replayed, timeline, win_timeline
from ludometer.analysis.sections import Column, Figure, Lines, Section, Table, Whiskers, whiskers_of
from ludometer.games.risk.battle import losses
from ludometer.games.risk.settings import seat_of
from ludometer.games.risk.state import Roll
from ludometer.solvers.risk_odds import conquest_odds, expected_losses
from ludometer.store import RunStore

__all__ = ["attacks_frame", "risk_attacks", "risk_luck", "risk_tables", "roll_luck", "sections", "turns_frame"]

_LUCK_COLUMNS = [
    *("entrant", "matches", "rolls", "luck", "luck_low", "luck_high", "attack_luck", "attack_low", "attack_high"),
    *("attack_rolls", "defence_luck", "defence_low", "defence_high", "defence_rolls"),
]
_ATTACK_COLUMNS = [
    *("match", "group", "round", "entrant", "seat", "defender"),
    *("attackers", "defenders", "odds", "conquered"),
]
_SUMMARY_COLUMNS = [
    *("entrant", "matches", "attacks", "odds", "odds_low", "odds_high", "expected", "conquered"),
    *("beyond", "beyond_low", "beyond_high", "against_odds", "against_low", "against_high"),
]
_TURN_COLUMNS = ["match", "group", "round", "entrant", "seat", "territories", "armies", "reinforcements", "cards"]
_SHOWN_ROLLOUTS: Final = 20


def risk_tables(store: RunStore) -> dict[str, pd.DataFrame]:
    """Everything about the Risk of a run: ``luck`` (`risk_luck`), ``attacks`` (`risk_attacks`), ``turns``
    (`turns_frame`). All tables are empty for a run without Risk."""
    matches = list(replayed(store))
    return {"luck": _luck(matches), "attacks": _attack_table(attacks_frame(matches)), "turns": turns_frame(matches)}


# ------------------------------------------------------------------------ luck


def risk_luck(store: RunStore, *, level: float = 0.95) -> pd.DataFrame:
    """The luck with the dice, one row per entrant: ``luck`` in armies per match with ``luck_low`` and ``luck_high``
    (clustered on duplicate groups; missing where there is one group only), and the same of the rolls it made attacking
    and defending; ``matches`` and numbers of rolls. An entrant in two seats of a match counts with both together."""
    return _luck(list(replayed(store)), level)


class _Luck(NamedTuple):
    attack: float
    attack_rolls: int
    defence: float
    defence_rolls: int


def _luck(matches: Sequence[Replayed], level: float = 0.95) -> pd.DataFrame:
    rows = []
    for match in matches:
        for entrant, luck in _match_luck(match).items():
            rows.append({"entrant": entrant, "group": match.row.group, **luck._asdict()})
    if not rows:
        return pd.DataFrame(columns=_LUCK_COLUMNS)
    frame = pd.DataFrame(rows)
    found = [_luck_row(str(name), own, level) for name, own in frame.groupby("entrant", sort=False)]
    return pd.DataFrame(found, columns=_LUCK_COLUMNS)


def _luck_row(name: str, own: pd.DataFrame, level: float) -> dict[str, Any]:
    row: dict[str, Any] = {"entrant": name, "matches": len(own), "rolls": 0}
    for what, values in (
        ("luck", own["attack"] + own["defence"]),
        ("attack", own["attack"]),
        ("defence", own["defence"]),
    ):
        found = estimate(values, own["group"], share=False, level=level, least=float("-inf"))
        row[what if what == "luck" else f"{what}_luck"] = found["value"]
        row |= {f"{what}_low": found["low"], f"{what}_high": found["high"]}
    row["attack_rolls"], row["defence_rolls"] = int(own["attack_rolls"].sum()), int(own["defence_rolls"].sum())
    row["rolls"] = row["attack_rolls"] + row["defence_rolls"]
    return row


def _match_luck(match: Replayed) -> dict[str, _Luck]:
    found = dict.fromkeys(match.entrants, _Luck(0.0, 0, 0.0, 0))
    for log in match.states[-1].log:
        if log.trait != "attack":
            continue
        luck, count = sum(map(roll_luck, log.rolls)), len(log.rolls)
        attacker = match.entrants[log.player]
        a = found[attacker]
        found[attacker] = a._replace(attack=a.attack + luck, attack_rolls=a.attack_rolls + count)
        if log.numbers[2] < len(match.entrants):  # the neutral army is nobody
            defender = match.entrants[log.numbers[2]]
            d = found[defender]
            found[defender] = d._replace(defence=d.defence - luck, defence_rolls=d.defence_rolls + count)
    return found


def roll_luck(dice: Roll) -> float:
    """The attacker's luck in one roll, in armies."""
    own, other = losses(dice)
    mean_own, mean_other = expected_losses(sum(die > 0 for die in dice[:3]), sum(die > 0 for die in dice[3:]))
    return (other - own) - (mean_other - mean_own)


# --------------------------------------------------------------------- attacks


def attacks_frame(matches: Sequence[Replayed]) -> pd.DataFrame:
    """Every battle that was fought until it was decided (games with ``blitz``): ``attackers`` that could attack,
    ``defenders``, the exact ``odds`` of a conquest, and whether it ``conquered``."""
    rows = []
    for match in matches:
        if not match.game.blitz:
            continue
        for log, number, attackers, defenders in battles(match):
            rows.append(
                {
                    "match": match.row.id,
                    "group": match.row.group,
                    "round": number,
                    "entrant": match.entrants[log.player],
                    "seat": seat_of(log.player),
                    "defender": "neutral" if log.numbers[2] >= len(match.entrants) else seat_of(log.numbers[2]),
                    "attackers": attackers,
                    "defenders": defenders,
                    "odds": conquest_odds(attackers, defenders),
                    "conquered": bool(log.numbers[5]),
                }
            )
    return pd.DataFrame(rows, columns=_ATTACK_COLUMNS)


def risk_attacks(store: RunStore, *, level: float = 0.95) -> pd.DataFrame:
    """How well attacks were chosen, one row per entrant: ``attacks`` fought to the end, mean ``odds`` of a conquest,
    how many conquests these make one ``expect`` and how many there were (``conquered``), the difference ``beyond`` per
    match, and the share ``against_odds`` of attacks with odds below one half. Intervals are clustered on duplicate
    groups. Empty without ``blitz``, where attacks are single rolls."""
    return _attack_table(attacks_frame(list(replayed(store))), level)


def _attack_table(attacks: pd.DataFrame, level: float = 0.95) -> pd.DataFrame:
    rows = []
    for name, own in attacks.groupby("entrant", sort=False):
        odds = estimate(own["odds"], own["group"], share=True, level=level)
        against = estimate((own["odds"] < 0.5).astype("float64"), own["group"], share=True, level=level)
        more = own.assign(more=own["conquered"].astype("float64") - own["odds"])
        per_match = more.groupby(["match", "group"], sort=False)["more"].sum().reset_index()
        beyond = estimate(per_match["more"], per_match["group"], share=False, level=level, least=float("-inf"))
        rows.append(
            {
                "entrant": name,
                "matches": int(own["match"].nunique()),
                "attacks": len(own),
                "odds": odds["value"],
                "odds_low": odds["low"],
                "odds_high": odds["high"],
                "expected": float(own["odds"].sum()),
                "conquered": int(own["conquered"].sum()),
                "beyond": beyond["value"],
                "beyond_low": beyond["low"],
                "beyond_high": beyond["high"],
                "against_odds": against["value"],
                "against_low": against["low"],
                "against_high": against["high"],
            }
        )
    return pd.DataFrame(rows, columns=_SUMMARY_COLUMNS)


# ------------------------------------------------------------------------ time


def turns_frame(matches: Sequence[Replayed]) -> pd.DataFrame:
    """What every player held at the beginning of each round, and at the end (the round after the last): territories,
    armies, the reinforcements it would get, and cards. Eliminated players are left out."""
    return pd.DataFrame([row for match in matches for row in _turns(match)], columns=_TURN_COLUMNS)


def _turns(match: Replayed) -> Iterator[dict[str, Any]]:
    for number, state in timeline(match):
        players = match.game.observe(state, seat_of(0)).data["players"]
        for player, entrant in zip(players, match.entrants, strict=True):
            if not player["eliminated"]:
                yield {
                    "match": match.row.id,
                    "group": match.row.group,
                    "round": number,
                    "entrant": entrant,
                    **{name: player[name] for name in ("seat", "territories", "armies", "reinforcements", "cards")},
                }


# ---------------------------------------------------------------------- report


def sections(store: RunStore) -> Sequence[Section]:
    """What Risk adds to a report."""
    if not any(row.game == "risk" and row.status == "finished" for row in store.matches()):
        return ()
    matches = list(replayed(store))
    if not matches:
        return ()
    luck, attacks = _luck(matches), _attack_table(attacks_frame(matches))
    column = Column("luck", "Luck per match, armies", "signed", "luck_low", "luck_high", "matches")
    tables = [Table("Luck with the dice", luck, _luck_columns(column), _LUCK_WORDS)]
    if not attacks.empty:
        tables.append(Table("Attacks", attacks, _ATTACKS, _ATTACK_WORDS))
    whiskers = Whiskers(
        "Luck with the dice", _LUCK_WORDS, "armies per match", whiskers_of(luck, "entrant", column, "matches")
    )
    return (
        Section(
            "risk",
            "Risk: dice and attacks",
            "How much of a result was luck, and how good the odds were that players attacked at.",
            tuple(tables),
            (whiskers, *_example(matches[0])),
        ),
    )


def _example(match: Replayed) -> list[Figure]:
    """The first match as it went: territories, and who was ahead."""
    turns, wins = turns_frame([match]), win_timeline(match, rollouts=_SHOWN_ROLLOUTS)
    number = match.row.number
    return [
        Lines(
            f"Territories in match {number}",
            "At the beginning of each round; the last point is the end. Lines end where a player is eliminated.",
            "round",
            "territories",
            _series(turns, "territories"),
            low=0.0,
        ),
        Lines(
            f"Who was ahead in match {number}",
            f"How often each player came first in {_SHOWN_ROLLOUTS} games played at random from the beginning of the "
            "round: what the position was worth, whoever plays it. The last point is the result.",
            "round",
            "share of first places",
            _series(wins, "first"),
            low=0.0,
            high=1.0,
        ),
    ]


def _series(frame: pd.DataFrame, column: str) -> dict[str, list[tuple[float, float]]]:
    return {
        f"{entrant} (Player {seat})": [(float(x), float(y)) for x, y in zip(own["round"], own[column], strict=True)]
        for (entrant, seat), own in frame.groupby(["entrant", "seat"], sort=False)
    }


_LUCK_WORDS = (
    "Armies that the dice gave or took, compared with the mean of all throws of the same dice; zero is what is "
    "expected. Intervals are clustered on duplicate groups."
)
_ATTACK_WORDS = (
    "Attacks fought until they were decided. Odds: the exact chance to conquer when the attack began. Beyond the odds: "
    "conquests per match above what these chances add up to. Against the odds: attacks with a chance below one half."
)


def _luck_columns(luck: Column) -> tuple[Column, ...]:
    return (
        Column("entrant", "Entrant"),
        luck,
        Column("attack_luck", "Attacking", "signed", "attack_low", "attack_high", "attack_rolls"),
        Column("defence_luck", "Defending", "signed", "defence_low", "defence_high", "defence_rolls"),
    )


_ATTACKS = (
    Column("entrant", "Entrant"),
    Column("odds", "Odds", "share", "odds_low", "odds_high", "attacks"),
    Column("conquered", "Conquests", "count"),
    Column("beyond", "Beyond the odds", "signed", "beyond_low", "beyond_high", "matches"),
    Column("against_odds", "Against the odds", "share", "against_low", "against_high", "attacks"),
)
