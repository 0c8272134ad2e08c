"""A golden knows nothing that its own trace has not shown it before.

Each business tool was found by a search, or named in a document or procedure that was read, and
described before its first use; each id among its arguments stood in the request, the procedure, a
document, an answer or the customer's words; each required document was found by one of its searches
and read.
"""

import re
from collections.abc import Iterator

import msgspec

from bythebook.conduct.counter import BASE
from bythebook.conduct.golden.plan import Golden
from bythebook.conduct.golden.rehearsal import Rehearsal
from bythebook.conduct.instructions import instructions
from bythebook.conduct.prove.values import texts_in
from bythebook.conduct.task import ConductTask
from bythebook.trace import Event

WORD = re.compile(r"[A-Za-z0-9](?:[\w-]*\w)?")


class Discovery:
    """Walks one golden's trace and notes what it has been shown."""

    def __init__(self, task: ConductTask, golden: Golden, rehearsal: Rehearsal) -> None:
        self.task, self.rehearsal = task, rehearsal
        self.steps = dict(zip(rehearsal.calls, golden.steps, strict=False))
        self.keys = {key for rows in rehearsal.tables.values() for key in rows}
        self.shown: set[str] = set()
        self.described: set[str] = set()
        self.found: set[str] = set()
        self.read: set[str] = set()
        self.searched: set[str] = set()
        """Documents read after a search had shown them."""

    def problems(self) -> Iterator[str]:
        """What it used without having been shown it, and what it did not read."""
        self._show(instructions(self.task))
        for event in self.rehearsal.events:
            if event.kind == "call":
                yield from self._used(event)
            if event.ok:
                self._learn(event)
        for name in self.task.file.required_documents:
            if name not in self.read:
                yield f"required document {name} is not read"
            elif name not in self.searched:
                yield f"required document {name} is read, but no search before it shows it"

    def _used(self, event: Event) -> Iterator[str]:
        step = self.steps[event.i].id
        named = event.args.get("name") if event.name == "describe_tool" else event.name
        if named not in BASE and named not in self.shown:
            yield f"step {step}: nothing before it shows that there is a tool {named}"
        if event.name not in BASE and event.name not in self.described:
            yield f"step {step}: {event.name} is used before it was described"
        if event.name == "message_customer":
            return
        for text in texts_in(event.args):
            if text in self.keys and text not in self.shown:
                yield f"step {step}: nothing before it shows the id {text}"
        if event.name == "read_document" and str(event.args.get("id")) not in self.shown:
            yield f"step {step}: nothing before it shows the document {event.args.get('id')}"

    def _learn(self, event: Event) -> None:
        if event.kind == "message" and event.actor == "customer":
            self._show(str(event.args["text"]))
        if event.kind != "call":
            return
        result = event.result
        self._show(result if isinstance(result, str) else msgspec.json.encode(result).decode())
        if event.name == "describe_tool":
            self.described.add(str(event.args["name"]))
        elif event.name == "search_documents":
            self.found.update(hit.id for hit in result)
        elif event.name == "read_document":
            name = str(event.args["id"])
            self.read.add(name)
            if name in self.found:
                self.searched.add(name)

    def _show(self, text: str) -> None:
        self.shown.update(WORD.findall(text))
