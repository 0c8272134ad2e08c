"""Calls of the kernel that namespaces do not confine, refused by a filter.

Sockets of a virtual machine to its host (vsock) belong to no network, and the keys that a user
keeps in the kernel to no folder. The filter is a program for the kernel's packet machine:
https://docs.kernel.org/userspace-api/seccomp_filter.html.
"""

import errno
import os
import socket
import struct
from collections.abc import Iterator

FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, 16)  # netlink: names of interfaces
"""Kinds of sockets that may be made; all of these belong to the sandbox's own network."""

MACHINES = {
    "x86_64": (0xC000003E, {
        "socket": 41, "add_key": 248, "request_key": 249, "keyctl": 250, "bpf": 321,
        "perf_event_open": 298, "syslog": 103, "userfaultfd": 323, "io_uring_setup": 425,
    }),
    "aarch64": (0xC00000B7, {
        "socket": 198, "add_key": 217, "request_key": 218, "keyctl": 219, "bpf": 280,
        "perf_event_open": 241, "syslog": 116, "userfaultfd": 282, "io_uring_setup": 425,
    }),
}  # fmt: skip
"""Machine to its mark (linux/audit.h) and the numbers of its calls."""
UNKNOWN = ("io_uring_setup",)
"""Refused as if this kernel had no such call, so that programs take another way: with it, sockets
could be made without `socket`."""

LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, MACHINE, FIRST = 0, 4, 16
"""Offsets in what is filtered: number of the call, machine, first argument."""
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
X32 = 0x40000000
"""From here on, x86_64 has its calls a second time, with small pointers."""


def filter_of_calls() -> bytes:
    """The filter for this machine; empty where its numbers are not known here."""
    mark, calls = MACHINES.get(os.uname().machine, (0, {}))
    return b"".join(_filter(mark, calls)) if calls else b""


def _filter(mark: int, calls: dict[str, int]) -> Iterator[bytes]:
    """Each test jumps over the answer that follows it when it does not hold."""
    yield _step(LOAD, MACHINE)
    yield _step(EQUAL, mark, holds=1)
    yield _refused(errno.ENOSYS)
    yield _step(LOAD, NUMBER)
    yield _step(AT_LEAST, X32, fails=1)
    yield _refused(errno.ENOSYS)
    for name, number in calls.items():
        if name != "socket":
            yield _step(EQUAL, number, fails=1)
            yield _refused(errno.ENOSYS if name in UNKNOWN else errno.EPERM)
    yield _step(EQUAL, calls["socket"], holds=1)
    yield _step(RETURN, ALLOW)
    yield _step(LOAD, FIRST)
    for family in FAMILIES:
        yield _step(EQUAL, family, fails=1)
        yield _step(RETURN, ALLOW)
    yield _refused(errno.EAFNOSUPPORT)


def _step(code: int, value: int, *, holds: int = 0, fails: int = 0) -> bytes:
    """struct sock_filter: what to do, steps to jump over if it holds or fails, with what."""
    return struct.pack("=HBBI", code, holds, fails, value)


def _refused(number: int) -> bytes:
    return _step(RETURN, REFUSE | number)
