"""`bythebook check`: the traces of other programs, judged by a criteria file."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from bythebook.cli.options import as_json, common, content
from bythebook.cli.speak import complain, counted, people
from bythebook.errors import TraceError, UsageError
from bythebook.interop.check import MOST_NAMED, Checked, check_files
from bythebook.interop.junit import junit
from bythebook.interop.observer import Judged
from bythebook.interop.records import Odd
from bythebook.interop.report import Results, Tally
from bythebook.interop.rulebook import load_rulebook
from bythebook.interop.sources import FORMATS, recognised

KINDS = (".json", ".jsonl", ".ndjson", ".eval", ".gz")
"""What files of a folder may hold traces; a file that is named may be called anything."""
SHOWN = 200
"""Most lines on breaches that are shown to people; --json holds all."""


@click.command("check", short_help="Judge traces of other programs by a file of rules or a pack.")
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

    A TRACE is a file, or a folder of them; of run folders their traces. Exits with 1 when a rule is
    broken that is no heuristic, and with 2 when something could not be read.
    """
    book = load_rulebook(content().pack(criteria))
    with Results(book) as results:
        for path in files_of(traces):
            _check(results, path, form or "")
        if not results.tally.traces and not results.problems:
            raise UsageError(
                "there is no trace in it", where=traces[0], hint=_read_as(traces[0], form)
            )
        if xml is not None:
            with xml.open("w", encoding="utf-8") as file:
                file.writelines(junit(results.traces(), results.problems))
        if as_json:
            for piece in results.json():
                click.echo(piece, nl=False)
        else:
            tell(people(), results)
        for problem in results.problems:
            complain(problem)
        total = results.tally
        if results.problems or total.refused:
            return 2
        return 1 if total.broken else 0


def _read_as(path: Path, form: str | None) -> str:
    """What a file without a trace was taken for."""
    if path.is_dir():
        return ""
    name = form or recognised(path)[0]
    return f"it was read as {name}: {FORMATS[name].about}"


def files_of(traces: tuple[Path, ...]) -> list[Path]:
    """The files that are named; of a folder, all in it."""
    if not traces:
        raise UsageError("no trace is named", hint="bythebook check CRITERIA TRACE...")
    found: list[Path] = []
    for path in traces:
        if not path.exists():
            raise UsageError("no such file", where=path)
        found += _inside(path) if path.is_dir() else [path]
    if not found:
        hint = f"of a folder, files of these kinds are read: {', '.join(KINDS)}"
        raise UsageError("there is no trace in it", where=traces[0], hint=hint)
    return found


def _inside(folder: Path) -> list[Path]:
    """The traces of a folder of runs; else every file in it that may hold traces."""
    runs = sorted(folder.rglob("trace.jsonl"))
    files = (one for one in sorted(folder.rglob("*")) if one.suffix in KINDS and one.is_file())
    return runs or [one for one in files if not one.name.startswith(".")]


def _check(results: Results, path: Path, form: str) -> None:
    """Every trace of a file; one that does not read keeps no other from being read."""
    unread = 0
    try:
        for one in check_files(results.book, [path], form=form):
            if not isinstance(one, Odd):
                results.add(one)
                continue
            unread += 1
            if unread <= MOST_NAMED:
                results.problems.append(f"{one.place}: {one.what}")
    except TraceError as error:
        results.problems.append(str(error))
    if unread > MOST_NAMED:
        results.problems.append(f"{path}: {unread - MOST_NAMED} more records could not be read")


MET = ("pass", "fail", "uncheckable", "void")


def tell(console: Console, results: Results) -> None:
    """What was found, for people: every rule, then every breach with its event. Of rules that have
    a group only how often they are broken is told."""
    console.print(_rules(results))
    lines = (line for trace in results.traces() for line in _breaches(trace))
    for line in islice(lines, SHOWN):
        console.print(line)
    left = sum(1 for _ in lines)
    if left:
        console.print(f"and {left} more lines (--json)")
    console.print(_total(results.tally))
    if results.tally.traces and not _met(results):
        console.print(
            "[yellow]no rule met anything that it judges:[/] are these the rules for the tools of"
            " these traces?"
        )


def _met(results: Results) -> bool:
    """Did any rule in any trace come to more than a vacuous pass? Rules of a group are about the
    form of turns, which every trace has, so they count only where there are no others."""
    every = results.rules.values()
    counted = [counts for one, counts in every if not one.group] or [counts for _, counts in every]
    return any(counts[verdict] for counts in counted for verdict in MET)


def _total(total: Tally) -> str:
    said = [f"{counted(total.traces, 'trace')}, {total.broken} break a rule"]
    if set(total.groups) - {""}:
        counts = (f"{escape(name or 'without a group')} {n}" for name, n in total.groups.items())
        said.append(f"traces by group of rules: {', '.join(counts)} (--json lists each)")
    if total.heuristic:
        said.append(f"heuristic rules are broken {total.heuristic.get('fail', 0)} times")
    if total.refused:
        said.append(f"{total.refused} records could not be read")
    return "; ".join(said)


def _rules(results: Results) -> Table:
    table = Table(box=None, header_style="bold", pad_edge=False)
    table.add_column("rule")
    table.add_column("kind")
    columns = ("pass", "vacuous", "fail", "uncheckable", "void")
    for name in columns:
        table.add_column(name, justify="right")
    order = sorted(results.rules.values(), key=lambda found: _order(found[0]))
    for one, counts in order:
        kind = " ".join(filter(None, (one.kind, "heuristic" if one.heuristic else "")))
        name = f"{one.group}: {one.id}" if one.group else one.id
        shown = {column: str(counts[column]) for column in columns}
        if counts["fail"]:
            shown["fail"] = f"[bold red]{counts['fail']}[/]"
        table.add_row(escape(name), kind, *shown.values())
    return table


def _order(one: Judged) -> tuple[bool, str]:
    return one.heuristic, one.group


def _breaches(trace: Checked) -> Iterator[str]:
    shown = [one for one in trace.criteria if not one.group or one.verdict == "void"]
    broken = [one for one in shown if one.verdict in ("fail", "void")]
    if broken or trace.odd or trace.cut:
        reward = "" if trace.reward is None else f", reward {trace.reward:g}"
        task = f", task {trace.task}" if trace.task else ""
        yield f"[bold]{escape(trace.file)}: {escape(trace.id)}[/]{escape(task)}{reward}"
    for one in broken:
        mark = f"[bold red]{one.verdict}[/]"
        if one.heuristic:
            mark = "[yellow]heuristic[/]"
        yield f"  {mark} {escape(one.id)}: {escape(one.says)} ({escape(one.source)})"
        if one.event is not None:
            yield f"    at {one.at}, {escape(one.event.place)}: {escape(str(one.event))}"
        if one.why:
            yield f"    {escape(one.why)}"
    for odd in (*trace.odd, *filter(None, (trace.cut,))):
        yield f"  [yellow]not read[/] {escape(odd)}"
