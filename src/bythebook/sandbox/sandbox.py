"""Where an agent's commands run: a bubblewrap sandbox that holds the workspace and nothing else.

Inside there are the machine's programs, a Python with office libraries, the workspace as
`/workspace`, a home and a `/tmp` that last as long as the attempt; no network, no other process, no
path that leads to tasks, references, runs or keys. It works for root and for anybody else, as long
as the kernel lets them make user namespaces.
"""

import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Literal

import anyio
import anyio.to_thread
import msgspec

from bythebook.errors import AgentError, UsageError
from bythebook.sandbox.clearing import clear
from bythebook.sandbox.furniture import BARE, Furniture
from bythebook.sandbox.process import Ran, run
from bythebook.sandbox.quota import quota

Kind = Literal["bubblewrap", "none: unsafe"]
"""As in plan.json."""

WORKSPACE = "/workspace"
HOME = "/home/agent"
PATH = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin"
ETC = (
    "alternatives", "debian_version", "fonts", "java-11-openjdk", "java-17-openjdk",
    "java-21-openjdk", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "libreoffice", "localtime",
    "magic", "mime.types", "os-release", "papersize", "perl",
)  # fmt: skip
"""What programs need of `/etc`; no user, host or key is among it."""
CACHES = (Path("/var/cache/fontconfig"), Path("/var/lib/libreoffice"))
OURSELVES = Path(__file__).parents[1]
"""This program, which knows where tasks lie."""
TOO_MANY = 200_000
"""Files after which a workspace is not measured to its end: it is too big."""
PATIENCE = 100
"""Looks, a hundredth of a second apart, until killed programs are gone."""
LOOK = 0.5
"""Seconds between two looks at the disk."""


MARGIN = 16 * 2**20
"""Bytes by which too many files may still grow while they are put in order."""


class Bounds(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent's commands may use. Bytes, unless said otherwise."""

    memory: int = 4 * 2**30
    """Address space of each process; where root makes control groups, memory of all together."""
    file: int = 2**30
    """Of the largest file."""
    disk: int = 4 * 2**30
    """Of all files in workspace, home and `/tmp` together."""
    cpu: int = 3600
    """Seconds of each process."""
    processes: int = 512


BOUNDS = Bounds()


class Layout(msgspec.Struct, frozen=True, kw_only=True):
    """What a sandbox holds, hides and bounds."""

    furniture: Furniture = BARE
    secrets: tuple[Path, ...] = ()
    """Folders that are hidden wherever they would be seen."""
    bounds: Bounds = BOUNDS
    grouped: bool = True
    """With control groups, where they can be had."""


PLAIN = Layout()


def trouble() -> str:
    """Why no sandbox can be had on this machine; empty when it can."""
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed"
    try:
        answer = subprocess.run(
            [program, *_walls(), "/bin/true"], capture_output=True, text=True, timeout=20
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"bubblewrap does not run: {error}"
    return answer.stderr.strip().removeprefix("bwrap: ") if answer.returncode else ""


def cure(why: str) -> str:
    """The command that mends it, or where to look."""
    if "not installed" in why:
        return "apt-get install bubblewrap   (as root, on Debian)"
    if "namespace" in why or "uid map" in why or "ermission" in why:
        return (
            "as root: sysctl -w kernel.unprivileged_userns_clone=1   (Debian)\n"
            "or: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0   (Ubuntu)\n"
            "or, in a container, allow it to make user namespaces"
        )
    return "bwrap --unshare-all --ro-bind / / true   shows what is missing"


def demand(*, unsafe: bool) -> Kind:
    """The sandbox that can be had. Raises `UsageError` where none can, unless that is wanted."""
    if unsafe:
        return "none: unsafe"
    why = trouble()
    if why:
        hint = f"{cure(why)}\nor --unsafe-no-sandbox, to let the agent's commands do as they like"
        raise UsageError(f"an agent's commands need a sandbox: {why}", hint=hint)
    return "bubblewrap"


class Sandbox:
    """The sandbox of one attempt; use `sandbox`."""

    def __init__(
        self,
        kind: Kind,
        workspace: Path,
        scratch: Path,
        groups: Mapping[str, Path],
        layout: Layout,
    ) -> None:
        self.kind, self.bounds = kind, layout.bounds
        self.workspace, self.scratch = workspace.absolute(), scratch.absolute()
        self._groups = groups
        self._arguments, self._status = self.scratch / "arguments", self.scratch / "status"
        if kind == "bubblewrap":
            words = [
                *_walls(),
                *_inside(self.workspace, self.scratch, layout.furniture),
                *_masks(layout),
            ]
            self._arguments.write_bytes(b"".join(os.fsencode(word) + b"\0" for word in words))

    @property
    def root(self) -> str:
        """The workspace, as commands see it."""
        return WORKSPACE if self.kind == "bubblewrap" else str(self.workspace)

    @property
    def loose(self) -> tuple[str, ...]:
        """What is not bounded here, in words."""
        unsafe = ("everything: there is no sandbox",) if self.kind == "none: unsafe" else ()
        no_pids = os.geteuid() == 0 and "pids" not in self._groups
        processes = ("the number of processes",) if no_pids else ()
        memory = () if "memory" in self._groups else ("the memory of all processes together",)
        return (*unsafe, *processes, *memory)

    async def run(self, command: str, timeout: float) -> Ran:
        """Run a line of shell in the workspace, for at most so many seconds.

        Raises `AgentError` where it could not be started: our failure, not the agent's.
        """
        try:
            ran = await run(
                self.command(command),
                timeout=timeout,
                watch=self._disk_is_full,
                env=self._environment(),
                cwd=self.workspace,
            )
        except OSError as error:
            raise AgentError(f"no command could be started: {error}", cause="sandbox") from error
        if not ran.ended and (ran.code or 0) > 0 and not self._started():
            says = ran.err.text.strip() or f"exit code {ran.code}"
            raise AgentError(f"the sandbox broke: {says[:500]}", cause="sandbox")
        await self._settled()
        return ran

    def _started(self) -> bool:
        """Did bubblewrap come as far as the shell? It reports the exit code only then."""
        if self.kind != "bubblewrap":
            return True
        return self._status.exists() and b"exit-code" in self._status.read_bytes()

    async def _settled(self) -> None:
        """Wait for the kernel to be done with what a command left running."""
        for _ in range(PATIENCE):
            if not any((group / "cgroup.procs").read_text() for group in self._groups.values()):
                return
            await anyio.sleep(1 / PATIENCE)

    def command(self, command: str) -> list[str]:
        """Into the groups, under the limits of one process, into the sandbox, and there the shell.

        The count of processes is limited inside, where only the agent's own are counted.
        """
        bounds, groups = self.bounds, [str(group) for group in self._groups.values()]
        enter = 'n=$1; shift; while [ "$n" -gt 0 ]; do echo $$ > "$1/cgroup.procs" || exit 125; '
        enter += "shift; n=$((n-1)); done; "
        limits = f"ulimit -c 0 -f {bounds.file // 1024} -v {bounds.memory // 1024} -t {bounds.cpu}"
        inner = f'ulimit -u {bounds.processes} 2>/dev/null; exec bash -c "$1"'
        shell = ["bash", "-c", inner, "bash", command]
        walls = 'exec "$@"'
        if self.kind == "bubblewrap":
            # -c: without any variable, since the sandbox's first process shows its own inside.
            walls = "b=$1; a=$2; s=$3; shift 3; "
            walls += 'exec -c "$b" --args 9 --json-status-fd 8 "$@" 9<"$a" 8>"$s"'
            program = shutil.which("bwrap") or "bwrap"
            shell = [program, str(self._arguments), str(self._status), *shell]
        script = f"{enter}{limits} || exit 125; {walls}"
        return ["bash", "-c", script, "bash", str(len(groups)), *groups, *shell]

    def _environment(self) -> dict[str, str]:
        """Nothing of our own: no keys, no paths. In the sandbox it is set anew."""
        if self.kind == "bubblewrap":
            return {"PATH": os.environ.get("PATH", os.defpath)}
        python = Path(sys.executable).parent
        home, tmp = self.scratch / "home", self.scratch / "tmp"
        path = f"{python}:{os.environ.get('PATH', os.defpath)}"
        return {**_SETTINGS, "PATH": path, "HOME": str(home), "TMPDIR": str(tmp)}

    async def _disk_is_full(self) -> str:
        """Waits until the files have grown beyond what is allowed; where there were too many to
        begin with, a little beyond that: they can be deleted."""
        places, most = (self.workspace, self.scratch), self.bounds.disk
        before = await anyio.to_thread.run_sync(size_of, places, 8 * most)
        while True:
            await anyio.sleep(LOOK)
            enough = max(most, before + MARGIN)
            if await anyio.to_thread.run_sync(size_of, places, enough) > enough:
                return f"killed: its files take more than {most // 2**20} MiB"


@contextmanager
def sandbox(
    kind: Kind, workspace: Path, scratch: Path, layout: Layout = PLAIN
) -> Iterator[Sandbox]:
    """The sandbox of one attempt. `scratch`, made and taken away here, holds home and `/tmp`."""
    with ExitStack() as stack:
        clear(scratch)
        stack.callback(clear, scratch)
        for folder in ("home", "tmp"):
            (scratch / folder).mkdir(parents=True)
        limits = quota(layout.bounds.processes, layout.bounds.memory)
        groups = stack.enter_context(limits) if layout.grouped else {}
        yield Sandbox(kind, workspace, scratch, groups, layout)


def size_of(places: Iterable[Path], enough: int) -> int:
    """Bytes on disk of all files in some folders; counting ends above `enough`. What is nested so
    deep that it cannot be counted is too much."""
    waiting, total, count = list(places), 0, 0
    while waiting and total <= enough:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    count += 1
                    total += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(Path(entry.path))
        except OSError as error:
            if error.errno == errno.ENAMETOOLONG:
                return enough + 1
        if count > TOO_MANY:
            return enough + count
    return total


# --- the words of bubblewrap --------------------------------------------------------------------

_SETTINGS = {
    "LANG": "C.UTF-8",
    "MPLBACKEND": "Agg",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONNOUSERSITE": "1",
    "TZ": "UTC",
}


def _walls() -> Iterator[str]:
    """The namespaces, the machine's programs, an empty `/proc`, `/dev`, `/tmp`."""
    yield from ("--die-with-parent", "--new-session", "--unshare-all", "--unshare-user")
    yield from ("--disable-userns", "--cap-drop", "ALL", "--hostname", "sandbox")
    yield from ("--uid", "1000", "--gid", "1000", "--clearenv", "--ro-bind", "/usr", "/usr")
    for name in ("bin", "lib", "lib32", "lib64", "sbin"):
        top = Path("/", name)
        if top.is_symlink():
            yield from ("--symlink", str(top.readlink()).lstrip("/"), str(top))
        elif top.is_dir():
            yield from ("--ro-bind", str(top), str(top))
    yield from ("--proc", "/proc", "--dev", "/dev")
    yield from ("--size", str(256 * 2**20), "--tmpfs", "/dev/shm")


def _inside(workspace: Path, scratch: Path, furniture: Furniture) -> Iterator[str]:
    """What the agent is given: workspace, home, settings, furniture."""
    for name in ETC:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    for place in CACHES:
        yield from ("--ro-bind-try", str(place), str(place))
    yield from _users(scratch)
    for path, shown_at in furniture.shown:
        yield from ("--ro-bind", str(path), shown_at)
    for folder in furniture.emptied:
        yield from ("--tmpfs", str(folder), "--remount-ro", str(folder))
    for link, leads_to in furniture.links.items():
        yield from ("--symlink", leads_to, link)
    yield from ("--bind", str(scratch / "tmp"), "/tmp", "--bind", str(scratch / "home"), HOME)
    yield from ("--bind", str(workspace), WORKSPACE, "--chdir", WORKSPACE)
    settings = {**_SETTINGS, "PATH": PATH, "HOME": HOME, "USER": "agent", **furniture.env}
    for name, value in settings.items():
        yield from ("--setenv", name, value)


def _users(scratch: Path) -> Iterator[str]:
    """A user list of one, for programs that ask who they are."""
    files = {
        "passwd": f"agent:x:1000:1000:agent:{HOME}:/bin/bash\n",
        "group": "agent:x:1000:\n",
        "hosts": "127.0.0.1 localhost\n",
        "nsswitch.conf": "passwd: files\ngroup: files\nhosts: files\n",
    }
    for name, text in files.items():
        (scratch / name).write_text(text)
        yield from ("--ro-bind", str(scratch / name), f"/etc/{name}")


def _masks(layout: Layout) -> Iterator[str]:
    """Nothing is to be seen of these; last, all that is not bound for writing is closed."""
    seen = (Path("/usr"), *(path for path, _ in layout.furniture.shown))
    for secret in (OURSELVES, *layout.secrets):
        path = secret.resolve()
        if path.is_dir() and any(folder in (path, *path.parents) for folder in seen):
            yield from ("--tmpfs", str(path), "--remount-ro", str(path))
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")
