"""`make docs`: the pages of docs/ that are written from the code and the content.

A test holds every page here against what is on disk.
"""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from bythebook.conduct.company import Company, load_company
from bythebook.conduct.counter import base
from bythebook.conduct.customer.tools import customer
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.task import ConductTask, load_tasks
from bythebook.deliverables.task import DeliverableTask
from bythebook.deliverables.task import load_tasks as load_deliverables
from bythebook.harness.harnesses import HARNESSES
from bythebook.report.counts import conduct_counts, deliverables_counts
from bythebook.task import Content
from bythebook.tool import Desk, Tool

ROOT = Path(__file__).resolve().parents[1]


def pages() -> dict[Path, str]:
    """Each written page and its whole text."""
    content = Content()
    company = load_company(content)
    tasks = load_tasks(content, company)
    delivered = load_deliverables(content)
    sizes = "\n".join((*_sizes(company, tasks), "", *_delivered_sizes(delivered)))
    return {
        ROOT / "docs" / "tools.md": "\n".join(_tools(company)) + "\n",
        ROOT / "docs" / "content.md": "\n".join(
            (*_content(company, tasks, sizes), "", *_delivered(delivered), "")
        ),
        ROOT / "README.md": _between(ROOT / "README.md", "sizes", sizes),
        ROOT / "docs" / "harness.md": _between(
            ROOT / "docs" / "harness.md", "harnesses", "\n".join(_harnesses())
        ),
    }


def _between(path: Path, name: str, text: str) -> str:
    """A page written by hand, with the part between the two marks of that name put anew."""
    begin, end = f"<!-- {name}: written by `make docs` -->", f"<!-- end of {name} -->"
    page = path.read_text("utf-8")
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{text}\n{end}{after}"


def _sizes(company: Company, tasks: list[ConductTask]) -> Iterator[str]:
    counts = conduct_counts(company, tasks=len(tasks))
    names = {"tools": f"tools ({counts.writing_tools} of them write)"}
    names |= {"customer_tools": "tools of the customer"}
    yield "| conduct | here | in BizAgentBench |"
    yield "|---|---|---|"
    for name, paper in counts.paper.items():
        yield f"| {names.get(name, name)} | {getattr(counts, name)} | {paper} |"
    yield f"| retired tools, beside these | {counts.retired_tools} | |"
    yield f"| procedures (SOPs) | {counts.sops} | |"
    yield f"| desks | {counts.desks} | |"


def _delivered_sizes(tasks: list[DeliverableTask]) -> Iterator[str]:
    counts = deliverables_counts(tasks)
    yield "| deliverables | here | in StartupBench |"
    yield "|---|---|---|"
    yield f"| tasks | {counts.tasks} | {counts.paper['tasks']} |"
    for domain, paper in counts.paper_domains.items():
        yield f"| of them {domain} | {counts.domains[domain]} | {paper} |"
    yield f"| rubric items | {counts.items} | {counts.paper['items']} |"


def _harnesses() -> Iterator[str]:
    yield "| name | package | MiB | speaks | takes tools |"
    yield "|---|---|---|---|---|"
    for name, harness in HARNESSES.items():
        recipe, takes = harness.recipe, "yes" if harness.takes_tools else "no"
        yield f"| `{name}` | {recipe.requirement} | {recipe.mib} | {harness.dialect} | {takes} |"
    yield ""
    for name, harness in HARNESSES.items():
        yield f"- `{name}`: {' '.join(harness.differences)}"


# --- tools --------------------------------------------------------------------------------------


def _tools(company: Company) -> Iterator[str]:
    yield "# Desks and tools"
    yield ""
    yield "Written by `make docs` from the code. An agent holds the base tools; it finds the others"
    yield "with `search_tools`, has them explained by `describe_tool`, uses them with `call_tool`."
    yield "Minutes are what a successful call takes on the task's clock; reads take none."
    yield "Retired tools are found, and described as such; they refuse, and name their successor."
    for title, desk in (("Base tools", base), ("The customer's tools", customer)):
        yield from _desk(title, desk)
    for desk in sorted(company.desks, key=lambda desk: desk.name):
        yield from _desk(f"Desk `{desk.name}`", desk)


def _desk(title: str, desk: Desk) -> Iterator[str]:
    yield ""
    yield f"## {title}"
    yield ""
    yield desk.summary
    yield ""
    yield "| tool | minutes | what it does |"
    yield "|---|---|---|"
    for tool in desk.tools:
        minutes = tool.minutes if tool.writes and not tool.retired else ""
        gone = f"**Retired, use `{tool.retired}`.** " if tool.retired else ""
        yield f"| `{_call(tool)}` | {minutes} | {gone}{_cell(tool.summary)} |"


def _call(tool: Tool) -> str:
    return f"{tool.name}({', '.join(name for name in tool.hints if name != 'return')})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


# --- content ------------------------------------------------------------------------------------


def _content(company: Company, tasks: list[ConductTask], sizes: str) -> Iterator[str]:
    yield "# What there is"
    yield ""
    yield "Written by `make docs` from the content."
    yield ""
    yield sizes
    yield ""
    yield "## Tasks of conduct"
    yield ""
    yield "`calls` is R_i: the tool calls of the golden, searches and reads included."
    yield ""
    yield "| task | title | calls | documents to read | counterexamples | turns on |"
    yield "|---|---|---|---|---|---|"
    for task in tasks:
        yield _task(task)
    yield ""
    yield "## Documents"
    yield ""
    yield "| kind | in force | superseded | draft |"
    yield "|---|---|---|---|"
    documents = [d.front for d in company.library.documents.values()]
    counts = Counter((front.kind, front.status) for front in documents)
    for kind in sorted({front.kind for front in documents}):
        row = (str(counts[kind, status]) for status in ("in force", "superseded", "draft"))
        yield f"| {kind} | {' | '.join(row)} |"
    yield ""
    yield "## Procedures"
    yield ""
    for sop in sorted(company.sops.values(), key=lambda sop: sop.id):
        yield f"- `{sop.id}` {sop.title}, {len(sop.steps)} steps"


def _task(task: ConductTask) -> str:
    scripts = Scripts(task)
    calls = len(scripts.goldens[""].steps)
    documents = len(task.file.required_documents)
    turns = ", ".join(task.file.dependencies)
    cases = len(scripts.cases.counterexamples)
    return f"| `{task.id}` | {_cell(task.title)} | {calls} | {documents} | {cases} | {turns} |"


def _delivered(tasks: list[DeliverableTask]) -> Iterator[str]:
    yield "## Tasks of deliverables"
    yield ""
    yield "`by checks` is the share of the rubric's weight that no judge is needed for."
    yield ""
    yield "| task | title | hands over | inputs | items | core, important, auxiliary | by checks |"
    yield "|---|---|---|---|---|---|---|"
    for task in tasks:
        yield _delivered_task(task)


def _delivered_task(task: DeliverableTask) -> str:
    items, rubric = task.rubric.items, task.rubric
    levels = Counter(item.level for item in items)
    decided = sum(item.weight for item in items if item.decided_by == "check")
    inputs = sum(path.is_file() for path in task.inputs.rglob("*"))
    cells = (
        f"`{task.id}`",
        _cell(task.title),
        ", ".join(f"`{name}`" for name in task.wants),
        str(inputs),
        str(len(items)),
        f"{levels['core']}, {levels['important']}, {levels['auxiliary']}",
        f"{100 * decided / rubric.weight:.0f} %",
    )
    return f"| {' | '.join(cells)} |"


def main() -> None:
    """Write the pages that differ."""
    for path, text in pages().items():
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
