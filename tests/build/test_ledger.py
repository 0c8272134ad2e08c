"""The ledger: who decided what, on which bytes; and what cannot be written into it."""

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import asdict

from bythebook.build.ledger import HEAD, Gate, Ledger, Matter, Ruling, hashes
from bythebook.errors import ContentError, UsageError

GATES = (
    Gate(name="admission", asks="is it realistic?"),
    Gate(name="review", asks="does a second reader agree?", apart=True, by=("expert", "person")),
    Gate(name="proof", asks="does it prove itself?", by=("program",)),
)


@pytest.fixture
def task(tmp_path: Path) -> Path:
    path = tmp_path / "tasks" / "one"
    path.mkdir(parents=True)
    (path / "prompt.md").write_text("Do it.\n")
    (path / "rubric.md").write_text("It is done.\n")
    return path


def matter(task: Path) -> Matter:
    place = task.parents[1]
    whole = hashes(place, [task])
    files = {
        "admission": hashes(place, [task / "prompt.md"]),
        "review": whole,
        "proof": whole,
    }
    return Matter(subject="task/one", gates=GATES, files=files, authors=("Ada Bell",))


def ruled(gate: str = "admission", decided: str = "pass", **said: object) -> Ruling:
    told = {"who": "Ben Oak", "kind": "person", "why": "read it whole", **said}
    return msgspec.convert({"gate": gate, "decided": decided, **told}, Ruling)


def test_a_decision_holds_for_the_bytes_it_was_made_on(task: Path) -> None:
    ledger = Ledger(task.parents[1])
    made = ledger.decide(matter(task), ruled("admission"), day="2026-05-04")
    assert made.n == 1
    assert made.files.keys() == {"tasks/one/prompt.md"}
    assert ledger.standing(matter(task))["admission"].holds

    (task / "rubric.md").write_text("It is done well.\n")
    assert ledger.standing(matter(task))["admission"].holds

    (task / "prompt.md").write_text("Do it now.\n")
    now = ledger.standing(matter(task))["admission"]
    assert now.state == "lapsed"
    assert now.changed == ("tasks/one/prompt.md",)
    assert "tasks/one/prompt.md changed since" in now.says


def test_of_many_files_that_changed_a_few_are_named(task: Path) -> None:
    pages = [task / f"page-{n}.md" for n in range(9)]
    for page in pages:
        page.write_text("Read me.\n")
    Ledger(task.parents[1]).decide(wide(task), ruled())
    for page in pages:
        page.write_text("Read me again.\n")

    now = Ledger(task.parents[1]).standing(wide(task))["admission"]

    assert len(now.changed) == 9
    assert "tasks/one/page-2.md and 6 more changed since" in now.says


def wide(task: Path) -> Matter:
    """A matter whose first gate is about all there is."""
    whole = matter(task)
    files = {**whole.files, "admission": hashes(task.parents[1], [task])}
    return msgspec.structs.replace(whole, files=files)


def test_a_new_file_lets_a_decision_on_the_folder_lapse(task: Path) -> None:
    ledger = Ledger(task.parents[1])
    ledger.decide(matter(task), ruled("admission"))
    ledger.decide(matter(task), ruled("review"))
    (task / "more.md").write_text("And more.\n")
    assert ledger.standing(matter(task))["review"].state == "lapsed"


def test_no_gate_is_jumped(task: Path) -> None:
    ledger = Ledger(task.parents[1])
    with pytest.raises(UsageError, match=r"has to pass admission first, which is open") as stopped:
        ledger.decide(matter(task), ruled("review"))
    assert "only a person may waive it" in stopped.value.hint
    assert ledger.lines() == ()


def test_a_person_waives_a_gate_and_says_why(task: Path) -> None:
    ledger = Ledger(task.parents[1])
    ledger.decide(matter(task), ruled("admission", "waive", why="the customer sent it himself"))
    ledger.decide(matter(task), ruled("review"))
    now = ledger.standing(matter(task))
    assert now["admission"].state == "waived"
    assert now["review"].holds


@pytest.mark.parametrize(
    ("said", "says"),
    [
        ({"kind": "model", "decided": "waive"}, "a model cannot waive a gate"),
        ({"kind": "program", "decided": "waive"}, "a program cannot waive a gate"),
        ({"kind": "model"}, "admission is not passed by a model"),
        ({"why": "  "}, "no reason is given"),
        ({"who": ""}, "nobody signed"),
        ({"kind": "expert"}, "give --years and --domain"),
        ({"kind": "expert", "years": 4}, "give --years and --domain"),
        ({"years": 4, "domain": "finance"}, "are an expert's"),
        ({"who": "gpt-5.5", "kind": "expert", "years": 4, "domain": "law"}, "name of a model"),
        ({"who": "openai:o9-mini"}, "name of a model"),
        ({"who": "a second reader (a model)"}, "name of a model"),
        ({"who": "Claude Opus 5"}, "name of a model"),
        ({"who": "Claude (second reader)"}, "name of a model"),
        ({"who": "Sonnet 4.5"}, "name of a model"),
        ({"who": "Kimi K2.6"}, "name of a model"),
        ({"who": "vendor/some-model-7b"}, "name of a model"),
        ({"who": "\uff27\uff30\uff34-5"}, "name of a model"),
        ({"who": "an assistant"}, "name of a model"),
        ({"who": "A.I."}, "name of a model"),
        ({"who": "Gemini Flash"}, "name of a model"),
        ({"who": "Command R+"}, "name of a model"),
        ({"who": "Codestral"}, "name of a model"),
        ({"who": "the second reader"}, "nobody's name"),
        ({"who": "Reviewer 2"}, "nobody's name"),
        ({"who": "7"}, "nobody's name"),
        ({"who": "Cl\u200baude Opus"}, "characters that nobody sees"),
        ({"who": "\u202eelleB adA"}, "characters that nobody sees"),
        ({"who": "\u0421laude Opus"}, "letters of two alphabets"),
        ({"who": "ada bell", "gate": "review"}, "has to pass admission first"),
        ({"gate": "reviews"}, "task/one has no gate 'reviews'"),
    ],
)
def test_what_may_not_be_decided_is_not_written(
    task: Path, said: dict[str, object], says: str
) -> None:
    ledger = Ledger(task.parents[1])
    with pytest.raises(UsageError, match=says):
        ledger.decide(matter(task), msgspec.convert({**asdict(ruled()), **said}, Ruling))
    assert not ledger.path.exists()


@pytest.mark.parametrize(
    "who",
    [
        "Claude Dupont",
        "Ai Nakamura",
        "Kimi Aalto",
        "Gemma Modell",
        "Jean-Claude",
        "Pedro Llamas",
        "Anna Seed",
        "Ernie Reader",
        "\u0410\u043d\u043d\u0430 Bell",
        "\u674e\u5a1c",
    ],
)
def test_people_whose_names_are_like_a_models_may_sign(task: Path, who: str) -> None:
    assert Ledger(task.parents[1]).decide(matter(task), ruled("admission", who=who)).who == who


def test_who_signed_as_a_model_is_never_an_expert(task: Path) -> None:
    ledger = Ledger(task.parents[1])
    ledger.decide(matter(task), ruled("admission", "return", who="Iris Seven", kind="model"))
    (task / "prompt.md").write_text("Do it, please.\n")
    expert = ruled(who="iris  seven", kind="expert", years=9, domain="finance")
    with pytest.raises(UsageError, match="has signed as a model before, and is no expert"):
        ledger.decide(matter(task), expert)


def test_an_author_does_not_pass_their_own_review(task: Path) -> None:
    ledger = Ledger(task.parents[1])
    ledger.decide(matter(task), ruled("admission", who="Ada Bell"))
    with pytest.raises(UsageError, match="is an author of task/one") as stopped:
        ledger.decide(matter(task), ruled("review", who="ADA  Bell"))
    assert "had no part in writing it" in stopped.value.hint


def test_what_was_sent_back_passes_only_when_it_has_changed(task: Path) -> None:
    ledger = Ledger(task.parents[1])
    ledger.decide(matter(task), ruled("admission", "return", why="'it' can be read in two ways"))
    with pytest.raises(UsageError, match=r"nothing has changed since: returned.*two ways"):
        ledger.decide(matter(task), ruled("admission"))
    with pytest.raises(UsageError, match="has to pass admission first, which is returned"):
        ledger.decide(matter(task), ruled("review"))
    (task / "prompt.md").write_text("Do the letter.\n")
    ledger.decide(matter(task), ruled("admission"))
    assert ledger.standing(matter(task))["admission"].holds


def test_what_was_discarded_stays_so_when_its_file_changes(task: Path) -> None:
    ledger = Ledger(task.parents[1])
    ledger.decide(matter(task), ruled("admission", "discard", why="no user would ask for it"))
    (task / "prompt.md").write_text("Do it otherwise.\n")
    assert ledger.standing(matter(task))["admission"].state == "discarded"


@pytest.fixture
def kept(task: Path) -> Ledger:
    ledger = Ledger(task.parents[1])
    ledger.decide(matter(task), ruled("admission"))
    ledger.decide(matter(task), ruled("review", "return", why="the rubric asks what nobody said"))
    (task / "rubric.md").write_text("It is done, as asked.\n")
    ledger.decide(matter(task), ruled("review"))
    ledger.decide(matter(task), ruled("proof", who="bythebook prove", kind="program"))
    return ledger


@pytest.mark.parametrize("taken", [0, 1, 2, 3])
def test_a_line_taken_out_is_noticed(kept: Ledger, taken: int) -> None:
    lines = kept.path.read_bytes().splitlines(keepends=True)
    kept.path.write_bytes(b"".join(lines[:taken] + lines[taken + 1 :]))
    with pytest.raises(ContentError) as stopped:
        kept.lines()
    assert "put the ledger back" in stopped.value.hint


def test_a_head_of_other_bytes_is_noticed(kept: Ledger) -> None:
    (kept.place / HEAD).write_bytes(b"4 \xff\xfe\n")
    with pytest.raises(ContentError, match=r"ledger\.head tells of 4 lines"):
        kept.lines()


@pytest.mark.parametrize("changed", [0, 1, 2, 3])
def test_a_line_changed_is_noticed(kept: Ledger, changed: int) -> None:
    lines = kept.path.read_bytes().splitlines(keepends=True)
    lines[changed] = lines[changed].replace(b"Ben Oak", b"Ben Elm").replace(b"prove", b"proof")
    kept.path.write_bytes(b"".join(lines))
    with pytest.raises(ContentError):
        kept.lines()


def test_a_ledger_taken_away_is_noticed(kept: Ledger) -> None:
    kept.path.unlink()
    with pytest.raises(ContentError, match="tells of 4 lines, here are 0"):
        kept.lines()


@pytest.mark.parametrize("left", [1, 4])
def test_a_head_taken_away_is_noticed(kept: Ledger, left: int) -> None:
    (kept.place / HEAD).unlink()
    lines = kept.path.read_bytes().splitlines(keepends=True)
    kept.path.write_bytes(b"".join(lines[:left]))
    with pytest.raises(ContentError, match=r"ledger\.head is gone"):
        kept.lines()


@pytest.mark.parametrize("line", [
    {"who": "Reader 9", "kind": "model"}, {"who": "a checker", "kind": "program"},
    {"who": "ada  bell", "kind": "person"},
])  # fmt: skip
def test_a_line_added_by_hand_passes_nothing_for_who_may_not_pass_it(
    kept: Ledger, task: Path, line: dict[str, str]
) -> None:
    lines = kept.lines()
    added = msgspec.structs.replace(lines[2], n=5, before=kept.head, **line)
    with kept.path.open("ab") as file:
        file.write(msgspec.json.encode(added) + b"\n")

    assert kept.standing(matter(task))["review"].state == "lapsed"


def test_who_became_an_author_afterwards_has_not_reviewed(kept: Ledger, task: Path) -> None:
    now = msgspec.structs.replace(matter(task), authors=("Ada Bell", "Ben Oak"))

    standing = kept.standing(now)

    assert "its authors changed since" in standing["review"].says
    assert standing["admission"].holds


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", "2026-5-4"])
def test_what_is_no_day_is_not_written(task: Path, day: str) -> None:
    ledger = Ledger(task.parents[1])
    with pytest.raises(UsageError, match="is no day such as"):
        ledger.decide(matter(task), ruled(), day=day)
    assert ledger.lines() == ()


def test_a_process_killed_before_the_head_was_written_spoils_nothing(kept: Ledger) -> None:
    head = (kept.place / HEAD).read_text()
    lines = kept.path.read_bytes().splitlines(keepends=True)
    third = kept.place / "third"
    third.mkdir()
    (third / "ledger.jsonl").write_bytes(b"".join(lines[:3]))
    before = Ledger(third)
    (kept.place / HEAD).write_text(f"3 {before.head}\n")
    assert len(kept.lines()) == 4
    assert head.startswith("4 ")
