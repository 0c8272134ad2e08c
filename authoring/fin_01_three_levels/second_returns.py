"""Cases, Returns, Covenant, Decision of reference-2: years across, one block for each case; two
trial loans besides, between which the balance is a straight line."""

from datetime import date

from openpyxl.chart import BarChart, Reference
from openpyxl.styles import Alignment
from openpyxl.worksheet.worksheet import Worksheet

from authoring.fin_01_three_levels.second_value import CASES, LIMITS
from authoring.fin_01_three_levels.story import Story

LINES = (
    *("Sales", "Normalised", "Leases", "For the bank", "Capex", "Working capital", "Loan, start"),
    *("Interest", "Tax", "Loan, end", "Net senior", "Limit", "Headroom", "Flow of the fund"),
)
HEIGHT = 17
BLOCKS = ("Low", "Base", "High", "Base, no loan", "Base, loan of 1m", "Base, largest loan")
MONEY, PERCENT = "#,##0", "0.0%"


def top(block: str) -> int:
    return 1 + HEIGHT * BLOCKS.index(block)


def cases(told: Story, sheet: Worksheet) -> None:
    loans = {
        "Base, no loan": "0",
        "Base, loan of 1m": "1000000",
        "Base, largest loan": "Decision!B9",
    }
    known = {case.name: row for row, case in enumerate(told.world.cases, CASES)}
    for block in BLOCKS:
        first, there = top(block), known[block.split(",")[0]]
        sheet[f"A{first}"] = block
        for column, (label, value) in zip(
            "JKL", (("growth", "B"), ("step", "C"), ("exit", "D")), strict=True
        ):
            sheet[f"{column}{first}"] = label
            sheet[f"{column}{first + 1}"] = f"=Assumptions!{value}{there}"
            sheet[f"{column}{first + 1}"].number_format = "0.00" if value == "D" else "0.00%"
        sheet[f"B{first}"] = "LTM"
        for number, line in enumerate(LINES, 1):
            sheet[f"A{first + number}"] = line
        sheet[f"B{first + 1}"] = "=SUM(LTM!C2:C13)"
        sheet[f"B{first + 10}"] = f"={loans.get(block, 'Price!B11')}"
        for year, column in enumerate("CDEFG", 1):
            _year(sheet, first, (year, column))
        _flows(sheet, first)


def _year(sheet: Worksheet, first: int, at: tuple[int, str]) -> None:
    year, c = at
    p = chr(ord(c) - 1)
    t = {name: first + number for number, name in enumerate(LINES, 1)}
    sales = t["Sales"]
    bank, tax = f"{c}{t['For the bank']}", "Assumptions!$B$19"
    sheet[f"{c}{first}"] = year
    rows = {
        "Sales": f"{p}{sales}+{p}{sales}*$J${first + 1}",
        "Normalised": f"{c}{sales}*NormalisedEBITDA/$B${sales}+{c}{sales}*$K${first + 1}*{year}",
        "Leases": f"Adjustments!$E$21*(1+Assumptions!$B$16)^{year}",
        "For the bank": f"{c}{t['Normalised']}-{c}{t['Leases']}",
        "Capex": f"{c}{sales}*Assumptions!$B$17",
        "Working capital": f"({c}{sales}-{p}{sales})*Assumptions!$B$18",
        "Loan, start": f"{p}{t['Loan, end']}",
        "Interest": f"{c}{t['Loan, start']}*Assumptions!$B$5",
        "Tax": f"MAX({c}{t['For the bank']}-{c}{t['Capex']}-{c}{t['Interest']},0)*{tax}",
        "Net senior": f"{c}{t['Loan, end']}-Assumptions!$B$9",
        "Headroom": f"({bank}-{c}{t['Net senior']}/{c}{t['Limit']})/{bank}",
    }
    flow = "+".join(f"{c}{t[name]}" for name in ("Capex", "Working capital", "Interest", "Tax"))
    rows["Loan, end"] = f"{c}{t['Loan, start']}-{c}{t['For the bank']}+{flow}"
    for name, formula in rows.items():
        sheet[f"{c}{t[name]}"] = f"={formula}"
        sheet[f"{c}{t[name]}"].number_format = PERCENT if name == "Headroom" else MONEY
    sheet[f"{c}{t['Limit']}"] = f"=Assumptions!$B${LIMITS + year - 1}"
    sheet[f"{c}{t['Limit']}"].number_format = "0.00"


def _flows(sheet: Worksheet, first: int) -> None:
    row = first + LINES.index("Flow of the fund") + 1
    sheet[f"B{row}"] = f"=-(Price!B12-B{first + 10}*(1-Assumptions!B10))"
    sheet[f"C{row}"], sheet[f"E{row}"], sheet[f"F{row}"] = 0, 0, 0
    sheet[f"D{row}"] = "=-Price!B10"
    worth = f"(1-Assumptions!B20)*L{first + 1}*G{first + 2}"
    sheet[f"G{row}"] = f"=(1-Assumptions!B21)*({worth}-G{first + 11}-Price!B5)"
    for column in "BDG":
        sheet[f"{column}{row}"].number_format = MONEY


def _flow_row(block: str) -> int:
    return top(block) + LINES.index("Flow of the fund") + 1


def returns(told: Story, sheet: Worksheet) -> None:
    for column, head in enumerate(("Case", "Fund equity", "MOIC", "IRR"), 1):
        sheet.cell(1, column, head)
    for row, name in enumerate(("High", "Base", "Low"), 2):
        flows = _flow_row(name)
        sheet[f"A{row}"] = name
        sheet[f"B{row}"] = f"=-Cases!B{flows}"
        sheet[f"C{row}"] = f"=Cases!G{flows}/(B{row}+Price!B10)"
        sheet[f"D{row}"] = f"=IRR(Cases!B{flows}:G{flows},0.15)"
        sheet[f"B{row}"].number_format, sheet[f"C{row}"].number_format = MONEY, "0.00"
        sheet[f"D{row}"].number_format = PERCENT


def covenant(told: Story, sheet: Worksheet) -> None:
    """By test date, then case."""
    heads = ("Test date", "Case", "Headroom", "Net senior debt", "Covenant EBITDA")
    for column, head in enumerate(heads, 1):
        sheet.cell(1, column, head)
    row = 2
    for name in ("Base", "Low", "High"):
        for year, source in enumerate("CDEFG", 1):
            first = top(name)
            sheet[f"A{row}"], sheet[f"B{row}"] = date(2025 + year, 3, 31), name
            sheet[f"A{row}"].number_format = "yyyy-mm-dd"
            for letter, line in (("C", "Headroom"), ("D", "Net senior"), ("E", "For the bank")):
                sheet[f"{letter}{row}"] = f"=Cases!{source}{first + LINES.index(line) + 1}"
                sheet[f"{letter}{row}"].number_format = PERCENT if letter == "C" else MONEY
            row += 1
    chart = BarChart()
    chart.title, chart.legend = "Headroom, Base", None
    chart.add_data(Reference(sheet, min_col=3, min_row=2, max_row=6), titles_from_data=False)
    chart.set_categories(Reference(sheet, min_col=1, min_row=2, max_row=6))
    sheet.add_chart(chart, "H2")
    sheet.freeze_panes = "A2"


def decision(told: Story, sheet: Worksheet) -> None:
    for column, head in enumerate(("Test", "Value", "Needed", "Result"), 1):
        sheet.cell(1, column, head)
    rows = (
        ("T1", "Returns!D3", ">="),
        ("T2", "Returns!C4", ">="),
        ("T3", "MIN(Covenant!C2:C6)", ">="),
        ("T4", "'Cross-check'!F3", "<="),
    )
    for row, (test, value, sign) in enumerate(rows, 2):
        sheet[f"A{row}"], sheet[f"B{row}"] = test, f"={value}"
        sheet[f"C{row}"] = f"=Assumptions!B{20 + row}"
        sheet[f"D{row}"] = f'=IF(B{row}{sign}C{row},"met","not met")'
        sheet[f"D{row}"].alignment = Alignment(horizontal="left", indent=1)
        for letter in "BC":
            sheet[f"{letter}{row}"].number_format = "0.00" if test == "T2" else PERCENT
    sheet["A8"] = "Recommended decision"
    softer = 'IF(OR(D4="not met",D5="not met"),"Renegotiate","Proceed")'
    sheet["B8"] = f'=IF(OR(D2="not met",D3="not met"),"Decline",{softer})'
    sheet["A9"] = "Maximum senior loan"
    sheet["B9"] = "=INT(MIN(H2:H6)/Assumptions!B26)*Assumptions!B26"
    sheet["A10"] = "Base IRR at that loan"
    flows = _flow_row("Base, largest loan")
    sheet["B10"] = f"=IRR(Cases!B{flows}:G{flows},0.15)"
    sheet["B9"].number_format, sheet["B10"].number_format = MONEY, PERCENT
    sheet["G1"], sheet["H1"] = "Year", "Loan at 20 % headroom"
    none, million = top("Base, no loan"), top("Base, loan of 1m")
    for row, letter in enumerate("CDEFG", 2):
        bank, most = f"Cases!{letter}{none + 4}", f"Cases!{letter}{none + 12}"
        allowed = f"(1-Assumptions!$B$24)*{most}*{bank}"
        slope = f"(Cases!{letter}{million + 11}-Cases!{letter}{none + 11})"
        sheet[f"G{row}"] = row - 1
        sheet[f"H{row}"].number_format = MONEY
        sheet[f"H{row}"] = f"=1000000*({allowed}-Cases!{letter}{none + 11})/{slope}"
