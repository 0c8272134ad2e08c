"""reference-2: records sorted by time, of which LOOKUP takes the last; numbers in formulas."""

from pathlib import Path

import openpyxl
from openpyxl.styles import Font
from openpyxl.utils import get_column_letter
from openpyxl.workbook import Workbook
from openpyxl.worksheet.worksheet import Worksheet

from authoring.med_02_chemotherapy_release import rules as r
from authoring.med_02_chemotherapy_release.book import NAME, SHEETS, last_of, typed
from authoring.med_02_chemotherapy_release.second_doses import (
    cumulative,
    lines,
    put,
    summary,
    vials,
)
from authoring.med_02_chemotherapy_release.sheet import number
from authoring.med_02_chemotherapy_release.story import Story
from authoring.parts.caches import fill_caches
from authoring.parts.pack import WHEN

DAY, TIME = "dd.mm.yyyy", "dd.mm.yyyy hh:mm"


def write_second(told: Story, folder: Path) -> None:
    """Needs LibreOffice."""
    book: Workbook = openpyxl.Workbook()
    first = book.active
    assert isinstance(first, Worksheet)
    first.title = SHEETS[0]
    pages = {name: first if name == SHEETS[0] else book.create_sheet(name) for name in SHEETS}
    _inputs(told, pages["Inputs"])
    _patients(told, pages["Patients"])
    lines(told, pages["Lines"])
    cumulative(told, pages["Cumulative"])
    vials(told, pages["Vials"])
    summary(told, pages["Summary"])
    _body(told, book.create_sheet("Body"))
    _lab(told, book.create_sheet("Lab"))
    _past(told, book.create_sheet("Past"))
    _scale(told, book.create_sheet("Scale"))
    _heart(told, book.create_sheet("Heart"))
    for sheet in book.worksheets:
        sheet.freeze_panes = "A2"
        for number_, cells in enumerate(sheet.iter_cols(), 1):
            texts = (str(cell.value or "") for cell in cells if cell.data_type != "f")
            sheet.column_dimensions[get_column_letter(number_)].width = max(
                13, min(50, 2 + max(map(len, texts), default=0))
            )
            cells[0].font = Font(bold=True)
    book.properties.creator, book.properties.title = "M. Pharmacist", "Release"
    book.properties.created = book.properties.modified = WHEN
    folder.mkdir(parents=True, exist_ok=True)
    book.save(folder / NAME)
    fill_caches(folder / NAME)


def _inputs(told: Story, sheet: Worksheet) -> None:
    put(sheet, 1, ("What may change", "Now"), {})
    for row, (label, value, look) in enumerate(typed(told), 2):
        put(sheet, row, (label, value), {2: TIME if look == "time" else "General"})


def _newest(told: Story, row: int, test: str, hours: str) -> str:
    last = len(told.world.results) + 1
    about = f'(Lab!$L$2:$L${last}=A{row}&"{test}")'
    since = f"(ROUND((B{row}-Lab!$C$2:$C${last})*1440,0)<={hours}*60)"
    before = f"(ROUND((B{row}-Lab!$C$2:$C${last})*1440,0)>=0)"
    last_one = f"LOOKUP(2,1/({about}*{since}*{before}),Lab!$K$2:$K${last})"
    return f'=IFERROR({last_one},"missing")'


def _patients(told: Story, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = ("Patient", "Start", "Decision", "Code", "Age", "Interval", "Weight")
    heads += ("Dosing weight", "BSA", "BMI", "kg in the formula", "Lab creatinine", "Creatinine")
    heads += ("Clearance", "Bilirubin", "Neutrophils", "Platelets", "Blood", "LVEF", "LVEF days")
    put(sheet, 1, heads, {})
    ordered = sorted(told.found.readings, key=lambda key: (told.world.patients[key].start, key))
    formats = {2: TIME, 7: "0.0", 8: "0.0", 9: "0.00", 10: "0.0", 11: "0.00", 14: "0.0", 18: "0%"}
    for row, key in enumerate(ordered, 2):
        put(sheet, row, (key, *_patient(told, row)), formats)


def _of(row: int, column: int) -> str:
    return f"VLOOKUP($A{row},Body!$A$2:$K$23,{column},FALSE)"


def _patient(told: Story, row: int) -> tuple[str, ...]:
    start, born, height = f"INT(B{row})", _of(row, 3), _of(row, 4)
    listed = _of(row, 8)
    woman, weekly, category = f'{_of(row, 2)}="F"', f'{_of(row, 6)}="W"', _of(row, 6)
    past = f"LOOKUP(2,1/(Past!$B$2:$B$300=A{row}),Past!$C$2:$C$300)"
    days = f"{start}-INT(Scale!$B$2:$B$40)<=7"
    fresh = f'(Scale!$A$2:$A$40=A{row})*(Scale!$D$2:$D$40<>"estimated")*({days})'
    weight = f"LOOKUP(2,1/({fresh}),Scale!$C$2:$C$40)"
    mine = f"(Heart!$A$2:$A$40=A{row})*(Heart!$B$2:$B$40<=B{row})"
    seen = f"LOOKUP(2,1/({mine}),Heart!$B$2:$B$40)"
    pump = f"LOOKUP(2,1/({mine}),Heart!$C$2:$C$40)"
    ideal = f"(IF({woman},45.5,50)+0.91*({height}-152.4))"
    sex = f"IF({woman},1.04,1.23)"
    three = f'IF(AND(P{row}>=IF({_of(row, 7)}="yes",1,1.5),Q{row}>=100),1,0)'
    light = f"IF(AND(P{row}>=0.8,Q{row}>=75),IF(AND(P{row}>=1,Q{row}>=100),1,0.8),0)"
    counts = f"IF(COUNT(P{row}:Q{row})<2,0,IF({weekly},{light},{three}))"
    return (
        f"={_of(row, 11)}",
        f'=IF(D{row}="C0","release",IF(OR(D{row}={{"C1","C2","C3"}}),"defer","refer"))',
        _code(row),
        f'=DATEDIF({born},{start},"y")',
        f"={start}-{past}",
        f"={weight}",
        f"=IF(ROUND(ABS(G{row}-{listed})*1000,0)>=ROUND({listed}*100,0),G{row},{listed})",
        f"=ROUND(({height}*H{row})^0.5/60,2)",
        f"=ROUND(G{row}/{height}/{height}*10000,1)",
        f"=IF(J{row}<25,G{row},0.6*{ideal}+0.4*G{row})",
        _newest(told, row, "CREA", f"IF({weekly},120,72)"),
        f"=IF(ISNUMBER(L{row}),MAX(62,L{row}),L{row})",
        f'=IFERROR(ROUND((140-E{row})*K{row}/M{row}*{sex},1),"missing")',
        _newest(told, row, "BILI", f"IF({weekly},120,72)"),
        _newest(told, row, "NEUT", "72"),
        _newest(told, row, "PLT", "72"),
        f'=IF({category}="A",1,{counts})',
        f'=IFERROR({pump},"-")',
        f'=IFERROR({start}-{seen},"-")',
    )


def _code(row: int) -> str:
    least = f'IF({_of(row, 6)}="W",6,21)'
    lines_ = f"Lines!$B$2:$B$43,A{row},Lines!$S$2:$S$43,"
    missing = f'AND({_of(row, 6)}<>"A",COUNT(M{row}:Q{row})<5)'
    heart = f'AND(COUNTIFS({lines_}"heart*")>0,OR(T{row}="-",N(T{row})>90,N(S{row})<50))'
    last = f'IF(COUNTIFS({lines_}"*half*")>0,"C6","C0")'
    parts = f'IF({heart},"C4",IF(COUNTIFS({lines_}"*organ*")>0,"C5",{last}))'
    return f'=IF(F{row}<{least},"C1",IF({missing},"C2",IF(R{row}=0,"C3",{parts})))'


def _body(told: Story, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = ("Patient", "Sex", "Born", "Height", "Regimen", "Cat", "G-CSF")
    put(sheet, 1, (*heads, "Dosing weight", "Level", "Limit for radiotherapy", "Start"), {})
    for row, one in enumerate(told.world.patients.values(), 2):
        sex, gcsf = "F" if one.female else "M", "yes" if one.gcsf else "no"
        about = (one.key, sex, one.born, one.height, one.regimen, one.category, gcsf)
        start = "=Inputs!$B$2" if one.key == "D05" else one.start
        radio = "yes" if "mediastinum" in one.history else "no"
        put(
            sheet,
            row,
            (*about, one.dosing, one.level / 100, radio, start),
            {3: DAY, 9: "0%", 11: TIME},
        )


def _lab(told: Story, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = ("Sample", "Patient", "Taken", "Measured", "Analyser", "Test")
    put(sheet, 1, (*heads, "Result", "Unit", "Status", "Off", "Value", "Key"), {})
    last = len(told.world.results) + 1
    for row, one in enumerate(sorted(told.world.results, key=lambda one: one.taken), 2):
        result = "=Inputs!$B$6" if one is last_of(told, "D11", "NEUT") else one.value
        same = f'COUNTIFS($A$2:$A${last},A{row},$F$2:$F${last},F{row},$I$2:$I${last},"c*")'
        stands = f'OR(I{row}="corrected",AND(I{row}="final",{same}=0))'
        first = number(r.WINDOW[0])
        off = f'=(E{row}&F{row}="C2CREA")*(D{row}>={first})*(D{row}<=Inputs!$B$4)*Inputs!$B$3'
        counted = f'IF(LEFT(H{row},1)="/",G{row}/1000,N(G{row}))'
        value = f'=IF(H{row}="mg/dL",ROUND(88.4*G{row},0),{counted})-J{row}'
        key = f'=IF({stands},B{row}&F{row},"")'
        about = (one.sample, one.patient, one.taken, one.measured, one.analyser, one.test)
        put(sheet, row, (*about, result, one.unit, one.status, off, value, key), {3: TIME, 4: TIME})


def _past(told: Story, sheet: Worksheet) -> None:
    heads = ("Infusion", "Patient", "Date", "Drug", "BSA", "Given mg", "mg/m2")
    put(sheet, 1, heads, {})
    seen: set[str] = set()
    row = 2
    rows = (*told.world.given, *told.world.elsewhere)
    for one in sorted(rows, key=lambda one: one.day):
        if one.infusion in seen or one.status != "given":
            continue
        seen |= {one.infusion} - {"letter"}
        weight = f'IF(D{row}="epirubicin",Inputs!$B$7,(D{row}="doxorubicin")*1)'
        about = (one.infusion, one.patient, one.day, one.drug, one.bsa, one.given)
        put(sheet, row, (*about, f"=F{row}/E{row}*{weight}"), {3: DAY, 7: "0.00"})
        row += 1


def _scale(told: Story, sheet: Worksheet) -> None:
    put(sheet, 1, ("Patient", "When", "kg", "How"), {})
    for row, one in enumerate(sorted(told.world.weights, key=lambda one: one.at), 2):
        typed_ = "=Inputs!$B$5" if (one.patient, one.how) == ("D08", "scale") else one.kg
        put(sheet, row, (one.patient, one.at, typed_, one.how), {2: TIME})


def _heart(told: Story, sheet: Worksheet) -> None:
    put(sheet, 1, ("Patient", "Seen", "LVEF"), {})
    rows = sorted(told.world.echos, key=lambda one: one[1])
    for row, (key, day, value) in enumerate(rows, 2):
        put(sheet, row, (key, day, value), {2: DAY})
