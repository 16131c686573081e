"""Who may ask: the token, the host's name, the origin of requests that change something, and the headers of answers."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import ipaddress
import re
import secrets
from collections.abc import Callable, Iterable, Sequence
from http.cookies import CookieError, SimpleCookie
from typing import Final
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ludometer.web.problems import problem_response

__all__ = ["COOKIE", "Guard", "content_policy", "is_local", "new_token", "script_hashes"]

COOKIE: Final = "ludometer_token"
_LOCAL: Final = frozenset({"localhost", "127.0.0.1", "[::1]", "::1"})
_EVERYWHERE: Final = frozenset({"0.0.0.0", "::", "[::]"})
_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_SCRIPT = re.compile(r"<script\b([^>]*)>(.*?)</script\s*>", re.DOTALL | re.IGNORECASE)
_DATA = re.compile(r"""\btype\s*=\s*["']?application/json""", re.IGNORECASE)


def is_local(host: str) -> bool:
    """Whether only this machine reaches a server that is bound to ``host``."""
    return host in _LOCAL or (host.startswith("127.") and bool(re.fullmatch(r"[\d.]+", host)))


def new_token() -> str:
    """A secret of 256 bits."""
    return secrets.token_urlsafe(32)


def script_hashes(page: str) -> list[str]:
    """The sources of a content security policy that let the page's own scripts run, and none else."""
    scripts = [body for attributes, body in _SCRIPT.findall(page) if not _DATA.search(attributes)]
    digests = [hashlib.sha256(body.encode("utf-8", "surrogatepass")).digest() for body in scripts]
    return [f"'sha256-{base64.b64encode(digest).decode('ascii')}'" for digest in dict.fromkeys(digests)]


def content_policy(page: str, *, served: bool) -> str:
    """The content security policy of a page: its own scripts and pictures within it, and nothing from elsewhere.

    Styles are inline: the pictures that games draw have style attributes, and there are no hashes for those.
    """
    scripts = " ".join(script_hashes(page)) or "'none'"
    rules = [
        "default-src 'none'",
        f"script-src {scripts}",
        "style-src 'unsafe-inline'",
        "img-src data:",
        "base-uri 'none'",
        "form-action 'none'",
    ]
    return "; ".join([*rules, "connect-src 'self'", "frame-ancestors 'self'"] if served else rules)


class Guard:
    """Stands before every route, event streams included.

    Args:
        app: what it guards.
        token: a secret that every request must bring, as a cookie or as ``Authorization: Bearer``; None for none.
        hosts: further names by which this server may be asked for, beside those of the machine itself. Others are
            refused: a page elsewhere may have its own name lead here.
        policy: the content security policy of every answer.
        admits: whether a request (path, its ``key``) may pass without the token, for people who were sent a link to
            their seat of a game.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str | None = None,
        hosts: Sequence[str] = (),
        policy: str = "default-src 'none'; frame-ancestors 'self'",
        admits: Callable[[str, str], bool] | None = None,
    ) -> None:
        self._app = app
        self._token = token
        self._hosts = frozenset(_LOCAL | {host.casefold() for host in hosts})
        self._policy = policy
        self._admits = admits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":  # no web sockets here
            await send({"type": "websocket.close", "code": 1008})
            return
        headers = Headers(scope=scope)
        response = self._refusal(scope, headers)
        target = self._app if response is None else response
        trusted = is_local(_hostname(headers.get("host", "")))
        await target(scope, receive, self._with_headers(send, trusted))

    def _refusal(self, scope: Scope, headers: Headers) -> Response | None:
        if not self._is_host(headers):
            return problem_response(403, "this server is not known by that name (Host header)")
        if self._token is not None and (said := self._without_token(scope, headers, self._token)) is not None:
            return said
        if scope["method"] not in _SAFE and (why := _foreign(headers)) is not None:
            return problem_response(403, why)
        return None

    def _is_host(self, headers: Headers) -> bool:
        hosts = headers.getlist("host")
        if len(hosts) != 1:
            return False
        name = _hostname(hosts[0])
        # A server for all addresses is asked by any of them; no name of another site can look like an address.
        return name in self._hosts or (bool(_EVERYWHERE & self._hosts) and _is_address(name))

    def _without_token(self, scope: Scope, headers: Headers, token: str) -> Response | None:
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        if scope["path"] == "/" and scope["method"] == "GET" and "token" in query:
            if not _same(query["token"][0], token):
                return problem_response(401, "this is not the token of this server")
            response = RedirectResponse("/", 303)
            response.set_cookie(COOKIE, token, httponly=True, samesite="strict", path="/")
            return response
        if any(_same(given, token) for given in _given(headers)):
            return None
        if self._admits is not None and self._admits(scope["path"], query.get("key", [""])[0]):
            return None
        return problem_response(401, "open the address with its token once, as the terminal shows it")

    def _with_headers(self, send: Send, trusted: bool) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.setdefault("Content-Security-Policy", self._policy)
                headers.setdefault("Cache-Control", "no-store")
                headers["X-Content-Type-Options"] = "nosniff"
                headers["Referrer-Policy"] = "no-referrer"
                headers["Cross-Origin-Resource-Policy"] = "same-origin"
                if trusted:  # elsewhere browsers heed it with encryption only, and complain
                    headers["Cross-Origin-Opener-Policy"] = "same-origin"
            await send(message)

        return sending


def _given(headers: Headers) -> Iterable[str]:
    for written in headers.getlist("authorization"):
        kind, _, given = written.partition(" ")
        if kind.casefold() == "bearer":
            yield given.strip()
    for written in headers.getlist("cookie"):
        try:
            cookie = SimpleCookie(written).get(COOKIE)
        except CookieError:
            continue
        if cookie is not None:
            yield cookie.value


def _same(given: str, token: str) -> bool:
    """Compared in constant time, whatever characters were given."""
    return secrets.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode())


def _hostname(host: str) -> str:
    """The name of a Host header without its port."""
    written = host.strip().casefold()
    if written.startswith("["):
        return written.partition("]")[0] + "]"
    return written.partition(":")[0]


def _is_address(name: str) -> bool:
    with contextlib.suppress(ValueError):
        ipaddress.ip_address(name.strip("[]"))
        return True
    return False


def _foreign(headers: Headers) -> str | None:
    """Why a request that changes something is not from our own page; None where it is.

    The content type is one that no form of another site can send without asking first, and the browser says where the
    request comes from.
    """
    if headers.get("content-type", "").partition(";")[0].strip().casefold() != "application/json":
        return "requests that change something are sent as application/json"
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return "requests that change something come from this page only"
    origin = headers.get("origin")
    if origin is None:
        return None
    scheme, _, place = origin.casefold().partition("://")
    if scheme not in ("http", "https") or place != headers.get("host", "").strip().casefold():
        return "requests that change something come from this page only"
    return None
