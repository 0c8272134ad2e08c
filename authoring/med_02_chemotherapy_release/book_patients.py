"""Patients of the reference: last values that count, clearance, decision."""

from datetime import date

import xlsxwriter

from authoring.med_02_chemotherapy_release import rules as r
from authoring.med_02_chemotherapy_release.rules import RIGHT, Reading
from authoring.med_02_chemotherapy_release.sheet import Formula, Known, Page, serial
from authoring.med_02_chemotherapy_release.story import Story
from authoring.med_02_chemotherapy_release.world import TESTS

HEADS: tuple[str, ...] = ("Patient", "Age (years)", "Weight (kg, section 2):one")
HEADS += ("Dosing weight (kg):one", "BSA (m2):two")
HEADS += ("Creatinine (µmol/L, as it goes into the formula)", "Clearance (mL/min):one")
HEADS += ("Neutrophils (10^9/L):two", "Platelets (10^9/L)", "Bilirubin (µmol/L)")
HEADS += ("Interval (days)", "Decision (release, defer or refer)", "Code (C0 to C6)")
HEADS += ("Start:time", "Body mass index:one", "Formula weight:one", "LVEF")
HEADS += ("Echo, days old", "Blood:share", "Chemistry, hours", "Weighed:time")
HEADS += tuple(f"{test} taken:time" for test in TESTS)
HEADS += ("Last echo:day", "Heart")
END = 23
"""The row of the last patient."""
TAKEN = dict(zip(TESTS, "VWXY", strict=True))


def _results(column: str, last: int) -> str:
    return f"Results!${column}$2:${column}${last}"


def _taken(told: Story, row: int, test: str) -> str:
    last = len(told.world.results) + 1
    hours = f"T{row}" if test in ("CREA", "BILI") else "Hours"
    mine = f'({_results("B", last)}=A{row})*({_results("F", last)}="{test}")'
    when = _results("C", last)
    inside = f"({when}<=N{row}+1/2880)*({when}>=N{row}-{hours}/24-1/2880)"
    return f"SUMPRODUCT(MAX({mine}*({_results('J', last)}=1)*{inside}*{when}))"


def _of_sample(told: Story, row: int, test: str) -> str:
    last = len(told.world.results) + 1
    mine = f'({_results("B", last)}=A{row})*({_results("F", last)}="{test}")'
    which = f"({_results('J', last)}=1)*({_results('C', last)}={TAKEN[test]}{row})"
    value = f"SUMPRODUCT({mine}*{which}*{_results('K', last)})"
    value = f"MAX(LeastCreatinine,{value})" if test == "CREA" else value
    return f'IF({TAKEN[test]}{row}=0,"missing",{value})'


def patients(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Patients", HEADS)
    page.sheet.freeze_panes(1, 1)
    for row, one in enumerate(told.found.readings.values(), 2):
        page.add((one.patient.key, *_read(told, row, one), *_behind(told, row, one)))


def _read(told: Story, row: int, one: Reading) -> tuple[Formula, ...]:
    born = f"Register!C{row}"
    age = f"YEAR(N{row})-YEAR({born})"
    age += f"-IF(DATE(YEAR(N{row}),MONTH({born}),DAY({born}))>INT(N{row}),1,0)"
    weight = f"SUMPRODUCT((Scales!$A$2:$A$40=A{row})*(Scales!$B$2:$B$40=U{row})*Scales!$C$2:$C$40)"
    listed = f"Register!H{row}"
    sex = f'IF(Register!B{row}="F",1.04,1.23)'
    given = f'(Given!$B$2:$B$300=A{row})*(Given!$H$2:$H$300="given")*Given!$C$2:$C$300'
    clearance = f"ROUND((140-B{row})*P{row}*{sex}/F{row},1)"
    return (
        Formula(age, one.age),
        Formula(weight, one.weight),
        Formula(f"IF(ABS(C{row}-{listed})/{listed}>=Change,C{row},{listed})", one.dosing),
        Formula(f"MIN(MostBSA,ROUND(SQRT(Register!D{row}*D{row}/3600),2))", one.surface),
        Formula(_of_sample(told, row, "CREA"), one.creatinine),
        Formula(f'IF(F{row}="missing","missing",{clearance})', one.clearance),
        Formula(_of_sample(told, row, "NEUT"), one.neutrophils),
        Formula(_of_sample(told, row, "PLT"), one.platelets),
        Formula(_of_sample(told, row, "BILI"), one.bilirubin),
        Formula(f"INT(N{row})-SUMPRODUCT(MAX({given}))", one.interval),
        Formula(f'IF(M{row}="C0","release",IF(M{row}<"C4","defer","refer"))', one.decision),
        Formula(_code(row), one.code),
    )


def _code(row: int) -> str:
    days = f'IF(Register!F{row}="W",DaysW,DaysT)'
    asked = f'Register!F{row}<>"A"'
    missing = f'COUNTIF(F{row}:J{row},"missing")>0'
    heart = f"AND(AA{row}>0,OR(Z{row}=0,R{row}>EchoDays,Q{row}<50))"
    organ = f"COUNTIFS(Lines!$F$2:$F$43,A{row},Lines!$L$2:$L$43,0)>0"
    short = f"COUNTIFS(Lines!$F$2:$F$43,A{row},Lines!$Q$2:$Q$43,1)>0"
    tests = (
        (f"K{row}<{days}", "C1"),
        (f"AND({asked},{missing})", "C2"),
        (f"S{row}=0", "C3"),
        (heart, "C4"),
        (organ, "C5"),
        (short, "C6"),
    )
    formula = '"C0"'
    for test, code in reversed(tests):
        formula = f'IF({test},"{code}",{formula})'
    return formula


def _behind(told: Story, row: int, one: Reading) -> tuple[Known | Formula, ...]:
    height = f"Register!D{row}"
    ideal = f'IF(Register!B{row}="F",45.5,50)+0.91*({height}-152.4)'
    counts = f"(INT(N{row})-INT(Scales!$B$2:$B$40)<=WeightDays)*(Scales!$B$2:$B$40<=N{row})"
    mine = f'(Scales!$A$2:$A$40=A{row})*(Scales!$D$2:$D$40="scale")*{counts}*Scales!$B$2:$B$40'
    echos = f"(Echo!$A$2:$A$40=A{row})*(Echo!$B$2:$B$40<=INT(N{row}))*Echo!$B$2:$B$40"
    pump = f"SUMIFS(Echo!$C$2:$C$40,Echo!$A$2:$A$40,A{row},Echo!$B$2:$B$40,Z{row})"
    heart = f"COUNTIFS(Lines!$F$2:$F$43,A{row},Lines!$Z$2:$Z$43,1)"
    patient = one.patient
    start = patient.start
    taken = [r.last_time(told.world, patient.key, test, start, RIGHT) for test in TESTS]
    weighed = max(o.at for o in told.world.weights if o.patient == patient.key and o.how == "scale")
    seen = max((d for key, d, _ in told.world.echos if key == patient.key), default=None)
    hearts = sum(line.patient == patient.key and _heart(line.drug) for line in told.world.lines)
    return (
        Formula(f"Register!K{row}", start),
        Formula(f"ROUND(C{row}/({height}/100)^2,1)", one.mass_index),
        Formula(f"IF(O{row}>=Adjusted,{ideal}+0.4*(C{row}-({ideal})),C{row})", one.formula_weight),
        Formula(f'IF(Z{row}=0,"none",{pump})', "none" if one.pump is None else one.pump),
        Formula(
            f'IF(Z{row}=0,"none",INT(N{row})-Z{row})',
            "none" if one.pump_age is None else one.pump_age,
        ),
        Formula(_blood(row), one.blood / 100),
        Formula(f'IF(Register!F{row}="W",HoursW,Hours)', 120 if patient.category == "W" else 72),
        Formula(f"SUMPRODUCT(MAX({mine}))", weighed),
        *(
            Formula(_taken(told, row, test), 0 if at is None else at)
            for test, at in zip(TESTS, taken, strict=True)
        ),
        Formula(f"SUMPRODUCT(MAX({echos}))", _day(seen)),
        Formula(heart, hearts),
    )


def _day(seen: date | None) -> Known:
    return 0 if seen is None else int(serial(seen))


def _heart(drug: str) -> bool:
    return drug in (*r.ANTHRACYCLINES, "trastuzumab")


def _blood(row: int) -> str:
    least = f'IF(Register!G{row}="yes",LeastG,LeastT)'
    weekly = f"IF(AND(H{row}>=1,I{row}>=100),1,IF(AND(H{row}>=0.8,I{row}>=75),0.8,0))"
    three = f"IF(AND(H{row}>={least},I{row}>=100),1,0)"
    blood = f'IF(Register!F{row}="T",{three},{weekly})'
    missing = f'OR(H{row}="missing",I{row}="missing")'
    return f'IF(Register!F{row}="A",1,IF({missing},0,{blood}))'
