"""A small deliverables task on its way through all gates: records, runs and a ledger, on disk.

ROOT/mine/     a content folder with the scaffold's task
ROOT/runs/     two pilots, judged by hand: one fails, one does not
ROOT/place/    the building place
"""

import io
import json
import shutil
from contextlib import redirect_stdout
from pathlib import Path

from bythebook.build.deliverable.gates import STEPS, decide
from bythebook.build.deliverable.place import Place
from bythebook.build.ledger import Ruling
from bythebook.cli import answer
from bythebook.deliverables.evidence.cache import Cache
from bythebook.deliverables.evidence.office import find_engine
from bythebook.run.deliver import Reader
from bythebook.task import Content

TASK = "biz-90-mileage"
COMMAND = ("build", "deliverable-task", "--to")
FACT = 'source: "https://desk.example/about", day: 2026-04-01'

RECORDS = {
    "pool/travel-desk.yaml": f"""
name: Travel Desk
company: Desk Works
domain: business
does: turns lists of trips and receipts into claims that are ready for payment
funding: {{usd: 4000000, says: seed round of USD 4 million, {FACT}}}
active: {{what: product, says: can be bought by anybody, {FACT}}}
users: [{{says: finance teams of small firms, {FACT}}}]
adoption: [{{kind: paid, says: "300 firms pay for it, it says", {FACT}}}]
workflow:
  documents: [{{says: the manual tells how a month is closed, {FACT}}}]
  demos: [{{says: a film shows a list that becomes a sheet, {FACT}}}]
  inputs: [{{says: a workbook of trips, {FACT}}}]
  outputs: [{{says: a workbook with amounts and a note, {FACT}}}]
  constraints: [{{says: a rate holds from a day on, {FACT}}}]
""",
    "interviews/desk-user.yaml": """
product: travel-desk
user: {role: head of a travel desk, domain: business, years: 8}
day: 2026-04-03
answered_by: person
context: at the end of each month, before the payment run
goal: pay what is due and explain it
input: [a workbook of trips, a note on rates]
deliverable: a workbook with the amounts and a note to the managing director
success: [right to the cent, the managing director asks nothing back]
constraints: [the rate of the day of the trip counts]
demos: [{says: March with a changed rate, input: [trips.xlsx], output: [mileage.xlsx, note.docx]}]
""",
    "scenarios/mileage.yaml": """
product: travel-desk
interviews: [desk-user]
title: Mileage of a month, made ready for payment
user: head of a travel desk
says: The month is paid; the rate changed in its middle, and somebody asks why.
steps: [read trips and rates, work out each trip, add up and explain]
deliverables:
- {name: mileage.xlsx, format: xlsx, says: one row a trip and a total}
- {name: note.docx, format: docx, says: the total and why}
materials:
- {name: trips.xlsx, says: what people entered, here: true}
- {name: note-from-finance.md, says: the new rate, here: true}
validation:
  clear_scenario: {holds: true, note: "who, when and what for are said"}
  clear_deliverable: {holds: true, note: "two files, with sheets and headings"}
  reproducible_workflow: {holds: true, note: "done twice by two of us, with the same sums"}
  complete_materials: {holds: true, note: "both files are in the folder"}
""",
    "tasks/mileage/record.yaml": f"""
scenario: mileage
folder: ../../../mine/tasks/deliverables/{TASK}
authors: [{{who: Ada Bell, kind: expert}}]
""",
    "tasks/mileage/admission.yaml": """
realistic: {holds: true, note: "this is asked of the desk each month"}
answerable: {holds: true, note: "the rate and its day are in the note"}
evaluable: {holds: true, note: "each sheet and figure is named"}
discriminative: {holds: true, note: "the old rate stands in the prompt, the new one beside it"}
""",
    "tasks/mileage/review.yaml": """
reviewer: {who: Ben Oak, kind: expert, profession: accountant, day: 2026-04-20}
authenticity: {holds: true, note: "I get such letters, and the files are right"}
workflow: {holds: true, note: "trips, rates, sum, explanation, as we do it"}
rubric: {holds: true, note: "each item matters, the core is what is paid"}
ground_truth: {holds: true, note: "worked out anew, and all items hold"}
""",
    "tasks/mileage/pilots.yaml": """
runs: [../../../runs/desk, ../../../runs/careful]
failures:
- {pilot: "desk-agent#1", items: [R4, R5], cause: intrinsic difficulty, why: the note was not read}
""",
    "tasks/mileage/scoring.yaml": """
runs: ../../../runs/desk
labels: labels.csv
raters: [{who: Cleo Dun, kind: person}]
""",
    "tasks/mileage/errors.yaml": """
items:
- {item: R9, found: it explains another sum, done: kept, why: the explanation alone is asked for}
""",
    "tasks/mileage/requirements.yaml": """
requirements:
- {says: "mileage.xlsx: the sheet Trips as it came, first", items: [R1, R2]}
- {says: "a sheet Mileage, one row a trip", items: [R3]}
- {says: Amount as a live formula, items: [R4, R6]}
- {says: headings frozen, items: [R7]}
- {says: a sheet Summary with the figure Total to pay, items: [R5]}
- {says: save it with its values, items: [R4, R5]}
- {says: "note.docx, half a page", items: [R1]}
- {says: under the heading Result the total to pay, items: [R8]}
- {says: why it is not what 0.38 a kilometre would come to, items: [R9]}
background:
- Please make the mileage of March ready for payment.
- We pay EUR 0.38 a kilometre.
- "I need two files:"
""",
}
LABELS = "task,run,item,label,rater\n" + "".join(
    f"{TASK},1,R{n},{'fail' if n in (4, 5, 9) else 'pass'},Cleo Dun\n" for n in range(1, 10)
)
PLACES = {
    "R8": {"at": "note.docx#para=2", "reads": "EUR 500.90"},
    "R9": {"at": "note.docx#para=4", "reads": "From 16 March on"},
}
SIGNED = {
    "cross-validation": ("Ben Oak", "expert", 12, "business"),
    "construction": ("Ada Bell", "expert", 5, "business"),
}
OTHERS = ("Dora Elm", "person", None, "")


def tell(root: Path) -> Path:
    """The content folder, the runs and the records; nothing is decided. Gives the place."""
    content, place = root / "mine", root / "place"
    _said("new", "task", TASK, "--suite", "deliverables", "--to", content)
    ours = ("--content", content)
    reference = content / "tasks" / "deliverables" / TASK / "reference"
    run = ("run", "deliverables", "--task", TASK, "--agent", "fault:new_rate_ignored")
    _said(*run, "--runs", "1", "--to", root / "made", *ours)
    slip = root / "made" / TASK / "1" / "workspace" / "results"
    for agent, made in (("desk", slip), ("careful", reference)):
        runs = root / "runs" / agent
        _said("submit", TASK, made, "--agent", f"{agent}-agent", "--to", runs, *ours)
        judge_by_hand(root, agent)
    shutil.rmtree(root / "made")
    write(place)
    told = io.StringIO()
    with redirect_stdout(told):
        _said(*COMMAND, place, "prove", "mileage", "--json", *ours)
    assert json.loads(told.getvalue())["task"] == TASK
    return place


def write(place: Path) -> None:
    for name, text in RECORDS.items():
        (place / name).parent.mkdir(parents=True, exist_ok=True)
        (place / name).write_text(text.lstrip())
    (place / "tasks" / "mileage" / "labels.csv").write_text(LABELS)


def judge_by_hand(root: Path, agent: str, **marks: str) -> None:
    """What no check decides of one pilot's answer; `marks`: item to a verdict that is no pass."""
    asked = root / f"answers-{agent}"
    words = ("judge", root / "runs" / agent, "--judge", f"hand:{asked}", "--content", root / "mine")
    _said(*words)
    for prompt in asked.rglob("prompt.md"):
        item = prompt.parent.name
        mark = marks.get(item, "pass")
        ending = "satisfied" if mark == "pass" else "not satisfied"
        because = f"So it says. Therefore: {ending}."
        told = {"because": because, "evidence": [PLACES[item]], "verdict": mark}
        (prompt.parent / "answer.json").write_text(json.dumps(told))
    _said(*words)
    shutil.rmtree(asked)


def _said(*words: str | Path) -> None:
    assert answer([str(word) for word in words]) == 0, words


def opened(place: Path) -> Place:
    cache = Cache(place.parent / "cache" / "bythebook" / "evidence")
    return Place(place, Content([place.parent / "mine"]), Reader(find_engine(), cache))


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text, (path, old)
    path.write_text(text.replace(old, new, 1))


def walk(place: Path, until: str = "") -> Place:
    """Decide each gate in order, up to that one; none: all."""
    here = opened(place)
    names = {"product": "travel-desk", "scenario": "mileage", "task": "mileage"}
    for kind, steps in STEPS.items():
        for step in steps:
            if step.gate.name == until:
                return here
            decide(here, f"{kind}/{names[kind]}", passes(step.gate.name), day="2026-05-04")
    return here


def passes(gate: str, **other: object) -> Ruling:
    who, kind, years, domain = SIGNED.get(gate, OTHERS)
    told = {"who": who, "kind": kind, "years": years, "domain": domain}
    told |= {"gate": gate, "decided": "pass", "why": "read the file, and it holds"}
    return Ruling(**(told | other))  # type: ignore[arg-type] # told by the test
