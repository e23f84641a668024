"""How a token is come by, and what is given."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NotRequired, TypedDict
from urllib.parse import urlencode

from .request import Ask

MARGIN_SECONDS = 60
"""Renewed this long before its end, so that it does not end on the way."""


class TokenAnswer(TypedDict):
    """What the service gives for a grant, in the words of RFC 6749."""

    access_token: str
    expires_in: int
    scope: str
    refresh_token: NotRequired[str]
    """For tokens of a person: each works once, and the next answer has another."""


@dataclass(frozen=True)
class Grant:
    client_id: str
    client_secret: str | None
    scope: str | None
    on_token: Callable[[TokenAnswer], Any] | None


@dataclass(frozen=True)
class Token:
    value: str
    renew_at: float


def ask_for_token(url: str, grant: Grant, refresh_token: str | None) -> Ask:
    form = {"client_id": grant.client_id}
    if grant.client_secret:
        form["client_secret"] = grant.client_secret
    if refresh_token:
        form |= {"grant_type": "refresh_token", "refresh_token": refresh_token}
    else:
        form |= {"grant_type": "client_credentials"} | ({"scope": grant.scope} if grant.scope else {})
    headers = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
    return Ask("POST", f"{url}/oauth/token", headers, urlencode(form).encode())


def read_token(url: str, content: bytes, asked_at: float) -> tuple[Token, TokenAnswer]:
    """Raises ValueError where none is there that a header can carry (RFC 6750 §2.1)."""
    answer: TokenAnswer = json.loads(content)
    value = dict(answer).get("access_token")
    if not isinstance(value, str) or not re.fullmatch("[!-~]{1,4096}", value):
        raise ValueError(f"The answer of {url}/oauth/token holds no token.")
    # A service may leave it out (RFC 6749 §5.1): then the token is used until it is refused.
    life = float(answer.get("expires_in") or "inf")
    return Token(value, asked_at + max(life / 2, life - MARGIN_SECONDS)), answer
