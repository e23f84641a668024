"""Limits requests to the rate of the application."""

from __future__ import annotations

from collections.abc import Mapping

from ..async_runtime import Lock
from ..rate import Rate
from .timer import AsyncTimer


class AsyncThrottle:
    def __init__(self, timer: AsyncTimer) -> None:
        self._timer = timer
        self._rate = Rate()
        self._line = Lock()

    async def turn(self) -> None:
        """Returns when a request may be begun."""
        async with self._line:
            while (seconds := self._rate.wanting(self._timer.now())) > 0:
                await self._timer.wait(seconds)
            self._rate.begin(self._timer.now())

    def learn(self, headers: Mapping[str, str]) -> None:
        """Learns from the headers of an answer below /v2."""
        self._rate.learn(headers, self._timer.now())

    def hold(self, seconds: float) -> None:
        """Lets nobody through for this long."""
        self._rate.hold(seconds, self._timer.now())
