"""The API of a campus intranet."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import urlsplit

from .operations import Operations
from .throttle import Throttle
from .send import Sender
from .timer import SystemTimer, Timer
from .tokens import Grant, TokenAnswer, Tokens
from .transport import Transport, https_transport
from .watch import Change


class Campus(Operations):
    """
    The API of a campus intranet. Every method returns what is answered, raises CampusError where it is refused and
    ConnectionError where no answer came. Threads may share one. Nothing is sent before the first request.
    """

    def __init__(
        self,
        url: str,
        *,
        client_id: str,
        client_secret: str | None = None,
        scope: str | None = None,
        refresh_token: str | None = None,
        on_token: Callable[[TokenAnswer], None] | None = None,
        cafile: str | os.PathLike[str] | None = None,
        max_wait_seconds: float = 120,
        timeout_seconds: float = 60,
        transport: Transport | None = None,
        timer: Timer | None = None,
    ) -> None:
        """
        ``url`` is the address of the service, as ``https://localhost:8443``. ``scope`` has spaces between; ``public`` unless said.

        ``refresh_token`` is that of a sign-in by the web flow; without it, the token stands for the application alone.
        ``on_token`` is handed every new answer before its token is used: whoever has a refresh token keeps the new one there.

        ``cafile`` is a certificate to trust beside the system's. ``max_wait_seconds`` is the longest single wait for the rate
        limit or for a service that is away. ``transport`` and ``timer`` stand in for the network and the time, as in tests.
        """
        self._url = url.rstrip("/")
        if urlsplit(self._url).scheme != "https" or not urlsplit(self._url).hostname:
            raise ValueError(f'The service is reached over https only; url is "{url}".')
        timer = timer or SystemTimer()
        transport = transport or https_transport(cafile=cafile, timeout_seconds=timeout_seconds)
        grant = Grant(client_id, client_secret, scope, refresh_token, on_token)
        tokens = Tokens(self._url, grant, transport=transport, timer=timer)
        self._sender = Sender(
            transport=transport, tokens=tokens, throttle=Throttle(timer), timer=timer, max_wait_seconds=max_wait_seconds
        )

    def request(self, method: str, path: str, *, query: Mapping[str, Any] | None = None, body: object = None) -> Any:
        """Any other request, without types: ``campus.request("GET", "/v2/users", query={"per_page": 1})``."""
        return self._call(method.upper(), path, body=body, query=query)

    def watch(
        self, path: str, *, query: Mapping[str, Any] | None = None, after: str | None = None
    ) -> Iterator[Change[Any]]:
        """What happens to any list or record, without types: ``for change in campus.watch("/v2/users/jdoe")``."""
        return self._watch(path, query, after)
