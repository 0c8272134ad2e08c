"""What passes between an agent and a model, in no provider's words.

A dialect module (`chat`, `anthropic_messages`) turns these into what goes over the wire and back.
"""

from typing import Any, Literal, Protocol

from msgspec import Struct


class ToolSpec(Struct, frozen=True):
    """A tool as a model is offered it."""

    name: str
    doc: str
    schema: dict[str, Any]
    """JSON schema of the arguments, without references."""


class Call(Struct, frozen=True):
    """One wish to use a tool; `id` ties the answer to it and is whatever the provider chose.

    Arguments that were no JSON object are `{"_malformed": "<the text as sent>"}`: the call is
    still made, so that the refusal is the agent's own.
    """

    name: str
    args: dict[str, Any]
    id: str = ""


LARGEST_IMAGE = 3_900_000
"""Bytes of a picture: in base64 it stays below the 5 MiB that Anthropic takes of one."""


class Image(Struct, frozen=True):
    """A picture that a model is shown."""

    media: str
    """`image/png`, `image/jpeg` ..."""
    data: bytes


class Answer(Struct, frozen=True):
    """What came back for the call of the same id; without an id it answers no call."""

    id: str
    text: str
    """JSON or prose: exactly what the model reads."""
    ok: bool = True
    images: tuple[Image, ...] = ()


class Usage(Struct, frozen=True, omit_defaults=True):
    """Tokens of one model call."""

    input: int = 0
    """All tokens read, those from the provider's cache included."""
    output: int = 0
    """All tokens written, reasoning included."""
    cached: int = 0
    """The part of `input` that came from the provider's cache."""
    stored: int = 0
    """The part of `input` that was put into the provider's cache."""
    reasoning: int = 0
    """The part of `output` that was reasoning, where the provider says so."""
    sent: dict[str, Any] = {}
    """The provider's own figures, as sent."""


Role = Literal["user", "assistant"]
Dialect = Literal["chat", "anthropic", "responses"]


class Wire(Struct, frozen=True):
    """A message in a provider's own words, reasoning and signatures included."""

    dialect: Dialect
    body: dict[str, Any]


class Message(Struct, frozen=True):
    """One turn: the head comes first, answers before the text, text before the calls."""

    role: Role
    text: str = ""
    calls: tuple[Call, ...] = ()
    answers: tuple[Answer, ...] = ()
    wire: Wire | None = None
    """Sent back untouched where the dialect is the same; what it says, the fields above say too."""
    head: str = ""
    """Of a user's turn: words before its text that many conversations begin with. Providers that
    cache only what is marked are told to cache up to their end."""
    images: tuple[Image, ...] = ()
    """Of a user's turn: before its text."""

    @property
    def empty(self) -> bool:
        """Holds nothing a provider would take back."""
        return not (self.text.strip() or self.calls or self.answers or self.head or self.images)


class Settings(Struct, frozen=True, omit_defaults=True):
    """How a model is to sample. What is None is not sent."""

    max_tokens: int = 32_768
    temperature: float | None = None
    top_p: float | None = None
    seed: int | None = None
    """Not sent to Anthropic, which knows no seed."""
    stop: tuple[str, ...] = ()
    extra: dict[str, Any] = {}
    """Further fields of the request, passed on as they are."""


class Request(Struct, frozen=True):
    """All that one model call sends."""

    model: str
    messages: tuple[Message, ...]
    system: str = ""
    tools: tuple[ToolSpec, ...] = ()
    settings: Settings = Settings()
    stream: bool = False


Stop = Literal["end", "calls", "length", "refusal", "malformed"]
"""malformed: the provider itself could not read the model's call and sent nothing else."""


class Reply(Struct, frozen=True):
    """What came back from one model call."""

    message: Message
    stop: Stop = "end"
    usage: Usage = Usage()
    half: Call | None = None
    """A call that the length limit cut; it is not in the message."""
    id: str = ""
    model: str = ""
    tries: int = 1
    """How often it was asked for, until it came."""


class ContextOverflow(Exception):
    """The provider says that the conversation does not fit the model's context."""

    def __init__(self, says: str, *, window: int | None = None, usage: Usage | None = None):
        super().__init__(says)
        self.window = window
        """Tokens that fit, where the provider says so."""
        self.usage = usage
        """What was spent before the end was hit."""


class Model(Protocol):
    """A model that can be asked; one object serves any number of conversations at once."""

    name: str
    """`provider:name`, as the user wrote it."""
    id: str
    """The name alone, as the provider knows it."""

    async def ask(self, request: Request) -> Reply:
        """Raises `ContextOverflow`, or `AgentError` when the provider cannot be had."""
        ...

    def sent(self, settings: Settings) -> dict[str, Any]:
        """The request's fields that settings become, for the record."""
        ...

    async def close(self) -> None:
        """Close its connections; nobody asks after that."""
