"""Records with their ETags."""

from __future__ import annotations

from typing import Any, cast


class Record(dict[str, Any]):
    """A record that the service returned. It equals a dict with the same items."""

    etag: str | None = None


def etag_of(record: object) -> str:
    """
    Returns the ETag of a record that ``get_…`` returned, for ``with_options(if_match=…)``. Raises ValueError for any other
    object.
    """
    etag = record.etag if isinstance(record, Record) else None
    if etag is None:
        raise ValueError("This object has no ETag. Pass the object that get_… returned, not a copy of it.")
    return etag


def with_etag(answer: Any, etag: str | None) -> Any:
    """Returns a JSON object as a record with this ETag, and any other value unchanged."""
    if not isinstance(answer, dict):
        return answer
    record = Record(cast("dict[str, Any]", answer))
    record.etag = etag
    return record
