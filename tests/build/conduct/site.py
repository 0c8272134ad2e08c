"""A building place over the scaffold's small company, and answers that somebody wrote for it."""

import shutil
from dataclasses import dataclass
from pathlib import Path

from bythebook.build.conduct.build import STEPS, Built, build
from bythebook.build.conduct.place import opened
from bythebook.build.conduct.work import Files, Step, Work
from bythebook.build.hand_mind import HandMind
from bythebook.build.mind import Question, Wrong
from bythebook.build.stages import Building

ANSWERS = Path(__file__).with_name("answers")
TASK, SOP, AUTHOR = "q91-auditor", "issue-visitor-pass", "Ada"
BY_NAME = {step.name: step for step in STEPS}


def said(stage: str) -> str:
    """The right answer of a stage."""
    return (ANSWERS / f"{stage}.yaml").read_text("utf-8")


def told(stage: str, *edits: tuple[str, str]) -> str:
    """The right answer with some texts replaced."""
    text = said(stage)
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


@dataclass(frozen=True)
class Site:
    """DIR, the folders of author and reader, and the content that they build for."""

    root: Path

    @property
    def place(self) -> Path:
        return self.root / "place"

    @property
    def content(self) -> Path:
        return self.root / "own"

    @property
    def draft(self) -> Path:
        return self.place / "content/tasks/conduct" / TASK

    def copied(self, target: Path) -> "Site":
        shutil.copytree(self.root, target)
        return Site(target)

    def work(
        self, *, remake: tuple[str, ...] = (), keep: tuple[str, ...] = (), reader: bool = True
    ) -> Work:
        place = opened(self.place, TASK, [SOP], AUTHOR, [self.content])
        building = Building(self.place, frozenset(remake), frozenset(keep))
        minds = HandMind(self.root / "author"), HandMind(self.root / "reader")
        return Work(place, building, minds[0], minds[1] if reader else None)

    def go(
        self, *, remake: tuple[str, ...] = (), keep: tuple[str, ...] = (), reader: bool = True
    ) -> Built:
        """The command, once."""
        return build(self.work(remake=remake, keep=keep, reader=reader), [self.content])

    def answer(self, stage: str, text: str = "") -> None:
        """Write an answer where the question waits."""
        for folder in self.root.glob(f"*/{stage}/*/prompt.md"):
            (folder.parent / "answer.yaml").write_text(text or said(stage), "utf-8")

    def through(self, *stages: str, **other: str) -> Built:
        """Answer stage after stage; `other`: answers by stage, with _ for the first dash."""
        built = self.go()
        for stage in stages:
            self.answer(stage, other.get(stage, ""))
            built = self.go()
        return built


def refused(work: Work, stage: str, text: str) -> str:
    """All that is said against an answer."""
    step: Step = BY_NAME[stage]
    job = SOP if stage == "1-alignment" else "question"
    try:
        work.take(step, Question(stage, job, ""), text)
    except Wrong as wrong:
        return str(wrong)
    raise AssertionError("the answer was taken")


def taken(work: Work, stage: str, text: str) -> Files:
    """The files of an answer that holds."""
    job = SOP if stage == "1-alignment" else "question"
    return work.take(BY_NAME[stage], Question(stage, job, ""), text)
