"""What opens an agent's context: rules of the house, the task's procedures, and what a condition
hands over or takes away."""

from pathlib import Path

from bythebook.agents.protocol import Briefing, ToolSpec
from bythebook.conduct.counter import BASE
from bythebook.conduct.source import NO_SOURCES, SOURCES
from bythebook.conduct.task import ConductTask

TEMPLATE = Path(__file__).with_name("instructions.md")


def briefing(
    task: ConductTask, *, handed: str = "", without: frozenset[str] = NO_SOURCES
) -> Briefing:
    """What an agent is shown first: `handed` follows the procedures; the tools of a source that is
    switched off are not offered."""
    missing = [name for source in sorted(without) for name in SOURCES[source].tools]
    parts = [instructions(task, without), handed, _missing(without)]
    return Briefing(
        instructions="\n\n".join(filter(None, parts)),
        request=task.file.request,
        tools=tuple(
            ToolSpec(tool.name, tool.doc, tool.schema)
            for tool in BASE.values()
            if tool.name not in missing
        ),
    )


def instructions(task: ConductTask, without: frozenset[str] = NO_SOURCES) -> str:
    """The rules of the house and the task's procedures."""
    sops = () if "sop" in without else task.sops
    return TEMPLATE.read_text(encoding="utf-8").format(
        company=task.company.about.name,
        day=task.file.day,
        clock=task.file.clock,
        sops="\n\n".join(sop.text for sop in sops) or "It is not to be had in this run.",
    )


def _missing(without: frozenset[str]) -> str:
    told = [f"- {SOURCES[source].says}" for source in sorted(without) if SOURCES[source].says]
    return "\n".join(["# Not to be had in this run", "", *told]) if told else ""
