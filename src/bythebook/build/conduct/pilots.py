"""Pilots: what agents made of a draft, read from their run folders and noted in the ledger."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import msgspec

from bythebook.build.conduct.forms import dumped
from bythebook.build.conduct.gates import matter
from bythebook.build.conduct.work import Work
from bythebook.build.ledger import Ledger, Ruling
from bythebook.errors import ContentError, UsageError
from bythebook.run.durable import write_whole
from bythebook.run.folder import EvaluationFolder
from bythebook.task import folder_hash
from bythebook.verdict import Verdict

PILOTS = "pilots.yaml"


class Pilot(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """All runs of one agent in one folder."""

    agent: str
    runs: int
    strict: int
    """Runs that reached every goal and broke no rule."""
    broken: dict[str, int]
    """Rule to the number of runs that broke it."""
    another_draft: bool = False
    """They played other files than stand there now."""

    @property
    def says(self) -> str:
        of = ", of another draft" if self.another_draft else ""
        return f"{self.agent}: {self.strict} of {self.runs} strictly{of}"


def read_pilots(root: Path, task: str, task_hash: str) -> Pilot:
    """What stands in one run folder of a task. Raises `UsageError`, `ContentError`."""
    folder = EvaluationFolder(root)
    plan = folder.planned()
    verdicts = [
        _verdict(place.verdict)
        for place in folder.places()
        if place.task == task and place.verdict.exists()
    ]
    if not verdicts:
        hint = f"run it first: bythebook run conduct --task {task} ... --to {root}"
        raise UsageError(f"holds no scored run of {task}", where=root, hint=hint)
    failed = [[one.id for one in v.findings if one.verdict != "pass"] for v in verdicts]
    return Pilot(
        agent=plan.agent,
        runs=len(verdicts),
        strict=failed.count([]),
        broken=dict(sorted(Counter(name for names in failed for name in names).items())),
        another_draft=all(one.hash != task_hash for one in plan.tasks if one.id == task),
    )


def _verdict(path: Path) -> Verdict:
    try:
        return msgspec.json.decode(path.read_bytes(), type=Verdict)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        hint = f"bythebook score {path.parents[2]} makes it anew"
        raise ContentError(f"does not read: {error}", where=path, hint=hint) from None


def note_pilots(work: Work, folders: Iterable[Path]) -> str:
    """Read the runs, keep what they show beside the draft, and write the line of the ledger."""
    draft = folder_hash([work.place.draft])
    found = [read_pilots(folder, work.place.about.id, draft) for folder in folders]
    write_whole(work.place.root / PILOTS, dumped([msgspec.to_builtins(p) for p in found]).encode())
    why = "; ".join(pilot.says for pilot in found)
    ruling = Ruling(gate="pilots", decided="pass", who="bythebook runs", kind="program", why=why)
    Ledger(work.place.root).decide(matter(work), ruling)
    return f"pilots: {why}"
