"""Fetches the token, and again before it ends; however many threads ask at once, it is fetched once."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import NotRequired, TypedDict
from urllib.parse import urlencode

from .errors import error_of
from .timer import Timer
from .transport import Ask, Transport

MARGIN_SECONDS = 60
"""Renewed this long before its end, so that it does not end on the way."""


class TokenAnswer(TypedDict):
    """What the service gives for a grant, in the words of RFC 6749."""

    access_token: str
    expires_in: int
    scope: str
    refresh_token: NotRequired[str]
    """For tokens of a person: each works once, and the next answer has another."""


@dataclass(frozen=True)
class Grant:
    """How a token is come by."""

    client_id: str
    client_secret: str | None
    scope: str | None
    refresh_token: str | None
    on_token: Callable[[TokenAnswer], None] | None


@dataclass(frozen=True)
class _Token:
    value: str
    renew_at: float


class Tokens:
    def __init__(self, url: str, grant: Grant, *, transport: Transport, timer: Timer) -> None:
        self._url = f"{url}/oauth/token"
        self._grant = grant
        self._refresh_token = grant.refresh_token
        self._transport = transport
        self._timer = timer
        self._lock = threading.Lock()
        self._current: _Token | None = None

    def current(self) -> str:
        """A token that is good for a while. Raises CampusError where none is given."""
        with self._lock:
            if self._current is None or self._current.renew_at <= self._timer.now():
                self._current = None
                self._current = self._fetch()
            return self._current.value

    def forget(self, value: str) -> None:
        """Forgets a token that the service would not take, unless there is a newer one."""
        with self._lock:
            if self._current is not None and self._current.value == value:
                self._current = None

    def _fetch(self) -> _Token:
        grant = self._grant
        fields = {"client_id": grant.client_id}
        if grant.client_secret:
            fields["client_secret"] = grant.client_secret
        if self._refresh_token:
            fields |= {"grant_type": "refresh_token", "refresh_token": self._refresh_token}
        else:
            fields |= {"grant_type": "client_credentials"} | ({"scope": grant.scope} if grant.scope else {})
        asked = self._timer.now()
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        got = self._transport(Ask("POST", self._url, headers, urlencode(fields).encode()))
        if got.status != 200:
            raise error_of("POST", self._url, got.status, got.headers, got.content)
        answer: TokenAnswer = json.loads(got.content)
        self._refresh_token = answer.get("refresh_token") or self._refresh_token
        if grant.on_token is not None:
            grant.on_token(answer)
        life = answer["expires_in"]
        return _Token(answer["access_token"], asked + max(life / 2, life - MARGIN_SECONDS))
