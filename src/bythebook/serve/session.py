"""One run played call by call, by whoever sits at it: a person, a program, a server's client.

The journal is the truth. A session opened on a journal in flight makes the agent's calls again and
compares every event with the line that was kept, byte for byte; what a killed process did not get
to write is written then.
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Literal

import msgspec

from bythebook.agents.protocol import Answer, Call, Move, ToolSpec
from bythebook.conduct.criteria import SceneFile, score
from bythebook.conduct.customer.scripted import ScriptedVoice
from bythebook.conduct.play import at_once
from bythebook.conduct.task import ConductTask
from bythebook.errors import BythebookError, CompanyError, TraceError, UsageError
from bythebook.run.attempt import Terms, opened
from bythebook.run.durable import on_disk
from bythebook.run.folder import RunFolder
from bythebook.serve.seat import Response, Said, View
from bythebook.trace import Closing, Event, Journal, Outcome, Trace, parse_trace, read_trace

MESSAGE = "message_customer"
MORE = "Business tools are offered by their own names, too; either way is right."


class Session:
    """A run in its folder, open at the point where its journal ends."""

    def __init__(
        self,
        task: ConductTask,
        terms: Terms,
        place: RunFolder,
        scene_file: SceneFile,
        *,
        more: tuple[ToolSpec, ...] = (),
    ) -> None:
        """`more`: business tools that are offered by their own names, beside the base tools.

        Raises `TraceError` when the journal is not what its calls come to today.
        """
        self.task, self.terms, self.place = task, terms, place
        self._more = more
        self._scene_file = scene_file
        self._journal: Journal | None = None
        self._closed: Outcome | None = None
        self._lost = False
        """A call broke in the middle: the scene is ahead of the journal."""
        try:
            self._open()
        except BaseException:
            self.leave()
            raise

    @property
    def outcome(self) -> Outcome | None:
        """How the run ended; None while it goes on."""
        return self._closed

    def view(self) -> View:
        self._catch_up()
        briefing, world = self.scene.briefing, self.scene.world
        said = (e for e in self.scene.events if e.kind == "message" or e.name == MESSAGE)
        return View(
            instructions="\n\n".join([briefing.instructions, *([MORE] if self._more else [])]),
            request=briefing.request,
            tools=briefing.tools + self._more,
            conversation=tuple(_said(event) for event in said if event.ok),
            day=world.day,
            clock=world.clock_at(world.t),
            t=world.t,
            calls=self.scene.calls,
            outcome=_words(self.outcome),
        )

    def call(self, name: str, args: Mapping[str, Any]) -> Response:
        """Let the player use one tool. Raises `UsageError` when the run is over."""
        self._catch_up()
        if self.outcome is not None:
            raise UsageError(f"the run is over: {self.outcome}", where=self.place.root)
        first, size = len(self.scene.events), self.place.trace.stat().st_size
        try:
            with on_disk(self.place.trace):
                answer = self._watched(Call(name, dict(args)))
                if self.scene.outcome is not None:
                    self._close(self.scene.close())
        except BythebookError:
            self._take_back(size)
            raise
        return self._response(answer, self.scene.events[first:])

    def leave(self) -> None:
        """Let go of the journal; the run can be gone on with."""
        journal, self._journal = self._journal, None
        if journal is not None:
            # What a full disk did not take was said when it happened.
            with suppress(OSError):
                journal.__exit__(None, None, None)

    # --- inside -----------------------------------------------------------------------------

    def _catch_up(self) -> None:
        if self._lost:
            self._open()

    def _open(self) -> None:
        self.leave()
        trace, self._kept, size = _kept(self.place)
        closing = trace.closing
        self._closed = closing.outcome if closing is not None else None
        self._lost = False
        with on_disk(self.place.trace):
            if closing is None:
                self._journal = Journal(self.place.trace, trace.header, kept=size)
            self._replay(trace)
            if closing is None and self.scene.outcome is not None:
                self._close(self.scene.close())
            elif closing is not None and closing.outcome.counts:
                self._judge()

    def _replay(self, trace: Trace) -> None:
        self._voice = ScriptedVoice(self.task.scenario)
        self.scene = opened(self.task, self.terms, self._record)
        if self.terms.condition.facts:
            self._voice.tell_all(self.scene.hands)
        for event in trace.events:
            if event.kind == "call" and self.scene.outcome is None:
                args = msgspec.json.decode(event.args)
                # Wrapped, so that a recorded `call_tool` is not unwrapped a second time.
                self._play(Call("call_tool", {"name": event.name, "arguments": args}))

    def _record(self, event: Event) -> None:
        """Keep a new event; hold one that was kept before against its line."""
        if event.i >= len(self._kept):
            if self._journal is not None:
                self._journal.append(event)
        elif msgspec.json.encode(event) != self._kept[event.i]:
            raise TraceError(
                f"event {event.i} would be another one today",
                where=self.place.trace,
                hint="the company, the task or bythebook changed since; begin a new run",
            )

    def _watched(self, call: Call) -> Answer:
        """Make a call. When the company's own code breaks the run is over and does not count."""
        try:
            return self._play(call)
        except CompanyError as error:
            self._close(Outcome("infrastructure_failure", "company", str(error)))
            return Answer("", "a tool of the company broke; this run does not count", ok=False)

    def _play(self, call: Call) -> Answer:
        scene, answer = self.scene, Answer("", "", ok=False)
        for made in scene.accept(Move((call,))):
            answer = scene.take(made)
            if scene.turn is not None:
                answer = scene.hear(at_once(self._voice.answer(scene.turn, scene.hands)), answer)
        return answer

    def _take_back(self, size: int) -> None:
        """Undo a call that the disk did not take whole: the journal is cut to its old size."""
        self.leave()
        with suppress(OSError):
            os.truncate(self.place.trace, size)
        self._lost = True

    def _close(self, outcome: Outcome) -> None:
        events = self.scene.events
        self._closed = outcome
        if self._journal is not None:
            self._journal.close(Closing(outcome, len(events), events[-1].h))
        if outcome.counts:
            self._judge()

    def _judge(self) -> None:
        if not self.place.verdict.exists():
            self.place.keep(score(read_trace(self.place.trace), self._scene_file))

    def _response(self, answer: Answer, events: list[Event]) -> Response:
        made = next((event for event in events if event.kind == "call"), None)
        said = [event for event in events if (event.kind, event.actor) == ("message", "customer")]
        return Response(
            ok=answer.ok,
            result=_plain(made.result) if made and self._counts else answer.text,
            customer=said[-1].args["text"] if said else None,
            outcome=_words(self.outcome),
        )

    @property
    def _counts(self) -> bool:
        return self.outcome is None or self.outcome.counts


def _kept(place: RunFolder) -> tuple[Trace, list[bytes], int]:
    """The journal, its events' lines, and the size of all its whole lines."""
    with on_disk(place.trace):
        data = place.trace.read_bytes()
    trace = parse_trace(data, where=place.trace)
    whole = data[: data.rfind(b"\n") + 1]
    return trace, whole.split(b"\n")[1 : len(trace.events) + 1], len(whole)


def _said(event: Event) -> Said:
    who: Literal["agent", "customer"] = "agent" if event.actor == "agent" else "customer"
    return Said(who, str(event.args["text"]), event.t)


def _words(outcome: Outcome | None) -> str | None:
    return None if outcome is None else str(outcome)


def _plain(result: Any) -> Any:
    """As it comes out at a client's end."""
    return msgspec.json.decode(msgspec.json.encode(result))
