"""Both clients and a service that fails, as its addresses say how."""

from __future__ import annotations

import asyncio
import itertools
import traceback
import unittest
from typing import Any

import httpx

from campus_intranet import (
    AsyncCampus,
    Campus,
    CampusError,
    ConflictError,
    ConnectionError,
    RateLimitError,
    TimeoutError,
    UnavailableError,
)

from .school import SCHOOL, AsyncJournal, AsyncStandingTimer, Journal, StandingTimer

NUMBERS = itertools.count(1)
SECRET = "a-secret-of-a-test"
TOKEN = "a-token-that-nobody-may-see"
DONE = {"done": True}


def path(*steps: str) -> str:
    """An address whose first request fails as the first step says, and so on; the last one repeats."""
    return f"/v2/steps/python-{next(NUMBERS)}/{','.join(steps)}"


class Threads(unittest.TestCase):
    """The client for threads; below, that for asyncio with the same tests."""

    def setUp(self) -> None:
        self.lines: list[str] = []
        self.keys: list[str | None] = []
        self.waits: list[float] = []

    def request(self, method: str, place: str, *, body: object = None, url: str = SCHOOL["failing"], **options: Any) -> Any:
        """Makes a request by a client of its own, and notes what went out."""
        journal, timer = Journal(), StandingTimer()
        with httpx.Client(transport=journal) as http_client:
            try:
                client = Campus(url, client_id="a", client_secret=SECRET, http_client=http_client, timer=timer, **options)
                return client.request(method, place, body=body)
            finally:
                self.note(journal.asked, timer)

    def note(self, asked: list[httpx.Request], timer: StandingTimer) -> None:
        below = [one for one in asked if one.url.path != "/oauth/token"]
        self.lines = [f"{one.method} {one.url.path}" for one in below]
        self.keys = [one.headers.get("idempotency-key") for one in below]
        self.waits = timer.waits

    def refused(self, kind: type[Exception], method: str, place: str, **options: Any) -> Any:
        with self.assertRaises(kind) as raised:
            self.request(method, place, **options)
        return raised.exception

    def test_a_read_comes_through_connections_that_break_and_gateways_that_have_nobody_behind_them(self) -> None:
        self.assertEqual(self.request("GET", path("drop", "cut", "502", "504", "200")), DONE)
        self.assertEqual(len(self.lines), 5)

    def test_waits_as_long_as_the_service_says_and_a_little_more_each_time(self) -> None:
        self.assertEqual(self.request("GET", path("503~7", "503", "503~9", "200")), DONE)
        first, third = [wait for wait in self.waits if wait > 1.5]
        self.assertTrue(7 <= first <= 7.5 and 9 <= third <= 11, self.waits)

    def test_a_creation_is_sent_again_with_the_same_key_and_waits_for_the_first_one(self) -> None:
        self.assertEqual(self.request("POST", path("drop", "409", "503~1", "200"), body={}), DONE)
        self.assertEqual((len(self.keys), len(set(self.keys))), (4, 1))
        self.refused(ConflictError, "POST", path("409", "200"), body={})
        self.assertEqual(len(self.lines), 1)

    def test_a_change_is_not_sent_again_where_it_may_have_been_done(self) -> None:
        for step in ("drop", "cut", "503~1", "502"):
            self.refused(Exception, "PATCH", path(step, "204"), body={})
            self.assertEqual(len(self.lines), 1, step)
        self.request("PATCH", path("429~1", "204"), body={})
        self.assertEqual(len(self.lines), 2)

    def test_where_no_connection_is_made_nothing_was_sent(self) -> None:
        error = self.refused(ConnectionError, "GET", path("200"), url="https://localhost:1")
        self.assertEqual((error.was_sent, error.attempts), (False, 5))

    def test_gives_up_after_as_many_retries_as_are_allowed_and_says_how_often_it_was_sent(self) -> None:
        for retries in (0, 1, 4):
            error = self.refused(UnavailableError, "GET", path("503"), retries=retries)
            self.assertEqual((error.attempts, error.request_id), (retries + 1, "request-of-a-test"))
            self.assertEqual(error.body["message"], "Step 503")
            error = self.refused(ConnectionError, "GET", path("drop"), retries=retries)
            self.assertEqual((error.attempts, error.was_sent), (retries + 1, True))
        self.refused(RateLimitError, "GET", path("429~1", "200"), retries=0)
        self.assertEqual(len(self.lines), 1)

    def test_what_another_try_would_not_mend_is_raised_at_once(self) -> None:
        for status in (400, 403, 404, 422, 500):
            error = self.refused(CampusError, "GET", path(str(status), "200"))
            self.assertEqual((error.status, error.attempts, len(self.lines)), (status, 1, 1))

    def test_a_service_that_refuses_for_the_rate_for_ever_is_given_up_when_the_time_is_used_up(self) -> None:
        for step in ("429~0", "429", "429~10"):
            self.refused(RateLimitError, "GET", path(step), max_elapsed_seconds=30)
            self.assertTrue(3 <= len(self.lines) <= 31)
            self.assertLessEqual(sum(self.waits), 32)

    def test_neither_a_single_wait_nor_all_of_them_are_longer_than_allowed(self) -> None:
        self.refused(UnavailableError, "GET", path("503~121", "200"))
        self.assertEqual(len(self.lines), 1)
        self.refused(UnavailableError, "GET", path("503~100", "503~100", "503~100", "200"))
        self.assertEqual(len(self.lines), 3)
        self.assertEqual(self.request("GET", path("503~121", "200"), max_wait_seconds=122), DONE)

    def test_an_answer_that_does_not_come_or_does_not_end_is_given_up_in_time(self) -> None:
        for step in ("hang", "drip"):
            self.assertEqual(self.request("GET", path(step, "200"), timeout_seconds=0.3), DONE)
            error = self.refused(TimeoutError, "GET", path(step), timeout_seconds=0.3, retries=1)
            self.assertEqual(error.attempts, 2)
            self.assertIn("within 0.3 seconds", str(error))

    def test_takes_no_options_that_are_none(self) -> None:
        for options in ({"retries": -1}, {"timeout_seconds": float("nan")}, {"max_wait_seconds": "5"}):
            self.refused(ValueError, "GET", path("200"), **options)

    def test_follows_no_redirect(self) -> None:
        error = self.refused(CampusError, "GET", path("away"))
        self.assertEqual((error.status, len(self.lines)), (307, 1))

    def test_no_error_shows_a_token_or_a_secret_however_closely_one_looks(self) -> None:
        for step in ("drop", "cut", "hang", "401", "404", "503", "away"):
            error = self.refused(Exception, "GET", path(step), timeout_seconds=0.3, retries=1)
            seen: list[object] = []
            pending: list[BaseException | None] = [error]
            while pending:
                one = pending.pop()
                if one is not None:
                    pending += [one.__cause__, one.__context__]
                    seen += [vars(one), getattr(one, "request", None), repr(one)]
                    self.assertFalse(hasattr(one, "request"), one)
            shown = f"{seen}{''.join(traceback.format_exception(error))}"
            self.assertNotIn(TOKEN, shown)
            self.assertNotIn(SECRET, shown)


class Asyncio(Threads):
    def request(self, method: str, place: str, *, body: object = None, url: str = SCHOOL["failing"], **options: Any) -> Any:
        async def run() -> Any:
            journal, timer = AsyncJournal(), AsyncStandingTimer()
            async with httpx.AsyncClient(transport=journal) as http_client:
                try:
                    client = AsyncCampus(
                        url, client_id="a", client_secret=SECRET, http_client=http_client, timer=timer, **options
                    )
                    return await client.request(method, place, body=body)
                finally:
                    self.note(journal.asked, timer)

        return asyncio.run(run())
