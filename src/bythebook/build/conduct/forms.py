"""What is asked for at each stage, and how an answer in YAML or JSON is read."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec
import yaml

from bythebook.build.mind import FENCED, read_answer
from bythebook.conduct.company import Company
from bythebook.conduct.sops import Sop
from bythebook.conduct.task import ConductTask, Dependency, TaskEvent, load_task
from bythebook.errors import BythebookError, unknown
from bythebook.task import Content
from bythebook.tool import Day

UNKNOWN = "???"
"""Stands in a golden skeleton for what nobody but its author can know."""


class Aligned(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What one step of a procedure is done with."""

    tools: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    """family#clause: the rules of the step."""
    documents: tuple[str, ...] = ()
    """Documents that one has to read to do the step."""
    no_tool: str = ""
    """Why no business tool does the step."""


Alignment = dict[str, dict[str, Aligned]]
"""Procedure, to step, to what it is done with."""


class AlignmentAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The answer on one procedure."""

    steps: dict[str, Aligned]


class Trap(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way in which an agent in a hurry goes wrong."""

    id: str
    kind: Dependency
    tempts: str
    """What leads astray, and where it stands."""
    right: str
    """What an honest agent does, and from where it knows."""
    step: str
    """procedure#step."""
    clause: str = ""
    """family#clause of the rule that it breaks; empty if it only misses the goal."""


class Scenario(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The story of a task: what everything after it is made from."""

    title: str
    customer: str
    request: str
    goal: str
    day: Day
    clock: str
    traps: tuple[Trap, ...]
    shortcut: str
    """Id of the trap that reaches the goal by breaking a rule."""
    required_documents: tuple[str, ...]
    lookalikes: dict[str, tuple[str, ...]] = {}
    tables: tuple[str, ...] = ()
    """Tables that the story needs rows of."""
    tags: tuple[str, ...] = ()

    @property
    def dependencies(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(trap.kind for trap in self.traps))


class Overlay(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Rows of the task, and what happens whatever the agent does."""

    overlay: dict[str, tuple[dict[str, Any], ...]] = {}
    replaces: tuple[str, ...] = ()
    """Ids of the company's rows in whose place some of these stand."""
    events: tuple[TaskEvent, ...] = ()


def verbatim(text: str) -> str:
    """An answer as the text of a YAML file: as its writer laid it out, comments and all, if it is
    YAML; else written anew. Raises `Wrong`."""
    data: Any = read_answer(text, Any)
    found = FENCED.search(text)
    inside = (found["inside"] if found else text).strip()
    return dumped(data) if inside.startswith(("{", "[")) else inside + "\n"


def has_block(text: str, name: str) -> bool:
    """Does YAML text hold this top-level field?"""
    return any(line.startswith(f"{name}:") for line in text.splitlines())


def without_block(text: str, name: str) -> str:
    """YAML text without one of its top-level fields."""
    kept, inside = [], False
    for line in text.splitlines():
        if line and not line[0].isspace() and line[0] not in "#}]":
            inside = line.startswith(f"{name}:")
        if not inside:
            kept.append(line)
    return "\n".join(kept).strip() + "\n"


def step_of(reference: str, sops: Mapping[str, Sop], *, where: str) -> tuple[str, str]:
    """The procedure and step that `procedure#step` names. Raises `ContentError`."""
    sop, _, step = reference.partition("#")
    if sop not in sops:
        raise unknown("procedure of this task", sop, sops, where=where)
    names = [one.id for one in sops[sop].steps]
    if step not in names:
        raise unknown(f"step of {sop}", step, names, where=where)
    return sop, step


def tried(check: Callable[..., object], *args: Any, **named: Any) -> Iterator[str]:
    """What a check says is wrong, instead of raising it."""
    try:
        check(*args, **named)
    except BythebookError as error:
        yield str(error)


# --- text of files ------------------------------------------------------------------------------


LINE = 110
"""Longest mapping or list that is put on one line."""


def dumped(value: object) -> str:
    """Plain data as YAML for people: in order, short lists on one line."""
    plain = msgspec.to_builtins(value)
    text = yaml.dump(plain, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=100)
    return str(text)


class _Dumper(yaml.SafeDumper):
    """Long texts as blocks, rows and lists of words on one line."""

    top: Any = None
    """The whole, which is never put on one line."""

    def ignore_aliases(self, data: Any) -> bool:
        return True

    def represent(self, data: Any) -> None:
        self.top = data
        super().represent(data)


def _text(dumper: yaml.SafeDumper, data: str) -> yaml.Node:
    style = "|" if "\n" in data else None
    return dumper.represent_scalar("tag:yaml.org,2002:str", data, style=style)


def _mapping(dumper: "_Dumper", data: dict[str, Any]) -> yaml.Node:
    flat = data is not dumper.top and _small(data) and len(str(data)) < LINE
    return dumper.represent_mapping("tag:yaml.org,2002:map", data.items(), flow_style=flat)


def _sequence(dumper: "_Dumper", data: Sequence[Any]) -> yaml.Node:
    of_maps = any(isinstance(value, dict) for value in data)
    flat = data is not dumper.top and not of_maps and _small(data) and len(str(data)) < LINE
    return dumper.represent_sequence("tag:yaml.org,2002:seq", data, flow_style=flat)


def _small(value: object) -> bool:
    if isinstance(value, dict):
        return all(_small(inner) for inner in value.values())
    if isinstance(value, list | tuple):
        return all(_small(inner) for inner in value)
    return not isinstance(value, str) or ("\n" not in value and len(value) < 90)


_Dumper.add_representer(str, _text)
_Dumper.add_representer(dict, _mapping)
_Dumper.add_representer(list, _sequence)
_Dumper.add_representer(tuple, _sequence)


# --- a draft on trial ---------------------------------------------------------------------------


class Trial:
    """A task folder under construction, laid out where nobody sees it, and loaded for real."""

    def __init__(self, task: ConductTask, folder: Path) -> None:
        self.task, self.folder = task, folder

    def told(self, problem: object) -> str:
        """A problem without the path of the place of trial."""
        return str(problem).replace(f"{self.folder}/", "")


@contextmanager
def trial(company: Company, task_id: str, files: Mapping[str, str]) -> Iterator[Trial]:
    """The task that these files make. Raises `ContentError`, paths as a person knows them."""
    with TemporaryDirectory() as name:
        folder = Path(name) / "tasks" / "conduct" / task_id
        folder.mkdir(parents=True)
        for file, text in files.items():
            (folder / file).write_text(text, "utf-8")
        try:
            yield Trial(load_task(Content([Path(name)]), company, task_id), folder)
        except BythebookError as error:
            error.args = (str(error).replace(f"{folder}/", ""),)
            error.where = error.where.replace(f"{folder}/", "")
            raise
