"""Readers run here: in a child process under limits of time, memory and size.

One server process starts the readers' imports once, then forks for every file: the fork has its
limits, dies alone and leaves no memory behind. Servers are kept for the next file, one for each
thread that reads at the time.

    parent -> server   {"call": "xlsx:read", "arguments": [..], "into": path, ...}   one line
    fork   -> into     what the call returned, as JSON
    server -> parent   {"status": "ok" | .., "says": ".."}                           one line
"""

import atexit
import errno
import gc
import importlib
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

import msgspec

from bythebook.deliverables.evidence.model import Status
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.errors import JudgeError

T = TypeVar("T")


class Allowance(msgspec.Struct, frozen=True, kw_only=True):
    """What one call may use."""

    seconds: int = 60
    """Wall clock; CPU time is held to the same number."""
    memory: int = 4 * 2**30
    """Bytes of address space."""
    file: int = 512 * 2**20
    """Bytes of a file written."""


class _Call(msgspec.Struct, frozen=True, kw_only=True):
    call: str
    """`module:function`; a module without dots stands beside this one."""
    arguments: tuple[str, ...]
    into: str
    allowance: Allowance


class _Said(msgspec.Struct, frozen=True):
    status: Status
    says: str = ""
    ours: str = ""
    """Why no reader could be started: our own fault, not the file's."""


def run(
    call: str,
    path: Path,
    *arguments: str | Path,
    returns: type[T],
    allowance: Allowance | None = None,
) -> T:
    """What `module:function` returned, called with a path and texts. Paths are handed on in full:
    a server may have been started in another folder.

    `Unreadable` if it raised or did not live, `JudgeError` if it could not be started.
    """
    with tempfile.TemporaryDirectory(prefix="bythebook-") as folder:
        into = Path(folder) / "returned.json"
        request = _Call(
            call=call,
            arguments=tuple(
                str(one.absolute()) if isinstance(one, Path) else one for one in (path, *arguments)
            ),
            into=str(into),
            allowance=allowance or Allowance(),
        )
        with _servers.one() as server:
            said = server.ask(request)
        if said.ours:
            raise JudgeError(f"the reader {call} cannot be started: {said.ours}")
        if said.status != "ok":
            raise Unreadable(said.status, said.says)
        return msgspec.json.decode(into.read_bytes(), type=returns)


class _Server:
    """The parent's end of one server process."""

    def __init__(self) -> None:
        # The candidate's bytes are parsed under this process: it inherits no key and no proxy.
        keep = ("PATH", "HOME", "LANG", "LC_ALL", "TMPDIR", "PYTHONPATH", "VIRTUAL_ENV")
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", __name__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={name: os.environ[name] for name in keep if name in os.environ},
        )

    @property
    def lives(self) -> bool:
        return self._process.poll() is None

    def ask(self, request: _Call) -> _Said:
        assert self._process.stdin
        assert self._process.stdout
        try:
            self._process.stdin.write(msgspec.json.encode(request) + b"\n")
            self._process.stdin.flush()
        except OSError:
            self.end()
            return _Said("corrupt", "Its reader could not be reached.")
        # The first call waits for imports too; CPU time of a fork ends before this does.
        patience = request.allowance.seconds + 10
        ready, _, _ = select.select([self._process.stdout], [], [], patience)
        line = self._process.stdout.readline() if ready else b""
        if line:
            return msgspec.json.decode(line, type=_Said)
        self.end()
        if ready:
            return _Said("corrupt", "Its reader ended without a word.")
        return _Said("timeout", f"It was not read within {request.allowance.seconds} seconds.")

    def end(self) -> None:
        """Kill the server and what it forked."""
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe:
                with suppress(OSError):
                    pipe.close()


class _Servers:
    """Servers that wait for work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._idle: list[_Server] = []
        self._owner = os.getpid()

    @contextmanager
    def one(self) -> Iterator[_Server]:
        with self._lock:
            if self._owner != os.getpid():
                # After a fork of ours the pipes belong to the other process.
                self._idle, self._owner = [], os.getpid()
            server = self._idle.pop() if self._idle else _Server()
        if not server.lives:
            server.end()
            server = _Server()
        try:
            yield server
        except BaseException:
            if server.lives:
                server.end()
            raise
        if server.lives:
            with self._lock:
                self._idle.append(server)

    def end(self) -> None:
        with self._lock:
            while self._idle and self._owner == os.getpid():
                self._idle.pop().end()


_servers = _Servers()


def close() -> None:
    """End the servers that wait for work; the next call starts one anew."""
    _servers.end()


atexit.register(close)


def serve() -> None:
    """The server: reads calls from stdin until it is closed, forks for each."""
    for line in sys.stdin.buffer:
        request = msgspec.json.decode(line, type=_Call)
        said = _forked(request)
        sys.stdout.buffer.write(msgspec.json.encode(said) + b"\n")
        sys.stdout.buffer.flush()


def _forked(request: _Call) -> _Said:
    module, _, function = request.call.partition(":")
    package = __spec__.parent if __spec__ else ""
    try:
        # Imported before the fork: the next file of this kind pays nothing.
        name = module if "." in module else f"{package}.{module}"
        reader = getattr(importlib.import_module(name), function)
    except Exception as error:  # noqa: BLE001 - whatever an import raises is told to the parent
        return _Said("corrupt", ours=f"{type(error).__name__}: {error}")
    told = Path(f"{request.into}.said")
    process = os.fork()
    if process == 0:
        gc.disable()  # this process ends before garbage matters
        _limit(request.allowance)
        told.write_bytes(msgspec.json.encode(_called(reader, request)))
        os._exit(0)
    ended = os.waitstatus_to_exitcode(os.waitpid(process, 0)[1])
    if ended == 0:
        return msgspec.json.decode(told.read_bytes(), type=_Said)
    return _died(-ended, request.allowance)


def _limit(allowance: Allowance) -> None:
    """Bind this process. What a system does not know (macOS: memory) is left out."""
    for kind, most in (
        (resource.RLIMIT_AS, allowance.memory),
        (resource.RLIMIT_CPU, allowance.seconds),
        (resource.RLIMIT_FSIZE, allowance.file),
        (resource.RLIMIT_CORE, 0),
    ):
        with suppress(ValueError, OSError):
            resource.setrlimit(kind, (most, most + 1 if most else 0))
    # Nobody catches this signal: its default is to die.
    signal.setitimer(signal.ITIMER_REAL, allowance.seconds)


def _called(reader: Callable[..., object], request: _Call) -> _Said:
    """Call the reader and keep what it returned: whatever it raises, the bytes have caused."""
    first, *others = request.arguments
    try:
        Path(request.into).write_bytes(msgspec.json.encode(reader(Path(first), *others)))
    except Unreadable as error:
        return _Said(error.status, error.says)
    except MemoryError:
        return _Said(
            "too_big", f"It needs more than {request.allowance.memory >> 20} MiB to be read."
        )
    except RecursionError:
        return _Said("corrupt", "It is nested too deep.")
    except OSError as error:
        status: Status = "too_big" if error.errno == errno.EFBIG else "corrupt"
        return _Said(status, f"It does not read: {error.strerror or error}.")
    except Exception as error:  # noqa: BLE001 - a reader's fall is an answer about the file
        return _Said("corrupt", f"It does not read: {type(error).__name__}: {error}"[:300])
    return _Said("ok")


def _died(number: int, allowance: Allowance) -> _Said:
    if number in (signal.SIGALRM, signal.SIGXCPU):
        return _Said("timeout", f"It was not read within {allowance.seconds} seconds.")
    if number == signal.SIGKILL:
        return _Said("too_big", "Its reader was killed, most likely for want of memory.")
    return _Said("corrupt", f"Its reader crashed (signal {number}).")


if __name__ == "__main__":
    serve()
