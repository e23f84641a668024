"""What the generated methods are made of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Any, cast
from urllib.parse import quote, urlencode

from .listing import Listing
from .send import EVENT_STREAM, Sender
from .transport import Answer, Ask
from .watch import Change

Path = Mapping[str, int | str]


class Calls:
    _url: str
    _sender: Sender

    def _call(self, method: str, template: str, path: Path | None = None, *, body: Any = None, query: Any = None) -> Any:
        answer = self._send(method, _filled(template, path or {}), body, query)
        return json.loads(answer.content) if answer.content else None

    def _list(self, template: str, path: Path | None = None, *, query: Any = None) -> Listing[Any]:
        filled = _filled(template, path or {})

        def ask(one: Mapping[str, Any]) -> tuple[Any, Mapping[str, str]]:
            answer = self._send("GET", filled, None, one)
            return json.loads(answer.content), answer.headers

        return Listing(ask, query or {}, lambda one, after: self._watch(filled, one, after))

    def _watch(self, path: str, query: Mapping[str, Any] | None, after: str | None) -> Iterator[Change[Any]]:
        def open_after(position: str | None) -> Answer:
            resume = {} if position is None else {"Last-Event-ID": position}
            headers = {"Accept": EVENT_STREAM, **resume}
            return self._sender.send(Ask("GET", self._address(path, query), headers, is_streamed=True))

        return self._sender.watch(open_after, after)

    def _address(self, path: str, query: Mapping[str, Any] | None) -> str:
        written = urlencode({name: _written(value) for name, value in (query or {}).items() if value is not None})
        return f"{self._url}{path}{'?' if written else ''}{written}"

    def _send(self, method: str, path: str, body: Any, query: Mapping[str, Any] | None) -> Answer:
        headers = {"Accept": "application/json"}
        content = None
        if body is not None:
            headers["Content-Type"] = "application/json"
            content = json.dumps(body).encode()
        return self._sender.send(Ask(method, self._address(path, query), headers, content))


def _filled(template: str, path: Path) -> str:
    """Whatever an id holds, it stays one part of the address."""
    for name, value in path.items():
        text = str(value)
        if text in ("", ".", ".."):
            raise ValueError(f'{name} is "{text}", which names nothing.')
        template = template.replace(f"{{{name}}}", quote(text, safe=""))
    return template


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
