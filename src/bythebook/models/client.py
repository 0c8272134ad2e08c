"""A model behind one provider: asked through the provider's own SDK, asked again when it fails."""

import re
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import anyio
from msgspec import Struct
from msgspec.structs import replace

from bythebook.models.dialects import Body, Speech
from bythebook.models.gate import Gate
from bythebook.models.ledger import Ledger
from bythebook.models.patience import Dice, Patience, persist
from bythebook.models.sse import error_among, events, is_stream
from bythebook.models.types import ContextOverflow, Dialect, Reply, Request, Settings, Usage
from bythebook.models.wire import (
    UNREADABLE,
    Absent,
    Fault,
    Refusal,
    error_in,
    error_of,
    fault_of,
    read_json,
)

LIMITS = ("max_tokens", "max_completion_tokens", "max_output_tokens")
"""What the dialects call the longest reply they may give."""

_SAMPLING = (*LIMITS, "model", "temperature", "top_p", "seed", "stop", "stop_sequences")


def longest(ours: int, body: Mapping[str, Any]) -> int:
    """Tokens of the longest reply that both we and the writer of a body would have."""
    theirs = (body.get(name) for name in LIMITS)
    return min([ours, *(most for most in theirs if isinstance(most, int) and most > 0)])


def _as_it_is(body: Body) -> Body:
    return body


@dataclass(frozen=True)
class Line:
    """One provider's wire: how a request goes out, and in which dialect."""

    send: Callable[[Body, Mapping[str, str]], Awaitable[bytes]]
    """A body and headers beside the provider's own. Raises `Refusal` for an answer that was no
    success, `Fault` when there was no answer, and `Absent` when there was nobody to answer."""
    close: Callable[[], Awaitable[None]]
    speech: Speech
    tuned: Callable[[Body], Body] = _as_it_is
    """The last word on a body: where this provider differs from the dialect."""
    streams: bool = False
    """Ask for a stream; without it that is done once the provider says that it must be."""


class Relayed(Struct, frozen=True):
    """What came back for a body in the provider's own words."""

    body: dict[str, Any]
    reply: Reply
    """The same, read."""


class Client:
    """The `Model` at the end of a line."""

    def __init__(
        self,
        name: str,
        line: Line,
        *,
        patience: Patience,
        dice: Dice,
        slots: anyio.CapacityLimiter | Gate | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        """`slots`, shared by all models of one provider, bounds the requests in flight. In `ledger`
        stands what was spent; it may say that there is to be no more."""
        self.name = name
        self.id = name.partition(":")[2]
        self._line, self._patience, self._dice, self._slots = line, patience, dice, slots
        self._ledger = ledger or Ledger()
        self._streams = line.streams
        self._met = False
        """Somebody has answered, if only with a refusal."""

    @property
    def dialect(self) -> Dialect:
        """What its provider speaks."""
        return self._line.speech.dialect

    async def ask(self, request: Request, *, attempts: int | None = None) -> Reply:
        """`attempts`: how often to try, where that is not for the client's patience to say."""
        body = self._line.tuned(self._line.speech.encode_request(request))
        return (await self._persist(body, {}, attempts)).reply

    async def relay(
        self,
        body: Mapping[str, Any],
        settings: Settings,
        headers: Mapping[str, str] | None = None,
        *,
        attempts: int | None = None,
    ) -> Relayed:
        """Ask with a body that somebody else wrote in the provider's dialect; errors as in `ask`.

        Nothing of it is lost. Model and sampling settings are put in; the longest reply is the
        shorter of theirs and ours.
        """
        fixed = {n: v for n, v in self.sent(settings).items() if n in (*_SAMPLING, *settings.extra)}
        for name in LIMITS:
            if name in fixed:
                fixed[name] = longest(fixed[name], body)
        dropped = (*LIMITS, "stream", "stream_options")
        kept = {name: value for name, value in body.items() if name not in dropped}
        return await self._persist(kept | fixed, headers or {}, attempts)

    def sent(self, settings: Settings) -> dict[str, Any]:
        """The request's fields that settings become, in the provider's dialect."""
        request = Request(model=self.id, messages=(), settings=settings)
        body = self._line.tuned(self._line.speech.encode_request(request))
        return {key: value for key, value in body.items() if key not in ("messages", "input")}

    async def close(self) -> None:
        await self._line.close()

    async def _persist(
        self, body: Body, headers: Mapping[str, str], attempts: int | None
    ) -> Relayed:
        tries = 0

        async def once() -> Relayed:
            nonlocal tries
            tries += 1
            self._ledger.check(self.name)
            self._ledger.again += tries > 1
            try:
                return await self._once(body, headers)
            except Fault as fault:
                self._ledger.fault = f"{self.name}: {fault}" if fault.again else ""
                self._hold(fault)
                raise

        try:
            found = await persist(
                once, self._patience.limited(attempts), self._dice, where=self.name
            )
        except ContextOverflow as overflow:
            self._ledger.replied(self.name, overflow.usage or Usage())
            raise
        self._ledger.replied(self.name, found.reply.usage)
        return Relayed(found.body, replace(found.reply, tries=tries)) if tries > 1 else found

    def _hold(self, fault: Fault) -> None:
        """A provider that says when it will have time again says so to all who ask it."""
        wait = fault.after
        if wait is None or not fault.again or wait > self._patience.longest_after:
            return
        if isinstance(self._slots, Gate):
            self._slots.hold(wait)

    async def _once(self, body: Body, headers: Mapping[str, str]) -> Relayed:
        if self._streams:
            body = body | {"stream": True}
            if self.dialect == "chat":
                body["stream_options"] = {"include_usage": True}
        try:
            data = await self._send(body, headers)
        except TimeoutError:
            says = f"no answer within {self._patience.timeout:g} s"
            raise Fault(says, again=True) from None
        except Absent as absent:
            # A server that was there may come back. One that never was is a wrong address.
            hint = "" if self._met else "is the server running, and is its base URL right?"
            raise Fault(str(absent), again=self._met, hint=hint) from None
        except Refusal as refusal:
            self._met = True
            said = error_of(refusal)
            if not self._streams and _wants_a_stream(refusal.status, said):
                self._streams = True
                return await self._once(body, headers)
            return self._misreported(refusal.status, said) or _raised(fault_of(refusal, said))
        self._met = True
        return self._read(data)

    async def _send(self, body: Body, headers: Mapping[str, str]) -> bytes:
        async with AsyncExitStack() as stack:
            if self._slots is not None:
                await stack.enter_async_context(self._slots)
            with anyio.fail_after(self._patience.timeout):
                return await self._line.send(body, headers)

    def _read(self, data: bytes) -> Relayed:
        """The reply in `data`. A success that is none is worth another attempt."""
        try:
            body = self._gathered(data) if is_stream(data) else read_json(data)
            if isinstance(body, dict) and body.get("error"):
                return self._sent_as_a_reply(body)
            return Relayed(body, self._line.speech.decode_reply(body))
        except (*UNREADABLE, LookupError, TypeError, AttributeError) as error:
            shown = data[:200].decode("utf-8", "replace")
            says = f"the provider's reply does not read ({error}): {shown!r}"
            raise Fault(says, again=True) from None

    def _gathered(self, data: bytes) -> Body:
        found = list(events(data))
        return error_among(found) or self._line.speech.gather(found)

    def _sent_as_a_reply(self, body: dict[str, Any]) -> Relayed:
        """An error sent with status 200, as routers in front of other providers do."""
        said = error_in(body)
        says = f"the provider sent an error as a reply: {said['message']}"
        return self._misreported(400, said) or _raised(Fault(says, again=True))

    def _misreported(self, status: int, said: dict[str, Any]) -> Relayed | None:
        """What the model said, where the provider made an error of it."""
        reply = self._line.speech.decode_error(status, said)
        return Relayed(self._line.speech.encode_reply(reply), reply) if reply else None


def _raised(fault: Fault) -> Relayed:
    raise fault from None


_STREAM_ONLY = re.compile(
    r"only supports? (?:the )?stream|streaming is (?:strongly )?(?:required|recommended)"
    r"|stream(?:ing)? (?:mode )?(?:must|has to) be|must (?:be streamed|use stream|set stream)"
    r"|stream ?= ?true|non-streaming .{0,40}not (?:allowed|supported)",
    re.I,
)


def _wants_a_stream(status: int, said: Mapping[str, Any]) -> bool:
    return status == 400 and bool(_STREAM_ONLY.search(said["message"]))
