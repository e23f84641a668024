"""One request over HTTPS and its answer, whatever its status; redirects are not followed, so that a token goes nowhere else."""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import AsyncGenerator

import httpx

from ..async_runtime import Exchange
from ..errors import ConnectionError
from ..request import Answer, Ask, explained, late
from ..retries import Outcome

MOST_SILENCE_SECONDS = 60.0
"""A stream has a heartbeat every 20 seconds; after this much silence nobody is there."""


class AsyncStream:
    """An answer that is read as it comes. To be closed."""

    def __init__(self, response: httpx.Response, ask: Ask, exchange: Exchange) -> None:
        self.response = response
        self._ask = ask
        self._exchange = exchange
        self.status = response.status_code
        self.headers = response.headers

    async def pieces(self) -> AsyncGenerator[bytes, None]:
        pieces = self.response.aiter_bytes()
        try:
            while (piece := await self._exchange.run(lambda: anext(pieces, None))) is not None:
                yield piece
        except httpx.HTTPError as error:
            failure = ConnectionError(f"No answer from {self._ask.origin}: the stream broke off ({error}).")
        else:
            return
        raise failure

    async def aclose(self) -> None:
        await self._exchange.aclose()


class AsyncTransport:
    """
    Trusts what the system trusts, and the certificates of ``cafile``. Goes by ``HTTPS_PROXY`` where that is set. A client of httpx
    that is handed in is used as it is, and not closed.
    """

    def __init__(self, *, cafile: str | os.PathLike[str] | None, http_client: httpx.AsyncClient | None) -> None:
        self._cafile = cafile
        self._is_own = http_client is None
        self._client = http_client or httpx.AsyncClient(verify=_context_with(cafile))

    async def send(self, ask: Ask, timeout_seconds: float, attempts: int) -> Outcome:
        """The whole answer, in this time. What went wrong is returned, not raised."""
        exchange = Exchange()
        return await exchange.run(lambda: self._send(exchange, ask, timeout_seconds, attempts))

    async def open(self, ask: Ask, timeout_seconds: float, attempts: int) -> AsyncStream | Outcome:
        """An answer of which the body is still to come, and may take as long as it does; a refusal is read as a whole."""
        exchange = Exchange()
        return await exchange.run(lambda: self._open(exchange, ask, timeout_seconds, attempts))

    async def aclose(self) -> None:
        if self._is_own:
            await self._client.aclose()

    async def _send(self, exchange: Exchange, ask: Ask, timeout_seconds: float, attempts: int) -> Outcome:
        until = time.monotonic() + timeout_seconds
        outcome = await self._begin(exchange, ask, httpx.Timeout(timeout_seconds), timeout_seconds, attempts)
        if not isinstance(outcome, AsyncStream):
            return outcome
        return await self._read(outcome, ask, until, timeout_seconds, attempts)

    async def _open(
        self, exchange: Exchange, ask: Ask, timeout_seconds: float, attempts: int
    ) -> AsyncStream | Outcome:
        until = time.monotonic() + timeout_seconds
        timeout = httpx.Timeout(timeout_seconds, read=max(timeout_seconds, MOST_SILENCE_SECONDS))
        outcome = await self._begin(exchange, ask, timeout, timeout_seconds, attempts)
        if not isinstance(outcome, AsyncStream) or outcome.status == 200:
            return outcome
        return await self._read(outcome, ask, until, timeout_seconds, attempts)

    async def _begin(
        self, exchange: Exchange, ask: Ask, timeout: httpx.Timeout, timeout_seconds: float, attempts: int
    ) -> AsyncStream | ConnectionError:
        try:
            request = self._client.build_request(
                ask.method,
                ask.url,
                headers=dict(ask.headers),
                content=ask.content,
                timeout=timeout,
                extensions=exchange.extensions,
            )
            # The token is the only credential: an httpx.Auth that adds nothing goes before what a netrc file says of the host.
            response = await self._client.send(request, stream=True, auth=httpx.Auth(), follow_redirects=False)
        except httpx.HTTPError as error:
            return self._explained(error, ask, timeout_seconds, attempts)
        exchange.response = response
        return AsyncStream(response, ask, exchange)

    async def _read(
        self, stream: AsyncStream, ask: Ask, until: float, timeout_seconds: float, attempts: int
    ) -> Outcome:
        content = bytearray()
        try:
            async for piece in stream.response.aiter_bytes():
                content += piece
                # Each piece may come in time, and never the last one.
                if time.monotonic() > until:
                    return late(ask, timeout_seconds, attempts)
        except httpx.HTTPError as error:
            return self._explained(error, ask, timeout_seconds, attempts)
        finally:
            await stream.response.aclose()
        return Answer(stream.status, stream.headers, bytes(content))

    def _explained(self, error: httpx.HTTPError, ask: Ask, timeout_seconds: float, attempts: int) -> ConnectionError:
        return explained(error, ask, cafile=self._cafile, timeout_seconds=timeout_seconds, attempts=attempts)


def _context_with(cafile: str | os.PathLike[str] | None) -> ssl.SSLContext:
    context = ssl.create_default_context()
    if cafile is not None:
        context.load_verify_locations(cafile)
    return context
