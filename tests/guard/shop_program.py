"""The shop as a server of MCP: `python -m tests.guard.shop_program [NUMBER OF MORE TOOLS]`."""

import asyncio
import json
import sys
from typing import Any

from bythebook.gateway.tools import ToolDoor
from bythebook.models.types import Answer, ToolSpec

SCHEMA = {
    "type": "object",
    "properties": {name: {"type": "string"} for name in ("id", "note", "reason", "text")},
}


def door(more: int = 0) -> ToolDoor:
    names = ["get_order", "refund", "wipe", "break"] + [f"tool_{n}" for n in range(more)]
    return ToolDoor([ToolSpec(name, f"To {name}. " * 20, SCHEMA) for name in names], use)


async def use(name: str, args: dict[str, Any]) -> Answer:
    if name == "break":
        sys.exit(7)
    if name not in ("get_order", "refund"):
        return Answer("", f"{name} was done")
    status = "pending" if args.get("id") == "8" else "delivered"
    said = {"status": status, "owner": "Ann", "said": args.get("text", "")}
    return Answer("", json.dumps(said))


if __name__ == "__main__":
    asyncio.run(door(int(sys.argv[1]) if sys.argv[1:] else 0).stdio())
