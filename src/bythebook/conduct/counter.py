"""The ten tools an agent holds itself; everything else is found and called through them.

They are declared like desk tools, on a `Counter` (what a scene lets its agent see) instead of a
world. None of them costs time, except that `wait` lets time pass.
"""

from typing import Annotated, Any, Protocol

import msgspec

from bythebook.conduct.consent import Message
from bythebook.conduct.world import Row, World
from bythebook.errors import nearest
from bythebook.tool import Day, Desk, Refused, Tool

LISTED = 50
"""Most rows that one `query_records` call returns."""


class DocumentHit(msgspec.Struct, frozen=True):
    """A document that a search found; whether it is in force, reading it tells."""

    id: str
    title: str
    kind: str


class ToolHit(msgspec.Struct, frozen=True, omit_defaults=True):
    """A business tool that a search found."""

    name: str
    desk: str
    summary: str
    retired: str = ""
    """Its successor, when it is out of use; left out of those in use."""


class ToolCard(msgspec.Struct, frozen=True, omit_defaults=True):
    """What `describe_tool` shows."""

    name: str
    desk: str
    doc: str
    writes: bool
    minutes: int
    arguments: Any
    """JSON schema of the arguments."""
    retired: str = ""
    """As in a hit."""


class Listing(msgspec.Struct, frozen=True):
    """The first rows of a table; `total` counts all that fit."""

    rows: tuple[Any, ...]
    total: int


class Moment(msgspec.Struct, frozen=True):
    """A point of the task's time; `t` is minutes since the task opened."""

    day: Day
    clock: str
    t: int


class Source(Protocol):
    """The company's documents and tools, as far as the condition lets the agent see them."""

    def find_documents(self, query: str) -> tuple[DocumentHit, ...]:
        """Best first, up to eight."""

    def document(self, id: str) -> str:
        """Its text. Raises `Refused` for an id that there is not."""

    def find_tools(self, query: str) -> tuple[ToolHit, ...]:
        """Best first, up to eight, retired ones among them."""

    def tool(self, name: str) -> Tool:
        """Raises `Refused` for a name that there is not."""

    def table(self, name: str) -> type[Row]:
        """Its row class. Raises `Refused` for one that there is not, or that is private."""


class Counter(Protocol):
    """What the base tools work on."""

    world: World
    source: Source


base = Desk("base", "What every agent holds.")


@base.tool()
def search_documents(counter: Counter, query: str) -> tuple[DocumentHit, ...]:
    """Search the company's documents by words; returns up to eight, best first.

    Policies, procedures, fee schedules, bulletins, notices, e-mails: current ones, old ones, drafts
    and those for other products stand side by side. Read one to see what it applies to and when.
    """
    return counter.source.find_documents(query)


@base.tool()
def read_document(counter: Counter, id: str) -> str:
    """Read one document by its id."""
    return counter.source.document(id)


@base.tool()
def search_tools(counter: Counter, query: str) -> tuple[ToolHit, ...]:
    """Search the company's business tools by words; returns up to eight, best first."""
    return counter.source.find_tools(query)


@base.tool()
def describe_tool(counter: Counter, name: str) -> ToolCard:
    """Show what a business tool does and the arguments it takes."""
    tool = counter.source.tool(name)
    shown = (tool.name, tool.desk, tool.doc, tool.writes, tool.minutes, tool.schema)
    return ToolCard(*shown, tool.retired)


@base.tool()
def call_tool(counter: Counter, name: str, arguments: dict[str, Any] = {}) -> Any:  # noqa: B006 - msgspec copies defaults
    """Use a business tool by its name, with the arguments that `describe_tool` shows.

    What changes something takes the minutes that `describe_tool` tells; a refused call none.
    """
    raise Refused("name: which tool?")


@base.tool()
def query_records(
    counter: Counter,
    table: str,
    where: dict[str, str | int | bool | None] = {},  # noqa: B006 - msgspec copies defaults
) -> Listing:
    """List the records of a table whose columns equal the given values, up to fifty.

    An unknown table or column is answered with the names that exist.
    """
    kind = counter.source.table(table)
    for column in where:
        if column not in kind.__struct_fields__:
            known = ", ".join(kind.__struct_fields__)
            raise Refused(f"{table} has no column {column!r}; columns are: {known}")
    rows = counter.world[kind].where(**where)
    return Listing(tuple(rows[:LISTED]), len(rows))


@base.tool(writes=True, minutes=0, repeatable=True)
def message_customer(counter: Counter, text: Annotated[str, msgspec.Meta(min_length=1)]) -> Message:
    """Write to the customer, who answers at once. Takes no time on the clock."""
    return counter.world[Message].add(who="agent", text=text, t=counter.world.t)


@base.tool(repeatable=True)
def wait(counter: Counter, minutes: Annotated[int, msgspec.Meta(ge=1, le=1440)]) -> Moment:
    """Let time pass. What is due in the meantime happens."""
    t = counter.world.t + minutes
    return Moment(counter.world.day_at(t), counter.world.clock_at(t), t)


@base.tool()
def now(counter: Counter) -> Moment:
    """Tell the day, the wall clock and the minutes since the task opened."""
    world = counter.world
    return Moment(world.day, world.clock_at(world.t), world.t)


@base.tool(repeatable=True)
def finish(counter: Counter, summary: str = "") -> str:
    """End the work. Say in a sentence or two what was done and what was not."""
    return "finished"


BASE: dict[str, Tool] = {tool.name: tool for tool in base.tools}


def no_such(kind: str, name: str, known: list[str]) -> Refused:
    """What an agent is told about a name that does not exist: the nearest, and never a list."""
    near = nearest(name, known)
    hint = f"did you mean {near!r}?" if near else f"search for the {kind} you need"
    return Refused(f"there is no {kind} {name!r}; {hint}")
