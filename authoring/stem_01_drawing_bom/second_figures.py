"""Dimensions, Tolerance stack, Mass and cost and Dashboard of reference-2."""

from collections.abc import Callable
from decimal import Decimal

from openpyxl import Workbook
from openpyxl.chart import BarChart, PieChart, Reference
from openpyxl.styles import Alignment, Font
from openpyxl.worksheet.worksheet import Worksheet

from authoring.stem_01_drawing_bom.check import Row
from authoring.stem_01_drawing_bom.nouns import Part
from authoring.stem_01_drawing_bom.rules import Compared, Limits, deviations
from authoring.stem_01_drawing_bom.second_sheet import listed, titled
from authoring.stem_01_drawing_bom.story import Story
from authoring.stem_01_drawing_bom.world import BEARING_MINUS, BEARING_WIDTH, GAP

TOP = 3
HERE = "'BOM comparison'!"
CODES = ("C05", "C10", "C07")


def dimensions(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("Dimensions")
    names = (
        "Characteristic",
        "Part",
        "Nominal",
        "Deviation up",
        "Deviation down",
        "mm per unit",
        "Lower limit (mm)",
        "Upper limit (mm)",
        "Measured (mm)",
        "Verdict",
        "Where from",
    )
    titled(sheet, "Characteristics C01 to C11 and the lots received", names, TOP)
    for row, one in enumerate(told.made.limits, TOP + 1):
        plus, minus = deviations(one.dim)
        per = Decimal("25.4") if one.dim.unit == "in" else Decimal(1)
        shown = (one.dim.code, one.dim.part, float(one.nominal / per), float(plus), float(minus))
        for column, value in enumerate((*shown, float(per)), 1):
            sheet.cell(row, column, value)
        sheet[f"G{row}"] = f"=(C{row}+E{row})*F{row}"
        sheet[f"H{row}"] = f"=(C{row}+D{row})*F{row}"
        if one.measured is not None:
            sheet[f"I{row}"] = _measured(told, one)
        out = f"I{row}<G{row}-0.0000001,I{row}>H{row}+0.0000001"
        sheet[f"J{row}"] = f'=IF(ISBLANK(I{row}),"no data",IF(OR({out}),"out","in"))'
        sheet[f"J{row}"].alignment = Alignment(horizontal="left", indent=1)
        changed = [n.number for n in told.world.notices if n.item == one.dim.code]
        sheet[f"K{row}"] = changed[0] if changed else f"{one.dim.part} drawing"
        for letter in "GHI":
            sheet[f"{letter}{row}"].number_format = "0.0000"
    listed(sheet, TOP, TOP + len(told.made.limits), "K")


def _measured(told: Story, one: Limits) -> float | str:
    """As it was read, and what is done to the reading."""
    assert one.measured is not None
    if one.dim.code == "C04":
        return f"={one.measured + told.world.gauge_error}-{told.world.gauge_error}"
    if one.dim.unit == "in" and one.dim.code != "C09":
        return f"={one.measured / Decimal('25.4')}*25.4"
    return float(one.measured)


def chain(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("Tolerance stack")
    sheet["A1"] = "Axial gap, worst case"
    sheet["A1"].font = Font(bold=True, size=13)
    sheet.append(["Part of the chain", "at least", "at most", "times"])
    at = {one.dim.code: row for row, one in enumerate(told.made.limits, TOP + 1)}
    names = {"C05": "Bore depth", "C10": "Spacer ring", "C07": "Spigot of cover"}
    for row, code in enumerate(CODES, 3):
        sheet[f"A{row}"], sheet[f"D{row}"] = names[code], 1
        sheet[f"B{row}"], sheet[f"C{row}"] = f"=Dimensions!G{at[code]}", f"=Dimensions!H{at[code]}"
    width = float(BEARING_WIDTH)
    sheet["A6"], sheet["B6"], sheet["C6"] = "Bearing 6206", width - float(BEARING_MINUS), width
    bearings = next(n for n, one in enumerate(told.made.lines, TOP + 1) if one.part == "90-6206")
    sheet["D6"] = f"={HERE}H{bearings}"
    sheet["A8"], sheet["B8"] = "Smallest gap (mm)", "=B3-SUMPRODUCT(C4:C6,D4:D6)"
    sheet["A9"], sheet["B9"] = "Largest gap (mm)", "=C3-SUMPRODUCT(B4:B6,D4:D6)"
    sheet["A10"] = "Requirement met"
    sheet["B10"] = f'=IF(OR(B8<{GAP[0]},B9>{GAP[1]}),"no","yes")'
    for cell in ("B8", "B9"):
        sheet[cell].number_format = "0.000"
    sheet.column_dimensions["A"].width = 24


# --- mass and cost ------------------------------------------------------------------------------


def weights(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("Mass and cost")
    names = (
        "Part number",
        "Name",
        "Qty per station",
        "In ERP",
        "kg each",
        "Mass (kg)",
        "EUR each",
        "Cost change (EUR)",
    )
    titled(sheet, "Of one station", names, TOP)
    ordered = sorted(told.made.rows, key=lambda one: (one.part.kind, one.part.number))
    for row, one in enumerate(ordered, TOP + 1):
        sheet[f"A{row}"], sheet[f"B{row}"] = one.part.number, one.part.name
        sheet[f"C{row}"] = _uses(told, one, "H", lambda line: line.built)
        sheet[f"D{row}"] = _uses(told, one, "I", lambda line: line.erp_part)
        sheet[f"E{row}"] = _each(one.part)
        sheet[f"E{row}"].number_format = "0.000000"
        sheet[f"F{row}"] = f"=C{row}*E{row}"
        scale = "" if one.part.unit == "pcs" else "/1000"
        price = f"VLOOKUP(A{row},'Item master'!$A$2:$H$40,6,FALSE)"
        sheet[f"G{row}"] = f"={price}/VLOOKUP(A{row},'Item master'!$A$2:$H$40,7,FALSE){scale}"
        sheet[f"H{row}"] = f"=C{row}*G{row}-D{row}*G{row}"
        sheet[f"F{row}"].number_format = sheet[f"H{row}"].number_format = "0.000"
    end = TOP + len(ordered)
    sheet[f"A{end + 1}"] = "Total"
    sheet[f"F{end + 1}"], sheet[f"H{end + 1}"] = f"=SUM(F4:F{end})", f"=SUM(H4:H{end})"
    sheet[f"F{end + 1}"].number_format = sheet[f"H{end + 1}"].number_format = "0.000"
    sheet.column_dimensions["B"].width = 38
    sheet.freeze_panes = f"A{TOP + 1}"


def _uses(told: Story, one: Row, column: str, part: Callable[[Compared], str]) -> str | int:
    """`=BOM comparison!H4*BOM comparison!H12`, for each use its chain of quantities."""
    rows = {(line.parent, line.item): n for n, line in enumerate(told.made.lines, TOP + 1)}
    above = {line.part: line for line in told.made.lines}
    terms = []
    for line in told.made.lines:
        if part(line) != one.part.number:
            continue
        cells, at = [], line
        while True:
            cells.append(f"{HERE}{column}{rows[at.parent, at.item]}")
            if at.parent not in above:
                break
            at = above[at.parent]
        terms.append("*".join(cells))
    return "=" + "+".join(terms) if terms else f"=0*{HERE}{column}4"


def _each(part: Part) -> str | float:
    """kg per unit of the parts list."""
    if part.drawn_mass is not None:
        pounds = "*0.45359237" if part.drawn_unit == "lb" else ""
        return f"={part.drawn_mass}{pounds}"
    scale = "/1000" if part.mass_unit == "g" or part.unit != "pcs" else ""
    return f"={part.mass}{scale}"


def overview(told: Story, book: Workbook) -> None:
    sheet = book.create_sheet("Dashboard")
    sheet["B2"] = "Where we stand"
    sheet["B2"].font = Font(bold=True, size=16)
    last, rows = len(told.made.register) + 1, TOP + len(told.made.rows) + 1
    first = 6
    actions = f"Actions!$A${first}:$A${first + len(told.made.actions) - 1}"
    heavy = f"'Mass and cost'!F{rows}>{told.mass_limit}"
    stop = f"OR('Tolerance stack'!B10=\"no\",{heavy})"
    cards = (
        ("Open discrepancies", f"=SUMPRODUCT((Discrepancies!A2:A{last}<>\"\")*1)"),
        ("Class A", f'=SUMPRODUCT((Discrepancies!B2:B{last}="A")*1)'),
        ("Class B", f'=SUMPRODUCT((Discrepancies!B2:B{last}="B")*1)'),
        ("Class C", f'=SUMPRODUCT((Discrepancies!B2:B{last}="C")*1)'),
        ("Open actions", f'=SUMPRODUCT(({actions}<>"")*1)'),
        ("Mass per station (kg)", f"='Mass and cost'!F{rows}"),
        ("Cost change per station (EUR)", f"='Mass and cost'!H{rows}"),
        ("Build decision",
         f'=IF({stop},"No release",IF(C5=0,"Release","Conditional release"))'),
    )  # fmt: skip
    for row, (label, formula) in enumerate(cards, 4):
        sheet[f"B{row}"], sheet[f"C{row}"] = label, formula
        sheet[f"C{row}"].font = Font(bold=True)
    sheet["C9"].number_format = sheet["C10"].number_format = "0.00"
    sheet.column_dimensions["B"].width, sheet.column_dimensions["C"].width = 32, 20
    sheet.column_dimensions["K"].width = 20
    sheet["K3"], sheet["L3"] = "Holder", "To do"
    for row, owner in enumerate(sorted(told.by_owner), 4):
        sheet[f"K{row}"] = owner
        place = actions.replace("$A$", "$C$")
        sheet[f"L{row}"] = f"=SUMPRODUCT(({place}=K{row})*1)"
    _charts(told, sheet)


def _charts(told: Story, sheet: Worksheet) -> None:
    owners = 3 + len(told.by_owner)
    plans = (
        (PieChart(), "Discrepancies by class", (3, 2), (5, 7), "B14"),
        (BarChart(), "Actions by owner", (12, 11), (4, owners), "H14"),
    )
    for chart, title, (values, names), (top, bottom), at in plans:
        chart.title = title
        chart.add_data(Reference(sheet, min_col=values, min_row=top, max_row=bottom))
        chart.set_categories(Reference(sheet, min_col=names, min_row=top, max_row=bottom))
        if isinstance(chart, BarChart):
            chart.legend = None
        sheet.add_chart(chart, at)
