"""How often, how long and after what a request is sent again."""

from __future__ import annotations

import random
import time
from dataclasses import dataclass, fields
from typing import Union

from .errors import CampusError, CertificateError, ConnectionError, error_of, retry_after_of
from .request import Answer, Ask

PASSING = (408, 502, 503, 504)
"""Statuses that pass by themselves. Whether the request was carried out they do not say."""
FIRST_BACKOFF_SECONDS = 0.5
MOST_BACKOFF_SECONDS = 30.0


@dataclass(frozen=True)
class Options:
    """How requests are sent."""

    retries: int = 4
    timeout_seconds: float = 60
    max_wait_seconds: float = 120
    max_elapsed_seconds: float = 300
    stale_ok: bool = False
    if_match: str | None = None

    def __post_init__(self) -> None:
        for one in fields(self):
            value = getattr(self, one.name)
            if one.name == "if_match":
                continue
            if not isinstance(value, (int, float)) or not value >= 0:
                raise ValueError(f"{one.name} is a number from 0 on, not {value!r}.")


Outcome = Union[Answer, ConnectionError]


class Retries:
    """The attempts of one request: how many there were, how long they took, and whether another one may be made."""

    def __init__(self, options: Options, *, is_repeatable: bool) -> None:
        self._options = options
        self._is_repeatable = is_repeatable
        self.attempts = 0
        self._failures = 0
        self._has_gone_unanswered = False
        self._spent_seconds = 0.0
        self._begun = 0.0

    def begin(self) -> None:
        """Before an attempt, whose time counts."""
        self.attempts += 1
        self._begun = time.monotonic()

    def end(self) -> None:
        self._spent_seconds += time.monotonic() - self._begun

    def wait_after(self, outcome: Outcome) -> float | None:
        """Seconds until the same request may succeed; None where it would not, might be done twice, or would take too long."""
        options = self._options
        is_of_rate = isinstance(outcome, Answer) and outcome.status == 429
        # The service says when the rate is free again, so that only time bounds those.
        is_used_up = options.retries == 0 or (not is_of_rate and self._failures >= options.retries)
        if is_used_up or not self._may_pass(outcome):
            return None
        asked = retry_after_of(outcome.headers) if isinstance(outcome, Answer) else None
        least = max(1.0, 1.0 if asked is None else asked) if is_of_rate else (asked or 0.0)
        # Any time up to this is as good, so that those who failed together do not come back together.
        seconds = least + random.uniform(0, min(MOST_BACKOFF_SECONDS, FIRST_BACKOFF_SECONDS * 2 ** min(self._failures, 30)))
        if seconds > options.max_wait_seconds or self._spent_seconds + seconds > options.max_elapsed_seconds:
            return None
        self._failures += not is_of_rate
        self._has_gone_unanswered |= not is_of_rate
        self._spent_seconds += seconds
        return seconds

    def error(self, ask: Ask, outcome: Outcome) -> CampusError | ConnectionError:
        """What is raised when there is no further attempt."""
        if isinstance(outcome, ConnectionError):
            return outcome
        return error_of(ask.method, ask.url, outcome.status, outcome.headers, outcome.content, self.attempts)

    def _may_pass(self, outcome: Outcome) -> bool:
        if isinstance(outcome, CertificateError):
            return False
        if isinstance(outcome, ConnectionError):
            return self._is_repeatable or not outcome.was_sent
        # An attempt without an answer may still be at work under the same Idempotency-Key.
        if outcome.status == 409:
            return self._is_repeatable and self._has_gone_unanswered
        return outcome.status == 429 or (self._is_repeatable and outcome.status in PASSING)
