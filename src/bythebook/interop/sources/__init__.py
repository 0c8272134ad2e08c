"""Importers: files of other programs as traces of records."""

from collections.abc import Iterator
from pathlib import Path

from bythebook.interop.records import Odd
from bythebook.interop.sources.conversation import ForeignTrace
from bythebook.interop.sources.tau import read_tau, read_tau2

__all__ = ["FORMATS", "ForeignTrace", "traces_of"]

FORMATS = ("tau", "tau2")


def traces_of(path: Path, *, format: str = "") -> Iterator[ForeignTrace | Odd]:
    """The traces of one file, one after the other."""
    with path.open("rb") as file:
        head = file.read(64).lstrip()
    yield from (read_tau if head.startswith(b"[") else read_tau2)(path, format or "tau2")
