"""`bythebook doctor`: is this machine fit, and what would make it fitter?"""

import os
import platform
import shutil
import sys
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import click
import msgspec
from rich.markup import escape

from bythebook import __version__
from bythebook.cli.broken import Broken, sound
from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import emit, people
from bythebook.conduct.company import load_company
from bythebook.conduct.task import load_task
from bythebook.deliverables.task import load_task as load_deliverable
from bythebook.errors import BythebookError
from bythebook.gateway.extra import BRING, missing
from bythebook.harness.harnesses import HARNESSES
from bythebook.harness.install import command as install_command
from bythebook.harness.install import find
from bythebook.models.names import PROVIDERS
from bythebook.report.counts import (
    conduct_counts,
    deliverables_counts,
    deliverables_shares,
    shares,
)
from bythebook.sandbox.machine import cure, trouble, unbounded
from bythebook.task import Content

LEAST_DISK = 500 * 2**20
"""Bytes that should be free where runs are written."""

PROGRAMS = {
    "libreoffice": (
        ("soffice", "libreoffice"),
        "recalculates and draws deliverables; without it their cached values decide",
    ),
    "chromium": (
        ("chromium", "chromium-browser", "google-chrome"),
        "draws figures of a report as PNG",
    ),
}
"""Debian package to its commands, and what it is good for."""


class Check(msgspec.Struct, frozen=True):
    name: str
    ok: bool
    says: str
    needed: bool = True
    """Without it nothing works; otherwise only what `says` names."""
    fix: str = ""
    """What to do, as a command where one does it."""


@click.command("doctor")
@as_json
@common
def command(as_json: bool) -> int:
    """Look at Python, disk, content and optional programs; name the command that helps."""
    checks = [*_machine(), *_content(content()), *_programs(), *_harnesses(), _keys()]
    fit = all(check.ok for check in checks if check.needed)
    if as_json:
        emit({"version": __version__, "fit": fit, "checks": checks})
        return 0 if fit else 1
    console = people()
    for check in checks:
        mark = "[green]ok[/]     " if check.ok else "[bold red]missing[/]"
        if not check.ok and not check.needed:
            mark = "[yellow]absent[/] "
        console.print(f"{mark} {check.name}: {escape(check.says)}")
        if check.fix and not check.ok:
            for line in check.fix.splitlines():
                console.print(f"        {escape(line)}")
    return 0 if fit else 1


def _machine() -> Iterator[Check]:
    version = platform.python_version()
    new = sys.version_info >= (3, 11)
    yield Check("python", new, version, fix="bythebook needs Python 3.11 or newer")
    here = Path.cwd()
    free = shutil.disk_usage(here).free
    says = f"{free / 2**30:.1f} GiB free here; a run takes well under a MiB"
    yield Check("disk", free >= LEAST_DISK, says, fix="make room, or use --to on another disk")
    try:
        with tempfile.TemporaryFile(dir=here):
            yield Check("write access", True, str(here))
    except OSError as error:
        fix = "go to a folder of your own, or use --to"
        yield Check("write access", False, f"{here}: {error.strerror}", fix=fix)


def _content(content: Content) -> Iterator[Check]:
    """The company, and every task with its criteria and goldens, or with its rubric."""
    mend = "mend the file that is named"
    broken: list[Broken] = []
    try:
        company = load_company(content)
        tasks, broken = sound(content, "conduct", partial(load_task, content, company), whole=True)
        yield Check("content", True, shares(conduct_counts(company, tasks=len(tasks))))
    except BythebookError as error:
        yield Check("content", False, str(error), fix=mend)
    delivered, more = sound(content, "deliverables", partial(load_deliverable, content))
    yield Check("deliverables", True, deliverables_shares(deliverables_counts(delivered)))
    for one in (*broken, *more):
        prove = f"bythebook prove {one.suite} --task {one.id} says more"
        yield Check(f"task {one.id}", False, one.says, fix=f"{mend}; {prove}")


def _sandbox() -> Check:
    """What holds an agent's commands, and what it cannot bound here."""
    holds = "holds harnesses, and the commands of agents in the suite `deliverables`"
    why = trouble()
    if why:
        other = trouble("landlock")
        also = f"; instead of it, landlock {holds}" if not other else f"; without it: {other}"
        first = why if why.startswith("bubblewrap") else f"bubblewrap: {why}"
        return Check("sandbox", not other, f"{first}{also}", needed=False, fix=cure(why))
    free = unbounded("bubblewrap")
    says = f"; it does not bound {', nor '.join(free)}" if free else ""
    return Check("sandbox", True, f"bubblewrap {holds}{says}", needed=False)


def _programs() -> Iterator[Check]:
    yield _sandbox()
    for package, (commands, what) in PROGRAMS.items():
        path = next(filter(None, map(shutil.which, commands)), None)
        says = f"{path or 'not found'}; {what}"
        fix = f"apt-get install {package}   (as root, on Debian)"
        yield Check(package, path is not None, says, needed=False, fix=fix)


def _harnesses() -> Iterator[Check]:
    absent = missing()
    says = "serve models and tools to programs of others"
    says = f"without: {', '.join(absent)}; they {says}" if absent else f"there; they {says}"
    yield Check("extra `harness`", not absent, says, needed=False, fix=BRING)
    for name, harness in HARNESSES.items():
        recipe = harness.recipe
        found = find(recipe)
        size = f"{recipe.mib} MiB to be brought" if found is None else f"{found.mib} MiB"
        says = f"{recipe.version}, {size}; an agent program of others"
        fix = install_command(recipe)
        yield Check(f"harness {name}", found is not None, says, needed=False, fix=fix)


def _keys() -> Check:
    variables = sorted({p.key_variable for p in PROVIDERS.values() if p.key_variable})
    there = [name for name in variables if os.environ.get(name)]
    says = f"set: {', '.join(there)}" if there else "none set; only models of others need one"
    fix = f"export one of {', '.join(variables)}"
    return Check("keys", bool(there), says, needed=False, fix=fix)
