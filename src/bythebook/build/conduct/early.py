"""Stages 1 to 5: alignment, scenario, rows, customer, paraphrases."""

from collections.abc import Iterator

import msgspec

from bythebook import yamlfile
from bythebook.build.conduct import leaks, telling
from bythebook.build.conduct.align import alignment_problems, candidates, tables_of
from bythebook.build.conduct.forms import (
    Alignment,
    AlignmentAnswer,
    Overlay,
    Scenario,
    dumped,
    verbatim,
)
from bythebook.build.conduct.overlay import overlay_problems
from bythebook.build.conduct.scenario import scenario_problems
from bythebook.build.conduct.work import Files, Step, Work, task_text
from bythebook.build.mind import read_answer
from bythebook.conduct.customer.scenario import ScenarioFile
from bythebook.conduct.prove.papers import Paraphrases, paraphrase_problems
from bythebook.errors import unknown

ONE = "question"
"""The only job of a stage."""


# --- 1 alignment --------------------------------------------------------------------------------


def _align_questions(work: Work) -> dict[str, str]:
    return {name: _align_question(work, name) for name in work.place.sops}


def _align_question(work: Work, name: str) -> str:
    company, sop = work.place.company, work.place.sops[name]
    found = {step.id: candidates(company, step) for step in sop.steps}
    return telling.prompt(
        "alignment",
        sop=telling.sops_told([sop]),
        candidates=telling.candidates_told(found),
        tools=telling.tools_told(company, (t for one in found.values() for t in one.tools)),
        documents=telling.papers_told(
            company, (d for one in found.values() for d in one.documents), whole=False
        ),
    )


def _align_files(work: Work, job: str, text: str) -> Files:
    answer = read_answer(text, AlignmentAnswer)
    return {f"{job}.yaml": dumped({job: msgspec.to_builtins(answer)["steps"]})}


def _align_problems(work: Work, files: Files) -> Iterator[str]:
    for file, text in files.items():
        found = yamlfile.convert(text, Alignment, where=file)
        name = file.removesuffix(".yaml")
        if name in work.place.sops and name not in found:
            yield f"{file}: nothing stands under {name}\n  begin it with {name}:, then its steps"
        for name, steps in found.items():
            if name not in work.place.sops:
                raise unknown("procedure of this task", name, work.place.sops, where=file)
            sop = work.place.sops[name]
            yield from alignment_problems(work.place.company, sop, AlignmentAnswer(steps))


ALIGNMENT = Step("1-alignment", (), _align_questions, _align_files, _align_problems)


# --- 2 scenario ---------------------------------------------------------------------------------


def _story_questions(work: Work) -> dict[str, str]:
    company, alignment = work.place.company, work.alignment
    tables = tables_of(company, telling.aligned_tools(alignment))
    of_steps, beside = telling.near_papers(company, alignment)
    said = telling.prompt(
        "scenario",
        sops=telling.sops_told(work.place.sops.values()),
        alignment=telling.alignment_told(alignment),
        documents=telling.papers_told(company, of_steps),
        beside=telling.papers_told(company, beside, whole=False),
        tools=telling.tools_told(company, telling.reachable_tools(company, alignment)),
        tables=telling.tables_told(company, tables),
        events=telling.events_told(company, alignment),
    )
    return {ONE: said}


def _story_files(work: Work, job: str, text: str) -> Files:
    read_answer(text, Scenario)
    return {"scenario.yaml": verbatim(text)}


def _story_problems(work: Work, files: Files) -> Iterator[str]:
    story = yamlfile.convert(files["scenario.yaml"], Scenario, where="scenario.yaml")
    company = work.place.company
    yield from scenario_problems(company, work.place.sops, work.alignment, story)
    names = leaks.own_names(company, story)
    yield from leaks.leaks(leaks.story_shown(story), leaks.story_hidden(story), names)


SCENARIO = Step("2-scenario", ("1-alignment",), _story_questions, _story_files, _story_problems)


# --- 3 overlay ----------------------------------------------------------------------------------


def _row_questions(work: Work) -> dict[str, str]:
    company, alignment, story = work.place.company, work.alignment, work.story
    said = telling.prompt(
        "overlay",
        story=dumped(story),
        tables=telling.tables_told(company, telling.story_tables(company, alignment, story)),
        events=telling.events_told(company, alignment),
        tools=telling.tools_told(company, telling.reachable_tools(company, alignment)),
    )
    return {ONE: said}


def _row_files(work: Work, job: str, text: str) -> Files:
    read_answer(text, Overlay)
    return {"overlay.yaml": verbatim(text)}


def _row_problems(work: Work, files: Files) -> Iterator[str]:
    answer = yamlfile.convert(files["overlay.yaml"], Overlay, where="overlay.yaml")
    story, company = work.story, work.place.company
    wrong = list(overlay_problems(company, answer))
    yield from wrong
    names = leaks.own_names(company, story)
    yield from leaks.leaks(leaks.rows_shown(answer), leaks.story_hidden(story), names)
    if not wrong:
        with work.tried(
            {"task.yaml": task_text(work.place, story, files["overlay.yaml"])}
        ) as trial:
            _ = trial.task.opening


OVERLAY = Step(
    "3-overlay", ("1-alignment", "2-scenario"), _row_questions, _row_files, _row_problems
)


# --- 4 customer ---------------------------------------------------------------------------------


def _customer_questions(work: Work) -> dict[str, str]:
    company = work.place.company
    tables = telling.story_tables(company, work.alignment, work.story)
    asked = [n for n in tables if company.kinds[n].terms or company.kinds[n].amendable]
    said = telling.prompt(
        "customer",
        story=dumped(work.story),
        task=work.task_text(),
        tables=telling.tables_told(company, asked),
    )
    return {ONE: said}


def _customer_files(work: Work, job: str, text: str) -> Files:
    read_answer(text, ScenarioFile)
    return {"customer.yaml": verbatim(text)}


def _customer_problems(work: Work, files: Files) -> Iterator[str]:
    with work.tried(files) as trial:
        scenario, opening = trial.task.scenario, trial.task.opening
        file = scenario.file
        for table, keys in file.records.items():
            for key in keys:
                if key not in opening.tables[table]:
                    yield f"records {table}: there is no row {key}\n  add it, or mend the id"
        for fact in file.private:
            if not fact.tell_when.strip():
                yield f"private fact {fact.id}: tell_when is empty\n  say in prose when it is told"
        yield from _customer_leaks(work, file)


def _customer_leaks(work: Work, file: ScenarioFile) -> Iterator[str]:
    story = work.story
    names = leaks.own_names(work.place.company, story)
    facts, traps = leaks.customer_hidden(file), leaks.story_hidden(story)
    yield from leaks.leaks(leaks.customer_shown(file), traps | facts, names)
    yield from leaks.leaks(leaks.refusals_shown(file), traps, names)
    yield from leaks.leaks(leaks.story_shown(story) | leaks.rows_shown(work.overlay), facts)


CUSTOMER = Step(
    "4-customer",
    ("2-scenario", "3-overlay"),
    _customer_questions,
    _customer_files,
    _customer_problems,
)


# --- 5 paraphrases ------------------------------------------------------------------------------


def _phrase_questions(work: Work) -> dict[str, str]:
    """What the facts' keys are is not shown: the messages are a test of them."""
    file = yamlfile.load(work.path("4-customer", "customer.yaml"), ScenarioFile)
    facts = [f"- `{f.id}`: {f.tell_when or f.says}" for f in (*file.private, *file.public)]
    said = telling.prompt(
        "paraphrases",
        customer=file.who,
        request=work.story.request.replace("\n", "\n> "),
        facts="\n".join(facts) or "none: answer with {}",
    )
    return {ONE: said}


def _phrase_files(work: Work, job: str, text: str) -> Files:
    read_answer(text, dict[str, Paraphrases])
    return {"paraphrases.yaml": verbatim(text)}


def _phrase_problems(work: Work, files: Files) -> Iterator[str]:
    """Whether the customer understands: either side may be the one to mend."""
    with work.tried(files) as trial:
        for problem in paraphrase_problems(trial.task):
            hint = "" if "needed" in problem else MEND
            yield trial.told(problem) + hint


MEND = (
    "\n  if the message is a fair one, mend `asks` in 4-customer/customer.yaml and give the "
    "command again; if not, the message"
)

PARAPHRASES = Step(
    "5-paraphrases", ("4-customer",), _phrase_questions, _phrase_files, _phrase_problems
)
