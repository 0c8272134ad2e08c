"""Lines, Cumulative, Vials, Summary of the reference."""

from decimal import ROUND_CEILING, Decimal

import xlsxwriter

from authoring.med_02_chemotherapy_release import doses as d
from authoring.med_02_chemotherapy_release import rules as r
from authoring.med_02_chemotherapy_release.rules import Dose
from authoring.med_02_chemotherapy_release.sheet import Formula, Known, Page
from authoring.med_02_chemotherapy_release.story import Story
from authoring.med_02_chemotherapy_release.world import Drug

D = Decimal
AFTER = "After (mg/m2 as doxorubicin; after what is released)"
HEADS: tuple[str, ...] = ("Line", "Factor (as a percentage):share", "Limited by (section 5)")
HEADS += ("Dose (mg, 0 if not released):mg", "Difference (mg: dose less ordered):mg")
HEADS += ("For", "Infusion of", "Ordered:mg", "Dose per", "Size:two", "Full:two", "Organ:share")
HEADS += ("Level:share", "Blood:share", "Computed:two", "Fits:two", "Less than half", "Vials of")
HEADS += ("Steps of:mg", "Prepared on:day", "Row of patient", "Row of drug", "Own vials")
HEADS += ("Own surplus:mg", "Own cost:euro", "Heart")
LAST = 43
"""The row of the last line."""


def _patient(column: str, row: int) -> str:
    return f"INDEX(Patients!${column}$2:${column}$23,U{row})"


def _drug(column: str, row: int) -> str:
    return f"INDEX(Drugs!${column}$2:${column}$12,V{row})"


def _register(column: str, row: int) -> str:
    return f"INDEX(Register!${column}$2:${column}$23,U{row})"


def lines(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Lines", HEADS)
    page.sheet.freeze_panes(1, 1)
    for row, one in enumerate(told.found.doses, 2):
        page.add((one.line.no, *_result(told, row, one), *_steps(told, row, one)))


def _result(told: Story, row: int, one: Dose) -> tuple[Formula, ...]:
    near = f"ABS(R{row}-O{row})<=IF({_drug('L', row)}=1,ToleranceA,Tolerance)*O{row}"
    rounded = f"IF({near},R{row},S{row})"
    step = _drug("C", row)
    cut = f"MAX(0,INT(ROUND(N(P{row})/{step},9))*{step})"
    below = f"INT(ROUND(O{row}/{step},9))*{step}"
    dose = f'IF(AND(P{row}<>"",{rounded}>N(P{row})),{below},{rounded})'
    limits = f'AND(P{row}<>"",O{row}>N(P{row}))'
    dose = f'IF({_patient("L", row)}<>"release",0,IF({limits},{cut},{dose}))'
    least = f'IF(M{row}=B{row},"level",IF(L{row}=B{row},"organ","blood"))'
    cap = f'IF(AND(G{row}="vincristine",I{row}*J{row}>Cap),"cap","none")'
    why = f'IF({limits},"cumulative",IF(B{row}<1,{least},{cap}))'
    return (
        Formula(f"MIN(L{row},M{row},N{row})", one.factor / 100),
        Formula(why, one.why),
        Formula(dose, one.dose),
        Formula(f"ROUND(D{row}-H{row},6)", told.difference(one)),
    )


def _steps(told: Story, row: int, one: Dose) -> tuple[Known | Formula, ...]:
    drug, reading = told.world.drugs[one.line.drug], told.found.readings[one.line.patient]
    per: Known | Formula = one.per
    if drug.name == "trastuzumab":
        per = Formula(f"IF({_patient('K', row)}>Reload,8,6)", one.per)
    antibody = f"{_drug('L', row)}=1"
    shares = (D(100), D(100)) if drug.antibody else (reading.level, reading.blood)
    short = one.room is not None and one.room < one.computed / 2
    return (
        *(one.line.patient, drug.name, told.ordered[one.line.no], per),
        Formula(_size(drug, row), 0 if one.size is None else one.size),
        Formula(
            f"MIN(Cap,I{row}*J{row})" if drug.name == "vincristine" else f"I{row}*J{row}", one.full
        ),
        Formula(f"IF({antibody},1,{_organ(row)})", one.organ / 100),
        Formula(f"IF({antibody},1,{_register('I', row)})", shares[0] / 100),
        Formula(f"IF({antibody},1,{_patient('S', row)})", shares[1] / 100),
        Formula(f"K{row}*B{row}", one.computed),
        _fits(row, one),
        Formula(f'IF(P{row}="",0,IF(P{row}<O{row}/2,1,0))', int(short)),
        Formula(f"ROUND(O{row}/{_drug('D', row)},0)*{_drug('D', row)}", one.whole),
        Formula(f"ROUND(O{row}/{_drug('C', row)},0)*{_drug('C', row)}", one.stepped),
        Formula(_batch(row), one.batch),
        Formula(f"MATCH(F{row},Patients!$A$2:$A$23,0)", int(one.line.patient[1:])),
        Formula(f"MATCH(G{row},Drugs!$A$2:$A$12,0)", list(told.world.drugs).index(drug.name) + 1),
        *_own(row, one, drug),
        int(drug.name in (*r.ANTHRACYCLINES, "trastuzumab")),
    )


def _size(drug: Drug, row: int) -> str:
    clearance = _patient("G", row)
    if drug.per == "auc":
        return f"IF(ISNUMBER({clearance}),MIN({clearance},MostClearance)+25,0)"
    return _patient("C" if drug.per == "kg" else "E", row)


def _organ(row: int) -> str:
    bilirubin, clearance = _patient("J", row), _patient("G", row)
    liver = (
        f"IF({bilirubin}>{_drug('O', row)},0,IF({bilirubin}>{_drug('M', row)},{_drug('N', row)},1))"
    )
    kidney = (
        f"IF({clearance}<{_drug('R', row)},0,IF({clearance}<{_drug('P', row)},{_drug('Q', row)},1))"
    )
    missing = f'OR({bilirubin}="missing",{clearance}="missing")'
    return f"IF({missing},1,MIN({liver},{kidney}))"


def _fits(row: int, one: Dose) -> Known | Formula:
    if one.room is None:
        return ""
    at = f"MATCH(F{row},Cumulative!$A$2:$A$9,0)"
    left = f"INDEX(Cumulative!$C$2:$C$9,{at})-INDEX(Cumulative!$B$2:$B$9,{at})"
    return Formula(f"({left})/{_drug('S', row)}*{_patient('E', row)}", one.room)


def _batch(row: int) -> str:
    start = _patient("N", row)
    minute = f"ROUND(({start}-INT({start}))*1440,0)"
    return f"INT({start})-IF(AND({minute}<Evening,{_drug('K', row)}>=Stable),1,0)"


def _own(row: int, one: Dose, drug: Drug) -> tuple[Formula, ...]:
    vials, surplus, cost = d.packed(drug, one.dose)
    small, middle, large = (_drug(column, row) for column in "DEF")
    units = f"ROUNDUP(ROUND(D{row}/{small},6),0)"
    most = f"INT({units}/({large}/{small}))"
    some = f"INT(({units}-{most}*{large}/{small})/({middle}/{small}))"
    few = f"({units}-({most}*{large}+{some}*{middle})/{small})"
    prices = "+".join(f"{n}*{_drug(c, row)}" for n, c in zip((most, some, few), "IHG", strict=True))
    return (
        Formula(f"{most}+{some}+{few}", vials),
        Formula(f"{units}*{small}-D{row}", surplus),
        Formula(prices, cost),
    )


def cumulative(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Cumulative", ("Patient", "Before:one", "Limit", f"{AFTER}:one"))
    for row, (key, one) in enumerate(told.found.sums.items(), 2):
        at = f"MATCH(A{row},Patients!$A$2:$A$23,0)"
        age, pump = (f"INDEX(Patients!${c}$2:${c}$23,{at})" for c in "BQ")
        history = f"INDEX(Register!$J$2:$J$23,{at})"
        before = f"ROUND(SUMIFS(Given!$J$2:$J$300,Given!$B$2:$B$300,A{row}),1)"
        lower = f"IF(OR({age}>=Old,{pump}<55),LimitLow,Limit)"
        limit = f'IF(ISNUMBER(SEARCH("mediastinum",{history})),LimitRadio,{lower})'
        equals = "SUMIFS(Drugs!$S$2:$S$12,Drugs!$A$2:$A$12,Lines!$G$2:$G$43)"
        today = f"SUMPRODUCT((Lines!$F$2:$F$43=A{row})*Lines!$D$2:$D$43*{equals})"
        after = f"ROUND(B{row}+{today}/INDEX(Patients!$E$2:$E$23,{at}),1)"
        told_ = (Formula(before, one.before), Formula(limit, one.limit), Formula(after, one.after))
        page.add((key, *told_))


def vials(told: Story, book: xlsxwriter.Workbook) -> None:
    heads = ("Batch day:day", "Drug", "Amount:mg", "Vials", "Surplus:mg", "Cost:euro")
    page = Page(
        book, "Vials", (*heads, "Row of drug", "Small vials' worth", "Large", "Middle", "Small")
    )
    for row, one in enumerate(told.found.batches, 2):
        drug = told.world.drugs[one.drug]
        small, middle, large, shared = (
            f"INDEX(Drugs!${c}$2:${c}$12,G{row})" for c in ("D", "E", "F", "J")
        )
        mine = f"Lines!$T$2:$T${LAST},A{row},Lines!$G$2:$G${LAST},B{row}"
        own = {c: f"SUMIFS(Lines!${c}$2:${c}${LAST},{mine})" for c in "DWXY"}
        prices = [f"INDEX(Drugs!${c}$2:${c}$12,G{row})" for c in "IHG"]
        cost = "+".join(f"{c}{row}*{price}" for c, price in zip("IJK", prices, strict=True))
        units = int((one.amount / drug.sizes[0]).to_integral_value(ROUND_CEILING))
        counts = _counts(drug, units)
        page.add(
            (
                *(one.day, one.drug, Formula(own["D"], one.amount)),
                Formula(f"IF({shared}=1,I{row}+J{row}+K{row},{own['W']})", one.vials),
                Formula(f"IF({shared}=1,H{row}*{small}-C{row},{own['X']})", one.surplus),
                Formula(f"IF({shared}=1,{cost},{own['Y']})", one.cost),
                Formula(
                    f"MATCH(B{row},Drugs!$A$2:$A$12,0)", list(told.world.drugs).index(one.drug) + 1
                ),
                Formula(f"ROUNDUP(ROUND(C{row}/{small},6),0)", units),
                Formula(f"INT(H{row}/({large}/{small}))", counts[0]),
                Formula(f"INT((H{row}-I{row}*{large}/{small})/({middle}/{small}))", counts[1]),
                Formula(f"H{row}-(I{row}*{large}+J{row}*{middle})/{small}", counts[2]),
            )
        )


def _counts(drug: Drug, units: int) -> tuple[int, int, int]:
    sizes = (drug.sizes[-1], drug.sizes[len(drug.sizes) // 2], drug.sizes[0])
    found = []
    for size in sizes:
        worth = int(size / drug.sizes[0])
        found.append(units // worth)
        units -= found[-1] * worth
    return found[0], found[1], found[2]


def summary(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Summary", ("Figure", "Value"))
    page.sheet.set_column(0, 0, 26)
    decided = "Patients!$L$2:$L$23"
    released = "INDEX((Lines!$D$2:$D$43<>0)*(Lines!$E$2:$E$43<>0),0)"
    formulas = (
        f'COUNTIF({decided},"release")',
        f'COUNTIF({decided},"defer")',
        f'COUNTIF({decided},"refer")',
        f"SUMPRODUCT({released})",
        "SUM(Vials!$F$2:$F$45)",
    )
    for (label, value), formula in zip(told.totals.items(), formulas, strict=True):
        look = "euro" if label == "Cost of vials" else "plain"
        page.add((label, Formula(formula, value)), ("plain", look))
