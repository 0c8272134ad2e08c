"""A run's files on their way from a worker that does not share the run folder."""

import io
import os
import shutil
import tarfile
from pathlib import Path

from bythebook.run.durable import on_disk, sync_folder
from bythebook.run.folder import RunFolder

ARRIVING = ".arriving"
"""Beside the run's files, until all of them are there."""


def packed(place: RunFolder) -> bytes:
    """All that one attempt left, as it is: links are packed, never followed."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz", compresslevel=1) as parcel:
        for path in place.parts:
            if os.path.lexists(path):
                parcel.add(path, path.relative_to(place.root))
    return data.getvalue()


def unpack(data: bytes, place: RunFolder) -> None:
    """Put a run's files in their place, whole and on disk; the journal last."""
    arriving = place.root / ARRIVING
    with on_disk(place.root):
        shutil.rmtree(arriving, ignore_errors=True)
        arriving.mkdir(parents=True)
        with tarfile.open(fileobj=io.BytesIO(data), mode="r:gz") as parcel:
            parcel.extractall(arriving, filter="tar")
        for path in place.parts:
            there = arriving / path.name
            if os.path.lexists(there):
                _sync(there)
                there.rename(path)
        arriving.rmdir()
        sync_folder(place.root)


def _sync(path: Path) -> None:
    if path.is_file() and not path.is_symlink():
        with path.open("rb") as file:
            os.fsync(file.fileno())
