"""Right answers that look otherwise: each is made from the reference, and none may fail.

A variant touches every table and label that the checks read, all at once. What it does is what
another professional might do whom the prompt leaves free to do it; an item may be unsure of it, and
then the judge speaks.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import msgspec

from bythebook.deliverables.checks.dates import of_serial
from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.evidence.model import (
    Cell,
    Chart,
    Document,
    FileEvidence,
    Paragraph,
    Series,
    Text,
)
from bythebook.deliverables.evidence.numbers import shown
from bythebook.deliverables.proof.court import Court
from bythebook.deliverables.proof.draft import Draft, Line, inserted, kind_of, turned
from bythebook.deliverables.proof.layout import Caption, Layout, captions, layouts
from bythebook.deliverables.proof.sample import Sample

NOTE = "Prepared from the files received"


@dataclass(frozen=True)
class Ground:
    """A right answer, and where its tables and labels stand."""

    court: Court
    sample: Sample
    tables: tuple[Layout, ...]
    labels: tuple[Caption, ...]

    def field(self, name: str) -> Field:
        return self.court.task.rubric.fields[name]

    def drafts(self) -> dict[str, Draft]:
        """A draft of every workbook in which a check reads a table or a label."""
        files = {table.file for table in self.tables} | {one.file for one in self.labels}
        return {name: Draft(self.sample, name) for name in self.sample.books if name in files}


@dataclass(frozen=True)
class Variant:
    name: str
    """What is other, in words."""
    sample: Sample


Make = Callable[[Ground, Draft], bool]
"""Changes one draft; whether it changed anything."""


def ground_of(court: Court, sample: Sample) -> Ground:
    tables, labels = layouts(court, sample), captions(court, sample)
    raw = {sheet for book in _books(court) for sheet in book}
    return Ground(
        court,
        sample,
        tuple(table for table in tables if table.sheet not in raw),
        tuple(label for label in labels if label.sheet not in raw),
    )


def _books(court: Court) -> Iterator[set[str]]:
    """The sheets of each workbook among the inputs that a check compares with."""
    for name in court.inputs.files:
        content = court.inputs.content(name)
        yield {sheet.name for sheet in getattr(content, "sheets", ())}


def variants(ground: Ground) -> Iterator[Variant]:
    """Every variant that applies to this task."""
    for name, make in MAKES.items():
        drafts = ground.drafts()
        changed = [make(ground, draft) for draft in drafts.values()]
        if any(changed):
            yield Variant(name, _together(ground.sample, drafts))
    for name, make_files in FILES.items():
        found = make_files(ground)
        if found is not None:
            yield Variant(name, found)


def _together(sample: Sample, drafts: dict[str, Draft]) -> Sample:
    for name, draft in drafts.items():
        done = draft.done()
        sample = sample.having(name, done.contents[name], done.computed.get(name))
    return sample


def _tables(ground: Ground, draft: Draft) -> list[Layout]:
    return [table for table in ground.tables if table.file == draft.file]


def _sheets(ground: Ground, draft: Draft) -> list[str]:
    """The sheets that checks read tables or labels of."""
    found = [table.sheet for table in _tables(ground, draft)]
    found += [one.sheet for one in ground.labels if one.file == draft.file]
    return list(dict.fromkeys(found))


def _alone(ground: Ground, draft: Draft) -> list[Layout]:
    """Tables with no other table and no label on their sheet: their columns can move freely."""
    stand = [table.sheet for table in _tables(ground, draft)]
    stand += [one.sheet for one in ground.labels if one.file == draft.file]
    return [table for table in _tables(ground, draft) if stand.count(table.sheet) == 1]


# --- order and place ----------------------------------------------------------------------------


def columns_turned(ground: Ground, draft: Draft) -> bool:
    tables = _alone(ground, draft)
    for table in tables:
        draft.move(table.sheet, columns=turned(range(table.first, table.last + 1)))
    return bool(tables)


def rows_turned(ground: Ground, draft: Draft) -> bool:
    done = False
    for table in _tables(ground, draft):
        ordered = any(t.ordered for t in _tables(ground, draft) if t.sheet == table.sheet)
        if not ordered and len(table.rows) > 1:
            draft.move(table.sheet, rows=turned(table.rows))
            done = True
    return done


def _pushed(ground: Ground, draft: Draft, rows: Line, columns: Line) -> bool:
    sheets = _sheets(ground, draft)
    for sheet in sheets:
        draft.move(sheet, rows, columns)
    return bool(sheets)


def title_rows(ground: Ground, draft: Draft) -> bool:
    done = _pushed(ground, draft, inserted(1, 3), inserted(1, 0))
    for sheet in _sheets(ground, draft):
        draft.put(sheet, (1, 1), sheet)
        draft.put(sheet, (2, 1), NOTE)
        draft.set(sheet, merges=(*draft.sheets[sheet].merges, "A1:C1"))
    return done


def notes_above(ground: Ground, draft: Draft) -> bool:
    done = _pushed(ground, draft, inserted(1, 12), inserted(1, 0))
    for sheet in _sheets(ground, draft):
        for row in range(1, 12):
            draft.put(sheet, (row, 1), f"{row}. {NOTE}")
    return done


def blank_column(ground: Ground, draft: Draft) -> bool:
    return _pushed(ground, draft, inserted(1, 0), inserted(1, 1))


def blank_row_inside(ground: Ground, draft: Draft) -> bool:
    """In the middle of each table; from the lowest up, so that none moves twice."""
    done = False
    for table in sorted(_tables(ground, draft), key=lambda t: -t.header):
        if len(table.rows) > 3:
            draft.move(table.sheet, rows=inserted(table.rows[len(table.rows) // 2], 1))
            done = True
    return done


# --- more than was asked ------------------------------------------------------------------------


def extra_column(ground: Ground, draft: Draft) -> bool:
    """Remarks between the first column and what follows."""
    tables = _alone(ground, draft)
    for table in tables:
        at = table.first + 1
        draft.move(table.sheet, columns=inserted(at, 1))
        draft.put(table.sheet, (table.header, at), "Remark")
        for row in table.rows:
            draft.put(table.sheet, (row, at), "checked")
    return bool(tables)


def hidden_column(ground: Ground, draft: Draft) -> bool:
    """A working column of one's own, hidden."""
    done = False
    for table in _tables(ground, draft):
        at = table.last + 1
        if any(draft.at(table.sheet, (row, at)) for row in (table.header, *table.rows)):
            continue
        draft.put(table.sheet, (table.header, at), "Working")
        for row in table.rows:
            draft.put(table.sheet, (row, at), 1.5)
        hidden = draft.sheets[table.sheet].hidden_columns
        draft.set(table.sheet, hidden_columns=tuple(sorted({*hidden, at})))
        done = True
    return done


def total_row(ground: Ground, draft: Draft) -> bool:
    """Under each table that nothing stands under: in a free row, or in one made free."""
    done = False
    for table in sorted(_tables(ground, draft), key=lambda t: -t.header):
        if not table.rows or not table.values:
            continue
        at = table.rows[-1] + 1
        draft.move(table.sheet, rows=inserted(at, 2))
        key = min((table.columns[name] for name in table.keys), default=table.first)
        draft.put(table.sheet, (at, key), "Total")
        for name in table.values:
            column = table.columns[name]
            values = [draft.at(table.sheet, (row, column)) for row in table.rows]
            numbers = [c.value for c in values if c and isinstance(c.value, int | float)]
            if numbers:
                draft.put(table.sheet, (at, column), float(sum(numbers)))
        done = True
    return done


def side_table(ground: Ground, draft: Draft) -> bool:
    """The same headings to the right, over other numbers."""
    done = False
    for table in _tables(ground, draft):
        first = draft.edge(table.sheet)[1] + 2
        for place, name in enumerate(table.columns):
            heading = draft.at(table.sheet, (table.header, table.columns[name]))
            if heading is not None:
                draft.put(table.sheet, (table.header, first + place), heading.value)
            for row in table.rows[:3]:
                draft.put(table.sheet, (row, first + place), f"x{row}" if name in table.keys else 7)
        done = True
    return done


def extra_sheet(ground: Ground, draft: Draft) -> bool:
    """At the end, with some of the same headings."""
    sheets = _sheets(ground, draft)
    if sheets:
        copied = [cell for (row, _), cell in draft.cells[sheets[0]].items() if row <= 3]
        draft.add_sheet("Workings", copied)
    return bool(sheets)


def extra_names(ground: Ground, draft: Draft) -> bool:
    names = {**draft.book.names, "Working_total": "1+1"}
    draft.book = msgspec.structs.replace(draft.book, names=names)
    return bool(_sheets(ground, draft))


def extra_charts(ground: Ground, draft: Draft) -> bool:
    """One more chart before the others, and a further series in each."""
    more = Series(name="Plan", values=(1, 2, 3))
    done = False
    for name, sheet in draft.sheets.items():
        if sheet.charts:
            charts = tuple(
                msgspec.structs.replace(one, series=(more, *one.series)) for one in sheet.charts
            )
            draft.set(name, charts=(Chart(type="line", title="Plan", series=(more,)), *charts))
            done = True
    return done


def deeper_freeze(ground: Ground, draft: Draft) -> bool:
    """The first column stays in view as well."""
    frozen = [n for n in _sheets(ground, draft) if draft.sheets[n].freeze]
    for name in frozen:
        row = draft.sheets[name].freeze.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        draft.set(name, freeze=f"B{row}")
    return bool(frozen)


# --- headings and labels ------------------------------------------------------------------------


def _renamed(ground: Ground, draft: Draft, write: Callable[[str, Field], str]) -> bool:
    """Headings and labels written otherwise."""
    places = [
        (table.sheet, (table.header, column), name)
        for table in _tables(ground, draft)
        for name, column in table.columns.items()
    ]
    places += [
        (one.sheet, (one.row, one.column), one.field)
        for one in ground.labels
        if one.file == draft.file
    ]
    done = False
    for sheet, place, name in places:
        cell = draft.at(sheet, place)
        if cell is not None and isinstance(cell.value, str):
            new = write(cell.value, ground.field(name))
            done = done or new != cell.value
            draft.change(sheet, place, new)
    return done


def aliases(ground: Ground, draft: Draft) -> bool:
    def write(text: str, field: Field) -> str:
        return text if field.demanded else next(iter(field.names[1:]), text)

    return _renamed(ground, draft, write)


def units_in_headings(ground: Ground, draft: Draft) -> bool:
    def write(text: str, field: Field) -> str:
        return f"{text} ({field.unit})" if field.unit and "(" not in text else text

    return _renamed(ground, draft, write)


def other_letters(ground: Ground, draft: Draft) -> bool:
    return _renamed(ground, draft, lambda text, _: text.upper().replace(" ", "\n", 1) + " ")


def labels_with_colons(ground: Ground, draft: Draft) -> bool:
    mine = [one for one in ground.labels if one.file == draft.file]
    for one in mine:
        cell = draft.at(one.sheet, (one.row, one.column))
        if cell is not None:
            draft.change(one.sheet, (one.row, one.column), f"{cell.value}:")
    return bool(mine)


def units_row(ground: Ground, draft: Draft) -> bool:
    """A second line of headings that says units."""
    done = False
    for table in sorted(_tables(ground, draft), key=lambda t: -t.header):
        units = {c: ground.field(name).unit for name, c in table.columns.items()}
        if any(units.values()):
            draft.move(table.sheet, rows=inserted(table.header + 1, 1))
            for column, unit in units.items():
                if unit:
                    draft.put(table.sheet, (table.header + 1, column), unit)
            done = True
    return done


# --- values -------------------------------------------------------------------------------------


def _changed(
    ground: Ground, draft: Draft, write: Callable[[Field, Cell], dict[str, object]]
) -> bool:
    """Cells of tables written otherwise; `write` gives value, format, shown or type."""
    done = False
    for table in _tables(ground, draft):
        for name, column in table.columns.items():
            for row in table.rows if name not in table.looks else ():
                cell = draft.at(table.sheet, (row, column))
                new = {} if cell is None else write(ground.field(name), cell)
                if new:
                    value = new.pop("value")
                    draft.change(table.sheet, (row, column), value, **new)  # type: ignore[arg-type] # a scalar and texts
                    done = True
    return done


def dates_as_text(ground: Ground, draft: Draft) -> bool:
    def write(field: Field, cell: Cell) -> dict[str, object]:
        text = _day(field, cell, draft.book.date1904, words=False)
        return {"value": text, "format": "@", "shown": text} if text else {}

    return _changed(ground, draft, write)


def dates_in_words(ground: Ground, draft: Draft) -> bool:
    def write(field: Field, cell: Cell) -> dict[str, object]:
        text = _day(field, cell, draft.book.date1904, words=True)
        return {"value": cell.value, "format": "d mmmm yyyy", "shown": text} if text else {}

    return _changed(ground, draft, write)


MONTHS = "January February March April May June July August September October November December"


def _day(field: Field, cell: Cell, date1904: bool, *, words: bool) -> str:
    """A date or month as text; empty where the cell holds no serial number of one."""
    if field.read_as not in ("date", "month") or not isinstance(cell.value, int | float):
        return ""
    day = of_serial(float(cell.value), date1904=date1904)
    if day is None:
        return ""
    month = MONTHS.split()[day[1] - 1]
    if field.read_as == "month":
        return f"{month} {day[0]}" if words else f"{day[0]}-{day[1]:02}"
    return f"{day[2]} {month} {day[0]}" if words else f"{day[0]}-{day[1]:02}-{day[2]:02}"


def months_in_words(ground: Ground, draft: Draft) -> bool:
    """`2024-03` as `March 2024`, both as text."""

    def write(field: Field, cell: Cell) -> dict[str, object]:
        parts = str(cell.value).split("-") if isinstance(cell.value, str) else []
        if field.read_as != "month" or len(parts) != 2 or not all(p.isdigit() for p in parts):
            return {}
        text = f"{MONTHS.split()[int(parts[1]) - 1]} {parts[0]}"
        return {"value": text, "shown": text}

    return _changed(ground, draft, write)


def ids_as_numbers(ground: Ground, draft: Draft) -> bool:
    """`EMP007` as 7 under the format `"EMP"000`."""

    def write(field: Field, cell: Cell) -> dict[str, object]:
        text = cell.value if isinstance(cell.value, str) else ""
        letters = text.rstrip("0123456789")
        digits = text[len(letters) :]
        if field.read_as != "text" or not digits or not letters.isalpha():
            return {}
        code = f'"{letters}"{"0" * len(digits)}'
        return {"value": int(digits), "format": code, "shown": text, "type": "number"}

    return _changed(ground, draft, write)


def binary_noise(ground: Ground, draft: Draft) -> bool:
    """What another order of adding leaves in the last bits."""

    def write(field: Field, cell: Cell) -> dict[str, object]:
        if not isinstance(cell.value, float) or field.read_as not in ("number", "percent"):
            return {}
        return {"value": cell.value * (1 + 2e-15), "shown": cell.shown}

    return _changed(ground, draft, write)


def other_formats(ground: Ground, draft: Draft) -> bool:
    def write(field: Field, cell: Cell) -> dict[str, object]:
        if field.read_as not in ("number", "percent") or kind_of(cell.value) != "number":
            return {}
        code = "0.000%" if field.read_as == "percent" else "#,##0.000;[Red](#,##0.000)"
        return {"value": cell.value, "format": code, "shown": shown(cell.value, code)}

    return _changed(ground, draft, write)


# --- files --------------------------------------------------------------------------------------


def extra_file(ground: Ground) -> Sample | None:
    """A working file beside the others, where nothing forbids it."""
    only = any(getattr(item.spec, "only", None) is True for item in ground.court.items.values())
    if only:
        return None
    name = "workings.md"
    files = {**ground.sample.files, name: FileEvidence(name=name, kind="text", status="ok")}
    contents = {**ground.sample.contents, name: Text(format="md", lines=("# Workings",))}
    return replace(ground.sample, files=files, contents=contents)


def _documents(ground: Ground, write: Callable[[Document], Document]) -> Sample | None:
    sample = ground.sample
    found = {n: c for n, c in sample.contents.items() if isinstance(c, Document)}
    for name, content in found.items():
        sample = sample.having(name, write(content))
    return sample if found else None


def numbered_headings(ground: Ground) -> Sample | None:
    """`2. Reason` instead of `Reason`, one level deeper."""

    def write(document: Document) -> Document:
        blocks, number = [], 0
        for block in document.blocks:
            if isinstance(block, Paragraph) and block.level:
                number += 1
                text, level = f"{number}. {block.text}", min(block.level + 1, 9)
                block = msgspec.structs.replace(block, text=text, level=level)
            blocks.append(block)
        return msgspec.structs.replace(document, blocks=tuple(blocks))

    return _documents(ground, write)


def letterhead(ground: Ground) -> Sample | None:
    """Three lines before the document begins."""

    def write(document: Document) -> Document:
        lines = [Paragraph(number=n, text=text) for n, text in enumerate(("To:", NOTE, "Draft"), 1)]
        rest = [
            msgspec.structs.replace(block, number=block.number + 3)
            if isinstance(block, Paragraph)
            else block
            for block in document.blocks
        ]
        return msgspec.structs.replace(document, blocks=(*lines, *rest))

    return _documents(ground, write)


MAKES: dict[str, Make] = {
    "columns in the opposite order": columns_turned,
    "rows in the opposite order": rows_turned,
    "title rows above": title_rows,
    "twelve lines of notes above": notes_above,
    "an empty first column": blank_column,
    "an empty row inside": blank_row_inside,
    "a column of remarks": extra_column,
    "a hidden working column": hidden_column,
    "a total row below": total_row,
    "a side table with the same headings": side_table,
    "another sheet at the end": extra_sheet,
    "more defined names": extra_names,
    "more charts and series": extra_charts,
    "a frozen column as well": deeper_freeze,
    "headings by alias": aliases,
    "units in the headings": units_in_headings,
    "headings in other letters": other_letters,
    "labels with a colon": labels_with_colons,
    "a line of units under the headings": units_row,
    "dates as text": dates_as_text,
    "dates in words": dates_in_words,
    "months in words": months_in_words,
    "ids as numbers under a format": ids_as_numbers,
    "noise in the last bits": binary_noise,
    "other number formats": other_formats,
}
FILES: dict[str, Callable[[Ground], Sample | None]] = {
    "another file": extra_file,
    "numbered headings, one level deeper": numbered_headings,
    "a letterhead": letterhead,
}
