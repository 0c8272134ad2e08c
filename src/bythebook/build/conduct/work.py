"""One task under construction: what stands in its place, and the next thing to be done."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Literal

import msgspec

from bythebook import yamlfile
from bythebook.build.asking import Asking
from bythebook.build.conduct.forms import (
    Alignment,
    Overlay,
    Scenario,
    Trial,
    dumped,
    has_block,
    trial,
)
from bythebook.build.conduct.place import Place
from bythebook.build.mind import Mind, Question, Wrong
from bythebook.build.stages import Building, WouldLose, digest, sha
from bythebook.errors import BythebookError, ContentError

Files = dict[str, str]
"""Name in a stage's folder to text."""
State = Literal["done", "edited", "waits", "wrong", "no reader", "not yet"]


class Stand(msgspec.Struct, frozen=True, kw_only=True):
    """How one stage stands."""

    stage: str
    state: State
    says: tuple[str, ...] = ()
    place: str = ""
    """Where to go on: the folder of a question, or of the stage."""
    anew: tuple[str, ...] = ()
    """Why a question that was answered before is asked again."""

    @property
    def done(self) -> bool:
        return self.state in ("done", "edited")


@dataclass(frozen=True)
class Step:
    """One stage: what is asked, what the answer becomes, and what must hold of it."""

    name: str
    made_of: tuple[str, ...]
    """Stages that it is made from."""
    questions: Callable[["Work"], dict[str, str]]
    """Job to prompt; a job asks one question."""
    files: Callable[["Work", str, str], Files]
    """Work, job, answer. Raises `Wrong`."""
    problems: Callable[["Work", Files], Iterator[str]]
    """What is wrong with files as they stand; may raise a `BythebookError`."""
    reader: bool = False
    """Asked of the second reader, not of the author."""
    afresh: bool = False
    """Asked again whenever something has changed; else an answer that still holds is kept."""
    of_draft: bool = False
    """Made from the draft itself."""


@dataclass
class Work:
    """The place, and who is asked."""

    place: Place
    building: Building
    author: Mind
    reader: Mind | None = None
    stands: list[Stand] = field(default_factory=list)

    # --- what stands there ------------------------------------------------------------------

    def path(self, stage: str, file: str) -> Path:
        return self.building.root / stage / file

    def text(self, stage: str, file: str) -> str:
        return yamlfile.read_text(self._there(stage, file))

    def _there(self, stage: str, file: str) -> Path:
        """A file that a later stage reads. Raises `ContentError` where it was taken out."""
        path = self.path(stage, file)
        if not path.exists():
            raise ContentError("is gone", where=path, hint=f"put it back, or --remake {stage}")
        return path

    @property
    def alignment(self) -> Alignment:
        names = {name: self._there("1-alignment", f"{name}.yaml") for name in self.place.sops}
        return {name: yamlfile.load(path, Alignment)[name] for name, path in names.items()}

    @property
    def story(self) -> Scenario:
        return yamlfile.load(self._there("2-scenario", "scenario.yaml"), Scenario)

    @property
    def overlay(self) -> Overlay:
        return yamlfile.load(self._there("3-overlay", "overlay.yaml"), Overlay)

    def task_text(self) -> str:
        """task.yaml, as scenario and rows make it."""
        return task_text(self.place, self.story, self.text("3-overlay", "overlay.yaml"))

    def task_files(self) -> Files:
        """The files of the draft, as far as their stages stand."""
        found = (
            {"task.yaml": self.task_text()}
            if self.path("3-overlay", "overlay.yaml").exists()
            else {}
        )
        for stage, file in PARTS:
            if self.path(stage, file).exists():
                found[file] = self.text(stage, file)
        return found

    @contextmanager
    def tried(self, files: Mapping[str, str]) -> Iterator[Trial]:
        """The draft with these files instead of its own, loaded."""
        with trial(
            self.place.company, self.place.about.id, {**self.task_files(), **files}
        ) as found:
            yield found

    def noted(
        self, stage: str, file: str, made_of: tuple[str, ...], text: Callable[["Work"], str]
    ) -> str:
        """What the command works out by itself, kept as a file; a person may edit it, too."""
        of = self.hashes(made_of)
        folder = self.building.stage(stage)
        if folder.due({"it": of}):
            folder.put("it", {file: text(self)}, of)
        return self.text(stage, file)

    # --- one stage --------------------------------------------------------------------------

    def do(self, step: Step) -> bool:
        """Ask what is to be asked, check what stands there; False: it goes no further."""
        stand = self._stand(step)
        self.stands.append(stand)
        return stand.done

    def _stand(self, step: Step) -> Stand:
        of = self.hashes(step.made_of) | (self.draft_hashes() if step.of_draft else {})
        asking = self._asking(step, of)
        due = self._due(step, asking)
        if not due:
            return self._standing(step)
        stands = None if asking.revised else self._still_stands(step)
        if stands == ():
            self._keep(step, due, of)
        elif self._mind(step) is None:
            return Stand(stage=step.name, state="no reader")
        else:
            opened = self._ask(step, asking, due, stands or ())
            if opened is not None:
                return opened
        return self._standing(step)

    def _mind(self, step: Step) -> Mind | None:
        return self.reader if step.reader else self.author

    def _asking(self, step: Step, of: dict[str, str]) -> Asking:
        jobs = dict.fromkeys(self._jobs(step), of)
        return Asking(self.building.stage(step.name), step.name, jobs, self._mind(step))

    def _due(self, step: Step, asking: Asking) -> tuple[str, ...]:
        """Jobs that were answered anew or whose inputs have changed, edited files set apart: those
        are checked, and are their editor's to mend. Raises `WouldLose` for edited files that have
        to be made afresh or that another answer would take the place of."""
        try:
            return asking.due()
        except WouldLose:
            if step.afresh or asking.revised:
                raise
        self.building.keep |= {step.name}
        return asking.due()

    def _still_stands(self, step: Step) -> tuple[str, ...] | None:
        """What is wrong with files that were made from what has changed; None: there are none, or
        they are to be made anew."""
        stage = self.building.stage(step.name)
        if step.afresh or step.name in self.building.remake or not stage.files():
            return None
        return self._problems(step)

    def _keep(self, step: Step, due: tuple[str, ...], of: dict[str, str]) -> None:
        """What a stage was made from has changed, and its files hold all the same."""
        files = self._files(step)
        for job in due:
            mine = files if len(due) == 1 else {f"{job}.yaml": files[f"{job}.yaml"]}
            self.building.stage(step.name).put(job, mine, of)

    def _ask(
        self, step: Step, asking: Asking, due: tuple[str, ...], stands: tuple[str, ...]
    ) -> Stand | None:
        """None: every question was answered, and the answers are written."""
        prompts = step.questions(self)
        earlier = _earlier(self._files(step), stands) if stands else ""
        answered = asking.ask(
            due,
            lambda job: prompts[job] + earlier,
            partial(self.take, step),
            lambda _, files: files,
        )
        if answered.complete:
            return None
        return _open(step, answered.waiting, answered.wrong, stands)

    def _jobs(self, step: Step) -> tuple[str, ...]:
        return tuple(self.place.sops) if step.name == "1-alignment" else ("question",)

    def hashes(self, stages: tuple[str, ...]) -> dict[str, str]:
        """What a file is made from: company, procedures, and the files of these stages."""
        of = {"company": self.place.company.hash}
        of |= {f"sop {name}": digest(sop.text) for name, sop in self.place.sops.items()}
        for name in stages:
            of |= self.building.stage(name).hashes()
        return of

    def take(self, step: Step, question: Question, text: str) -> Files:
        """The files that an answer makes. Raises `Wrong` with all that does not hold."""
        try:
            files = step.files(self, question.id, text)
            problems = list(step.problems(self, files))
        except BythebookError as error:
            raise Wrong(str(error)) from None
        if problems:
            raise Wrong(*problems)
        return files

    def _standing(self, step: Step) -> Stand:
        """What the command wrote was checked then; what a person edited is checked now."""
        edited = self._edited(step)
        problems = self._problems(step) if edited else ()
        if problems:
            place = str(self.building.stage(step.name).folder)
            return Stand(stage=step.name, state="wrong", says=problems, place=place)
        return Stand(stage=step.name, state="edited" if edited else "done")

    def _edited(self, step: Step) -> bool:
        states = self.building.stage(step.name).states()
        return any(state != "as written" for state in states.values())

    def _files(self, step: Step) -> Files:
        stage = self.building.stage(step.name)
        paths = {path.relative_to(stage.folder).as_posix(): path for path in stage.files()}
        return {name: yamlfile.read_text(path) for name, path in paths.items()}

    def _problems(self, step: Step) -> tuple[str, ...]:
        states = self.building.stage(step.name).states()
        gone = sorted(name for name, state in states.items() if state == "taken out")
        again = f"put it back, or --remake {step.name}"
        if gone:
            return tuple(f"the file {name!r} is gone\n  {again}" for name in gone)
        try:
            return tuple(step.problems(self, self._files(step)))
        except BythebookError as error:
            return (str(error),)
        except KeyError as missing:  # it was never written, or the record of it is lost
            return (f"the file {missing} is gone\n  {again}",)

    def draft_hashes(self) -> dict[str, str]:
        """The draft as it stands on disk, its review aside."""
        paths = sorted(self.place.draft.glob("*.yaml"))
        return {f"draft {p.name}": sha(p) for p in paths if p.name != "review.yaml"}


def _earlier(files: Files, problems: tuple[str, ...]) -> str:
    """The answer as it was, and why it holds no longer."""
    wrong = "\n".join(f"- {problem}" for problem in problems)
    texts = "\n".join(f"```yaml\n{text}```" for text in files.values())
    return f"\n# The earlier answer\n\n{texts}\n\nIt holds no longer:\n\n{wrong}\n"


PARTS = (
    ("4-customer", "customer.yaml"),
    ("5-paraphrases", "paraphrases.yaml"),
    ("6-criteria", "criteria.yaml"),
    ("7-golden", "golden.yaml"),
    ("8-counterexamples", "counterexamples.yaml"),
)
"""Stages whose file is a file of the task."""


def _open(
    step: Step, waiting: tuple[Path, ...], wrong: Mapping[Path, str], anew: tuple[str, ...]
) -> Stand:
    if wrong:
        place, *_ = wrong
        return Stand(stage=step.name, state="wrong", says=tuple(wrong.values()), place=str(place))
    says = tuple(str(place) for place in waiting)
    return Stand(stage=step.name, state="waits", says=says, place=says[0], anew=anew)


def task_text(place: Place, story: Scenario, rows: str) -> str:
    """task.yaml of a draft; the rows as their writer laid them out."""
    canary = blake2b(f"conduct {place.about.id}".encode(), digest_size=16).hexdigest()
    data = {
        "title": story.title,
        "request": story.request.rstrip("\n") + "\n",
        "sop": place.about.sops,
        "day": story.day,
        "clock": story.clock,
        "dependencies": story.dependencies,
        "tags": story.tags,
        "canary": f"bythebook-canary-{canary}",
        "required_documents": story.required_documents,
        "lookalikes": story.lookalikes,
    }
    said = dumped({name: value for name, value in data.items() if value})
    return said + ("" if has_block(rows, "overlay") else "overlay: {}\n") + rows
