"""The stages in order, up to the first that waits; then the gates."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from bythebook.build.conduct import gates
from bythebook.build.conduct.align import without_tool
from bythebook.build.conduct.early import ALIGNMENT, CUSTOMER, OVERLAY, PARAPHRASES, SCENARIO
from bythebook.build.conduct.gates import Proven
from bythebook.build.conduct.late import CASES, CRITERIA, GOLDEN
from bythebook.build.conduct.second import BLIND, CASES_PLAYED, REVIEW
from bythebook.build.conduct.work import Stand, Step, Work
from bythebook.build.ledger import Standing

WRITTEN = (ALIGNMENT, SCENARIO, OVERLAY, CUSTOMER, PARAPHRASES, CRITERIA, GOLDEN, CASES)
READ = (BLIND, CASES_PLAYED)
STEPS = (*WRITTEN, *READ, REVIEW)
STAGES = tuple(step.name for step in STEPS)
NOTED = ("7-skeleton", "8-proposals")
"""Stages that the command works out by itself."""


class Built(msgspec.Struct, frozen=True, kw_only=True):
    """Where one task stands."""

    task: str
    sops: tuple[str, ...]
    stages: tuple[Stand, ...]
    steps_without_tool: tuple[str, ...] = ()
    draft: str = ""
    lacks: tuple[str, ...] = ()
    """Files of the task that are not made yet."""
    loads: str = ""
    """Why the draft does not load; empty: it does."""
    proof: Proven | None = None
    """Of the draft as it stands; None: it is not whole yet."""
    unproved: tuple[str, ...] = ()
    """What the proof finds; while nobody has reviewed the draft, without that."""
    gates: dict[str, Standing] = {}

    @property
    def done(self) -> bool:
        """Every gate that a task needs holds."""
        stand = all(one.done for one in self.stages)
        needed = (self.gates.get(name) for name in gates.NEEDED_GATES)
        return stand and all(gate is not None and gate.holds for gate in needed)


def build(work: Work, roots: Iterable[Path], *, until: str = "") -> Built:
    """Do what can be done now. Raises `WouldLose` where a person's work would be lost."""
    roots = tuple(roots)
    whole = _go(work, WRITTEN, until)
    gates.write_draft(work)
    proof = None
    if whole and not until and not gates.loaded(work, roots):
        proof = _read_and_prove(work, roots)
    return _built(work, roots, proof)


def _go(work: Work, steps: tuple[Step, ...], until: str = "") -> bool:
    """Stage by stage; False where one does not stand, or where it was asked to stop."""
    return all(work.do(step) and step.name != until for step in steps)


def _read_and_prove(work: Work, roots: tuple[Path, ...]) -> Proven:
    """Second reader and proof. The reader is not troubled with what the proof refutes already."""
    read = _go(work, READ)
    gates.write_draft(work)
    if read and _held(work):
        work.do(REVIEW)
        gates.write_draft(work)  # a mended review is another one, and to be decided anew
    proof = gates.proved(work, roots)
    told = _told(work, REVIEW)
    if not read or proof.apart_from_review or (told and _held(work)):
        return proof
    if told or work.do(REVIEW):
        gates.write_draft(work)
        gates.note_review(work)
        if gates.standing(work)["review"].holds:
            proof = gates.proved(work, roots)
            gates.note_proof(work, proof)
    return proof


def _told(work: Work, step: Step) -> bool:
    return step.name in {one.stage for one in work.stands}


def _held(work: Work) -> bool:
    standing = gates.standing(work)
    return all(standing[name].holds for name in gates.NEEDED_GATES)


def _unproved(proof: Proven | None, standing: dict[str, Standing]) -> tuple[str, ...]:
    if proof is None:
        return ()
    if standing["review"].holds:
        return (*proof.problems, *proof.survivors)
    return proof.apart_from_review


def _built(work: Work, roots: tuple[Path, ...], proof: Proven | None) -> Built:
    told = {one.stage for one in work.stands}
    later = tuple(Stand(stage=name, state="not yet") for name in STAGES if name not in told)
    aligned = ALIGNMENT.name in {one.stage for one in work.stands if one.done}
    standing = gates.standing_now(work, proof)
    return Built(
        task=work.place.about.id,
        sops=work.place.about.sops,
        stages=tuple(sorted((*work.stands, *later), key=lambda one: STAGES.index(one.stage))),
        steps_without_tool=tuple(without_tool(work.alignment)) if aligned else (),
        draft=str(work.place.draft),
        lacks=gates.lacking(work),
        loads=gates.loaded(work, roots),
        proof=proof,
        unproved=_unproved(proof, standing),
        gates=standing,
    )
