"""Draw offers, and matches that an evaluator ends."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from ludometer.core import Completion, ConfigurationError, Decision, Fault, make_game
from ludometer.games.tictactoe import Cell
from ludometer.matches import ADJUDICATOR, Match, MatchPolicy, play
from ludometer.parsers import read
from ludometer.players.adjudicator import AdjudicatorPlayer
from ludometer.players.random import RandomPlayer
from ludometer.prompts import AnswerStyle, PromptStyle, compose
from ludometer.store import RunStore
from ludometer.tournaments import load_config, resume, start, verify

GAME = make_game("tictactoe")


def _match(**policy: Any) -> Match:
    return Match(GAME, policy=MatchPolicy(**policy))


class TestDrawOffers:
    def test_an_offer_can_be_accepted_in_the_next_turn_only(self) -> None:
        match = _match(draw_offers=True)
        match.submit("X", Decision(Cell(1, 1), draw="offer"))
        assert match.turns()[0].draw_offered
        match.submit("O", Decision(draw="accept"))
        assert match.ending is not None and match.ending.kind == "completed" and match.ending.why == "draw agreed"
        assert match.scores() == {"X": 0.5, "O": 0.5}

    def test_a_move_declines(self) -> None:
        match = _match(draw_offers=True)
        match.submit("X", Decision(Cell(1, 1), draw="offer"))
        match.submit("O", Decision(Cell(2, 2)))
        assert not match.turns()[0].draw_offered
        match.submit("X", Decision(Cell(1, 2)))
        assert match.submit("O", Decision(draw="accept")).verdict.kind == "no_draw_offered"

    def test_nobody_accepts_their_own_offer_and_an_illegal_move_offers_nothing(self) -> None:
        match = _match(draw_offers=True)
        assert match.submit("X", Decision(Cell(9, 9), draw="offer")).verdict.kind == "out_of_bounds"
        assert match.submit("X", Decision(draw="accept")).verdict.kind == "no_draw_offered"
        match.submit("X", Decision(Cell(1, 1)))
        assert not match.turns()[0].draw_offered

    def test_they_are_refused_where_the_policy_has_none(self) -> None:
        assert _match().submit("X", Decision(Cell(1, 1), draw="offer")).verdict.kind == "draw_offer_not_allowed"

    @pytest.mark.parametrize("form", ["json", "json_schema", "tool"])
    def test_models_can_offer_and_accept_in_structured_answers(self, form: Any) -> None:
        match = _match(draw_offers=True)
        style = PromptStyle(answer=AnswerStyle(form))
        turn = match.turns()[0]
        request = compose(turn, style).request
        assert '"draw": "offer"' in request.messages[-1].text and '"accept"' not in request.messages[-1].text
        schema = request.schema or (request.tool.schema if request.tool else None)
        assert schema is None or schema["properties"]["draw"]["enum"] == ["no", "offer"]
        said = '{"row": 1, "column": 1, "draw": "offer"}'
        answer = Completion(None, tool_arguments=said) if form == "tool" else Completion(said)
        reading = read(answer, turn, form)
        match.submit("X", Decision(reading.action, draw=reading.draw))
        turn = match.turns()[0]
        request = compose(turn, style).request
        assert "has just offered a draw" in request.messages[-1].text
        assert read(Completion('{"row": 2, "column": 2, "draw": "Accept"}'), turn, "json").draw == "accept"
        assert read(Completion('{"row": 2, "column": 2, "draw": "no"}'), turn, "json").draw is None

    def test_without_the_policy_the_field_means_nothing_and_the_prompt_is_silent(self) -> None:
        turn = _match().turns()[0]
        assert '"draw"' not in compose(turn, PromptStyle()).request.messages[-1].text
        assert read(Completion('{"row": 1, "column": 1, "draw": "offer"}'), turn, "json").draw is None


class TestAdjudication:
    def test_the_evaluator_ends_the_match_and_a_replay_asks_nobody(self) -> None:
        match = _match(max_moves=4, on_max_moves="adjudicate")
        for seat, cell in (("X", (1, 1)), ("O", (2, 1)), ("X", (1, 2)), ("O", (2, 3))):
            match.submit(seat, Decision(Cell(*cell)))
        (turn,) = match.turns()
        assert turn.seat == ADJUDICATOR and match.ending is None
        decision = asyncio.run(AdjudicatorPlayer().act(turn))
        assert decision.action == 1.0  # X to move completes the top row
        match.submit(ADJUDICATOR, decision)
        assert match.scores() == {"X": 1.0, "O": 0.0}
        assert match.ending is not None and "1.00 for X" in match.ending.why

        again = _match(max_moves=4, on_max_moves="adjudicate")
        ending = asyncio.run(play(again, {}, recorded=match.attempts))
        assert ending == match.ending

    @pytest.mark.parametrize(("value", "score"), [(0.5, 0.5), (0.74, 0.5), (0.75, 1.0), (0.25, 0.0), (0.26, 0.5)])
    def test_the_margin(self, value: float, score: float) -> None:
        match = _match(max_moves=2, on_max_moves="adjudicate")
        match.submit("X", Decision(Cell(1, 1)))
        match.submit("O", Decision(Cell(2, 2)))
        match.submit(ADJUDICATOR, Decision(value))
        scores = match.scores()
        assert scores is not None and scores["X"] == score and sum(scores.values()) == 1

    def test_a_win_on_the_last_move_is_no_matter_for_the_adjudicator(self) -> None:
        match = _match(max_moves=5, on_max_moves="adjudicate")
        for seat, cell in (("X", (1, 1)), ("O", (2, 1)), ("X", (1, 2)), ("O", (2, 3)), ("X", (1, 3))):
            match.submit(seat, Decision(Cell(*cell)))
        assert match.ending is not None and match.ending.why == "X has 3 in a row"

    def test_an_adjudicator_that_fails_voids_the_match(self) -> None:
        match = _match(max_moves=1, on_max_moves="adjudicate", attempts=2)
        match.submit("X", Decision(Cell(1, 1)))
        assert match.submit(ADJUDICATOR, Decision(7.0)).verdict.kind == "out_of_range"
        match.submit(ADJUDICATOR, Decision(fault=Fault("player_error", "broken")))
        assert match.ending is not None and match.ending.kind == "void"
        assert match.scores() is None

    def test_without_a_limit_on_attempts_an_adjudicator_has_one(self) -> None:
        match = _match(max_moves=1, on_max_moves="adjudicate", attempts=None)
        match.submit("X", Decision(Cell(1, 1)))
        match.submit(ADJUDICATOR, Decision(7.0))
        assert match.ending is not None and match.ending.kind == "void"

    def test_a_failed_official_is_on_record_and_asked_anew(self, scripted: Any, notebook: Any) -> None:
        def fresh() -> Match:
            return _match(max_moves=1, on_max_moves="adjudicate", attempts=2)

        adjudicator = scripted(Decision(7.0), Decision(8.0))
        ending = asyncio.run(play(fresh(), {"X": scripted("1,1"), ADJUDICATOR: adjudicator}, notebook))
        assert (ending.kind, [a.seat for a in notebook.attempts]) == ("void", ["X", ADJUDICATOR, ADJUDICATOR])
        # Once more it fails twice, and then judges at its second try: every attempt stays, under a number of its own.
        for answers, kind in (([7.0, 9.0], "void"), ([7.0, 0.5], "completed")):
            match, players = fresh(), {ADJUDICATOR: scripted(*map(Decision, answers))}
            assert asyncio.run(play(match, players, notebook, recorded=list(notebook.attempts))).kind == kind
            assert notebook.attempts == match.attempts
        assert [a.attempt for a in notebook.attempts if a.seat == ADJUDICATOR] == [0, 1, 2, 3, 4, 5]

    def test_mistakes_are_configuration_errors(self) -> None:
        with pytest.raises(ConfigurationError, match="needs max_moves"):
            MatchPolicy(on_max_moves="adjudicate")
        config = {"game": "tictactoe", "players": ["random", "perfect"]}
        policy = {"max_moves": 4, "on_max_moves": "adjudicate", "adjudicator": "oracle"}
        with pytest.raises(ConfigurationError, match="oracle"):
            asyncio.run(start(load_config({**config, "policy": policy}), "nowhere"))

    def test_a_whole_run_is_recorded_and_verified(self, tmp_path: Path) -> None:
        config = load_config(
            {
                "game": "tictactoe",
                "players": ["random", {"player": "random", "name": "other"}],
                "schedule": {"repeats": 3},
                "policy": {"max_moves": 4, "on_max_moves": "adjudicate"},
            }
        )
        summary = asyncio.run(start(config, tmp_path / "run"))
        assert summary.complete
        with RunStore.open(tmp_path / "run") as store:
            whys = [row.why or "" for row in store.matches()]
        assert len(whys) == 6 and all(why.startswith("adjudicated") for why in whys)
        result = asyncio.run(verify(tmp_path / "run"))
        assert result.passed and result.attempts == 6 * 5


def test_a_match_that_its_adjudicator_voided_is_taken_up_again(tmp_path: Path, monkeypatch: Any) -> None:
    config = load_config(
        {
            "game": "tictactoe",
            "players": ["random", {"player": "random", "name": "other"}],
            "policy": {"max_moves": 4, "on_max_moves": "adjudicate"},
        }
    )

    async def broken(self: AdjudicatorPlayer, turn: Any) -> Decision:
        raise RuntimeError("no engine today")

    with monkeypatch.context() as patch:
        patch.setattr(AdjudicatorPlayer, "act", broken)
        summary = asyncio.run(start(config, tmp_path / "run"))
        assert summary.void == 2 and summary.finished == 0
    assert asyncio.run(resume(tmp_path / "run")).complete
    assert asyncio.run(verify(tmp_path / "run")).passed


def test_random_players_do_not_know_of_draws() -> None:
    match = _match(draw_offers=True)
    asyncio.run(play(match, {"X": RandomPlayer(), "O": RandomPlayer()}))
    assert all(attempt.decision.draw is None for attempt in match.attempts)
