"""A seal is judged again elsewhere; what was forged is said, and who signed it."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.errors import TraceError, UsageError
from bythebook.run.agents import Scripted
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
from tests.run.sealing import Files, packed, relisted, states, unpacked

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
