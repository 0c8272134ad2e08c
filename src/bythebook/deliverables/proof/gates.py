"""What must hold of the references of a task before anything else means something."""

from collections.abc import Iterator

from bythebook.deliverables.checks.answer import Answer
from bythebook.deliverables.checks.places import cell_at
from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.evidence.model import Scalar
from bythebook.deliverables.proof.court import Answers, Court
from bythebook.deliverables.proof.sample import Sample
from bythebook.deliverables.proof.trial import Trial, error_cells

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


def readable(name: str, sample: Sample) -> Iterator[str]:
    for file, found in sample.files.items():
        if found.status != "ok":
            yield f"{name}: {file} is {found.status}: {found.says}"
    errors = sorted(error_cells(sample))
    if errors:
        yield f"{name}: {len(errors)} cells show an error value: {', '.join(errors[:3])}"


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


def unproved_items(court: Court, trials: list[Trial]) -> Iterator[str]:
    """Checks that no damage fails; and a rubric in which no trap is shown to be alive."""
    damages = [trial for trial in trials if trial.fault.kind == "damage"]
    failed = {item for trial in damages for item in trial.marked("fail")}
    for item in court.items:
        if item not in failed:
            hint = "a what-if is asked of faults that name it" if item in court.supposing else ""
            yield f"{item} is failed by no damage; add one to faults.yaml" + (hint and f" ({hint})")
    if not any(trial.fault.kind == "slip" for trial in trials):
        yield "faults.yaml has no slip: which hidden rule does this task test?"
