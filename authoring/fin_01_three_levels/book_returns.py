"""Returns, Covenant, Decision of the reference, and the sheet that finds the smaller loan."""

from datetime import date
from decimal import Decimal

from authoring.fin_01_three_levels import deal as d
from authoring.fin_01_three_levels import rules as r
from authoring.fin_01_three_levels.book_value import CASE, TEST
from authoring.fin_01_three_levels.sheet import Book, Sheet
from authoring.fin_01_three_levels.story import Story

D = Decimal
MEASURES = ("IRR, Base", "MOIC, Low", "Least headroom, Base", "Premium over the cross-check")


def returns(told: Story, book: Book) -> None:
    sheet = book.sheet("Returns", (9, 10, 10, 15, 15, *(14,) * 7))
    sheet.heads(
        (
            "Case",
            "IRR",
            "MOIC",
            "Fund equity",
            "Proceeds",
            *(f"Flow {n}" for n in range(6)),
            "Value at exit",
        )
    )
    for number, name in enumerate(told.years):
        row, end = 2 + number, 6 + 5 * number
        found, last = told.outcomes[name], told.years[name][-1]
        exit_ = told.world.cases[number].exit * last.normalised
        sheet.put(f"A{row}", name)
        sheet.calc(f"B{row}", f"IRR(F{row}:K{row})", found.irr, "percent")
        sheet.calc(f"C{row}", f"E{row}/-SUM(F{row}:J{row})", found.moic, "times")
        sheet.calc(f"D{row}", "Price!B14", found.equity)
        left = f"L{row}*(1-ExitCosts)-Covenant!O{end}-Price!$B$18"
        sheet.calc(f"E{row}", f"(1-ManagersShare)*({left})", found.proceeds)
        flows = {
            "F": (f"-D{row}", -found.equity),
            "H": ("-Price!B6", -found.later),
            "K": (f"E{row}", found.proceeds),
        }
        for letter in "FGHIJK":
            if letter in flows:
                sheet.calc(f"{letter}{row}", *flows[letter])
            else:
                sheet.put(f"{letter}{row}", 0, "money")
        sheet.calc(f"L{row}", f"Assumptions!D{CASE + number}*Covenant!E{end}", exit_)
    sheet.sheet.freeze_panes(1, 1)


COVENANT = (
    *("Case", "Test date", "Year", "Sales", "EBITDA, normalised", "Rents and leases"),
    *("Covenant EBITDA", "Capex", "Tied up", "Loan before", "Interest paid", "Taxes", "Cash flow"),
    *("Loan after", "Net senior debt", "Limit", "Leverage", "Headroom"),
)


def covenant(told: Story, book: Book) -> None:
    sheet = book.sheet("Covenant", (8, 12, 6, *(14,) * 12, 8, 10, 10))
    sheet.heads(COVENANT)
    row = 2
    for number, rows in enumerate(told.years.values()):
        for year in rows:
            _year(sheet, row, number, year)
            row += 1
    _chart(told, book, sheet)
    sheet.sheet.freeze_panes(1, 2)


def _year(sheet: Sheet, row: int, number: int, year: d.Year) -> None:
    first, case = year.year == 1, CASE + number
    before = "LTM!$B$15" if first else f"D{row - 1}"
    margin = f"NormalisedEBITDA/LTM!$B$15+C{row}*Assumptions!$C${case}"
    sheet.put(f"A{row}", year.case)
    sheet.put(f"B{row}", date(2025 + year.year, 3, 31), "day")
    sheet.put(f"C{row}", year.year)
    formulas = {
        "D": (f"{before}*(1+Assumptions!$B${case})", year.revenue),
        "E": (f"D{row}*({margin})", year.normalised),
        "F": (f"LTM!$D$15*(1+LeaseRise)^C{row}", year.lease),
        "G": (f"E{row}-F{row}", year.ebitda),
        "H": (f"CapexShare*D{row}", year.capex),
        "I": (f"TiedShare*(D{row}-{before})", year.tied),
        "J": ("Price!$B$7" if first else f"N{row - 1}", year.opening),
        "K": (f"InterestRate*J{row}", year.interest),
        "L": (f"TaxRate*MAX(0,G{row}-H{row}-K{row})", year.tax),
        "M": (f"G{row}-H{row}-I{row}-K{row}-L{row}", year.flow),
        "N": (f"J{row}-M{row}", year.loan),
        "O": (f"N{row}-CashLeft", year.senior),
        "P": (f"Assumptions!$B${TEST - 1 + year.year}", year.covenant),
        "Q": (f"O{row}/G{row}", year.senior / year.ebitda),
        "R": (f"1-O{row}/(P{row}*G{row})", year.headroom),
    }
    looks = {"P": "times", "Q": "times", "R": "percent"}
    for letter, (formula, value) in formulas.items():
        sheet.calc(f"{letter}{row}", formula, value, looks.get(letter, "money"))


def _chart(told: Story, book: Book, sheet: Sheet) -> None:
    chart = book.book.add_chart({"type": "line"})
    for name, first in (("Base", 7), ("Low", 2), ("High", 12)):
        chart.add_series(
            {
                "name": name,
                "categories": "=Covenant!$B$7:$B$11",
                "values": f"=Covenant!$R${first}:$R${first + 4}",
                "marker": {"type": "circle"},
                "smooth": False,
            }
        )
    chart.set_title({"name": "Headroom at the test dates", "name_font": {"size": 12}})
    chart.set_y_axis({"num_format": "0%"})
    chart.set_x_axis({"num_format": "yyyy", "label_position": "low"})
    chart.set_legend({"position": "bottom"})
    chart.set_size({"width": 720, "height": 320})
    sheet.sheet.insert_chart(18, 1, chart)


def decision(told: Story, book: Book) -> None:
    sheet = book.sheet("Decision", (26, 30, 14, 12, 12))
    sheet.heads(("Test", "Measure", "Value", "Limit", "Result"))
    sources = (
        ("Returns!B3", "Hurdle", ">="),
        ("Returns!C2", "LeastMOIC", ">="),
        ("MIN(Covenant!R7:R11)", "LeastRoom", ">="),
        ("'Cross-check'!B16", "MostPremium", "<="),
    )
    for row, ((test, value, limit, met), (source, name, sign)) in enumerate(
        zip(told.tests, sources, strict=True), 2
    ):
        look = "times" if test == "T2" else "percent"
        sheet.put(f"A{row}", test)
        sheet.put(f"B{row}", MEASURES[row - 2])
        sheet.calc(f"C{row}", source, value, look)
        sheet.calc(f"D{row}", name, limit, look)
        sheet.calc(
            f"E{row}",
            f'IF(C{row}{sign}D{row},"met","not met")',
            "met" if met else "not met",
            "word",
        )
    rule = 'IF(COUNTIF(E2:E5,"met")=4,"Proceed",IF(AND(E2="met",E3="met"),"Renegotiate","Decline"))'
    sheet.put("A7", "Recommended decision", "bold")
    sheet.calc("B7", rule, told.decision, "bold")
    sheet.put("A8", "Maximum senior loan", "bold")
    sheet.calc("B8", "'Smaller loan'!B10", told.largest)
    sheet.put("A9", "Base IRR at that loan", "bold")
    sheet.calc("B9", "'Smaller loan'!B15", told.reduced_outcome.irr, "percent")


def smaller_loan(told: Story, book: Book) -> None:
    """The balance is linear in the loan: it grows by interest after tax, falls by the flow."""
    sheet = book.sheet("Smaller loan", (30, 16, 16, 16, 16, 16, 16))
    sheet.heads(
        (
            "After year",
            "Flow before interest",
            "Growth of the loan",
            "Repaid so far",
            "Largest balance",
            "Largest loan",
        )
    )
    rate, terms = told.world.terms.interest, told.world.terms
    grows, repaid = 1 + rate * (1 - r.TAX), D(0)
    for row, year in enumerate(told.years["Base"], 2):
        there = row + 5
        flow = (year.ebitda - year.capex) * (1 - r.TAX) - year.tied
        repaid = repaid * grows + flow
        allowed = (1 - r.ROOM) * year.covenant * year.ebitda + terms.cash
        sheet.put(f"A{row}", year.year)
        sheet.calc(
            f"B{row}", f"(Covenant!G{there}-Covenant!H{there})*(1-TaxRate)-Covenant!I{there}", flow
        )
        sheet.calc(f"C{row}", "1+InterestRate*(1-TaxRate)", grows, "rate")
        sheet.calc(f"D{row}", f"B{row}" if row == 2 else f"D{row - 1}*C{row}+B{row}", repaid)
        sheet.calc(
            f"E{row}", f"(1-LeastRoom)*Covenant!P{there}*Covenant!G{there}+CashLeft", allowed
        )
        sheet.calc(
            f"F{row}", f"(E{row}+D{row})/C{row}^A{row}", (allowed + repaid) / grows**year.year
        )
    found, last = told.reduced_outcome, told.reduced[-1]
    rows = (
        (
            "Maximum, rounded down",
            "ROUNDDOWN(MIN(F2:F6)/LoanStep,0)*LoanStep",
            told.largest,
            "total",
        ),
        (
            "Equity of the fund with it",
            "Price!B14+Price!B7-B10+LoanFee*(B10-Price!B7)",
            found.equity,
            "money",
        ),
        ("Loan after year 5", "B10*C6^5-D6", last.loan, "money"),
        (
            "Its proceeds",
            "(1-ManagersShare)*(Returns!L3*(1-ExitCosts)-(B12-CashLeft)-Price!B18)",
            found.proceeds,
            "money",
        ),
        (
            "Least headroom with it",
            "1-(B10*C3^2-D3-CashLeft)/(Covenant!P8*Covenant!G8)",
            told.reduced[1].headroom,
            "percent",
        ),
        ("IRR with it", "IRR(B18:G18)", found.irr, "percent"),
    )
    for row, (label, formula, value, look) in enumerate(rows, 10):
        sheet.put(f"A{row}", label)
        sheet.calc(f"B{row}", formula, value, look)
    sheet.put("A18", "Flows")
    flows = {
        "B": ("-B11", -found.equity),
        "D": ("-Price!B6", -found.later),
        "G": ("B13", found.proceeds),
    }
    for letter in "BCDEFG":
        if letter in flows:
            sheet.calc(f"{letter}18", *flows[letter])
        else:
            sheet.put(f"{letter}18", 0, "money")
