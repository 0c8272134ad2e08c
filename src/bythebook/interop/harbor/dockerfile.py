"""What of an image's recipe are files for the agent, and what is only told of.

`WORKDIR` and `COPY` (or `ADD`) of files beside the recipe are followed; all else that an image is
built by is work that bythebook does not do, and is named.
"""

import json
import re
import shlex
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from pathlib import PurePosixPath

from msgspec import Struct

from bythebook.interop.harbor.layout import APP
from bythebook.interop.harbor.place import inside

QUIET = ("WORKDIR", "LABEL", "MAINTAINER", "ARG", "SHELL")
LONG = 120
_HEREDOC = re.compile(r"<<-?\s*[\"']?(\w+)[\"']?")


class Image(Struct, frozen=True):
    """`files`: path in the working folder to the file beside the recipe that is copied there."""

    workdir: str
    files: dict[str, str]
    lost: tuple[str, ...]
    """Steps that are not carried over, in words."""


def read_recipe(text: str, beside: Mapping[str, object], where: str) -> Image:
    """`beside`: names of the files in the recipe's folder. Raises `ContentError` for a source that
    leads out of it."""
    workdir, copied, lost = PurePosixPath("/"), list[tuple[str, str]](), list[str]()
    for word, rest in _steps(text):
        if word == "WORKDIR":
            workdir = _joined(workdir, rest)
        elif word in ("COPY", "ADD"):
            found = _copied(rest, workdir, beside, where)
            copied += found
            if not found:
                lost.append(f"{word} {_short(rest)}")
        elif word not in QUIET:
            lost.append(f"{word} {_short(rest)}")
    home = str(workdir) if workdir != PurePosixPath("/") else APP
    files = dict[str, str]()
    for target, source in copied:
        path = PurePosixPath(target)
        if path.is_relative_to(home) and str(path) != home:
            files[str(path.relative_to(home))] = source
        else:
            lost.append(f"COPY {source} to {target}, outside of {home}")
    return Image(home, files, tuple(lost))


# --- inside -------------------------------------------------------------------------------------


def _steps(text: str) -> Iterator[tuple[str, str]]:
    """Each instruction with its words; lines that go on are joined, documents in place left out."""
    joined = re.sub(r"\\[ \t]*\n", " ", re.sub(r"(?m)^[ \t]*#.*\n?", "", text))
    ends = ""
    for line in joined.splitlines():
        if ends:
            ends = "" if line.strip() == ends else ends
            continue
        word, _, rest = line.strip().partition(" ")
        if word:
            found = _HEREDOC.search(rest)
            ends = found[1] if found else ""
            yield word.upper(), rest.strip()


def _copied(
    rest: str, workdir: PurePosixPath, beside: Mapping[str, object], where: str
) -> list[tuple[str, str]]:
    """Path in the image, and the file that comes to lie there; nothing for what is not beside."""
    options, told = _parted(rest)
    if any(word.startswith("--from") for word in options) or "<<" in told:
        return []
    *sources, target = _words(told) or [""]
    found = list[tuple[str, str]]()
    into = _joined(workdir, target)
    for source in sources:
        if "://" in source:
            return []
        name = inside(source.lstrip("/"), where)
        found += _placed(name, into, folder=target.endswith(("/", ".")) or len(sources) > 1,
                         beside=beside)  # fmt: skip
    return found


def _placed(
    name: str, into: PurePosixPath, *, folder: bool, beside: Mapping[str, object]
) -> Iterator[tuple[str, str]]:
    """A file under its own name or the new one; of a folder, all that is in it."""
    for path in beside:
        start = f"{name}/" if name else ""
        if path == name:
            yield str(into / PurePosixPath(path).name if folder else into), path
        elif path.startswith(start):
            yield str(into / path.removeprefix(start)), path
        elif fnmatchcase(path, name) and path.count("/") == name.count("/"):
            yield str(into / PurePosixPath(path).name), path


def _parted(rest: str) -> tuple[list[str], str]:
    """The options in front, and what comes after them."""
    options: list[str] = []
    while rest.startswith("--"):
        first, _, rest = rest.partition(" ")
        options.append(first)
        rest = rest.lstrip()
    return options, rest


def _words(rest: str) -> list[str]:
    try:
        if rest.startswith("["):
            return [str(word) for word in json.loads(rest)]
        return shlex.split(rest)
    except ValueError:
        return []


def _joined(folder: PurePosixPath, path: str) -> PurePosixPath:
    """A path in the image, steps worked out; it cannot lead out of an image's root."""
    parts: list[str] = []
    for part in (folder / path.strip("\"'")).parts[1:]:
        if part == "..":
            parts = parts[:-1]
        else:
            parts.append(part)
    return PurePosixPath("/", *parts)


def _short(rest: str) -> str:
    line = " ".join(rest.split())
    return line if len(line) <= LONG else f"{line[: LONG - 2]}.."
