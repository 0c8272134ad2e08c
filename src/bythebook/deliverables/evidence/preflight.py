"""What a folder holds, before any parser sees a byte: kinds, statuses, refusals.

Regular files only: links, devices and what lies outside are refused. The first bytes of a file must
be what its suffix promises, and an office file's archive must unpack to something of sane size.
Nothing here raises on what a candidate left.
"""

import hashlib
import os
import re
import stat
import zipfile
from collections.abc import Iterator
from pathlib import Path

import msgspec

from bythebook.deliverables.evidence.model import FileEvidence, Kind, Refusal, Status
from bythebook.deliverables.evidence.package import BROKEN
from bythebook.deliverables.evidence.reading import Unreadable


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a folder and a file may come to before they are refused; sizes in bytes."""

    files: int = 1_000
    """In one folder."""
    entries: int = 20_000
    """Looked at in one folder."""
    depth: int = 20
    """Folders in folders."""
    size: int = 100 * 2**20
    """Bytes of a file that is read."""
    hashed: int = 2**30
    """Bytes of a file that is hashed."""
    members: int = 10_000
    unpacked: int = 200 * 2**20
    ratio: int = 200
    """Unpacked to packed, of an archive that unpacks to more than `harmless`."""
    harmless: int = 10 * 2**20


LIMITS = Limits()

OFFICE = {
    "xlsx": ".xlsx .xlsm .xltx .xltm",
    "docx": ".docx .docm .dotx .dotm",
    "pptx": ".pptx .pptm .ppsx .ppsm .potx .potm",
}
KINDS: dict[Kind, str] = {
    "xlsx": OFFICE["xlsx"],
    "docx": OFFICE["docx"],
    "pptx": OFFICE["pptx"],
    "pdf": ".pdf",
    "text": ".txt .md .markdown .rst .adoc .tex .bib .csv .tsv .json .jsonl .ndjson .geojson .yaml "
    ".yml .toml .ini .cfg .conf .xml .svg .html .htm .css .log .eml .ics .vcf .sql .py .ipynb .r "
    ".rmd .jl .m .js .mjs .ts .tsx .jsx .java .kt .scala .go .rs .c .h .cpp .hpp .cs .rb .php .pl "
    ".sh .bash .ps1 .bat .lua .swift .vb .bas .mmd .dot .srt .vtt",
    "image": ".png .jpg .jpeg .gif .bmp .webp .tif .tiff",
}
BY_SUFFIX: dict[str, Kind] = {
    suffix: kind for kind, suffixes in KINDS.items() for suffix in suffixes.split()
}
OLD = {
    suffix: f"{suffix} is an old or foreign format and is not read; {instead} is."
    for suffixes, instead in (
        (".xls .xlsb .ods .fods .numbers .gsheet", "xlsx"),
        (".doc .odt .fodt .rtf .pages .gdoc", "docx"),
        (".ppt .odp .fodp .key .gslides", "pptx"),
    )
    for suffix in suffixes.split()
}

MAGIC = (
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "ole"),
    (b"%PDF-", "pdf"),
    (b"\x89PNG\r\n\x1a\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"GIF87a", "gif"),
    (b"GIF89a", "gif"),
    (b"BM", "bmp"),
    (b"II*\0", "tiff"),
    (b"MM\0*", "tiff"),
    (b"{\\rtf", "rtf"),
    (b"\x1f\x8b", "gzip"),
    (b"Rar!", "rar"),
    (b"7z\xbc\xaf", "7z"),
    (b"\x7fELF", "program"),
    (b"MZ", "program"),
)
WORDS = {
    "zip": "a ZIP archive",
    "ole": "an old office file (OLE)",
    "pdf": "a PDF",
    "rtf": "rich text",
    "text": "plain text",
    "nothing known": "no file of that kind",
    "xlsx": "a workbook",
    "docx": "a Word document",
    "pptx": "a presentation",
}
IMAGES = {".jpg": "jpeg", ".tif": "tiff"}
MAIN_TYPES: dict[str, Kind] = {
    "spreadsheetml": "xlsx",
    "ms-excel": "xlsx",
    "wordprocessingml": "docx",
    "ms-word": "docx",
    "presentationml": "pptx",
    "ms-powerpoint": "pptx",
}
CONTENT_TYPE = re.compile(rb"""ContentType\s*=\s*["']([^"']{,200})["']""")
UTF = (b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")


def survey(
    folder: Path, limits: Limits = LIMITS
) -> tuple[tuple[FileEvidence, ...], tuple[Refusal, ...]]:
    """Every file below the folder, by name, and what was not taken."""
    files: list[FileEvidence] = []
    refused: list[Refusal] = []
    for name, path, why in _walk(folder, limits):
        if why or len(files) >= limits.files:
            refused.append(Refusal(name, why or f"more than {limits.files} files"))
            continue
        try:
            files.append(look(path, name, limits))
        except OSError as error:
            refused.append(Refusal(name, f"cannot be read: {error.strerror}"))
    return tuple(files), tuple(refused)


def look(path: Path, name: str = "", limits: Limits = LIMITS) -> FileEvidence:
    """One regular file: its kind and status. OSError if the file cannot be opened."""
    name = name or path.name
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0))
    with os.fdopen(handle, "rb") as file:
        size = os.fstat(handle).st_size
        start = file.read(2**16)
        file.seek(0)
        sha = hashlib.file_digest(file, "sha256").hexdigest() if size <= limits.hashed else ""
    kind = kind_of(name)
    status: Status = "ok"
    says = ""
    try:
        says = _check(path, kind, size, start, limits)
    except Unreadable as error:
        status, says = error.status, error.says
    return FileEvidence(name=name, kind=kind, status=status, says=says, sha=sha, size=size)


def kind_of(name: str) -> Kind:
    """What a name's suffix promises."""
    return BY_SUFFIX.get(Path(name).suffix.lower(), "other")


def found_as(start: bytes) -> str:
    """What the first bytes of a file are: `pdf`, `png`, ..., `text` or `nothing known`."""
    for magic, what in MAGIC:
        if start.startswith(magic):
            return what
    if start.startswith(b"RIFF") and start[8:12] == b"WEBP":
        return "webp"
    return "text" if _textual(start) else "nothing known"


def _check(path: Path, kind: Kind, size: int, start: bytes, limits: Limits) -> str:
    """What a judge should know of a file that passes; `Unreadable` if it does not."""
    suffix = path.suffix.lower()
    if size == 0:
        raise Unreadable("empty", "It holds no byte.")
    if kind == "other":
        return OLD.get(suffix, f"{suffix or 'A file without suffix'} is kept, but not read.")
    if size > limits.size:
        raise Unreadable("too_big", f"It has {size:,} bytes; at most {limits.size:,} are read.")
    if kind in OFFICE:
        _check_office(path, kind, found_as(start), limits)
    elif not _fits(kind, suffix, start):
        raise Unreadable("wrong_type", f"It is named {suffix}, but {_worded(found_as(start))}.")
    return ""


def _fits(kind: Kind, suffix: str, start: bytes) -> bool:
    """Whether the first bytes are those of a PDF, a text or this kind of image."""
    if kind == "pdf":
        return b"%PDF-" in start[:1024]  # readers allow for some bytes before the mark
    if kind == "text":
        # `BM` and `MZ` begin words too.
        return found_as(start) in ("text", "bmp", "program") and _textual(start)
    return found_as(start) == IMAGES.get(suffix, suffix[1:])


def _check_office(path: Path, kind: Kind, what: str, limits: Limits) -> None:
    if what == "ole":
        if _holds_encrypted(path):
            raise Unreadable("encrypted", "It is protected by a password.")
        raise Unreadable("wrong_type", f"It is named {path.suffix}, but {_worded(what)}.")
    if what != "zip":
        raise Unreadable("wrong_type", f"It is named {path.suffix}, but {_worded(what)}.")
    try:
        with zipfile.ZipFile(path) as archive:
            _check_members(archive, limits)
            real = _main_type(archive)
    except BROKEN as error:
        raise Unreadable("corrupt", f"It is no whole ZIP archive: {error}.") from None
    if real != kind:
        raise Unreadable("wrong_type", f"It is named {path.suffix}, but {_worded(real)}.")


def _check_members(archive: zipfile.ZipFile, limits: Limits) -> None:
    members = archive.infolist()
    if len(members) > limits.members:
        raise Unreadable("too_big", f"It has {len(members):,} parts; at most {limits.members:,}.")
    unpacked = sum(member.file_size for member in members)
    packed = sum(member.compress_size for member in members)
    if unpacked > limits.unpacked:
        raise Unreadable(
            "too_big", f"It unpacks to {unpacked:,} bytes; at most {limits.unpacked:,}."
        )
    if unpacked > limits.harmless and unpacked > limits.ratio * max(packed, 1):
        raise Unreadable("too_big", f"It unpacks to {unpacked // max(packed, 1):,} times its size.")
    seen: set[str] = set()
    for member in members:
        name = member.filename.replace("\\", "/")
        if name.startswith("/") or ".." in name.split("/") or name[1:2] == ":":
            raise Unreadable("corrupt", f"A part lies outside of it: {name[:80]!r}.")
        if name.lower() in seen:
            raise Unreadable("corrupt", f"It holds two parts {name[:80]!r}.")
        if member.flag_bits & 1:
            raise Unreadable("encrypted", "It is protected by a password.")
        seen.add(name.lower())


def _main_type(archive: zipfile.ZipFile) -> str:
    """Which office format the archive says it is."""
    names = {name.lower(): name for name in archive.namelist()}
    if "[content_types].xml" not in names:
        return "zip"
    types = archive.read(names["[content_types].xml"])
    for found in CONTENT_TYPE.findall(types):
        word = found.decode("ascii", "replace")
        for mark, kind in MAIN_TYPES.items():
            if mark in word and "main" in word and "binary" not in word:
                return kind
    return "zip"


def _holds_encrypted(path: Path) -> bool:
    """An OLE file whose directory names the stream of an encrypted package ([MS-OFFCRYPTO])."""
    wanted = "EncryptedPackage".encode("utf-16-le")
    with path.open("rb") as file:
        return wanted in file.read(100 * 2**20)


def _textual(start: bytes) -> bool:
    """Without NUL bytes, or in one of the encodings that have them."""
    if b"\0" not in start or start.startswith(UTF):
        return True
    # UTF-16 without a mark: mostly Latin text has its NULs in every second place.
    for places in (start[::2], start[1::2]):
        other = start[1::2] if places is start[::2] else start[::2]
        if places.count(0) > 0.9 * len(places) and other.count(0) == 0:
            return True
    return False


def _worded(what: str) -> str:
    return f"it is {WORDS.get(what, f'a file of type {what}')}"


def _walk(folder: Path, limits: Limits) -> Iterator[tuple[str, Path, str]]:
    """Name, path and why it is refused, of everything that is no folder; by name."""
    found: list[tuple[str, Path, str]] = []
    waiting = [(folder, "", 0)]
    while waiting and len(found) < limits.entries:
        place, prefix, depth = waiting.pop()
        try:
            entries = sorted(os.scandir(place), key=lambda entry: entry.name)
        except OSError as error:
            found.append((prefix.rstrip("/"), place, f"cannot be opened: {error.strerror}"))
            continue
        for entry in entries:
            name = prefix + _printable(entry.name)
            why = _refusal(entry, depth, limits)
            if entry.is_dir(follow_symlinks=False) and not why:
                waiting.append((Path(entry.path), f"{name}/", depth + 1))
            else:
                found.append((name, Path(entry.path), why))
    yield from sorted(found[: limits.entries])
    if waiting or len(found) > limits.entries:
        yield "...", folder, f"more than {limits.entries:,} entries; the others were not looked at"


def _refusal(entry: os.DirEntry[str], depth: int, limits: Limits) -> str:
    """Why this entry is not taken; empty for a regular file and for a folder."""
    try:
        mode = entry.stat(follow_symlinks=False).st_mode
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    if stat.S_ISLNK(mode):
        return "a symbolic link"
    if stat.S_ISDIR(mode):
        return "folders nested too deep" if depth >= limits.depth else ""
    if not stat.S_ISREG(mode):
        return "neither a file nor a folder"
    return "" if _printable(entry.name) == entry.name else "its name is not valid Unicode"


def _printable(name: str) -> str:
    return name.encode("utf-8", "backslashreplace").decode("utf-8")
