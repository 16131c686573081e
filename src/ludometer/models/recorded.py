"""A model that is not there any more: its name and settings, for judging a run again from the log."""

from __future__ import annotations

from collections.abc import Mapping

from ludometer.core.errors import ReplayMismatch
from ludometer.core.exchange import Completion, Json, Request

from .protocol import Capabilities, OnDelta

__all__ = ["RecordedModel"]


class RecordedModel:
    """Stands for a model whose answers are all in the log. It needs no key and no network.

    Args:
        name: ``provider/model``.
        settings: what was sent besides the messages when the run was recorded.
    """

    capabilities = Capabilities()

    def __init__(self, name: str, settings: Mapping[str, Json]) -> None:
        self.name = name
        self.settings = settings

    async def complete(self, request: Request, *, on_delta: OnDelta | None = None) -> Completion:
        raise ReplayMismatch(f"{self.name} would be asked something that is not in the log")

    async def close(self) -> None:
        return None
