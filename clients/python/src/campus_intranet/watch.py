"""What happens to lists and records, over as many connections as that takes."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar, Union

from .errors import CampusError, CertificateError, ConnectionError
from .timer import Timer
from .transport import Answer

T = TypeVar("T")

RETRY_SECONDS = 3.0
"""Until the service says when to come back."""


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

Open = Callable[[Union[str, None]], Answer]


def watch_changes(open_after: Open, *, after: str | None, timer: Timer, max_wait_seconds: float) -> Iterator[Change[Any]]:
    """
    Every change; comes back after the last position when a connection ends. What is refused is raised; what passes by itself, as a
    service that is away, is waited for. Raises where the first connection fails.
    """
    retry = RETRY_SECONDS
    has_begun = False
    failures = 0
    position: str | None = after
    while True:
        lines: Generator[bytes, None, None] | None = None
        try:
            lines = open_after(position).lines
            has_begun = True
            for fields in _blocks(lines or ()):
                failures = 0
                if fields.get("retry", "").isdigit():
                    retry = int(fields["retry"]) / 1000
                position = fields.get("id") or position
                change = _change_of(fields.get("event"), fields.get("data"), position or "")
                if change is not None:
                    yield change
        except (CampusError, ConnectionError) as error:
            if not has_begun or not _passes(error):
                raise
        finally:
            # Also where whoever reads has left the loop.
            if lines is not None:
                lines.close()
        timer.wait(min(retry * 2 ** min(failures, 30), max_wait_seconds))
        failures += 1


def _passes(error: CampusError | ConnectionError) -> bool:
    """Whether the same may succeed later."""
    if isinstance(error, CampusError):
        return error.status == 429 or error.status >= 500
    return not isinstance(error, CertificateError)


def _blocks(lines: Iterable[bytes]) -> Iterator[dict[str, str]]:
    """The fields of each event (HTML, section 9.2.6), also where only its id is there; none that the end cuts off."""
    fields: dict[str, str] = {}
    for raw in lines:
        line = raw.decode().rstrip("\r\n")
        if line:
            name, _, value = line.partition(":")
            value = value.removeprefix(" ")
            fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
        elif raw.endswith(b"\n"):
            yield fields
            fields = {}


def _change_of(kind: str | None, data: str | None, position: str) -> Change[Any] | None:
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
