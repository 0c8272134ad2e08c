"""The reference workbook: readings typed in, all else live formulas with the values they give."""

from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path

import xlsxwriter

from authoring.parts.pack import pack
from authoring.parts.tables import open_workbook
from authoring.stem_02_furnace_charts.inputs import strip_of
from authoring.stem_02_furnace_charts.rules import DECISIONS, Result, at
from authoring.stem_02_furnace_charts.sheet import Page, Value
from authoring.stem_02_furnace_charts.story import Story
from authoring.stem_02_furnace_charts.taken import Taken, taken
from authoring.stem_02_furnace_charts.world import (
    AMENDED,
    CLASSES,
    DELAYS,
    DIP_DEPTH,
    DIP_MINUTES,
    FAR_OVER,
    OVER,
    SECTIONS,
    couples,
    recorders,
)

NAME = "furnace-review.xlsx"
SHEETS = ("Limits", "Corrections", "Readings", "Review", "Summary")
LABELS = (
    *("Loads reviewed", "Released", "Reprocess", "Hold", "Scrap"),
    *("Pieces released", "Pieces not released"),
)
READINGS = (
    *("Load", "Strip", "Speed (mm/h)", "600 passed (min)", "750 passed (min)"),
    *("First in band (min)", "Back in band (min)", "Door opened (min)", "Dip (min)"),
    *("Dip low (deg C)", "Highest (deg C)", "Delay (s)"),
)
REVIEW = (
    *("Load", "Correction (deg C)", "Rate (deg C/h)", "Clock", "Soak (min)", "Required (min)"),
    *("Peak (deg C)", "Findings", "Decision", "Charged", "Class", "Set", "Under D/1", "Recorder"),
    *("Section", "Load TC", "Pen", "TC", "Lower limit as written", "Begins", "Delay allowed"),
    *("All findings", "Pcs", "Repeats"),
)
LIMITS: tuple[tuple[str, int | date], ...] = (
    ("Peak above set, hold (deg C)", OVER),
    ("Peak above set, scrap (deg C)", FAR_OVER),
    ("Dip that resets (min)", DIP_MINUTES),
    ("Quench delay before the amendment (s)", DELAYS[0]),
    ("Quench delay under the amendment (s)", DELAYS[1]),
    ("Amendment for loads charged from", AMENDED),
    ("Dip depth that resets, amendment (deg C)", DIP_DEPTH),
    ("Band (deg C)", 10),
)
LAST_DAY = date(2099, 12, 31)


def write_book(told: Story, folder: Path) -> None:
    path = folder / NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    book = open_workbook(path, "Furnace review June", "Quality")
    _limits(book)
    _corrections(book)
    _readings(told, book)
    _review(told, book)
    _summary(told, book)
    _register(told, book)
    book.close()
    pack(path)


def _limits(book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Limits")
    page.header(("Limit", "Value"), (42, 14))
    for row, (label, value) in enumerate(LIMITS, 2):
        page.line(row, {"A": label, "B": value})
    page.headings("D1", ("Section up to", "Shortest soak", "under D/1"))
    for row, values in enumerate(SECTIONS, 2):
        page.line(row, dict(zip("DEF", values, strict=True)))
    page.headings("H1", ("Class", "Set", "Highest rate", "Longest soak"))
    for row, one in enumerate(CLASSES, 2):
        limits = (one.name, one.set_at, one.fastest, one.longest)
        page.line(row, dict(zip("HIJK", limits, strict=True)))


def _corrections(book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Corrections")
    heads = ("Recorder", "Certificate", "From", "To", "At 700", "At 800", "At 900")
    page.header((*heads, "Offset mm", "Fast mm/min"), (12,) * 9)
    everyone = recorders()
    for row, one in enumerate(everyone, 2):
        later = [r.since for r in everyone if r.name == one.name and r.since > one.since]
        until = date.fromordinal(later[0].toordinal() - 1) if later else LAST_DAY
        points = [float(value) for value in one.load.values()]
        values: Sequence[Value] = (one.name, one.certificate, one.since, until, *points)
        page.line(row, dict(zip("ABCDEFGHI", (*values, one.offset, one.fast), strict=True)))
    page.headings("A8", ("Load TC", "Certificate", "Due on", "", "At 700", "At 800", "At 900"))
    for row, tc in enumerate(couples(), 9):
        points = [float(value) for value in tc.corrections.values()]
        values = (tc.name, tc.certificate, tc.due, None, *points)
        page.line(row, dict(zip("ABCDEFG", values, strict=True)))


def _readings(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Readings")
    page.header(READINGS, (11, 15, *(13,) * 10))
    page.sheet.freeze_panes(1, 1)
    files = strip_of(told.world)
    for row, one in enumerate(told.results, 2):
        got = taken(one)
        values = (
            *(one.load.no, files[one.load.no], one.load.speed, got.passed_600, got.passed_750),
            *(got.first_band, got.back, got.door, got.dip, got.dip_low, got.highest, got.delay),
        )
        page.line(row, dict(zip("ABCDEFGHIJKL", values, strict=True)))


def looked(column: str, row: int) -> str:
    return f"INDEX(Register!${column}$2:${column}$19,MATCH($A{row},Register!$A$2:$A$19,0))"


def _pen(column: str, row: int) -> str:
    at_ = f"Corrections!${column}$2:${column}$5"
    of = f"(Corrections!$A$2:$A$5=N{row})*(Corrections!$C$2:$C$5<=J{row})"
    return f"SUMPRODUCT({of}*(Corrections!$D$2:$D$5>=J{row})*{at_})"


def _tc(column: str, row: int) -> str:
    return f"INDEX(Corrections!${column}$9:${column}$13,MATCH(P{row},Corrections!$A$9:$A$13,0))"


def _class(column: str, row: int) -> str:
    return f"INDEX(Limits!${column}$2:${column}$4,MATCH(K{row},Limits!$H$2:$H$4,0))"


def _between(low: str, high: str, row: int) -> str:
    return f"{low}+({high}-{low})*(L{row}-800)/100"


def _found(r: int) -> str:
    peak = f'IF(G{r}-L{r}>Limits!$B$3,", P2",IF(G{r}-L{r}>Limits!$B$2,", P1",""))'
    rest = (
        (f"E{r}>{_class('K', r)}", "L"),
        (f"C{r}>{_class('J', r)}", "R"),
        (f"J{r}>{_tc('C', r)}", "T"),
        (f"E{r}<F{r}", "S"),
        (f"Readings!L{r}>U{r}", "Q"),
    )
    return "&".join(['"."', peak, *(f'IF({test},", {code}","")' for test, code in rest)])


def _decided(r: int) -> str:
    has = {
        name: "+".join(f'ISNUMBER(FIND("{code}",H{r}))' for code in codes)
        for name, codes in {"hold": ("P1", "L", "R", "T"), "reprocess": ("S", "Q")}.items()
    }
    again = f'IF({has["reprocess"]}>0,IF(X{r}="-","reprocess","hold"),"release")'
    return f'IF(ISNUMBER(FIND("P2",H{r})),"scrap",IF({has["hold"]}>0,"hold",{again}))'


def _formulas(r: int) -> dict[str, str]:
    deep = f"AND(M{r}=1,S{r}-Readings!J{r}>Limits!$B$8)"
    resets = f'IF(OR(Readings!I{r}>Limits!$B$4,{deep}),"resets","stops")'
    soak = f'Readings!H{r}-T{r}-IF(D{r}="stops",Readings!I{r},0)'
    rows = f'COUNTIF(Limits!$D$2:$D$4,"<"&O{r})+1'
    return {
        "A": f"Readings!A{r}",
        "B": f"ROUND(Q{r}+R{r},0)",
        "C": f"150/(Readings!E{r}-Readings!D{r})*60",
        "D": f'IF(Readings!I{r}=0,"none",{resets})',
        "E": soak,
        "F": f"INDEX(Limits!$E$2:$F$4,{rows},1+M{r})",
        "G": f"Readings!K{r}+B{r}",
        "H": f'IF(V{r}=".","none",MID(V{r},4,99))',
        "I": _decided(r),
        "J": looked("B", r),
        "K": looked("D", r),
        "L": _class("I", r),
        "M": f"IF(J{r}>=Limits!$B$7,1,0)",
        "N": looked("C", r),
        "O": looked("E", r),
        "P": looked("F", r),
        "Q": _between(_pen("F", r), _pen("G", r), r),
        "R": _between(_tc("F", r), _tc("G", r), r),
        "S": f"L{r}-Limits!$B$9-B{r}",
        "T": f'IF(D{r}="resets",Readings!G{r},Readings!F{r})',
        "U": f"IF(M{r}=1,Limits!$B$6,Limits!$B$5)",
        "V": _found(r),
        "W": looked("G", r),
        "X": f'IF({looked("H", r)}=0,"-",{looked("H", r)})',
    }


def _values(told: Story, got: Taken) -> Mapping[str, Value]:
    one = got.result
    load, klass = one.load, one.klass
    codes = got.findings
    found = "." + "".join(f", {code}" for code in codes)
    pen = float(at(told.world.recorder(load).load, klass.set_at))
    couple = float(at(told.world.couples[load.couple].corrections, klass.set_at))
    return {
        **dict(zip("ABCD", (load.no, one.correction, got.rate, one.clock), strict=True)),
        **dict(zip("EFG", (got.soak, one.required, got.peak), strict=True)),
        **dict(zip("HI", (", ".join(codes) or "none", one.decision), strict=True)),
        **dict(zip("JKL", (load.day, load.klass, klass.set_at), strict=True)),
        **dict(
            zip("MNOP", (int(load.day >= AMENDED), load.recorder, load.section, ""), strict=True)
        ),
        **dict(zip("PQR", (load.couple, pen, couple), strict=True)),
        **dict(zip("STU", (one.limit, got.begins, one.allowed), strict=True)),
        **dict(zip("VWX", (found, load.pieces, load.rerun or "-"), strict=True)),
    }


def _review(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Review")
    page.header(REVIEW, (11, 11, 10, 9, 9, 10, 9, 11, 12, *(11,) * 15))
    page.sheet.freeze_panes(1, 1)
    page.sheet.autofilter(0, 0, len(told.results), len(REVIEW) - 1)
    for row, one in enumerate(told.results, 2):
        values = _values(told, taken(one))
        for column, formula in _formulas(row).items():
            code = "0.0" if column in "CEGQRT" else "General"
            page.formula(f"{column}{row}", formula, values[column], code)


def figures(told: Story) -> dict[str, int]:
    return counted(told.results)


def counted(results: Sequence[Result]) -> dict[str, int]:
    """The labels of Summary to their figures."""
    made = [one.decision for one in results]
    pieces = sum(one.load.pieces for one in results)
    out = sum(one.load.pieces for one in results if one.decision == "release")
    counts = (len(made), *(made.count(name) for name in DECISIONS), out, pieces - out)
    return dict(zip(LABELS, counts, strict=True))


def _summary(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Summary")
    page.header(("Figure", "June 2025"), (28, 14))
    by = "Review!$I$2:$I$19"
    formulas = (
        "COUNTA(Review!$A$2:$A$19)",
        *(f'COUNTIF({by},"{name}")' for name in DECISIONS),
        f'SUMIF({by},"release",Review!$W$2:$W$19)',
        "SUM(Review!$W$2:$W$19)-B7",
    )
    for row, ((label, value), formula) in enumerate(
        zip(figures(told).items(), formulas, strict=True), 2
    ):
        page.line(row, {"A": label})
        page.formula(f"B{row}", formula, value)


def _register(told: Story, book: xlsxwriter.Workbook) -> None:
    page = Page(book, "Register")
    heads = ("Load", "Charged", "Recorder", "Class", "Section mm", "Load TC", "Pieces", "Repeats")
    page.header(heads, (11,) * 8)
    for row, one in enumerate(told.world.loads, 2):
        values = (
            *(one.no, one.day, one.recorder, one.klass, one.section, one.couple, one.pieces),
            one.rerun or None,
        )
        page.line(row, dict(zip("ABCDEFGH", values, strict=True)))
