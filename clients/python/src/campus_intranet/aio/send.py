"""Sends requests with a token, at the rate of the application, and again where that helps."""

from __future__ import annotations

from dataclasses import replace

from ..request import Answer, Ask, with_key
from ..retries import Options, Outcome, Retries
from .throttle import AsyncThrottle
from .timer import AsyncTimer
from .tokens import AsyncTokens
from .transport import AsyncStream, AsyncTransport


class AsyncSender:
    def __init__(
        self, *, transport: AsyncTransport, tokens: AsyncTokens, throttle: AsyncThrottle, timer: AsyncTimer
    ) -> None:
        self._transport = transport
        self._tokens = tokens
        self._throttle = throttle
        self.timer = timer

    async def send(self, ask: Ask, options: Options) -> Answer:
        """Raises CampusError for a refusal, and ConnectionError where no answer came."""
        outcome = await self._repeat(with_key(ask), options)
        assert isinstance(outcome, Answer)
        return outcome

    async def open(self, ask: Ask, options: Options) -> AsyncStream:
        """The same, for an answer that is read as it comes."""
        outcome = await self._repeat(ask, options)
        assert isinstance(outcome, AsyncStream)
        return outcome

    async def aclose(self) -> None:
        await self._transport.aclose()

    async def _repeat(self, ask: Ask, options: Options) -> Answer | AsyncStream:
        retries = Retries(options, is_repeatable=ask.is_repeatable)
        is_new_token = False
        while True:
            token = await self._tokens.current()
            await self._throttle.turn()
            sent = replace(ask, headers={**ask.headers, "Authorization": f"Bearer {token}"})
            retries.begin()
            outcome = await self._attempt(sent, options, retries.attempts)
            retries.end()
            if isinstance(outcome, AsyncStream):
                return outcome
            if isinstance(outcome, Answer):
                self._throttle.learn(outcome.headers)
                if outcome.is_success:
                    return outcome
                if outcome.status == 401 and not is_new_token:
                    # It may have been revoked, or the service set up anew; a second new one would fare no better.
                    is_new_token = True
                    self._tokens.forget(token)
                    continue
            seconds = retries.wait_after(outcome)
            if seconds is None:
                raise retries.error(ask, outcome)
            if isinstance(outcome, Answer) and outcome.status == 429 and not ask.is_streamed:
                # How many streams may be opened is counted apart: other requests need not wait.
                self._throttle.hold(seconds)
            else:
                await self.timer.wait(seconds)

    async def _attempt(self, ask: Ask, options: Options, attempts: int) -> Outcome | AsyncStream:
        if ask.is_streamed:
            return await self._transport.open(ask, options.timeout_seconds, attempts)
        return await self._transport.send(ask, options.timeout_seconds, attempts)
