"""`bythebook check`: the traces of other programs, judged by a criteria file."""

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import complain, emit, people
from bythebook.errors import TraceError, UsageError
from bythebook.interop.check import Checked, Report, check_files, tally
from bythebook.interop.junit import junit
from bythebook.interop.observer import Judged
from bythebook.interop.records import Odd
from bythebook.interop.rulebook import Rulebook, load_rulebook
from bythebook.interop.sources import FORMATS

SHOWN = 200
"""Most findings that are shown to people; --json holds all."""
MARKS = {
    "pass": "[green]pass[/]",
    "fail": "[bold red]fail[/]",
    "void": "[bold red]void[/]",
    "uncheckable": "[yellow]uncheckable[/]",
}


@click.command("check")
@click.argument("criteria", metavar="CRITERIA")
@click.argument("traces", metavar="TRACE...", nargs=-1, type=click.Path(path_type=Path))
@click.option(
    "--format", "form", type=click.Choice(tuple(FORMATS)), help="Recognised if not given."
)
@click.option("--junit", "xml", type=click.Path(path_type=Path), metavar="FILE", help="JUnit XML.")
@as_json
@common
def command(
    criteria: str, traces: tuple[Path, ...], form: str | None, xml: Path | None, as_json: bool
) -> int:
    """Judge the TRACEs of other programs by CRITERIA, a criteria file or the name of a pack.

    A TRACE is a file, or a folder of them. Exits with 1 when a rule is broken that is no heuristic,
    and with 2 when something could not be read.
    """
    book = load_rulebook(content().pack(criteria))
    found, problems = _checked(book, files_of(traces), form or "")
    report = Report(
        criteria=book.where,
        policy=book.policy.name,
        summary=tally(found),
        traces=tuple(found),
        problems=tuple(problems),
    )
    if xml is not None:
        xml.write_text(junit(found, problems), encoding="utf-8")
    if as_json:
        emit(report)
    else:
        tell_report(people(), report)
    for problem in problems:
        complain(problem)
    if problems:
        return 2
    return 1 if report.summary.broken else 0


def files_of(traces: tuple[Path, ...]) -> list[Path]:
    """The files that are named; of a folder, all in it."""
    if not traces:
        raise UsageError("no trace is named", hint="bythebook check CRITERIA TRACE...")
    found: list[Path] = []
    for path in traces:
        if not path.exists():
            raise UsageError("no such file", where=path)
        inner = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
        found += [one for one in inner if not one.name.startswith(".")]
    if not found:
        raise UsageError("there is no file in it", where=traces[0])
    return found


def _checked(book: Rulebook, files: list[Path], form: str) -> tuple[list[Checked], list[str]]:
    """Every trace of every file; a file that does not read keeps no other from being read."""
    found: list[Checked] = []
    problems: list[str] = []
    for path in files:
        try:
            for one in check_files(book, [path], form=form):
                if isinstance(one, Odd):
                    problems.append(f"{one.place}: {one.what}")
                else:
                    found.append(one)
        except TraceError as error:
            problems.append(str(error))
    return found, problems


def tell_report(console: Console, report: Report) -> None:
    """What was found, for people: every rule, then every breach with its event."""
    console.print(_rules(report))
    lines = list(_breaches(report))
    for line in lines[:SHOWN]:
        console.print(line)
    if len(lines) > SHOWN:
        console.print(f"and {len(lines) - SHOWN} more lines (--json)")
    total = report.summary
    refused = f"; {total.refused} records could not be read" if total.refused else ""
    console.print(
        f"{total.traces} traces, {total.broken} break a rule; heuristic rules broken:"
        f" {total.heuristic.get('fail', 0)} times{refused}"
    )


def _rules(report: Report) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("rule")
    table.add_column("kind")
    for name in ("pass", "vacuous", "fail", "uncheckable", "void"):
        table.add_column(name, justify="right")
    counts: dict[str, Counter[str]] = {}
    first: dict[str, Judged] = {}
    for trace in report.traces:
        for one in trace.criteria:
            first.setdefault(one.id, one)
            mark = "vacuous" if one.vacuous else one.verdict
            counts.setdefault(one.id, Counter())[mark] += 1
    order = sorted(first.values(), key=lambda one: (one.heuristic, one.group))
    for one in order:
        found = counts[one.id]
        kind = " ".join(filter(None, (one.kind, "heuristic" if one.heuristic else "")))
        name = f"{one.group}: {one.id}" if one.group else one.id
        fails = f"[bold red]{found['fail']}[/]" if found["fail"] else "0"
        row = (found["pass"], found["vacuous"], fails, found["uncheckable"], found["void"])
        table.add_row(escape(name), kind, *map(str, row))
    return table


def _breaches(report: Report) -> Iterator[str]:
    for trace in report.traces:
        broken = [one for one in trace.criteria if one.verdict in ("fail", "void")]
        if broken or trace.odd or trace.cut:
            reward = "" if trace.reward is None else f", reward {trace.reward:g}"
            task = f", task {trace.task}" if trace.task else ""
            yield f"[bold]{escape(trace.file)}: {escape(trace.id)}[/]{escape(task)}{reward}"
        for one in broken:
            mark = "[yellow]heuristic[/]" if one.heuristic else MARKS[one.verdict]
            yield f"  {mark} {escape(one.id)}: {escape(one.says)} ({escape(one.source)})"
            if one.event is not None:
                yield f"    at {one.at}, {escape(one.event.place)}: {escape(str(one.event))}"
            if one.why:
                yield f"    {escape(one.why)}"
        for odd in (*trace.odd, *filter(None, (trace.cut,))):
            yield f"  [yellow]not read[/] {escape(odd)}"
