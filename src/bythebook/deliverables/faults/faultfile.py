"""`faults.yaml`: the faults of one task, read strictly.

    july_ignored:
      kind: slip                    # one rule wrong everywhere: proves that a trap is alive
      says: The contribution rate that changed in July is ignored.
      edits: [{set_name: {name: JulyRate, to: 0.08}}, {recalculate: {}}]
      fails: [R13]                  # targets, which must fail; what else does is in faults.lock
    caches_stripped:
      kind: damage                  # proves that a check can fail
      says: No formula has a value that can be read.
      edits: [{strip_caches: {}}]
      fails: [R07, R09]
      spares: [R01]                 # these must pass; `rest`: all others must
      judged: [R22]                 # broken for a judge to see; no check fails them

`on: reference-2` starts from the second reference; `errors: true` allows error values.
"""

from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook import yamlfile
from bythebook.deliverables.checks.uses import FileUse, resolve
from bythebook.deliverables.evidence.model import Kind
from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.faults.edits import EDITS, Edit
from bythebook.deliverables.rubric import RubricFile
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import ContentError, unknown

Reference = Literal["reference", "reference-2"]


class Told(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One fault as written."""

    kind: Literal["damage", "slip"]
    says: str
    edits: tuple[dict[str, Any], ...]
    fails: tuple[str, ...] = ()
    spares: tuple[str, ...] | Literal["rest"] = ()
    judged: tuple[str, ...] = ()
    on: Reference = "reference"
    errors: bool = False


class Fault(msgspec.Struct, frozen=True, kw_only=True):
    """One fault, every name in it checked."""

    name: str
    kind: Literal["damage", "slip"]
    says: str
    edits: tuple[Edit, ...]
    fails: tuple[str, ...]
    """Items that must fail."""
    spares: tuple[str, ...]
    """Items that must pass."""
    named: tuple[str, ...]
    """Those of them that the author named one by one."""
    judged: tuple[str, ...]
    """Items that a judge must fail; no check sees that they are broken."""
    on: Reference
    errors: bool
    place: str = ""
    """File, line and name, for messages."""


def load_faults(task: DeliverableTask) -> dict[str, Fault]:
    """The task's faults by name, none if it has no `faults.yaml`. Raises `ContentError`."""
    path = task.folder / "faults.yaml"
    if not path.exists():
        return {}
    text = yamlfile.read_text(path)
    written = yamlfile.load_each(path, Told, decimals=True)
    return {name: _fault(name, told, task, (path, text)) for name, told in written.items()}


def _fault(name: str, told: Told, task: DeliverableTask, source: tuple[Path, str]) -> Fault:
    path, text = source
    where = f"{path}:{yamlfile.line_of(text, f'.{name}')}, fault {name}"
    if not told.edits or not (told.fails or told.judged):
        raise ContentError("a fault has at least one edit and one item it breaks", where=where)
    edits = tuple(
        _edit(one, task.wants, where, (path, text, f".{name}.edits[{number}]"))
        for number, one in enumerate(told.edits)
    )
    return Fault(
        name=name,
        kind=told.kind,
        says=told.says,
        edits=edits,
        fails=told.fails,
        spares=_spared(told, task.rubric, where),
        named=() if told.spares == "rest" else told.spares,
        judged=_judged(told, task.rubric, where),
        on=told.on,
        place=where,
        errors=told.errors,
    )


def _spared(told: Told, rubric: RubricFile, where: str) -> tuple[str, ...]:
    """Items that must pass. Raises `ContentError` for items that no check can fail or pass."""
    named = told.fails if told.spares == "rest" else (*told.fails, *told.spares)
    for item in named:
        if item not in rubric.by_id:
            raise unknown("rubric item", item, rubric.by_id, where=where)
    for item in told.fails:
        if rubric.by_id[item].decided_by == "judge":
            hint = "name it under `judged:` instead"
            raise ContentError(f"{item} is judged: no check fails it", where=where, hint=hint)
    decided = [item.id for item in rubric.items if item.decided_by == "check"]
    if told.spares == "rest":
        return tuple(item for item in decided if item not in told.fails)
    for item in told.spares:
        if item in told.fails or item not in decided:
            what = "fails as well" if item in told.fails else "is decided by no check"
            raise ContentError(f"{item} cannot be spared: it {what}", where=where)
    return told.spares


def _judged(told: Told, rubric: RubricFile, where: str) -> tuple[str, ...]:
    for item in told.judged:
        if item not in rubric.by_id:
            raise unknown("rubric item", item, rubric.by_id, where=where)
        if rubric.by_id[item].decided_by == "check" or item in told.fails:
            what = f"{item} is decided by a check" if item not in told.fails else f"{item} twice"
            raise ContentError(f"{what}: name it under `fails` only", where=where)
    return told.judged


def _edit(
    written: dict[str, Any], wants: dict[str, Kind], where: str, source: tuple[Path, str, str]
) -> Edit:
    path, text, under = source
    if len(written) != 1:
        raise ContentError(f"an edit has one name, this one {len(written)}", where=where)
    ((name, told),) = written.items()
    if name not in EDITS:
        raise unknown("edit", name, EDITS, where=where)
    given = told if told is not None else {}
    edit = yamlfile.fit(given, EDITS[name], where=path, text=text, under=f"{under}.{name}")
    if isinstance(edit, e.Passage) and bool(edit.para) == bool(edit.has):
        raise ContentError(f"{name} takes either `para` or `has`", where=where)
    if not isinstance(edit, e.AddFile):
        return msgspec.structs.replace(edit, file=_file(edit, wants, where))
    if not edit.file:
        raise ContentError("add_file names the new file: `file: draft.md`", where=where)
    return edit


WHOLE = (e.DropFile, e.RenameFile, e.WrongType, e.Truncate)
PROSE = (e.Passage, e.DropSection, e.ReplaceText, e.AddText)
DOCUMENTS = (e.BreakPages,)
SLIDES = (e.DropSlide, e.HideSlide)


def _file(edit: Edit, wants: dict[str, Kind], where: str) -> str:
    """The name of the file that is meant."""
    kinds: tuple[Kind, ...] = ("xlsx",)
    if isinstance(edit, WHOLE):
        kinds = tuple(wants.values())
    elif isinstance(edit, PROSE):
        kinds = ("docx", "pptx", "text")
    elif isinstance(edit, DOCUMENTS):
        kinds = ("docx",)
    elif isinstance(edit, SLIDES):
        kinds = ("pptx",)
    return resolve(FileUse(edit.file, kinds), wants, where=where)
