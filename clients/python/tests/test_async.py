"""What the client for asyncio has of its own, against the real service."""

from __future__ import annotations

import asyncio
import unittest
from collections.abc import Awaitable
from contextlib import aclosing

import httpx

from campus_intranet import AsyncCampus, NotFoundError, TokenAnswer

from .school import SCHOOL, TRUSTING, AsyncJournal, async_campus


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
                assert change.type == "update"
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

    async def assert_none_stays_busy(self) -> None:
        """A connection is closed after its request has ended, which takes longer on a busy machine."""
        for _ in range(1_000):
            if not _busy(self.journal):
                return
            await asyncio.sleep(0.01)
        self.fail(f"still busy: {_busy(self.journal)}")

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
    """The connections that are at work, as the pool describes them."""
    pool = journal.transport._pool  # pyright: ignore[reportPrivateUsage]
    return [repr(one) for one in pool.connections if not (one.is_idle() or one.is_closed())]
