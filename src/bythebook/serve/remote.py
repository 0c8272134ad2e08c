"""A seat at the door of a server: what `bythebook serve --http` offers, from the player's side.

Needs none of the content, and no more than the standard library to reach the server.
"""

from collections.abc import Mapping
from http.client import HTTPException
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import ProxyHandler, Request, build_opener

import msgspec

from bythebook.errors import BythebookError, UsageError
from bythebook.serve.seat import Response, View

LONGEST = 300.0
"""Seconds to wait for an answer."""

T = TypeVar("T")

_direct = build_opener(ProxyHandler({}))
"""The server is on this machine: no proxy leads there."""


class Remote:
    """The `Seat` at an address."""

    def __init__(self, url: str) -> None:
        self._url = url.rstrip("/")

    def view(self) -> View:
        return self._asked(Request(self._url), View)

    def call(self, name: str, args: Mapping[str, Any]) -> Response:
        """Use one tool. Raises `UsageError` when the run is over."""
        data = msgspec.json.encode(args)
        headers = {"Content-Type": "application/json"}
        place = f"{self._url}/{quote(name, safe='', errors='replace')}"
        return self._asked(Request(place, data, headers), Response)

    def _asked(self, request: Request, kind: type[T]) -> T:
        try:
            with _direct.open(request, timeout=LONGEST) as answer:
                return msgspec.json.decode(answer.read(), type=kind)
        except HTTPError as error:
            raise self._refused(error) from None
        except (OSError, HTTPException, ValueError, msgspec.MsgspecError) as error:
            # The address holds a token: words about it leave it out.
            what = f"there is no server of bythebook at this address: {error}"
            raise UsageError(what, hint="is `bythebook serve` running?") from None

    def _refused(self, error: HTTPError) -> BythebookError:
        try:
            said = msgspec.json.decode(error.read(), type=dict[str, str])
        except (msgspec.MsgspecError, OSError):
            said = {}
        what = said.get("error", f"the server answered {error.code}")
        kind = UsageError if error.code < 500 else BythebookError
        return kind(what, hint=said.get("hint", ""))
