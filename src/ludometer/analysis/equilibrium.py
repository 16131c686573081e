"""Games with a known equilibrium: what entrants won against it, beside what the game is worth.

Who plays an equilibrium strategy wins the value of the game against nobody's mistakes, and more against mistakes that
it meets. So an entrant's mean payoff against it, less the value of the seat, is at most 0 on average: the mistakes that
cost something there. It is a lower bound on how much a best response would win (the exploitability).
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, Final

import numpy as np
import pandas as pd

from ludometer.analysis.frames import matches_frame
from ludometer.analysis.liars_dice import own_moves
from ludometer.analysis.sections import Column, Section, Table, Whiskers, whiskers_of
from ludometer.core import AnyGame, ConfigurationError, Illegal, make_game
from ludometer.core.spec import parse_spec
from ludometer.matches import MatchPolicy
from ludometer.ratings import mean_interval
from ludometer.solvers.cfr import best_response_values, reached, uniform
from ludometer.solvers.cfr_policies import check_solvable, key_of, layout, solved
from ludometer.solvers.cfr_trees import Tree
from ludometer.store import MatchRow, RunStore
from ludometer.store.replay import new_match

__all__ = ["against_equilibrium", "empirical_exploitability", "equilibrium_tables", "sections"]

_PLAYER: Final = "equilibrium"
_FEW: Final = 10
"""Decisions in an information state below which its frequencies say too little."""
_SMALL: Final = 50
"""Information states of the largest game whose empirical strategies are looked at."""

_DIFFERENCE: Final = Column("difference", "Difference", "signed", "difference_low", "difference_high", "matches", 3)

_AGAINST_COLUMNS = [
    *("game", "condition", "entrant", "seat", "matches", "without_payoff", "payoff", "payoff_low", "payoff_high"),
    *("value", "difference", "difference_low", "difference_high", "equilibrium_exploitability"),
]
_POLICY_COLUMNS = ["game", "condition", "entrant", "decisions", "states", "missing_states", "exploitability"]


def equilibrium_tables(store: RunStore) -> dict[str, pd.DataFrame]:
    """Keys ``against_equilibrium`` and ``policies`` (`empirical_exploitability`).

    Both are empty where the run has no game with a known equilibrium, the first also where nobody played
    ``equilibrium``.
    """
    return {"against_equilibrium": against_equilibrium(store), "policies": empirical_exploitability(store)}


def sections(store: RunStore) -> Sequence[Section]:
    """What entrants won against an equilibrium strategy; nothing for runs without such matches."""
    against = against_equilibrium(store)
    if against.empty:
        return ()
    policies = empirical_exploitability(store)
    both = against[against["seat"] == "both"]
    return (
        Section(
            "equilibrium",
            "Against an equilibrium",
            "An equilibrium strategy cannot be beaten on average: an entrant's mean payoff against it, less what its "
            "seat is worth, is what its mistakes cost there. It is at least as far from 0 against who looks for them.",
            (Table("Payoff against the equilibrium", against, _against_columns(against)), *_policies(policies)),
            (
                Whiskers(
                    "Payoff less the value of the seats",
                    "Mean over all matches against the equilibrium, in the game's units, with 95% intervals clustered "
                    "on duplicate groups. 0 is play without a mistake that costs anything there.",
                    "payoff less the seat's value",
                    whiskers_of(both, "entrant", _DIFFERENCE, unit="matches"),
                    zero=0.0,
                ),
            ),
        ),
    )


def _against_columns(against: pd.DataFrame) -> tuple[Column, ...]:
    several = [name for name in ("game", "condition") if against[name].nunique() > 1]
    return (
        Column("entrant", "Entrant"),
        *(Column(name, name.capitalize()) for name in several),
        Column("seat", "Seat"),
        Column("payoff", "Payoff", "signed", "payoff_low", "payoff_high", "matches", 3),
        Column("value", "Value of the seat", "signed", digits=3),
        _DIFFERENCE,
        Column("without_payoff", "Without a payoff", "count"),
        Column("equilibrium_exploitability", "Exploitability of the equilibrium", "number", digits=5),
    )


def _policies(policies: pd.DataFrame) -> tuple[Table, ...]:
    if policies.empty:
        return ()
    columns = (
        Column("entrant", "Entrant"),
        Column("game", "Game"),
        Column("decisions", "Decisions", "count"),
        Column("states", "Information states", "count"),
        Column("missing_states", "Seen too rarely", "count"),
        Column("exploitability", "Exploitability", "number", digits=3),
    )
    explain = (
        f"From the frequencies of an entrant's moves. Given only where it made at least {_FEW} decisions in every "
        "information state that it can reach; it has no interval, and is too high rather than too low."
    )
    return (Table("Exploitability of observed play", policies, columns, explain, folded=True),)


@cache
def _game(name: str, options: str) -> AnyGame | None:
    """The game, if it has a known equilibrium."""
    try:
        game = make_game(name, json.loads(options))
        check_solvable(game)
    except ConfigurationError:
        return None
    return game


def _solvable(store: RunStore) -> list[tuple[MatchRow, AnyGame]]:
    """Finished matches of two players in games with a known equilibrium."""
    rows = [row for row in store.matches(status=("finished",)) if len(row.seats) == 2]
    found = [(row, _game(row.game, json.dumps(row.options, sort_keys=True))) for row in rows]
    return [(row, game) for row, game in found if game is not None]


def against_equilibrium(store: RunStore) -> pd.DataFrame:
    """One row per game, condition, entrant and seat (its number, or ``both``), matches against ``equilibrium`` only.

    Columns: matches with a payoff, ``without_payoff`` (forfeits and the like, which have none); mean ``payoff`` in the
    game's units, the ``value`` of the seat in equilibrium, and ``difference``, the one less the other; intervals
    (``_low``, ``_high``) are 95%, clustered on duplicate groups, infinite for one group; and the exploitability of the
    strategy that was played against. ``both`` weighs matches alike, so that unequal seats do not count as skill only in
    ``difference``.
    """
    masters = {str(e["name"]) for e in store.entrants() if parse_spec(str(e["player"])).name == _PLAYER}
    rows = list(_against(_solvable(store), masters))
    if not rows:
        return pd.DataFrame(columns=_AGAINST_COLUMNS)
    frame = pd.DataFrame(rows).merge(matches_frame(store)[["match", "group", "game", "condition"]], on="match")
    both = frame.assign(seat="both")
    parts = pd.concat([frame, both]).groupby(["game", "condition", "entrant", "seat"], sort=True)
    return pd.DataFrame([_summary(place, part) for place, part in parts], columns=_AGAINST_COLUMNS)


def _against(matches: Iterable[tuple[MatchRow, AnyGame]], masters: set[str]) -> Iterator[dict[str, Any]]:
    for row, game in matches:
        policy = solved(game) if masters & set(row.seats.values()) else None
        for number, (seat, entrant) in enumerate(row.seats.items()):
            others = [name for other, name in row.seats.items() if other != seat]
            if policy is None or entrant in masters or others[0] not in masters:
                continue
            yield {
                "match": row.id,
                "entrant": entrant,
                "seat": str(number + 1),
                "payoff": np.nan if row.payoffs is None else row.payoffs[seat],
                "value": policy.value if number == 0 else -policy.value,
                "exploitability": policy.exploitability,
            }


def _summary(place: tuple[Any, ...], part: pd.DataFrame) -> dict[str, Any]:
    row: dict[str, Any] = dict(zip(("game", "condition", "entrant", "seat"), place, strict=True))
    known = part[part["payoff"].notna()]
    row |= {"matches": len(known), "without_payoff": len(part) - len(known)}
    row |= {"value": part["value"].mean(), "equilibrium_exploitability": part["exploitability"].iloc[0]}
    if known.empty:
        return row
    groups = known["group"].to_numpy()
    for name, values in (("payoff", known["payoff"]), ("difference", known["payoff"] - known["value"])):
        found = mean_interval(values.to_numpy(), groups)
        row |= {name: found.value, f"{name}_low": found.low, f"{name}_high": found.high}
    return row


# ------------------------------------------------------------------- strategies


def empirical_exploitability(store: RunStore) -> pd.DataFrame:
    """How much a best response would win against the frequencies with which an entrant acted (Kuhn poker only: larger
    games have too many information states for that).

    One row per game, condition and entrant: ``decisions``, information ``states`` of the game, ``missing_states``
    (those that the entrant's own play can reach, but where it decided fewer than 10 times), and the
    ``exploitability``: the mean over both seats of a best response's payoff, missing while states are. A best response
    also exploits the luck in the frequencies, so that few decisions show as too much of it.
    """
    frame = matches_frame(store)
    names = {m: (str(g), str(c)) for m, g, c in zip(frame["match"], frame["game"], frame["condition"], strict=True)}
    counts: dict[tuple[str, str, str], Counter[tuple[str, int]]] = {}
    games: dict[str, AnyGame] = {}
    own = own_moves(store)
    for row, game in _solvable(store):
        if row.notation is None or len(_layout(game).keys) > _SMALL:
            continue
        label, condition = names[row.id]
        games[label] = game
        for entrant, key, action in _choices(row, game, own.get(row.id, set())):
            counts.setdefault((label, condition, entrant), Counter())[key, action] += 1
    rows = [
        dict(zip(("game", "condition", "entrant"), place, strict=True)) | _exploited(_layout(games[place[0]]), found)
        for place, found in sorted(counts.items())
    ]
    return pd.DataFrame(rows, columns=_POLICY_COLUMNS)


@cache
def _layout(game: AnyGame) -> Tree:
    return layout(game)


def _choices(row: MatchRow, game: AnyGame, own: set[tuple[int, str]]) -> Iterator[tuple[str, str, int]]:
    """Entrant, information state and number of the action, for every move that is the player's own."""
    match = new_match(row, MatchPolicy())
    state = match.state
    for step, text in enumerate((row.notation or "").splitlines(), match.step):
        (seat,) = game.to_act(state)
        try:
            move = game.parse(state, seat, text)
        except Illegal:
            return
        if (step, seat) in own:
            number = list(game.legal(state, seat) or ()).index(move)
            yield row.seats[seat], key_of(game, game.observe(state, seat)), number
        state = game.apply(state, {seat: move})


def _exploited(tree: Tree, found: Counter[tuple[str, int]]) -> dict[str, Any]:
    strategy = uniform(tree)
    seen = np.zeros(len(tree.keys), dtype=np.int64)
    for state, key in enumerate(tree.keys):
        begin, end = tree.offset[state], tree.offset[state] + tree.actions[state]
        counts = np.array([found[key, action] for action in range(end - begin)], dtype=np.float64)
        seen[state] = int(counts.sum())
        if seen[state]:
            strategy[begin:end] = counts / seen[state]
    missing = int(((seen < _FEW) & reached(tree, strategy)).sum())
    exploited = np.nan if missing else sum(best_response_values(tree, strategy)) / 2
    return {
        "decisions": int(seen.sum()),
        "states": len(tree.keys),
        "missing_states": missing,
        "exploitability": exploited,
    }
