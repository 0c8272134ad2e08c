"""The judge page: who judged what, how often judges differ, and what nobody could decide."""

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

import msgspec

from bythebook.deliverables.judge.journal import read_judgements
from bythebook.deliverables.judge.judgement import Judgement
from bythebook.errors import TraceError
from bythebook.report.data import Evaluation
from bythebook.run.summary import RunLine

MOST_SPLITS = 500
"""Items on which judges differ that are listed one by one."""


class JudgeLine(msgspec.Struct, frozen=True, kw_only=True):
    """One judge in one evaluation; of each item of a run the last judgement."""

    of: int
    """Place of the evaluation."""
    judge: str
    runs: int
    items: int
    passed: int
    failed: int
    void: int
    verified: int
    """Judgements whose cited places all exist and read so."""
    sessions: int
    """Judgements made, earlier ones too."""
    calls: int
    input: int
    output: int
    seconds: float


class Split(msgspec.Struct, frozen=True, kw_only=True):
    """An item of one run on which judges differ, or that one of them could not decide."""

    of: int
    task: str
    n: int
    item: str
    marks: tuple[tuple[str, str, str], ...]
    """Judge, verdict (empty: void), and the cause of a void."""


class JudgePage(msgspec.Struct, frozen=True, kw_only=True):
    """The chunk `judge`."""

    lines: tuple[JudgeLine, ...]
    splits: tuple[Split, ...]
    left_out: int
    """Splits that are not listed."""
    causes: tuple[tuple[str, int], ...]
    """Of void judgements."""
    problems: tuple[str, ...]


@dataclass
class _Bench:
    """Gathers the journals of one evaluation."""

    of: int
    lines: dict[str, list[Judgement]] = field(default_factory=dict)
    last: dict[str, list[Judgement]] = field(default_factory=dict)
    runs: Counter[str] = field(default_factory=Counter)
    splits: list[Split] = field(default_factory=list)

    def hear(self, run: RunLine, journal: Iterable[Judgement]) -> None:
        standing: dict[str, dict[str, Judgement]] = {}
        for line in journal:
            self.lines.setdefault(line.judge, []).append(line)
            standing.setdefault(line.item, {})[line.judge] = line
        judges = {judge for by_judge in standing.values() for judge in by_judge}
        self.runs.update(judges)
        for item, by_judge in standing.items():
            for judge, line in by_judge.items():
                self.last.setdefault(judge, []).append(line)
            if len({line.verdict for line in by_judge.values()}) > 1:
                self.splits.append(self._split(run, item, by_judge))

    def _split(self, run: RunLine, item: str, by_judge: dict[str, Judgement]) -> Split:
        marks = tuple(
            (judge, line.verdict or "", line.cause) for judge, line in sorted(by_judge.items())
        )
        return Split(of=self.of, task=run.task, n=run.run, item=item, marks=marks)

    def told(self) -> Iterator[JudgeLine]:
        for judge, lines in sorted(self.lines.items()):
            last = self.last[judge]
            marks = Counter(line.verdict for line in last)
            yield JudgeLine(
                of=self.of,
                judge=judge,
                runs=self.runs[judge],
                items=len(last),
                passed=marks["pass"],
                failed=marks["fail"],
                void=marks[None],
                verified=sum(line.verified for line in last),
                sessions=len(lines),
                calls=sum(line.calls for line in lines),
                input=sum(line.usage.input for line in lines),
                output=sum(line.usage.output for line in lines),
                seconds=round(sum(line.seconds for line in lines), 1),
            )


def judge_page(every: Iterable[Evaluation]) -> JudgePage:
    """From the journals that lie beside the runs."""
    lines: list[JudgeLine] = []
    splits: list[Split] = []
    causes: Counter[str] = Counter()
    problems: list[str] = []
    for of, one in enumerate(every):
        if one.suite != "deliverables":
            continue
        bench = _Bench(of)
        for run in one.runs:
            try:
                bench.hear(run, read_judgements(one.place(run).judgements))
            except TraceError as error:
                problems.append(" ".join(str(error).split()))
        lines += bench.told()
        splits += bench.splits
        for last in bench.last.values():
            causes.update(line.cause or "unknown" for line in last if line.verdict is None)
    return JudgePage(
        lines=tuple(lines),
        splits=tuple(splits[:MOST_SPLITS]),
        left_out=max(0, len(splits) - MOST_SPLITS),
        causes=tuple(causes.most_common()),
        problems=tuple(problems),
    )
