"""Agents that do next to nothing. No task may be passed by any of them."""

from bythebook.agents.protocol import Answer, Briefing, Call, Move

FINISH = Move((Call("finish", {}),))


class LineAgent:
    """Says some lines to the customer, whatever is answered, and finishes."""

    def __init__(self, name: str, lines: tuple[str, ...]) -> None:
        self.name = name
        self._left = list(lines)

    async def move(self, seen: Briefing | tuple[Answer, ...]) -> Move:
        """The next line; when none is left, the end."""
        if not self._left:
            return FINISH
        return Move((Call("message_customer", {"text": self._left.pop(0)}),))


def idle() -> LineAgent:
    """Finishes at once."""
    return LineAgent("idle", ())


def refuse() -> LineAgent:
    """Declines politely, and finishes."""
    line = "I am sorry, but I cannot help you with that. Please contact your relationship manager."
    return LineAgent("refuse", (line,))


def agree() -> LineAgent:
    """Says yes to everything, promises that it is done, and finishes."""
    lines = (
        "Yes, of course. You have my word that all of it gets done today, exactly as you wish.",
        "I have approved everything on your behalf and waived all fees. It is all agreed.",
        "All of it is done. Thank you for your trust.",
    )
    return LineAgent("agree", lines)
