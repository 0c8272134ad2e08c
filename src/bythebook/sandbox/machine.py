"""Which sandbox this machine can have."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from pathlib import Path

from bythebook.errors import UsageError
from bythebook.sandbox.launch import words
from bythebook.sandbox.layout import Kind
from bythebook.sandbox.quota import quota
from bythebook.sandbox.seccomp import filter_of_calls
from bythebook.sandbox.walls import NAMESPACES, machine

INSTALL = "apt-get install bubblewrap   (as root, on Debian)"
SHOW = (
    "parts of /proc are covered, so that no sandbox can have its own: start the container with\n"
    "docker run --security-opt systempaths=unconfined --security-opt seccomp=unconfined"
)
ALLOW = (
    "as root: sysctl -w kernel.unprivileged_userns_clone=1   (Debian)\n"
    "or: sysctl -w kernel.apparmor_restrict_unprivileged_userns=0   (Ubuntu)\n"
    "or: sysctl -w user.max_user_namespaces=15000   (where it is 0)\n"
    "or, in a container, allow it to make user namespaces"
)


def trouble(kind: Kind = "bubblewrap") -> str:
    """Why this kind of sandbox cannot be had on this machine; empty when it can."""
    return {"bubblewrap": _no_bubblewrap, "landlock": _no_landlock}.get(kind, lambda: "")()


def cure(why: str) -> str:
    """The command that mends it, or where to look."""
    if "not installed" in why:
        return INSTALL
    if "proc" in why and "ermi" in why:
        return SHOW
    if "namespace" in why or "uid map" in why or "ermission" in why or "unshare" in why:
        return ALLOW
    return "bwrap --unshare-all --ro-bind / / true   shows what is missing"


def demand(*, unsafe: bool) -> Kind:
    """The best sandbox that can be had. Raises `UsageError` where none can, unless that is
    wanted."""
    if unsafe:
        return "none: unsafe"
    first = trouble()
    if not first:
        return "bubblewrap"
    second = trouble("landlock")
    if not second:
        return "landlock"
    hint = f"{cure(first)}\nor --unsafe-no-sandbox, to let the agent's commands do as they like"
    what = f"an agent's commands need a sandbox: {first}; without it: {second}"
    raise UsageError(what, hint=hint)


def unbounded(kind: Kind) -> tuple[str, ...]:
    """What a sandbox of this machine leaves without bounds, in words."""
    with quota(64, 2**30) as groups:
        return loose(kind, groups)


def loose(kind: Kind, groups: Mapping[str, Path]) -> tuple[str, ...]:
    """What is not bounded, with these control groups."""
    unsafe = ("everything: there is no sandbox",) if kind == "none: unsafe" else ()
    no_pids = os.geteuid() == 0 and "pids" not in groups
    processes = ("the number of processes",) if no_pids else ()
    memory = () if "memory" in groups else ("the memory of all processes together",)
    calls = (
        () if filter_of_calls() else ("calls of the kernel that reach beyond files and networks",)
    )
    return (*unsafe, *processes, *memory, *calls)


def _no_bubblewrap() -> str:
    program = shutil.which("bwrap")
    if program is None:
        return "bubblewrap is not installed"
    return _tried([program, *NAMESPACES, *machine(), "/bin/true"]).removeprefix("bwrap: ")


def _no_landlock() -> str:
    with tempfile.TemporaryDirectory(prefix="bythebook-") as root, tempfile.TemporaryFile() as file:
        file.write(b"".join(os.fsencode(word) + b"\0" for word in machine()))
        file.seek(0)
        with tempfile.TemporaryFile() as status:
            numbers = (file.fileno(), status.fileno())
            orders = (f"words={numbers[0]}", f"status={numbers[1]}", f"root={root}")
            given = (f"parent={os.getpid()}", "way=landlock", *orders)
            return _tried(words(given, ["/bin/true"]), numbers)


def _tried(command: list[str], numbers: tuple[int, ...] = ()) -> str:
    """What a command that should do nothing says when it fails."""
    try:
        answer = subprocess.run(
            command, capture_output=True, text=True, timeout=20, pass_fds=numbers, env={}
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"{command[0]} does not run: {error}"
    says = answer.stderr.strip() or f"exit code {answer.returncode}"
    return says if answer.returncode else ""
