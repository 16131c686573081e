"""Whether a Ray cluster can be joined at an address, asked in one call: Ray itself tries for minutes, and says little.

Clusters may want a token (``RAY_AUTH_MODE=token`` where they were started). Ray takes it from ``RAY_AUTH_TOKEN``, from
the file in ``RAY_AUTH_TOKEN_PATH``, or from ``~/.ray/auth_token``, but only where ``RAY_AUTH_MODE=token`` is set here
too. It is sent as it is: so that whoever listens at a mistyped address does not get it, that is done here unasked only
for a token that is given in the environment, and otherwise only on this machine.
"""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ludometer.core import ConfigurationError, MachineError
from ludometer.models.redact import redact

__all__ = ["check_access", "check_address", "one_sentence", "private_token"]

_SECONDS = 5.0
"""To wait for an answer."""

_MODE, _TOKEN, _PATH = "RAY_AUTH_MODE", "RAY_AUTH_TOKEN", "RAY_AUTH_TOKEN_PATH"
_CLIENT = "ray://"
_HERE = {"localhost", "127.0.0.1", "::1"}
_FORM = (
    "write ray:auto for the cluster of this machine, ray:HOST:6379 on a machine of the cluster, or "
    "ray:ray://HOST:10001 elsewhere"
)


class _Server(NamedTuple):
    """Where a cluster is asked: its client server, or (on its own machines) its control store."""

    host: str
    port: int
    client: bool

    def __str__(self) -> str:
        return f"{_CLIENT if self.client else ''}{self.target}"

    @property
    def target(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def check_address(address: str) -> None:
    """Raises `ConfigurationError` for what can be no address of a cluster; see `Cluster` for those that can."""
    if address == "auto" or ("://" in address and not address.startswith((_CLIENT, "http://", "https://"))):
        return  # a scheme of a package of somebody else's
    try:
        _server(address)
    except ValueError:
        raise ConfigurationError(f"{redact(address)} is not the address of a Ray cluster: {_FORM}") from None


def check_access(address: str) -> None:
    """Asks a cluster whether this process may join it, and has Ray send the token where it wants one.

    Raises:
        ConfigurationError: nobody has given the token, or it is another one; or something else listens there.
        MachineError: nobody answers within some seconds.
    """
    if address == "auto":
        address = _found_here()
    if "://" in address and not address.startswith(_CLIENT):
        return
    server = _as_ray_does(_server(address))
    why = _refusal(server)
    if why == "UNAUTHENTICATED" and _MODE not in os.environ and _may_send_to(server) and _has_token():
        _set({_MODE: "token"})
        why = _refusal(server)
    if why is not None:
        raise _error(server, why)


@contextmanager
def private_token() -> Iterator[None]:
    """Gives a cluster that is started in the block a token of its own, unless the environment says otherwise.

    Ray would write one into the user's home, and from then on every cluster there would want it.
    """
    if {_MODE, _TOKEN, _PATH} & set(os.environ):
        yield
        return
    _set({_MODE: "token", _TOKEN: secrets.token_hex(32)})
    try:
        yield
    finally:
        _set({_MODE: None, _TOKEN: None})


def one_sentence(error: BaseException) -> str:
    """What an error of Ray's that ended a beginning comes down to."""
    said = str(error).strip() or type(error).__name__
    if "Traceback (most recent" in said:  # what a server raised; its last line says it
        said = said.splitlines()[-1]
    text = redact(" ".join(said.split()))
    cause = error.__cause__
    versions = re.findall(
        r"Ray: (\S+) Python: (\S+)", f"{text} {'' if cause is None else ' '.join(str(cause).split())}"
    )
    if len(versions) == 2:
        (ray, python), (own_ray, own_python) = versions
        return (
            f"it has Ray {ray} and Python {python}, and here are Ray {own_ray} and Python {own_python}: both must "
            "be the same"
        )
    return text[:300]


def _server(address: str) -> _Server:
    """Raises `ValueError`."""
    parts = urlsplit(address if "://" in address else f"//{address}")
    if parts.scheme not in ("", "ray") or parts.path.strip("/") or parts.username is not None:
        raise ValueError(address)
    if not parts.hostname or not parts.port:
        raise ValueError(address)
    return _Server(parts.hostname, parts.port, parts.scheme == "ray")


def _found_here() -> str:
    try:
        address: str = _of_ray("_private.services").get_ray_address_from_environment("auto", None)
    except ConnectionError:
        raise MachineError("no Ray cluster was found on this machine: start one with `ray start --head`") from None
    check_address(address)
    return address


def _as_ray_does(server: _Server) -> _Server:
    """With the address of this machine for its name in itself: on it Ray looks for a control store."""
    if server.client or server.host not in _HERE:
        return server
    return server._replace(host=_of_ray("_private.services").resolve_ip_for_localhost(server.host))


def _refusal(server: _Server) -> str | None:
    """Why a server does not take a call of a process like this one, as gRPC's code; None where it does."""
    try:
        grpc: Any = import_module("grpc")
    except ImportError:
        raise ConfigurationError("this needs gRPC; install it with: pip install 'ludometer[scale]'") from None
    options = _of_ray("_private.ray_constants").GLOBAL_GRPC_OPTIONS
    channel = _of_ray("_private.grpc_utils").init_grpc_channel(server.target, options=options)
    try:
        (_ask_client_server if server.client else _ask_control_store)(channel)
    except grpc.RpcError as error:
        return str(error.code().name)
    finally:
        channel.close()
    return None


def _ask_client_server(channel: Any) -> None:
    messages = _of_ray("core.generated.ray_client_pb2")
    ping = messages.ClusterInfoRequest(type=messages.ClusterInfoType.PING)
    _of_ray("core.generated.ray_client_pb2_grpc").RayletDriverStub(channel).ClusterInfo(ping, timeout=_SECONDS)


def _ask_control_store(channel: Any) -> None:
    question = _of_ray("core.generated.gcs_service_pb2").GetClusterIdRequest()
    stub = _of_ray("core.generated.gcs_service_pb2_grpc").NodeInfoGcsServiceStub(channel)
    stub.GetClusterId(question, timeout=_SECONDS)


def _may_send_to(server: _Server) -> bool:
    here = {*_HERE, _of_ray("_private.services").get_node_ip_address()}
    return bool({_TOKEN, _PATH} & set(os.environ)) or server.host in here


def _has_token() -> bool:
    try:
        return bool(_of_ray("_raylet").AuthenticationTokenLoader.instance().has_token(ignore_auth_mode=True))
    except Exception:  # a path to a file that is not there
        return False


def _set(variables: dict[str, str | None]) -> None:
    for name, value in variables.items():
        if value is None:
            os.environ.pop(name, None)
        else:
            os.environ[name] = value
    # In this order: a thread of Ray's that is ending ends the process where it must send a token and finds none.
    raylet = _of_ray("_raylet")
    raylet.Config.initialize("")
    raylet.AuthenticationTokenLoader.instance().reset_cache()


def _of_ray(module: str) -> Any:
    """A module of Ray's that has no public name, or none with types."""
    return import_module(f"ray.{module}")


def _error(server: _Server, why: str) -> ConfigurationError | MachineError:
    if why == "UNAUTHENTICATED":
        return ConfigurationError(f"the Ray cluster {server} {_about_token()}")
    if why == "UNIMPLEMENTED":
        meant = "the client server of a Ray cluster" if server.client else "the head of a Ray cluster"
        return ConfigurationError(f"what listens at {server.target} is not {meant}: {_FORM}")
    return MachineError(
        f"no Ray cluster answers at {server} ({why.lower()}): is it up, and can it be reached from here?"
    )


def _about_token() -> str:
    mode = os.environ.get(_MODE)
    if mode is not None and mode.lower() != "token":
        return f"wants a token, and {_MODE} is {mode!r} here: set it to token"
    if mode is not None and _has_token():
        return f"does not take the token that is given here: set {_TOKEN} to the one it was started with"
    return (
        f"wants a token: set {_TOKEN} to the one it was started with, or {_MODE}=token to send the one in "
        "~/.ray/auth_token"
    )
