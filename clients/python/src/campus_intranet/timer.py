"""The passing of time, for whoever must stand in for it."""

from __future__ import annotations

import time
from typing import Protocol


class Timer(Protocol):
    """In seconds."""

    def now(self) -> float: ...

    def wait(self, seconds: float) -> None: ...


class SystemTimer:
    """The time of the system."""

    def now(self) -> float:
        return time.monotonic()

    def wait(self, seconds: float) -> None:
        time.sleep(seconds)
