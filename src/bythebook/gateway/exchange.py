"""What a gateway is told before it serves, and what it tells of every model call."""

from msgspec import Struct

from bythebook.models.types import Reply, Request, Settings

STEPS = 200
"""Model calls of one attempt, whatever the harness (StartupBench, section 4.1)."""


class Terms(Struct, frozen=True):
    """On what terms a harness is served a model."""

    steps: int = STEPS
    """Replies it is given; the call after them is refused."""
    settings: Settings = Settings()
    """How the model samples, whatever the harness asks for. A reply is no longer than these let
    it be, and no longer than the harness wants it."""
    context_tokens: int | None = None
    """The model's window, as the list of models tells it; None: it does not."""
    ping: float = 10.0
    """Seconds after which a harness that reads a stream is told that its reply is still to come,
    and every so many again. An error that comes earlier has an HTTP status of its own."""
    patience: float = 60.0
    """A harness that hangs up after waiting longer than these seconds was let down by the
    provider."""


class Exchange(Struct, frozen=True):
    """One call of a model by a harness."""

    n: int
    """Counted from 1, in the order the calls came."""
    request: Request
    """What was asked, read; a request that was relayed went out with all that it held."""
    reply: Reply | None
    error: str
    """Why there is no reply; empty when there is one."""
    status: int
    """What the harness was answered with; 499: it hung up."""
    seconds: float
    """From its request to our answer, most of it the provider's."""
