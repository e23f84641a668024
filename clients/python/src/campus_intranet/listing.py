"""Lists, page by page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar
from urllib.parse import parse_qsl, urlsplit

from .watch import Change

T = TypeVar("T")

Query = Mapping[str, Any]
AskPage = Callable[[Query], tuple[Any, Mapping[str, str]]]

Watch = Callable[[Query, "str | None"], Iterator[Change[Any]]]

MOST_PER_PAGE = 100


@dataclass(frozen=True)
class Page(Generic[T]):
    """A page of a list."""

    items: list[T]
    total: int
    """How many records all pages have together, as of this page."""
    number: int


class Listing(Generic[T]):
    """Every record of a list, one after the other, from as many pages as there are; nothing is asked before the first is wanted."""

    def __init__(self, ask: AskPage, query: Query, watch: Watch) -> None:
        self._ask = ask
        self._query = query
        self._watch = watch

    def __iter__(self) -> Iterator[T]:
        for page in self.pages():
            yield from page.items

    def watch(self, *, after: str | None = None) -> Iterator[Change[T]]:
        """What happens to it from now on, or from the position ``after`` on; over as many connections as that takes."""
        return self._watch(self._query, after)

    def pages(self) -> Iterator[Page[T]]:
        """The pages, each with the total. They are as long as they may be, unless the query says otherwise."""
        query: Query | None = {"per_page": MOST_PER_PAGE, **self._query}
        while query is not None:
            items, headers = self._ask(query)
            yield Page(items, int(headers.get("x-total", 0)), int(headers.get("x-page", 1)))
            query = _next_of(headers.get("link", ""))


def _next_of(link: str) -> Query | None:
    """The query of the next page. Where the link leads is left aside, so that a token is sent to no other address."""
    found = re.search(r'<([^>]*)>;\s*rel="next"', link)
    return dict(parse_qsl(urlsplit(found[1]).query, keep_blank_values=True)) if found else None
