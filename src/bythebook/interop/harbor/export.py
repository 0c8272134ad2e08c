"""A deliverables task written as a task folder of Harbor.

The agent is given the instruction and an image with the inputs, laid out as in a run of our own.
Rubric, expected values and reference stand in `tests/` and `solution/` only, which Harbor keeps
from the agent. The tests hand what was collected to `bythebook submit` and write its reward.
"""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from bythebook import __version__
from bythebook.deliverables.library import offered
from bythebook.deliverables.task import APART, DeliverableTask
from bythebook.deliverables.workspace import lay_out
from bythebook.errors import UsageError
from bythebook.interop.harbor import layout
from bythebook.interop.harbor.toml import Table, written
from bythebook.run.deliver import parsed

IMAGE = "python:3.12-slim-bookworm"
ORGANISATION = "bythebook"
TEMPLATES = Path(__file__).with_name("templates")
WHEELS = "wheel"
BUILD_SECONDS = 600


class Exported(msgspec.Struct, frozen=True):
    """One task folder that was written."""

    task: str
    folder: str
    weight: int
    """Of all items."""
    checked: int
    """Of the items that checks decide: what a reward without a judge stands for."""


class Terms(msgspec.Struct, frozen=True, kw_only=True):
    """How exported tasks are judged, and in which image."""

    install: str = f"bythebook=={__version__}"
    """What pip is given in the tests: a requirement, or the file of a wheel."""
    judge: tuple[str, ...] = ()
    """Words for `bythebook judge`; none: by checks alone."""
    variables: tuple[str, ...] = ()
    """Environment variables that the tests are given, such as the judge's key."""
    image: str = IMAGE


def export(task: DeliverableTask, to: Path, terms: Terms) -> Exported:
    """Write `to/<id>`: there whole or not at all. Raises `UsageError` and `ContentError`."""
    place = to / task.id
    if place.exists():
        hint = "choose another folder with --to, or move this one away"
        raise UsageError("there is something already", where=place, hint=hint)
    weights = [(item.weight, item.decided_by) for item in task.rubric.items]
    checked = sum(weight for weight, by in weights if by == "check")
    if not (checked or terms.judge):
        hint = "name who judges: --judge model:PROVIDER:NAME"
        raise UsageError("no item of it is decided by a check", where=task.folder, hint=hint)
    to.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory(prefix=f".{task.id}.", dir=to) as aside:
        folder = Path(aside) / task.id
        _environment(task, folder / layout.ENVIRONMENT, terms)
        _tests(task, folder / layout.TESTS, terms)
        _solution(task, folder / layout.SOLUTION)
        _write(folder / layout.INSTRUCTION, f"<!-- {task.canary} -->\n{_instruction(task)}")
        _write(folder / layout.CONFIG, _config(task, checked, terms))
        folder.rename(place)
    return Exported(task.id, str(place), task.rubric.weight, checked)


def requirement(install: str, keep: Path) -> str:
    """What pip is to be given: of a source folder, the wheel that is built of it into `keep`.

    Raises `UsageError` for a file that is no wheel, and for a folder that none can be built of.
    """
    path = Path(install)
    if "/" not in install and install not in (".", "..") and path.suffix != ".whl":
        return install
    if path.is_dir():
        return str(_built(path, keep))
    if path.is_file() and path.suffix == ".whl":
        return install
    hint = "name a .whl file, a folder with the sources, or a requirement: bythebook==1.2"
    raise UsageError("pip cannot install this", where=path, hint=hint)


# --- inside -------------------------------------------------------------------------------------


def _built(source: Path, keep: Path) -> Path:
    """The wheel of a source folder."""
    words = ["-m", "pip", "wheel", "-q", "--no-deps", "--wheel-dir", str(keep), str(source)]
    done = subprocess.run(
        [sys.executable, *words],
        capture_output=True,
        text=True,
        check=False,
        timeout=BUILD_SECONDS,
    )
    found = sorted(keep.glob("*.whl"))
    if done.returncode or not found:
        said = done.stderr.strip().splitlines() or ["pip said nothing"]
        raise UsageError(f"no wheel can be built of it: {said[-1]}", where=source)
    return found[-1]


def _environment(task: DeliverableTask, folder: Path, terms: Terms) -> None:
    lay_out(folder / "workspace", task.prompt, task.inputs, parsed(task))
    libraries = [f"{name}=={version}" for name, version in offered().items()]
    told = {"IMAGE": terms.image, "LIBRARIES": shlex.join(libraries)}
    _write(folder / "Dockerfile", _filled("environment.Dockerfile", told))


def _tests(task: DeliverableTask, folder: Path, terms: Terms) -> None:
    inside = folder / layout.CONTENT / "tasks" / task.suite / task.id
    shutil.copytree(task.folder, inside, ignore=_kept_back)
    wheel = Path(terms.install)
    wanted = terms.install
    if wheel.suffix == ".whl":
        wanted = f"{WHEELS}/{wheel.name}"
        (folder / WHEELS).mkdir()
        shutil.copyfile(wheel, folder / wanted)
    told = {
        "IMAGE": terms.image,
        "REQUIREMENT": shlex.quote(wanted),
        "TASK": shlex.quote(task.id),
        "JUDGE": shlex.join(terms.judge),
    }
    _write(folder / "Dockerfile", _filled("tests.Dockerfile", told))
    _write(folder / "setup.sh", _filled("setup.sh", told), runs=True)
    _write(folder / "test.sh", _filled("test.sh", told), runs=True)


def _solution(task: DeliverableTask, folder: Path) -> None:
    """Where there is a reference."""
    if task.reference.is_dir() and any(task.reference.iterdir()):
        shutil.copytree(task.reference, folder / layout.REFERENCE)
        _write(folder / "solve.sh", _filled("solve.sh", {}), runs=True)


def _kept_back(folder: str, names: Sequence[str]) -> set[str]:
    """What is no part of a task's hash."""
    return {name for name in names if name.startswith(".") or name in (*APART, "__pycache__")}


def _instruction(task: DeliverableTask) -> str:
    return (TEMPLATES / "instruction.md").read_text("utf-8") + task.prompt.lstrip("\n")


def _config(task: DeliverableTask, checked: int, terms: Terms) -> str:
    network = "public" if terms.judge else "no-network"
    machine: Table = {"cpus": 2, "memory_mb": 4096, "storage_mb": 10240}
    verifier: dict[str, str | float | dict[str, str]] = {
        "timeout_sec": 3600.0 if terms.judge else 900.0,
        "environment_mode": "separate",
    }
    if terms.variables:
        verifier["env"] = {name: f"${{{name}}}" for name in terms.variables}
    tables: dict[str, Table] = {
        "task": {
            "name": f"{ORGANISATION}/{task.id}",
            "description": task.title,
            "keywords": [task.file.domain, *task.tags],
        },
        "metadata": {
            "domain": task.file.domain,
            "canary": task.canary,
            "bythebook": __version__,
            "task_hash": task.hash,
            "items": len(task.rubric.items),
            "weight": task.rubric.weight,
            "weight_of_checks": checked,
        },
        "verifier": verifier,
        "verifier.environment": {"build_timeout_sec": 1800.0, **machine, "network_mode": network},
        "agent": {"timeout_sec": 3600.0},
        "environment": {"build_timeout_sec": 1800.0, **machine, "workdir": layout.APP},
    }
    return written({"schema_version": layout.SCHEMA, "artifacts": [layout.RESULTS]}, tables)


def _filled(name: str, told: dict[str, str]) -> str:
    text = (TEMPLATES / name).read_text("utf-8")
    for word, value in told.items():
        text = text.replace(f"@{word}@", value)
    return text


def _write(path: Path, text: str, *, runs: bool = False) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    if runs:
        path.chmod(0o755)
