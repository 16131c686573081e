"""What is asked before a Ray cluster is joined, against a server that speaks its protocol and wants a token or none."""

from __future__ import annotations

import os
import socket
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import pytest

import ludometer
from ludometer.core import ConfigurationError, MachineError
from ludometer.tournaments.on_ray import access
from ludometer.tournaments.on_ray.cluster import parse_executor
from ludometer.tournaments.on_ray.names import computer_of, maker_of
from ludometer.tournaments.on_ray.replies import what_lacks

TOKEN = "marker-5d0c9a-token"
pytest.importorskip("ray", reason="needs Ray: pip install 'ludometer[scale]'")
grpc = pytest.importorskip("grpc", reason="needs gRPC: pip install 'ludometer[scale]'")


@pytest.fixture(autouse=True)
def _nothing_given(monkeypatch, tmp_path):
    """No token in the environment or the home of whoever runs the tests; Ray forgets what a test has it believe."""
    for name in ("RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH", "RAY_ADDRESS"):
        monkeypatch.setenv(name, "")  # so that what a test sets is undone
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    access._set({})
    yield
    monkeypatch.undo()
    access._set({})


@contextmanager
def serving(*, token=None, client=True):
    """A server on this machine; yields its address and the headers of every call."""
    from ray.core.generated import gcs_service_pb2 as store
    from ray.core.generated import ray_client_pb2 as driver

    seen = []

    def answer(request, context):
        given = dict(context.invocation_metadata()).get("authorization")
        seen.append(given)
        if token is not None and given != f"Bearer {token}":
            context.abort(grpc.StatusCode.UNAUTHENTICATED, "no")
        return driver.ClusterInfoResponse(json="{}") if client else store.GetClusterIdReply()

    service, method = ("RayletDriver", "ClusterInfo") if client else ("NodeInfoGcsService", "GetClusterId")
    request = driver.ClusterInfoRequest if client else store.GetClusterIdRequest
    handler = grpc.unary_unary_rpc_method_handler(
        answer, request_deserializer=request.FromString, response_serializer=lambda reply: reply.SerializeToString()
    )
    server = grpc.server(ThreadPoolExecutor(2))
    package = "ray.rpc"
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(f"{package}.{service}", {method: handler}),))
    port = server.add_insecure_port("127.0.0.1:0")
    server.start()
    try:
        yield f"{'ray://' if client else ''}127.0.0.1:{port}", seen
    finally:
        server.stop(None)


@pytest.fixture(autouse=True)
def _loopback(monkeypatch):
    """Ray takes 127.0.0.1 for this machine's address in the network, where nothing listens here."""
    monkeypatch.setattr("ray._private.services.resolve_ip_for_localhost", lambda host: host)


@pytest.mark.parametrize("client", [True, False])
def test_without_a_token(monkeypatch, client):
    monkeypatch.setenv("RAY_AUTH_TOKEN", TOKEN)
    with serving(client=client) as (address, seen):
        access.check_access(address)
    assert seen == [None], "who does not ask for a token is not told it"
    assert "RAY_AUTH_MODE" not in os.environ


@pytest.mark.parametrize("client", [True, False])
@pytest.mark.parametrize("kept", ["environment", "path", "home"])
def test_with_a_token(monkeypatch, tmp_path, client, kept):
    if kept == "environment":
        monkeypatch.setenv("RAY_AUTH_TOKEN", TOKEN)
    else:
        file = tmp_path / ("token" if kept == "path" else ".ray/auth_token")
        file.parent.mkdir(exist_ok=True)
        file.write_text(TOKEN)
        if kept == "path":
            monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", str(file))
    with serving(token=TOKEN, client=client) as (address, seen):
        access.check_access(address)
    assert seen == [None, f"Bearer {TOKEN}"]
    assert os.environ["RAY_AUTH_MODE"] == "token", "Ray sends it from now on"


def test_the_token_of_the_home_stays_on_this_machine(monkeypatch, tmp_path):
    (tmp_path / ".ray").mkdir()
    (tmp_path / ".ray/auth_token").write_text(TOKEN)
    monkeypatch.setattr(access, "_HERE", set())
    with serving(token=TOKEN) as (address, seen):
        with pytest.raises(ConfigurationError, match=r"wants a token: set RAY_AUTH_TOKEN .* or RAY_AUTH_MODE=token"):
            access.check_access(address)
        assert seen == [None]
        monkeypatch.setenv("RAY_AUTH_MODE", "token")
        access._set({})
        access.check_access(address)


def test_a_missing_or_wrong_token(monkeypatch):
    with serving(token=TOKEN) as (address, _):
        with pytest.raises(ConfigurationError, match="wants a token: set RAY_AUTH_TOKEN"):
            access.check_access(address)
        monkeypatch.setenv("RAY_AUTH_TOKEN", "another-one")
        with pytest.raises(ConfigurationError, match="does not take the token") as said:
            access.check_access(address)
        assert "another-one" not in str(said.value)
        monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
        access._set({})
        with pytest.raises(ConfigurationError, match="RAY_AUTH_MODE is 'disabled' here"):
            access.check_access(address)


def test_a_path_without_a_token(monkeypatch):
    monkeypatch.setenv("RAY_AUTH_TOKEN_PATH", "/nowhere/token")
    with serving(token=TOKEN) as (address, _), pytest.raises(ConfigurationError, match="wants a token"):
        access.check_access(address)


def test_the_other_port_of_a_cluster():
    with serving(client=True) as (address, _), pytest.raises(ConfigurationError, match="is not the head of a Ray"):
        access.check_access(address.removeprefix("ray://"))
    with serving(client=False) as (address, _), pytest.raises(ConfigurationError, match="is not the client server"):
        access.check_access(f"ray://{address}")


def test_nobody_answers(monkeypatch):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))  # and nobody listens
        port = taken.getsockname()[1]
        for address in (f"ray://127.0.0.1:{port}", f"127.0.0.1:{port}"):
            with pytest.raises(MachineError, match="no Ray cluster answers at"):
                access.check_access(address)
    monkeypatch.setattr(access, "_SECONDS", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(MachineError, match="deadline_exceeded"):
            access.check_access(f"ray://127.0.0.1:{port}")


def test_a_cluster_of_ones_own_has_a_token_of_its_own(tmp_path):
    with access.private_token():
        first = os.environ["RAY_AUTH_TOKEN"]
        assert os.environ["RAY_AUTH_MODE"] == "token"
        assert len(first) == 64
    assert not {"RAY_AUTH_TOKEN", "RAY_AUTH_MODE"} & set(os.environ)
    with access.private_token():
        assert os.environ["RAY_AUTH_TOKEN"] != first
    assert list(tmp_path.iterdir()) == [], "nothing is written into the home"


@pytest.mark.parametrize("name", ["RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"])
def test_what_the_user_says_about_tokens_counts(monkeypatch, name):
    monkeypatch.setenv(name, "disabled" if name == "RAY_AUTH_MODE" else "mine")
    before = dict(os.environ)
    with access.private_token():
        assert dict(os.environ) == before


def test_versions_that_differ_are_one_sentence():
    from ray._private.utils import check_version_info, compute_version_info

    ray, python = compute_version_info()[:2]
    there = {"ray_version": "2.1.0", "python_version": "3.99.1"}
    with pytest.raises(RuntimeError) as raised:
        check_version_info(there, "Ray Client", python_version_match_level="minor")
    expected = f"it has Ray 2.1.0 and Python 3.99.1, and here are Ray {ray} and Python {python}: both must be the same"
    assert access.one_sentence(raised.value) == expected
    wrapped = ConnectionError("Failed to connect")
    wrapped.__cause__ = raised.value
    assert access.one_sentence(wrapped) == expected
    assert access.one_sentence(ValueError("a\n  b")) == "a b"
    remote = (
        "Initialization failure:\nTraceback (most recent call last):\n  File x\nRuntimeError: Starting it failed.\n"
    )
    assert access.one_sentence(ConnectionAbortedError(remote)) == "RuntimeError: Starting it failed."


def test_what_a_cluster_lacks():
    from ray.exceptions import ActorDiedError, RayActorError

    assert "No module named 'x' (the same Ludometer" in what_lacks(ImportError("No module named 'x'"))
    lacking = RayActorError(error_msg="died in its creation task\nImportError: nothing", actor_init_failed=True)
    assert "ImportError: nothing (the same" in what_lacks(lacking)
    assert what_lacks(ActorDiedError()) is None


@pytest.mark.parametrize(
    "address", ["ray:head", "ray:ray://head", "ray:http://head:8265", "ray:ray://user@head:10001", "ray:head:x"]
)
def test_what_is_no_address(address):
    with pytest.raises(ConfigurationError, match=r"not the address of a Ray cluster: write ray:auto"):
        parse_executor(address)


def test_addresses():
    assert parse_executor("ray:local") is None
    for address in ("head:6379", "[::1]:6379", "ray://head:10001", "somebodys://cluster"):
        assert parse_executor(f"ray:{address}") == address


def test_executors_are_looked_up_before_anything_is_joined():
    with pytest.raises(ConfigurationError, match="there is no executor 'rya'"):
        maker_of("rya")
    with pytest.raises(ConfigurationError, match="there is no executor 'rya'"):
        computer_of("rya")
    with computer_of("asyncio") as computer:
        assert computer is None


def test_a_cluster_is_asked_before_a_run_is_begun_for_it(tmp_path):
    config = {"game": "tictactoe", "players": ["random", "perfect"]}
    with serving(token=TOKEN) as (address, _), pytest.raises(ConfigurationError, match="wants a token"):
        ludometer.run(config, dir=tmp_path / "run", executor=f"ray:{address}")
    assert not (tmp_path / "run").exists()


def test_without_ray(monkeypatch):
    monkeypatch.setattr("ludometer.tournaments.on_ray.cluster.find_spec", lambda name: None)
    for of in (maker_of, computer_of):
        with pytest.raises(ConfigurationError, match=r"needs Ray; install it with: pip install 'ludometer\[scale\]'"):
            of("ray")


def test_of_this_machine_where_none_runs(monkeypatch):
    monkeypatch.setattr("ray._private.services.find_gcs_addresses", set)
    monkeypatch.setattr("ray._private.services.find_bootstrap_address", lambda folder: None)
    with pytest.raises(MachineError, match="no Ray cluster was found on this machine"):
        access.check_access("auto")
    with serving() as (address, seen):
        monkeypatch.setenv("RAY_ADDRESS", address)
        access.check_access("auto")
    assert seen == [None]
