"""`bythebook show` of a deliverables run."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec.structs import replace
from rich.console import RenderableType
from rich.text import Text

from bythebook.cli import paper
from bythebook.cli.reading import bench
from bythebook.cli.speak import emit, page
from bythebook.deliverables.evidence.locators import encoded
from bythebook.errors import UsageError
from bythebook.report.delivery import Deed, Delivery, brief, delivery, told
from bythebook.report.story import placed
from bythebook.trace import read_trace
from bythebook.verdict import Finding

AROUND = 2
LONG = 300
"""Most characters of an answer or of an item's reasons; --at and --json show all."""
CALL = 160
MOST = 20
"""Names shown of a list of files."""


def show(run: Path, at: int | None, *, as_json: bool) -> None:
    """The run judged anew, for people or for programs; `at`: one event in full."""
    place, folder = placed(run)
    trace = read_trace(place.trace)
    counts = trace.closing is not None and trace.closing.outcome.counts
    verdict = bench(folder).verdict(trace, place, folder.plan) if counts else None
    found = delivery(place, trace, verdict)
    shown = found if at is None else _around(found, at)
    if as_json:
        emit(shown)
    else:
        paper.show(page(), _page(shown, at))


def _around(found: Delivery, at: int) -> Delivery:
    if at >= len(found.steps):
        events = f"its events are 0 to {len(found.steps) - 1}" if found.steps else "it has none"
        raise UsageError(f"there is no event {at}; {events}", where=found.run)
    return replace(found, steps=found.steps[max(0, at - AROUND) : at + AROUND + 1])


def _page(found: Delivery, at: int | None) -> Iterator[RenderableType]:
    yield from _head(found)
    if at is None:
        yield _steps(step for step in found.steps if step.kind != "note")
        yield from _handed(found)
        yield _items(found)
        return
    for step in found.steps:
        yield from _whole(step) if step.i == at else (_steps([step]),)


def _head(found: Delivery) -> Iterator[RenderableType]:
    yield Text.assemble((found.task, "bold"), f"  agent {found.agent}  {found.run}")
    if found.outcome is None:
        yield Text("in flight: no outcome and no verdict yet")
    else:
        says = f": {found.says}" if found.says else ""
        yield Text(paper.clean(f"{found.outcome}{says}"))
        yield Text(_score(found) if found.judged else "this attempt does not count: no verdict")
    yield Text("")


def _score(found: Delivery) -> str:
    one = found.delivered
    if one is None:
        return ""
    low, high = f"{100 * one.low:.1f}", f"{100 * one.high:.1f}"
    score = low if low == high else f"{low} - {high}"
    success = {None: "open", True: "yes", False: "no"}
    words = f"score {score}  success {success[found.success]}  all core {success[one.all_core]}"
    judge = f"  judge {one.judge}" if one.judge else ""
    return f"{words}  weight: checks {one.checks}, judges {one.judges}, void {one.void}{judge}"


def _steps(steps: Iterable[Deed]) -> RenderableType:
    rows: list[tuple[str | Text, ...]] = []
    for step in steps:
        turn = "" if step.turn is None else str(step.turn)
        rows.append((str(step.i), turn, step.who, _done(step)))
    return paper.table(("event", "turn", "who", "what"), rows) if rows else Text("")


def _done(step: Deed) -> Text:
    if step.kind == "message":
        return Text(f'"{_cut(str(step.args.get("text", "")), LONG)}"')
    line = Text.assemble((_cut(step.name, CALL), "bold"), f" {_cut(brief(step.args), CALL)}")
    if step.kind == "call":
        style = "dim" if step.ok else "red"
        line.append(f"\n  {'' if step.ok else 'refused: '}{_cut(str(step.result), LONG)}", style)
    return line


def _handed(found: Delivery) -> Iterator[RenderableType]:
    yield Text("")
    handed = found.handed
    files = [f"{encoded(file.name)} ({file.size:,} bytes)" for file in handed.files]
    yield Text(paper.clean(f"handed over: {_some(files, ', ') or 'nothing'}"))
    refused = [f"not taken: {encoded(one.name)}: {one.why}" for one in handed.refused]
    if refused:
        yield Text(paper.clean(_some(refused, "\n")), style="red")
    if handed.litter:
        yield Text(paper.clean(f"left out as litter: {_some(map(encoded, handed.litter), ', ')}"))
    for change in found.inputs_touched:
        yield Text(paper.clean(f"input {change.what}: {encoded(change.name)}"), style="yellow")
    yield Text("")


def _some(parts: Iterable[str], between: str) -> str:
    """The first of them, and how many more there are; --json shows all."""
    lines = list(parts)
    more = [f"and {len(lines) - MOST:,} more"] if len(lines) > MOST else []
    return between.join((*lines[:MOST], *more))


def _items(found: Delivery) -> RenderableType:
    said = found.conversations
    rows = [
        (item.id, item.level, _mark(item), _told(item, said.get(item.id, "")))
        for item in found.items
    ]
    return paper.table(("item", "level", "", "what it says"), rows) if rows else Text("")


def _mark(item: Finding) -> Text:
    style = {"pass": "green", "fail": "bold red", "void": "yellow"}[item.verdict]
    return Text(item.verdict, style=style)


def _told(item: Finding, conversation: str) -> Text:
    """`conversation`: the file with what a model judge was told and said."""
    text = Text(_cut(item.says, LONG))
    judged = item.by not in ("check", "screen")
    if item.verdict != "pass" or judged:
        more = [_cut(part, LONG) for part in (*told(item), item.why) if part]
        text.append(f"\n  {'; '.join(more)}", style="dim")
    if conversation and judged:
        text.append(f"\n  judged in {paper.clean(conversation)}", style="dim")
    return text


def _whole(step: Deed) -> Iterator[RenderableType]:
    """All that an event holds."""
    yield Text("")
    turn = "" if step.turn is None else f", turn {step.turn}"
    yield Text(paper.clean(f"event {step.i}{turn}, {step.who}: {step.name}"), style="bold")
    if step.args:
        yield paper.fields(step.args)
    if step.kind == "call":
        yield Text("answer" if step.ok else "refused", style="bold")
        yield Text(paper.clean(str(step.result)))
    yield Text("")


def _cut(text: str, most: int) -> str:
    clean = paper.clean(" ".join(text.split()))
    return clean if len(clean) <= most else f"{clean[: most - 3]}..."
