"""What an agent finds, and what is taken of what it leaves."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from bythebook.deliverables.evidence.preflight import LIMITS, survey
from bythebook.deliverables.workspace import (
    MOST_BYTES,
    MOST_FILES,
    Manifest,
    changes,
    collect,
    lay_out,
    make_safe,
)


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "inputs"
    (folder / "sub").mkdir(parents=True)
    (folder / "données (1).csv").write_text("a,b\n")
    (folder / "sub/note.md").write_text("hello\n")
    (folder / ".DS_Store").write_text("")
    return folder


@pytest.fixture
def laid(tmp_path: Path, inputs: Path) -> tuple[Path, Manifest]:
    root = tmp_path / "work"
    return root, lay_out(root, "Do it.\n", inputs, {"sub/note.md": "hello"})


def test_it_is_laid_out_as_in_startupbench(laid: tuple[Path, Manifest]) -> None:
    root, manifest = laid
    assert (root / "query/task.md").read_text() == "Do it.\n"
    assert (root / "_parsed/sub/note.md.md").read_text() == "hello"
    assert list((root / "results").iterdir()) == []
    assert sorted(manifest) == ["données (1).csv", "sub/note.md"]


def test_inputs_can_be_written_even_if_the_originals_cannot(tmp_path: Path, inputs: Path) -> None:
    (inputs / "sub/note.md").chmod(0o444)
    lay_out(tmp_path / "work", "", inputs)
    (tmp_path / "work/sub/note.md").write_text("mine")


def test_changed_and_deleted_inputs_are_noticed_and_new_files_are_not(
    laid: tuple[Path, Manifest],
) -> None:
    root, manifest = laid
    assert changes(manifest, root) == ()
    (root / "sub/note.md").write_text("other")
    (root / "données (1).csv").unlink()
    (root / "mine.py").write_text("")
    found = {one.name: one.what for one in changes(manifest, root)}
    assert found == {"sub/note.md": "changed", "données (1).csv": "deleted"}


def test_an_input_behind_a_link_counts_as_changed(laid: tuple[Path, Manifest]) -> None:
    root, manifest = laid
    (root / "sub").rename(root / "elsewhere")
    (root / "sub").symlink_to("elsewhere")
    assert [one.name for one in changes(manifest, root)] == ["sub/note.md"]


def test_regular_files_are_taken_in_order_of_name(laid: tuple[Path, Manifest]) -> None:
    root, _ = laid
    (root / "results/b").mkdir()
    (root / "results/b/x.txt").write_text("12")
    (root / "results/a.txt").write_text("1")
    found = collect(root)
    assert [(one.name, one.size) for one in found.files] == [("a.txt", 1), ("b/x.txt", 2)]
    assert (found.refused, found.litter) == ((), ())


def test_links_devices_and_pipes_are_refused_named_and_taken_out(
    laid: tuple[Path, Manifest],
) -> None:
    root, _ = laid
    results = root / "results"
    (results / "x").symlink_to("/etc/passwd")
    (results / "folder").symlink_to("/etc")
    os.mkfifo(results / "pipe")
    (results / "fine.txt").write_text("1")
    found = collect(root)
    assert {one.name: one.why for one in found.refused} == {
        "x": "a link to /etc/passwd",
        "folder": "a link to /etc",
        "pipe": "neither a file nor a folder",
    }
    assert [path.name for path in results.iterdir()] == ["fine.txt"]
    assert collect(root).refused == ()


def test_a_hard_link_to_a_file_outside_is_refused_and_one_inside_is_fine(
    laid: tuple[Path, Manifest], tmp_path: Path
) -> None:
    root, _ = laid
    secret = tmp_path / "secret"
    secret.write_text("secret")
    (root / "results/secret").hardlink_to(secret)
    (root / "draft.txt").write_text("mine")
    (root / "results/mine.txt").hardlink_to(root / "draft.txt")
    found = collect(root)
    assert [one.name for one in found.files] == ["mine.txt"]
    assert [one.name for one in found.refused] == ["secret"]
    assert secret.read_text() == "secret"


def test_litter_is_left_out_and_said(laid: tuple[Path, Manifest]) -> None:
    root, _ = laid
    for name in ("~$a.docx", ".~lock.a.xlsx#", ".DS_Store", "__pycache__/m.pyc", "a.docx"):
        (root / "results" / name).parent.mkdir(exist_ok=True)
        (root / "results" / name).write_text("")
    found = collect(root)
    assert [one.name for one in found.files] == ["a.docx"]
    assert found.litter == (".DS_Store", ".~lock.a.xlsx#", "__pycache__", "~$a.docx")


def test_too_many_files_are_cut_off_and_said(laid: tuple[Path, Manifest]) -> None:
    root, _ = laid
    for number in range(MOST_FILES + 3):
        (root / f"results/{number:05}").write_text("")
    found = collect(root)
    assert len(found.files) == MOST_FILES
    assert {one.why for one in found.refused} == {f"more than {MOST_FILES} files"}


@pytest.mark.parametrize("made", ["file", "link", "nothing"])
def test_results_that_are_no_folder_are_nothing(laid: tuple[Path, Manifest], made: str) -> None:
    root, _ = laid
    (root / "results").rmdir()
    if made == "file":
        (root / "results").write_text("here it is")
    elif made == "link":
        (root / "results").symlink_to("/etc")
    found = collect(root)
    assert found.files == ()
    assert [one.name for one in found.refused] == ([] if made == "nothing" else ["results"])
    assert (root / "results").is_dir()


def test_a_folder_that_was_closed_is_opened(laid: tuple[Path, Manifest]) -> None:
    root, _ = laid
    (root / "results/a").mkdir()
    (root / "results/a/x.txt").write_text("1")
    (root / "results/a").chmod(0)
    assert [one.name for one in collect(root).files] == ["a/x.txt"]


@pytest.mark.parametrize("name", ["a/", "d" * 199 + "/"])
def test_folders_nested_too_deep_are_taken_out_and_do_not_break_it(
    laid: tuple[Path, Manifest], name: str
) -> None:
    root, _ = laid
    for top in ("results", "sub"):
        subprocess.run(["mkdir", "-p", name * (4000 // len(name))], cwd=root / top, check=True)
    found = collect(root)
    assert [one.why for one in found.refused] == ["folders nested too deep"]
    assert make_safe(root) > 0
    assert sum(1 for _ in root.rglob("*")) < 100


@pytest.mark.parametrize("name", ["a", "z"])
def test_nothing_beside_a_wanted_file_crowds_it_out(laid: tuple[Path, Manifest], name: str) -> None:
    root, _ = laid
    for number in range(MOST_FILES):
        (root / f"results/b{number}.txt").write_text("")
    with (root / "results/a-big").open("wb") as file:
        file.truncate(MOST_BYTES)
    (root / f"results/{name}.docx").write_text("the note")
    found = collect(root, {f"{name}.docx"})
    assert f"{name}.docx" in [one.name for one in found.files]
    assert len(found.files) == MOST_FILES
    assert sum(one.size for one in found.files) <= MOST_BYTES
    assert len(found.refused) == 2


@pytest.mark.parametrize("odd", ["link", "folder", "pipe", "big"])
def test_a_wanted_name_takes_nothing_that_is_no_file_of_its_own(
    laid: tuple[Path, Manifest], odd: str
) -> None:
    root, _ = laid
    place = root / "results/note.docx"
    if odd == "link":
        place.symlink_to("/etc/passwd")
    elif odd == "folder":
        place.mkdir()
    elif odd == "pipe":
        os.mkfifo(place)
    else:
        place.touch()
        os.truncate(place, MOST_BYTES + 1)
    (root / "results/x.txt").write_text("x")
    found = collect(root, {"note.docx"})
    assert [one.name for one in found.files] == ["x.txt"]
    assert len(found.refused) == (0 if odd == "folder" else 1)


ODD = (b"\xff\xfe.txt", b"new\nline.txt", b"\\udcff.txt", b" ", b"x" * 255, b"fine.txt")


@pytest.mark.parametrize("inside", [b".", b"\xff", b"d/" * 19, b"d/" * 20, b"d/" * 21, b"d/" * 32])
def test_the_evidence_knows_all_that_was_taken_whatever_its_name(
    laid: tuple[Path, Manifest], inside: bytes
) -> None:
    root, _ = laid
    folder = root / "results" / os.fsdecode(inside)
    folder.mkdir(parents=True, exist_ok=True)
    for name in ODD:
        (folder / os.fsdecode(name)).write_text("x")
    taken = collect(root)
    make_safe(root)
    files, refused = survey(root / "results")
    assert sorted((one.name, one.sha) for one in taken.files) == [(f.name, f.sha) for f in files]
    assert refused == ()
    within = inside != b"\xff" and len(inside) <= 2 * LIMITS.depth
    assert len(files) == (len(ODD) - 1 if within else 0)


def test_no_program_in_a_kept_workspace_runs_with_our_rights(
    laid: tuple[Path, Manifest],
) -> None:
    root, _ = laid
    shell = root / "results/sh"
    shell.write_bytes(Path("/bin/true").read_bytes())
    shell.chmod(0o6755)
    (root / "query").chmod(0o2755)
    make_safe(root)
    assert [stat.S_IMODE(path.stat().st_mode) for path in (shell, root / "query")] == [0o755] * 2


def test_a_kept_workspace_holds_files_and_folders_only(laid: tuple[Path, Manifest]) -> None:
    root, _ = laid
    (root / "sub/link").symlink_to("/etc")
    os.mkfifo(root / "pipe")
    (root / "kept.txt").write_text("")
    assert make_safe(root) == 2
    assert (root / "kept.txt").exists()
    assert not (root / "sub/link").is_symlink()
