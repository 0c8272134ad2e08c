"""A seat's tools over MCP, for whatever program plays from it.

door = tool_door(seat, failed)
await door.stdio()                 # or `door.app`, served by HTTP
"""

from collections.abc import Callable
from typing import Any

from bythebook.errors import UsageError
from bythebook.gateway.tools import Guide, Page, ToolDoor
from bythebook.models.types import Answer
from bythebook.serve.seat import Response, Seat, View

BRIEFING, STANDING = "desk://briefing", "desk://standing"
WHOLE = f"All of this is in the prompt `begin` and in the resource {BRIEFING}."
"""Goes first: some clients show their model no more than the beginning."""
HEARD = "The customer hears nothing but what you send with `message_customer`."


def tool_door(seat: Seat, failed: Callable[[str], None]) -> ToolDoor:
    """The door to a seat's tools. `failed` hears of our own failures."""

    async def use(name: str, args: dict[str, Any]) -> Answer:
        # Not put into a thread: a call is made whole, whatever becomes of its client.
        try:
            response = seat.call(name, args)
        except UsageError as over:
            return Answer("", over.what, ok=False)
        except Exception as error:
            failed(str(error))
            raise
        return Answer("", _text(response), ok=response.ok)

    return ToolDoor(seat.view().tools, use, _guide(seat))


def _text(response: Response) -> str:
    if response.outcome is None:
        return response.text
    return f"{response.text}\n\nThe run is over: {response.outcome}."


def _guide(seat: Seat) -> Guide:
    briefing = _briefing(seat.view())
    what = Page(BRIEFING, "briefing", "What is asked, and by what rules.", lambda: briefing)
    where = Page(
        STANDING,
        "standing",
        "The conversation so far, and where things stand.",
        lambda: _standing(seat.view()),
    )
    return Guide(f"{WHOLE}\n\n{briefing}", briefing, (what, where))


def _briefing(view: View) -> str:
    return "\n\n".join([view.instructions, HEARD, "# The customer writes", view.request.strip()])


def _standing(view: View) -> str:
    return f"# The conversation so far\n\n{view.said}\n\n# Where things stand\n\n{view.standing}"
