"""Keys come from the environment and go nowhere but into the request's header."""

from __future__ import annotations

import json
import pickle

import pytest

from ludometer.core.errors import ConfigurationError, ProviderError
from ludometer.models import CallFailed, CustomProvider, ModelSettings, make_model
from ludometer.models.answers import excerpt
from ludometer.models.redact import HIDDEN, redact
from ludometer.testing.fake_provider import FAULT_KINDS, FakeProvider, Fault

KEY = 'mark"er+key/0123456789'
ECHO = "you sent {authorization} to us"


@pytest.fixture(autouse=True)
def _key(monkeypatch):
    monkeypatch.setenv("FAKE_PROVIDER_KEY", KEY)


def hidden_in(*things):
    """No text of these holds the key, or the part of it before the quotation mark."""
    for thing in things:
        for text in (str(thing), repr(thing), json.dumps(str(thing))):
            assert KEY not in text
            assert "0123456789" not in text


def test_the_key_is_sent(kit):
    provider = FakeProvider("fixed:ok", api_key=KEY)
    assert kit.run(kit.ask(provider, api_key_env="FAKE_PROVIDER_KEY")).text == "ok"


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("kind", FAULT_KINDS)
def test_no_kind_of_failure_shows_the_key(kit, kind, stream):
    fault = Fault(kind, status=500, body=ECHO)
    provider = FakeProvider(f"fixed:{KEY}", faults=dict.fromkeys(range(9), fault))
    settings = {"retries": 1, "stream": stream, "total_timeout": 0.1}
    try:
        completion = kit.run(kit.ask(provider, api_key_env="FAKE_PROVIDER_KEY", **settings))
    except CallFailed as error:
        hidden_in(error, error.failures, error.__cause__, error.__dict__)
    else:
        hidden_in(completion.raw, completion.failures, completion.reasoning)


@pytest.mark.parametrize("status", [400, 401, 403, 429])
def test_a_refusal_that_repeats_the_key_does_not_show_it(kit, status):
    for body in (ECHO, '{"error": {"message": "' + ECHO.replace('"', "'") + '"}}', "x" * 290 + ECHO):
        provider = FakeProvider(faults={0: Fault("error", status=status, body=body)})
        with pytest.raises(CallFailed) as caught:
            kit.run(kit.ask(provider, api_key_env="FAKE_PROVIDER_KEY", retries=0))
        hidden_in(caught.value, caught.value.failures)


def test_an_answer_that_repeats_the_key_is_cleaned(kit):
    plain = "plain-key-0123456789"

    async def go(monkeypatch_key, stream):
        async with FakeProvider(f"fixed:your key is {plain}, thanks") as provider:
            custom = {"fake": CustomProvider(base_url=provider.url, api_key_env="FAKE_PROVIDER_KEY")}
            model = make_model("fake/m", ModelSettings(stream=stream), custom)
            completion = await model.complete(kit.question())
            await model.close()
            return completion

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("FAKE_PROVIDER_KEY", plain)
        for stream in (False, True):
            completion = kit.run(go(plain, stream))
            assert completion.text == f"your key is {HIDDEN}, thanks"
            hidden_in(completion)


def test_the_key_is_in_no_setting_and_no_name(kit):
    model = kit.model_for(FakeProvider(port=1), api_key_env="FAKE_PROVIDER_KEY")
    hidden_in(model.settings, model.name, model, model.capabilities)


def test_a_key_in_the_configuration_is_refused(kit):
    with pytest.raises(ConfigurationError, match="environment variables only") as caught:
        kit.model_for(FakeProvider(port=1), extra_body={"headers": {"Authorization": "Bearer abcdefghijkl"}})
    assert "abcdefghijkl" not in str(caught.value)
    for address in ("http://user:secret-pass@host/v1", "https://host/v1?key=abcdef", "host/v1", "ftp://host"):
        with pytest.raises(ValueError, match="base_url must"):
            CustomProvider(base_url=address)


def test_a_key_with_a_line_break_is_refused_before_any_call(kit, monkeypatch):
    monkeypatch.setenv("FAKE_PROVIDER_KEY", "abcdef\nX-Evil: 1")
    with pytest.raises(ConfigurationError, match="FAKE_PROVIDER_KEY holds no usable key") as caught:
        kit.model_for(FakeProvider(port=1), api_key_env="FAKE_PROVIDER_KEY")
    assert "abcdef" not in str(caught.value)


def test_redaction_of_every_form(monkeypatch):
    monkeypatch.setenv("SOME_API_KEY", KEY)
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "aws-marker-987654")
    monkeypatch.setenv("EMPTY_API_KEY", "")
    monkeypatch.setenv("SHORT_TOKEN", "a1")
    text = f"{KEY} mark%22er%2Bkey%2F0123456789 {json.dumps(KEY)} aws-marker-987654 a1"
    assert redact(text) == f'{HIDDEN} {HIDDEN} "{HIDDEN}" {HIDDEN} a1'
    assert redact("Authorization: Bearer sk-unknown-123456") == f"Authorization: Bearer {HIDDEN}"
    assert redact("wrong key sk-proj-abcdefghijkl.") == f"wrong key {HIDDEN}."
    assert redact("a task-force of risk-takers") == "a task-force of risk-takers"


def test_a_key_read_once_stays_hidden_when_the_variable_goes(kit, monkeypatch):
    monkeypatch.setenv("FAKE_PROVIDER_KEY", "short-lived-778899")
    kit.model_for(FakeProvider(port=1), api_key_env="FAKE_PROVIDER_KEY")
    monkeypatch.delenv("FAKE_PROVIDER_KEY")
    assert redact("was short-lived-778899") == f"was {HIDDEN}"


def test_excerpts_are_one_printable_line():
    assert excerpt("a\n\x1b[31mb\x00\u202e  c") == "a ?[31mb?? c"
    assert excerpt("x" * 1000, 10) == "x" * 10 + "..."


def test_a_failed_call_travels_between_processes():
    error = CallFailed("no", status=429, transient=True)
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.status, copy.transient, copy.failures) == ("no", 429, True, ())


def test_each_layer_hides_the_key_by_itself(kit, monkeypatch):
    hidden_in(excerpt(f"wrong key {KEY}"))

    def broken(*_, **__):
        raise ProviderError(f"could not send {KEY}")

    monkeypatch.setattr("ludometer.models.openai_compatible.post", broken)
    with pytest.raises(CallFailed, match="could not send") as caught:
        kit.run(kit.ask(FakeProvider(), api_key_env="FAKE_PROVIDER_KEY", retries=0))
    hidden_in(caught.value, caught.value.failures)
