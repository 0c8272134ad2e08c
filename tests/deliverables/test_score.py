"""A verdict is a function of scene, evidence and judgements."""

from collections.abc import Sequence
from pathlib import Path

import msgspec
import pytest

from bythebook.deliverables.evidence.model import FileEvidence, Kind
from bythebook.deliverables.evidence.view import View
from bythebook.deliverables.judge.judgement import Cited, Judgement
from bythebook.deliverables.scenefile import SceneFile
from bythebook.deliverables.score import Facts, compliance, verdict
from bythebook.errors import TraceError
from bythebook.verdict import Delivered, Share, Verdict
from tests.deliverables.own_task import RUBRIC, hand_over, own_task

FACTS = Facts(benchmark="0", task="biz-90-pay", run=1, agent="hand", outcome="completed(finished)")


@pytest.fixture
def scene(tmp_path: Path) -> SceneFile:
    return SceneFile.build(own_task(tmp_path))


@pytest.fixture
def good(tmp_path: Path) -> View:
    return View.of_folder(hand_over(tmp_path / "good"), keep=tmp_path / "good-evidence")


def judged(scene: SceneFile, view: View, item: str, mark: str | None, **more: object) -> Judgement:
    made = Judgement(
        item=item,
        item_hash=scene.rubric.by_id[item].hash,
        evidence=view.sha,
        judge="hand:A",
        verdict=mark,  # type: ignore[arg-type]  # pass, fail or nothing
        because="It is so.",
        cited=(Cited("note.docx#para=2", "The total gross pay"),),
    )
    return msgspec.structs.replace(made, **more)


def both(scene: SceneFile, view: View, third: str | None, fourth: str | None) -> list[Judgement]:
    return [judged(scene, view, "R3", third), judged(scene, view, "R4", fourth)]


def delivered(found: Verdict) -> Delivered:
    assert isinstance(found.delivered, Delivered)
    return found.delivered


def test_all_right_scores_one(scene: SceneFile, good: View) -> None:
    found = verdict(scene, good, both(scene, good, "pass", "pass"), FACTS)
    assert (found.score, found.success) == (1.0, True)
    told = delivered(found)
    assert (told.low, told.high, told.all_core, told.judge) == (1.0, 1.0, True, "hand:A")
    assert (told.checks, told.judges, told.void, told.total) == (10, 4, 0, 14)
    assert told.levels == {
        "auxiliary": Share(1, 0, 1),
        "core": Share(10, 0, 10),
        "important": Share(3, 0, 3),
    }
    assert [finding.by for finding in found.findings] == ["check", "check", "hand:A", "hand:A"]
    assert found.findings[2].place == "note.docx#para=2"


def test_without_a_judge_open_items_are_void_and_the_score_has_bounds(
    scene: SceneFile, good: View
) -> None:
    found = verdict(scene, good, (), FACTS)
    assert (found.score, found.success, found.void) == (None, None, True)
    told = delivered(found)
    assert (round(told.low, 3), told.high, told.void) == (0.714, 1.0, 4)
    assert found.findings[2].why == "no judge has answered"


def test_success_is_known_once_both_bounds_agree(scene: SceneFile, good: View) -> None:
    # 13 of 14 without the auxiliary item: over 0.90 whatever it says.
    found = verdict(scene, good, [judged(scene, good, "R3", "pass")], FACTS)
    assert (found.score, found.success) == (None, True)
    found = verdict(scene, good, [judged(scene, good, "R3", "fail")], FACTS)
    assert (found.score, found.success) == (None, False)


def test_a_wrong_figure_fails_by_check_and_the_place_is_kept(
    scene: SceneFile, tmp_path: Path
) -> None:
    view = View.of_folder(hand_over(tmp_path / "bad", gross=100.35), keep=tmp_path / "bad-evidence")
    found = verdict(scene, view, both(scene, view, "pass", "pass"), FACTS)
    first = found.findings[0]
    assert (first.verdict, first.place, first.by) == ("fail", "pay.xlsx#Pay!B2", "check")
    assert first.count == (1, 2)
    assert (round(found.score or 0, 3), found.success) == (0.643, False)
    assert delivered(found).all_core is False


def test_a_screen_only_fails(scene: SceneFile, tmp_path: Path) -> None:
    said = "The total gross pay is 301.75."
    view = View.of_folder(hand_over(tmp_path / "off", said=said), keep=tmp_path / "off-evidence")
    found = verdict(scene, view, both(scene, view, "pass", "pass"), FACTS)
    assert (found.findings[2].verdict, found.findings[2].by) == ("fail", "screen")


def test_the_last_judgement_of_these_files_and_words_stands(scene: SceneFile, good: View) -> None:
    lines = [
        judged(scene, good, "R3", "pass"),
        judged(scene, good, "R3", "fail"),
        judged(scene, good, "R3", "pass", item_hash="other wording"),
        judged(scene, good, "R3", "pass", evidence="other files"),
    ]
    assert verdict(scene, good, lines, FACTS).findings[2].verdict == "fail"
    void = [*lines, judged(scene, good, "R3", None, cause="places")]
    last = verdict(scene, good, void, FACTS).findings[2]
    assert (last.verdict, last.why) == ("void", "the judge gave no verdict: places")


def test_the_judge_that_was_chosen_counts_else_the_one_who_came_first(
    scene: SceneFile, good: View
) -> None:
    lines = [
        *both(scene, good, "pass", "pass"),
        judged(scene, good, "R3", "fail", judge="hand:B"),
    ]
    chosen = msgspec.structs.replace(FACTS, judge="hand:B")
    assert delivered(verdict(scene, good, lines, chosen)).judge == "hand:B"
    assert verdict(scene, good, lines, chosen).findings[3].verdict == "void"
    assert delivered(verdict(scene, good, lines, FACTS)).judge == "hand:A"
    assert verdict(scene, good, lines, FACTS).score == 1.0


def test_nothing_handed_over_fails_every_item_and_voids_none(
    scene: SceneFile, tmp_path: Path
) -> None:
    for folder in (tmp_path / "empty", tmp_path / "absent"):
        if folder.name == "empty":
            folder.mkdir()
        view = View.of_folder(folder, keep=tmp_path / f"{folder.name}-evidence")
        found = verdict(scene, view, (), FACTS)
        assert (found.score, found.success, found.void) == (0.0, False, False)
        assert delivered(found).omitted == ("pay.xlsx", "note.docx")


def test_a_verdict_has_the_same_bytes_from_what_was_kept(
    scene: SceneFile, good: View, tmp_path: Path
) -> None:
    lines: Sequence[Judgement] = both(scene, good, "pass", "fail")
    live = msgspec.json.encode(verdict(scene, good, lines, FACTS))
    kept = View.kept(tmp_path / "good-evidence")
    read = SceneFile.parse(scene.data, where="scene")
    assert msgspec.json.encode(verdict(read, kept, lines, FACTS)) == live
    assert str(tmp_path) not in live.decode()


# --- scenes -------------------------------------------------------------------------------------


def test_a_scene_is_named_by_its_bytes_and_holds_no_place(scene: SceneFile, tmp_path: Path) -> None:
    path = tmp_path / f"{scene.sha}.json"
    path.write_bytes(scene.data)
    assert SceneFile.load(path).rules == scene.rules
    assert str(tmp_path) not in scene.data.decode()
    other = tmp_path / "other.json"
    other.write_bytes(scene.data)
    with pytest.raises(TraceError, match="not the one it is named by"):
        SceneFile.load(other)


def test_the_same_task_in_another_folder_gives_the_same_scene(tmp_path: Path) -> None:
    one, other = (SceneFile.build(own_task(tmp_path / name)) for name in ("a", "b"))
    assert one.rules == other.rules


def test_decimals_keep_their_digits_in_a_scene(tmp_path: Path) -> None:
    rubric = RUBRIC.replace("is: 300.75", "is: 300.750")
    scene = SceneFile.build(own_task(tmp_path, rubric=rubric))
    assert b"300.750" in scene.data
    assert SceneFile.parse(scene.data, where="x").rubric.sha == scene.rubric.sha


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"{}",
        b"[1]",
        b'{"bythebook": "scene", "version": 1}',
        b'{"bythebook":"scene","version":9}',
    ],
)
def test_what_is_no_scene_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(TraceError):
        SceneFile.parse(data, where="x.json")


def test_a_scene_whose_checks_do_not_read_is_refused(scene: SceneFile) -> None:
    spoilt = scene.data.replace(b'"column":{"sheet"', b'"column":{"shet"')
    assert spoilt != scene.data
    with pytest.raises(TraceError, match="item R1 of this scene does not read"):
        SceneFile.parse(spoilt, where="x.json")


def test_today_s_rules_are_applied_and_both_hashes_kept(
    scene: SceneFile, good: View, tmp_path: Path
) -> None:
    rubric = RUBRIC.replace("level: auxiliary", "level: core")
    today = SceneFile.build(own_task(tmp_path / "today", rubric=rubric))
    found = verdict(scene, good, (), FACTS, today=today)
    assert (found.scene, found.rules, found.recorded_rules) == (scene.sha, today.rules, scene.rules)
    assert delivered(found).total == 18


def test_a_trace_of_another_scene_is_not_judged(scene: SceneFile, good: View) -> None:
    with pytest.raises(TraceError, match="the trace names scene"):
        verdict(scene, good, (), msgspec.structs.replace(FACTS, scene="0" * 64))


# --- format compliance --------------------------------------------------------------------------


def handed(**status: str) -> dict[str, FileEvidence]:
    kinds: dict[str, Kind] = {"xlsx": "xlsx", "pdf": "pdf", "docx": "docx", "md": "text"}
    return {
        name.replace("_", "."): FileEvidence(
            name=name.replace("_", "."),
            kind=kinds[name.rpartition("_")[2]],
            status=one,  # type: ignore[arg-type]  # a status
        )
        for name, one in status.items()
    }


WANTS: dict[str, Kind] = {"report.pdf": "pdf", "book.xlsx": "xlsx"}


@pytest.mark.parametrize(
    ("files", "wrong", "omitted"),
    [
        (handed(report_pdf="ok", book_xlsx="ok"), (), ()),
        (handed(report_pdf="ok", book_xlsx="corrupt"), (), ()),
        (handed(report_md="ok", book_xlsx="ok"), ("report.pdf",), ()),
        (handed(summary_md="ok", book_xlsx="ok"), ("report.pdf",), ()),
        (handed(report_pdf="wrong_type", book_xlsx="ok"), ("report.pdf",), ()),
        (handed(final_pdf="ok", book_xlsx="ok"), (), ()),
        (handed(book_xlsx="ok"), (), ("report.pdf",)),
        (handed(report_pdf="empty", book_xlsx="ok"), (), ("report.pdf",)),
        (handed(report_md="ok"), ("report.pdf",), ("book.xlsx",)),
        ({}, (), ("report.pdf", "book.xlsx")),
    ],
)
def test_format_compliance_knows_the_paper_s_two_patterns(
    files: dict[str, FileEvidence], wrong: tuple[str, ...], omitted: tuple[str, ...]
) -> None:
    assert compliance(WANTS, files) == (wrong, omitted)
