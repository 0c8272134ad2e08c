"""The chunk of a task: what its folder tells, and what its replays have in common."""

import re
from dataclasses import dataclass
from functools import cached_property

import msgspec

from bythebook import yamlfile
from bythebook.conduct.company import Company, load_company
from bythebook.conduct.task import TaskFile as ConductFile
from bythebook.deliverables.task import TaskFile as DeliverableFile
from bythebook.errors import BythebookError
from bythebook.report.site.conduct import Edition, Procedure, procedure
from bythebook.report.site.faultview import KnownFault, known_faults
from bythebook.report.site.handed import Rubric
from bythebook.report.site.papers import Shelf
from bythebook.task import Content


class TaskFolder(msgspec.Struct, frozen=True, kw_only=True):
    """What the folder of a task says of it; bare where there is no such folder here."""

    title: str
    domain: str = ""
    tags: tuple[str, ...] = ()
    request: str = ""
    required: tuple[str, ...] = ()
    procedures: tuple[Procedure, ...] = ()
    faults: tuple[KnownFault, ...] = ()


class TaskChunk(msgspec.Struct, frozen=True, kw_only=True):
    """The chunk `task/N`."""

    suite: str
    id: str
    folder: TaskFolder
    editions: tuple[Edition | Rubric, ...]
    pool: tuple[msgspec.Raw, ...]


@dataclass
class Shelves:
    """Task folders and the company, read once; what does not read is left out and told."""

    content: Content

    def __post_init__(self) -> None:
        self.problems: list[str] = []

    @cached_property
    def company(self) -> Company | None:
        try:
            return load_company(self.content)
        except BythebookError as error:
            self.problems.append(f"Procedures are left out: {' '.join(str(error).split())}")
            return None

    def shelf(self, required: tuple[str, ...]) -> Shelf:
        company = self.company
        documents = company.library.documents if company is not None else {}
        return Shelf(
            frozenset(required), {name: one.front.family for name, one in documents.items()}
        )

    def folder(self, suite: str, task: str) -> TaskFolder:
        """What is said of a task here."""
        folder = self.content.tasks(suite).get(task)
        if folder is None:
            return TaskFolder(title=_spoken(task))
        path = folder / "task.yaml"
        try:
            if suite == "conduct":
                return self._conduct(yamlfile.load(path, ConductFile))
            file = yamlfile.convert(yamlfile.read_text(path), DeliverableFile, where=path)
        except BythebookError as error:
            self.problems.append(" ".join(str(error).split()))
            return TaskFolder(title=_spoken(task))
        return TaskFolder(
            title=file.title,
            domain=file.domain,
            tags=file.tags,
            faults=known_faults(folder),
        )

    def _conduct(self, file: ConductFile) -> TaskFolder:
        sops = self.company.sops if self.company is not None else {}
        return TaskFolder(
            title=file.title,
            tags=file.tags,
            request=file.request,
            required=file.required_documents,
            procedures=tuple(procedure(sops[name]) for name in file.sop if name in sops),
        )


def _spoken(task: str) -> str:
    """`q03-acacia-durian` as a title."""
    words = re.sub(r"[-_]+", " ", task).strip()
    return words or task
