"""The faults of one task, carried out and judged: which items each of them fails."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.places import Spot
from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.evidence.model import Recalculation, Scalar
from bythebook.deliverables.faults.carry import NoEngine, Step, carried
from bythebook.deliverables.faults.cells import is_error
from bythebook.deliverables.faults.done import Done
from bythebook.deliverables.faults.faultfile import Fault
from bythebook.deliverables.proof.court import Court
from bythebook.deliverables.proof.lab import Lab, code
from bythebook.deliverables.proof.made import Shelf
from bythebook.deliverables.proof.sample import Sample
from bythebook.errors import ContentError


@dataclass(frozen=True)
class Trial:
    """One fault, tried."""

    fault: Fault
    folder: Path
    sample: Sample
    done: tuple[Done, ...]
    answers: dict[str, Answer]

    def marked(self, mark: str) -> tuple[str, ...]:
        return tuple(name for name, answer in self.answers.items() if answer.mark == mark)


@dataclass(eq=False)
class Pending:
    """A fault under way, with what was computed for it last."""

    fault: Fault
    folder: Path
    step: Step | None = None
    """None where it was made before."""
    done: tuple[Done, ...] = ()
    path: Path | None = None
    """The workbook that it waits for."""
    found: Recalculation | None = None


class Trials:
    """All faults of a task on its references."""

    def __init__(self, court: Court, lab: Lab, references: dict[str, Sample]) -> None:
        self.court, self.lab, self.references = court, lab, references
        self.problems: list[str] = []
        version = lab.engine.version if lab.engine is not None else ""
        self._shelf = Shelf(lab.cache, code(), version)

    def run(self, faults: Mapping[str, Fault]) -> list[Trial]:
        """Every fault that can be carried out; what cannot is a problem."""
        pending = [self._begun(f) for f in faults.values() if f.on in self.references]
        ready = sorted(self._carried(pending), key=pending.index)
        samples = {one.folder: self.lab.read(one.folder) for one in ready}
        asked = [one.folder for one in ready if self._supposes(one, samples)]
        supposing = {folder: samples[folder] for folder in asked}
        self.lab.expect(supposing, self.court.supposing.values())
        samples = self.lab.computed(samples)
        supposing = {folder: samples[folder] for folder in asked}
        samples |= self.lab.supposed(supposing, self.court.supposing.values())
        laying = {one.folder: samples[one.folder] for one in ready if self._lays(one, samples)}
        documents = frozenset().union(*self.court.laying.values())
        samples |= self.lab.laid_out(laying, documents)
        return [self._judged(one, samples[one.folder]) for one in ready]

    def _begun(self, fault: Fault) -> Pending:
        folder = self.lab.folder(fault.name)
        done = self._shelf.take(fault, self._reference(fault), folder)
        if done is not None:
            return Pending(fault, folder, done=done)
        return Pending(fault, folder, carried(self.court.task, fault, folder))

    def _reference(self, fault: Fault) -> Path:
        return self.court.task.folder / fault.on

    def _carried(self, pending: list[Pending]) -> Iterator[Pending]:
        """Carry all out; workbooks that wait to be computed are computed together."""
        while pending:
            waiting = []
            for one in pending:
                if one.step is None:
                    yield one
                    continue
                try:
                    one.path = next(one.step) if one.found is None else one.step.send(one.found)
                    waiting.append(one)
                except StopIteration as stop:
                    one.done = stop.value
                    self._shelf.keep(one.fault, self._reference(one.fault), one.folder, one.done)
                    yield one
                except (ContentError, NoEngine) as error:
                    self.problems.append(str(error))
            paths = [one.path for one in waiting if one.path is not None]
            for one, found in zip(waiting, self.lab.recalculated(paths), strict=True):
                one.found = found
            pending = waiting

    def _supposes(self, one: Pending, samples: dict[Path, Sample]) -> bool:
        """Are input cells changed on this fault too? Where an author asks for it, and where it
        costs nothing since the formulas are those of the reference."""
        named = {*one.fault.fails, *one.fault.named} & self.court.supposing.keys()
        return bool(named) or not self._calculates_otherwise(
            samples[one.folder], self.references[one.fault.on]
        )

    def _lays(self, one: Pending, samples: dict[Path, Sample]) -> bool:
        """Are pages counted of this fault? Where an author asks for it, or no document differs."""
        named = {*one.fault.fails, *one.fault.named} & self.court.laying.keys()
        mine, theirs = samples[one.folder], self.references[one.fault.on]
        same = all(
            name in mine.files and mine.files[name].sha == theirs.files[name].sha
            for name in theirs.documents
        )
        return bool(named) or same

    def _calculates_otherwise(self, sample: Sample, reference: Sample) -> bool:
        mine, theirs, prints = sample.books, reference.books, self.lab.prints
        return mine.keys() != theirs.keys() or any(
            prints.of(mine[name]) != prints.of(theirs[name]) for name in mine
        )

    def _judged(self, one: Pending, sample: Sample) -> Trial:
        return Trial(one.fault, one.folder, sample, one.done, self.court.judge(sample))


# --- what came of one ---------------------------------------------------------------------------


def problems_of(trial: Trial, reference: Sample, promised: Mapping[Spot, Scalar]) -> Iterator[str]:
    """What is wrong with a fault. `promised`: the promised cells of its reference, and their
    values."""
    fault = trial.fault
    if _same(trial.sample, reference):
        yield f"nothing that can be seen changed ({_told(trial)})"
    yield from _misjudged(trial)
    shown = error_cells(trial.sample)
    new = sorted(shown - error_cells(reference)) if shown else []
    if new and not fault.errors:
        says = f"{len(new)} cells show an error value, {', '.join(new[:3])}"
        yield f"{says}; mend its edits ({_told(trial)}), or say `errors: true`"
    if fault.kind == "slip" and not _slips(trial.sample, promised):
        yield f"a slip changes at least one promised value; this one is dead ({_told(trial)})"


def _misjudged(trial: Trial) -> Iterator[str]:
    """Targets that do not fail, items that must be spared and are not, and what is void."""
    for item in trial.fault.fails:
        answer = trial.answers.get(item)
        if answer is None or answer.mark != "fail":
            mark = "was not asked" if answer is None else f"is {answer.mark}"
            yield f"{item} must fail and {mark} ({_told(trial)})"
    for item in trial.fault.spares:
        answer = trial.answers.get(item)
        if answer is not None and answer.mark != "pass":
            seen = f", seen: {answer.seen}" if answer.seen else ""
            yield f"{item} must pass and is {answer.mark}: {answer.why} at {answer.place}{seen}"
    yield from (f"{item} is void: {trial.answers[item].why}" for item in trial.marked("void"))


def _told(trial: Trial) -> str:
    return "; ".join(map(str, trial.done))


def _same(one: Sample, other: Sample) -> bool:
    status = [{name: file.status for name, file in s.files.items()} for s in (one, other)]
    return status[0] == status[1] and one.contents == other.contents


def _slips(sample: Sample, promised: Mapping[Spot, Scalar]) -> bool:
    """Does one of these cells hold another value?"""
    by_sheet: dict[tuple[str, str], list[Spot]] = {}
    for spot in promised:
        by_sheet.setdefault((spot.file, spot.sheet), []).append(spot)
    books = sample.books.items()
    sheets = {(file, sheet.name): sheet for file, book in books for sheet in book.sheets}
    for place, spots in by_sheet.items():
        cells = sheets[place].cells if place in sheets else ()
        now = {(cell.row, cell.column): cell.value for cell in cells}
        if any(now.get((spot.row, spot.column)) != promised[spot] for spot in spots):
            return True
    return False


def values_of(sample: Sample) -> dict[Spot, Scalar]:
    """Every cell of every workbook."""
    return {
        Spot(file, sheet.name, cell.row, cell.column): cell.value
        for file, book in sample.books.items()
        for sheet in book.sheets
        for cell in sheet.cells
    }


def error_cells(sample: Sample) -> set[str]:
    """Cells that show an error value, as submitted or computed anew."""
    shown = {
        f"{file}#{sheet.name}!{address(cell.row, cell.column)}"
        for file, book in sample.books.items()
        for sheet in book.sheets
        for cell in sheet.cells
        if cell.type == "error"
    }
    computed = {
        f"{file}#{sheet}!{at}"
        for file, found in sample.computed.items()
        for sheet, values in found.values.items()
        for at, value in values.items()
        if is_error(value)
    }
    return shown | computed
