"""What is raised: a refusal by the service, or that no answer came."""

from __future__ import annotations

import builtins
import json
import math
from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any, cast


class CampusError(Exception):
    """The service refused a request. The message says what is wrong, and what would be right."""

    def __init__(
        self,
        *,
        status: int,
        method: str,
        url: str,
        body: Mapping[str, Any],
        request_id: str | None,
        retry_after_seconds: float | None,
        attempts: int,
    ) -> None:
        message = body.get("message") or body.get("error_description") or body.get("error")
        super().__init__(str(message or f"{method} {url} answered {status}"))
        self.status = status
        self.error = str(body.get("error", status))
        """The kind of refusal, mostly the text of the status; for OAuth endpoints the name that RFC 6749 gives it."""
        self.method = method
        self.url = url
        """Without its query."""
        self.request_id = request_id
        """Finds the request in the service's log."""
        self.retry_after_seconds = retry_after_seconds
        self.attempts = attempts
        """How often the request was sent."""
        self.body = body
        """What was answered; empty where that was no JSON object."""


class BadRequestError(CampusError):
    """400: the request is malformed, or names what there is not."""


class UnauthorizedError(CampusError):
    """401: the application did not prove itself, or its token could not be renewed."""


class ForbiddenError(CampusError):
    """403: a scope or a role is missing; the message names it."""


class NotFoundError(CampusError):
    """404"""


class ConflictError(CampusError):
    """409: the same Idempotency-Key is still at work."""


class PreconditionFailedError(CampusError):
    """412: the record was changed since it was read (``if_match``)."""


class ValidationError(CampusError):
    """422: values break a rule."""

    def __init__(self, *, body: Mapping[str, Any], **details: Any) -> None:
        super().__init__(body=body, **details)
        self.errors: dict[str, list[str]] = dict(body.get("errors") or {})
        """Field → what is wrong with it; ``base`` where no single field is at fault."""


class RateLimitError(CampusError):
    """429, and a wait would be longer than allowed."""


class UnavailableError(CampusError):
    """503, again and again."""


class ConnectionError(builtins.ConnectionError):
    """No answer came: the service could not be reached, or not in safety."""

    def __init__(self, message: str, *, was_sent: bool = True, attempts: int = 1) -> None:
        super().__init__(message)
        self.was_sent = was_sent
        """False where the request certainly never left; true where it may have been carried out."""
        self.attempts = attempts
        """How often the request was sent."""


class CertificateError(ConnectionError):
    """The service has a certificate that this program does not trust."""


class TimeoutError(ConnectionError, builtins.TimeoutError):
    """The whole answer did not come within ``timeout_seconds``."""


KINDS: dict[int, type[CampusError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    412: PreconditionFailedError,
    422: ValidationError,
    429: RateLimitError,
    503: UnavailableError,
}


def error_of(
    method: str, url: str, status: int, headers: Mapping[str, str], content: bytes, attempts: int
) -> CampusError:
    """The error that a refusal is raised as. Names of headers are in small letters."""
    return KINDS.get(status, CampusError)(
        status=status,
        method=method,
        url=url.split("?", 1)[0],
        body=_read_body(content),
        request_id=headers.get("x-request-id"),
        retry_after_seconds=retry_after_of(headers),
        attempts=attempts,
    )


def retry_after_of(headers: Mapping[str, str]) -> float | None:
    """In seconds, of seconds or a date (RFC 9110 §10.2.3); None where the service does not say."""
    text = headers.get("retry-after", "")
    if text.isascii() and text.isdigit():
        return float(text) if len(text) < 20 else math.inf
    try:
        date = parsedate_to_datetime(text)
    except ValueError:
        return None
    # "-0000" leaves the zone out.
    at = date if date.tzinfo else date.replace(tzinfo=timezone.utc)
    return max(0.0, (at - datetime.now(timezone.utc)).total_seconds())


def _read_body(content: bytes) -> Mapping[str, Any]:
    """What stands between the service and us may answer in something other than JSON."""
    try:
        body: object = json.loads(content)
    except ValueError:
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}
