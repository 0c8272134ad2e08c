"""The door speaks plain HTTP, answers everything, and opens to nobody without the token."""

import json
import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import anyio
import pytest
from anyio.from_thread import start_blocking_portal

from bythebook.conduct.task import ConductTask
from bythebook.errors import BythebookError, UsageError
from bythebook.serve.http import MOST_BYTES, Door
from bythebook.serve.mcp import tool_door
from bythebook.serve.remote import Remote
from bythebook.serve.seat import Response, View
from tests.serve.hands import new_run, seated

TOKEN = "t0ken"


@dataclass
class Standing:
    """A door that is open."""

    door: Door
    url: str
    failures: list[str]

    @property
    def port(self) -> int:
        return urlsplit(self.url).port or 0


@pytest.fixture
def door(task: ConductTask, tmp_path: Path) -> Iterator[Standing]:
    failures: list[str] = []
    with (
        seated(task, new_run(task, tmp_path)) as session,
        start_blocking_portal() as portal,
    ):
        door = Door(session, TOKEN, tool_door(session, failures.append).app, failures.append)
        with portal.wrap_async_context_manager(door.standing(0)) as url:
            yield Standing(door, url, failures)


def ask(
    door: Standing, verb: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, Any]:
    connection = HTTPConnection("127.0.0.1", door.port, timeout=10)
    connection.request(verb, path, body, headers or {})
    answer = connection.getresponse()
    found = answer.status, json.loads(answer.read())
    connection.close()
    return found


@pytest.mark.parametrize(
    ("verb", "path", "body", "status", "says"),
    [
        ("GET", "/", b"", 404, "nothing is here"),
        ("GET", "/other", b"", 404, "nothing is here"),
        ("GET", f"/{TOKEN}x", b"", 404, "nothing is here"),
        ("POST", "/other/finish", b"{}", 404, "nothing is here"),
        ("GET", "/%ff%00", b"", 404, "nothing is here"),
        ("GET", f"/{TOKEN}/now", b"", 405, "a tool is used with POST"),
        ("POST", f"/{TOKEN}", b"{}", 405, "POST to a tool"),
        ("POST", f"/{TOKEN}/now", b"{", 400, "no JSON"),
        ("POST", f"/{TOKEN}/now", b"\xff", 400, "no JSON"),
        ("POST", f"/{TOKEN}/now", b"[" * 100_000, 400, "no JSON"),
        ("POST", f"/{TOKEN}/now", b"7", 400, "no JSON object"),
    ],
)
def test_what_is_no_call_is_answered_and_changes_nothing(
    door: Standing, verb: str, path: str, body: bytes, status: int, says: str
) -> None:
    code, found = ask(door, verb, path, body)

    assert code == status
    assert says in found["error"]
    assert Remote(door.url).view().calls == 0


def test_a_call_is_a_post_of_its_arguments(door: Standing) -> None:
    assert ask(door, "POST", f"/{TOKEN}/now")[1]["result"]["clock"] == "15:50"
    assert ask(door, "POST", f"/{TOKEN}/wait", b'{"minutes": 3}')[1]["result"]["t"] == 3
    code, refused = ask(door, "POST", f"/{TOKEN}/wait", b'{"minutes": "3"}')
    assert (code, refused["ok"]) == (200, False)
    assert "minutes" in refused["result"]
    code, view = ask(door, "GET", f"/{TOKEN}")
    assert (code, view["t"], view["calls"]) == (200, 3, 3)
    assert [tool["name"] for tool in view["tools"]][:2] == ["search_documents", "read_document"]


def test_a_run_that_is_over_says_so(door: Standing) -> None:
    assert ask(door, "POST", f"/{TOKEN}/finish")[1]["outcome"] == "completed(finished)"
    code, found = ask(door, "POST", f"/{TOKEN}/now")
    assert (code, found["error"]) == (409, "the run is over: completed(finished)")
    assert ask(door, "GET", f"/{TOKEN}")[1]["outcome"] == "completed(finished)"


def test_calls_made_at_once_are_made_one_after_another(door: Standing, tmp_path: Path) -> None:
    with ThreadPoolExecutor(20) as pool:
        answers = list(pool.map(lambda _: ask(door, "POST", f"/{TOKEN}/now")[0], range(60)))

    journal = next(tmp_path.glob("*/*/trace.jsonl")).read_bytes().splitlines()
    numbers = [json.loads(line)["i"] for line in journal[1:]]
    assert answers == [200] * 60
    assert numbers == list(range(61))


def sent(door: Standing, *lines: str, body: bytes = b"") -> bytes:
    """What a request written by hand is answered."""
    with socket.create_connection(("127.0.0.1", door.port), timeout=10) as wire:
        head = [f"POST /{TOKEN}/wait HTTP/1.1", "Host: x", "Connection: close", *lines, "", ""]
        wire.sendall("\r\n".join(head).encode() + body)
        return b"".join(iter(lambda: wire.recv(4096), b""))


@pytest.mark.parametrize(
    ("line", "body", "status"),
    [
        (f"Content-Length: {MOST_BYTES + 1}", b"", 413),
        ("Content-Length: -5", b"", 400),
        ("Content-Length: many", b"", 400),
        ("Transfer-Encoding: chunked", b"200000\r\n" + b" " * (MOST_BYTES + 1), 413),
        ("Transfer-Encoding: chunked", b"no length\r\n", 400),
    ],
)
def test_a_body_of_no_sound_length_is_not_taken_for_a_call(
    door: Standing, line: str, body: bytes, status: int
) -> None:
    assert sent(door, line, body=body).startswith(b"HTTP/1.1 %d" % status)
    assert Remote(door.url).view().calls == 0


def test_a_body_may_come_in_pieces(door: Standing) -> None:
    pieces = b'6\r\n{"minu\r\n9\r\ntes": 30}\r\n0\r\n\r\n'

    assert b'"t":30' in sent(door, "Transfer-Encoding: chunked", body=pieces)


def test_a_client_that_hangs_up_is_no_news(door: Standing) -> None:
    for _ in range(5):
        with socket.create_connection(("127.0.0.1", door.port)) as wire:
            wire.sendall(f"POST /{TOKEN}/now HTTP/1.1\r\nContent-Length: 50\r\n\r\n{{}}".encode())
            wire.shutdown(socket.SHUT_WR)
            wire.recv(4096)
    assert Remote(door.url).view().calls == 0
    assert door.failures == []


class Broken:
    """A seat whose disk is full."""

    def view(self) -> View:
        raise BythebookError("the disk is full", where="/a/place")

    def call(self, name: str, args: object) -> Response:
        raise BythebookError("the disk is full", where="/a/place")


def test_our_own_failure_names_no_place_to_the_player(door: Standing) -> None:
    door.door.seat = Broken()

    with pytest.raises(BythebookError, match="the server failed") as failed:
        Remote(door.url).call("now", {})

    assert "/a/place" not in str(failed.value)
    assert door.failures == ["/a/place: the disk is full"]


def test_a_port_that_is_taken_is_wrong_use(door: Standing) -> None:
    async def again() -> None:
        async with door.door.standing(door.port):
            pass

    with pytest.raises(UsageError, match="cannot be had"):
        anyio.run(again)
