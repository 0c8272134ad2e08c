"""Edits of whole files."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from bythebook.deliverables.faults import edits as e
from bythebook.deliverables.faults.cells import Change
from bythebook.errors import ContentError


def drop_file(path: Path, edit: e.DropFile) -> Iterator[Change]:
    path.unlink()
    yield path.name, "a file", None


def rename_file(path: Path, edit: e.RenameFile) -> Iterator[Change]:
    to = path.with_name(edit.to)
    if to.exists():
        raise ContentError(f"there is a file {edit.to!r} already", where=path.name)
    path.rename(to)
    yield "file", path.name, edit.to


def wrong_type(path: Path, edit: e.WrongType) -> Iterator[Change]:
    path.write_text(edit.text, "utf-8")
    yield path.name, "a file", edit.text


def truncate(path: Path, edit: e.Truncate) -> Iterator[Change]:
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    yield path.name, f"{len(data)} bytes", f"{len(data) // 2} bytes"


def add_file(path: Path, edit: e.AddFile) -> Iterator[Change]:
    if path.exists():
        raise ContentError(f"there is a file {edit.file!r} already", where=path.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    if edit.copy_of:
        shutil.copyfile(path.parent / edit.copy_of, path)
    else:
        path.write_text(edit.text, "utf-8")
    yield path.name, None, "a file"
