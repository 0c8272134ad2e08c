"""A task under its conditions, read once and shared by every environment of this process."""

from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import floor
from pathlib import Path
from typing import Any, Literal

import msgspec

from bythebook.agents.protocol import Briefing
from bythebook.conduct.company import Company, load_company
from bythebook.conduct.criteria import SceneFile, Watch
from bythebook.conduct.golden.cast import golden_calls
from bythebook.conduct.golden.plan import load_golden
from bythebook.conduct.task import ConductTask, load_task
from bythebook.errors import UsageError, suggestion
from bythebook.interop.rl.shaping import Shaping
from bythebook.run.attempt import Terms
from bythebook.run.condition import condition
from bythebook.run.plan import Limits
from bythebook.task import Content

Reward = Literal["strict", "shaped"]


class Way(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What episodes are played under. The defaults are those of `bythebook run`."""

    condition: str = "default"
    reward: Reward = "strict"
    discount: float = 1.0
    """Of the trainer, 0 < discount <= 1; shaped steps are made to fit it."""
    cap: str | float | None = None
    """Most tool calls, as a multiple of the golden's."""
    steps: int | None = None
    tool_errors: int | None = 50
    content: tuple[str, ...] = ()
    """Folders that come before the shipped content."""

    def check(self) -> None:
        """Raises `UsageError`."""
        if not 0 < self.discount <= 1:
            raise UsageError(f"discount {self.discount} is not in (0, 1]")
        condition(self.condition)
        if self.ratio is not None and self.ratio <= 0:
            raise UsageError(f"cap {self.cap} is not more than 0")

    @property
    def ratio(self) -> Fraction | None:
        """Raises `UsageError` when the cap is no number."""
        try:
            return None if self.cap is None else Fraction(str(self.cap))
        except (ValueError, ZeroDivisionError):
            raise UsageError(f"cap {self.cap!r} is no number", hint="as in 1.2 or 6/5") from None


PLAIN = Way()


def way_of(options: dict[str, Any]) -> Way:
    """Raises `UsageError` that names the option."""
    for name in options:
        if name not in Way.__struct_fields__:
            raise UsageError(f"no option {name!r}", hint=suggestion(name, Way.__struct_fields__))
    folders = options.get("content", ())
    one = isinstance(folders, str | Path)
    given = options | {"content": tuple(map(str, [folders] if one else folders))}
    try:
        way = msgspec.convert(given, Way)
    except msgspec.ValidationError as error:
        raise UsageError(str(error)) from None
    way.check()
    return way


@dataclass(frozen=True)
class Course:
    """All that the episodes of one task share. Nothing in it is ever written to."""

    task: ConductTask
    terms: Terms
    file: SceneFile
    briefing: Briefing
    watch: Watch
    """Before the first event; each episode takes a fork."""
    shaping: Shaping


def open_course(name: str, way: Way = PLAIN) -> Course:
    """A task by id or prefix. Raises `UsageError` and `ContentError`."""
    return _course(_id(name, way.content), way)


def task_ids(way: Way) -> tuple[str, ...]:
    return tuple(Content(map(Path, way.content)).tasks("conduct"))


@cache
def _id(name: str, content: tuple[str, ...]) -> str:
    return Content(map(Path, content)).task("conduct", name).name


@cache
def _course(name: str, way: Way) -> Course:
    task = _task(name, way.content)
    limits = Limits(tool_errors=way.tool_errors, steps=way.steps)
    under, cap = condition(way.condition), None
    if way.ratio is not None:
        golden = load_golden(task.folder / "golden.yaml", task.company)
        cap = floor(way.ratio * golden_calls(golden))
    file = SceneFile.build(task)
    watch = Watch(file.criteria, file)
    return Course(
        task=task,
        terms=Terms(limits, under, cap),
        file=file,
        briefing=under.briefing(task),
        watch=watch,
        shaping=Shaping.of(watch),
    )


@cache
def _task(name: str, content: tuple[str, ...]) -> ConductTask:
    return load_task(Content(map(Path, content)), _company(content), name)


@cache
def _company(content: tuple[str, ...]) -> Company:
    return load_company(Content(map(Path, content)))
