"""A deliverables task: its folder read and checked. T = (q, E, R): prompt, inputs, rubric.

tasks/deliverables/<id>/
  task.yaml  prompt.md  inputs/  rubric.yaml  expected/*.csv
  reference/  reference-2/  faults.yaml  faults.lock  hand.yaml  review.yaml
"""

from functools import cached_property
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal

import msgspec

from bythebook import yamlfile
from bythebook.deliverables.checks.held import Held
from bythebook.deliverables.checks.lint import check_fair, pinned
from bythebook.deliverables.evidence.model import Content as Read
from bythebook.deliverables.evidence.model import FileEvidence, Kind
from bythebook.deliverables.expected import Expected, load_expected
from bythebook.deliverables.rubric import RubricFile, load_rubric
from bythebook.errors import ContentError
from bythebook.task import Content, Task, folder_hash

Domain = Literal["medical", "finance", "legal", "business", "stem", "education"]
DOMAINS: dict[Domain, int] = {
    "medical": 21,
    "finance": 18,
    "legal": 16,
    "business": 19,
    "stem": 16,
    "education": 7,
}
"""Domain to its number of tasks in the paper (StartupBench, Table 2)."""


class Workflow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the work comes from: which kind of product does it, for whom, why it is delegated."""

    product: str
    user: str
    why: str


class TaskFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`task.yaml`."""

    title: str
    domain: Domain
    wants: dict[str, Kind]
    """Names of the wanted files, relative to `results/`, and what they must be."""
    workflow: Workflow
    canary: str
    locale: Literal["en", "de", "fr"] = "en"
    """How numbers are written: `1,234.5`, `1.234,5` or `1 234,5`."""
    seed: int = 0
    """Of the recipe that built the folder."""
    tags: tuple[str, ...] = ()


class DeliverableTask(Task, frozen=True, kw_only=True, dict=True):
    """A task as its folder tells it. Parts that only some callers need are read when first asked
    for; the rubric then raises `ContentError` for whatever does not hold in it."""

    file: TaskFile

    @property
    def wants(self) -> dict[str, Kind]:
        """Names of the wanted files, relative to `results/`, and what they must be."""
        return self.file.wants

    @cached_property
    def prompt(self) -> str:
        """q of the paper: prompt.md, word for word."""
        return yamlfile.read_text(self.folder / "prompt.md")

    @property
    def inputs(self) -> Path:
        """E of the paper: the folder of the files that the agent gets."""
        return self.folder / "inputs"

    @property
    def reference(self) -> Path:
        """The folder of right deliverables; it may not be there."""
        return self.folder / "reference"

    @cached_property
    def expected(self) -> Expected:
        """What whole columns must hold. Raises `ContentError`."""
        return load_expected(self.folder)

    @cached_property
    def evidence(self) -> Held:
        """What was read of the inputs; nothing recalculates them."""
        contents = self._read[0]
        return Held({name: content for name, content in contents.items() if content is not None})

    @property
    def unread(self) -> dict[str, str]:
        """Inputs that do not read, with the reason."""
        return {
            name: f"is {file.status.replace('_', ' ')}: {file.says}"
            for name, file in self._read[1].items()
            if file.status != "ok"
        }

    @cached_property
    def _read(self) -> tuple[dict[str, Read | None], dict[str, FileEvidence]]:
        # The readers are loaded only by who needs the inputs read.
        from bythebook.deliverables.evidence.cache import at_home
        from bythebook.deliverables.evidence.view import View

        with TemporaryDirectory() as aside:
            view = View.of_folder(self.inputs, keep=Path(aside), cache=at_home())
            return {name: view.content(name) for name in view.files}, dict(view.files)

    @cached_property
    def rubric(self) -> RubricFile:
        """R of the paper, checked whole. Raises `ContentError`."""
        rubric = load_rubric(self.folder, self.wants, self.expected)
        path = self.folder / "rubric.yaml"
        text = yamlfile.read_text(path)
        lines = {
            item.id: yamlfile.line_of(text, f".items[{number}]")
            for number, item in enumerate(rubric.items)
        }
        strings = pinned(rubric.items, rubric.fields, self.wants)
        check_fair(strings, self.prompt, lambda: self.evidence, str(path), lines)
        return rubric


APART = ("reference-2",)
"""Parts of a folder that are no part of its hash: the wheel leaves them out."""


def load_task(content: Content, name: str) -> DeliverableTask:
    """One task by id or prefix, checked. Raises `ContentError` or `UsageError`."""
    folder = content.task("deliverables", name)
    path = folder / "task.yaml"
    text = yamlfile.read_text(path)
    file = yamlfile.convert(text, TaskFile, where=path)
    _check(file, folder, text)
    return DeliverableTask(
        id=folder.name,
        suite="deliverables",
        title=file.title,
        folder=folder,
        hash=folder_hash([folder], without=APART),
        tags=file.tags,
        canary=file.canary,
        file=file,
    )


def load_tasks(content: Content, names: tuple[str, ...] = ()) -> list[DeliverableTask]:
    """The named tasks, each once, or all of them."""
    return [load_task(content, name) for name in content.named("deliverables", names)]


def _check(file: TaskFile, folder: Path, text: str) -> None:
    path = f"{folder / 'task.yaml'}:{yamlfile.line_of(text, '.wants')}"
    if not file.wants:
        hint = "name what must be handed over: `wants: {report.xlsx: xlsx}`"
        raise ContentError("a task wants at least one file", where=path, hint=hint)
    for name in file.wants:
        if name.startswith("/") or "\\" in name or ".." in name.split("/"):
            hint = "name it relative to results/: report.xlsx"
            raise ContentError(f"{name!r} is no file inside results/", where=path, hint=hint)
    inputs = folder / "inputs"
    if not inputs.is_dir() or not any(inputs.iterdir()):
        hint = "put there what the agent gets beside the prompt"
        raise ContentError("a task has at least one file in inputs/", where=inputs, hint=hint)
    if not yamlfile.read_text(folder / "prompt.md").strip():
        hint = "write there what is wanted, as you would ask a colleague"
        raise ContentError("the prompt is empty", where=folder / "prompt.md", hint=hint)
