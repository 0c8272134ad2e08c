"""A seal is judged again elsewhere; what was changed, cut off or made to harm is said."""

import os
import shutil
import subprocess
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.errors import TraceError, UsageError
from bythebook.run.agents import Scripted
from bythebook.run.bundle import MANIFEST
from bythebook.run.folder import EvaluationFolder
from bythebook.run.private import Cover
from bythebook.run.seal import Sealed, seal
from bythebook.run.signature import beside, check_signature, sign
from bythebook.run.verify import Wanted, verify
from tests.deliverables.own_task import hand_over
from tests.deliverables.own_task import own_task as own_deliverable
from tests.own import TASK
from tests.run.delivering import deliver
from tests.run.playing import play
from tests.run.sealing import Files, packed, relisted, unpacked

RUN = f"{TASK}/1"


@pytest.fixture(scope="module")
def played(task: ConductTask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    play(task, Scripted("shortcut"), folder, runs=2)
    return folder


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> EvaluationFolder:
    return EvaluationFolder(Path(shutil.copytree(played, tmp_path / "copy")))


@pytest.fixture(scope="module")
def bundle(played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Not to be changed."""
    path = tmp_path_factory.mktemp("bundle") / "sealed.zip"
    sealed(EvaluationFolder(played), path)
    return path


@pytest.fixture
def files(bundle: Path) -> Files:
    return unpacked(bundle)


def sealed(folder: EvaluationFolder, path: Path, *names: str, handed_over: bool = False) -> Sealed:
    cover = Cover(names, places=[folder.root])
    return seal(folder, path, cover, handed_over=handed_over)


def states(path: Path) -> list[str]:
    return [run.state for run in verify(path).runs]


# --- whole --------------------------------------------------------------------------------------


def test_a_seal_gives_the_same_verdicts_elsewhere(bundle: Path, tmp_path: Path) -> None:
    found = verify(Path(shutil.copy(bundle, tmp_path / "received.zip")))

    assert [(run.run, run.state) for run in found.runs] == [(1, "same"), (2, "same")]
    assert (found.planned, found.suite, found.agent) == (2, "conduct", "shortcut")


def test_the_same_evaluation_gives_the_same_bytes(
    bundle: Path, copy: EvaluationFolder, tmp_path: Path
) -> None:
    for path in copy.root.rglob("*"):
        os.utime(path, (1, 1))

    told = sealed(copy, tmp_path / "again.zip")

    assert (tmp_path / "again.zip").read_bytes() == bundle.read_bytes()
    assert told.digest == verify(bundle).digest


def test_a_seal_holds_no_time_path_host_or_address(copy: EvaluationFolder, tmp_path: Path) -> None:
    plan = copy.root / "plan.json"
    text = plan.read_text().replace('"base_url": ""', '"base_url": "http://gpu-7.local:80/v1"')
    plan.write_text(text)

    sealed(copy, tmp_path / "sealed.zip")

    assert "gpu-7" in text
    everything = b"".join(unpacked(tmp_path / "sealed.zip").values())
    assert b"gpu-7" not in everything
    assert str(tmp_path).encode() not in everything
    assert states(tmp_path / "sealed.zip") == ["same", "same"]


def test_work_handed_over_is_judged_by_its_evidence(tmp_path: Path) -> None:
    made = own_deliverable(tmp_path / "own")
    hand_over(made.folder / "reference")
    deliver(made, "reference", tmp_path / "runs")
    folder = EvaluationFolder(tmp_path / "runs")

    sealed(folder, tmp_path / "sealed.zip")
    sealed(folder, tmp_path / "with-files.zip", handed_over=True)

    assert states(tmp_path / "sealed.zip") == ["same"]
    assert states(tmp_path / "with-files.zip") == ["same"]
    handed = [name for name in unpacked(tmp_path / "with-files.zip") if "/workspace/" in name]
    assert len(handed) >= 1
    assert not [name for name in unpacked(tmp_path / "sealed.zip") if "/workspace/" in name]


def test_a_run_that_is_missing_is_told(copy: EvaluationFolder, tmp_path: Path) -> None:
    copy.run(TASK, 2).trace.write_bytes(copy.run(TASK, 2).trace.read_bytes()[:-10])

    sealed(copy, tmp_path / "sealed.zip")
    found = verify(tmp_path / "sealed.zip")

    assert (len(found.runs), found.planned) == (1, 2)
    assert found.left_out == (f"{TASK}/2: in flight",)


def test_a_verdict_that_its_trace_does_not_give_is_not_sealed(
    copy: EvaluationFolder, tmp_path: Path
) -> None:
    verdict = copy.run(TASK, 2).verdict
    verdict.write_bytes(verdict.read_bytes().replace(b"false", b"true"))

    with pytest.raises(UsageError, match="its verdict is not what trace and rules give"):
        sealed(copy, tmp_path / "sealed.zip")

    assert not list(tmp_path.glob("*sealed*")) + list(tmp_path.glob(".*sealed*"))


@pytest.mark.parametrize(
    ("secret", "says"),
    [
        ("sk-proj-abcdefghij0123456789", "a key in"),
        ("anna.lind@firm-of-hers.com", "an e-mail address in"),
        ("/home/anna/notes", "a home folder in"),
        ("Anna  LIND", "a name of your list in"),
    ],
)
def test_what_should_not_be_shared_is_named_and_nothing_is_sealed(
    copy: EvaluationFolder, tmp_path: Path, secret: str, says: str
) -> None:
    trace = copy.run(TASK, 1).trace
    first, second, *rest = trace.read_bytes().split(b"\n")
    note = second.replace(b'"text":"', f'"text":"by {secret}: '.encode(), 1)
    assert note != second
    trace.write_bytes(b"\n".join([first, note, *rest]))

    with pytest.raises(UsageError) as refused:
        sealed(copy, tmp_path / "sealed.zip", "Anna Lind")

    assert f"{says} {RUN}/trace.jsonl" in refused.value.hint
    assert secret not in str(refused.value)
    assert not (tmp_path / "sealed.zip").exists()


# --- forged -------------------------------------------------------------------------------------


def test_a_verdict_that_was_forged_with_its_hash_differs(files: Files, tmp_path: Path) -> None:
    name = f"{RUN}/verdict.json"
    files[name] = files[name].replace(b'"verdict": "fail"', b'"verdict": "pass"')

    found = verify(packed(tmp_path / "forged.zip", relisted(files)))

    assert [run.state for run in found.runs] == ["differs", "same"]
    assert "P2 was pass, is fail" in found.runs[0].says


def test_a_trace_that_was_forged_with_its_hash_cannot_be_judged(
    files: Files, tmp_path: Path
) -> None:
    lines = files[f"{RUN}/trace.jsonl"].split(b"\n")
    del lines[3]
    files[f"{RUN}/trace.jsonl"] = b"\n".join(lines)

    found = verify(packed(tmp_path / "forged.zip", relisted(files)))

    assert [run.state for run in found.runs] == ["cannot", "same"]
    assert "event" in found.runs[0].says
    assert "/tmp" not in found.runs[0].says


def test_rules_that_were_forged_are_not_those_that_the_trace_names(
    files: Files, tmp_path: Path
) -> None:
    (scene,) = (name for name in files if name.startswith("scenes/"))
    files[scene] = files[scene].replace(b"<= 3", b"<= 9")

    assert states(packed(tmp_path / "forged.zip", relisted(files))) == ["cannot", "cannot"]


def test_runs_cannot_be_hidden_from_the_list(files: Files, tmp_path: Path) -> None:
    forged = relisted(files, runs=[{"task": TASK, "run": 1}])

    with pytest.raises(TraceError, match="its list names other runs than it holds"):
        verify(packed(tmp_path / "forged.zip", forged))


def test_a_run_too_many_is_not_in_the_plan(files: Files, tmp_path: Path) -> None:
    third = {
        name.replace("/1/", "/3/"): data.replace(b'"run":1', b'"run":3')
        for name, data in files.items()
        if name.startswith(f"{RUN}/")
    }
    runs = [{"task": TASK, "run": number} for number in (1, 2, 3)]

    with pytest.raises(TraceError, match=r"run .*/3 is not in its plan"):
        verify(packed(tmp_path / "forged.zip", relisted(files | third, runs=runs)))


def test_another_digest_than_was_made_known_is_refused(
    bundle: Path, files: Files, tmp_path: Path
) -> None:
    wanted = Wanted(digest=verify(bundle).digest)
    files["plan.json"] += b"\n"
    forged = packed(tmp_path / "forged.zip", relisted(files))

    assert verify(bundle, wanted).runs
    assert states(forged) == ["same", "same"]
    with pytest.raises(TraceError, match="not the one that was made known"):
        verify(forged, wanted)


# --- signed -------------------------------------------------------------------------------------

signing = pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs OpenSSH")


def key_of(folder: Path, name: str) -> Path:
    path = folder / name
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", name, "-f", str(path)]
    subprocess.run(words, check=True, timeout=30)
    return path


@signing
def test_a_signature_says_whose_it_is(bundle: Path, tmp_path: Path) -> None:
    mine = Path(shutil.copy(bundle, tmp_path / "mine.zip"))
    key, other = key_of(tmp_path, "key"), key_of(tmp_path, "other")
    public = tmp_path / "both.pub"
    public.write_text((tmp_path / "other.pub").read_text() + (tmp_path / "key.pub").read_text())

    sign(mine, key)

    assert verify(mine, Wanted(keys=public)).signed_by.startswith("SHA256:")
    with pytest.raises(TraceError, match="no signature of"):
        verify(mine, Wanted(keys=other.with_name("other.pub")))


@signing
def test_a_signature_of_another_file_or_purpose_counts_for_nothing(
    bundle: Path, files: Files, tmp_path: Path
) -> None:
    key = key_of(tmp_path, "key")
    public = Path(f"{key}.pub")
    forged = packed(tmp_path / "forged.zip", relisted(files))
    mine = Path(shutil.copy(bundle, tmp_path / "mine.zip"))
    sign(mine, key)
    shutil.copy(beside(mine), beside(forged))

    with pytest.raises(TraceError, match="no signature of"):
        check_signature(forged, public)
    beside(mine).unlink()
    with pytest.raises(TraceError, match="there is no signature here"):
        check_signature(mine, public)
    words = ["ssh-keygen", "-q", "-Y", "sign", "-f", str(key), "-n", "git", str(mine)]
    subprocess.run(words, check=True, timeout=30, capture_output=True)
    with pytest.raises(TraceError, match="no signature of"):
        check_signature(mine, public)


@signing
def test_what_is_no_key_is_said(bundle: Path, tmp_path: Path) -> None:
    mine = Path(shutil.copy(bundle, tmp_path / "mine.zip"))
    (tmp_path / "poem").write_text("no key\n")

    with pytest.raises(UsageError, match="this key cannot sign"):
        sign(mine, tmp_path / "poem")
    with pytest.raises(UsageError, match="there is no such key"):
        sign(mine, tmp_path / "nothing")
    sign(mine, key_of(tmp_path, "key"))
    with pytest.raises(UsageError, match="there is no public key in this file"):
        check_signature(mine, tmp_path / "poem")


# --- damaged and hostile ------------------------------------------------------------------------


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
