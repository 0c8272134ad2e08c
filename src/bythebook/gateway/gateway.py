"""The gateway of one attempt: a harness asks it for model replies, in whatever dialect it speaks.

    gateway = Gateway(model, Terms(), heard)
    async with served(gateway.app, folder / "model"):
        ...                                   # the harness runs
    gateway.ended or ...                      # what the gateway knows of how it ended

A harness that speaks the provider's dialect has its requests relayed, so that nothing of them is
lost; for any other they are translated. Keys stay here, and the one that a harness sends is not
looked at.
"""

from collections.abc import Callable, Mapping
from typing import Any

import anyio

from bythebook.errors import AgentError
from bythebook.gateway.account import Account
from bythebook.gateway.crossing import Crossing, readable, sendable
from bythebook.gateway.door import App, Denied, door
from bythebook.gateway.exchange import Exchange, Terms
from bythebook.models.client import Client
from bythebook.models.dialects import Speech
from bythebook.models.types import ContextOverflow, Reply, Request, Usage
from bythebook.models.wire import Fault
from bythebook.trace import Outcome

Body = dict[str, Any]

HUNG_UP = 499
"""The status of a call whose harness did not wait for the answer."""

_PASSED_ON = ("anthropic-beta",)
"""Headers without which a provider would not take the fields of a body that is relayed."""


class Gateway:
    """Serves one model to one harness, for one attempt."""

    def __init__(self, model: Client, terms: Terms, heard: Callable[[Exchange], None]) -> None:
        """`heard` is told of every call once it is answered."""
        self.model, self.terms = model, terms
        self._heard = heard
        self._account = Account(terms.steps)
        self._crossing = Crossing(model.dialect, model.id)

    @property
    def app(self) -> App:
        """What `served` serves."""
        return door(self)

    @property
    def steps(self) -> int:
        """Replies given so far."""
        return self._account.steps

    @property
    def usage(self) -> Usage:
        """Tokens of all replies so far."""
        return self._account.usage

    @property
    def called(self) -> bool:
        """Has the model asked for a tool, so that what breaks since may be its own doing?"""
        return self._account.called

    def begin(self) -> None:
        """A turn of the harness begins: what was said before closes it no more."""
        self._account.begin()

    def said(self, words: str) -> bool:
        """Were these the words of a reply in this turn that asked for no tool?"""
        return self._account.said(words)

    @property
    def waited(self) -> float:
        """Seconds spent on the provider so far, back-off included: none of the harness's time."""
        return self._account.waited

    @property
    def ended(self) -> Outcome | None:
        """How the attempt ended, should the harness stop now; None: the gateway does not know.

        limit(steps) once a call had to be refused; limit(context) and infrastructure_failure
        (provider, gateway) where the last call failed so and none has succeeded since.
        """
        return self._account.ended

    async def reply(self, speech: Speech, sent: object, headers: Mapping[str, str]) -> Body:
        """The answer to one model call, in the dialect of the harness. Raises `Denied`."""
        request = readable(sent, speech)
        if request is None or not isinstance(sent, dict):
            raise Denied(400, speech.encode_error(400, "this request does not read"))
        try:
            return await self._counted(speech, sent, request, headers)
        except (Denied, anyio.get_cancelled_exc_class()):
            raise
        except Exception as error:
            self._account.failed("gateway", f"{type(error).__name__}: {error}")
            raise

    async def _counted(
        self, speech: Speech, sent: Body, request: Request, headers: Mapping[str, str]
    ) -> Body:
        before = anyio.current_time()
        refused = self._account.admit()
        call = self._account.calls

        def told(status: int, error: str, reply: Reply | None = None) -> None:
            seconds = anyio.current_time() - before
            self._heard(Exchange(call, request, reply, error, status, seconds))

        if refused:
            told(403, refused)
            raise Denied(403, speech.encode_error(403, refused))
        try:
            body, reply = await self._asked(speech, sent, request, headers)
        except ContextOverflow as full:
            self._account.full(str(full))
            self._account.spent(full.usage or Usage())
            told(400, str(full))
            raise Denied(400, speech.encode_overflow(str(full))) from None
        except AgentError as error:
            status, says = _shown(error)
            self._account.failed(error.cause, str(error))
            told(status, str(error))
            raise Denied(status, speech.encode_error(status, says)) from None
        except anyio.get_cancelled_exc_class():
            self._hung_up(anyio.current_time() - before)
            told(HUNG_UP, "the harness hung up")
            raise
        self._account.replied(reply)
        told(200, "", reply)
        return body

    async def _asked(
        self, speech: Speech, sent: Body, request: Request, headers: Mapping[str, str]
    ) -> tuple[Body, Reply]:
        """The reply for the harness, and the same read. After all patience one attempt a call."""
        settings, model = self.terms.settings, self.model
        attempts = 1 if self._account.given_up else None
        with self._account.flight():
            if speech.dialect == model.dialect:
                body = sendable(sent, speech.dialect, settings)
                kept = {name: headers[name] for name in _PASSED_ON if name in headers}
                relayed = await model.relay(body, settings, kept, attempts=attempts)
                return relayed.body, relayed.reply
            asked = self._crossing.request(sent, request, speech.dialect, settings)
            reply = await model.ask(asked, attempts=attempts)
        return self._crossing.reply(reply, speech, sent), reply

    def _hung_up(self, seconds: float) -> None:
        if seconds > self.terms.patience:
            says = f"no answer in {seconds:.0f} s, and the harness would not wait any longer"
            self._account.failed("provider", says)


def _shown(error: AgentError) -> tuple[int, str]:
    """Status and words of a provider's failure for the harness; no word that may hold a key."""
    fault = error.__cause__
    status = fault.status if isinstance(fault, Fault) else None
    if status in (401, 403):
        return status, f"the provider answered {status}: {error.hint}"
    return status or 502, error.what
