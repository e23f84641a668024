"""The client against the real service."""

from __future__ import annotations

import os
import socket
import tempfile
import unittest
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timezone
from itertools import islice
from unittest.mock import patch
from urllib.parse import parse_qsl, urlsplit

import httpx

from campus_intranet import (
    BadRequestError,
    Campus,
    CampusError,
    CertificateError,
    ConnectionError,
    ForbiddenError,
    NotFoundError,
    PreconditionFailedError,
    RateLimitError,
    TokenAnswer,
    UnauthorizedError,
    UnavailableError,
    ValidationError,
    etag_of,
)

from .school import SCHOOL, Journal, Send, StandingTimer, campus, refusing, signed_in


class Requests(unittest.TestCase):
    def test_reads_a_record_with_its_type(self) -> None:
        user = campus().get_user(1)
        login: str = user["login"]
        self.assertEqual(campus().get_user(login)["id"], 1)

    def test_changes_a_record_only_as_it_was_read(self) -> None:
        client = campus("staff")
        group = client.get_group(client.create_group(body={"group": {"name": "Versioned by Python"}})["id"])
        unchanged = client.with_options(if_match=etag_of(group))
        unchanged.update_group(group["id"], body={"group": {"name": "First, by Python"}})
        with self.assertRaises(PreconditionFailedError):
            unchanged.update_group(group["id"], body={"group": {"name": "Second, by Python"}})
        self.assertEqual(client.get_group(group["id"])["name"], "First, by Python")
        with self.assertRaises(ValueError):
            etag_of(dict(group))

    def test_gives_every_record_of_a_list_once_in_order_from_as_many_pages_as_there_are(self) -> None:
        journal = Journal()
        ids = [user["id"] for user in campus(transport=journal).list_users(query={"sort": "id"})]
        self.assertEqual(ids, list(range(1, SCHOOL["users"] + 1)))
        pages = -(-SCHOOL["users"] // 100)
        self.assertEqual(journal.lines, ["POST /oauth/token", *["GET /v2/users"] * pages])

    def test_asks_for_nothing_before_the_first_record_is_wanted(self) -> None:
        journal = Journal()
        campus(transport=journal).list_users()
        self.assertEqual(journal.lines, [])

    def test_gives_pages_with_the_total_and_keeps_filters_from_page_to_page(self) -> None:
        query = {"filter[id]": list(range(1, 8)), "per_page": 3, "sort": "-id"}
        pages = list(campus().list_users(query={"filter[id]": [1, 2, 3, 4, 5, 6, 7], "per_page": 3, "sort": "-id"}).pages())
        self.assertEqual([page.number for page in pages], [1, 2, 3])
        self.assertEqual({page.total for page in pages}, {7})
        self.assertEqual([user["id"] for page in pages for user in page.items], [7, 6, 5, 4, 3, 2, 1])
        self.assertEqual(len(campus().request("get", "/v2/users", query=query)), 3)

    def test_sends_values_with_commas_one_by_one_and_keeps_them_from_page_to_page(self) -> None:
        journal = Journal()
        client = campus(transport=journal)
        logins = [user["login"] for user in islice(client.list_users(), 2)]
        asked_before = len(journal.asked)
        pages = list(client.list_users(query={"filter[login]": ["a, b", *logins], "per_page": 1}).pages())
        self.assertEqual(len(pages), 2)
        for request in journal.asked[asked_before:]:
            sent = parse_qsl(urlsplit(str(request.url)).query)
            self.assertEqual([value for name, value in sent if name == "filter[login][]"], ["a, b", *logins])

    def test_a_list_of_nobody_is_empty(self) -> None:
        self.assertEqual(list(campus().list_users(query={"filter[login]": "nobody-at-all"})), [])

    def test_sends_values_of_every_kind(self) -> None:
        journal = Journal()
        client = campus(transport=journal)
        begin = datetime(2020, 1, 1, tzinfo=timezone.utc)
        list(client.list_locations(query={"filter[active]": True, "range[begin_at]": [begin, ""], "per_page": 100}))
        self.assertIn("filter%5Bactive%5D=true", str(journal.asked[1].url))
        self.assertIn("range%5Bbegin_at%5D=2020-01-01T00%3A00%3A00%2B00%3A00%2C", str(journal.asked[1].url))

    def test_an_id_stays_one_part_of_the_address(self) -> None:
        journal = Journal()
        client = campus(transport=journal)
        for trick in ("1/locations", "../campus", "1?per_page=1", "1#", "%2e%2e", "é"):
            with self.assertRaises(NotFoundError):
                client.get_user(trick)
        for nothing in ("", ".", ".."):
            with self.assertRaises(ValueError):
                client.get_user(nothing)
        self.assertNotIn("GET /v2/users", journal.lines)

    def test_creates_changes_and_deletes(self) -> None:
        client = campus("staff")
        group = client.create_group(body={"group": {"name": "Made by Python"}})
        client.update_group(group["id"], body={"group": {"name": "Changed by Python"}})
        self.assertEqual(client.get_group(group["id"])["name"], "Changed by Python")
        client.delete_group(group["id"])
        with self.assertRaises(NotFoundError):
            client.get_group(group["id"])

    def test_is_made_for_https_only(self) -> None:
        for url in ("http://localhost", "localhost:8443", "https://", ""):
            with self.assertRaises(ValueError):
                Campus(url, client_id="a")

    def does_not_pass_the_checker_with_what_there_is_not(self, client: Campus) -> None:
        client.list_nothing()  # type: ignore[attr-defined]
        client.get_user()  # type: ignore[call-arg]
        client.list_users(query={"filter[shoe_size]": 1})  # type: ignore[arg-type]
        client.list_users(query={"filter[id]": "one"})  # type: ignore[arg-type]
        client.create_location(body={"location": {"user_id": 1, "campus_id": 1}})  # type: ignore[typeddict-item]
        client.get_user(1)["shoe_size"]  # type: ignore[typeddict-item]


class TokensTest(unittest.TestCase):
    def test_fetches_one_token_for_all_that_ask_at_once(self) -> None:
        journal = Journal()
        client = campus(transport=journal)
        with ThreadPoolExecutor(8) as pool:
            users = list(pool.map(client.get_user, range(1, 21)))
        self.assertEqual([user["id"] for user in users], list(range(1, 21)))
        self.assertEqual(journal.tokens, 1)

    def test_renews_the_token_a_minute_before_it_ends_and_not_earlier(self) -> None:
        journal, timer = Journal(), StandingTimer()
        client = campus(transport=journal, timer=timer)
        client.get_user(1)
        timer.time += 7_139
        client.get_user(1)
        self.assertEqual(journal.tokens, 1)
        timer.time += 2
        client.get_user(1)
        self.assertEqual(journal.tokens, 2)

    def test_fetches_a_new_token_when_the_service_does_not_take_the_old_one_and_only_once(self) -> None:
        journal = Journal()
        client = campus(transport=journal)
        client.get_user(1)
        application = SCHOOL["applications"]["reader"]
        token = journal.asked[-1].headers["Authorization"].removeprefix("Bearer ")
        form = f"token={token}&client_id={application['client_id']}&client_secret={application['client_secret']}"
        kind = {"Content-Type": "application/x-www-form-urlencoded"}
        with httpx.Client(transport=Journal()) as plain:
            self.assertEqual(plain.post(f"{SCHOOL['url']}/oauth/revoke", headers=kind, content=form).status_code, 200)
        client.get_user(1)
        self.assertEqual(journal.tokens, 2)
        refused = Journal(refusing(401))
        with self.assertRaises(UnauthorizedError):
            campus(transport=refused).get_user(1)
        self.assertEqual(refused.tokens, 2)

    def test_renews_a_persons_token_with_the_newest_refresh_token_and_hands_that_to_whoever_keeps_it(self) -> None:
        person, timer, kept = SCHOOL["people"][0], StandingTimer(), [SCHOOL["people"][0]["refresh_token"]]
        client = signed_in(person, timer=timer, on_token=lambda answer: kept.append(answer.get("refresh_token", "")))
        for _ in range(3):
            self.assertEqual(client.get_me()["login"], person["login"])
            timer.time += 7_200
        self.assertEqual(len(set(kept)), 4)

    def test_does_not_use_a_token_of_which_the_next_refresh_token_could_not_be_kept(self) -> None:
        def keep(answer: TokenAnswer) -> None:
            raise OSError("the disk is full")

        with self.assertRaisesRegex(OSError, "the disk is full"):
            signed_in(SCHOOL["people"][1], on_token=keep).get_me()

    def test_raises_where_a_sign_in_has_ended_and_asks_for_no_token_of_the_application_instead(self) -> None:
        person = SCHOOL["people"][2]
        kept: list[str] = []
        signed_in(person, on_token=lambda answer: kept.append(answer.get("refresh_token", ""))).get_me()
        signed_in({**person, "refresh_token": kept[-1]}).get_me()
        # Reuse of a refresh token that is older than the last used one revokes the sign-in (RFC 9700 §4.14.2).
        with self.assertRaises(BadRequestError) as raised:
            signed_in(person).get_me()
        self.assertEqual(raised.exception.error, "invalid_grant")
        self.assertNotIn(person["refresh_token"], f"{raised.exception}{vars(raised.exception)}")


class Errors(unittest.TestCase):
    def test_tells_what_was_refused_with_a_type(self) -> None:
        with self.assertRaises(NotFoundError) as raised:
            campus().get_user("nobody")
        error = raised.exception
        self.assertEqual((error.status, error.error, error.method), (404, "Not Found", "GET"))
        self.assertEqual(error.url, f"{SCHOOL['url']}/v2/users/nobody")
        self.assertIn("nobody", str(error))
        self.assertRegex(str(error.request_id), r"^[\w-]{8,}$")
        with self.assertRaises(ForbiddenError):
            list(campus().list_endpoints())
        with self.assertRaises(ValidationError) as broken:
            campus("staff").create_group(body={"group": {"name": ""}})
        self.assertEqual(list(broken.exception.errors), ["name"])

    def test_tells_no_secret(self) -> None:
        application = SCHOOL["applications"]["reader"]
        client = Campus(
            SCHOOL["url"], cafile=SCHOOL["cafile"], client_id=application["client_id"], client_secret="not-it-at-all"
        )
        self.addCleanup(client.close)
        with self.assertRaises(UnauthorizedError) as raised:
            client.get_user(1)
        self.assertEqual(raised.exception.error, "invalid_client")
        self.assertNotIn("not-it-at-all", f"{raised.exception}{vars(raised.exception)}")

    def test_what_answers_in_something_other_than_json_is_refused_all_the_same(self) -> None:
        for content in (b"", b"<html>", b"[1]", b'"text"', b"\xff"):
            with self.assertRaises(CampusError) as raised:
                campus(transport=Journal(refusing(502, content=content)), timer=StandingTimer()).get_user(1)
            self.assertEqual(raised.exception.status, 502)

    def test_without_the_certificate_it_says_which_file_makes_it_trusted_and_how(self) -> None:
        client = Campus(SCHOOL["url"], **SCHOOL["applications"]["reader"])
        self.addCleanup(client.close)
        with self.assertRaisesRegex(CertificateError, r'cafile="data/tls/cert\.pem".*cafile is not set'):
            client.get_user(1)

    def test_where_nobody_listens_it_says_who_gave_no_answer(self) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            url = f"https://localhost:{probe.getsockname()[1]}"
        with self.assertRaisesRegex(ConnectionError, f"No answer from {url}: .*refused"):
            with Campus(url, cafile=SCHOOL["cafile"], client_id="a", retries=0) as client:
                client.get_user(1)

    def test_sends_nothing_of_what_a_netrc_file_says_of_the_host(self) -> None:
        with tempfile.NamedTemporaryFile("w", suffix="netrc") as file:
            file.write("machine localhost login somebody password a-password-of-another-program\n")
            file.flush()
            with patch.dict(os.environ, NETRC=file.name):
                with Campus(SCHOOL["url"], cafile=SCHOOL["cafile"], **SCHOOL["applications"]["reader"]) as client:
                    self.assertEqual(client.get_user(1)["id"], 1)

    def test_follows_no_redirect_with_a_token(self) -> None:
        journal = Journal(refusing(302, {"location": "https://elsewhere.example/v2/users/1"}))
        with self.assertRaises(CampusError) as raised:
            campus(transport=journal).get_user(1)
        self.assertEqual((raised.exception.status, len(journal.lines)), (302, 2))


class Waiting(unittest.TestCase):
    def test_begins_no_more_requests_a_second_than_the_service_says(self) -> None:
        timer, begun = StandingTimer(), list[float]()

        def note(ask: httpx.Request, send: Send) -> httpx.Response:
            answer = send(ask)
            if "/v2/" in str(ask.url):
                begun.append(timer.now())
                answer.headers["x-secondly-ratelimit-limit"] = "4"
            return answer

        client = campus(transport=Journal(note), timer=timer)
        for id in range(1, 14):
            client.get_user(id)
        self.assertGreaterEqual(len(begun), 13)
        for first, fifth in zip(begun, begun[4:]):
            self.assertGreater(fifth - first, 1)

    def test_all_come_through_however_many_are_wanted_at_once(self) -> None:
        client = campus("slow")
        with ThreadPoolExecutor(9) as pool:
            users = list(pool.map(client.get_user, range(1, 10)))
        self.assertEqual([user["id"] for user in users], list(range(1, 10)))

    def test_waits_as_a_refusal_for_the_rate_says_and_asks_again(self) -> None:
        refusals = [httpx.Response(429, headers={"retry-after": "7"}, content=b"{}")]

        def refuse(ask: httpx.Request, send: Send) -> httpx.Response:
            return refusals.pop() if refusals and "/v2/" in str(ask.url) else send(ask)

        timer = StandingTimer()
        self.assertEqual(campus(transport=Journal(refuse), timer=timer).get_user(1)["id"], 1)
        self.assertTrue(7 <= sum(timer.waits) <= 7.5, timer.waits)

    def test_does_not_wait_for_an_hour_the_refusal_says_how_long_it_would_be(self) -> None:
        client = campus("hourly")
        client.get_user(1)
        with self.assertRaises(RateLimitError) as raised:
            client.get_user(1)
        self.assertGreater(raised.exception.retry_after_seconds or 0, 120)

    def test_a_creation_whose_answer_is_lost_is_done_once(self) -> None:
        lost: list[httpx.Response] = []

        def lose(ask: httpx.Request, send: Send) -> httpx.Response:
            answer = send(ask)
            if lost or not str(ask.url).endswith("/v2/groups"):
                return answer
            lost.append(answer)
            return httpx.Response(503, headers={"retry-after": "1"}, content=b"{}")

        client = campus("staff", transport=Journal(lose), timer=StandingTimer())
        made = client.create_group(body={"group": {"name": "Only once, by Python"}})
        self.assertEqual([lost[0].status_code], [201])
        found = [group["id"] for group in client.list_groups() if group["name"] == "Only once, by Python"]
        self.assertEqual(found, [made["id"]])

    def test_a_service_that_stays_away_is_given_up_after_five_tries_each_after_a_longer_wait(self) -> None:
        journal, timer = Journal(refusing(503, {"retry-after": "2"})), StandingTimer()
        with self.assertRaises(UnavailableError):
            campus(transport=journal, timer=timer).get_user(1)
        self.assertEqual(journal.lines.count("GET /v2/users/1"), 5)
        waits = [wait for wait in timer.waits if wait >= 2]
        self.assertEqual(len(waits), 4)
        for at, wait in enumerate(waits):
            self.assertLessEqual(wait, 2 + 0.5 * 2**at)

    def test_a_change_is_not_sent_again_after_a_503_since_it_may_have_been_done(self) -> None:
        journal = Journal(refusing(503))
        with self.assertRaises(UnavailableError):
            campus("staff", transport=journal).update_group(1, body={"group": {"name": "Twice"}})
        self.assertEqual(journal.lines, ["POST /oauth/token", "PATCH /v2/groups/1"])


class Watching(unittest.TestCase):
    def setUp(self) -> None:
        self.staff = campus("staff")
        self.group = self.staff.create_group(body={"group": {"name": f"Watched {self.id()}"[-80:]}})["id"]

    def change(self, name: str) -> None:
        self.staff.update_group(self.group, body={"group": {"name": name}})

    def test_misses_nothing_when_connections_break(self) -> None:
        class Breaking(httpx.SyncByteStream):
            """Ends within the second event."""

            def __init__(self, stream: httpx.SyncByteStream) -> None:
                self._stream = stream

            def __iter__(self) -> Iterator[bytes]:
                events = 0
                for piece in self._stream:
                    events += piece.count(b"\ndata: ")
                    if events > 1:
                        yield piece[:-5]
                        raise httpx.ReadError("cut")
                    yield piece

            def close(self) -> None:
                self._stream.close()

        def breaking(ask: httpx.Request, send: Send) -> httpx.Response:
            answer = send(ask)
            if "event-stream" in answer.headers.get("content-type", ""):
                assert isinstance(answer.stream, httpx.SyncByteStream)
                answer.stream = Breaking(answer.stream)
            return answer

        timer = StandingTimer()
        journal = Journal(breaking)
        changes = campus(transport=journal, timer=timer).watch(f"/v2/groups/{self.group}")
        page = next(changes)
        assert page.type == "page"
        self.assertEqual(page.ids, [self.group])
        positions = [page.position]
        for number in range(4):
            self.change(f"Name {number}")
            change = next(changes)
            # The feed may copy the creation after the page, so the first change may include it.
            assert change.type == "create" or change.type == "update", change
            self.assertEqual((change.id, change.record["name"]), (self.group, f"Name {number}"))
            positions.append(change.position)
        self.assertEqual(len(set(positions)), 5)
        self.assertGreater(journal.lines.count(f"GET /v2/groups/{self.group}"), 2)
        self.assertTrue(any(1 <= seconds <= 5 for seconds in timer.waits))

    def test_goes_on_after_a_position_and_says_reset_where_it_is_unknown(self) -> None:
        first = next(campus().list_groups(query={"filter[id]": self.group}).watch())
        self.change("Resumed")
        change = next(campus().list_groups(query={"filter[id]": self.group}).watch(after=first.position))
        assert change.type == "create" or change.type == "update"
        name: str = change.record["name"]
        self.assertEqual(name, "Resumed")
        self.assertEqual(next(campus().list_groups().watch(after="nonsense")).type, "reset")

    def test_gets_a_new_token_and_waits_where_too_many_streams_are_open(self) -> None:
        refusals = [httpx.Response(429, headers={"retry-after": "7"}, content=b"{}"), httpx.Response(401, content=b"{}")]

        def refuse(ask: httpx.Request, send: Send) -> httpx.Response:
            return refusals.pop() if refusals and ask.headers.get("accept") == "text/event-stream" else send(ask)

        timer = StandingTimer()
        journal = Journal(refuse)
        client = campus(transport=journal, timer=timer)
        self.assertEqual(next(client.list_groups().watch()).type, "page")
        self.assertEqual(journal.tokens, 2)
        self.assertTrue(any(7 <= wait <= 7.5 for wait in timer.waits), timer.waits)

    def test_raises_what_is_refused(self) -> None:
        with self.assertRaises(NotFoundError):
            next(campus().watch("/v2/groups/999999"))
