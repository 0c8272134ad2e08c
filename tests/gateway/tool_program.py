"""A program that serves three tools on its standard input and output, as clients start them."""

import asyncio
import sys
from typing import Any

import anyio

from bythebook.gateway.tools import Guide, ToolDoor
from bythebook.models.types import Answer, ToolSpec

OBJECT = {"type": "object", "properties": {"text": {"type": "string"}}}


async def use(name: str, args: dict[str, Any]) -> Answer:
    print("a stray word")  # noqa: T201 - as a company's own code may do
    if name == "wait":
        await anyio.sleep_forever()
    return Answer("", f"{name} {args}", ok=name == "echo")


if __name__ == "__main__":
    tools = [ToolSpec(name, f"To {name}.", OBJECT) for name in ("echo", "wait")]
    asyncio.run(ToolDoor(tools, use, Guide("Do as you are told.")).stdio())
    sys.stderr.write("over\n")
