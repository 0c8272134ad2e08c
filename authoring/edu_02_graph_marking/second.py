"""reference-2: last candidate first, measured to a quarter, sums for the fit, titles above."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import openpyxl
from openpyxl.chart import BarChart, Reference
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from authoring.edu_02_graph_marking.book import NAME, SHEETS
from authoring.edu_02_graph_marking.expected import NAMES, scales, written
from authoring.edu_02_graph_marking.inputs import logger
from authoring.edu_02_graph_marking.rules import CRITERIA, GRADES, marks
from authoring.edu_02_graph_marking.second_marks import (
    DATA,
    HEADS,
    LIVE,
    fit_rows,
    live_formulas,
    quarter,
)
from authoring.edu_02_graph_marking.world import READINGS, Script, World
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN

Values = dict[str, Any]


def _settings(told: World, sheet: Worksheet) -> None:
    sheet.append(("What decides", "Notes 2026 and mail"))
    labels = ("Points, read-offs: within", "Line: within", "Triangle: more than this share")
    for pair in zip(labels, (0.5, 1.5, 0.5), strict=True):
        sheet.append(pair)
    for name, least in GRADES:
        sheet.append((f"{name} from", least))


def _typed(one: Script) -> Values:
    first, second = one.corners
    places = {
        "Line start": one.ends[0],
        "Line end": one.ends[1],
        "Line at first": one.drawn[0],
        "Line at last": one.drawn[1],
        "P1 across": first.x,
        "P1 up": first.y,
        "P2 across": second.x,
        "P2 up": second.y,
    }
    return {
        "Candidate": int(one.number),
        "Run": one.run,
        "Ring": one.ring,
        "Unit": one.unit or None,
        **{name: float(value) for name, value in written(one).items()},
        **{name: float(value) for name, value in scales(one).items()},
        **{name: quarter(value) for name, value in places.items()},
    }


def _readings(told: World, sheet: Worksheet) -> None:
    sheet.append(("Readings, taken under the lens, last sheet first",))
    sheet.append(())
    sheet.append(HEADS)
    for one in reversed(told.scripts):
        values = _typed(one)
        sheet.append([values[name] for name in HEADS])
        gradient = sheet.cell(sheet.max_row, HEADS.index("Gradient") + 1)
        places = len(one.gradient.partition(".")[2])
        gradient.number_format = f"0.{'0' * places}" if places else "0"
    sheet.freeze_panes = "B4"


def _points(told: World, sheet: Worksheet) -> None:
    sheet.append(("Reading", "Candidate", "Out", "Plotted up", "Plotted across"))
    for n in range(READINGS):
        for one in told.scripts:
            out = n + 1 in one.out
            across, up = one.plotted[n]
            where = (quarter(up), quarter(across)) if out else (None, None)
            sheet.append((n + 1, int(one.number), "Yes" if out else "No", *where))
    sheet.freeze_panes = "C2"


def _marks(told: World, sheet: Worksheet) -> None:
    sheet.append(("Candidate", *CRITERIA, "Total", "Grade"))
    for row, one in enumerate(told.scripts, 2):
        given: Values = dict(marks(one))
        given |= {name: f"={text}" for name, text in live_formulas(row).items()}
        total = f"=SUMPRODUCT(B{row}:L{row})"
        steps = '{"U","E","D","C","B","A"}'
        count = "+".join(f"(M{row}>=Settings!$B${n})" for n in range(5, 10))
        sheet.append((int(one.number), *given.values(), total, f"=INDEX({steps},1+{count})"))
    sheet.freeze_panes = "B2"
    assert set(LIVE) < set(CRITERIA)


def _summary(told: World, sheet: Worksheet) -> None:
    last = len(told.scripts) + 1
    sheet.append(("Question 3, June 2026",))
    near = "+".join(f"(Marks!$M$2:$M${last}=Settings!$B${n}-1)" for n in range(5, 10))
    for label, formula in (
        ("Near a boundary", f"=SUMPRODUCT({near})"),
        ("Points out", '=COUNTIF(Points!C2:C200,"Yes")'),
        ("Mean total", f"=SUM(Marks!M2:M{last})/B5"),
        ("Scripts", f"=COUNTA(Marks!A2:A{last})"),
    ):
        sheet.append((label, formula))
    sheet.append(())
    sheet.append(("Grade result", "Number"))
    for row, name in enumerate(NAMES, 8):
        sheet.append((name, f"=SUMPRODUCT(--(Marks!$N$2:$N${last}=A{row}))"))
    sheet.append(())
    sheet.append(("Criterion", "Facility", "Mean", "Available"))
    for row, (name, letter) in enumerate(zip(CRITERIA, "BCDEFGHIJKL", strict=True), 16):
        column = f"Marks!{letter}$2:{letter}${last}"
        share = f"=SUM({column})/(D{row}*$B$5)"
        sheet.append((name, share, f"=SUM({column})/$B$5", CRITERIA[name]))
        sheet.cell(row, 2).number_format = "0.00%"
    chart = BarChart()
    chart.type = "bar"
    chart.title = "How much of each mark was gained"
    chart.add_data(Reference(sheet, min_col=2, min_row=16, max_row=26))
    chart.set_categories(Reference(sheet, min_col=1, min_row=16, max_row=26))
    sheet.add_chart(chart, "F2")


def _logger(told: World, sheet: Worksheet) -> None:
    table = logger(told)
    sheet.append(table.header)
    for row in table.rows:
        values = [float(v) if isinstance(v, Decimal) else v for v in row]
        sheet.append([int(str(row[0])), *values[1:]])


def write_second(told: World, folder: Path) -> None:
    """Needs LibreOffice."""
    book: Workbook = openpyxl.Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = SHEETS[0]
    writers = (_settings, _readings, _points, _marks, _summary)
    for name, write in zip(SHEETS, writers, strict=True):
        write(told, first if name == SHEETS[0] else book.create_sheet(name))
    _logger(told, book.create_sheet(DATA))
    fit = book.create_sheet("Fit")
    for row in fit_rows(told):
        fit.append(row)
    for sheet in book.worksheets:
        sheet.column_dimensions["A"].width = 24
    book.properties.creator, book.properties.title = "A. Teacher", "Question 3"
    book.properties.created = book.properties.modified = WHEN
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / NAME)
    fill_caches(folder / NAME)
