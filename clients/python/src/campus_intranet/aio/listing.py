"""Lists, page by page."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Mapping
from typing import Any, Generic, TypeVar
from urllib.parse import urlsplit

from ..address import Query, query_of
from ..events import Change
from ..page import MOST_PER_PAGE, Page, age_of

T = TypeVar("T")

AsyncAskPage = Callable[[Query], Awaitable["tuple[Any, Mapping[str, str]]"]]
AsyncWatch = Callable[[Query, "str | None"], AsyncGenerator[Change[Any], None]]


class AsyncListing(Generic[T]):
    """Every record of a list, one after the other, from as many pages as there are; nothing is asked before the first is wanted."""

    def __init__(self, ask: AsyncAskPage, query: Query, watch: AsyncWatch) -> None:
        self._ask = ask
        self._query = query
        self._watch = watch

    async def __aiter__(self) -> AsyncIterator[T]:
        async for page in self.pages():
            for item in page.items:
                yield item

    def watch(self, *, after: str | None = None) -> AsyncGenerator[Change[T], None]:
        """What happens to it from now on, or from the position ``after`` on; over as many connections as that takes."""
        return self._watch(self._query, after)

    async def pages(self) -> AsyncGenerator[Page[T], None]:
        """The pages, each with the total. They are as long as they may be, unless the query says otherwise."""
        query: Query | None = {"per_page": MOST_PER_PAGE, **self._query}
        while query is not None:
            items, headers = await self._ask(query)
            yield Page(items, int(headers.get("x-total", 0)), int(headers.get("x-page", 1)), age_of(headers))
            query = _next_of(headers.get("link", ""))


def _next_of(link: str) -> Query | None:
    """The query of the next page. Where the link leads is left aside, so that a token is sent to no other address."""
    found = re.search(r'<([^>]*)>;\s*rel="next"', link)
    return query_of(urlsplit(found[1]).query) if found else None
