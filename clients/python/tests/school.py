"""The service that the tests talk to, as ``test/client/python.test.ts`` starts it and tells of it."""

from __future__ import annotations

import json
import os
import ssl
import unittest
from collections.abc import Callable
from typing import TypedDict

import httpx

from campus_intranet import AsyncCampus, AsyncTimer, Campus, Timer, TokenAnswer


class Credentials(TypedDict):
    client_id: str
    client_secret: str


class Person(TypedDict):
    """Somebody who has signed in by the web flow."""

    login: str
    application: Credentials
    refresh_token: str


class School(TypedDict):
    url: str
    cafile: str
    users: int
    applications: dict[str, Credentials]
    people: list[Person]
    failing: str
    """The address of a service that fails as its paths say (test/client/failing-service.ts)."""


SCHOOL: School = json.loads(os.environ["CAMPUS_TEST_SCHOOL"])

TRUSTING = ssl.create_default_context(cafile=SCHOOL["cafile"])

Send = Callable[[httpx.Request], httpx.Response]
Meddle = Callable[[httpx.Request, Send], httpx.Response]


class StandingTimer:
    """Time that passes only by waiting, or when it is told to."""

    def __init__(self) -> None:
        self.time = 0.0
        self.waits: list[float] = []

    def now(self) -> float:
        return self.time

    def wait(self, seconds: float) -> None:
        self.waits.append(seconds)
        self.time += seconds


class AsyncStandingTimer(StandingTimer):
    async def wait(self, seconds: float) -> None:  # type: ignore[override]
        super().wait(seconds)


def _line(request: httpx.Request) -> str:
    return f"{request.method} {request.url.path}"


class Journal(httpx.BaseTransport):
    """What goes out, in order: ``GET /v2/users``. ``meddle`` may answer in the service's place."""

    def __init__(self, meddle: Meddle = lambda request, send: send(request)) -> None:
        self.lines: list[str] = []
        self.asked: list[httpx.Request] = []
        self._transport = httpx.HTTPTransport(verify=TRUSTING)
        self._meddle = meddle

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.lines.append(_line(request))
        self.asked.append(request)
        return self._meddle(request, self._transport.handle_request)

    def close(self) -> None:
        self._transport.close()

    @property
    def tokens(self) -> int:
        return self.lines.count("POST /oauth/token")


class AsyncJournal(httpx.AsyncBaseTransport):
    """The same for asyncio. Counts what is open, too."""

    def __init__(self, *, limits: httpx.Limits | None = None) -> None:
        self.lines: list[str] = []
        self.asked: list[httpx.Request] = []
        self.transport = httpx.AsyncHTTPTransport(verify=TRUSTING, limits=limits or httpx.Limits())

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.lines.append(_line(request))
        self.asked.append(request)
        return await self.transport.handle_async_request(request)

    async def aclose(self) -> None:
        await self.transport.aclose()

    @property
    def tokens(self) -> int:
        return self.lines.count("POST /oauth/token")


def campus(
    name: str = "reader", *, transport: Journal | None = None, timer: Timer | None = None, stale_ok: bool = False
) -> Campus:
    """A client of one of the applications."""
    application = SCHOOL["applications"][name]
    http_client = httpx.Client(transport=transport or Journal())
    unittest.addModuleCleanup(http_client.close)
    return Campus(SCHOOL["url"], http_client=http_client, timer=timer, stale_ok=stale_ok, **application)


def async_campus(
    test: unittest.IsolatedAsyncioTestCase, name: str = "reader", *, transport: AsyncJournal | None = None, timer: AsyncTimer | None = None
) -> AsyncCampus:
    """A client for asyncio of one of the applications."""
    application = SCHOOL["applications"][name]
    http_client = httpx.AsyncClient(transport=transport or AsyncJournal())
    test.addAsyncCleanup(http_client.aclose)
    return AsyncCampus(SCHOOL["url"], http_client=http_client, timer=timer, **application)


def signed_in(
    person: Person, *, timer: Timer | None = None, on_token: Callable[[TokenAnswer], None] | None = None
) -> Campus:
    """A client of somebody who signed in by the web flow."""
    client = Campus(
        SCHOOL["url"],
        cafile=SCHOOL["cafile"],
        refresh_token=person["refresh_token"],
        on_token=on_token,
        timer=timer,
        **person["application"],
    )
    unittest.addModuleCleanup(client.close)
    return client


def refusing(status: int, headers: dict[str, str] | None = None, content: bytes = b"{}") -> Meddle:
    """Stands in for a service that refuses everything below /v2."""
    return lambda request, send: (
        httpx.Response(status, headers=headers, content=content) if "/v2/" in str(request.url) else send(request)
    )
