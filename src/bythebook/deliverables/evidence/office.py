"""LibreOffice as an engine: it computes and draws copies, and never writes what is judged.

Every call has a fresh profile (no macros, no links), no network, limits of time, memory and file
size, and sees nothing but its box: bubblewrap sees to that where it works. Where it does not, the
limits remain, and `Engine.name` says so.

To recalculate, every formula is computed anew: a forged cache does not survive. To draw, cached
values stand as submitted, and only what was never computed is computed.
"""

import hashlib
import os
import re
import shutil
import signal
import subprocess
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache, cached_property
from pathlib import Path
from typing import Literal

import msgspec

from bythebook.deliverables.evidence import recalculation
from bythebook.deliverables.evidence.model import Recalculation, Scalar
from bythebook.deliverables.evidence.reading import Unreadable

PROGRAMS = ("soffice", "libreoffice", "/Applications/LibreOffice.app/Contents/MacOS/soffice")
VERSION = re.compile(r"LibreOffice [0-9][0-9.]*")
XLSX = "xlsx:Calc MS Excel 2007 XML"
PDF = "pdf"
SHEETS_PDF = 'pdf:calc_pdf_Export:{"SinglePageSheets":{"type":"boolean","value":"true"}}'
"""One page a sheet, whatever its size: charts stay whole. Hidden sheets get their page too."""
MOST_AT_ONCE = 8
"""Files in one call."""

_SETTINGS = (
    ("Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Common/Misc", "UseLocking", "false"),
)
_SEEN = ("/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/var/cache/fontconfig")
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts")
_SEEN_OF_ETC = ("fonts", "libreoffice", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "alternatives")


class Power(msgspec.Struct, frozen=True, kw_only=True):
    """What one call may use."""

    seconds: int = 60
    each: int = 10
    """Seconds more for each further file."""
    memory: int = 4 * 2**30
    file: int = 200 * 2**20


class Failure(msgspec.Struct, frozen=True):
    """Why a file was not converted."""

    status: Literal["failed", "timeout"]
    says: str


class Engine:
    """Recalculates workbooks and turns office files into PDF."""

    def __init__(
        self, program: Path, version: str, *, sandboxed: bool, power: Power | None = None
    ) -> None:
        self.version = version
        """`LibreOffice 7.4.7.2`."""
        self.sandboxed = sandboxed
        self._program = program
        self._power = power or Power()

    @property
    def name(self) -> str:
        """Its version, and what keeps it in bounds."""
        how = "sandboxed by bubblewrap" if self.sandboxed else "without a sandbox, under limits"
        return f"{self.version}, {how}"

    @cached_property
    def fonts(self) -> str:
        """SHA-256 over the names of the fonts that it sees: lengths hang on them."""
        found = sorted(path.name for place in _FONTS for path in Path(place).rglob("*.[ot]t[fc]"))
        return hashlib.sha256("\n".join(found).encode()).hexdigest()

    def recalculate(self, path: Path) -> Recalculation:
        """All formulas of a workbook computed anew."""
        return self.recalculate_many((path,))[0]

    def recalculate_many(self, paths: Sequence[Path]) -> tuple[Recalculation, ...]:
        """Several workbooks; a start of the engine costs more than most of them."""
        done: list[Recalculation] = []
        for start in range(0, len(paths), MOST_AT_ONCE):
            some = paths[start : start + MOST_AT_ONCE]
            with self.converted(some, XLSX) as found:
                done += [self._compared(one, path) for one, path in zip(found, some, strict=True)]
        return tuple(done)

    def what_if(self, path: Path, changes: Mapping[str, Scalar]) -> Recalculation:
        """The same after cells (`Sheet!A1`) of a copy were given other values."""
        with tempfile.TemporaryDirectory(prefix="bythebook-") as folder:
            changed = Path(folder) / "changed.xlsx"
            try:
                recalculation.change(path, changed, changes)
            except Unreadable as error:
                return self._failed(Failure("failed", error.says))
            with self.converted((changed,), XLSX) as found:
                return self._compared(found[0], changed)

    @contextmanager
    def converted(self, paths: Sequence[Path], target: str) -> Iterator[tuple[Path | Failure, ...]]:
        """Each file converted, or why not; the files live as long as the context.

        `target`: a suffix and its filter. One file that hangs or crashes does not take the others
        with it: what a common call leaves undone is tried once more alone.
        """
        with tempfile.TemporaryDirectory(prefix="bythebook-") as folder:
            done = self._call(Path(folder) / "all", paths, target)
            if len(paths) > 1:
                for place, one in enumerate(done):
                    if isinstance(one, Failure):
                        box = Path(folder) / str(place)
                        done[place] = self._call(box, paths[place : place + 1], target)[0]
            yield tuple(done)

    def _call(self, box: Path, paths: Sequence[Path], target: str) -> list[Path | Failure]:
        suffix = target.partition(":")[0]
        (box / "profile" / "user").mkdir(parents=True)
        (box / "profile" / "user" / "registrymodifications.xcu").write_text(
            _profile(anew=target == XLSX), "utf-8"
        )
        (box / "in").mkdir()
        (box / "out").mkdir()
        names = [f"{place:04}{path.suffix.lower()}" for place, path in enumerate(paths, 1)]
        for name, path in zip(names, paths, strict=True):
            shutil.copyfile(path, box / "in" / name)
        seconds = self._power.seconds + self._power.each * (len(paths) - 1)
        in_time = self._run(box, [f"in/{name}" for name in names], target, seconds)
        found: list[Path | Failure] = []
        for name in names:
            made = (box / "out" / name).with_suffix(f".{suffix}")
            if _is_whole(made, suffix):
                found.append(made)
            elif in_time:
                found.append(Failure("failed", f"{self.version} could not load it."))
            else:
                found.append(Failure("timeout", f"Not done within {seconds} seconds."))
        return found

    def _run(self, box: Path, names: list[str], target: str, seconds: int) -> bool:
        """Whether it ended in time. How it ended says nothing: it is 0 for what did not load."""
        place = Path("/box") if self.sandboxed else box
        command = [
            *_limited(self._power, seconds),
            str(self._program),
            f"-env:UserInstallation={place.as_uri()}/profile",
            *("--headless", "--norestore", "--nologo", "--nodefault", "--nolockcheck"),
            *("--convert-to", target, "--outdir", "out", *names),
        ]
        if self.sandboxed:
            command = [*_sandbox(self._program, box), *command]
        environment = None if self.sandboxed else _environment(box)
        return _ends_in_time(command, box, environment, seconds)

    def _compared(self, found: Path | Failure, submitted: Path) -> Recalculation:
        if isinstance(found, Failure):
            return self._failed(found)
        try:
            told = recalculation.compare(found, submitted)
        except Unreadable as error:
            status: Literal["failed", "timeout"] = (
                "timeout" if error.status == "timeout" else "failed"
            )
            return self._failed(Failure(status, error.says))
        return msgspec.structs.replace(told, engine=self.version)

    def _failed(self, failure: Failure) -> Recalculation:
        return Recalculation(status=failure.status, says=failure.says, engine=self.version)


@cache
def find_engine() -> Engine | None:
    """The LibreOffice of this machine, asked for once; None where there is none."""
    for name in PROGRAMS:
        found = shutil.which(name)
        if not found:
            continue
        program = Path(found).resolve()
        sandboxed = bool(shutil.which("bwrap")) and bool(_version(program, sandboxed=True))
        version = _version(program, sandboxed=sandboxed)
        if version:
            return Engine(program, version, sandboxed=sandboxed)
    return None


def _version(program: Path, *, sandboxed: bool) -> str:
    """What the program says it is; empty when it does not run."""
    with tempfile.TemporaryDirectory(prefix="bythebook-") as folder:
        box = Path(folder)
        command = [str(program), "--version"]
        if sandboxed:
            command = [*_sandbox(program, box), *command]
        try:
            answer = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=30,
                check=False,
                env=None if sandboxed else _environment(box),
            )
        except (OSError, subprocess.TimeoutExpired):
            return ""
    found = VERSION.search(answer.stdout)
    return found.group() if found else ""


def _sandbox(program: Path, box: Path) -> list[str]:
    """bubblewrap: programs and fonts to read, the box to write, no network, nothing else."""
    command = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    for path in (*_SEEN, *(f"/etc/{name}" for name in _SEEN_OF_ETC)):
        command += ["--ro-bind-try", path, path]
    if not program.is_relative_to("/usr"):
        home = str(program.parent.parent)
        command += ["--ro-bind", home, home]
    command += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"]
    command += ["--bind", str(box), "/box", "--chdir", "/box"]
    for name, value in _environment(Path("/box")).items():
        command += ["--setenv", name, value]
    return command


def _environment(box: Path) -> dict[str, str]:
    """English, in UTC, and nothing of ours."""
    path = "/usr/local/bin:/usr/bin:/bin"
    return {"HOME": str(box), "PATH": path, "LC_ALL": "C.UTF-8", "LANG": "en_US.UTF-8", "TZ": "UTC"}


def _limited(power: Power, seconds: int) -> list[str]:
    """A shell that binds itself, then becomes the program. Memory is not bound on every system."""
    limits = (
        f"ulimit -t {seconds}; ulimit -f {power.file // 512}; ulimit -c 0;"
        f" ulimit -v {power.memory // 1024} 2>/dev/null; "
    )
    return ["/bin/sh", "-c", f'{limits} exec "$0" "$@"']


def _ends_in_time(
    command: list[str], box: Path, environment: dict[str, str] | None, seconds: int
) -> bool:
    process = subprocess.Popen(
        command,
        cwd=box,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    try:
        # A program killed for its CPU time did not end of itself either.
        return process.wait(seconds) not in (-signal.SIGXCPU, 128 + signal.SIGXCPU)
    except subprocess.TimeoutExpired:
        return False
    finally:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def _profile(*, anew: bool) -> str:
    """The settings of a fresh profile. `anew`: every formula is computed on loading."""
    mode = "0" if anew else "1"
    settings = (*_SETTINGS, ("Calc/Formula/Load", "OOXMLRecalcMode", mode))
    items = "\n".join(
        f'<item oor:path="/org.openoffice.Office.{path}">'
        f'<prop oor:name="{name}" oor:op="fuse"><value>{value}</value></prop></item>'
        for path, name, value in settings
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<oor:items xmlns:oor="http://openoffice.org/2001/registry">\n{items}\n</oor:items>\n'
    )


def _is_whole(path: Path, suffix: str) -> bool:
    """Whether a file was written to its end."""
    if not path.is_file() or path.stat().st_size == 0:
        return False
    if suffix == "xlsx":
        return zipfile.is_zipfile(path)
    if suffix != "pdf":
        return True
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 1024))
        return b"%%EOF" in file.read()
