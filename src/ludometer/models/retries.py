"""The one retry layer: which failures are tried again, how often, and after how long."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from ludometer.core.errors import ProviderError
from ludometer.core.exchange import Completion, FailedCall

from .protocol import CallFailed

__all__ = ["RetryPolicy", "TryFailed", "retry_after", "with_retries"]

_FIRST_WAIT = 0.5
_GROWTH = 2.0


class TryFailed(ProviderError):
    """One try failed, after ``seconds``. ``wait`` is how long the provider asks to be left alone, in seconds."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        transient: bool = True,
        wait: float | None = None,
        seconds: float = 0.0,
    ) -> None:
        super().__init__(message, status=status, transient=transient)
        self.wait = wait
        self.seconds = seconds


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """``retries`` tries after the first, with waits of at most ``longest_wait`` seconds.

    ``jitter`` spreads the waits of calls that failed together. It decides nothing that is recorded.
    """

    retries: int
    longest_wait: float
    jitter: random.Random


async def with_retries(
    one_try: Callable[[], Awaitable[Completion]],
    policy: RetryPolicy,
    *,
    cool_down: Callable[[float], None] | None = None,
) -> Completion:
    """The completion of the first try that brings one, with the failed tries in ``failures``.

    Args:
        cool_down: told the wait that a provider asked for.

    Raises:
        CallFailed: a failure that trying again cannot cure, too many of them, or too long a wait asked for.
    """
    failures: list[FailedCall] = []
    while True:
        try:
            completion = await one_try()
        except TryFailed as error:
            failures.append(FailedCall(str(error), error.status, error.seconds))
            wait = _wait_after(error, len(failures), policy)
            if wait is None:
                raise CallFailed(
                    str(error), status=error.status, transient=error.transient, failures=tuple(failures)
                ) from None
            if error.wait is not None and cool_down is not None:
                cool_down(error.wait)
        else:
            return replace(completion, failures=tuple(failures)) if failures else completion
        await asyncio.sleep(wait)


def _wait_after(error: TryFailed, failed: int, policy: RetryPolicy) -> float | None:
    """Seconds until the next try; None to give up."""
    if not error.transient or failed > policy.retries:
        return None
    if error.wait is not None and error.wait > policy.longest_wait:
        return None
    backoff = min(_FIRST_WAIT * _GROWTH ** min(failed - 1, 30), policy.longest_wait)
    backoff *= policy.jitter.uniform(0.5, 1.0)
    # A little jitter on top of the asked wait keeps calls that were refused together from coming back together.
    return backoff if error.wait is None else error.wait + 0.1 * backoff


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds asked for by ``Retry-After`` (seconds or an HTTP date, RFC 9110, section 10.2.3) or
    ``retry-after-ms``; None without a readable one."""
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        try:
            seconds = float(headers.get(name, "")) * unit
        except ValueError:
            continue
        if seconds >= 0:
            return seconds
    try:
        when = parsedate_to_datetime(headers.get("retry-after", ""))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    when = when if when.tzinfo is not None else when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
