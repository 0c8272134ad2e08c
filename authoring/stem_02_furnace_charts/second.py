"""reference-2: a second reader's readings in the order of the scans, other columns and formulas."""

from pathlib import Path

import openpyxl
from openpyxl.styles import Font
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN
from authoring.stem_02_furnace_charts.book import LABELS, LIMITS, NAME, SHEETS
from authoring.stem_02_furnace_charts.inputs import strips
from authoring.stem_02_furnace_charts.nouns import Class
from authoring.stem_02_furnace_charts.rules import DECISIONS
from authoring.stem_02_furnace_charts.story import Story
from authoring.stem_02_furnace_charts.taken import Taken, taken
from authoring.stem_02_furnace_charts.world import CLASSES, couples, recorders

OFF = (0.5, -0.4, 0.0, 0.3, -0.5)
"""What the second reader is off, in turn."""
READINGS = (
    *("Strip", "Load", "Speed", "Highest", "Delay", "Door opened", "First in band"),
    *("Back in band", "Dip", "Dip low", "600 passed", "750 passed"),
)
REVIEW = (
    *("Load", "Decision", "Findings", "Peak", "Soak", "Required", "Clock", "Rate", "Correction"),
    *("Set", "Amended", "Start", "Gravest"),
)


def other_reader(told: Story) -> dict[str, Taken]:
    """Load to what the second reader took off its strip."""
    by_load = {one.load.no: one for one in told.results}
    return {
        load.no: taken(by_load[load.no], OFF[number % len(OFF)])
        for number, load in enumerate(strips(told.world).values())
    }


def _row(one: Class) -> tuple[str | int, ...]:
    return one.name, one.set_at, one.fastest, one.longest


def _limits(sheet: Worksheet) -> None:
    sheet.append(("What", "Now", "", "Class", "Set", "Rate", "Longest"))
    for row, (label, value) in enumerate(LIMITS, 2):
        sheet.cell(row, 1, label)
        sheet.cell(row, 2, value)
    sheet["B7"].number_format = "d mmm yyyy"
    for row, one in enumerate(CLASSES, 2):
        for column, part in enumerate(_row(one), 4):
            sheet.cell(row, column, part)


def _corrections(sheet: Worksheet) -> None:
    sheet.append(("Certificate", "At 800", "At 900", "Due"))
    for pen in recorders():
        sheet.append((pen.certificate, float(pen.load[800]), float(pen.load[900])))
    for tc in couples():
        points = (float(tc.corrections[800]), float(tc.corrections[900]))
        sheet.append((tc.name, *points, tc.due))


def _loads(told: Story, sheet: Worksheet) -> None:
    heads = ("Load", "Charged", "Class", "Section", "Certificate", "Load TC", "Pieces", "Repeats")
    sheet.append(heads)
    for one in told.world.loads:
        pen = told.world.recorder(one).certificate
        repeats = one.rerun or "first"
        row = (one.no, one.day, one.klass, one.section, pen, one.couple, one.pieces, repeats)
        sheet.append(row)


def _readings(told: Story, sheet: Worksheet) -> None:
    sheet.append(("Readings of the June strips, minutes from the first clock mark",))
    sheet.append(READINGS)
    read = other_reader(told)
    for name, load in strips(told.world).items():
        got = read[load.no]
        first = (name, load.no, load.speed, got.highest, got.delay, got.door, got.first_band)
        sheet.append((*first, got.back, got.dip, got.dip_low, got.passed_600, got.passed_750))


def _of(column: int, row: int) -> str:
    return f"VLOOKUP($A{row},Loads!$A$2:$H$19,{column},FALSE)"


def _read(name: str, row: int) -> str:
    letter = "ABCDEFGHIJKL"[READINGS.index(name)]
    return f"SUMIF(Readings!$B$3:$B$20,$A{row},Readings!${letter}$3:${letter}$20)"


def _certified(which: int, row: int) -> str:
    part = f"VLOOKUP({_of(which, row)},Corrections!$A$2:$D$10,{{}},FALSE)"
    low, high = part.format(2), part.format(3)
    return f"({low}*(900-J{row})+{high}*(J{row}-800))/100"


def _class(column: int, row: int) -> str:
    return f"VLOOKUP({_of(3, row)},Limits!$D$2:$G$4,{column},FALSE)"


def _codes(r: int) -> list[str]:
    allowed = f"IF(K{r},Limits!$B$6,Limits!$B$5)"
    due = f"VLOOKUP({_of(6, r)},Corrections!$A$2:$D$10,4,FALSE)"
    over = f"D{r}-J{r}"
    return [
        f'IF({over}>Limits!$B$3,"P2 ","")',
        f'IF(AND({over}>Limits!$B$2,{over}<=Limits!$B$3),"P1 ","")',
        f'IF(E{r}>{_class(4, r)},"L ","")',
        f'IF(H{r}>{_class(3, r)},"R ","")',
        f'IF({_of(2, r)}>{due},"T ","")',
        f'IF(E{r}<F{r},"S ","")',
        f'IF({_read("Delay", r)}>{allowed},"Q ","")',
    ]


def _review(told: Story, sheet: Worksheet) -> None:
    sheet.append(REVIEW)
    for r in range(2, len(told.results) + 2):
        codes = "&".join(_codes(r))
        low = f"J{r}-Limits!$B$9-I{r}-{_read('Dip low', r)}"
        reset = f"OR({_read('Dip', r)}>Limits!$B$4,AND(K{r},{low}>Limits!$B$8))"
        stopped = f'({_read("Door opened", r)}-L{r})-IF(G{r}="stops",{_read("Dip", r)},0)'
        section = _of(4, r)
        long = f"IF({section}>50,IF(K{r},110,90),IF({section}>25,60,45))"
        again = f'IF({_of(8, r)}="first","reprocess","hold")'
        grave = f'IF(LEFT(M{r},2)="P2",4,IF(OR(LEFT(M{r},1)="S",LEFT(M{r},1)="Q"),2,3))'
        cells = (
            f"=Loads!A{r}",
            f'=IF(C{r}="none","release",CHOOSE({grave},"",{again},"hold","scrap"))',
            f'=IF(M{r}="","none",SUBSTITUTE(TRIM(M{r})," ",", "))',
            f"={_read('Highest', r)}+I{r}",
            f"={stopped}",
            f"={long}",
            f'=IF({_read("Dip", r)}>0,IF({reset},"resets","stops"),"none")',
            f"=9000/({_read('750 passed', r)}-{_read('600 passed', r)})",
            f"=ROUND({_certified(5, r)}+{_certified(6, r)},0)",
            f"={_class(2, r)}",
            f"={_of(2, r)}>=Limits!$B$7",
            f'=IF(G{r}="resets",{_read("Back in band", r)},{_read("First in band", r)})',
            f"={codes}",
        )
        sheet.append(cells)
        for column in (4, 5, 8):
            sheet.cell(r, column).number_format = "0"
    sheet.freeze_panes = "B2"
    sheet.auto_filter.ref = f"A1:M{len(told.results) + 1}"


def _summary(sheet: Worksheet) -> None:
    sheet.append(("June", ""))
    kinds = "Review!$B$2:$B$19"
    pieces = f'SUMPRODUCT(({kinds}="release")*Loads!$G$2:$G$19)'
    formulas = (
        "ROWS(Review!A2:A19)",
        *(f'SUMPRODUCT(--({kinds}="{name}"))' for name in DECISIONS),
        pieces,
        f"SUM(Loads!$G$2:$G$19)-{pieces}",
    )
    for label, formula in zip(LABELS, formulas, strict=True):
        sheet.append((label, f"={formula}"))


def write_second(told: Story, folder: Path) -> None:
    """Needs LibreOffice."""
    book: Workbook = openpyxl.Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = SHEETS[0]
    sheets = {name: first if name == SHEETS[0] else book.create_sheet(name) for name in SHEETS}
    _limits(sheets["Limits"])
    _corrections(sheets["Corrections"])
    _readings(told, sheets["Readings"])
    _review(told, sheets["Review"])
    _summary(sheets["Summary"])
    _loads(told, book.create_sheet("Loads"))
    for sheet in book.worksheets:
        for letter in "ABCDEFGHIJKLM":
            sheet.column_dimensions[letter].width = 14
        sheet["A1"].font = Font(bold=True)
    book.properties.creator, book.properties.title = "Q. Reader", "Furnace review"
    book.properties.created = book.properties.modified = WHEN
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / NAME)
    fill_caches(folder / NAME)
