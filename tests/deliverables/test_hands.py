"""The tools of an agent in a workspace; none of them leads out of it."""

import os
from pathlib import Path
from typing import Any

import pytest

from bythebook.deliverables.hands import COMMAND, LISTED, Shown, WorkspaceHands
from bythebook.deliverables.inside import fits
from bythebook.sandbox.sandbox import sandbox
from bythebook.tool import Refused
from tests.sandbox.caged import box, caged

pytestmark = pytest.mark.anyio


async def use(workspace: Path, tool: str, **args: Any) -> str:
    """One call; file tools need no sandbox around them."""
    with sandbox("none: unsafe", workspace, workspace.parent / "scratch") as made:
        return (await WorkspaceHands(made).use(tool, args)).text


async def refused(workspace: Path, tool: str, **args: Any) -> str:
    with pytest.raises(Refused) as caught:
        await use(workspace, tool, **args)
    return str(caught.value)


async def test_a_file_is_read_with_its_lines_numbered(workspace: Path) -> None:
    (workspace / "a.txt").write_text("one\ntwo\nthree\n")
    assert await use(workspace, "read_file", path="a.txt") == (
        "     1  one\n     2  two\n     3  three"
    )
    part = await use(workspace, "read_file", path="./a.txt", offset=2, limit=1)
    assert part == "     2  two\n(3 lines in all; go on with offset 3)"


async def test_long_lines_and_long_answers_are_cut_and_it_is_said(workspace: Path) -> None:
    (workspace / "a.txt").write_text(("x" * 5000 + "\n") * 300)
    text = await use(workspace, "read_file", path="a.txt", limit=300)
    assert "[... line cut ...]" in text
    assert len(text) < 50_000
    assert "300 lines in all; go on with offset" in text


async def test_what_is_no_text_is_not_read_but_pointed_to_python(workspace: Path) -> None:
    for name, what in (("a.xlsx", "a workbook"), ("b.pdf", "a PDF"), ("c.bin", "no text")):
        (workspace / name).write_bytes(b"PK\3\4\0\0\xff\xfe")
        assert f"is {what}: read it with python3" in await refused(
            workspace, "read_file", path=name
        )


async def test_a_file_is_written_with_the_folders_on_its_way(workspace: Path) -> None:
    said = await use(workspace, "write_file", path="results/a/b.md", content="é\n")
    assert said == "results/a/b.md: 3 bytes written"
    assert (workspace / "results/a/b.md").read_text("utf-8") == "é\n"
    await use(workspace, "write_file", path="results/a/b.md", content="")
    assert (workspace / "results/a/b.md").read_bytes() == b""


async def test_an_edit_replaces_what_stands_there_exactly_once(workspace: Path) -> None:
    (workspace / "a.txt").write_bytes(b"one\r\ntwo\r\none\r\n")
    assert "2 times" in await refused(workspace, "edit_file", path="a.txt", old="one", new="1")
    assert "0 times" in await refused(workspace, "edit_file", path="a.txt", old="six", new="1")
    await use(workspace, "edit_file", path="a.txt", old="two", new="2")
    assert (workspace / "a.txt").read_bytes() == b"one\r\n2\r\none\r\n"


async def test_a_folder_is_listed_and_links_are_named_as_such(workspace: Path) -> None:
    (workspace / "b").mkdir()
    (workspace / "a.txt").write_text("12")
    (workspace / "l").symlink_to("/etc/passwd")
    os.mkfifo(workspace / "p")
    assert await use(workspace, "list_dir") == "a.txt  2\nb/\nl  (a link)\np  0  (special)"


async def test_long_lists_are_cut(workspace: Path) -> None:
    for number in range(LISTED + 5):
        (workspace / f"{number:04}").touch()
    for said in (await use(workspace, "list_dir"), await use(workspace, "glob", pattern="*")):
        assert said.endswith("(5 more)")


async def test_files_are_found_by_name(workspace: Path) -> None:
    for name in ("a.csv", "x/b.csv", "x/y/c.csv", "x/y/c.txt"):
        (workspace / name).parent.mkdir(parents=True, exist_ok=True)
        (workspace / name).touch()
    assert await use(workspace, "glob", pattern="*.csv") == "a.csv"
    assert await use(workspace, "glob", pattern="**/*.csv") == "a.csv\nx/b.csv\nx/y/c.csv"
    assert await use(workspace, "glob", pattern="x/**/c.*") == "x/y/c.csv\nx/y/c.txt"
    assert await use(workspace, "glob", pattern="*.pdf") == "(nothing)"


def test_a_pattern_of_many_stars_takes_no_time() -> None:
    assert not fits(("a",) * 30, ("**", "a*a") * 200)
    assert fits(("a",) * 30, ("**",) * 200)


OUTSIDE = (
    "/etc/passwd",
    "../secret",
    "results/../../secret",
    "/workspace/../etc/passwd",
    "../../..",
)


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("tool", ["read_file", "write_file", "edit_file", "list_dir", "view_image"])
async def test_no_path_leads_out_of_the_workspace(workspace: Path, tool: str, path: str) -> None:
    (workspace.parent / "secret").write_text("secret")
    more = {"write_file": {"content": "x"}, "edit_file": {"old": "secret", "new": "x"}}
    said = await refused(workspace, tool, path=path, **more.get(tool, {}))
    assert "can be reached" in said
    assert (workspace.parent / "secret").read_text() == "secret"


async def test_a_pattern_does_not_lead_out_either(workspace: Path) -> None:
    assert "can be reached" in await refused(workspace, "glob", pattern="../*")
    (workspace / "up").symlink_to("..")
    assert await use(workspace, "glob", pattern="**/*") == "up"


@pytest.mark.parametrize("tool", ["read_file", "write_file", "edit_file", "view_image"])
async def test_links_are_not_followed(workspace: Path, tool: str) -> None:
    secret = workspace.parent / "secret"
    secret.write_text("secret")
    (workspace / "link").symlink_to(secret)
    (workspace / "folder").symlink_to(workspace.parent)
    more = {"write_file": {"content": "x"}, "edit_file": {"old": "secret", "new": "x"}}
    for path in ("link", "folder/secret"):
        assert "link" in await refused(workspace, tool, path=path, **more.get(tool, {}))
    assert secret.read_text() == "secret"


async def test_a_pipe_does_not_hang_a_reader_or_a_writer(workspace: Path) -> None:
    os.mkfifo(workspace / "pipe")
    await refused(workspace, "read_file", path="pipe")
    await refused(workspace, "write_file", path="pipe", content="x")


async def test_names_that_no_file_can_have_are_refused(workspace: Path) -> None:
    for path in ("a\0b", "x" * 300, "", ".", "a/" * 3000):
        await refused(workspace, "read_file", path=path)
        await refused(workspace, "write_file", path=path, content="x")


async def test_wrong_arguments_and_unknown_tools_are_refused_in_words(workspace: Path) -> None:
    assert "did you mean 'read_file'?" in await refused(workspace, "read_fil", path="a")
    assert "600" in await refused(workspace, "exec", command="true", timeout=601)
    assert "arguments are: command, timeout" in await refused(workspace, "exec", cmd="true")
    assert "bytes" in await refused(workspace, "exec", command="x" * (COMMAND + 1))
    assert "NUL" in await refused(workspace, "exec", command="echo \0")


@caged
async def test_a_command_is_answered_with_how_it_ended(workspace: Path) -> None:
    with box(workspace) as made:
        hands = WorkspaceHands(made)
        said = await hands.use("exec", {"command": "echo a; exit 2"})
        assert said.text == "exit code 2\nstdout:\na"
        said = await hands.use("exec", {"command": "echo a >&2; sleep 9", "timeout": 1})
        assert said.text == "killed after 1 s\nstderr:\na"
        await hands.use("exec", {"command": "echo b > a.txt"})
        said = await hands.use("read_file", {"path": "/workspace/a.txt"})
        assert said == Shown("     1  b")
