from __future__ import annotations

import pickle

import pytest

from ludometer.core import Illegal, LudometerError, ProviderError, ReplayMismatch, errors


def test_every_error_is_in_the_tree_and_in_its_drawing() -> None:
    for name in errors.__all__:
        assert issubclass(getattr(errors, name), LudometerError)
        assert name in (errors.__doc__ or "")


def test_every_error_blames_a_boundary() -> None:
    blamed = {name: getattr(errors, name).blames for name in errors.__all__}
    assert blamed["Illegal"] == "the player's answer"
    assert blamed["ProviderError"] == "the provider"
    assert ReplayMismatch.blames == "us"
    assert all(blamed.values())


@pytest.mark.parametrize(
    "error",
    [
        Illegal("already_taken", "the cell is taken"),
        ProviderError("no answer", status=503, transient=False),
        *(getattr(errors, name)("why") for name in errors.__all__ if name not in ("Illegal", "ProviderError")),
    ],
)
def test_errors_survive_the_way_from_a_child_process(error: LudometerError) -> None:
    read = pickle.loads(pickle.dumps(error))
    assert type(read) is type(error)
    assert str(read) == str(error)
    assert vars(read) == vars(error)
