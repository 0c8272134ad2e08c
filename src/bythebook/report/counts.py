"""How much there is, and which share of the papers' own benchmarks that is."""

from typing import Any

import msgspec

from bythebook.conduct.company import Company
from bythebook.conduct.customer.tools import CUSTOMER
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


def deliverables_counts() -> dict[str, Any]:
    """Sizes of the suite `deliverables`: nothing of it is there yet."""
    return {"tasks": 0, "items": 0, "domains": {}, "levels": {}, "dimensions": {}}


def shares(counts: ConductCounts) -> str:
    """`4 of 50 tasks · 120 of 789 documents · ...`: what is here of the paper's size."""
    names = {"customer_tools": "customer's tools"}
    return " · ".join(
        f"{getattr(counts, name)} of {size} {names.get(name, name)}"
        for name, size in counts.paper.items()
    )
