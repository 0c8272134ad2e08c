"""Secrets planted outside, tried from inside by every way that comes to mind."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

import bythebook
from bythebook.deliverables.library import furniture
from bythebook.sandbox.furniture import Furniture
from bythebook.sandbox.layout import Layout
from bythebook.sandbox.sandbox import sandbox
from bythebook.sandbox.seccomp import MACHINES, filter_of_calls
from tests.sandbox.caged import Now, box, ran

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("kind")]

CANARY = "canary-4711"
PLANTED = (
    "content/tasks/deliverables/bus-90/rubric.yaml",
    "content/tasks/deliverables/bus-90/reference/answer.csv",
    "home/.config/keys.env",
    "runs/other/bus-90/1/workspace/results/answer.csv",
    "runs/this/bus-90/1/trace.jsonl",
)

READ = """
import glob, os, sys
def tell(wanted, way):
    try:
        open(way).read()
        print(wanted)
    except OSError:
        pass
for path in sys.argv[1:]:
    ways = ["", "/proc/self/root", "/proc/1/root", "/proc/1/cwd", "/workspace/../../../.."]
    ways += ["/proc/self/cwd/../../../../../..", "/home/agent/../..", "/dev/../..", "/tmp/../.."]
    ways += glob.glob("/proc/[0-9]*/fd/*") + glob.glob("/proc/[0-9]*/cwd")
    ways += [f"{way}/../../../.." for way in glob.glob("/proc/[0-9]*/fd/*")]
    for way in ways:
        tell(path, way + path)
    for make in (os.symlink, os.link):
        try:
            make(path, "way")
            tell(path, "way")
            os.remove("way")
        except OSError:
            pass
"""
MOUNT = """
mkdir -p m
for try in "mount --bind / m" "mount -t proc none m" "mount -t tmpfs none m" \
  "unshare -Urm mount --bind / m" "unshare -Ur true" "chroot / true" "mknod m/d b 259 0" \
  "mknod m/d c 1 1" "pivot_root . m" "umount -l /" "umount -l /workspace" \
  "mount -o remount,rw /usr" "mount -o remount,rw /" "nsenter -t 1 -a true" \
  "python3 -c 'import ctypes; exit(ctypes.CDLL(None).unshare(0x10000000) == 0 and 99)'"
do bash -c "$try" >/dev/null 2>&1; code=$?
   case "$try" in python3*) [ $code = 99 ] && echo "WORKED $try";;
   *) [ $code = 0 ] && echo "WORKED $try";; esac
done
true
"""

OPEN = """
import os
tried = 0
for top, _, names in os.walk("/proc"):
    for name in names:
        if not top.endswith("/fd") and "/task" not in top and "/net" not in top:
            tried += 1
            try:
                os.close(os.open(os.path.join(top, name), os.O_WRONLY | os.O_NONBLOCK))
                print(os.path.join(top, name))
            except OSError:
                pass
print(tried)
"""

CALLS = """
import ctypes, socket, sys
made = []
for family in range(64):
    for kind in (1, 2, 3, 5):
        try:
            socket.socket(family, kind).close()
            made.append(family)
            break
        except OSError:
            pass
print(*made)
libc = ctypes.CDLL(None, use_errno=True)
for word in sys.argv[1:]:
    name, _, number = word.partition("=")
    if name != "socket" and libc.syscall(int(number), 0, 0, 0, 0) < 0:
        print(name, ctypes.get_errno())
"""


@pytest.fixture
def planted(tmp_path: Path) -> list[str]:
    for name in PLANTED:
        (tmp_path / name).parent.mkdir(parents=True)
        (tmp_path / name).write_text(CANARY)
    return [str(tmp_path / name) for name in PLANTED]


async def test_no_way_leads_to_a_rubric_a_reference_a_key_or_another_run(
    workspace: Path, planted: list[str]
) -> None:
    (workspace / "seen.txt").write_text(CANARY)
    own = [
        str(Path(bythebook.__file__)),
        sys.prefix + "/pyvenv.cfg",
        "/etc/shadow",
        "/etc/hostname",
    ]
    words = ["python3", "-c", READ, "/workspace/seen.txt", *planted, *own]
    with box(workspace) as made:
        found = await made.run(words, 60)
    assert set(found.out.text.splitlines()) == {"/workspace/seen.txt"}
    assert found.err.text == ""


async def test_nothing_is_mounted_made_or_joined_that_would_open_a_way(workspace: Path) -> None:
    found = await ran(workspace, MOUNT, 60)
    assert (found.out.text, found.code) == ("", 0)


async def test_settings_of_the_kernel_cannot_be_changed(workspace: Path) -> None:
    """They belong to user 0, who may be who runs this. Nothing is written: to open is enough."""
    with box(workspace) as made:
        found = await made.run(["python3", "-c", OPEN], 60)
    *writable, tried = found.out.text.splitlines()
    assert (int(tried) > 100, writable) == (True, [])


async def test_secrets_among_the_furniture_are_covered_wherever_they_are_shown(
    workspace: Path, tmp_path: Path
) -> None:
    shelf = tmp_path / "shelf"
    for name in ("tasks/rubric.yaml", "keys.env", "fine.txt"):
        (shelf / name).parent.mkdir(parents=True, exist_ok=True)
        (shelf / name).write_text(CANARY)
    given = Furniture(shown=((shelf, "/opt/shelf"), (shelf, "/srv/shelf"))) + furniture()
    hidden = (shelf / "tasks", shelf / "keys.env", tmp_path / "not there")
    with sandbox(
        Now.kind, workspace, tmp_path / "scratch", Layout(furniture=given, secrets=hidden)
    ) as made:
        found = await made.run(f"grep -rl {CANARY} /opt/shelf /srv/shelf; ls /opt/shelf/tasks", 20)
    assert found.out.text.splitlines() == ["/opt/shelf/fine.txt", "/srv/shelf/fine.txt"]


# --- processes ----------------------------------------------------------------------------------


async def test_nothing_that_runs_outside_can_be_seen_or_signalled(workspace: Path) -> None:
    kill = """
import os, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
mine = {os.getpid(), os.getppid(), 1}
print(len([n for n in os.listdir("/proc") if n.isdigit()]))
for number in set(range(2, 70000)) - mine:
    try:
        os.kill(number, signal.SIGKILL)
        print("killed", number)
    except ProcessLookupError:
        pass
"""
    with subprocess.Popen(["sleep", "1000"]) as outside:
        with box(workspace) as made:
            found = await made.run(["python3", "-c", kill], 30)
        assert outside.poll() is None
        outside.kill()
    count, *killed = found.out.text.splitlines()
    assert (int(count) <= 4, killed, found.err.text) == (True, [], "")


async def test_the_first_process_inside_gives_nothing_away(workspace: Path, tmp_path: Path) -> None:
    """Neither the descriptors of its walls nor where they were built from."""
    look = "ls -l /proc/self/fd /proc/1/fd; cat /proc/1/cmdline /proc/1/environ /proc/1/maps"
    with box(workspace, doors={8900: tmp_path / "none"}) as made:
        found = await made.run(f"{look} | tr '\\0' ' '", 20)
    assert str(tmp_path) not in found.out.text
    assert str(Path(bythebook.__file__).parent) not in found.out.text
    own = found.out.text.partition("/proc/self/fd:")[2].splitlines()
    numbers = [line.split(" -> ")[0].split()[-1] for line in own if " -> " in line]
    assert numbers == ["0", "1", "2", "3"], found.out.text  # 3 is the list itself


async def test_descriptors_that_are_handed_over_are_closed_before_the_command(
    workspace: Path, tmp_path: Path
) -> None:
    """Or it could write its own exit code, or send sockets of its own to us."""
    forge = (
        'for n in 3 4 5 6 7 8 9 10 11 12 13 14; do (echo "{}" >&$n) 2>/dev/null && echo $n; done'
    )
    with box(workspace, doors={8900: tmp_path / "none"}) as made:
        found = await made.run(["bash", "-c", f"{forge}; true"], 20)
    assert (found.out.text, found.code) == ("", 0)


async def test_calls_that_no_namespace_confines_are_refused(workspace: Path) -> None:
    """Sockets to the host of a virtual machine, the keys that a user keeps in the kernel."""
    if not filter_of_calls():
        pytest.skip("the numbers of calls are not known for this machine")
    _, calls = MACHINES[os.uname().machine]
    line = ["python3", "-c", CALLS, *(f"{name}={number}" for name, number in calls.items())]
    with box(workspace) as made:
        assert "calls of" not in "".join(made.loose)
        found = await made.run(line, 20)
    families, *refused = found.out.text.splitlines()
    assert set(families.split()) <= {"1", "2", "10", "16"}
    assert families.split()[:2] == ["1", "2"]
    names = calls.keys() - {"socket"}
    assert set(refused) == {f"{name} {38 if name == 'io_uring_setup' else 1}" for name in names}


# --- the network --------------------------------------------------------------------------------

REACH = """
import socket, sys
def reached(family, kind, address):
    s = socket.socket(family, kind)
    s.settimeout(2)
    try:
        s.connect(address)
        s.send(b"x")
        if kind == socket.SOCK_DGRAM:
            s.recv(1)
        print("REACHED", address)
    except OSError:
        pass
tcp, udp, path = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]
for host in ("127.0.0.1", "127.0.0.2", "0.0.0.0", "10.0.0.1", "192.0.2.1", *sys.argv[4:]):
    reached(socket.AF_INET, socket.SOCK_STREAM, (host, tcp))
    reached(socket.AF_INET, socket.SOCK_DGRAM, (host, udp))
reached(socket.AF_INET6, socket.SOCK_STREAM, ("::1", tcp))
reached(socket.AF_UNIX, socket.SOCK_STREAM, "\\0" + path)
reached(socket.AF_UNIX, socket.SOCK_STREAM, path)
for family in (socket.AF_PACKET, socket.AF_INET):
    try:
        socket.socket(family, socket.SOCK_RAW, 1)
        print("RAW", family)
    except OSError:
        pass
for name in ("tcp", "tcp6", "udp", "udp6", "raw"):
    for line in open(f"/proc/net/{name}").readlines()[1:]:
        print(name, int(line.split()[1].rpartition(":")[2], 16))
"""


@pytest.fixture
def listening(tmp_path: Path) -> Iterator[list[str]]:
    """Servers of this machine, of every kind, and its own addresses."""
    with ExitStack() as stack:
        tcp = stack.enter_context(socket.create_server(("0.0.0.0", 0)))
        udp = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        udp.bind(("0.0.0.0", 0))
        path = tmp_path / "socket"
        for name in (str(path), f"\0{path}"):
            unix = stack.enter_context(socket.socket(socket.AF_UNIX))
            unix.bind(name)
            unix.listen()
        path.chmod(0o777)
        own = socket.gethostbyname_ex(socket.gethostname())[2] if os.uname().nodename else []
        yield [str(tcp.getsockname()[1]), str(udp.getsockname()[1]), str(path), *own]


async def test_no_server_of_this_machine_and_no_address_elsewhere_is_reached(
    workspace: Path, listening: list[str], tmp_path: Path
) -> None:
    with box(workspace, doors={8900: tmp_path / "none", 8931: tmp_path / "none2"}) as made:
        found = await made.run(["python3", "-c", REACH, *listening], 60)
    told = sorted(found.out.text.splitlines())
    assert (told, found.err.text) == (["tcp 8900", "tcp 8931"], "")
