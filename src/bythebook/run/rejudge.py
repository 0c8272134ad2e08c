"""One run of a bundle judged again, by what is in the bundle."""

from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook.errors import BythebookError, ContentError, JudgeError, TraceError
from bythebook.run.bundle import SealedRun
from bythebook.run.conduct import ConductBench
from bythebook.run.folder import EvaluationFolder, as_text
from bythebook.run.plan import Plan
from bythebook.run.stage import Bench
from bythebook.trace import read_trace
from bythebook.verdict import Verdict

NO_MEMORY = MemoryError.__name__
"""How the reason of a void finding begins, where judging it took all the memory there was."""
TOO_LARGE = "judging it wants more memory than is allowed (--memory)"
State = Literal["same", "differs", "cannot"]


class VerifiedRun(msgspec.Struct, frozen=True):
    """One run, judged again."""

    task: str
    run: int
    state: State
    """same: to the byte. differs: another verdict. cannot: no verdict can be made here."""
    says: str = ""


def offline(folder: EvaluationFolder) -> Bench[Any]:
    """What judges the runs of an unpacked bundle: by what is in it, whatever this machine has."""
    plan = folder.plan
    if plan is not None and plan.suite == "deliverables":
        # What reads office files is loaded only by who needs it.
        from bythebook.run.deliver import DeliverBench, Reader

        return DeliverBench(folder, Reader())
    return ConductBench(folder)


def verified(
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
    except MemoryError:
        return VerifiedRun(run.task, run.run, "cannot", TOO_LARGE)
    except RecursionError:
        return VerifiedRun(run.task, run.run, "cannot", "something in it is nested too deeply")
    if any(finding.why.startswith(NO_MEMORY) for finding in made.findings):
        return VerifiedRun(run.task, run.run, "cannot", TOO_LARGE)
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
