"""Which domain a deliverables task belongs to."""

from bythebook import yamlfile
from bythebook.deliverables.task import DOMAINS, Domain
from bythebook.errors import ContentError, UsageError
from bythebook.task import Content

INITIALS: dict[str, Domain] = {
    "med": "medical",
    "fin": "finance",
    "law": "legal",
    "biz": "business",
    "stem": "stem",
    "edu": "education",
}
"""First word of a task's id to its domain; all shipped ids begin so."""
UNKNOWN = "unknown"


def domains(content: Content, tasks: frozenset[str]) -> dict[str, tuple[str, ...]]:
    """Domain to its tasks, the paper's domains first and in its order; `unknown` last if needed.

    A task is looked up in the content; one that is not here goes by the first word of its id.
    """
    found: dict[str, list[str]] = {name: [] for name in DOMAINS}
    for task in sorted(tasks):
        found.setdefault(_domain(content, task), []).append(task)
    return {name: tuple(members) for name, members in found.items()}


def _domain(content: Content, task: str) -> str:
    try:
        folder = content.tasks("deliverables")[task]
        domain = yamlfile.parse(yamlfile.read_text(folder / "task.yaml"), folder).get("domain")
    except (KeyError, ContentError, UsageError):
        domain = INITIALS.get(task.partition("-")[0])
    return domain if domain in DOMAINS else UNKNOWN
