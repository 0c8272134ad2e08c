"""A model behind one provider: asked through the provider's own SDK, asked again when it fails."""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import anyio
import msgspec

from bythebook.models.patience import Dice, Patience, persist
from bythebook.models.types import Reply, Request, Settings
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


@dataclass(frozen=True)
class Line:
    """One provider's wire: how a request goes out, and how what comes back is read."""

    send: Callable[[bytes], Awaitable[bytes]]
    """Raises `Refusal` for an answer that was no success, `Fault` when there was no answer, and
    `Absent` when there was nobody to answer."""
    close: Callable[[], Awaitable[None]]
    encode: Callable[[Request], dict[str, Any]]
    decode: Callable[[dict[str, Any]], Reply]
    decode_error: Callable[[int, dict[str, Any]], Reply | None]
    """The agent's own doing that the provider reports as an error; raises `ContextOverflow`."""


class Client:
    """The `Model` at the end of a line."""

    def __init__(
        self,
        name: str,
        line: Line,
        *,
        patience: Patience,
        dice: Dice,
        slots: anyio.CapacityLimiter | None = None,
    ) -> None:
        """`slots`, shared by all models of one provider, bounds the requests in flight."""
        self.name = name
        self.id = name.partition(":")[2]
        self._line, self._patience, self._dice, self._slots = line, patience, dice, slots
        self._met = False
        """Somebody has answered, if only with a refusal."""

    async def ask(self, request: Request) -> Reply:
        body = msgspec.json.encode(self._line.encode(request))
        return await persist(lambda: self._once(body), self._patience, self._dice, where=self.name)

    def sent(self, settings: Settings) -> dict[str, Any]:
        body = self._line.encode(Request(model=self.id, messages=(), settings=settings))
        return {key: value for key, value in body.items() if key != "messages"}

    async def close(self) -> None:
        await self._line.close()

    async def _once(self, body: bytes) -> Reply:
        try:
            async with AsyncExitStack() as stack:
                if self._slots is not None:
                    await stack.enter_async_context(self._slots)
                with anyio.fail_after(self._patience.timeout):
                    data = await self._line.send(body)
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
            reply = self._line.decode_error(refusal.status, said)
            if reply is None:
                raise fault_of(refusal, said) from None
            return reply
        self._met = True
        return self._read(data)

    def _read(self, data: bytes) -> Reply:
        """The reply in `data`. A success that is none is worth another attempt."""
        try:
            body = read_json(data)
            if isinstance(body, dict) and body.get("error"):
                return self._misreported(body)
            return self._line.decode(body)
        except (*UNREADABLE, LookupError, TypeError, AttributeError) as error:
            shown = data[:200].decode("utf-8", "replace")
            says = f"the provider's reply does not read ({error}): {shown!r}"
            raise Fault(says, again=True) from None

    def _misreported(self, body: dict[str, Any]) -> Reply:
        """An error sent with status 200, as routers in front of other providers do."""
        said = error_in(body)
        reply = self._line.decode_error(400, said)
        if reply is None:
            raise Fault(f"the provider sent an error as a reply: {said['message']}", again=True)
        return reply


def as_json(value: object) -> str:
    """Compact JSON text, as a dialect carries arguments."""
    return msgspec.json.encode(value).decode()
