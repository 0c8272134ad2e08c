"""Which formulas of a workbook a change can reach, through cells and through names.

Exact, or not at all: where one formula does not tell what it reads (INDIRECT, a table, another
book), nothing is told of the workbook.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from bythebook.deliverables.evidence.formulas import Area, areas, joins, names_in, tells_all
from bythebook.deliverables.evidence.model import Workbook

SMALL = 64
"""Cells of an area that are looked up one by one."""
ANYWHERE = frozenset(("indirect", "offset", "sheet", "sheets", "cell", "info", "getpivotdata"))
"""Functions that read what their arguments do not name."""
STRETCHING = frozenset(("sumif", "averageif", "lookup"))
"""Functions that read one argument as far as another one reaches."""
OF_FORMULAS = frozenset(("subtotal", "aggregate", "formulatext", "_xlfn.formulatext", "isformula"))
"""Functions that look at a cell's formula and not only at its value."""
_FUNCTION = re.compile(r"([^\W\d][\w.]*)\(")

Place = tuple[str, int, int]
"""Sheet in small letters, row, column."""
Rows = Mapping[tuple[int, int], object]
"""What stands on a sheet, by row and column."""


class Read(NamedTuple):
    """What a formula reads, as far as its text tells."""

    areas: tuple[Area, ...]
    words: frozenset[str]
    """In small letters: functions, and what may be names."""
    certain: bool
    """Areas and names tell all that it reads."""
    joined: bool
    """All that lies between them may be read."""
    of_formulas: bool


@lru_cache(maxsize=50_000)
def read_by(formula: str) -> Read:
    functions = {name.casefold() for name in _FUNCTION.findall(formula)}
    words = functions.union(name.casefold() for name in names_in(formula))
    found = tuple(dict.fromkeys(areas(formula)))
    if functions & STRETCHING:
        found = tuple(_stretched(found))
    return Read(
        areas=found,
        words=frozenset(words),
        certain=tells_all(formula) and not words & ANYWHERE,
        joined=joins(formula),
        of_formulas=bool(functions & OF_FORMULAS),
    )


def _stretched(found: tuple[Area, ...]) -> Iterator[Area]:
    """Each area as large as the largest."""
    down = max((area.bottom - area.top for area in found), default=0)
    across = max((area.right - area.left for area in found), default=0)
    for one in found:
        yield Area(one.sheet, one.top, one.left, one.top + down, one.left + across)


class Names:
    """The defined names of a workbook, and what lies behind them."""

    def __init__(self, book: Workbook) -> None:
        self._texts: dict[str, list[str]] = {}
        told = [*book.names.items()]
        told += [(name.rpartition("!")[2], text) for name, text in book.local_names.items()]
        for name, text in told:
            self._texts.setdefault(name.casefold(), []).append(text)

    def changed(self, other: "Names") -> frozenset[str]:
        """Names that mean something else there, and those that are said by them."""
        mine, theirs = self._texts, other._texts
        found = {name for name in mine.keys() | theirs.keys() if mine.get(name) != theirs.get(name)}
        said = [(name, text) for book in (mine, theirs) for name in book for text in book[name]]
        while more := {name for name, text in said if read_by(text).words & found} - found:
            found |= more
        return frozenset(found)

    def areas(self, words: frozenset[str]) -> tuple[Area, ...] | None:
        """What these names refer to, those behind them too; None where it cannot be told."""
        found: list[Area] = []
        seen: set[str] = set()
        todo = [word for word in words if word in self._texts]
        while todo:
            name = todo.pop()
            if name in seen:
                continue
            seen.add(name)
            for read in map(read_by, self._texts[name]):
                if not read.certain or read.joined or not all(a.sheet for a in read.areas):
                    return None
                found += read.areas
                todo += [word for word in read.words if word in self._texts]
        return tuple(found)


def resolved(formula: str, sheet: str, names: Names) -> tuple[Area, ...] | None:
    """Every area that a formula on this sheet reads, its sheet in small letters; None where it
    cannot be told."""
    read = read_by(formula)
    named = names.areas(read.words) if read.certain else None
    if named is None:
        return None
    found = tuple(
        Area((area.sheet or sheet).casefold(), area.top, area.left, area.bottom, area.right)
        for area in (*read.areas, *named)
    )
    return tuple(_spans(found)) if read.joined else found


class Reach:
    """The formulas of one workbook by what they read."""

    def __init__(self, formulas: Mapping[Place, str], names: Names) -> None:
        self.certain = True
        self._by_cell: dict[Place, list[Place]] = {}
        self._by_area: dict[Area, list[Place]] = {}
        """Those that read a large area."""
        for place, formula in formulas.items():
            found = resolved(formula, place[0], names)
            self.certain = self.certain and found is not None
            for area in found or ():
                self._note(area, place)

    def _note(self, area: Area, place: Place) -> None:
        if _size(area) > SMALL:
            self._by_area.setdefault(area, []).append(place)
        else:
            for cell in _places_in(area):
                self._by_cell.setdefault(cell, []).append(place)

    def of(self, changed: Iterable[Place]) -> set[Place]:
        """The formulas that hang on changed cells, at whatever distance."""
        reached: set[Place] = set()
        todo, left = [*changed], [*self._by_area]
        while todo:
            sheet, row, column = place = todo.pop()
            hit = {area for area in left if area.sheet == sheet and area.holds(row, column)}
            if hit:
                left = [area for area in left if area not in hit]
            readers = [self._by_cell.get(place, []), *(self._by_area[area] for area in hit)]
            new = {one for places in readers for one in places} - reached
            reached |= new
            todo += new
        return reached


def places_read(
    formulas: Mapping[Place, str], names: Names, sheets: Mapping[str, Rows]
) -> set[Place] | None:
    """The places that these formulas read; of large areas all filled ones in what spans them. None
    where it cannot be told."""
    found: set[Place] = set()
    large: list[Area] = []
    for area in _areas(formulas, names):
        if area is None:
            return None
        if _size(area) <= SMALL:
            found.update(_places_in(area))
        else:
            large.append(area)
    for span in _spans(large):
        filled = sheets.get(span.sheet, {})
        found |= {(span.sheet, *at) for at in filled if span.holds(*at)}
    return found


def _areas(formulas: Mapping[Place, str], names: Names) -> Iterator[Area | None]:
    """Every area that is read, each once; None for what cannot be told."""
    seen: set[Area] = set()
    for place, formula in formulas.items():
        read = resolved(formula, place[0], names)
        if read is None:
            yield None
        for area in read or ():
            if area not in seen:
                seen.add(area)
                yield area


def _size(area: Area) -> int:
    """Its cells."""
    return (area.bottom - area.top + 1) * (area.right - area.left + 1)


def _places_in(area: Area) -> Iterator[Place]:
    for row in range(area.top, area.bottom + 1):
        for column in range(area.left, area.right + 1):
            yield area.sheet, row, column


def _spans(found: Iterable[Area]) -> Iterator[Area]:
    """Of each sheet the smallest area that holds all of its areas."""
    spans: dict[str, Area] = {}
    for one in found:
        other = spans.get(one.sheet, one)
        spans[one.sheet] = Area(
            one.sheet,
            min(one.top, other.top),
            min(one.left, other.left),
            max(one.bottom, other.bottom),
            max(one.right, other.right),
        )
    yield from spans.values()
