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
from bythebook.build.conduct.forms import (
    Alignment,
    Overlay,
    Scenario,
    Trial,
    dumped,
    trial,
)
from bythebook.build.conduct.place import Place
from bythebook.build.mind import Mind, Question, Wrong
from bythebook.build.stages import Building, digest
from bythebook.errors import BythebookError

Files = dict[str, str]
"""Name in a stage's folder to text."""
State = Literal["done", "edited", "waits", "wrong", "no reader", "not yet"]


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """How one stage stands."""

    stage: str
    state: State
    says: tuple[str, ...] = ()
    place: str = ""
    """Where to go on: the folder of a question, or of the stage."""


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


@dataclass
class Work:
    """The place, and who is asked."""

    place: Place
    building: Building
    author: Mind
    reader: Mind | None = None
    lines: list[Line] = field(default_factory=list)

    # --- what stands there ------------------------------------------------------------------

    def path(self, stage: str, file: str) -> Path:
        return self.building.root / stage / file

    def text(self, stage: str, file: str) -> str:
        return yamlfile.read_text(self.path(stage, file))

    @property
    def alignment(self) -> Alignment:
        path = self.building.root / "1-alignment"
        return {n: yamlfile.load(path / f"{n}.yaml", Alignment)[n] for n in self.place.sops}

    @property
    def story(self) -> Scenario:
        return yamlfile.load(self.path("2-scenario", "scenario.yaml"), Scenario)

    @property
    def overlay(self) -> Overlay:
        return yamlfile.load(self.path("3-overlay", "overlay.yaml"), Overlay)

    def task_text(self, overlay: Overlay | None = None) -> str:
        """task.yaml, as scenario and rows make it."""
        return task_text(self.place, self.story, self.overlay if overlay is None else overlay)

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
        line = self._line(step)
        self.lines.append(line)
        return line.state in ("done", "edited")

    def _line(self, step: Step) -> Line:
        stage = self.building.stage(step.name)
        mind = self.reader if step.reader else self.author
        of = self.hashes(step.made_of)
        due = stage.due(dict.fromkeys(self._jobs(step), of))
        if due and mind is None:
            return Line(stage=step.name, state="no reader")
        if due and mind is not None:
            prompts = step.questions(self)
            questions = [Question(step.name, job, prompts[job]) for job in due]
            answered = mind.answers(questions, partial(self._take, step))
            for job, files in answered.taken.items():
                stage.put(job, files, of)
            if not answered.complete:
                return _open(step, answered.waiting, answered.wrong)
        return self._standing(step)

    def _jobs(self, step: Step) -> tuple[str, ...]:
        return tuple(self.place.sops) if step.name == "1-alignment" else ("question",)

    def hashes(self, stages: tuple[str, ...]) -> dict[str, str]:
        """What a file is made from: the procedures, and the files of these stages."""
        of = {f"sop {name}": digest(sop.text) for name, sop in self.place.sops.items()}
        for name in stages:
            of |= self.building.stage(name).hashes()
        return of

    def _take(self, step: Step, question: Question, text: str) -> Files:
        """The files that an answer makes. Raises `Wrong` with all that does not hold."""
        try:
            files = step.files(self, question.id, text)
            problems = list(step.problems(self, files))
        except BythebookError as error:
            raise Wrong(str(error)) from None
        if problems:
            raise Wrong(*problems)
        return files

    def _standing(self, step: Step) -> Line:
        """The files as they stand now, edited ones too, are checked again."""
        stage = self.building.stage(step.name)
        files = {
            p.relative_to(stage.folder).as_posix(): p.read_text("utf-8") for p in stage.files()
        }
        try:
            problems = tuple(step.problems(self, files))
        except BythebookError as error:
            problems = (str(error),)
        edited = any(state != "as written" for state in stage.states().values())
        if problems:
            return Line(stage=step.name, state="wrong", says=problems, place=str(stage.folder))
        return Line(stage=step.name, state="edited" if edited else "done")


PARTS = (
    ("4-customer", "customer.yaml"),
    ("5-paraphrases", "paraphrases.yaml"),
    ("6-criteria", "criteria.yaml"),
    ("7-golden", "golden.yaml"),
    ("8-counterexamples", "counterexamples.yaml"),
)
"""Stages whose file is a file of the task."""


def _open(step: Step, waiting: tuple[Path, ...], wrong: Mapping[Path, str]) -> Line:
    if wrong:
        place, *_ = wrong
        return Line(stage=step.name, state="wrong", says=tuple(wrong.values()), place=str(place))
    says = tuple(str(place) for place in waiting)
    return Line(stage=step.name, state="waits", says=says, place=says[0])


def task_text(place: Place, story: Scenario, overlay: Overlay) -> str:
    """task.yaml of a draft."""
    canary = blake2b(f"conduct {place.about.id}".encode(), digest_size=16).hexdigest()
    data = {
        "title": story.title,
        "request": story.request.rstrip("\n") + "\n",
        "sop": list(place.about.sops),
        "day": story.day,
        "clock": story.clock,
        "dependencies": list(story.dependencies),
        "tags": list(story.tags),
        "canary": f"bythebook-canary-{canary}",
        "required_documents": list(story.required_documents),
        "lookalikes": msgspec.to_builtins(story.lookalikes),
        "overlay": msgspec.to_builtins(overlay.overlay),
        "events": msgspec.to_builtins(overlay.events),
    }
    return dumped({name: value for name, value in data.items() if value or name == "overlay"})
