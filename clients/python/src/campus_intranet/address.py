"""How paths and queries are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any, cast
from urllib.parse import parse_qs, quote, urlencode

Path = Mapping[str, "int | str"]
Query = Mapping[str, Any]


def filled(template: str, path: Path) -> str:
    """Whatever an id holds, it stays one part of the address."""
    for name, value in path.items():
        text = str(value)
        if text in ("", ".", ".."):
            raise ValueError(f'{name} is "{text}", which names nothing.')
        template = template.replace(f"{{{name}}}", quote(text, safe=""))
    return template


def address_of(url: str, path: str, query: Query | None) -> str:
    written = urlencode([pair for name, value in (query or {}).items() if value is not None for pair in _pairs(name, value)])
    return f"{url}{path}{'?' if written else ''}{written}"


def query_of(text: str) -> Query:
    """Reads the query of an address. A name that is there several times has a list."""
    sent = parse_qs(text, keep_blank_values=True)
    return {name: values if len(values) > 1 else values[0] for name, values in sent.items()}


def _pairs(name: str, value: Any) -> list[tuple[str, str]]:
    """Values that contain a comma are sent one by one, under the name with `[]`."""
    if isinstance(value, (list, tuple)):
        values = [_written(one) for one in cast("Sequence[Any]", value)]
        if name.endswith("[]") or any("," in one for one in values):
            return [(name if name.endswith("[]") else f"{name}[]", one) for one in values]
    return [(name, _written(value))]


def _written(value: Any) -> str:
    """Several values have commas between."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return ",".join(_written(one) for one in cast("Sequence[Any]", value))
    if isinstance(value, (str, int, float)):
        return str(value)
    raise TypeError(f"A {type(value).__name__} cannot be sent.")
