"""Assumptions to Cross-check of reference-2."""

from openpyxl.styles import Alignment, PatternFill
from openpyxl.utils import get_column_letter
from openpyxl.worksheet.worksheet import Worksheet

from authoring.fin_01_three_levels import rules as r
from authoring.fin_01_three_levels import world as w
from authoring.fin_01_three_levels.reasons import reasons
from authoring.fin_01_three_levels.rules import Rules, counted
from authoring.fin_01_three_levels.story import Story
from authoring.fin_01_three_levels.world import LTM

MONEY, PERCENT = "#,##0", "0.0%"
CASES, LIMITS = 30, 35
"""First rows of the cases and of the covenants on Assumptions."""


def assumptions(told: Story, sheet: Worksheet) -> None:
    terms = told.world.terms
    sheet["A1"] = "Inputs are yellow; all else is calculated"
    rows: tuple[tuple[str, float, str], ...] = (
        ("Entry multiple", float(terms.multiple), "term sheet 22 Nov, cl. 2"),
        ("Interest rate", float(terms.interest), "bank, 10 Jan"),
        ("Loan multiple", float(terms.loan), "cl. 8"),
        ("Share deferred", float(r.LATER), "cl. 6"),
        ("Costs of the deal", float(terms.costs), "cl. 6"),
        ("Cash stays", float(terms.cash), "cl. 6"),
        ("Fee rate", float(r.FEE), "cl. 8"),
        ("New director, month", float(terms.director), "cl. 7"),
        ("Bench invoice", float(told.world.bench), "mail 12 Dec, 2"),
        ("Bonus promise", float(terms.bonuses), "mail 12 Dec, 4"),
        ("Severance, PLN", float(told.world.severance * 1000), "pack, Notes"),
        ("Social charges on bonuses", float(r.SOCIAL), "mail 12 Dec, 4"),
        ("Leases rise by", float(r.INDEXED), "IP-04, 2.2"),
        ("Capex by revenue", float(r.CAPEX), "IP-04, 2.3"),
        ("Working capital by more revenue", float(r.WORKING), "IP-04, 2.3"),
        ("Tax rate", float(r.TAX), "IP-04, 2.4"),
        ("Cost of exit", float(r.EXIT_COST), "IP-04, 2.6"),
        ("Managers get", float(r.MANAGERS), "IP-04, 2.6"),
        ("T1 needs", float(r.HURDLE), "IP-04, 4"),
        ("T2 needs", float(r.LEAST), "IP-04, 4"),
        ("T3 needs", float(r.ROOM), "IP-04, 4"),
        ("T4 allows", float(r.PREMIUM), "IP-04, 4"),
        ("Loans in steps of", float(r.STEP), "IP-04, 4.2"),
    )
    for row, (label, value, source) in enumerate(rows, 4):
        sheet[f"A{row}"], sheet[f"C{row}"] = label, source
        number = MONEY if value > 100 else "0.00%" if value < 1 else "0.00"
        _input(sheet, f"B{row}", value, number)
    for column, head in zip("ABCD", ("Case", "Growth", "Step", "Exit multiple"), strict=True):
        sheet[f"{column}{CASES - 1}"] = head
    for row, case in enumerate(told.world.cases, CASES):
        sheet[f"A{row}"] = case.name
        _input(sheet, f"B{row}", float(case.growth), "0.00%")
        _input(sheet, f"C{row}", float(case.step), "0.00%")
        _input(sheet, f"D{row}", float(case.exit), "0.00")
    sheet[f"A{LIMITS - 1}"], sheet[f"B{LIMITS - 1}"] = "Test in March of", "Limit (cl. 9)"
    for row, limit in enumerate(terms.covenants, LIMITS):
        sheet[f"A{row}"] = 2026 + row - LIMITS
        sheet[f"A{row}"].alignment = Alignment(horizontal="left")
        _input(sheet, f"B{row}", float(limit), "0.00")


def _input(sheet: Worksheet, at: str, value: float, number_format: str) -> None:
    sheet[at] = value
    sheet[at].number_format = number_format
    sheet[at].fill = PatternFill("solid", fgColor="FFF4CC")


def _last(told: Story) -> int:
    return len(counted(told.world, Rules())) + 1


def ltm(told: Story, sheet: Worksheet) -> None:
    """Months latest first."""
    heads = ("Month", "Reported EBITDA", "Revenue", "Lease payments", "Row in Sub")
    for column, head in enumerate(heads, 1):
        sheet.cell(1, column, head)
    end = _last(told)
    month, account, amount = (f"GL!${c}$2:${c}${end}" for c in "IDH")
    for row, name in enumerate(reversed(LTM), 2):
        sheet[f"A{row}"] = name
        here = f"({month}=A{row})"
        sheet[f"E{row}"] = f"=MATCH(A{row},Sub!$A$1:$A$22,0)"

        def sub(column: str, row: int = row) -> str:
            return f"INDEX(Sub!${column}$1:${column}$22,$E{row})"

        earned = f"({sub('B')}-{sub('C')}-{sub('D')}-{sub('E')})"
        sheet[f"B{row}"] = (
            f"=SUMPRODUCT({here}*({account}<7000)*-{amount})+{earned}*1000/{sub('I')}"
        )
        sheet[f"C{row}"] = (
            f"=SUMPRODUCT({here}*({account}<4300)*-{amount})+{sub('B')}*1000/{sub('I')}"
        )
        leases = f"INDEX('BS parent'!$R$2:$R$13,MATCH(A{row},'BS parent'!$A$2:$A$13,0))"
        sheet[f"D{row}"] = f"={leases}+{sub('H')}*1000/{sub('I')}"
        for letter in "BCD":
            sheet[f"{letter}{row}"].number_format = MONEY
    sheet.freeze_panes = "A2"


def adjustments(told: Story, sheet: Worksheet) -> None:
    """Amounts by account and text within the LTM, not by document."""
    heads = ("Decision", "No.", "What", "Claimed", "Amount", "Ledger", "Because")
    for column, head in enumerate(heads, 1):
        sheet.cell(1, column, head)
    end = _last(told)
    month, account, text, amount = (f"GL!${c}$2:${c}${end}" for c in "IDFH")
    inside = f'({month}>="{LTM[0]}")*({month}<="{LTM[-1]}")*{amount}'

    def posted(number: int, words: str) -> str:
        return f'SUMPRODUCT(({account}={number})*(LEFT({text},{len(words)})="{words}")*{inside})'

    formulas = {
        "V1": f"SUMPRODUCT(({account}=6020)*{inside})-12*Assumptions!B11",
        "V2": "+".join(
            (
                posted(6400, "Accrual settlement"),
                posted(6400, "Settlement former"),
                posted(4900, "Release of accruals"),
            )
        ),
        "V5": posted(6600, "ERP migration"),
        "V6": f"{posted(6700, 'Burst pipe')}+{posted(4900, 'Insurer')}",
        "V7": f"SUMPRODUCT(({account}=6100)*{inside})",
        "V10": 'Assumptions!B14/INDEX(Sub!I1:I22,MATCH("2024-04",Sub!A1:A22,0))',
        "V11": posted(6400, "Vendor due"),
        "B1": posted(4900, "Training grant"),
        "B2": posted(4900, "Sale of measuring"),
    }
    why = reasons(told)
    for row, one in enumerate(told.adjustments, 2):
        basis = (
            "account 6020"
            if one.no == "V1"
            else "pack, Personnel 2024-04"
            if one.no == "V10"
            else ""
        )
        sheet[f"A{row}"], sheet[f"B{row}"], sheet[f"C{row}"] = one.decision, one.no, one.subject
        sheet[f"D{row}"] = float(one.claimed)
        sheet[f"E{row}"] = f"={formulas[one.no]}" if one.no in formulas else 0
        sheet[f"F{row}"] = "; ".join(one.documents) or basis
        sheet[f"G{row}"] = why[one.no]
        sheet[f"E{row}"].number_format = sheet[f"D{row}"].number_format = MONEY
    for row, (label, formula) in enumerate(
        (
            ("EBITDA as reported", "=SUM(LTM!B2:B13)"),
            ("All adjustments", "=SUM(E2:E14)"),
            ("Normalised", "=E18+E19"),
            ("Leases paid", "=SUM(LTM!D2:D13)"),
            ("For the bank", "=E20-E21"),
        ),
        18,
    ):
        sheet[f"C{row}"], sheet[f"E{row}"] = label, formula
        sheet[f"E{row}"].number_format = MONEY
    sheet.freeze_panes = "A2"


def working(told: Story, sheet: Worksheet) -> None:
    """Row by row from the balance sheets; the peg stands beside the table."""
    for column, head in enumerate(("Month", "Parent", "Sub in PLN k", "Trade working capital"), 1):
        sheet.cell(1, column, head)
    for row, month in enumerate(LTM, 2):
        sheet[f"A{row}"] = month
        bench = "+Assumptions!$B$12" if month in LTM[9:] else ""
        for letter, name in (("B", "BS parent"), ("C", "BS sub")):
            owned = f"SUM('{name}'!B{row}:D{row})-SUM('{name}'!E{row}:H{row})"
            sheet[f"{letter}{row}"] = f"={owned}{bench if letter == 'B' else ''}"
        rate = f"INDEX(Sub!$J$2:$J$22,MATCH(A{row},Sub!$A$2:$A$22,0))"
        sheet[f"D{row}"] = f"=B{row}+C{row}/{rate}*1000"
        sheet[f"B{row}"].number_format = sheet[f"D{row}"].number_format = MONEY
        sheet[f"C{row}"].number_format = "#,##0.0"
    sheet["G3"], sheet["H3"] = "Average", "=SUM(D2:D13)/12"
    sheet["G4"], sheet["H4"] = "Last less average", "=D13-H3"
    sheet["H3"].number_format = sheet["H4"].number_format = MONEY


def net_debt(told: Story, sheet: Worksheet) -> None:
    for column, head in enumerate(("Treatment", "Item", "In net debt"), 1):
        sheet.cell(1, column, head)
    for row, one in enumerate(told.owed, 2):
        sheet[f"A{row}"], sheet[f"B{row}"] = one.treatment, one.item
        if one.item == w.BONUSES:
            formula: str | int = "=Assumptions!B13*(1+Assumptions!B15)"
        elif one.treatment in ("debt", "cash"):
            letter = get_column_letter(2 + w.ITEMS.index(one.item))
            sign = "-" if one.treatment == "cash" else ""
            more = "+Assumptions!B12" if one.item == "Payables for fixed assets" else ""
            both = f"('BS parent'!{letter}13{more}+'BS sub'!{letter}13*1000/Sub!J22)"
            formula = f"={sign}{both}"
        else:
            formula = 0
        sheet[f"C{row}"] = formula
        sheet[f"C{row}"].number_format = MONEY
    sheet["E2"], sheet["F2"] = "All", "=SUM(C2:C18)"
    leases = get_column_letter(2 + w.ITEMS.index("Lease liabilities"))
    sheet["E3"], sheet["F3"] = (
        "of it leases",
        f"='BS parent'!{leases}13+'BS sub'!{leases}13*1000/Sub!J22",
    )
    sheet["F2"].number_format = sheet["F3"].number_format = MONEY


def price(told: Story, sheet: Worksheet) -> None:
    rows = (
        ("Bridge", ""),
        ("Normalised, LTM", "=NormalisedEBITDA"),
        ("Multiple", "=Assumptions!B4"),
        ("Enterprise value", "=B3*B2"),
        ("Lease liabilities", "='Net debt'!F3"),
        ("Other net debt", "='Net debt'!F2-B5"),
        ("Net debt total", "=B5+B6"),
        ("Working capital adjustment", "='Working capital'!H4"),
        ("Equity price", "=B4-B7+B8"),
        ("Deferred payment", "=B9*Assumptions!B7"),
        ("Senior loan", "=Assumptions!B6*CovenantEBITDA"),
        ("Uses before the fee", "=B9-B10+B6+Assumptions!B9+Assumptions!B8"),
        ("Fund pays at closing", "=B12-B11*(1-Assumptions!B10)"),
        ("Leverage, bank", "=(B11-Assumptions!B9)/CovenantEBITDA"),
        ("Leverage, IFRS 16", "=(B11-Assumptions!B9+B5)/NormalisedEBITDA"),
    )
    for row, (label, formula) in enumerate(rows, 1):
        sheet[f"A{row}"], sheet[f"B{row}"] = label, formula or None
        sheet[f"B{row}"].number_format = "0.00" if row in (3, 14, 15) else MONEY


def cross_check(told: Story, sheet: Worksheet) -> None:
    """The verdict on each deal was made by reading; the median takes those with a yes."""
    for column, head in enumerate(("Counts", "No.", "EV/EBITDA"), 1):
        sheet.cell(1, column, head)
    for row, deal in enumerate(told.world.deals, 2):
        sheet[f"A{row}"] = "yes" if r.used(deal, told.world, Rules()) else "no"
        sheet[f"B{row}"] = deal.no
        sheet[f"C{row}"] = f"=IF(A{row}=\"yes\",'Deal list'!E{row}/'Deal list'!F{row},\"\")"
        sheet[f"C{row}"].number_format = "0.00"
    sheet["E2"], sheet["F2"] = "Median multiple", "=SMALL(C2:C12,(COUNT(C2:C12)+1)/2)"
    sheet["E3"], sheet["F3"] = "Premium", "=Assumptions!B4/F2-1"
    sheet["F2"].number_format, sheet["F3"].number_format = "0.00", PERCENT
