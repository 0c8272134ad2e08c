"""A stranger's rules that never end or eat all memory end no verification."""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import pytest

from bythebook.conduct.task import ConductTask
from bythebook.run.agents import Scripted
from bythebook.run.apart import Bounds
from bythebook.run.folder import EvaluationFolder
from bythebook.run.private import Cover
from bythebook.run.seal import seal
from bythebook.run.verify import Wanted, verify
from tests.own import TASK, bythebook
from tests.run.playing import play
from tests.run.sealing import Files, packed, relisted, unpacked

TEN = str(list(range(1, 11)))
ENDLESS = f"sum({' + '.join('abcdefghi')} for " + " for ".join(
    f"{name} in {TEN}" for name in "abcdefghi"
) + ") == 0"  # fmt: skip
HUGE = "len([[a, b, c, d, e, f] for " + " for ".join(
    f"{name} in {TEN}" for name in "abcdefgh"
) + "]) == 0"  # fmt: skip


@pytest.fixture(scope="module")
def files(task: ConductTask, tmp_path_factory: pytest.TempPathFactory) -> Files:
    """Of a bundle of two runs."""
    folder = tmp_path_factory.mktemp("played")
    play(task, Scripted("golden"), folder, runs=2)
    path = folder.with_name("sealed.zip")
    seal(EvaluationFolder(folder), path, Cover(places=[folder]))
    return unpacked(path)


def forged(files: Files, rule: str, *, run: int) -> Files:
    """One run's rules with one more, all hashes made to fit."""
    (name,) = (name for name in files if name.startswith("scenes/"))
    scene: dict[str, Any] = json.loads(files[name])
    more = {"id": "G99", "kind": "goal", "says": "It never ends.", "finally": rule}
    scene["criteria"]["criteria"].append(more)
    data = json.dumps(scene).encode()
    old, new = Path(name).stem, hashlib.sha256(data).hexdigest()
    trace = f"{TASK}/{run}/trace.jsonl"
    renamed = {trace: files[trace].replace(old.encode(), new.encode())}
    return relisted(files | renamed | {f"scenes/{new}.json": data})


def test_in_a_process_of_its_own_the_same_is_found(files: Files, tmp_path: Path) -> None:
    bundle = packed(tmp_path / "sealed.zip", files)

    apart = verify(bundle, Wanted(bounds=Bounds()))

    assert [run.state for run in apart.runs] == ["same", "same"]
    assert apart == verify(bundle)


@pytest.mark.parametrize(
    ("rule", "bounds", "says"),
    [
        (ENDLESS, Bounds(seconds=2), "judging it took more than 2 s and was ended"),
        (HUGE, Bounds(memory=2**29), "judging it wants more memory than is allowed"),
    ],
    ids=["endless", "huge"],
)
def test_a_rule_that_takes_too_much_is_named_and_the_other_runs_are_judged(
    files: Files, tmp_path: Path, rule: str, bounds: Bounds, says: str
) -> None:
    bundle = packed(tmp_path / "hostile.zip", forged(files, rule, run=1))

    found = verify(bundle, Wanted(bounds=bounds))

    assert [run.state for run in found.runs] == ["cannot", "same"]
    assert says in found.runs[0].says


def test_the_command_judges_a_stranger_s_runs_apart(files: Files, tmp_path: Path) -> None:
    packed(tmp_path / "hostile.zip", forged(files, ENDLESS, run=2))
    elsewhere = tmp_path / "elsewhere"
    (elsewhere / "bythebook").mkdir(parents=True)
    (elsewhere / "bythebook" / "__init__.py").write_text("raise SystemExit('not this one')")

    done = bythebook(
        "verify", tmp_path / "hostile.zip", "--seconds", "1", cwd=elsewhere, env={**os.environ}
    )

    assert done.returncode == 1
    assert f"same {TASK}/1" in done.stderr
    assert f"cannot {TASK}/2: judging it took more than 1 s" in done.stderr
