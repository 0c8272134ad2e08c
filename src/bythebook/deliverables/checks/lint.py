"""Fairness: whatever a check locates by stands word for word in the prompt or in an input.

Files, sheets, the pinned name of each field that is looked for, defined names, headings, titles of
charts and what figures are said of. An agent that reads its task knows them all, so a check that
does not find them fails nobody for a guess. Aliases are leniency and need not stand anywhere.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

import msgspec

from bythebook.deliverables.checks.answer import Evidence
from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.checks.prose import pieces
from bythebook.deliverables.checks.spec import Charts
from bythebook.deliverables.checks.uses import uses
from bythebook.deliverables.checks.wording import fold
from bythebook.deliverables.evidence.model import Content, Kind, Workbook
from bythebook.errors import ContentError

_EMPHASIS = re.compile(r"[*_`]+(?=\S)|(?<=\S)[*_`]+")


NO_LINES: Mapping[str, int] = {}


class Judged(Protocol):
    """An item, as far as the lint looks at it."""

    @property
    def id(self) -> str: ...
    @property
    def spec(self) -> msgspec.Struct | None: ...


class Pinned(msgspec.Struct, frozen=True):
    """One string that a check locates by."""

    item: str
    what: str
    text: str


def pinned(
    items: tuple[Judged, ...], fields: Mapping[str, Field], wants: Mapping[str, Kind]
) -> Iterator[Pinned]:
    """The names of the wanted files, and every string that the checks locate by."""
    for name in wants:
        yield Pinned("", "file", name)
    for item in items:
        if item.spec is not None:
            for what, text in _strings(item.spec, fields):
                yield Pinned(item.id, what, text)


def _strings(spec: msgspec.Struct, fields: Mapping[str, Field]) -> Iterator[tuple[str, str]]:
    used = uses(spec)
    yield from (("heading or label", fields[name].names[0]) for name in used.fields)
    yield from (("sheet", name) for name in used.sheets)
    yield from (("defined name", name) for name in used.names)
    yield from (("heading", name) for name in used.headings)
    yield from (("subject of a figure", name) for name in used.subjects)
    if isinstance(spec, Charts):
        yield from (("title of a chart", one.title) for one in spec.all if one.title)


def check_fair(
    strings: Iterator[Pinned],
    prompt: str,
    inputs: Callable[[], Evidence],
    where: str,
    lines: Mapping[str, int] = NO_LINES,
) -> None:
    """Raises `ContentError` for the first string that stands nowhere. `inputs` are only read when
    the prompt does not hold everything; `lines`: of the items in their file."""
    told = fold(_EMPHASIS.sub("", prompt))
    missing = [one for one in strings if not _stands(one.text, told)]
    if not missing:
        return
    shown = fold(" \n ".join(texts(inputs())))
    for one in missing:
        if not _stands(one.text, shown):
            hint = "say it in prompt.md word for word, or look for what the task does say"
            what = f"the {one.what} {one.text!r} stands neither in the prompt nor in an input"
            line = f":{lines[one.item]}" if one.item in lines else ""
            place = f"{where}{line}, item {one.item}" if one.item else where
            raise ContentError(what, where=place, hint=hint)


def _stands(text: str, told: str) -> bool:
    """As whole words, letter case aside."""
    wanted = fold(_EMPHASIS.sub("", text))
    # A language without spaces has no ends of words.
    before = r"(?<!\w)" if wanted[:1].isascii() else ""
    after = r"(?!\w)" if wanted[-1:].isascii() else ""
    return re.search(before + re.escape(wanted) + after, told) is not None


def texts(inputs: Evidence) -> Iterator[str]:
    """All that can be read in the inputs, their names too."""
    for name in inputs.files:
        yield name
        content = inputs.content(name)
        if content is not None:
            yield from _said(name, content)


def _said(name: str, content: Content) -> Iterator[str]:
    if isinstance(content, Workbook):
        yield from content.names
        for sheet in content.sheets:
            yield sheet.name
            yield from (cell.value for cell in sheet.cells if isinstance(cell.value, str))
    else:
        yield from (piece.text for piece in pieces(name, content))
