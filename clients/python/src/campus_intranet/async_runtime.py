"""What the client for asyncio is made of where that for threads differs by more than words; beside it, sync_runtime."""

from __future__ import annotations

import asyncio
import inspect
import re
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

import httpx

T = TypeVar("T")

Lock = asyncio.Lock
sleep = asyncio.sleep


class Alone(Generic[T]):
    """Does a work once for all who want it at the same time. Who stops waiting does not stop it."""

    def __init__(self) -> None:
        self._task: asyncio.Future[T] | None = None

    async def run(self, work: Callable[[], Awaitable[T]]) -> T:
        if self._task is None or self._task.done():
            self._task = asyncio.ensure_future(work())
            # Else a failure that nobody waits for any more is reported as forgotten.
            self._task.add_done_callback(lambda task: task.cancelled() or task.exception())
        return await asyncio.shield(self._task)


_INTERRUPTIBLE = re.compile(
    r"\.(send_request_(headers|body)\.(started|complete)|receive_response_(headers|body)\.started)$"
)
"""Events after which httpcore waits for the service. If it is cancelled there, it closes the connection."""

_running: set[asyncio.Future[Any]] = set()
"""Keeps tasks alive. The event loop refers to them only weakly."""


class Exchange:
    """
    Runs the steps of one request in tasks of their own. Cancels a step only while httpcore waits for the service: if httpcore
    is cancelled in its pool, while it connects or while it closes a response, the connection may stay busy for ever. There
    the caller is cancelled at once, and the step ends by itself, at the latest before it sends the request or reads the body.
    A transport that reports no events is never cancelled, so its step ends with its response.
    """

    def __init__(self) -> None:
        self.extensions: dict[str, Any] = {"trace": self._trace}
        """Extensions of the request. httpcore reports its events to ``trace``."""
        self.response: httpx.Response | None = None
        self._step: asyncio.Future[Any] | None = None
        self._is_interruptible = False
        self._is_left = False

    async def run(self, step: Callable[[], Awaitable[T]]) -> T:
        """Returns the result of the step. If the caller is cancelled, closes the response."""
        self._step = task = _start(step)
        try:
            await asyncio.wait((task,))
        except asyncio.CancelledError:
            self._is_left = True
            closing = _start(self._close)
            if self._is_interruptible:
                task.cancel()
                await asyncio.wait((closing,))
            raise
        return task.result()

    async def aclose(self) -> None:
        """Closes the response, even if the caller is cancelled meanwhile."""
        closing = _start(self._close)
        await asyncio.wait((closing,))
        closing.result()

    async def _close(self) -> None:
        if self._step is not None:
            await asyncio.wait((self._step,))
        if self.response is not None:
            await self.response.aclose()

    async def _trace(self, event: str, info: object) -> None:
        self._is_interruptible = _INTERRUPTIBLE.search(event) is not None
        if self._is_interruptible and self._is_left:
            raise asyncio.CancelledError


def _start(work: Callable[[], Awaitable[T]]) -> asyncio.Future[T]:
    async def run() -> T:
        return await work()

    task = asyncio.ensure_future(run())
    _running.add(task)
    task.add_done_callback(_end)
    return task


def _end(task: asyncio.Future[Any]) -> None:
    _running.discard(task)
    if not task.cancelled():
        # Without this, asyncio reports a failure of a step whose caller was cancelled.
        task.exception()


async def call(function: Callable[..., Any], *given: Any) -> None:
    """Also one that is to be waited for."""
    result = function(*given)
    if inspect.isawaitable(result):
        await result
