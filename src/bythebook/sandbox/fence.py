"""Walls without bubblewrap: namespaces, mounts and Landlock, by the kernel's own calls.

The folder tree is built from the same words as bubblewrap's, so that both look alike from inside.
Namespaces hide paths, processes and the network. Landlock stands behind them: whatever could still
be reached is not to be written, and no signal leads out.
"""

import _signal  # type: ignore[import-not-found]  # typeshed leaves it out
import _socket
import fcntl
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

from bythebook.sandbox.kernel import (
    CHANGE,
    CLONE_NEWCGROUP,
    CLONE_NEWIPC,
    CLONE_NEWNET,
    CLONE_NEWNS,
    CLONE_NEWPID,
    CLONE_NEWUSER,
    CLONE_NEWUTS,
    CONTROL,
    MOVE,
    MS_BIND,
    MS_NODEV,
    MS_NOEXEC,
    MS_NOSUID,
    MS_PRIVATE,
    MS_REC,
    PR_SET_DUMPABLE,
    PR_SET_PDEATHSIG,
    READ,
    READ_FILE,
    TRUNCATE,
    WRITE,
    close_for_writing,
    confine,
    forget_command_line,
    landlock_version,
    make_root,
    mount,
    name_machine,
    prctl,
    refuse,
    unshare,
)
from bythebook.sandbox.launch import BROKEN, Orders, in_words, open_doors

SIOCSIFFLAGS, IFF_UP = 0x8914, 1
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
DEVICE = WRITE | READ_FILE | TRUNCATE | CONTROL
ALL = READ | WRITE | CHANGE | MOVE | TRUNCATE | CONTROL


def fence(orders: Orders) -> int:
    """Run the command behind walls; its exit code. Raises OSError when they cannot be built."""
    if not landlock_version():
        raise OSError("this kernel has no Landlock")
    words = [os.fsdecode(word) for word in _read(orders, "words").split(b"\0")[:-1]]
    refused = _read(orders, "filter")
    for name in ("status", "doors"):
        if orders.some(name):
            os.set_inheritable(orders.number(name), False)
    _new_namespaces()
    _loopback_up()
    if orders.some("port"):
        open_doors(orders)
    alive, life = os.pipe()
    failed, fail = os.pipe()
    first = os.fork()
    if not first:
        os.close(life)
        os.close(failed)
        _tried(fail, lambda: _first(orders, Walls(orders.one("root"), words, refused), alive, fail))
    os.close(fail)
    status = orders.number("status")
    os.write(status, b'{ "child-pid": %d }\n' % first)
    why = os.read(failed, 4096)
    code = _code(os.waitpid(first, 0)[1])
    if why:
        raise OSError(why.decode())
    os.write(status, b'{ "exit-code": %d }\n' % code)
    return code


def _read(orders: Orders, name: str) -> bytes:
    if not orders.some(name):
        return b""
    with open(orders.number(name), "rb") as file:
        return file.read()


def _tried(fail: int, what: Callable[[], None]) -> None:
    """For a process of its own: only what goes wrong comes back, and is told through a pipe."""
    try:
        what()
    except BaseException as error:  # noqa: BLE001 - it is told, and the process ends
        os.write(fail, in_words(error).encode()[:4096])
    os._exit(BROKEN)


def _code(how: int) -> int:
    code = os.waitstatus_to_exitcode(how)
    return code if code >= 0 else 128 - code


def _new_namespaces() -> None:
    """In them this user is number 1000, and nobody else exists."""
    user, group = os.geteuid(), os.getegid()
    unshare(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET)
    unshare(CLONE_NEWIPC | CLONE_NEWUTS | CLONE_NEWCGROUP)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"1000 {user} 1"),
        ("gid_map", f"1000 {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def _loopback_up() -> None:
    request = b"lo".ljust(16, b"\0") + IFF_UP.to_bytes(16, sys.byteorder)
    some = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    fcntl.ioctl(some.fileno(), SIOCSIFFLAGS, request)
    some.close()


def _first(orders: Orders, walls: "Walls", alive: int, fail: int) -> None:
    """The first process inside: it builds the walls, starts the command, and ends with it."""
    prctl(PR_SET_PDEATHSIG, _signal.SIGKILL)
    prctl(PR_SET_DUMPABLE, 0)
    if not _has_a_writer(alive):  # the parent died before we were tied to it
        os._exit(BROKEN)
    forget_command_line()
    name_machine(b"sandbox")
    _no_more_namespaces()
    walls.build()
    command = os.fork()
    if not command:
        _tried(fail, lambda: _become(orders, walls))
    os.close(fail)
    while True:
        ended, how = os.wait()
        if ended == command:
            os._exit(_code(how))


def _has_a_writer(pipe: int) -> bool:
    os.set_blocking(pipe, False)
    try:
        return bool(os.read(pipe, 1))
    except BlockingIOError:
        return True


def _no_more_namespaces() -> None:
    """Nobody inside can make others. Where `/proc/sys` is closed, Landlock alone keeps them from
    being of use."""
    with suppress(OSError), open("/proc/sys/user/max_user_namespaces", "w") as file:
        file.write("0")


def _become(orders: Orders, walls: "Walls") -> None:
    """The command. From here Python's own library may be out of sight: nothing can be imported."""
    os.setsid()
    os.chdir(walls.begin_in)
    confine(walls.allowed)
    if walls.refused:
        refuse(walls.refused)
    program = orders.command[0]
    for folder in walls.env.get("PATH", os.defpath).split(":"):  # execvpe would import more
        if os.access(f"{folder}/{program}", os.X_OK):
            os.execve(f"{folder}/{program}", orders.command, walls.env)
    os.execve(program, orders.command, walls.env)


class Walls:
    """A folder tree built from bubblewrap's words, in a new mount namespace."""

    def __init__(self, root: str, words: list[str], refused: bytes) -> None:
        self.root, self.refused = root, refused
        self.env: dict[str, str] = {}
        self.begin_in = "/"
        self.allowed = {"/": READ}
        """Landlock's rights."""
        self._size = ""
        self._words = words
        self._meaning = {
            "--bind": self._bind,
            "--chdir": self._chdir,
            "--dev": self._dev,
            "--proc": self._proc,
            "--remount-ro": self._remount_ro,
            "--ro-bind": self._ro_bind,
            "--ro-bind-try": self._ro_bind_try,
            "--setenv": self._setenv,
            "--size": self._set_size,
            "--symlink": self._symlink,
            "--tmpfs": self._tmpfs,
        }

    def build(self) -> None:
        """Build it all, and make it the root."""
        mount("", "/", MS_REC | MS_PRIVATE)
        mount("tmpfs", self.root, MS_NOSUID | MS_NODEV, "mode=755")
        rest = iter(self._words)
        for word in rest:
            self._meaning[word](rest)
        make_root(self.root)

    def _at(self, inside: str) -> str:
        return self.root + inside.rstrip("/")

    def _bind(self, rest: Iterator[str]) -> None:
        source, inside = next(rest), next(rest)
        self._shown(source, inside)
        self.allowed[inside] = ALL

    def _chdir(self, rest: Iterator[str]) -> None:
        self.begin_in = next(rest)

    def _ro_bind(self, rest: Iterator[str]) -> None:
        source, inside = next(rest), next(rest)
        self._shown(source, inside)
        close_for_writing(self._at(inside), whole=True)

    def _ro_bind_try(self, rest: Iterator[str]) -> None:
        source, inside = next(rest), next(rest)
        if os.path.exists(source):
            self._ro_bind(iter((source, inside)))

    def _remount_ro(self, rest: Iterator[str]) -> None:
        close_for_writing(self._at(next(rest)), whole=False)

    def _setenv(self, rest: Iterator[str]) -> None:
        name, value = next(rest), next(rest)
        self.env[name] = value

    def _set_size(self, rest: Iterator[str]) -> None:
        self._size = f",size={next(rest)}"

    def _symlink(self, rest: Iterator[str]) -> None:
        leads_to, inside = next(rest), next(rest)
        os.makedirs(os.path.dirname(self._at(inside)), exist_ok=True)
        os.symlink(leads_to, self._at(inside))

    def _tmpfs(self, rest: Iterator[str]) -> None:
        inside = next(rest)
        os.makedirs(self._at(inside), exist_ok=True)
        mount("tmpfs", self._at(inside), MS_NOSUID | MS_NODEV, f"mode=755{self._size}")
        self.allowed[inside] = ALL
        self._size = ""

    def _proc(self, rest: Iterator[str]) -> None:
        inside = next(rest)
        at = self._at(inside)
        os.makedirs(at)
        mount("proc", at, MS_NOSUID | MS_NODEV | MS_NOEXEC)

    def _dev(self, rest: Iterator[str]) -> None:
        inside = next(rest)
        at = self._at(inside)
        os.makedirs(at)
        mount("tmpfs", at, MS_NOSUID, "mode=755")
        for name in DEVICES:
            self._shown(f"/dev/{name}", f"{inside}/{name}")
            self.allowed[f"{inside}/{name}"] = DEVICE
        for number, name in enumerate(("stdin", "stdout", "stderr")):
            os.symlink(f"/proc/self/fd/{number}", f"{at}/{name}")
        os.symlink("/proc/self/fd", f"{at}/fd")
        os.symlink("pts/ptmx", f"{at}/ptmx")
        os.mkdir(f"{at}/pts")
        os.mkdir(f"{at}/shm")
        with suppress(OSError):  # a terminal is a comfort
            mount(
                "devpts", f"{at}/pts", MS_NOSUID | MS_NOEXEC, "newinstance,ptmxmode=0666,mode=620"
            )
            self.allowed[f"{inside}/pts"] = DEVICE | READ

    def _shown(self, source: str, inside: str) -> None:
        at = self._at(inside)
        if os.path.isdir(source):
            os.makedirs(at, exist_ok=True)
        elif not os.path.lexists(at):
            os.makedirs(os.path.dirname(at), exist_ok=True)
            os.close(os.open(at, os.O_CREAT | os.O_WRONLY))
        mount("", at, MS_BIND | MS_REC, source=source)
