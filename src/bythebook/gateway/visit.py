"""HTTP visits to a door of tools: a client that hangs up is noticed."""

from collections import deque
from collections.abc import MutableMapping
from typing import Any

import anyio
import msgspec

from bythebook.gateway.door import App, Receive, Scope, Send, tell
from bythebook.models.wire import UNREADABLE, read_json

TOO_LARGE = 413


def sound(data: bytes) -> bytes:
    """JSON without half a surrogate pair, which models do write and few readers take.

    What is no JSON stays as it is.
    """
    if b"\\ud" not in data.lower():
        return data
    try:
        return msgspec.json.encode(read_json(data))
    except UNREADABLE:
        return data


class TooLarge(Exception):
    """A request whose body is longer than it may be."""


async def whole(scope: Scope, receive: Receive, most: int) -> bytes | None:
    """The body of a request; None: the client hung up in the middle of it.

    Raises `TooLarge` for one of more than `most` bytes, as soon as that is known.
    """
    if _announced(scope) > most:
        raise TooLarge
    pieces: list[bytes] = []
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        pieces.append(message.get("body", b""))
        if sum(map(len, pieces)) > most:
            raise TooLarge
        if not message.get("more_body", False):
            return b"".join(pieces)


def _announced(scope: Scope) -> int:
    """Bytes of the body by its header; 0: it does not say."""
    lengths = [value for name, value in scope["headers"] if name == b"content-length"]
    return int(lengths[0]) if lengths and lengths[0].isdigit() else 0


def attended(app: App, most: int) -> App:
    """`app`, whose answer to a request is given up when the client hangs up.

    A body of more than `most` bytes is refused; one that did not come whole is no request.
    """

    async def visited(scope: Scope, receive: Receive, send: Send) -> None:
        try:
            body = await whole(scope, receive, most)
        except TooLarge:
            await tell(send, TOO_LARGE, {"error": f"a request has at most {most} bytes"})
            return
        if body is None:
            return
        gone = anyio.Event()
        left: deque[MutableMapping[str, Any]] = deque(
            ({"type": "http.request", "body": sound(body)},)
        )

        async def again() -> MutableMapping[str, Any]:
            if not left:
                await gone.wait()
            return left.popleft() if left else {"type": "http.disconnect"}

        async def watched(scope_of_answer: anyio.CancelScope) -> None:
            while (await receive())["type"] != "http.disconnect":
                pass
            gone.set()
            scope_of_answer.cancel()

        async with anyio.create_task_group() as group:
            group.start_soon(watched, group.cancel_scope)
            await app(scope, again, send)
            group.cancel_scope.cancel()

    return visited
