"""Parts of prompts: procedures, tools, papers and tables in words."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from bythebook.build.conduct.align import (
    Candidates,
    document_told,
    tables_of,
    tool_told,
)
from bythebook.build.conduct.forms import Alignment, Scenario
from bythebook.build.conduct.overlay import WRITTEN, event_told, table_told
from bythebook.build.mind import filled
from bythebook.conduct.company import Company
from bythebook.conduct.counter import BASE
from bythebook.conduct.sops import Sop

PROMPTS = Path(__file__).with_name("prompts")
MOST_LOOKALIKES = 4


def prompt(name: str, **parts: str) -> str:
    """A prompt as shipped, with its places filled."""
    return filled(PROMPTS / f"{name}.md", {word: part.strip() for word, part in parts.items()})


def sops_told(sops: Iterable[Sop]) -> str:
    """Procedures with what each step goes by and was drawn from."""
    parts = []
    for sop in sops:
        since, to = sop.effective
        lines = [f"## {sop.title} (`{sop.id}`, {since} to {to or 'further notice'})", ""]
        for number, step in enumerate(sop.steps, start=1):
            lines.append(f"{number}. `{step.id}`: {step.do}")
            lines += [f"   Decide: {step.decide}"] if step.decide else []
            lines += [f"   Knowledge: {', '.join(step.knowledge)}"] if step.knowledge else []
            lines += [f"   Drawn from: {', '.join(step.source)}"] if step.source else []
            lines += [f"   May go back to: {', '.join(step.back)}"] if step.back else []
            lines.append(f"   Next: {', '.join(step.onward)}")
        parts.append("\n".join(lines))
    return "\n\n".join(parts)


def candidates_told(found: Mapping[str, Candidates]) -> str:
    lines = []
    for step, of in found.items():
        lines.append(f"- `{step}`")
        lines.append(f"  tools: {', '.join(of.tools) or 'none found'}")
        lines.append(f"  documents: {', '.join(of.documents) or 'none found'}")
        lines.append(f"  clauses: {', '.join(of.clauses) or 'none cited'}")
    return "\n".join(lines)


def alignment_told(alignment: Alignment) -> str:
    lines = []
    for sop, steps in alignment.items():
        for name, step in steps.items():
            tools = ", ".join(step.tools) or f"no tool: {step.no_tool}"
            clauses = ", ".join(step.clauses) or "none"
            lines.append(f"- `{sop}#{name}`: {tools}; clauses: {clauses}")
    return "\n".join(lines)


def tools_told(company: Company, names: Iterable[str]) -> str:
    own = [tool_told(company, name) for name in dict.fromkeys(names) if name in company.tools]
    return "\n".join(own) or "none"


def aligned_tools(alignment: Alignment) -> tuple[str, ...]:
    steps = [step for steps in alignment.values() for step in steps.values()]
    return tuple(dict.fromkeys(tool for step in steps for tool in step.tools))


def reachable_tools(company: Company, alignment: Alignment) -> tuple[str, ...]:
    """The aligned tools, and all others of their desks that are not retired."""
    aligned = aligned_tools(alignment)
    desks = {company.tools[name].desk for name in aligned if name in company.tools}
    near = [t.name for t in company.tools.values() if t.desk in desks and not t.retired]
    return tuple(dict.fromkeys((*(n for n in aligned if n not in BASE), *near)))


def papers_told(company: Company, names: Iterable[str], *, whole: bool = True) -> str:
    """Documents by id: the line on each, and its text."""
    parts = []
    for name in dict.fromkeys(names):
        document = company.library.documents[name]
        parts.append(document_told(document))
        if whole:
            quoted = "\n".join(f"  > {line}".rstrip() for line in document.body.strip().split("\n"))
            parts.append(quoted)
    return "\n".join(parts) or "none"


def story_papers(story: Scenario) -> tuple[str, ...]:
    lookalikes = (name for names in story.lookalikes.values() for name in names)
    return (*story.required_documents, *lookalikes)


def near_papers(company: Company, alignment: Alignment) -> tuple[list[str], list[str]]:
    """The papers of the steps with all editions of their families; and what search finds beside."""
    steps = [step for steps in alignment.values() for step in steps.values()]
    named = [name for step in steps for name in step.documents]
    families = [company.library.documents[name].front.family for name in named]
    families += [clause.partition("#")[0] for step in steps for clause in step.clauses]
    of_steps, beside = dict.fromkeys(named), dict[str, None]()
    for family in dict.fromkeys(families):
        editions = company.library.families.get(family, [])
        of_steps |= dict.fromkeys(document.id for document in editions)
        if editions:
            title = editions[-1].front.title
            beside |= dict.fromkeys(company.document_index.find(title, MOST_LOOKALIKES))
    return list(of_steps), [name for name in beside if name not in of_steps]


def tables_told(company: Company, names: Iterable[str]) -> str:
    own = [table_told(company, n) for n in dict.fromkeys(names) if n in company.kinds]
    return "\n".join(own) or "none"


def story_tables(company: Company, alignment: Alignment, story: Scenario) -> tuple[str, ...]:
    """Tables that the story names, then those of the desks of its tools, then those of runs."""
    desks = tables_of(company, aligned_tools(alignment))
    return tuple(dict.fromkeys((*story.tables, *desks, *WRITTEN)))


def events_told(company: Company, alignment: Alignment) -> str:
    """What can happen by itself at the desks of the aligned tools."""
    tools = aligned_tools(alignment)
    desks = {company.tools[name].desk for name in tools if name in company.tools}
    names = [name for desk in company.desks if desk.name in desks for name in desk.events]
    return "\n".join(event_told(company, name) for name in names) or "none"
