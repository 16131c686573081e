"""Requests that change something, made up from the viewer's description. Those that only ask are in ``tests/web``."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludometer.core import ConfigurationError
from ludometer.web import children
from ludometer.web.app import create_app
from ludometer.web.openapi import description
from ludometer.web.runs import RunsFolder

SAME_ORIGIN = {"Host": "127.0.0.1", "Origin": "http://127.0.0.1", "Content-Type": "application/json"}


def refuse(folder: Path, command: list[str]) -> Any:
    raise ConfigurationError("no process is started in this test")


@pytest.mark.slow
def test_made_up_changes_are_answered_as_described(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No answer is an error of ours, each has its shape, and nothing is left outside of the folder of runs."""
    schemathesis = pytest.importorskip("schemathesis", reason="pip install schemathesis")
    from hypothesis import HealthCheck, given, settings

    monkeypatch.setattr(children, "_spawn", refuse)
    described = copy.deepcopy(description())
    for path, operations in list(described["paths"].items()):
        if "post" in operations:
            described["paths"][path] = {"post": operations["post"]}
        else:
            del described["paths"][path]
    home = tmp_path / "home" / "runs"
    with TestClient(create_app(RunsFolder([home])), base_url="http://127.0.0.1") as client:
        schema = schemathesis.openapi.from_dict(described)
        schema.app = client.app
        schema.config.update(base_url="http://127.0.0.1")
        names = ("unsupported_method", "positive_data_acceptance", "negative_data_rejection")
        left_out = [schemathesis.checks.CHECKS.get_one(name) for name in names]
        operations = [found.ok() for found in schema.get_all_operations()]
        assert len(operations) >= 6
        for operation in operations:

            @settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck), database=None)
            @given(case=operation.as_strategy())
            def answered(case: Any) -> None:
                case.call_and_validate(headers=SAME_ORIGIN, excluded_checks=left_out)

            answered()
    assert {path.name for path in tmp_path.iterdir()} <= {"home"}
    assert {path.name for path in (tmp_path / "home").glob("*")} <= {"runs"}
