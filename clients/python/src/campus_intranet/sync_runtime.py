"""What the client for threads is made of where that for asyncio differs by more than words; beside it, async_runtime."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Generic, TypeVar

import httpx

T = TypeVar("T")

Lock = threading.Lock
sleep = time.sleep


class Alone(Generic[T]):
    """Does a work for one at a time; who comes later looks whether it is still to be done."""

    def __init__(self) -> None:
        self._lock = threading.Lock()

    def run(self, work: Callable[[], T]) -> T:
        with self._lock:
            return work()


class Exchange:
    """Runs the steps of one request, and closes its response."""

    def __init__(self) -> None:
        self.extensions: dict[str, Any] = {}
        self.response: httpx.Response | None = None

    def run(self, step: Callable[[], T]) -> T:
        return step()

    def close(self) -> None:
        if self.response is not None:
            self.response.close()


def call(function: Callable[..., Any], *given: Any) -> None:
    function(*given)
