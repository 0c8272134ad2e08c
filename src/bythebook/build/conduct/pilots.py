"""Pilots: what agents made of a draft, read from their run folders and noted in the ledger."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import msgspec

from bythebook.build.conduct.forms import dumped
from bythebook.build.conduct.gates import matter
from bythebook.build.conduct.work import Work
from bythebook.build.ledger import Ledger, Ruling
from bythebook.errors import UsageError
from bythebook.run.durable import write_whole

PILOTS = "pilots.yaml"


class Pilot(msgspec.Struct, frozen=True, kw_only=True):
    """All runs of one agent in one folder."""

    agent: str
    runs: int
    strict: int
    """Runs that reached every goal and broke no rule."""
    broken: dict[str, int]
    """Rule to the number of runs that broke it."""


def read_pilots(folder: Path, task: str) -> Pilot:
    """What stands in one run folder of a task. Raises `UsageError`."""
    verdicts = sorted((folder / task).glob("*/verdict.json"))
    if not verdicts:
        hint = f"run it first: bythebook run conduct --task {task} ... --to {folder}"
        raise UsageError(f"holds no scored run of {task}", where=folder, hint=hint)
    broken: dict[str, int] = {}
    strict = 0
    for path in verdicts:
        found: Any = msgspec.json.decode(path.read_bytes())
        failed = [one["id"] for one in found["findings"] if one["verdict"] != "pass"]
        strict += not failed
        for name in failed:
            broken[name] = broken.get(name, 0) + 1
    plan: Any = msgspec.json.decode((folder / "plan.json").read_bytes())
    agent = plan.get("agent", "")
    return Pilot(
        agent=agent if isinstance(agent, str) else str(agent.get("name", agent)),
        runs=len(verdicts),
        strict=strict,
        broken=dict(sorted(broken.items())),
    )


def note_pilots(work: Work, folders: Iterable[Path]) -> str:
    """Read the runs, keep what they show beside the draft, and write the line of the ledger."""
    found = [read_pilots(folder, work.place.about.id) for folder in folders]
    write_whole(work.place.root / PILOTS, dumped([msgspec.to_builtins(p) for p in found]).encode())
    why = "; ".join(f"{p.agent}: {p.strict} of {p.runs} strictly" for p in found)
    ruling = Ruling(gate="pilots", decided="pass", who="bythebook runs", kind="program", why=why)
    Ledger(work.place.root).decide(matter(work), ruling)
    return f"pilots: {why}"
