"""Names of models, and what is checked before anything is sent."""

from __future__ import annotations

import subprocess
import sys

import pytest
from pydantic import ValidationError

from ludometer.core.errors import ConfigurationError
from ludometer.models import CustomProvider, ModelSettings, known_providers, make_model
from ludometer.models.providers import ENDPOINTS


@pytest.mark.parametrize("name", ["gpt-5", "", "openai/", "/gpt-5"])
def test_a_name_has_two_parts(name):
    with pytest.raises(ConfigurationError, match="provider/model"):
        make_model(name)


@pytest.mark.parametrize(("typo", "meant"), [("opnai", "openai"), ("open-router", "openrouter"), ("mine1", "mine")])
def test_an_unknown_provider_names_the_nearest(typo, meant):
    custom = {"mine": CustomProvider(base_url="http://localhost:1/v1")}
    with pytest.raises(ConfigurationError, match=f"unknown provider '{typo}'; did you mean '{meant}'"):
        make_model(f"{typo}/m", ModelSettings(), custom)


@pytest.mark.parametrize(
    ("name", "variable"),
    [
        ("openai/gpt-5", "OPENAI_API_KEY"),
        ("openrouter/a/b", "OPENROUTER_API_KEY"),
        ("anthropic/claude-haiku-4-5", "ANTHROPIC_API_KEY"),
        ("google/gemini-2.5-flash", "GOOGLE_API_KEY"),
    ],
)
def test_a_missing_key_is_named_before_any_call(monkeypatch, name, variable):
    for unset in (variable, "GEMINI_API_KEY"):
        monkeypatch.delenv(unset, raising=False)
    with pytest.raises(ConfigurationError, match=f"needs a key: set the environment variable {variable}$"):
        make_model(name)
    monkeypatch.setenv(variable, "  ")
    with pytest.raises(ConfigurationError, match=variable):
        make_model(name)


@pytest.mark.parametrize("provider", ["vllm", "ollama", "lmstudio", "llamacpp"])
def test_servers_of_ones_own_need_no_key(monkeypatch, provider):
    monkeypatch.delenv(f"{provider.upper()}_API_KEY", raising=False)
    assert make_model(f"{provider}/org/model:7b").name == f"{provider}/org/model:7b"


def test_every_known_provider_has_an_encrypted_or_local_address():
    for provider, endpoint in ENDPOINTS.items():
        local = endpoint.base_url.startswith("http://localhost:")
        assert local is not endpoint.key_needed, provider
        assert local or endpoint.base_url.startswith("https://"), provider
        assert provider in known_providers()


def test_an_environment_variable_moves_an_address(monkeypatch):
    monkeypatch.setenv("OLLAMA_BASE_URL", "http://elsewhere:9/v1")
    assert str(make_model("ollama/m")._target.url) == "http://elsewhere:9/v1/chat/completions"


def test_a_custom_provider_may_replace_a_known_one(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    model = make_model("openai/m", None, {"openai": CustomProvider(base_url="http://x/v1/", calls_tools=False)})
    assert str(model._target.url) == "http://x/v1/chat/completions"
    assert model.capabilities == (None, None, False)


def test_misspelt_settings_are_refused():
    with pytest.raises(ValidationError):
        ModelSettings(temprature=1)
    with pytest.raises(ValidationError):
        ModelSettings(retries=-1)


def test_a_missing_extra_is_named(monkeypatch):
    monkeypatch.setenv("ANTHROPIC_API_KEY", "marker-key-123")
    monkeypatch.setitem(sys.modules, "anthropic", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'ludometer\[anthropic\]'"):
        make_model("anthropic/claude-haiku-4-5")
    monkeypatch.setitem(sys.modules, "pydantic_ai.models", None)
    with pytest.raises(ConfigurationError, match=r"pip install 'ludometer\[anthropic\]'"):
        make_model("anthropic/claude-haiku-4-5")


def test_importing_the_package_imports_nothing_heavy():
    code = (
        "import sys, ludometer.models as m; heavy = {'aiohttp', 'pydantic_ai', 'pydantic', 'xllamacpp', 'anyio'}"
        " & set(sys.modules); assert not heavy, heavy; assert m.make_model and m.ModelSettings;"
        " assert 'aiohttp' not in sys.modules and 'pydantic_ai' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_every_public_name_is_there():
    import ludometer.models as models

    for name in models.__all__:
        assert getattr(models, name) is not None
    with pytest.raises(AttributeError):
        models.no_such_name  # noqa: B018
