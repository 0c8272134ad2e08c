"""A deliverables task: its folder read and checked. T = (q, E, R): prompt, inputs, rubric.

tasks/deliverables/<id>/
  task.yaml  prompt.md  inputs/  rubric.yaml  expected/*.csv
  reference/  reference-2/  faults.yaml  faults.lock  hand.yaml  review.yaml
"""

from typing import Literal

import msgspec

from bythebook.deliverables.evidence.model import Kind

Domain = Literal["medical", "finance", "legal", "business", "stem", "education"]
DOMAINS: dict[Domain, int] = {
    "medical": 21,
    "finance": 18,
    "legal": 16,
    "business": 19,
    "stem": 16,
    "education": 7,
}
"""Domain to its number of tasks in the paper (StartupBench, Table 2)."""


class Workflow(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the work comes from: which kind of product does it, for whom, why it is delegated."""

    product: str
    user: str
    why: str


class TaskFile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """`task.yaml`."""

    title: str
    domain: Domain
    wants: dict[str, Kind]
    """Names of the wanted files, relative to `results/`, and what they must be."""
    workflow: Workflow
    canary: str
    locale: Literal["en", "de", "fr"] = "en"
    """How numbers are written: `1,234.5`, `1.234,5` or `1 234,5`."""
    seed: int = 0
    """Of the recipe that built the folder."""
    tags: tuple[str, ...] = ()
