"""The rate of the application, which the headers of answers say."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Mapping

WINDOW_SECONDS = 1.05
"""A second as the service counts it, and a little for the way there."""


class Rate:
    """Times are handed in, in seconds. Threads may share one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._begun: deque[float] = deque()
        """When the last requests began, the oldest first; at most those of one window."""
        self._limit = 1
        self._not_before = 0.0

    def begin(self, now: float) -> None:
        """Counts a request."""
        with self._lock:
            self._begun.append(now)

    def wanting(self, now: float) -> float:
        """The seconds until the next request may be begun; 0 or less where it may now."""
        with self._lock:
            while self._begun and self._begun[0] <= now - WINDOW_SECONDS:
                self._begun.popleft()
            free = now if len(self._begun) < self._limit else self._begun[-self._limit] + WINDOW_SECONDS
            return max(free, self._not_before) - now

    def learn(self, headers: Mapping[str, str], now: float) -> None:
        """Learns from the headers of an answer below /v2."""
        limit = _number_in(headers, "x-secondly-ratelimit-limit")
        left = _number_in(headers, "x-secondly-ratelimit-remaining")
        with self._lock:
            if limit:
                self._limit = limit
            # Another process of the same application may use the rate too.
            ours = sum(1 for time in self._begun if time > now - WINDOW_SECONDS)
            is_used_up = left == 0 and ours < self._limit
        if is_used_up:
            self.hold(WINDOW_SECONDS, now)

    def hold(self, seconds: float, now: float) -> None:
        """Lets nobody through for this long."""
        with self._lock:
            self._not_before = max(self._not_before, now + seconds)


def _number_in(headers: Mapping[str, str], name: str) -> int | None:
    text = headers.get(name, "")
    return int(text) if text.isascii() and text.isdigit() else None
