"""A whole small task from a procedure, until the real proof holds; and going on after changes."""

import json
import shutil
from pathlib import Path

import msgspec
import pytest

from bythebook import yamlfile
from bythebook.build.conduct.build import STAGES
from bythebook.build.conduct.forms import without_block
from bythebook.build.conduct.gates import matter_of
from bythebook.build.conduct.pilots import read_pilots
from bythebook.build.conduct.place import opened
from bythebook.build.ledger import Ledger
from bythebook.build.stages import WouldLose
from bythebook.cli import answer
from bythebook.conduct.company import load_company
from bythebook.conduct.prove import prove_task
from bythebook.conduct.task import load_task
from bythebook.errors import ContentError, UsageError
from bythebook.task import Content
from tests.build.conduct.site import SOP, TASK, Site, said, told
from tests.model_server import ModelServer, Say
from tests.own import bythebook


def test_the_task_that_was_built_is_proved(built: Site) -> None:
    content = Content([built.place / "content", built.content])
    proof = prove_task(load_task(content, load_company(content), TASK))
    assert proof.proved, (proof.problems, proof.survivors)
    assert proof.counterexamples >= 11
    lines = Ledger(built.place).lines()
    assert [(one.gate, one.decided, one.kind) for one in lines] == [
        ("review", "pass", "person"),
        ("prove", "pass", "program"),
    ]


def test_every_stage_waits_in_its_turn_and_the_draft_says_what_it_lacks(
    built: Site, tmp_path: Path
) -> None:
    site = Site(tmp_path)
    shutil.copytree(built.content, site.content)
    first = site.go()
    assert [line.state for line in first.stages] == ["waits", *["not yet"] * (len(STAGES) - 1)]
    assert "task.yaml" in first.lacks
    third = site.through("1-alignment", "2-scenario", "3-overlay")
    assert [line.state for line in third.stages][:4] == ["done", "done", "done", "waits"]
    assert third.lacks == (
        "customer.yaml", "paraphrases.yaml", "criteria.yaml", "golden.yaml",
        "counterexamples.yaml",
    )  # fmt: skip
    assert third.loads == ""
    assert third.steps_without_tool == (
        f"{SOP}#need: The host is asked in words; nothing is recorded of it.",
    )


def test_a_wrong_answer_waits_to_be_mended_and_says_why(built: Site, tmp_path: Path) -> None:
    site = Site(tmp_path)
    shutil.copytree(built.content, site.content)
    site.go()
    site.answer("1-alignment", told("1-alignment", ("[draft_pass]", "[draft_pas]")))
    line = site.go().stages[0]
    assert line.state == "wrong"
    assert "draft_pass" in (Path(line.place) / "answer.wrong.txt").read_text()
    assert site.through("1-alignment").stages[0].state == "done"


def test_the_skeleton_fills_in_what_is_known_and_says_where_it_stops(built: Site) -> None:
    text = (built.place / "7-skeleton/skeleton.yaml").read_text()
    assert "# It stops at step draft_pass (draft_pass): not known: visitor, host, hours" in text
    assert "subject: $draft_pass.id" in text
    assert "brings out hours" in text
    assert yamlfile.parse(text, "skeleton")["steps"][-1]["call"] == "finish"


def test_each_proposal_of_a_counterexample_breaks_what_it_says(site: Site) -> None:
    text = (site.place / "8-proposals/proposals.yaml").read_text()
    assert text.startswith("# No edit of one step breaks F1.")
    found = yamlfile.parse(text, "proposals")
    assert {rule for one in found for rule in one["breaks"]} >= {"P1", "P2", "F2"}
    cases = [
        {"id": one["id"], "why": "-", "edits": one["edits"], "breaks": one["breaks"]}
        for one in found
    ]
    own = yamlfile.parse(said("8-counterexamples"), "own")
    own["counterexamples"] += cases
    site.answer("8-counterexamples", msgspec.json.encode(own).decode())
    assert site.go(remake=("8-counterexamples",)).stages[7].state == "done"


def test_an_edit_by_hand_stays_and_is_checked(site: Site) -> None:
    path = site.place / "7-golden/golden.yaml"
    path.write_text(path.read_text().replace("hours: 6}}", "hours: 13}}"))
    line = site.go().stages[6]
    assert line.state == "wrong"
    assert "call 13" in line.says[0]


def test_what_still_holds_is_kept_though_something_before_it_changed(site: Site) -> None:
    golden, rows = site.place / "7-golden/golden.yaml", site.place / "3-overlay/overlay.yaml"
    golden.write_text("# mine\n" + golden.read_text())
    rows.write_text("# a word more\n" + rows.read_text())
    built = site.go()
    assert [line.state for line in built.stages[2:8]] == [
        "edited", "done", "done", "done", "edited", "done",
    ]  # fmt: skip
    assert golden.read_text().startswith("# mine")


def test_the_draft_keeps_the_layout_of_the_rows(site: Site) -> None:
    rows = site.place / "3-overlay/overlay.yaml"
    rows.write_text("# nobody else comes today\n" + rows.read_text())
    assert site.go(reader=False).loads == ""
    text = (site.draft / "task.yaml").read_text()
    assert text.endswith(rows.read_text())
    assert "visitor-pass-policy: [visitor-pass-policy-v1, visitors-newsletter]" in text
    rows.write_text(without_block(rows.read_text(), "overlay"))
    assert site.go(reader=False).loads == ""
    assert "overlay: {}\n" in (site.draft / "task.yaml").read_text()


def test_what_holds_no_longer_is_asked_anew_with_the_earlier_answer(site: Site) -> None:
    rows = site.place / "3-overlay/overlay.yaml"
    rows.write_text(rows.read_text().replace("t: 10", "t: 1"))
    line = site.go().stages[6]
    assert line.state == "waits"
    prompt = (Path(line.place) / "prompt.md").read_text()
    assert "It holds no longer" in prompt
    assert "golden breaks G1" in prompt
    assert any("golden breaks G1" in why for why in line.anew)
    told_of = bythebook("build", "conduct-task", "--to", "place", "--content", "own", "--model",
                        "hand:author", "--author", "Ada", cwd=site.root)  # fmt: skip
    assert "asked again, since the earlier answer holds no longer" in told_of.stderr
    assert "the earlier answer is answer.yaml.old-1 beside it" in told_of.stderr


def test_an_answer_that_was_mended_after_it_was_taken_is_taken_anew(site: Site) -> None:
    site.answer("4-customer", "# mended\n" + said("4-customer"))
    customer = site.place / "4-customer/customer.yaml"
    assert site.go().stages[3].state == "done"
    assert customer.read_text().startswith("# mended")
    site.answer("4-customer", told("4-customer", ("request.hours == 6", "request.hour == 6")))
    line = site.go().stages[3]
    assert line.state == "wrong"
    assert "did you mean 'hours'?" in line.says[0]
    assert customer.read_text().startswith("# mended")


def test_a_mended_answer_takes_the_place_of_no_edited_file_unasked(site: Site) -> None:
    customer = site.place / "4-customer/customer.yaml"
    customer.write_text("# mine\n" + customer.read_text())
    site.answer("4-customer", "# mended\n" + said("4-customer"))
    with pytest.raises(WouldLose):
        site.go()
    assert site.go(keep=("4-customer",)).stages[3].state in ("done", "edited")
    assert customer.read_text().startswith("# mine")
    assert site.go().stages[3].state in ("done", "edited")


def test_an_edited_file_that_holds_no_longer_is_its_editors_to_mend(site: Site) -> None:
    golden, rows = site.place / "7-golden/golden.yaml", site.place / "3-overlay/overlay.yaml"
    golden.write_text("# mine\n" + golden.read_text())
    rows.write_text(rows.read_text().replace("t: 10", "t: 1"))
    line = site.go().stages[6]
    assert line.state == "wrong"
    assert golden.read_text().startswith("# mine")
    assert site.go(remake=("7-golden",)).stages[6].state == "waits"
    assert golden.read_text().startswith("# mine")


def test_a_draft_that_was_edited_is_not_written_over(site: Site) -> None:
    path = site.draft / "customer.yaml"
    path.write_text(path.read_text() + "patience: 4\n")
    rows = site.place / "4-customer/customer.yaml"
    rows.write_text(rows.read_text() + "patience: 6\n")
    with pytest.raises(WouldLose, match=r"customer\.yaml") as lost:
        site.go()
    assert "--keep content" in lost.value.hint
    site.go(remake=("content",))
    assert "patience: 6" in path.read_text()
    assert "patience: 4" in (site.draft / "customer.yaml.old-1").read_text()


def test_a_change_after_the_review_is_not_reviewed(site: Site) -> None:
    path = site.draft / "customer.yaml"
    path.write_text(path.read_text() + "patience: 4\n")
    built = site.go()
    assert not built.done
    assert built.gates["review"].state == "lapsed"
    assert "customer.yaml changed since" in built.gates["review"].says
    assert built.stages[10].state == "waits"
    assert "patience: 4" in (Path(built.stages[10].place) / "prompt.md").read_text()


def test_a_review_that_does_not_hold_sends_the_task_back(site: Site) -> None:
    text = told("11-review", ("one_reading: {holds: true", "one_reading: {holds: false"))
    (site.place / "ledger.jsonl").unlink()
    (site.place / "ledger.head").unlink()
    site.answer("11-review", text)
    built = site.go(remake=("11-review",))
    assert built.gates["review"].state == "returned"
    assert not built.done
    assert Ledger(site.place).lines()[-1].decided == "return"


def test_the_reader_is_not_asked_before_the_rules_hold(site: Site) -> None:
    """A minute of slack too many: the golden passes, and the proof finds it out."""
    path = site.place / "7-golden/golden.yaml"
    path.write_text(path.read_text().replace("slack: 8 ", "slack: 9 "))
    built = site.go()
    assert [line.state for line in built.stages[6:]] == [
        "edited",
        "done",
        "done",
        "done",
        "not yet",
    ]
    assert any("9 minutes lost" in text for text in built.unproved)
    assert not built.done
    assert "9 minutes lost" in (site.place / "proof.yaml").read_text()


def test_no_reader_no_review(site: Site) -> None:
    shutil.rmtree(site.place / "9-blind")
    (site.place / "stages.json").write_bytes(
        (site.place / "stages.json").read_bytes().replace(b'"9-blind"', b'"9-gone"')
    )
    built = site.go(reader=False)
    assert built.stages[8].state == "no reader"


def test_another_task_or_procedure_is_refused_in_the_same_place(site: Site) -> None:
    with pytest.raises(UsageError, match="the place of q91-auditor"):
        opened(site.place, "q92-other", [SOP], "Ada", [site.content])
    with pytest.raises(UsageError, match="other procedures"):
        opened(site.place, "", ["close-receipts-file"], "Ada", [site.content])


def test_a_procedure_may_come_as_a_file(built: Site, tmp_path: Path) -> None:
    """As `build sop` writes it: it goes into the draft's content, and is part of what is decided
    on; another text of it is put in its place, the first put aside."""
    shutil.copytree(built.content, tmp_path / "own")
    (sop,) = (tmp_path / "own/company/sops").glob("*.yaml")
    file = tmp_path / "my-visitors.yaml"
    file.write_text(sop.read_text().replace(SOP, "my-visitors"))
    place = opened(tmp_path / "place", TASK, [str(file)], "Ada", [tmp_path / "own"])
    assert list(place.sops) == ["my-visitors"]
    assert "content/company/sops/my-visitors.yaml" in matter_of(place).files["review"]
    file.write_text(file.read_text().replace("Draft the pass.", "Draft one pass."))
    again = opened(tmp_path / "place", "", [str(file)], "Ada", [tmp_path / "own"])
    assert again.sops["my-visitors"].steps[1].do == "Draft one pass."
    assert (place.content / "company/sops/my-visitors.yaml.old-1").exists()
    with pytest.raises(UsageError, match="no such procedure"):
        opened(tmp_path / "other", TASK, [str(tmp_path / "mine.yaml")], "Ada", [])


def test_the_command_lists_stages_gates_and_the_next_move(site: Site) -> None:
    common = ("--to", "place", "--content", "own", "--model", "hand:author", "--author", "Ada")
    done = bythebook("build", "conduct-task", *common, "--reviewer", "hand:reader", "--json",
                     cwd=site.root)  # fmt: skip
    assert done.returncode == 0, done.stderr
    told_of = msgspec.json.decode(done.stdout)
    assert [line["state"] for line in told_of["stages"]] == ["done"] * len(STAGES)
    assert {name: one["state"] for name, one in told_of["gates"].items()} == {
        "review": "passed", "prove": "passed", "pilots": "open",
    }  # fmt: skip
    listed = bythebook("tasks", "conduct", "--content", "place/content", "--content", "own",
                       cwd=site.root)  # fmt: skip
    assert TASK in listed.stdout + listed.stderr
    same = bythebook("build", "conduct-task", *common, "--reviewer", "hand:author", cwd=site.root)
    assert same.returncode == 2
    assert "the second reader is the author" in same.stderr


def test_a_model_writes_and_another_reads_in_one_go(built: Site, tmp_path: Path) -> None:
    """A wrong answer is sent back; a model that signs as a person, too."""
    shutil.copytree(built.content, tmp_path / "own")
    wrong = told("3-overlay", ("passes_printed", "passes_prined"))
    signed = told("11-review", ("kind: person", "kind: model"))
    spoken = [said(stage) for stage in STAGES[:-1]] + [said("11-review"), signed]
    script = [Say(text) for text in (*spoken[:2], wrong, *spoken[2:])]
    with ModelServer(script) as server:
        code = answer([
            "build", "conduct-task", SOP, "--task", TASK, "--to", str(tmp_path / "place"),
            "--content", str(tmp_path / "own"), "--model", "local:writer", "--reviewer",
            "local:reader", "--base-url", f"{server.url}/v1", "--author", "Ada",
        ])  # fmt: skip
    assert code == 0
    assert "did you mean 'passes_printed'" in server.asked[3].said
    assert "a model answered" in server.asked[-1].said
    assert Ledger(tmp_path / "place").lines()[0].kind == "model"


def test_pilots_are_noted_from_their_runs(site: Site) -> None:
    run = bythebook("run", "conduct", "--task", TASK, "--agent", "shortcut", "--runs", "1",
                    "--to", "runs/pilot", "--content", "place/content", "--content", "own",
                    cwd=site.root)  # fmt: skip
    assert run.returncode == 0, run.stderr
    noted = bythebook("build", "conduct-task", "--to", "place", "--content", "own", "--model",
                      "hand:author", "--reviewer", "hand:reader", "--pilots", "runs/pilot",
                      cwd=site.root)  # fmt: skip
    assert noted.returncode == 0, noted.stderr
    last = Ledger(site.place).lines()[-1]
    assert (last.gate, last.decided) == ("pilots", "pass")
    assert last.why == "shortcut: 0 of 1 strictly"
    assert "P2: 1" in (site.place / "pilots.yaml").read_text()

    (runs,) = site.root.glob("runs/pilot")
    assert read_pilots(runs, TASK, "of today").says == "shortcut: 0 of 1 strictly, of another draft"
    (runs / TASK / "1" / "verdict.json").write_text("{")
    with pytest.raises(ContentError, match=r"verdict\.json: does not read"):
        read_pilots(runs, TASK, "of today")
    (runs / TASK / "1" / "verdict.json").unlink()
    with pytest.raises(UsageError, match=f"holds no scored run of {TASK}"):
        read_pilots(runs, TASK, "of today")


def test_an_alignment_that_lost_its_procedure_says_so(site: Site) -> None:
    path = site.place / "1-alignment" / f"{SOP}.yaml"
    path.write_text("{}\n")
    line = site.go().stages[0]
    assert line.state == "wrong"
    assert f"nothing stands under {SOP}" in line.says[0]


def test_stages_are_told_in_their_order(site: Site) -> None:
    """A changed procedure is read blind anew, before anybody is asked to review it."""
    (sop,) = (site.content / "company" / "sops").glob("*.yaml")
    sop.write_text(sop.read_text() + "# the same\n")
    shutil.rmtree(site.root / "reader")
    built = site.go()
    assert [line.stage for line in built.stages] == list(STAGES)
    assert [line.state for line in built.stages[8:]] == ["waits", "not yet", "not yet"]


def test_a_gate_is_waived_by_a_person_with_a_reason_only(site: Site) -> None:
    words = ("build", "conduct-task", "--to", "place", "--content", "own", "--decide")
    model = bythebook(*words, "pilots=waive", "--who", "reader (model)", "--kind", "model",
                      "--why", "late", cwd=site.root)  # fmt: skip
    assert model.returncode == 2
    assert "only a person can" in model.stderr
    person = bythebook(*words, "pilots=waive", "--who", "Cy", "--kind", "person", "--why",
                       "no agent at hand", cwd=site.root)  # fmt: skip
    assert person.returncode == 0, person.stderr


def test_an_author_does_not_pass_the_review_by_hand(site: Site) -> None:
    about = json.loads((site.root / "place/task.json").read_text())
    author = about["author"].split(", ")[0]

    words = ("build", "conduct-task", "--to", "place", "--content", "own", "--decide")
    said = bythebook(*words, "review=pass", "--who", author, "--why", "I know", cwd=site.root)

    assert said.returncode == 2
    assert "cannot pass its review" in " ".join(said.stderr.split())
