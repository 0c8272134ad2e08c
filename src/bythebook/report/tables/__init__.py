"""Every table of a report, by its id: a function of the evaluations, and nothing else."""

from collections.abc import Callable, Mapping
from functools import partial

from bythebook.errors import UsageError, suggestion
from bythebook.report.data import Evaluations
from bythebook.report.table import Table
from bythebook.report.tables import (
    ablation,
    behaviours,
    compared,
    conduct,
    content,
    coverage,
    deliverables,
    judges,
    systems,
    traces,
)

Make = Callable[[Evaluations], Table]

CONDUCT: Mapping[str, Make] = {
    "conduct": conduct.results,
    "pass-k": conduct.pass_k,
    "resources": conduct.resources,
    "conditions": ablation.conditions,
    "caps": ablation.caps,
    "simulators": ablation.simulators,
    "traces": traces.traces,
    "calls": traces.per_run,
    "conduct-behaviours": partial(behaviours.rates, suite="conduct"),
    "conduct-cases": partial(behaviours.listed, suite="conduct"),
    "conduct-tasks": conduct.tasks,
    "conduct-differences": partial(compared.differences, suite="conduct"),
    "conduct-power": partial(compared.power, suite="conduct"),
    "conduct-runs": partial(coverage.coverage, suite="conduct"),
    "documents": content.documents,
    "goldens": content.goldens,
}
DELIVERABLES: Mapping[str, Make] = {
    "deliverables": deliverables.results,
    "domains": deliverables.domain_scores,
    "domains-success": deliverables.domain_successes,
    "dimensions": deliverables.dimensions,
    "levels": deliverables.levels,
    "formats": deliverables.formats,
    "harnesses": systems.harnesses,
    "systems": systems.systems,
    "deliverables-behaviours": partial(behaviours.rates, suite="deliverables"),
    "deliverables-cases": partial(behaviours.listed, suite="deliverables"),
    "judges": judges.judges,
    "judge-agreement": judges.people,
    "deliverables-tasks": deliverables.tasks,
    "deliverables-resources": deliverables.resources,
    "deliverables-differences": partial(compared.differences, suite="deliverables"),
    "deliverables-power": partial(compared.power, suite="deliverables"),
    "deliverables-runs": partial(coverage.coverage, suite="deliverables"),
    "domain-sizes": content.domain_sizes,
    "dimension-sizes": content.dimension_sizes,
    "level-weights": content.level_weights,
}
TABLES: Mapping[str, Make] = {**CONDUCT, **DELIVERABLES}
"""In the order in which a report shows them."""

FIRST = ("conduct", "pass-k", "conduct-runs", "deliverables", "domains", "deliverables-runs")
"""Those that a terminal shows when none is named."""
OF_CONTENT = ("documents", "goldens", "domain-sizes", "dimension-sizes", "level-weights")
"""Those that need no evaluation."""


def table(name: str, evaluations: Evaluations) -> Table:
    """The table of that id. Raises `UsageError` with the nearest one."""
    if name not in TABLES:
        raise UsageError(f"no table {name!r}", hint=suggestion(name, TABLES))
    return TABLES[name](evaluations)
