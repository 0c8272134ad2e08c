"""Which files a task of Harbor wants: it has no place of its own for that."""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath
from typing import Any

from bythebook.deliverables.evidence.model import Kind
from bythebook.deliverables.evidence.preflight import kind_of
from bythebook.errors import ContentError
from bythebook.interop.harbor.judges import Rubric
from bythebook.interop.harbor.layout import SOLUTION
from bythebook.interop.harbor.place import Place

SCRIPTS = (".sh", ".bat")
NAME = re.compile(r"(?<![\w./-])(?:/app/)?((?:[\w.-]+/)*[\w-][\w. -]*?\.[A-Za-z0-9]{2,5})(?![\w/])")
"""A file's name in a text, with or without the folders before it."""


def wanted(
    place: Place,
    told: Mapping[str, Any],
    rubric: Rubric,
    given: tuple[str, ...],
    inputs: frozenset[str],
    asked: str,
) -> dict[str, Kind]:
    """Name to kind: as given; else what task.toml collects, what its judges are shown, what its
    solution holds; else the names in the instruction that are no inputs. The first of these that
    names any decides. Raises `ContentError` when none does."""
    sources = (given, _collected(told), _shown(rubric), place.below(SOLUTION), NAME.findall(asked))
    known = {PurePosixPath(name).name for name in inputs}
    for number, names in enumerate(sources):
        found = {name: kind_of(name) for name in _plain(names) if number == 0 or name not in known}
        if found:
            return found
    hint = "name each file that is to be handed over: --wants report.docx"
    raise ContentError("it does not say which files it wants", where=place.root, hint=hint)


def _collected(told: Mapping[str, Any]) -> Iterator[str]:
    found = told.get("artifacts", [])
    for one in found if isinstance(found, list) else []:
        yield str(one.get("source", "")) if isinstance(one, dict) else str(one)


def _shown(rubric: Rubric) -> Iterator[str]:
    return (path for one in rubric.asked for path in one.files)


def _plain(names: Iterable[str]) -> Iterator[str]:
    """The last part of each name that is that of a file, once; scripts are nobody's deliverable."""
    for name in names:
        last = PurePosixPath(name).name
        suffix = PurePosixPath(last).suffix
        plain = suffix and suffix not in SCRIPTS and not set(last) & set("*?[{")
        if plain and kind_of(last) != "other":
            yield last
