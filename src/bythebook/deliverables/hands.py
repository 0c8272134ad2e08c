"""The tools of an agent in a workspace: files, pictures, and a shell in the sandbox."""

import stat
from collections.abc import Awaitable, Callable, Mapping
from typing import Annotated, Any, Protocol

import anyio.to_thread
import msgspec

from bythebook.agents.protocol import ToolSpec
from bythebook.deliverables.evidence.reading import Unreadable
from bythebook.deliverables.inside import Inside
from bythebook.deliverables.picture import Fitted, fitted
from bythebook.errors import suggestion
from bythebook.models.types import Image
from bythebook.sandbox.process import Ran
from bythebook.sandbox.sandbox import Sandbox
from bythebook.tool import Refused, Tool

READ = 20 * 2**20
"""Bytes of the largest file that is read into an answer in part."""
SHOWN = 40_000
"""Characters of one answer."""
LINE = 2_000
"""Characters of one line."""
LISTED = 500
COMMAND = 100_000
"""Bytes of the longest command."""

Lines = Annotated[int, msgspec.Meta(ge=1, le=2_000)]
Seconds = Annotated[int, msgspec.Meta(ge=1, le=600, description="seconds")]

VIEW = "view_image"
PICTURE = "an image"
BY_EXEC = "read it with python3 through exec"
WAYS = {
    "a workbook": (".xlsx", ".xlsm", ".xls", ".ods"),
    "a document": (".docx", ".doc", ".odt", ".rtf"),
    "a presentation": (".pptx", ".ppt", ".odp"),
    "a PDF": (".pdf",),
    PICTURE: (".png", ".jpg", ".jpeg", ".gif", ".bmp", ".tif", ".tiff", ".webp"),
    "an archive": (".zip", ".gz", ".tar", ".7z"),
}
"""What is read with a program: what it is called, to its suffixes."""

NUL = b"\0"


class Shown(msgspec.Struct, frozen=True):
    """What a call is answered."""

    text: str
    images: tuple[Image, ...] = ()


class Hands(Protocol):
    """What carries out an agent's calls."""

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        """What the agent is offered."""

    async def use(self, name: str, args: Mapping[str, Any]) -> Shown:
        """The answer. Raises `Refused` for what the agent got wrong."""
        ...


class NoHands:
    """For agents that use no tools."""

    tools: tuple[ToolSpec, ...] = ()

    async def use(self, name: str, args: Mapping[str, Any]) -> Shown:
        raise Refused(f"no tool {name!r}; there are none")


class WorkspaceHands:
    """File tools and a shell, on one workspace."""

    def __init__(self, sandbox: Sandbox, *, pictures: bool = True) -> None:
        """`pictures`: whether this agent can be shown any."""
        self._sandbox = sandbox
        self._files = Inside(sandbox.workspace, sandbox.root)
        self._tools = {n: tool for n, tool in TOOLS.items() if pictures or n != VIEW}

    @property
    def tools(self) -> tuple[ToolSpec, ...]:
        return tuple(ToolSpec(tool.name, tool.doc, tool.schema) for tool in self._tools.values())

    async def use(self, name: str, args: Mapping[str, Any]) -> Shown:
        tool = self._tools.get(name)
        if tool is None:
            raise Refused(f"no tool {name!r}; {suggestion(name, self._tools)}")
        done: Any = tool.run(self, **tool.check(args))
        answer: Shown | str = await done if isinstance(done, Awaitable) else done
        return Shown(answer) if isinstance(answer, str) else answer

    def read_file(self, path: str, offset: Lines = 1, limit: Lines = 200) -> str:
        """Read a text file of the workspace: its lines, numbered, from line `offset` on, at most
        `limit` of them. Workbooks, documents, PDFs and images are read with programs through
        `exec`."""
        data = self._files.read(path, READ)
        what = _no_text(path, data)
        if what:
            way = (
                "look at it with view_image" if what == PICTURE and VIEW in self._tools else BY_EXEC
            )
            raise Refused(f"{path} is {what}: {way}")
        lines = data.decode("utf-8", "replace").splitlines()
        shown, room = [], SHOWN
        for number, line in enumerate(lines[offset - 1 : offset - 1 + limit], start=offset):
            cut = line if len(line) <= LINE else f"{line[:LINE]} [... line cut ...]"
            room -= len(cut) + 8
            if room < 0:
                break
            shown.append(f"{number:6}  {cut}")
        last = offset - 1 + len(shown)
        more = f"\n({len(lines)} lines in all; go on with offset {last + 1})"
        return "\n".join(shown) + (more if last < len(lines) else "") or f"({len(lines)} lines)"

    def write_file(self, path: str, content: str) -> str:
        """Write a text file of the workspace, whole; what was there before is gone. Folders on the
        way are made."""
        data = content.encode("utf-8")
        self._files.write(path, data)
        return f"{path}: {len(data):,} bytes written"

    def edit_file(self, path: str, old: str, new: str) -> str:
        """Replace a piece of a text file. `old` must stand there exactly once, to the blank."""
        if not old:
            raise Refused("old: say what is to be replaced")
        try:
            text = self._files.read(path, READ).decode("utf-8")
        except UnicodeDecodeError:
            raise Refused(f"{path} is no text in UTF-8: change it through exec") from None
        times = text.count(old)
        if times != 1:
            raise Refused(f"{path}: `old` stands there {times} times; it must be once")
        self._files.write(path, text.replace(old, new).encode("utf-8"))
        return f"{path}: replaced"

    def list_dir(self, path: str = ".") -> str:
        """List a folder of the workspace: names, kinds, sizes in bytes."""
        lines = [_entry(name, info) for name, info in self._files.entries(path)]
        more = [f"({len(lines) - LISTED} more)"] if len(lines) > LISTED else []
        return "\n".join([*lines[:LISTED], *more]) or "(nothing)"

    def glob(self, pattern: str) -> str:
        """Find files by name, such as `*.csv` or `**/*.xlsx`."""
        found = list(self._files.matching(pattern))
        more = [f"({len(found) - LISTED} more)"] if len(found) > LISTED else []
        return "\n".join([*found[:LISTED], *more]) or "(nothing)"

    async def view_image(self, path: str) -> Shown:
        """Look at a picture of the workspace: PNG, JPEG, GIF, WebP, TIFF or BMP. It is shown at
        most 2,000 pixels wide and high, and fine marks may be lost on the way to you: to see more
        of a part, cut it out and enlarge it with python3. Make pages of PDFs and documents pictures
        through `exec` first."""
        data = self._files.read(path, READ)
        try:
            seen = await anyio.to_thread.run_sync(fitted, data)
        except Unreadable as error:
            raise Refused(f"{path}: {error.says}") from None
        return Shown(f"{path} is shown: {_about(seen)}", (Image(seen.media, seen.data),))

    async def exec(self, command: str, timeout: Seconds = 120) -> str:
        """Run a line of bash in the workspace; its output and exit code. Nothing goes on running
        after it has ended. Long output is cut in the middle."""
        if NUL.decode() in command:
            raise Refused("command: no NUL byte can be in it")
        if len(command.encode("utf-8", "replace")) > COMMAND:
            raise Refused(f"command: more than {COMMAND:,} bytes; write a script and run that")
        return _told(await self._sandbox.run(command, timeout))


def _tool(run: Callable[..., object], *, writes: bool = False) -> Tool:
    return Tool(run.__name__, "workspace", run, writes, 0, not writes)


TOOLS = {
    tool.name: tool
    for tool in (
        _tool(WorkspaceHands.read_file),
        _tool(WorkspaceHands.write_file, writes=True),
        _tool(WorkspaceHands.edit_file, writes=True),
        _tool(WorkspaceHands.list_dir),
        _tool(WorkspaceHands.glob),
        _tool(WorkspaceHands.view_image),
        _tool(WorkspaceHands.exec, writes=True),
    )
}


def _no_text(path: str, data: bytes) -> str:
    """What a file is that no line can be read of; empty for text."""
    for what, suffixes in WAYS.items():
        if path.lower().endswith(suffixes) and (NUL in data or not _is_utf8(data[:4096])):
            return what
    return "no text" if NUL in data[:8192] else ""


def _is_utf8(data: bytes) -> bool:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start >= len(data) - 4
    return True


def _entry(name: str, info: Any) -> str:
    if stat.S_ISDIR(info.st_mode):
        return f"{name}/"
    if stat.S_ISLNK(info.st_mode):
        return f"{name}  (a link)"
    return f"{name}  {info.st_size:,}" + ("" if stat.S_ISREG(info.st_mode) else "  (special)")


def _about(seen: Fitted) -> str:
    said = f"{seen.width} x {seen.height} pixels"
    if seen.original != (seen.width, seen.height):
        said += ", made smaller from {} x {}".format(*seen.original)
    if seen.frames > 1:
        said += f"; the first of {seen.frames} in the file: save others by themselves with python3"
    return said


def _told(ran: Ran) -> str:
    """Exit code, then what was written to either stream."""
    end = ran.ended or (f"exit code {ran.code}" if ran.code is not None else "")
    parts = [end]
    for name, kept in (("stdout", ran.out), ("stderr", ran.err)):
        if kept.size:
            parts.append(f"{name}:\n{kept.text.rstrip()}")
    return "\n".join(parts)
