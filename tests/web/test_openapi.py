"""The API's description, and requests made up from it."""

from __future__ import annotations

import copy

import pytest

from ludometer.web import shapes
from ludometer.web.app import create_app
from ludometer.web.openapi import description
from ludometer.web.runs import RunsFolder


def test_every_shape_of_an_answer_is_described():
    named = set(description()["components"]["schemas"])
    assert {name for name in shapes.__all__ if name not in named} == set()


def test_the_description_does_not_depend_on_the_runs(folder):
    assert description() == create_app(RunsFolder([folder])).openapi()


@pytest.mark.slow
def test_made_up_requests_are_answered_as_described(folder, client):
    """Random values for every parameter: no answer is an error of ours, and each has its shape."""
    schemathesis = pytest.importorskip("schemathesis", reason="pip install schemathesis")
    from hypothesis import HealthCheck, given, settings
    from hypothesis import strategies as st

    described = copy.deepcopy(description())
    for path, operations in list(described["paths"].items()):
        if "get" not in operations or path.endswith("/events"):
            del described["paths"][path]
            continue
        described["paths"][path] = {"get": operations["get"]}
        for parameter in operations["get"].get("parameters", ()):
            known = {"run": ["two", "uno", "people", "topsakal", "empty", "damaged", "x"], "match": ["m000001", "m2"]}
            if parameter["name"] in known:
                parameter["schema"] = {"type": "string", "enum": known[parameter["name"]]}
    schema = schemathesis.openapi.from_dict(described)
    schema.app = client.http.app
    schema.config.update(base_url="http://127.0.0.1")
    # What a run does not have (a game, a seat, a factor) is refused with 422, which no description can tell beforehand.
    left_out = [schemathesis.checks.CHECKS.get_one(name) for name in ("unsupported_method", "positive_data_acceptance")]
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 10
    for operation in operations:

        @settings(max_examples=12, deadline=None, suppress_health_check=list(HealthCheck), database=None)
        @given(case=operation.as_strategy(), _=st.none())
        def answered(case, _):
            case.call_and_validate(
                headers={"Host": "127.0.0.1"},
                excluded_checks=left_out,
            )

        answered()
