"""The service that the tests talk to, as ``test/client/python.test.ts`` starts it and tells of it."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from typing import TypedDict

from campus_intranet import Answer, Ask, Campus, Timer, TokenAnswer, Transport
from campus_intranet.transport import https_transport


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


SCHOOL: School = json.loads(os.environ["CAMPUS_TEST_SCHOOL"])

Meddle = Callable[[Ask, Transport], Answer]


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


class Journal:
    """What goes out, in order: ``GET /v2/users``. ``meddle`` may answer in the service's place."""

    def __init__(self, meddle: Meddle = lambda ask, send: send(ask)) -> None:
        self.lines: list[str] = []
        self.asked: list[Ask] = []
        self._send = https_transport(cafile=SCHOOL["cafile"], timeout_seconds=60)
        self._meddle = meddle

    def __call__(self, ask: Ask) -> Answer:
        self.lines.append(f"{ask.method} {ask.url.removeprefix(SCHOOL['url']).split('?')[0]}")
        self.asked.append(ask)
        return self._meddle(ask, self._send)

    @property
    def tokens(self) -> int:
        return self.lines.count("POST /oauth/token")


def campus(name: str = "reader", *, transport: Transport | None = None, timer: Timer | None = None) -> Campus:
    """A client of one of the applications."""
    application = SCHOOL["applications"][name]
    return Campus(SCHOOL["url"], cafile=SCHOOL["cafile"], transport=transport, timer=timer, **application)


def signed_in(
    person: Person, *, timer: Timer | None = None, on_token: Callable[[TokenAnswer], None] | None = None
) -> Campus:
    """A client of somebody who signed in by the web flow."""
    return Campus(
        SCHOOL["url"],
        cafile=SCHOOL["cafile"],
        refresh_token=person["refresh_token"],
        on_token=on_token,
        timer=timer,
        **person["application"],
    )


def refusing(status: int, headers: dict[str, str] | None = None, content: bytes = b"{}") -> Meddle:
    """Stands in for a service that refuses everything below /v2."""
    return lambda ask, send: Answer(status, headers or {}, content) if "/v2/" in ask.url else send(ask)
