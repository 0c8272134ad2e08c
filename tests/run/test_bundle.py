"""A bundle that was cut off, damaged, or made to harm is refused with a clear word."""

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.errors import TraceError
from bythebook.run.agents import Scripted
from bythebook.run.bundle import MANIFEST
from bythebook.run.folder import EvaluationFolder
from bythebook.run.private import Cover
from bythebook.run.seal import seal
from bythebook.run.verify import Wanted, verify
from tests.own import TASK
from tests.run.playing import play
from tests.run.sealing import Files, packed, relisted, states, unpacked

RUN = f"{TASK}/1"


@pytest.fixture(scope="module")
def bundle(task: ConductTask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two runs; not to be changed."""
    folder, path = tmp_path_factory.mktemp("played"), tmp_path_factory.mktemp("bundle") / "sealed"
    play(task, Scripted("shortcut"), folder, runs=2)
    seal(EvaluationFolder(folder), path, Cover())
    return path


@pytest.fixture
def files(bundle: Path) -> Files:
    return unpacked(bundle)


def test_a_bundle_that_was_cut_off_is_said_wherever_the_cut_is(
    bundle: Path, tmp_path: Path
) -> None:
    data = bundle.read_bytes()
    for cut in (0, 1, 40, len(data) // 2, len(data) - 30, len(data) - 1):
        (tmp_path / "cut.zip").write_bytes(data[:cut])
        with pytest.raises(TraceError, match="this bundle does not read"):
            verify(tmp_path / "cut.zip")


def test_no_changed_byte_goes_unnoticed(bundle: Path, tmp_path: Path) -> None:
    data, quiet = bundle.read_bytes(), []
    for place in range(0, len(data), max(1, len(data) // 150)):
        changed = bytearray(data)
        changed[place] ^= 0x55
        (tmp_path / "changed.zip").write_bytes(changed)
        try:
            found = verify(tmp_path / "changed.zip")
        except TraceError:
            continue
        quiet.append(found.digest)

    assert set(quiet) <= {verify(bundle).digest}
    assert len(quiet) < 60


def test_a_file_that_was_changed_in_a_bundle_is_named(files: Files, tmp_path: Path) -> None:
    files[f"{RUN}/trace.jsonl"] = files[f"{RUN}/trace.jsonl"].replace(b"finish", b"finally")

    with pytest.raises(TraceError, match=rf"{RUN}/trace.jsonl' is not the file that was sealed"):
        verify(packed(tmp_path / "changed.zip", files))


def link(name: str) -> zipfile.ZipInfo:
    about = zipfile.ZipInfo(name)
    about.create_system, about.external_attr = 3, 0o120777 << 16
    return about


@pytest.mark.parametrize(
    ("entry", "says"),
    [
        ("../escaped.json", "its name leads elsewhere"),
        ("/etc/escaped.json", "its name leads elsewhere"),
        (f"{RUN}/evidence/../../../escaped.json", "its name leads elsewhere"),
        (f"{RUN}/workspace/results/../../../../escaped", "its name leads elsewhere"),
        (f"{RUN}/workspace/results/a\\..\\escaped", "its name leads elsewhere"),
        (f"{RUN}/workspace/results/{'x' * 300}", "its name is too long"),
        (f"{RUN}/evidence/", "it is a link, a folder or a device"),
        (link(f"{RUN}/judgements.jsonl"), "it is a link, a folder or a device"),
        ("sitecustomize.py", "nothing of that name belongs there"),
        (f"{RUN}/.lock", "nothing of that name belongs there"),
    ],
    ids=str,
)
def test_a_hostile_name_is_refused_before_anything_is_written(
    files: Files, tmp_path: Path, entry: str | zipfile.ZipInfo, says: str
) -> None:
    name = entry if isinstance(entry, str) else entry.filename
    listed = relisted(files | {name: b"{}"})
    listed.pop(name)

    with pytest.raises(TraceError, match=says):
        verify(packed(tmp_path / "hostile.zip", {**listed, entry: b"{}"}))

    assert not list(tmp_path.rglob("escaped*"))


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_name_that_is_there_twice_is_refused(files: Files, tmp_path: Path) -> None:
    path = packed(tmp_path / "twice.zip", files)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("plan.json", b"{}")

    with pytest.raises(TraceError, match="it is there twice"):
        verify(path)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda files: files.pop("plan.json"), "'plan.json' is on its list and not there"),
        (lambda files: files.update({"merged.json": b"{}"}), "is there and not on its list"),
        (lambda files: files.pop(MANIFEST), "it holds no seal.json"),
        (lambda files: files.update({MANIFEST: b"[" * 200_000}), "its seal.json does not read"),
        (lambda files: files.update({MANIFEST: b'{"bythebook":"seal","version":9}'}), "version 9"),
        (lambda files: files.update({MANIFEST: b'{"bythebook":"poem"}'}), "this is no bundle"),
    ],
    ids=["gone", "added", "no list", "deep list", "version", "other"],
)
def test_a_list_that_is_not_of_these_files_is_refused(
    files: Files, tmp_path: Path, change: Callable[[Files], object], says: str
) -> None:
    change(files)

    with pytest.raises(TraceError, match=says):
        verify(packed(tmp_path / "wrong.zip", files))


def test_a_bomb_is_not_unpacked(files: Files, tmp_path: Path) -> None:
    files[f"{RUN}/judgements.jsonl"] = b"\n" * (64 * 2**20)
    honest = packed(tmp_path / "honest.zip", relisted(files))
    small = relisted(files | {f"{RUN}/judgements.jsonl": b"\n"})
    lying = packed(tmp_path / "lying.zip", {**files, MANIFEST: small[MANIFEST]})

    assert honest.stat().st_size < 2**20
    with pytest.raises(TraceError, match="it would unpack to 67,"):
        verify(honest, Wanted(largest=2**20))
    with pytest.raises(TraceError, match="is not the file that was sealed"):
        verify(lying)


def test_what_is_nested_too_deeply_breaks_nothing(files: Files, tmp_path: Path) -> None:
    lines = files[f"{RUN}/trace.jsonl"].split(b"\n")
    lines[1] = b'{"i":0,"t":0,"actor":"agent","kind":"note","name":"x","args":' + b"[" * 100_000
    files[f"{RUN}/trace.jsonl"] = b"\n".join(lines)

    assert states(packed(tmp_path / "deep.zip", relisted(files)))[0] == "cannot"


def test_what_is_no_bundle_is_said(tmp_path: Path) -> None:
    (tmp_path / "poem.zip").write_text("roses")

    with pytest.raises(TraceError, match="no such file"):
        verify(tmp_path / "nothing.zip")
    with pytest.raises(TraceError, match="this is a folder"):
        verify(tmp_path)
    with pytest.raises(TraceError, match="this bundle does not read"):
        verify(tmp_path / "poem.zip")
