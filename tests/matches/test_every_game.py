"""What the referee promises, in every game: its own luck, records as they were then, a last win that stands."""

from __future__ import annotations

import asyncio
import copy
import random
from typing import Any

import numpy as np
import pytest

from ludometer.core import GAMES, Decision, Turn, make_game
from ludometer.matches import Match, MatchPolicy, play
from ludometer.players.random import RandomPlayer

SPECS = [*sorted(set(GAMES.all()) - {"openspiel"}), "openspiel:pig", "openspiel:leduc_poker", "openspiel:matrix_rps"]
every_game = pytest.mark.parametrize("spec", SPECS)


def new_match(spec: str, number: int = 0, policy: MatchPolicy | None = None) -> Match:
    return Match(make_game(spec), luck=("luck", number), seed=("seed", number), policy=policy)


def step(match: Match) -> None:
    for turn in match.turns():
        if match.ending is None:
            match.submit(turn.seat, Decision(turn.sample(turn.chance)))


def finish(match: Match, steps: int = 10**6) -> Match:
    while match.turns() and steps:
        step(match)
        steps -= 1
    return match


@every_game
def test_matches_share_no_luck_with_each_other_or_with_the_process(spec: str) -> None:
    """Interleaved, and with the process-wide generators seeded anew all the time, games are the same as alone."""
    alone = [finish(new_match(spec, number), 60).notation for number in (1, 2)]
    random.seed(5)
    np.random.seed(5)
    before = random.getstate(), np.random.get_state()[1].tolist()
    assert finish(new_match(spec, 1), 60).notation == alone[0]
    assert (random.getstate(), np.random.get_state()[1].tolist()) == before, "drawn from"
    both = new_match(spec, 1), new_match(spec, 2)
    for number in range(60):
        for match in both:
            random.seed(number)
            np.random.seed(number)
            step(match)
    assert [match.notation for match in both] == alone


@every_game
def test_every_record_is_as_it_was_then(spec: str) -> None:
    """Nothing that a player or a log was given changes while the match goes on."""
    seen: list[tuple[Any, Any]] = []
    states: list[tuple[Any, Any]] = []

    class Watching(RandomPlayer):
        async def act(self, turn: Turn) -> Decision:
            given = (turn.observation, turn.legal, turn.past, turn.schema(None), turn.step)
            seen.append((given, copy.deepcopy(given)))
            return await super().act(turn)

    match = new_match(spec, policy=MatchPolicy(max_moves=40, on_max_moves="draw"))
    states.append((match.state, copy.deepcopy(match.game.dump(match.state))))
    player = Watching()
    asyncio.run(
        play(
            match,
            dict.fromkeys(match.roles, player),
            on_attempt=lambda m, _: states.append((m.state, copy.deepcopy(m.game.dump(m.state)))),
        )
    )
    assert len(seen) >= 2
    for now, then in seen:
        assert now == then
    for state, then in states:
        assert match.game.dump(state) == then
    steps = {given[4] for given, _ in seen}
    assert len(steps) == 1 or len({repr(given[0]) for given, _ in seen}) > 1, "all records show the same"


@every_game
def test_a_win_on_the_last_move_that_counts_stands(spec: str) -> None:
    for number in range(40):
        played = finish(new_match(spec, number))
        scores = played.scores()
        assert scores is not None
        if len(set(scores.values())) > 1:
            break
    else:
        raise AssertionError("nobody ever won")
    cap = len(played.attempts)
    for policy in (MatchPolicy(max_moves=cap, on_max_moves="draw"), MatchPolicy(max_moves=cap, on_max_moves="cancel")):
        again = finish(new_match(spec, number, policy))
        assert (again.ending, again.scores()) == (played.ending, scores)
    if cap > 2:
        early = finish(new_match(spec, number, MatchPolicy(max_moves=cap - 1, on_max_moves="draw")))
        assert early.ending is not None and early.ending.why == f"drawn after {cap - 1} moves"


@every_game
def test_every_game_has_a_bound_and_a_turn_limit_says_that_it_was_hit(spec: str) -> None:
    bound = make_game(spec).max_steps()
    assert bound is not None and 1 <= bound < 100_000
    match = finish(new_match(spec, 3, MatchPolicy(max_moves=2, on_max_moves="cancel")))
    assert match.ending is not None and len(match.attempts) == 2
    assert "2 moves made" in match.ending.why or match.game.outcome(match.state) is not None


@every_game
def test_a_seat_is_shown_its_own_moves_and_nobody_elses(spec: str) -> None:
    """In the first turn and later ones: what a seat is shown as legal is legal for it."""
    match = new_match(spec, 4)
    for _ in range(12):
        for turn in match.turns():
            assert turn.legal == match.game.legal(match.state, turn.seat)
            assert turn.observation.viewer == turn.seat
            for action in turn.legal or ():
                turn.check(action)
            shown = turn.observation.data.get("legal")
            if shown is not None and turn.legal is not None:
                assert set(shown) == {turn.format(action) for action in turn.legal}
        acting = {turn.seat for turn in match.turns()}
        for seat in set(match.roles) - acting:
            assert not match.game.observe(match.state, seat).data.get("legal"), "another seat's moves"
        step(match)
