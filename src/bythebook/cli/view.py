"""A briefing, and where things stand, as text: for people, and for programs that read text."""

from collections.abc import Iterator

from bythebook.agents.protocol import ToolSpec
from bythebook.serve.seat import View


def view_text(view: View, how: str) -> str:
    """All of a view. `how`: the command that uses a tool."""
    tools = "\n".join(_tool(tool) for tool in view.tools)
    parts = [
        view.instructions,
        f"# Your tools\n\n{tools}\n\nUse one: {how}",
        "# The conversation so far\n\n" + view.said,
        f"# Where things stand\n\n{view.standing}",
    ]
    return "\n\n".join(parts)


def _tool(tool: ToolSpec) -> str:
    about = tool.doc.replace("\n\n", " ").replace("\n", " ")
    return f"- `{tool.name} {{{', '.join(_arguments(tool))}}}`: {about}"


def _arguments(tool: ToolSpec) -> Iterator[str]:
    required = tool.schema.get("required", ())
    for name, schema in tool.schema.get("properties", {}).items():
        kind = schema.get("type", "any")
        yield f'"{name}": {kind}' + ("" if name in required else " (optional)")
