"""Formulas that only look live: each figure of a what-if as a constant inside a formula.

`VALUE("26345.5")+N(A1)*0` has a reference and the right value, cached and computed; only after an
input cell was changed does it differ from a formula that follows its inputs.
"""

import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from bythebook.deliverables.checks import run_check
from bythebook.deliverables.checks.places import Spot
from bythebook.deliverables.evidence.formulas import address
from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.faults.book import Book
from bythebook.deliverables.faults.cells import set_formula
from bythebook.deliverables.proof.court import Court
from bythebook.deliverables.proof.lab import Lab
from bythebook.deliverables.proof.lookalikes import Lookalike
from bythebook.deliverables.proof.sample import Sample


def dress(court: Court, lab: Lab, reference: Sample) -> dict[Path, Sample]:
    """The reference with all figures of all what-ifs dressed, by its folder; nothing where nothing
    is supposed."""
    spots = {spot for name in court.supposing for spot in _judged(court, reference, name)}
    if not spots:
        return {}
    folder = lab.folder("dressed")
    shutil.copytree(court.task.reference, folder, dirs_exist_ok=True)
    for file in sorted({spot.file for spot in spots}):
        book = Book(folder / file)
        for spot in sorted(spots):
            if spot.file == file:
                at = f"{spot.sheet}!{address(spot.row, spot.column)}"
                text = 'VALUE("{v}")+N(' + address(1, spot.column) + ")*0"
                list(set_formula(book, e.SetFormula(file=file, at=at, to=text)))
        book.save()
    samples = {folder: lab.read(folder)}
    lab.expect(samples, court.supposing.values())
    return samples


def dressed(court: Court, lab: Lab, samples: Mapping[Path, Sample]) -> Iterator[Lookalike]:
    """What was dressed, with what it comes to after input cells were changed."""
    for sample in lab.supposed(samples, court.supposing.values()).values():
        name = "constants dressed as live formulas"
        yield Lookalike(name, sample, frozenset(court.supposing))


def _judged(court: Court, reference: Sample, name: str) -> list[Spot]:
    """The cells that a what-if judges."""
    case = court.case(reference)
    run_check(court.items[name], case)
    return list(case.wanted)
