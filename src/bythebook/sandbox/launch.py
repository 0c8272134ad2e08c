"""The first process of every command: a program of its own, started by `words`.

It dies with the process that ordered it, enters control groups, limits itself, and becomes what it
was told: the command itself, bubblewrap, or, where bubblewrap cannot be had, the first process of
walls that it builds itself. It starts in a hundredth of a second because it imports next to
nothing; orders come as words, `name=value`, then `--`, then the command.
"""

import _signal  # type: ignore[import-not-found]  # typeshed leaves it out
import _socket
import fcntl
import os
import resource
import sys
from collections.abc import Sequence

from bythebook.sandbox.kernel import (
    CLONE_NEWNET,
    CLONE_NEWUSER,
    PR_SET_PDEATHSIG,
    prctl,
    setns,
)

BROKEN = 125
"""Exit code when what was ordered could not be done; standard error says why."""
NS_GET_USERNS = 0xB701
IP_FREEBIND = 15
START = (
    "import sys; sys.path.append(sys.argv.pop(1)); "
    "from bythebook.sandbox.launch import main; main()"
)


class Orders:
    """
    parent: number of the process to die with
    group: a control group to enter; any number of them
    file, data, address, cpu: limits; 0 is none
    way: plain, bubblewrap or landlock
    program: bubblewrap itself
    filter: a descriptor that a filter of calls is read from
    words: a descriptor that bubblewrap's words are read from, each ended by a NUL byte
    status: a descriptor that the exit code is written to
    doors: a socket that listening sockets are sent over
    port: a port to listen at inside; any number of them
    root: an empty folder to build walls in
    """

    def __init__(self, words: Sequence[str]) -> None:
        end = words.index("--")
        self.command = list(words[end + 1 :])
        self._all: dict[str, list[str]] = {}
        for word in words[:end]:
            name, _, value = word.partition("=")
            self._all.setdefault(name, []).append(value)

    def some(self, name: str) -> list[str]:
        return self._all.get(name, [])

    def one(self, name: str) -> str:
        return self.some(name)[0]

    def number(self, name: str) -> int:
        return int((self.some(name) or ["0"])[0])


def words(orders: Sequence[str], command: Sequence[str]) -> list[str]:
    """What starts this program: `-I -S` keeps away what is installed and what variables say."""
    source = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    return [sys.executable, "-I", "-S", "-c", START, source, *orders, "--", *command]


def main() -> None:
    orders = Orders(sys.argv[1:])
    try:
        _obey(orders)
    except Exception as error:  # noqa: BLE001 - it is told, and the process ends
        sys.stderr.write(f"{in_words(error)}\n")
        sys.exit(BROKEN)


def in_words(error: BaseException) -> str:
    """What went wrong, and with which file where that is known."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error) or type(error).__name__
    return f"{os.fsdecode(error.filename)}: {error.strerror}" if error.filename else error.strerror


def _obey(orders: Orders) -> None:
    die_with(orders.number("parent"))
    for group in orders.some("group"):
        with open(f"{group}/cgroup.procs", "w") as file:
            file.write(str(os.getpid()))
    _limit(orders)
    # Python ignores or catches these, and what is ignored stays so in the command.
    for number in (_signal.SIGPIPE, _signal.SIGXFSZ, _signal.SIGINT):
        _signal.signal(number, _signal.SIG_DFL)
    way = orders.one("way")
    if way == "plain":
        os.execvp(orders.command[0], orders.command)
    if way == "bubblewrap":
        _become_bubblewrap(orders)
    from bythebook.sandbox.fence import fence

    sys.exit(fence(orders))


def die_with(parent: int) -> None:
    """Be killed when the parent ends; if that has happened already, end."""
    if sys.platform == "linux":
        prctl(PR_SET_PDEATHSIG, _signal.SIGKILL)
    if os.getppid() != parent:
        sys.exit(BROKEN)


def _limit(orders: Orders) -> None:
    """Of every process. Memory counts as data as well as address space: programs on V8 or Bun
    reserve far more than they use, so that only the first can bound them."""
    _lower(resource.RLIMIT_CORE, 0)
    for name, which in (
        ("file", resource.RLIMIT_FSIZE),
        ("data", resource.RLIMIT_DATA),
        ("address", resource.RLIMIT_AS),
        ("cpu", resource.RLIMIT_CPU),
    ):
        if value := orders.number(name):
            _lower(which, value)


def _lower(which: int, value: int) -> None:
    """A limit for good, at most what it was."""
    hard = resource.getrlimit(which)[1]
    value = value if hard == resource.RLIM_INFINITY else min(value, hard)
    resource.setrlimit(which, (value, value))


def _become_bubblewrap(orders: Orders) -> None:
    """Without any variable: the sandbox's first process shows its own inside."""
    program = orders.one("program")
    ours = [program, "--args", orders.one("words"), "--json-status-fd", orders.one("status")]
    if orders.some("filter"):
        ours += ["--seccomp", orders.one("filter")]
    if orders.some("port"):
        ours += _door_words(orders)
    os.execve(program, [*ours, "--", *orders.command], {})


# --- doors --------------------------------------------------------------------------------------


def _door_words(orders: Orders) -> list[str]:
    """A second process waits for bubblewrap's network and opens the doors before the command
    begins; bubblewrap does not mind a child that is not its own."""
    info, told = os.pipe()
    held, go = os.pipe()
    launcher = os.getpid()
    if not os.fork():
        os.close(told)
        os.close(held)
        try:
            die_with(launcher)
            _join(_child_of(info))
            open_doors(orders)
            os.write(go, b"x")
        except BaseException as error:  # noqa: BLE001 - it is told, and both end
            os.write(orders.number("doors"), in_words(error).encode())
            os.kill(launcher, _signal.SIGKILL)
        os._exit(0)
    os.set_inheritable(orders.number("doors"), False)
    for end in (told, held):
        os.set_inheritable(end, True)
    return ["--info-fd", str(told), "--block-fd", str(held)]


def _child_of(info: int) -> int:
    """What bubblewrap says of its child; it comes in pieces."""
    text = b""
    while b"}" not in text:
        piece = os.read(info, 4096)
        if not piece:
            raise OSError("bubblewrap ended early")
        text += piece
    return int(text.partition(b'"child-pid":')[2].split(b"}")[0].split(b",")[0])


def _join(process: int) -> None:
    """Into a process's network, by way of the user namespace that owns it."""
    network = os.open(f"/proc/{process}/ns/net", os.O_RDONLY)
    owner = fcntl.ioctl(network, NS_GET_USERNS)
    if os.fstat(owner).st_ino != os.stat("/proc/self/ns/user").st_ino:
        setns(owner, CLONE_NEWUSER)
    setns(network, CLONE_NEWNET)


def open_doors(orders: Orders) -> None:
    """Listen at each port, and hand the sockets to who asked: outside of this network."""
    doors = []
    for port in orders.some("port"):
        door = _socket.socket(_socket.AF_INET, _socket.SOCK_STREAM)
        door.setsockopt(_socket.IPPROTO_IP, IP_FREEBIND, 1)  # lo may not be up yet
        door.bind(("127.0.0.1", int(port)))
        door.listen(64)
        doors.append(door)
    numbers = b"".join(door.fileno().to_bytes(4, sys.byteorder) for door in doors)
    way = _socket.socket(fileno=os.dup(orders.number("doors")))
    way.sendmsg([OPEN], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, numbers)])


OPEN = b"open"
