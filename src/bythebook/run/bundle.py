"""A bundle: one ZIP file with a list of what is in it, read as if it came from an enemy.

    seal.json            Manifest: every other file with its size and SHA-256
    plan.json, scenes/..., <task>/<n>/...

Names in order, no times, no owners: the same evaluation gives the same list, and on the same
machine the same bytes. The SHA-256 of `seal.json` stands for all of it.
"""

import hashlib
import re
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

import msgspec

from bythebook.errors import TraceError
from bythebook.run.durable import on_disk, sync_folder
from bythebook.run.folder import as_text

SEAL_VERSION = 1
MANIFEST = "seal.json"
TIME = (1980, 1, 1, 0, 0, 0)
"""The earliest that ZIP knows."""
MODE = 0o100644 << 16
LARGEST = 4 * 2**30
"""Bytes that a bundle may unpack to."""
LONGEST_LIST = 128 * 2**20
MOST_FILES = 500_000
CHUNK = 2**20
BROKEN = "ask for the file again; this one was cut off or damaged on its way"
NOT_OURS = "`bythebook seal` does not make such files: do not trust it"
_TASK = r"[A-Za-z0-9][\w.-]*/[1-9]\d{0,8}"
_KNOWN = re.compile(
    r"(?:plan|prices|merged|redacted)\.json|scorings\.jsonl|scenes/[0-9a-f]{64}\.json"
    rf"|{_TASK}/(?:trace\.jsonl|judgements\.jsonl|verdict(?:-current)?\.json"
    r"|verdicts/[0-9a-f]{64}\.json|evidence/(?:[\w-]+/){0,2}[\w-]+\.json"
    r"|attempts/[1-9]\d{0,8}/trace\.jsonl|workspace/results/.+)",
    re.DOTALL,
)
"""Names that a bundle may hold."""
UNREADABLE = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, EOFError, NotImplementedError,
    RuntimeError, ValueError, OverflowError,
)  # fmt: skip


class Entry(msgspec.Struct, frozen=True):
    """One file of a bundle."""

    name: str
    size: int
    """Bytes."""
    sha256: str


class SealedRun(msgspec.Struct, frozen=True):
    """One run of a bundle."""

    task: str
    run: int
    unverifiable: str = ""
    """Why its verdict cannot be made again from what is here, as whoever sealed it says."""


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`seal.json`."""

    bythebook: Literal["seal"] = "seal"
    version: int = SEAL_VERSION
    benchmark: str
    """Version of the program that played."""
    sealed_by: str
    """Version of the program that sealed."""
    suite: str
    agent: str
    planned: int
    """Runs that the plan wants."""
    runs: tuple[SealedRun, ...]
    left_out: tuple[str, ...] = ()
    """Runs that are not here although something of them was, and why."""
    files: tuple[Entry, ...]
    """By name."""


def entry(name: str, data: bytes) -> Entry:
    """A file's name, its bytes counted, and their SHA-256."""
    return Entry(name, len(data), hashlib.sha256(data).hexdigest())


def write_bundle(path: Path, manifest: Manifest, files: Mapping[str, bytes | Path]) -> str:
    """Write a bundle, whole or not at all; the SHA-256 of its list."""
    listed = as_text(manifest)
    beside = path.with_name(f".{path.name}.new")
    with on_disk(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with zipfile.ZipFile(beside, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
                _add(archive, MANIFEST, listed)
                for one in manifest.files:
                    source = files[one.name]
                    data = source.read_bytes() if isinstance(source, Path) else source
                    if entry(one.name, data) != one:
                        raise TraceError("this file has changed meanwhile", where=str(source)[:200])
                    _add(archive, one.name, data)
            beside.replace(path)
        finally:
            beside.unlink(missing_ok=True)
        sync_folder(path.parent)
    return hashlib.sha256(listed).hexdigest()


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    about = zipfile.ZipInfo(name, TIME)
    about.compress_type, about.external_attr, about.create_system = zipfile.ZIP_DEFLATED, MODE, 3
    archive.writestr(about, data)


# --- reading ------------------------------------------------------------------------------------


class Opened(msgspec.Struct, frozen=True):
    """A bundle that holds what its list says, unpacked."""

    manifest: Manifest
    digest: str
    """SHA-256 of the list."""


def open_bundle(path: Path, into: Path, *, largest: int = LARGEST) -> Opened:
    """Unpack a bundle into an empty folder, checking every byte. Handed-over files are checked and
    not unpacked: no verdict needs them.

    Raises `TraceError` for what is cut off, changed, too large or not ours.
    """
    with _reading(path), zipfile.ZipFile(path) as archive:
        infos = _infos(archive, path)
        listed = _content(archive, infos[MANIFEST], LONGEST_LIST, path)
        manifest = _manifest(listed, path)
        _check_list(manifest, infos, path, largest)
        for one in manifest.files:
            _unpack(archive, infos[one.name], one, into, path)
    return Opened(manifest, hashlib.sha256(listed).hexdigest())


@contextmanager
def _reading(path: Path) -> Iterator[None]:
    """Whatever is wrong with a ZIP file becomes one clear error."""
    try:
        yield
    except FileNotFoundError:
        raise TraceError("no such file", where=path) from None
    except IsADirectoryError:
        hint = "`bythebook score` judges a folder again; `verify` is for what `seal` made"
        raise TraceError("this is a folder", where=path, hint=hint) from None
    except UNREADABLE as error:
        what = f"this bundle does not read: {str(error)[:200] or type(error).__name__}"
        raise TraceError(what, where=path, hint=BROKEN) from None


def _infos(archive: zipfile.ZipFile, path: Path) -> dict[str, zipfile.ZipInfo]:
    """Entries by name: each once, each a plain file."""
    found: dict[str, zipfile.ZipInfo] = {}
    if len(archive.infolist()) > MOST_FILES:
        raise TraceError(f"more than {MOST_FILES:,} files", where=path, hint=NOT_OURS)
    for info in archive.infolist():
        name = info.filename
        if why := _wrong(info) or ("it is there twice" if name in found else ""):
            what = f"the file {name[:100]!r} may not be in a bundle: {why}"
            raise TraceError(what, where=path, hint=NOT_OURS)
        found[name] = info
    if MANIFEST not in found:
        raise TraceError("this is no bundle: it holds no seal.json", where=path)
    return found


def _wrong(info: zipfile.ZipInfo) -> str:
    """What is wrong with one entry; empty: nothing."""
    name, kind = info.filename, info.external_attr >> 28
    if kind not in (0, 0o10) or name.endswith("/"):
        return "it is a link, a folder or a device"
    if info.flag_bits & 0x1:
        return "it is encrypted"
    if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        return "it is packed in another way"
    parts = name.split("/")
    if any(part in ("", ".", "..") for part in parts) or "\\" in name or "\0" in name:
        return "its name leads elsewhere"
    if name != MANIFEST and _KNOWN.fullmatch(name) is None:
        return "nothing of that name belongs there"
    if any(len(part.encode("utf-8", "surrogatepass")) > 255 for part in parts):
        return "its name is too long"
    return ""


def _manifest(data: bytes, path: Path) -> Manifest:
    try:
        found = msgspec.json.decode(data, type=dict[str, msgspec.Raw])
        if msgspec.json.decode(found.get("bythebook", msgspec.Raw(b"null"))) != "seal":
            raise TraceError("this is no bundle: its seal.json is another file's", where=path)
        version = msgspec.json.decode(found.get("version", msgspec.Raw(b"null")))
        if version != SEAL_VERSION:
            what = f"seal version {version}; this bythebook reads version {SEAL_VERSION}"
            raise TraceError(what, where=path, hint="verify it with the bythebook that sealed it")
        return msgspec.json.decode(data, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise TraceError(f"its seal.json does not read: {error}", where=path) from None


def _check_list(
    manifest: Manifest, infos: Mapping[str, zipfile.ZipInfo], path: Path, largest: int
) -> None:
    """The list names every file once, with its size, and all together are not too large."""
    listed = {one.name: one for one in manifest.files}
    there = infos.keys() - {MANIFEST}
    if len(listed) != len(manifest.files):
        raise TraceError("its list names a file twice", where=path, hint=NOT_OURS)
    for names, what in (
        (listed.keys() - there, "is on its list and not there"),
        (there - listed.keys(), "is there and not on its list"),
    ):
        if names:
            raise TraceError(f"{min(names)[:100]!r} {what}", where=path, hint=BROKEN)
    total = sum(max(one.size, infos[one.name].file_size) for one in manifest.files)
    if total > largest:
        what = f"it would unpack to {total:,} bytes; the most is {largest:,}"
        raise TraceError(what, where=path, hint="raise --largest if you know whose it is")
    _check_names(manifest, listed.keys(), path)


def _check_names(manifest: Manifest, names: Set[str], path: Path) -> None:
    """Every run has what a verdict needs, and no name is that of a file and of a folder."""
    folders = {str(parent) for name in names for parent in Path(name).parents}
    if both := folders & names:
        raise TraceError(f"{min(both)!r} is a file and a folder", where=path, hint=NOT_OURS)
    for run in manifest.runs:
        for name in ("trace.jsonl", "verdict.json"):
            if f"{run.task}/{run.run}/{name}" not in names:
                what = f"of run {run.task}/{run.run} there is no {name}"
                raise TraceError(what, where=path, hint=NOT_OURS)


def _content(archive: zipfile.ZipFile, info: zipfile.ZipInfo, most: int, path: Path) -> bytes:
    with archive.open(info) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise TraceError(f"its {info.filename} is too large", where=path, hint=NOT_OURS)
    return data


def _unpack(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, one: Entry, into: Path, path: Path
) -> None:
    """One file, never more of it than its list says."""
    size, sha, target = 0, hashlib.sha256(), into / one.name
    kept = "/workspace/" not in one.name
    with on_disk(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(info) as file, (target if kept else Path("/dev/null")).open("wb") as out:
            while size <= one.size and (chunk := file.read(CHUNK)):
                size += len(chunk)
                sha.update(chunk)
                out.write(chunk)
    if size != one.size or sha.hexdigest() != one.sha256:
        what = f"{one.name[:100]!r} is not the file that was sealed"
        raise TraceError(what, where=path, hint="it was changed since; do not trust it")
