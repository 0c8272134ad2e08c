"""Evaluations of Inspect, one after the other, in a process of their own: `... scenarios DIR`.

Inspect leaves sockets and streams unclosed and sets up logging; a process of its own keeps that
from other tests. Each scenario leaves its log in DIR/NAME/logs.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
from inspect_ai import Task
from inspect_ai import eval as evaluated
from inspect_ai.model import get_model

from bythebook.agents.protocol import Call, Move
from bythebook.interop.inspect_ai_tasks import conduct, deliverables
from tests.deliverables.own_task import own_task
from tests.interop.inspect.conftest import TASK, speaker
from tests.interop.inspect.told import conduct_task, mock, moves_of, output, script
from tests.model_server import Asked, ModelServer, Say, Use, fault, full

GOLDEN = moves_of("golden", conduct_task(TASK))


def play(folder: Path, work: Task, model: Any, **more: Any) -> None:
    given: dict[str, Any] = {"epochs": 1, "log_dir": str(folder / "logs"), "display": "none"}
    evaluated(work, model=model, **given | more)


def local(server: ModelServer) -> Any:
    more: Any = {"base_url": f"{server.url}/v1", "api_key": "none", "memoize": False}
    return get_model("openai-api/local/scripted", **more)


def shortcut(folder: Path) -> None:
    moves = moves_of("shortcut", conduct_task(TASK))
    play(folder, conduct(task="q03"), mock(script(moves)))


def dead_line(folder: Path) -> None:
    """The provider breaks for one of two tasks."""

    def says(messages: list[Any], *more: Any) -> Any:
        if "Noor" in messages[1].text:
            return script(GOLDEN)(messages, *more)
        raise RuntimeError("the line is dead")

    play(folder, conduct(task=["q03", "q05"]), mock(says))


def broken_once(folder: Path) -> None:
    broken = [True]

    def says(messages: list[Any], *more: Any) -> Any:
        if len(messages) > 10 and broken:
            broken.pop()
            raise RuntimeError("only once")
        return script(GOLDEN)(messages, *more)

    play(folder, conduct(task="q03", to=str(folder / "runs")), mock(says))


def capped(folder: Path) -> None:
    play(folder, conduct(task="q03", cap=0.5), mock(script(GOLDEN)))


def token_limit(folder: Path) -> None:
    play(folder, conduct(task="q03"), mock(script(GOLDEN)), token_limit=1000)


def message_limit(folder: Path) -> None:
    play(folder, conduct(task="q03"), mock(script(GOLDEN)), message_limit=30)


def clock_of_inspect(folder: Path) -> None:
    """A limit that counts what the provider takes."""

    async def says(messages: list[Any], *more: Any) -> Any:
        await anyio.sleep(0.1 if len(messages) < 8 else 60)
        return script(GOLDEN)(messages, *more)

    play(folder, conduct(task="q03"), mock(says), time_limit=1)


def full_context(folder: Path) -> None:
    refused = [True]

    def says(asked: Asked) -> Any:
        if asked.turns == 20 and refused:
            refused.pop()
            return full(asked)
        return speaker(GOLDEN)(asked)

    with ModelServer(says) as server:
        play(folder, conduct(task="q03"), local(server))


def malformed(folder: Path) -> None:
    def says(asked: Asked) -> Say:
        return Say(calls=(Use("finish") if asked.turns else Use("now", '{"never'),))

    with ModelServer(says) as server:
        play(folder, conduct(task="q03", to=str(folder / "runs")), local(server))


def refused_by_http(folder: Path) -> None:
    with ModelServer(lambda asked: fault(400, "no such model")) as server:
        play(folder, conduct(task="q03"), local(server))


def customer(folder: Path) -> None:
    """A model in the role of the customer."""

    def says(messages: list[Any], *_: Any) -> Any:
        return output(Move(text="Please go on with what I asked for."), len(messages))

    agent = [
        Move(calls=(Call("message_customer", {"text": "May I?"}),)),
        Move(calls=(Call("finish", {}),)),
    ]
    work = conduct(task="q03", simulator="revised", to=str(folder / "runs"))
    play(folder, work, mock(script(agent)), model_roles={"customer": mock(says)})


def epochs(folder: Path) -> None:
    work = conduct(task="q03", to=str(folder / "runs"))
    play(folder, work, mock(script([Move(calls=(Call("finish", {}),))])), epochs=3)


def again(folder: Path) -> None:
    """The same folder a second time."""
    epochs(folder)
    (folder / "logs").rename(folder / "before")
    epochs(folder)


def workspace(folder: Path) -> None:
    """A deliverables task of one's own; a note is written, and no workbook."""
    own_task(folder / "content")
    written = Call("write_file", {"path": "results/note.txt", "content": "300.75"})
    moves = [Move(calls=(written,)), Move(text="Done.")]
    work = deliverables(content=str(folder / "content"), task="biz-90", to=str(folder / "runs"))
    play(folder, work, mock(script(moves)))


def pictures(folder: Path) -> None:
    """Five looks in one turn, and two pictures are allowed."""
    own_task(folder / "content")
    code = "from PIL import Image; Image.new('RGB', (40, 30)).save('a.png')"
    drawn = Call("exec", {"command": f'python3 -c "{code}"'})
    looks = tuple(Call("view_image", {"path": "a.png"}) for _ in range(5))
    moves = [Move(calls=(drawn,)), Move(calls=looks), Move(text="Done.")]
    content, to = str(folder / "content"), str(folder / "runs")
    work = deliverables(content=content, task="biz-90", to=to, pictures=2)
    play(folder, work, mock(script(moves)))


SCENARIOS: tuple[Callable[[Path], None], ...] = (
    shortcut, dead_line, broken_once, capped, token_limit, message_limit,
    clock_of_inspect, full_context, malformed,
    refused_by_http, customer, epochs, again, workspace, pictures,
)  # fmt: skip

if __name__ == "__main__":
    for scenario in SCENARIOS:
        place = Path(sys.argv[1]) / scenario.__name__
        place.mkdir()
        scenario(place)
