"""`bythebook build conduct-task`: from procedures to a draft task, stage by stage, gate by gate."""

from pathlib import Path
from typing import Any

import click
import msgspec
from msgspec import Struct
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bythebook.build.conduct import gates
from bythebook.build.conduct.build import NOTED, STAGES, STEPS, Built, build
from bythebook.build.conduct.pilots import note_pilots
from bythebook.build.conduct.place import Place, opened
from bythebook.build.conduct.work import Work
from bythebook.build.ledger import Decided, Kind, Ledger, Ruling
from bythebook.build.mind import Mind
from bythebook.build.stages import Building
from bythebook.cli.build_mind import WHO, earlier_answer, going_on, mind_of, minded
from bythebook.cli.options import as_json, asked, common
from bythebook.cli.speak import emit, people, tell
from bythebook.errors import UsageError, suggestion
from bythebook.run.durable import on_disk, only_one

SHOWN = 30
"""Most findings of one kind that people are shown; --json lists all."""
GATE_NAMES = tuple(gate.name for gate in gates.GATES)
FOLDERS = (*STAGES, *NOTED, gates.CONTENT)
DECISIONS: tuple[Decided, ...] = ("pass", "return", "discard", "waive")
MARKS = {
    "done": "[green]done[/]",
    "edited": "[green]done[/], edited by hand",
    "waits": "[yellow]waits[/]",
    "wrong": "[bold red]wrong[/]",
    "no reader": "[yellow]waits[/] for a second reader",
    "not yet": "-",
}
CONTENT_PATH = click.Path(path_type=Path)


class Ask(Struct, frozen=True, kw_only=True):
    """What was asked for, option by option."""

    sops: tuple[str, ...]
    to: Path
    task_id: str
    author: str
    model: str | None
    reviewer: str | None
    base_url: str
    key_variable: str | None
    max_tokens: int
    concurrency: int
    remake: tuple[str, ...]
    keep: tuple[str, ...]
    ask_again: tuple[str, ...]
    until: str
    pilots: tuple[Path, ...]
    decide: str
    who: str
    kind: Kind
    years: int | None
    domain: str
    why: str
    as_json: bool

    def mind(self, model: str | None, folder: Path) -> Mind | None:
        reach = (self.base_url, self.key_variable, self.max_tokens, self.concurrency)
        return mind_of(folder, model, *reach)


@click.command("conduct-task")
@click.argument("sops", nargs=-1, metavar="[SOP]...")
@click.option("--to", required=True, metavar="DIR", type=CONTENT_PATH, help="The building place.")
@click.option("--task", "task_id", default="", metavar="ID", help="Of the new task, at the start.")
@minded
@click.option("--reviewer", metavar="M", help=f"The second reader, who did not write it: {WHO}")
@click.option("--author", default="", metavar="NAME", help="Who writes, if not named by --model.")
@click.option("--remake", multiple=True, metavar="STAGE", help="Make it anew; puts edits aside.")
@click.option("--keep", multiple=True, metavar="STAGE", help="Its edited files stand as they are.")
@click.option("--ask-again", multiple=True, metavar="STAGE", help="Put its answers aside.")
@click.option("--until", default="", metavar="STAGE", help="Stop after this stage.")
@click.option(
    "--pilots",
    multiple=True,
    metavar="RUNS",
    type=CONTENT_PATH,
    help="Note what agents made of it.",
)
@click.option("--decide", default="", metavar="GATE=DECISION", help="pass, return, discard, waive.")
@click.option("--who", default="", metavar="NAME", help="Who decides.")
@click.option("--kind", type=click.Choice(["expert", "person", "model"]), default="person")
@click.option("--years", type=click.IntRange(0), help="An expert's, of work in the domain.")
@click.option("--domain", default="", help="An expert's.")
@click.option("--why", default="", metavar="TEXT", help="The reason, for the ledger.")
@as_json
@common
def command(**given: Any) -> int:
    """Build a draft task from procedures: SOP is an id of the company's, or a file.

    DIR holds the stages as files to read and edit, the draft (DIR/content) and the ledger. Give the
    same command again to go on, without SOP. Exits with 1 while something waits or a gate is open.
    """
    ask = Ask(**given)
    author = ask.mind(ask.model, ask.to)
    name = ask.author or (author.name if author is not None else "")
    with going_on(), on_disk(ask.to), only_one(ask.to / gates.CONTENT):
        place = opened(ask.to, ask.task_id, ask.sops, name, asked().roots)
        if ask.decide:
            return _decide(place, ask)
        if author is None:
            raise UsageError("who is to be asked?", hint=f"--model {WHO}")
        work = _work(place, ask, author)
        if ask.pilots:
            tell(escape(note_pilots(work, ask.pilots)))
        built = build(work, asked().roots, until=_stage(ask.until) if ask.until else "")
    if ask.as_json:
        emit(msgspec.to_builtins(built) | {"done": built.done})
    _tell(built)
    return 0 if built.done else 1


def _work(place: Place, ask: Ask, author: Mind) -> Work:
    reader = ask.mind(ask.reviewer, place.root / "reviewer")
    if reader is not None and (ask.reviewer == ask.model or reader.name == author.name):
        hint = "name somebody else as --reviewer: another model, or another person's folder"
        raise UsageError("the second reader is the author", hint=hint)
    again = [_stage(name) for name in ask.ask_again]
    anew = frozenset((*map(_stage, ask.remake), *again))
    work = Work(place, Building(place.root, anew, frozenset(map(_stage, ask.keep))), author, reader)
    for stage in again:
        _forget(work, stage)
    return work


def _stage(name: str) -> str:
    """A stage's folder by its name, with or without the number."""
    fits = [stage for stage in FOLDERS if name in (stage, stage.partition("-")[2])]
    if not fits:
        raise UsageError(f"no stage {name!r}", hint=suggestion(name, FOLDERS))
    return fits[0]


def _forget(work: Work, stage: str) -> None:
    step = next((step for step in STEPS if step.name == stage), None)
    if step is None:
        raise UsageError(f"nothing is asked for {stage}", hint=f"--remake {stage} makes it anew")
    mind = work.reader if step.reader else work.author
    if mind is not None:
        tell(f"{mind.forget(stage)} answer(s) of {stage} put aside")


def _decide(place: Place, ask: Ask) -> int:
    gate, _, decision = ask.decide.partition("=")
    if gate not in GATE_NAMES:
        raise UsageError(f"no gate {gate!r}", hint=suggestion(gate, GATE_NAMES))
    decided = next((one for one in DECISIONS if one == decision), None)
    if decided is None:
        raise UsageError(f"{decision!r} is no decision", hint=suggestion(decision, DECISIONS))
    ruling = Ruling(
        gate=gate, decided=decided, who=ask.who, kind=ask.kind, why=ask.why,
        years=ask.years, domain=ask.domain,
    )  # fmt: skip
    made = Ledger(place.root).decide(gates.matter_of(place), ruling)
    if ask.as_json:
        emit(made)
    tell(escape(f"{gate}: {decision}, line {made.n} of {place.root / 'ledger.jsonl'}"))
    return 0


# --- for people ---------------------------------------------------------------------------------


def _tell(built: Built) -> None:
    console = people()
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("stage", no_wrap=True)
    table.add_column("stands")
    for line in built.stages:
        table.add_row(line.stage, MARKS[line.state])
    for name, standing in built.gates.items():
        mark = "[green]" if standing.holds else "[yellow]"
        table.add_row(f"gate: {name}", f"{mark}{standing.state}[/]")
    console.print(table)
    for text in built.steps_without_tool:
        console.print(f"no tool does {escape(text)}")
    _tell_findings(console, built)
    _tell_next(console, built)


def _tell_findings(console: Console, built: Built) -> None:
    for line in (line for line in built.stages if line.state == "wrong"):
        for text in line.says[:SHOWN]:
            console.print(f"[bold red]wrong[/] {line.stage}: {escape(text)}")
    if built.lacks:
        console.print(f"the draft lacks {', '.join(built.lacks)}")
    if built.loads:
        console.print(f"[bold red]the draft does not load[/] {escape(built.loads)}")
    for text in built.unproved[:SHOWN]:
        console.print(f"[bold red]unproved[/] {escape(text)}")
    for name, standing in built.gates.items():
        if standing.state in ("returned", "lapsed", "waived"):
            console.print(f"gate {name}: {escape(standing.says)}")


def _tell_next(console: Console, built: Built) -> None:
    """The next move."""
    open_ = next((one for one in built.stages if not one.done), None)
    if open_ is None:
        if built.done:
            folder = Path(built.draft)
            content = folder.parents[2]
            console.print(f"the task stands in {escape(str(folder))}")
            console.print(
                f"play it:  bythebook run conduct --task {built.task} "
                f"--agent shortcut --content {escape(str(content))}"
            )
        return
    if open_.state == "waits":
        for place in open_.says:
            console.print(f"a question waits: {escape(place)}/prompt.md{earlier_answer(place)}")
        for text in open_.anew[:SHOWN]:
            console.print(f"asked again, since the earlier answer holds no longer: {escape(text)}")
        console.print("write answer.yaml beside it, then give the command again")
    elif open_.state == "wrong":
        console.print(f"mend what stands in {escape(open_.place)}, then give the command again")
    elif open_.state == "no reader":
        console.print(
            "name somebody who did not write the task: --reviewer PROVIDER:NAME or hand:DIR"
        )
