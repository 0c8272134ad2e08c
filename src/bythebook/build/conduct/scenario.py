"""The story of a task: who wants what, what stands against it, and where the traps are."""

from collections.abc import Iterator, Mapping

from bythebook.build.conduct.forms import Alignment, Scenario, step_of, tried
from bythebook.conduct.company import Company
from bythebook.conduct.documents import Document
from bythebook.conduct.sops import Sop
from bythebook.conduct.task import CLOCK
from bythebook.errors import ContentError, unknown
from bythebook.tool import Day, is_day

KINDS, LOOKALIKES = 2, 2
"""Least kinds of dependency of a task; least lookalikes of a family that is no manual."""


def scenario_problems(
    company: Company, sops: Mapping[str, Sop], alignment: Alignment, story: Scenario
) -> Iterator[str]:
    """What is wrong with a scenario: all of it."""
    for field in ("title", "customer", "request", "goal"):
        if not getattr(story, field).strip():
            yield f"{field}: nothing stands in it"
    if not CLOCK.match(story.clock):
        yield f'clock {story.clock!r} is not a time such as "09:30"'
    yield from _trap_problems(company, sops, story)
    if not is_day(story.day):
        yield f"day: the calendar has no {story.day}"
        return
    yield from _expired(sops, story.day)
    yield from _paper_problems(company, alignment, story)
    for table in story.tables:
        if table not in company.kinds:
            yield str(unknown("table", table, company.kinds, where="tables"))


def _expired(sops: Mapping[str, Sop], day: Day) -> Iterator[str]:
    for sop in sops.values():
        since, to = sop.effective
        if not (since <= day and (to is None or day < to)):
            yield (
                f"{sop.id} is not in force on {day}: it is from {since} to "
                f"{to or 'further notice'}\n  take another day, or another procedure"
            )


def _trap_problems(company: Company, sops: Mapping[str, Sop], story: Scenario) -> Iterator[str]:
    names = [trap.id for trap in story.traps]
    for twice in sorted({name for name in names if names.count(name) > 1}):
        yield f"trap {twice!r} stands here twice"
    if len(story.dependencies) < KINDS:
        yield (
            f"the traps are of {len(story.dependencies)} kind of dependency\n"
            f"  a task mixes at least {KINDS}: add a trap of another kind"
        )
    for trap in story.traps:
        where = f"trap {trap.id}"
        yield from tried(step_of, trap.step, sops, where=where)
        if trap.clause:
            yield from tried(clause_in_force, company, trap.clause, story.day, where=where)
    if story.shortcut not in names:
        yield str(unknown("trap", story.shortcut, names, where="shortcut"))
    elif not next(trap for trap in story.traps if trap.id == story.shortcut).clause:
        yield (
            f"shortcut: trap {story.shortcut!r} breaks no clause\n"
            "  the shortcut reaches the goal by breaking a rule: name the clause"
        )


def clause_in_force(company: Company, reference: str, day: Day, *, where: str) -> Document:
    """The document in force that holds a clause. Raises `ContentError`: no such family or clause,
    or it stands only in a paper that does not bind on the day."""
    company.library.cites(reference, where=where)
    family, _, clause = reference.partition("#")
    binding = [d for d in company.library.families[family] if d.front.binding]
    held = [d for d in binding if d.front.holds(day)]
    for document in held:
        if not clause or clause in document.clauses:
            return document
    others = ", ".join(d.id for d in company.library.families[family] if clause in d.clauses)
    hint = (
        f"it stands in {others}; cite what is in force: {', '.join(d.id for d in held) or 'none'}"
    )
    raise ContentError(f"{reference} is not in force on {day}", where=where, hint=hint)


def _paper_problems(company: Company, alignment: Alignment, story: Scenario) -> Iterator[str]:
    library, families = company.library, set()
    for name in story.required_documents:
        if name not in library.documents:
            yield str(unknown("document", name, library.documents, where="required_documents"))
            continue
        front = library.documents[name].front
        families.add(front.family)
        if not (front.binding and front.holds(story.day)):
            yield (
                f"required_documents: {name} is not in force on {story.day} ({front.status})\n"
                "  it may be a lookalike; what is required binds"
            )
    for family in sorted(_ruling_families(alignment, story) - families):
        if family in library.families:
            yield (
                f"required_documents: nothing of {family!r}, which a step or trap goes by\n"
                "  add its document in force, or take the clause out of the alignment"
            )
    yield from _lookalike_problems(company, story, families)


def _ruling_families(alignment: Alignment, story: Scenario) -> set[str]:
    """Families of the clauses that traps break, and of those that steps go by."""
    steps = [step for steps in alignment.values() for step in steps.values()]
    clauses = [clause for step in steps for clause in step.clauses]
    clauses += [trap.clause for trap in story.traps if trap.clause]
    return {clause.partition("#")[0] for clause in clauses}


def _lookalike_problems(company: Company, story: Scenario, families: set[str]) -> Iterator[str]:
    library = company.library
    for family, names in story.lookalikes.items():
        if family not in families:
            yield str(
                unknown("family of a required document", family, families, where="lookalikes")
            )
        for name in names:
            if name not in library.documents:
                yield str(unknown("document", name, library.documents, where="lookalikes"))
            elif name in story.required_documents:
                yield f"lookalikes: {name} is a required document"
    for family in sorted(families):
        manual = all(d.front.kind == "manual" for d in library.families[family])
        count = len(set(story.lookalikes.get(family, ())))
        if not manual and count < LOOKALIKES:
            yield (
                f"lookalikes: {family!r} has {count}, a family that is no manual has "
                f"{LOOKALIKES} or more\n  an older version, a draft, another place or product"
            )
