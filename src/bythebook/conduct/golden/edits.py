"""`counterexamples.yaml`: goldens gone wrong in named ways, and other ways that are right too.

    counterexamples:
      - {id: express_route, why: ..., edits: [{set: draft.route, to: express}], breaks: [F1]}
      - {id: ..., shortcut: true, ...}                exactly one: the natural shortcut
    twins:
      - {id: other_route, why: ..., edits: [...]}     must pass

    EDIT := {set: STEP.ARG.., to: VALUE}              VALUE may hold references
          | {value: NAME.., to: VALUE}                changes what `values:` names, everywhere
          | {drop: STEP or [STEP+]}
          | {insert: [STEP+], before: STEP}           or after: STEP
          | {move: STEP or [STEP+], before: STEP}     or after: STEP

An edit may break the golden's orders: a reference to what did not happen yet is then filled with
what the golden itself was answered.
"""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from bythebook import yamlfile
from bythebook.conduct.company import Company
from bythebook.conduct.golden.plan import (
    Golden,
    Step,
    StepEntry,
    argument_names,
    check_steps,
    expanded,
    step_of,
)
from bythebook.conduct.golden.reference import Astray, put, symbolic
from bythebook.errors import ContentError, unknown


class Edit(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One change; exactly one of the first five fields is given."""

    set: str | None = None
    value: str | None = None
    drop: str | tuple[str, ...] | None = None
    insert: tuple[StepEntry, ...] | None = None
    move: str | tuple[str, ...] | None = None
    to: Any = msgspec.UNSET
    before: str | None = None
    after: str | None = None


class CaseEntry(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A counterexample or twin as it stands in the file."""

    id: str
    why: str
    edits: tuple[Edit, ...]
    breaks: tuple[str, ...] = ()
    shortcut: bool = False
    golden: str = ""
    """Name of the golden that is edited; empty for the main one."""


class CaseFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`counterexamples.yaml`."""

    counterexamples: tuple[CaseEntry, ...]
    twins: tuple[CaseEntry, ...] = ()


class Case(msgspec.Struct, frozen=True):
    """A whole execution that differs from a golden by named edits."""

    id: str
    why: str
    golden: str
    steps: tuple[Step, ...]
    """Ready to be played: named values are filled in."""
    breaks: frozenset[str]
    """Criteria that it breaks, and no others; empty for a twin."""
    shortcut: bool = False


class Cases(msgspec.Struct, frozen=True):
    """All of a task's counterexamples and twins, by name."""

    counterexamples: dict[str, Case]
    twins: dict[str, Case]

    @property
    def shortcut(self) -> Case:
        """The natural shortcut."""
        return next(case for case in self.counterexamples.values() if case.shortcut)


def load_cases(path: Path, goldens: Mapping[str, Golden], company: Company) -> Cases:
    """Read and check a `counterexamples.yaml`. Raises `ContentError` naming file and case."""
    file = yamlfile.load(path, CaseFile)
    shortcuts = [entry.id for entry in file.counterexamples if entry.shortcut]
    if len(shortcuts) != 1:
        what = f"{len(shortcuts)} counterexamples are marked as the shortcut; one is"
        raise ContentError(what, where=path, hint="`shortcut: true` on the natural shortcut")
    found: dict[str, Case] = {}
    for entry in (*file.counterexamples, *file.twins):
        where = f"{path}, {entry.id!r}"
        if entry.id in found:
            raise ContentError("the id stands here twice", where=where)
        twin = entry in file.twins
        if twin != (not entry.breaks) or (twin and entry.shortcut):
            what = "a twin breaks nothing" if twin else "breaks: name the criteria that it breaks"
            raise ContentError(what, where=where)
        if entry.golden not in goldens:
            raise unknown("golden", entry.golden, goldens, where=where)
        found[entry.id] = _case(entry, goldens[entry.golden], company, where)
    bad = {entry.id: found[entry.id] for entry in file.counterexamples}
    return Cases(bad, {entry.id: found[entry.id] for entry in file.twins})


def _case(entry: CaseEntry, golden: Golden, company: Company, where: str) -> Case:
    bench = _Bench(golden, company, where)
    for number, edit in enumerate(entry.edits, start=1):
        bench.apply(edit, number)
    bench.check(golden)
    script = expanded(bench.steps, bench.values)
    if script == golden.script():
        raise ContentError("the edits change nothing", where=where)
    breaks = frozenset(entry.breaks)
    return Case(entry.id, entry.why, golden.name, script, breaks, entry.shortcut)


class _Bench:
    """A golden laid out to be edited."""

    def __init__(self, golden: Golden, company: Company, where: str) -> None:
        self.steps, self.values = list(golden.steps), dict(golden.values)
        self.company, self.case, self.where = company, where, where

    def apply(self, edit: Edit, number: int) -> None:
        """Make one edit. Raises `ContentError` naming it."""
        self.where = f"{self.case}, edit {number}"
        kinds = [name for name in self.KINDS if getattr(edit, name) is not None]
        if len(kinds) != 1:
            raise self.wrong(f"an edit does one thing: {', '.join(self.KINDS)}")
        (kind,) = kinds
        if (edit.to is not msgspec.UNSET) != (kind in ("set", "value")):
            raise self.wrong("`to` goes with set and value, and with them only")
        beside = (edit.before is not None) + (edit.after is not None)
        if beside != (kind in ("insert", "move")):
            raise self.wrong("insert and move say before or after which step; no other edit does")
        self.KINDS[kind](self, edit)

    def check(self, golden: Golden) -> None:
        """What is left is sound; it may refer to steps that are gone."""
        names = {step.id for step in self.steps}
        both = (*self.steps, *(step for step in golden.steps if step.id not in names))
        # Edits may break the orders on purpose, and may drop what `after` names.
        loose = tuple(msgspec.structs.replace(step, after=()) for step in both)
        check_steps(loose, self.values, self.company, where=self.case)

    def wrong(self, what: str) -> ContentError:
        return ContentError(what, where=self.where)

    def place(self, name: str) -> int:
        names = [step.id for step in self.steps]
        if name not in names:
            raise unknown("step", name, names, where=self.where)
        return names.index(name)

    def beside(self, edit: Edit) -> int:
        if edit.before is not None:
            return self.place(edit.before)
        return self.place(str(edit.after)) + 1

    def changed(self, value: Any, path: tuple[str, ...], new: Any) -> Any:
        try:
            return put(value, path, new)
        except Astray as error:
            raise self.wrong(f"{'.'.join(path)}: {error.args[0]!r} leads nowhere") from None

    def set(self, edit: Edit) -> None:
        name, _, rest = str(edit.set).partition(".")
        place, path = self.place(name), tuple(rest.split("."))
        step = self.steps[place]
        known = argument_names(self.company, step.call)
        if path[0] not in known:
            raise unknown(f"argument of {step.call}", path[0], known, where=self.where)
        if len(path) > 1:
            (step,) = expanded([step], self.values)
        args = self.changed(step.args, path, symbolic(edit.to))
        self.steps[place] = msgspec.structs.replace(step, args=args)

    def value(self, edit: Edit) -> None:
        name, *path = str(edit.value).split(".")
        if name not in self.values:
            raise unknown("value", name, self.values, where=self.where)
        self.values[name] = self.changed(self.values[name], tuple(path), edit.to)

    def drop(self, edit: Edit) -> None:
        for name in _names(edit.drop):
            del self.steps[self.place(name)]

    def insert(self, edit: Edit) -> None:
        place = self.beside(edit)
        self.steps[place:place] = [step_of(entry) for entry in edit.insert or ()]

    def move(self, edit: Edit) -> None:
        moved = [self.steps.pop(self.place(name)) for name in _names(edit.move)]
        place = self.beside(edit)
        self.steps[place:place] = moved

    KINDS: ClassVar[dict[str, Callable[["_Bench", Edit], None]]] = {
        "set": set,
        "value": value,
        "drop": drop,
        "insert": insert,
        "move": move,
    }


def _names(given: str | tuple[str, ...] | None) -> tuple[str, ...]:
    return (given,) if isinstance(given, str) else given or ()
