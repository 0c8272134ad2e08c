"""A task: what an agent is asked to do, as a folder of data; and where content is found.

Content is a folder holding `company/`, `tasks/` and `packs/`. The shipped content always stands
last, so a folder of one's own adds to it and comes before it. A folder with `company/company.yaml`
is a company of its own: nothing of the folders after it is in that company, nor are their tasks of
conduct.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

from bythebook.errors import ContentError, UsageError, suggestion

Suite = Literal["conduct", "deliverables"]
SUITES: tuple[Suite, ...] = ("conduct", "deliverables")

PAPER_SIZE = {
    "conduct": {"tasks": 50, "documents": 789, "tools": 601, "customer_tools": 10},
    "deliverables": {"tasks": 97, "items": 2453, "domains": 6},
}
"""What the papers' own benchmarks hold; shown wherever "the benchmark" is named. The tasks of each
domain stand in `deliverables.task.DOMAINS`."""


class Task(msgspec.Struct, frozen=True, kw_only=True):
    """What every task has; each suite adds its own fields."""

    id: str
    suite: Suite
    title: str
    folder: Path
    hash: str
    """SHA-256 over the names and bytes of the folder's files."""
    tags: tuple[str, ...] = ()
    canary: str = ""


class Content:
    """The folders that content is read from, first one first."""

    def __init__(self, roots: Iterable[Path] = ()) -> None:
        own = tuple(Path(root) for root in roots)
        for root in own:
            if not root.is_dir():
                raise UsageError("no such folder", where=root, hint="--content takes a folder")
        self.roots = (*own, shipped())

    @property
    def company_roots(self) -> tuple[Path, ...]:
        """The folders that make up the company, first one first; the last one says who it is."""
        names = [(root / "company" / "company.yaml").is_file() for root in self.roots]
        return self.roots[: names.index(True) + 1]

    def company(self, part: str) -> list[Path]:
        """The folders `company/<part>` that exist, the company's first one first."""
        found = [root / "company" / part for root in reversed(self.company_roots)]
        return [folder for folder in found if folder.is_dir()]

    def tasks(self, suite: str) -> dict[str, Path]:
        """Task id to folder; an own task hides a shipped one of the same id."""
        found: dict[str, Path] = {}
        for root in reversed(self.company_roots if suite == "conduct" else self.roots):
            for folder in sorted((root / "tasks" / suite).glob("*/")):
                if (folder / "task.yaml").is_file():
                    found[folder.name] = folder
        return dict(sorted(found.items()))

    def task(self, suite: str, name: str) -> Path:
        """The folder of one task, named by its id or a prefix that fits only one."""
        folders = self.tasks(suite)
        if name in folders:
            return folders[name]
        fits = [key for key in folders if key.startswith(name)]
        if len(fits) == 1:
            return folders[fits[0]]
        if fits:
            raise UsageError(f"task {name!r} is not one task", hint=f"could be: {', '.join(fits)}")
        for root in self.roots:
            folder = root / "tasks" / suite / name
            if folder.is_dir():
                there = suggestion("task.yaml", (path.name for path in folder.iterdir()))
                raise UsageError("is no task: it has no task.yaml", where=folder, hint=there)
        hint = suggestion(name, folders)
        if len(self.roots) == 1:
            hint += "\none of your own: name its folder with --content"
        raise UsageError(f"no {suite} task {name!r}", hint=hint)

    def named(self, suite: str, names: Iterable[str]) -> dict[str, Path]:
        """Those tasks, each once however often it is named; all of them where none is named."""
        found = [self.task(suite, name) for name in names]
        return {folder.name: folder for folder in found} or self.tasks(suite)

    def packs(self) -> dict[str, Path]:
        """Policy packs by name; an own one hides a shipped one of the same name."""
        found: dict[str, Path] = {}
        for root in reversed(self.roots):
            found |= {path.stem: path for path in sorted((root / "packs").glob("*.yaml"))}
        return dict(sorted(found.items()))

    def pack(self, name: str) -> Path:
        """The criteria file of that path, or the pack of that name."""
        packs = self.packs()
        if Path(name).is_file() or (name not in packs and ("/" in name or "." in name)):
            return Path(name)
        if name not in packs:
            what = f"no criteria file and no pack {name!r}"
            raise UsageError(what, hint=suggestion(name, packs))
        return packs[name]


def shipped() -> Path:
    """The content that comes with bythebook: inside the wheel, or the checkout's own folders."""
    package = Path(__file__).parent
    for root in (package / "content", package.parents[1]):
        if (root / "company" / "company.yaml").is_file():
            return root
    raise ContentError("the shipped content is missing", where=package, hint="reinstall bythebook")


DERIVED = ("kill-table.json", "faults.lock")
"""Files in a task folder that are computed from the others."""


def code_hash(folder: Path) -> str:
    """SHA-256 over the Python files below a folder, in order of name. What other code made, or
    proved, is made or proved again."""
    sources = sorted(folder.rglob("*.py"))
    return hashlib.sha256(b"\0".join(source.read_bytes() for source in sources)).hexdigest()


def folder_hash(folders: Iterable[Path], *, without: Iterable[str] = ()) -> str:
    """SHA-256 over relative names and bytes of all files in the folders, in order of name.

    Hidden files do not count, since the wheel leaves them out, nor does what the proof itself
    writes: proving a task does not change it. `without` names parts of a folder that do not count
    either.
    """
    total, left_out = hashlib.sha256(), set(without)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder)
            aside = path.name.startswith(".") or path.name in DERIVED or "__pycache__" in path.parts
            if path.is_file() and not aside and name.parts[0] not in left_out:
                total.update(name.as_posix().encode() + b"\0")
                total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()
