"""A task played by a person at a terminal: words for documents, tools, records, clock and talk.

Everything a person learns comes through the same calls that an agent makes. What was shown once
can be completed with the tab key, and nothing else.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any

from rich.console import Console, RenderableType
from rich.markdown import Markdown
from rich.text import Text

from bythebook.cli import paper
from bythebook.cli.typed import NO_SCHEMA, Schema, spec_of, typed, valued
from bythebook.errors import BythebookError, UsageError
from bythebook.serve.seat import Seat

SHOWN = re.compile(r"[A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+")
"""Ids of documents and records, and names of tools and tables."""

Ask = Callable[[str], str]
"""Shows a prompt and gives back a line; raises `EOFError` when there are no more."""


@dataclass(frozen=True)
class Word:
    """One word of the terminal."""

    usage: str
    about: str
    do: Callable[["Terminal", str], None]


@dataclass
class Terminal:
    """One person at one seat."""

    seat: Seat
    console: Console
    ask: Ask
    known: set[str] = field(default_factory=set)
    """What was shown so far, for completion."""
    cards: dict[str, Schema] = field(default_factory=dict)
    """Arguments of the tools that were described."""
    listed: list[str] = field(default_factory=list)
    """Ids or names of the last list, for calling them by their number."""
    outcome: str | None = None
    leaving: bool = False

    def play(self) -> None:
        """Until the run is over, or the player leaves."""
        view = self.seat.view()
        self.outcome = view.outcome
        self.cards |= {tool.name: tool.schema for tool in view.tools}
        self._learn(view.instructions)
        self._procedure("")
        self._talk("")
        self.console.print(Text("`help` lists what you can type.", style="dim"))
        while self.outcome is None and not self.leaving:
            try:
                line = self.ask(self._prompt())
            except KeyboardInterrupt:
                self.console.print()
                continue
            except EOFError:
                break
            self._take(line.strip())

    def completions(self, text: str) -> list[str]:
        """What may stand where `text` stands."""
        names = (*WORDS, *self.cards, *self.known)
        return sorted({name for name in names if name.startswith(text)})

    # --- a line -----------------------------------------------------------------------------

    def _take(self, line: str) -> None:
        if not line:
            return
        first, _, rest = line.partition(" ")
        try:
            if first in WORDS:
                WORDS[first].do(self, rest.strip())
            else:
                self._tool(first, rest.strip())
        except BythebookError as error:
            self.console.print(Text(" ".join(filter(None, (error.what, error.hint))), style="red"))

    def _tool(self, name: str, rest: str) -> None:
        """A tool by its own name."""
        if name not in self.known and name not in self.cards:
            near = get_close_matches(name, (*WORDS, *self.cards, *self.known), n=1)
            hint = f"did you mean {near[0]!r}?" if near else "`help` lists what you can type."
            raise UsageError(f"{name!r} is no word here, and no tool that was shown.", hint=hint)
        schema = self.cards.get(name)
        if schema is None and not rest:
            raise UsageError(f"`describe {name}` first: then it asks for what it takes.")
        args = typed(rest, schema or NO_SCHEMA) if rest else self._asked(schema or NO_SCHEMA)
        self._call(name, args)

    def _asked(self, schema: Schema) -> dict[str, Any]:
        """Arguments asked for one by one; an optional one may be left empty."""
        found: dict[str, Any] = {}
        for name in schema.get("properties", {}):
            spec = spec_of(schema, name)
            required = name in schema.get("required", ())
            mark = "" if required else ", may be empty"
            text = self.ask(f"  {name} ({paper.kind_of(dict(spec))}{mark}): ").strip()
            if text:
                found[name] = valued(text, spec)
            elif required:
                raise UsageError(f"left: {name} is needed")
        return found

    def _call(self, name: str, args: dict[str, Any]) -> None:
        response = self.seat.call(name, args)
        self.outcome = response.outcome
        self._learn(response.text)
        if isinstance(response.result, list) and response.ok:
            self._number(response.result)
        if name == "describe_tool" and response.ok:
            self.cards[response.result["name"]] = response.result["arguments"]
        paper.show(self.console, paper.answer(name, response))

    def _number(self, rows: list[Any]) -> None:
        hits = [row for row in rows if isinstance(row, dict)]
        self.listed = [str(row.get("id") or row.get("name") or "") for row in hits]

    def _named(self, text: str, what: str) -> str:
        """An id as typed, or the one with that number in the last list."""
        if text.isdecimal() and 0 < int(text) <= len(self.listed):
            return self.listed[int(text) - 1]
        if not text:
            raise UsageError(f"which {what}?")
        return text

    def _learn(self, text: str) -> None:
        self.known.update(SHOWN.findall(text))

    def _prompt(self) -> str:
        view = self.seat.view()
        return f"{view.day} {view.clock} (t={view.t}), {view.calls} calls > "

    # --- words ------------------------------------------------------------------------------

    def _help(self, _: str) -> None:
        rows = [(word.usage, word.about) for word in WORDS.values()]
        rows.append(("TOOL name=value ...", "use any tool that was shown; alone, it asks"))
        self.console.print(paper.table(("type", "to"), rows))

    def _procedure(self, _: str) -> None:
        self.console.print(Markdown(self.seat.view().instructions))

    def _talk(self, _: str) -> None:
        paper.show(self.console, self._said())

    def _said(self) -> Iterator[RenderableType]:
        for said in self.seat.view().conversation:
            yield paper.words(said, when=f"t={said.t}")

    def _seen(self, _: str) -> None:
        self.console.print(Text(", ".join(sorted(self.known))))

    def _records(self, text: str) -> None:
        table, _, where = text.partition(" ")
        self._call("query_records", {"table": table or "?", "where": typed(where)})

    def _wait(self, text: str) -> None:
        self._call("wait", {"minutes": valued(text)})

    def _finish(self, text: str) -> None:
        if self.ask("End the work for good? (yes) ").strip().lower() in ("y", "yes"):
            self._call("finish", {"summary": text} if text else {})

    def _quit(self, _: str) -> None:
        self.leaving = True

    def _docs(self, text: str) -> None:
        self._call("search_documents", {"query": text})

    def _read(self, text: str) -> None:
        self._call("read_document", {"id": self._named(text, "document")})

    def _tools(self, text: str) -> None:
        self._call("search_tools", {"query": text})

    def _describe(self, text: str) -> None:
        self._call("describe_tool", {"name": self._named(text, "tool")})

    def _say(self, text: str) -> None:
        self._call("message_customer", {"text": text})

    def _standing(self, _: str) -> None:
        self._call("now", {})
        self.console.print(Text(self.seat.view().standing, style="dim"))


WORDS = {
    word.usage.partition(" ")[0]: word
    for word in (
        Word("help", "see this list", Terminal._help),
        Word("procedure", "read what binds you", Terminal._procedure),
        Word("talk", "read the conversation", Terminal._talk),
        Word("say TEXT", "write to the customer", Terminal._say),
        Word("docs WORDS", "search documents", Terminal._docs),
        Word("read ID", "read a document, by its id or its number in the list", Terminal._read),
        Word("tools WORDS", "search tools", Terminal._tools),
        Word("describe NAME", "see what a tool does and takes", Terminal._describe),
        Word("records TABLE column=value ...", "list records", Terminal._records),
        Word("now", "see day, clock and calls", Terminal._standing),
        Word("wait MINUTES", "let time pass", Terminal._wait),
        Word("seen", "see all names and ids that were shown", Terminal._seen),
        Word("finish SUMMARY", "end the work", Terminal._finish),
        Word("quit", "leave; the same command goes on later", Terminal._quit),
    )
}
