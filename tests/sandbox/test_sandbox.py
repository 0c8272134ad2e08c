"""What an agent's commands can do in their sandbox, and above all what they cannot."""

import os
import shutil
import socket
from pathlib import Path
from time import monotonic

import anyio
import pytest

import bythebook
from bythebook.deliverables.library import offered
from bythebook.errors import AgentError
from bythebook.sandbox.layout import Bounds, Kind
from bythebook.sandbox.process import FLOOD, KEPT, Keeping
from bythebook.sandbox.quota import NAME, TREE
from bythebook.sandbox.sandbox import sandbox
from tests.sandbox.caged import box, ran

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("kind")]

CHECKOUT = Path(bythebook.__file__).parents[2]
CANARY = "canary-4711"


async def test_a_command_is_answered_with_its_output_and_exit_code(workspace: Path) -> None:
    found = await ran(workspace, "echo out; echo err >&2; exit 3")
    assert (found.out.text, found.err.text, found.code) == ("out\n", "err\n", 3)


async def test_what_is_written_in_the_workspace_stays_and_is_ours(workspace: Path) -> None:
    await ran(workspace, "mkdir results; echo done > results/a.txt")
    made = workspace / "results/a.txt"
    assert made.read_text() == "done\n"
    assert made.stat().st_uid == os.getuid()


async def test_home_and_tmp_last_from_command_to_command_and_no_longer(workspace: Path) -> None:
    with box(workspace) as made:
        await made.run("echo 1 > /tmp/a; echo 2 > ~/b", 20)
        found = await made.run("cat /tmp/a ~/b", 20)
    assert found.out.text == "1\n2\n"
    assert not (workspace.parent / "scratch").exists()
    assert (await ran(workspace, "cat /tmp/a ~/b")).code == 1


async def test_python_has_office_libraries_and_not_bythebook(workspace: Path) -> None:
    imports = "import openpyxl, docx, pptx, lxml.etree, pdfplumber, PIL"
    assert {"openpyxl", "python-docx", "python-pptx"} <= offered().keys()
    assert (await ran(workspace, f'python3 -c "{imports}"')).err.text == ""
    for name in ("bythebook", "anthropic", "openai"):
        found = await ran(workspace, f"python3 -c 'import {name}'")
        assert "ModuleNotFoundError" in found.err.text


async def test_libreoffice_works_where_it_is_installed(workspace: Path) -> None:
    if shutil.which("soffice") is None:
        pytest.skip("LibreOffice is not installed")
    (workspace / "a.csv").write_text("a,b\n1,2\n")
    found = await ran(workspace, "soffice --headless --convert-to pdf a.csv", 60)
    assert (workspace / "a.pdf").read_bytes().startswith(b"%PDF-"), found


async def test_no_path_leads_to_a_rubric_a_reference_or_the_checkout(
    workspace: Path, tmp_path: Path
) -> None:
    secret = tmp_path / "tasks"
    secret.mkdir()
    (secret / "rubric.yaml").write_text(CANARY)
    find = (
        "find / -xdev \\( -name 'rubric*.yaml' -o -name 'criteria.yaml' -o -name company.yaml \\)"
    )
    look = f"{find} 2>/dev/null; grep -rIls {CANARY} / --include=*.yaml --exclude-dir=proc"
    found = await ran(workspace, f"{look}; cat {secret}/rubric.yaml; ls {CHECKOUT}", 100)
    assert found.out.text == ""
    assert f"cannot access '{CHECKOUT}'" in found.err.text or "No such file" in found.err.text


async def test_a_secret_below_what_is_shown_is_covered(workspace: Path) -> None:
    shown = Path("/usr/share/doc")
    if not shown.is_dir():
        pytest.skip("there is no /usr/share/doc here")
    with box(workspace, Bounds(), shown) as made:
        found = await made.run(f"ls -A {shown}; touch {shown}/x", 20)
    assert found.out.text == ""
    assert "Read-only" in found.err.text


async def test_no_command_line_inside_tells_where_the_workspace_lies(
    workspace: Path, tmp_path: Path
) -> None:
    found = await ran(
        workspace, "cat /proc/*/cmdline /proc/*/environ | tr '\\0' ' '; env; ls /proc"
    )
    assert str(tmp_path) not in found.out.text
    assert "API_KEY" not in found.out.text


async def test_nobodys_users_passwords_and_keys_are_there(workspace: Path) -> None:
    os.environ["BYTHEBOOK_TEST_API_KEY"] = "sk-1"
    try:
        found = await ran(workspace, "cat /etc/shadow /etc/passwd; ls -A ~ ~root /var /run; env")
    finally:
        del os.environ["BYTHEBOOK_TEST_API_KEY"]
    assert "shadow: No such file" in found.err.text
    assert "sk-1" not in found.out.text
    assert [line.split(":")[0] for line in found.out.text.splitlines() if ":x:" in line] == [
        "agent"
    ]


async def test_nothing_but_workspace_home_and_tmp_can_be_written(workspace: Path) -> None:
    places = "/x /usr/x /etc/x /dev/x /opt/x /proc/x"
    found = await ran(workspace, f"for p in {places}; do touch $p 2>/dev/null && echo $p; done")
    assert found.out.text == ""


async def test_there_is_no_network_not_even_this_machines_own(workspace: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        tries = f"(echo > /dev/tcp/127.0.0.1/{port}) 2>/dev/null && echo reached"
        found = await ran(
            workspace, f"{tries}; cat /proc/net/dev | grep -c :; getent hosts a.example"
        )
    assert found.out.text == "1\n"


async def test_a_command_that_sleeps_for_ever_is_killed_with_all_it_began(workspace: Path) -> None:
    began = monotonic()
    script = "setsid sh -c 'while :; do date +%s%N > beat; sleep 0.02; done' & sleep 1000"
    found = await ran(workspace, script, 1)
    assert found.ended == "killed after 1 s"
    assert monotonic() - began < 5
    await still(workspace / "beat")


async def test_what_runs_on_in_the_background_ends_with_its_command(workspace: Path) -> None:
    script = (
        "setsid nohup sh -c 'while :; do date +%s%N > beat; sleep 0.02; done' & sleep 0.2; echo"
    )
    began = monotonic()
    found = await ran(workspace, script)
    assert found.code == 0
    assert monotonic() - began < 5
    await still(workspace / "beat")


async def still(beat: Path) -> None:
    """Nobody writes this file any more."""
    await anyio.sleep(0.1)
    last = beat.read_text()
    await anyio.sleep(0.3)
    assert beat.read_text() == last


async def test_a_command_cannot_kill_what_it_runs_under(workspace: Path) -> None:
    found = await ran(workspace, "kill -9 1; kill -9 $PPID; kill -9 -1; echo alive")
    assert found.out.text == "alive\n"


async def test_a_fork_bomb_ends_with_its_command(workspace: Path) -> None:
    bomb = "b() { b | b & }; b 2>/dev/null; sleep 1; echo over"
    began = monotonic()
    with box(workspace, Bounds(processes=200)) as made:
        if "the number of processes" in made.loose:
            pytest.skip("the number of processes cannot be bounded here")
        await made.run(bomb, 10)
        after = await made.run("echo fine", 20)
    assert after.out.text == "fine\n"
    assert monotonic() - began < 20


async def test_there_are_never_more_processes_than_allowed(workspace: Path) -> None:
    count = """
import os, time
made = 0
try:
    while made < 2000:
        if not os.fork():
            time.sleep(1000)
        made += 1
except BlockingIOError:
    print(made)
"""
    with box(workspace, Bounds(processes=100)) as made:
        if "the number of processes" in made.loose:
            pytest.skip("the number of processes cannot be bounded here")
        found = await made.run(["python3", "-c", count], 20)
    assert 50 < int(found.out.text) <= 100


async def test_a_file_with_holes_is_no_larger_than_any_other(workspace: Path) -> None:
    found = await ran(workspace, "truncate -s 10G a; echo x | dd of=b seek=10G bs=1; ls -s a b")
    assert found.code == 0
    assert [(workspace / name).stat().st_size for name in ("a", "b")] == [0, 0]


async def test_one_file_does_not_grow_beyond_its_limit(workspace: Path) -> None:
    found = await ran(
        workspace, "head -c 10G /dev/zero > big; ls -s big", bounds=Bounds(file=2**20)
    )
    assert (workspace / "big").stat().st_size == 2**20
    assert found.code == 0


async def test_many_files_that_fill_the_disk_are_stopped(workspace: Path) -> None:
    script = "i=0; while :; do head -c 1M /dev/zero > f$i; i=$((i+1)); sleep 0.01; done"
    found = await ran(workspace, script, 30, Bounds(disk=20 * 2**20))
    assert found.ended == "killed: its files take more than 20 MiB"


async def test_files_can_be_deleted_where_they_have_become_too_many(workspace: Path) -> None:
    (workspace / "old").write_bytes(bytes(30 * 2**20))
    found = await ran(workspace, "sleep 0.7; rm old", bounds=Bounds(disk=20 * 2**20))
    assert (found.code, found.ended) == (0, "")


async def test_memory_beyond_the_limit_is_refused(workspace: Path) -> None:
    found = await ran(workspace, "python3 -c 'bytearray(3 << 30)'", bounds=Bounds(memory=2**30))
    assert "MemoryError" in found.err.text


async def test_a_flood_of_output_is_cut_and_stopped(workspace: Path) -> None:
    found = await ran(workspace, "yes")
    assert found.ended == f"killed: it wrote more than {FLOOD // 2**20} MiB"
    assert len(found.out.text) < KEPT + 100
    assert "bytes left out" in found.out.text


async def test_output_that_is_no_text_is_shown_as_far_as_it_goes(workspace: Path) -> None:
    found = await ran(workspace, "head -c 100 /dev/urandom; printf 'a\\0b'")
    assert found.out.text.endswith("a\0b")


async def test_an_attempt_that_is_called_off_leaves_nothing_running(workspace: Path) -> None:
    script = "while :; do date +%s%N > beat; sleep 0.02; done"
    with anyio.move_on_after(1):
        await ran(workspace, script, 60)
    await still(workspace / "beat")


async def test_its_groups_are_gone_afterwards(workspace: Path) -> None:
    pattern = f"**/{NAME}-*-{os.getpid()}-*"
    with box(workspace) as made:
        there = len(list(TREE.glob(pattern)))
        assert (there > 0) == ("the memory of all processes together" not in made.loose)
        await made.run("true", 20)
    assert list(TREE.glob(pattern)) == []


async def test_a_sandbox_that_breaks_is_our_failure_and_never_the_agents(workspace: Path) -> None:
    with box(workspace) as made:
        shutil.rmtree(workspace)
        with pytest.raises(AgentError) as caught:
            await made.run("true", 20)
    assert caught.value.cause == "sandbox"


async def test_many_commands_at_once_do_not_disturb_each_other(tmp_path: Path) -> None:
    async def one(number: int) -> None:
        folder = tmp_path / str(number) / "workspace"
        folder.mkdir(parents=True)
        found = await ran(folder, f"sleep 0.3; echo {number}")
        assert found.out.text == f"{number}\n"

    async with anyio.create_task_group() as tasks:
        for number in range(8):
            tasks.start_soon(one, number)


# --- what a caller can ask for ------------------------------------------------------------------


async def test_a_program_is_run_with_its_own_arguments_variables_folder_and_input(
    workspace: Path,
) -> None:
    (workspace / "sub").mkdir()
    show = ["bash", "-c", 'echo "$1|$A|$HOME|$(pwd)|$(cat)"', "bash", "a b $HOME"]
    with box(workspace) as made:
        found = await made.run(
            show, 20, env={"A": "1 2"}, stdin=b"in" * 50_000, cwd="/workspace/sub"
        )
        assert (made.root, made.home) == ("/workspace", "/home/agent")
        (made.home_outside / "told").write_text("x")
        assert (await made.run("cat ~/told", 20)).out.text == "x"
    first, _, given = found.out.text.rpartition("|")
    assert first == "a b $HOME|1 2|/home/agent|/workspace/sub"
    assert given.startswith("ininin")


async def test_without_furniture_there_are_the_machines_programs_alone(
    workspace: Path, kind: Kind
) -> None:
    with sandbox(kind, workspace, workspace.parent / "scratch") as made:
        found = await made.run("ls /; ls /home /opt | sort", 20)
    usual = {"bin", "dev", "etc", "lib", "proc", "sbin", "tmp", "usr", "var", "workspace"}
    assert set(found.out.text.split()) - {"lib32", "lib64"} == {*usual, "home", "/home:", "agent"}
    assert "/opt" in found.err.text


async def test_variables_go_before_those_of_the_furniture(workspace: Path) -> None:
    with box(workspace) as made:
        found = await made.run("echo $PATH", 20, env={"PATH": "/opt/mine:/usr/bin:/bin"})
    assert found.out.text == "/opt/mine:/usr/bin:/bin\n"


async def test_more_output_is_kept_where_that_is_asked_and_all_of_it_in_a_file(
    workspace: Path, tmp_path: Path
) -> None:
    whole = "".join(f"{number}\n" for number in range(1, 30_001))
    with box(workspace) as made:
        short = await made.run("seq 30000", 20, keeping=Keeping(into=tmp_path / "out"))
        long = await made.run("seq 30000", 20, keeping=Keeping(room=2**20))
    assert "bytes left out" in short.out.text
    assert (tmp_path / "out").read_text() == long.out.text == whole


async def test_a_broken_pipe_ends_a_program_as_everywhere(workspace: Path) -> None:
    found = await ran(workspace, "yes | head -1; echo ${PIPESTATUS[0]}")
    assert (found.out.text, found.err.text) == ("y\n141\n", "")


async def test_a_program_that_is_not_there_is_the_agents_error(workspace: Path) -> None:
    with box(workspace) as made:
        found = await made.run(["no-such-program"], 20)
    assert found.code in (125, 127)
    assert "no-such-program" in found.err.text


async def test_a_program_that_is_killed_is_told_as_a_shell_tells_it(workspace: Path) -> None:
    assert (await ran(workspace, "kill -9 $$")).code == 137


async def test_memory_is_bounded_even_where_address_space_is_not(workspace: Path) -> None:
    """As for programs that reserve much and use little."""
    bounds = Bounds(memory=2**30, address=0)
    reserve = "import mmap; m = mmap.mmap(-1, 1 << 36, prot=0, flags=0x4022); print(len(m) >> 30)"
    found = await ran(
        workspace, f"python3 -c '{reserve}'; python3 -c 'bytearray(3 << 30)'", 20, bounds
    )
    assert found.out.text == "64\n"
    assert "MemoryError" in found.err.text
