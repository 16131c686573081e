"""A key is in the environment and nowhere else, whatever a provider does with it."""

from __future__ import annotations

import logging
import sqlite3

import pytest

from ludometer.core import LudometerError
from ludometer.players import PLAYERS
from ludometer.tournaments import resume, start

KEY = "marker-4f0c9a71d2e8-key"
ECHO = '{"error": {"message": "bad key {authorization}"}}'

TROUBLE = {
    "401": {"kind": "error", "status": 401, "body": ECHO},
    "403 in HTML": {"kind": "error", "status": 403, "body": "<html>{authorization}</html>"},
    "429": {"kind": "rate_limit"},
    "500": {"kind": "error", "status": 500, "body": ECHO},
    "garbage": {"kind": "garbage", "body": "{authorization}" * 50},
    "hang": {"kind": "hang"},
    "hang before headers": {"kind": "hang_before_headers"},
    "reset": {"kind": "reset"},
    "truncated": {"kind": "truncated"},
    "redirect": {"kind": "redirect"},
    "error in 200": {"kind": "error_in_200"},
}


class Leaky:
    name = "leaky"
    description = "raises with everything it knows"

    async def act(self, turn):
        import os

        raise RuntimeError(f"environment: {dict(os.environ)}")


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("TEST_PROVIDER_CREDENTIAL", KEY)  # a name that does not give it away
    return KEY


def table(kit, url, **more):
    models = {"fake": {"base_url": url, "api_key_env": "TEST_PROVIDER_CREDENTIAL"}}
    prompt = {"max_retry_wait": 0.01, "retries": 1, "idle_timeout": 0.2, "total_timeout": 0.4}
    return kit.config_for(url, models=models, prompt=prompt, concurrency=2, **more)


def check_absent(kit, folder, capfd, caplog, summary):
    out, err = capfd.readouterr()
    assert KEY not in out + err + caplog.text + repr(summary)
    data = kit.contents_of([folder])
    assert b"SQLite format 3" in data, "the search did look at the database"
    for form in (KEY, KEY.replace("-", "%2D"), KEY[6:], KEY[:-4]):
        assert form.encode() not in data
    with sqlite3.connect(folder / "run.sqlite") as connection:
        assert KEY not in "\n".join(connection.iterdump())


@pytest.mark.parametrize("name", TROUBLE)
def test_no_failure_writes_the_key_anywhere(kit, tmp_path, key, capfd, caplog, name):
    from ludometer.testing.fake_provider import FakeProvider, Fault, in_thread

    caplog.set_level(logging.DEBUG)
    fault = Fault(**TROUBLE[name])
    with in_thread(FakeProvider("tictactoe", faults=dict.fromkeys(range(5, 200), fault))) as provider:
        config = table(kit, provider.url)
        summary = kit.run(start(config, tmp_path / "run"))
        assert not summary.complete, "the trouble did happen"
        assert summary.totals.calls
        kit.run(resume(tmp_path / "run"))
    check_absent(kit, tmp_path / "run", capfd, caplog, summary)


@pytest.mark.parametrize("where", ["content", "reasoning", "model", "id", "refusal"])
def test_a_provider_that_repeats_the_key_in_its_answer(kit, tmp_path, key, capfd, caplog, where):
    from ludometer.testing.fake_provider import FakeProvider, in_thread

    def answer(request):
        message = {"role": "assistant", "content": '{"row": 1, "column": 1}'}
        body = {"id": "x", "model": "m", "choices": [{"message": message, "finish_reason": "stop"}]}
        target = message if where in ("content", "reasoning", "refusal") else body
        target[where] = f"your key is {KEY}"
        return body

    caplog.set_level(logging.DEBUG)
    with in_thread(FakeProvider(answer)) as provider:
        summary = kit.run(start(table(kit, provider.url), tmp_path / "run"))
        assert summary.totals.calls
    check_absent(kit, tmp_path / "run", capfd, caplog, summary)


def test_a_player_whose_error_holds_the_environment(kit, tmp_path, key, capfd, caplog, monkeypatch):
    from ludometer.testing.fake_provider import FakeProvider, in_thread

    monkeypatch.setattr(PLAYERS, "_found", {**PLAYERS.all(), "leaky": Leaky})
    with in_thread(FakeProvider("tictactoe")) as provider:
        summary = kit.run(start(table(kit, provider.url, players=["leaky", "fake/a"]), tmp_path / "run"))
    assert summary.complete
    check_absent(kit, tmp_path / "run", capfd, caplog, summary)


@pytest.mark.parametrize("written", ["${TEST_PROVIDER_CREDENTIAL}", "$TEST_PROVIDER_CREDENTIAL", "%(TEST)s {KEY}"])
def test_what_looks_like_a_variable_is_kept_as_it_is_written(kit, tmp_path, key, capfd, caplog, written):
    from ludometer.testing.fake_provider import FakeProvider, in_thread

    caplog.set_level(logging.DEBUG)
    players = [{"player": "fake/a", "name": f"a {written}"}, "random"]
    with in_thread(FakeProvider("tictactoe")) as provider:
        config = table(kit, provider.url, players=players, seed=written, name=written)
        summary = kit.run(start(config, tmp_path / "run"))
    assert summary.complete
    check_absent(kit, tmp_path / "run", capfd, caplog, summary)
    assert config.resolved()["name"] == config.resolved()["seed"] == written
    with pytest.raises(LudometerError, match="api_key"):
        kit.config_for(models={"fake": {"base_url": "http://127.0.0.1:9/v1", "api_key": written}})


def test_a_missing_or_odd_key_is_named_by_its_variable(kit, tmp_path, monkeypatch):
    monkeypatch.delenv("TEST_PROVIDER_CREDENTIAL", raising=False)
    with pytest.raises(LudometerError, match="set the environment variable TEST_PROVIDER_CREDENTIAL"):
        kit.run(start(table(kit, "http://127.0.0.1:9/v1"), tmp_path / "run"))
    monkeypatch.setenv("TEST_PROVIDER_CREDENTIAL", KEY + "\n😀")
    with pytest.raises(LudometerError) as error:
        kit.run(start(table(kit, "http://127.0.0.1:9/v1"), tmp_path / "run"))
    assert KEY not in str(error.value)
    assert not (tmp_path / "run").exists()
