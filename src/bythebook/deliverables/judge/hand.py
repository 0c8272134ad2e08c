"""A judge by hand: questions laid out as folders, answers read from files.

    DIR/<task>/<run>/
      shared/                       once for all items of a run: results, deliverables (the inputs),
                                    query, eval_hints
      <item>/
        prompt.md                   rules, task, outline, requirement, how to answer
        workspace/                  StartupBench's layout of a judge's workspace
          results deliverables query eval_hints      links to what is shared
          eval/rubric.json          this item alone
          eval/rubric_items/        for item_NNNN.json, if the judge writes that form
        asked.json                  what exactly was asked, by hash
        answer.json                 to be written by whoever judges
        answer.wrong.txt            what is wrong with it
      rubric_judges.json            StartupBench's form for all items, if somebody puts it there

Any program or person can judge so. An answer is verified as a model's is.
"""

import os
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec

from bythebook.deliverables.judge import startupbench
from bythebook.deliverables.judge.docket import Question
from bythebook.deliverables.judge.given import Breach, take
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.judge.session import judgement
from bythebook.deliverables.judge.submission import Submission, prompt_text, told
from bythebook.deliverables.judge.verify import check_places
from bythebook.deliverables.rubric import Item

SHARED = ("results", "deliverables", "query", "eval_hints")


class AskedOf(msgspec.Struct, frozen=True):
    """`asked.json`: an answer to anything else does not count."""

    task: str
    run: int
    item: str
    item_hash: str
    evidence: str


class Sources(msgspec.Struct, frozen=True):
    """Where the files of a submission lie."""

    results: Path
    inputs: Path
    hints: Callable[[Path], object]
    """Writes the `eval_hints/` tree into a folder."""


class HandJudge:
    """Lays out questions in a folder, and takes the answers that were put there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = f"hand:{folder.resolve().name}"

    def place(self, submission: Submission) -> Path:
        return self.folder / submission.task / str(submission.run)

    def lay_out(
        self, submission: Submission, sources: Sources, questions: Iterable[Question]
    ) -> None:
        """Write what is not there yet; an answer to what was asked otherwise is put aside."""
        place = self.place(submission)
        for question in questions:
            self._share(submission, sources)
            item, folder = question.item, place / question.item.id
            asked = _asked(submission, item)
            kept = folder / "asked.json"
            if kept.exists() and _read(kept) == asked:
                continue
            _put_aside(folder)
            _workspace(folder / "workspace", submission, item)
            _write(folder / "prompt.md", by_hand(submission, question))
            _write(kept, _text(asked))

    def take(self, submission: Submission, item: Item) -> Judgement | None:
        """The answer on an item; None when there is none, or one with something wrong, which is
        then said in a file beside it."""
        folder = self.place(submission) / item.id
        wrong = folder / "answer.wrong.txt"
        try:
            found = self._answer(submission, item, folder)
        except Breach as breach:
            _write(wrong, f"{breach.cause}: {breach.says}\n")
            return None
        if found is not None:
            wrong.unlink(missing_ok=True)
        return found

    def wrong(self, submission: Submission, item: Item) -> Path | None:
        """Where it is said what is wrong with the answer on an item."""
        path = self.place(submission) / item.id / "answer.wrong.txt"
        return path if path.exists() else None

    def _answer(self, submission: Submission, item: Item, folder: Path) -> Judgement | None:
        asked = folder / "asked.json"
        if not asked.exists() or _read(asked) != _asked(submission, item):
            return None
        answer = folder / "answer.json"
        if os.path.lexists(answer):
            given = take(startupbench.decode(answer))
            check_places(given, submission)
            return judgement(item, submission, self.name, given)
        number = submission.number(item)
        theirs = folder / "workspace/eval/rubric_items" / startupbench.item_file(number)
        if theirs.exists():
            found = startupbench.read_item(theirs, item, number)
            return self._unverified(submission, item, found)
        together = self.place(submission) / "rubric_judges.json"
        if together.exists():
            verdicts = startupbench.read_all(together, submission.items)
            if item.id in verdicts:
                return self._unverified(submission, item, verdicts[item.id])
        return None

    def _unverified(
        self, submission: Submission, item: Item, found: startupbench.ItemVerdict
    ) -> Judgement:
        return Judgement(
            item=item.id,
            item_hash=item.hash,
            evidence=submission.results.sha,
            judge=self.name,
            verdict="pass" if found.passed else "fail",
            because=found.judge_response,
            says=startupbench.UNVERIFIED,
        )

    def _share(self, submission: Submission, sources: Sources) -> None:
        """The parts that all items of a run look at, once; anew when the files are others."""
        shared = self.place(submission) / "shared"
        mark = shared / "evidence.sha"
        if mark.exists() and mark.read_text("utf-8") == submission.results.sha:
            return
        shutil.rmtree(shared, ignore_errors=True)
        _copy(sources.results, shared / "results")
        _copy(sources.inputs, shared / "deliverables")
        _write(shared / "query/task.md", submission.prompt)
        (shared / "eval_hints").mkdir()
        sources.hints(shared / "eval_hints")
        _write(mark, submission.results.sha)


def by_hand(submission: Submission, question: Question) -> str:
    """The whole prompt of one item, for somebody who works with files."""
    number = f"{submission.number(question.item):04}"
    parts = (
        prompt_text("rules"),
        submission.head,
        told(question.item, question.answer),
        prompt_text("by_hand").replace("NNNN", number),
    )
    return "\n\n".join(parts) + "\n"


def _workspace(place: Path, submission: Submission, item: Item) -> None:
    place.mkdir(parents=True, exist_ok=True)
    for name in SHARED:
        link = place / name
        link.unlink(missing_ok=True)
        link.symlink_to(Path("../../shared") / name)
    (place / "eval/rubric_items").mkdir(parents=True, exist_ok=True)
    entry = startupbench.entry(item, submission.number(item))
    _write(place / "eval/rubric.json", _text([entry]))


def _asked(submission: Submission, item: Item) -> AskedOf:
    return AskedOf(submission.task, submission.run, item.id, item.hash, submission.results.sha)


def _read(path: Path) -> AskedOf | None:
    try:
        return msgspec.json.decode(path.read_bytes(), type=AskedOf)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None


def _put_aside(folder: Path) -> None:
    """Answers to an earlier question of this name are kept, and do not count."""
    found = [folder / "answer.json", *folder.glob("workspace/eval/rubric_items/*.json")]
    for path in found:
        if path.exists():
            path.replace(path.with_name(f"{path.stem}.stale{path.suffix}.kept"))


def _copy(source: Path, target: Path) -> None:
    """Regular files and folders; links are never followed."""
    target.mkdir(parents=True, exist_ok=True)
    if not source.is_dir():
        return
    for path in sorted(source.rglob("*")):
        if path.is_file() and not path.is_symlink():
            place = target / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def _text(value: object) -> str:
    return msgspec.json.format(msgspec.json.encode(value), indent=2).decode() + "\n"


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
