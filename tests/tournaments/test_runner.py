"""Whole runs on one machine: what stops them, what does not, and that nothing is lost or blamed on the wrong one."""

from __future__ import annotations

import asyncio

import pytest

from ludometer.analysis import duplicates
from ludometer.core import GAMES, ConfigurationError, Decision, InternalError, MachineError
from ludometer.games.tictactoe import TicTacToe
from ludometer.players import PLAYERS
from ludometer.store import RunStore, schema
from ludometer.testing.fake_provider import FakeProvider, in_thread
from ludometer.tournaments import extend, resume, start

LEGAL_ONLY = {"answer": "json_schema", "legal_only": True}
ROUND = {"players": ["fake/a", "fake/b", "random"], "schedule": {"repeats": 2}, "concurrency": 4}


def clean_results(kit, tmp_path, **settings):
    """What the same run gives when nothing goes wrong."""
    with in_thread(FakeProvider("tictactoe")) as provider:
        summary = kit.run(start(kit.config_for(provider.url, **settings), tmp_path / "clean"))
    assert summary.complete
    return kit.results(tmp_path / "clean"), summary.totals.calls


def one_sentence(text):
    return "\n" not in text and len(text) < 300


# ------------------------------------------------------------------ a run without trouble


def test_a_run_is_complete_and_says_so(kit, where):
    with in_thread(FakeProvider("tictactoe")) as provider:
        summary = kit.run(start(kit.config_for(provider.url, **ROUND), where))
        assert (summary.total, summary.finished, summary.void, summary.stopped) == (12, 12, 0, None)
        assert summary.complete
        assert summary.totals.calls == provider.stats.calls == kit.recorded_calls(where)
        again = kit.run(resume(where))
        assert again.complete
        assert again.totals.calls == 0
    for status, ending, why, _, scores, notation, attempts, _ in kit.results(where).values():
        assert (status, ending) == ("finished", "completed")
        assert why
        assert sum(scores.values()) == 1
        assert len(notation.splitlines()) <= attempts


def test_repeated_games_are_real_calls_and_equal_ones_are_reported(kit, tmp_path):
    """Temperature 0 makes equal games out of repeats: every one is asked for, and nothing passes for new evidence."""
    players = ["fake/a:temperature=0", "fake/b:temperature=0"]
    with in_thread(FakeProvider("first")) as provider:
        config = kit.config_for(provider.url, players=players, schedule={"repeats": 4}, prompt=LEGAL_ONLY)
        summary = kit.run(start(config, tmp_path / "run"))
        assert summary.complete
        assert summary.totals.calls == provider.stats.calls == 8 * 7
    with RunStore.open(tmp_path / "run") as store:
        ids = [row.id for row in store.matches()]
        asked = {row["match"] for row in store.rows(schema.exchanges)}
        (row,) = duplicates(store).query("players == 'all'").to_dict("records")
    assert len(ids) == len(set(ids)) == len(asked) == 8
    assert (row["games"], row["distinct"]) == (8, 2)


def test_mistakes_show_before_anything_is_written(kit, tmp_path):
    with pytest.raises(ConfigurationError, match="has no view"):
        kit.run(start(kit.config_for(prompt={"view": "lst"}), tmp_path / "run"))
    assert not (tmp_path / "run").exists()


def test_two_entrants_may_share_a_model_and_a_player_may_meet_itself(kit, tmp_path):
    players = ["fake/gpt_4", {"player": "fake/gpt_4", "name": "gpt-4 ✨"}, {"player": "fake/gpt_4", "name": "gpt_4"}]
    with in_thread(FakeProvider("tictactoe")) as provider:
        config = kit.config_for(provider.url, players=players, schedule={"self_play": True})
        assert kit.run(start(config, tmp_path / "run")).complete
    seats = sorted((seats["X"], seats["O"]) for *_, seats in kit.results(tmp_path / "run").values())
    names = ["fake/gpt_4", "gpt-4 ✨", "gpt_4"]
    assert seats == sorted((a, b) for a in names for b in names)


def test_extending_adds_the_new_matches_and_changes_no_old_one(kit, tmp_path, where):
    with in_thread(FakeProvider("tictactoe")) as provider:
        kit.run(start(kit.config_for(provider.url, **ROUND), where))
        before = kit.results(where)
        with RunStore.open(where) as store:
            rows = list(store.matches())
        summary = kit.run(extend(where, players=["perfect"], repeats=3))
        assert summary.complete
        assert summary.total == 4 * 3 * 3
        after = kit.results(where)
        assert before.items() <= after.items()
        with RunStore.open(where) as store:
            assert list(store.matches())[: len(rows)] == rows
        with pytest.raises(ConfigurationError, match="two players are called"):
            kit.run(extend(where, players=["perfect"]))
        with pytest.raises(ConfigurationError, match="the run has 3 repeats already"):
            kit.run(extend(where, repeats=2))
        assert kit.results(where) == after
        fresh = kit.config_for(provider.url, players=["perfect", "random", "fake/b", "fake/a"], schedule={"repeats": 3})
        kit.run(start(fresh, tmp_path / "fresh"))
    assert kit.results(tmp_path / "fresh") == after, "as if it had been planned so from the start, in any order"


def test_two_sessions_on_one_run(kit, tmp_path):
    async def both(config):
        playing = asyncio.Event()
        first = asyncio.create_task(start(config, tmp_path / "run", on_start=lambda runner: playing.set()))
        await playing.wait()
        with pytest.raises(MachineError, match="another process is at work on the run"):
            await resume(tmp_path / "run")
        return await first

    with in_thread(FakeProvider("tictactoe", latency=0.01)) as provider:
        assert kit.run(both(kit.config_for(provider.url))).complete


def test_a_run_that_died_before_its_matches_were_planned(kit, where):
    with in_thread(FakeProvider("tictactoe")) as provider:
        config = kit.config_for(provider.url)
        RunStore.create(where, config.resolved()).close()
        assert kit.run(resume(where)).finished == 2


# ------------------------------------------------------------------ stopping on purpose


def test_a_budget_of_tokens_stops_every_further_call(kit, tmp_path, where):
    expected, calls = clean_results(kit, tmp_path, **ROUND)
    with in_thread(FakeProvider("tictactoe")) as provider:
        config = kit.config_for(provider.url, **ROUND, budget_tokens=3000)
        summary = kit.run(start(config, where))
        assert summary.stopped == "the budget of 3000 tokens is used up (give more with --budget-tokens)"
        assert not summary.complete
        # Calls that were on their way when the limit was passed were still answered: at most one a match at play.
        per_call = summary.totals.tokens / summary.totals.calls
        assert 3000 <= summary.totals.tokens <= 3000 + 2 * 4 * per_call
        asked = provider.stats.calls
        assert asked == kit.recorded_calls(where)
        again = kit.run(resume(where))
        assert again.stopped == summary.stopped
        assert again.totals.calls == 0, "what was spent before counts"
        assert provider.stats.calls == asked
        with pytest.raises(ConfigurationError, match="budget_tokens"):
            kit.run(resume(where, budget_tokens="plenty"))
        more = kit.run(resume(where, budget_tokens=4000))
        assert more.stopped == "the budget of 4000 tokens is used up (give more with --budget-tokens)"
        assert more.totals.calls > 0
        assert kit.run(resume(where, budget_tokens="unlimited")).complete
        with RunStore.open(where) as store:
            assert store.config["budget_tokens"] is None
        assert provider.stats.calls == calls
    assert kit.results(where) == expected


def test_a_budget_of_dollars(kit, tmp_path):
    price = {"price": {"input": 100.0, "output": 0.0}, "max_retry_wait": 0.02}
    with in_thread(FakeProvider("tictactoe")) as provider:
        config = kit.config_for(provider.url, **ROUND, prompt=price, budget_usd=0.2)
        summary = kit.run(start(config, tmp_path / "run"))
    assert summary.stopped == "the budget of 0.2 USD is used up (give more with --budget-usd)"
    assert 0.2 <= summary.totals.cost < 0.4
    assert summary.totals.unpriced == 0


def test_an_asked_stop_keeps_the_answers_on_their_way(kit, tmp_path, where):
    expected, calls = clean_results(kit, tmp_path, **ROUND)
    with in_thread(FakeProvider("tictactoe", latency=0.005)) as provider:
        config = kit.config_for(provider.url, **ROUND)

        def after_three(runner):
            def stop(match, attempt):
                if runner.progress.finished >= 3:
                    runner.stop("interrupted")

            runner.on_attempt = stop

        summary = kit.run(start(config, where, on_start=after_three))
        assert summary.stopped == "interrupted"
        assert 0 < summary.finished < summary.total
        with RunStore.open(where) as store:
            assert "running" in store.status_counts()
        assert kit.run(resume(where)).complete
        assert provider.stats.calls == calls, "nothing was asked twice"
    assert kit.results(where) == expected


# ------------------------------------------------------------------ providers in trouble


def test_a_provider_that_is_down_pauses_its_matches_only(kit, tmp_path, where):
    settings = {**ROUND, "players": ["fake/a", "other/b", "random", "perfect"]}
    settings["prompt"] = {"max_retry_wait": 0.02, "retries": 1}
    with in_thread(FakeProvider("tictactoe")) as one, in_thread(FakeProvider("tictactoe")) as other:
        models = {"fake": {"base_url": one.url}, "other": {"base_url": other.url}}
        config = kit.config_for(**settings, models=models)
        assert kit.run(start(config, tmp_path / "clean")).complete
        expected, calls = kit.results(tmp_path / "clean"), one.stats.calls

    with in_thread(FakeProvider("tictactoe", port=other.port)) as other:
        # Nobody listens at the first address any more.
        summary = kit.run(start(config, where))
        assert summary.stopped.startswith("paused, since fake/a has no working provider (the connection to")
        assert one_sentence(summary.stopped)
        assert any(note.startswith("fake/a does not answer") for note in summary.notes)
        for key, (status, *_, seats) in kit.results(where).items():
            assert (status == "finished") == ("fake/a" not in seats.values()), key
        for key, row in kit.results(where).items():
            if row[0] == "finished":
                assert row == expected[key], "no match was lost or won by a failure"
        with in_thread(FakeProvider("tictactoe", port=one.port)) as one:
            assert kit.run(resume(where)).complete
            assert one.stats.calls == calls
    assert kit.results(where) == expected


def test_a_storm_of_refusals_never_becomes_a_loss(kit, tmp_path):
    expected, calls = clean_results(kit, tmp_path, **ROUND)
    folder = tmp_path / "run"
    with in_thread(FakeProvider("tictactoe", fault_rate=0.8, fault_kinds=["rate_limit"])) as provider:
        summary = kit.run(start(kit.config_for(provider.url, **ROUND), folder))
        for _ in range(200):
            if summary.complete:
                break
            for key, row in kit.results(folder).items():
                assert row[0] != "finished" or row == expected[key]
            summary = kit.run(resume(folder))
        assert summary.complete
        assert provider.stats.faults["rate_limit"] > calls
        assert provider.stats.answered == calls, "every answer was asked for and used once"
    assert kit.results(folder) == expected
    with RunStore.open(folder) as store:
        assert len(store.rows(schema.failures)) == provider.stats.faults["rate_limit"]


@pytest.mark.parametrize("kind", ["error", "garbage", "reset", "truncated", "no_choices", "error_in_200"])
def test_other_failures_change_no_result_either(kit, tmp_path, kind):
    expected, _ = clean_results(kit, tmp_path, **ROUND)
    with in_thread(FakeProvider("tictactoe", fault_rate=0.2, fault_kinds=[kind])) as provider:
        config = kit.config_for(provider.url, **ROUND, prompt={"max_retry_wait": 0.02, "retries": 9})
        assert kit.run(start(config, tmp_path / "run")).complete
        assert provider.stats.faults[kind] > 3
    assert kit.results(tmp_path / "run") == expected


def test_a_refused_key_is_not_tried_over_and_over(kit, tmp_path):
    with in_thread(FakeProvider("tictactoe", api_key="the right one")) as provider:
        summary = kit.run(
            start(
                kit.config_for(
                    provider.url,
                    **ROUND,
                ),
                tmp_path / "run",
            )
        )
        assert summary.void > 0
        assert "401" in summary.stopped
        assert provider.stats.calls <= 2 * 4, "one call a match at play, and none after that"
    assert all(row[0] != "finished" for row in kit.results(tmp_path / "run").values())


def test_a_void_match_asks_nothing_again_that_was_answered(kit, tmp_path, where):
    """Three calls a turn: one fails while the others are on their way."""
    settings = {**ROUND, "prompt": {"strategy": "vote:k=3", "max_retry_wait": 0.02, "retries": 0}}
    expected, calls = clean_results(kit, tmp_path, **settings)
    with in_thread(FakeProvider("tictactoe", latency=0.002, fault_rate=0.1, fault_kinds=["error"])) as provider:
        summary = kit.run(start(kit.config_for(provider.url, **settings), where))
        for _ in range(100):
            if summary.complete:
                break
            summary = kit.run(resume(where))
        assert summary.complete
        assert provider.stats.faults["error"] > 5
        assert provider.stats.answered == calls == kit.recorded_calls(where)
    assert kit.results(where) == expected


# ------------------------------------------------------------------ games and players with bugs


class Fragile(TicTacToe):
    """Fails once the centre is taken."""

    name = "fragile"
    error: Exception = InternalError("a promise does not hold")

    def apply(self, state, moves):
        if any(cell == (2, 2) for cell in moves.values()):
            raise self.error
        return super().apply(state, moves)


class Broken:
    name = "broken"
    description = "raises"

    async def act(self, turn):
        raise KeyError("a bug in somebody's player")


class Odd:
    name = "odd"
    description = "returns nonsense"

    async def act(self, turn):
        return "1,1"


class Nonsense:
    name = "nonsense"
    description = "plays what is no move"

    async def act(self, turn):
        return Decision(action={"x": object()})


@pytest.fixture
def plugins(monkeypatch):
    monkeypatch.setattr(GAMES, "_found", {**GAMES.all(), "fragile": Fragile})
    players = {cls.name: cls for cls in (Broken, Odd, Nonsense)}
    monkeypatch.setattr(PLAYERS, "_found", {**PLAYERS.all(), **players})


@pytest.mark.parametrize("error", [InternalError("a promise does not hold"), ZeroDivisionError("by zero")])
def test_a_game_that_fails_costs_its_match_only(kit, where, plugins, monkeypatch, error):
    monkeypatch.setattr(Fragile, "error", error)
    config = kit.config_for(
        games=["fragile", "tictactoe"], players=["random", "perfect"], schedule={"repeats": 10}, concurrency=3
    )
    summary = kit.run(start(config, where))
    assert summary.finished >= 20
    assert summary.void > 0
    assert summary.finished + summary.void == summary.total == 40
    assert summary.stopped == "some matches are void"
    assert all(one_sentence(note) and str(error) in note for note in summary.notes)
    with RunStore.open(where) as store:
        assert {row.game for row in store.matches(status=["void"])} == {"fragile"}
        assert all(str(error) in row.why for row in store.matches(status=["void"]))
    # The game repaired, the run goes on.
    monkeypatch.setattr(Fragile, "apply", TicTacToe.apply)
    assert kit.run(resume(where)).complete


@pytest.mark.parametrize("name", ["broken", "odd", "nonsense"])
def test_a_player_that_fails_forfeits_and_the_others_play_on(kit, tmp_path, plugins, name):
    config = kit.config_for(players=["random", "perfect", name], schedule={"repeats": 3}, concurrency=5)
    summary = kit.run(start(config, tmp_path / "run"))
    assert summary.complete
    for _, ending, why, offender, scores, _, _, seats in kit.results(tmp_path / "run").values():
        assert (ending == "forfeit") == (name in seats.values())
        if ending == "forfeit":
            assert seats[offender] == name
            assert scores[offender] == 0
            assert "player_error" in why
