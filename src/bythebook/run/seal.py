"""An evaluation sealed: one file that somebody elsewhere can judge again.

A seal holds the plan, the scenes, and of every finished run its trace, verdicts, judgements and the
evidence of what it handed over; of attempts that do not count, their traces. It holds no key, no
path and no host's name: what looks like one is named, and nothing is sealed.

A seal shows what was changed by accident, or by somebody who cannot make a new one. It does not
show who made it: whoever can change a trace can work the hashes out anew. That is what a signature
is for, or a digest made known beforehand.
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import msgspec
from msgspec.structs import replace

from bythebook import __version__
from bythebook.errors import UsageError
from bythebook.run.bundle import Manifest, SealedRun, entry, write_bundle
from bythebook.run.folder import EvaluationFolder, RunFolder, as_text
from bythebook.run.plan import Plan
from bythebook.run.private import Cover, texts
from bythebook.run.redacted import unverifiable
from bythebook.run.verify import verify

AT_THE_TOP = ("prices.json", "merged.json", "redacted.json", "scorings.jsonl")
OF_A_RUN = ("trace.jsonl", "verdict.json", "verdict-current.json", "judgements.jsonl")
MOST_TOLD = 10
SAID = {
    "key": "a key",
    "mail": "an e-mail address",
    "home": "a home folder",
    "host": "this machine's name",
    "place": "this folder's path",
    "name": "a name of your list",
}


class Sealed(msgspec.Struct, frozen=True, kw_only=True):
    """What was sealed."""

    bundle: str
    digest: str
    """SHA-256 of its list: stands for all that is in it."""
    runs: int
    planned: int
    left_out: tuple[str, ...]
    files: int
    bytes: int
    """Unpacked."""


def seal(
    folder: EvaluationFolder,
    bundle: Path,
    cover: Cover,
    *,
    handed_over: bool = False,
) -> Sealed:
    """Seal a folder; with `handed_over`, what the agents left in `results/` too.

    Raises `TraceError` where what lies there is not as it was written, and `UsageError` where a
    verdict is not what its trace gives, or something should not be shared.
    """
    plan = folder.planned()
    if bundle.is_dir():
        raise UsageError("this is a folder; --to names a file", where=bundle)
    marked = unverifiable(folder)
    runs = tuple(_runs(folder, marked))
    if not runs:
        raise folder.amiss("there is no finished run to seal here")
    files = _files(folder, plan, [folder.run(run.task, run.run) for run in runs], handed_over)
    _check_private(files, cover)
    listed = tuple(entry(name, _data(files[name])) for name in sorted(files))
    manifest = Manifest(
        benchmark=plan.benchmark,
        sealed_by=__version__,
        suite=plan.suite,
        agent=plan.agent,
        planned=len(plan.tasks) * plan.runs,
        runs=runs,
        left_out=tuple(_left_out(folder)),
        files=listed,
    )
    beside = bundle.with_name(f".{bundle.name}.unverified")
    try:
        digest = _sealed(beside, manifest, files)
        beside.replace(bundle)
    finally:
        beside.unlink(missing_ok=True)
    return Sealed(
        bundle=str(bundle),
        digest=digest,
        runs=len(runs),
        planned=manifest.planned,
        left_out=manifest.left_out,
        files=len(listed),
        bytes=sum(one.size for one in listed),
    )


def to_share(plan: Plan) -> Plan:
    """A plan without the addresses of its models: they name hosts, and no verdict hangs on them."""
    return replace(plan, base_url="", moved_to=(), simulator_base_url="")


def _runs(folder: EvaluationFolder, marked: Mapping[tuple[str, int], str]) -> Iterator[SealedRun]:
    for place in folder.runs():
        if place.played() is not None and place.verdict.exists():
            why = marked.get((place.task, place.number), "")
            yield SealedRun(place.task, place.number, why)


def _left_out(folder: EvaluationFolder) -> Iterator[str]:
    for place in folder.places():
        name = f"{place.task}/{place.number}"
        if place.played() is None:
            yield f"{name}: no attempt counts" if place.attempts else f"{name}: in flight"
        elif not place.verdict.exists():
            yield f"{name}: it has no verdict"


def _sealed(path: Path, manifest: Manifest, files: Mapping[str, bytes | Path]) -> str:
    """Write a bundle and verify it: one that nobody could verify is not made."""
    digest = write_bundle(path, manifest, files)
    for run in verify(path).runs:
        known = any(
            (run.task, run.run) == (one.task, one.run) and one.unverifiable for one in manifest.runs
        )
        if run.state != "same" and not known:
            what = f"its verdict is not what trace and rules give: {run.says}"
            hint = "`bythebook score DIR` puts it right, and keeps the old one"
            raise UsageError(what, where=f"{run.task}/{run.run}", hint=hint)
    return digest


def _files(
    folder: EvaluationFolder, plan: Plan, places: Iterable[RunFolder], handed_over: bool
) -> dict[str, bytes | Path]:
    """What goes into a bundle, by name."""
    found: dict[str, bytes | Path] = {"plan.json": as_text(to_share(plan))}
    paths = [folder.root / name for name in AT_THE_TOP]
    for place in places:
        paths += [place.root / name for name in OF_A_RUN]
        paths += [*place.verdicts.glob("*.json"), *place.evidence.rglob("*.json")]
        if handed_over:
            paths += (place.workspace / "results").rglob("*")
        trace = place.played()
        if trace is not None:
            paths.append(folder.scenes / f"{trace.header.scene}.json")
    for place in folder.places():
        paths += [attempt / "trace.jsonl" for attempt in place.attempts]
    for path in paths:
        if path.is_file() and not path.is_symlink():
            found[path.relative_to(folder.root).as_posix()] = path
    return found


def _check_private(files: Mapping[str, bytes | Path], cover: Cover) -> None:
    """Raises `UsageError` where something should not be shared. It is named by kind and place, and
    never shown."""
    found = [
        f"{SAID[kind]} in {name}"
        for name, source in sorted(files.items())
        for kind in sorted(
            {hit for text in _texts(name, _data(source)) for hit in _kinds(text, cover)}
        )
    ]
    if found:
        more = [f"and {len(found) - MOST_TOLD} more"] if len(found) > MOST_TOLD else []
        hint = "`bythebook redact DIR --to DIR` makes a copy without them; seal that"
        what = "nothing is sealed, for it would give away:"
        raise UsageError(what, hint="\n".join([*found[:MOST_TOLD], *more, hint]))


def _kinds(text: str, cover: Cover) -> Iterator[str]:
    return (hit.kind for hit in cover.hits(text))


def _texts(name: str, data: bytes) -> Iterator[str]:
    """Every text in a file, and its name. Of office files only the name: they are not read."""
    yield name
    if name.endswith(".json"):
        yield from _decoded(data, name)
    elif name.endswith(".jsonl"):
        for line in data.splitlines():
            yield from _decoded(line, name)
    elif b"\0" not in data:
        yield data.decode("utf-8", "replace")


def _decoded(data: bytes, name: str) -> Iterator[str]:
    try:
        yield from texts(msgspec.json.decode(data))
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        yield data.decode("utf-8", "replace")


def _data(source: bytes | Path) -> bytes:
    return source.read_bytes() if isinstance(source, Path) else source
