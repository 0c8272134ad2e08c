"""A bundle judged again, offline, by whoever received it."""

import hmac
import tempfile
from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook.errors import BythebookError, ContentError, JudgeError, TraceError
from bythebook.run.bundle import LARGEST, Manifest, SealedRun, open_bundle
from bythebook.run.conduct import ConductBench
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.plan import Plan
from bythebook.run.signature import check_signature
from bythebook.run.stage import Bench
from bythebook.trace import read_trace
from bythebook.verdict import Verdict

State = Literal["same", "differs", "cannot"]


class VerifiedRun(msgspec.Struct, frozen=True):
    """One run, judged again."""

    task: str
    run: int
    state: State
    """same: to the byte. differs: another verdict. cannot: no verdict can be made here."""
    says: str = ""


class Verified(msgspec.Struct, frozen=True, kw_only=True):
    """What a bundle came to."""

    digest: str
    """SHA-256 of its list."""
    signed_by: str = ""
    """Fingerprint of the key; empty: no signature was asked for."""
    benchmark: str
    suite: str
    agent: str
    planned: int
    runs: tuple[VerifiedRun, ...]
    left_out: tuple[str, ...]

    def count(self, state: State) -> int:
        return sum(run.state == state for run in self.runs)


class Wanted(msgspec.Struct, frozen=True):
    """What a bundle has to fulfil before it is looked into."""

    keys: Path | None = None
    """Public keys, one of which signed it."""
    digest: str = ""
    largest: int = LARGEST


ANY = Wanted()


def verify(bundle: Path, wanted: Wanted = ANY) -> Verified:
    """Judge every run of a bundle again and set its verdict beside the sealed one.

    Raises `TraceError` for a bundle that is cut off, changed or hostile, of another digest than
    wanted, or not signed by a wanted key.
    """
    signed_by = check_signature(bundle, wanted.keys) if wanted.keys is not None else ""
    with tempfile.TemporaryDirectory(prefix="bythebook-") as scratch:
        opened = open_bundle(bundle, Path(scratch), largest=wanted.largest)
        if wanted.digest and not hmac.compare_digest(wanted.digest.lower(), opened.digest):
            what = f"its digest is {opened.digest}, not the one that was made known"
            raise TraceError(what, where=bundle, hint="it is not the bundle that was meant")
        folder = EvaluationFolder(Path(scratch))
        plan = _plan(folder, opened.manifest, bundle)
        bench = offline(folder)
        runs = tuple(_verified(folder, plan, bench, run) for run in opened.manifest.runs)
    manifest = opened.manifest
    return Verified(
        digest=opened.digest,
        signed_by=signed_by,
        benchmark=manifest.benchmark,
        suite=manifest.suite,
        agent=manifest.agent,
        planned=manifest.planned,
        runs=runs,
        left_out=manifest.left_out,
    )


def offline(folder: EvaluationFolder) -> Bench[Any]:
    """What judges the runs of an unpacked bundle: by what is in it, whatever this machine has."""
    plan = folder.plan
    if plan is not None and plan.suite == "deliverables":
        # What reads office files is loaded only by who needs it.
        from bythebook.run.deliver import DeliverBench, Reader

        return DeliverBench(folder, Reader())
    return ConductBench(folder)


def _plan(folder: EvaluationFolder, manifest: Manifest, bundle: Path) -> Plan:
    """The plan, and the list does not tell another story than it."""
    plan = folder.plan
    if plan is None:
        raise TraceError("it holds no plan.json", where=bundle)
    told = (manifest.suite, manifest.agent, manifest.benchmark, manifest.planned)
    if told != (plan.suite, plan.agent, plan.benchmark, len(plan.tasks) * plan.runs):
        raise TraceError("its list and its plan tell of other evaluations", where=bundle)
    held = {(place.task, place.number) for place in folder.runs()}
    if held != {(run.task, run.run) for run in manifest.runs}:
        raise TraceError("its list names other runs than it holds", where=bundle)
    planned = {task.id for task in plan.tasks}
    for task, number in sorted(held):
        if task not in planned or number > plan.runs:
            raise TraceError(f"run {task}/{number} is not in its plan", where=bundle)
    return plan


def _verified(
    folder: EvaluationFolder, plan: Plan, bench: Bench[Any], run: SealedRun
) -> VerifiedRun:
    place = folder.run(run.task, run.run)
    sealed = place.verdict.read_bytes()
    if run.unverifiable:
        return VerifiedRun(run.task, run.run, "cannot", run.unverifiable)
    try:
        trace = read_trace(place.trace)
        if trace.closing is None or not trace.closing.outcome.counts:
            return VerifiedRun(run.task, run.run, "cannot", "its trace has no end that counts")
        made = bench.verdict(trace, place, plan)
    except (TraceError, JudgeError, ContentError) as error:
        return VerifiedRun(run.task, run.run, "cannot", without(error, folder.root))
    except RecursionError:
        return VerifiedRun(run.task, run.run, "cannot", "something in it is nested too deeply")
    if as_text(made) == sealed:
        return VerifiedRun(run.task, run.run, "same")
    return VerifiedRun(run.task, run.run, "differs", _difference(sealed, made))


def without(error: BythebookError, root: Path) -> str:
    """What went wrong, without the folder that the bundle was unpacked to."""
    return " ".join(str(error).replace(f"{root}/", "").split())


def _difference(sealed: bytes, made: Verdict) -> str:
    """In words: which marks are others."""
    try:
        told = msgspec.json.decode(sealed, type=Verdict)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return "the sealed verdict does not read"
    marks = {finding.id: finding.verdict for finding in told.findings}
    changed = [
        f"{one.id} was {marks.get(one.id, 'not there')}, is {one.verdict}"
        for one in made.findings
        if marks.get(one.id) != one.verdict
    ]
    names = [
        name
        for name in made.__struct_fields__
        if name != "findings" and getattr(told, name) != getattr(made, name)
    ]
    return "; ".join([*changed[:5], *(["other: " + ", ".join(names)] if names else [])]) or (
        "the same marks, in other words"
    )
