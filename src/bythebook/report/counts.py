"""How much there is, and which share of the papers' own benchmarks that is."""

from collections import Counter
from collections.abc import Iterable, Sequence

import msgspec

from bythebook.conduct.company import Company
from bythebook.conduct.customer.tools import CUSTOMER
from bythebook.deliverables.task import DOMAINS, DeliverableTask
from bythebook.task import PAPER_SIZE


class ConductCounts(msgspec.Struct, frozen=True):
    """Sizes of the suite `conduct`; the papers' size of each stands in `paper`."""

    tasks: int
    documents: int
    tools: int
    """Hand-written, in use."""
    writing_tools: int
    """Those of `tools` that change something."""
    derived_tools: int
    retired_tools: int
    customer_tools: int
    sops: int
    desks: int
    paper: dict[str, int]


def conduct_counts(company: Company, *, tasks: int) -> ConductCounts:
    """`tasks`: how many folders there are, also of tasks that do not load."""
    in_use = [tool for tool in company.tools.values() if not tool.retired]
    return ConductCounts(
        tasks=tasks,
        documents=len(company.library.documents),
        tools=len(in_use),
        writing_tools=sum(tool.writes for tool in in_use),
        derived_tools=0,
        retired_tools=len(company.tools) - len(in_use),
        customer_tools=len(CUSTOMER),
        sops=len(company.sops),
        desks=len(company.desks),
        paper=PAPER_SIZE["conduct"],
    )


class DeliverablesCounts(msgspec.Struct, frozen=True):
    """Sizes of the suite `deliverables`; the paper's stand in `paper`."""

    tasks: int
    items: int
    """Rubric items of all tasks."""
    domains: dict[str, int]
    """Tasks by domain; all of the paper's domains, empty ones too."""
    levels: dict[str, int]
    """Items by level, and by dimension."""
    dimensions: dict[str, int]
    paper: dict[str, int]
    paper_domains: dict[str, int]


def deliverables_counts(tasks: Sequence[DeliverableTask]) -> DeliverablesCounts:
    """Of the tasks that load."""
    items = [item for task in tasks for item in task.rubric.items]
    domains = Counter(task.file.domain for task in tasks)
    return DeliverablesCounts(
        tasks=len(tasks),
        items=len(items),
        domains={name: domains[name] for name in DOMAINS},
        levels=_counted(item.level for item in items),
        dimensions=_counted(item.dimension for item in items),
        paper=PAPER_SIZE["deliverables"],
        paper_domains={str(name): size for name, size in DOMAINS.items()},
    )


def _counted(names: Iterable[str]) -> dict[str, int]:
    return dict(sorted(Counter(names).items()))


def deliverables_shares(counts: DeliverablesCounts) -> str:
    """`6 of 97 tasks · 160 of 2453 items · medical 1 of 21, ...`."""
    domains = (f"{name} {counts.domains[name]} of {n}" for name, n in counts.paper_domains.items())
    sizes = f"{counts.tasks} of {counts.paper['tasks']} tasks"
    return f"{sizes} · {counts.items} of {counts.paper['items']} items · {', '.join(domains)}"


def shares(counts: ConductCounts) -> str:
    """`4 of 50 tasks · 120 of 789 documents · ...`: what is here of the paper's size."""
    names = {"customer_tools": "customer's tools"}
    return " · ".join(
        f"{getattr(counts, name)} of {size} {names.get(name, name)}"
        for name, size in counts.paper.items()
    )
