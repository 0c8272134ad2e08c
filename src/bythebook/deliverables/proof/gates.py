"""What must hold of the references of a task before anything else means something."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from bythebook.deliverables.checks.answer import Answer, Evidence
from bythebook.deliverables.checks.places import cell_at
from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.evidence.model import Scalar
from bythebook.deliverables.faults.faultfile import Fault
from bythebook.deliverables.proof.court import Answers, Court
from bythebook.deliverables.proof.sample import Sample
from bythebook.deliverables.proof.trial import Trial, error_cells
from bythebook.errors import nearest

HAIR = 1e-9
"""Share of a value by which sums in another order may differ."""


def full_marks(court: Court, name: str, answers: Answers) -> Iterator[str]:
    """Items that a reference does not pass."""
    for item in court.items:
        answer = answers.get(item)
        if answer is not None and answer.mark != "pass":
            yield f"{name}: {item} is {answer.mark}, and a reference passes: {told(answer)}"


def told(answer: Answer) -> str:
    """Why, where, what is seen and what is wanted."""
    parts = [answer.why, answer.place and f"at {answer.place}"]
    parts += [answer.seen and f"seen: {answer.seen}", answer.wanted and f"wanted: {answer.wanted}"]
    return ", ".join(part for part in parts if part)


def unread(folder: Path, evidence: Evidence) -> Iterator[str]:
    """Files of ours that do not read."""
    for file, found in evidence.files.items():
        if found.status != "ok":
            status = found.status.replace("_", " ")
            yield f"{folder / file} is {status}: {found.says} Save it anew, or take it out"


def missing(folder: Path, sample: Sample, wants: Iterable[str]) -> Iterator[str]:
    """Wanted files that a reference lacks."""
    for file in wants:
        if file not in sample.files:
            near = nearest(file, sample.files)
            hint = f"; did you mean {file!r} by {near!r}?" if near else ""
            yield f"{folder}: there is no {file}, which task.yaml wants{hint}"


def errors(name: str, sample: Sample) -> Iterator[str]:
    """Cells that show an error value."""
    cells = sorted(error_cells(sample))
    if cells:
        yield f"{name}: {len(cells)} cells show an error value: {', '.join(cells[:3])}"


def recalculates(name: str, sample: Sample) -> Iterator[str]:
    """Cached values that are not what the formulas give: the best single test of a reference,
    since its rubric and its values come from the same code."""
    for file, book in sample.books.items():
        found = sample.recalculated(file)
        if found.status != "ok":
            yield f"{name}: {file} was not recalculated ({found.status}): {found.says}"
            continue
        odd = [
            (sheet.name, cell, found.values[sheet.name][address(cell.row, cell.column)])
            for sheet in book.sheets
            for cell in sheet.cells
            if address(cell.row, cell.column) in found.values.get(sheet.name, {})
            and not _equal(cell.value, found.values[sheet.name][address(cell.row, cell.column)])
        ]
        if odd:
            sheet_name, cell, anew = odd[0]
            place = cell_at(file, sheet_name, address(cell.row, cell.column))
            says = f"{len(odd)} cached values are not what their formulas give"
            yield f"{name}: {says}; first {place}: cached {cell.value}, recalculated {anew}"


def _equal(cached: Scalar, anew: Scalar) -> bool:
    if isinstance(cached, int | float) and isinstance(anew, int | float):
        return abs(cached - anew) <= HAIR * max(1.0, abs(cached))
    return (cached or "") == (anew or "")


def unproved_items(
    court: Court, trials: list[Trial], undone: Iterable[Fault] = ()
) -> Iterator[str]:
    """Checks that no damage fails; and a rubric in which no trap is shown to be alive. `undone`:
    faults that could not be carried out; what they would have failed is not asked."""
    damages = [trial for trial in trials if trial.fault.kind == "damage"]
    failed = {item for trial in damages for item in trial.marked("fail")}
    waiting = {item for fault in undone for item in fault.fails}
    for item in court.items:
        if item not in failed | waiting:
            hint = "a what-if is asked of faults that name it" if item in court.supposing else ""
            if item in court.laying:
                hint = "a document's pages are counted for faults that name it"
            yield f"{item} is failed by no damage; add one to faults.yaml" + (hint and f" ({hint})")
    if not any(fault.kind == "slip" for fault in (*(t.fault for t in trials), *undone)):
        yield "faults.yaml has no slip: which hidden rule does this task test?"
