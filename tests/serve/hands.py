"""Players by hand: a golden's steps, put one by one to whatever seat there is."""

import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from bythebook.agents.protocol import Answer, Briefing, Call, Move
from bythebook.conduct.golden.cast import Scripts
from bythebook.conduct.play import at_once
from bythebook.conduct.task import ConductTask
from bythebook.run.folder import RunFolder
from bythebook.run.plan import Under
from bythebook.serve.hand import BY_HAND, Hand, begin, sitting
from bythebook.serve.seat import Response, Seat, View
from bythebook.serve.session import Session
from tests.own import BYTHEBOOK, TASK

PLAIN = Under(limits=BY_HAND)
TOKEN = "abcdefgh12"


def new_run(task: ConductTask, folder: Path, under: Under = PLAIN) -> RunFolder:
    return begin(folder, task, Hand(), under)


@contextmanager
def seated(task: ConductTask, place: RunFolder) -> Iterator[Session]:
    with sitting(place.root, lambda _: task) as session:
        yield session


class GoldenHand:
    """Plays the golden of a task, as many calls at a time as one likes."""

    def __init__(self, task: ConductTask, name: str = "golden") -> None:
        self.made: list[Call] = []
        self._agent = Scripts(task).agent(name)
        self._seen: Briefing | tuple[Answer, ...] = Briefing("", "", ())

    def play(self, seat: Seat, calls: int = 1000) -> Response | None:
        """Make the next calls; what the last one was answered."""
        response = None
        for _ in range(calls):
            move: Move = at_once(self._agent.move(self._seen))
            if not move.calls:
                break
            (call,) = move.calls
            self.made.append(call)
            response = seat.call(call.name, call.args)
            self._seen = (Answer(call.id, response.text, ok=response.ok),)
            if response.outcome is not None:
                break
        return response


@contextmanager
def served(
    own: Path | None, cwd: Path, *words: str, name: str = TASK
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server at work, and its address."""
    line = ["serve", "conduct", name, "--to", "runs", "--token", TOKEN]
    content = [] if own is None else ["--content", str(own)]
    with subprocess.Popen(
        [BYTHEBOOK, *line, *content, *(words or ["--http"])],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


class Program:
    """A program that speaks MCP, at a seat: `Seat.call` through the official client."""

    def __init__(self, portal: BlockingPortal, client: Client) -> None:
        self.portal, self.client = portal, client

    def call(self, name: str, args: Mapping[str, Any]) -> Response:
        result = self.portal.call(self.client.call_tool, name, dict(args))
        text = "".join(content.model_dump()["text"] for content in result.content)
        text, _, outcome = text.partition("\n\nThe run is over: ")
        over = outcome.removesuffix(".") or None
        return Response(ok=not result.is_error, result=text, outcome=over)

    def view(self) -> View:
        raise NotImplementedError

    def asked(self, what: str, *args: str) -> Any:
        """What the client's method of that name gives."""
        return self.portal.call(partial(getattr(self.client, what), *args))


@contextmanager
def program(server: str | StdioServerParameters, era: str = "auto") -> Iterator[Program]:
    """`server`: an address, or the program to start."""
    with (
        start_blocking_portal() as portal,
        portal.wrap_async_context_manager(Client(server, mode=era)) as client,
    ):
        yield Program(portal, client)
