"""The fake provider in a process of its own: ``python provider.py OPTIONS``, options of `FakeProvider` as JSON.

Prints its base URL, and serves its counts at ``/stats``.
"""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress

from aiohttp import web

from ludometer.testing.fake_provider import FakeProvider


class Counted(FakeProvider):
    async def _stats(self, _: web.Request) -> web.Response:
        counts = {name: getattr(self.stats, name) for name in ("calls", "answered", "in_flight", "most_in_flight")}
        return web.json_response({**counts, "faults": dict(self.stats.faults)})


async def main(options: dict) -> None:
    async with Counted(options.pop("behaviour", "tictactoe"), keep_requests=False, **options) as provider:
        print(provider.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(main(json.loads(sys.argv[1])))
