"""The way through the gates, and everything that is stopped on it, with what to do."""

import shutil
from pathlib import Path

import pytest

from bythebook.build.deliverable.build import built
from bythebook.build.deliverable.gates import Unready, decide, standings
from bythebook.build.deliverable.proving import prove
from bythebook.build.deliverable.requirements import sentences
from bythebook.build.ledger import Ledger
from bythebook.errors import ContentError, UsageError
from tests.build.deliverable.story import TASK, change, opened, passes, walk

pytestmark = pytest.mark.timeout(400)
"""Whoever comes first waits for the runs and the proof that all share."""

PRODUCT, SCENARIO, OURS = "product/travel-desk", "scenario/mileage", "task/mileage"
OF = {
    "product-admission": PRODUCT,
    "interview": PRODUCT,
    "scenario-validation": SCENARIO,
}


def told_by(place: Path, gate: str, **other: object) -> str:
    """What keeps the gate shut, all of it; it was open before a fault was planted."""
    with pytest.raises(Unready) as stopped:
        decide(walk(place, gate), OF.get(gate, OURS), passes(gate, **other))
    assert Ledger(place).lines() == walked(place)
    return "\n".join(map(str, stopped.value.lacks))


def walked(place: Path) -> object:
    """Nothing was written for the gate that stayed shut."""
    lines = Ledger(place).lines()
    assert all(line.decided == "pass" for line in lines)
    return lines


def test_a_task_comes_through_all_gates(through: Path) -> None:
    here = opened(through / "place")
    for subject in (PRODUCT, SCENARIO, OURS):
        assert {one.state for one in standings(here, subject).values()} == {"passed"}
    assert built(here).done


# --- what lacks is named by file and field, with the next move -----------------------------------

POOL, ASKED, STORY = "pool/travel-desk.yaml", "interviews/desk-user.yaml", "scenarios/mileage.yaml"
SURVEY = [
    ("product-admission", POOL, "usd: 4000000", "usd: 1000000", "not above USD 1,000,000"),
    ("product-admission", POOL, "what: product, ", "", "active.what: is missing"),
    ("product-admission", POOL, "kind: paid", "kind: users, count: 20", "paid use nor 1,000 users"),
    ("product-admission", POOL, "day: 2026-04-01", "day: null", "funding.day: is missing"),
    ("product-admission", POOL, "domain: business", "domain: busines", "did you mean 'business'"),
    ("product-admission", POOL, "seed round", "ask jo@desk.example", "looks like an e-mail"),
    ("product-admission", POOL, "seed round", "call +44 20 7946 0123", "looks like a phone number"),
    ("product-admission", POOL, "funding:", "founding:", "did you mean 'funding'"),
    ("interview", ASKED, "goal: pay", "goal: ''  # pay", "goal: is missing"),
    ("interview", ASKED, "answered_by: person", "answered_by: model", "a model is no user"),
    ("interview", ASKED, "demos: [{", "demos: []  # [{", "has a demo case"),
    ("interview", ASKED, "a note on rates", "a note of Mr Smith", "looks like a person's name"),
    ("interview", ASKED, "product: travel-desk", "product: other", "no user of travel-desk was"),
    ("scenario-validation", STORY, "here: true", "here: false", "trips.xlsx is not here"),
    ("scenario-validation", STORY, "[desk-user]", "[desk-users]", "did you mean 'desk-user'"),
    ("scenario-validation", STORY, "holds: true", "holds: false", "clear_scenario: does not hold"),
    ("scenario-validation", STORY, '"who, when and what for are said"', "yes", "note: is missing"),
]


@pytest.mark.parametrize(("gate", "file", "old", "new", "says"), SURVEY)
def test_a_survey_that_lacks_something_stops(
    place: Path, gate: str, file: str, old: str, new: str, says: str
) -> None:
    change(place / file, old, new)
    told = told_by(place, gate)
    assert says in told
    assert file.partition("/")[0] in told


RECORD, ADMIT, REVIEW = ("tasks/mileage/" + n for n in ("record", "admission", "review"))
PILOTS, SCORES, ERRORS, ASKS = (
    "tasks/mileage/" + n for n in ("pilots", "scoring", "errors", "requirements")
)
RECORDS = [
    ("construction", RECORD, f"deliverables/{TASK}", "deliverables/other", "leads to no task"),
    ("task-admission", ADMIT, "evaluable: {holds: true", "evaluable: {holds: false", "evaluable"),
    ("cross-validation", REVIEW, "workflow: {holds: true", "workflow: {holds: null", "is open"),
    ("pilots", PILOTS, "runs/desk", "runs/task", "there is no run folder here"),
    ("pilots", PILOTS, "../../../runs/desk, ", "", "1 pilot runs, and at least 2 are wanted"),
    ("pilots", PILOTS, "[R4, R5]", "[R4]", "nobody said why desk-agent#1 failed R5"),
    ("pilots", PILOTS, "[R4, R5]", "[R4, R5, R9]", "desk-agent#1 did not fail R9"),
    ("pilots", PILOTS, "desk-agent#1", "dusk-agent#1", "did you mean 'desk-agent#1'"),
    ("pilots", PILOTS, "intrinsic difficulty", "ambiguous instruction", "the task goes back"),
    ("pilots", PILOTS, "intrinsic difficulty", "incomplete workspace", "the task goes back"),
    ("pilots", PILOTS, "intrinsic difficulty", "under-specified rubric", "decide pilots --return"),
    ("scoring", SCORES, "labels.csv", "label.csv", "did you mean 'labels.csv'"),
    ("scoring", SCORES, "kind: person", "kind: model", "Cleo Dun is no person"),
    ("scoring", SCORES, "Cleo Dun", "Cleo Dunn", "Cleo Dun marked and is not named"),
    ("scoring", SCORES, "runs/desk", "runs/desks", "is no run folder of the pilots"),
    ("error-analysis", ERRORS, "item: R9", "item: R8", "judge and people differ on R9"),
    ("error-analysis", ERRORS, "done: kept", "done: discarded", "R9 is in the rubric still"),
    ("error-analysis", ERRORS, "done: kept", "done: revised", "was: is missing"),
    ("rubric-verification", ASKS, "[R1, R2]", "[R1]", "nobody asked for what R2 watches"),
    ("rubric-verification", ASKS, "items: [R9]", "items: []", "no item watches 'why it is not"),
    ("rubric-verification", ASKS, "items: [R9]", "items: [R99]", "no item 'R99'"),
    ("rubric-verification", ASKS, "as a live formula", "as live formula", "word for word"),
    ("rubric-verification", ASKS, "We pay EUR 0.38 a kilometre.", "'I need'", "'We pay EUR 0.38"),
]


@pytest.mark.parametrize(("gate", "file", "old", "new", "says"), RECORDS)
def test_a_record_that_lacks_something_stops(
    place: Path, gate: str, file: str, old: str, new: str, says: str
) -> None:
    change(place / f"{file}.yaml", old, new)
    told = told_by(place, gate)
    assert says in told
    assert "/tasks/mileage/" in told or "mine/tasks" in told or "/runs/" in told


def test_all_that_lacks_is_said_at_once(place: Path) -> None:
    change(place / POOL, "usd: 4000000", "usd: 900000")
    change(place / POOL, "name: Travel Desk\n", "")
    told = told_by(place, "product-admission")
    assert "name: is missing" in told
    assert "not above" in told


# --- ground truth -------------------------------------------------------------------------------


def test_a_ground_truth_that_misses_an_item_goes_no_further(place: Path) -> None:
    folder = place.parent / "mine" / "tasks" / "deliverables" / TASK
    wrong = place.parent / "runs" / "desk" / TASK / "1" / "workspace" / "results"
    shutil.copy(wrong / "mileage.xlsx", folder / "reference" / "mileage.xlsx")
    told = told_by(place, "cross-validation")
    assert "the proof is of other files" in told
    assert "prove mileage" in told

    assert not prove(opened(place), "mileage").goldens
    with pytest.raises(Unready) as stopped:
        decide(opened(place), OURS, passes("cross-validation"))
    told = "\n".join(map(str, stopped.value.lacks))
    assert "reference: R4" in told
    assert "mend the reference or the rubric until both agree" in told


def test_nobody_passes_a_ground_truth_that_was_not_tried(place: Path) -> None:
    (place / "tasks" / "mileage" / "proof.json").unlink()
    assert "nobody has tried" in told_by(place, "cross-validation")


def test_a_rubric_is_not_verified_when_faults_changed_after_the_proof(place: Path) -> None:
    faults = place.parent / "mine" / "tasks" / "deliverables" / TASK / "faults.yaml"
    change(faults, "One trip has no row.", "One trip has no row at all.")
    told = told_by(place, "rubric-verification")
    assert "has changed since it was proved" in told


def test_a_rubric_is_not_verified_when_the_proof_does_not_hold(place: Path) -> None:
    change(place / "tasks" / "mileage" / "proof.json", '"proved": true', '"proved": false')
    assert "not proved" in told_by(place, "rubric-verification")


# --- who decides --------------------------------------------------------------------------------


def test_an_ambiguous_prompt_is_sent_back_and_nothing_goes_on_until_it_is_mended(
    place: Path,
) -> None:
    here = walk(place, "cross-validation")
    why = "'its amount' can be before or after tax"
    decide(here, OURS, passes("cross-validation", decided="return", why=why))
    with pytest.raises(UsageError, match="cross-validation first, which is returned") as stopped:
        decide(here, OURS, passes("pilots"))
    assert why in str(stopped.value)
    with pytest.raises(UsageError, match="nothing has changed since"):
        decide(here, OURS, passes("cross-validation"))

    prompt = place.parent / "mine" / "tasks" / "deliverables" / TASK / "prompt.md"
    change(prompt, "Please make", "Please (before tax) make")
    states = {name: one.state for name, one in standings(here, OURS).items()}
    assert states["construction"] == states["task-admission"] == "lapsed"


def test_an_author_is_no_second_reader(place: Path) -> None:
    here = walk(place, "cross-validation")
    change(place / "tasks/mileage/review.yaml", "who: Ben Oak", "who: Ada Bell")
    with pytest.raises(UsageError, match="is an author of task/mileage") as stopped:
        decide(here, OURS, passes("cross-validation", who="Ada Bell"))
    assert "no part in writing it" in stopped.value.hint


def test_whoever_decides_a_review_wrote_it(place: Path) -> None:
    here = walk(place, "cross-validation")
    with pytest.raises(UsageError, match="is by Ben Oak"):
        decide(here, OURS, passes("cross-validation", who="Finn Ash"))


@pytest.mark.parametrize(
    ("other", "says"),
    [
        ({"kind": "model", "years": None, "domain": ""}, "not passed by a model"),
        ({"kind": "person", "years": None, "domain": ""}, "not passed by a person"),
        ({"who": "gpt-6"}, "name of a model"),
        ({"domain": "law"}, "'law' is no domain"),
        ({"domain": "medical"}, "is an expert of medical"),
    ],
)
def test_a_second_reader_is_an_expert_of_the_field(
    place: Path, other: dict[str, object], says: str
) -> None:
    here = walk(place, "cross-validation")
    with pytest.raises(UsageError, match=says):
        decide(here, OURS, passes("cross-validation", **other))


def test_a_task_is_signed_by_its_author(place: Path) -> None:
    here = walk(place, "construction")
    with pytest.raises(UsageError, match="is no author of task/mileage"):
        decide(here, OURS, passes("construction", who="Ben Oak"))
    change(place / "tasks" / "mileage" / "record.yaml", "kind: expert", "kind: model")
    with pytest.raises(UsageError, match=r"names Ada Bell \(model\): sign as written there"):
        decide(here, OURS, passes("construction"))


def test_a_model_passes_for_a_person_only_where_the_rules_say_so(place: Path) -> None:
    here = walk(place, "task-admission")
    model = {"who": "reader 2", "kind": "model"}
    with pytest.raises(UsageError, match="not passed by a model"):
        decide(here, OURS, passes("task-admission", **model))
    (place / "rules.yaml").write_text("stand_ins: [task-admission]\n")
    with pytest.raises(ContentError, match="without a reason"):
        decide(opened(place), OURS, passes("task-admission", **model))
    (place / "rules.yaml").write_text("stand_ins: [task-admission]\nbecause: nobody is at hand\n")
    here = opened(place)
    assert standings(here, PRODUCT)["interview"].state == "lapsed"
    again = place.with_name("again")
    shutil.copytree(place, again, ignore=shutil.ignore_patterns("ledger*"))
    decide(walk(again, "task-admission"), OURS, passes("task-admission", **model))


# --- order, and what has changed ----------------------------------------------------------------


def test_no_gate_is_jumped(place: Path) -> None:
    here = walk(place, "task-admission")
    with pytest.raises(UsageError, match="has to pass task-admission first, which is open"):
        decide(here, OURS, passes("pilots"))


def test_a_task_waits_for_its_scenario_and_a_scenario_for_its_product(place: Path) -> None:
    here = walk(place, "interview")
    with pytest.raises(UsageError, match=r"product/travel-desk, which has to pass interview first"):
        decide(here, SCENARIO, passes("scenario-validation"))
    decide(here, PRODUCT, passes("interview"))
    with pytest.raises(UsageError, match=r"scenario/mileage, which has to pass scenario-valid"):
        decide(here, OURS, passes("construction"))


def test_a_task_does_not_go_on_when_its_product_has_lapsed(place: Path) -> None:
    here = walk(place, "task-admission")
    change(place / POOL, "seed round", "first round")
    with pytest.raises(
        UsageError, match="product/travel-desk, which has to pass product-admission"
    ):
        decide(here, OURS, passes("task-admission"))


def test_a_gate_is_skipped_by_a_person_with_a_reason_and_by_nobody_else(place: Path) -> None:
    here = walk(place, "scoring")
    model = passes("scoring", decided="waive", who="reader 2", kind="model")
    with pytest.raises(UsageError, match="a model cannot waive a gate"):
        decide(here, OURS, model)
    decide(here, OURS, passes("scoring", decided="waive", why="nobody had the time"))
    assert standings(here, OURS)["scoring"].state == "waived"


@pytest.mark.parametrize(
    ("file", "subject", "lapsed"),
    [
        (POOL, PRODUCT, {"product-admission"}),
        (ASKED, PRODUCT, {"interview"}),
        ("tasks/mileage/review.yaml", OURS, {"cross-validation"}),
        ("tasks/mileage/labels.csv", OURS, {"scoring"}),
        (f"../mine/tasks/deliverables/{TASK}/faults.yaml", OURS, {"rubric-verification"}),
        (f"../runs/desk/{TASK}/1/verdict.json", OURS, {"pilots", "scoring"}),
    ],
)
def test_a_decision_lapses_when_its_file_changes(
    finished: Path, file: str, subject: str, lapsed: set[str]
) -> None:
    with (finished / file).open("a") as opened_file:
        opened_file.write("\n")
    found = standings(opened(finished), subject)
    assert {name for name, one in found.items() if one.state == "lapsed"} == lapsed
    name = Path(file).name
    assert all(name in found[gate].says for gate in lapsed)


def test_a_changed_prompt_lets_everything_said_of_the_task_lapse(finished: Path) -> None:
    prompt = finished.parent / "mine" / "tasks" / "deliverables" / TASK / "prompt.md"
    change(prompt, "Please make", "Make")
    stood = {one.subject: one for one in built(opened(finished)).stands}
    assert stood[OURS].state == "lapsed"
    assert "prompt.md changed since" in stood[OURS].says
    states = {one.state for one in standings(opened(finished), OURS).values()}
    assert states == {"lapsed"}


@pytest.mark.parametrize("taken", [0, 4, 9])
def test_a_ledger_that_was_changed_is_not_believed(finished: Path, taken: int) -> None:
    path = finished / "ledger.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    assert len(lines) == 10
    path.write_text("".join(lines[:taken] + lines[taken + 1 :]))
    with pytest.raises(ContentError) as stopped:
        built(opened(finished))
    assert "put the ledger back" in stopped.value.hint


# --- pilots -------------------------------------------------------------------------------------


def test_what_every_pilot_completes_is_dropped(place: Path) -> None:
    (place / "rules.yaml").write_text("too_easy_percent: 60\n")
    told = told_by(place, "pilots")
    assert "every pilot scores 60 or more (desk-agent#1 67.7, careful-agent#1 100.0)" in told
    assert "decide pilots --discard" in told


def test_a_verdict_that_was_written_by_hand_does_not_count(place: Path) -> None:
    verdict = place.parent / "runs" / "careful" / TASK / "1" / "verdict.json"
    change(verdict, '"score": 1.0', '"score": 0.5')
    assert "the verdict is not what its run gives" in told_by(place, "pilots")


def test_pilots_of_another_prompt_do_not_count(place: Path) -> None:
    prompt = place.parent / "mine" / "tasks" / "deliverables" / TASK / "prompt.md"
    change(prompt, "Please make", "Kindly make")
    prove(opened(place), "mileage")
    told = told_by(place, "pilots")
    assert "desk-agent#1 was asked another prompt" in told


def test_pilots_that_nobody_judged_do_not_count(place: Path) -> None:
    (place.parent / "runs" / "desk" / TASK / "1" / "judgements.jsonl").unlink()
    told = told_by(place, "pilots")
    assert "desk-agent#1 is not judged on R8, R9" in told
    assert "bythebook judge" in told


def test_one_run_is_marked_whole(place: Path) -> None:
    labels = place / "tasks" / "mileage" / "labels.csv"
    change(labels, f"{TASK},1,R7,pass,Cleo Dun\n", "")
    assert "the best lacks R7" in told_by(place, "scoring")


def test_a_revised_point_reads_otherwise(place: Path) -> None:
    says = "The note explains that trips from 16 March on are paid at the new rate."
    change(place / "tasks/mileage/errors.yaml", "done: kept", f"done: revised, was: {says}")
    told = told_by(place, "error-analysis")
    assert "R9 reads as it did" in told
    assert "reword it in rubric.yaml" in told


def test_a_prompt_is_taken_apart_to_its_last_sentence() -> None:
    prompt = (
        "# Title\n\nPlease do it. Then tell me.\n\n* one, first\n* two.\n  Mind the e.g. case.\n\n"
        "| Sheet | Holds |\n|---|---|\n| Pay | gross |\n"
    )
    assert [" ".join(one.split()) for one in sentences(prompt)] == [
        "Please do it.",
        "Then tell me.",
        "* one, first",
        "* two.",
        "Mind the e.g. case.",
        "| Sheet | Holds |",
        "| Pay | gross |",
    ]
