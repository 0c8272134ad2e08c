"""`bythebook build sop`: from business documents to procedures, each claim with its source."""

from pathlib import Path
from typing import Any

import click
from msgspec import Struct
from rich.markup import escape
from rich.table import Table

from bythebook.build.mind import Mind
from bythebook.build.sop.build import Built, build
from bythebook.build.sop.checks import check_all, empty_stages
from bythebook.build.sop.work import (
    ASKING,
    STAGES,
    Stand,
    Ways,
    Work,
    folder_of,
    keep_ways,
    kept_work,
)
from bythebook.build.stages import Building
from bythebook.cli.build_mind import WHO, earlier_answer, going_on, mind_of, minded
from bythebook.cli.options import as_json, common
from bythebook.cli.speak import emit, people, tell
from bythebook.errors import UsageError, suggestion
from bythebook.run.durable import only_one
from bythebook.tool import is_day

SHOWN = 8
"""Most folders or files listed of one stage."""


class Ask(Struct, frozen=True, kw_only=True):
    """What was asked for, option by option."""

    sources: Path | None
    to: Path
    model: str | None
    base_url: str
    key_variable: str | None
    max_tokens: int
    concurrency: int
    only: tuple[str, ...]
    without: tuple[str, ...]
    reviewer: str | None
    plan: tuple[str, ...]
    day: str | None
    chars: int
    amounts: bool
    mapping: Path | None
    until: str | None
    remake: tuple[str, ...]
    keep: tuple[str, ...]
    ask_again: tuple[str, ...]
    check: bool
    as_json: bool

    @property
    def ways(self) -> Ways:
        if self.day is not None and not is_day(self.day):
            raise UsageError(f"--day {self.day!r} is no day such as 2025-09-25")
        return Ways(
            self.only, self.without, self.plan, self.day, self.chars, self.amounts, self.mapping
        )


@click.command("sop")
@click.argument("sources", required=False, metavar="SOURCES", type=click.Path(path_type=Path))
@click.option(
    "--to", required=True, metavar="DIR", type=click.Path(path_type=Path),
    help="The building place: one folder a stage.",
)  # fmt: skip
@minded
@click.option(
    "--only",
    multiple=True,
    metavar="PATTERN",
    help="Documents whose path or name fits, or a folder.",
)
@click.option("--without", multiple=True, metavar="PATTERN", help="Documents that are left out.")
@click.option("--reviewer", metavar="M", help="Who reviews, if not who writes (--model).")
@click.option("--plan", multiple=True, metavar="PATTERN", help="Plans that become procedures.")
@click.option(
    "--day", metavar="DAY", help="For which day; else the latest on which a document begins."
)
@click.option(
    "--chars", default=20_000, show_default=True, type=click.IntRange(1000),
    help="Most characters of documents in one question.",
)  # fmt: skip
@click.option("--amounts", is_flag=True, help="Rewrite amounts of money, too.")
@click.option(
    "--mapping", metavar="FILE", type=click.Path(path_type=Path),
    help="Originals and what stands in their place; else DIR.mapping.yaml, beside DIR.",
)  # fmt: skip
@click.option("--until", metavar="STAGE", help="Stop after this stage.")
@click.option("--remake", multiple=True, metavar="STAGE", help="Make it anew; puts edits aside.")
@click.option("--keep", multiple=True, metavar="STAGE", help="Its edited files stand as they are.")
@click.option("--ask-again", multiple=True, metavar="STAGE", help="Put its answers aside.")
@click.option("--check", is_flag=True, help="Only the checks that need nobody.")
@as_json
@common
def command(**given: Any) -> int:
    """Make procedures from a folder of documents (md, txt, html, docx, pdf).

    Stages: sources, candidates, plans, sops, review, conflicts, cleared, knowledge, names, rewrite,
    out. Each is a folder of files that may be read and edited; the same command goes on.
    """
    ask = Ask(**given)
    if ask.check:
        return checked(ask.to, as_json=ask.as_json)
    if ask.sources is None:
        raise UsageError("which documents?", hint="bythebook build sop SOURCES --to DIR")
    remake, keep, again = (
        set(map(_stage, names)) for names in (ask.remake, ask.keep, ask.ask_again)
    )
    until = _stage(ask.until) if ask.until else STAGES[-1]
    with going_on(), only_one(ask.to):
        building = Building(
            ask.to, frozenset(map(folder_of, remake)), frozenset(map(folder_of, keep))
        )
        mind, reviewer = (_mind(ask, name) for name in (ask.model, ask.reviewer))
        work = Work(ask.sources, building, mind, ask.ways, reviewer)
        for name in sorted(again):
            _forget(work, name)
        keep_ways(work)
        built = build(work, until)
    return _told(ask, built, mind.name if mind is not None else "")


def _mind(ask: Ask, model: str | None) -> Mind | None:
    reach = (ask.base_url, ask.key_variable, ask.max_tokens, ask.concurrency)
    return mind_of(ask.to, model, *reach)


def _forget(work: Work, name: str) -> None:
    """Put the answers of a stage aside; so they are asked for anew."""
    if name not in ASKING:
        raise UsageError(f"nothing is asked for {name}", hint=f"--remake {name} makes it anew")
    mind = work.asked_for(name)
    if mind is None:
        raise UsageError(f"whose answers of {name} are put aside?", hint=f"--model {WHO}")
    tell(f"{mind.forget(name)} answer(s) of {name} put aside")


def _stage(name: str) -> str:
    """A stage by its name, or by its folder's."""
    bare = name.partition("-")[2] if name[:2].isdigit() else name
    if bare not in STAGES:
        raise UsageError(f"no stage {name!r}", hint=suggestion(bare, STAGES))
    return bare


def _told(ask: Ask, built: Built, mind: str) -> int:
    if ask.as_json:
        emit({"to": str(ask.to), "mind": mind, "done": built.done, "stages": built.stages})
    else:
        people().print(_table(built.stages))
    for stand in built.stages:
        _tell_open(stand)
    if built.done:
        tell(f"done: {escape(str(ask.to / folder_of(built.stages[-1].stage)))}")
    return 0 if built.done else 1


def _table(stands: tuple[Stand, ...]) -> Table:
    table = Table("stage", "done", "waits", "wrong", "edited", "", box=None)
    for stand in stands:
        figures = ", ".join(f"{count} {name}" for name, count in stand.counts.items())
        columns = (stand.files, len(stand.waits), len(stand.wrong), len(stand.edited))
        table.add_row(stand.stage, *(str(n) if n else "" for n in columns), figures)
    return table


def _tell_open(stand: Stand) -> None:
    """What a stage waits for, and what is wrong there, with the next move."""
    for line in stand.edited[:SHOWN]:
        tell(f"[cyan]by hand:[/] {escape(folder_of(stand.stage))}/{escape(line)}")
    for note in stand.notes[:SHOWN]:
        tell(f"[yellow]note:[/] {escape(note)}")
    for where, says in list(stand.wrong.items())[:SHOWN]:
        tell(f"[red]wrong:[/] {escape(where)}")
        for line in says.splitlines():
            tell(f"  {escape(line)}")
    if stand.waits:
        tell(f"[yellow]{len(stand.waits)} answer(s) are awaited[/] for {stand.stage!r}:")
        for where in stand.waits[:SHOWN]:
            tell(f"  {escape(where)}{earlier_answer(where)}")
        more = len(stand.waits) - SHOWN
        tell(f"{f'  and {more} more; ' if more > 0 else '  '}then give the same command again")


def checked(place: Path, *, as_json: bool) -> int:
    """All checks that need nobody, of every stage there is."""
    work = kept_work(place)
    found, empty = check_all(work), empty_stages(work)
    problems = sum(len(says.splitlines()) for files in found.values() for says in files.values())
    if as_json:
        holds = problems == 0
        told = {"to": str(place), "holds": holds, "problems": problems, "empty": empty}
        emit({**told, "stages": found})
    for name, files in found.items():
        for where, says in files.items():
            tell(f"[red]{name}:[/] {escape(where)}")
            for line in says.splitlines():
                tell(f"  {escape(line)}")
    tell(f"{problems} problem(s)" if problems else "all checks hold")
    if empty:
        tell(f"nothing stands yet in {', '.join(empty)}")
    return 1 if problems else 0
