"""`merge`, `redact`, `seal` and `verify` as commands: documents, exit codes, what people read."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.cli.conftest import Said
from tests.own import TASK
from tests.run.sealing import packed, relisted, unpacked

Say = Callable[..., Said]
Ask = Callable[..., tuple[int, Any]]


@pytest.fixture
def runs(say: Say, own: Path, tmp_path: Path) -> Path:
    words = ("run", "conduct", "--task", TASK, "--agent", "shortcut", "--runs", "2")
    assert say(*words, "--to", "runs", "--content", own)[0] == 0
    return tmp_path / "runs"


def test_parts_are_merged_and_summed_up(ask: Ask, runs: Path, tmp_path: Path) -> None:
    for number in (1, 2):
        part = Path(shutil.copytree(runs, tmp_path / f"part-{number}"))
        shutil.rmtree(part / TASK / str(3 - number))

    code, document = ask("merge", "part-1", "part-2", "--to", "whole")

    assert code == 0
    assert [run["sources"] for run in document["runs"]] == [["part-1"], ["part-2"]]
    assert (tmp_path / "whole" / "summary.json").is_file()


def test_parts_that_differ_are_refused_in_words(say: Say, runs: Path, tmp_path: Path) -> None:
    other = Path(shutil.copytree(runs, tmp_path / "other"))
    plan = other / "plan.json"
    plan.write_text(plan.read_text().replace('"benchmark": "', '"benchmark": "9.'))

    code, out, err = say("merge", "runs", "other", "--to", "whole")

    assert (code, out) == (2, "")
    assert "runs and other do not belong together" in err
    assert "versions of the benchmark never merge" in err


def test_a_seal_is_verified_and_says_what_it_does_not_show(ask: Ask, say: Say, runs: Path) -> None:
    code, document = ask("seal", runs)
    digest = document["sealed"]["digest"]

    assert code == 0
    assert say("verify", "runs.zip", "--digest", digest)[0] == 0
    code, _, err = say("verify", "runs.zip")
    assert code == 0
    assert "nothing shows who made this file" in err
    code, found = ask("verify", "runs.zip")
    assert [run["state"] for run in found["runs"]] == ["same", "same"]


def test_a_difference_is_code_1_and_damage_is_code_2(say: Say, runs: Path, tmp_path: Path) -> None:
    say("seal", runs)
    files = unpacked(tmp_path / "runs.zip")
    name = f"{TASK}/1/verdict.json"
    files[name] = files[name].replace(b'"verdict": "fail"', b'"verdict": "pass"')
    packed(tmp_path / "forged.zip", relisted(files))
    packed(tmp_path / "changed.zip", files)

    code, _, err = say("verify", "forged.zip")
    assert (code, f"differs {TASK}/1: P2 was pass, is fail" in err) == (1, True)
    code, _, err = say("verify", "changed.zip")
    assert (code, "is not the file that was sealed" in err) == (2, True)
    code, _, err = say("verify", "forged.zip", "--digest", "abc")
    assert (code, "--digest is 64 hexadecimal digits" in err) == (2, True)


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="needs OpenSSH")
def test_a_signed_seal_names_the_key(say: Say, runs: Path, tmp_path: Path) -> None:
    words = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(tmp_path / "key")]
    subprocess.run(words, check=True, timeout=30)

    assert say("seal", runs, "--sign", "key")[0] == 0
    code, _, err = say("verify", "runs.zip", "--signed-by", "key.pub")
    assert (code, "signed by SHA256:" in err) == (0, True)
    say("seal", runs)
    code, _, err = say("verify", "runs.zip", "--signed-by", "key.pub")
    assert (code, "there is no signature here" in err) == (2, True)


def test_what_would_be_given_away_is_redacted_and_then_sealed(
    say: Say, ask: Ask, runs: Path, tmp_path: Path
) -> None:
    trace = runs / TASK / "1" / "trace.jsonl"
    said = b'"text":"Anna Lind, anna@firm-of-hers.com: '
    trace.write_bytes(trace.read_bytes().replace(b'"text":"', said, 1))
    (tmp_path / "names").write_text("# people\nAnna Lind\n")

    code, _, err = say("seal", runs, "--names", "names")
    assert (code, "a name of your list in" in err) == (2, True)
    code, document = ask("redact", runs, "--to", "clean", "--names", "names")
    assert (code, document["found"]) == (0, {"mail": 1, "name": 1})
    assert say("seal", "clean", "--names", "names")[0] == 0
    assert say("verify", "clean.zip")[0] == 0


def test_a_name_that_is_too_short_is_refused(say: Say, runs: Path, tmp_path: Path) -> None:
    (tmp_path / "names").write_text("Al\n")

    code, _, err = say("redact", runs, "--to", "clean", "--names", "names")

    assert (code, "'Al' has fewer than 3 letters" in err) == (2, True)
    assert not (tmp_path / "clean").exists()
