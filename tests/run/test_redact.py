"""A copy without what should not be shared still gives its verdicts, or says which it cannot."""

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from bythebook.conduct.task import ConductTask
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.journal import append, read_judgements
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.scenefile import SceneFile
from bythebook.errors import UsageError
from bythebook.run.agents import Scripted
from bythebook.run.folder import EvaluationFolder
from bythebook.run.private import Cover
from bythebook.run.provenance import scorings, sha_of
from bythebook.run.redact import redact
from bythebook.run.redacted import unverifiable
from bythebook.run.score import rescore
from bythebook.run.seal import seal
from bythebook.run.verify import verify
from tests.deliverables.own_task import hand_over
from tests.deliverables.own_task import own_task as own_deliverable
from tests.own import TASK
from tests.run.delivering import again, deliver
from tests.run.playing import play

SECRETS = "sk-proj-abcdefghij0123456789 of anna.lind@firm-of-hers.com in /home/anna"


@pytest.fixture(scope="module")
def played(task: ConductTask, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("played")
    play(task, Scripted("shortcut"), folder, runs=2)
    return folder


@pytest.fixture
def copy(played: Path, tmp_path: Path) -> EvaluationFolder:
    return EvaluationFolder(Path(shutil.copytree(played, tmp_path / "copy")))


def say(folder: EvaluationFolder, words: str) -> None:
    """Put words into the first run's trace, as its agent might have."""
    trace = folder.run(TASK, 1).trace
    data = trace.read_bytes()
    assert b'"text":"' in data
    trace.write_bytes(data.replace(b'"text":"', f'"text":"{words} '.encode(), 1))


def everything(folder: Path) -> bytes:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return b"".join(str(path.relative_to(folder)).encode() + path.read_bytes() for path in files)


def test_where_nothing_is_found_every_byte_stays(copy: EvaluationFolder, tmp_path: Path) -> None:
    told = redact(copy, tmp_path / "new", Cover())

    for place in copy.runs():
        new = tmp_path / "new" / TASK / str(place.number)
        assert (new / "trace.jsonl").read_bytes() == place.trace.read_bytes()
        assert (new / "verdict.json").read_bytes() == place.verdict.read_bytes()
    assert told.found == {}
    assert [(run.covered, run.unverifiable) for run in told.runs] == [(False, "")] * 2


def test_what_was_said_is_covered_and_the_verdict_stands(
    copy: EvaluationFolder, tmp_path: Path
) -> None:
    say(copy, SECRETS)

    told = redact(copy, tmp_path / "new", Cover())

    assert told.found == {"key": 1, "mail": 1, "home": 1}
    assert [(run.covered, run.unverifiable) for run in told.runs] == [(True, ""), (False, "")]
    for secret in (b"sk-proj", b"firm-of-hers", b"anna"):
        assert secret not in everything(tmp_path / "new")
    assert rescore(EvaluationFolder(tmp_path / "new")).changed == ()


def row_words(folder: EvaluationFolder) -> list[str]:
    """Words of texts in rows that the first run wrote."""
    lines = [json.loads(line) for line in folder.run(TASK, 1).trace.read_bytes().splitlines()]
    rows = [write[3] for line in lines for write in line.get("writes", [])]
    texts = {text for row in rows if row for text in row.values() if isinstance(text, str)}
    return sorted(text for text in texts if len(text) > 3 and text.isascii())


def test_rows_that_are_covered_still_lead_from_state_to_state(
    copy: EvaluationFolder, tmp_path: Path
) -> None:
    word = row_words(copy)[0]

    told = redact(copy, tmp_path / "new", Cover([word]))

    assert word not in everything(tmp_path / "new").decode()
    for run in told.runs:
        assert "its writes do not lead" not in run.unverifiable
        assert "does not follow" not in run.unverifiable
        assert "another end state" not in run.unverifiable


def test_a_verdict_that_hangs_on_what_was_covered_is_said_to(
    copy: EvaluationFolder, tmp_path: Path
) -> None:
    """A column that a rule names: covered, the rule does not read."""
    redact(copy, tmp_path / "new", Cover(["visitor"]))
    new = EvaluationFolder(tmp_path / "new")
    marked = unverifiable(new)

    told = seal(new, tmp_path / "sealed.zip", Cover())
    found = verify(tmp_path / "sealed.zip")

    assert set(marked) == {("q90-NAME-1", 1), ("q90-NAME-1", 2)}
    assert told.runs == 2
    assert [run.state for run in found.runs] == ["cannot", "cannot"]
    assert all(run.says == marked[run.task, run.run] for run in found.runs)


def test_a_task_that_bears_a_name_gets_another(copy: EvaluationFolder, tmp_path: Path) -> None:
    told = redact(copy, tmp_path / "new", Cover([TASK]))

    assert {run.task for run in told.runs} == {"NAME-1"}
    assert (tmp_path / "new" / "NAME-1" / "1" / "trace.jsonl").is_file()
    assert [run.unverifiable for run in told.runs] == ["", ""]


def test_no_hash_lets_anybody_guess_what_was_covered(
    copy: EvaluationFolder, tmp_path: Path
) -> None:
    verdict = copy.run(TASK, 1).verdict
    whole = verdict.read_bytes()
    verdict.write_bytes(whole.replace(b'"says": "', b'"says": "Anna Lind: ', 1))
    rescore(copy)
    say(copy, "Anna Lind")
    old = {sha_of(path.read_bytes()) for path in copy.run(TASK, 1).root.rglob("*.json*")}

    redact(copy, tmp_path / "new", Cover(["Anna Lind"]))

    new = EvaluationFolder(tmp_path / "new")
    (line,) = scorings(new)
    kept = new.run(TASK, 1).verdicts / f"{line.was}.json"
    assert sha_of(kept.read_bytes()) == line.was
    told = everything(new.root)
    assert not [sha for sha in old - {sha_of(whole)} if sha.encode() in told]


def test_attempts_are_covered_and_runs_in_flight_left_out(
    copy: EvaluationFolder, tmp_path: Path
) -> None:
    say(copy, SECRETS)
    copy.run(TASK, 1).set_aside()
    trace = copy.run(TASK, 2).trace
    trace.write_bytes(trace.read_bytes()[:-20])

    told = redact(copy, tmp_path / "new", Cover())

    assert told.runs == ()
    assert told.left_out == {"run in flight": 1}
    assert len(EvaluationFolder(tmp_path / "new").run(TASK, 1).attempts) == 1
    assert b"firm-of-hers" not in everything(tmp_path / "new")


def test_the_place_must_be_free_and_the_folder_an_evaluation(
    copy: EvaluationFolder, tmp_path: Path
) -> None:
    with pytest.raises(UsageError, match="there is something here already"):
        redact(copy, copy.root, Cover())
    with pytest.raises(UsageError, match="no such folder"):
        redact(EvaluationFolder(tmp_path / "nothing"), tmp_path / "new", Cover())
    (tmp_path / "empty").mkdir()
    with pytest.raises(UsageError, match=r"there is no plan\.json here"):
        redact(EvaluationFolder(tmp_path / "empty"), tmp_path / "new", Cover())


def test_judgements_count_after_files_and_items_were_covered(tmp_path: Path) -> None:
    made = own_deliverable(tmp_path / "own")
    hand_over(made.folder / "reference")
    deliver(made, "reference", tmp_path / "runs")
    folder = EvaluationFolder(tmp_path / "runs")
    (place,) = folder.runs()
    view = View.kept(place.evidence)
    (scene,) = folder.scenes.iterdir()
    items = SceneFile.load(scene).rubric.items
    append(
        place.judgements,
        [
            Judgement(
                item=item.id, item_hash=item.hash, evidence=view.sha, judge="hand:anna lind",
                verdict="pass", because="as Anna Lind says",
            )
            for item in items
        ],
    )  # fmt: skip
    again(folder.root)
    assert "minute" in items[-1].says

    told = redact(folder, tmp_path / "new", Cover(["Anna Lind", "minute"]))

    (new,) = EvaluationFolder(tmp_path / "new").runs()
    lines = read_judgements(new.judgements)
    assert {line.judge for line in lines} == {"hand:NAME-2"}
    assert {line.evidence for line in lines} == {View.kept(new.evidence).sha}
    assert lines[-1].item_hash != items[-1].hash
    assert [run.unverifiable for run in told.runs] == [""]
    assert not list(new.root.rglob("*.xlsx"))
    assert msgspec.json.decode(new.verdict.read_bytes())["success"] is True
