"""Right answers worded otherwise: other headings, other ways to write dates, ids and numbers."""

from collections.abc import Callable

from bythebook.deliverables.checks.dates import of_serial
from bythebook.deliverables.checks.fields import Field
from bythebook.deliverables.evidence.model import Cell
from bythebook.deliverables.evidence.numbers import shown
from bythebook.deliverables.proof.draft import Draft, inserted, kind_of
from bythebook.deliverables.proof.ground import Ground, tables_in

# --- headings and labels ------------------------------------------------------------------------


def _renamed(ground: Ground, draft: Draft, write: Callable[[str, Field], str]) -> bool:
    """Headings and labels written otherwise."""
    places = [
        (table.sheet, (table.header, column), name)
        for table in tables_in(ground, draft)
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
    for table in sorted(tables_in(ground, draft), key=lambda t: -t.header):
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
    for table in tables_in(ground, draft):
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
