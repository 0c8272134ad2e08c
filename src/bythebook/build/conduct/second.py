"""Stages 9 to 11: the second reader, who is nobody that wrote the task.

They read blind first: what an agent is shown, papers and tools. Their runs are played by the author
as cases. Then they see everything and sign, or send it back.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from bythebook import yamlfile
from bythebook.build.conduct import telling
from bythebook.build.conduct.forms import dumped, verbatim
from bythebook.build.conduct.late import ONE
from bythebook.build.conduct.work import Files, Step, Work
from bythebook.build.mind import Mind, read_answer
from bythebook.build.signers import compared
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.golden.edits import CaseEntry
from bythebook.conduct.instructions import instructions
from bythebook.conduct.prove import gates
from bythebook.conduct.prove.court import Court
from bythebook.conduct.prove.papers import (
    BLIND_VALID,
    BLIND_VIOLATIONS,
    QUESTIONS,
    Answer,
    Reader,
)
from bythebook.errors import ContentError


class BlindRun(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One run in words."""

    id: str
    what: str


class BlindAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How somebody reads the task who does not see how it is judged."""

    by: str
    reading: str
    violations: tuple[BlindRun, ...]
    valid: tuple[BlindRun, ...]


class ReviewAnswer(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The second reader's answers."""

    readers: tuple[Reader, ...]
    sop_fidelity: Answer
    one_reading: Answer
    fairness: Answer
    criteria: Answer


class PlayedFile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The blind runs as edits of the golden."""

    counterexamples: tuple[CaseEntry, ...]
    twins: tuple[CaseEntry, ...]


# --- 9 blind ------------------------------------------------------------------------------------


def _blind_questions(work: Work) -> dict[str, str]:
    company, story = work.place.company, work.story
    with work.tried({}) as trial:
        briefing = instructions(trial.task)
    said = telling.prompt(
        "blind",
        briefing=briefing,
        request=story.request.strip().replace("\n", "\n> "),
        documents=telling.papers_told(company, sorted(telling.story_papers(story))),
        tools=telling.tools_told(company, telling.reachable_tools(company, work.alignment)),
        rows=f"```yaml\n{dumped(work.overlay.overlay)}```",
    )
    return {ONE: said}


def _blind_files(work: Work, job: str, text: str) -> Files:
    read_answer(text, BlindAnswer)
    return {"blind.yaml": verbatim(text)}


def _blind_problems(work: Work, files: Files) -> Iterator[str]:
    answer = yamlfile.convert(files["blind.yaml"], BlindAnswer, where="blind.yaml")
    yield from author_problems(work, answer.by)
    for kind, runs, least in (
        ("violations", answer.violations, BLIND_VIOLATIONS),
        ("valid", answer.valid, BLIND_VALID),
    ):
        if len({run.id for run in runs}) < least:
            yield f"{kind}: {len(runs)} runs, {least} or more are needed"
        for run in runs:
            if not run.what.strip():
                yield f"{kind}: {run.id} says nothing"
    if not answer.reading.strip():
        yield "reading: nothing stands in it"


def author_problems(work: Work, who: str) -> Iterator[str]:
    """Nobody reviews what is their own."""
    if not who.strip():
        yield "nobody signed: say by whom"
    elif compared(who) in map(compared, work.place.about.author.split(", ")):
        yield f"{who} wrote the task, and cannot be its second reader\n  ask somebody else"


def by_hand(mind: Mind) -> bool:
    """Whether a person may be behind it; what signs by hand may be anybody."""
    return mind.name.startswith("hand:")


BLIND = Step(
    "9-blind", ("2-scenario", "3-overlay"), _blind_questions, _blind_files, _blind_problems,
    reader=True, afresh=True,
)  # fmt: skip


# --- 10 their runs, played ----------------------------------------------------------------------


def blind_answer(work: Work) -> BlindAnswer:
    return yamlfile.load(work.path("9-blind", "blind.yaml"), BlindAnswer)


def _played_questions(work: Work) -> dict[str, str]:
    answer = blind_answer(work)
    runs = [f"- `{run.id}`, breaks a rule: {run.what}" for run in answer.violations]
    runs += [f"- `{run.id}`, is right: {run.what}" for run in answer.valid]
    said = telling.prompt(
        "blind_cases",
        blind="\n".join(runs),
        golden=work.text("7-golden", "golden.yaml"),
        criteria=work.text("6-criteria", "criteria.yaml"),
        cases=work.text("8-counterexamples", "counterexamples.yaml"),
    )
    return {ONE: said}


def _played_files(work: Work, job: str, text: str) -> Files:
    read_answer(text, PlayedFile)
    return {"played.yaml": verbatim(text)}


def _played_problems(work: Work, files: Files) -> Iterator[str]:
    found = yamlfile.convert(files["played.yaml"], PlayedFile, where="played.yaml")
    answer = blind_answer(work)
    for kind, runs, cases in (
        ("counterexamples", answer.violations, found.counterexamples),
        ("twins", answer.valid, found.twins),
    ):
        names = {case.id for case in cases}
        for run in runs:
            if run.id not in names:
                yield f"{kind}: {run.id} is not there\n  each blind run is played, under its id"
    with work.tried({"counterexamples.yaml": all_cases(work, files["played.yaml"])}) as trial:
        scripts, court = Scripts(trial.task), Court(trial.task)
        yield from (trial.told(problem) for problem in gates.case_problems(scripts, court))


def all_cases(work: Work, played: str) -> str:
    """counterexamples.yaml of the draft: the author's cases, then the reader's."""
    text = work.text("8-counterexamples", "counterexamples.yaml")
    own = _cases(work.path("8-counterexamples", "counterexamples.yaml"), text)
    more = _cases(work.path("10-blind-cases", "played.yaml"), played)
    return dumped({name: [*own[name], *more[name]] for name in PLAYED})


def _cases(path: Path, text: str) -> dict[str, list[Any]]:
    """The lists of one file. Raises `ContentError` for another form."""
    told = yamlfile.parse(text, path)
    found = {name: told.get(name) or [] for name in PLAYED} if isinstance(told, dict) else {}
    if not found or not all(isinstance(cases, list) for cases in found.values()):
        hint = f"mend it, or --remake {path.parent.name}"
        raise ContentError(f"holds no lists {' and '.join(PLAYED)}", where=path, hint=hint)
    return found


PLAYED = ("counterexamples", "twins")
CASES_PLAYED = Step(
    "10-blind-cases", ("6-criteria", "7-golden", "8-counterexamples", "9-blind"),
    _played_questions, _played_files, _played_problems,
)  # fmt: skip


# --- 11 review ----------------------------------------------------------------------------------


def _review_questions(work: Work) -> dict[str, str]:
    company, story = work.place.company, work.story
    paths = sorted(work.place.draft.glob("*.yaml"))
    files = {path.name: yamlfile.read_text(path) for path in paths if path.name != "review.yaml"}
    said = telling.prompt(
        "review",
        blind=f"```yaml\n{work.text('9-blind', 'blind.yaml')}```",
        files="\n\n".join(f"{name}\n\n```yaml\n{text}```" for name, text in files.items()),
        sops=telling.sops_told(work.place.sops.values()),
        documents=telling.papers_told(company, sorted(telling.story_papers(story))),
    )
    return {ONE: said}


def _review_files(work: Work, job: str, text: str) -> Files:
    """review.yaml as `prove` reads it: the answers, and the blind runs by name."""
    given, blind = read_answer(text, ReviewAnswer), blind_answer(work)
    data = msgspec.to_builtins(given) | {
        "blind": {
            "by": blind.by,
            "violations": [run.id for run in blind.violations],
            "valid": [run.id for run in blind.valid],
        }
    }
    return {"review.yaml": dumped(data)}


def _review_problems(work: Work, files: Files) -> Iterator[str]:
    data: Any = yamlfile.parse(files["review.yaml"], "review.yaml")
    kept = {name: value for name, value in dict(data or {}).items() if name != "blind"}
    given = yamlfile.fit(kept, ReviewAnswer, where="review.yaml")
    if not given.readers:
        yield "readers: nobody signed"
    for reader in given.readers:
        yield from author_problems(work, reader.who)
        if reader.kind != "model" and work.reader is not None and not by_hand(work.reader):
            yield f"{reader.who} signs as a {reader.kind}, and a model answered\n  kind: model"
    for question in QUESTIONS:
        answer: Answer = getattr(given, question)
        if not answer.note.strip():
            yield f"{question}: no note\n  say what was compared and what was found"


def review_answer(work: Work) -> ReviewAnswer:
    data: Any = yamlfile.parse(work.text("11-review", "review.yaml"), "review.yaml")
    kept = {name: value for name, value in data.items() if name != "blind"}
    return yamlfile.fit(kept, ReviewAnswer, where=work.path("11-review", "review.yaml"))


REVIEW = Step(
    "11-review",
    ("2-scenario", "3-overlay", "4-customer", "5-paraphrases", "6-criteria", "7-golden",
     "8-counterexamples", "9-blind", "10-blind-cases"),
    _review_questions, _review_files, _review_problems,
    reader=True, afresh=True, of_draft=True,
)  # fmt: skip
