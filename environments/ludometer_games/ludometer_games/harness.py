"""A harness that holds the conversation inside this process: one request per turn, and no program to start."""

from __future__ import annotations

import asyncio

import aiohttp
import verifiers.v1 as vf
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.errors import MODEL_TRANSPORT_ERROR_EXIT_CODE

__all__ = ["InProcessHarness", "InProcessHarnessConfig"]

_TRIES = 3
_SHOWN = 500
"""Characters of a refusal that are kept."""


class InProcessHarnessConfig(vf.HarnessConfig):
    """It has no settings of its own."""


class InProcessHarness(vf.Harness[InProcessHarnessConfig]):
    """Sends the conversation so far and returns: the answer is recorded on its way through the interception server."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        body = {"model": ctx.model, "messages": self.conversation(data)}
        url, headers = f"{endpoint.rstrip('/')}/chat/completions", {"Authorization": f"Bearer {secret}"}
        timeout = aiohttp.ClientTimeout(total=None)
        try:
            async with aiohttp.ClientSession(headers=headers, timeout=timeout) as session:
                for attempt in range(_TRIES):
                    status, text = await _post(session, url, body)
                    if status < 400:
                        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
                    if not (status == 429 or status >= 500) or attempt == _TRIES - 1:
                        break
                    await asyncio.sleep(0.5 * 2**attempt)
        except aiohttp.ClientError as error:
            return vf.ProgramResult(exit_code=MODEL_TRANSPORT_ERROR_EXIT_CODE, stdout="", stderr=str(error))
        return vf.ProgramResult(exit_code=1, stdout="", stderr=f"{status}: {text[:_SHOWN]}")

    def conversation(self, data: vf.TaskData) -> list[dict[str, object]]:
        """The messages as they are sent, the system message first."""
        system, prompt = self.resolve_prompt(data)
        if isinstance(prompt, str):
            messages: list[dict[str, object]] = [{"role": "user", "content": prompt}]
        else:
            messages = [message_to_wire(message) for message in prompt or []]
        if system is not None and not any(message["role"] == "system" for message in messages):
            messages.insert(0, {"role": "system", "content": system})
        return messages


async def _post(session: aiohttp.ClientSession, url: str, body: dict[str, object]) -> tuple[int, str]:
    async with session.post(url, json=body) as response:
        return response.status, await response.text()
