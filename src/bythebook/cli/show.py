"""`bythebook show`: one run to read, event by event."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click
from msgspec.structs import replace
from rich.console import RenderableType
from rich.text import Text

from bythebook.cli import paper
from bythebook.cli.options import as_json, common
from bythebook.cli.speak import emit, page
from bythebook.errors import UsageError
from bythebook.report.story import Change, Step, Story, placed, story
from bythebook.serve.seat import Response
from bythebook.trace import read_trace
from bythebook.verdict import Finding

AROUND = 2
"""Events shown before and after the one of --at."""
LONG, SHORT = 600, 40
"""Most characters of what was said, and of one value, in the story; --at shows all."""
CALL = 110
"""Most characters of a call's arguments, or of a new row."""


@click.command("show")
@click.argument("run", metavar="RUN", type=click.Path(path_type=Path))
@click.option("--at", type=click.IntRange(0), metavar="N", help="This event in full.")
@as_json
@common
def command(run: Path, at: int | None, as_json: bool) -> int:
    """Show what happened in RUN (a run's folder, or its trace.jsonl), and where rules broke.

    The run is judged anew, under the rules that it was played with. One that is still in flight is
    shown as far as it went.
    """
    if read_trace(placed(run)[0].trace).header.suite == "deliverables":
        # What reads office files is loaded only by who needs it.
        from bythebook.cli.delivery import show

        show(run, at, as_json=as_json)
        return 0
    found = story(run)
    shown = found if at is None else _around(found, at)
    if as_json:
        emit(shown)
    else:
        paper.show(page(), _page(shown, at))
    return 0


def _around(found: Story, at: int) -> Story:
    """The story of one event and its neighbours."""
    if at >= len(found.steps):
        events = f"its events are 0 to {len(found.steps) - 1}" if found.steps else "it has none"
        raise UsageError(f"there is no event {at}; {events}", where=found.run)
    return replace(found, steps=found.steps[max(0, at - AROUND) : at + AROUND + 1])


def _page(found: Story, at: int | None) -> Iterator[RenderableType]:
    yield from _head(found)
    if at is None:
        yield _events(step for step in found.steps if step.kind != "note" or step.broken)
        for finding in found.broken_at_end:
            yield Text.assemble("at the end: ", *_mark(finding))
        return
    yield _events(step for step in found.steps if step.i < at)
    for step in found.steps:
        if step.i == at:
            yield from _whole(step)
    yield _events(step for step in found.steps if step.i > at)


# --- the head -----------------------------------------------------------------------------------


def _head(found: Story) -> Iterator[RenderableType]:
    condition = f", condition {found.condition}" if found.condition != "default" else ""
    yield Text.assemble((found.task, "bold"), f"  agent {found.agent}{condition}  {found.run}")
    if found.outcome is None:
        yield Text("in flight: no outcome and no verdict yet")
        yield Text("")
        return
    says = f": {found.says}" if found.says else ""
    yield Text(paper.clean(f"{found.outcome}{says}"))
    if found.judged:
        yield _verdict(found)
    else:
        yield Text("this attempt does not count, so it has no verdict")
    yield Text("")


def _verdict(found: Story) -> Text:
    line = Text()
    for kind in ("goal", "process", "protection", "strict"):
        held: bool | None = getattr(found, kind)
        word = "void" if held is None else "held" if held else "broken"
        line.append(f"{kind} ").append(f"{word}  ", "bold red" if held is False else "bold")
    line.rstrip()
    return line


# --- the story ----------------------------------------------------------------------------------


def _events(steps: Iterable[Step]) -> RenderableType:
    rows: list[tuple[str | Text, ...]] = []
    day = ""
    for step in steps:
        if step.day != day:
            day = step.day
            rows.append(("", "", "", Text(day, style="bold")))
        rows.append((str(step.i), step.clock, step.who, _told(step)))
    return paper.table(("event", "clock", "who", "what"), rows) if rows else Text("")


def _told(step: Step) -> Text:
    """What was done or said; under it what changed, and what broke."""
    lines = [_done(step)]
    for change in step.changes:
        if change.table != "messages":  # its words stand in the line above
            lines.append(Text(f"  {_changed(change)}", style="dim"))
    lines += [Text.assemble(*_mark(finding)) for finding in step.broken]
    return Text("\n").join(lines)


def _done(step: Step) -> Text:
    words = step.args.get("text")
    if step.ok and isinstance(words, str) and step.name in ("message_customer", "customer"):
        style = "green" if step.who == "customer" else ""
        return Text(f'"{_cut(" ".join(words.split()), LONG)}"', style=style)
    args = " ".join(f"{name}={_brief(value)}" for name, value in step.args.items())
    line = Text.assemble((_cut(step.name, CALL), "bold"), f" {_cut(args, CALL)}".rstrip())
    if step.kind == "event":
        line.append("  (falls due)" if step.cause is None else f"  (set off by {step.cause})")
    if not step.ok:
        line.append("  refused: ", "bold red").append(_cut(paper.plain(step.result), LONG))
    return line


def _changed(change: Change) -> str:
    row = f"{change.table} {change.key}:"
    old, new = change.old, change.new
    if new is None:
        return f"{row} gone"
    if old is None:
        named = (f"{name} {_brief(value)}" for name, value in new.items() if name != "id")
        return f"{row} new, {_cut(', '.join(named), CALL)}"
    moves = (f"{name} {_brief(old.get(name))} -> {_brief(new[name])}" for name in new)
    return f"{row} {', '.join(moves)}" if new else f"{row} written, the same"


def _mark(finding: Finding) -> Iterator[tuple[str, str] | str]:
    """A broken rule: its sentence, its clause, and why it broke."""
    yield ("BROKEN " if finding.verdict == "fail" else "VOID ") + finding.id, "bold red"
    yield f" ({finding.kind}): {finding.says}"
    if finding.source:
        yield f" [{finding.source}]"
    if finding.why:
        yield f" - {finding.why}"


def _brief(value: object) -> str:
    return _cut(" ".join(paper.plain(value).split()), SHORT)


def _cut(text: str, most: int) -> str:
    clean = paper.clean(text)
    return clean if len(clean) <= most else f"{clean[: most - 3]}..."


# --- one event ----------------------------------------------------------------------------------


def _whole(step: Step) -> Iterator[RenderableType]:
    """All that an event holds."""
    yield Text("")
    where = f"event {step.i}, {step.day} {step.clock} (t={step.t}), {step.who}: "
    cause = f", brought about by event {step.cause}" if step.cause is not None else ""
    yield Text.assemble((where, "bold"), (paper.clean(step.name), "bold"), cause)
    if step.args:
        yield paper.fields(step.args)
    if step.result is not None or not step.ok:
        yield Text("answer", style="bold")
        response = Response(ok=step.ok, result=step.result)
        # Under another name than `message_customer`, whose answer players are spared.
        yield from paper.answer(step.kind, response)
    for change in step.changes:
        yield Text(f"{change.table} {change.key}", style="bold")
        yield _rows(change)
    for finding in step.broken:
        yield Text.assemble(*_mark(finding))
    yield Text("")


def _rows(change: Change) -> RenderableType:
    old, new = change.old or {}, change.new or {}
    before = "" if change.old is None else "old"
    cells = [
        (name, paper.plain(old.get(name)) if before else "", paper.plain(new.get(name)))
        for name in {**old, **new}
    ]
    return paper.table(("column", before, "new"), cells)
