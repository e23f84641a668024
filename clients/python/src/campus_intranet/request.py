"""A request, what comes of it, and why nothing did."""

from __future__ import annotations

import ssl
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

import httpx

from .errors import CertificateError, ConnectionError, TimeoutError

REPEATABLE = ("GET", "HEAD", "OPTIONS", "PUT", "DELETE")
"""What may be sent again where nobody knows whether it was done (RFC 9110 §9.2.2)."""
EVENT_STREAM = "text/event-stream"
STALE_OK = "stale-ok"
"""The preference for an answer that may be some seconds old."""

SIGNER_UNKNOWN = {
    18: "DEPTH_ZERO_SELF_SIGNED_CERT",
    19: "SELF_SIGNED_CERT_IN_CHAIN",
    20: "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
    21: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
}
"""What OpenSSL says of a certificate that no known authority has signed."""


@dataclass(frozen=True)
class Ask:
    """A request that is sent."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    content: bytes | None = None
    is_streamed: bool = False
    """Whether the answer is to be read as it comes, where it is no refusal."""

    @property
    def is_repeatable(self) -> bool:
        """
        Whether the request may be sent again. A retry with If-Match would fail because the first attempt may have
        changed the record.
        """
        return "Idempotency-Key" in self.headers or (self.method in REPEATABLE and "If-Match" not in self.headers)

    @property
    def origin(self) -> str:
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.hostname}:{parts.port or 443}"


@dataclass(frozen=True)
class Answer:
    """What came back, whole."""

    status: int
    headers: Mapping[str, str]
    """Names are in small letters."""
    content: bytes

    @property
    def is_success(self) -> bool:
        return 200 <= self.status < 300


def with_key(ask: Ask) -> Ask:
    """What is sent with a key of its own is done once, however often it is sent: a POST, and what is taken away by a payload."""
    is_done_anew = ask.method == "POST" or (ask.method == "DELETE" and ask.content is not None)
    if not is_done_anew or "Idempotency-Key" in ask.headers:
        return ask
    return replace(ask, headers={**ask.headers, "Idempotency-Key": str(uuid.uuid4())})


def late(ask: Ask, timeout_seconds: float, attempts: int) -> TimeoutError:
    return TimeoutError(f"No answer from {ask.origin} within {timeout_seconds:g} seconds.", attempts=attempts)


def explained(error: Exception, ask: Ask, *, cafile: object, timeout_seconds: float, attempts: int) -> ConnectionError:
    """
    What a failure means, and what would be right. The error of httpx is not its cause, for that has the request with its
    token; what that error came of is.
    """
    failure = _explained(error, ask, cafile=cafile, timeout_seconds=timeout_seconds, attempts=attempts)
    failure.__cause__ = error.__cause__
    return failure


def _explained(error: Exception, ask: Ask, *, cafile: object, timeout_seconds: float, attempts: int) -> ConnectionError:
    was_sent = not isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout, httpx.PoolTimeout))
    if isinstance(error, httpx.TimeoutException):
        failure = late(ask, timeout_seconds, attempts)
        failure.was_sent = was_sent
        return failure
    refused = _certificate_error_in(error)
    if refused is None:
        return ConnectionError(f"No answer from {ask.origin}: {error}", was_sent=was_sent, attempts=attempts)
    what = f"The certificate of {ask.origin}"
    if refused.verify_code not in SIGNER_UNKNOWN:
        return CertificateError(f"{what} is not valid: {refused.verify_message}", was_sent=False, attempts=attempts)
    given = "cafile is not set" if cafile is None else f'cafile is "{cafile}", which is not it'
    return CertificateError(
        f"{what} is signed by nobody whom this program trusts ({SIGNER_UNKNOWN[refused.verify_code]}). One that Campus Intranet "
        "made for itself is the file tls/cert.pem in the data folder of the service: give it to the client as "
        f'cafile="data/tls/cert.pem", or wherever a copy of it is. {given}.',
        was_sent=False,
        attempts=attempts,
    )


def _certificate_error_in(error: BaseException) -> ssl.SSLCertVerificationError | None:
    """Of what an error came of, however deep."""
    one: BaseException | None = error
    while one is not None:
        if isinstance(one, ssl.SSLCertVerificationError):
            return one
        one = one.__cause__ or one.__context__
    return None
