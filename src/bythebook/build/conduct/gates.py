"""The draft, and the gates that it has to pass: a second reader, the proof, pilots.

How a gate stands comes from the ledger alone, and only for the files as they were decided on. The
proof is decided by the program that runs it, the review by whoever signed it, pilots by whoever ran
them. Nothing is skipped: a person may waive a gate, with the reason, and that is told.
"""

import re
from collections.abc import Iterable
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec

import bythebook
from bythebook import yamlfile
from bythebook.build.conduct.forms import dumped
from bythebook.build.conduct.place import Place
from bythebook.build.conduct.second import all_cases, review_answer
from bythebook.build.conduct.work import Work
from bythebook.build.ledger import Decided, Gate, Ledger, Matter, Ruling, Standing, hashes
from bythebook.build.stages import digest
from bythebook.conduct.prove import prove_task
from bythebook.conduct.prove.papers import QUESTIONS, Answer
from bythebook.conduct.prove.proof import Mutants
from bythebook.conduct.task import load_task
from bythebook.errors import BythebookError, ContentError
from bythebook.run.durable import write_whole
from bythebook.task import Content, code_hash

CONTENT, PROOF = "content", "proof.yaml"
NEEDED = (
    "task.yaml", "customer.yaml", "paraphrases.yaml", "criteria.yaml", "golden.yaml",
    "counterexamples.yaml",
)  # fmt: skip
REVIEW = re.compile(r"review: |\S*/review\.yaml")
"""How a problem of the proof begins that only a second reader can mend."""
PROVER = "bythebook prove"
GATES = (
    Gate(
        name="review",
        asks="Has somebody who did not write it found one fair right reading, true to its sources?",
        by=("expert", "person", "model"),
        apart=True,
    ),
    Gate(
        name="prove",
        asks="Do the rules let every right run pass, and no wrong one?",
        by=("program",),
    ),
    Gate(
        name="pilots",
        asks="Have agents tried it, and did they fail for reasons of their own?",
        by=("expert", "person", "model", "program"),
    ),
)
NEEDED_GATES = ("review", "prove")
"""Without these a task does not count. Pilots are noted."""


def write_draft(work: Work) -> None:
    """The task folder, from what the stages hold. Raises `WouldLose`."""
    files = work.task_files()
    if work.path("10-blind-cases", "played.yaml").exists() and "counterexamples.yaml" in files:
        files["counterexamples.yaml"] = all_cases(work, work.text("10-blind-cases", "played.yaml"))
    if work.path("11-review", "review.yaml").exists():
        files["review.yaml"] = work.text("11-review", "review.yaml")
    if "task.yaml" not in files:
        return
    stage = work.building.stage(CONTENT)
    folder = f"tasks/conduct/{work.place.about.id}"
    texts = {f"{folder}/{name}": text for name, text in files.items()}
    of = {name: digest(text) for name, text in texts.items()}
    if stage.due({"draft": of}):
        stage.put("draft", texts, of)


def lacking(work: Work) -> tuple[str, ...]:
    return tuple(name for name in NEEDED if not (work.place.draft / name).exists())


def loaded(work: Work, roots: Iterable[Path]) -> str:
    """What the loader says of the draft as it stands on disk; empty: it loads."""
    if not (work.place.draft / "task.yaml").exists():
        return ""
    try:
        task = load_task(_content(work, roots), work.place.company, work.place.about.id)
        _ = task.opening
        if (work.place.draft / "customer.yaml").exists():
            _ = task.scenario
        if (work.place.draft / "criteria.yaml").exists():
            _ = task.criteria
    except BythebookError as error:
        return str(error)
    return ""


class Proven(msgspec.Struct, frozen=True, kw_only=True):
    """`proof.yaml`: what the real proof said of a draft."""

    of: dict[str, str]
    """The files that were proved, by hash, the company's, and the code that proved them."""
    proved: bool
    mutants: Mutants
    problems: tuple[str, ...] = ()
    survivors: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    unnoticed: tuple[str, ...] = ()

    @property
    def apart_from_review(self) -> tuple[str, ...]:
        """What it finds, without what only a second reader can mend."""
        return (*(p for p in self.problems if not REVIEW.match(p)), *self.survivors)


def proved(work: Work, roots: Iterable[Path]) -> Proven:
    """The real proof of the draft as it stands on disk; kept, and not done twice for one draft."""
    path = work.place.root / PROOF
    of = {**matter(work).files["prove"], "company": work.place.company.hash, "code": _code()}
    if path.exists():
        with suppress(ContentError):
            kept = yamlfile.load(path, Proven)
            if kept.of == of:
                return kept
    task = load_task(_content(work, roots), work.place.company, work.place.about.id)
    proof = prove_task(task)
    found = Proven(
        of=of,
        proved=proof.proved,
        mutants=proof.mutants,
        problems=proof.problems,
        survivors=proof.survivors,
        warnings=proof.warnings,
        unnoticed=proof.unnoticed.mutants,
    )
    write_whole(path, dumped(found).encode())
    return found


@cache
def _code() -> str:
    """SHA-256 over bythebook itself: what other code proved is proved again."""
    return code_hash(Path(bythebook.__file__).parent)


def _content(work: Work, roots: Iterable[Path]) -> Content:
    return Content([work.place.content, *roots])


# --- the ledger ---------------------------------------------------------------------------------


def matter(work: Work) -> Matter:
    return matter_of(work.place)


def matter_of(place: Place) -> Matter:
    """The draft as it is decided on: every gate looks at all of its files and procedures."""
    paths = sorted(place.draft.glob("*.yaml"))
    own = [place.content / "company" / "sops" / f"{name}.yaml" for name in place.about.sops]
    found = hashes(place.root, [*paths, *(path for path in own if path.exists())])
    return Matter(
        subject=place.about.id,
        gates=GATES,
        files={gate.name: found for gate in GATES},
        authors=tuple(place.about.author.split(", ")),
    )


def standing(work: Work) -> dict[str, Standing]:
    return Ledger(work.place.root).standing(matter(work))


def standing_now(work: Work, proof: Proven | None) -> dict[str, Standing]:
    """The same, with what the proof finds now: the company, or the code, may be another than when
    these very files were proved."""
    found = standing(work)
    at = found["prove"]
    if proof is None or proof.proved or at.state != "passed":
        return found
    says = next(iter((*proof.problems, *proof.survivors)), "it does not hold")
    return found | {"prove": msgspec.structs.replace(at, state="lapsed", found=says)}


def note_review(work: Work) -> None:
    """Write the second reader's decision down, once for the files as they are."""
    given = review_answer(work)
    open_ = [name for name in QUESTIONS if not _answer(given, name).holds]
    notes = "; ".join(f"{name}: {_answer(given, name).note.strip()}" for name in open_ or QUESTIONS)
    reader = given.readers[0]
    decided: Decided = "return" if open_ else "pass"
    _note(work, Ruling(gate="review", decided=decided, who=reader.who, kind=reader.kind, why=notes))


def _answer(given: object, name: str) -> Answer:
    found: Answer = getattr(given, name)
    return found


def note_proof(work: Work, proof: Proven) -> None:
    """Write down what the proof came to."""
    mutants = proof.mutants
    if proof.proved:
        why = f"{mutants.killed} killed, {mutants.equivalent} equivalent, 0 survived"
        ruling = Ruling(gate="prove", decided="pass", who=PROVER, kind="program", why=why)
    else:
        why = "; ".join((*proof.problems, *proof.survivors))[:500]
        ruling = Ruling(gate="prove", decided="return", who=PROVER, kind="program", why=why)
    _note(work, ruling)


def _note(work: Work, ruling: Ruling) -> None:
    """Decide, unless the same stands already for these very files."""
    now = standing(work)[ruling.gate]
    wanted = {"pass": "passed", "return": "returned"}[ruling.decided]
    if now.state == wanted or now.state in ("waived", "discarded"):
        return
    Ledger(work.place.root).decide(matter(work), ruling)
