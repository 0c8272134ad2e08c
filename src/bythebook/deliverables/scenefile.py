"""The scene file: what a verdict needs beside evidence and judgements, complete in itself.

    runs/<evaluation>/scenes/<sha256>.json

It holds the rubric, the expected tables, the wanted files, the locale, the prompt, and of the
inputs only what checks compare with; never a path, time or host. Its name is the SHA-256 of its
bytes, and traces name it so.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from bythebook import __version__
from bythebook.deliverables.checks.answer import Evidence
from bythebook.deliverables.checks.case import Case
from bythebook.deliverables.checks.dates import Locale
from bythebook.deliverables.checks.held import Held, bare
from bythebook.deliverables.checks.spec import Unchanged
from bythebook.deliverables.evidence.model import Content, Kind, Workbook
from bythebook.deliverables.expected import Expected
from bythebook.deliverables.rubric import ENCODER, RubricFile
from bythebook.deliverables.task import DeliverableTask
from bythebook.errors import ContentError, TraceError
from bythebook.trace import read_scene

SCENE_VERSION = 1


class Origin(msgspec.Struct, frozen=True):
    """Which task of which benchmark, and the hash of its content."""

    benchmark: str
    suite: str
    task: str
    task_hash: str


class Head(msgspec.Struct, frozen=True):
    """What tells a scene file, and its version, from other JSON."""

    bythebook: Any = None
    version: Any = None
    rubric: Any = None


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON of a scene file."""

    bythebook: Literal["scene"] = "scene"
    version: int = SCENE_VERSION
    origin: Origin
    prompt: str
    wants: dict[str, Kind]
    locale: Locale
    rubric: RubricFile
    expected: Expected
    inputs: dict[str, Content]


class Inputs(Protocol):
    """The evidence of a task's inputs, as far as a scene takes from it."""

    def content(self, name: str) -> Content | None: ...


@dataclass(frozen=True)
class SceneFile:
    """One task's rules, ready to be asked of a submission."""

    origin: Origin
    prompt: str
    wants: Mapping[str, Kind]
    locale: Locale
    rubric: RubricFile
    expected: Expected
    inputs: Held
    data: bytes
    """The bytes of its file."""

    @cached_property
    def sha(self) -> str:
        """SHA-256 of its file, in hexadecimal: its name on disk."""
        return hashlib.sha256(self.data).hexdigest()

    @cached_property
    def rules(self) -> str:
        """SHA-256 of all that decides: rubric, expected tables, wanted files, locale, inputs."""
        rules = [self.rubric, self.expected, dict(self.wants), self.locale, self.inputs.contents]
        return hashlib.sha256(ENCODER.encode(rules)).hexdigest()

    def case(self, results: Evidence) -> Case:
        """The checks' ground for one submission."""
        return Case(
            results=results,
            inputs=self.inputs,
            expected=self.expected,
            fields=self.rubric.fields,
            wants=self.wants,
            locale=self.locale,
        )

    @classmethod
    def build(cls, task: DeliverableTask, inputs: Inputs | None = None) -> "SceneFile":
        """The scene of a task; `inputs`: the evidence of its inputs, read here if not given.

        Raises `ContentError` when the rubric does not hold together, or an input that a check
        compares with does not read.
        """
        rubric = task.rubric
        file = Stored(
            origin=Origin(__version__, task.suite, task.id, task.hash),
            prompt=task.prompt,
            wants=task.wants,
            locale=task.file.locale,
            rubric=rubric,
            expected=task.expected,
            inputs=_compared(rubric, task, inputs),
        )
        return _open(file, ENCODER_AS_WRITTEN.encode(file), task.id)

    @classmethod
    def load(cls, path: Path) -> "SceneFile":
        """Read a scene file; raises `TraceError` when it is not one, or not the one it is named."""
        return cls.parse(read_scene(path), where=path)

    @classmethod
    def parse(cls, data: bytes, *, where: str | Path) -> "SceneFile":
        """The scene in `data`."""
        try:
            head = msgspec.json.decode(data, type=Head)
            if head.bythebook != "scene" or head.version != SCENE_VERSION or head.rubric is None:
                what = f"no deliverables scene of version {SCENE_VERSION} (version: {head.version})"
                raise TraceError(what, where=where)
            file = DECODER.decode(data)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise TraceError(f"this scene does not read: {error}", where=where) from None
        return _open(file, data, where)


ENCODER_AS_WRITTEN = msgspec.json.Encoder(decimal_format="number")
DECODER = msgspec.json.Decoder(Stored, float_hook=Decimal)


def _open(file: Stored, data: bytes, where: str | Path) -> SceneFile:
    for item in file.rubric.items:
        try:
            _ = item.spec
        except (msgspec.MsgspecError, KeyError) as error:
            what = f"item {item.id} of this scene does not read: {error}"
            raise TraceError(what, where=where) from None
    return SceneFile(
        origin=file.origin,
        prompt=file.prompt,
        wants=file.wants,
        locale=file.locale,
        rubric=file.rubric,
        expected=file.expected,
        inputs=Held(file.inputs),
        data=data,
    )


def _compared(
    rubric: RubricFile, task: DeliverableTask, inputs: Inputs | None
) -> dict[str, Content]:
    """Input to what `unchanged` checks compare of it: nothing but these sheets' cells."""
    sheets: dict[str, frozenset[str] | None] = {}
    for item in rubric.items:
        spec = item.spec
        if isinstance(spec, Unchanged):
            known = sheets.get(spec.input, frozenset())
            every = not spec.sheets or known is None
            sheets[spec.input] = None if every else (known or frozenset()) | set(spec.sheets)
    if not sheets:
        return {}
    source = inputs or task.evidence
    found: dict[str, Content] = {}
    for name, kept in sorted(sheets.items()):
        content = source.content(name)
        if not isinstance(content, Workbook):
            what = task.unread.get(name, "is no workbook, and a check wants its sheets unchanged")
            hint = "save it anew as .xlsx, or take it out of inputs/ and of rubric.yaml"
            raise ContentError(what, where=task.inputs / name, hint=hint)
        found[name] = bare(content, kept)
    return found
