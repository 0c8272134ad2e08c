"""Whoever is asked while something is built: what a question is, what its answer, and who may be
asked. The minds there are: `hand_mind.HandMind`, `model_mind.ModelMind`."""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Generic, Protocol, TypeVar

import msgspec

from bythebook import yamlfile
from bythebook.errors import ContentError

T = TypeVar("T")

FENCED = re.compile(r"```(?:json|yaml|yml)?[ \t]*\n(?P<inside>.*?)\n[ \t]*```", re.DOTALL)
PLACE = re.compile(r"@([A-Z]+)@")


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
        """Ids of questions whose answer somebody has changed, or put aside, since it was taken."""
        ...

    def leave(self, stage: str, ids: Iterable[str]) -> None:
        """Changed answers that shall not be taken: they count as revised no more."""
        ...


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


def taking(kind: type[T], problems: Callable[[Question, T], Iterable[str]]) -> Take[T]:
    """Takes answers of one form of which nothing is wrong."""

    def take(question: Question, text: str) -> T:
        found = read_answer(text, kind)
        if wrong := tuple(problems(question, found)):
            raise Wrong(*wrong)
        return found

    return take


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
