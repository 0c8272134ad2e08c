"""The text that opens an agent's context: rules of the house and the task's procedures."""

from pathlib import Path

from bythebook.conduct.task import ConductTask

TEMPLATE = Path(__file__).with_name("instructions.md")


def instructions(task: ConductTask) -> str:
    """The agent's instructions for one task."""
    return TEMPLATE.read_text(encoding="utf-8").format(
        company=task.company.about.name,
        day=task.file.day,
        clock=task.file.clock,
        sops="\n\n".join(sop.text for sop in task.sops),
    )
