"""The reference workbook: six sheets of the prompt, then rules and raw records behind them."""

from pathlib import Path

import xlsxwriter

from authoring.med_02_chemotherapy_release import rules as r
from authoring.med_02_chemotherapy_release.book_doses import cumulative, lines, summary, vials
from authoring.med_02_chemotherapy_release.book_patients import patients
from authoring.med_02_chemotherapy_release.inputs import as_exported
from authoring.med_02_chemotherapy_release.sheet import Formula, Known, Page, serial
from authoring.med_02_chemotherapy_release.story import Story
from authoring.med_02_chemotherapy_release.world import OF_DRUG, Given, Result
from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook

NAME = "chemotherapy-release.xlsx"
SHEETS = ("Inputs", "Patients", "Lines", "Cumulative", "Vials", "Summary")
INPUT_NAMES = ("", "Correction", "WindowEnd", "", "", "Equal", "Tolerance")
RULES: tuple[tuple[str, str, Known], ...] = (
    ("Hours that a result counts", "Hours", 72),
    ("the same, chemistry of category W", "HoursW", 120),
    ("Analyser that read too high", "Analyser", "C2"),
    ("First minute of it", "WindowStart", r.WINDOW[0]),
    ("Least creatinine in the formula", "LeastCreatinine", 62),
    ("Most clearance for Calvert", "MostClearance", 125),
    ("Body mass index from which weight is adjusted", "Adjusted", 25),
    ("Change that makes a new dosing weight", "Change", r.D("0.1")),
    ("Days that a weight counts", "WeightDays", 7),
    ("Neutrophils, category T", "LeastT", r.D("1.5")),
    ("the same with filgrastim", "LeastG", 1),
    ("Days between treatments, T and A", "DaysT", 21),
    ("the same, W, a day early", "DaysW", 6),
    ("Days that an LVEF counts", "EchoDays", 90),
    ("Limit of anthracyclines", "Limit", 450),
    ("the same, lowered", "LimitLow", 400),
    ("the same after radiotherapy", "LimitRadio", 400),
    ("Tolerance of antibodies", "ToleranceA", r.D("0.1")),
    ("Days after which trastuzumab is loaded again", "Reload", 42),
    ("Minute of the day before which the evening batch is meant", "Evening", 570),
    ("Hours when prepared for the evening batch", "Stable", 24),
    ("Cap of vincristine, mg", "Cap", 2),
    ("Most BSA", "MostBSA", 99),
    ("Hours that our clocks are ahead of LX", "Ahead", 1),
    ("Least age for the lower limit", "Old", 70),
)


def write_reference(told: Story, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Release of chemotherapy", "Pharmacy")
    inputs(told, book)
    for write in (patients, lines, cumulative, vials, summary):
        write(told, book)
    for write in (rules, drugs, register, results, scales, given, echo):
        write(told, book)
    book.close()
    pack(path)


def last_of(told: Story, key: str, test: str) -> Result:
    """The last sample's result that stands."""
    mine = [o for o in told.world.results if (o.patient, o.test, o.status) == (key, test, "final")]
    return max(mine, key=lambda one: one.taken)


def weighed_last(told: Story, key: str) -> r.D:
    return max(
        (one for one in told.world.weights if one.patient == key and one.how == "scale"),
        key=lambda one: one.at,
    ).kg


def typed(told: Story) -> tuple[tuple[str, Known, str], ...]:
    """Label, value, format: the rows of Inputs from 2."""
    return (
        ("Planned start of D05", told.world.patients["D05"].start, "time"),
        ("Taken off creatinine of C2 (µmol/L)", 9, "plain"),
        ("Last minute in which C2 read too high", r.WINDOW[1], "time"),
        ("Weight of D08 of 9 March (kg)", weighed_last(told, "D08"), "one"),
        ("Neutrophils of D11, last sample", last_of(told, "D11", "NEUT").value, "two"),
        ("Doxorubicin for 1 mg of epirubicin (mg)", r.D("0.5"), "two"),
        ("Tolerance for whole vials", r.D("0.05"), "share"),
    )


def inputs(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Inputs", ("Input", "Value:time"))
    page.sheet.set_column(0, 0, 44)
    for (label, value, look), name in zip(typed(told), INPUT_NAMES, strict=True):
        row = page.add((label, value), ("plain", look))
        if name:
            book.define_name(name, f"=Inputs!$B${row}")


def rules(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Rules", ("Rule", "Value"))
    page.sheet.set_column(0, 0, 52)
    for label, name, value in RULES:
        look = "time" if name == "WindowStart" else "plain"
        row = page.add((label, value), ("plain", look))
        book.define_name(name, f"=Rules!$B${row}")


def drugs(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = ("Drug", "Per", "Step", "Small", "Middle", "Large")
    heads += ("Price small", "Price middle", "Price large", "Shared", "Hours", "Antibody")
    heads += ("Bilirubin above", "Factor:share", "Bilirubin never above")
    heads += ("Clearance below", "Factor :share", "Clearance never below", "Equal")
    page = Page(book, "Drugs", heads)
    for drug in told.world.drugs.values():
        sizes = (drug.sizes[0], drug.sizes[len(drug.sizes) // 2], drug.sizes[-1])
        prices = (drug.prices[0], drug.prices[len(drug.prices) // 2], drug.prices[-1])
        equal: Known | Formula = Formula("Equal", r.RIGHT.equal)
        if drug.name != "epirubicin":
            equal = int(drug.name == "doxorubicin")
        first, factor, most = drug.bili
        limit, share, least = drug.crcl
        page.add(
            (
                *(drug.name, OF_DRUG[drug.per], drug.step, *sizes, *prices),
                *(int(drug.share), drug.hours, int(drug.antibody)),
                *(first, factor / 100, most, limit, share / 100, least, equal),
            )
        )


def register(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = ("Patient", "Sex", "Born:day", "Height", "Regimen", "Category")
    heads += ("G-CSF", "Dosing weight:one", "Level:share", "History", "Start:time")
    page = Page(book, "Register", heads)
    for one in told.world.patients.values():
        start: Known | Formula = one.start
        if one.key == "D05":
            start = Formula("Inputs!$B$2", one.start)
        sex, gcsf = "F" if one.female else "M", "yes" if one.gcsf else "no"
        about = (one.key, sex, one.born, one.height, one.regimen, one.category, gcsf)
        page.add((*about, one.dosing, one.level / 100, one.history, start))


def results(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = ("Sample", "Patient", "Taken:time", "Measured:time", "Analyser")
    heads += ("Test", "Result", "Unit", "Status", "Counts", "Value")
    page = Page(book, "Results", heads)
    end = len(told.world.results) + 1
    for row, one in enumerate(told.world.results, 2):
        result: Known | Formula = one.value if one.value is not None else ""
        if one is last_of(told, "D11", "NEUT"):
            result = Formula("Inputs!$B$6", one.value)
        same = f"$A$2:$A${end},A{row},$F$2:$F${end},F{row},$I$2:$I${end}"
        others = f'COUNTIFS({same},"corrected")+COUNTIFS({same},"cancelled")'
        counts = f'IF(I{row}="corrected",1,IF(AND(I{row}="final",{others}=0),1,0))'
        off = f"IF(AND(E{row}=Analyser,D{row}>=WindowStart,D{row}<=WindowEnd),Correction,0)"
        blood = f'IF(H{row}="/µL",G{row}/1000,N(G{row}))'
        chemistry = f'IF(H{row}="mg/dL",ROUND(G{row}*88.4,0),G{row})-{off}'
        value = f'IF(F{row}="CREA",{chemistry},{blood})'
        times: list[Known | Formula] = [one.taken, one.measured]
        if one.analyser == "LX":
            outside = (serial(as_exported(one, at)) for at in (one.taken, one.measured))
            taken, measured = (f"{at!r}+Ahead/24" for at in outside)
            times = [Formula(taken, one.taken), Formula(measured, one.measured)]
        about = (one.sample, one.patient, *times, one.analyser, one.test)
        page.add(
            (
                *(*about, result, one.unit, one.status),
                *(Formula(counts, counted(told, one)), Formula(value, worth(one))),
            )
        )


def counted(told: Story, one: Result) -> int:
    same = {
        other.status
        for other in told.world.results
        if (other.sample, other.test) == (one.sample, one.test)
    }
    stands = one.status == "final" and not same & {"corrected", "cancelled"}
    return int(stands or one.status == "corrected")


def worth(one: Result) -> Known:
    if one.value is None:
        return 0
    off = one.analyser == "C2" and r.WINDOW[0] <= one.measured <= r.WINDOW[1]
    return r.converted(one.test, one.value, one.unit, off, r.RIGHT)


def scales(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Scales", ("Patient", "Weighed:time", "Weight:one", "How"))
    for one in told.world.weights:
        weight: Known | Formula = one.kg
        if one.patient == "D08" and one.how == "scale":
            weight = Formula("Inputs!$B$5", one.kg)
        page.add((one.patient, one.at, weight, one.how))


def given(told: Story, book: xlsxwriter.Workbook) -> None:
    heads: tuple[str, ...] = ("Infusion", "Patient", "Date:day", "Drug", "Prescribed", "Given")
    page = Page(book, "Given", (*heads, "BSA then:two", "Status", "Once", "As doxorubicin:two"))
    seen: set[str] = set()
    for row, one in enumerate((*told.world.given, *told.world.elsewhere), 2):
        name = one.infusion if one.infusion != "letter" else f"letter {row}"
        once = int(name not in seen)
        seen.add(name)
        equal = f"SUMIFS(Drugs!$S$2:$S$12,Drugs!$A$2:$A$12,D{row})"
        value = f'IF(AND(H{row}="given",I{row}=1),F{row}*{equal}/G{row},0)'
        about = (name, one.patient, one.day, one.drug, one.prescribed, one.given, one.bsa)
        first = Formula(f"IF(COUNTIF($A$2:A{row},A{row})=1,1,0)", once)
        page.add((*about, one.status, first, Formula(value, _equal(one, once))))


def _equal(one: Given, once: int) -> r.D:
    equal = {"doxorubicin": r.D(1), "epirubicin": r.D("0.5")}.get(one.drug, r.D(0))
    return one.given * equal / one.bsa if once and one.status == "given" else r.D(0)


def echo(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Echo", ("Patient", "Date:day", "LVEF"))
    for row in told.world.echos:
        page.add(row)
