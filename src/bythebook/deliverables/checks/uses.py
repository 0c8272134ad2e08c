"""What a check names: files, fields, sheets, expected tables. Read by the loader and the lint."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

from bythebook.deliverables.checks import spec as s
from bythebook.deliverables.evidence.model import Kind
from bythebook.errors import ContentError, unknown

BOOK: tuple[Kind, ...] = ("xlsx",)
PROSE: tuple[Kind, ...] = ("docx", "pptx", "pdf", "text")

HEADED: tuple[Kind, ...] = ("docx", "pptx", "text")
"""Kinds with real headings."""


class FileUse(msgspec.Struct, frozen=True):
    """A file of the results, by name (empty: the one wanted file of these kinds)."""

    name: str
    kinds: tuple[Kind, ...]


class TableUse(msgspec.Struct, frozen=True):
    """An expected table, `expected/NAME.csv`, or one column of it, `expected/NAME.csv#FIELD`."""

    name: str
    keys: tuple[str, ...] = ()
    """The fields that find its rows."""
    whole: bool = False
    """The table is meant, not a column."""


class WantUse(msgspec.Struct, frozen=True):
    """A WANT, and the field that says how its value reads (empty: as it is written)."""

    want: s.Wanted
    field: str = ""


class Uses(msgspec.Struct, frozen=True, kw_only=True):
    files: tuple[FileUse, ...] = ()
    fields: tuple[str, ...] = ()
    values: tuple[tuple[str, Any], ...] = ()
    """Field and value of every `find` and `where`."""
    sheets: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    """Defined names."""
    headings: tuple[str, ...] = ()
    """Of documents."""
    subjects: tuple[str, ...] = ()
    """What figures stand near."""
    tables: tuple[TableUse, ...] = ()
    inputs: tuple[str, ...] = ()
    wants: tuple[WantUse, ...] = ()


def uses(spec: msgspec.Struct) -> Uses:
    """What this check names."""
    return USES[type(spec)](spec)


def resolve(use: FileUse, wants: Mapping[str, Kind], *, where: str = "") -> str:
    """The name of the file that is meant. Raises `ContentError` when it is not one file."""
    if use.name:
        if use.name not in wants:
            raise unknown("wanted file", use.name, wants, where=where)
        if wants[use.name] not in use.kinds:
            what = f"{use.name} is {wants[use.name]}; this check reads {', '.join(use.kinds)}"
            raise ContentError(what, where=where)
        return use.name
    fitting = [name for name, kind in wants.items() if kind in use.kinds]
    if len(fitting) != 1:
        what = f"the task wants {len(fitting)} files of kind {' or '.join(use.kinds)}"
        raise ContentError(what, where=where, hint="say which: `file: NAME`")
    return fitting[0]


def first(spelling: str | Iterable[str]) -> tuple[str, ...]:
    """The pinned spelling of several, as a tuple of one or none."""
    several = (spelling,) if isinstance(spelling, str) else tuple(spelling)
    return several[:1]


def wanted(value: Any) -> s.Wanted:
    """The WANT of a defined name: as written, or `equals` for a bare value."""
    if isinstance(value, Mapping):
        return msgspec.convert(value, s.Wanted)
    return s.Wanted(equals=value)


def cells_of(cell: s.Cell) -> tuple[s.OneCell, ...]:
    """The cells that a check asks for, each complete in itself."""
    return tuple(_filled(one, cell) for one in cell.all) or (_alone(cell),)


def _alone(cell: s.Cell) -> s.OneCell:
    own = {name: getattr(cell, name) for name in s.OneCell.__struct_fields__}
    return s.OneCell(**own)


def _filled(one: s.OneCell, cell: s.Cell) -> s.OneCell:
    return msgspec.structs.replace(
        one,
        file=one.file or cell.file,
        sheet=one.sheet or cell.sheet,
        find={**cell.find, **one.find},
        column=one.column or cell.column,
        formula=one.formula or cell.formula,
        text_ok=one.text_ok or cell.text_ok,
    )


def _files(spec: s.Files) -> Uses:
    return Uses(files=tuple(FileUse(name, (kind,)) for name, kind in spec.want.items()))


def _sheets(spec: s.Sheets) -> Uses:
    return Uses(files=(FileUse(spec.file, BOOK),), sheets=spec.order)


def _unchanged(spec: s.Unchanged) -> Uses:
    return Uses(files=(FileUse(spec.file, BOOK),), inputs=(spec.input,), sheets=spec.sheets)


def _book(spec: s.Spec) -> Uses:
    return Uses(files=(FileUse(spec.file, BOOK),))


def _table(spec: s.TableSpec, *fields: str, **more: Any) -> Uses:
    return Uses(
        files=(FileUse(spec.file, BOOK),),
        fields=(*spec.key, *spec.where, *fields),
        values=tuple(spec.where.items()),
        sheets=(spec.sheet,),
        **more,
    )


def _rows(spec: s.Rows) -> Uses:
    return _table(spec, tables=(TableUse(spec.are, spec.key, whole=True),))


def _column(spec: s.Column) -> Uses:
    return _table(spec, spec.column, tables=(TableUse(spec.table, spec.key),))


def _one(spec: s.Range | s.Format) -> Uses:
    return _table(spec, spec.column)


def _order(spec: s.Order) -> Uses:
    return _table(spec, *(field.removeprefix("-") for field in spec.by))


def _cell(spec: s.Cell) -> Uses:
    return _cells(cells_of(spec))


def _cells(cells: tuple[s.OneCell, ...]) -> Uses:
    return Uses(
        files=tuple(FileUse(one.file, BOOK) for one in cells),
        fields=tuple(name for one in cells for name in (*one.find, field_of(one))),
        values=tuple(pair for one in cells for pair in one.find.items()),
        sheets=tuple(one.sheet for one in cells),
        wants=tuple(WantUse(one, field_of(one)) for one in cells),
    )


def field_of(cell: s.OneCell) -> str:
    """The field whose value a cell holds."""
    return cell.label if isinstance(cell, s.Follower) and cell.label else cell.column


def _label(spec: s.Label) -> Uses:
    return Uses(
        files=(FileUse(spec.file, BOOK),),
        fields=tuple(one.label for one in spec.all),
        sheets=(spec.sheet,),
        wants=tuple(WantUse(one, one.label) for one in spec.all),
    )


def _names(spec: s.Names) -> Uses:
    wants = tuple(WantUse(wanted(value)) for value in spec.are.values())
    return Uses(files=(FileUse(spec.file, BOOK),), names=tuple(spec.are), wants=wants)


def _charts(spec: s.Charts) -> Uses:
    kinds: tuple[Kind, ...] = BOOK if spec.sheet else ("docx", "pptx")
    return Uses(
        files=(FileUse(spec.file, kinds),),
        sheets=first(spec.sheet) if spec.sheet else (),
        tables=tuple(
            TableUse(values)
            for one in spec.all
            for values in (one.values, one.also)
            if isinstance(values, str)
        ),
    )


def _view(spec: s.View) -> Uses:
    return Uses(files=(FileUse(spec.file, BOOK),), sheets=spec.sheets)


def _what_if(spec: s.WhatIf) -> Uses:
    then = _cells(tuple(msgspec.structs.replace(c, file=c.file or spec.file) for c in spec.then))
    changed = tuple(place.rpartition("!")[0].strip("'") for place in spec.set)
    return msgspec.structs.replace(
        then, files=(FileUse(spec.file, BOOK), *then.files), sheets=(*changed, *then.sheets)
    )


def _outline(spec: s.Outline) -> Uses:
    headings = tuple(name for one in spec.has for name in first(one))
    return Uses(files=(FileUse(spec.file, HEADED),), headings=headings)


def _figures(spec: s.Figures) -> Uses:
    subjects = tuple(name for one in spec.all for name in first(one.near))
    return Uses(files=(FileUse(spec.file, PROSE),), subjects=subjects)


def _phrases(spec: s.Phrases) -> Uses:
    return Uses(files=(FileUse(spec.file, PROSE),))


def _agree(spec: s.Agree) -> Uses:
    cells = (spec.cell, *([spec.other] if spec.other else []))
    fields = (name for one in cells for name in (*one.find, one.column or one.label))
    files = [FileUse(one.file, BOOK) for one in cells]
    files += [FileUse(spec.figure.file, PROSE)] if spec.figure else []
    return Uses(
        files=tuple(files),
        fields=tuple(fields),
        values=tuple(pair for one in cells for pair in one.find.items()),
        sheets=tuple(one.sheet for one in cells),
        subjects=first(spec.figure.near) if spec.figure else (),
    )


def paged(spec: s.Pages) -> tuple[tuple[s.OnePages, FileUse], ...]:
    """What is asked of the pages of which file. A document is named: its pages are no part of it,
    and a task that wants a PDF means that one."""
    return tuple(
        (one, FileUse(one.file, ("pdf", "docx") if one.file else ("pdf",)))
        for one in spec.all or (spec,)
    )


def _pages(spec: s.Pages) -> Uses:
    return Uses(files=tuple(use for _, use in paged(spec)))


def _of_kind(kind: Kind) -> Callable[[s.Spec], Uses]:
    return lambda spec: Uses(files=(FileUse(spec.file, (kind,)),))


USES: dict[type, Callable[[Any], Uses]] = {
    s.Files: _files,
    s.Sheets: _sheets,
    s.Unchanged: _unchanged,
    s.NoErrors: _book,
    s.Rows: _rows,
    s.Column: _column,
    s.Cell: _cell,
    s.Range: _one,
    s.Order: _order,
    s.Format: _one,
    s.Label: _label,
    s.Names: _names,
    s.Charts: _charts,
    s.View: _view,
    s.WhatIf: _what_if,
    s.Outline: _outline,
    s.Figures: _figures,
    s.Phrases: _phrases,
    s.Agree: _agree,
    s.Pages: _pages,
    s.Slides: _of_kind("pptx"),
    s.Image: _of_kind("image"),
}
