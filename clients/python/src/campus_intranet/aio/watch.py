"""What happens to lists and records, over as many connections as that takes."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any

from ..errors import CampusError, CertificateError, ConnectionError
from ..events import Change, EventReader, change_of
from .timer import AsyncTimer
from .transport import AsyncStream

RETRY_SECONDS = 3.0
"""Until the service says when to come back."""

AsyncOpen = Callable[["str | None", bool], Awaitable[AsyncStream]]
"""Opens the stream after a position; whether it is the first time."""


async def watch_changes(
    open_after: AsyncOpen, *, after: str | None, timer: AsyncTimer, max_wait_seconds: float
) -> AsyncGenerator[Change[Any], None]:
    """
    Every change; comes back after the last position when a connection ends. What is refused is raised; what passes by itself, as a
    service that is away, is waited for. Raises where the first connection fails.
    """
    retry = RETRY_SECONDS
    has_begun = False
    failures = 0
    position: str | None = after
    while True:
        asked_for = 0.0
        stream: AsyncStream | None = None
        try:
            stream = await open_after(position, not has_begun)
            has_begun = True
            reader = EventReader()
            async for piece in stream.pieces():
                for fields in reader.read(piece):
                    failures = 0
                    if fields.get("retry", "").isdigit():
                        retry = int(fields["retry"]) / 1000
                    position = fields.get("id") or position
                    change = change_of(fields.get("event"), fields.get("data"), position or "")
                    if change is not None:
                        yield change
        except (CampusError, ConnectionError) as error:
            if not has_begun or not _passes(error):
                raise
            asked_for = (error.retry_after_seconds or 0.0) if isinstance(error, CampusError) else 0.0
        finally:
            # Also where whoever reads has left the loop.
            if stream is not None:
                await stream.aclose()
        await timer.wait(min(max(retry * 2 ** min(failures, 30), asked_for), max_wait_seconds))
        failures += 1


def _passes(error: CampusError | ConnectionError) -> bool:
    """Whether the same may succeed later."""
    if isinstance(error, CampusError):
        return error.status == 429 or error.status >= 500
    return not isinstance(error, CertificateError)
