"""A tool: a plain typed function on a world, offered to an agent by its signature.

    refunds = Desk("refunds", "Giving customers their money back.", rows=(Refund,))

    @refunds.tool(writes=True)
    def issue_refund(world: World, payment: str, amount: Cents, reason: Reason) -> Refund:
        \"\"\"Give back part or all of a payment; it reaches the card in five days.\"\"\"

The signature is the schema and the docstring is what the agent reads. Arguments are checked deeply
and strictly before the function runs; a misfit is a `Refused` that names the field and what is
allowed. There is no registry: a company lists its desks.
"""

import inspect
import re
import traceback
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from math import isfinite
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_type_hints

import msgspec

from bythebook.errors import BythebookError, CompanyError

Function = TypeVar("Function", bound=Callable[..., object])
Handler = TypeVar("Handler", bound=Callable[..., None])

Cents = Annotated[int, msgspec.Meta(description="integer minor units (cents)")]
"""Money: an integer count of minor units; the currency stands beside it or is the account's."""

BasisPoints = Annotated[int, msgspec.Meta(description="integer basis points (1/100 of a percent)")]
Day = Annotated[
    str, msgspec.Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}\Z", description="a day, YYYY-MM-DD")
]
"""A day that the calendar has, as ISO text, so that comparing days is comparing strings."""


class Refused(Exception):
    """The company says no; the agent reads why and may try again. Nothing was written."""


@contextmanager
def unbroken(what: str, run: Callable[..., object]) -> Iterator[None]:
    """Around the company's own code: what it should not raise becomes a `CompanyError`.

    The error names the line in the file of `run`, for whoever wrote it; of the path only the last
    part, so that the same fault reads the same on any machine.
    """
    try:
        yield
    except (Refused, BythebookError):
        raise
    except Exception as error:
        path = inspect.getsourcefile(run) or ""
        frames = traceback.extract_tb(error.__traceback__)
        lines = [f":{frame.lineno}" for frame in frames if frame.filename == path][-1:]
        place = "".join((Path(path).name, *lines))
        said = f"{type(error).__name__}: {error}"
        raise CompanyError(f"{what} broke at {place}: {said}") from error


@dataclass(frozen=True)
class Tool:
    """One tool: what it is called, what it does to time and tables, and the function behind it."""

    name: str
    desk: str
    run: Callable[..., object]
    writes: bool
    minutes: int
    """Business minutes a successful call takes; always 0 for a tool that does not write."""
    repeatable: bool
    """A second identical call does no harm (it replaces, or finds nothing left to do)."""
    retired: str = ""
    """Name of the successor when the tool is kept only to refuse and point onward."""

    @cached_property
    def summary(self) -> str:
        """The first paragraph of `doc` in one line: what a search shows."""
        return (inspect.getdoc(self.run) or "").split("\n\n")[0].replace("\n", " ")

    @cached_property
    def doc(self) -> str:
        """The docstring, without its indent: what an agent reads."""
        return inspect.getdoc(self.run) or ""

    @cached_property
    def hints(self) -> Mapping[str, Any]:
        """Argument name to annotation, without the world, in order; then `return`."""
        hints = get_type_hints(self.run, include_extras=True)
        _world, *names = inspect.signature(self.run).parameters
        return {name: hints[name] for name in (*names, "return")}

    @cached_property
    def arguments(self) -> type[msgspec.Struct]:
        """A frozen struct of what may be sent."""
        parameters = inspect.signature(self.run).parameters
        fields: list[Any] = []
        for name in self.hints:
            if name == "return":
                continue
            default = parameters[name].default
            kind = self.hints[name]
            fields.append(
                (name, kind) if default is inspect.Parameter.empty else (name, kind, default)
            )
        return msgspec.defstruct(
            self.name, fields, frozen=True, forbid_unknown_fields=True, kw_only=True
        )

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON schema of the arguments, references resolved so that any provider takes it."""
        schema, parts = msgspec.json.schema_components([self.arguments], ref_template="#/{name}")
        flat: dict[str, Any] = _inline(schema[0], parts)
        return flat

    def check(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments as the function takes them. Raises `Refused` naming the misfit."""
        try:
            struct = msgspec.convert(fold(sent), self.arguments, strict=True)
        except msgspec.ValidationError as error:
            raise Refused(f"{self.name}: {self._misfit(str(error))}") from None
        found = {name: getattr(struct, name) for name in self.arguments.__struct_fields__}
        for name, value in found.items():
            if self.hints[name] in (Day, Day | None) and value is not None and not is_day(value):
                raise Refused(f"{self.name}: the calendar has no {value} - at `{name}`")
        return found

    def _misfit(self, message: str) -> str:
        names = ", ".join(self.arguments.__struct_fields__) or "none"
        plain = message.replace(" - at `$.", " - at `")
        if "unknown field" in message or "required field" in message:
            return f"{plain}; arguments are: {names}"
        return plain


DEEPEST = 64
LARGEST = 2**53 - 1
"""Most that every reader of JSON holds exactly; no business of the company comes near."""
SURROGATE = re.compile("[\ud800-\udfff]")


def fold(value: Any, depth: int = 0) -> Any:
    """What an agent sent, in a form that any journal can hold and no spelling changes.

    Whole floats become integers (25.0 is 25). Half characters become U+FFFD; what is nested deeper
    than `DEEPEST`, larger than `LARGEST` or no number at all becomes a word saying so.
    """
    if depth > DEEPEST:
        return "(nested too deeply)"
    if isinstance(value, str):
        return SURROGATE.sub("\ufffd", value)
    if isinstance(value, int | float):
        return _number(value)
    if isinstance(value, Mapping):
        return {fold(str(k), depth + 1): fold(inner, depth + 1) for k, inner in value.items()}
    if isinstance(value, list | tuple):
        return [fold(inner, depth + 1) for inner in value]
    return value


def is_day(text: str) -> bool:
    """Does the calendar have this day? 2025-02-30 looks like one and is none."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def _number(value: float) -> object:
    # A long integer has no float to ask about, so `isfinite` would raise.
    if isinstance(value, float) and not isfinite(value):
        return f"({value} is no number)"
    if abs(value) > LARGEST:
        return "(too large a number)"
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _inline(schema: Any, parts: Mapping[str, Any]) -> Any:
    if isinstance(schema, dict):
        if "$ref" in schema:
            return _inline(parts[schema["$ref"].removeprefix("#/")], parts)
        return {
            key: _inline(value, parts)
            for key, value in schema.items()
            if not (key == "title" and isinstance(value, str))
        }
    if isinstance(schema, list):
        return [_inline(item, parts) for item in schema]
    return schema


@dataclass
class Desk:
    """One department: the rows it owns, the tools it offers, the scheduled events it answers."""

    name: str
    summary: str
    rows: tuple[type[Any], ...] = ()
    tools: list[Tool] = field(default_factory=list)
    events: dict[str, Callable[..., None]] = field(default_factory=dict)

    def tool(
        self,
        *,
        writes: bool = False,
        minutes: int | None = None,
        repeatable: bool | None = None,
        retired: str = "",
    ) -> Callable[[Function], Function]:
        """Offer a function. A writing tool takes a minute unless `minutes` says otherwise."""
        cost = (1 if writes else 0) if minutes is None else minutes
        if cost and not writes:
            raise ValueError("a tool that does not write takes no time")

        def add(run: Function) -> Function:
            again = not writes if repeatable is None else repeatable
            self.tools.append(Tool(run.__name__, self.name, run, writes, cost, again, retired))
            return run

        return add

    def event(self, run: Handler) -> Handler:
        """Answer the scheduled event named like the function."""
        self.events[run.__name__] = run
        return run
