"""Right answers arranged otherwise: other places, another order, more than was asked."""

import msgspec

from bythebook.deliverables.evidence.model import Chart, Series
from bythebook.deliverables.proof.draft import Draft, Line, inserted, turned
from bythebook.deliverables.proof.ground import Ground, alone_in, sheets_in, tables_in

NOTE = "Prepared from the files received"


def columns_turned(ground: Ground, draft: Draft) -> bool:
    tables = alone_in(ground, draft)
    for table in tables:
        draft.move(table.sheet, columns=turned(range(table.first, table.last + 1)))
    return bool(tables)


def rows_turned(ground: Ground, draft: Draft) -> bool:
    done = False
    for table in tables_in(ground, draft):
        ordered = any(t.ordered for t in tables_in(ground, draft) if t.sheet == table.sheet)
        if not ordered and len(table.rows) > 1:
            draft.move(table.sheet, rows=turned(table.rows))
            done = True
    return done


def _pushed(ground: Ground, draft: Draft, rows: Line, columns: Line) -> bool:
    sheets = sheets_in(ground, draft)
    for sheet in sheets:
        draft.move(sheet, rows, columns)
    return bool(sheets)


def title_rows(ground: Ground, draft: Draft) -> bool:
    done = _pushed(ground, draft, inserted(1, 3), inserted(1, 0))
    for sheet in sheets_in(ground, draft):
        draft.put(sheet, (1, 1), sheet)
        draft.put(sheet, (2, 1), NOTE)
        draft.set(sheet, merges=(*draft.sheets[sheet].merges, "A1:C1"))
    return done


def notes_above(ground: Ground, draft: Draft) -> bool:
    done = _pushed(ground, draft, inserted(1, 12), inserted(1, 0))
    for sheet in sheets_in(ground, draft):
        for row in range(1, 12):
            draft.put(sheet, (row, 1), f"{row}. {NOTE}")
    return done


def blank_column(ground: Ground, draft: Draft) -> bool:
    return _pushed(ground, draft, inserted(1, 0), inserted(1, 1))


def blank_row_inside(ground: Ground, draft: Draft) -> bool:
    """In the middle of each table; from the lowest up, so that none moves twice."""
    done = False
    for table in sorted(tables_in(ground, draft), key=lambda t: -t.header):
        if len(table.rows) > 3:
            draft.move(table.sheet, rows=inserted(table.rows[len(table.rows) // 2], 1))
            done = True
    return done


# --- more than was asked ------------------------------------------------------------------------


def extra_column(ground: Ground, draft: Draft) -> bool:
    """Remarks between the first column and what follows."""
    tables = alone_in(ground, draft)
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
    for table in tables_in(ground, draft):
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
    for table in sorted(tables_in(ground, draft), key=lambda t: -t.header):
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
    for table in tables_in(ground, draft):
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
    sheets = sheets_in(ground, draft)
    if sheets:
        copied = [cell for (row, _), cell in draft.cells[sheets[0]].items() if row <= 3]
        draft.add_sheet("Workings", copied)
    return bool(sheets)


def extra_names(ground: Ground, draft: Draft) -> bool:
    names = {**draft.book.names, "Working_total": "1+1"}
    draft.book = msgspec.structs.replace(draft.book, names=names)
    return bool(sheets_in(ground, draft))


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
    frozen = [n for n in sheets_in(ground, draft) if draft.sheets[n].freeze]
    for name in frozen:
        row = draft.sheets[name].freeze.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ")
        draft.set(name, freeze=f"B{row}")
    return bool(frozen)
