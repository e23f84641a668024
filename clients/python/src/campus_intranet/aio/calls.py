"""What the generated methods are made of."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Mapping
from dataclasses import replace
from typing import Any

from ..address import Path, Query, address_of, filled
from ..events import Change
from ..record import with_etag
from ..request import EVENT_STREAM, STALE_OK, Answer, Ask
from ..retries import Options
from .listing import AsyncListing
from .send import AsyncSender
from .transport import AsyncStream
from .watch import watch_changes


class AsyncCalls:
    _url: str
    _sender: AsyncSender
    _options: Options

    async def _call(
        self, method: str, template: str, path: Path | None = None, *, body: Any = None, query: Any = None
    ) -> Any:
        answer = await self._send(method, filled(template, path or {}), body, query)
        return with_etag(json.loads(answer.content), answer.headers.get("etag")) if answer.content else None

    def _list(self, template: str, path: Path | None = None, *, query: Any = None) -> AsyncListing[Any]:
        place = filled(template, path or {})

        async def ask(one: Query) -> tuple[Any, Mapping[str, str]]:
            answer = await self._send("GET", place, None, one)
            return json.loads(answer.content), answer.headers

        return AsyncListing(ask, query or {}, lambda one, after: self._watch(place, one, after))

    def _watch(self, path: str, query: Query | None, after: str | None) -> AsyncGenerator[Change[Any], None]:
        async def open_after(position: str | None, is_first: bool) -> AsyncStream:
            resume = {} if position is None else {"Last-Event-ID": position}
            headers = {"Accept": EVENT_STREAM, **resume}
            ask = Ask("GET", address_of(self._url, path, query), headers, is_streamed=True)
            # Once it has begun, watching itself comes back.
            return await self._sender.open(ask, self._options if is_first else replace(self._options, retries=0))

        wait = self._options.max_wait_seconds
        return watch_changes(open_after, after=after, timer=self._sender.timer, max_wait_seconds=wait)

    async def _send(self, method: str, path: str, body: Any, query: Query | None) -> Answer:
        headers = {"Accept": "application/json"}
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(body).encode()
        if self._options.stale_ok and method == "GET":
            headers["Prefer"] = STALE_OK
        if self._options.if_match is not None and method != "GET":
            headers["If-Match"] = self._options.if_match
        return await self._sender.send(Ask(method, address_of(self._url, path, query), headers, content), self._options)
