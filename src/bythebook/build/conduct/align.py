"""Steps of a procedure, laid beside the tools and papers that they are done with.

Candidates come from the company's own search, from what the step and its papers name, and from
nothing else; which of them it is, is asked of the mind.
"""

import re
from collections.abc import Iterator

import msgspec

from bythebook.build.conduct.forms import Aligned, Alignment, AlignmentAnswer, tried
from bythebook.conduct.company import Company
from bythebook.conduct.counter import BASE
from bythebook.conduct.documents import Document
from bythebook.conduct.schema import Spec
from bythebook.conduct.sops import Sop, Step
from bythebook.errors import unknown
from bythebook.tool import Tool

NAMED = re.compile(r"`([a-z][a-z0-9_]*)`")
TOOLS, DOCUMENTS = 8, 6
"""Most of each that search adds to what is named."""


class Candidates(msgspec.Struct, frozen=True):
    """What may be meant by one step."""

    tools: tuple[str, ...]
    documents: tuple[str, ...]
    clauses: tuple[str, ...]
    """family#clause, those that the step cites first."""


def candidates(company: Company, step: Step) -> Candidates:
    """Everything that the step names, then everything that search finds for it."""
    asked = f"{step.do} {step.decide}"
    families = [name.partition("#")[0] for name in (*step.knowledge, *_spans(company, step))]
    cited = [d for f in dict.fromkeys(families) for d in company.library.families.get(f, ())]
    found = [company.library.documents[d] for d in company.document_index.find(asked, DOCUMENTS)]
    documents = tuple({d.id: d for d in (*cited, *found)}.values())
    named = [name for d in cited for name in NAMED.findall(d.body)]
    search = company.tool_index.find(asked, TOOLS)
    tools = [n for n in dict.fromkeys((*NAMED.findall(asked), *named, *search))]
    return Candidates(
        tools=tuple(n for n in tools if n in company.tools and not company.tools[n].retired),
        documents=tuple(d.id for d in documents),
        clauses=tuple(dict.fromkeys((*(k for k in step.knowledge if "#" in k), *_clauses(cited)))),
    )


def _spans(company: Company, step: Step) -> Iterator[str]:
    """Families of the documents that the step was drawn from."""
    for span in step.source:
        name = span.partition("#")[0].partition("@")[0]
        if name in company.library.documents:
            yield company.library.documents[name].front.family


def _clauses(documents: list[Document]) -> Iterator[str]:
    for document in documents:
        for clause in sorted(document.clauses):
            yield f"{document.front.family}#{clause}"


def alignment_problems(company: Company, sop: Sop, answer: AlignmentAnswer) -> Iterator[str]:
    """What is wrong with the alignment of one procedure: all of it."""
    names = [step.id for step in sop.steps]
    for name in answer.steps:
        if name not in names:
            yield str(unknown(f"step of {sop.id}", name, names))
    for name in names:
        if name not in answer.steps:
            yield f"step {name!r} of {sop.id} is left out\n  every step has an entry"
        else:
            yield from _step_problems(company, answer.steps[name], f"{sop.id}#{name}")


def _step_problems(company: Company, step: Aligned, where: str) -> Iterator[str]:
    yield from _tool_problems(company, step, where)
    if not step.tools and not step.no_tool.strip():
        yield f"{where}: names no tool\n  name one, or say in no_tool why no tool does this step"
    if step.no_tool and any(name in company.tools for name in step.tools):
        yield f"{where}: has a business tool, and says that none does it\n  keep one of the two"
    for clause in step.clauses:
        if "#" not in clause:
            yield f"{where}: {clause!r} is no clause\n  write family#clause"
        else:
            yield from tried(company.library.cites, clause, where=where)
    for name in step.documents:
        if name not in company.library.documents:
            yield str(unknown("document", name, company.library.documents, where=where))


def _tool_problems(company: Company, step: Aligned, where: str) -> Iterator[str]:
    known = (*BASE, *company.tools)
    for name in step.tools:
        if name not in known:
            yield str(unknown("tool", name, known, where=where))
        elif name in company.tools and company.tools[name].retired:
            yield f"{where}: {name} is retired\n  its successor is {company.tools[name].retired}"


def without_tool(alignment: Alignment) -> list[str]:
    """Steps that no business tool does, with the reason."""
    return [
        f"{sop}#{name}: {step.no_tool}"
        for sop, steps in alignment.items()
        for name, step in steps.items()
        if step.no_tool
    ]


# --- how tools and papers are told --------------------------------------------------------------


def tool_told(company: Company, name: str) -> str:
    """One tool on a few lines: what it is for, what it takes, what it gives back."""
    tool = company.tools[name]
    signature = company.schema.calls[name]
    given = ", ".join(f"{arg}: {shape_told(spec)}" for arg, spec in signature.args.items())
    kind = f"writes, {tool.minutes} min" if tool.writes else "reads"
    again = "" if not tool.writes else ", repeatable" if tool.repeatable else ", not repeatable"
    doc = " ".join(tool.doc.split())
    gives = shape_told(signature.result, whole=False)
    return f"- `{name}({given})` -> {gives} · desk {tool.desk} · {kind}{again}\n  {doc}"


def shape_told(spec: Spec, *, whole: bool = True) -> str:
    """A shape in words."""
    if spec.values:
        text = " | ".join(spec.values)
    elif spec.kind == "list":
        text = f"[{shape_told(spec.item or Spec('any'), whole=whole)}]"
    elif spec.kind == "record" and whole:
        inner = ", ".join(f"{n}: {shape_told(s)}" for n, s in spec.fields.items())
        text = f"{{{inner}}}"
    elif spec.kind == "record":
        text = f"{{{', '.join(spec.fields)}}}"
    else:
        text = spec.kind
    return f"{text} | null" if spec.optional else text


def document_told(document: Document) -> str:
    """One line on a document: standing, period, scope, clauses."""
    front = document.front
    since, to = front.effective
    scope = ", ".join((front.scope.product, front.scope.jurisdiction, front.scope.segment))
    clauses = ", ".join(sorted(document.clauses)) or "none numbered"
    return (
        f"- `{document.id}` (family `{front.family}`): {front.title}; {front.kind}, "
        f"{front.status}, {since} to {to or 'further notice'}, for {scope}; clauses {clauses}"
    )


def tables_of(company: Company, tools: tuple[str, ...]) -> list[str]:
    """Tables of the desks on which the tools stand, in order."""
    desks = {company.tools[name].desk for name in tools if name in company.tools}
    return [kind.table for desk in company.desks if desk.name in desks for kind in desk.rows]


def returns_row(company: Company, tool: Tool) -> str:
    """The table whose row a tool gives back; empty: none."""
    hint = tool.hints.get("return")
    return next((name for name, kind in company.kinds.items() if kind is hint), "")
