"""The golden before its author has touched it: what can be known of it is filled in.

Papers are searched and read, records listed, and for each step of the procedures its tools are
found, described and called, in order. An argument is known when one row of the task, the answer of
an earlier step or the day can be meant; the rest is marked.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from bythebook import yamlfile
from bythebook.build.conduct.align import returns_row, shape_told
from bythebook.build.conduct.forms import UNKNOWN, Alignment, Scenario, dumped
from bythebook.conduct.counter import BASE
from bythebook.conduct.golden.plan import FINISH, Step, StepEntry, step_of
from bythebook.conduct.golden.rehearsal import enact
from bythebook.conduct.prove.papers import Paraphrases
from bythebook.conduct.prove.values import texts_in
from bythebook.conduct.schema import Spec
from bythebook.conduct.sops import Sop
from bythebook.conduct.task import ConductTask

FREE = ("message_customer", "text"), ("wait", "minutes"), (FINISH, "summary")


class Stop(msgspec.Struct, frozen=True):
    """Where the engine could not go on, and why; `step` is empty when it went to the end."""

    step: str
    call: str
    why: str
    played: int
    """Calls before it that were answered."""


class Skeleton(msgspec.Struct, frozen=True):
    """Steps, and notes for whoever fills them in, by step."""

    steps: tuple[StepEntry, ...]
    notes: dict[str, str]

    @property
    def text(self) -> str:
        """golden.yaml with marks; `free` and `slack` are for the author to say."""
        called = {step.call for step in self.steps}
        free = [f"{tool}.{arg}" for tool, arg in FREE if tool in called]
        lines = ["slack: unlimited", f"free: [{', '.join(free)}]", "steps:"]
        for step in self.steps:
            data = {"id": step.id, "call": step.call}
            entry = dumped([data | ({"with": step.args} if step.args else {})]).rstrip("\n")
            lines += [f"  # {self.notes[step.id]}"] if step.id in self.notes else []
            lines += [f"  {line}" for line in entry.splitlines()]
        return "\n".join(lines) + "\n"


def skeleton(
    task: ConductTask, sops: Mapping[str, Sop], alignment: Alignment, story: Scenario
) -> Skeleton:
    """The steps that follow from alignment, scenario and rows."""
    maker = _Maker(task)
    for name in story.required_documents:
        maker.paper(name)
    for table in task.file.overlay:
        maker.look(table)
    for sop in sops.values():
        for step in sop.steps:
            for tool in alignment[sop.id][step.id].tools:
                maker.use(tool, f"{sop.id}#{step.id}")
    maker.add(FINISH, FINISH, {"summary": "Done."})
    return Skeleton(tuple(maker.steps), maker.notes)


def played(task: ConductTask, skeleton: Skeleton) -> Stop:
    """Let the engine play what stands there, up to the first mark or refusal."""
    ready: list[Step] = []
    stopped = ""
    for entry in skeleton.steps:
        if UNKNOWN in texts_in(entry.args):
            stopped = entry.id
            break
        ready.append(step_of(entry))
    scene, _ = enact(task, tuple(ready))
    calls = [event for event in scene.events if event.kind == "call"]
    for number, (step, event) in enumerate(zip(ready, calls, strict=False)):
        if not event.ok:
            return Stop(step.id, step.call, str(event.result), number)
    if stopped:
        entry = next(one for one in skeleton.steps if one.id == stopped)
        marked = [name for name, value in entry.args.items() if UNKNOWN in texts_in({"v": value})]
        why = f"not known: {', '.join(marked)}; {skeleton.notes.get(stopped, '')}".rstrip("; ")
        return Stop(stopped, entry.call, why, len(calls))
    return Stop("", "", "", len(calls))


def _questions(task: ConductTask) -> dict[str, str]:
    """The first message that somebody wrote for each private fact."""
    path = task.folder / "paraphrases.yaml"
    if not path.exists():
        return {}
    found = yamlfile.load(path, dict[str, Paraphrases])
    private = [fact.id for fact in task.scenario.file.private]
    return {name: found[name].elicits[0] for name in private if name in found}


class _Maker:
    """Steps so far."""

    def __init__(self, task: ConductTask) -> None:
        self.task, self.company = task, task.company
        self.steps: list[StepEntry] = []
        self.notes: dict[str, str] = {}
        self._described: set[str] = set()
        self._questions = _questions(task)
        """Private fact to a message that brings it out; each is asked once."""
        self._rows: dict[str, str] = {}
        """Step to the table whose row it is answered with."""

    def add(self, name: str, call: str, args: dict[str, Any], note: str = "") -> str:
        taken = {step.id for step in self.steps}
        number, free = 2, name
        while free in taken:
            free, number = f"{name}-{number}", number + 1
        self.steps.append(StepEntry(free, call, args))
        if note:
            self.notes[free] = note
        return free

    def paper(self, name: str) -> None:
        """Search and read; a paper that its title does not find is marked."""
        document = self.company.library.documents[name]
        query = self._query(name, document.front.title, document.front.family.replace("-", " "))
        note = "" if query else "no words of its title find it: write a query that does"
        number = sum(step.call == "read_document" for step in self.steps) + 1
        self.add(f"s{number}", "search_documents", {"query": query or UNKNOWN}, note)
        self.add(f"r{number}", "read_document", {"id": name})

    def _query(self, name: str, *queries: str) -> str:
        find = self.company.document_index.find
        return next((query for query in queries if name in find(query)), "")

    def look(self, table: str) -> None:
        if not self.company.kinds[table].private:
            where = self._where(table)
            self.add(f"q-{table}", "query_records", {"table": table, **where})

    def _where(self, table: str) -> dict[str, Any]:
        """What all rows of the task in a table have in common, and leads to the customer."""
        party = self.task.scenario.file.party
        rows = self.task.file.overlay[table]
        owned = [n for n in rows[0] if all(row.get(n) == party for row in rows)] if rows else []
        return {"where": {owned[0]: party}} if owned else {}

    def use(self, tool: str, came_from: str) -> None:
        """Find it, have it described, call it."""
        if tool == "message_customer" and self._questions:
            for fact, text in self._questions.items():
                self.add(f"ask-{fact}", tool, {"text": text}, f"{came_from}; brings out {fact}")
            self._questions = {}
            return
        if tool in BASE:
            args = {name: UNKNOWN for name in self._required(tool)}
            self.add(tool.replace("_", "-"), tool, args, came_from)
            return
        if tool not in self._described:
            self._described.add(tool)
            query = tool.replace("_", " ")
            found = tool in self.company.tool_index.find(query)
            note = "" if found else "its name does not find it: write a query that does"
            self.add(f"t-{tool}", "search_tools", {"query": query if found else UNKNOWN}, note)
            self.add(f"d-{tool}", "describe_tool", {"name": tool})
        args, notes = {}, [came_from]
        for name in self._required(tool):
            args[name], note = self._value(tool, name)
            notes += [f"{name}: {note}"] if note else []
        step = self.add(tool, tool, args, "; ".join(notes))
        self._rows[step] = returns_row(self.company, self.company.tools[tool])

    def _required(self, tool: str) -> list[str]:
        found = BASE.get(tool) or self.company.tools[tool]
        return [field.name for field in msgspec.structs.fields(found.arguments) if field.required]

    def _value(self, tool: str, name: str) -> tuple[Any, str]:
        """What an argument is, or the mark and what it could be."""
        spec = self.company.schema.calls[tool].args[name]
        if spec.kind == "day":
            return self.task.file.day, ""
        if len(spec.values) == 1:
            return spec.values[0], ""
        if spec.kind == "str" and not spec.values:
            return self._key(name)
        return UNKNOWN, shape_told(spec)

    def _key(self, name: str) -> tuple[Any, str]:
        """A row: the only one of the task that can be meant; if there is none, the one that an
        earlier step made."""
        rows = {t: r for t, r in self.task.file.overlay.items() if _means(name, t)}
        keys = [str(row["id"]) for found in rows.values() for row in found]
        for step, table in reversed(self._rows.items()) if not keys else ():
            if table and (_means(name, table) or (name == "subject" and self._terms(table))):
                return f"${step}.id", ""
        if len(keys) == 1:
            return keys[0], ""
        return UNKNOWN, f"one of {', '.join(keys)}" if keys else shape_told(Spec("str"))

    def _terms(self, table: str) -> bool:
        return bool(self.company.kinds[table].terms)


def _means(argument: str, table: str) -> bool:
    """Does an argument of this name hold a key of this table? `file`: receipt_files."""
    return argument.removesuffix("_id") in set(_singulars(table))


def _singulars(table: str) -> Iterator[str]:
    for words in (table, table.rpartition("_")[2]):
        yield words
        yield words.removesuffix("s")
        yield words.removesuffix("es")
        yield words.removesuffix("ies") + "y"
