"""The building place of one task: what is built, from what, and what stands there so far.

DIR/
  task.json                 id, procedures and author of the task
  stages.json               what the command wrote, and from what
  1-alignment/ .. 11-review/     one folder a stage: files to read and to edit
  content/                  the draft; give it to other commands as --content DIR/content
    company/sops/           procedures that came as files
    tasks/conduct/<id>/
  ledger.jsonl              who decided what, and why
"""

import re
import shutil
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import msgspec

from bythebook.build.questions import put_aside
from bythebook.conduct.company import Company, load_company
from bythebook.conduct.sops import Sop
from bythebook.errors import UsageError, unknown
from bythebook.run.durable import write_whole
from bythebook.task import Content

ABOUT = "task.json"
TASK_ID = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`task.json`."""

    id: str
    sops: tuple[str, ...]
    author: str
    """Whose answers the task is made of; nobody reviews what is their own."""


@dataclass(frozen=True)
class Place:
    """A building place, and the company that it builds for."""

    root: Path
    about: About
    company: Company

    @property
    def sops(self) -> dict[str, Sop]:
        """The task's procedures, in order."""
        return {name: self.company.sops[name] for name in self.about.sops}

    @property
    def content(self) -> Path:
        return self.root / "content"

    @property
    def draft(self) -> Path:
        """The task's folder."""
        return self.content / "tasks" / "conduct" / self.about.id


def opened(
    root: Path, task_id: str, sops: Iterable[str], author: str, roots: Iterable[Path]
) -> Place:
    """The place, begun or gone on with. What it was begun with is not changed silently.

    `sops`: ids of the company, or files as `build sop` writes them, which are copied.
    Raises `UsageError`, `ContentError`.
    """
    before = _read(root / ABOUT)
    names = tuple(dict.fromkeys(_name(sop) for sop in sops))
    if before is None:
        _demand(task_id, names, root)
        about = About(task_id, names, author)
    else:
        about = _same(before, task_id, names, author, root)
    copied = root / "content" / "company" / "sops"
    copied.mkdir(parents=True, exist_ok=True)
    for sop in sops:
        if _is_file(sop):
            _copy(Path(sop), copied / Path(sop).name)
    company = load_company(Content([root / "content", *roots]))
    for name in about.sops:
        if name not in company.sops:
            raise unknown("procedure", name, company.sops, where="the procedures named")
    data = msgspec.json.format(msgspec.json.encode(about), indent=1)
    write_whole(root / ABOUT, data + b"\n")
    return Place(root, about, company)


def _demand(task_id: str, names: tuple[str, ...], root: Path) -> None:
    if not names:
        raise UsageError("no procedure is named", where=root, hint="name one or more: SOP...")
    if not task_id:
        hint = "--task q91-what-it-is-about"
        raise UsageError("a new task has no id yet", where=root, hint=hint)
    if not TASK_ID.fullmatch(task_id):
        hint = "lower-case words and digits with dashes: q91-late-refund"
        raise UsageError(f"{task_id!r} is not a task's id", hint=hint)


def _same(before: About, task_id: str, names: tuple[str, ...], author: str, root: Path) -> About:
    """What stands there, if what is asked for does not contradict it. The author may change."""
    if task_id and task_id != before.id:
        hint = "take another folder for another task"
        raise UsageError(
            f"this is the place of {before.id}, not of {task_id}", where=root, hint=hint
        )
    if names and names != before.sops:
        was = ", ".join(before.sops)
        hint = f"leave the procedures out to go on; edit {ABOUT} to change them"
        raise UsageError(f"it was begun with other procedures: {was}", where=root, hint=hint)
    if before.author and author and author not in before.author.split(", "):
        return msgspec.structs.replace(before, author=f"{before.author}, {author}")
    return before if before.author else msgspec.structs.replace(before, author=author)


def _is_file(sop: str) -> bool:
    return "/" in sop or sop.endswith(".yaml")


def _name(sop: str) -> str:
    return Path(sop).stem if _is_file(sop) else sop


def _copy(source: Path, target: Path) -> None:
    if not source.is_file():
        near = sorted(path.name for path in source.parent.glob("*.yaml"))
        raise UsageError("no such procedure", where=source, hint=f"there are: {', '.join(near)}")
    if not target.exists() or target.read_bytes() != source.read_bytes():
        put_aside(target)
        shutil.copyfile(source, target)


def _read(path: Path) -> About | None:
    if not path.exists():
        return None
    try:
        return msgspec.json.decode(path.read_bytes(), type=About)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        hint = "mend it, or begin anew"
        raise UsageError(f"does not read: {error}", where=path, hint=hint) from None
