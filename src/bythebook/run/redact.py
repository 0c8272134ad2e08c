"""A copy of an evaluation in which what should not be shared is covered.

Every text in traces, scenes, evidence, judgements and verdicts is covered by `private.Cover`, so
that one person is one name all through. What hangs on covered texts is worked out anew: the hashes
of scenes, files, evidence and rubric items, and the rolling hashes of states; a hash of the old
text would let anybody try guesses at it.

Then every run is judged again. Where the marks are other ones, the copy holds the covered verdict
as it was, and `redacted.json` says that it cannot be made again; a seal says so too.

Pictures of pages, and handed-over files that are no text, are left out. Texts that were handed over
lie in `results-redacted/`: they are not the files that were judged.
"""

from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from bythebook.conduct.world import bytes_hash
from bythebook.errors import BythebookError, TraceError
from bythebook.run.durable import on_disk
from bythebook.run.folder import EvaluationFolder, RunFolder, as_text
from bythebook.run.fresh import new_folder
from bythebook.run.private import Cover
from bythebook.run.provenance import sha_of
from bythebook.run.redacted import REDACTED, Redacted, RedactedRun
from bythebook.run.rejudge import offline, without
from bythebook.run.seal import to_share
from bythebook.run.stage import Bench
from bythebook.trace import read_trace
from bythebook.verdict import Verdict

AT_THE_TOP = ("prices.json", "merged.json", "scorings.jsonl")
RESULTS = "results-redacted"
_WRITES = msgspec.json.Decoder(list[tuple[str, str, msgspec.Raw, msgspec.Raw]])
_LINE = msgspec.json.Decoder(dict[str, msgspec.Raw])


def redact(folder: EvaluationFolder, to: Path, cover: Cover) -> Redacted:
    """Make a covered copy of a folder's finished runs. All of it is done, or nothing.

    Raises `UsageError` where there is no evaluation or the place is taken, and `TraceError` for a
    file that does not read.
    """
    plan = folder.planned()
    with new_folder(to) as building:
        copy = _Copy(folder, EvaluationFolder(building), cover)
        copy.write(building / "plan.json", copy.json(as_text(to_share(plan))))
        copy.scenes()
        pairs = [(place, copy.run(place)) for place in folder.places()]
        bench = offline(copy.to)
        runs = tuple(copy.judged(bench, old, new) for old, new in pairs if new is not None)
        for name in AT_THE_TOP:
            copy.file(folder.root / name, building / name)
        told = Redacted(
            found=cover.counts,
            runs=runs,
            left_out=dict(sorted(copy.left_out.items())),
        )
        copy.write(building / REDACTED, as_text(told))
    return told


class _File(msgspec.Struct, frozen=True):
    sha: str = ""


class _Files(msgspec.Struct, frozen=True):
    """Of `evidence.json`, what this asks for."""

    files: tuple[_File, ...]


@dataclass
class _Copy:
    """The copy in the making."""

    source: EvaluationFolder
    to: EvaluationFolder
    cover: Cover
    swapped: dict[str, str] = field(default_factory=dict)
    """Hashes of what was covered, old to new."""
    left_out: Counter[str] = field(default_factory=Counter)

    # --- files ------------------------------------------------------------------------------

    def write(self, path: Path, data: bytes) -> None:
        with on_disk(path):
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)

    def file(self, path: Path, to: Path) -> None:
        """A file of JSON, or of lines of JSON, if it is there."""
        if not path.is_file() or path.is_symlink():
            return
        data = path.read_bytes()
        try:
            if path.suffix == ".jsonl":
                lines = data.split(b"\n")[:-1]
                covered = b"".join(self.json(line) + b"\n" for line in lines)
            else:
                covered = self.json(data)
        except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
            raise TraceError(f"this file does not read: {error}", where=path) from None
        self.write(to, covered)

    def json(self, data: bytes) -> bytes:
        """JSON, covered; the same bytes where nothing was."""
        if not data.strip():
            return data
        value = msgspec.json.decode(data)
        covered = self._swap(self.cover.value(value))
        if covered == value:
            return data
        return as_text(covered) if b"\n" in data.strip() else msgspec.json.encode(covered)

    def _swap(self, value: Any) -> Any:
        match value:
            case str():
                return self.swapped.get(value, value)
            case list():
                return [self._swap(one) for one in value]
            case dict():
                return {name: self._swap(one) for name, one in value.items()}
        return value

    # --- what runs hang on ------------------------------------------------------------------

    def scenes(self) -> None:
        for path in sorted(self.source.scenes.glob("*.json")):
            data = path.read_bytes()
            covered = self.json(data)
            sha = sha_of(covered)
            if covered != data:
                self.swapped[path.stem] = sha
            self.write(self.to.scenes / f"{sha}.json", covered)
            if covered != data:
                self._swap_items(path, self.to.scenes / f"{sha}.json")

    def _swap_items(self, old: Path, new: Path) -> None:
        """A judgement names its rubric item by hash."""
        plan = self.source.plan
        if plan is None or plan.suite != "deliverables":
            return
        # What reads office files is loaded only by who needs it.
        from bythebook.deliverables.scenefile import SceneFile

        try:
            pair = SceneFile.load(old).rubric.items, SceneFile.load(new).rubric.items
        except BythebookError:
            return  # The covered scene does not read: its runs will be told one by one.
        self.swapped |= {
            was.hash: now.hash for was, now in zip(*pair, strict=True) if was.hash != now.hash
        }

    def _swap_files(self, place: RunFolder) -> None:
        """A handed-over file's hash would tell whether somebody has guessed what was covered in it:
        where something was, it is the hash of what was read of it, covered."""
        index = place.evidence / "evidence.json"
        if not index.is_file():
            return
        for number, file in enumerate(
            msgspec.json.decode(index.read_bytes(), type=_Files).files, 1
        ):
            path = place.evidence / "files" / f"{number:04}.json"
            data = path.read_bytes() if path.is_file() else b""
            covered = self.json(data)
            if covered != data:
                self.swapped[file.sha] = sha_of(covered)

    def _moved(self, old: Path, new: Path, covered: bytes) -> None:
        """Write a file that others name by its hash."""
        self.write(new, covered)
        self.swapped[sha_of(old.read_bytes())] = sha_of(covered)

    def _swap_evidence(self, old: Path, new: Path) -> None:
        """A judgement names the evidence that it is on by hash."""
        if not (old / "evidence.json").is_file():
            return
        from bythebook.deliverables.evidence.view import View

        was, now = View.kept(old).sha, View.kept(new).sha
        if was != now:
            self.swapped[was] = now

    # --- runs -------------------------------------------------------------------------------

    def run(self, place: RunFolder) -> RunFolder | None:
        """One run; None where it is not finished. Its attempts are copied either way."""
        new = self.to.run(self.cover.text(place.task), place.number)
        for attempt in place.attempts:
            self._attempt(attempt, new.root / "attempts" / attempt.name / "trace.jsonl")
        if place.played() is None or not place.verdict.exists():
            self.left_out["run in flight"] += place.trace.exists()
            return None
        self._swap_files(place)
        self._moved(place.trace, new.trace, self._trace(place.trace))
        for path in sorted(place.evidence.rglob("*")):
            self._inner(path, place.evidence, new.evidence)
        self._swap_evidence(place.evidence, new.evidence)
        for name in ("judgements.jsonl", "verdict.json", "verdict-current.json"):
            self.file(place.root / name, new.root / name)
        for path in sorted(place.verdicts.glob("*.json")):
            covered = self.json(path.read_bytes())
            self._moved(path, new.verdicts / f"{sha_of(covered)}.json", covered)
        for path in sorted(place.conversations.rglob("*")):
            self._inner(path, place.conversations, new.conversations)
        self._handed_over(place, new)
        return new

    def _attempt(self, attempt: Path, to: Path) -> None:
        try:
            self.write(to, self._trace(attempt / "trace.jsonl"))
        except TraceError:
            self.left_out["attempt that does not read"] += 1

    def _inner(self, path: Path, folder: Path, to: Path) -> None:
        """A file in one of a run's folders: JSON is covered, all else left out."""
        if path.is_symlink() or not path.is_file():
            return
        if path.suffix in (".json", ".jsonl"):
            name = self.cover.text(path.relative_to(folder).as_posix())
            self.file(path, to / name)
        else:
            self.left_out[path.suffix.lower() or "without suffix"] += 1

    def _handed_over(self, place: RunFolder, new: RunFolder) -> None:
        results = place.workspace / "results"
        for path in sorted(results.rglob("*")):
            if path.is_symlink() or not path.is_file():
                continue
            data = path.read_bytes()
            try:
                text = data.decode("utf-8")
            except UnicodeDecodeError:
                text = "\0"
            if "\0" in text:
                self.left_out[path.suffix.lower() or "without suffix"] += 1
                continue
            name = self.cover.text(path.relative_to(results).as_posix())
            self.write(new.root / RESULTS / name, self.cover.text(text).encode())

    # --- traces -----------------------------------------------------------------------------

    def _trace(self, path: Path) -> bytes:
        """A journal, covered; a torn last line is left out."""
        try:
            lines = path.read_bytes().split(b"\n")[:-1]
        except OSError as error:
            raise TraceError(f"cannot be read: {error.strerror}", where=path) from None
        moved, covered = 0, []
        for number, line in enumerate(lines, start=1):
            try:
                one, moved = self._line(line, moved)
            except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
                what = f"this line does not read: {error}"
                raise TraceError(what, where=f"{path}:{number}") from None
            covered.append(one)
        return b"".join(line + b"\n" for line in covered)

    def _line(self, line: bytes, moved: int) -> tuple[bytes, int]:
        """One line of a journal. `moved`: by how much covered rows have moved the state's rolling
        hash so far; it is a sum of all rows' hashes (exclusive or)."""
        fields = {name: bytes(raw) for name, raw in _LINE.decode(line).items()}
        covered = {name: self.json(raw) for name, raw in fields.items() if name != "writes"}
        if "writes" in fields:
            covered["writes"], by = self._writes(fields["writes"])
            moved ^= by
        if moved and "h" in fields:
            covered["h"] = _shifted(fields["h"], moved)
        if all(covered[name] == raw for name, raw in fields.items()):
            return line, moved
        ordered = {name: msgspec.Raw(covered[name]) for name in fields}
        return msgspec.json.encode(ordered), moved

    def _writes(self, raw: bytes) -> tuple[bytes, int]:
        moved, covered, same = 0, [], True
        for table, key, old, new in _WRITES.decode(raw):
            rows = [bytes(row) for row in (old, new)]
            others = [self.json(row) for row in rows]
            for row, other in zip(rows, others, strict=True):
                if row != other:
                    moved ^= bytes_hash(table, row) ^ bytes_hash(table, other)
            name = self.cover.text(key)
            same = same and rows == others and name == key
            covered.append((table, name, *map(msgspec.Raw, others)))
        return (raw if same else msgspec.json.encode(covered)), moved

    # --- verdicts ---------------------------------------------------------------------------

    def judged(self, bench: Bench[Any], old: RunFolder, new: RunFolder) -> RedactedRun:
        """The run judged again; its new verdict is kept where its marks are the old ones."""
        covered = old.trace.read_bytes() != new.trace.read_bytes()
        told = msgspec.json.decode(old.verdict.read_bytes(), type=Verdict)
        try:
            made = bench.verdict(read_trace(new.trace), new, self.to.plan)
        except BythebookError as error:
            why = f"covered, it cannot be judged: {without(error, self.to.root)}"
            return RedactedRun(new.task, new.number, covered, why)
        if _marks(made) != _marks(told):
            why = "covered, it gives another verdict: what its rules look at was covered too"
            return RedactedRun(new.task, new.number, covered, why)
        self._moved(old.verdict, new.verdict, as_text(made))
        return RedactedRun(new.task, new.number, covered)


def _shifted(h: bytes, by: int) -> bytes:
    text = msgspec.json.decode(h, type=str)
    return msgspec.json.encode(f"{int(text, 16) ^ by:032x}") if text else h


def _marks(verdict: Verdict) -> list[Any]:
    """All of a verdict that is no text."""
    names = ("outcome", "goal", "process", "protection", "strict", "score", "success", "calls")
    kept = [getattr(verdict, name) for name in names]
    return [*kept, [(finding.id, finding.verdict) for finding in verdict.findings]]
