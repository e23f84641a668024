"""One request over HTTPS and its answer, whatever its status; redirects are not followed, so that a token goes nowhere else."""

from __future__ import annotations

import os
import ssl
from collections.abc import Callable, Generator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import HTTPErrorProcessor, HTTPSHandler, Request, build_opener

from .errors import CertificateError, ConnectionError

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
    """Whether the answer is to be read line by line as it comes, where it is no refusal."""


@dataclass(frozen=True)
class Answer:
    """What came back. Names of headers are in small letters."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    lines: Generator[bytes, None, None] | None = None
    """What is streamed. To be closed."""


Transport = Callable[[Ask], Answer]


class _AsItCame(HTTPErrorProcessor):
    def http_response(self, request: Request, response: Any) -> Any:
        return response

    https_response = http_response


def https_transport(*, cafile: str | os.PathLike[str] | None, timeout_seconds: float) -> Transport:
    """Trusts what the system trusts, and the certificates of ``cafile``. Goes by ``HTTPS_PROXY`` where that is set."""
    context = ssl.create_default_context()
    if cafile is not None:
        context.load_verify_locations(cafile)
    opener = build_opener(HTTPSHandler(context=context), _AsItCame())

    def send(ask: Ask) -> Answer:
        request = Request(ask.url, ask.content, dict(ask.headers), method=ask.method)
        try:
            response: HTTPResponse = opener.open(request, timeout=timeout_seconds)
            headers = {name.lower(): value for name, value in response.getheaders()}
            if ask.is_streamed and response.status == 200:
                return Answer(response.status, headers, b"", lines(response, ask))
            with response:
                return Answer(response.status, headers, response.read())
        except (OSError, HTTPException) as error:
            raise _explained(error, ask.url, cafile) from error

    def lines(response: HTTPResponse, ask: Ask) -> Generator[bytes, None, None]:
        with response:
            try:
                while line := response.readline():
                    yield line
            except (OSError, HTTPException, ValueError) as error:
                raise _explained(error, ask.url, cafile) from error

    return send


def _explained(error: Exception, url: str, cafile: object) -> ConnectionError:
    origin = "{0.scheme}://{0.hostname}:{1}".format(urlsplit(url), urlsplit(url).port or 443)
    cause = error.reason if isinstance(error, URLError) else error
    if not isinstance(cause, ssl.SSLCertVerificationError):
        return ConnectionError(f"No answer from {origin}: {cause}")
    what = f"The certificate of {origin}"
    if cause.verify_code not in SIGNER_UNKNOWN:
        return CertificateError(f"{what} is not valid: {cause.verify_message}")
    given = "cafile is not set" if cafile is None else f'cafile is "{cafile}", which is not it'
    return CertificateError(
        f"{what} is signed by nobody whom this program trusts ({SIGNER_UNKNOWN[cause.verify_code]}). One that Campus Intranet "
        "made for itself is the file tls/cert.pem in the data folder of the service: give it to the client as "
        f'cafile="data/tls/cert.pem", or wherever a copy of it is. {given}.'
    )
