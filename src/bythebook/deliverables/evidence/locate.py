"""Places in handed-over files: looked up, verified, and read out to a judge.

The grammar is that of `locators`, what may differ in a quotation that of `quoting`. A verified
place proves that somebody looked, not that they are right. Where only a picture tells (`drawn`), it
is verified that the place is there and nothing more.
"""

from collections.abc import Callable, Iterator
from typing import Protocol, runtime_checkable

import msgspec

from bythebook.deliverables.checks.answer import Evidence
from bythebook.deliverables.evidence.locators import (
    INPUT,
    Cells,
    Locator,
    OnPage,
    parse,
    parse_place,
    written,
)
from bythebook.deliverables.evidence.model import Content, PageImages, Pdf
from bythebook.deliverables.evidence.outline import describe
from bythebook.deliverables.evidence.quoting import reads_so
from bythebook.deliverables.evidence.readout import Values, content_lines, nothing
from bythebook.deliverables.evidence.standing import Standing, standing
from bythebook.deliverables.judge.judgement import Cited
from bythebook.errors import ContentError, suggestion, unknown

__all__ = ["Found", "describe", "resolve", "text_of", "verify"]

RESULTS = "results/"
"""Judges write it before a file's name now and then; it says nothing."""
MOST_SHOWN = 16_000
MOST_READ_CELLS = 1_000_000
"""Of a range that is read out, not cited."""
EMPTY_WORDS = ("", "empty", "blank", "none", "nothing")


class Found(msgspec.Struct, frozen=True, kw_only=True):
    """What a locator leads to."""

    exists: bool
    text: str = ""
    """What stands there; of a file its name and status."""
    why: str = ""
    """Why there is no such place, in a sentence, with what is near."""
    drawn: bool = False
    """A picture: there is nothing to compare a quotation with."""
    readings: tuple[str, ...] = ()
    """The ways in which the place may be quoted."""
    pieces: bool = False
    """It has cells: a quotation may take some of them."""


@runtime_checkable
class Paged(Protocol):
    """Evidence that can draw pages, such as `view.View`."""

    def pages(self, name: str) -> PageImages: ...


def resolve(locator: str, results: Evidence, inputs: Evidence) -> Found:
    """What stands at a place. A locator that is wrong is an answer, never an exception."""
    return _resolved(locator, results, inputs, anew=False)


def verify(cited: Cited, results: Evidence, inputs: Evidence) -> str:
    """Empty if the place is there and reads as cited, else why not, in a sentence."""
    said = cited.reads.strip()
    found = resolve(cited.at, results, inputs)
    if not found.exists:
        return found.why
    if not said or found.drawn or _fits(said, found):
        return ""
    # Only now is it worth what recalculating costs.
    if _fits(said, _resolved(cited.at, results, inputs, anew=True)):
        return ""
    there = " ".join(found.text.split())
    return f"it reads {_short(there)}, not {_short(said)}" if there else "it is empty"


def text_of(view: Evidence, name: str, part: str = "", limit: int = MOST_SHOWN) -> str:
    """A file, or the place `part` of it, as lines with locators, about `limit` letters of it.

    `part` is what a locator has after `#`. Raises ContentError where there is no such place.
    """
    content = _content(view, name)
    if not part:
        return _limited(content_lines(content, _anew(view, name)), limit)
    place = parse_place(part, most_cells=MOST_READ_CELLS)
    if isinstance(place, OnPage) and not isinstance(content, Pdf):
        return _page_drawn(view, name, place).text
    return _limited(iter(standing(content, place, _anew(view, name)).lines), limit)


def _limited(lines: Iterator[str], limit: int) -> str:
    found: list[str] = []
    length = 0
    for line in lines:
        found.append(line)
        length += len(line) + 1
        if length > limit:
            break
    return "\n".join(found)[:limit]


def _short(text: str, most: int = 160) -> str:
    return repr(text if len(text) <= most else f"{text[:most]} ...")


def _fits(said: str, found: Found) -> bool:
    if not found.text.strip() and said.strip("()[]\"' .").lower() in EMPTY_WORDS:
        return True
    return reads_so(said, found.readings, pieces=found.pieces)


def _resolved(text: str, results: Evidence, inputs: Evidence, *, anew: bool) -> Found:
    """`anew`: formulas may be quoted by what recalculation gives, too."""
    try:
        locator = parse(text)
        evidence = inputs if locator.of_input else results
        name = _file(locator, evidence)
        if locator.place is None:
            return _whole(evidence, name)
        content = _content(evidence, name)
        place = locator.place
        if isinstance(place, OnPage) and not isinstance(content, Pdf):
            return _page_drawn(evidence, name, place)
        values = _anew(evidence, name) if anew and isinstance(place, Cells) else nothing
        return _found(standing(content, place, values))
    except ContentError as error:
        return Found(exists=False, why=" ".join(filter(None, (error.what, _hint(error)))))


def _hint(error: ContentError) -> str:
    return f"({error.hint})" if error.hint else ""


def _found(what: Standing) -> Found:
    return Found(
        exists=True,
        text=what.text,
        drawn=what.drawn,
        readings=what.readings,
        pieces=what.pieces,
    )


def _file(locator: Locator, evidence: Evidence) -> str:
    names = evidence.files
    for name in (locator.file, locator.file.removeprefix(RESULTS)):
        if name in names:
            return name
    prefix = INPUT if locator.of_input else ""
    known = [f"{prefix}{name}" for name in names]
    raise unknown("file", f"{prefix}{locator.file}", known)


def _whole(evidence: Evidence, name: str) -> Found:
    """A file as such. It is no place to quote from, but its name and status may be."""
    file = evidence.files[name]
    said = f"{name} ({file.kind}, {file.status}) {file.says}".strip()
    return Found(exists=True, text=said, readings=(said,), drawn=file.kind == "image")


def _content(evidence: Evidence, name: str) -> Content:
    file = evidence.files.get(name)
    if file is None:
        raise ContentError(f"no file {name!r}", hint=suggestion(name, evidence.files))
    content = evidence.content(name)
    if content is None:
        why = file.says or f"its status is {file.status}"
        raise ContentError(f"nothing in {name} can be read: {why}")
    return content


def _anew(evidence: Evidence, name: str) -> Callable[[], Values]:
    def values() -> Values:
        return evidence.recalculated(name).values

    return values


def _page_drawn(evidence: Evidence, name: str, place: OnPage) -> Found:
    """A page of an office file, which only its picture knows."""
    pages = evidence.pages(name) if isinstance(evidence, Paged) else None
    count = len(pages.images) if pages is not None else 0
    if pages is None or place.number > count:
        says = (pages.says if pages is not None else "") or f"there are {count} page images"
        raise ContentError(f"no {written(place)} of {name}", hint=says)
    label = pages.images[place.number - 1].label
    return Found(exists=True, text="", drawn=True, readings=(label,))
