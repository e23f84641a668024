"""What happens to lists and records, as events say it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, Union

T = TypeVar("T")


@dataclass(frozen=True)
class PageChange:
    """The beginning: read the list, what changes from now on follows."""

    position: str
    ids: list[int]
    type: Literal["page"] = "page"


@dataclass(frozen=True)
class RecordChange(Generic[T]):
    """A record that is new or another: replace the one that you have, or add it."""

    position: str
    id: int
    record: T
    type: Literal["create", "update"]


@dataclass(frozen=True)
class DestroyChange:
    """A record that is gone, or belongs to the list no more."""

    position: str
    id: int
    type: Literal["destroy"] = "destroy"


@dataclass(frozen=True)
class ResetChange:
    """More than can be said: read the list again."""

    position: str
    type: Literal["reset"] = "reset"


Change = Union[PageChange, RecordChange[T], DestroyChange, ResetChange]
"""``position`` goes into ``after`` to go on there, also in another process."""


class EventReader:
    """
    Reads Server-Sent Events from bytes that come in pieces (HTML, section 9.2.6). An event without data is given too, for its id
    moves the position; what the end of a stream cuts off is not.
    """

    def __init__(self) -> None:
        self._unread = b""
        self._fields: dict[str, str] = {}

    def read(self, piece: bytes) -> Iterator[dict[str, str]]:
        """The fields of each event that is whole now."""
        *lines, self._unread = (self._unread + piece).split(b"\n")
        for raw in lines:
            line = raw.decode().removesuffix("\r")
            if not line:
                fields, self._fields = self._fields, {}
                yield fields
                continue
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            former = self._fields.get("data") if name == "data" else None
            self._fields[name] = value if former is None else f"{former}\n{value}"


def change_of(kind: str | None, data: str | None, position: str) -> Change[Any] | None:
    if data is None:
        return None
    read = json.loads(data)
    if kind == "page":
        return PageChange(position, read["ids"])
    if kind == "create" or kind == "update":
        return RecordChange[Any](position, read["id"], read, kind)
    if kind == "destroy":
        return DestroyChange(position, read["id"])
    # Events of a later version are none of ours.
    return ResetChange(position) if kind == "reset" else None
