"""A conduct task: its folder read, checked against the company, and made ready to be opened."""

import re
from collections.abc import Collection, Iterable, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook import yamlfile
from bythebook.conduct.company import Company, rows_of
from bythebook.conduct.criteria.grammar import Criteria, load
from bythebook.conduct.criteria.vocabulary import Vocabulary, editions_of
from bythebook.conduct.customer.scenario import Scenario, load_scenario
from bythebook.conduct.schema import type_of
from bythebook.conduct.sops import Sop
from bythebook.conduct.world import Opening, state_hash
from bythebook.errors import ContentError, unknown
from bythebook.task import Content, Task, folder_hash
from bythebook.tool import Day

CLOCK = re.compile(r"^([01]\d|2[0-3]):[0-5]\d$")

Dependency = Literal[
    "limited resources",
    "deadlines and order",
    "prior commitments",
    "conflicting or outdated guidance",
]


class TaskEvent(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"args": "with"}):
    """Something that happens whatever the agent does, and that nobody can know before."""

    event: str
    t: int
    args: dict[str, Any] = {}


class TaskFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`task.yaml`."""

    title: str
    request: str
    sop: tuple[str, ...]
    day: Day
    clock: str
    dependencies: tuple[Dependency, ...]
    canary: str
    overlay: dict[str, tuple[dict[str, Any], ...]] = {}
    replaces: tuple[str, ...] = ()
    """Ids of the company's rows in whose place rows of the overlay stand."""
    events: tuple[TaskEvent, ...] = ()
    required_documents: tuple[str, ...] = ()
    lookalikes: dict[str, tuple[str, ...]] = {}
    """By family of the required documents: what a reader in a hurry takes for the one in force."""
    tags: tuple[str, ...] = ()


class ConductTask(Task, frozen=True, kw_only=True, dict=True):
    """A task in its company. Parts that only some callers need are read when first asked for."""

    company: Company
    file: TaskFile

    @cached_property
    def opening(self) -> Opening:
        """The state that every run of the task starts from."""
        tables = {name: dict(rows) for name, rows in self.company.base.items()}
        path = self.folder / "task.yaml"
        for table, values in self.file.overlay.items():
            where = f"{path}, overlay {table}"
            rows = rows_of(table, list(values), self.company.kinds, where=where)
            tables[table].update(rows)
        check_replaced(self.company, self.file.overlay, self.file.replaces, where=path)
        hours, minutes = self.file.clock.split(":")
        clock = int(hours) * 60 + int(minutes)
        parameters = self.company.parameters
        return Opening(tables, state_hash(tables), self.file.day, clock, parameters)

    @cached_property
    def sops(self) -> tuple[Sop, ...]:
        """In the order of task.yaml."""
        return tuple(self.company.sops[name] for name in self.file.sop)

    @cached_property
    def scenario(self) -> Scenario:
        """customer.yaml, checked. Raises `ContentError`."""
        return load_scenario(self.folder / "customer.yaml", self.company)

    @cached_property
    def criteria(self) -> Criteria:
        """criteria.yaml, compiled and checked. Raises `ContentError`."""
        company = self.company
        words = Vocabulary(company.schema, company.functions, editions_of(company.library))
        path = self.folder / "criteria.yaml"

        def cites(family: str, clause: str) -> None:
            company.library.cites(f"{family}#{clause}", where=path)

        criteria = load(path, words, cites=cites)
        criteria.check_keys(self.opening.tables)
        return criteria


def check_replaced(
    company: Company,
    overlay: Mapping[str, Iterable[Mapping[str, Any]]],
    replaces: Collection[str],
    *,
    where: str | Path,
) -> None:
    """No row of a task takes a company row's place by chance. Raises `ContentError`."""
    taken = {
        str(row["id"]): table
        for table, rows in overlay.items()
        for row in rows
        if row.get("id") in company.base.get(table, {})
    }
    for key, table in taken.items():
        if key not in replaces:
            hint = f"take another id; or, if its row is to be replaced, write replaces: [{key}]"
            what = f"the company's {table} have {key} already"
            raise ContentError(what, where=f"{where}, overlay {table}", hint=hint)
    for key in replaces:
        if key not in taken:
            hint = "write the row into overlay, or take the id out"
            what = f"no row of the overlay replaces a row {key!r} of the company"
            raise ContentError(what, where=f"{where}, replaces", hint=hint)


def load_task(content: Content, company: Company, name: str) -> ConductTask:
    """One task by id or prefix, checked. Raises `ContentError` or `UsageError`."""
    folder = content.task("conduct", name)
    path = folder / "task.yaml"
    file = yamlfile.load(path, TaskFile)
    _check(file, company, path)
    return ConductTask(
        id=folder.name,
        suite="conduct",
        title=file.title,
        folder=folder,
        hash=folder_hash([folder]),
        tags=file.tags,
        canary=file.canary,
        company=company,
        file=file,
    )


def load_tasks(
    content: Content, company: Company, names: tuple[str, ...] = ()
) -> list[ConductTask]:
    """The named tasks, or all of them."""
    return [load_task(content, company, n) for n in names or tuple(content.tasks("conduct"))]


def _check(file: TaskFile, company: Company, path: Path) -> None:
    if not CLOCK.match(file.clock):
        raise ContentError(f'clock {file.clock!r} is not a time such as "09:30"', where=path)
    if len(set(file.dependencies)) < 2:
        raise ContentError("a task mixes at least two kinds of dependencies", where=path)
    for sop in file.sop:
        if sop not in company.sops:
            raise unknown("procedure", sop, company.sops, where=path)
    _check_papers(file, company, path)
    for event in file.events:
        _check_event(event, company, path)


def _check_papers(file: TaskFile, company: Company, path: Path) -> None:
    documents = company.library.documents
    lookalikes = [d for ids in file.lookalikes.values() for d in ids]
    for document in (*file.required_documents, *lookalikes):
        if document not in documents:
            raise unknown("document", document, documents, where=path)
    families = {documents[d].front.family for d in file.required_documents}
    for family, ids in file.lookalikes.items():
        where = f"{path}, lookalikes"
        if family not in families:
            raise unknown("family of a required document", family, families, where=where)
        for document in (d for d in ids if d in file.required_documents):
            raise ContentError(f"{document!r} is a required document", where=where)


def _check_event(event: TaskEvent, company: Company, path: Path) -> None:
    where = f"{path}, event {event.event!r} at t={event.t}"
    if event.event not in company.events:
        raise unknown("scheduled event", event.event, company.events, where=where)
    signature = company.schema.events[event.event]
    for name in event.args:
        if name not in signature.args:
            raise unknown("argument", name, signature.args, where=where)
    for name, spec in signature.args.items():
        if name not in event.args:
            raise ContentError(f"argument {name!r} is missing", where=where)
        yamlfile.fit(event.args[name], type_of(spec), where=f"{where}, {name}")
