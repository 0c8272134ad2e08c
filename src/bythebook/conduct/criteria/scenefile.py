"""The scene file: what a verdict needs beside the trace, complete in itself.

    runs/<evaluation>/scenes/<sha256>.json

It holds the criteria, the shapes of what they name, the slice of the opening state that they read,
and the document versions that `in_force` asks for; never a path, time or host. Its name is the
SHA-256 of its bytes, and traces name it so. Company functions are named by import path.
"""

import hashlib
import importlib
import inspect
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

import msgspec

from bythebook import __version__
from bythebook.conduct.criteria.evaluate import Opening, evaluate
from bythebook.conduct.criteria.grammar import Criteria, build
from bythebook.conduct.criteria.vocabulary import Edition, Function, Vocabulary
from bythebook.conduct.schema import Schema, Signature, row_type
from bythebook.errors import ContentError, TraceError
from bythebook.tool import Day
from bythebook.trace import Trace, read_scene
from bythebook.verdict import Finding, Verdict, all_pass

SCENE_VERSION = 1
POLICY_FUNCTION = re.compile(r"(?P<module>[a-z]\w*(?:\.\w+)*\.policy(?:\.\w+)*):(?P<name>[a-z]\w*)")


class Origin(msgspec.Struct, frozen=True):
    """Which task of which benchmark, and the hashes of its content."""

    benchmark: str
    suite: str
    task: str
    task_hash: str
    company_hash: str


class Hashed(Protocol):
    """Content with a hash."""

    @property
    def hash(self) -> str:
        """SHA-256 in hexadecimal."""


class Playable(Protocol):
    """A task as a scene file is built from it."""

    @property
    def id(self) -> str: ...
    @property
    def suite(self) -> str: ...
    @property
    def hash(self) -> str: ...
    @property
    def company(self) -> Hashed: ...
    @property
    def criteria(self) -> Criteria: ...
    @property
    def opening(self) -> Opening:
        """The state that every run starts from."""


class Head(msgspec.Struct, frozen=True):
    """What tells a scene file, and its version, from other JSON."""

    bythebook: Any = None
    version: Any = None


class Stored(msgspec.Struct, frozen=True, kw_only=True):
    """The JSON of a scene file."""

    bythebook: Literal["scene"] = "scene"
    version: int = SCENE_VERSION
    origin: Origin
    day: Day
    clock: int
    """What t = 0 is on the story's wall clock, in minutes after midnight."""
    criteria: dict[str, Any]
    schema: Schema
    tables: dict[str, msgspec.Raw]
    """Table to the list of its rows in the opening state; only tables that the criteria read."""
    editions: dict[str, tuple[Edition, ...]]
    functions: dict[str, str]


@dataclass(frozen=True)
class SceneFile:
    """One task's opening as rules see it, with the rules compiled."""

    origin: Origin
    day: Day
    clock: int
    criteria: Criteria
    tables: Mapping[str, Mapping[str, Any]]
    data: bytes
    """The bytes of its file."""

    @property
    def sha(self) -> str:
        """SHA-256 of its file, in hexadecimal: its name on disk."""
        return hashlib.sha256(self.data).hexdigest()

    @classmethod
    def build(cls, task: Playable) -> "SceneFile":
        """The scene of a task. Raises `ContentError` when the criteria name a row that the opening
        state lacks, or a table it does not know."""
        criteria, opening, words = task.criteria, task.opening, task.criteria.vocabulary
        criteria.check_keys(opening.tables)
        for name in sorted(criteria.tables - set(opening.tables)):
            raise ContentError(f"the opening state holds no table {name!r}, which criteria read")
        rows = {name: list(opening.tables[name].values()) for name in sorted(criteria.tables)}
        file = Stored(
            origin=Origin(__version__, task.suite, task.id, task.hash, task.company.hash),
            day=opening.day,
            clock=opening.clock,
            criteria=dict(criteria.data),
            schema=_slice(words.schema, criteria),
            tables={name: msgspec.Raw(msgspec.json.encode(value)) for name, value in rows.items()},
            editions={name: words.editions[name] for name in sorted(criteria.families)},
            functions={n: _path_of(n, words.functions[n]) for n in sorted(criteria.functions)},
        )
        return _open(file, msgspec.json.encode(file), task.id)

    @classmethod
    def load(cls, path: Path) -> "SceneFile":
        """Read a scene file; raises `TraceError` when it is not one, or not the one it is named."""
        return cls.parse(read_scene(path), where=path)

    @classmethod
    def parse(cls, data: bytes, *, where: str | Path) -> "SceneFile":
        """The scene in `data`."""
        try:
            head = msgspec.json.decode(data, type=Head)
            if head.bythebook != "scene" or head.version != SCENE_VERSION:
                what = f"not a scene file of version {SCENE_VERSION} (version: {head.version})"
                raise TraceError(what, where=where)
            file = msgspec.json.decode(data, type=Stored)
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise TraceError(f"this scene does not read: {error}", where=where) from None
        return _open(file, data, where)


def score(trace: Trace, scene: SceneFile, criteria: Criteria | None = None) -> Verdict:
    """The verdict of a finished run: under the rules of its scene, or under other ones.

    Other rules must do with the slice of the opening state that the scene holds; when they read a
    table it lacks that is a `JudgeError`, never a void rule.
    """
    header, closing = trace.header, trace.closing
    if closing is None:
        raise TraceError("the run was still in flight; it has no outcome", where=header.task)
    if header.scene != scene.sha:
        what = f"the trace names scene {header.scene[:12]}.., this is {scene.sha[:12]}.."
        raise TraceError(what, where=f"{header.task}/{header.run}")
    rules = criteria or scene.criteria
    findings = evaluate(rules, scene, trace.events)
    goal, process, protection = (
        all_pass(findings, kind) for kind in ("goal", "process", "protection")
    )
    return Verdict(
        benchmark=header.benchmark,
        suite=header.suite,
        task=header.task,
        run=header.run,
        agent=header.agent,
        condition=header.condition,
        outcome=str(closing.outcome),
        scene=scene.sha,
        rules=rules.sha,
        recorded_rules=scene.criteria.sha,
        goal=goal,
        process=process,
        protection=protection,
        strict=_strict(findings),
        process_exercised=not any(f.vacuous for f in findings if f.kind == "process"),
        calls=sum(event.kind == "call" for event in trace.events),
        findings=findings,
    )


def _strict(findings: tuple[Finding, ...]) -> bool | None:
    marks = {finding.verdict for finding in findings}
    if "fail" in marks:
        return False
    return None if "void" in marks else True


def _slice(schema: Schema, criteria: Criteria) -> Schema:
    """The shapes that the criteria name, and no others."""
    named = criteria.named
    tables = named["write"] | criteria.tables

    def pick(known: Mapping[str, Signature], kind: str) -> dict[str, Signature]:
        return {name: known[name] for name in sorted(named[kind])}

    return Schema(
        tables={name: schema.tables[name] for name in sorted(tables)},
        calls=pick(schema.calls, "call"),
        customer=pick(schema.customer, "customer"),
        events=pick(schema.events, "event"),
        terms={name: schema.terms[name] for name in sorted(tables) if name in schema.terms},
    )


def _open(file: Stored, data: bytes, where: str | Path) -> SceneFile:
    functions = {name: _function(path, where) for name, path in file.functions.items()}
    words = Vocabulary(file.schema, functions, file.editions)
    try:
        criteria = build(file.criteria, words, where=where)
        tables = {name: _rows(name, raw, file.schema) for name, raw in file.tables.items()}
    except (ContentError, msgspec.MsgspecError) as error:
        raise TraceError(f"this scene does not read: {error}", where=where) from None
    return SceneFile(file.origin, file.day, file.clock, criteria, tables, data)


def _rows(table: str, raw: msgspec.Raw, schema: Schema) -> dict[str, Any]:
    kind: Any = row_type(schema.tables[table])
    return {row.id: row for row in msgspec.json.decode(raw, type=list[kind])}


def _path_of(name: str, run: Function) -> str:
    path = f"{run.__module__}:{getattr(run, '__qualname__', '')}"
    if POLICY_FUNCTION.fullmatch(path) is None:
        what = f"{name} is {path}; criteria call functions of a `policy` module only"
        raise ContentError(what, hint="company.policy.module:function")
    return path


def _function(path: str, where: str | Path) -> Function:
    """The function at an import path. Only a function that its own `policy` module defines: a
    scene file is data, and must not be able to name any other code."""
    found = POLICY_FUNCTION.fullmatch(path)
    if found is None:
        raise TraceError(f"{path!r} is no function of a policy module", where=where)
    try:
        run: Function = getattr(importlib.import_module(found["module"]), found["name"])
    except (ImportError, AttributeError) as error:
        what = f"the criteria call {path}, which is not here: {error}"
        raise TraceError(what, where=where, hint="install the company that made it") from None
    if not inspect.isfunction(run) or run.__module__ != found["module"]:
        raise TraceError(f"{path!r} is no function of that module", where=where)
    return run
