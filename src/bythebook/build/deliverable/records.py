"""What people write down while a deliverables task is built: one YAML file for each thing.

    DIR/rules.yaml                thresholds of this place; may be left out
    DIR/pool/ID.yaml              a product                              -> Product
    DIR/interviews/ID.yaml        what one of its users told             -> Interview
    DIR/scenarios/ID.yaml         a piece of work found in interviews    -> Scenario
    DIR/tasks/ID/record.yaml      where the task's folder is, by whom    -> TaskRecord
                 admission.yaml   its four questions                     -> Admission
                 review.yaml      the second reader's four questions     -> Review
                 pilots.yaml      runs, and what their failures are due to  -> Pilots
                 scoring.yaml     marks that people gave                 -> Scoring
                 errors.yaml      scoring points kept, revised, discarded   -> ErrorAnalysis
                 requirements.yaml  what is asked, and the items that watch it -> Requirements
                 proof.json       what `bythebook prove` found

Every field may be missing when a file is read, so that a half-written record can be shown; what a
gate needs is asked at the gate. A field that there is not is refused at once.
"""

from typing import Literal

import msgspec

from bythebook.tool import Day

Answers = Literal["person", "model"]
Who = Literal["expert", "person", "model"]
Cause = Literal[
    "intrinsic difficulty",
    "ambiguous instruction",
    "incomplete workspace",
    "under-specified rubric",
]
"""What a pilot's failure is due to (StartupBench, Section 3.1.4, Difficulty Control)."""
SENDS_BACK: tuple[Cause, ...] = (
    "ambiguous instruction",
    "incomplete workspace",
    "under-specified rubric",
)
"""Causes that lie in the task: it is revised and validated anew."""


class Record(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Any file, or part of one, that people write here."""


class Rules(Record, frozen=True, kw_only=True):
    """`rules.yaml`. The first is the paper's; the others are ours, for it names no figure."""

    funding_usd: int = 1_000_000
    """A product has more than this (StartupBench, Figure 2 and Section 3.1.1)."""
    many_users: int = 1_000
    """Where nothing is known to be paid, so many users are "substantial user traction"."""
    pilots: int = 2
    """Least number of pilot runs."""
    too_easy_percent: int = 90
    """A task is dropped when every pilot scores this much: the paper's success."""
    stand_ins: tuple[str, ...] = ()
    """Gates that a model may pass here in the place of a person. The report says so."""
    because: str = ""
    """Why models stand in."""


class Fact(Record, frozen=True):
    """Something about a product: where it stands, and the day on which it stood there."""

    says: str = ""
    source: str = ""
    day: Day | None = None


class Funding(Fact, frozen=True):
    usd: int | None = None
    """Whole US dollars."""


class Active(Fact, frozen=True):
    what: Literal["product", "demo"] | None = None


class Adoption(Fact, frozen=True):
    kind: Literal["paid", "users"] | None = None
    count: int | None = None
    """Of users."""


class WorkflowEvidence(Record, frozen=True, kw_only=True):
    """StartupBench, Figure 2, Collect Workflow Evidence."""

    documents: tuple[Fact, ...] = ()
    demos: tuple[Fact, ...] = ()
    inputs: tuple[Fact, ...] = ()
    outputs: tuple[Fact, ...] = ()
    constraints: tuple[Fact, ...] = ()


class Product(Record, frozen=True, kw_only=True):
    name: str = ""
    company: str = ""
    domain: str = ""
    does: str = ""
    funding: Funding = Funding()
    active: Active = Active()
    users: tuple[Fact, ...] = ()
    adoption: tuple[Adoption, ...] = ()
    workflow: WorkflowEvidence = WorkflowEvidence()


class User(Record, frozen=True):
    """A role, never a person."""

    role: str = ""
    domain: str = ""
    years: int | None = None


class Demo(Record, frozen=True):
    """One piece of work as the user gave it to the product."""

    says: str = ""
    input: tuple[str, ...] = ()
    output: tuple[str, ...] = ()


class Interview(Record, frozen=True, kw_only=True):
    """StartupBench, Section 3.1.2."""

    product: str = ""
    user: User = User()
    day: Day | None = None
    answered_by: Answers | None = None
    context: str = ""
    goal: str = ""
    input: tuple[str, ...] = ()
    deliverable: str = ""
    success: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    demos: tuple[Demo, ...] = ()


class Held(Record, frozen=True):
    """A question answered: does it hold, and what was seen."""

    holds: bool | None = None
    note: str = ""


class Wanted(Record, frozen=True):
    """A deliverable of a scenario."""

    name: str = ""
    format: str = ""
    says: str = ""


class Material(Record, frozen=True):
    """What the work needs. `here`: it can be given to whoever does it."""

    name: str = ""
    says: str = ""
    here: bool | None = None


class Validation(Record, frozen=True, kw_only=True):
    """StartupBench, Figure 2, Scenario Validation."""

    clear_scenario: Held = Held()
    clear_deliverable: Held = Held()
    reproducible_workflow: Held = Held()
    complete_materials: Held = Held()


class Scenario(Record, frozen=True, kw_only=True):
    product: str = ""
    interviews: tuple[str, ...] = ()
    title: str = ""
    user: str = ""
    says: str = ""
    steps: tuple[str, ...] = ()
    deliverables: tuple[Wanted, ...] = ()
    materials: tuple[Material, ...] = ()
    validation: Validation = Validation()


class Author(Record, frozen=True):
    who: str = ""
    kind: Who | None = None


class TaskRecord(Record, frozen=True, kw_only=True):
    scenario: str = ""
    folder: str = ""
    """From this file to the task's folder: prompt.md, inputs/, rubric.yaml."""
    authors: tuple[Author, ...] = ()


class Admission(Record, frozen=True, kw_only=True):
    """StartupBench, Section 3.1: realism, answerability, evaluability, difficulty."""

    realistic: Held = Held()
    answerable: Held = Held()
    evaluable: Held = Held()
    discriminative: Held = Held()


class Reviewer(Record, frozen=True):
    who: str = ""
    kind: Who | None = None
    profession: str = ""
    day: Day | None = None


class Review(Record, frozen=True, kw_only=True):
    """StartupBench, Section 3.1.4 and Appendix A.2."""

    reviewer: Reviewer = Reviewer()
    authenticity: Held = Held()
    workflow: Held = Held()
    rubric: Held = Held()
    ground_truth: Held = Held()


class Failure(Record, frozen=True, kw_only=True):
    """Items that one pilot failed, and what that is due to."""

    pilot: str = ""
    """As the command shows it: agent#run."""
    items: tuple[str, ...] = ()
    cause: Cause | None = None
    why: str = ""


class Pilots(Record, frozen=True, kw_only=True):
    runs: tuple[str, ...] = ()
    """Run folders (of `run`, `submit`), from this file."""
    failures: tuple[Failure, ...] = ()


class Rater(Record, frozen=True):
    who: str = ""
    kind: Who | None = None


class Scoring(Record, frozen=True, kw_only=True):
    """Marks on runs of the pilots."""

    runs: str = ""
    """A run folder, from this file."""
    labels: str = ""
    """A CSV with the columns task, run, item, label and rater, from this file."""
    raters: tuple[Rater, ...] = ()


class Point(Record, frozen=True, kw_only=True):
    """A scoring point that was looked at again."""

    item: str = ""
    found: str = ""
    done: Literal["kept", "revised", "discarded"] | None = None
    was: str = ""
    """How the item read before, word for word."""
    why: str = ""


class ErrorAnalysis(Record, frozen=True, kw_only=True):
    items: tuple[Point, ...] = ()


class Requirement(Record, frozen=True, kw_only=True):
    """One thing that is asked: the words of the prompt, and the items that watch it."""

    says: str = ""
    """Word for word from prompt.md, or from the file `at`."""
    at: str = ""
    """An input; empty: prompt.md."""
    items: tuple[str, ...] = ()
    unwatched: str = ""
    """Why no item watches it."""


class Beyond(Record, frozen=True):
    """An item that nobody asked for in words, and why the profession expects it."""

    item: str = ""
    why: str = ""


class Requirements(Record, frozen=True, kw_only=True):
    requirements: tuple[Requirement, ...] = ()
    background: tuple[str, ...] = ()
    """Sentences of the prompt that ask for nothing, or some words of each."""
    beyond: tuple[Beyond, ...] = ()


class ProofRecord(msgspec.Struct, frozen=True, kw_only=True):
    """`proof.json`: what `bythebook prove` found, and on what."""

    task: str
    bythebook: str
    asked: str
    """SHA-256 of what the agent and the judge are given: see `place.question_hash`."""
    whole: str
    """Of the whole task folder, a second reader's notes aside."""
    proved: bool
    goldens: int
    counterexamples: int
    engine: str
    problems: tuple[str, ...]
    survivors: tuple[str, ...]
    warnings: tuple[str, ...]
    not_run: tuple[str, ...]
