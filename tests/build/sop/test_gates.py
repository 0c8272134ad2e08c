"""A fault planted in each stage is stopped at that stage's gate, with a word on what to do."""

import json
from collections.abc import Callable
from contextlib import chdir
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bythebook import yamlfile
from bythebook.build.sop.checks import check_all
from bythebook.build.sop.drafts import undated
from bythebook.build.sop.forms import Candidates, Cleared, Conflicts, Known, Source, plain, text
from bythebook.build.sop.shelf import Shelf
from bythebook.build.sop.work import kept_work
from bythebook.cli import answer
from bythebook.conduct.sops import Sop
from tests.build.sop.firm import Answers, Desk

Plant = Callable[[Desk, Answers], Any]


def claims(told: Answers) -> list[Answers]:
    found: list[Answers] = told["candidates"][0]["claims"]
    return found


def without_evidence(desk: Desk, told: Answers) -> None:
    del claims(told)[0]["source"]


def to_the_wrong_span(desk: Desk, told: Answers) -> None:
    claims(told)[0]["source"] = desk.link("only to the account that paid")


def to_no_span(desk: Desk, told: Answers) -> None:
    claims(told)[0]["source"] = "returns-v2#1.1-00000"


def from_what_is_superseded(desk: Desk, told: Answers) -> None:
    claims(told)[0] |= desk.quoted("Open a case", "returns-v1")


def not_word_for_word(desk: Desk, told: Answers) -> None:
    claims(told)[0]["quote"] = "Open a file before anything else"


def of_one_word(desk: Desk, told: Answers) -> None:
    claims(told)[0]["quote"] = "Open"


def forgotten_candidate(desk: Desk, told: Answers) -> None:
    told["left_out"] = []


def own_ancestor(desk: Desk, told: Answers) -> None:
    told["plans"][0]["parent"] = "take-a-return"


def unreachable(desk: Desk, told: Answers) -> None:
    told["steps"][2]["next"] = "refund"


def dead_end(desk: Desk, told: Answers) -> None:
    told["steps"][4]["next"] = []


def circle_without_end(desk: Desk, told: Answers) -> None:
    told["steps"][1]["next"] = "look"
    told["steps"][4]["next"] = "look"


def return_to_nowhere(desk: Desk, told: Answers) -> None:
    told["steps"][3]["returns_to"] = "lok"


def return_to_what_comes_later(desk: Desk, told: Answers) -> None:
    told["steps"][1]["returns_to"] = "refund"


def number_nobody_said(desk: Desk, told: Answers) -> None:
    told["steps"][1]["do"] = "Count 45 days."


def step_without_source(desk: Desk, told: Answers) -> None:
    told["steps"][0]["source"] = []


def evidence_of_no_claim(desk: Desk, told: Answers) -> None:
    told["steps"][0]["source"] = [desk.link("No claim is sent without")]


def claim_not_reviewed(desk: Desk, told: Answers) -> None:
    del told["verdicts"][0]


def supported_by_nothing(desk: Desk, told: Answers) -> None:
    told["verdicts"][0]["links"] = []


def rule_forgotten(desk: Desk, told: Answers) -> None:
    del told["attach"][0]


def rule_at_no_step(desk: Desk, told: Answers) -> None:
    told["attach"][0]["steps"] = ["refnd"]


def name_that_is_not_there(desk: Desk, told: Answers) -> None:
    told["names"][0]["name"] = "Maria Sanchez"


ANSWERED: list[tuple[str, Plant, str]] = [
    ("candidates/b01", without_evidence, "rests on nothing: give its `source`"),
    ("candidates/b01", to_the_wrong_span, "does not stand in this span; it stands in returns-v"),
    ("candidates/b01", to_no_span, "its words may have changed, look at '1.1-"),
    ("candidates/b01", from_what_is_superseded, "link the document that is in force"),
    ("candidates/b01", not_word_for_word, "quote word for word, or take the claim out"),
    ("candidates/b01", of_one_word, "too short: quote a whole phrase"),
    ("plans/plans", forgotten_candidate, "'b01.claim-damage' stands nowhere: put it into a plan"),
    ("plans/plans", own_ancestor, "is its own ancestor; take a `parent` out"),
    ("sops/take-a-return", unreachable, "'missing' cannot be reached from 'open': name it in"),
    ("sops/take-a-return", dead_end, "'refund' is a dead end: its `next` is empty"),
    ("sops/take-a-return", circle_without_end, "is a dead end: no way leads on from it to `end`"),
    ("sops/take-a-return", return_to_nowhere, "which is no step; did you mean 'look'?"),
    ("sops/take-a-return", return_to_what_comes_later, "which comes later: write it as `next`"),
    ("sops/take-a-return", number_nobody_said, "the number 45 stands in none of its sources"),
    ("sops/take-a-return", step_without_source, "give its `source`, or take the step out"),
    ("sops/take-a-return", evidence_of_no_claim, "is no evidence of this plan: link a span of"),
    ("review/take-a-return", claim_not_reviewed, "'open.do': no verdict; give exactly one"),
    ("review/take-a-return", supported_by_nothing, "supported by what? give the quote"),
    ("knowledge/take-a-return", rule_forgotten, "rule-1: stands nowhere; put it into `attach`"),
    ("knowledge/take-a-return", rule_at_no_step, "no step 'refnd'; did you mean 'refund'?"),
    ("names/names-01", name_that_is_not_there, "write it exactly as it stands there"),
]


@pytest.mark.parametrize(("question", "plant", "says"), ANSWERED, ids=lambda one: getattr(
    one, "__name__", None))  # fmt: skip
def test_an_answer_with_a_fault_is_not_taken(
    done: Desk, question: str, plant: Plant, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    stage, _, ident = question.partition("/")
    path = done.hand / stage / ident / "answer.json"
    told = json.loads(path.read_text())
    plant(done, told)
    path.write_text(json.dumps(told))

    code = done.build("--remake", stage)

    assert code == 1
    assert says in (path.parent / "answer.wrong.txt").read_text()
    assert says in " ".join(capsys.readouterr().err.split())


def edit(path: Path, kind: Any, change: Callable[[Any], None]) -> Path:
    """A person's hand at work in a file."""
    told = plain(yamlfile.load(path, kind))
    change(told)
    path.write_text(text(told))
    return path


def lost_evidence(told: Any) -> None:
    told["candidates"][0]["claims"][0]["quote"] = "Open nothing before anything else"


def lost_step(told: Any) -> None:
    told["steps"][0]["next"] = "look"


def lost_conflict(told: Any) -> None:
    told["conflicts"] = []


def no_reason(told: Any) -> None:
    told["conflicts"][0]["why"] = ""


def wider_days(told: Any) -> None:
    told["knowledge"][0]["days"] = ["2020-01-01", None]


def wider_scope(told: Any) -> None:
    del told["knowledge"][0]["scope"]


def old_source(told: Any) -> None:
    told["sop"]["steps"][1]["source"] = [told["sop"]["steps"][0]["source"][0][:-5] + "fffff"]


def leaked_name(told: Any) -> None:
    told["steps"][0]["do"] = "Open a case and tell maria  santos."


def unmapped_number(told: Any) -> None:
    told["steps"][0]["do"] = "Open a case and ring +44 20 7946 0999."


def same_span_id(told: Any) -> None:
    told["spans"][1]["id"] = told["spans"][0]["id"]


EDITED: list[tuple[str, Any, Callable[[Any], None], str]] = [
    ("01-sources/returns-v2.yaml", Source, same_span_id, "give each its own"),
    ("02-candidates/b01.yaml", Candidates, lost_evidence, "quote word for word"),
    ("04-sops/take-a-return.yaml", Sop, lost_step, "'days' cannot be reached from 'open'"),
    ("06-conflicts/conflicts.yaml", Conflicts, lost_conflict, "is missing: returns-v2#1.2-"),
    ("06-conflicts/conflicts.yaml", Conflicts, no_reason, "say in `why` by what it was decided"),
    ("07-cleared/take-a-return.yaml", Cleared, old_source, "no such span"),
    ("08-knowledge/take-a-return.yaml", Known, wider_days, "they hold 2025-03-01 to None"),
    ("08-knowledge/take-a-return.yaml", Known, wider_scope, "write that into its scope"),
    ("11-out/sops/take-a-return.yaml", Sop, leaked_name, "of the mapping stands in it"),
    ("11-out/sops/take-a-return.yaml", Sop, unmapped_number, "looks like an address or number"),
    ("11-out/sops/take-a-return.yaml", Sop, lost_step, "cannot be reached from"),
]


@pytest.mark.parametrize(("file", "kind", "change", "says"), EDITED, ids=lambda one: getattr(
    one, "__name__", None))  # fmt: skip
def test_a_fault_made_by_hand_closes_the_gate_of_its_stage(
    done: Desk, file: str, kind: Any, change: Callable[[Any], None], says: str,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    path = edit(done.place / file, kind, change)
    stage = file.partition("/")[0].partition("-")[2]

    found = check_all(kept_work(done.place))

    assert says in found[stage][str(path)]
    assert done.build("--check") == 1
    assert done.build() == 1
    assert says in " ".join(capsys.readouterr().err.split())
    assert path.exists()


def test_a_place_in_order_has_no_problems(built: Desk) -> None:
    assert not any(check_all(kept_work(built.place)).values())
    assert built.build("--check") == 0


def test_what_a_review_does_not_support_leaves_the_procedure_or_is_mended(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    told = desk.usual

    def review() -> Answers:
        usual: Answers = told["review/take-a-return"]()
        verdicts = {one["claim"]: one for one in usual["verdicts"]}
        verdicts["missing.do"] |= {"verdict": "unsupported", "says": "Nobody says so."}
        verdicts["days.decide"] |= {"verdict": "unsupported", "says": "Who decides?",
                                    "instead": "Later ones need the head of the desk."}  # fmt: skip
        usual["findings"] = ["Nobody counts the parcels."]
        verdicts["rule-2"] |= {"verdict": "contradicted", "says": "It is somebody else."}
        return usual

    def fewer() -> Answers:
        return {"attach": [{"rule": "rule-1"}]}

    code = desk.go_on(
        instead={"review/take-a-return": review, "knowledge/take-a-return": fewer,
                 "names/names-01": {"names": []}}
    )  # fmt: skip

    assert code == 0
    assert "take-a-return: Nobody counts the parcels." in capsys.readouterr().err
    sop = yamlfile.load(desk.place / "11-out/sops/take-a-return.yaml", Sop)
    assert [step.id for step in sop.steps] == ["open", "days", "look", "refund"]
    assert sop.steps[1].decide == "Later ones need the head of the desk."
    assert sop.steps[2].next == "refund"
    cleared = yamlfile.load(desk.place / "07-cleared/take-a-return.yaml", Cleared)
    assert {out.claim: bool(out.instead) for out in cleared.taken_out} == {
        "missing.do": False, "missing.decide": False, "missing.returns_to": False,
        "days.decide": True, "rule-2": False,
    }  # fmt: skip


def test_a_procedure_that_does_not_stand_without_what_failed_is_sent_back(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    def review() -> Answers:
        usual: Answers = desk.review()
        for verdict in usual["verdicts"]:
            if verdict["claim"].endswith(".do"):
                verdict |= {"verdict": "unsupported", "says": "Nobody says so."}
        return usual

    assert desk.go_on(instead={"review/take-a-return": review}) == 1
    said = " ".join(capsys.readouterr().err.split())
    assert "mend the draft by hand and give the command again" in said
    assert not (desk.place / "11-out").exists()


def in_two_rooms(desk: Desk) -> None:
    """Two papers in force that nobody set above each other."""
    for name, days in (("notice-a", "three"), ("notice-b", "nine")):
        (desk.sources / f"{name}.md").write_text(f"# Notice\nMoney goes out after {days} days.\n")


def test_a_conflict_that_nothing_decides_is_asked_and_stays_out_if_left_open(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    in_two_rooms(desk)

    def candidates() -> Answers:
        told = desk.candidates()
        one, other = desk.quoted("out after three days"), desk.quoted("out after nine days")
        told["conflicts"].append({"one": one, "other": other, "says": "When money goes out."})
        claims(told)[5] |= {"says": "After three days.", **one}
        return told

    instead: Answers = {"candidates/b01": candidates, "review/take-a-return": lambda: rule_1(desk)}
    assert desk.go_on(instead=instead, until="conflicts") == 1
    assert "is missing" not in capsys.readouterr().err  # it is asked, and not to be listed by hand
    (prompt,) = desk.hand.glob("conflicts/*/prompt.md")
    (ident,) = [line[3:] for line in prompt.read_text().splitlines() if line.startswith("## c-")]
    assert "out after nine days" in prompt.read_text()

    decided = {"decisions": [{"id": ident, "holds": "neither", "why": "No desk owns it."}]}
    attach = {"attach": [{"rule": "rule-2"}]}
    instead |= {"conflicts/conflicts": decided, "knowledge/take-a-return": attach}

    assert desk.go_on(instead=instead) == 0
    (left,) = [c for c in yamlfile.load(
        desk.place / "11-out/conflicts.yaml", Conflicts).conflicts if c.id == ident]  # fmt: skip
    assert (left.holds, left.why) == ("neither", "No desk owns it.")
    assert {left.one.quote, left.other.quote} == {"out after three days", "out after nine days"}
    cleared = yamlfile.load(desk.place / "07-cleared/take-a-return.yaml", Cleared)
    assert list(cleared.rules) == ["rule-2"]


def rule_1(desk: Desk) -> Answers:
    told = desk.review()
    for verdict in told["verdicts"]:
        if verdict["claim"] == "rule-1":
            verdict["links"] = [desk.quoted("out after three days")]
    return told


def test_a_procedure_whose_day_no_source_gives_is_named(built: Desk) -> None:
    shelf = built.shelf
    sop = yamlfile.load(built.place / "04-sops/take-a-return.yaml", Sop)
    nowhere = Shelf(
        msgspec.structs.replace(source, effective=(None, None)) for source in shelf.sources.values()
    )

    assert list(undated(shelf, {sop.id: sop})) == []
    (said,) = undated(nowhere, {sop.id: sop})
    assert said.startswith(
        "1 procedure(s) begin on a day that no source gives: take-a-return (2025-03-01); "
    )


def test_what_was_not_made_anew_after_a_change_is_named(
    done: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    draft = done.place / "04-sops/take-a-return.yaml"
    draft.write_text(draft.read_text().replace("Open a case.", "Open a new case."))

    found = check_all(kept_work(done.place))

    review = found["review"][str(done.place / "05-review/take-a-return.yaml")]
    assert "04-sops/take-a-return.yaml has changed" in review
    assert done.build("--check") == 1


def test_a_place_that_is_not_at_its_end_says_how_far_it_came(
    desk: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    desk.build()
    capsys.readouterr()

    assert desk.build("--check") == 0

    assert "nothing stands yet in 02-candidates, 03-plans" in capsys.readouterr().err


def test_a_place_is_checked_from_within(done: Desk) -> None:
    with chdir(done.place):
        assert answer(["build", "check", "."]) == 0


@pytest.mark.parametrize("stage", ["01-sources", "03-plans", "04-sops"])
def test_a_copy_beside_a_file_is_named_with_what_to_do(
    done: Desk, stage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = next(p for p in sorted((done.place / stage).glob("*.yaml")) if p.stem != "left-out")
    (path.parent / "other.yaml").write_bytes(path.read_bytes())

    assert done.build() == done.build("--check") + 1 == 2
    assert capsys.readouterr().err.count("name the file as its id") >= 2
