"""The company as an agent meets it: a request comes in, tools answer, rows change, time passes.

A scene turns every move into events. It raises for nothing an agent does: unknown tools, wrong
arguments and refusals are answers, and count as tool errors.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from typing import Any

import msgspec

from bythebook.agents.protocol import Answer, Briefing, Call, Move, Note
from bythebook.conduct.consent import Amendment, ApprovalRequest, Message
from bythebook.conduct.counter import BASE, Source, no_such
from bythebook.conduct.customer.hands import CustomerHands, Filed, Said, Turn
from bythebook.conduct.instructions import briefing as briefed
from bythebook.conduct.source import CompanySource
from bythebook.conduct.task import ConductTask
from bythebook.conduct.world import Due, World
from bythebook.tool import Refused, Tool, fold, unbroken
from bythebook.trace import Actor, Event, Kind, Outcome

EMPTY_TURNS = 2
MOST_WORDS = 60
"""Messages in a row, nothing done between them, before any customer leaves: twice what it takes to
ask for all they know, fact by fact. Without it who says goodbye again and again would never end."""
PLAY_OUT = 10_000
"""Most scheduled events played out after the agent has finished."""


@dataclass(frozen=True)
class Limits:
    """When a run is cut off; each cut is the outcome `limit(kind)`. None means no limit."""

    tool_errors: int | None = 50
    tool_calls: int | None = None
    steps: int | None = None


class Scene:
    """One run of one task, open."""

    def __init__(
        self,
        task: ConductTask,
        *,
        limits: Limits = Limits(),
        source: Source | None = None,
        record: Callable[[Event], None] | None = None,
        briefing: Briefing | None = None,
    ) -> None:
        self.task, self.limits = task, limits
        self._briefing = briefing
        self.world = World(task.opening)
        self.source: Source = source or CompanySource(task.company)
        self.events: list[Event] = []
        self.outcome: Outcome | None = None
        self.turn: Turn | None = None
        self.calls = self.errors = 0
        self._steps = self._empty = self._words = 0
        self._record = record
        self.hands = CustomerHands(
            self.world, task.scenario, self._customer_did, self._customer_noted
        )
        self._open()

    def _open(self) -> None:
        for event in self.task.file.events:
            self.world.schedule(event.event, due=event.t, **event.args)
        self._emit("customer", "message", "customer", {"text": self.task.file.request})

    @property
    def briefing(self) -> Briefing:
        """What the agent is shown first."""
        return self._briefing or briefed(self.task)

    # --- the agent's side -------------------------------------------------------------------

    def accept(self, move: Move) -> Iterator[Call]:
        """The calls of a move, in order, while the run goes on. Plain text is a message."""
        self._steps += 1
        self.note(move.notes)
        calls = move.calls
        if not calls and move.text.strip():
            calls = (Call("message_customer", {"text": move.text}),)
        self._empty = 0 if calls else self._empty + 1
        if self._empty >= EMPTY_TURNS:
            self._end("completed", "finished", "the agent had nothing more to say")
        for call in calls:
            if self.outcome is None:
                yield call
        if self.limits.steps is not None and self._steps >= self.limits.steps:
            self._end("limit", "steps", f"{self._steps} steps")

    def note(self, notes: Iterable[Note]) -> None:
        """Record what is to be known of the agent's last move, and no rule can see."""
        for note in notes:
            self._emit("agent", "note", note.name, fold(note.args), move=self._steps)

    def take(self, call: Call) -> Answer:
        """Let the agent use one tool. If the customer has to answer, `turn` says to what."""
        cap = self.limits.tool_calls
        if cap is not None and self.calls >= cap:
            self._end("limit", "tool_calls", f"{cap} calls were allowed")
            return Answer(call.id, "no more calls are allowed", ok=False)
        self.calls += 1
        name, args, tool = self._unwrap(call)
        ok, result = self._run(tool, name, args)
        event = self._emit("agent", "call", name, args, ok=ok, result=result, move=self._steps)
        if ok:
            self._after(tool, event, args)
        else:
            self._failed()
        return Answer(call.id, _shown(result), ok=ok)

    def hear(self, said: str, answer: Answer) -> Answer:
        """Put the customer's reply into the trace and into the agent's answer."""
        self.turn, said = None, fold(said)
        self.world[Message].add(who="customer", text=said, t=self.world.t)
        self._emit("customer", "message", "customer", {"text": said}, cause=self.world.cause)
        if self.hands.left:
            self._end("completed", "customer_left", self.hands.left)
        if self._words >= MOST_WORDS:
            says = f"{self._words} messages in a row, and nothing done between them"
            self._end("completed", "customer_left", says)
        self._pass_time()
        shown = f"{answer.text}\nThe customer: {said}"
        return Answer(answer.id, shown, ok=answer.ok)

    def close(self) -> Outcome:
        """Play out what is scheduled and say how the run ended."""
        for _ in range(PLAY_OUT):
            if not self.world.heap:
                break
            self._advance(self.world.heap[0].due)
        return self.outcome or Outcome("completed", "finished")

    def stop(self, outcome: Outcome) -> None:
        """End the run from outside: a limit of the runner, or a failure that is not the agent's."""
        self.outcome = self.outcome or outcome

    def fork(self) -> "Scene":
        """An independent copy of this moment, recorded nowhere: to see what a call would do."""
        twin = copy(self)
        twin.world, twin.events, twin._record = self.world.fork(), list(self.events), None
        twin.hands = CustomerHands(
            twin.world, self.task.scenario, twin._customer_did, twin._customer_noted
        )
        twin.hands.left = self.hands.left
        return twin

    # --- inside -----------------------------------------------------------------------------

    def _unwrap(self, call: Call) -> tuple[str, Mapping[str, Any], Tool | None]:
        """The tool that is meant: `call_tool` stands for the business tool it names."""
        name, args = call.name, call.args
        if name == "call_tool" and isinstance(args.get("name"), str):
            inner = args.get("arguments", {})
            name = args["name"]
            args = inner if isinstance(inner, dict) else {"arguments": inner}
        tool = BASE.get(name) or self.task.company.tools.get(name)
        return fold(name), fold(args), tool

    def _run(self, tool: Tool | None, name: str, args: Mapping[str, Any]) -> tuple[bool, Any]:
        if tool is None or tool.name == "call_tool":
            names = [*BASE, *self.task.company.tools]
            refusal = no_such("tool", name, names) if tool is None else "name: which tool?"
            return False, str(refusal)
        self.world.cause = len(self.events)
        try:
            if tool.retired:
                raise Refused(f"{name} is retired; its successor is {tool.retired}")
            checked = tool.check(args)
            target = self if name in BASE else self.world
            with unbroken(f"tool {name!r}", tool.run):
                return True, tool.run(target, **checked)
        except Refused as refusal:
            self.world.undo()
            return False, str(refusal)

    def _after(self, tool: Tool | None, event: Event, args: Mapping[str, Any]) -> None:
        """What a successful call sets going: the customer's turn, time, the end."""
        self._minutes = tool.minutes if tool else 0
        self._words = self._words + 1 if event.name == "message_customer" else 0
        if event.name == "message_customer":
            self.turn = Said(str(args["text"]))
        elif (
            isinstance(event.result, ApprovalRequest | Amendment) and event.result.status == "open"
        ):
            self.turn = Filed(event.result)
        elif event.name == "wait":
            self._minutes = args["minutes"]
        elif event.name == "finish":
            self._end("completed", "finished")
        if self.turn is None:
            self._pass_time()

    def _failed(self) -> None:
        self.errors += 1
        most = self.limits.tool_errors
        if most is not None and self.errors >= most:
            self._end("limit", "tool_errors", f"{self.errors} calls were refused")

    def _pass_time(self) -> None:
        minutes, self._minutes = self._minutes, 0
        if minutes:
            self._advance(self.world.t + minutes)

    _minutes = 0

    def _advance(self, until: int) -> None:
        """Move time on; whatever falls due on the way happens in its order."""
        for due in self.world.passing(until):
            ok, result = self._happen(due)
            self._emit(
                "company", "event", due.name, due.args, cause=due.cause, ok=ok, result=result
            )

    def _happen(self, due: Due) -> tuple[bool, str | None]:
        """Let a scheduled event happen; one that the company has to refuse writes nothing."""
        run = self.task.company.events[due.name]
        try:
            with unbroken(f"event {due.name!r}", run):
                run(self.world, **due.args)
        except Refused as refusal:
            self.world.undo()
            return False, str(refusal)
        return True, None

    def _customer_did(self, name: str, args: Mapping[str, Any], ok: bool, result: Any) -> None:
        self._emit("customer", "customer", name, args, ok=ok, result=result, cause=self.world.cause)

    def _customer_noted(self, name: str, args: Mapping[str, Any]) -> None:
        self._emit("customer", "note", name, args, cause=self.world.cause)

    def _end(self, kind: Any, detail: str, says: str = "") -> None:
        self.outcome = self.outcome or Outcome(kind, detail, says)

    def _emit(
        self, actor: Actor, kind: Kind, name: str, args: Mapping[str, Any], **more: Any
    ) -> Event:
        world = self.world
        event = Event(
            len(self.events),
            world.t,
            actor,
            kind,
            name,
            args,
            writes=world.take_log(),
            h=f"{world.hash:032x}",
            **more,
        )
        self.events.append(event)
        if self._record is not None:
            self._record(event)
        return event


def _shown(result: Any) -> str:
    return result if isinstance(result, str) else msgspec.json.encode(result).decode()
