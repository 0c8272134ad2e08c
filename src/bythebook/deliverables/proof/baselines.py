"""Deliverables that nobody should be paid for, and how much of the checks' weight they get."""

from collections.abc import Iterator

from bythebook.deliverables.placed import put
from bythebook.deliverables.proof.court import Court
from bythebook.deliverables.proof.lab import Lab

LIMITS = {"empty": 0.15, "untouched": 0.15, "renamed": 0.15, "skeleton": 0.50}
"""Baseline to the share that it must stay under."""


def baseline_scores(court: Court, lab: Lab) -> dict[str, float]:
    folders = {name: lab.folder(name) for name in LIMITS}
    for name, folder in folders.items():
        put(name, court.task, folder)
    samples = lab.computed({folder: lab.read(folder) for folder in folders.values()})
    # A skeleton's formulas are those of the reference: what they come to is known.
    skeleton = folders["skeleton"]
    samples |= lab.supposed({skeleton: samples[skeleton]}, court.supposing.values())
    return {
        name: round(court.score(court.judge(samples[folder])), 3)
        for name, folder in folders.items()
    }


def baseline_problems(scores: dict[str, float]) -> Iterator[str]:
    for name, score in scores.items():
        if score >= LIMITS[name]:
            says = f"{name} gets {score:.3f} of the checks' weight; it must stay under"
            yield f"{says} {LIMITS[name]:.2f}: which items does it pass, and why?"
