"""Evaluations of several machines, or of one question asked in parts, joined into one folder.

Joined are the runs of one plan: tasks and numbers of runs may differ, and what `plan.ADDED` names;
nothing else, and never two versions of the benchmark. A run that lies in several folders is taken
once where all that they share is the same to the byte; otherwise nothing is merged, or both are
taken, as `pool` tells.

`merged.json` says which folder each run is from. The folders themselves are only read.
"""

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bythebook import __version__
from bythebook.errors import TraceError, UsageError
from bythebook.run.accounts import PRICES
from bythebook.run.durable import on_disk, write_whole
from bythebook.run.folder import EvaluationFolder, RunFolder, as_text
from bythebook.run.fresh import check_free, new_folder
from bythebook.run.intact import CHANGED, check_trace
from bythebook.run.plan import Plan, PlannedTask, shown
from bythebook.run.pool import pooled, renumber
from bythebook.run.provenance import Scoring, note, scorings, sha_of

MERGED = "merged.json"
MOST_TOLD = 10
"""Conflicts that are told one by one."""
PARTS = (
    "play other tasks, not other runs of the same ones, on each machine (run --task);"
    " --pool takes them as different runs and gives them new numbers"
)


class MergedRun(msgspec.Struct, frozen=True):
    """Where one run is from."""

    task: str
    run: int
    trace: str
    """SHA-256 of its journal, as it was played."""
    sources: tuple[str, ...]
    was: int | None = None
    """Its number there, where it got another one here."""


class MergedFrom(msgspec.Struct, frozen=True):
    """One folder that was merged."""

    name: str
    """Of the folder; never its path."""
    plan: str
    """SHA-256 of its plan.json."""


class Merged(msgspec.Struct, frozen=True, kw_only=True):
    """`merged.json`."""

    bythebook: str = "merged"
    version: int = 1
    benchmark: str = __version__
    """Version of the program that merged."""
    sources: tuple[MergedFrom, ...]
    runs: tuple[MergedRun, ...]
    left_out: tuple[str, ...] = ()
    """What was in flight, or could not be joined, in words."""


@dataclass(frozen=True)
class Source:
    """One folder to be merged."""

    name: str
    folder: EvaluationFolder
    plan: Plan


@dataclass(frozen=True)
class Held:
    """One run as one folder holds it."""

    source: Source
    place: RunFolder
    finished: bool

    @property
    def files(self) -> dict[str, Path]:
        """All of the run that counts, by name in its place; links and scratch are left behind."""
        return {
            path.relative_to(self.place.root).as_posix(): path
            for path in _files(self.place.root)
            if path.relative_to(self.place.root).parts[0] != "attempts"
        }


Runs = dict[tuple[str, int], list[Held]]


def merge(folders: Sequence[Path], to: Path, *, pool: bool = False) -> Merged:
    """Join the runs of some folders in a new one. All of it is done, or nothing. `pool`: different
    runs of one number get numbers of their own.

    Raises `UsageError` where plans or runs do not fit together, saying what differs, and
    `TraceError` for what is not as it was written.
    """
    check_free(to)
    sources = [*_sources(folders)]
    plan = _joint(sources)
    runs = pooled(_runs(sources)) if pool else _runs(sources)
    _refuse_conflicts(runs)
    if pool:
        plan = replace(plan, runs=max([plan.runs, *(number for _, number in runs)]))
    with new_folder(to) as building:
        place = EvaluationFolder(building)
        place.keep_plan(plan)
        _keep_scenes(place, runs)
        _keep_runs(place, runs)
        _keep_scorings(place, sources, _renumbered(runs))
        left_out = [*_keep_prices(place, sources), *_unfinished(sources)]
        told = _told(sources, runs, left_out)
        write_whole(building / MERGED, as_text(told))
    return told


# --- plans --------------------------------------------------------------------------------------


def _sources(folders: Sequence[Path]) -> Iterator[Source]:
    """Each with a name of its own. Raises `UsageError` for what is no evaluation."""
    seen: dict[Path, Path] = {}
    names: list[str] = []
    for path in folders:
        if seen.setdefault(path.resolve(), path) is not path:
            raise UsageError("this folder was named twice", where=path)
        folder = EvaluationFolder(path)
        plan = folder.planned()
        name = path.resolve().name
        names.append(name)
        count = names.count(name)
        yield Source(name if count == 1 else f"{name} ({count})", folder, plan)


def _joint(sources: Sequence[Source]) -> Plan:
    first, *others = sources
    plan = first.plan
    for other in others:
        differences = [*_differences(first, other)]
        if differences:
            told = "\n".join(differences)
            what = f"{first.folder.root} and {other.folder.root} do not belong together"
            raise UsageError(what, hint=told)
        joined = plan.joined(replace(other.plan, tasks=_new(plan, other.plan)), first.folder.root)
        places = (*joined.moved_to, *other.plan.moved_to)
        plan = replace(
            joined,
            moved_to=tuple(dict.fromkeys(one for one in places if one != joined.base_url)),
            judge_mode=plan.judge_mode if plan.judge else other.plan.judge_mode,
        )
    return plan


def _new(plan: Plan, other: Plan) -> tuple[PlannedTask, ...]:
    known = {task.id for task in plan.tasks}
    return tuple(task for task in other.tasks if task.id not in known)


def _differences(first: Source, other: Source) -> Iterator[str]:
    """In words, one a line."""
    mine, theirs = first.plan, other.plan
    if mine.benchmark != theirs.benchmark:
        yield (
            f"bythebook {mine.benchmark} made the one, {theirs.benchmark} the other:"
            " versions of the benchmark never merge"
        )
    judges = [(plan.judge, plan.judge_mode) for plan in (mine, theirs) if plan.judge]
    if len(set(judges)) > 1:
        yield f"the judgements of {judges[0][0]} count in the one, of {judges[1][0]} in the other"
    for name in mine.__struct_fields__:
        was, now = getattr(mine, name), getattr(theirs, name)
        if name != "benchmark" and not mine.may_differ(name) and was != now:
            yield f"{name} is {shown(was)} in the one, {shown(now)} in the other"
    tasks = {task.id: task for task in mine.tasks}
    for task in theirs.tasks:
        if task.id in tasks and tasks[task.id] != task:
            yield f"task {task.id} is of another edition in each"


# --- runs ---------------------------------------------------------------------------------------


def _runs(sources: Iterable[Source]) -> Runs:
    """Every run that is finished, or has attempts, with who holds it; whole and in its own place.

    Raises `TraceError`.
    """
    found: Runs = {}
    for source in sources:
        for place in source.folder.places():
            trace = place.played()
            if trace is not None:
                check_trace(trace, place, source.plan)
                _check_scene(source, trace.header.scene)
            if trace is not None or place.attempts:
                held = Held(source, place, trace is not None)
                found.setdefault((place.task, place.number), []).append(held)
    return dict(sorted(found.items()))


def _check_scene(source: Source, sha: str) -> None:
    path = source.folder.scenes / f"{sha}.json"
    if not path.is_file():
        raise TraceError("the scene that a trace names is not here", where=path)
    if sha_of(path.read_bytes()) != sha:
        raise TraceError("the scene is not the one that its name tells", where=path, hint=CHANGED)


def _refuse_conflicts(runs: Runs) -> None:
    conflicts = [
        f"{task}/{number}: {what}"
        for (task, number), held in runs.items()
        if (what := _conflict([one for one in held if one.finished]))
    ]
    if not conflicts:
        return
    more = len(conflicts) - MOST_TOLD
    told = [*conflicts[:MOST_TOLD], *([f"and {more} more"] if more > 0 else []), PARTS]
    what = f"{len(conflicts)} runs lie in several folders and differ there"
    one = len(conflicts) == 1
    what = "1 run lies in several folders and differs there" if one else what
    raise UsageError(what, hint="\n".join(told))


def _conflict(held: Sequence[Held]) -> str:
    """What differs in what several folders hold of one run; empty: nothing."""
    if len(held) < 2:
        return ""
    first, *others = held
    mine = first.files
    for other in others:
        theirs = other.files
        for name in sorted(mine.keys() & theirs.keys(), key=lambda name: name != "trace.jsonl"):
            if mine[name].read_bytes() != theirs[name].read_bytes():
                return f"{name} differs between {first.source.name} and {other.source.name}"
        mine = {**theirs, **mine}
    return ""


# --- the new folder -----------------------------------------------------------------------------


def _files(folder: Path) -> Iterator[Path]:
    """Regular files, no links and nothing whose name begins with a dot at the top."""
    for path in sorted(folder.rglob("*")):
        dotted = path.relative_to(folder).parts[0].startswith(".")
        if path.is_file() and not path.is_symlink() and not dotted:
            yield path


def _keep_scenes(place: EvaluationFolder, runs: Runs) -> None:
    place.scenes.mkdir()
    for source in {id(one.source): one.source for held in runs.values() for one in held}.values():
        for path in sorted(source.folder.scenes.glob("*.json")):
            if sha_of(path.read_bytes()) == path.stem:
                _copy(path, place.scenes / path.name)


def _keep_runs(place: EvaluationFolder, runs: Runs) -> None:
    for (task, number), held in runs.items():
        new = place.run(task, number)
        for one in held:
            if one.finished:
                for name, path in one.files.items():
                    _copy(path, new.root / name)
        if any(one.finished and one.place.number != number for one in held):
            renumber(new)
        _keep_attempts(new, held)


def _keep_attempts(new: RunFolder, held: Iterable[Held]) -> None:
    seen: set[str] = set()
    for attempt in (attempt for one in held for attempt in one.place.attempts):
        trace = attempt / "trace.jsonl"
        sha = sha_of(trace.read_bytes()) if trace.is_file() else str(attempt)
        if sha not in seen:
            seen.add(sha)
            for path in _files(attempt):
                _copy(path, new.root / "attempts" / str(len(seen)) / path.relative_to(attempt))


def _copy(path: Path, to: Path) -> None:
    with on_disk(to):
        to.parent.mkdir(parents=True, exist_ok=True)
        if not to.exists():
            shutil.copyfile(path, to)


def _renumbered(runs: Runs) -> dict[tuple[str, str, int], int]:
    """New numbers, by name of the folder, task and old number."""
    return {
        (one.source.name, task, one.place.number): number
        for (task, number), held in runs.items()
        for one in held
        if one.finished
    }


def _keep_scorings(
    place: EvaluationFolder,
    sources: Iterable[Source],
    numbers: Mapping[tuple[str, str, int], int],
) -> None:
    lines: dict[Scoring, None] = {}
    for source in sources:
        for line in scorings(source.folder):
            run = numbers.get((source.name, line.task, line.run), line.run)
            lines[replace(line, run=run)] = None
    if lines:
        note(place, sorted(lines, key=lambda line: line.at))


def _keep_prices(place: EvaluationFolder, sources: Iterable[Source]) -> Iterator[str]:
    paths = [source.folder.root / PRICES for source in sources]
    kept = {path.read_bytes() for path in paths if path.is_file()}
    if len(kept) == 1:
        write_whole(place.root / PRICES, kept.pop())
    elif kept:
        yield f"{PRICES}: the folders went by different prices"


def _unfinished(sources: Iterable[Source]) -> Iterator[str]:
    for source in sources:
        for place in source.folder.runs():
            if place.played() is None:
                yield f"{source.name}/{place.task}/{place.number}: in flight"


def _told(sources: Sequence[Source], runs: Runs, left_out: Iterable[str]) -> Merged:
    return Merged(
        sources=tuple(
            MergedFrom(one.name, sha_of((one.folder.root / "plan.json").read_bytes()))
            for one in sources
        ),
        runs=tuple(
            MergedRun(task, number, sha_of(held[0].place.trace.read_bytes()), names, was)
            for (task, number), every in runs.items()
            if (held := [one for one in every if one.finished])
            and (names := tuple(_named(one) for one in held))
            for old in [held[0].place.number]
            for was in [old if old != number else None]
        ),
        left_out=tuple(left_out),
    )


def _named(held: Held) -> str:
    """The folder a run is from; of one that was merged before, with the folder before that."""
    path = held.source.folder.root / MERGED
    if not path.is_file():
        return held.source.name
    try:
        before = msgspec.json.decode(path.read_bytes(), type=Merged)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise TraceError(f"this file does not read: {error}", where=path) from None
    place = held.place
    inner = [
        one.sources for one in before.runs if (one.task, one.run) == (place.task, place.number)
    ]
    return f"{held.source.name}: {', '.join(inner[0])}" if inner else held.source.name
