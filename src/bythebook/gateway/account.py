"""What a gateway counts: steps, tokens, time spent on the provider, and how it ended."""

from collections.abc import Iterator
from contextlib import contextmanager

import anyio

from bythebook.models.types import Reply, Usage
from bythebook.trace import Outcome


class Account:
    """The account of one attempt."""

    def __init__(self, steps: int) -> None:
        self.steps = 0
        """Replies given."""
        self.calls = 0
        """Calls that came, refused ones too."""
        self.usage = Usage()
        """Of all replies."""
        self.called = False
        """A reply has asked for a tool, so that whatever happens since may be the model's doing."""
        self.given_up = False
        """The provider was borne with to the end of all patience, and has not answered since."""
        self._most = steps
        self._flying = 0
        self._since = 0.0
        self._waited = 0.0
        self._capped: Outcome | None = None
        self._last: Outcome | None = None
        self._closing: set[str] = set()

    @property
    def waited(self) -> float:
        """Seconds in which at least one call was with the provider, back-off included."""
        return self._waited + (anyio.current_time() - self._since if self._flying else 0.0)

    @property
    def ended(self) -> Outcome | None:
        """How the attempt ended, if the harness stops now and the gateway knows why."""
        return self._capped or self._last

    def admit(self) -> str:
        """Why a call is not to be made; empty: it may be. Calls in flight count as replies."""
        self.calls += 1
        if self.steps + self._flying < self._most:
            return ""
        says = f"the limit of {self._most} model calls is reached"
        self._capped = Outcome("limit", "steps", says)
        return says

    @contextmanager
    def flight(self) -> Iterator[None]:
        """One call is with the provider."""
        if not self._flying:
            self._since = anyio.current_time()
        self._flying += 1
        try:
            yield
        finally:
            self._flying -= 1
            if not self._flying:
                self._waited += anyio.current_time() - self._since

    def begin(self) -> None:
        """A turn begins: what was said before does not close it."""
        self._closing.clear()

    def said(self, words: str) -> bool:
        """Were these the words of a reply in this turn that asked for no tool?"""
        return words.strip() in self._closing

    def replied(self, reply: Reply) -> None:
        """A model call was answered: its words may close the turn, its tokens count."""
        self.steps += 1
        if reply.message.calls:
            self.called = True
        else:
            self._closing.add(reply.message.text.strip())
        self.given_up, self._last = False, None
        self.spent(reply.usage)

    def spent(self, usage: Usage) -> None:
        """Count tokens, also those of a call that did not fit."""
        mine = self.usage
        self.usage = Usage(
            input=mine.input + usage.input,
            output=mine.output + usage.output,
            cached=mine.cached + usage.cached,
            stored=mine.stored + usage.stored,
            reasoning=mine.reasoning + usage.reasoning,
        )

    def full(self, says: str) -> None:
        """The conversation did not fit the model's window."""
        self._last = Outcome("limit", "context", says)

    def failed(self, cause: str, says: str) -> None:
        """`cause` (provider, gateway) let the harness down."""
        self.given_up = cause == "provider"
        self._last = Outcome("infrastructure_failure", cause, says)
