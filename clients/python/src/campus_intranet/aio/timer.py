"""The passing of time, for whoever must stand in for it."""

from __future__ import annotations

import time
from typing import Protocol

from ..async_runtime import sleep


class AsyncTimer(Protocol):
    """In seconds."""

    def now(self) -> float: ...

    async def wait(self, seconds: float) -> None: ...


class AsyncSystemTimer:
    """The time of the system."""

    def now(self) -> float:
        return time.monotonic()

    async def wait(self, seconds: float) -> None:
        await sleep(seconds)
