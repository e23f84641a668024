"""A page of a list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from .request import STALE_OK

T = TypeVar("T")

MOST_PER_PAGE = 100


@dataclass(frozen=True)
class Page(Generic[T]):
    items: list[T]
    total: int
    """How many records all pages have together, as of this page."""
    number: int
    age_seconds: int | None = None
    """How many seconds old it is at most, where ``stale_ok`` was followed."""


def age_of(headers: Mapping[str, str]) -> int | None:
    """Names of headers are in small letters."""
    return int(headers.get("age", 0)) if STALE_OK in headers.get("preference-applied", "") else None
