"""Standard operating procedures: the steps of a workflow, with decisions and ways back."""

import re
from collections.abc import Iterable
from pathlib import Path

import msgspec

from bythebook import yamlfile
from bythebook.conduct.documents import Library, Scope
from bythebook.errors import ContentError, unknown
from bythebook.tool import Day

SPAN = re.compile(r"^[a-z0-9-]+(@\d+)?#[\w.-]+$")


class Step(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One step. `next` is a step id, several, or `end`."""

    id: str
    do: str
    next: str | tuple[str, ...]
    decide: str = ""
    returns_to: str | tuple[str, ...] = ()
    knowledge: tuple[str, ...] = ()
    """family#clause references."""
    source: tuple[str, ...] = ()
    """Spans of the source documents that the step was drawn from."""

    @property
    def onward(self) -> tuple[str, ...]:
        """Ids of the steps that may come next, or `end`."""
        return (self.next,) if isinstance(self.next, str) else self.next

    @property
    def back(self) -> tuple[str, ...]:
        """Ids of the steps that it may send back to."""
        return (self.returns_to,) if isinstance(self.returns_to, str) else self.returns_to


class Sop(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A procedure, on disk as `company/sops/<id>.yaml`."""

    id: str
    title: str
    scope: Scope
    effective: tuple[Day, Day | None]
    steps: tuple[Step, ...]

    @property
    def text(self) -> str:
        """What opens the agent's context."""
        lines = [f"## {self.title}", ""]
        for number, step in enumerate(self.steps, start=1):
            lines.append(f"{number}. [{step.id}] {step.do}")
            if step.decide:
                lines.append(f"   Decide: {step.decide}")
            if step.back:
                lines.append(f"   May send you back to: {', '.join(step.back)}")
            lines.append(f"   Next: {', '.join(step.onward)}")
        return "\n".join(lines)


def load_sops(folders: Iterable[Path], library: Library) -> dict[str, Sop]:
    """Every `*.yaml` in the folders; steps reachable, links land, knowledge exists."""
    sops: dict[str, Sop] = {}
    for path in (p for folder in folders for p in sorted(folder.glob("*.yaml"))):
        sop = yamlfile.load(path, Sop)
        if sop.id != path.stem:
            raise ContentError(f"its id is {sop.id!r} but the file is {path.name}", where=path)
        _check(sop, library, path)
        sops[sop.id] = sop
    return sops


def _check(sop: Sop, library: Library, path: Path) -> None:
    if not sop.steps:
        raise ContentError("a procedure has at least one step", where=path)
    names = [step.id for step in sop.steps]
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        raise ContentError(f"step {min(twice)!r} stands here twice", where=path)
    for step in sop.steps:
        _check_step(step, [*names, "end"], library, f"{path}, step {step.id!r}")
    _reachable(sop, path)


def _check_step(step: Step, names: list[str], library: Library, where: str) -> None:
    for link in step.onward + step.back:
        if link not in names:
            raise unknown("step", link, names, where=where)
    for reference in step.knowledge:
        library.cites(reference, where=where)
    for span in step.source:
        if not SPAN.match(span):
            raise ContentError(f"{span!r} is not a source span (doc#span)", where=where)


def _reachable(sop: Sop, path: Path) -> None:
    steps = {step.id: step for step in sop.steps}
    seen, todo = set(), [sop.steps[0].id]
    while todo:
        name = todo.pop()
        if name not in seen and name != "end":
            seen.add(name)
            todo += [*steps[name].onward, *steps[name].back]
    for name in steps:
        if name not in seen:
            raise ContentError(f"step {name!r} cannot be reached from the first", where=path)
    if not any("end" in step.onward for step in sop.steps):
        raise ContentError("no step leads to `end`", where=path)
