"""Fetches the token, and again before it ends; however many ask at once, it is fetched once."""

from __future__ import annotations

from ..async_runtime import Alone, call
from ..grant import Grant, Token, ask_for_token, read_token
from ..request import Answer
from ..retries import Options, Retries
from .timer import AsyncTimer
from .transport import AsyncTransport


class AsyncTokens:
    def __init__(
        self,
        url: str,
        grant: Grant,
        refresh_token: str | None,
        *,
        transport: AsyncTransport,
        timer: AsyncTimer,
        options: Options,
    ) -> None:
        self._url = url
        self._grant = grant
        self._refresh_token = refresh_token
        self._transport = transport
        self._timer = timer
        self._options = options
        self._alone: Alone[str] = Alone()
        self._current: Token | None = None

    async def current(self) -> str:
        """A token that is good for a while. Raises CampusError where none is given."""
        return self._fresh() or await self._alone.run(self._renewed)

    def forget(self, value: str) -> None:
        """Forgets a token that the service would not take, unless there is a newer one."""
        known = self._current
        if known is not None and known.value == value:
            self._current = None

    def _fresh(self) -> str | None:
        known = self._current
        return known.value if known is not None and known.renew_at > self._timer.now() else None

    async def _renewed(self) -> str:
        return self._fresh() or await self._fetch()

    async def _fetch(self) -> str:
        asked_at = self._timer.now()
        answer = await self._ask()
        token, given = read_token(self._url, answer.content, asked_at)
        self._refresh_token = given.get("refresh_token") or self._refresh_token
        if self._grant.on_token is not None:
            await call(self._grant.on_token, given)
        self._current = token
        return token.value

    async def _ask(self) -> Answer:
        ask = ask_for_token(self._url, self._grant, self._refresh_token)
        # Each refresh token works once, so that a second request with it would end the sign-in.
        retries = Retries(self._options, is_repeatable=self._refresh_token is None)
        while True:
            retries.begin()
            outcome = await self._transport.send(ask, self._options.timeout_seconds, retries.attempts)
            retries.end()
            if isinstance(outcome, Answer) and outcome.is_success:
                return outcome
            seconds = retries.wait_after(outcome)
            if seconds is None:
                raise retries.error(ask, outcome)
            await self._timer.wait(seconds)
