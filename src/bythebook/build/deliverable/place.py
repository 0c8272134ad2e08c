"""A folder in which deliverables tasks are built, and its files as they stand."""

import os
import re
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Generic, Self, TypeVar

import msgspec

from bythebook import yamlfile
from bythebook.build.deliverable.records import (
    Interview,
    Product,
    ProofRecord,
    Record,
    Rules,
    Scenario,
    TaskRecord,
)
from bythebook.deliverables.proof.prover import references_amiss
from bythebook.deliverables.task import DeliverableTask, load_task
from bythebook.errors import ContentError, UsageError, suggestion
from bythebook.run.deliver import Reader
from bythebook.task import Content, folder_hash

R = TypeVar("R", bound=Record)

ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")
KINDS = {"product": "pool", "interview": "interviews", "scenario": "scenarios", "task": "tasks"}
"""Kind of thing to its folder."""
ASIDE = ("review.yaml", "hand.yaml", "faults.yaml", "faults.lock", "reference-2")
"""Parts of a task folder that neither agent nor judge is given."""


class Lack(msgspec.Struct, frozen=True):
    """Something that keeps a gate shut."""

    where: str
    """File, with the line where there is one."""
    field: str
    what: str
    do: str
    """The next move."""

    @property
    def told(self) -> str:
        """Without the next move."""
        field = f"{self.field}: " if self.field else ""
        return f"{self.where}: {field}{self.what}"

    def __str__(self) -> str:
        return f"{self.told}\n  {self.do}"


class Shut(Exception):
    """A gate cannot be looked through: what its checks read does not read itself."""

    def __init__(self, lack: Lack) -> None:
        super().__init__(str(lack))
        self.lack = lack


class Page(Generic[R]):
    """One file of a place. What does not read is `broken`, and counts as empty."""

    def __init__(self, path: Path, kind: type[R]) -> None:
        self.path, self.text = path, ""
        self.value = kind()
        self.broken: Lack | None = None
        try:
            self.text = yamlfile.read_text(path)
            self.value = yamlfile.convert(self.text, kind, where=path)
        except ContentError as error:
            self.broken = Lack(error.where, "", error.what, error.hint or "mend it")

    def sound(self) -> Self:
        """The page, where it reads. Raises `Shut`."""
        if self.broken:
            raise Shut(self.broken)
        return self

    def beside(self, told: str) -> Path:
        """A path that the file names, as seen from where it lies."""
        return Path(os.path.normpath(self.path.parent / told))

    def at(self, field: str) -> str:
        """The file, with the line of a field such as `funding.usd` or `demos[0].input`."""
        line = yamlfile.line_of(self.text, f".{field}") if self.text and field else 0
        return f"{self.path}:{line}" if line else str(self.path)

    def lack(self, field: str, what: str, do: str) -> Lack:
        return Lack(self.at(field), field, what, do)

    def filled(self, **asked: str) -> Iterator[Lack]:
        """Lacks of fields that are empty; field to what should stand there."""
        for field, do in asked.items():
            value = getattr(self.value, field)
            empty = value is None or value == () or (isinstance(value, str) and not value.strip())
            if empty:
                yield self.lack(field, "is missing", f"write there {do}")


class Place:
    """The folder, and what commands are given with it."""

    def __init__(self, root: Path, content: Content, reader: Reader) -> None:
        if root.exists() and not root.is_dir():
            raise UsageError("this is a file; --to names a folder", where=root)
        self.root, self.content, self.reader = root, content, reader
        self._amiss: dict[str, tuple[str, ...]] = {}
        """A task's hash to what its references lack."""

    # --- what there is ----------------------------------------------------------------------

    def path(self, kind: str, name: str) -> Path:
        """The file of a thing; of a task its record."""
        folder = self.root / KINDS[kind]
        return folder / name / "record.yaml" if kind == "task" else folder / f"{name}.yaml"

    def names(self, kind: str) -> list[str]:
        folder = self.root / KINDS[kind]
        if kind == "task":
            return sorted(path.parent.name for path in folder.glob("*/record.yaml"))
        return sorted(path.stem for path in folder.glob("*.yaml"))

    def need(self, kind: str, name: str) -> None:
        """Raises `UsageError` where there is no such thing."""
        if not self.path(kind, name).is_file():
            what = f"there is no {kind} {name!r} here"
            raise UsageError(what, where=self.root, hint=suggestion(name, self.names(kind)))

    def product(self, name: str) -> Page[Product]:
        return Page(self.path("product", name), Product)

    def interview(self, name: str) -> Page[Interview]:
        return Page(self.path("interview", name), Interview)

    def scenario(self, name: str) -> Page[Scenario]:
        return Page(self.path("scenario", name), Scenario)

    def record(self, name: str) -> Page[TaskRecord]:
        return Page(self.path("task", name), TaskRecord)

    def beside(self, task: str, file: str, kind: type[R]) -> Page[R]:
        """One of a task's other files."""
        return Page(self.root / "tasks" / task / file, kind)

    def interviews_of(self, product: str) -> dict[str, Page[Interview]]:
        every = {name: self.interview(name) for name in self.names("interview")}
        return {name: page for name, page in every.items() if page.value.product == product}

    @cached_property
    def rules(self) -> Rules:
        path = self.root / "rules.yaml"
        rules = yamlfile.load(path, Rules) if path.exists() else Rules()
        if rules.stand_ins and not rules.because.strip():
            hint = "say in `because` why models stand in for people here"
            raise ContentError("stand_ins are named without a reason", where=path, hint=hint)
        return rules

    # --- the task itself --------------------------------------------------------------------

    def folder(self, task: str) -> Path:
        """Where a task's folder should be, by its record."""
        page = self.record(task)
        return page.beside(page.value.folder)

    def loaded(self, task: str) -> DeliverableTask:
        """The task itself. Raises `ContentError` when it does not load."""
        folder = self.folder(task)
        if not self.record(task).value.folder or not (folder / "task.yaml").is_file():
            at = self.record(task).at("folder")
            hint = "name the folder that holds task.yaml, as seen from this file"
            raise ContentError("leads to no task", where=at, hint=hint)
        real = folder.resolve()
        if real.parts[-3:-1] != ("tasks", "deliverables"):
            hint = "move it to CONTENT/tasks/deliverables/ID: `bythebook new task` begins one there"
            raise ContentError("is no folder of a content's tasks", where=folder, hint=hint)
        found = load_task(Content([real.parents[2], *self.content.roots[:-1]]), real.name)
        _ = found.rubric
        return found

    def references_amiss(self, task: DeliverableTask) -> tuple[str, ...]:
        """What keeps its references from the full score under the checks as they are now. Where
        nothing recalculates nobody can tell, and nothing is said."""
        if self.reader.engine is None:
            return ()
        key = whole_hash(task)
        if key not in self._amiss:
            engine, cache = self.reader.engine, self.reader.cache
            self._amiss[key] = references_amiss(task, engine=engine, cache=cache)
        return self._amiss[key]

    def proof(self, task: str) -> ProofRecord | None:
        path = self.root / "tasks" / task / "proof.json"
        if not path.exists():
            return None
        try:
            return msgspec.json.decode(path.read_bytes(), type=ProofRecord)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            hint = f"make it anew: bythebook build deliverable-task --to DIR prove {task}"
            raise ContentError(f"does not read: {error}", where=path, hint=hint) from None


def question_hash(task: DeliverableTask) -> str:
    """SHA-256 of what the agent and the judge are given: prompt, inputs, rubric, expected tables,
    and the reference."""
    return folder_hash([task.folder], without=ASIDE)


def whole_hash(task: DeliverableTask) -> str:
    """SHA-256 of all that is proved."""
    return folder_hash([task.folder], without=("review.yaml",))
