"""What is wrong with a check before anything was handed over: names that lead nowhere, values that
do not read as their field says, a check that cannot decide."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from bythebook import yamlfile
from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.checks.reading import written_value
from bythebook.deliverables.checks.uses import TableUse, Uses, cells_of, resolve, uses
from bythebook.deliverables.checks.want import read_want
from bythebook.deliverables.evidence.formulas import area_of
from bythebook.deliverables.evidence.model import Kind
from bythebook.deliverables.expected import Expected
from bythebook.errors import ContentError, unknown


@dataclass(frozen=True)
class Ground:
    """What a rubric's names may refer to."""

    fields: Mapping[str, Field]
    wants: Mapping[str, Kind]
    expected: Expected
    inputs: Path


def check_spec(spec: msgspec.Struct, ground: Ground, where: str, *, screen: bool) -> None:
    """Every name and value that a check uses, and that it can decide. Raises `ContentError`."""
    _check_wants(spec, where)
    _check_decides(spec, where, screen=screen)
    used = uses(spec)
    _check_fields(used, ground, where)
    for file in used.files:
        resolve(file, ground.wants, where=where)
    for table in used.tables:
        _check_table(table, ground, where)
    for name in used.inputs:
        if not (ground.inputs / name).is_file():
            known = [path.name for path in ground.inputs.glob("*")]
            raise unknown("input", name, known, where=where)


def _check_fields(used: Uses, ground: Ground, where: str) -> None:
    for name in used.fields:
        if name not in ground.fields:
            raise unknown("field", name, ground.fields, where=where)
    for name, value in used.values:
        written_value(value, ground.fields[name].read_as, where=f"{where}, {name}")
    for use in used.wants:
        read_want(use.want, ground.fields.get(use.field), where=where)


def _check_wants(spec: msgspec.Struct, where: str) -> None:
    if isinstance(spec, s.Names):
        for value in spec.are.values():
            if isinstance(value, Mapping):
                yamlfile.fit(value, s.Wanted, where=where)


# --- what a check can decide --------------------------------------------------------------------


def _check_decides(spec: msgspec.Struct, where: str, *, screen: bool) -> None:
    """Prose only refutes; and a check must ask for something."""
    prose = isinstance(spec, s.Phrases) or (isinstance(spec, s.Figures) and spec.only is None)
    if prose and not screen:
        hint = "write `screen:`; the judge then decides what it does not refute"
        raise ContentError("a check over prose can only refute", where=where, hint=hint)
    for name in ASKS.get(type(spec), ()):
        if not getattr(spec, name):
            raise ContentError(f"`{name}` asks for nothing", where=where)
    rules = RULES.get(type(spec))
    problem = rules(spec) if rules is not None else ""
    if problem:
        raise ContentError(problem, where=where)


ASKS: dict[type, tuple[str, ...]] = {
    s.Files: ("want",),
    s.Sheets: ("order",),
    s.Rows: ("key",),
    s.Column: ("key",),
    s.Range: ("key",),
    s.Order: ("key", "by"),
    s.Format: ("key",),
    s.Label: ("all",),
    s.Names: ("are",),
    s.Charts: ("all",),
    s.View: ("sheets", "has"),
    s.WhatIf: ("set", "then"),
    s.Outline: ("has",),
    s.Figures: ("all",),
}
"""Lists that must not be empty."""


BY_EITHER = "a cell is found by `find` and `column`, or by its `label`"


def _cells(spec: s.Cell) -> str:
    own = [spec.equals is not None, spec.tol is not None, spec.between is not None]
    if spec.all and (any(own) or spec.any_of):
        return "with `all`, each cell says itself what it wants"
    return _complete(cells_of(spec))


def _complete(cells: tuple[s.OneCell, ...]) -> str:
    for one in cells:
        for name in ("sheet", "find", "column"):
            if not getattr(one, name):
                return f"a cell needs `{name}`"
    return ""


def _what_if(spec: s.WhatIf) -> str:
    for place in spec.set:
        area = area_of(place)
        if area is None or not area.sheet or (area.top, area.left) != (area.bottom, area.right):
            return f"{place!r} is no cell such as Sheet!B2"
    for one in spec.then:
        if bool(one.label) == bool(one.find and one.column):
            return BY_EITHER
        if not one.sheet:
            return "a cell needs `sheet`"
    return ""


def _column(spec: s.Column) -> str:
    if spec.tol is not None and spec.tol < 0:
        return "a tolerance is not negative"
    return "" if 0 < spec.share <= 1 else "a share lies above 0 and is at most 1"


def _range(spec: s.Range) -> str:
    bounds = spec.min is not None or spec.max is not None
    if bounds == bool(spec.kinds):
        return "a range has bounds (min, max), or kinds of text"
    crossed = spec.min is not None and spec.max is not None and spec.min > spec.max
    return "the lower bound is above the upper one" if crossed else ""


def _figures(spec: s.Figures) -> str:
    for one in spec.all:
        if one.digits < 1:
            return "a figure shows at least one digit"
        if spec.only and not one.near:
            return "a row of a table is found by what it is `near`"
    return ""


def _phrases(spec: s.Phrases) -> str:
    return "" if spec.all or spec.none else "`all` or `none` asks for something"


def _agree(spec: s.Agree) -> str:
    if (spec.figure is None) == (spec.other is None):
        return "a cell agrees with one `figure`, or `with` one other cell"
    for place in (spec.cell, spec.other):
        if place is not None and bool(place.label) == bool(place.find and place.column):
            return BY_EITHER
    return ""


def _charts(spec: s.Charts) -> str:
    bare = spec.formula and not spec.sheet
    return "only a workbook's charts come from formulas: name their `sheet`" if bare else ""


def _pages(spec: s.Pages) -> str:
    own = spec.file or spec.size or spec.at_most is not None or spec.at_least != 1
    if spec.all and own:
        return "with `all`, each file says itself how many pages it has"
    for one in spec.all or (spec,):
        if one.at_most is not None and not 1 <= one.at_least <= one.at_most:
            return f"no file has {one.at_least} to {one.at_most} pages"
        if one.at_most is None and one.at_least <= 1 and one.size is None:
            return "`at_least`, `at_most` or `size` asks for something"
    return ""


RULES: dict[type, Callable[[Any], str]] = {
    s.Cell: _cells,
    s.WhatIf: _what_if,
    s.Charts: _charts,
    s.Column: _column,
    s.Range: _range,
    s.Figures: _figures,
    s.Phrases: _phrases,
    s.Agree: _agree,
    s.Pages: _pages,
}
"""What is wrong with a check beyond its names, in words; empty when nothing is."""


def _check_table(use: TableUse, ground: Ground, where: str) -> None:
    """The table is there, its keys are told apart, and all of it reads as its fields say."""
    path, column = use.name.partition("#")[0], ""
    file = ground.inputs.parent / path
    if use.whole:
        table = ground.expected.table(use.name, where=where)
    else:
        table, column = ground.expected.column(use.name, where=where)
    for key in use.keys:
        if key not in table.columns:
            raise unknown(f"column of {path}", key, table.columns, where=where)
    for name in (*use.keys, *([column] if column else [])):
        read_as = ground.fields[name].read_as if name in ground.fields else "number"
        for number, text in enumerate(table.column(name), 2):
            if text or name in use.keys:
                written_value(text, read_as, where=f"{file}:{number}, {name}")
    keys = list(table.picked(use.keys))
    if use.keys and len(set(keys)) < len(keys):
        number = next(n for n, key in enumerate(keys) if key in keys[:n])
        what = f"the key {', '.join(keys[number])} stands here twice"
        hint = f"{where} takes it for one row; name more keys there, or mend the table"
        raise ContentError(what, where=f"{file}:{number + 2}", hint=hint)
