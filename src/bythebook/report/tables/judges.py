"""Judges: what they decided and at what cost, how far they agree with people, and what asking for
all items at once does to them (StartupBench, Section 4.3)."""

from collections.abc import Iterable, Iterator, Sequence
from statistics import fmean

import msgspec

from bythebook.deliverables.judge.agreement import Agreement, Figure, RatedItem, RatedRun, agreement
from bythebook.deliverables.judge.journal import read_judgements
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.deliverables.judge.labels import Mark
from bythebook.deliverables.rubric import WEIGHT
from bythebook.report.data import Evaluation, Evaluations
from bythebook.report.notes import nothing, sizes
from bythebook.report.table import Cell, Column, Row, Table
from bythebook.report.tables.board import Head
from bythebook.verdict import Finding, Verdict

SUITE = "deliverables"
Judge = tuple[str, str]
"""Name and mode."""


class Judged(msgspec.Struct, frozen=True):
    """One run as one judge leaves it."""

    verdict: Verdict
    sessions: tuple[Judgement, ...]
    """All lines of that judge, in order."""

    @property
    def last(self) -> dict[str, Judgement]:
        """Item to the line that stands."""
        return {line.item: line for line in self.sessions}


def heard(evaluation: Evaluation) -> dict[Judge, list[Judged]]:
    """Every judge that sat on this evaluation, with the runs it sat on."""
    found: dict[Judge, list[Judged]] = {}
    for run, _, verdict in evaluation.cases():
        by_judge: dict[Judge, list[Judgement]] = {}
        for line in read_judgements(evaluation.place(run).judgements):
            by_judge.setdefault((line.judge, line.mode), []).append(line)
        for judge, lines in by_judge.items():
            found.setdefault(judge, []).append(Judged(verdict, tuple(lines)))
    return found


# --- cost and stability -------------------------------------------------------------------------


def judges(evaluations: Evaluations) -> Table:
    """What each judge decided, and how many sessions it took; item by item and all at once."""
    head = Head(
        id="judges",
        title="Judges at work",
        says="One row a judge and mode: `item` asks in a session of its own for each item,"
        " `holistic` for all items of a run at once.",
        suite=SUITE,
        source="StartupBench, Section 4.3",
    )
    rows = []
    for one in evaluations.of(SUITE):
        found = heard(one)
        for judge, runs in sorted(found.items()):
            other = (judge[0], "item" if judge[1] == "holistic" else "holistic")
            cells = _names(one, judge) | _work(runs) | _same(runs, found.get(other, []))
            rows.append(Row(f"{one.label} / {' '.join(judge)}", cells))
    columns = (
        Column("evaluation", "evaluation"),
        Column("judge", "judge"),
        Column("mode", "mode"),
        Column("runs", "runs", "count", "Runs that it sat on."),
        Column("items", "items", "count", "Items that it was asked."),
        Column("void", "void", "percent", "Items that came to no verdict."),
        Column(
            "sessions",
            "sessions until valid",
            "ratio",
            "Sessions for each that came to a verdict: 1 is none in vain.",
        ),
        Column("verified", "places verified", "percent", "Verdicts whose places all read so."),
        Column("tokens", "tokens an item", "tokens", "Input that was not cached, and output."),
        Column("seconds", "seconds an item", "ratio"),
        Column("same", "as the other mode", "percent", "Items decided alike in both modes."),
    )
    notes = (sizes(evaluations, SUITE),) if rows else nothing("no judge has sat here")
    return head.table(columns, rows, notes)


def _names(one: Evaluation, judge: Judge) -> dict[str, Cell]:
    name, mode = judge
    return {"evaluation": Cell(one.label), "judge": Cell(name), "mode": Cell(mode)}


def _work(runs: Sequence[Judged]) -> dict[str, Cell]:
    items = [line for run in runs for line in run.last.values()]
    lines = [line for run in runs for line in run.sessions]
    decided = [line for line in items if line.verdict is not None]
    fresh = sum(one.usage.input - one.usage.cached + one.usage.output for one in lines)
    sessions, valid = _sessions(lines)
    return {
        "runs": Cell(len(runs)),
        "items": Cell(len(items)),
        "void": _percent(len(items) - len(decided), len(items)),
        "sessions": Cell(sessions / valid if valid else None, n=valid),
        "verified": _percent(sum(line.verified for line in decided), len(decided)),
        "tokens": Cell(fresh / len(items) if items else None, n=len(items)),
        "seconds": Cell(fmean(line.seconds for line in lines) if lines else None, n=len(lines)),
    }


def _sessions(lines: Sequence[Judgement]) -> tuple[int, int]:
    """Sessions begun, and those that came to a verdict. A session for all items writes a line an
    item; it came to a verdict when all of them did."""
    if not lines or lines[0].mode == "item":
        return len(lines), sum(line.verdict is not None for line in lines)
    begun: dict[tuple[str, int], list[bool]] = {}
    for line in lines:
        begun.setdefault((line.evidence, line.attempt), []).append(line.verdict is not None)
    return len(begun), sum(map(all, begun.values()))


def _same(runs: Sequence[Judged], others: Sequence[Judged]) -> dict[str, Cell]:
    """Items that both modes decided, and the share of them on which they agree."""
    there = {(run.verdict.task, run.verdict.run): run.last for run in others}
    pairs = [
        (line.verdict, other.verdict)
        for run in runs
        for name, line in run.last.items()
        if (other := there.get((run.verdict.task, run.verdict.run), {}).get(name)) is not None
        and line.verdict is not None
        and other.verdict is not None
    ]
    return {"same": _percent(sum(one == other for one, other in pairs), len(pairs))}


def _percent(part: int, whole: int) -> Cell:
    return Cell(100 * part / whole if whole else None, n=whole)


# --- against people -----------------------------------------------------------------------------


def people(evaluations: Evaluations) -> Table:
    """Agreement of each judge with people's labels, on items and on success."""
    head = Head(
        id="judge-agreement",
        title="Judges and people",
        says="Agreement of verdicts, checks included, with people's labels: on rubric items, and"
        " on success. Kappa and AC1 take out what chance would give.",
        suite=SUITE,
        source="StartupBench, Section 4.3",
    )
    rows = [row for one in evaluations.of(SUITE) for row in _agreements(evaluations, one)]
    columns = (
        Column("evaluation", "evaluation"),
        Column("judge", "judge"),
        Column("mode", "mode"),
        Column("on", "on"),
        Column("n", "n", "count", "Items or runs with a label and a verdict."),
        Column("raw", "agree", "percent", "(a + d) / n", "high"),
        Column("kappa", "kappa", "ratio", "Cohen 1960: (p_o - p_e) / (1 - p_e)", "high"),
        Column("ac1", "AC1", "ratio", "Gwet 2008", "high"),
        Column("false_pass", "false pass", "count", "The judge alone says pass."),
        Column("false_fail", "false fail", "count", "People alone say pass."),
    )
    if not rows:
        return head.table(columns, (), nothing("no labels were given; `--labels CSV` brings them"))
    by_task = "Intervals: 10,000 resamples of tasks, since the items of a task hang together."
    return head.table(columns, rows, (by_task, sizes(evaluations, SUITE)))


def _agreements(evaluations: Evaluations, one: Evaluation) -> Iterator[Row]:
    labels = evaluations.people.get(one.label, ())
    if not labels:
        return
    for judge, runs in sorted(heard(one).items()):
        found = agreement([_rated(run) for run in runs], labels)
        yield from _agreement_rows(one, judge, found)


def _agreement_rows(one: Evaluation, judge: Judge, found: Agreement) -> Iterable[Row]:
    groups = {"items": found.items, "success": found.success}
    groups |= {f"{level} items": figures for level, figures in found.by_level.items()}
    groups |= {f"{name} items": figures for name, figures in found.by_dimension.items()}
    for name, figures in groups.items():
        cells = {
            "on": Cell(name),
            "n": Cell(figures.n),
            "raw": _figure(figures.raw, 100, figures.n),
            "kappa": _figure(figures.kappa, 1, figures.n),
            "ac1": _figure(figures.ac1, 1, figures.n),
            "false_pass": Cell(figures.table.false_pass),
            "false_fail": Cell(figures.table.false_fail),
        }
        yield Row(f"{one.label} / {' '.join(judge)} / {name}", _names(one, judge) | cells)


def _figure(figure: Figure, scale: float, n: int) -> Cell:
    if figure.value is None:
        return Cell(n=n, note="undefined: one and the same mark throughout" if n else "")
    low, high = (None if bound is None else scale * bound for bound in (figure.low, figure.high))
    return Cell(scale * figure.value, low, high, n=n)


_WEIGHT: dict[str, int] = {str(level): weight for level, weight in WEIGHT.items()}


def _rated(run: Judged) -> RatedRun:
    """The run as this judge leaves it: what checks decided, and the judge's last word."""
    items = tuple(
        RatedItem(
            item=finding.id,
            level=finding.level,
            dimension=finding.dimension,
            weight=_WEIGHT[finding.level],
            mark=_mark(finding, run.last),
        )
        for finding in run.verdict.findings
    )
    return RatedRun(run.verdict.task, run.verdict.run, _success(items), items)


def _mark(finding: Finding, said: dict[str, Judgement]) -> Mark | None:
    if finding.by in ("check", "screen") and finding.verdict != "void":
        return finding.verdict
    return said[finding.id].verdict if finding.id in said else None


def _success(items: Sequence[RatedItem]) -> bool | None:
    """None while it hangs on items without a mark."""
    total = sum(item.weight for item in items)
    won = sum(item.weight for item in items if item.mark == "pass")
    void = sum(item.weight for item in items if item.mark is None)
    low, high = won * 10 >= total * 9, (won + void) * 10 >= total * 9
    return low if low == high else None
