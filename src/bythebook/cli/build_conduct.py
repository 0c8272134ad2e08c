"""`bythebook build conduct-task`: from procedures to a draft task, stage by stage, gate by gate."""

from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bythebook.build.conduct import gates
from bythebook.build.conduct.construct import NOTED, STAGES, STEPS, Built, construct
from bythebook.build.conduct.pilots import note_pilots
from bythebook.build.conduct.place import Place, opened
from bythebook.build.conduct.work import Work
from bythebook.build.ledger import Decided, Kind, Ledger, Ruling
from bythebook.build.mind import HandMind, Mind
from bythebook.build.model_mind import ModelMind
from bythebook.build.stages import Building
from bythebook.cli.keys import reached
from bythebook.cli.options import as_json, asked, common
from bythebook.cli.speak import emit, people, tell
from bythebook.errors import UsageError, suggestion
from bythebook.models.types import Settings
from bythebook.run.durable import on_disk
from bythebook.run.reach import Reach
from bythebook.run.traffic import Traffic

HAND = "hand:"
SHOWN = 30
GATE_NAMES = tuple(gate.name for gate in gates.GATES)
MARKS = {
    "done": "[green]done[/]",
    "edited": "[green]done[/], edited by hand",
    "waits": "[yellow]waits[/]",
    "wrong": "[bold red]wrong[/]",
    "no reader": "[yellow]waits[/] for a second reader",
    "not yet": "-",
}


@click.command("conduct-task")
@click.argument("sops", nargs=-1, metavar="[SOP]...")
@click.option("--to", required=True, metavar="DIR", type=click.Path(path_type=Path))
@click.option("--task", "task_id", default="", metavar="ID", help="Of the new task, at the start.")
@click.option("--model", default="", metavar="M", help="Who writes: PROVIDER:NAME or hand:DIR.")
@click.option("--reader", default="", metavar="M", help="Who reviews: somebody else, same form.")
@click.option("--author", default="", metavar="NAME", help="Who answers by hand.")
@click.option("--remake", multiple=True, metavar="STAGE", help="From its answers, over edits.")
@click.option("--keep", multiple=True, metavar="STAGE", help="Its edited files stand as they are.")
@click.option("--again", multiple=True, metavar="STAGE", help="Put its answers aside; ask anew.")
@click.option("--until", default="", metavar="STAGE", help="Stop after it.")
@click.option("--pilots", multiple=True, metavar="RUNS", type=click.Path(path_type=Path))
@click.option("--decide", default="", metavar="GATE=DECISION", help="pass, return, discard, waive.")
@click.option("--who", default="", metavar="NAME", help="Who decides.")
@click.option("--kind", type=click.Choice(["expert", "person", "model"]), default="person")
@click.option("--years", type=int, default=None, help="An expert's, of work in the domain.")
@click.option("--domain", default="", help="An expert's.")
@click.option("--why", default="", metavar="TEXT", help="The reason, for the ledger.")
@as_json
@common
def command(sops: tuple[str, ...], to: Path, as_json: bool, **asked_for: object) -> int:
    """Build a draft task from procedures: SOP is an id of the company's, or a file.

    DIR holds the stages as files to read and edit, the draft (DIR/content) and the ledger. Give the
    same command again to go on, without SOP. Exits with 1 while something waits or a gate is open.
    """
    ask = _Ask(asked_for)
    author = _mind(ask.model, to / "asked") if ask.model else None
    name = ask.author or (author.name if author else "")
    with on_disk(to):
        to.mkdir(parents=True, exist_ok=True)
        place = opened(to, ask.task_id, sops, name, asked().roots)
        if ask.decide:
            return _decide(place, ask)
        if author is None:
            raise UsageError("who is to be asked?", hint="--model hand:DIR or PROVIDER:NAME")
        work = _work(place, ask, author)
        for stage in ask.again:
            _forget(work, stage)
        if ask.pilots:
            tell(escape(note_pilots(work, ask.pilots)))
        built = construct(work, asked().roots, until=ask.until)
    if as_json:
        emit(built)
    _tell(built)
    return 0 if built.done else 1


class _Ask:
    """The options, by name."""

    def __init__(self, given: dict[str, object]) -> None:
        self.task_id, self.model = str(given["task_id"]), str(given["model"])
        self.reader, self.author = str(given["reader"]), str(given["author"])
        self.until, self.decide = str(given["until"]), str(given["decide"])
        self.remake: tuple[str, ...] = given["remake"]  # type: ignore[assignment]  # click gives it
        self.keep: tuple[str, ...] = given["keep"]  # type: ignore[assignment]  # click gives it
        self.again: tuple[str, ...] = given["again"]  # type: ignore[assignment]  # click gives it
        self.pilots: tuple[Path, ...] = given["pilots"]  # type: ignore[assignment]  # click gives it
        self.who, self.why = str(given["who"]), str(given["why"])
        self.kind: Kind = given["kind"]  # type: ignore[assignment]  # one of click's choices
        self.years: int | None = given["years"]  # type: ignore[assignment]  # click gives it
        self.domain = str(given["domain"])
        for stage in (*self.remake, *self.keep, *self.again, *filter(None, [self.until])):
            known = (*STAGES, *NOTED, gates.CONTENT)
            if stage not in known:
                raise UsageError(f"no stage {stage!r}", hint=suggestion(stage, known))


def _mind(name: str, folder: Path) -> Mind:
    if name.startswith(HAND):
        return HandMind(Path(name.removeprefix(HAND)))
    where, key = reached(name, "", None)

    def opens() -> Reach:
        return Reach(where, key, Settings(), traffic=Traffic(4))

    return ModelMind(folder, opens)


def _work(place: Place, ask: _Ask, author: Mind) -> Work:
    reader = _mind(ask.reader, place.root / "asked-reader") if ask.reader else None
    if reader is not None and (ask.reader == ask.model or reader.name == author.name):
        hint = "name somebody else as --reader: another model, or another folder of another person"
        raise UsageError("the second reader is the author", hint=hint)
    anew = frozenset((*ask.remake, *ask.again))
    building = Building(place.root, anew, frozenset(ask.keep))
    return Work(place, building, author, reader)


def _forget(work: Work, stage: str) -> None:
    step = next((step for step in STEPS if step.name == stage), None)
    if step is None:
        raise UsageError(f"nothing is asked for {stage}", hint=f"--remake {stage} makes it anew")
    mind = work.reader if step.reader else work.author
    if mind is not None:
        mind.forget(stage)


def _decide(place: Place, ask: _Ask) -> int:
    gate, _, decision = ask.decide.partition("=")
    decisions: tuple[Decided, ...] = ("pass", "return", "discard", "waive")
    if gate not in GATE_NAMES:
        raise UsageError(f"no gate {gate!r}", hint=suggestion(gate, GATE_NAMES))
    decided = next((one for one in decisions if one == decision), None)
    if decided is None:
        raise UsageError(f"{decision!r} is no decision", hint=suggestion(decision, decisions))
    ruling = Ruling(
        gate=gate, decided=decided, who=ask.who, kind=ask.kind, why=ask.why,
        years=ask.years, domain=ask.domain,
    )  # fmt: skip
    made = Ledger(place.root).decide(gates.matter_of(place), ruling)
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
    open_ = next((ln for ln in built.stages if ln.state not in ("done", "edited")), None)
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
            console.print(f"a question waits: {escape(place)}/prompt.md")
        console.print("write answer.yaml beside it, then give the command again")
    elif open_.state == "wrong":
        console.print(f"mend what stands in {escape(open_.place)}, then give the command again")
    elif open_.state == "no reader":
        console.print("name somebody who did not write the task: --reader M or --reader hand:DIR")
