"""The reference workbook. What was read off drawings, notices and mails stands in Sources, cell by
cell, and all else is computed from there and from the export."""

from pathlib import Path

import xlsxwriter

from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook, put_tables
from authoring.stem_01_drawing_bom.book_figures import dashboard, dimensions, stack
from authoring.stem_01_drawing_bom.book_lines import comparison, costs, per_station_rows
from authoring.stem_01_drawing_bom.book_register import todo, write_register
from authoring.stem_01_drawing_bom.inputs import raw_tables
from authoring.stem_01_drawing_bom.nouns import Notice
from authoring.stem_01_drawing_bom.paper import NEW, Paper, Value
from authoring.stem_01_drawing_bom.rules import (
    CLASSES,
    DAYS,
    GENERAL,
    GENERAL_INCH,
    INCH,
    KINDS,
    LEAD,
    POUND,
    Rules,
    closed_days,
    notices_that_count,
)
from authoring.stem_01_drawing_bom.story import Story
from authoring.stem_01_drawing_bom.world import GAP

BOOK, SOURCES = "configuration-check.xlsx", "Sources"
NOTICE_HEADS = (
    *("ECN", "Code", "At", "Item", "New", "Status"),
    *("Effective", "Shown on", "Counts", "Sought"),
)


def write_reference(told: Story, folder: Path) -> None:
    path = folder / BOOK
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, f"Configuration check {told.world.base}", "Configuration Management")
    put_tables(book, raw_tables(told))
    writers = (comparison, dimensions, write_register, todo, stack, costs, dashboard)
    for name, write in zip(NEW, writers, strict=True):
        write(told, Paper(book, name))
    _sources(told, Paper(book, SOURCES))
    _measurements(told, Paper(book, "Measurements"))
    book.define_name("CheckDate", "=Actions!$B$1")
    book.define_name("BuildStart", "=Actions!$B$2")
    book.close()
    pack(path)


def _sources(told: Story, paper: Paper) -> None:
    paper.sheet.set_column("A:AP", 12)
    _settings(told, paper, paper.book)
    _notices(told, paper)
    _register(told, paper)
    _people(told, paper)
    _tables(told, paper)


def _settings(told: Story, paper: Paper, book: xlsxwriter.Workbook) -> None:
    rules: tuple[tuple[str, Value], ...] = (
        ("Inch", INCH),
        ("Pound", POUND),
        ("GaugeError", told.world.gauge_error),
        ("DaysHold", DAYS["H"]),
        ("DaysA", DAYS["A"]),
        ("DaysB", DAYS["B"]),
        ("DaysC", DAYS["C"]),
        ("LeadDays", LEAD),
        ("GapFrom", GAP[0]),
        ("GapTo", GAP[1]),
        ("MassLimit", told.mass_limit),
        ("GeneralInch", GENERAL_INCH),
    )
    paper.sheet.write_row("A1", ("Rule", "Figure"), paper.head)
    for row, (name, value) in enumerate(rules, 2):
        paper.line(row, {"A": name, "B": value})
        book.define_name(name, f"={SOURCES}!$B${row}")


def _notices(told: Story, paper: Paper) -> None:
    """D to M: every point of every notice, and whether it counts."""
    paper.sheet.write_row("D1", NOTICE_HEADS, paper.head)
    counting = notices_that_count(told.world, Rules())
    for row, one in enumerate(told.world.notices, 2):
        counts = one in counting
        sought = f"{one.at}|{one.item}" if counts and not one.incorporated else ""
        cells: dict[str, tuple[str, Value] | Value] = {
            "D": one.number,
            "E": one.code,
            "F": one.at,
            "G": one.item,
            "H": _new(told, one),
            "I": one.status,
            "J": one.effective,
            "K": one.incorporated,
            "L": (f'IF(AND(I{row}="Released",J{row}<=BuildStart),1,0)', int(counts)),
            "M": (f'IF(AND(L{row}=1,K{row}=""),F{row}&"|"&G{row},"")', sought),
        }
        paper.line(row, cells)


def _new(told: Story, one: Notice) -> Value:
    if one.code == "DIM":
        return told.limit(one.item).nominal
    return int(one.value) if one.code == "QTY" else one.value


def _register(told: Story, paper: Paper) -> None:
    """O to R: the drawing register."""
    paper.sheet.write_row("O1", ("Drawing", "Rev", "Status", "Released"), paper.head)
    rows = [(number, rev, "Released") for number, rev in sorted(told.world.revisions.items())]
    rows.append((told.world.no("110"), "C", "Superseded"))
    rows.append((told.world.no("101"), "C", "Preliminary"))
    for row, (number, rev, status) in enumerate(rows, 2):
        found = (f'IF(Q{row}="Released",O{row},"")', number if status == "Released" else "")
        paper.line(row, {"O": number, "P": rev, "Q": status, "R": found})


def _people(told: Story, paper: Paper) -> None:
    """T to V: who owns which kind of action; X: closed days."""
    paper.sheet.write_row("T1", ("Sign", "Role", "Holder"), paper.head)
    for row, (sign, role) in enumerate(KINDS.items(), 2):
        paper.line(row, {"T": sign, "U": role, "V": told.world.owners[role]})
    paper.sheet.write_string("X1", "Closed", paper.head)
    closed = sorted(closed_days(told.world, Rules()))
    for row, day in enumerate(closed, 2):
        paper.put(f"X{row}", day)
    paper.book.define_name("Closed", f"={SOURCES}!$X$2:$X${len(closed) + 1}")


def _tables(told: Story, paper: Paper) -> None:
    """Z general tolerances, AC classes, AG assemblies per station, AK masses of title blocks."""
    paper.sheet.write_row("Z1", ("Over", "Plus or minus"), paper.head)
    for row, (over, _, value) in enumerate(GENERAL, 2):
        paper.line(row, {"Z": over, "AA": value})
    paper.sheet.write_row("AC1", ("Code", "Key", "Other"), paper.head)
    for row, (code, (key, other)) in enumerate(CLASSES.items(), 2):
        paper.line(row, {"AC": code, "AD": key, "AE": other})
    paper.sheet.write_row("AG1", ("Assembly", "Per station", "Per station in ERP"), paper.head)
    for row, cells in enumerate(per_station_rows(told), 2):
        paper.line(row, cells)
    paper.sheet.write_row("AK1", ("Part", "Mass", "Unit"), paper.head)
    drawn = [part for part in told.world.parts.values() if part.drawn_mass is not None]
    for row, part in enumerate(drawn, 2):
        paper.line(row, {"AK": part.number, "AL": part.drawn_mass, "AM": part.drawn_unit})


def _measurements(told: Story, paper: Paper) -> None:
    names = ("Part", "Char.", "Inspection", "Piece", "Value", "Unit", "Gauge", "mm", "Counts")
    paper.header(names, (12, *(10,) * 8))
    last = len(told.world.measured) + 1
    most = {code: 0 for code in {one.code for one in told.world.measured}}
    for one in told.world.measured:
        most[one.code] = max(most[one.code], one.inspection)
    for row, one in enumerate(told.world.measured, 2):
        off = told.world.gauge_error if one.gauge == "G-17" else 0
        value = (one.value - off) * (INCH if one.unit == "in" else 1)
        here = f"($B$2:$B${last}=B{row})*$C$2:$C${last}"
        cells: dict[str, tuple[str, Value] | Value] = {
            "A": one.part,
            "B": one.code,
            "C": one.inspection,
            "D": one.piece,
            "E": one.value,
            "F": one.unit,
            "G": one.gauge,
            "H": (f'(E{row}-IF(G{row}="G-17",GaugeError,0))*IF(F{row}="in",Inch,1)', value),
            "I": (f"IF(C{row}=SUMPRODUCT(MAX({here})),1,0)", int(one.inspection == most[one.code])),
        }
        paper.line(row, cells)
