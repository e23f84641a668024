"""Sends requests with a token, at the rate of the application, and again where that helps. Raises CampusError for a refusal."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from .errors import error_of, retry_after_of
from .throttle import Throttle
from .timer import Timer
from .tokens import Tokens
from .transport import Answer, Ask, Transport
from .watch import Change, Open, watch_changes

REPEATABLE = ("GET", "HEAD", "OPTIONS", "PUT", "DELETE")
"""What may be sent again where nobody knows whether it was done (RFC 9110 §9.2.2)."""
MOST_TRIES_WHILE_AWAY = 5
EVENT_STREAM = "text/event-stream"


class Sender:
    def __init__(
        self, *, transport: Transport, tokens: Tokens, throttle: Throttle, timer: Timer, max_wait_seconds: float
    ) -> None:
        self._transport = transport
        self._tokens = tokens
        self._throttle = throttle
        self._timer = timer
        self._max_wait_seconds = max_wait_seconds

    def send(self, given: Ask) -> Answer:
        ask = _with_key(given)
        is_new_token = False
        tries = 0
        while True:
            tries += 1
            token = self._tokens.current()
            self._throttle.turn()
            answer = self._transport(replace(ask, headers={**ask.headers, "Authorization": f"Bearer {token}"}))
            self._throttle.learn(answer.headers)
            if 200 <= answer.status < 300:
                return answer
            seconds = _wait_after(ask, answer, tries)
            if answer.status == 401 and not is_new_token:
                # It may have been revoked, or the service set up anew; a second new one would fare no better.
                is_new_token = True
                self._tokens.forget(token)
            elif seconds is None or seconds > self._max_wait_seconds:
                raise error_of(ask.method, ask.url, answer.status, answer.headers, answer.content)
            elif answer.status == 429 and not ask.is_streamed:
                # How many streams may be opened is counted apart: other requests need not wait.
                self._throttle.hold(seconds)
            else:
                self._timer.wait(seconds)

    def watch(self, open_after: Open, after: str | None) -> Iterator[Change[Any]]:
        """The changes of what is opened."""
        return watch_changes(open_after, after=after, timer=self._timer, max_wait_seconds=self._max_wait_seconds)


def _wait_after(ask: Ask, answer: Answer, tries: int) -> float | None:
    """How long to wait before the same request may succeed; None where it would not, or might be done twice."""
    asked_for = retry_after_of(answer.headers)
    wait = 1 if asked_for is None else asked_for
    if answer.status == 429:
        return wait
    if answer.status != 503 or tries >= MOST_TRIES_WHILE_AWAY:
        return None
    is_repeatable = ask.method in REPEATABLE or "Idempotency-Key" in ask.headers
    return wait * 2 ** (tries - 1) if is_repeatable else None


def _with_key(ask: Ask) -> Ask:
    """What is sent with a key of its own is done once, however often it is sent: a POST, and what is taken away by a payload."""
    is_done_anew = ask.method == "POST" or (ask.method == "DELETE" and ask.content is not None)
    if not is_done_anew or "Idempotency-Key" in ask.headers:
        return ask
    return replace(ask, headers={**ask.headers, "Idempotency-Key": str(uuid.uuid4())})
