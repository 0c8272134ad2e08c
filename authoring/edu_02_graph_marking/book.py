"""The reference: marks.xlsx, with what was measured typed once and everything else live."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import xlsxwriter

from authoring.edu_02_graph_marking.book_marks import put_marks, put_summary
from authoring.edu_02_graph_marking.expected import plotted, positions, scales, tenth, written
from authoring.edu_02_graph_marking.inputs import logger
from authoring.edu_02_graph_marking.rules import GRADES, UNITS, Rules, figures
from authoring.edu_02_graph_marking.world import READINGS, Script, World
from authoring.parts.pack import pack
from authoring.parts.tables import Value, open_workbook, put

NAME = "marks.xlsx"
SHEETS = ("Settings", "Readings", "Points", "Marks", "Summary")
SETTINGS = (
    "Limit for points and read-offs, small squares",
    "Limit for the line, small squares",
    "Share of the line that the triangle must exceed",
)
TYPED = (
    *("Candidate", "Run", "I at corner", "I per large square", "V at corner"),
    *("V per large square", "Ring", "Line start", "Line end", "Line at first", "Line at last"),
    *("P1 across", "P1 up", "P2 across", "P2 up", "I1", "V1", "I2", "V2"),
    *("Gradient", "Unit", "Intercept", "Axis labels right", "Intercept found by"),
    *("Line at edge", "Figures written", "Decimals written"),
)
WORKED = ("Scheme at first", "Scheme at last", "Odd reading", "P1 off", "P2 off")
Looks = dict[str, Any]


def typed(one: Script) -> dict[str, Value]:
    """One line of Readings as somebody types it."""
    places = positions(one)
    reckoned = one.how.startswith("calc")
    edge = None if reckoned else tenth(one.line(Fraction(0)))
    return {
        "Candidate": int(one.number),
        "Run": one.run,
        **scales(one),
        "Ring": one.ring,
        **places,
        **written(one),
        "Unit": one.unit or None,
        "Axis labels right": "yes" if one.axes == "ok" else "no",
        "Intercept found by": "calculation" if reckoned else "edge",
        "Line at edge": edge,
        "Figures written": figures(one.gradient),
        "Decimals written": len(one.gradient.partition(".")[2]),
    }


def write_book(told: World, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Marks, Question 3", "Physics")
    looks = {
        "head": book.add_format({"bold": True, "bottom": 2, "text_wrap": True, "valign": "top"}),
        "plain": book.add_format({}),
        "share": book.add_format({"num_format": "0.0%"}),
        "mean": book.add_format({"num_format": "0.00"}),
        "place": book.add_format({"num_format": "0.0"}),
    }
    _settings(book, looks)
    _readings(told, book, looks)
    _points(told, book, looks)
    put_marks(told, book, looks)
    put_summary(told, book, looks)
    _logger(told, book, looks)
    book.close()
    pack(path)


def _settings(book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Settings")
    sheet.write_row(0, 0, ("Setting", "Value"), looks["head"])
    how = Rules()
    limits = (how.half, how.line, how.triangle)
    for row, (label, value) in enumerate(zip(SETTINGS, limits, strict=True), 1):
        sheet.write_string(row, 0, label)
        sheet.write_number(row, 1, float(value))
    for row, (name, least) in enumerate(GRADES, 4):
        sheet.write_string(row, 0, f"Least marks for {name}")
        sheet.write_number(row, 1, least)
    sheet.write_row(0, 3, ("Multiples", "Units", "Fewest figures", "Most figures"), looks["head"])
    sheet.write_column(1, 3, how.multiples)
    sheet.write_column(1, 4, UNITS)
    sheet.write_row(1, 5, how.figures)
    sheet.set_column(0, 0, 46)
    sheet.set_column(3, 6, 14)


def _readings(told: World, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Readings")
    sheet.write_row(0, 0, (*TYPED, *WORKED), looks["head"])
    sheet.freeze_panes(1, 1)
    for number, one in enumerate(told.scripts):
        values = typed(one)
        for column, name in enumerate(TYPED):
            shown = f"{values[name]}" if name == "Gradient" else ""
            places = len(shown.partition(".")[2])
            look = looks["plain"]
            if shown:
                look = book.add_format({"num_format": "0." + "0" * places if places else "0"})
            put(sheet, number + 1, column, values[name], look)
        _worked(sheet, number, one)
    sheet.set_column(0, len(TYPED) + len(WORKED), 10)


def block(number: int, column: str) -> str:
    """The eight cells of a script on Points."""
    first = 2 + READINGS * number
    return f"Points!${column}${first}:${column}${first + READINGS - 1}"


def _worked(sheet: Any, number: int, one: Script) -> None:
    """Scheme's line, odd reading, how far the read-off points are off."""
    row = number + 2
    fit = (block(number, "L"), block(number, "K"))
    for letter, current, cell in (("AB", one.first, 1), ("AC", one.last, READINGS)):
        at = f"INDEX({block(number, 'F')},{cell})"
        formula = f"=(FORECAST({at},{fit[0]},{fit[1]})-E{row})*10/F{row}"
        sheet.write_formula(f"{letter}{row}", formula, None, float(one.scheme(current.current)))
    away = block(number, "J")
    sheet.write_formula(f"AD{row}", f"=MATCH(MAX({away}),{away},0)", None, one.odd)
    for letter, columns, value in zip(("AE", "AF"), ("LMPQ", "NORS"), off(one), strict=True):
        across, up, current_at, pd_at = (f"{name}{row}" for name in columns)
        first, last = (f"INDEX({block(number, 'H')},{cell})" for cell in (1, READINGS))
        line = f"J{row}+(K{row}-J{row})*({across}-{first})/({last}-{first})"
        formula = (
            f"=MAX(ABS({up}-({line})),ABS(({current_at}-C{row})*10/D{row}-{across}),"
            f"ABS(({pd_at}-E{row})*10/F{row}-{up}))"
        )
        sheet.write_formula(f"{letter}{row}", formula, None, value)


def off(one: Script) -> tuple[float, float]:
    """The largest of the three differences at each read-off point, from what was measured."""
    at = {name: float(value) for name, value in positions(one).items()}
    first, last = (float(one.x.squares(r.current)) for r in (one.first, one.last))
    slope = (at["Line at last"] - at["Line at first"]) / (last - first)
    found = []
    for name, corner in zip(("P1", "P2"), one.corners, strict=True):
        across, up = at[f"{name} across"], at[f"{name} up"]
        line = at["Line at first"] + slope * (across - first)
        wrong = abs(float(one.x.squares(corner.current)) - across)
        found.append(max(abs(up - line), wrong, abs(float(one.y.squares(corner.pd)) - up)))
    return found[0], found[1]


def _points(told: World, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Points")
    heads: tuple[str, ...] = (
        "Candidate",
        "Reading",
        "Out",
        "Plotted across",
        "Plotted up",
        "Current",
        "P.d.",
    )
    heads += ("Across wanted", "Up wanted", "Off the others", "Current used", "P.d. used")
    sheet.write_row(0, 0, heads, looks["head"])
    sheet.freeze_panes(1, 2)
    for number, one in enumerate(told.scripts):
        _script_points(sheet, number, one, looks)
    sheet.set_column(0, 11, 12)


def _script_points(sheet: Any, number: int, one: Script, looks: Looks) -> None:
    away = from_the_others(one)
    x, v, j = (block(number, column).removeprefix("Points!") for column in "FGJ")
    for reading, (across, up) in zip(one.readings, plotted(one), strict=True):
        row = 1 + READINGS * number + reading.number
        mine = f"Readings!${{}}${number + 2}"
        out = f'=IF(MAX(ABS(D{row}-H{row}),ABS(E{row}-I{row}))>Settings!$B$2,"yes","no")'
        sheet.write_number(row - 1, 0, int(one.number))
        sheet.write_number(row - 1, 1, reading.number)
        sheet.write_formula(f"C{row}", out, None, "yes" if reading.number in one.out else "no")
        sheet.write_number(row - 1, 3, float(across), looks["place"])
        sheet.write_number(row - 1, 4, float(up), looks["place"])
        for letter, of, value in (("F", "D", reading.current), ("G", "E", reading.pd)):
            found = (
                f"=SUMIFS(Logger!${of}:${of},Logger!$A:$A,A{row},"
                f"Logger!$B:$B,{mine.format('B')},Logger!$C:$C,B{row})"
            )
            sheet.write_formula(f"{letter}{row}", found, None, float(value))
        wanted = f"=({{}}{row}-{mine.format('{}')})*10/{mine.format('{}')}"
        sheet.write_formula(
            f"H{row}", wanted.format("F", "C", "D"), None, float(one.x.squares(reading.current))
        )
        sheet.write_formula(
            f"I{row}", wanted.format("G", "E", "F"), None, float(one.y.squares(reading.pd))
        )
        rest = f"1-1/{READINGS}-(F{row}-AVERAGE({x}))^2/DEVSQ({x})"
        gone = f"=ABS((G{row}-FORECAST(F{row},{v},{x}))/({rest}))"
        sheet.write_formula(f"J{row}", gone, None, away[reading.number - 1])
        odd = reading.number == one.odd
        for letter, of, value in (("K", "F", reading.current), ("L", "G", reading.pd)):
            used = f'=IF(J{row}=MAX({j}),"odd",{of}{row})'
            sheet.write_formula(f"{letter}{row}", used, None, "odd" if odd else float(value))


def from_the_others(one: Script) -> list[float]:
    """Of each reading, in V, from the least-squares line through the other seven."""
    xs = [float(reading.current) for reading in one.readings]
    ys = [float(reading.pd) for reading in one.readings]
    x_mean, y_mean = sum(xs) / READINGS, sum(ys) / READINGS
    sxx = sum((x - x_mean) ** 2 for x in xs)
    slope = sum((x - x_mean) * (y - y_mean) for x, y in zip(xs, ys, strict=True)) / sxx
    found = []
    for x, y in zip(xs, ys, strict=True):
        residual = y - y_mean - slope * (x - x_mean)
        found.append(abs(residual / (1 - 1 / READINGS - (x - x_mean) ** 2 / sxx)))
    return found


def _logger(told: World, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Logger")
    table = logger(told)
    sheet.write_row(0, 0, table.header, looks["head"])
    for row, values in enumerate(table.rows, 1):
        for column, value in enumerate(values):
            put(sheet, row, column, int(str(value)) if column == 0 else value)
