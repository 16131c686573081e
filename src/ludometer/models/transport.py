"""One connection pool per event loop, shared by every model in it, and deadlines that close the socket."""

from __future__ import annotations

import asyncio
import urllib.request
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from weakref import WeakKeyDictionary

import aiohttp
from yarl import URL

from ludometer.core.errors import ProviderError

__all__ = ["Post", "body_of", "lines_of", "post", "proxy_for", "release_session"]

BODY_LIMIT = 32 * 1024 * 1024
"""Bytes of one answer; a longer one is no answer to a question in a game."""

_KEEP_ALIVE_SECONDS = 60.0


class _Pool:
    """A session and the models that use it. The session is closed with its last user."""

    def __init__(self) -> None:
        # No limit here: concurrency is limited per model, and a wait for a connection would count as latency.
        connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=_KEEP_ALIVE_SECONDS, ttl_dns_cache=300)
        self.session = aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=True,
            headers={"User-Agent": "ludometer"},
        )
        self.users: set[int] = set()


_pools: WeakKeyDictionary[asyncio.AbstractEventLoop, _Pool] = WeakKeyDictionary()


def _session_for(user: int) -> aiohttp.ClientSession:
    loop = asyncio.get_running_loop()
    pool = _pools.get(loop)
    if pool is None or pool.session.closed:
        pool = _pools[loop] = _Pool()
    pool.users.add(user)
    return pool.session


async def release_session(user: int) -> None:
    """Note that a model needs no connections any more; the last one closes the pool."""
    pool = _pools.get(asyncio.get_running_loop())
    if pool is None:
        return
    pool.users.discard(user)
    if not pool.users:
        await pool.session.close()
        _pools.pop(asyncio.get_running_loop(), None)


class Post:
    """What stays the same between calls to one address."""

    __slots__ = ("connect", "headers", "idle", "proxy", "total", "url")

    def __init__(self, url: str, headers: Mapping[str, str], *, connect: float, idle: float, total: float) -> None:
        self.url = URL(url)
        self.headers = dict(headers)
        self.connect = connect
        self.idle = idle
        self.total = total
        self.proxy = proxy_for(url)


@asynccontextmanager
async def post(target: Post, body: bytes, *, user: int, streamed: bool) -> AsyncIterator[aiohttp.ClientResponse]:
    """Send a body and yield the response once its headers are there. The socket is closed unless the whole
    answer was read.

    Args:
        streamed: silence before the headers counts as idle; otherwise only silence after them does, because a
            model that answers in one piece is silent while it thinks.

    Raises:
        ProviderError: the provider cannot be reached, hangs up, or is slower than a deadline.
    """
    session = _session_for(user)
    timeout = aiohttp.ClientTimeout(total=None, connect=target.connect, sock_connect=target.connect)
    answering = False
    try:
        async with asyncio.timeout(target.total):
            sending = session.post(
                target.url,
                data=body,
                headers=target.headers,
                timeout=timeout,
                allow_redirects=False,
                proxy=target.proxy,
            )
            async with asyncio.timeout(target.idle if streamed else None):
                response = await sending
            answering = True
            try:
                yield response
            except BaseException:
                response.close()
                raise
            finally:
                response.release()
    except aiohttp.ServerTimeoutError as error:
        raise ProviderError(f"the provider could not be reached within {target.connect:g} s") from error
    except TimeoutError as error:
        limit = "in time" if answering else f"within {target.idle if streamed else target.total:g} s"
        raise ProviderError(f"the provider did not answer {limit}") from error
    except (aiohttp.ClientError, OSError) as error:
        what = str(error) or type(error).__name__
        raise ProviderError(f"the connection to the provider failed: {what}") from error


async def body_of(response: aiohttp.ClientResponse, idle: float, limit: int = BODY_LIMIT) -> bytes:
    """The whole body, with at most ``idle`` seconds between its pieces.

    Raises:
        ProviderError: too long a silence, or too long a body.
    """
    pieces: list[bytes] = []
    size = 0
    async for piece in _pieces(response, idle):
        pieces.append(piece)
        size += len(piece)
        if size > limit:
            raise ProviderError(f"the provider's answer is longer than {limit} bytes")
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


async def lines_of(response: aiohttp.ClientResponse, idle: float) -> AsyncIterator[bytes]:
    """The lines of a body as they arrive, under the limits of `body_of`."""
    rest = b""
    size = 0
    async for piece in _pieces(response, idle):
        size += len(piece)
        if size > BODY_LIMIT:
            raise ProviderError(f"the provider's answer is longer than {BODY_LIMIT} bytes")
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line
    if rest:
        yield rest


async def _pieces(response: aiohttp.ClientResponse, idle: float) -> AsyncIterator[bytes]:
    content = response.content
    while not content.at_eof():
        try:
            async with asyncio.timeout(idle):
                piece = await content.readany()
        except TimeoutError as error:
            raise ProviderError(f"the provider fell silent for {idle:g} s in its answer") from error
        if piece:
            yield piece


def proxy_for(url: str) -> str | None:
    """The proxy that the environment names for an address, found once and not for every call; none for this machine."""
    parsed = URL(url)
    if parsed.host in (None, "localhost", "127.0.0.1", "::1") or urllib.request.proxy_bypass(parsed.host):
        return None
    return urllib.request.getproxies().get(parsed.scheme)
