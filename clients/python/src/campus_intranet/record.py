"""Records as they were read, with their versions."""

from __future__ import annotations

from typing import Any, cast


class Record(dict[str, Any]):
    """A record that the service answered. It equals a dict with the same members."""

    etag: str | None = None


def etag_of(record: object) -> str:
    """
    Returns the version of a record that ``get_…`` returned, for ``with_options(if_match=…)``. Raises ValueError for other
    values.
    """
    etag = record.etag if isinstance(record, Record) else None
    if etag is None:
        raise ValueError("This record has no version: pass what get_… returned, not a copy of it.")
    return etag


def with_etag(answer: Any, etag: str | None) -> Any:
    """Returns a JSON object as a record with this version, and every other value as it is."""
    if not isinstance(answer, dict):
        return answer
    record = Record(cast("dict[str, Any]", answer))
    record.etag = etag
    return record
