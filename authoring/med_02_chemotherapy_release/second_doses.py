"""Lines, Cumulative, Vials, Summary of reference-2."""

from collections.abc import Sequence

from openpyxl.worksheet.worksheet import Worksheet

from authoring.med_02_chemotherapy_release import rules as r
from authoring.med_02_chemotherapy_release.rules import Dose
from authoring.med_02_chemotherapy_release.sheet import number
from authoring.med_02_chemotherapy_release.story import Story
from authoring.med_02_chemotherapy_release.world import Drug

FORMATS = {5: "0.0", 16: "dd.mm.yyyy", 10: "0%"}


def put(sheet: Worksheet, row: int, cells: Sequence[object], formats: dict[int, str]) -> None:
    """Cells from column A on; dates as serial numbers; column number (from 1) to format."""
    for column, value in enumerate(cells, 1):
        if value is None:
            continue
        cell = sheet.cell(row, column)
        cell.value = value if isinstance(value, str) else number(value)  # type: ignore[arg-type] # a Known
        if column in formats:
            cell.number_format = formats[column]


def _of(row: int, column: int) -> str:
    return f"VLOOKUP($B{row},Patients!$A$2:$T$23,{column},FALSE)"


def lines(told: Story, sheet: Worksheet) -> None:
    heads: tuple[str, ...] = (
        "Line",
        "Whose",
        "Substance",
        "Ordered",
        "Dose",
        "Difference",
        "Factor",
    )
    heads += ("Limited by", "Level", "Organ", "Full", "Computed", "Fits", "Rounded", "Step")
    heads += ("Made on", "Vials alone", "Cost alone", "Flags", "mg as doxorubicin")
    put(sheet, 1, heads, {})
    for row, one in enumerate(told.found.doses, 2):
        drug = told.world.drugs[one.line.drug]
        put(sheet, row, _line(told, row, one, drug), FORMATS)


def _line(told: Story, row: int, one: Dose, drug: Drug) -> tuple[object, ...]:
    anthracycline = drug.name in r.ANTHRACYCLINES
    room = f"N(M{row})" if anthracycline else "1E9"
    step = drug.step
    gives_way = f"IF(N{row}>{room},FLOOR(L{row},{step}),N{row})"
    dose = f"IF(L{row}>{room},MAX(0,FLOOR(ROUND({room},6),{step})),{gives_way})"
    level = "1" if drug.antibody else f"VLOOKUP(B{row},Body!$A$2:$I$23,9,FALSE)"
    blood = "1" if drug.antibody else _of(row, 18)
    names = f'IF(G{row}=100*I{row},"level",IF(G{row}=100*J{row},"organ","blood"))'
    cap = f'IF({one.per}*{_of(row, 9)}>2,"cap","none")' if drug.name == "vincristine" else '"none"'
    why = f'IF(L{row}>{room},"cumulative",IF(G{row}<100,{names},{cap}))'
    tolerance = "0.1" if drug.antibody else "Inputs!$B$8"
    small = drug.sizes[0]
    vial = f"INT(L{row}/{small}+0.5)*{small}"
    near = (
        f"IF(ABS({vial}-L{row})>{tolerance}*L{row},INT(ROUND(L{row}/{step}+0.5,9))*{step},{vial})"
    )
    return (
        *(one.line.no, one.line.patient, drug.name, told.ordered[one.line.no]),
        f'=IF({_of(row, 3)}="release",{dose},0)',
        f"=ROUND(E{row}-D{row},3)",
        f"=100*MIN(I{row},J{row},{blood})",
        f"={why}",
        f"={level}",
        f"={_organ(drug, row)}",
        f"={_full(drug, one, row)}",
        f"=K{row}*G{row}/100",
        _room(drug, row) if anthracycline else "",
        f"={near}",
        step,
        _batch(drug, row),
        *_alone(drug, row),
        _flags(drug, row, anthracycline),
        f"=E{row}*{_equal(drug)}",
    )


def _equal(drug: Drug) -> str:
    return {"doxorubicin": "1", "epirubicin": "Inputs!$B$7"}.get(drug.name, "0")


def _organ(drug: Drug, row: int) -> str:
    first, factor, most = drug.bili
    limit, share, least = drug.crcl
    liver, kidney = _of(row, 15), _of(row, 14)
    if first < 9999:
        graded = f"1-({liver}>{first})*{1 - factor / 100}"
        return f"IF(ISNUMBER({liver}),IF({liver}>{most},0,{graded}),1)"
    if limit:
        graded = f"1-({kidney}<{limit})*{1 - share / 100}"
        return f"IF(ISNUMBER({kidney}),IF({kidney}<{least},0,{graded}),1)"
    return "1"


def _full(drug: Drug, one: Dose, row: int) -> str:
    if drug.per == "auc":
        return f"IF(ISNUMBER({_of(row, 14)}),{one.per}*(25+MIN(125,{_of(row, 14)})),0)"
    if drug.per == "kg":
        return f"(6+2*({_of(row, 6)}>42))*{_of(row, 7)}"
    full = f"{one.line.per}*{_of(row, 9)}"
    return f"MIN(2,{full})" if drug.name == "vincristine" else full


def _room(drug: Drug, row: int) -> str:
    left = f"VLOOKUP(B{row},Cumulative!$A$2:$E$9,5,FALSE)"
    return f"={left}*{_of(row, 9)}/{_equal(drug)}"


def _batch(drug: Drug, row: int) -> str:
    start = _of(row, 2)
    if drug.hours < 24:
        return f"=INT({start})"
    return f"=INT({start})-(ROUND(MOD({start},1)*24*60,0)<9*60+30)"


def _alone(drug: Drug, row: int) -> tuple[str, str]:
    if drug.share:
        return "=0", "=0"
    units = f"CEILING(ROUND(E{row},6),{drug.sizes[0]})/{drug.sizes[0]}"
    per = drug.sizes[-1] / drug.sizes[0]
    if per == 1:
        return f"={units}", f"={units}*{drug.prices[0]}"
    large, rest = f"INT({units}/{per})", f"MOD({units},{per})"
    return f"={large}+{rest}", f"={large}*{drug.prices[-1]}+{rest}*{drug.prices[0]}"


def _flags(drug: Drug, row: int, anthracycline: bool) -> str:
    heart = "heart " if anthracycline or drug.name == "trastuzumab" else ""
    organ = f'IF(J{row}=0,"organ ","")'
    half = f'IF(N(M{row})<0.5*L{row},"half","")' if anthracycline else '""'
    return f'="{heart}"&{organ}&{half}'


def cumulative(told: Story, sheet: Worksheet) -> None:
    put(sheet, 1, ("Patient", "Limit", "Before", "After", "Left"), {})
    for row, key in enumerate(told.found.sums, 2):
        age, pump, surface = (
            f"VLOOKUP(A{row},Patients!$A$2:$T$23,{column},FALSE)" for column in (5, 19, 9)
        )
        radio = f'VLOOKUP(A{row},Body!$A$2:$J$23,10,FALSE)="yes"'
        lower = f"OR({radio},{age}>69,{pump}<55)"
        cells = (
            key,
            f"=450-50*IF({lower},1,0)",
            f"=ROUND(SUMIF(Past!$B$2:$B$300,A{row},Past!$G$2:$G$300),1)",
            f"=ROUND(C{row}+SUMIF(Lines!$B$2:$B$43,A{row},Lines!$T$2:$T$43)/{surface},1)",
            f"=B{row}-C{row}",
        )
        put(sheet, row, cells, {3: "0.0", 4: "0.0", 5: "0.0"})


def vials(told: Story, sheet: Worksheet) -> None:
    put(sheet, 1, ("Drug", "Batch day", "Cost", "Vials", "Amount", "Surplus"), {})
    for row, one in enumerate(told.found.batches, 2):
        drug = told.world.drugs[one.drug]
        where = f"Lines!$C$2:$C$43,A{row},Lines!$P$2:$P$43,B{row}"
        amount = f"=SUMIFS(Lines!$E$2:$E$43,{where})"
        small = drug.sizes[0]
        if not drug.share:
            alone, cost = (f"SUMIFS(Lines!${c}$2:${c}$43,{where})" for c in "QR")
            worth = _worth(drug, where)
            cells = (one.drug, one.day, f"={cost}", f"={alone}", amount, f"={worth}-E{row}")
            put(sheet, row, cells, {2: "dd.mm.yyyy", 3: "#,##0.00"})
            continue
        left, count, price = f"CEILING(ROUND(E{row},6),{small})", [], []
        for size, each in zip(drug.sizes[::-1], drug.prices[::-1], strict=True):
            count.append(f"INT({left}/{size})")
            price.append(f"{each}*INT({left}/{size})")
            left = f"MOD({left},{size})"
        surplus = f"=CEILING(ROUND(E{row},6),{small})-E{row}"
        cells = (one.drug, one.day, f"={'+'.join(price)}", f"={'+'.join(count)}", amount, surplus)
        put(sheet, row, cells, {2: "dd.mm.yyyy", 3: "#,##0.00"})


def _worth(drug: Drug, where: str) -> str:
    """mg in the vials of drugs that are not shared."""
    drugs, days = where.split(",")[0], where.split(",")[2]
    row = where.split(",")[1][1:]
    mine = f"({drugs}=A{row})*({days}=B{row})"
    return f"SUMPRODUCT({mine}*CEILING(ROUND(Lines!$E$2:$E$43,6),{drug.sizes[0]}))"


def summary(told: Story, sheet: Worksheet) -> None:
    put(sheet, 1, ("In all", ""), {})
    formulas = (
        ("Cost of vials", "=SUM(Vials!C2:C45)"),
        ("Lines changed", "=SUMPRODUCT(--(Lines!E2:E43>0),--(ABS(Lines!F2:F43)>0.0001))"),
        ("Treatments referred", '=22-COUNTIF(Patients!C2:C23,"release")-B5'),
        (
            "Treatments deferred",
            '=SUM(COUNTIF(Patients!D2:D23,"C1"),COUNTIF(Patients!D2:D23,"C2"),COUNTIF(Patients!D2:D23,"C3"))',
        ),
        ("Treatments released", '=COUNTIF(Patients!D2:D23,"C0")'),
    )
    assert {label for label, _ in formulas} == set(told.totals)
    for row, cells in enumerate(formulas, 2):
        put(sheet, row, cells, {2: "#,##0.00"} if row == 2 else {})
