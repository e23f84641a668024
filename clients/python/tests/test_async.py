"""What the client for asyncio has of its own, against the real service."""

from __future__ import annotations

import asyncio
import itertools
import types
import unittest
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Generator
from contextlib import aclosing, suppress
from typing import Any

import httpx

from campus_intranet import AsyncCampus, CampusError, NotFoundError, TokenAnswer

from .school import SCHOOL, TRUSTING, AsyncJournal, AsyncStandingTimer, async_campus


class AsyncClient(unittest.IsolatedAsyncioTestCase):
    async def test_reads_a_record_and_every_record_of_a_list_with_their_types(self) -> None:
        journal = AsyncJournal()
        async with async_campus(self, transport=journal) as client:
            user = await client.get_user(1)
            login: str = user["login"]
            self.assertEqual((await client.get_user(login))["id"], 1)
            ids = [one["id"] async for one in client.list_users(query={"sort": "id"})]
            self.assertEqual(ids, list(range(1, SCHOOL["users"] + 1)))
            pages = [page async for page in client.list_users(query={"per_page": 100}).pages()]
            self.assertEqual({page.total for page in pages}, {SCHOOL["users"]})
            with self.assertRaises(NotFoundError):
                await client.get_user("nobody")

    async def test_creates_changes_and_deletes(self) -> None:
        client = async_campus(self, "staff")
        group = await client.create_group(body={"group": {"name": "Made by asyncio"}})
        await client.update_group(group["id"], body={"group": {"name": "Changed by asyncio"}})
        self.assertEqual((await client.get_group(group["id"]))["name"], "Changed by asyncio")
        await client.delete_group(group["id"])

    async def test_fetches_one_token_for_all_that_ask_at_once(self) -> None:
        journal = AsyncJournal()
        client = async_campus(self, transport=journal)
        users = await asyncio.gather(*(client.get_user(id) for id in range(1, 21)))
        self.assertEqual([user["id"] for user in users], list(range(1, 21)))
        self.assertEqual(journal.tokens, 1)

    async def test_stays_under_the_rate_however_many_are_wanted_at_once(self) -> None:
        client = async_campus(self, "slow")
        users = await asyncio.gather(*(client.get_user(id) for id in range(1, 10)))
        self.assertEqual([user["id"] for user in users], list(range(1, 10)))

    async def test_says_that_some_seconds_old_is_good_enough_for_one_client_or_one_call(self) -> None:
        journal = AsyncJournal()
        client = async_campus(self, "staff", transport=journal)
        stale = client.with_options(stale_ok=True)
        await client.get_user(1)
        await stale.get_user(1)
        [page] = [page async for page in stale.list_users(query={"filter[id]": 1}).pages()]
        group = await stale.create_group(body={"group": {"name": "Preferred by asyncio"}})
        await stale.delete_group(group["id"])
        # This service has no replica, so that nothing is old.
        self.assertIsNone(page.age_seconds)
        preferred = [request.headers.get("prefer") for request in journal.asked[1:]]
        self.assertEqual(preferred, [None, "stale-ok", "stale-ok", None, None])
        self.assertEqual(journal.tokens, 1)

    async def test_watches(self) -> None:
        async with async_campus(self, "staff") as client:
            group = await client.create_group(body={"group": {"name": "Watched by asyncio"}})
            async with aclosing(client.list_groups(query={"filter[id]": group["id"]}).watch()) as changes:
                self.assertEqual((await anext(changes)).type, "page")
                await client.update_group(group["id"], body={"group": {"name": "Renamed by asyncio"}})
                change = await anext(changes)
                # The feed may copy the creation after the page, so the first change may include it.
                assert change.type == "create" or change.type == "update", change
                name: str = change.record["name"]
                self.assertEqual(name, "Renamed by asyncio")

    async def test_waits_for_whoever_keeps_a_refresh_token(self) -> None:
        person = SCHOOL["people"][3]
        kept: list[str] = []

        async def keep(answer: TokenAnswer) -> None:
            await asyncio.sleep(0)
            kept.append(answer.get("refresh_token", ""))

        async with AsyncCampus(
            SCHOOL["url"],
            cafile=SCHOOL["cafile"],
            refresh_token=person["refresh_token"],
            on_token=keep,
            **person["application"],
        ) as client:
            self.assertEqual((await client.get_me())["login"], person["login"])
        self.assertEqual(len(kept), 1)

    def does_not_pass_the_checker_with_what_there_is_not(self, client: AsyncCampus) -> None:
        client.list_nothing()  # type: ignore[attr-defined]
        client.list_users(query={"filter[shoe_size]": 1})  # type: ignore[arg-type]


class Cancelling(unittest.IsolatedAsyncioTestCase):
    """Against the service that fails."""

    async def asyncSetUp(self) -> None:
        self.journal = AsyncJournal()
        http_client = httpx.AsyncClient(transport=self.journal)
        self.addAsyncCleanup(http_client.aclose)
        self.client = AsyncCampus(SCHOOL["failing"], client_id="a", http_client=http_client)

    async def begin(self, step: str) -> asyncio.Task[object]:
        """A request that is under way."""
        place = f"/v2/steps/cancelled-by-{id(self)}/{step}?quickly"
        task = asyncio.ensure_future(self.client.request("GET", place))
        await self.client.request("GET", f"/v2/until{place}")
        return task

    async def cancelled(self, task: Awaitable[object]) -> None:
        assert isinstance(task, asyncio.Task)
        task.cancel()
        with self.assertRaises(asyncio.CancelledError):
            await task

    async def assert_none_stays_busy(self, journal: AsyncJournal | None = None) -> None:
        """A connection is closed after its request has ended, which takes longer on a busy machine."""
        watched = journal or self.journal
        for _ in range(1_000):
            if not _busy(watched):
                return
            await asyncio.sleep(0.01)
        self.fail(f"still busy: {_busy(watched)}")

    async def cancel_at(self, number: int, work: Work, steps: str, *, keeps: bool) -> bool:
        """Cancels a work of a new client. If ``keeps`` is False, each request opens a connection."""
        journal = AsyncJournal(limits=httpx.Limits(max_keepalive_connections=None if keeps else 0))
        async with httpx.AsyncClient(transport=journal) as http_client:
            timer = AsyncStandingTimer()
            client = AsyncCampus(SCHOOL["failing"], client_id="a", http_client=http_client, timer=timer)
            # Fetches the token.
            await client.request("GET", "/v2/steps/first/200?quickly")
            place = f"/v2/steps/{id(journal)}-{number}/{steps}?quickly"
            was_reached = await _cancelled_at(number, work(client, place))
            await self.assert_none_stays_busy(journal)
            self.assertEqual(await client.request("GET", "/v2/steps/last/200?quickly"), {"done": True})
        return was_reached

    async def assert_may_be_cancelled_anywhere(self, work: Work, steps: str) -> None:
        """Cancels the work at its first suspension, then at its second, and so on until it ends before that."""
        for keeps in (True, False):
            was_reached = True
            for number in itertools.count(1):
                with self.subTest(keeps=keeps, suspension=number):
                    was_reached = await self.cancel_at(number, work, steps, keeps=keeps)
                if not was_reached:
                    self.assertGreater(number, 5)
                    break

    async def assert_may_be_cancelled_while_it_goes_on(self, work: Work) -> None:
        """Cancels the work at each of its first suspensions, of which the last are in a body that never ends."""
        for keeps in (True, False):
            for number in range(1, 31):
                with self.subTest(keeps=keeps, suspension=number):
                    self.assertTrue(await self.cancel_at(number, work, "drip", keeps=keeps))

    async def test_a_request_may_be_cancelled_anywhere(self) -> None:
        await self.assert_may_be_cancelled_anywhere(_requested, "200")

    async def test_a_request_that_is_sent_again_may_be_cancelled_anywhere(self) -> None:
        await self.assert_may_be_cancelled_anywhere(_requested, "503~1,200")

    async def test_a_watch_may_be_cancelled_anywhere(self) -> None:
        await self.assert_may_be_cancelled_anywhere(_watched, "200,403")

    async def test_a_request_without_an_end_may_be_cancelled_anywhere(self) -> None:
        await self.assert_may_be_cancelled_while_it_goes_on(_requested)

    async def test_a_watch_without_an_end_may_be_cancelled_anywhere(self) -> None:
        await self.assert_may_be_cancelled_while_it_goes_on(_watched)

    async def test_a_response_that_comes_after_a_cancellation_is_closed(self) -> None:
        """Uses a transport that reports no events."""
        asked, may_answer, closed = asyncio.Event(), asyncio.Event(), asyncio.Event()

        class Body(httpx.AsyncByteStream):
            async def __aiter__(self) -> AsyncIterator[bytes]:
                yield b""

            async def aclose(self) -> None:
                closed.set()

        class Late(httpx.AsyncBaseTransport):
            async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
                if request.method == "POST":
                    return httpx.Response(200, json={"access_token": "a", "expires_in": 7200})
                asked.set()
                await may_answer.wait()
                return httpx.Response(200, stream=Body())

        async with httpx.AsyncClient(transport=Late()) as http_client:
            client = AsyncCampus(SCHOOL["failing"], client_id="a", http_client=http_client)
            task = asyncio.ensure_future(anext(client.watch("/v2/groups")))
            await asked.wait()
            await self.cancelled(task)
            may_answer.set()
            async with asyncio.timeout(10):
                await closed.wait()

    async def test_a_request_that_is_cancelled_ends_and_closes_its_connection(self) -> None:
        for step in ("hang", "drip", "503~100"):
            await self.cancelled(await self.begin(step))
        self.assertEqual(await self.client.request("GET", "/v2/steps/after-cancelling/200?quickly"), {"done": True})
        # Idle ones are kept for the next request.
        await self.assert_none_stays_busy()

    async def test_many_that_are_cancelled_leave_room_for_others(self) -> None:
        limits = httpx.Limits(max_connections=3)
        async with httpx.AsyncClient(verify=TRUSTING, limits=limits) as http_client:
            client = AsyncCampus(SCHOOL["failing"], client_id="a", http_client=http_client, timeout_seconds=10)
            await client.request("GET", "/v2/steps/room-first/200?quickly")
            for number in range(12):
                place = f"/v2/steps/room-{number}/hang?quickly"
                task = asyncio.ensure_future(client.request("GET", place))
                await client.request("GET", f"/v2/until{place}")
                await self.cancelled(task)
            self.assertEqual(await client.request("GET", "/v2/steps/room-last/200?quickly"), {"done": True})

    async def test_who_gives_up_while_a_token_is_fetched_leaves_it_to_the_others(self) -> None:
        leaving = asyncio.ensure_future(self.client.request("GET", "/v2/steps/leaving/200"))
        staying = asyncio.ensure_future(self.client.request("GET", "/v2/steps/staying/200"))
        while self.journal.tokens == 0:
            await asyncio.sleep(0)
        await self.cancelled(leaving)
        self.assertEqual(await staying, {"done": True})
        self.assertEqual(self.journal.lines, ["POST /oauth/token", "GET /v2/steps/staying/200"])

    async def test_who_gives_up_in_the_line_for_the_rate_leaves_the_place_to_the_next(self) -> None:
        await self.client.request("GET", "/v2/steps/line-first/200")
        tasks = [asyncio.ensure_future(self.client.request("GET", f"/v2/steps/line-{n}/200")) for n in range(3)]
        await asyncio.sleep(0)
        await self.cancelled(tasks[0])
        await self.cancelled(tasks[1])
        self.assertEqual(await tasks[2], {"done": True})

    async def test_a_time_limit_of_asyncio_holds_for_all_of_a_request(self) -> None:
        with self.assertRaises(TimeoutError):
            async with asyncio.timeout(0.2):
                await self.client.request("GET", "/v2/steps/limited/drip")
        await self.assert_none_stays_busy()

    async def test_a_watch_that_is_cancelled_ends(self) -> None:
        async with async_campus(self) as client:

            async def watch() -> None:
                async for change in client.list_groups().watch():
                    seen.set_result(change.type)

            seen: asyncio.Future[str] = asyncio.get_running_loop().create_future()
            task = asyncio.ensure_future(watch())
            self.assertEqual(await seen, "page")
            await self.cancelled(task)


def _busy(journal: AsyncJournal) -> list[str]:
    """The connections in the pool that no other request may use, as the pool describes them."""
    pool = journal.transport._pool  # pyright: ignore[reportPrivateUsage]
    return [repr(one) for one in pool.connections if not one.is_idle()]


Work = Callable[[AsyncCampus, str], Coroutine[Any, Any, None]]


async def _requested(client: AsyncCampus, place: str) -> None:
    await client.request("GET", place)


async def _watched(client: AsyncCampus, place: str) -> None:
    """Ends with the refusal of the second stream."""
    with suppress(CampusError):
        async for _ in client.watch(place):
            pass


async def _cancelled_at(number: int, work: Coroutine[Any, Any, None]) -> bool:
    """
    Cancels a work at its suspension of this number, counting the suspensions of the tasks it starts. Returns False if the work
    suspends less often.
    """
    loop = asyncio.get_running_loop()
    suspensions = 0

    @types.coroutine
    def counting(steps: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
        nonlocal suspensions
        resume: Callable[[Any], Any] = steps.send
        given: Any = None
        while True:
            try:
                awaited = resume(given)
            except StopIteration as end:
                return end.value
            suspensions += 1
            if suspensions == number:
                task.cancel()
            try:
                given = yield awaited
                resume = steps.send
            except BaseException as error:
                given = error
                resume = steps.throw

    async def counted(steps: Coroutine[Any, Any, Any]) -> Any:
        return await counting(steps)

    def started(_: asyncio.AbstractEventLoop, steps: Any, **options: Any) -> asyncio.Task[Any]:
        return asyncio.Task(counted(steps), loop=loop, **options)

    loop.set_task_factory(started)
    try:
        task = loop.create_task(work)
        await asyncio.wait((task,))
    finally:
        loop.set_task_factory(None)
    if suspensions < number:
        task.result()
        return False
    assert task.cancelled(), "the cancellation was lost"
    return True
