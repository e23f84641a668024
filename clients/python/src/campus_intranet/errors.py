"""What is raised: a refusal by the service, or that no answer came."""

from __future__ import annotations

import builtins
import json
from collections.abc import Mapping
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
        retry_after_seconds: int | None,
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


class ValidationError(CampusError):
    """422: values break a rule."""

    def __init__(self, *, body: Mapping[str, Any], **details: Any) -> None:
        super().__init__(body=body, **details)
        self.errors: dict[str, list[str]] = dict(body.get("errors") or {})
        """Field → what is wrong with it; ``base`` where no single field is at fault."""


class RateLimitError(CampusError):
    """429, and the wait would be longer than allowed."""


class UnavailableError(CampusError):
    """503, again and again."""


class ConnectionError(builtins.ConnectionError):
    """No answer came: the service could not be reached, or not in safety."""


class CertificateError(ConnectionError):
    """The service has a certificate that this program does not trust."""


KINDS: dict[int, type[CampusError]] = {
    400: BadRequestError,
    401: UnauthorizedError,
    403: ForbiddenError,
    404: NotFoundError,
    409: ConflictError,
    422: ValidationError,
    429: RateLimitError,
    503: UnavailableError,
}


def error_of(method: str, url: str, status: int, headers: Mapping[str, str], content: bytes) -> CampusError:
    """The error that a refusal is raised as. Names of headers are in small letters."""
    return KINDS.get(status, CampusError)(
        status=status,
        method=method,
        url=url.split("?", 1)[0],
        body=_read_body(content),
        request_id=headers.get("x-request-id"),
        retry_after_seconds=retry_after_of(headers),
    )


def retry_after_of(headers: Mapping[str, str]) -> int | None:
    """In seconds; None where the service does not say."""
    text = headers.get("retry-after", "")
    return int(text) if text.isascii() and text.isdigit() else None


def _read_body(content: bytes) -> Mapping[str, Any]:
    """What stands between the service and us may answer in something other than JSON."""
    try:
        body: object = json.loads(content)
    except ValueError:
        return {}
    return cast("dict[str, Any]", body) if isinstance(body, dict) else {}
