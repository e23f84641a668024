"""The API of a campus intranet."""

from __future__ import annotations

import copy
import os
from collections.abc import AsyncGenerator, Callable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

import httpx

from ..events import Change
from ..grant import Grant, TokenAnswer
from ..retries import Options
from .operations import AsyncOperations
from .send import AsyncSender
from .throttle import AsyncThrottle
from .timer import AsyncSystemTimer, AsyncTimer
from .tokens import AsyncTokens
from .transport import AsyncTransport


class AsyncCampus(AsyncOperations):
    """
    The API of a campus intranet. Every method returns what is answered, raises CampusError where it is refused and
    ConnectionError where no answer came. Nothing is sent before the first request.
    """

    def __init__(
        self,
        url: str,
        *,
        client_id: str,
        client_secret: str | None = None,
        scope: str | None = None,
        refresh_token: str | None = None,
        on_token: Callable[[TokenAnswer], Any] | None = None,
        cafile: str | os.PathLike[str] | None = None,
        retries: int = 4,
        timeout_seconds: float = 60,
        max_wait_seconds: float = 120,
        max_elapsed_seconds: float = 300,
        stale_ok: bool = False,
        http_client: httpx.AsyncClient | None = None,
        timer: AsyncTimer | None = None,
    ) -> None:
        """
        ``url`` is the address of the service, as ``https://localhost:8443``. ``scope`` has spaces between; ``public`` unless said.

        ``refresh_token`` is that of a sign-in by the web flow; without it, the token stands for the application alone.
        ``on_token`` is handed every new answer before its token is used: whoever has a refresh token keeps the new one there.

        ``cafile`` is a certificate to trust beside the system's. ``http_client`` is a client of httpx of your own, as for a proxy;
        it is not closed. ``timer`` stands in for the time, as in tests.

        ``retries`` is how often a request is sent again after a failure that may pass. ``timeout_seconds`` is how long one attempt
        may take, ``max_wait_seconds`` the longest single wait for the rate limit or for a service that is away, and
        ``max_elapsed_seconds`` the longest that attempts and waits may take together. ``stale_ok`` lets reads be answered with
        what is up to 5 seconds old.
        """
        self._url = url.rstrip("/")
        if urlsplit(self._url).scheme != "https" or not urlsplit(self._url).hostname:
            raise ValueError(f'The service is reached over https only; url is "{url}".')
        self._options = Options(retries, timeout_seconds, max_wait_seconds, max_elapsed_seconds, stale_ok)
        timer = timer or AsyncSystemTimer()
        transport = AsyncTransport(cafile=cafile, http_client=http_client)
        grant = Grant(client_id, client_secret, scope, on_token)
        tokens = AsyncTokens(
            self._url, grant, refresh_token, transport=transport, timer=timer, options=self._options
        )
        self._sender = AsyncSender(transport=transport, tokens=tokens, throttle=AsyncThrottle(timer), timer=timer)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Ends the connections, also those of what ``with_options`` gave."""
        await self._sender.aclose()

    def with_options(
        self,
        *,
        retries: int | None = None,
        timeout_seconds: float | None = None,
        max_wait_seconds: float | None = None,
        max_elapsed_seconds: float | None = None,
        stale_ok: bool | None = None,
        if_match: str | None = None,
    ) -> Self:
        """
        The same client with other options, for one call or several: ``campus.with_options(retries=0).get_me()``. Token, rate and
        connections are shared.

        ``if_match`` makes writes depend on the ETag of a record: ``campus.with_options(if_match=etag_of(user)).update_user(…)``
        raises PreconditionFailedError if the user has changed since. ``None`` leaves an option as it is.
        """
        given = {
            "retries": retries,
            "timeout_seconds": timeout_seconds,
            "max_wait_seconds": max_wait_seconds,
            "max_elapsed_seconds": max_elapsed_seconds,
            "stale_ok": stale_ok,
            "if_match": if_match,
        }
        other = copy.copy(self)
        other._options = replace(self._options, **{name: value for name, value in given.items() if value is not None})
        return other

    async def request(
        self, method: str, path: str, *, query: Mapping[str, Any] | None = None, body: object = None
    ) -> Any:
        """Any other request, without types: ``campus.request("GET", "/v2/users", query={"per_page": 1})``."""
        return await self._call(method.upper(), path, body=body, query=query)

    def watch(
        self, path: str, *, query: Mapping[str, Any] | None = None, after: str | None = None
    ) -> AsyncGenerator[Change[Any], None]:
        """What happens to any list or record, without types, from now on or from the position ``after`` on."""
        return self._watch(path, query, after)
