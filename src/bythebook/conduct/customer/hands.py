"""How a voice acts: through the customer's tools, each use an event in the trace."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import msgspec

from bythebook.conduct.consent import Amendment, ApprovalRequest
from bythebook.conduct.customer.tools import CUSTOMER, Policy
from bythebook.conduct.world import World
from bythebook.tool import Refused


class Said(msgspec.Struct, frozen=True):
    """The agent wrote to the customer."""

    text: str


class Filed(msgspec.Struct, frozen=True):
    """The agent filed a request for the customer to decide."""

    request: ApprovalRequest | Amendment


Turn = Said | Filed


class Voice(Protocol):
    """Whoever speaks for the customer: a script, or a model."""

    name: str

    async def answer(self, turn: Turn, hands: "CustomerHands") -> str:
        """What the customer says now; what they do, they do through `hands`.

        Raises `SimulatorError` when the voice, or its provider, breaks.
        """
        ...

    def tell_all(self, hands: "CustomerHands") -> None:
        """Tell everything before the first move, papers included."""
        ...


Record = Callable[[str, Mapping[str, Any], bool, Any], None]
"""name, arguments, ok, result: puts one customer event into the trace."""
Note = Callable[[str, Mapping[str, Any]], None]
"""name, arguments: puts book-keeping about the customer into the trace; no rule sees it."""


def unnoted(name: str, args: Mapping[str, Any]) -> None:
    """A `Note` that nobody keeps."""


class CustomerHands:
    """The customer's ten tools on one running world."""

    def __init__(
        self, world: World, scenario: Policy, record: Record, note: Note = unnoted
    ) -> None:
        self.world, self.scenario, self.note = world, scenario, note
        self._record = record
        self.left: str = ""
        """Why the customer ended the conversation; empty while they stay."""

    def act(self, name: str, /, **args: Any) -> tuple[bool, Any]:
        """Use one tool. Returns whether it was done, and its result or the refusal."""
        tool = CUSTOMER[name]
        try:
            result = tool.run(self, **tool.check(args))
        except Refused as refusal:
            self.world.undo()
            self._record(name, args, False, str(refusal))
            return False, str(refusal)
        self._record(name, args, True, result)
        if name == "end_conversation":
            self.left = str(args["reason"])
        return True, result
