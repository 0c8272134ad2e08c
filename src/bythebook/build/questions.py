"""A folder of questions, and of what was answered to them; every kind of mind keeps this form.

    DIR/<stage>/<id>/
      prompt.md           the question; it says the form of the answer
      asked.json          the hash of the question: an answer to another one does not count; and
                          of the answer that was taken: one that was changed since is taken anew
      answer.json         the answer; or answer.yaml, or answer.md
      answer.wrong.txt    what is wrong with it
      conversation.json   of a model: all that was sent and said

What was answered and taken is not asked again.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import msgspec

from bythebook.build.mind import Answered, Question, T, Take, Wrong
from bythebook.errors import UsageError
from bythebook.run.durable import write_whole

SAFE = re.compile(r"[A-Za-z0-9][\w.-]*")
ANSWERS = ("answer.json", "answer.yaml", "answer.md")
OLDER = """
The question has changed since it was answered. That answer lies beside this file as `{name}`; copy
what of it still holds.
"""


class Asked(msgspec.Struct, frozen=True, omit_defaults=True):
    """`asked.json`."""

    sha256: str
    taken: str = ""
    """Hash of the answer's text that was taken; empty before one was."""


class Questions:
    """Lays questions out in a folder, and takes the answers that it finds there."""

    def __init__(self, folder: Path, tail: str = "") -> None:
        """`tail`: what is said under each question."""
        self.folder, self._tail = folder, tail

    def place(self, question: Question) -> Path:
        """Raises `UsageError` for a stage or id that cannot name a folder."""
        for name in (question.stage, question.id):
            if not SAFE.fullmatch(name):
                hint = "take letters, digits, dots and dashes for it, where it was named"
                raise UsageError(f"{name!r} cannot name a folder", where=self.folder, hint=hint)
        return self.folder / question.stage / question.id

    def read(self, questions: Iterable[Question], take: Take[T]) -> Answered[T]:
        """What the answers that lie there come to; a question without one waits."""
        taken: dict[str, T] = {}
        waiting: list[Path] = []
        wrong: dict[Path, str] = {}
        for question in questions:
            place = self._lay_out(question)
            try:
                text = _answer_in(place)
                if text is None:
                    waiting.append(place)
                else:
                    taken[question.id] = take(question, text)
                    self.took(question, text)
            except Wrong as error:
                wrong[place] = self.refuse(question, error)
        return Answered(taken, tuple(waiting), wrong)

    def overtaken(self, question: Question) -> bool:
        """Somebody has edited the answer to an older question of this place."""
        place = self.place(question)
        edited = any(changed == place for changed, _ in _changed(place.parent))
        return edited and _asked(place).sha256 != question.sha

    def took(self, question: Question, text: str) -> None:
        """Remember which answer was taken."""
        place = self.place(question)
        (place / "answer.wrong.txt").unlink(missing_ok=True)
        _mark(place, Asked(question.sha, _hash(text)))

    def refuse(self, question: Question, error: Wrong) -> str:
        """Write beside an answer what is wrong with it, and give the words back."""
        _write(self.place(question) / "answer.wrong.txt", f"{error}\n")
        return str(error)

    def forget(self, stage: str) -> int:
        """Put aside what was answered in a stage, so that it is asked again; how many."""
        folder = self.folder / stage
        found = [path for name in ANSWERS for path in sorted(folder.glob(f"*/{name}"))]
        for path in found:
            put_aside(path)
        return len(found)

    def revised(self, stage: str) -> tuple[str, ...]:
        """Ids of questions whose answer somebody has changed, or put aside, since it was taken."""
        return tuple(place.name for place, _ in _changed(self.folder / stage))

    def leave(self, stage: str, ids: Iterable[str]) -> None:
        """Changed answers that shall not be taken: they count as revised no more."""
        chosen = set(ids)
        for place, asked in _changed(self.folder / stage):
            if place.name in chosen:
                _mark(place, asked)

    def _lay_out(self, question: Question) -> Path:
        """Write a question where it is answered; an answer to an older one is put aside."""
        place = self.place(question)
        if _asked(place).sha256 == question.sha:
            return place
        for name in (*ANSWERS, "answer.wrong.txt", "conversation.json"):
            put_aside(place / name)
        older = earlier(place)
        tail = self._tail + OLDER.format(name=older.name) if self._tail and older else self._tail
        _write(place / "prompt.md", question.prompt.rstrip() + "\n" + tail)
        _mark(place, Asked(question.sha))
        return place


def earlier(place: Path) -> Path | None:
    """The latest answer of a question's folder that was put aside."""
    aside = [old for name in ANSWERS for old in place.glob(f"{name}.old-*")]
    return max(aside, key=lambda path: path.stat().st_mtime_ns, default=None)


def put_aside(path: Path) -> Path | None:
    """Rename a file to the first free `NAME.old-N`; None where there is no file."""
    if not path.exists():
        return None
    number = 1
    while (aside := path.with_name(f"{path.name}.old-{number}")).exists():
        number += 1
    path.replace(aside)
    return aside


def _answer_in(place: Path) -> str | None:
    """The text of the one answer in a question's folder. Raises `Wrong` for two of them."""
    found = [place / name for name in ANSWERS if (place / name).exists()]
    if len(found) > 1:
        names = " and ".join(path.name for path in found)
        raise Wrong(f"there are {names}: leave one of them")
    if not found:
        return None
    try:
        return found[0].read_text("utf-8")
    except UnicodeDecodeError:
        raise Wrong(f"{found[0].name} is no UTF-8: save it as UTF-8") from None
    except OSError as error:
        raise Wrong(f"{found[0].name} cannot be read: {error.strerror}") from None


def _asked(place: Path) -> Asked:
    """What was asked here last; an empty hash where nothing was, or the record does not read."""
    try:
        return msgspec.json.decode((place / "asked.json").read_bytes(), type=Asked)
    except (OSError, msgspec.MsgspecError):
        return Asked("")


def _mark(place: Path, asked: Asked) -> None:
    _write(place / "asked.json", msgspec.json.encode(asked).decode() + "\n")


def _changed(stage: Path) -> Iterator[tuple[Path, Asked]]:
    """Places whose answer is another than was taken, or gone, with the record that would fit."""
    for place in sorted(path.parent for path in stage.glob("*/asked.json")):
        asked = _asked(place)
        try:
            text = _answer_in(place)
        except Wrong:
            text = ""  # two answers, or one that does not read: to be said when it is taken
        now = "" if text is None else _hash(text)
        if asked.taken and now != asked.taken:
            yield place, Asked(asked.sha256, now)


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _write(path: Path, text: str) -> None:
    write_whole(path, text.encode())
