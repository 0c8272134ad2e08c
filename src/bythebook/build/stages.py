"""A building place: stages as folders of files that people may read, edit, and go on from.

    DIR/
      stages.json           what the command wrote, and from what, by hash
      <stage>/<file>        made by jobs; a job makes one file or several
      <stage>/<file>.old-N  put aside, never deleted

A file that a person edited, added or took out stays so, and counts as input of later stages. A job
whose inputs have changed is done again; where that would write over a person's work the command
refuses and names the files (`WouldLose`).
"""

import hashlib
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

import msgspec

from bythebook.build.questions import put_aside
from bythebook.deliverables.evidence.cache import write_whole
from bythebook.errors import ContentError, UsageError
from bythebook.run.durable import on_disk

RECORD = "stages.json"
State = Literal["as written", "edited", "taken out", "own"]
"""own: a person added it. taken out: a person deleted what the command wrote."""
OLD = ".old-"


class Made(msgspec.Struct, frozen=True, omit_defaults=True):
    """What one job wrote."""

    of: dict[str, str]
    """What it was made from: any name to any hash."""
    files: dict[str, str]
    """Name inside the stage's folder to SHA-256 as written."""
    before: dict[str, tuple[str, ...]] = {}
    """While they are being written: what the command had written there. Empty once all are."""

    @property
    def known(self) -> dict[str, tuple[str, ...]]:
        """Name to the hashes that are the command's own."""
        names = {*self.files, *self.before}
        return {
            name: (*self.before.get(name, ()), *filter(None, [self.files.get(name)]))
            for name in sorted(names)
        }


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`stages.json`: stage to job to what it made."""

    version: Literal[1] = 1
    stages: dict[str, dict[str, Made]] = {}


class WouldLose(UsageError):
    """Going on would write over what a person edited."""

    def __init__(self, stage: str, files: Iterable[Path]) -> None:
        names = sorted(str(path) for path in files)
        listed = "\n  ".join(names)
        super().__init__(
            f"going on would write over {len(names)} file(s) of stage {stage!r} that were edited "
            f"by hand, because what they were made from, or its answer, has changed:\n  {listed}",
            hint=f"--keep {stage}: they stand as they are; or --remake {stage}: they are made "
            f"anew, and the edited ones put aside as FILE{OLD}N",
        )
        self.files = tuple(names)


@dataclass
class Building:
    """A building place. `remake`, `keep`: stages to make anew, and stages to leave as edited."""

    root: Path
    remake: frozenset[str] = frozenset()
    keep: frozenset[str] = frozenset()
    _stages: dict[str, "Stage"] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._made = _read(self.root / RECORD)

    def stage(self, name: str) -> "Stage":
        if name not in self._stages:
            self._stages[name] = Stage(self, name, self._made.setdefault(name, {}))
        return self._stages[name]

    def save(self) -> None:
        data = msgspec.json.encode(Record(stages=self._made), order="sorted")
        _put(self.root / RECORD, msgspec.json.format(data, indent=1) + b"\n")


class Stage:
    """One folder of a building place."""

    def __init__(self, building: Building, name: str, made: dict[str, Made]) -> None:
        self.name = name
        self.folder = building.root / name
        self._building, self._made = building, made
        self._again = set(made) if name in building.remake else set()
        """Jobs to be done anew once, though nothing has changed."""

    def due(
        self, jobs: Mapping[str, Mapping[str, str]], anew: Collection[str] = ()
    ) -> tuple[str, ...]:
        """The jobs to be done now, out of all that the stage has: job to hashes of its inputs.

        `anew`: jobs to be done although no input of theirs has changed. Unedited files of jobs that
        are no more are put aside. Raises `WouldLose`.
        """
        gone = [job for job in self._made if job not in jobs]
        changed = [job for job, of in jobs.items() if job in anew or not self._current(job, of)]
        edited = [job for job in (*gone, *changed) if job not in self._again and self._edited(job)]
        if edited and self.name not in self._building.keep:
            raise WouldLose(self.name, (p for job in edited for p in self._edited(job)))
        for job in gone:
            self._retire(job, kept=job in edited)
        for job in edited:
            if job in jobs:
                self._keep(job, jobs[job])
        self._building.save()
        return tuple(job for job in changed if job not in edited)

    def put(self, job: str, files: Mapping[str, str], of: Mapping[str, str]) -> None:
        """Write what a job made. Raises `WouldLose` for a name that a person's own file has."""
        self.put_all({job: (files, of)})

    def put_all(self, jobs: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]]) -> None:
        """Many jobs at once: job to its files and the hashes of its inputs.

        What is about to be written is noted first: of a command that is killed in between, no file
        is taken for a person's.
        """
        for job, (files, _) in jobs.items():
            self._demand_free(job, files)
        self._begin(jobs)
        for job, (files, of) in jobs.items():
            for name, known in self._made[job].before.items():
                path = self.folder / name
                if name not in files or job in self._again or sha(path) not in known:
                    put_aside(path)
            for name, text in files.items():
                _put(self.folder / name, text.encode())
            self._made[job] = Made(dict(of), self._made[job].files)
            self._again.discard(job)
        self._building.save()

    def _begin(self, jobs: Mapping[str, tuple[Mapping[str, str], Mapping[str, str]]]) -> None:
        """Note what is about to be written, as made from nothing yet."""
        for job, (files, _) in jobs.items():
            wrote = {name: digest(text) for name, text in files.items()}
            self._made[job] = Made({}, wrote, self._made.get(job, Made({}, {})).known)
        if jobs:
            self._building.save()

    def files(self, suffix: str = ".yaml") -> tuple[Path, ...]:
        """Everything that stands there now, a person's own files too, without what was put
        aside."""
        found = self.folder.rglob(f"*{suffix}") if self.folder.is_dir() else ()
        return tuple(sorted(path for path in found if path.is_file() and OLD not in path.name))

    def hashes(self, suffix: str = ".yaml") -> dict[str, str]:
        """`stage/file` to hash, of all files: what a later stage is made from."""
        return {self.input(path): sha(path) for path in self.files(suffix)}

    def input(self, path: Path) -> str:
        return f"{self.name}/{path.relative_to(self.folder).as_posix()}"

    def made_from(self, name: str) -> set[str]:
        """The hashes that one input had, over all jobs."""
        return {made.of[name] for made in self._made.values() if name in made.of}

    def outdated(self) -> dict[str, str]:
        """Each file of another stage that has changed since this one was made from it, to a file
        that was."""
        return {
            name: next(iter(sorted(made.files)), "")
            for made in self._made.values()
            for name, was in made.of.items()
            if "/" in name and sha(self._building.root / name) != was
        }

    def states(self) -> dict[str, State]:
        """Each file of the stage, and whose it is."""
        found: dict[str, State] = {}
        for made in self._made.values():
            for name, known in made.known.items():
                now = sha(self.folder / name)
                found[name] = "as written" if now in known else "edited" if now else "taken out"
        for path in self.files(""):
            found.setdefault(path.relative_to(self.folder).as_posix(), "own")
        return found

    def _current(self, job: str, of: Mapping[str, str]) -> bool:
        return job in self._made and job not in self._again and self._made[job].of == dict(of)

    def _edited(self, job: str) -> list[Path]:
        """Files of a job that a person edited; what a person took out stays out by itself."""
        known = self._made.get(job, Made({}, {})).known
        paths = {self.folder / name: hashes for name, hashes in known.items()}
        return [path for path, hashes in paths.items() if sha(path) not in (*hashes, "")]

    def _keep(self, job: str, of: Mapping[str, str]) -> None:
        self._made[job] = Made(dict(of), self._made[job].files)

    def _retire(self, job: str, *, kept: bool) -> None:
        """A job that is no more: its files are put aside; edited ones stay, as a person's own."""
        edited = self._edited(job) if kept else []
        for name in self._made.pop(job).known:
            if self.folder / name not in edited:
                put_aside(self.folder / name)

    def _demand_free(self, job: str, files: Mapping[str, str]) -> None:
        own = {name for made in self._made.values() for name in made.known}
        theirs = [
            self.folder / name
            for name, text in files.items()
            if name not in own and sha(self.folder / name) not in ("", digest(text))
        ]
        if not theirs:
            return
        if self.name not in self._building.remake:
            raise WouldLose(self.name, theirs)
        for path in theirs:
            put_aside(path)


def sha(path: Path) -> str:
    """SHA-256 of a file's bytes; empty where there is no file."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _put(path: Path, data: bytes) -> None:
    with on_disk(path):
        write_whole(path, data)


def _read(path: Path) -> dict[str, dict[str, Made]]:
    if not path.exists():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=Record).stages
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        hint = "take it from a copy; without it every file counts as a person's own"
        raise ContentError(f"does not read: {error}", where=path, hint=hint) from None
