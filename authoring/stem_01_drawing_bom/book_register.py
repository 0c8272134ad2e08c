"""Discrepancies and Actions of the reference."""

from authoring.stem_01_drawing_bom.book_lines import HERE, Cells, place_of
from authoring.stem_01_drawing_bom.check import Entry
from authoring.stem_01_drawing_bom.paper import LEFT, Paper
from authoring.stem_01_drawing_bom.said import told_to_do
from authoring.stem_01_drawing_bom.story import Story

REGISTER = (
    "Discrepancy ID",
    "Assembly",
    "Pos",
    "Code",
    "Component",
    "Drawing says",
    "ERP or lot says",
    "Governing value",
    "Governing source",
    "K",
    "Class",
    "Line",
)
TODO = (
    "Action ID",
    "Discrepancy ID",
    "To do",
    "Owner",
    "Sign",
    "Cl.",
    "Working days",
    "Due date",
)
TODO_HEAD = 3
"""The row of the headings of Actions."""
# Code to the columns of BOM comparison for drawing, ERP and what governs.
COLUMNS = {
    "QTY": "GJI",
    "PN": "CMC",
    "MAT": "NPO",
    "REV": "QRQ",
    "MIS": "C-C",
    "EXT": "-M-",
}


def write_register(told: Story, paper: Paper) -> None:
    paper.header(REGISTER, (17, 11, 6, 7, 13, 24, 24, 24, 20, 5, 8, 7))
    for row, one in enumerate(told.made.register, 2):
        paper.line(row, _entry(told, one, row), F=LEFT, G=LEFT, H=LEFT)
    last = len(told.made.register) + 1
    paper.table(len(told.made.register), len(REGISTER))
    red = paper.book.add_format({"bg_color": "#F4B6B0"})
    rule = {"type": "formula", "criteria": '=$K2="A"', "format": red}
    paper.sheet.conditional_format(f"A2:K{last}", rule)


def _entry(told: Story, one: Entry, row: int) -> Cells:
    line = place_of(told, one.parent, one.item)
    own = f"({HERE}$A$2:$A$40=B{row})*({HERE}$B$2:$B$40=C{row})"
    classes = f'IF(J{row}="K",Sources!$AD$2:$AD$8,Sources!$AE$2:$AE$8)'
    cells: Cells = {
        "A": (f'"D-"&RIGHT(B{row},3)&"-"&TEXT(C{row},"00")&"-"&D{row}', one.id),
        "B": one.parent,
        "C": one.item,
        "D": one.code,
        "E": (_of("C", row), one.part),
        "J": (f'{_of("E", row)}&""', "K" if one.key else ""),
        "K": (f"INDEX({classes},MATCH(D{row},Sources!$AC$2:$AC$8,0))", one.cls),
        "L": (f"SUMPRODUCT(MAX({own}*ROW({HERE}$A$2:$A$40)))", line),
    }
    values = one.drawn, one.found, one.governing
    if one.code == "DIM":
        return cells | _lot(told, one, row)
    for at, column, value in zip("FGH", COLUMNS[one.code], values, strict=True):
        known = int(value) if one.code == "QTY" else value
        cells[at] = "-" if column == "-" else (_of(column, row), known)
    cells["I"] = (_source(one, row), one.source)
    return cells


def _of(column: str, row: int) -> str:
    return f"INDEX({HERE}${column}$1:${column}$40,$L{row})"


def _sheet(cell: str) -> str:
    """A drawing with its released revision."""
    return f'{cell}&" rev "&INDEX(Sources!$P$2:$P$30,MATCH({cell},Sources!$R$2:$R$30,0))'


def _source(one: Entry, row: int) -> str:
    if one.code == "REV":
        return 'IF(D2="","","Drawing register")'.replace("D2", f"D{row}")
    if one.code not in ("QTY", "MAT"):
        return _sheet(f"B{row}")
    found = f'MATCH(B{row}&"|"&C{row},Sources!$M$2:$M$8,0)'
    return f"IFERROR(INDEX(Sources!$D$2:$D$8,{found}),{_sheet(f'B{row}')})"


def _lot(told: Story, one: Entry, row: int) -> Cells:
    """A lot out of its limits: the characteristic's row of Dimensions."""
    code = one.found.split("(")[1].rstrip(")")
    at = 2 + next(n for n, limit in enumerate(told.made.limits) if limit.dim.code == code)
    wanted = f'TEXT(Dimensions!J{at},"0.0000")&" to "&TEXT(Dimensions!K{at},"0.0000")&" mm"'
    found = f'TEXT(Dimensions!N{at},"0.0000")&" mm ("&Dimensions!A{at}&")"'
    notice = f'MATCH(E{row}&"|"&Dimensions!A{at},Sources!$M$2:$M$8,0)'
    source = f"IFERROR(INDEX(Sources!$D$2:$D$8,{notice}),{_sheet(f'E{row}')})"
    return {
        "F": (wanted, one.drawn),
        "G": (found, one.found),
        "H": (f"F{row}", one.governing),
        "I": (source, one.source),
    }


def todo(told: Story, paper: Paper) -> None:
    paper.put("A1", "Check date")
    paper.put("B1", told.world.checked)
    paper.put("A2", "Build start")
    paper.put("B2", told.world.build)
    paper.header(TODO, (20, 18, 92, 22, 7, 6, 9, 12), TODO_HEAD)
    entries = {one.id: row for row, one in enumerate(told.made.register, 2)}
    for row, one in enumerate(told.made.actions, TODO_HEAD + 1):
        days = f'IF(E{row}="H",DaysHold,IF(F{row}="A",DaysA,IF(F{row}="B",DaysB,DaysC)))'
        last = "WORKDAY(BuildStart,-LeadDays,Closed)"
        holder = f"INDEX(Sources!$V$2:$V$5,MATCH(E{row},Sources!$T$2:$T$5,0))"
        cells: Cells = {
            "A": (f'"A"&MID(B{row},2,30)&"-"&E{row}', one.id),
            "B": (f"Discrepancies!A{entries[one.entry.id]}", one.entry.id),
            "C": told_to_do(told, one),
            "D": (holder, one.owner),
            "E": one.kind,
            "F": (f"INDEX(Discrepancies!$K$2:$K$30,MATCH(B{row},Discrepancies!$A$2:$A$30,0))",
                  one.entry.cls),
            "G": (days, one.days),
            "H": (f"MIN(WORKDAY(CheckDate,G{row},Closed),{last})", one.due),
        }  # fmt: skip
        paper.line(row, cells)
    paper.table(len(told.made.actions), len(TODO), TODO_HEAD)
