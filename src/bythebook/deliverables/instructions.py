"""What opens an agent's context: the workspace, how to work in it, and the task."""

import shutil
from pathlib import Path

from bythebook.agents.protocol import Briefing, ToolSpec
from bythebook.deliverables.library import offered
from bythebook.sandbox.sandbox import Sandbox

TEMPLATE = Path(__file__).parent / "prompts" / "agent.md"


def briefing(prompt: str, tools: tuple[ToolSpec, ...], box: Sandbox, steps: int | None) -> Briefing:
    """What an agent with tools is shown first."""
    turns = f"You have {steps} turns." if steps is not None else ""
    text = TEMPLATE.read_text("utf-8").format(root=box.root, programs=programs(), turns=turns)
    return Briefing(text, prompt, tools)


def programs() -> str:
    """What the shell has for office files, on this machine."""
    libraries = ", ".join(sorted(offered()))
    office = shutil.which("soffice") is not None
    also = "; `soffice` (LibreOffice) converts, recalculates and prints" if office else ""
    return f"`python3` has {libraries}{also}." if libraries else f"`python3` is there{also}."
