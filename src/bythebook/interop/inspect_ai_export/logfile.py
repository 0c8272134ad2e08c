"""The file of a log: a zip with a member for each sample, written one after the other."""

from pathlib import Path
from types import TracebackType
from typing import Any, Self
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from pydantic_core import to_json

from bythebook.run.durable import on_disk, sync_folder

FORMAT = 2
"""Version of the form of Inspect's logs."""
LARGEST = 2**31
"""A member that may be larger has to be announced beforehand."""


class LogFile:
    """A log that is being written beside its place; it gets there when it is whole."""

    def __init__(self, path: Path) -> None:
        self._path, self._aside = path, path.with_name(f".{path.name}.part")
        self._summaries: list[Any] = []

    def begin(self, spec: Any, plan: Any) -> None:
        self._member("_journal/start.json", {"version": FORMAT, "eval": spec, "plan": plan})

    def add(self, sample: Any) -> None:
        """One sample; of it only its summary is remembered."""
        self._member(f"samples/{sample.id}_epoch_{sample.epoch}.json", sample)
        self._summaries.append(to_json(_thin(sample.summary()), exclude_none=True))

    def end(self, log: Any) -> None:
        """The header comes last: it holds the results."""
        self._bytes("summaries.json", b"[" + b",".join(self._summaries) + b"]")
        self._member("header.json", log)

    def _member(self, name: str, value: Any) -> None:
        self._bytes(name, to_json(value, exclude_none=True, inf_nan_mode="constants"))

    def _bytes(self, name: str, data: bytes) -> None:
        info = ZipInfo(name)
        info.compress_type = ZIP_DEFLATED
        with self._zip.open(info, "w", force_zip64=len(data) >= LARGEST) as member:
            member.write(data)

    def __enter__(self) -> Self:
        with on_disk(self._path):
            self._path.parent.mkdir(parents=True, exist_ok=True)
            self._zip = ZipFile(self._aside, "w")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._zip.close()
        if error is not None:
            self._aside.unlink(missing_ok=True)
            return
        with on_disk(self._path):
            self._aside.replace(self._path)
            sync_folder(self._path.parent)


def _thin(summary: Any) -> Any:
    """A summary without what only a sample has to hold."""
    scores = {
        name: score.model_copy(update={"metadata": None})
        for name, score in (summary.scores or {}).items()
    }
    return summary.model_copy(update={"scores": scores or None})
