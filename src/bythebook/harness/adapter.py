"""What every harness is told and asked, whatever its own words for it are.

    harness = opened("nanobot")                  # installed, or an error that says how
    harness.prepare(setup)                       # its configuration, into the home
    command = harness.turn(setup, words, "")     # one program, run to its end in the sandbox
    said = harness.read(setup, ran)              # what it said at its end, and how it ended
    command = harness.turn(setup, more, said.session)

A turn goes from words given to the harness until it hands back words of its own, however many
model calls and tools that takes. Its exit code alone says nothing: some end with 0 on an error of
the provider, some with 1 at their cap.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Literal, Protocol

import msgspec

from bythebook.harness.install import Installed, Recipe
from bythebook.models.types import Dialect
from bythebook.models.wire import UNREADABLE, read_json
from bythebook.sandbox.furniture import Furniture
from bythebook.sandbox.layout import Bounds
from bythebook.sandbox.process import Keeping, Ran

Ending = Literal["finished", "cap", "error", "crash", "empty"]
"""What the harness itself says. finished: with words. cap: it ran into its own limit of steps.
error: a model call failed. crash: it came to no end of its own. empty: it ended without words.
What the gateway saw goes before it."""

BOUNDS = Bounds(address=0)
"""What a harness may use. Some reserve far more address space than they will ever fill."""
KEEPING = Keeping(4 * 2**20)
"""What `read` must be given of a program's output: its last line holds all its closing words."""
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
LAST = 2_000
"""Characters kept of what a harness says of its own failure."""


class Setup(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt, as a harness is told of it."""

    home: Path
    """The folder, on this machine, that it finds as its home."""
    home_inside: str
    """The same folder as it sees it."""
    workspace_inside: str
    """Where it works, as it sees it."""
    model: str
    """The model's name, which the gateway replaces by the real one."""
    model_url: str
    """Where the gateway is, as it sees it: scheme, host and port alone."""
    tools_url: str = ""
    """An MCP server over HTTP whose tools it is given; empty: its own tools alone."""
    steps: int = 200
    """Most model calls of a turn."""
    context_tokens: int = 200_000
    """The model's window."""
    max_tokens: int = 32_768
    """Most tokens of a reply."""
    temperature: float | None = None

    def inside(self, *parts: str) -> str:
        """A path below the home, as the harness sees it."""
        return "/".join((self.home_inside.rstrip("/"), *parts))


class Command(msgspec.Struct, frozen=True):
    """One program to be run in the workspace."""

    argv: tuple[str, ...]
    env: Mapping[str, str] = NO_VARIABLES
    """Set beside what the sandbox sets."""
    stdin: bytes = b""


class Said(msgspec.Struct, frozen=True):
    """A harness's own account of a turn."""

    text: str = ""
    """Its closing words."""
    session: str = ""
    """By which the conversation goes on."""
    ending: Ending = "finished"
    says: str = ""
    """Why it did not finish, in its words."""


class Harness(Protocol):
    """An agent program of others. Its objects hold nothing of an attempt."""

    @property
    def recipe(self) -> Recipe:
        """How it is installed."""

    @property
    def dialect(self) -> Dialect:
        """What it speaks to a model in."""
        ...

    @property
    def takes_tools(self) -> bool:
        """Can it be given tools over MCP? Without, it cannot play in conduct."""
        ...

    @property
    def shows_pictures(self) -> bool:
        """Does it pass a picture that such a tool answers on to its model? Others keep it as a file
        that the model is not shown."""
        ...

    @property
    def litter(self) -> tuple[str, ...]:
        """Patterns, below the workspace, of what it leaves there for its own use."""
        ...

    @property
    def differences(self) -> tuple[str, ...]:
        """How its tools and ways differ from the other harnesses', in plain sentences."""
        ...

    def furniture(self) -> Furniture:
        """What a sandbox must hold for it. Raises `UsageError` where it is not installed."""
        ...

    def prepare(self, setup: Setup) -> None:
        """Write its configuration into the home; again and again has the effect of once."""
        ...

    def turn(self, setup: Setup, words: str, session: str) -> Command:
        """The program that takes these words; `session` is empty at first."""
        ...

    def read(self, setup: Setup, ran: Ran) -> Said:
        """What it said when its program had ended, however that was."""
        ...


def furniture_of(installed: Installed) -> Furniture:
    """The environment at its own place, with the Python that it was made with."""
    root = installed.python.parents[1]
    own = () if Path("/usr") in (root, *root.parents) else ("bin", "lib", "lib64")
    python = [root / part for part in own if (root / part).is_dir()]
    shown = tuple((folder, str(folder)) for folder in (*python, installed.folder))
    sites = (site for folder in python for site in folder.glob("python*/site-packages"))
    return Furniture(shown=shown, emptied=tuple(sites))


def as_words(words: str) -> bytes:
    """What is read as words, where a slash at the beginning would make a command of them."""
    command = words.lstrip().startswith("/")
    return as_utf8(f"Message:\n{words}" if command else words)


def as_utf8(words: str) -> bytes:
    """For a standard input; half a surrogate pair, which UTF-8 cannot hold, is a question mark."""
    return words.encode("utf-8", "replace")


def crashed(ran: Ran) -> Said:
    """It ended without a word of its own about how."""
    how = ran.ended or f"exit code {ran.code}"
    last = ran.err.text.strip() or ran.out.text.strip()
    return Said(ending="crash", says=f"{how}: {last[-LAST:]}" if last else how)


def last_object(text: str) -> dict[str, Any] | None:
    """The last line that is a JSON object, of what a program wrote."""
    return next(iter(objects(text, last_first=True)), None)


def objects(text: str, *, last_first: bool = False) -> Iterator[dict[str, Any]]:
    """The lines that are JSON objects; others, and what was cut, are passed over."""
    lines = text.splitlines()
    for line in reversed(lines) if last_first else lines:
        try:
            found = read_json(line)
        except UNREADABLE:
            continue
        if isinstance(found, dict):
            yield found
