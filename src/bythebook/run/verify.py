"""A bundle judged again, offline, by whoever received it."""

import hmac
import tempfile
from pathlib import Path

import msgspec

from bythebook.errors import TraceError
from bythebook.run.apart import Bounds, judged_apart
from bythebook.run.bundle import LARGEST, Manifest, open_bundle
from bythebook.run.folder import EvaluationFolder
from bythebook.run.plan import Plan
from bythebook.run.rejudge import State, VerifiedRun, offline, verified
from bythebook.run.signature import check_signature


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
    bounds: Bounds | None = None
    """Of judging a stranger's runs; None: judge in this process, without any."""


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
        if wanted.bounds is not None:
            runs = judged_apart(folder.root, opened.manifest.runs, wanted.bounds)
        else:
            bench = offline(folder)
            runs = tuple(verified(folder, plan, bench, run) for run in opened.manifest.runs)
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
