"""What the client for asyncio is made of where that for threads differs by more than words; beside it, sync_runtime."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable
from typing import Any, Generic, TypeVar

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


async def call(function: Callable[..., Any], *given: Any) -> None:
    """Also one that is to be waited for."""
    result = function(*given)
    if inspect.isawaitable(result):
        await result
