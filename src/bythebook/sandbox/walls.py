"""The inside of a sandbox, in the words of bubblewrap (`man bwrap`); `fence` reads them too."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from bythebook.sandbox.furniture import Furniture
from bythebook.sandbox.layout import HOME, PATH, SETTINGS, WORKSPACE, Layout

ETC = (
    "alternatives", "debian_version", "fonts", "java-11-openjdk", "java-17-openjdk",
    "java-21-openjdk", "ld.so.cache", "ld.so.conf", "ld.so.conf.d", "libreoffice", "localtime",
    "magic", "mime.types", "os-release", "papersize", "perl",
)  # fmt: skip
"""What programs need of `/etc`; no user, host or key is among it."""
CACHES = ("/var/cache/fontconfig", "/var/lib/libreoffice")
OURSELVES = Path(__file__).parents[1]
"""This program, which knows where tasks lie."""

NAMESPACES = (
    "--die-with-parent", "--new-session", "--unshare-all", "--unshare-user", "--disable-userns",
    "--cap-drop", "ALL", "--hostname", "sandbox", "--uid", "1000", "--gid", "1000", "--clearenv",
)  # fmt: skip
"""For bubblewrap alone; `fence` makes its own."""


def machine() -> Iterator[str]:
    """The machine's programs; an empty `/proc`, `/dev`."""
    yield from ("--ro-bind", "/usr", "/usr")
    for name in ("bin", "lib", "lib32", "lib64", "sbin"):
        top = Path("/", name)
        if top.is_symlink():
            yield from ("--symlink", str(top.readlink()).lstrip("/"), str(top))
        elif top.is_dir():
            yield from ("--ro-bind", str(top), str(top))
    # /proc is closed whole: user 0 needs no right to write the kernel's settings, they are his.
    yield from ("--proc", "/proc", "--remount-ro", "/proc", "--dev", "/dev")
    yield from ("--size", str(256 * 2**20), "--tmpfs", "/dev/shm")


def inside(workspace: Path, scratch: Path, layout: Layout) -> Iterator[str]:
    """What the agent is given: workspace, home, `/tmp`, furniture; nothing else can be written."""
    for name in ETC:
        yield from ("--ro-bind-try", f"/etc/{name}", f"/etc/{name}")
    for place in CACHES:
        yield from ("--ro-bind-try", place, place)
    yield from _users(scratch)
    yield from _furnished(layout.furniture)
    yield from ("--bind", str(scratch / "tmp"), "/tmp", "--bind", str(scratch / "home"), HOME)
    yield from ("--bind", str(workspace), WORKSPACE)
    yield from _masks(scratch, layout)
    yield from ("--remount-ro", "/dev", "--remount-ro", "/")


def settings(variables: Mapping[str, str], folder: str) -> Iterator[str]:
    """What changes from command to command: variables, and where it begins."""
    known = {**SETTINGS, "PATH": PATH, "HOME": HOME, "USER": "agent", **variables}
    for name, value in known.items():
        yield from ("--setenv", name, value)
    yield from ("--chdir", folder)


def _furnished(furniture: Furniture) -> Iterator[str]:
    for path, shown_at in furniture.shown:
        yield from ("--ro-bind", str(path), shown_at)
    for folder in furniture.emptied:
        yield from ("--tmpfs", str(folder), "--remount-ro", str(folder))
    for link, leads_to in furniture.links.items():
        yield from ("--symlink", leads_to, link)


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


def _masks(scratch: Path, layout: Layout) -> Iterator[str]:
    """Nothing is to be seen of secrets below what is shown, wherever that is shown."""
    (scratch / "nothing").touch()
    shown = ((Path("/usr"), "/usr"), *layout.furniture.shown)
    for secret in (OURSELVES, *layout.secrets):
        path = secret.resolve()
        for folder, shown_at in shown:
            if not path.exists() or not path.is_relative_to(folder.resolve()):
                continue
            seen = str(Path(shown_at, path.relative_to(folder.resolve())))
            if path.is_dir():
                yield from ("--tmpfs", seen, "--remount-ro", seen)
            else:
                yield from ("--ro-bind", str(scratch / "nothing"), seen)
