"""Sheets Marks and Summary of the reference."""

from typing import Any

import xlsxwriter

from authoring.edu_02_graph_marking.expected import (
    NAMES,
    facilities,
    figures,
    grades,
    means,
)
from authoring.edu_02_graph_marking.rules import CRITERIA, grade, marks, total
from authoring.edu_02_graph_marking.world import HIGH, READINGS, WIDE, World

Looks = dict[str, Any]
LETTERS = dict(zip(CRITERIA, "BCDEFGHIJKL", strict=True))
ROWS = 200
"""Formulas of Summary reach down to it."""


def formulas(number: int) -> dict[str, str]:
    """Of one script's marks."""
    row = number + 2
    r = {name: f"Readings!{name}{row}" for name in _columns()}
    first = 2 + READINGS * number
    x, v = (f"Points!${c}${first}:${c}${first + READINGS - 1}" for c in "FG")
    spans = (
        f"(MAX({x})-MIN({x}))*10/{r['D']}>{WIDE // 2},(MAX({v})-MIN({v}))*10/{r['F']}>{HIGH // 2}"
    )
    allowed = ",".join(
        f"COUNTIF(Settings!$D$2:$D$5,ROUND({large}/10^FLOOR(LOG10({large})+0.000001,1),6))>0"
        for large in (r["D"], r["F"])
    )
    slope = f"(({r['S']}-{r['Q']})/({r['R']}-{r['P']}))"
    edge = f"AND({r['C']}=0,ABS(({r['V']}-{r['E']})*10/{r['F']}-{r['Y']})<=Settings!$B$2)"
    reckoned = f"ABS({r['Q']}-{r['T']}*{r['P']}-{r['V']})<=0.010001"
    half = f"0.5*10^-{r['AA']}+0.000001"
    return {
        "Axes": f'IF({r["W"]}="yes",1,0)',
        "Scales": f"IF(AND({spans},{allowed}),1,0)",
        "Plotting": f'MAX(0,2-COUNTIFS(Points!$A$2:$A${ROWS},A{row},Points!$C$2:$C${ROWS},"yes"))',
        "Anomaly": f"IF({r['G']}={r['AD']},1,0)",
        "Line": (
            f"IF(ABS({r['J']}-{r['AB']})<=Settings!$B$3,1,0)"
            f"+IF(ABS({r['K']}-{r['AC']})<=Settings!$B$3,1,0)"
        ),
        "Triangle": f"IF(({r['N']}-{r['L']})/({r['I']}-{r['H']})>Settings!$B$4,1,0)",
        "Read-offs": (f"IF({r['AE']}<=Settings!$B$2,1,0)+IF({r['AF']}<=Settings!$B$2,1,0)"),
        "Gradient": f"IF(ABS({r['T']}-{slope})<={half},1,0)",
        "Figures": f"IF(AND({r['Z']}>=Settings!$F$2,{r['Z']}<=Settings!$G$2),1,0)",
        "Unit": f'IF(AND({r["U"]}<>"",COUNTIF(Settings!$E$2:$E$3,{r["U"]})>0),1,0)',
        "Intercept": f'IF(IF({r["X"]}="edge",{edge},{reckoned}),1,0)',
    }


def _columns() -> list[str]:
    letters = [chr(65 + n) for n in range(26)]
    return [*letters, *(f"A{letter}" for letter in letters[:6])]


def put_marks(told: World, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Marks")
    sheet.write_row(0, 0, ("Candidate", *CRITERIA, "Total", "Grade", "Lacks one"), looks["head"])
    sheet.freeze_panes(1, 1)
    for number, one in enumerate(told.scripts):
        row = number + 2
        sheet.write_formula(row - 1, 0, f"=Readings!A{row}", None, int(one.number))
        given = marks(one)
        for name, formula in formulas(number).items():
            sheet.write_formula(f"{LETTERS[name]}{row}", f"={formula}", None, given[name])
        points = total(one)
        sheet.write_formula(f"M{row}", f"=SUM(B{row}:L{row})", None, points)
        sheet.write_formula(f"N{row}", f"={_grade(f'M{row}')}", None, grade(points))
        near = f'=IF({_grade(f"M{row}+1")}<>N{row},"yes","no")'
        lifted = grade(points + 1) != grade(points)
        sheet.write_formula(f"O{row}", near, None, "yes" if lifted else "no")
    sheet.set_column(0, 14, 10)


def _grade(points: str) -> str:
    formula = '"U"'
    for row, name in reversed(list(enumerate("ABCDE", 5))):
        formula = f'IF({points}>=Settings!$B${row},"{name}",{formula})'
    return formula


def put_summary(told: World, book: xlsxwriter.Workbook, looks: Looks) -> None:
    sheet = book.add_worksheet("Summary")
    sheet.write_row(0, 0, ("Figure", "June 2026"), looks["head"])
    last = len(told.scripts) + 1
    lines = (
        f"COUNT(Marks!A2:A{last})",
        f"AVERAGE(Marks!M2:M{last})",
        f'COUNTIF(Points!C2:C{ROWS},"yes")',
        f'COUNTIF(Marks!O2:O{last},"yes")',
    )
    for row, ((label, value), formula) in enumerate(
        zip(figures(told).items(), lines, strict=True), 2
    ):
        look = looks["mean"] if label == "Mean total" else looks["plain"]
        sheet.write_string(row - 1, 0, label)
        sheet.write_formula(f"B{row}", f"={formula}", look, float(value))
    sheet.write_row(7, 0, ("Criterion", "Available", "Mean", "Facility"), looks["head"])
    shares = facilities(told)
    for row, (name, mean) in enumerate(means(told).items(), 9):
        column = f"Marks!{LETTERS[name]}2:{LETTERS[name]}{last}"
        sheet.write_string(row - 1, 0, name)
        sheet.write_number(row - 1, 1, CRITERIA[name])
        sheet.write_formula(f"C{row}", f"=AVERAGE({column})", looks["mean"], float(mean))
        share = float(shares[name])
        sheet.write_formula(f"D{row}", f"=C{row}/B{row}", looks["share"], share)
    sheet.write_row(7, 5, ("Grade result", "Number"), looks["head"])
    for row, (name, count) in enumerate(grades(told).items(), 9):
        sheet.write_string(row - 1, 5, name)
        sheet.write_formula(f"G{row}", f"=COUNTIF(Marks!N2:N{last},F{row})", None, count)
    assert len(NAMES) == 6
    _chart(book, sheet)
    sheet.set_column(0, 6, 16)


def _chart(book: xlsxwriter.Workbook, sheet: Any) -> None:
    chart = book.add_chart({"type": "bar"})
    chart.add_series(
        {"name": "Facility", "categories": "=Summary!$A$9:$A$19", "values": "=Summary!$D$9:$D$19"}
    )
    chart.set_title({"name": "Facility by criterion"})
    chart.set_legend({"none": True})
    sheet.insert_chart("I2", chart)
