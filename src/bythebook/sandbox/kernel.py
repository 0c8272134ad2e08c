"""The kernel's calls that Python has no name for. Linux only; each raises OSError that names it.

Loaded into the first process of every command: it imports next to nothing.
"""

import ctypes
import os

CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x20000, 0x2000000, 0x4000000, 0x8000000
CLONE_NEWUSER, CLONE_NEWPID, CLONE_NEWNET = 0x10000000, 0x20000000, 0x40000000
MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 0x1000, 0x4000, 0x40000
MNT_DETACH = 2
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 1, 4, 38
PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 22, 2

AT_FDCWD, AT_RECURSIVE = -100, 0x8000
MOUNT_ATTR_RDONLY, MOUNT_ATTR_NOSUID, MOUNT_ATTR_NODEV = 1, 2, 4
MOUNT_SETATTR, LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 442, 444, 445, 446
PIVOT_ROOT = {"x86_64": 155, "aarch64": 41, "riscv64": 41}
"""Machine to the number of this call; the calls above have the same number everywhere."""

_libc = ctypes.CDLL(None, use_errno=True)


def call(name: str, *words: object) -> int:
    """Call the C library; what it returns."""
    done: int = getattr(_libc, name)(*words)
    if done < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return done


def prctl(what: int, value: int) -> None:
    """prctl(2). Raises `OSError`, as all calls here."""
    call("prctl", *(ctypes.c_ulong(number) for number in (what, value, 0, 0, 0)))


def unshare(flags: int) -> None:
    """unshare(2)."""
    call("unshare", flags)


def setns(descriptor: int, flag: int) -> None:
    """setns(2)."""
    call("setns", descriptor, flag)


def name_machine(name: bytes) -> None:
    """sethostname(2)."""
    call("sethostname", name, ctypes.c_size_t(len(name)))


def mount(kind: str, at: str, flags: int = 0, options: str = "", source: str = "none") -> None:
    """mount(2). The error names the place."""
    words = [os.fsencode(word) for word in (source, at, kind)]
    try:
        call("mount", *words, ctypes.c_ulong(flags), options.encode())
    except OSError as error:
        raise OSError(error.errno, f"{kind or source} at {at}: {error.strerror}") from None


def close_for_writing(at: str, *, whole: bool) -> None:
    """A mount becomes read-only; with all below it, also without devices and set-uid programs."""
    flags = MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV if whole else MOUNT_ATTR_RDONLY
    wanted = (ctypes.c_uint64 * 4)(flags, 0, 0, 0)
    depth, size = AT_RECURSIVE if whole else 0, ctypes.c_size_t(ctypes.sizeof(wanted))
    _syscall(f"close {at}", MOUNT_SETATTR, AT_FDCWD, os.fsencode(at), depth, wanted, size)


def make_root(folder: str) -> None:
    """What is mounted there becomes the root of all; what was the root is gone."""
    machine = os.uname().machine
    if machine not in PIVOT_ROOT:
        raise OSError(f"pivot_root: not known for {machine}")
    os.chdir(folder)
    _syscall("pivot_root", PIVOT_ROOT[machine], b".", b".")
    call("umount2", b".", MNT_DETACH)
    os.chdir("/")


def forget_command_line() -> None:
    """`/proc/PID/cmdline` of this process is blank from now on."""
    with open("/proc/self/stat", "rb") as file:
        fields = file.read().rpartition(b")")[2].split()
    begin, end = int(fields[45]), int(fields[46])  # arg_start, arg_end: proc(5)
    ctypes.memset(begin, 0, end - begin)


# --- Landlock: https://docs.kernel.org/userspace-api/landlock.html ------------------------------

READ_FILE = 1 << 2
READ = 1 | READ_FILE | 1 << 3
"""To execute, to read files, to read folders."""
WRITE = 1 << 1
CHANGE = 1 << 4 | 1 << 5 | 0b11101 << 7 | 1 << 12
"""To remove, and to make folders, files, sockets, pipes and links: all but devices."""
MAKE_DEVICE = 1 << 6 | 1 << 11
MOVE, TRUNCATE, CONTROL = 1 << 13, 1 << 14, 1 << 15
"""From folder to folder; a file; a device."""
SINCE = {2: MOVE, 3: TRUNCATE, 5: CONTROL}
"""Version of Landlock to the right that came with it."""
SIGNALS_AND_SOCKETS = 0b11
"""To reach processes and abstract sockets outside. Since version 6."""


def landlock_version() -> int:
    """0 where there is none."""
    try:
        return _syscall("landlock", LANDLOCK_CREATE, None, ctypes.c_size_t(0), 1)
    except OSError:
        return 0


def confine(allowed: dict[str, int]) -> None:
    """This process and all it begets may do with files only what is allowed: path, with all below,
    to rights. Rights that this kernel does not know are left out."""
    version = landlock_version()
    newer = sum(right for since, right in SINCE.items() if since <= version)
    known = READ | WRITE | CHANGE | MAKE_DEVICE | newer
    scoped = SIGNALS_AND_SOCKETS if version >= 6 else 0
    handled = (ctypes.c_uint64 * 3)(known, 0, scoped)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules = _syscall("landlock", LANDLOCK_CREATE, handled, ctypes.c_size_t(size), 0)
    for path, rights in allowed.items():
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
        rule = (rights & known).to_bytes(8, "little") + place.to_bytes(4, "little")
        _syscall(f"landlock {path}", LANDLOCK_ADD, rules, 1, rule, 0)
        os.close(place)
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    _syscall("landlock", LANDLOCK_RESTRICT, rules, 0)
    os.close(rules)


def refuse(program: bytes) -> None:
    """Filter the calls of this process and of all it begets; it must be confined already."""
    steps = ctypes.create_string_buffer(program, len(program))
    filter_ = (len(program) // 8).to_bytes(8, "little") + ctypes.addressof(steps).to_bytes(
        8, "little"
    )
    call("prctl", PR_SET_SECCOMP, ctypes.c_ulong(SECCOMP_MODE_FILTER), filter_, 0, 0)


def _syscall(what: str, number: int, *words: object) -> int:
    try:
        return call("syscall", ctypes.c_long(number), *words)
    except OSError as error:
        says = os.strerror(error.errno or 0)
        raise OSError(error.errno, f"{what}: {says}") from None
