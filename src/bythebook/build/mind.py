"""Whoever is asked while something is built: a model, or any person or program by hand.

    DIR/<stage>/<id>/
      prompt.md           the question; it says the form of the answer
      asked.json          the hash of the question: an answer to another one does not count; and
                          of the answer that was taken: one that was changed since is taken anew
      answer.json         the answer; or answer.yaml, or answer.md
      answer.wrong.txt    what is wrong with it
      conversation.json   of a model: all that was sent and said

Both kinds of mind keep this form. What was answered and taken is not asked again.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec

from bythebook import yamlfile
from bythebook.errors import ContentError, UsageError
from bythebook.run.durable import write_whole

T = TypeVar("T")

SAFE = re.compile(r"[A-Za-z0-9][\w.-]*")
ANSWERS = ("answer.json", "answer.yaml", "answer.md")
FENCED = re.compile(r"```(?:json|yaml|yml)?[ \t]*\n(?P<inside>.*?)\n[ \t]*```", re.DOTALL)
PLACE = re.compile(r"@([A-Z]+)@")
BY_HAND = """

---
Write the answer into `answer.json` beside this file (or the same in YAML, as `answer.yaml`; there,
words with `: ` or `#` in them stand in quotation marks, and within `{}` those with a comma), then
give the command again. What is wrong with an answer is then said in `answer.wrong.txt`.
"""
OLDER = """
The question has changed since it was answered. That answer lies beside this file as `{name}`; copy
what of it still holds.
"""


class Question(msgspec.Struct, frozen=True):
    """One question. `stage` and `id` are safe as names of folders."""

    stage: str
    id: str
    prompt: str
    """Markdown; says the form of the answer."""

    @property
    def sha(self) -> str:
        return hashlib.sha256(self.prompt.encode()).hexdigest()


def filled(template: Path, parts: Mapping[str, str]) -> str:
    """A prompt's file with its @WORDS@ filled in, all at once: words in a part are left alone."""
    text = template.read_text("utf-8")
    return PLACE.sub(lambda found: parts.get(found[1].lower(), found[0]), text)


class Wrong(Exception):
    """An answer does not hold; each word of `says` is one thing that is wrong, and what to do."""

    def __init__(self, *says: str) -> None:
        super().__init__("\n".join(says))
        self.says = says


Take = Callable[[Question, str], T]
"""What an answer's text means. Raises `Wrong`."""


@dataclass(frozen=True)
class Answered(Generic[T]):
    """What came of some questions."""

    taken: Mapping[str, T] = field(default_factory=dict)
    """By the question's id."""
    waiting: tuple[Path, ...] = ()
    """Folders where an answer is still to be written."""
    wrong: Mapping[Path, str] = field(default_factory=dict)
    """Folders whose answer does not hold, and why."""

    @property
    def complete(self) -> bool:
        return not (self.waiting or self.wrong)


class Mind(Protocol):
    """Who is asked."""

    @property
    def name(self) -> str:
        """`hand:NAME` or `provider:model`."""
        ...

    def answers(self, questions: Iterable[Question], take: Take[T]) -> Answered[T]: ...

    def forget(self, stage: str) -> int:
        """Put aside what was answered in a stage, so that it is asked again; how many."""
        ...

    def revised(self, stage: str) -> tuple[str, ...]:
        """Ids of questions whose answer somebody has changed since it was taken."""
        ...

    def leave(self, stage: str, ids: Iterable[str]) -> None:
        """Changed answers that shall not be taken: they count as revised no more."""
        ...


class Asked(msgspec.Struct, frozen=True):
    """`asked.json`."""

    sha256: str
    taken: str = ""
    """Hash of the answer's text that was taken; empty before one was."""


class HandMind:
    """Lays questions out in a folder, and takes the answers that were put there."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.name = f"hand:{folder.resolve().name}"

    def answers(self, questions: Iterable[Question], take: Take[T]) -> Answered[T]:
        taken: dict[str, T] = {}
        waiting: list[Path] = []
        wrong: dict[Path, str] = {}
        for question in questions:
            place = lay_out(self.folder, question, BY_HAND)
            try:
                text = answer_in(place)
                if text is None:
                    waiting.append(place)
                    continue
                taken[question.id] = take(question, text)
            except Wrong as error:
                wrong[place] = str(error)
                _write(place / "answer.wrong.txt", f"{error}\n")
                continue
            (place / "answer.wrong.txt").unlink(missing_ok=True)
            _mark(place, Asked(question.sha, _hash(text)))
        return Answered(taken, tuple(waiting), wrong)

    def forget(self, stage: str) -> int:
        return forget(self.folder / stage)

    def revised(self, stage: str) -> tuple[str, ...]:
        return tuple(place.name for place, _ in _changed(self.folder / stage))

    def leave(self, stage: str, ids: Iterable[str]) -> None:
        chosen = set(ids)
        for place, asked in _changed(self.folder / stage):
            if place.name in chosen:
                _mark(place, asked)


def lay_out(folder: Path, question: Question, tail: str = "") -> Path:
    """Write a question where it is answered; an answer to an older one is put aside."""
    for name in (question.stage, question.id):
        if not SAFE.fullmatch(name):
            raise UsageError(f"{name!r} cannot name a folder", where=folder)
    place = folder / question.stage / question.id
    if _asked(place).sha256 == question.sha:
        return place
    for name in (*ANSWERS, "answer.wrong.txt", "conversation.json"):
        put_aside(place / name)
    older = earlier(place)
    if tail and older:
        tail += OLDER.format(name=older.name)
    _write(place / "prompt.md", question.prompt.rstrip() + "\n" + tail)
    _mark(place, Asked(question.sha))
    return place


def earlier(place: Path) -> Path | None:
    """The latest answer of a question's folder that was put aside."""
    aside = [old for name in ANSWERS for old in place.glob(f"{name}.old-*")]
    return max(aside, key=lambda path: path.stat().st_mtime_ns, default=None)


def _asked(place: Path) -> Asked:
    """What was asked here last; an empty hash where nothing was, or the record does not read."""
    try:
        return msgspec.json.decode((place / "asked.json").read_bytes(), type=Asked)
    except (OSError, msgspec.MsgspecError):
        return Asked("")


def _mark(place: Path, asked: Asked) -> None:
    said = {"sha256": asked.sha256} | ({"taken": asked.taken} if asked.taken else {})
    _write(place / "asked.json", msgspec.json.encode(said).decode() + "\n")


def _changed(stage: Path) -> Iterator[tuple[Path, Asked]]:
    """Places whose answer is another than was taken, with the record that would fit it."""
    for place in sorted(path.parent for path in stage.glob("*/asked.json")):
        asked = _asked(place)
        try:
            text = answer_in(place)
        except Wrong:
            text = ""  # two answers, or one that does not read: to be said when it is taken
        if asked.taken and text is not None and _hash(text) != asked.taken:
            yield place, Asked(asked.sha256, _hash(text))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def answer_in(place: Path) -> str | None:
    """The text of the one answer in a question's folder. Raises `Wrong` for two of them."""
    found = [place / name for name in ANSWERS if (place / name).exists()]
    if len(found) > 1:
        names = " and ".join(path.name for path in found)
        raise Wrong(f"there are {names}: leave one of them")
    if not found:
        return None
    try:
        return found[0].read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise Wrong(f"{found[0].name} cannot be read: {error}") from None


def put_aside(path: Path) -> Path | None:
    """Rename a file to the first free `NAME.old-N`; None where there is no file."""
    if not path.exists():
        return None
    number = 1
    while (aside := path.with_name(f"{path.name}.old-{number}")).exists():
        number += 1
    path.replace(aside)
    return aside


def forget(stage: Path) -> int:
    """Put aside every answer below the folder of a stage; how many there were."""
    found = [p for name in ANSWERS for p in sorted(stage.glob(f"*/{name}"))]
    for path in found:
        put_aside(path)
    return len(found)


def read_answer(text: str, kind: type[T]) -> T:
    """An answer as `kind` (a msgspec type): JSON or YAML, alone or in a fenced block.

    Raises `Wrong` with line and field.
    """
    inside = _inside(text)
    try:
        return yamlfile.fit(_plain(inside), kind, where="answer", text=inside)
    except ContentError as error:
        raise Wrong(str(error)) from None
    except RecursionError:
        raise Wrong("the answer is nested too deeply: write it as the example shows") from None


def _inside(text: str) -> str:
    """Without a fence, and without words around one JSON object."""
    fenced = FENCED.search(text)
    if fenced:
        return fenced["inside"]
    start, end = text.find("{"), text.rfind("}")
    alone = text.strip()
    if start >= 0 and not alone.startswith("{") and alone.endswith("}") and '"' in text[start:]:
        return _object(text[start : end + 1]) or text
    return text


def _object(text: str) -> str:
    try:
        msgspec.json.decode(text)
    except msgspec.DecodeError:
        return ""
    return text


def _plain(text: str) -> object:
    if text.lstrip().startswith(("{", "[")):
        try:
            return msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            flow = str(error)
        try:
            return yamlfile.parse(text, "answer")
        except ContentError:
            raise Wrong(f"the answer is no JSON: {flow}") from None
    return yamlfile.parse(text, "answer")


def _write(path: Path, text: str) -> None:
    write_whole(path, text.encode())
